//! `winetl explain`: what a byte of a file is, or every byte of an event.
//!
//! ```text
//! locate (buffer, event, gap) -> event, template (parts of an event) -> tree (fields with their bytes) -> report, json
//!                                                                                                \-> hex (rows of bytes)
//! ```
//!
//! Bytes are read by the interpreter, over the schema of a folder or the one that is built in, so no place is known here. One
//! buffer is in memory at a time.

mod event;
mod hex;
mod json;
mod locate;
mod place;
mod report;
mod template;
mod tree;

use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use winetl_codegen::{SourceSet, compile};

use super::{Streams, schema};
use crate::args::{Explain, ReportFormat};
use crate::interpret::SchemaInterpreter;
use tree::{Node, Section};

/// What there is to say.
#[derive(Debug)]
struct Explanation {
    file: String,
    file_size: u64,
    /// The byte that was asked for; none if a whole event was.
    byte: Option<u64>,
    /// How the bytes of the sections are counted.
    space: Space,
    buffer: Option<BufferFacts>,
    event: Option<EventFacts>,
    sections: Vec<Section>,
    /// Bytes to show, and where they begin.
    bytes: Vec<u8>,
    start: u64,
}

/// What bytes are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    /// The start of the file.
    File,
    /// The start of a buffer, with where it lies in the file and how many of its bytes stand there as they are.
    Buffer { number: u64, offset: u64, plain: u64 },
}

impl Space {
    /// Where a byte stands in the file, if it does.
    fn in_file(self, at: u64) -> Option<u64> {
        match self {
            Self::File => Some(at),
            Self::Buffer { offset, plain, .. } => (at < plain).then(|| offset + at),
        }
    }

    /// The byte as it is named on the command line.
    fn address(self, at: u64) -> String {
        match (self.in_file(at), self) {
            (None, Self::Buffer { number, .. }) => format!("{number}:{at:#x}"),
            (at_file, _) => format!("{:#x}", at_file.unwrap_or(at)),
        }
    }
}

/// A buffer.
#[derive(Debug)]
struct BufferFacts {
    index: u64,
    offset: u64,
    stored: u64,
    filled: u64,
    compressed: bool,
    kind: Option<String>,
}

/// An event.
#[derive(Debug)]
struct EventFacts {
    n: u64,
    /// From the start of the buffer.
    bytes: Range<u64>,
    header_type: &'static str,
    provider: Option<String>,
    name: Option<String>,
    id: Option<u64>,
    version: Option<u64>,
    doc: String,
    remark: Option<&'static str>,
}

impl Explanation {
    /// The section that owns the byte.
    fn section(&self) -> Option<&Section> {
        let byte = self.byte?;
        self.sections.iter().find(|section| section.bytes.contains(&byte))
    }

    /// The field that owns the byte and those around it, outermost first.
    fn path(&self) -> Vec<&Node> {
        let (Some(byte), Some(section)) = (self.byte, self.section()) else {
            return Vec::new();
        };
        let mut path = Vec::new();
        let mut nodes = &section.nodes;
        while let Some(node) = nodes.iter().find(|node| node.bytes.contains(&byte)) {
            path.push(node);
            nodes = &node.parts;
        }
        path
    }

    /// Bytes that are at hand.
    fn bytes(&self, range: &Range<u64>) -> &[u8] {
        let index = |at: u64| usize::try_from(at.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let start = index(range.start).min(self.bytes.len());
        let end = index(range.end).min(self.bytes.len());
        self.bytes.get(start..end).unwrap_or_default()
    }
}

/// The schema that bytes are read with.
struct Model {
    interpreter: &'static SchemaInterpreter,
    sources: SourceSet,
    /// It is the one that is built in.
    builtin: bool,
}

impl Model {
    fn load(args: &Explain, interpreter: Option<&'static SchemaInterpreter>) -> Result<Self, String> {
        if let (Some(interpreter), Some(folder)) = (interpreter, &args.schema.folder) {
            return Ok(Self {
                interpreter,
                sources: schema::read(folder).unwrap_or_default(),
                builtin: false,
            });
        }
        // An interpreter lives as long as the program, so there is but one of the schema that is built in.
        static BUILT_IN: OnceLock<Result<&'static SchemaInterpreter, String>> = OnceLock::new();
        let sources = schema::built_in_sources();
        let interpreter = BUILT_IN.get_or_init(|| SchemaInterpreter::new(compile(&sources).0)).clone()?;
        Ok(Self {
            interpreter,
            sources,
            builtin: true,
        })
    }
}

pub(super) fn run(args: &Explain, streams: &mut Streams<'_>) -> io::Result<()> {
    let Some(named) = streams.only_trace(&args.file) else {
        return Ok(());
    };
    let (name, input) = (&named.label.name, &named.input);
    let model = match Model::load(args, streams.interpreter) {
        Ok(model) => model,
        Err(problem) => {
            streams.messages.unusable(name, &problem);
            return Ok(());
        }
    };
    let found = match (args.event, args.offset) {
        (Some(number), _) => locate::event(&input.trace, number, model.interpreter),
        (None, Some(address)) => locate::byte(&input.trace, address, model.interpreter),
        (None, None) => return Ok(()),
    };
    match found {
        Ok(mut explanation) => {
            name.clone_into(&mut explanation.file);
            match args.format {
                ReportFormat::Text => report::write(&explanation, &model, streams)?,
                ReportFormat::Json => json::write(&explanation, &model, streams.out)?,
            }
        }
        Err(problem) => streams.messages.unusable(name, &problem),
    }
    if let Some(damage) = &input.damage {
        streams.messages.damaged(name, damage);
    }
    streams.out.flush()
}
