//! Conditions of `--where`, from text.

use std::str::FromStr;

use super::compare::{Literal, Order, Test};
use super::key::Key;

/// Conditions that must all hold.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub(super) conditions: Vec<Condition>,
}

/// What one condition asks for.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) field: Field,
    pub(super) test: Test,
}

/// Where the values of a condition come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Field {
    /// A key of the jsonl format.
    Key(Key),
    /// A field of the header, with dots into structures.
    Header(String),
    /// A field of the payload.
    Payload(String),
}

/// Most bytes of a clause.
const LONGEST: usize = 4096;

/// The operators, longer ones before those that they begin with.
const OPERATORS: [(&str, Operator); 9] = [
    ("==", Operator::Order(Order::Equal)),
    ("!=", Operator::Order(Order::Unequal)),
    ("<=", Operator::Order(Order::AtMost)),
    (">=", Operator::Order(Order::AtLeast)),
    ("=", Operator::Order(Order::Equal)),
    ("<", Operator::Order(Order::Below)),
    (">", Operator::Order(Order::Above)),
    ("~", Operator::Matches),
    ("contains", Operator::Contains),
];

#[derive(Debug, Clone, Copy)]
enum Operator {
    Order(Order),
    Matches,
    Contains,
}

/// What joins conditions.
const AND: &str = "&&";

const MARKS: [char; 2] = ['"', '\''];

impl FromStr for Clause {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("expected at most {LONGEST} bytes, found {}", text.len()));
        }
        let mut reader = Reader { text, at: 0 };
        let mut conditions = Vec::new();
        loop {
            conditions.push(reader.condition()?);
            reader.pass_blanks();
            if reader.rest().is_empty() {
                return Ok(Self { conditions });
            }
            if !reader.take(AND) {
                return Err(reader.fail(if reader.rest().starts_with("||") {
                    "expected && or the end of the condition; for one or the other, give --where twice"
                } else {
                    "expected && or the end of the condition; put quotation marks around a value with blanks"
                }));
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    /// In bytes.
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn pass_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn condition(&mut self) -> Result<Condition, String> {
        self.pass_blanks();
        let field = self.field()?;
        self.pass_blanks();
        let operator = self.operator()?;
        self.pass_blanks();
        let at = self.at;
        let value = self.value()?;
        let test = match operator {
            Operator::Order(order) => Test::Compare(order, Literal::new(value)),
            Operator::Contains => Test::Contains(value.to_ascii_lowercase()),
            Operator::Matches => match value.parse() {
                Ok(search) => Test::Matches(search),
                Err(problem) => {
                    self.at = at;
                    return Err(self.fail(&problem));
                }
            },
        };
        Ok(Condition { field, test })
    }

    fn field(&mut self) -> Result<Field, String> {
        let expected = "expected a field: a name in the payload, header.NAME, or a key of the jsonl format such as pid";
        if let Some(name) = self.quoted()? {
            return if name.is_empty() {
                Err(self.fail(expected))
            } else {
                Ok(Field::Payload(name.to_owned()))
            };
        }
        let name = self.until(|c| c.is_whitespace() || "=!<>~&|".contains(c));
        let field = match (name, name.split_once('.')) {
            ("", _) => return Err(self.fail(expected)),
            (_, Some(("header", name))) if !name.is_empty() => Field::Header(name.to_owned()),
            (_, Some(("fields", name))) if !name.is_empty() => Field::Payload(name.to_owned()),
            (name, _) => Key::of(name).map_or_else(|| Field::Payload(name.to_owned()), Field::Key),
        };
        Ok(field)
    }

    fn operator(&mut self) -> Result<Operator, String> {
        for (token, operator) in OPERATORS {
            let start = self.at;
            if self.take(token) {
                let word = token.starts_with(|c: char| c.is_ascii_alphabetic());
                // `containsX` is no operator.
                if !word || self.rest().is_empty() || self.rest().starts_with(|c: char| c.is_whitespace() || MARKS.contains(&c)) {
                    return Ok(operator);
                }
                self.at = start;
            }
        }
        Err(self.fail("expected an operator: = != < <= > >= ~ or contains"))
    }

    fn value(&mut self) -> Result<&'t str, String> {
        if let Some(value) = self.quoted()? {
            return Ok(value);
        }
        let start = self.at;
        let mut ampersands = self.rest().match_indices(AND).map(|(at, _)| at);
        let and = ampersands.next().map_or(self.text.len(), |at| start + at);
        self.until(char::is_whitespace);
        self.at = self.at.min(and);
        match self.text.get(start..self.at) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(self.fail("expected a value: a number, a time, a GUID or text; '' is the empty text")),
        }
    }

    /// Text between quotation marks; nothing is escaped in it, since paths have backslashes.
    fn quoted(&mut self) -> Result<Option<&'t str>, String> {
        let Some(mark) = self.rest().chars().next().filter(|c| MARKS.contains(c)) else {
            return Ok(None);
        };
        let inner = self.rest().get(1..).unwrap_or_default();
        let Some(end) = inner.find(mark) else {
            return Err(self.fail(&format!("expected another {mark} behind this one")));
        };
        self.at += end + 2;
        Ok(inner.get(..end))
    }

    fn until(&mut self, ends: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(ends).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// What was expected, with a mark below the place.
    fn fail(&self, expected: &str) -> String {
        let column = self.text.get(..self.at).unwrap_or_default().chars().count();
        let blanks = " ".repeat(column);
        let text = self.text.replace(char::is_control, " ");
        format!(
            "{expected}\n\n    {text}\n    {blanks}^\n\nas in 'ProcessId = 4120' or 'ImageFileName contains note && pid != 4'"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<Field> {
        let clause: Clause = text.parse().unwrap();
        clause.conditions.into_iter().map(|condition| condition.field).collect()
    }

    #[test]
    fn fields_are_of_payload_header_or_event() {
        let payload = |name: &str| Field::Payload(name.to_owned());
        assert_eq!(fields("pid=4"), [Field::Key(Key::Pid)]);
        assert_eq!(fields("Pid = 4"), [payload("Pid")]);
        assert_eq!(fields("fields.pid = 4"), [payload("pid")]);
        assert_eq!(
            fields("header.EventDescriptor.Id>4"),
            [Field::Header("EventDescriptor.Id".to_owned())]
        );
        assert_eq!(fields("names.level = Error"), [Field::Key(Key::LevelName)]);
        assert_eq!(fields("'A name' != x"), [payload("A name")]);
        assert_eq!(
            fields("A.B = 1&&C~x && D contains 'a && b'&&E=''"),
            [payload("A.B"), payload("C"), payload("D"), payload("E")]
        );
    }

    #[test]
    fn values_are_taken_as_they_are() {
        let value = |text: &str| match text.parse::<Clause>().unwrap().conditions.swap_remove(0).test {
            Test::Compare(_, literal) => literal.text,
            other => panic!("{other:?}"),
        };
        assert_eq!(value(r"A = C:\x\y&z"), r"C:\x\y&z");
        assert_eq!(value(r#"A = "C:\My 'x'""#), r"C:\My 'x'");
        assert_eq!(value("A = ''"), "");
        assert_eq!(value("A == =b"), "=b");
    }

    /// The mark is below what is wrong.
    #[test]
    fn errors_point_at_the_place() {
        for (text, at, expected) in [
            ("", 0, "expected a field"),
            ("  ", 2, "expected a field"),
            ("= 3", 0, "expected a field"),
            ("'' = 3", 2, "expected a field"),
            ("pid", 3, "expected an operator"),
            ("pid 3", 4, "expected an operator"),
            ("A containsb c", 2, "expected an operator"),
            ("pid =", 5, "expected a value"),
            ("pid = && tid = 3", 6, "expected a value"),
            ("A contains", 10, "expected a value"),
            ("A = b c", 6, "expected && or the end of the condition; put quotation marks"),
            ("A = b || C = d", 6, "give --where twice"),
            ("A = b and C = d", 6, "expected &&"),
            ("A = 'b", 4, "expected another '"),
            ("é = \"b", 4, "expected another \""),
            ("A ~ a(b", 4, "expected a regular expression"),
            ("A = b &&", 8, "expected a field"),
            ("A = b && && C = d", 9, "expected a field"),
        ] {
            let error = text.parse::<Clause>().unwrap_err();
            assert!(error.starts_with(expected) || error.contains(expected), "{text}: {error}");
            let lines: Vec<&str> = error.lines().collect();
            let echo = lines.iter().rposition(|line| *line == format!("    {text}")).unwrap();
            assert_eq!(lines[echo + 1], format!("    {}^", " ".repeat(at)), "{text}: {error}");
            assert!(lines.last().unwrap().starts_with("as in '"), "{error}");
        }
    }
}
