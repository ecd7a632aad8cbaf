//! Schemas that real traces carry themselves, against what independent programs read with them.
//!
//! An independent walker decoded the TraceLogging events: counts, exact counts and first values must agree. How many events have
//! which schema, and how many of those are decoded to their last byte, is pinned below for all traces.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;

use serde_json::{Map, Value as Json, json};
use winetl::payload::TemplateRecord;
use winetl::payload::event_schema::SchemaSource;
use winetl::payload::schemas::{SchemaCounts, Schemas};
use winetl::payload::traits;
use winetl::record::{FieldInfo, FieldVisitor, Value};
use winetl::text::push_ansi;
use winetl::{Event, EventRoles as _, Order, TraceFile};
use winetl_tests::shared;

/// What a trace carries: manifests, their events, event information records, maps, TraceLogging schemas; and for each source of
/// schemas the events that have one, and those that its fields take all of.
type Pinned = (&'static str, [u64; 5], [[u64; 2]; 3]);

const PINNED: &[Pinned] = &[
    ("win10-1507-bond.etl", [1, 5, 0, 0, 0], [[0, 0], [0, 0], [11, 11]]),
    ("win10-1903-amsi.etl", [0, 0, 0, 0, 1], [[19, 19], [0, 0], [0, 0]]),
    ("win10-2004-lxcore.etl", [0, 0, 0, 0, 1], [[2, 2], [0, 0], [0, 0]]),
    (
        "win10-21h1-tracelogging-primitive-types.etl",
        [0, 0, 0, 0, 1],
        [[5, 5], [0, 0], [0, 0]],
    ),
    (
        "win11-21h2-compressed-selfdescribing.etl",
        [0, 0, 0, 0, 1],
        [[1, 1], [0, 0], [0, 0]],
    ),
    (
        "win11-21h2-compressed-vs-gc.etl",
        [79, 175, 32, 13, 0],
        [[0, 0], [20692, 20690], [246, 123]],
    ),
    (
        "win11-22h2-compressed-rpc-arrays.etl",
        [2, 24, 15, 2, 0],
        [[0, 0], [86, 86], [0, 0]],
    ),
    ("win11-23h2-waasmedic.etl", [0, 0, 0, 0, 2], [[17, 17], [0, 0], [0, 0]]),
    (
        "win11-23h2-windowsupdate-rotated.etl",
        [0, 0, 0, 0, 7],
        [[80, 80], [0, 0], [0, 0]],
    ),
    (
        "win11-24h2-xperf-tracelogging-43mb.etl",
        [0, 0, 10, 8, 7],
        [[70, 70], [47490, 47490], [0, 0]],
    ),
    ("win7-sp1-net45-x86-26mb.etl", [5, 47, 6, 1, 0], [[0, 0], [95, 95], [43, 41]]),
    (
        "win8-compressed-net452-x64.etl",
        [4, 163, 61, 24, 0],
        [[0, 0], [66394, 51411], [118, 116]],
    ),
    (
        "win8-compressed-net452-x86.etl",
        [4, 163, 61, 25, 0],
        [[0, 0], [39854, 34648], [119, 117]],
    ),
];

/// Events of which a schema leaves bytes, by provider and id, because the schema is wrong: that of the CLR says that a stack has
/// two frames, that of .NET 6 leaves out the arrays of structures, and PerfView writes four bytes more than its own says.
const WRONG_SCHEMAS: &[(&str, u64)] = &[
    ("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", 82),
    ("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", 205),
    ("a8a71ac1-040f-54a2-07ca-00a89b5ab761", 13),
];

#[test]
fn schemas_of_real_traces() {
    let Some(folder) = shared::folder() else { return };
    let mut differences = String::new();
    for entry in fs::read_dir(folder.join("samples")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".md") {
            continue;
        }
        let mut bytes = fs::read(&path).unwrap();
        if name.ends_with(".etlgz") {
            let packed = std::mem::take(&mut bytes);
            flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
        }
        let golden = fs::read(folder.join(format!("golden/payloads/{name}.json"))).unwrap();
        let golden: Json = serde_json::from_slice(&golden).unwrap();
        compare(&name, &bytes, &golden, &mut differences);
    }
    assert!(differences.is_empty(), "{differences}");
}

fn compare(name: &str, bytes: &[u8], golden: &Json, differences: &mut String) {
    let trace = TraceFile::from_bytes(bytes).unwrap();
    let mut schemas = Schemas::default();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        schemas.collect(&event);
    }
    schemas.finish();
    let mut seen = Seen::default();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        seen.see(&event, &mut schemas);
    }
    for note in schemas.notes() {
        writeln!(
            differences,
            "{name}: note: {} {:?} {}",
            note.provider, note.event, note.problem
        )
        .unwrap();
    }
    let SchemaCounts {
        manifests,
        manifest_events,
        event_infos,
        maps,
        tracelogging,
    } = schemas.counts();
    let counts = [manifests, manifest_events, event_infos, maps, tracelogging];
    let nothing = (name, [0; 5], [[0; 2]; 3]);
    let pinned = PINNED.iter().find(|pinned| pinned.0 == name).copied().unwrap_or(nothing);
    if (counts, seen.by_source) != (pinned.1, pinned.2) {
        writeln!(differences, "    (\"{name}\", {counts:?}, {:?}),", seen.by_source).unwrap();
    }
    for (key, count) in &seen.inexact {
        writeln!(differences, "{name}: {count} times {key}").unwrap();
    }
    let empty = Map::new();
    let golden = golden.get("self_describing").and_then(Json::as_object).unwrap_or(&empty);
    let keys = |map: &Map<String, Json>| map.keys().cloned().collect::<Vec<_>>();
    if seen.tracelogging.keys().cloned().collect::<Vec<_>>() != keys(golden) {
        writeln!(
            differences,
            "{name}: {:?} instead of {:?}",
            seen.tracelogging.keys(),
            keys(golden)
        )
        .unwrap();
    }
    for (key, found) in &seen.tracelogging {
        let wanted = &golden[key];
        let counts = json!([found.count, found.exact]);
        if counts != json!([wanted["count"], wanted["exact"]]) {
            writeln!(
                differences,
                "{name}: {key}: {counts}, golden {} {}",
                wanted["count"], wanted["exact"]
            )
            .unwrap();
        }
        for first in wanted["first"].as_array().unwrap() {
            let (index, fields) = (first["index"].as_u64().unwrap(), as_decoded(&first["fields"]));
            if found.fields.get(&index) != Some(&fields) {
                writeln!(
                    differences,
                    "{name}: {key}: {index}: {:?}, golden {fields}",
                    found.fields.get(&index)
                )
                .unwrap();
            }
        }
    }
}

#[derive(Default)]
struct Seen {
    tracelogging: BTreeMap<String, Found>,
    by_source: [[u64; 2]; 3],
    inexact: BTreeMap<String, u64>,
}

#[derive(Default)]
struct Found {
    count: u64,
    exact: u64,
    fields: BTreeMap<u64, Json>,
}

impl Seen {
    fn see(&mut self, event: &Event<'_>, schemas: &mut Schemas) {
        let candidates = schemas.find(event);
        let Some((schema, outcome)) = candidates.best(event) else {
            return;
        };
        let exact = outcome.short.is_none() && outcome.consumed == event.payload().len();
        let [all, decoded] = &mut self.by_source[match schema.source {
            SchemaSource::TraceLogging => 0,
            SchemaSource::TraceEventInfo => 1,
            SchemaSource::Manifest => 2,
        }];
        *all += 1;
        *decoded += u64::from(exact);
        let (provider, id) = (event.provider_id().unwrap().to_string(), event.header().event_id());
        let explained = WRONG_SCHEMAS.iter().any(|wrong| wrong.0 == provider && Some(wrong.1) == id);
        if !(exact || explained && outcome.short.is_none()) {
            let key = format!(
                "{provider} {id:?} {:?}: {outcome:?} of {}",
                schema.source,
                event.payload().len()
            );
            *self.inexact.entry(key).or_default() += 1;
        }
        if schema.source == SchemaSource::TraceLogging {
            let provider = traits::provider_name(event).unwrap_or_default();
            let name = schema.event_name.as_deref().unwrap_or_default();
            let key = format!("{} {provider}/{name}", event.provider_id().unwrap());
            let found = self.tracelogging.entry(key).or_default();
            found.count += 1;
            found.exact += u64::from(exact);
            if found.count <= 8 {
                found.fields.insert(
                    event.index(),
                    fields(&TemplateRecord::new(&schema.template, event.payload(), event.context())),
                );
            }
        }
    }
}

fn fields(record: &TemplateRecord<'_>) -> Json {
    let mut object = Object(Map::new());
    record.decode(&mut object);
    Json::Object(object.0)
}

struct Object(Map<String, Json>);

impl FieldVisitor for Object {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        self.0.insert(info.name.to_owned(), plain(value));
    }
}

/// A value as the walker printed it.
fn plain(value: Value<'_>) -> Json {
    match value {
        Value::Absent => Json::Null,
        Value::Unsigned(number) | Value::Address(number) => json!(number),
        Value::Signed(number) => json!(number),
        Value::Bool(value) => json!(value),
        Value::Float(number) => json!(number),
        Value::Guid(guid) => json!(guid.to_string()),
        Value::Filetime(time) => json!(time.to_string()),
        Value::Systemtime(bytes) => {
            let part = |at: usize| u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]);
            let date = format!("{:04}-{:02}-{:02}", part(0), part(1), part(3));
            json!(format!("{date}T{:02}:{:02}:{:02}.{:03}", part(4), part(5), part(6), part(7)))
        }
        Value::Utf16Bytes(bytes) => {
            let units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                .collect();
            json!(String::from_utf16_lossy(&units))
        }
        Value::Ansi(bytes) => {
            let mut text = String::new();
            push_ansi(bytes, &mut text);
            json!(text)
        }
        Value::Mapped(number, map) => json!(map.name_of(number)),
        Value::Record(record) => {
            let mut object = Object(Map::new());
            record.visit(&mut object);
            Json::Object(object.0)
        }
        Value::List(list) => {
            let mut elements = vec![];
            list.for_each(&mut |element| elements.push(plain(element)));
            Json::Array(elements)
        }
        _ => panic!("no such value in the traces"),
    }
}

/// The walker's values as ours: it prints arrays of characters one by one.
fn as_decoded(golden: &Json) -> Json {
    match golden {
        Json::Array(elements)
            if !elements.is_empty()
                && elements
                    .iter()
                    .all(|one| one.as_str().is_some_and(|text| text.chars().count() == 1)) =>
        {
            json!(elements.iter().filter_map(Json::as_str).collect::<String>())
        }
        Json::Array(elements) => elements.iter().map(as_decoded).collect(),
        Json::Object(fields) => Json::Object(fields.iter().map(|(name, value)| (name.clone(), as_decoded(value))).collect()),
        other => other.clone(),
    }
}
