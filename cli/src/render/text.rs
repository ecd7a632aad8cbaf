//! One readable line per event.

use std::io::{self, Write};

use winetl::payload::decoded::{Decoded, Undecoded};
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::{Event, EventRoles, ExtendedItem};

use super::hex;
use super::labels::Labels;
use super::paint::{Paint, Role};
use super::plain::{Plain, Safe, cut_bytes, safe};
use super::resolved::PlainResolution;
use super::sink::{EventSink, Shown};
use super::{Identity, real_id};

/// What the names of all header types begin with.
const HEADER_PREFIX: &str = "TRACE_HEADER_TYPE_";

/// What the names of all item types begin with.
const ITEM_PREFIX: &str = "EVENT_HEADER_EXT_TYPE_";

/// Roles of the fields that a line shows of the logfile header; `winetl info` has them all.
const LOGFILE_ROLES: &[&str] = &[
    "session_name",
    "log_file_name",
    "windows_major",
    "windows_minor",
    "windows_build",
    "processor_count",
    "session_buffer_size",
    "log_file_mode",
    "clock_type",
    "start_time",
    "end_time",
];

/// Writes events as lines.
#[derive(Debug)]
pub(crate) struct TextLines {
    paint: Paint,
    line: Vec<u8>,
}

/// Writes the heading of a file, if there are several.
pub(crate) fn file_heading(name: &str, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}==> {} <=={}", paint.on(Role::Name), safe(name), paint.off(Role::Name))
}

impl EventSink for TextLines {
    fn file(&mut self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        file_heading(name, self.paint, out)
    }

    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Shown { event, payload, .. } = *shown;
        self.line.clear();
        if let Some(file) = shown.file {
            write!(
                self.line,
                "{}{}{} ",
                self.paint.on(Role::Name),
                safe(file),
                self.paint.off(Role::Name)
            )?;
        }
        self.place(event, shown.process)?;
        self.identity(event, payload)?;
        if event.buffer().holds_switches() {
            // The packet itself is all that there is of the event.
            self.fields(event.header().record(), None)?;
        }
        if let Some(record) = &payload.record {
            let record = record.record();
            let logfile = record.info().fields.iter().any(|field| field.role == "session_name");
            self.fields(record, logfile.then_some(LOGFILE_ROLES))?;
        }
        for item in event.extended_items() {
            self.item(&item)?;
        }
        if payload.undecoded == Some(Undecoded::TooShort) {
            let (on, off) = (self.paint.on(Role::Warning), self.paint.off(Role::Warning));
            write!(self.line, "  {on}({}){off}", Undecoded::TooShort)?;
        }
        if !payload.rest.is_empty() {
            let (on, off) = (self.paint.on(Role::Faint), self.paint.off(Role::Faint));
            write!(self.line, "  {on}{} bytes: ", payload.rest.len())?;
            cut_bytes(payload.rest, &mut self.line);
            write!(self.line, "{off}")?;
        }
        if let Some(resolved) = shown.resolved.filter(|resolved| !resolved.is_empty()) {
            let (on, off) = (self.paint.on(Role::Kind), self.paint.off(Role::Kind));
            write!(self.line, "  {on}=>{}{off}", PlainResolution(resolved))?;
        }
        self.line.push(b'\n');
        out.write_all(&self.line)
    }
}

impl TextLines {
    pub(crate) fn new(paint: Paint) -> Self {
        Self { paint, line: Vec::new() }
    }

    /// Time, processor, process and thread, kind of header.
    fn place(&mut self, event: &Event<'_>, process: Option<Option<&str>>) -> io::Result<()> {
        let header = event.header();
        write!(self.line, "{}", self.paint.on(Role::Faint))?;
        match (event.time().and_then(|time| time.to_ascii()), event.raw_time()) {
            (Some(text), _) => self.line.extend_from_slice(&text),
            (None, Some(raw)) => write!(self.line, "{:>28}", format_args!("raw {raw}").to_string())?,
            (None, None) => write!(self.line, "{:>28}", "-")?,
        }
        write!(self.line, "{}", self.paint.off(Role::Faint))?;
        match event.processor() {
            Some(processor) => write!(self.line, " [{processor:>3}]")?,
            None => write!(self.line, " [  -]")?,
        }
        self.id(real_id(header.process_id()), " ", true)?;
        if let Some(Some(name)) = process {
            write!(self.line, " ({})", safe(name))?;
        }
        self.id(real_id(header.thread_id()), "/", false)?;
        let kind = event.case().name;
        let kind = kind.strip_prefix(HEADER_PREFIX).unwrap_or(kind);
        write!(
            self.line,
            " {}{kind:<14}{}",
            self.paint.on(Role::Kind),
            self.paint.off(Role::Kind)
        )
    }

    fn id(&mut self, id: Option<u64>, before: &str, right: bool) -> io::Result<()> {
        match (id, right) {
            (Some(id), true) => write!(self.line, "{before}{id:>6}"),
            (Some(id), false) => write!(self.line, "{before}{id:<6}"),
            (None, true) => write!(self.line, "{before}{:>6}", "-"),
            (None, false) => write!(self.line, "{before}{:<6}", "-"),
        }
    }

    /// What the event is: name, or provider and number; version, level, opcode, task, keyword, activity.
    fn identity<'a>(&mut self, event: &Event<'a>, payload: &Decoded<'a>) -> io::Result<()> {
        let header = event.header();
        let labels = Labels::of(header);
        let identity = Identity::of(event, payload);
        let mut opcode = header.opcode();
        write!(self.line, " {}", self.paint.on(Role::Name))?;
        if let Some(hook_id) = header.hook_id() {
            opcode = None;
            match &identity.name {
                Some(name) => self.line.extend_from_slice(name.as_bytes()),
                None => write!(self.line, "hook {hook_id:#06x}")?,
            }
        } else if let (Some(name), Some(_)) = (&identity.name, event.info()) {
            opcode = None;
            self.line.extend_from_slice(name.as_bytes());
        } else if let Some(name) = &identity.name {
            // The names come from the trace.
            if let Some(provider) = &identity.provider {
                write!(self.line, "{}/", safe(provider))?;
            }
            write!(self.line, "{}", safe(name))?;
            if let Some(id) = identity.id.filter(|id| *id != 0) {
                write!(self.line, "/{id}")?;
            }
        } else {
            match (identity.provider_id, header.component_id()) {
                (Some(provider), _) => self.line.extend_from_slice(&provider.to_ascii()),
                (None, Some(component)) => write!(self.line, "component {component}")?,
                (None, None) => self.line.push(b'-'),
            }
            // A classic event is told from others of its class by its type.
            let number = identity.id.or_else(|| header.class_id().and(opcode));
            if let Some(number) = number {
                write!(self.line, "/{number}")?;
            }
        }
        write!(self.line, "{}", self.paint.off(Role::Name))?;
        if let Some(version) = header.event_version() {
            write!(self.line, " v{version}")?;
        }
        self.level(header.level(), labels)?;
        match (labels.opcode, opcode) {
            // 0 says something only where it is the type of a classic event.
            (_, Some(0)) if header.class_id().is_none() => {}
            (Some(label), Some(_)) => write!(self.line, " op={}", label.label_or_name())?,
            (None, Some(number)) if header.class_id().is_none() => write!(self.line, " op={number}")?,
            _ => {}
        }
        for (name, value) in [("task", header.task()), ("channel", header.channel())] {
            if let Some(value) = value.filter(|value| *value != 0) {
                write!(self.line, " {name}={value}")?;
            }
        }
        // A sequence may begin with 0.
        if let Some(number) = header.sequence_number() {
            write!(self.line, " seq={number}")?;
        }
        if let Some(keyword) = header.keyword().filter(|keyword| *keyword != 0) {
            self.line.extend_from_slice(b" keyword=");
            self.line.extend_from_slice(hex::number(keyword, &mut [0; 18]));
        }
        if let Some(activity) = header.activity_id().filter(|activity| !activity.is_zero()) {
            self.line.extend_from_slice(b" activity=");
            self.line.extend_from_slice(&activity.to_ascii());
        }
        Ok(())
    }

    fn level(&mut self, level: Option<u64>, labels: Labels) -> io::Result<()> {
        let Some(level) = level.filter(|level| *level != 0) else {
            return Ok(());
        };
        let role = match level {
            1 | 2 => Role::Error,
            3 => Role::Warning,
            _ => Role::Plain,
        };
        write!(self.line, " {}", self.paint.on(role))?;
        match labels.level {
            Some(label) => self.line.extend_from_slice(label.label_or_name().as_bytes()),
            None => write!(self.line, "level={level}")?,
        }
        write!(self.line, "{}", self.paint.off(role))
    }

    /// The fields of a decoded payload: all that are visible, or those with one of `roles`.
    fn fields(&mut self, record: &dyn Record, roles: Option<&'static [&'static str]>) -> io::Result<()> {
        let mut fields = Fields {
            line: &mut self.line,
            paint: self.paint,
            roles,
            gap: "  ",
            result: Ok(()),
        };
        record.visit(&mut fields);
        fields.result
    }

    /// An extended item: its name, and its value if that is short.
    fn item(&mut self, item: &ExtendedItem<'_>) -> io::Result<()> {
        write!(self.line, " {}+", self.paint.on(Role::Kind))?;
        match item.type_name() {
            Some(name) => self
                .line
                .extend_from_slice(name.strip_prefix(ITEM_PREFIX).unwrap_or(name).as_bytes()),
            None => write!(self.line, "ITEM_{}", item.item_type())?,
        }
        write!(self.line, "{}", self.paint.off(Role::Kind))?;
        match item.decode() {
            Some(Ok(data)) => {
                let mut gist = Gist {
                    line: &mut self.line,
                    shown: false,
                    result: Ok(()),
                };
                data.record().visit(&mut gist);
                gist.result
            }
            Some(Err(_)) | None => write!(self.line, "({} bytes)", item.data.len()),
        }
    }
}

struct Fields<'a> {
    line: &'a mut Vec<u8>,
    paint: Paint,
    roles: Option<&'static [&'static str]>,
    /// Between the field and what is before it.
    gap: &'static str,
    result: io::Result<()>,
}

impl FieldVisitor for Fields<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        let wanted = self.roles.is_none_or(|roles| roles.contains(&info.role));
        let shown = !info.hidden && !matches!(value, Value::Absent) && !is_unused(info.name, &value);
        if self.result.is_ok() && wanted && shown {
            let (on, off) = (self.paint.on(Role::Faint), self.paint.off(Role::Faint));
            let gap = std::mem::replace(&mut self.gap, " ");
            self.result = write!(
                self.line,
                "{gap}{on}{}={off}{}",
                Safe(info.name),
                Plain { value, hex: info.hex }
            );
        }
    }
}

/// Whether a field is room for later versions that nothing has been put into.
fn is_unused(name: &str, value: &Value<'_>) -> bool {
    matches!(value, Value::Unsigned(0) | Value::Signed(0)) && (name.starts_with("Reserved") || name.starts_with("Spare"))
}

/// The one value of an item that says most: a text, a GUID or number, or how long its list is.
struct Gist<'a> {
    line: &'a mut Vec<u8>,
    shown: bool,
    result: io::Result<()>,
}

impl FieldVisitor for Gist<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        // A size says nothing that the rest does not; a match id only matters to programs.
        if self.shown || info.hidden || self.result.is_err() || info.unit == "bytes" || info.name == "MatchId" {
            return;
        }
        let result = match value {
            Value::Absent | Value::Record(_) => return,
            Value::List(list) => write!(self.line, "({})", list.len()),
            Value::Bytes(bytes) => write!(self.line, "({} bytes)", bytes.len()),
            value => write!(self.line, "={}", Plain { value, hex: info.hex }),
        };
        self.shown = true;
        self.result = result;
    }
}
