//! Tests of `--where` on single values.

use std::cmp::Ordering;

use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::text::systemtime_text;
use winetl::{Filetime, Guid};

use super::moment::calendar;
use super::numbers;
use super::pattern::Search;
use super::text::text;

/// How a value must stand to a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Equal,
    Unequal,
    Below,
    AtMost,
    Above,
    AtLeast,
}

impl Order {
    fn holds(self, found: Ordering) -> bool {
        match self {
            Self::Equal => found.is_eq(),
            Self::Unequal => found.is_ne(),
            Self::Below => found.is_lt(),
            Self::AtMost => found.is_le(),
            Self::Above => found.is_gt(),
            Self::AtLeast => found.is_ge(),
        }
    }
}

/// What is asked of a value.
#[derive(Debug, Clone)]
pub(super) enum Test {
    Compare(Order, Literal),
    Matches(Search),
    /// In lower case.
    Contains(String),
}

/// The value on the right, and all that it can be read as.
#[derive(Debug, Clone)]
pub(super) struct Literal {
    pub(super) text: String,
    number: Option<Number>,
    time: Option<Filetime>,
    guid: Option<Guid>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Whole(i128),
    Float(f64),
}

impl Number {
    fn of(text: &str) -> Option<Self> {
        let (minus, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if let Some(number) = numbers::number(digits) {
            let number = i128::from(number);
            return Some(Self::Whole(if minus { -number } else { number }));
        }
        // Not the words for infinity, and no hexadecimal digits.
        let plain = numbers::is_numeric(digits) && digits.ends_with(|c: char| c.is_ascii_digit());
        text.parse().ok().filter(|_| plain).map(Self::Float)
    }

    fn in_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Unsigned(number)
            | Value::Address(number)
            | Value::Enum(number, _)
            | Value::Flags(number, _)
            | Value::Mapped(number, _) => Some(Self::Whole(number.into())),
            Value::Signed(number) => Some(Self::Whole(number.into())),
            Value::Bool(truth) => Some(Self::Whole(truth.into())),
            Value::Float(number) => Some(Self::Float(number)),
            _ => None,
        }
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        let float = |number| match number {
            Self::Whole(number) => number as f64,
            Self::Float(number) => number,
        };
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Some(a.cmp(&b)),
            (a, b) => float(a).partial_cmp(&float(b)),
        }
    }
}

impl Literal {
    pub(super) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            number: Number::of(text),
            time: calendar(text),
            guid: text.parse().ok(),
        }
    }

    /// How a value that is not null stands to the literal.
    fn order(&self, order: Order, value: Value<'_>, shown: &str) -> bool {
        let number = Number::in_value(value);
        let time = match value {
            Value::Filetime(time) => Some(time),
            Value::Systemtime(bytes) => calendar(&systemtime_text(bytes)),
            _ => None,
        };
        if let (Some(found), Some(wanted)) = (number, self.number) {
            return found.compare(wanted).is_some_and(|found| order.holds(found));
        }
        if let (Some(found), Some(wanted)) = (time, self.time) {
            return order.holds(found.cmp(&wanted));
        }
        if let (Value::Guid(found), Some(wanted)) = (value, self.guid)
            && found == wanted
        {
            return order.holds(Ordering::Equal);
        }
        let found = shown
            .bytes()
            .map(|byte| byte.to_ascii_lowercase())
            .cmp(self.text.bytes().map(|byte| byte.to_ascii_lowercase()));
        // A number is neither below nor above a word.
        let comparable = matches!(order, Order::Equal | Order::Unequal) || (number.is_none() && time.is_none());
        comparable && order.holds(found)
    }
}

/// What was seen of the values of a field.
#[derive(Debug)]
pub(super) struct Outcome<'t> {
    test: &'t Test,
    /// One of them passes the test; for "unequal", one is equal.
    hit: bool,
    /// There is one at all.
    any: bool,
    buffer: Vec<u8>,
}

impl<'t> Outcome<'t> {
    pub(super) fn new(test: &'t Test) -> Self {
        Self {
            test,
            hit: false,
            any: false,
            buffer: Vec::new(),
        }
    }

    /// Whether the condition holds.
    pub(super) fn holds(&self) -> bool {
        match self.test {
            Test::Compare(Order::Unequal, _) => self.any && !self.hit,
            _ => self.hit,
        }
    }

    /// Sees a value of the field: all elements of a list, nothing of a structure.
    pub(super) fn see(&mut self, value: Value<'_>, hex: bool) {
        match value {
            _ if self.hit => {}
            Value::Absent | Value::Record(_) => {}
            Value::List(list) => list.for_each(&mut |element| self.see(element, hex)),
            value => {
                let Some(shown) = text(value, hex, &mut self.buffer) else {
                    return;
                };
                self.any = true;
                self.hit = match self.test {
                    // The opposite is asked once all are seen.
                    Test::Compare(Order::Unequal, literal) => literal.order(Order::Equal, value, &shown),
                    Test::Compare(order, literal) => literal.order(*order, value, &shown),
                    Test::Matches(search) => search.is_in(&shown),
                    Test::Contains(part) => shown.to_ascii_lowercase().contains(part),
                };
            }
        }
    }

    /// Sees the fields of a record that a path leads to. Names ignore case, and may have dots in them.
    pub(super) fn see_path(&mut self, record: &dyn Record, path: &str) {
        record.visit(&mut Walk { path, outcome: self });
    }

    fn see_below(&mut self, value: Value<'_>, path: &str) {
        match value {
            Value::Record(record) => self.see_path(record, path),
            Value::List(list) => list.for_each(&mut |element| self.see_below(element, path)),
            _ => {}
        }
    }
}

struct Walk<'w, 't> {
    path: &'w str,
    outcome: &'w mut Outcome<'t>,
}

impl FieldVisitor for Walk<'_, '_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        let Some(start) = self.path.get(..info.name.len()) else {
            return;
        };
        if info.hidden || info.name.is_empty() || !start.eq_ignore_ascii_case(info.name) {
            return;
        }
        match self.path.get(start.len()..).unwrap_or_default() {
            "" => self.outcome.see(value, info.hex),
            rest => {
                if let Some(path) = rest.strip_prefix('.') {
                    self.outcome.see_below(value, path);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use winetl::record::List;
    use winetl::table::NamedValue;

    use super::super::clause::Clause;
    use super::*;

    fn holds(condition: &str, value: Value<'_>) -> bool {
        let clause: Clause = format!("X {condition}").parse().unwrap();
        let mut outcome = Outcome::new(&clause.conditions[0].test);
        outcome.see(value, false);
        outcome.holds()
    }

    #[track_caller]
    fn check(value: Value<'_>, yes: &[&str], no: &[&str]) {
        for (conditions, expected) in [(yes, true), (no, false)] {
            for condition in conditions {
                assert_eq!(holds(condition, value), expected, "{condition}");
            }
        }
    }

    #[test]
    fn numbers() {
        check(
            Value::Unsigned(u64::MAX),
            &[
                "= 18446744073709551615",
                "= 0xffffffffffffffff",
                "> -1",
                "~ ^1.*5$",
                "contains 4407",
                "!= x",
                "> 1.5",
            ],
            &["< 18446744073709551615", "= -1", "> x", "< x", "= x", "contains x"],
        );
        check(Value::Signed(-5), &["= -5", "< 0", "= -0x5", ">= -5.5"], &["= 5", "> 0"]);
        check(Value::Float(1.5), &["= 1.5", "> 1", "< 2", "<= 1.5e0"], &["= 1", "> inf"]);
        check(Value::Float(f64::NAN), &[], &["= 1", "!= 1", "= NaN"]);
        check(Value::Address(0x1F), &["= 31", "= 0x1F", "contains 0X1f"], &["= 1f"]);
        check(
            Value::Bool(true),
            &["= true", "= 1", "!= false", "= TRUE"],
            &["= 0", "> false"],
        );
        static FOUR: NamedValue = NamedValue {
            value: 4,
            name: "FOUR",
            label: "",
            doc: "",
        };
        check(
            Value::Enum(4, Some(&FOUR)),
            &["= four", "= 4", "< 5", "~ FO", "!= FIVE"],
            &["= 5", "~ fo", "< FIVE", "!= FOUR"],
        );
    }

    #[test]
    fn times_and_guids() {
        let time: Filetime = calendar("2024-05-14T09:30:00Z").unwrap();
        check(
            Value::Filetime(time),
            &[
                "= 2024-05-14T11:30:00+02:00",
                "< 2024-05-15",
                "> '2024-05-14 09:29'",
                "contains T09:30",
            ],
            &["> 2024-05-14T09:30:00Z", "< tomorrow", "= 5"],
        );
        let guid: Guid = "5e7d0003-3333-4333-8333-00000000000a".parse().unwrap();
        check(
            Value::Guid(guid),
            &["= {5E7D0003-3333-4333-8333-00000000000A}", "contains 5e7d", "!= 5e7d"],
            &["!= 5e7d0003-3333-4333-8333-00000000000a", "= 5e7d"],
        );
    }

    #[test]
    fn texts_and_lists() {
        check(
            Value::Ansi(b"Notepad.exe"),
            &["= notepad.EXE", "!= note", "contains PAD", "~ ^N", "< o", ">= notepad.exe"],
            &["= note", "~ ^n", "> o"],
        );
        check(Value::Ansi(b""), &["= ''", "!= x"], &["!= ''"]);
        // As text, although both look like numbers.
        check(Value::Ansi(b"10"), &["= 10", "< 9"], &["= 0xa"]);
        let list: &dyn List = &vec![1u32, 2, 3];
        check(Value::List(list), &["= 2", "> 2", "!= 4", "< 2"], &["!= 2", "> 3"]);
        let none: &dyn List = &Vec::<u32>::new();
        check(Value::List(none), &[], &["= 2", "!= 2"]);
        check(Value::Absent, &[], &["= 2", "!= 2", "~ .*"]);
    }
}
