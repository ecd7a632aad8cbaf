//! The interpreter: what each type reads, and what it says when the bytes run out.

#![expect(clippy::unwrap_used, reason = "tests")]

use winetl_codegen::decode::{Problem, Record, Value, decode};
use winetl_codegen::expr::Context;
use winetl_codegen::raw::Scalar;
use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Schema, SourceSet, compile, has_errors};

/// Compiles a structure with the given size and fields; others that they name are `PAIR`, `KIND` and `FLAG`.
fn schema(size: &str, fields: &str) -> Schema {
    let text = format!(
        r#"title: Test
sources:
  - {{id: s, kind: observed, title: "Test"}}
structures:
  - name: PAIR
    size: 2
    doc: Pair.
    sources: [s]
    fields:
      - {{name: A, offset: 0, type: u8, doc: "A."}}
      - {{name: B, offset: 1, type: u8, doc: "B."}}
  - name: TEST
    {size}
    doc: Test.
    sources: [s]
    fields:
{fields}
enums:
  - {{name: KIND, type: u8, doc: Kind., sources: [s], values: [{{value: 1, name: KindOne}}]}}
flags:
  - {{name: FLAG, type: u16, doc: Flag., sources: [s], bits: [{{value: 1, name: FLAG_ONE}}]}}
"#
    );
    let sources = SourceSet::from_texts("", [("test.yaml", text.as_str())]);
    let (schema, problems) = compile(&sources);
    assert!(!has_errors(&problems), "{}", render_all(&sources, &problems, Style::Plain));
    schema
}

fn read(schema: &Schema, bytes: &[u8], pointer_size: u32) -> Result<(Record, usize), Problem> {
    decode(
        schema,
        schema.structure("TEST").unwrap(),
        bytes,
        Context {
            pointer_size,
            ..Context::default()
        },
    )
}

/// Text of the one field `X` of the type, and the bytes it takes.
fn one(size: &str, field: &str, bytes: &[u8]) -> (String, usize) {
    let schema = schema(size, &format!("      - {{name: X, offset: 0, {field}, doc: \"X.\"}}"));
    let (record, used) = read(&schema, bytes, 8).unwrap();
    (record.find("X").unwrap().to_string(), used)
}

#[test]
fn every_type() {
    let bytes: Vec<u8> = (0x81..=0xff).collect();
    for (size, field, text, used) in [
        ("size: 1", "type: u8", "129", 1),
        ("size: 2", "type: u16", "33409", 2),
        ("size: 4", "type: u32", "2223211137", 4),
        ("size: 8", "type: u64", "9837979819026121345", 8),
        ("size: 8", "type: u64, format: hex", "0x8887868584838281", 8),
        ("size: 1", "type: i8", "-127", 1),
        ("size: 2", "type: i16", "-32127", 2),
        ("size: 4", "type: i32", "-2071756159", 4),
        ("size: 8", "type: i64", "-8608764254683430271", 8),
        ("size: {32: 4, 64: 8}", "type: ptr", "0x8887868584838281", 8),
        ("size: 16", "type: guid", "84838281-8685-8887-898a-8b8c8d8e8f90", 16),
        ("size: 8", "type: filetime", "-8608764254683430271", 8),
        ("size: 3", "type: bytes, size: 3", "818283", 3),
        ("size: 1", "type: KIND", "129", 1),
        ("size: 2", "type: FLAG", "0x8281", 2),
        ("size: 2", "type: PAIR", "{A: 129, B: 130}", 2),
        ("size: 4", "type: PAIR, count: 2", "[{A: 129, B: 130}, {A: 131, B: 132}]", 4),
        ("size: 4", "type: u16, count: 2", "[33409, 33923]", 4),
    ] {
        assert_eq!(one(size, field, &bytes), (text.to_owned(), used), "{field}");
    }
    assert_eq!(one("size: 1", "type: KIND", &[1]), ("KindOne".to_owned(), 1));
}

#[test]
fn a_pointer_takes_the_size_of_the_data() {
    let schema = schema("size: {32: 4, 64: 8}", "      - {name: X, offset: 0, type: ptr, doc: \"X.\"}");
    let (record, used) = read(&schema, &[1, 2, 3, 4, 5, 6, 7, 8], 4).unwrap();
    assert_eq!((record.find("X"), used), (Some(&Value::Unsigned(0x0403_0201, true)), 4));
}

#[test]
fn text_ends_at_its_terminator_its_room_or_the_record() {
    for (size, field, bytes, text, used) in [
        ("min_size: 0", "type: utf16z", &b"h\0i\0\0\0x\0"[..], "hi", 6),
        ("min_size: 0", "type: utf16z", b"h\0i\0", "hi", 4),
        // A half unit at the end is left alone.
        ("min_size: 0", "type: utf16z", b"h\0i", "h", 2),
        ("min_size: 0", "type: utf16z", b"", "", 0),
        ("min_size: 0", "type: utf16z", b"\x00\xd8x\0\0\0", "\u{fffd}x", 6),
        ("min_size: 0", "type: ansiz", b"hi\0x", "hi", 3),
        ("min_size: 0", "type: ansiz", b"hi", "hi", 2),
        ("min_size: 0", "type: utf8z", b"\xc3\xa9\0", "é", 3),
        ("size: 6", "type: utf16, size: 6", b"h\0\0\0x\0y\0", "h", 6),
        ("size: 6", "type: utf16, size: 6", b"h\0i\0j\0", "hij", 6),
        ("size: 3", "type: ansi, size: 3", b"h\0xy", "h", 3),
        ("size: 3", "type: ansi, size: 3", b"hijk", "hij", 3),
    ] {
        assert_eq!(one(size, field, bytes), (text.to_owned(), used), "{field} of {bytes:?}");
    }
}

#[test]
fn security_identifiers() {
    let sid = |bytes: &[u8]| one("min_size: 8", "type: sid", bytes);
    assert_eq!(sid(&[1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0, 9]), ("S-1-5-18".to_owned(), 12));
    assert_eq!(sid(&[1, 0, 0, 0, 0, 0, 0, 5]), ("S-1-5".to_owned(), 8));
    // An authority above 32 bits is written in hex.
    assert_eq!(sid(&[1, 0, 1, 0, 0, 0, 0, 5]), ("S-1-0x010000000005".to_owned(), 8));
}

#[test]
fn short_bytes_name_the_field() {
    let fields =
        "      - {name: First, offset: 0, type: u16, doc: \"X.\"}\n      - {name: Second, offset: 2, type: u32, doc: \"X.\"}";
    let schema = schema("size: 6", fields);
    let problem = |field: &str, offset, needed, available| Problem {
        structure: "TEST".to_owned(),
        field: field.to_owned(),
        offset,
        needed,
        available,
    };
    assert_eq!(read(&schema, &[], 8), Err(problem("First", 0, 2, 0)));
    assert_eq!(read(&schema, &[1], 8), Err(problem("First", 0, 2, 1)));
    assert_eq!(read(&schema, &[1, 2], 8), Err(problem("Second", 2, 4, 0)));
    assert_eq!(read(&schema, &[1, 2, 3, 4, 5], 8), Err(problem("Second", 2, 4, 3)));
    assert_eq!(read(&schema, &[1, 2, 3, 4, 5, 6, 7], 8).unwrap().1, 6);
}

#[test]
fn every_type_says_when_its_bytes_end() {
    for (size, field, bytes) in [
        ("size: 16", "type: guid", 16),
        ("size: 8", "type: filetime", 8),
        ("size: 3", "type: bytes, size: 3", 3),
        ("size: 6", "type: utf16, size: 6", 6),
        ("size: 3", "type: ansi, size: 3", 3),
        ("min_size: 8", "type: sid", 8),
        ("size: 4", "type: PAIR, count: 2", 4),
        ("size: 4", "type: u16, count: 2", 4),
        ("size: {32: 4, 64: 8}", "type: ptr", 8),
    ] {
        let schema = schema(size, &format!("      - {{name: X, offset: 0, {field}, doc: \"X.\"}}"));
        for length in 0..bytes {
            assert!(read(&schema, &vec![0; length], 8).is_err(), "{field} took {length} bytes");
        }
        assert_eq!(read(&schema, &vec![0; bytes], 8).unwrap().1, bytes, "{field}");
    }
    // A SID that counts more parts than there are.
    let schema = schema("min_size: 8", "      - {name: X, offset: 0, type: sid, doc: \"X.\"}");
    assert_eq!(read(&schema, &[1, 2, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0], 8).unwrap_err().needed, 8);
}

#[test]
fn the_rest_is_taken_in_whole_elements() {
    let rest = |ty: &str, bytes: &[u8]| one("min_size: 0", &format!("type: {ty}, count: rest"), bytes);
    assert_eq!(rest("u16", &[1, 0, 2, 0, 3]), ("[1, 2]".to_owned(), 4));
    assert_eq!(rest("PAIR", &[1, 2, 3]), ("[{A: 1, B: 2}]".to_owned(), 2));
    assert_eq!(rest("guid", &[0; 15]), ("[]".to_owned(), 0));
    assert_eq!(one("min_size: 0", "type: bytes, size: rest", &[1, 2]), ("0102".to_owned(), 2));
    assert_eq!(
        one("min_size: 0", "type: utf16, size: rest", &[65, 0, 66]),
        ("A".to_owned(), 3)
    );
}

#[test]
fn conditions_and_computed_lengths() {
    let fields = r#"      - {name: Count, offset: 0, type: u8, doc: "X."}
      - {name: Flags, offset: 1, type: FLAG, doc: "X."}
      - {name: Maybe, offset: 3, type: u16, if: "Flags & FLAG_ONE", doc: "X."}
      - {name: List, type: u8, count: "Count", doc: "X."}
      - {name: Data, type: bytes, size: "Maybe * 2", doc: "X."}"#;
    let schema = schema("min_size: 3", fields);
    let (record, used) = read(&schema, &[2, 1, 0, 1, 0, 7, 8, 9, 10], 8).unwrap();
    assert_eq!(used, 9);
    assert_eq!(record.find("Maybe"), Some(&Value::Unsigned(1, false)));
    assert_eq!(record.find("List").unwrap().to_string(), "[7, 8]");
    assert_eq!(record.find("Data"), Some(&Value::Bytes(vec![9, 10])));
    // Without the flag the field is absent, and counts as 0.
    let (record, used) = read(&schema, &[1, 0, 0, 7, 9], 8).unwrap();
    assert_eq!(used, 4);
    assert_eq!(record.find("Maybe"), Some(&Value::Absent));
    assert_eq!(record.find("Data"), Some(&Value::Bytes(Vec::new())));
    assert_eq!(read(&schema, &[9, 0, 0, 7], 8).unwrap_err().field, "List");
}

#[test]
fn hostile_counts_end_with_the_bytes() {
    let fields = r#"      - {name: Count, offset: 0, type: u64, doc: "X."}
      - {name: List, offset: 8, type: PAIR, count: "Count", doc: "X."}
      - {name: Data, type: bytes, size: "Count", doc: "X."}"#;
    let schema = schema("min_size: 8", fields);
    let problem = read(&schema, &[0xff; 12], 8).unwrap_err();
    assert_eq!((problem.offset, problem.needed, problem.available), (12, 1, 0));
}

#[test]
fn names_are_found_through_nested_structures() {
    let schema = schema("size: 2", "      - {name: X, offset: 0, type: PAIR, doc: \"X.\"}");
    let (record, _) = read(&schema, &[1, 2], 8).unwrap();
    assert_eq!(record.find("X.B"), Some(&Value::Unsigned(2, false)));
    assert_eq!(record.find("X.C"), None);
    assert_eq!(record.find("X.B.C"), None);
    assert_eq!(record.names(), ["X", "X.A", "X.B"]);
}

#[test]
fn values_match_numbers_and_text() {
    let text = |text: &str| Scalar::Text(text.to_owned());
    assert!(Value::Unsigned(16, true).matches(&Scalar::Unsigned(16)));
    assert!(Value::Unsigned(16, true).matches(&text("0x10")));
    assert!(!Value::Unsigned(16, true).matches(&text("16")));
    assert!(!Value::Unsigned(16, false).matches(&Scalar::Signed(-16)));
    assert!(Value::Signed(-1).matches(&Scalar::Signed(-1)));
    assert!(Value::Signed(1).matches(&Scalar::Unsigned(1)));
    assert!(!Value::Signed(-1).matches(&Scalar::Unsigned(u64::MAX)));
    assert!(Value::Named(1, Some("KindOne".to_owned())).matches(&Scalar::Unsigned(1)));
    assert!(Value::Named(1, Some("KindOne".to_owned())).matches(&text("KindOne")));
    assert!(Value::Absent.matches(&text("null")));
    assert!(!Value::Absent.matches(&Scalar::Unsigned(0)));
    let list = Value::List(vec![Value::Unsigned(1, false), Value::Unsigned(2, false)]);
    assert!(list.matches(&Scalar::List(vec![Scalar::Unsigned(1), Scalar::Unsigned(2)])));
    assert!(!list.matches(&Scalar::List(vec![Scalar::Unsigned(1)])));
    assert!(!list.matches(&Scalar::Unsigned(1)));
    // Digits without quotes are a number for YAML.
    assert!(Value::Ansi(b"12".to_vec()).matches(&Scalar::Unsigned(12)));
}
