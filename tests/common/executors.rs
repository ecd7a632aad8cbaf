//! The comparison of both executors: generated parsers and the interpreter of the same schema. The fuzz target `executors` has it too.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::OnceLock;

use winetl::dispatch::{EventInfo, PayloadLayout};
use winetl::format::events::{EVENTS, PROVIDER_EVENTS};
use winetl::format::structures::STRUCTURES;
use winetl::payload::{Outcome, PayloadRecord, TemplateRecord};
use winetl::record::Record;
use winetl::{Context, Error, Event, EventRoles as _, Interpreter as _, LayoutError, Limits, Order, TraceFile};
use winetl_cli::interpret::SchemaInterpreter;
use winetl_codegen::{SourceSet, compile, has_errors};

use crate::common::fields;

/// The interpreter of the schema in the folder `schema` at the top of the checkout, which is `up` from the package.
pub(crate) fn interpreter(up: &str) -> &'static SchemaInterpreter {
    static INTERPRETER: OnceLock<&'static SchemaInterpreter> = OnceLock::new();
    INTERPRETER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(up).join("schema");
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

/// Both must read the same of a trace, and of bytes that are none.
pub(crate) fn same_trace(name: &str, bytes: &[u8], interpreter: &'static SchemaInterpreter) {
    let generated = TraceFile::new(bytes, Limits::default());
    let interpreted = TraceFile::with_interpreter(bytes, Limits::default(), interpreter);
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

/// Both pointer sizes, and the two versions of the format that conditions ask for.
pub(crate) fn contexts() -> impl Iterator<Item = Context> {
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

/// Both must read the same as each structure from bytes that `bytes` gives; how many could be read.
pub(crate) fn same_structures(
    context: Context,
    interpreter: &'static SchemaInterpreter,
    mut bytes: impl FnMut() -> Vec<u8>,
) -> usize {
    let mut sound = 0;
    for (info, read) in &STRUCTURES {
        let bytes = bytes();
        let ours =
            read(&bytes, context).map(|(record, used)| (serde_json::Value::Object(fields(record.as_ref())).to_string(), used));
        let theirs = outcome(interpreter.read_named(info.name, &bytes, context).unwrap());
        sound += usize::from(ours.is_ok());
        assert_eq!(ours, theirs, "{} of {bytes:02x?} as {context:?}", info.name);
    }
    sound
}

fn measured(record: &PayloadRecord<'_>) -> (String, Outcome) {
    (
        serde_json::Value::Object(fields(record.record())).to_string(),
        record.measure(),
    )
}

/// What the interpreter knows of an event.
fn interpreted(event: &EventInfo, interpreter: &'static SchemaInterpreter) -> &'static EventInfo {
    let theirs = match (event.hook_id, event.event_id) {
        (Some(hook_id), _) => interpreter.kernel_event(hook_id),
        (None, Some(id)) => interpreter.provider_event(event.class_id, id.into()),
        (None, None) => interpreter.classic_event(event.class_id, u64::from(event.opcode)),
    };
    theirs.unwrap_or_else(|| panic!("{} is not known", event.name))
}

/// Both must know the same of each event, and read the same as each of its versions from bytes that `bytes` gives; how many payloads
/// of classes and of providers could be read to their end.
pub(crate) fn same_payloads(
    context: Context,
    interpreter: &'static SchemaInterpreter,
    mut bytes: impl FnMut() -> Vec<u8>,
) -> (usize, usize) {
    let (mut of_classes, mut of_providers) = (0, 0);
    for event in EVENTS.iter().chain(&PROVIDER_EVENTS) {
        let theirs = interpreted(event, interpreter);
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
            let bytes = bytes();
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
            let complete = usize::from(ours.as_ref().is_some_and(|(_, outcome)| outcome.short.is_none()));
            match event.event_id {
                Some(_) => of_providers += complete,
                None => of_classes += complete,
            }
            assert_eq!(ours, theirs, "{} version {} of {bytes:02x?}", event.name, our.version);
        }
    }
    (of_classes, of_providers)
}

/// What the fuzz target does: the bytes as a trace, as each structure and as the payload of each event.
pub(crate) fn same_input(bytes: &[u8], interpreter: &'static SchemaInterpreter) {
    same_trace("the input", bytes, interpreter);
    // Longer structures and payloads only repeat what shorter ones do.
    let Some(short) = bytes.get(..bytes.len().min(4096)) else {
        return;
    };
    for context in contexts() {
        same_structures(context, interpreter, || short.to_vec());
        same_payloads(context, interpreter, || short.to_vec());
    }
}
