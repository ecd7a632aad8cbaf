//! The columns of tracerpt's `dumpfile.csv`.

use std::fmt::Write as _;
use std::io::{self, Write};

use winetl::Guid;
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};

use super::items::Known;
use super::sink::{EventSink, Shown};
use super::tracerpt::{Braced, EventTexts, Numbers, UpperHex};
use super::xml_text::text;

/// The columns. What follows the last are the fields, as many as the event has.
pub(crate) const COLUMNS: [&str; 20] = [
    "Event Name",
    "Type",
    "Event ID",
    "Version",
    "Channel",
    "Level",
    "Opcode",
    "Task",
    "Keyword",
    "PID",
    "TID",
    "Processor Number",
    "Instance ID",
    "Parent Instance ID",
    "Activity ID",
    "Related Activity ID",
    "Clock-Time",
    "Kernel(ms)",
    "User(ms)",
    "User Data",
];

/// Before them, if more than one file was named.
const FILE: &str = "File";

/// Between two columns.
const SEPARATOR: &str = ", ";

/// Writes events as rows.
#[derive(Debug)]
pub(crate) struct TracerptRows {
    several: bool,
    row: Row,
}

#[derive(Debug, Default)]
struct Row {
    text: String,
    /// Whether a cell is there already; it may be an empty one.
    begun: bool,
    json: Vec<u8>,
}

impl TracerptRows {
    /// `several` says whether there is a column for the file.
    pub(crate) fn new(several: bool) -> Self {
        Self {
            several,
            row: Row::default(),
        }
    }
}

impl EventSink for TracerptRows {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let columns: Vec<&str> = self.several.then_some(FILE).into_iter().chain(COLUMNS).collect();
        writeln!(out, "{}", columns.join(SEPARATOR))
    }

    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.row.text.clear();
        self.row.begun = false;
        self.row.event(shown, self.several);
        self.row.text.push('\n');
        out.write_all(self.row.text.as_bytes())
    }
}

impl Row {
    fn event(&mut self, shown: &Shown<'_>, several: bool) {
        let event = shown.event;
        let numbers = Numbers::of(shown);
        let known = Known::of(event);
        let texts = EventTexts::of(shown);
        if several {
            self.quoted(shown.file.unwrap_or_default());
        }
        match (texts.name(), event.provider_id()) {
            ("", Some(id)) => self.cell(format_args!("{}", Braced(id))),
            (name, _) => self.bare(name),
        }
        match texts.event.or(texts.opcode) {
            Some(name) => self.bare(name),
            None => self.cell(format_args!("{}", numbers.opcode)),
        }
        for number in [
            numbers.id,
            numbers.version,
            numbers.channel,
            numbers.level,
            numbers.opcode,
            numbers.task,
        ] {
            self.cell(format_args!("{number}"));
        }
        self.cell(format_args!("0x{:016X}", numbers.keyword));
        self.cell(format_args!("0x{:08X}", numbers.process_id));
        self.cell(format_args!("0x{:08X}", numbers.thread_id));
        self.number(numbers.processor.map(u64::from));
        self.number(known.instance.map(u64::from));
        self.number(known.parent_instance.map(u64::from));
        self.cell(format_args!("{}", Braced(numbers.activity)));
        self.cell(format_args!("{}", Braced(known.related_activity.unwrap_or(Guid::ZERO))));
        self.number(event.time().and_then(|time| u64::try_from(time.0).ok()));
        self.cell(format_args!("{}", numbers.kernel_ms));
        self.cell(format_args!("{}", numbers.user_ms));
        if let Some(record) = &shown.payload.record {
            self.fields(record.record());
        }
        if !shown.payload.rest.is_empty() {
            self.cell(format_args!("0x{}", UpperHex(shown.payload.rest)));
        }
    }

    fn fields(&mut self, record: &dyn Record) {
        record.visit(&mut Fields(self));
    }

    fn value(&mut self, value: Value<'_>, hex: bool) {
        match value {
            Value::Record(record) => self.fields(record),
            Value::List(list) => list.for_each(&mut |element| self.value(element, hex)),
            Value::Bytes(bytes) => self.cell(format_args!("0x{}", UpperHex(bytes))),
            Value::Utf16(_) | Value::Ansi(_) | Value::Utf16Bytes(_) | Value::Enum(_, Some(_)) | Value::Mapped(..) => {
                let mut json = std::mem::take(&mut self.json);
                json.clear();
                self.quoted(&text(value, hex, &mut json));
                self.json = json;
            }
            value => {
                let mut json = std::mem::take(&mut self.json);
                json.clear();
                let text = text(value, hex, &mut json);
                self.cell(format_args!("{text}"));
                self.json = json;
            }
        }
    }

    fn number(&mut self, number: Option<u64>) {
        match number {
            Some(number) => self.cell(format_args!("{number}")),
            None => self.cell(format_args!("")),
        }
    }

    /// A cell that has nothing to quote.
    fn cell(&mut self, text: std::fmt::Arguments<'_>) {
        self.separator();
        // Writing to a String does not fail.
        let _ = self.text.write_fmt(text);
    }

    /// A name, quoted only if it could be taken for more than one cell or line.
    fn bare(&mut self, text: &str) {
        if text.contains(|character: char| character == ',' || character == '"' || character.is_control()) {
            self.quoted(text);
        } else {
            self.cell(format_args!("{text}"));
        }
    }

    /// Text in quotation marks, those within doubled. Line ends become blanks: an event is a line.
    fn quoted(&mut self, text: &str) {
        self.separator();
        self.text.push('"');
        for character in text.chars() {
            match character {
                '"' => self.text.push_str("\"\""),
                '\r' | '\n' => self.text.push(' '),
                other => self.text.push(other),
            }
        }
        self.text.push('"');
    }

    fn separator(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            self.text.push_str(SEPARATOR);
        }
    }
}

struct Fields<'r>(&'r mut Row);

impl FieldVisitor for Fields<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden {
            self.0.value(value, info.hex);
        }
    }
}
