//! Made metadata, and payloads decoded with it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use super::*;
use crate::context::Context;
use crate::payload::TemplateRecord;
use crate::record::{FieldInfo, FieldVisitor, Value};
use crate::text::push_ansi;

/// Metadata with a size in front, of an event `E` without tags.
fn metadata(fields: &[u8]) -> Vec<u8> {
    let size = u16::try_from(fields.len() + 5).unwrap();
    [&size.to_le_bytes()[..], b"\0E\0", fields].concat()
}

struct Text(String);

impl FieldVisitor for Text {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        self.0 += &format!("{}=", info.name);
        show(value, &mut self.0);
        self.0.push(' ');
    }
}

fn show(value: Value<'_>, out: &mut String) {
    match value {
        Value::Unsigned(number) => *out += &number.to_string(),
        Value::Signed(number) => *out += &number.to_string(),
        Value::Address(number) => *out += &format!("{number:#x}"),
        Value::Bool(value) => *out += &value.to_string(),
        Value::Float(number) => *out += &number.to_string(),
        Value::Guid(guid) => *out += &guid.to_string(),
        Value::Filetime(time) => *out += &format!("time {}", time.0),
        Value::Ipv4(bytes) => *out += &std::net::Ipv4Addr::from(bytes).to_string(),
        Value::Ipv6(bytes) => *out += &std::net::Ipv6Addr::from(bytes).to_string(),
        Value::Bytes(bytes) => *out += &format!("{bytes:02x?}"),
        Value::SocketAddress(bytes) => *out += &format!("address of {}", bytes.len()),
        Value::SidBytes(bytes) => *out += &format!("sid of {}", bytes.len()),
        Value::Systemtime(bytes) => *out += &format!("year {}", u16::from_le_bytes([bytes[0], bytes[1]])),
        Value::Ansi(bytes) => push_ansi(bytes, out),
        Value::Utf16Bytes(bytes) => {
            let units: Vec<u16> = bytes
                .as_chunks::<2>()
                .0
                .iter()
                .map(|unit| u16::from_le_bytes(*unit))
                .collect();
            *out += &String::from_utf16_lossy(&units);
        }
        Value::Record(record) => {
            let mut inner = Text(String::new());
            record.visit(&mut inner);
            *out += &format!("{{{}}}", inner.0.trim_end());
        }
        Value::List(list) => {
            out.push('[');
            list.for_each(&mut |element| {
                show(element, out);
                out.push(';');
            });
            out.push(']');
        }
        _ => *out += "?",
    }
}

/// The payload in words; `+n` for bytes that are left, `!` if it is too short.
fn decoded(fields: &[u8], payload: &[u8]) -> String {
    let schema = parse(&metadata(fields));
    assert_eq!(schema.problem, None);
    let mut text = Text(String::new());
    let outcome = TemplateRecord::new(&schema.template, payload, Context::default()).decode(&mut text);
    let mut text = text.0.trim_end().to_owned();
    if outcome.short.is_some() {
        text += " !";
    } else if outcome.consumed < payload.len() {
        text += &format!(" +{}", payload.len() - outcome.consumed);
    }
    text
}

#[test]
fn every_in_type() {
    let cases: &[(&[u8], &[u8], &str)] = &[
        (b"f\0\x01", b"a\0b\0\0\0", "f=ab"),
        (b"f\0\x02", b"ab\0", "f=ab"),
        (b"f\0\x03", b"\xff", "f=-1"),
        (b"f\0\x04", b"\xff", "f=255"),
        (b"f\0\x05", b"\xff\xff", "f=-1"),
        (b"f\0\x06", b"\xff\xff", "f=65535"),
        (b"f\0\x07", b"\xfe\xff\xff\xff", "f=-2"),
        (b"f\0\x08", b"\xfe\xff\xff\xff", "f=4294967294"),
        (b"f\0\x09", b"\xfe\xff\xff\xff\xff\xff\xff\xff", "f=-2"),
        (b"f\0\x0a", b"\xfe\xff\xff\xff\xff\xff\xff\xff", "f=18446744073709551614"),
        (b"f\0\x0b", b"\0\0\xc0\x3f", "f=1.5"),
        (b"f\0\x0c", b"\0\0\0\0\0\0\xf8\x3f", "f=1.5"),
        (b"f\0\x0d", b"\0\x01\0\0", "f=true"),
        (b"f\0\x0e", b"\x02\0\x07\x08", "f=[07, 08]"),
        (b"f\0\x0f", &[0x22; 16], "f=22222222-2222-2222-2222-222222222222"),
        (b"f\0\x11", b"\x05\0\0\0\0\0\0\0", "f=time 5"),
        (b"f\0\x12", b"\xea\x07\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "f=year 2026"),
        (b"f\0\x13", b"\x01\x01\0\0\0\0\0\x05\x12\0\0\0", "f=sid of 12"),
        (b"f\0\x14", b"\xff\0\0\0", "f=0xff"),
        (b"f\0\x15", b"\xff\0\0\0\0\0\0\0", "f=0xff"),
        (b"f\0\x16", b"\x04\0a\0b\0", "f=ab"),
        (b"f\0\x17", b"\x02\0ab", "f=ab"),
        (b"f\0\x19", b"\x02\0\x07\x08", "f=[07, 08]"),
    ];
    for (fields, payload, expected) in cases {
        assert_eq!(decoded(fields, payload), *expected, "{fields:?}");
        assert_eq!(decoded(fields, &[payload, &b"\x01\0"[..]].concat()), format!("{expected} +2"));
    }
}

#[test]
fn out_types_have_numbers_of_their_own() {
    let cases: &[(&[u8], &[u8], &str)] = &[
        (b"f\0\x86\x02", b"A\0", "f=A"),
        (b"f\0\x84\x02", b"A", "f=A"),
        (b"f\0\x84\x03", b"\x02", "f=true"),
        (b"f\0\x87\x04", b"\xff\xff\xff\xff", "f=0xffffffff"),
        (b"f\0\x88\x05", b"\x10\0\0\0", "f=16"),
        (b"f\0\x88\x06", b"\x10\0\0\0", "f=16"),
        (b"f\0\x86\x07", b"\x01\xbb", "f=443"),
        (b"f\0\x88\x08", b"\x7f\0\0\x01", "f=127.0.0.1"),
        (b"f\0\x8e\x09", b"\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01", "f=::1"),
        (
            b"f\0\x8e\x0a",
            b"\x10\0\x02\0\x01\xbb\x7f\0\0\x01\0\0\0\0\0\0\0\0",
            "f=address of 16",
        ),
        (b"f\0\x88\x0d", b"\x05\0\0\0", "f=5"),
        (b"f\0\x88\x0e", b"\x05\0\0\xc0", "f=0xc0000005"),
        (b"f\0\x87\x0f", b"\x05\0\x07\x80", "f=0x80070005"),
        (b"f\0\x8a\x10", b"\x05\0\0\0\0\0\0\0", "f=time 5"),
        (b"f\0\x88\x11", b"\xff\xff\xff\xff", "f=-1"),
        (b"f\0\x87\x12", b"\xff\xff\xff\xff", "f=4294967295"),
        (b"f\0\x8a\x25", b"\xff\0\0\0\0\0\0\0", "f=0xff"),
        (b"f\0\x8e\x22", b"\x02\0{}", "f={}"),
        // One that does not fit the in-type changes nothing.
        (b"f\0\x84\x07", b"\x07", "f=7"),
        (b"f\0\x84\x7f", b"\x07", "f=7"),
    ];
    for (fields, payload, expected) in cases {
        assert_eq!(decoded(fields, payload), *expected, "{fields:?}");
    }
}

#[test]
fn arrays_and_structures() {
    assert_eq!(decoded(b"f\0\x24\x03\0g\0\x04", b"\x01\x02\x03\x04"), "f=[1;2;3;] g=4");
    assert_eq!(decoded(b"f\0\x46", b"\x02\0\x01\0\x02\0"), "f=[1;2;]");
    assert_eq!(decoded(b"f\0\x41", b"\x02\0a\0\0\0b\0\0\0"), "f=[a;b;]");
    assert_eq!(decoded(b"f\0\xc6\x02", b"\x02\0a\0b\0"), "f=ab");
    assert_eq!(decoded(b"f\0\xc4\x02", b"\x02\0ab"), "f=ab");
    // A nested structure counts as one field.
    let nested = b"s\0\x98\x02a\0\x04t\0\x98\x02b\0\x04c\0\x04d\0\x04";
    assert_eq!(decoded(nested, b"\x01\x02\x03\x04"), "s={a=1 t={b=2 c=3}} d=4");
    let array = b"s\0\xd8\x02a\0\x04t\0\x02z\0\x04";
    assert_eq!(decoded(array, b"\x02\0\x01x\0\x02yy\0\x09"), "s=[{a=1 t=x};{a=2 t=yy};] z=9");
    assert_eq!(decoded(b"s\0\xb8\x01\x02\0a\0\x04", b"\x01\x02"), "s=[{a=1};{a=2};]");
    assert_eq!(decoded(array, b"\x02\0\x01x\0\x02"), " !");
}

#[test]
fn tags() {
    let tags = |tags: &[u8]| parse(&[&[0xff, 0xff][..], tags, b"E\0"].concat());
    assert_eq!(tags(&[0x00]).tags, 0);
    assert_eq!(tags(&[0x81, 0x00]).tags, 1 << 21);
    assert_eq!(tags(&[0xff, 0xff, 0xff, 0x7f]).tags, 0x0FFF_FFFF);
    assert_eq!(tags(&[0x80, 0x80, 0x80, 0x81, 0x7f]).tags, 1);
    assert_eq!(tags(&[0x80, 0x80, 0x80, 0x81, 0x7f]).event_name.as_deref(), Some("E"));
    // Tags of a field stand between its types and its count.
    assert_eq!(decoded(b"f\0\xa4\x80\x85\x01\x02\0g\0\x04", b"\x01\x02\x03"), "f=[1;2;] g=3");
}

#[test]
fn what_cannot_be_read_is_told() {
    let problem = |fields: &[u8]| {
        (
            parse(&metadata(fields)).template.fields().len(),
            parse(&metadata(fields)).problem.unwrap(),
        )
    };
    assert_eq!(problem(b"a\0\x04f\0\x1f"), (1, SchemaProblem::InType { at: 8, found: 0x1f }));
    assert_eq!(
        problem(b"a\0\x04f\0\x60\x02\0xxg\0\x04"),
        (2, SchemaProblem::CustomType { field: "f".to_owned() })
    );
    assert_eq!(problem(b"a\0\x04f\0"), (1, SchemaProblem::MetadataEnds { at: 8 }));
    assert_eq!(problem(b"s\0\x98\x02a\0\x04"), (1, SchemaProblem::MetadataEnds { at: 12 }));
    assert_eq!(
        problem(b"s\0\x58"),
        (0, SchemaProblem::EmptyElements { field: "s".to_owned() })
    );
    let deep = b"s\0\x98\x01".repeat(40);
    assert_eq!(problem(&deep), (1, SchemaProblem::TooDeep { limit: MAX_DEPTH }));
    for length in 0..5 {
        let schema = parse(&metadata(b"")[..length]);
        assert_eq!(
            (schema.problem, schema.template.fields().len()),
            (Some(SchemaProblem::MetadataEnds { at: 0 }), 0),
            "{length}"
        );
    }
}

/// A generator of the same numbers on each run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % below
    }
}

#[derive(Default)]
struct Count(usize);

impl FieldVisitor for Count {
    fn field(&mut self, _: &FieldInfo<'_>, value: Value<'_>) {
        self.value(value);
    }
}

impl Count {
    fn value(&mut self, value: Value<'_>) {
        self.0 += 1;
        match value {
            Value::Record(record) => record.visit(self),
            Value::List(list) => list.for_each(&mut |element| self.value(element)),
            _ => {}
        }
    }
}

/// Number of fields with those of structures.
fn size(template: &Template) -> usize {
    let inner = |field: &TemplateField| match &field.ty {
        FieldType::Struct(template) => size(template),
        _ => 0,
    };
    template.fields().iter().map(|field| 1 + inner(field)).sum()
}

#[test]
fn random_metadata_and_payloads_stay_bounded() {
    // Sound fields, parts of fields, and structures of up to three fields.
    const PARTS: &[&[u8]] = &[
        b"f\0\x04",
        b"f\0\x06",
        b"f\0\x41",
        b"f\0\xc6\x02",
        b"f\0\x16",
        b"\0\x02",
        b"f\0\x24\x03\0",
        b"f\0\x13",
        b"s\0\x98\x01",
        b"s\0\xd8\x02",
        b"s\0\xd8\x01",
        b"s\0\xb8\x03\x02\0",
        b"s\0\x58",
        b"f\0\x24\0\0",
        b"f\0\x84\x80\x81\x01",
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut decoded = 0;
    for round in 0..40_000 {
        let parts = random.next(30);
        let mut bytes: Vec<u8> = (0..parts).flat_map(|_| PARTS[random.next(PARTS.len())]).copied().collect();
        for _ in 0..random.next(3).min(bytes.len()) {
            let at = random.next(bytes.len());
            bytes[at] = u8::try_from(random.next(256)).unwrap();
        }
        if round % 8 != 0 {
            bytes = metadata(&bytes);
        }
        let schema = parse(&bytes);
        assert!(2 * size(&schema.template) <= bytes.len(), "{bytes:?}");
        let payload: Vec<u8> = (0..random.next(200))
            .map(|_| u8::try_from(random.next(4) * random.next(80)).unwrap())
            .collect();
        let record = TemplateRecord::new(&schema.template, &payload, Context::default());
        let mut count = Count::default();
        let outcome = record.decode(&mut count);
        assert!(outcome.consumed <= payload.len());
        assert_eq!(outcome, record.measure());
        // At worst each byte is an element at each depth, and each field is there without bytes.
        let most = (MAX_DEPTH + 2) * (payload.len() + 1) * (size(&schema.template) + 1);
        assert!(count.0 <= most, "{} values of {} bytes: {bytes:?}", count.0, payload.len());
        decoded += usize::from(count.0 > 3);
    }
    assert!(decoded > 5000, "{decoded}");
}
