//! A place among the events of a trace.

use crate::event::Event;
use crate::filetime::Filetime;
use crate::order::{ALL, Ahead, Decoded, FileOrder, TimeOrder};
use crate::report::Report;
use crate::source::Source;
use crate::trace::TraceFile;

/// A place among the events of a trace, kept apart from the trace: it holds buffers, but no file.
///
/// All its methods take the trace that it was made by. With another one it gives events that mean nothing.
/// A clone goes on from the same place. That of a walk that has not begun is cheap, so several threads can read a trace whose
/// buffers were put in order once.
#[derive(Debug, Clone)]
pub struct Walk {
    reading: Reading,
    pub(crate) report: Report,
    /// The next event, if it was looked at.
    ahead: Option<Decoded>,
    done: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Reading {
    File(Box<FileOrder>),
    Time(TimeOrder),
}

impl Walk {
    pub(crate) fn new(reading: Reading, report: Report) -> Self {
        Self {
            reading,
            report,
            ahead: None,
            done: false,
        }
    }

    /// The next event. Damage never ends the events: it is passed over and told of in the [report](Self::report).
    pub fn next<'a, S: Source>(&'a mut self, trace: &'a TraceFile<S>) -> Option<Event<'a>> {
        self.next_of(trace, ALL)
    }

    /// The next event that may be wanted. Others that `may_be_wanted` turns away are passed over at a fraction of what it costs to
    /// decode their headers. Order, numbers, times and the [report](Self::report) are the same as if all events were read.
    ///
    /// It is asked when an event is reached in its buffer, which in order of time is before its turn: once for each event, but not in
    /// the order of the walk. Not all events are shown to it: those with extended items, with headers of which the layout varies, of traces that an
    /// interpreter reads, and one whose [time was looked at](Self::peek_time), are given in any case.
    pub fn next_where<'a, S: Source>(
        &'a mut self,
        trace: &'a TraceFile<S>,
        mut may_be_wanted: impl FnMut(&Ahead) -> bool,
    ) -> Option<Event<'a>> {
        self.next_of(trace, Some(&mut may_be_wanted))
    }

    fn next_of<'a, S: Source, F: FnMut(&Ahead) -> bool>(
        &'a mut self,
        trace: &'a TraceFile<S>,
        is_wanted: Option<&mut F>,
    ) -> Option<Event<'a>> {
        let decoded = match self.ahead.take() {
            Some(decoded) => decoded,
            None => self.advance(trace, is_wanted)?,
        };
        let logfile = trace.logfile();
        match &self.reading {
            Reading::File(order) => order.event(decoded, logfile),
            Reading::Time(order) => order.event(decoded, logfile),
        }
    }

    /// The time of the next event, without going on: `None` at the end, `Some(None)` for an event that has no time in UTC.
    pub fn peek_time<S: Source>(&mut self, trace: &TraceFile<S>) -> Option<Option<Filetime>> {
        if self.ahead.is_none() {
            self.ahead = self.advance(trace, ALL);
        }
        let ticks = self.ahead.as_ref()?.time();
        Some(ticks.and_then(|ticks| trace.logfile().clock().to_filetime(ticks)))
    }

    /// What was damaged or odd so far; complete once there are no more events.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Most bytes of buffers that the walk holds, in order of time; 0 in file order, where it is one buffer.
    pub fn most_held(&self) -> u64 {
        match &self.reading {
            Reading::File(_) => 0,
            Reading::Time(order) => order.most_held(),
        }
    }

    fn advance<S: Source, F: FnMut(&Ahead) -> bool>(
        &mut self,
        trace: &TraceFile<S>,
        is_wanted: Option<&mut F>,
    ) -> Option<Decoded> {
        let (source, logfile) = (trace.source(), trace.logfile());
        // Buffers are counted once the last ones, which may hold no event, were passed over.
        let found = match &mut self.reading {
            Reading::File(order) => match order.advance(source, logfile, &mut self.report, is_wanted) {
                Some(decoded) => return Some(decoded),
                None => order.buffers_found(),
            },
            Reading::Time(order) => match order.advance(source, logfile, &mut self.report, is_wanted) {
                Some(decoded) => return Some(decoded),
                None => order.buffers_found(),
            },
        };
        // A file that still grows is not at its end.
        let waits = matches!(&self.reading, Reading::File(order) if order.is_waiting());
        if !self.done && !waits {
            self.done = true;
            trace.note_buffers(found, &mut self.report);
        }
        None
    }

    /// Goes on behind the last whole buffer of a trace that was [opened again](TraceFile::follow) because its file has grown.
    pub fn set_growth<S: Source>(&mut self, trace: &TraceFile<S>, is_complete: bool) {
        if let Reading::File(order) = &mut self.reading {
            order.set_growth(trace.size(), !is_complete);
        }
    }
}
