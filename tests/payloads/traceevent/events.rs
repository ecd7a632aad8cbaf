//! The events of a trace that TraceEvent has lines for: the first of each kind, in the order of time.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};
use winetl::payload::event_schema::EventSchema;
use winetl::payload::schemas::Schemas;
use winetl::payload::traits::provider_name;
use winetl::record::{FieldInfo, FieldVisitor, Value};
use winetl::text::socket_address;
use winetl::{Event, EventRoles as _, Order, TraceFile};

use super::super::common::fields;
use super::table::Table;

/// TraceEvent's baselines have no more lines of a kind.
pub(super) const SHOWN: u64 = 5;

/// An event that has a line.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Number in the order of time.
    pub(super) position: u64,
    /// 100 ns since the first event.
    pub(super) since: i64,
    pub(super) len: usize,
    pub(super) processor: Option<u16>,
    pub(super) process: Option<u64>,
    pub(super) thread: Option<u64>,
    pub(super) raw_time: i64,
    /// Ticks of the clock in a second.
    pub(super) frequency: i64,
    /// Whether it is an event of the kernel.
    pub(super) is_kernel: bool,
    /// Whether anything describes the payload.
    pub(super) is_decoded: bool,
    pub(super) fields: Map<String, Json>,
    /// Fields that the trace itself gives words for.
    pub(super) words: BTreeMap<String, Vec<String>>,
    /// Provider and event by the schema of the trace, if it carries one.
    pub(super) names: Option<(String, String)>,
}

/// Events of one kind.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) count: u64,
    pub(super) first: Vec<Candidate>,
}

/// All events but those that TraceEvent keeps for itself, by kind. With the kinds of these, and how many they are.
pub(super) fn read(
    trace: &TraceFile<&[u8]>,
    table: &Table,
    rows: &mut BTreeSet<usize>,
) -> (BTreeMap<String, Shown>, BTreeMap<String, u64>) {
    let mut schemas = Schemas::default();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        schemas.collect(&event);
    }
    schemas.finish();
    let frequency = trace.logfile().roles().clock_frequency().unwrap();
    let mut shown = BTreeMap::<String, Shown>::new();
    let mut kept = BTreeMap::new();
    let mut start = None;
    let mut position = 0;
    let mut events = trace.events(Order::Time);
    while let Some(event) = events.next() {
        let time = event.time().unwrap().0;
        let since = time - *start.get_or_insert(time);
        position += 1;
        let key = key(&event);
        if table.kept(&key, rows).is_some_and(|which| is_kept(which, &event)) {
            *kept.entry(key).or_default() += 1;
            continue;
        }
        let kind = shown.entry(key).or_default();
        kind.count += 1;
        if kind.count <= SHOWN {
            kind.first
                .push(Candidate::new(&event, &mut schemas, position, since, frequency));
        }
    }
    (shown, kept)
}

/// Name of a kernel event, or provider and id.
fn key(event: &Event<'_>) -> String {
    let of_class = event.info().filter(|info| info.event_id.is_none());
    match (of_class, event.header().event_id()) {
        (Some(info), _) => info.name.to_owned(),
        (None, Some(id)) => format!("{} {id}", event.provider_id().unwrap_or_default()),
        (None, None) => panic!("{:?}: neither known nor with an id", event.header()),
    }
}

/// Whether an event is one of `which`.
fn is_kept(which: &str, event: &Event<'_>) -> bool {
    match which {
        "all" => true,
        // Bits 0 and 1 of the flags are set in deferred procedure calls and interrupts.
        "idle" => {
            let fields = fields(event.payload_record().unwrap().record());
            fields["ThreadId"] == 0 && fields.get("Flags").is_none_or(|flags| flags.as_u64().unwrap() & 3 == 0)
        }
        // The flags lie behind the ids of method and module and the address, of 8 bytes each, and size and token: bit 0 is
        // for dynamic methods, bit 3 for those that were compiled when they were called.
        "precompiled" => event.payload()[32] & 9 == 0,
        _ => panic!("{which}"),
    }
}

impl Candidate {
    fn new(event: &Event<'_>, schemas: &mut Schemas, position: u64, since: i64, frequency: i64) -> Self {
        let decoded = schemas.decode(event);
        let mut words = Words::default();
        let mut values = Map::new();
        if let Some(record) = &decoded.record {
            record.record().visit(&mut words);
            values = fields(record.record());
        }
        Self {
            position,
            since,
            len: event.payload().len(),
            processor: event.processor(),
            process: event.header().process_id(),
            thread: event.header().thread_id(),
            raw_time: event.raw_time().unwrap_or(0),
            frequency,
            is_kernel: event.info().is_some_and(|info| info.event_id.is_none()),
            is_decoded: decoded.record.is_some(),
            fields: values,
            words: words.0,
            names: decoded.schema.map(|schema| (provider(schema, event), name(schema))),
        }
    }
}

fn provider(schema: &EventSchema, event: &Event<'_>) -> String {
    match &schema.provider_name {
        Some(name) => name.to_string(),
        None => provider_name(event).unwrap_or_default().into_owned(),
    }
}

/// Name of the event, else of task and opcode.
fn name(schema: &EventSchema) -> String {
    match &schema.event_name {
        Some(name) => name.to_string(),
        None => [&schema.task_name, &schema.opcode_name]
            .into_iter()
            .flatten()
            .map(|name| &**name)
            .collect::<Vec<_>>()
            .join("/"),
    }
}

/// What else than numbers and bytes a value can be shown as.
#[derive(Debug, Default)]
struct Words(BTreeMap<String, Vec<String>>);

impl FieldVisitor for Words {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        let words = match value {
            Value::Mapped(bits, map) if map.is_bitmap => {
                let names = map.entries.iter().filter(|(bit, _)| bits & bit != 0);
                // A number with unknown bits has no words.
                if names.clone().fold(bits, |rest, (bit, _)| rest & !bit) != 0 {
                    return;
                }
                let names: Vec<_> = names.map(|(_, name)| name.trim_end()).collect();
                vec![names.join(", "), names.join("|")]
            }
            Value::Mapped(number, map) => map
                .name_of(number)
                .into_iter()
                .map(|name| name.trim_end().to_owned())
                .collect(),
            Value::SocketAddress(bytes) => socket_address(bytes).into_iter().map(|address| address.to_string()).collect(),
            _ => return,
        };
        self.0.insert(info.name.to_owned(), words);
    }
}
