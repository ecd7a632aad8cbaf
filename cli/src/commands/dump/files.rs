//! The files of one dump: opened when they are due, shared by all threads, closed behind their last event.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use winetl::payload::schemas::Schemas;
use winetl::state::{Scope, SessionState};
use winetl::{Order, TraceFile, Walk};

use crate::args::Select;
use crate::input::{self, Input};
use crate::interpret::SchemaInterpreter;

/// All files, in the order of the command line.
#[derive(Debug)]
pub(super) struct FileTable {
    pub(super) files: Vec<NamedFile>,
    /// Whether more than one was named.
    pub(super) is_several: bool,
    pub(super) settings: Settings,
    /// Which events are wanted.
    pub(super) select: Select,
    /// What the files say together of providers, where there are several.
    pub(super) shared: Option<Arc<Schemas>>,
    /// Number of threads that read every file.
    pub(super) readers: usize,
}

/// How every file is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// Order of the events of one file.
    pub(super) order: Order,
    /// Whether one file comes after the other, instead of all by time.
    pub(super) file_by_file: bool,
    pub(super) scope: Option<Scope>,
    /// Most bytes that a compressed file may unpack to.
    pub(super) max_unpacked: Option<u64>,
    pub(super) interpreter: Option<&'static SchemaInterpreter>,
}

/// A file that was found to be a trace.
#[derive(Debug)]
pub(super) struct NamedFile {
    /// What it was read from, or unpacked from.
    pub(super) origin: PathBuf,
    /// How messages name it.
    pub(super) name: String,
    /// How programs are told of it: as on the command line.
    pub(super) label: String,
    /// How lines of text begin.
    pub(super) short: String,
    /// No event is before this time, in 100 ns since 1601.
    pub(super) due: i64,
    pub(super) size: u64,
    pub(super) slot: Mutex<Slot>,
}

/// What is there of a file at the moment.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// What cannot be opened a second time.
    held: Option<Input>,
    /// Kept until all readers have taken it.
    kept: Option<Arc<OpenFile>>,
    taken: usize,
    /// In the hands of readers.
    lent: Weak<OpenFile>,
    /// Whether it was made from what cannot be opened a second time.
    stays: bool,
}

impl Slot {
    /// A slot of what was opened before.
    pub(super) fn holding(input: Input) -> Self {
        Self {
            held: Some(input),
            ..Self::default()
        }
    }
}

/// A file with all that is known of it before its events are read.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) trace: TraceFile<File>,
    pub(super) damage: Option<String>,
    /// A walk that has not begun.
    pub(super) walk: Walk,
    pub(super) schemas: Arc<Schemas>,
    pub(super) state: SessionState,
    /// Length of a timer tick in 100 ns.
    pub(super) timer_resolution: Option<u64>,
    /// What is worth knowing of it.
    pub(super) notes: Vec<String>,
}

impl FileTable {
    /// Opens a file, unless another reader has it.
    pub(super) fn open(&self, number: usize) -> Result<Arc<OpenFile>, String> {
        let Some(file) = self.files.get(number) else {
            return Err(String::new());
        };
        // What a thread that panicked leaves in a slot is whole: slots change in single steps.
        let mut slot = file.slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = slot.kept.clone() {
            slot.taken += 1;
            if slot.taken >= self.readers && !slot.stays {
                slot.kept = None;
            }
            return Ok(open);
        }
        if let Some(open) = slot.lent.upgrade() {
            return Ok(open);
        }
        slot.stays = slot.held.is_some();
        let input = match slot.held.take() {
            Some(input) => input,
            None => input::open(Path::new(&file.label), self.settings.max_unpacked, self.settings.interpreter)?,
        };
        let open = Arc::new(OpenFile::new(input, &self.settings, self.shared.as_ref()));
        slot.lent = Arc::downgrade(&open);
        slot.taken = 1;
        slot.kept = (self.readers > 1 || slot.stays).then(|| Arc::clone(&open));
        Ok(open)
    }

    /// Schemas for the events of an open file.
    pub(super) fn schemas(&self, open: &OpenFile) -> Schemas {
        joined(&open.schemas, self.shared.as_ref())
    }

    /// Most bytes of buffers that a reader holds of a single file. Of several, this is not known before they are read.
    pub(super) fn most_held(&self) -> u64 {
        if self.is_several {
            return 0;
        }
        // The single file is held from now on, so this takes nothing from the readers.
        self.open(0).map_or(0, |open| open.walk.most_held())
    }

    /// Bytes of all files.
    pub(super) fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}

fn joined(own: &Arc<Schemas>, shared: Option<&Arc<Schemas>>) -> Schemas {
    Schemas::joined(std::iter::once(own).chain(shared).map(Arc::clone))
}

impl OpenFile {
    fn new(input: Input, settings: &Settings, shared: Option<&Arc<Schemas>>) -> Self {
        let Input { trace, damage, .. } = input;
        let mut notes = Vec::new();
        notes.extend(trace.logfile().clock().problem());
        let (walk, schemas) = trace.walk_and_schemas(settings.order);
        let schemas = Arc::new(schemas);
        let state = settings
            .scope
            .map(|scope| trace.state(&mut joined(&schemas, shared), scope))
            .unwrap_or_default();
        if settings.scope.is_some() && settings.interpreter.is_some() {
            let text = "names and references are found by the built-in parsers only: with --schema there are none";
            notes.push(text.to_owned());
        }
        if state.left_out() != 0 {
            notes.push(format!(
                "{} facts about processes, files and the like found no room in memory",
                state.left_out()
            ));
        }
        let timer_resolution = trace.logfile().roles().timer_resolution();
        Self {
            trace,
            damage,
            walk,
            schemas,
            state,
            timer_resolution,
            notes,
        }
    }
}

/// Whether what was opened can be opened again at no cost, so that it need not be held until it is due.
pub(super) fn can_reopen(file: &NamedFile, input: &Input) -> bool {
    input.containers.is_empty() && fs::metadata(&file.origin).is_ok_and(|found| found.is_file())
}

/// Widest name at the start of a line that the others are filled up to.
const MAX_WIDTH: usize = 32;

/// Gives each file a name for the start of its lines: that without folders, unless two files have it.
pub(super) fn shorten(files: &mut [NamedFile]) {
    let last = |file: &NamedFile| {
        let name = Path::new(&file.label)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| file.name.clone())
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for file in files.iter() {
        *counts.entry(last(file)).or_default() += 1;
    }
    for file in files.iter_mut() {
        let name = last(file);
        file.short = if counts.get(&name) == Some(&1) {
            name
        } else {
            file.name.clone()
        };
    }
    let widths = files.iter().map(|file| file.short.chars().count());
    let width = widths.filter(|width| *width <= MAX_WIDTH).max().unwrap_or(0);
    for file in files {
        file.short = format!("{:<width$}", file.short);
    }
}
