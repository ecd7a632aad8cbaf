//! What the tests share: reading a trace to its end, and fields of records as JSON.

#![allow(dead_code, reason = "no test uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};
use winetl::record::{FieldInfo, FieldVisitor, List, Record, Value};
use winetl::text::{push_utf16_bytes, sid_text, systemtime_text};
use winetl::{Error, Event, EventRoles as _, Limits, Order, Report, Source, TraceFile};

/// Lower-case hex digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// What the tests want to know of an event when its buffer is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Id of an EVENT_HEADER event: the samples number their events with it.
    pub(crate) id: Option<u64>,
    pub(crate) index: u64,
    pub(crate) buffer: u64,
    pub(crate) offset: u32,
    pub(crate) processor: Option<u16>,
    pub(crate) raw_time: Option<i64>,
    pub(crate) time: Option<i64>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) payload: Vec<u8>,
    pub(crate) kind: &'static str,
}

impl Seen {
    fn new(event: &Event<'_>) -> Self {
        Self {
            id: event.header().event_id(),
            index: event.index(),
            buffer: event.buffer().index,
            offset: event.buffer_offset(),
            processor: event.processor(),
            raw_time: event.raw_time(),
            time: event.time().map(|time| time.0),
            bytes: event.bytes().to_vec(),
            payload: event.payload().to_vec(),
            kind: event.case().name,
        }
    }
}

/// All events of a trace in one order, with the report of that reading.
pub(crate) fn read<S: Source>(source: S, order: Order) -> Result<(Vec<Seen>, Report), Error> {
    read_limited(source, order, Limits::default())
}

/// Likewise within other limits.
pub(crate) fn read_limited<S: Source>(source: S, order: Order, limits: Limits) -> Result<(Vec<Seen>, Report), Error> {
    let trace = TraceFile::new(source, limits)?;
    let mut events = trace.events(order);
    let mut seen = vec![];
    while let Some(event) = events.next() {
        seen.push(Seen::new(&event));
    }
    Ok((seen, events.report().clone()))
}

/// The ids of the EVENT_HEADER events.
pub(crate) fn ids(events: &[Seen]) -> Vec<u64> {
    events.iter().filter_map(|event| event.id).collect()
}

/// Applies `look` to each event in file order and gives what it says.
pub(crate) fn each<T>(bytes: &[u8], mut look: impl FnMut(&Event<'_>) -> T) -> Vec<T> {
    let trace = TraceFile::new(bytes, Limits::default()).unwrap();
    let mut events = trace.events(Order::File);
    let mut found = vec![];
    while let Some(event) = events.next() {
        found.push(look(&event));
    }
    found
}

/// The fields of a record by name; those of nested records as `Outer.Inner`. Hidden ones are there too.
pub(crate) fn fields(record: &dyn Record) -> Map<String, Json> {
    let mut flat = Flat {
        prefix: String::new(),
        fields: Map::new(),
    };
    record.visit(&mut flat);
    flat.fields
}

struct Flat {
    prefix: String,
    fields: Map<String, Json>,
}

impl FieldVisitor for Flat {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        let name = format!("{}{}", self.prefix, info.name);
        match value {
            Value::Record(record) => {
                let outer = std::mem::replace(&mut self.prefix, format!("{name}."));
                record.visit(self);
                self.prefix = outer;
            }
            value => drop(self.fields.insert(name, to_json(value))),
        }
    }
}

fn to_json(value: Value<'_>) -> Json {
    match value {
        Value::Absent => Json::Null,
        Value::Unsigned(number) | Value::Enum(number, _) | Value::Flags(number, _) => json!(number),
        Value::Signed(number) => json!(number),
        Value::Guid(guid) => json!(guid.to_string()),
        Value::Filetime(time) => json!(time.0),
        Value::Bytes(bytes) => json!(hex(bytes)),
        Value::Utf16(units) => json!(String::from_utf16_lossy(units)),
        Value::Ansi(bytes) => json!(String::from_utf8_lossy(bytes)),
        Value::Sid(sid) => json!(sid.to_text()),
        Value::SidBytes(bytes) => json!(sid_text(bytes)),
        Value::Address(number) => json!(number),
        Value::Mapped(number, _) => json!(number),
        Value::Float(number) => json!(number),
        Value::Bool(truth) => json!(truth),
        Value::Systemtime(bytes) => json!(systemtime_text(bytes)),
        Value::Ipv4(bytes) => json!(std::net::Ipv4Addr::from(bytes).to_string()),
        Value::Ipv6(bytes) => json!(std::net::Ipv6Addr::from(bytes).to_string()),
        Value::SocketAddress(bytes) => json!(hex(bytes)),
        Value::Utf16Bytes(bytes) => {
            let mut text = String::new();
            push_utf16_bytes(bytes, &mut text);
            json!(text)
        }
        Value::Record(record) => Json::Object(fields(record)),
        Value::List(list) => Json::Array(elements(list)),
    }
}

fn elements(list: &dyn List) -> Vec<Json> {
    let mut all = vec![];
    list.for_each(&mut |value| all.push(to_json(value)));
    all
}

/// One number of a record, without making text of the others.
pub(crate) fn number(record: &dyn Record, name: &str) -> Option<u64> {
    let mut pick = Pick { name, found: None };
    record.visit(&mut pick);
    pick.found
}

struct Pick<'n> {
    name: &'n str,
    found: Option<u64>,
}

impl FieldVisitor for Pick<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if info.name == self.name
            && let Value::Unsigned(number) | Value::Enum(number, _) | Value::Flags(number, _) = value
        {
            self.found = Some(number);
        }
    }
}
