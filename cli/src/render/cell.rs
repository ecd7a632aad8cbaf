//! Values as plain text: what JSON has, without quotation marks and escapes, so that all formats spell a value the same.

use std::borrow::Cow;

use winetl::record::{FieldInfo, FieldVisitor, Record, Value};

use super::json::Json;
use super::value::{JsonRecord, JsonValue};

/// A pushed JSON value as text: nothing for `null`, text without its marks, all else as it is.
pub(crate) fn plain(json: &[u8]) -> Cow<'_, str> {
    match json {
        b"null" => Cow::Borrowed(""),
        [b'"', text @ .., b'"'] if !text.contains(&b'\\') => String::from_utf8_lossy(text),
        // What was pushed is JSON; if not, it is shown as it is.
        [b'"', ..] => serde_json::from_slice::<String>(json).map_or_else(|_| String::from_utf8_lossy(json), Cow::Owned),
        _ => String::from_utf8_lossy(json),
    }
}

/// Pushes the value at `path` of a record, the names of nested structures before that of the field; `false` if it has no such
/// field. A record as a whole for an empty path.
pub(crate) fn push_at(record: &dyn Record, path: &[String], out: &mut Vec<u8>) -> bool {
    let Some((name, rest)) = path.split_first() else {
        JsonRecord(record).push(out);
        return true;
    };
    let mut find = Find {
        name,
        rest,
        out,
        found: false,
    };
    record.visit(&mut find);
    find.found
}

struct Find<'a> {
    name: &'a str,
    rest: &'a [String],
    out: &'a mut Vec<u8>,
    found: bool,
}

impl FieldVisitor for Find<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if self.found || info.hidden || info.name != self.name {
            return;
        }
        match value {
            Value::Record(record) => self.found = push_at(record, self.rest, self.out),
            value if self.rest.is_empty() => {
                JsonValue { value, hex: info.hex }.push(self.out);
                self.found = true;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_loses_its_marks() {
        for (json, text) in [
            ("null", ""),
            ("\"\"", ""),
            ("\"a\\\"b\\n\"", "a\"b\n"),
            ("\"plain\"", "plain"),
            ("12", "12"),
            ("[1,\"a\"]", "[1,\"a\"]"),
            ("{\"a\":null}", "{\"a\":null}"),
        ] {
            assert_eq!(plain(json.as_bytes()), text);
        }
    }
}
