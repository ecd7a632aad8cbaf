//! A block of lines for each event: everything there is of it, a value in each line.

use std::io::{self, Write};

use winetl::record::{FieldInfo, FieldVisitor, Record, Value};

use super::envelope::{KEYS, Key, KeyValue, Presence};
use super::hex;
use super::json::Json;
use super::kind::Kind;
use super::paint::{Paint, Role};
use super::plain::{Plain, Safe};
use super::resolved::PlainResolution;
use super::sink::{EventSink, Shown};
use super::text::file_heading;

/// Writes events as blocks of lines.
#[derive(Debug)]
pub(crate) struct TextBlocks {
    block: Vec<u8>,
    paint: Paint,
}

impl TextBlocks {
    pub(crate) fn new(paint: Paint) -> Self {
        Self {
            block: Vec::new(),
            paint,
        }
    }
}

impl EventSink for TextBlocks {
    fn file(&mut self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        file_heading(name, self.paint, out)
    }

    fn separator(&self) -> &'static [u8] {
        b"\n"
    }

    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.block.clear();
        let mut lines = Lines {
            block: &mut self.block,
            paint: self.paint,
            path: String::new(),
            result: Ok(()),
        };
        lines.event(shown);
        lines.result?;
        out.write_all(&self.block)
    }
}

struct Lines<'b> {
    block: &'b mut Vec<u8>,
    paint: Paint,
    /// Names of the structures that are around.
    path: String,
    result: io::Result<()>,
}

impl Lines<'_> {
    fn event(&mut self, shown: &Shown<'_>) {
        let kind = Kind::of(shown.event, shown.payload);
        for info in KEYS.iter().filter(|info| info.presence.holds(shown, true)) {
            match info.key {
                // The heading of the file says it.
                Key::File => {}
                Key::Header => self.below("header", shown.event.header().record()),
                Key::Fields => {
                    if let Some(record) = &shown.payload.record {
                        self.below("fields", record.record());
                    }
                }
                Key::Extended => self.items(shown),
                Key::Payload => {
                    if !shown.payload.rest.is_empty() {
                        self.bytes("payload", shown.payload.rest);
                    }
                }
                Key::Resolved => {
                    if let Some(resolved) = shown.resolved.filter(|resolved| !resolved.is_empty()) {
                        self.line(
                            "resolved",
                            format_args!("{}", PlainResolution(resolved).to_string().trim_start()),
                        );
                    }
                }
                key => {
                    let mut json = Vec::new();
                    let value = KeyValue {
                        key,
                        shown,
                        kind: Some(&kind),
                    };
                    value.push(&mut json);
                    if json != b"null" || info.presence == Presence::ProcessNames {
                        let text = super::cell::plain(&json);
                        let text = if json == b"null" { "-".into() } else { text };
                        self.line(info.name, format_args!("{}", Safe(&text)));
                    }
                }
            }
        }
    }

    fn items(&mut self, shown: &Shown<'_>) {
        for (index, item) in shown.event.extended_items().enumerate() {
            let path = format!("extended[{index}]");
            match item.type_name() {
                Some(name) => self.line(&format!("{path}.type"), format_args!("{name}")),
                None => self.line(&format!("{path}.type"), format_args!("{}", item.item_type())),
            }
            match item.decode() {
                Some(Ok(data)) => self.below(&path, data.record()),
                Some(Err(_)) | None => self.bytes(&path, item.data),
            }
        }
    }

    /// The fields of a record, with `name` before their names.
    fn below(&mut self, name: &str, record: &dyn Record) {
        let length = self.path.len();
        self.path.push_str(name);
        self.path.push('.');
        record.visit(self);
        self.path.truncate(length);
    }

    fn value(&mut self, name: &str, value: Value<'_>, hex: bool) {
        match value {
            Value::Record(record) => self.below(name, record),
            Value::List(list) => {
                let mut index = 0;
                list.for_each(&mut |element| {
                    self.value(&format!("{name}[{index}]"), element, hex);
                    index += 1;
                });
            }
            Value::Bytes(bytes) => self.bytes(name, bytes),
            value => self.line(name, format_args!("{}", Plain { value, hex })),
        }
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) {
        let mut digits = Vec::new();
        hex::push_bytes(bytes, &mut digits);
        self.line(name, format_args!("{}", String::from_utf8_lossy(&digits)));
    }

    fn line(&mut self, name: &str, value: std::fmt::Arguments<'_>) {
        if self.result.is_ok() {
            let (on, off) = (self.paint.on(Role::Faint), self.paint.off(Role::Faint));
            self.result = writeln!(self.block, "{on}{}{} ={off} {value}", Safe(&self.path), Safe(name));
        }
    }
}

impl FieldVisitor for Lines<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden && !matches!(value, Value::Absent) {
            self.value(info.name, value, info.hex);
        }
    }
}
