//! Writes batches in their order, and tells of damage between them.

use std::io;
use std::ops::ControlFlow;

use super::batch::{Batch, Mark, Told};
use super::files::FileTable;
use crate::commands::Streams;
use crate::progress::Progress;
use crate::render::sink::EventSink;

/// What became of the events beside the damaged ones.
pub(super) const REST: &str = "all other events were printed";

/// Which of the events are written, by their place in the output.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Window {
    /// Events that are left out at the start.
    pub(super) skip: u64,
    /// Most events that are written.
    pub(super) limit: Option<u64>,
    /// Only how many there are is written.
    pub(super) count: bool,
}

/// The end of the pipe that all batches go through.
pub(super) struct Writer<'w, 's> {
    pub(super) table: &'w FileTable,
    pub(super) streams: &'w mut Streams<'s>,
    /// What writes what stands around the events.
    pub(super) sink: Box<dyn EventSink + Send>,
    pub(super) window: Window,
    /// Whether each file has a heading.
    pub(super) headings: bool,
    /// Events met so far.
    pub(super) seen: u64,
    /// Events written so far.
    pub(super) written: u64,
    pub(super) progress: Progress,
}

impl Writer<'_, '_> {
    /// What stands before the first event.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        if self.window.count {
            return Ok(());
        }
        self.sink.begin(self.streams.out)
    }

    /// Writes a batch; breaks if no further ones are wanted.
    pub(super) fn take(&mut self, batch: &mut Batch) -> io::Result<ControlFlow<()>> {
        let mut from = 0;
        for mark in batch.marks.drain(..) {
            self.events(
                &batch.bytes,
                batch.ends.get(from..mark.at).unwrap_or_default(),
                from_of(&batch.ends, from),
            )?;
            from = mark.at;
            // Damages of a file that ends here are told of, wherever the last event that is wanted lies.
            if !self.is_full() || matches!(mark.told, Told::Ends(..)) {
                self.tell(mark)?;
            }
        }
        self.events(
            &batch.bytes,
            batch.ends.get(from..).unwrap_or_default(),
            from_of(&batch.ends, from),
        )?;
        self.progress.at(batch.passed, self.seen);
        if self.is_full() {
            for (number, report) in &batch.open {
                self.report(*number, report)?;
            }
            return Ok(ControlFlow::Break(()));
        }
        Ok(if batch.is_last {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// What stands behind the last event.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.progress.hide();
        if self.window.count {
            return writeln!(self.streams.out, "{}", self.written);
        }
        self.sink.end(self.streams.out)
    }

    /// Whether as many events were written as are wanted.
    fn is_full(&self) -> bool {
        self.window.limit.is_some_and(|limit| self.written >= limit)
    }

    /// Writes those of some events that are wanted.
    fn events(&mut self, bytes: &[u8], ends: &[usize], mut start: usize) -> io::Result<()> {
        let count = ends.len() as u64;
        let separator = self.sink.separator();
        let all = self.seen >= self.window.skip && self.window.limit.is_none();
        if all && (self.window.count || separator.is_empty()) {
            self.seen += count;
            self.written += count;
            if let (false, Some(end)) = (self.window.count, ends.last()) {
                self.streams.out.write_all(bytes.get(start..*end).unwrap_or_default())?;
            }
            return Ok(());
        }
        for end in ends {
            let event = bytes.get(start..*end).unwrap_or_default();
            start = *end;
            self.seen += 1;
            if self.seen <= self.window.skip || self.is_full() {
                continue;
            }
            if !self.window.count {
                if self.written > 0 {
                    self.streams.out.write_all(separator)?;
                }
                self.streams.out.write_all(event)?;
            }
            self.written += 1;
        }
        Ok(())
    }

    fn tell(&mut self, mark: Mark) -> io::Result<()> {
        let Some(file) = self.table.files.get(mark.file) else {
            return Ok(());
        };
        match mark.told {
            Told::Begins(open) => {
                if !open.notes.is_empty() {
                    self.before_messages()?;
                }
                for note in &open.notes {
                    self.streams.messages.note(&file.name, note);
                }
                if self.headings {
                    self.sink.file(&file.name, self.streams.out)?;
                }
            }
            Told::Ends(report, open) => {
                self.report(mark.file, &report)?;
                if let Some(damage) = &open.damage {
                    self.before_messages()?;
                    self.streams.messages.damaged(&file.name, damage);
                }
            }
            Told::Fails(text) => {
                self.before_messages()?;
                self.streams.messages.unusable(&file.name, &text);
            }
        }
        Ok(())
    }

    fn report(&mut self, number: usize, report: &winetl::Report) -> io::Result<()> {
        if let Some(file) = self.table.files.get(number) {
            if !report.is_clean() || !report.notes().is_empty() {
                self.before_messages()?;
            }
            self.streams.messages.report(&file.name, report, REST);
        }
        Ok(())
    }

    /// Messages come after the events they are about, also where both streams are one terminal.
    fn before_messages(&mut self) -> io::Result<()> {
        self.progress.hide();
        self.streams.out.flush()
    }
}

/// Where the event with this number in a batch begins.
fn from_of(ends: &[usize], number: usize) -> usize {
    number
        .checked_sub(1)
        .and_then(|before| ends.get(before))
        .copied()
        .unwrap_or(0)
}
