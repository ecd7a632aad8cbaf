//! Runs the test vectors of the schema on the generated parsers.

use std::io::Cursor;

use binrw::{BinRead, BinWrite};

use crate::context::Context;
use crate::layout::Layout;
use crate::payload::TemplateRecord;
use crate::payload::template::Template;
use crate::record::{FieldInfo, FieldVisitor, List, Record, Value};
use crate::text::{push_ansi, push_utf16, push_utf16_bytes, sid_text};

/// An expected value, as the schema gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Unsigned(u64),
    Signed(i64),
    Text(&'static str),
    List(&'static [Self]),
}

/// Reads the bytes, compares the fields, and writes the structure back to the same bytes.
pub(crate) fn check_vector<T>(doc: &str, bytes: &[u8], context: Context, expect: &[(&str, Expected)])
where
    T: Layout + for<'a> BinRead<Args<'a> = Context> + for<'a> BinWrite<Args<'a> = Context>,
{
    let (record, used) = T::read_prefix(bytes, context).unwrap_or_else(|error| panic!("{doc}: {error}"));
    assert_eq!(used, bytes.len(), "{doc}: bytes read");
    compare(&record, doc, expect);
    let mut written = Cursor::new(Vec::new());
    record
        .write_le_args(&mut written, context)
        .unwrap_or_else(|error| panic!("{doc}: {error}"));
    assert_eq!(written.into_inner(), bytes, "{doc}: written back");
}

fn compare(record: &dyn Record, doc: &str, expect: &[(&str, Expected)]) {
    for (path, expected) in expect {
        let found = find(record, path, &mut |info, value| matches(info, value, expected));
        match found {
            Some((true, _)) => {}
            Some((false, text)) => panic!("{doc}: {path} is {text}, expected {expected:?}"),
            None => panic!("{doc}: no field {path}"),
        }
    }
}

/// Decodes a payload with a template, which must take it to its last byte, and compares the fields.
pub(crate) fn check_payload(template: &Template, doc: &str, bytes: &[u8], context: Context, expect: &[(&str, Expected)]) {
    let record = TemplateRecord::new(template, bytes, context);
    let outcome = record.measure();
    assert_eq!((outcome.consumed, outcome.short), (bytes.len(), None), "{doc}: bytes read");
    compare(&record, doc, expect);
}

/// Reads a payload as a structure, and compares the fields; and every cut of it with what the template makes of that.
pub(crate) fn check_typed<T>(template: &Template, doc: &str, bytes: &[u8], context: Context, expect: &[(&str, Expected)])
where
    T: Layout + for<'a> BinRead<Args<'a> = Context>,
{
    let (record, used) = T::read_prefix(bytes, context).unwrap_or_else(|error| panic!("{doc}: {error}"));
    assert_eq!(used, bytes.len(), "{doc}: bytes read");
    compare(&record, doc, expect);
    for length in 0..=bytes.len() {
        let cut = &bytes[..length];
        let template = TemplateRecord::new(template, cut, context);
        let outcome = template.measure();
        match T::read_prefix(cut, context) {
            Ok((record, used)) => {
                assert_eq!((outcome.consumed, outcome.short), (used, None), "{doc}: {length} bytes");
                assert_eq!(fields(&record), fields(&template), "{doc}: {length} bytes");
            }
            Err(error) => assert!(outcome.short.is_some(), "{doc}: {length} bytes: {error}"),
        }
    }
}

/// Names and texts of all fields.
fn fields(record: &dyn Record) -> Vec<(String, String)> {
    struct All(Vec<(String, String)>);
    impl FieldVisitor for All {
        fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
            match value {
                Value::Record(nested) => self.0.extend(fields(nested)),
                value => self.0.push((info.name.to_owned(), text(info, value))),
            }
        }
    }
    let mut all = All(Vec::new());
    record.visit(&mut all);
    all.0
}

/// Applies a test to the field at a dotted path; gives its result and the field's text.
fn find(record: &dyn Record, path: &str, test: &mut dyn FnMut(&FieldInfo<'_>, Value<'_>) -> bool) -> Option<(bool, String)> {
    struct Finder<'t> {
        name: String,
        rest: Option<String>,
        test: &'t mut dyn FnMut(&FieldInfo<'_>, Value<'_>) -> bool,
        found: Option<(bool, String)>,
    }
    impl FieldVisitor for Finder<'_> {
        fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
            if info.name != self.name {
                return;
            }
            self.found = match (&self.rest, value) {
                (None, value) => Some(((self.test)(info, value), text(info, value))),
                (Some(rest), Value::Record(nested)) => find(nested, rest, self.test),
                _ => None,
            };
        }
    }
    let (name, rest) = path
        .split_once('.')
        .map_or((path, None), |(name, rest)| (name, Some(rest.to_owned())));
    let mut finder = Finder {
        name: name.to_owned(),
        rest,
        test,
        found: None,
    };
    record.visit(&mut finder);
    finder.found
}

fn matches(info: &FieldInfo<'_>, value: Value<'_>, expected: &Expected) -> bool {
    match (value, expected) {
        (Value::Unsigned(number) | Value::Enum(number, _) | Value::Flags(number, _), Expected::Unsigned(expected)) => {
            number == *expected
        }
        (Value::Signed(number), Expected::Unsigned(expected)) => u64::try_from(number) == Ok(*expected),
        (Value::Signed(number), Expected::Signed(expected)) => number == *expected,
        (Value::Filetime(time), Expected::Unsigned(expected)) => u64::try_from(time.0) == Ok(*expected),
        (Value::Filetime(time), Expected::Signed(expected)) => time.0 == *expected,
        (Value::Address(number), Expected::Unsigned(expected)) => number == *expected,
        (Value::List(list), Expected::List(expected)) => {
            let mut rest = expected.iter();
            let mut equal = list.len() == expected.len();
            list.for_each(&mut |value| equal &= rest.next().is_some_and(|expected| matches(info, value, expected)));
            equal
        }
        (value, Expected::Text(expected)) => text(info, value) == *expected,
        // Digits alone are a number for YAML, although the value is text or bytes.
        (value @ (Value::Bytes(_) | Value::Utf16(_) | Value::Ansi(_)), Expected::Unsigned(number)) => {
            text(info, value) == number.to_string()
        }
        _ => false,
    }
}

fn text(info: &FieldInfo<'_>, value: Value<'_>) -> String {
    match value {
        Value::Absent => "null".to_owned(),
        Value::Unsigned(number) if info.hex => format!("{number:#x}"),
        Value::Unsigned(number) | Value::Enum(number, None) => number.to_string(),
        Value::Flags(number, _) => format!("{number:#x}"),
        Value::Signed(number) => number.to_string(),
        Value::Filetime(time) => time.0.to_string(),
        Value::Enum(_, Some(entry)) => entry.name.to_owned(),
        Value::Guid(guid) => guid.to_string(),
        Value::Sid(sid) => sid.to_string(),
        Value::SidBytes(bytes) => sid_text(bytes),
        Value::Address(number) => format!("{number:#x}"),
        Value::Float(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Systemtime(_) | Value::SocketAddress(_) | Value::Mapped(..) => unreachable!("no schema file has it"),
        Value::Ipv4(bytes) => std::net::Ipv4Addr::from(bytes).to_string(),
        Value::Ipv6(bytes) => std::net::Ipv6Addr::from(bytes).to_string(),
        Value::Utf16Bytes(bytes) => with_text(|out| push_utf16_bytes(bytes, out)),
        Value::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Utf16(units) => with_text(|out| push_utf16(units, out)),
        Value::Ansi(bytes) => with_text(|out| push_ansi(bytes, out)),
        Value::Record(record) => record.info().name.to_owned(),
        Value::List(list) => list_text(info, list),
    }
}

fn with_text(push: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    push(&mut out);
    out
}

fn list_text(info: &FieldInfo<'_>, list: &dyn List) -> String {
    let mut elements = Vec::new();
    list.for_each(&mut |value| elements.push(text(info, value)));
    format!("[{}]", elements.join(", "))
}
