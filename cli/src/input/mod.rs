//! What the command line names, as a list of traces that are opened one after the other: files, patterns, folders, standard
//! input; compressed as a whole, or members of archives.
//!
//! ```text
//! expand (paths) -> walk (archives) -> container (compression) -> spool (temporary file) -> TraceFile
//!                        \-> zip, cab -> member (which of them)
//! ```
//!
//! What cannot be read at any offset is copied into a temporary file, which is gone when its trace was read: memory does not grow
//! with it, and of an archive one member at a time is unpacked.

mod advice;
mod cab;
mod container;
mod expand;
mod member;
mod spool;
mod walk;
mod zip;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use winetl::{Limits, TraceFile};

use crate::interpret::SchemaInterpreter;
pub(crate) use container::Container;
use expand::{Expansion, expand};
use walk::{Step, Walk};

/// The name that stands for standard input.
pub(crate) const STDIN: &str = "-";

/// An opened trace.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) trace: TraceFile<File>,
    /// What the trace lay in, outermost first; offsets are those of the trace within.
    pub(crate) containers: Vec<Container>,
    /// What is wrong with the containers, although a first part of the trace could be used.
    pub(crate) damage: Option<String>,
}

/// What a trace is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    /// In messages and headings.
    pub(crate) name: String,
    /// In data: as the command line names it.
    pub(crate) file: String,
}

impl Label {
    fn of(path: &Path) -> Self {
        Self {
            name: if path == Path::new(STDIN) {
                "standard input".to_owned()
            } else {
                path.display().to_string()
            },
            file: path.display().to_string(),
        }
    }

    fn member(&self, member: &str) -> Self {
        let join = |archive: &str| format!("{archive}{}{member}", member::SEPARATOR);
        Self {
            name: join(&self.name),
            file: join(&self.file),
        }
    }
}

/// An opened trace with its name.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) label: Label,
    /// The file that it was read from, or out of which it was unpacked.
    pub(crate) origin: PathBuf,
    /// The command line names others too, or may do so: it has a folder, a pattern or an archive.
    pub(crate) several: bool,
    pub(crate) input: Input,
}

/// What came up on the way from one trace to the next.
#[derive(Debug)]
pub(crate) enum Found {
    Trace(Box<Named>),
    /// It could not be used.
    Unusable(String, String),
    /// A part of it could not be used.
    Damaged(String, String),
    /// Worth knowing.
    Note(String, String),
}

/// How paths are taken.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InputOptions {
    /// Folders are looked into; `None` if a command takes one trace only.
    pub(crate) recursive: Option<bool>,
    /// Most bytes that a file may unpack to.
    pub(crate) max_unpacked: Option<u64>,
}

/// The traces of a command line. Paths were looked up; nothing was opened.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    expansion: Expansion,
    options: InputOptions,
    walk: Option<Walk>,
    /// The path that `walk` is in.
    origin: PathBuf,
}

impl Inputs {
    /// Finds out what paths stand for.
    pub(crate) fn expand(paths: &[&Path], options: InputOptions) -> Self {
        Self {
            expansion: expand(paths, options.recursive),
            options,
            walk: None,
            origin: PathBuf::new(),
        }
    }

    /// Files that will be read.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.expansion.plans.iter().map(|plan| plan.path.as_path())
    }

    /// Opens the next trace, or says what else came up; `None` behind the last one.
    pub(crate) fn next(&mut self, stdin: &mut dyn Read, interpreter: Option<&'static SchemaInterpreter>) -> Option<Found> {
        loop {
            let Some(walk) = &mut self.walk else {
                let plan = self.expansion.plans.pop_front()?;
                self.origin.clone_from(&plan.path);
                self.walk = Some(Walk::begin(plan, self.options.max_unpacked, stdin));
                continue;
            };
            match walk.next() {
                None => self.walk = None,
                Some(Step::Trace { label, unpacked, member }) => {
                    let Some(unpacked) = unpacked else { continue };
                    let several = self.expansion.several || member;
                    return Some(match unpacked.open(interpreter) {
                        Ok(input) => Found::Trace(Box::new(Named {
                            label,
                            origin: self.origin.clone(),
                            several,
                            input,
                        })),
                        Err(problem) => Found::Unusable(label.name, problem),
                    });
                }
                Some(Step::Unusable(name, text)) => return Some(Found::Unusable(name, text)),
                Some(Step::Damaged(name, text)) => return Some(Found::Damaged(name, text)),
                Some(Step::Note(name, text)) => return Some(Found::Note(name, text)),
            }
        }
    }

    /// The names of the next traces, for whoever can take only one: a few, and whether there are more.
    pub(crate) fn other_names(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        let mut walk = self.walk.take();
        while let (Some(open), true) = (&mut walk, names.len() <= member::NAMED) {
            open.names_only();
            match open.next() {
                None => walk = None,
                Some(Step::Trace { label, .. }) => names.push(label.name),
                Some(_) => {}
            }
        }
        names.extend(self.expansion.plans.drain(..).map(|plan| Label::of(&plan.path).name));
        names
    }
}

/// Opens one trace.
///
/// # Errors
/// Why that is not possible, also that the path names several.
pub(crate) fn open(
    path: &Path,
    max_unpacked: Option<u64>,
    interpreter: Option<&'static SchemaInterpreter>,
) -> Result<Input, String> {
    let options = InputOptions {
        recursive: None,
        max_unpacked,
    };
    let mut inputs = Inputs::expand(&[path], options);
    let mut problem = None;
    let mut tell = |found| {
        if let Found::Unusable(_, text) = found {
            problem.get_or_insert(text);
        }
    };
    let named = open_one(path, &mut inputs, &mut io::empty(), interpreter, &mut tell);
    named
        .map(|named| named.input)
        .ok_or_else(|| problem.unwrap_or_else(|| "holds no trace".to_owned()))
}

/// Opens the trace that is all that `path` names; what else came up goes to `tell`. `None` if there is no such trace: it was told.
pub(crate) fn open_one(
    path: &Path,
    inputs: &mut Inputs,
    stdin: &mut dyn Read,
    interpreter: Option<&'static SchemaInterpreter>,
    tell: &mut dyn FnMut(Found),
) -> Option<Box<Named>> {
    while let Some(found) = inputs.next(stdin, interpreter) {
        match found {
            Found::Trace(named) => {
                let others = inputs.other_names();
                if others.is_empty() {
                    return Some(named);
                }
                let first = std::iter::once(named.label.name.as_str());
                let all: Vec<&str> = first.chain(others.iter().map(String::as_str)).collect();
                let text = format!(
                    "is more than one trace, and one is wanted; name one of {}",
                    member::listed(all.into_iter())
                );
                tell(Found::Unusable(Label::of(path).name, text));
                return None;
            }
            other => tell(other),
        }
    }
    None
}

/// A file that can be read at any offset.
#[derive(Debug)]
pub(super) struct Unpacked {
    file: File,
    containers: Vec<Container>,
    damage: Option<String>,
}

impl Unpacked {
    fn open(self, interpreter: Option<&'static SchemaInterpreter>) -> Result<Input, String> {
        let Self {
            mut file,
            containers,
            damage,
        } = self;
        let source = file.try_clone().map_err(|error| read_error(&error))?;
        let trace = match interpreter {
            Some(interpreter) => TraceFile::with_interpreter(source, Limits::default(), interpreter),
            None => TraceFile::new(source, Limits::default()),
        };
        match trace {
            Ok(trace) => Ok(Input {
                trace,
                containers,
                damage,
            }),
            Err(error) => Err(advice::describe(&error, &mut file, damage)),
        }
    }
}

fn read_error(error: &io::Error) -> String {
    format!("cannot read: {}", io_text(error))
}

/// The same words on every system for what happens most; else those of the system.
pub(crate) fn io_text(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied; check the rights of the file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder; name a file".to_owned(),
        _ => error.to_string(),
    }
}
