//! XML with the names, order and namespaces of tracerpt's `dumpfile.xml`, which are those of Microsoft's event schema.
//!
//! What that schema has no place for is in a namespace of our own, [`OWN_NAMESPACE`].

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event as Xml};
use winetl::ExtendedItem;
use winetl::payload::PayloadRecord;
use winetl::payload::decoded::Undecoded;
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};

use super::Identity;
use super::items::{Known, has_place};
use super::json::{Json, Serialized};
use super::message::message;
use super::resolved::JsonResolution;
use super::sink::{EventSink, Shown};
use super::tracerpt::{Braced, EventTexts, Numbers, UpperHex};
use super::xml_text::{push_escaped, push_value};

/// Namespace of events, which Microsoft's event schema has.
const EVENT_NAMESPACE: &str = "http://schemas.microsoft.com/win/2004/08/events/event";
/// Namespace of what only traces have.
const TRACE_NAMESPACE: &str = "http://schemas.microsoft.com/win/2004/08/events/trace";
/// Namespace of what neither has a place for.
const OWN_NAMESPACE: &str = "urn:winetl:dump";

/// The Windows error for data that does not match its template, `ERROR_EVT_INVALID_EVENT_DATA`, which tracerpt gives for a payload
/// that ends within a field.
const INVALID_EVENT_DATA: u32 = 15005;

/// Language of names that do not come from the trace.
const CULTURE: &str = "en-US";

/// Writes events as elements, each in a line.
pub(crate) struct XmlEvents {
    xml: Elements,
}

impl Default for XmlEvents {
    fn default() -> Self {
        Self {
            xml: Elements {
                writer: Writer::new(Vec::new()),
                start: String::new(),
                text: String::new(),
                escaped: String::new(),
                json: Vec::new(),
            },
        }
    }
}

impl EventSink for XmlEvents {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer::new(&mut *out);
        writer.write_event(Xml::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let mut root = BytesStart::new("Events");
        root.push_attribute(("xmlns:winetl", OWN_NAMESPACE));
        writer.write_event(Xml::Text(BytesText::from_escaped("\n")))?;
        writer.write_event(Xml::Start(root))?;
        out.write_all(b"\n")
    }

    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.xml.writer.get_mut().clear();
        self.xml.event(shown)?;
        let line = self.xml.writer.get_mut();
        line.push(b'\n');
        out.write_all(line)
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer::new(&mut *out);
        writer.write_event(Xml::End(BytesEnd::new("Events")))?;
        out.write_all(b"\n")
    }
}

/// Attributes with their values.
type Attributes<'a> = &'a [(&'static str, &'a dyn fmt::Display)];

/// Writes elements, with room to work in that is kept.
struct Elements {
    writer: Writer<Vec<u8>>,
    start: String,
    text: String,
    escaped: String,
    json: Vec<u8>,
}

impl Elements {
    fn tag(&mut self, name: &'static str, attributes: Attributes<'_>, empty: bool) -> io::Result<()> {
        self.start.clear();
        self.start.push_str(name);
        for (attribute, value) in attributes {
            self.text.clear();
            // Writing to a String does not fail.
            let _ = write!(self.text, "{value}");
            let _ = write!(self.start, " {attribute}=\"");
            push_escaped(&self.text, &mut self.start);
            self.start.push('"');
        }
        let start = BytesStart::from_content(self.start.as_str(), name.len());
        self.writer
            .write_event(if empty { Xml::Empty(start) } else { Xml::Start(start) })
    }

    /// The start of an element with a `Name`, as all values have it.
    fn open_named(&mut self, element: &'static str, name: &str) -> io::Result<()> {
        self.start.clear();
        self.start.push_str(element);
        self.start.push_str(" Name=\"");
        push_escaped(name, &mut self.start);
        self.start.push('"');
        let start = BytesStart::from_content(self.start.as_str(), element.len());
        self.writer.write_event(Xml::Start(start))
    }

    fn open(&mut self, name: &'static str, attributes: Attributes<'_>) -> io::Result<()> {
        self.tag(name, attributes, false)
    }

    fn empty(&mut self, name: &'static str, attributes: Attributes<'_>) -> io::Result<()> {
        self.tag(name, attributes, true)
    }

    fn close(&mut self, name: &'static str) -> io::Result<()> {
        self.writer.write_event(Xml::End(BytesEnd::new(name)))
    }

    /// An element with text only.
    fn text(&mut self, name: &'static str, attributes: Attributes<'_>, text: &dyn fmt::Display) -> io::Result<()> {
        self.open(name, attributes)?;
        self.text.clear();
        let _ = write!(self.text, "{text}");
        self.escaped.clear();
        push_escaped(&self.text, &mut self.escaped);
        self.writer
            .write_event(Xml::Text(BytesText::from_escaped(self.escaped.as_str())))?;
        self.close(name)
    }

    fn text_if(&mut self, name: &'static str, text: Option<&str>) -> io::Result<()> {
        text.map_or(Ok(()), |text| self.text(name, &[], &text))
    }

    fn event(&mut self, shown: &Shown<'_>) -> io::Result<()> {
        let identity = Identity::of(shown.event, shown.payload);
        let known = Known::of(shown.event);
        let texts = EventTexts::of(shown);
        let mut attributes: Vec<(&'static str, &dyn fmt::Display)> = vec![("xmlns", &EVENT_NAMESPACE)];
        attributes.extend(shown.file.as_ref().map(|file| ("winetl:File", file as &dyn fmt::Display)));
        let process = shown.process.flatten();
        attributes.extend(process.as_ref().map(|name| ("winetl:Process", name as &dyn fmt::Display)));
        self.open("Event", &attributes)?;
        self.system(shown, &identity, &known, &texts)?;
        self.data(shown)?;
        self.rendering(shown, &texts)?;
        self.tracing(shown, &identity, &known)?;
        self.close("Event")
    }

    fn system(&mut self, shown: &Shown<'_>, identity: &Identity<'_>, known: &Known, texts: &EventTexts<'_>) -> io::Result<()> {
        let numbers = Numbers::of(shown);
        let event = shown.event;
        self.open("System", &[])?;
        let guid = identity.provider_id.map(Braced);
        let mut provider: Vec<(&'static str, &dyn fmt::Display)> = Vec::new();
        provider.extend(identity.provider.as_ref().map(|name| ("Name", name as &dyn fmt::Display)));
        provider.extend(guid.as_ref().map(|guid| ("Guid", guid as &dyn fmt::Display)));
        self.empty("Provider", &provider)?;
        for (name, number) in [
            ("EventID", numbers.id),
            ("Version", numbers.version),
            ("Level", numbers.level),
            ("Task", numbers.task),
            ("Opcode", numbers.opcode),
        ] {
            self.text(name, &[], &number)?;
        }
        self.text("Keywords", &[], &format_args!("{:#X}", numbers.keyword))?;
        match event.time().and_then(|time| time.to_ascii()) {
            Some(text) => {
                // Nine digits of the second; the clock has seven.
                let text = String::from_utf8_lossy(&text).replace('Z', "00Z");
                self.empty("TimeCreated", &[("SystemTime", &text)])?;
            }
            None => match event.raw_time() {
                Some(raw) => self.empty("TimeCreated", &[("RawTime", &raw)])?,
                None => self.empty("TimeCreated", &[])?,
            },
        }
        self.text("EventRecordID", &[], &event.index())?;
        let (activity, related) = (Braced(numbers.activity), known.related_activity.map(Braced));
        let mut correlation: Vec<(&'static str, &dyn fmt::Display)> = vec![("ActivityID", &activity)];
        correlation.extend(related.as_ref().map(|id| ("RelatedActivityID", id as &dyn fmt::Display)));
        self.empty("Correlation", &correlation)?;
        let mut execution: Vec<(&'static str, &dyn fmt::Display)> =
            vec![("ProcessID", &numbers.process_id), ("ThreadID", &numbers.thread_id)];
        execution.extend(numbers.processor.as_ref().map(|id| ("ProcessorID", id as &dyn fmt::Display)));
        execution.extend(known.session.as_ref().map(|id| ("SessionID", id as &dyn fmt::Display)));
        execution.push(("KernelTime", &numbers.kernel_ms));
        execution.push(("UserTime", &numbers.user_ms));
        self.empty("Execution", &execution)?;
        match (texts.channel, numbers.channel) {
            (Some(name), _) => self.text("Channel", &[], &name)?,
            (None, 0) => self.empty("Channel", &[])?,
            (None, number) => self.text("Channel", &[], &number)?,
        }
        self.empty("Computer", &[])?;
        if let Some(user) = &known.user {
            self.empty("Security", &[("UserID", user)])?;
        }
        self.close("System")
    }

    /// Exactly one of three: the fields, the bytes of a payload that nothing describes, or those of one that is too short.
    fn data(&mut self, shown: &Shown<'_>) -> io::Result<()> {
        let payload = shown.payload;
        match (&payload.record, payload.undecoded) {
            (None, _) | (_, Some(Undecoded::NoSchema)) => self.text("BinaryEventData", &[], &UpperHex(payload.rest)),
            (Some(record), Some(Undecoded::TooShort)) => {
                self.open("ProcessingErrorData", &[])?;
                self.text("ErrorCode", &[], &INVALID_EVENT_DATA)?;
                self.text("DataItemName", &[], &unread_field(record))?;
                self.text("EventPayload", &[], &UpperHex(shown.event.payload()))?;
                self.close("ProcessingErrorData")
            }
            (Some(record), rest) => {
                self.open("EventData", &[])?;
                self.fields(record.record())?;
                if rest.is_some() {
                    self.text("Binary", &[], &UpperHex(payload.rest))?;
                }
                self.close("EventData")
            }
        }
    }

    fn fields(&mut self, record: &dyn Record) -> io::Result<()> {
        let mut fields = Fields {
            xml: self,
            result: Ok(()),
        };
        record.visit(&mut fields);
        fields.result
    }

    /// A value, each element of a list for itself; nothing for a field that is not there.
    fn value(&mut self, name: &str, value: Value<'_>, hex: bool) -> io::Result<()> {
        match value {
            Value::Absent => Ok(()),
            Value::Record(record) => {
                self.open_named("ComplexData", name)?;
                self.fields(record)?;
                self.close("ComplexData")
            }
            Value::List(list) => {
                let mut result = Ok(());
                list.for_each(&mut |element| {
                    if result.is_ok() {
                        result = self.value(name, element, hex);
                    }
                });
                result
            }
            value => {
                self.open_named("Data", name)?;
                self.text.clear();
                push_value(value, hex, &mut self.json, &mut self.text);
                self.writer
                    .write_event(Xml::Text(BytesText::from_escaped(self.text.as_str())))?;
                self.close("Data")
            }
        }
    }

    /// The names of numbers, and the message; nothing if there are none.
    fn rendering(&mut self, shown: &Shown<'_>, texts: &EventTexts<'_>) -> io::Result<()> {
        let message = message(shown);
        let EventTexts {
            class,
            opcode,
            task,
            level,
            channel,
            keywords,
            event,
            ..
        } = *texts;
        let provider = texts.provider.as_deref();
        let event_name = class.or(event);
        let any = [message.as_deref(), level, opcode, task, channel, provider, event_name]
            .iter()
            .any(Option::is_some);
        if !any && keywords.is_empty() {
            return Ok(());
        }
        self.open("RenderingInfo", &[("Culture", &CULTURE)])?;
        self.text_if("Message", message.as_deref())?;
        self.text_if("Level", level)?;
        self.text_if("Opcode", opcode)?;
        self.text_if("Task", task)?;
        self.text_if("Channel", channel)?;
        self.text_if("Provider", provider)?;
        if !keywords.is_empty() {
            self.open("Keywords", &[])?;
            for keyword in keywords {
                self.text("Keyword", &[], keyword)?;
            }
            self.close("Keywords")?;
        }
        if let Some(name) = event_name {
            self.text("EventName", &[("xmlns", &TRACE_NAMESPACE)], &name)?;
        }
        self.close("RenderingInfo")
    }

    /// Class and instance of a classic event, extended items that have no other place, and what numbers stand for.
    fn tracing(&mut self, shown: &Shown<'_>, identity: &Identity<'_>, known: &Known) -> io::Result<()> {
        let resolved = shown.resolved.filter(|resolved| !resolved.is_empty());
        let mut items = shown.event.extended_items().filter(|item| !is_shown(item)).peekable();
        let instance = known.instance.is_some() || known.parent_instance.is_some();
        if identity.class_id.is_none() && !instance && items.peek().is_none() && resolved.is_none() {
            return Ok(());
        }
        self.open("ExtendedTracingInfo", &[("xmlns", &TRACE_NAMESPACE)])?;
        if let Some(class) = identity.class_id {
            self.text("EventGuid", &[], &Braced(class))?;
        }
        for (name, number) in [("InstanceID", known.instance), ("ParentInstanceID", known.parent_instance)] {
            if let Some(number) = number {
                self.text(name, &[], &number)?;
            }
        }
        for item in items {
            self.item(&item)?;
        }
        if let Some(resolved) = resolved {
            let mut json = Vec::new();
            Serialized(JsonResolution(resolved)).push(&mut json);
            self.text("winetl:Resolved", &[], &String::from_utf8_lossy(&json))?;
        }
        self.close("ExtendedTracingInfo")
    }

    fn item(&mut self, item: &ExtendedItem<'_>) -> io::Result<()> {
        let number = item.item_type();
        let name: &dyn fmt::Display = match item.type_name() {
            Some(ref name) => &name.to_string(),
            None => &number,
        };
        self.open("winetl:ExtendedItem", &[("Type", name)])?;
        match item.decode() {
            Some(Ok(data)) => self.fields(data.record())?,
            Some(Err(_)) | None => self.text("Binary", &[], &UpperHex(item.data))?,
        }
        self.close("winetl:ExtendedItem")
    }
}

/// Whether an item is shown elsewhere in the event: it is of such a kind, and could be read.
fn is_shown(item: &ExtendedItem<'_>) -> bool {
    has_place(item) && matches!(item.decode(), Some(Ok(data)) if data.generated().is_some())
}

/// The field within which the payload ends.
fn unread_field<'a>(record: &'a PayloadRecord<'_>) -> &'a str {
    let name = match record {
        PayloadRecord::Template(record) => {
            let field = record.measure().short.and_then(|index| record.template().fields().get(index));
            field.map(|field| &*field.name)
        }
        PayloadRecord::Structure(record, outcome) => {
            let field = outcome.short.and_then(|index| record.info().fields.get(index));
            field.map(|field| field.name)
        }
    };
    name.unwrap_or_default()
}

struct Fields<'x> {
    xml: &'x mut Elements,
    result: io::Result<()>,
}

impl FieldVisitor for Fields<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden && self.result.is_ok() {
            self.result = self.xml.value(info.name, value, info.hex);
        }
    }
}
