//! Reflected values as JSON, streamed: no tree is built.

use std::net::{Ipv4Addr, Ipv6Addr};

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::text::{push_ansi, push_utf16, push_utf16_bytes, sid_text, socket_address, systemtime_text};
use winetl::{Filetime, Guid};

use super::hex::{HexBytes, HexNumber};
use super::json::Ascii;

/// A record as an object of its visible fields.
pub(crate) struct JsonRecord<'a>(pub(crate) &'a dyn Record);

impl Serialize for JsonRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries = Entries {
            map: serializer.serialize_map(None)?,
            problem: None,
        };
        self.0.visit(&mut entries);
        match entries.problem {
            None => entries.map.end(),
            Some(problem) => Err(problem),
        }
    }
}

struct Entries<M: SerializeMap> {
    map: M,
    problem: Option<M::Error>,
}

impl<M: SerializeMap> FieldVisitor for Entries<M> {
    #[inline]
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if info.hidden || self.problem.is_some() {
            return;
        }
        self.problem = self.map.serialize_entry(info.name, &JsonValue { value, hex: info.hex }).err();
    }
}

/// A record with one visible field as that field's value, any other as an object.
pub(crate) struct JsonBareRecord<'a>(pub(crate) &'a dyn Record);

impl Serialize for JsonBareRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut visible = self.0.info().fields.iter().filter(|field| !field.hidden);
        if visible.next().is_none() || visible.next().is_some() {
            return JsonRecord(self.0).serialize(serializer);
        }
        let mut only = Only {
            serializer: Some(serializer),
            result: None,
        };
        self.0.visit(&mut only);
        match (only.result, only.serializer) {
            (Some(result), _) => result,
            (None, Some(serializer)) => serializer.serialize_none(),
            (None, None) => Err(serde::ser::Error::custom("a value that vanished")),
        }
    }
}

struct Only<S: Serializer> {
    serializer: Option<S>,
    result: Option<Result<S::Ok, S::Error>>,
}

impl<S: Serializer> FieldVisitor for Only<S> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden
            && let Some(serializer) = self.serializer.take()
        {
            self.result = Some(JsonValue { value, hex: info.hex }.serialize(serializer));
        }
    }
}

/// A value; numbers as `"0x..."` if `hex`.
pub(crate) struct JsonValue<'a> {
    pub(crate) value: Value<'a>,
    pub(crate) hex: bool,
}

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Absent => serializer.serialize_none(),
            Value::Unsigned(number) if self.hex => HexNumber(number).serialize(serializer),
            Value::Unsigned(number) => serializer.serialize_u64(number),
            Value::Signed(number) => serializer.serialize_i64(number),
            Value::Guid(guid) => JsonGuid(guid).serialize(serializer),
            Value::Filetime(time) => JsonTime(time).serialize(serializer),
            Value::Enum(_, Some(entry)) => serializer.serialize_str(entry.name),
            Value::Enum(number, None) => serializer.serialize_u64(number),
            Value::Flags(bits, _) => HexNumber(bits).serialize(serializer),
            Value::Bytes(bytes) => HexBytes(bytes).serialize(serializer),
            Value::Utf16(units) => {
                let mut text = String::new();
                push_utf16(units, &mut text);
                serializer.serialize_str(&text)
            }
            Value::Ansi(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => serializer.serialize_str(text),
                Err(_) => {
                    let mut text = String::new();
                    push_ansi(bytes, &mut text);
                    serializer.serialize_str(&text)
                }
            },
            Value::Utf16Bytes(bytes) => {
                let mut text = String::new();
                push_utf16_bytes(bytes, &mut text);
                serializer.serialize_str(&text)
            }
            Value::Sid(sid) => serializer.collect_str(sid),
            Value::SidBytes(bytes) => serializer.serialize_str(&sid_text(bytes)),
            Value::Address(number) => HexNumber(number).serialize(serializer),
            Value::Float(number) => serializer.serialize_f64(number),
            Value::Bool(truth) => serializer.serialize_bool(truth),
            Value::Systemtime(bytes) => serializer.serialize_str(&systemtime_text(bytes)),
            Value::Ipv4(bytes) => serializer.collect_str(&Ipv4Addr::from(bytes)),
            Value::Ipv6(bytes) => serializer.collect_str(&Ipv6Addr::from(bytes)),
            Value::SocketAddress(bytes) => match socket_address(bytes) {
                Some(address) => serializer.collect_str(&address),
                None => HexBytes(bytes).serialize(serializer),
            },
            Value::Mapped(number, map) if map.is_bitmap => HexNumber(number).serialize(serializer),
            Value::Mapped(number, map) => match map.name_of(number) {
                Some(name) => serializer.serialize_str(name),
                None => serializer.serialize_u64(number),
            },
            Value::Record(record) => JsonRecord(record).serialize(serializer),
            Value::List(list) => {
                let mut elements = serializer.serialize_seq(Some(list.len()))?;
                let mut problem = None;
                list.for_each(&mut |value| {
                    if problem.is_none() {
                        problem = elements.serialize_element(&JsonValue { value, hex: self.hex }).err();
                    }
                });
                if let Some(problem) = problem {
                    return Err(problem);
                }
                elements.end()
            }
        }
    }
}

/// A GUID as text.
pub(crate) struct JsonGuid(pub(crate) Guid);

impl Serialize for JsonGuid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Ascii(self.0.to_ascii()).serialize(serializer)
    }
}

/// A time as text in UTC; as its number of 100 ns since 1601 where there is no such date.
pub(crate) struct JsonTime(pub(crate) Filetime);

impl Serialize for JsonTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_ascii() {
            Some(text) => Ascii(text).serialize(serializer),
            None => serializer.serialize_i64(self.0.0),
        }
    }
}

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
