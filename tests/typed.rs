//! Typed events against the templates of the same layouts: both readings give the same fields and take the same bytes, on every
//! event of the real traces and the samples, on the vectors of the schema, on every cut of a payload and on bytes without sense.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use winetl::dispatch::{EventInfo, EventVersion, PayloadLayout};
use winetl::format::events::EVENTS;
use winetl::payload::TemplateRecord;
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::text::{push_utf16, push_utf16_bytes, sid_text};
use winetl::{Context, EventRoles as _, Limits, Order, TraceFile};
use winetl_tests::shared;

/// Name, kind and value of each field.
fn fields(record: &dyn Record) -> Vec<(String, String)> {
    let mut all = All(vec![]);
    record.visit(&mut all);
    all.0
}

struct All(Vec<(String, String)>);

impl FieldVisitor for All {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        self.0.push((format!("{} {}", info.name, info.hex), text(value)));
    }
}

/// Kind and value. Owned and borrowed text are the same kind.
fn text(value: Value<'_>) -> String {
    let mut out = String::new();
    match value {
        Value::Absent => "absent".to_owned(),
        Value::Unsigned(number) => format!("unsigned {number}"),
        Value::Signed(number) => format!("signed {number}"),
        Value::Guid(guid) => format!("guid {guid}"),
        Value::Filetime(time) => format!("filetime {}", time.0),
        Value::Enum(number, entry) => format!("enum {number} {:?}", entry.map(|entry| entry.name)),
        Value::Flags(number, table) => format!("flags {number} {}", table.name),
        Value::Bytes(bytes) => format!("bytes {bytes:?}"),
        Value::Ansi(bytes) => format!("ansi {bytes:?}"),
        Value::Utf16(units) => {
            push_utf16(units, &mut out);
            format!("utf16 {out:?}")
        }
        Value::Utf16Bytes(bytes) => {
            push_utf16_bytes(bytes, &mut out);
            format!("utf16 {out:?}")
        }
        Value::Sid(sid) => format!("sid {sid}"),
        Value::SidBytes(bytes) => format!("sid {}", sid_text(bytes)),
        Value::Address(number) => format!("address {number}"),
        Value::Float(number) => format!("float {:#x}", number.to_bits()),
        Value::Bool(truth) => format!("bool {truth}"),
        Value::Ipv4(bytes) => format!("ipv4 {bytes:?}"),
        Value::Ipv6(bytes) => format!("ipv6 {bytes:?}"),
        Value::Record(record) => format!("record {:?}", fields(record)),
        Value::List(list) => {
            let mut elements = vec![];
            list.for_each(&mut |value| elements.push(text(value)));
            format!("list {} {elements:?}", list.len())
        }
        Value::Systemtime(_) | Value::SocketAddress(_) | Value::Mapped(..) => panic!("no schema file has it"),
    }
}

/// Compares both readings of a payload; says whether it was all there.
fn compare(name: &str, version: &EventVersion, payload: &[u8], context: Context) -> bool {
    let PayloadLayout::Template(template) = &version.payload else {
        panic!("{name}: no template");
    };
    let read = version.typed.unwrap();
    let record = TemplateRecord::new(template, payload, context);
    let outcome = record.measure();
    match (read(payload, context), outcome.short) {
        (Ok((event, used)), None) => {
            assert_eq!(used, outcome.consumed, "{name}: bytes read of {payload:02x?}");
            assert_eq!(fields(event.record()), fields(&record), "{name}: fields of {payload:02x?}");
            true
        }
        (Err(error), Some(short)) => {
            // No typed layout of the schema has another one in it, so the field is one of its own.
            assert_eq!(error.field, template.fields()[short].name, "{name}: {error}");
            assert_eq!(error.available, payload.len());
            false
        }
        (typed, short) => panic!(
            "{name}: {:?} and {short:?} of {payload:02x?}",
            typed.map(|(_, used)| used).map_err(|error| error.to_string())
        ),
    }
}

fn contexts() -> [Context; 2] {
    [4, 8].map(|pointer_size| Context::default().with_pointer_size(pointer_size))
}

fn typed_versions() -> impl Iterator<Item = (&'static EventInfo, &'static EventVersion)> {
    EVENTS
        .iter()
        .flat_map(|event| event.versions.iter().map(move |version| (event, version)))
        .filter(|(_, version)| version.typed.is_some())
}

#[test]
fn every_marked_event_is_typed() {
    let sources = winetl_codegen::SourceSet::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")).unwrap();
    let (schema, _) = winetl_codegen::compile(&sources);
    let mut compared = 0;
    for event in schema.classes.iter().flat_map(|class| &class.events) {
        let info = EVENTS.iter().find(|info| info.name == event.name).unwrap();
        assert_eq!(info.versions.len(), event.versions.len());
        for (version, of_schema) in info.versions.iter().zip(&event.versions) {
            assert_eq!(version.typed.is_some(), event.typed, "{}", event.name);
            for vector in of_schema.vectors.iter().filter(|_| event.typed) {
                let context = Context {
                    pointer_size: u8::try_from(vector.context.pointer_size).unwrap(),
                    log_version: vector.context.log_version.try_into().unwrap(),
                };
                for length in 0..=vector.bytes.len() {
                    let whole = compare(info.name, version, &vector.bytes[..length], context);
                    assert!(
                        whole || length < vector.bytes.len(),
                        "{}: its vector does not fit",
                        event.name
                    );
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "only {compared} vectors of typed events");
    assert!(typed_versions().count() > 100);
}

/// Numbers without sense, the same ones every time (xorshift).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Bytes of which many are zero or small, so that texts end and counts fit.
    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length)
            .map(|_| match self.next() % 4 {
                0 => 0,
                1 => self.next().to_le_bytes()[0] % 4,
                _ => self.next().to_le_bytes()[0],
            })
            .collect()
    }
}

#[test]
fn bytes_without_sense() {
    let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
    let mut whole = 0;
    for (event, version) in typed_versions() {
        for context in contexts() {
            for length in 0..160 {
                whole += u32::from(compare(event.name, version, &noise.bytes(length), context));
            }
        }
    }
    assert!(whole > 10_000, "only {whole} payloads were whole");
}

/// Compares all events of a trace, and every cut of the first payload of each kind. Gives the number of typed events.
fn compare_trace(bytes: &[u8], kinds: &mut BTreeMap<(&'static str, u8, u8), u64>) -> u64 {
    let trace = TraceFile::new(bytes, Limits::default()).unwrap();
    let mut events = trace.events(Order::File);
    let mut count = 0;
    while let Some(event) = events.next() {
        let version = event.header().event_version().unwrap_or(0);
        let known = event
            .info()
            .and_then(|info| Some((info, info.version(version, event.context().pointer_size)?)));
        let Some((info, version)) = known.filter(|(_, version)| version.typed.is_some()) else {
            assert!(event.typed().is_none());
            continue;
        };
        count += 1;
        let whole = compare(info.name, version, event.payload(), event.context());
        assert_eq!(event.typed().unwrap().is_ok(), whole);
        let seen = kinds
            .entry((info.name, version.version, event.context().pointer_size))
            .or_default();
        *seen += 1;
        if *seen == 1 {
            for length in 0..event.payload().len() {
                compare(info.name, version, &event.payload()[..length], event.context());
            }
        }
    }
    count
}

#[test]
fn samples() {
    let mut kinds = BTreeMap::new();
    let mut files = 0;
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "etl") {
            let bytes = fs::read(&path).unwrap();
            // Some samples show files that are no traces.
            if TraceFile::new(bytes.as_slice(), Limits::default()).is_ok() {
                compare_trace(&bytes, &mut kinds);
                files += 1;
            }
        }
    }
    assert!(files > 20, "only {files} samples");
}

#[test]
fn real_traces() {
    let Some(shared) = shared::folder() else { return };
    let mut kinds = BTreeMap::new();
    let mut count = 0;
    let mut files = 0;
    for entry in fs::read_dir(shared.join("samples")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = match path.extension().and_then(|extension| extension.to_str()) {
            Some("etl") => fs::read(&path).unwrap(),
            Some("etlgz") => {
                let mut bytes = vec![];
                flate2::read::GzDecoder::new(fs::File::open(&path).unwrap())
                    .read_to_end(&mut bytes)
                    .unwrap();
                bytes
            }
            _ => continue,
        };
        count += compare_trace(&bytes, &mut kinds);
        files += 1;
    }
    assert!(files > 30, "only {files} traces");
    assert!(
        count > 10_000 && kinds.len() > 30,
        "only {count} typed events of {} kinds",
        kinds.len()
    );
}
