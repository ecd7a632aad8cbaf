//! Runs of events, rendered: the work that threads share out among them.

use std::io;
use std::sync::Arc;

use winetl::Report;
use winetl::payload::decoded::Decoded;

use super::files::{FileTable, OpenFile};
use super::merge::{Found, Merge, Passed, Step};
use crate::args::DumpFormat;
use crate::render::resolved::Extras;
use crate::render::sink::{EventSink, write_chosen};
use crate::select::Verdict;

/// Most events of a batch: as lines they take more than the output gathers, so they are written at once and not copied again.
const MAX_EVENTS: usize = 256;
/// Bytes of events in a file from which on a batch is full. Rendered they take a few times as much.
const FULL: usize = 64 << 10;

/// A run of events.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The events as they are written, without separators.
    pub(super) bytes: Vec<u8>,
    /// Where each event ends in `bytes`.
    pub(super) ends: Vec<usize>,
    /// What is told between the events.
    pub(super) marks: Vec<Mark>,
    /// Damages so far of the files that are open, if reading may end here.
    pub(super) open: Vec<(usize, Report)>,
    /// Bytes of files that were passed.
    pub(super) passed: u64,
    /// No further events follow.
    pub(super) is_last: bool,
}

impl Batch {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.marks.clear();
        self.open.clear();
        self.is_last = false;
    }
}

/// Something told of a file.
#[derive(Debug)]
pub(super) struct Mark {
    /// Number of events of the batch that come before.
    pub(super) at: usize,
    pub(super) file: usize,
    pub(super) told: Told,
}

#[derive(Debug)]
pub(super) enum Told {
    /// It begins.
    Begins(Arc<OpenFile>),
    /// It is at its end.
    Ends(Box<Report>, Arc<OpenFile>),
    /// It cannot be opened any more.
    Fails(String),
}

/// What is shown of the events.
#[derive(Debug, Clone, Copy)]
pub(super) struct Show {
    pub(super) format: DumpFormat,
    pub(super) process_names: bool,
    pub(super) resolve: bool,
    /// Whether events are only counted.
    pub(super) count: bool,
    /// Whether writing may end before the last event, so that each batch has to say what was damaged up to it.
    pub(super) limited: bool,
}

/// Makes batches.
pub(super) struct Batches<'t> {
    table: &'t FileTable,
    merge: Merge<'t>,
    sink: Box<dyn EventSink + Send>,
    show: Show,
}

impl<'t> Batches<'t> {
    pub(super) fn new(table: &'t FileTable, sink: Box<dyn EventSink + Send>, show: Show) -> Self {
        Self {
            table,
            merge: Merge::new(table),
            sink,
            show,
        }
    }

    /// The next batch, or only whether it is the last if another thread renders it. It takes the place of the one before.
    ///
    /// # Errors
    /// As the sink reports.
    pub(super) fn next(&mut self, is_wanted: bool, batch: &mut Batch) -> io::Result<()> {
        batch.clear();
        let mut passed = Passed {
            events: 0,
            bytes: 0,
            full: (MAX_EVENTS, FULL),
        };
        let mut file = 0;
        while !passed.is_full() {
            let Some(step) = self.merge.step() else {
                batch.is_last = true;
                break;
            };
            let told = match step {
                Step::Begins(number, open) => (number, Told::Begins(open)),
                Step::Fails(number, text) => (number, Told::Fails(text)),
                Step::Event(number) => {
                    file = number;
                    if self.event(number, is_wanted, batch, &mut passed)? {
                        continue;
                    }
                    let Some((report, open)) = self.merge.end(number) else {
                        continue;
                    };
                    (number, Told::Ends(Box::new(report), open))
                }
            };
            if is_wanted {
                batch.marks.push(Mark {
                    at: batch.ends.len(),
                    file: told.0,
                    told: told.1,
                });
            }
        }
        if is_wanted {
            batch.passed = self.merge.passed(file);
            if self.show.limited {
                batch.open = self.merge.reports();
            }
        }
        Ok(())
    }

    /// Renders an event; false at the end of the file.
    fn event(&mut self, number: usize, is_wanted: bool, batch: &mut Batch, passed: &mut Passed) -> io::Result<bool> {
        let Some(found) = self.merge.event(number, passed) else {
            return Ok(false);
        };
        passed.add(found.event.bytes().len());
        if !is_wanted {
            return Ok(true);
        }
        let Found {
            event,
            schemas,
            selection,
            file,
        } = found;
        let verdict = selection.before_payload(&event, schemas, &file.state);
        if verdict == Verdict::No {
            return Ok(true);
        }
        let by_payload = |payload: &Decoded<'_>| verdict == Verdict::Yes || selection.payload(&event, payload, &file.state);
        let is_chosen = if self.show.count {
            verdict == Verdict::Yes || by_payload(&schemas.decode(&event))
        } else {
            let extras = Extras {
                state: &file.state,
                process_names: self.show.process_names,
                resolve: self.show.resolve,
                timer_resolution: file.timer_resolution,
            };
            let name = self.table.shown_name(number, self.show.format);
            write_chosen(&mut *self.sink, name, &event, schemas, extras, by_payload, &mut batch.bytes)?
        };
        if is_chosen {
            batch.ends.push(batch.bytes.len());
        }
        Ok(true)
    }
}

impl FileTable {
    /// How an event says which file it is of. Of a single file it does not; nor does a line of text below the heading of its file.
    fn shown_name(&self, number: usize, format: DumpFormat) -> Option<&str> {
        let file = self.files.get(number).filter(|_| self.is_several)?;
        match format {
            DumpFormat::Text if self.settings.file_by_file => None,
            DumpFormat::Text => Some(&file.short),
            _ => Some(&file.label),
        }
    }
}
