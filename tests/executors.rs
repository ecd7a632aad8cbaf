//! The generated parsers and the interpreter of the same schema must read the same: every field of every structure, from samples,
//! real traces and random bytes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

use common::fields;
use winetl::dispatch::PayloadLayout;
use winetl::format::events::{EVENTS, PROVIDER_EVENTS};
use winetl::format::structures::STRUCTURES;
use winetl::payload::{Outcome, PayloadRecord, TemplateRecord};
use winetl::record::Record;
use winetl::{Context, Error, Event, EventRoles as _, Interpreter as _, LayoutError, Limits, Order, TraceFile};
use winetl_cli::interpret::SchemaInterpreter;
use winetl_codegen::{SourceSet, compile, has_errors};
use winetl_tests::shared;

fn interpreter() -> &'static SchemaInterpreter {
    static INTERPRETER: OnceLock<&'static SchemaInterpreter> = OnceLock::new();
    INTERPRETER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
        let (schema, problems) = compile(&SourceSet::read(&folder).unwrap());
        assert!(!has_errors(&problems));
        SchemaInterpreter::new(schema).unwrap()
    })
}

/// Everything that the two could read differently of an event.
fn describe(event: &Event<'_>, text: &mut String) {
    text.clear();
    let header = event.header();
    write!(
        text,
        "{} {} at {:#x} in {}: {:?} {:?} {:?} {:?}\n{}",
        event.index(),
        event.case().name,
        event.buffer_offset(),
        event.buffer().index,
        event.context(),
        event.time(),
        (event.provider_id(), header.level_entry(), header.opcode_entry()),
        (event.class_id(), event.provider()),
        serde_json::Value::Object(fields(header.record())),
    )
    .unwrap();
    for item in event.extended_items() {
        let data = item.decode().map(|read| read.map(|item| fields(item.record())));
        write!(
            text,
            "\n{:?} {:?} {:?}: {data:?}",
            item.type_name(),
            fields(&item.header),
            item.data
        )
        .unwrap();
    }
    let name = event.info().map(|info| info.name);
    let payload = event
        .payload_record()
        .map(|record| (fields(record.record()), record.measure()));
    write!(text, "\n{name:?}: {payload:?}").unwrap();
}

fn same_readings(path: &Path) {
    let name = path.display();
    let bytes = read_file(path);
    let generated = TraceFile::new(bytes.as_slice(), Limits::default());
    let interpreted = TraceFile::with_interpreter(bytes.as_slice(), Limits::default(), interpreter());
    let (generated, interpreted) = match (generated, interpreted) {
        (Ok(generated), Ok(interpreted)) => (generated, interpreted),
        (generated, interpreted) => {
            let problem = |read: Result<TraceFile<&[u8]>, Error>| read.map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(problem(generated), problem(interpreted), "{name}");
            return;
        }
    };
    assert_eq!(
        fields(&generated.logfile().header),
        fields(&interpreted.logfile().header),
        "{name}"
    );
    let buffers = |trace: &TraceFile<&[u8]>| -> Vec<_> {
        let buffers = trace.buffers();
        buffers
            .map(|buffer| (buffer.offset, buffer.stored, buffer.filled, fields(&buffer.header)))
            .collect()
    };
    assert_eq!(buffers(&generated), buffers(&interpreted), "{name}");
    let (mut ours, mut theirs) = (generated.events(Order::File), interpreted.events(Order::File));
    let (mut our_text, mut their_text) = (String::new(), String::new());
    loop {
        match (ours.next(), theirs.next()) {
            (Some(our), Some(their)) => {
                describe(&our, &mut our_text);
                describe(&their, &mut their_text);
                assert_eq!(our_text, their_text, "{name}");
            }
            (None, None) => break,
            (our, _) => panic!("{name}: one has more events: {:?}", our.map(|event| event.index())),
        }
    }
    assert_eq!(format!("{:?}", ours.report()), format!("{:?}", theirs.report()), "{name}");
}

/// The bytes of a trace, decompressed if it is one of those that are kept as gzip.
fn read_file(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return bytes;
    }
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(bytes.as_slice()), &mut plain).unwrap();
    plain
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "etl" || extension == "etlgz")
        })
        .collect();
    files.sort();
    files
}

#[test]
fn samples_read_the_same() {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("samples"));
    assert!(files.len() >= 150, "{} samples", files.len());
    files.iter().for_each(|path| same_readings(path));
}

#[test]
fn real_traces_read_the_same() {
    let Some(shared) = shared::folder() else { return };
    let files = files(&shared.join("samples"));
    assert!(files.len() >= 38, "{} traces", files.len());
    let half = files.len() / 2;
    thread::scope(|scope| {
        // The largest are the last by name in both halves.
        for part in [files.get(..half), files.get(half..)] {
            scope.spawn(move || part.unwrap().iter().for_each(|path| same_readings(path)));
        }
    });
}

/// A small generator of numbers, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Bytes of which many are small: counts and sizes that fit are then not rare.
    fn bytes(&mut self) -> Vec<u8> {
        let count = self.next() % 400;
        (0..count)
            .map(|_| match self.next() % 4 {
                0 => 0,
                1 => (self.next() % 8) as u8,
                _ => self.next() as u8,
            })
            .collect()
    }
}

/// Both pointer sizes, and the two versions of the format that conditions ask for.
fn contexts() -> impl Iterator<Item = Context> {
    [4, 8].into_iter().flat_map(|pointer_size| {
        [0x0100, 0x0105].into_iter().map(move |log_version| Context {
            pointer_size,
            log_version,
        })
    })
}

type Read<R> = Result<(R, usize), LayoutError>;

fn outcome<R: Record>(read: Read<R>) -> Result<(String, usize), LayoutError> {
    read.map(|(record, used)| (serde_json::Value::Object(fields(&record)).to_string(), used))
}

#[test]
fn structures_of_random_bytes_are_the_same() {
    let mut random = Random(0x5EED_0001);
    let mut sound = 0;
    for (info, read) in &STRUCTURES {
        for context in contexts() {
            for _ in 0..60 {
                let bytes = random.bytes();
                let ours = read(&bytes, context)
                    .map(|(record, used)| (serde_json::Value::Object(fields(record.as_ref())).to_string(), used));
                let theirs = outcome(interpreter().read_named(info.name, &bytes, context).unwrap());
                sound += usize::from(ours.is_ok());
                assert_eq!(ours, theirs, "{} of {bytes:02x?} as {context:?}", info.name);
            }
        }
    }
    // The comparison means something only if much of it is about values.
    assert!(sound > 1000, "only {sound} structures could be read");
}

fn measured(record: &PayloadRecord<'_>) -> (String, Outcome) {
    (
        serde_json::Value::Object(fields(record.record())).to_string(),
        record.measure(),
    )
}

#[test]
fn payloads_of_random_bytes_are_the_same() {
    let mut random = Random(0x5EED_0002);
    let mut exact = 0;
    let mut of_providers = 0;
    for event in EVENTS.iter().chain(&PROVIDER_EVENTS) {
        let theirs = match (event.hook_id, event.event_id) {
            (Some(hook_id), _) => interpreter().kernel_event(hook_id),
            (None, Some(id)) => interpreter().provider_event(event.class_id, id.into()),
            (None, None) => interpreter().classic_event(event.class_id, u64::from(event.opcode)),
        };
        let theirs = theirs.unwrap_or_else(|| panic!("{} is not known", event.name));
        assert_eq!(
            (event.name, event.doc, event.versions.len(), event.event_id, event.class_id),
            (
                theirs.name,
                theirs.doc,
                theirs.versions.len(),
                theirs.event_id,
                theirs.class_id
            )
        );
        for (our, their) in event.versions.iter().zip(theirs.versions) {
            assert_eq!(
                (our.version, our.pointer_size),
                (their.version, their.pointer_size),
                "{}",
                event.name
            );
            let PayloadLayout::Interpreted(_, reader) = &their.payload else {
                panic!("{} is not interpreted", event.name)
            };
            for context in contexts().filter(|context| context.log_version == 0x0105) {
                for _ in 0..12 {
                    let bytes = random.bytes();
                    let ours = match &our.payload {
                        PayloadLayout::Template(template) => {
                            Some(PayloadRecord::Template(TemplateRecord::new(template, &bytes, context)))
                        }
                        PayloadLayout::Structure(_, read) => read(&bytes, context)
                            .ok()
                            .map(|(record, consumed)| PayloadRecord::Structure(record, Outcome { consumed, short: None })),
                        PayloadLayout::Interpreted(..) => panic!("{} is not generated", event.name),
                    };
                    let ours = ours.as_ref().map(measured);
                    let theirs = reader
                        .interpret(&bytes, context)
                        .map(|(record, outcome)| (serde_json::Value::Object(fields(&record)).to_string(), outcome));
                    let complete = ours.as_ref().is_some_and(|(_, outcome)| outcome.short.is_none());
                    exact += usize::from(complete);
                    of_providers += usize::from(complete && event.event_id.is_some());
                    assert_eq!(ours, theirs, "{} version {} of {bytes:02x?}", event.name, our.version);
                }
            }
        }
    }
    assert!(exact > 1000, "only {exact} payloads could be read to their end");
    assert!(of_providers > 100, "only {of_providers} of them are of providers");
}
