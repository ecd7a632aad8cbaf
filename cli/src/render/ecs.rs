//! JSON Lines in the words of the Elastic Common Schema, as Filebeat's ETW input has them.

use std::borrow::Cow;
use std::io::{self, Write};

use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::{EventRoles, Guid};

use super::cell::plain;
use super::envelope::{Key, KeyValue};
use super::hex::{HexBytes, HexNumber, number, push_bytes};
use super::items::{Items, Known};
use super::json::{Ascii, Json, Object, entry, push_ascii, push_list, push_text};
use super::kind::Kind;
use super::message::message;
use super::names::EventNames;
use super::real_id;
use super::sink::{EventSink, Shown};
use super::tracerpt::EventTexts;
use super::value::{JsonGuid, JsonValue};

/// The version of the schema that the keys are from, as the Beats say it.
const ECS_VERSION: &str = "8.0.0";

/// Writes events as lines.
#[derive(Debug, Default)]
pub(crate) struct EcsLines {
    line: Vec<u8>,
}

impl EventSink for EcsLines {
    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.line.clear();
        push(shown, &mut self.line);
        self.line.push(b'\n');
        out.write_all(&self.line)
    }
}

/// An object that a function fills.
struct Nested<F>(F);

impl<F: Fn(&mut Object<'_>)> Json for Nested<F> {
    fn push(&self, out: &mut Vec<u8>) {
        let mut object = Object::begin(out);
        (self.0)(&mut object);
        object.end();
    }
}

fn nested<F: Fn(&mut Object<'_>)>(fill: F) -> Nested<F> {
    Nested(fill)
}

/// Pushes an entry if there is a value: what an event does not have is left out.
macro_rules! some {
    ($object:expr, $key:literal, $value:expr) => {
        if let Some(value) = $value {
            entry!($object, $key, &value);
        }
    };
}

fn push(shown: &Shown<'_>, out: &mut Vec<u8>) {
    let event = shown.event;
    let header = event.header();
    let known = Known::of(event);
    let kind = Kind::of(event, shown.payload);
    let names = EventNames::of(event, shown.payload.schema);
    let texts = EventTexts::of(shown);
    let identity = &kind.identity;
    let (pid, tid) = (real_id(header.process_id()), real_id(header.thread_id()));
    let level = header.level().filter(|level| *level != 0);
    // The words of the schema's table: those of a provider may be in any language.
    let level_word = header.level_entry().filter(|level| level.value != 0);
    let process = shown.process.flatten();

    let mut line = Object::begin(out);
    some!(line, "@timestamp", event.time().and_then(|time| time.to_ascii()).map(Ascii));
    entry!(line, "ecs", &nested(|ecs| entry!(ecs, "version", ECS_VERSION)));
    entry!(
        line,
        "event",
        &nested(|object| {
            entry!(object, "kind", "event");
            some!(object, "provider", identity.provider.as_deref());
            some!(object, "code", identity.id.map(Quoted));
            some!(object, "action", identity.name.as_deref());
            some!(object, "severity", level);
        })
    );
    some!(line, "message", message(shown).map(Cow::<str>::Owned));
    if level_word.is_some() || shown.file.is_some() {
        entry!(
            line,
            "log",
            &nested(|log| {
                some!(
                    log,
                    "level",
                    level_word.map(|word| Cow::<str>::Owned(word.label_or_name().to_lowercase()))
                );
                if let Some(file) = shown.file {
                    entry!(log, "file", &nested(|object| entry!(object, "path", file)));
                }
            })
        );
    }
    if pid.is_some() || tid.is_some() {
        entry!(
            line,
            "process",
            &nested(|object| {
                some!(object, "pid", pid);
                some!(object, "name", process);
                if let Some(tid) = tid {
                    entry!(object, "thread", &nested(|thread| entry!(thread, "id", &tid)));
                }
            })
        );
    }
    if let Some(user) = &known.user {
        entry!(line, "user", &nested(|object| entry!(object, "id", &user.as_str())));
    }
    entry!(
        line,
        "winlog",
        &nested(|winlog| {
            some!(winlog, "provider_name", identity.provider.as_deref());
            some!(winlog, "provider_guid", identity.provider_id.map(UpperGuid));
            let activity = header.activity_id().filter(|activity| !activity.is_zero());
            some!(winlog, "activity_id", activity.map(UpperGuid));
            some!(winlog, "related_activity_id", known.related_activity.map(UpperGuid));
            some!(
                winlog,
                "channel",
                shown.payload.schema.and_then(|schema| schema.channel_name.as_deref())
            );
            if let Some(names) = names.as_ref().filter(|names| !names.keywords.is_empty()) {
                entry!(winlog, "keywords", &Words(names.keywords));
            }
            some!(winlog, "keywords_raw", header.keyword().map(HexNumber));
            some!(winlog, "level", names.as_ref().and_then(|names| names.level));
            some!(winlog, "level_raw", header.level());
            some!(winlog, "opcode", texts.opcode);
            some!(winlog, "opcode_raw", header.opcode());
            some!(winlog, "task", names.as_ref().and_then(|names| names.task));
            some!(winlog, "task_raw", header.task());
            some!(winlog, "process_id", pid.map(Quoted));
            some!(winlog, "thread_id", tid.map(Quoted));
            some!(winlog, "version", header.event_version());
            if let Some(record) = &shown.payload.record {
                entry!(winlog, "event_data", &Texts(record.record()));
            }
        })
    );
    entry!(
        line,
        "winetl",
        &nested(|own| {
            let value = |key| KeyValue {
                key,
                shown,
                kind: Some(&kind),
            };
            entry!(own, "n", &value(Key::N));
            entry!(own, "file_offset", &value(Key::FileOffset));
            entry!(own, "buffer", &value(Key::Buffer));
            some!(own, "raw_time", event.raw_time());
            some!(own, "cpu", event.processor());
            entry!(own, "header_type", &value(Key::HeaderType));
            some!(own, "class_id", identity.class_id.map(JsonGuid));
            if event.extended_items().next().is_some() {
                entry!(own, "extended", &Items(event));
            }
            if shown.payload.undecoded.is_some() {
                entry!(own, "undecoded", &value(Key::Undecoded));
            } else {
                entry!(own, "decoded_by", &value(Key::DecodedBy));
            }
            if !shown.payload.rest.is_empty() {
                entry!(own, "payload", &HexBytes(shown.payload.rest));
            }
            if shown.resolved.is_some_and(|resolved| !resolved.is_empty()) {
                entry!(own, "resolved", &value(Key::Resolved));
            }
        })
    );
    line.end();
}

/// A number as text.
struct Quoted(u64);

impl Json for Quoted {
    fn push(&self, out: &mut Vec<u8>) {
        push_ascii(itoa::Buffer::new().format(self.0).as_bytes(), out);
    }
}

/// A GUID in upper case and braces.
struct UpperGuid(Guid);

impl Json for UpperGuid {
    fn push(&self, out: &mut Vec<u8>) {
        let mut text = self.0.to_ascii();
        text.make_ascii_uppercase();
        out.extend_from_slice(b"\"{");
        out.extend_from_slice(&text);
        out.extend_from_slice(b"}\"");
    }
}

struct Words<'a>(&'a [std::sync::Arc<str>]);

impl Json for Words<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        push_list(out, |push| self.0.iter().for_each(|word| push(&&**word)));
    }
}

/// A record whose values are all text, so that a field of one name has one type in an index whatever event it is of.
struct Texts<'a>(&'a dyn Record);

impl Json for Texts<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        let mut entries = Entries(Object::begin(out));
        self.0.visit(&mut entries);
        entries.0.end();
    }
}

struct Entries<'o>(Object<'o>);

impl FieldVisitor for Entries<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden && !matches!(value, Value::Absent) {
            self.0.entry(info.name, &TextValue { value, hex: info.hex });
        }
    }
}

struct TextValue<'a> {
    value: Value<'a>,
    hex: bool,
}

impl Json for TextValue<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        match self.value {
            Value::Record(record) => Texts(record).push(out),
            Value::List(list) => push_list(out, |element| {
                list.for_each(&mut |value| element(&TextValue { value, hex: self.hex }));
            }),
            Value::Bytes(bytes) => {
                out.extend_from_slice(b"\"0x");
                push_bytes(bytes, out);
                out.push(b'"');
            }
            Value::Guid(guid) => UpperGuid(guid).push(out),
            Value::Unsigned(value) if self.hex => push_ascii(number(value, &mut [0; 18]), out),
            Value::Unsigned(value) => Quoted(value).push(out),
            value => {
                let start = out.len();
                JsonValue { value, hex: self.hex }.push(out);
                let pushed = out.get(start..).unwrap_or_default();
                if pushed.first() != Some(&b'"') {
                    let text = plain(pushed).into_owned();
                    out.truncate(start);
                    push_text(&text, out);
                }
            }
        }
    }
}
