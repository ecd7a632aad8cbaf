//! One reading of a trace in file order, with everything that is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::{Map, Value as Json};
use sha2::{Digest as _, Sha256};
use winetl::{Event, EventRoles as _, Order, Report, TraceFile};

use super::common::{hex, number};
use super::describe;

/// SHA-256 as hex digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A quick hash, to tell whether two readings give the same bytes.
pub(crate) fn quick_hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// What is counted of the events.
pub(crate) type Counts = BTreeMap<String, BTreeMap<String, u64>>;

/// What the events of one buffer say.
#[derive(Debug, Default)]
pub(crate) struct BufferWalk {
    pub(crate) events: u64,
    pub(crate) types: BTreeMap<&'static str, u64>,
    pub(crate) time_min: Option<i64>,
    pub(crate) time_max: Option<i64>,
    /// Time of the last event that has one.
    last_time: Option<i64>,
    pub(crate) is_header: bool,
    /// Where the last event ends, rounded up to 8.
    pub(crate) end: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub(crate) total: u64,
    pub(crate) counts: Counts,
    pub(crate) buffers: BTreeMap<u64, BufferWalk>,
    pub(crate) events_sha256: String,
    pub(crate) payload_sha256: String,
    /// The events that the expected values describe, by buffer and offset.
    pub(crate) described: BTreeMap<(u64, u64), (u64, Map<String, Json>)>,
    /// Place of the first event of each kind, of the first with extended items if any has some, and whether it has.
    pub(crate) first_of_kind: BTreeMap<&'static str, ((u64, u64), bool)>,
    /// Buffer, and hash of place and bytes, of each event.
    pub(crate) hashes: Vec<u64>,
    /// Earliest and latest FILETIME of a data buffer.
    pub(crate) filetime_min: Option<i64>,
    pub(crate) filetime_max: Option<i64>,
    pub(crate) report: Report,
    /// Kinds and GUIDs are counted by value first: text for each event would take most of the time.
    numbers: BTreeMap<Key, u64>,
}

/// Name of a count, kind of the event, GUID, two numbers.
type Key = (&'static str, &'static str, Option<winetl::Guid>, u64, u64);

impl Walk {
    pub(crate) fn new(trace: &TraceFile<&[u8]>, golden: &Json) -> Self {
        let wanted = described_places(golden);
        let mut walk = Self::default();
        let (mut all, mut payloads) = (Sha256::new(), Sha256::new());
        let mut events = trace.events(Order::File);
        while let Some(event) = events.next() {
            all.update(event.bytes());
            payloads.update(event.payload());
            let place = (event.buffer().index, u64::from(event.buffer_offset()));
            if wanted.contains(&place) {
                walk.described.insert(place, (event.index(), describe::event(&event)));
            }
            let (first, with_items) = walk.first_of_kind.entry(describe::kind(&event)).or_insert((place, false));
            if !*with_items && event.extended_items().next().is_some() {
                (*first, *with_items) = (place, true);
            }
            walk.see(&event);
        }
        walk.report = events.report().clone();
        walk.events_sha256 = hex(&all.finalize());
        walk.payload_sha256 = hex(&payloads.finalize());
        walk.name_counts();
        walk
    }

    fn see(&mut self, event: &Event<'_>) {
        assert_eq!(event.index(), self.total, "events are numbered in file order");
        self.total += 1;
        self.hashes.push(quick_hash(event.bytes()));
        let kind = describe::kind(event);
        let buffer = self.buffers.entry(event.buffer().index).or_default();
        buffer.is_header = event.buffer().is_header;
        buffer.events += 1;
        *buffer.types.entry(kind).or_default() += 1;
        buffer.end = (u64::from(event.buffer_offset()) + event.bytes().len() as u64).next_multiple_of(8);
        if let (Some(time), false) = (event.raw_time(), buffer.is_header) {
            buffer.time_min = Some(buffer.time_min.map_or(time, |least| least.min(time)));
            buffer.time_max = Some(buffer.time_max.map_or(time, |most| most.max(time)));
            if let Some(last) = buffer.last_time.replace(time) {
                let key = if last <= time {
                    "in-buffer nondecreasing"
                } else {
                    "in-buffer decreasing"
                };
                *self.numbers.entry(("in_buffer_order", key, None, 0, 0)).or_default() += 1;
            }
            let filetime = event.time().map(|time| time.0);
            self.filetime_min = self.filetime_min.or(filetime).min(filetime);
            self.filetime_max = self.filetime_max.max(filetime);
        }
        self.count(event, kind);
    }

    fn count(&mut self, event: &Event<'_>, kind: &'static str) {
        let header = event.header();
        let bytes = event.bytes();
        let mut add = |key: Key| *self.numbers.entry(key).or_default() += 1;
        add(("header_type_counts", kind, None, 0, 0));
        add(("markers", "", None, bytes[3].into(), bytes[2].into()));
        if let Some(hook_id) = header.hook_id() {
            add(("hookids", kind, None, hook_id, header.event_version().unwrap_or(u64::MAX)));
        }
        if let Some(class) = header.class_id() {
            add((
                "classic_guids",
                kind,
                Some(class),
                header.opcode().unwrap_or(u64::MAX),
                header.event_version().unwrap_or(u64::MAX),
            ));
        }
        if header.message_number().is_some() {
            add((
                "message_guids",
                "",
                header.provider_id(),
                header.component_id().unwrap_or(0),
                0,
            ));
            add((
                "message_flags",
                "",
                None,
                number(header.record(), "OptionFlags").unwrap_or(u64::MAX),
                0,
            ));
        } else if let Some(provider) = header.provider_id() {
            add(("providers", kind, Some(provider), 0, 0));
            add((
                "event_header_flags",
                "",
                None,
                number(header.record(), "Flags").unwrap_or(u64::MAX),
                0,
            ));
            add((
                "event_header_properties",
                "",
                None,
                number(header.record(), "EventProperty").unwrap_or(u64::MAX),
                0,
            ));
        }
        for item in event.extended_items() {
            let name = describe::item_name(&item);
            let (size, data) = (number(&item.header, "Reserved1").unwrap_or(0), item.data.len() as u64);
            add(("ext_types", name, None, item.item_type(), 0));
            add(("ext_sizes", name, None, data, 0));
            let rule = match data % 8 {
                0 if size == 8 + data => "('r1==8+ds', 'ds%8==0')",
                1.. if size == (8 + data).next_multiple_of(8) => "('r1==align8(8+ds)', 'ds%8!=0')",
                _ => "another size",
            };
            add(("ext_reserved1", rule, None, 0, 0));
            add((
                "ext_reserved2",
                "",
                None,
                number(&item.header, "Reserved2").unwrap_or(u64::MAX),
                0,
            ));
        }
    }

    /// Turns the counts into the names that the expected values use.
    fn name_counts(&mut self) {
        for ((group, kind, guid, a, b), count) in std::mem::take(&mut self.numbers) {
            let guid = guid.map(|guid| guid.to_string()).unwrap_or_default();
            let name = match group {
                "markers" => format!("{a:#04x}/{b:02x}"),
                "hookids" => format!("{kind} {a:#06x} v{b}"),
                "classic_guids" => format!("{kind} {guid} t{a} v{b}"),
                "providers" => format!("{kind} {guid}"),
                "message_guids" if guid.is_empty() => format!("component {a}"),
                "message_guids" => guid,
                "message_flags" | "event_header_flags" | "event_header_properties" => format!("{a:#06x}"),
                "ext_types" => format!("{kind}({a})"),
                "ext_sizes" => format!("{kind}:{a}"),
                "ext_reserved2" => a.to_string(),
                _ => kind.to_owned(),
            };
            *self.counts.entry(group.to_owned()).or_default().entry(name).or_default() += count;
        }
    }
}

fn described_places(golden: &Json) -> BTreeSet<(u64, u64)> {
    let examples = golden["example_per_type"].as_object().into_iter().flat_map(Map::values);
    let first = golden["first_events"].as_array().into_iter().flatten();
    first.chain(examples).chain([&golden["last_event"]]).map(place).collect()
}

/// Buffer and offset of an expected event.
pub(crate) fn place(event: &Json) -> (u64, u64) {
    (
        event["buffer"].as_u64().unwrap_or(u64::MAX),
        event["off_in_buffer"].as_u64().unwrap_or(u64::MAX),
    )
}
