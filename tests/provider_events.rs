//! Events of providers that the schema describes: against what traces say of them themselves, against the figures of an independent
//! reader, and what they are not taken for.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::fields;
use serde_json::Value as Json;
use winetl::format::events::PROVIDER_EVENTS;
use winetl::payload::TemplateRecord;
use winetl::payload::decoded::{DecodedBy, Undecoded};
use winetl::payload::schemas::Schemas;
use winetl::{Event, EventRoles as _, Limits, Order, TraceFile};
use winetl_cli::interpret::SchemaInterpreter;
use winetl_codegen::{SourceSet, compile, has_errors};
use winetl_tests::shared;
use winetl_tests::synth::{self, Buffer, Descriptor, Guid, Item, TlSchema, Trace, guid};

/// Provider, number and version.
type Key = (String, u64, u64);

/// What is found of the events of one version.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    count: u64,
    /// Read to the last byte.
    exact: u64,
    /// The same values as by the schema that the trace carries.
    same: u64,
}

/// All traces with events of these providers.
const TRACES: &[&str] = &[
    "win7-rtm-process.etl",
    "win7-sp1-kernel-network.etl",
    "win7-sp1-net45-x86-26mb.etl",
    "win8-compressed-net452-x64.etl",
    "win8-compressed-net452-x86.etl",
];

fn look(path: &Path, found: &mut BTreeMap<Key, Found>) {
    let bytes = fs::read(path).unwrap();
    let trace = TraceFile::new(bytes.as_slice(), Limits::default()).unwrap();
    let mut schemas = Schemas::default();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        schemas.collect(&event);
    }
    schemas.finish();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        let Some(info) = event.info().filter(|info| info.event_id.is_some()) else {
            continue;
        };
        let header = event.header();
        let key = (
            event.provider_id().unwrap().to_string(),
            header.event_id().unwrap(),
            header.event_version().unwrap(),
        );
        let found = found.entry(key.clone()).or_default();
        found.count += 1;
        assert_eq!(event.class_id(), None, "{key:?}");
        let Some(record) = event.payload_record() else { continue };
        let outcome = record.measure();
        found.exact += u64::from(outcome.short.is_none() && outcome.consumed == event.payload().len());
        let Some((schema, outcome)) = schemas.find(&event).best(&event) else {
            continue;
        };
        assert_eq!((outcome.short, outcome.consumed), (None, event.payload().len()), "{key:?}");
        let theirs = TemplateRecord::new(&schema.template, event.payload(), event.context());
        assert_eq!(fields(record.record()), fields(&theirs), "{key:?}");
        let name = [&schema.task_name, &schema.opcode_name].map(|name| name.as_deref().unwrap_or_default());
        assert_eq!(info.name, name.join("/"), "{key:?}");
        let decoded = schemas.decode(&event);
        assert_eq!(
            (decoded.source, decoded.undecoded),
            (Some(DecodedBy::Schema), None),
            "{key:?}"
        );
        found.same += 1;
    }
}

/// Names of fields as the other reader has them, and how many events it decoded to the last byte, by the best schema it had.
fn reference(folder: &Path) -> BTreeMap<Key, (Vec<String>, u64)> {
    let text = fs::read(folder.join("reference/manifest_events.json")).unwrap();
    let all: Vec<Json> = serde_json::from_slice(&text).unwrap();
    let mut best = BTreeMap::<Key, (Vec<String>, u64)>::new();
    for event in all {
        let number = |name: &str| event[name].as_u64().unwrap();
        let key = (event["guid"].as_str().unwrap().to_owned(), number("id"), number("version"));
        let names = event["fields"].as_array().unwrap().iter();
        let names = names.map(|field| field["name"].as_str().unwrap().to_owned()).collect();
        let entry = best.entry(key).or_default();
        if entry.1 < number("exact") {
            *entry = (names, number("exact"));
        }
    }
    best
}

#[test]
fn real_events_read_as_the_traces_and_another_reader_say() {
    let Some(shared) = shared::folder() else { return };
    let mut found = BTreeMap::new();
    for name in TRACES {
        look(&shared.join("samples").join(name), &mut found);
    }
    let reference = reference(&shared);
    let mut compared = 0;
    for event in &PROVIDER_EVENTS {
        for version in event.versions {
            let key = (
                event.class_id.to_string(),
                u64::from(event.event_id.unwrap()),
                u64::from(version.version),
            );
            let winetl::dispatch::PayloadLayout::Template(template) = &version.payload else {
                panic!("{key:?} has no template")
            };
            let names: Vec<String> = template
                .fields()
                .iter()
                .map(|field| field.name.clone().into_owned())
                .collect();
            let (expected, exact) = &reference[&key];
            assert_eq!(&names, expected, "{key:?}");
            let found = &found[&key];
            assert_eq!((found.count, found.exact), (*exact, *exact), "{key:?}");
            compared += found.same;
        }
    }
    // Windows itself describes these in two traces of Windows 8 and one of Windows 7.
    assert_eq!(compared, 112 + 102 + 37 + 2 + 2 + 2);
    assert_eq!(
        found.len(),
        PROVIDER_EVENTS.iter().map(|event| event.versions.len()).sum::<usize>()
    );
}

const KERNEL_PROCESS: Guid = guid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
const BILLING: Guid = guid("b1111111-0001-4b00-8d00-0000000c0de5");

/// OldPriority 8 and NewPriority 7 of a thread, in the layout of numbers 7 to 10.
const PRIORITY: [u8; 10] = [0xE8, 0x16, 0, 0, 0xB0, 0x19, 0, 0, 8, 7];

fn event(provider: Guid, id: u16, version: u8, payload: &[u8]) -> synth::Event {
    let descriptor = Descriptor {
        id,
        version,
        ..Descriptor::default()
    };
    synth::Event::header64(provider, descriptor)
        .process(4120, 4124)
        .at(Trace::qpc(50))
        .payload(payload)
}

fn trace_of(events: impl IntoIterator<Item = synth::Event>) -> Vec<u8> {
    let buffer = events.into_iter().fold(Buffer::new(0, 1), Buffer::event);
    Trace::new64().buffer(buffer).build()
}

/// Name, provider, and fields or why there are none, of each event that is not the kernel's.
/// Name of the event, that of its provider, and its fields or why there are none.
type Reading = (Option<&'static str>, Option<String>, Result<Json, Undecoded>);

fn read(trace: &TraceFile<&[u8]>) -> Vec<Reading> {
    let mut schemas = Schemas::default();
    let mut all = Vec::new();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        if event.header().hook_id().is_some() {
            continue;
        }
        schemas.collect(&event);
        all.push(describe(&event, &mut schemas));
    }
    all
}

fn describe(event: &Event<'_>, schemas: &mut Schemas) -> (Option<&'static str>, Option<String>, Result<Json, Undecoded>) {
    let decoded = schemas.decode(event);
    let values = match (decoded.undecoded, &decoded.record) {
        (None, Some(record)) => Ok(Json::Object(fields(record.record()))),
        (reason, _) => Err(reason.unwrap()),
    };
    let provider = decoded.provider_name(event).map(|name| name.into_owned());
    (event.info().map(|info| info.name), provider, values)
}

#[test]
fn other_versions_are_read_only_if_all_fits() {
    let longer = [&PRIORITY[..], &[0]].concat();
    let trace = trace_of([
        event(KERNEL_PROCESS, 7, 0, &PRIORITY),
        event(KERNEL_PROCESS, 7, 1, &PRIORITY),
        event(KERNEL_PROCESS, 7, 1, &longer),
        event(KERNEL_PROCESS, 7, 0, &longer),
        event(KERNEL_PROCESS, 7, 0, &PRIORITY[..9]),
        event(KERNEL_PROCESS, 7, 1, &PRIORITY[..9]),
    ]);
    let trace = TraceFile::new(trace.as_slice(), Limits::default()).unwrap();
    let values: Vec<_> = read(&trace)
        .into_iter()
        .map(|(_, _, values)| values.map(|values| values["NewPriority"].as_u64()))
        .collect();
    assert_eq!(
        values,
        [
            Ok(Some(7)),
            Ok(Some(7)),
            Err(Undecoded::NoSchema),
            Err(Undecoded::TrailingBytes),
            Err(Undecoded::TooShort),
            Err(Undecoded::NoSchema),
        ]
    );
}

#[test]
fn numbers_of_tracelogging_events_say_nothing() {
    let schema = TlSchema::new("Mine").field("small", TlSchema::U8);
    let trace = trace_of([event(KERNEL_PROCESS, 7, 0, &[5]).item(Item::schema_tl(&schema))]);
    let trace = TraceFile::new(trace.as_slice(), Limits::default()).unwrap();
    let found = read(&trace);
    assert_eq!(found[0].0, None);
    assert_eq!(found[0].2.as_ref().unwrap()["small"], 5);
}

/// The shipped schema with a file more.
fn with_file(text: &str) -> &'static SchemaInterpreter {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                files(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let mut found = Vec::new();
    files(&root, &mut found);
    let mut texts: Vec<(String, String)> = found
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    texts.push(("billing.yaml".to_owned(), text.to_owned()));
    texts.sort();
    let texts = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let (schema, problems) = compile(&SourceSet::from_texts("schema", texts));
    assert!(!has_errors(&problems), "{problems:#?}");
    SchemaInterpreter::new(schema).unwrap()
}

const OWN: &str = r#"title: Billing
sources:
  - {id: code, kind: observed, title: "Source code of the billing service"}
providers:
  - id: "b1111111-0001-4b00-8d00-0000000c0de5"
    name: Contoso-Billing
    doc: Bills and what becomes of them.
    sources: [code]
    layouts:
      - {name: Line_V1, fields: [{name: Article, type: u16}, {name: Price, type: u32}]}
      - name: Invoice_V1
        fields:
          - {name: Number, type: u32}
          - {name: Lines, type: u16}
          - {name: Items, type: Line_V1, count: Lines}
      - name: Invoice_V2
        extends: Invoice_V1
        fields:
          - {name: Customer, type: utf16z}
    events:
      - {id: 1, name: InvoiceCreated, doc: "A bill is made.", versions: [{version: 1, layout: Invoice_V1}, {version: 2, layout: Invoice_V2}]}
      - {id: 2, name: Idle, versions: [{version: 0}]}
      - {id: 0, name: Heartbeat}
"#;

#[test]
fn an_own_provider_is_read_without_a_rebuild() {
    let invoice: &[u8] = &[9, 0, 0, 0, 2, 0, 1, 0, 10, 0, 0, 0, 2, 0, 20, 0, 0, 0];
    let named = [invoice, b"A\0B\0\0\0"].concat();
    let bytes = trace_of([
        event(BILLING, 1, 1, invoice),
        event(BILLING, 1, 2, &named),
        // Of a newer version, and no layout takes all of it.
        event(BILLING, 1, 3, &[&named[..], &[1, 2]].concat()),
        event(BILLING, 2, 0, &[]),
        event(BILLING, 0, 0, &[1]),
        event(BILLING, 4, 0, &[1]),
    ]);
    let built_in = TraceFile::new(bytes.as_slice(), Limits::default()).unwrap();
    assert!(
        read(&built_in)
            .iter()
            .all(|(name, provider, _)| name.is_none() && provider.is_none())
    );
    let trace = TraceFile::with_interpreter(bytes.as_slice(), Limits::default(), with_file(OWN)).unwrap();
    let found = read(&trace);
    assert!(
        found
            .iter()
            .all(|(_, provider, _)| provider.as_deref() == Some("Contoso-Billing"))
    );
    let names: Vec<_> = found.iter().map(|(name, ..)| name.unwrap_or("?")).collect();
    assert_eq!(
        names,
        ["InvoiceCreated", "InvoiceCreated", "InvoiceCreated", "Idle", "Heartbeat", "?"]
    );
    let [first, second, third, idle, heartbeat, unknown] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&first.2.as_ref().unwrap()["Number"], &first.2.as_ref().unwrap()["Lines"]),
        (&9.into(), &2.into())
    );
    assert_eq!(second.2.as_ref().unwrap()["Customer"], "AB");
    assert_eq!(idle.2.as_ref().unwrap(), &serde_json::json!({}));
    for undecoded in [third, heartbeat, unknown] {
        assert_eq!(undecoded.2, Err(Undecoded::NoSchema));
    }
}
