//! Reflected values as JSON, streamed: no tree is built.

use std::net::{Ipv4Addr, Ipv6Addr};

use serde::{Serialize, Serializer};
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::text::{push_ansi, push_utf16, push_utf16_bytes, sid_text, socket_address, systemtime_text};
use winetl::{Filetime, Guid};

use super::hex::{HexBytes, HexNumber};
use super::json::{self, Json, Object, is_plain, push_ascii, push_list, push_text};

/// A record as an object of its visible fields.
pub(crate) struct JsonRecord<'a>(pub(crate) &'a dyn Record);

impl Json for JsonRecord<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        let mut entries = Entries(Object::begin(out));
        self.0.visit(&mut entries);
        entries.0.end();
    }
}

struct Entries<'o>(Object<'o>);

impl FieldVisitor for Entries<'_> {
    #[inline]
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden {
            self.0.entry(info.name, &JsonValue { value, hex: info.hex });
        }
    }
}

/// A record with one visible field as that field's value, any other as an object.
pub(crate) struct JsonBareRecord<'a>(pub(crate) &'a dyn Record);

impl Json for JsonBareRecord<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        let mut visible = self.0.info().fields.iter().filter(|field| !field.hidden);
        if visible.next().is_none() || visible.next().is_some() {
            return JsonRecord(self.0).push(out);
        }
        let start = out.len();
        self.0.visit(&mut Only { out, start });
        if out.len() == start {
            None::<&str>.push(out);
        }
    }
}

/// Pushes the first visible field.
struct Only<'o> {
    out: &'o mut Vec<u8>,
    start: usize,
}

impl FieldVisitor for Only<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden && self.out.len() == self.start {
            JsonValue { value, hex: info.hex }.push(self.out);
        }
    }
}

/// A value; numbers as `"0x..."` if `hex`.
pub(crate) struct JsonValue<'a> {
    pub(crate) value: Value<'a>,
    pub(crate) hex: bool,
}

impl Json for JsonValue<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        match self.value {
            Value::Absent => None::<&str>.push(out),
            Value::Unsigned(number) if self.hex => HexNumber(number).push(out),
            Value::Unsigned(number) => number.push(out),
            Value::Signed(number) => number.push(out),
            Value::Guid(guid) => JsonGuid(guid).push(out),
            Value::Filetime(time) => JsonTime(time).push(out),
            Value::Enum(_, Some(entry)) => push_text(entry.name, out),
            Value::Enum(number, None) => number.push(out),
            Value::Flags(bits, _) => HexNumber(bits).push(out),
            Value::Bytes(bytes) => HexBytes(bytes).push(out),
            Value::Utf16(units) => {
                let mut text = String::new();
                push_utf16(units, &mut text);
                push_text(&text, out);
            }
            Value::Ansi(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => push_text(text, out),
                Err(_) => {
                    let mut text = String::new();
                    push_ansi(bytes, &mut text);
                    push_text(&text, out);
                }
            },
            Value::Utf16Bytes(bytes) => push_utf16_text(bytes, out),
            Value::Sid(sid) => push_text(&sid.to_string(), out),
            Value::SidBytes(bytes) => push_text(&sid_text(bytes), out),
            Value::Address(number) => HexNumber(number).push(out),
            Value::Float(number) => number.push(out),
            Value::Bool(truth) => truth.push(out),
            Value::Systemtime(bytes) => push_text(&systemtime_text(bytes), out),
            Value::Ipv4(bytes) => push_text(&Ipv4Addr::from(bytes).to_string(), out),
            Value::Ipv6(bytes) => push_text(&Ipv6Addr::from(bytes).to_string(), out),
            Value::SocketAddress(bytes) => match socket_address(bytes) {
                Some(address) => push_text(&address.to_string(), out),
                None => HexBytes(bytes).push(out),
            },
            Value::Mapped(number, map) if map.is_bitmap => HexNumber(number).push(out),
            Value::Mapped(number, map) => match map.name_of(number) {
                Some(name) => push_text(name, out),
                None => number.push(out),
            },
            Value::Record(record) => JsonRecord(record).push(out),
            Value::List(list) => push_list(out, |element| {
                list.for_each(&mut |value| element(&JsonValue { value, hex: self.hex }));
            }),
        }
    }
}

/// Pushes little-endian UTF-16 text. Nearly all of it is ASCII without anything to escape, which takes no second copy.
fn push_utf16_text(bytes: &[u8], out: &mut Vec<u8>) {
    let (units, _) = bytes.as_chunks::<2>();
    let start = out.len();
    out.push(b'"');
    let mut beyond = 0;
    out.extend(units.iter().map(|[low, high]| {
        beyond |= (low & 0x80) | high;
        *low
    }));
    if beyond == 0 && out.get(start + 1..).is_some_and(is_plain) {
        out.push(b'"');
        return;
    }
    out.truncate(start);
    let mut text = String::new();
    push_utf16_bytes(bytes, &mut text);
    push_text(&text, out);
}

/// A GUID as text.
pub(crate) struct JsonGuid(pub(crate) Guid);

impl Json for JsonGuid {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_ascii(&self.0.to_ascii(), out);
    }
}

/// A time as text in UTC; as its number of 100 ns since 1601 where there is no such date.
pub(crate) struct JsonTime(pub(crate) Filetime);

impl Json for JsonTime {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        match self.0.to_ascii() {
            Some(text) => push_ascii(&text, out),
            None => self.0.0.push(out),
        }
    }
}

/// What is also a part of rows and reports.
macro_rules! serialized {
    ($($ty:ty),*) => {$(
        impl Serialize for $ty {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                json::serialize(self, serializer)
            }
        }
    )*};
}

serialized!(JsonRecord<'_>, JsonGuid, JsonTime, HexNumber);

#[cfg(test)]
mod tests {
    use winetl::record::{List, RecordInfo};
    use winetl::table::{NamedValue, TableInfo};
    use winetl::text::Sid;

    use super::super::json::text;
    use super::*;

    fn json(value: Value<'_>, hex: bool) -> String {
        text(&JsonValue { value, hex })
    }

    #[test]
    fn scalars() {
        static NAMED: NamedValue = NamedValue {
            value: 4,
            name: "FOUR",
            label: "",
            doc: "",
        };
        static TABLE: TableInfo = TableInfo {
            name: "T",
            doc: "",
            entries: &[],
            groups: &[],
        };
        assert_eq!(json(Value::Absent, false), "null");
        assert_eq!(json(Value::Unsigned(u64::MAX), false), "18446744073709551615");
        assert_eq!(json(Value::Unsigned(31), true), "\"0x1f\"");
        assert_eq!(json(Value::Signed(-1), false), "-1");
        assert_eq!(json(Value::Enum(4, Some(&NAMED)), false), "\"FOUR\"");
        assert_eq!(json(Value::Enum(5, None), false), "5");
        assert_eq!(json(Value::Flags(0xC0, &TABLE), false), "\"0xc0\"");
        assert_eq!(json(Value::Bytes(&[1, 0xAB]), false), "\"01ab\"");
        assert_eq!(
            json(Value::Guid(Guid::ZERO), false),
            "\"00000000-0000-0000-0000-000000000000\""
        );
    }

    #[test]
    fn times() {
        assert_eq!(
            json(Value::Filetime(Filetime::ZERO), false),
            "\"1601-01-01T00:00:00.0000000Z\""
        );
        assert_eq!(json(Value::Filetime(Filetime(-1)), false), "-1");
    }

    #[test]
    fn text_is_escaped_and_never_fails() {
        assert_eq!(json(Value::Utf16(&[0x41, 0x22, 0x0A]), false), "\"A\\\"\\n\"");
        assert_eq!(json(Value::Utf16(&[0xD800]), false), "\"\u{FFFD}\"");
        for text in [
            "",
            "A",
            "abcdefgh\\i",
            "\u{80}",
            "\u{20AC}\"",
            "\u{1F600}",
            "a long text without anything special",
        ] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(json(Value::Utf16Bytes(&bytes), false), serde_json::to_string(text).unwrap());
        }
        assert_eq!(json(Value::Utf16Bytes(&[0, 0xD8, 0x41]), false), "\"\u{FFFD}\"");
        assert_eq!(json(Value::Ansi(b"caf\xE9"), false), "\"caf\u{E9}\"");
        let sid = Sid {
            revision: 1,
            authority: [0, 0, 0, 0, 0, 5],
            sub_authorities: vec![18],
        };
        assert_eq!(json(Value::Sid(&sid), false), "\"S-1-5-18\"");
    }

    #[test]
    fn lists_pass_hex_on() {
        let list: &dyn List = &vec![1u64, 16];
        assert_eq!(json(Value::List(list), true), "[\"0x1\",\"0x10\"]");
    }

    struct Test(&'static RecordInfo);

    impl Record for Test {
        fn info(&self) -> &'static RecordInfo {
            self.0
        }

        fn visit(&self, visitor: &mut dyn FieldVisitor) {
            for (index, field) in self.0.fields.iter().enumerate() {
                visitor.field(field, Value::Unsigned(index as u64));
            }
        }
    }

    const fn field(name: &'static str, hidden: bool, hex: bool) -> FieldInfo<'static> {
        FieldInfo {
            name,
            ty: "u8",
            offset: None,
            size: None,
            unit: "",
            role: "",
            doc: "",
            hidden,
            hex,
            computed: false,
        }
    }

    const fn info(fields: &'static [FieldInfo<'static>]) -> RecordInfo {
        RecordInfo {
            name: "R",
            doc: "",
            min_size: [0, 0],
            varies: false,
            sources: &[],
            fields,
        }
    }

    #[test]
    fn one_visible_field_is_bare_and_hidden_ones_are_left_out() {
        static NONE: RecordInfo = info(&[]);
        static ONE: RecordInfo = info(&[field("Pad", true, false), field("A", false, true)]);
        static TWO: RecordInfo = info(&[field("A", false, false), field("Pad", true, false), field("B", false, true)]);
        let bare = |info| text(&JsonBareRecord(&Test(info)));
        assert_eq!(bare(&NONE), "{}");
        assert_eq!(bare(&ONE), "\"0x1\"");
        assert_eq!(bare(&TWO), "{\"A\":0,\"B\":\"0x2\"}");
        assert_eq!(text(&JsonRecord(&Test(&ONE))), "{\"A\":\"0x1\"}");
    }
}
