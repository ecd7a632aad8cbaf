//! From event to event over all files, by time or file by file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use winetl::payload::schemas::Schemas;
use winetl::{Event, Report, Walk};

use super::files::{FileTable, OpenFile};
use crate::select::Selection;

/// Files of which only the first few events are due are closed again while more than this many are open: each file that a session
/// was split into begins with the session's start.
const PARK_ABOVE: usize = 64;

/// Events that a file may have given and still be closed for a while. They are passed over when it is opened again.
const PARK_UP_TO: u64 = 32;

/// A place among the events of all files. Every reader that goes through the same files meets the same events.
///
/// Events come by time in UTC, those of the same time in the order of the files. Within a file nothing is moved: an event without
/// a time in UTC is taken to have that of the event before it.
#[derive(Debug)]
pub(super) struct Merge<'t> {
    table: &'t FileTable,
    /// Time and number of each file that is not at its end.
    heads: BinaryHeap<Reverse<(i64, usize)>>,
    places: Vec<Place<'t>>,
    /// The file whose event was given last: its next one is looked at when the merge goes on.
    given: Option<usize>,
    open: usize,
    /// Bytes of the files that are at their ends.
    ended: u64,
}

#[derive(Debug)]
enum Place<'t> {
    /// To be opened; with the number of events that were given before.
    Closed(u64),
    Open(Box<Reading<'t>>),
    Ended,
}

/// A file that is being read.
#[derive(Debug)]
struct Reading<'t> {
    file: Arc<OpenFile>,
    walk: Walk,
    schemas: Schemas,
    selection: Selection<'t>,
    time: i64,
    given: u64,
    /// Where the buffers that were read end.
    reached: u64,
}

/// What comes next.
#[derive(Debug)]
pub(super) enum Step {
    /// A file begins.
    Begins(usize, Arc<OpenFile>),
    /// An event of this file, or its end: [`Merge::event`] tells.
    Event(usize),
    /// A file cannot be opened any more.
    Fails(usize, String),
}

/// What was passed of a batch: events, whether they are in it or not, and their bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passed {
    pub(super) events: usize,
    pub(super) bytes: usize,
    /// From this many on of either, the batch is full.
    pub(super) full: (usize, usize),
}

impl Passed {
    pub(super) fn is_full(&self) -> bool {
        self.events >= self.full.0 || self.bytes >= self.full.1
    }

    fn is_filled_by(&self, bytes: usize) -> bool {
        self.events + 1 >= self.full.0 || self.bytes + bytes >= self.full.1
    }

    pub(super) fn add(&mut self, bytes: usize) {
        self.events += 1;
        self.bytes += bytes;
    }
}

/// An event, and what it is decoded with.
pub(super) struct Found<'a> {
    pub(super) event: Event<'a>,
    pub(super) schemas: &'a mut Schemas,
    pub(super) selection: &'a Selection<'a>,
    pub(super) file: &'a OpenFile,
}

impl<'t> Merge<'t> {
    pub(super) fn new(table: &'t FileTable) -> Self {
        let due = |time: i64| if table.settings.file_by_file { 0 } else { time };
        let heads = table.files.iter().enumerate();
        Self {
            table,
            heads: heads.map(|(number, file)| Reverse((due(file.due), number))).collect(),
            places: table.files.iter().map(|_| Place::Closed(0)).collect(),
            given: None,
            open: 0,
            ended: 0,
        }
    }

    /// Goes on; `None` behind the last event of the last file.
    pub(super) fn step(&mut self) -> Option<Step> {
        if let Some(number) = self.given.take() {
            // The last file there is needs no line.
            if self.heads.is_empty() && matches!(self.places.get(number), Some(Place::Open(_))) {
                self.given = Some(number);
                return Some(Step::Event(number));
            }
            self.look_ahead(number);
        }
        loop {
            let Reverse((time, number)) = self.heads.pop()?;
            let place = self.places.get_mut(number)?;
            let before = match place {
                Place::Open(_) => {
                    self.given = Some(number);
                    return Some(Step::Event(number));
                }
                Place::Ended => continue,
                Place::Closed(given) => *given,
            };
            match self.table.open(number) {
                Ok(file) => {
                    let mut walk = file.walk.clone();
                    for _ in 0..before {
                        walk.next(&file.trace);
                    }
                    let schemas = self.table.schemas(&file);
                    *place = Place::Open(Box::new(Reading {
                        walk,
                        selection: Selection::new(&self.table.select, &file.trace).knowing(&schemas),
                        schemas,
                        time,
                        given: before,
                        reached: 0,
                        file: Arc::clone(&file),
                    }));
                    self.open += 1;
                    self.given = Some(number);
                    if before == 0 {
                        return Some(Step::Begins(number, file));
                    }
                    self.given = None;
                    self.look_ahead(number);
                }
                Err(text) => {
                    *place = Place::Ended;
                    return Some(Step::Fails(number, text));
                }
            }
        }
    }

    /// The event of the last step. `None` if its file is at its end: then [`Self::end`] closes it.
    ///
    /// Events before it that are not wanted anyway are counted in `passed`, until it is full. Of several files by time,
    /// and to several threads, all events are given.
    pub(super) fn event(&mut self, number: usize, passed: &mut Passed) -> Option<Found<'_>> {
        let Some(Place::Open(reading)) = self.places.get_mut(number) else {
            return None;
        };
        let Reading {
            file,
            walk,
            schemas,
            selection,
            given,
            reached,
            ..
        } = &mut **reading;
        // Choices are asked ahead of an event's turn. So what is passed belongs to a batch by about its place only, and threads
        // would not agree on where batches begin.
        let event = if self.table.settings.file_by_file && self.table.readers == 1 {
            walk.next_where(&file.trace, |ahead| {
                let is_given = selection.may_accept(ahead) || passed.is_filled_by(ahead.size);
                if !is_given {
                    passed.add(ahead.size);
                }
                is_given
            })
        } else {
            walk.next(&file.trace)
        }?;
        *given += 1;
        *reached = (*reached).max(event.buffer().offset + event.buffer().stored);
        Some(Found {
            event,
            schemas,
            selection,
            file,
        })
    }

    /// Closes a file that is at its end, and gives what was damaged in it.
    pub(super) fn end(&mut self, number: usize) -> Option<(Report, Arc<OpenFile>)> {
        self.given = None;
        let place = self.places.get_mut(number)?;
        let Place::Open(reading) = std::mem::replace(place, Place::Ended) else {
            return None;
        };
        self.open = self.open.saturating_sub(1);
        self.ended += reading.file.trace.size();
        Some((reading.walk.report().clone(), reading.file))
    }

    /// The damages so far of all files that are open, where there are any.
    pub(super) fn reports(&self) -> Vec<(usize, Report)> {
        let places = self.places.iter().enumerate();
        let open = places.filter_map(|(number, place)| match place {
            Place::Open(reading) => Some((number, reading.walk.report())),
            Place::Closed(_) | Place::Ended => None,
        });
        open.filter(|(_, report)| !report.is_clean() || !report.notes().is_empty())
            .map(|(number, report)| (number, report.clone()))
            .collect()
    }

    /// Bytes of files that were passed.
    pub(super) fn passed(&self, number: usize) -> u64 {
        match self.places.get(number) {
            Some(Place::Open(reading)) => self.ended + reading.reached,
            _ => self.ended,
        }
    }

    /// Puts a file in line by the time of its next event.
    fn look_ahead(&mut self, number: usize) {
        let Some(Place::Open(reading)) = self.places.get_mut(number) else {
            return;
        };
        // Alone, or file by file, its time does not matter.
        if !self.table.settings.file_by_file
            && let Some(Reverse((next, _))) = self.heads.peek()
        {
            if let Some(Some(time)) = reading.walk.peek_time(&reading.file.trace) {
                reading.time = time.0;
            }
            if self.open > PARK_ABOVE && reading.given <= PARK_UP_TO && reading.time > *next {
                let (time, given) = (reading.time, reading.given);
                self.heads.push(Reverse((time, number)));
                if let Some(place) = self.places.get_mut(number) {
                    *place = Place::Closed(given);
                }
                self.open -= 1;
                return;
            }
        }
        self.heads.push(Reverse((reading.time, number)));
    }
}
