//! Values as text and as what can be compared.

use std::borrow::Cow;

use winetl::record::{FieldInfo, FieldVisitor, Record, Value};

use crate::render::json::Json as _;
use crate::render::value::JsonValue;

/// The text of a value that is no structure and no list, as the jsonl format shows it without quotation marks; `None` for null.
/// `buffer` is overwritten.
pub(super) fn text<'b>(value: Value<'_>, hex: bool, buffer: &'b mut Vec<u8>) -> Option<Cow<'b, str>> {
    buffer.clear();
    JsonValue { value, hex }.push(buffer);
    let json = std::str::from_utf8(buffer).ok()?;
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if inner.contains('\\') => serde_json::from_str(json).ok().map(Cow::Owned),
        Some(inner) => Some(Cow::Borrowed(inner)),
        None if json == "null" => None,
        None => Some(Cow::Borrowed(json)),
    }
}

/// Shows all visible values of a record that are neither structures nor lists, those in structures and lists too, until `see` says
/// to stop by `false`.
pub(super) fn leaves(record: &dyn Record, see: &mut dyn FnMut(Value<'_>, bool) -> bool) {
    record.visit(&mut Leaves { see, go_on: true });
}

struct Leaves<'s> {
    see: &'s mut dyn FnMut(Value<'_>, bool) -> bool,
    go_on: bool,
}

impl Leaves<'_> {
    fn value(&mut self, value: Value<'_>, hex: bool) {
        match value {
            _ if !self.go_on => {}
            Value::Absent => {}
            Value::Record(record) => record.visit(self),
            Value::List(list) => list.for_each(&mut |element| self.value(element, hex)),
            value => self.go_on = (self.see)(value, hex),
        }
    }
}

impl FieldVisitor for Leaves<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden {
            self.value(value, info.hex);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_json_lines() {
        let mut buffer = Vec::new();
        let mut shown = |value, hex| text(value, hex, &mut buffer).map(Cow::into_owned);
        assert_eq!(shown(Value::Unsigned(31), true).as_deref(), Some("0x1f"));
        assert_eq!(shown(Value::Unsigned(31), false).as_deref(), Some("31"));
        assert_eq!(shown(Value::Ansi(b"a\"b\\c\n"), false).as_deref(), Some("a\"b\\c\n"));
        assert_eq!(shown(Value::Bool(true), false).as_deref(), Some("true"));
        assert_eq!(shown(Value::Float(f64::NAN), false), None);
        assert_eq!(shown(Value::Absent, false), None);
        assert_eq!(shown(Value::Ansi(b"null"), false).as_deref(), Some("null"));
    }
}
