//! Events by time: the streams of the processors, merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::Range;
use std::sync::Arc;

use super::decode::{Ahead, Decoded, Decoder, Reached, Tell};
use super::index::BufferIndex;
use crate::buffer::{BufferCursor, BufferInfo, EventArea};
use crate::event::Event;
use crate::logfile::Logfile;
use crate::report::Report;
use crate::source::Source;

/// Merge of the streams; one buffer of each in memory.
#[derive(Debug, Clone)]
pub(crate) struct TimeOrder {
    index: Arc<BufferIndex>,
    streams: Vec<Stream>,
    /// Time and number of each stream that has an event, that of the one given out last included.
    heads: BinaryHeap<Reverse<(i64, usize)>>,
    /// The stream whose event was given out last: it goes on at the next call, since the event borrows its buffer.
    given: Option<usize>,
    file_size: u64,
    started: bool,
}

/// The buffers of one processor.
#[derive(Debug, Clone, Default)]
struct Stream {
    /// Entries of the index that are still to be read.
    entries: Range<usize>,
    area: EventArea,
    buffer: Option<BufferInfo>,
    decoder: Decoder,
    /// The next event; none if it was reached, but is not wanted.
    head: Option<Decoded>,
    /// Time of the last event. No time goes back within a stream, whatever an event says: its order is that of the processor.
    time: i64,
}

impl TimeOrder {
    pub(crate) fn new(index: BufferIndex, file_size: u64) -> Self {
        let mut start = 0;
        let streams = index
            .entries
            .chunk_by(|a, b| a.stream == b.stream)
            .map(|entries| {
                let range = start..start + entries.len();
                start = range.end;
                Stream {
                    entries: range,
                    time: i64::MIN,
                    ..Stream::default()
                }
            })
            .collect();
        Self {
            index: Arc::new(index),
            streams,
            heads: BinaryHeap::new(),
            given: None,
            file_size,
            started: false,
        }
    }

    /// Number of buffers in the file.
    pub(crate) fn buffers_found(&self) -> u64 {
        self.index.buffers_found
    }

    /// Most bytes of buffers that are held at once.
    pub(crate) fn most_held(&self) -> u64 {
        (self.streams.len() as u64).saturating_mul(self.index.largest)
    }

    /// The event that [`Self::advance`] gave, with its bytes.
    pub(crate) fn event<'a>(&'a self, decoded: Decoded, logfile: &'a Logfile) -> Option<Event<'a>> {
        let stream = self.streams.get(self.given?)?;
        Some(decoded.event(&stream.area, stream.buffer.as_ref()?, logfile))
    }

    /// Goes on to the next event that is wanted. Those that are not take their turn all the same, so neither the order nor the
    /// report depends on it.
    pub(crate) fn advance<S: Source + ?Sized, F: FnMut(&Ahead) -> bool>(
        &mut self,
        source: &S,
        logfile: &Logfile,
        report: &mut Report,
        is_wanted: Option<&mut F>,
    ) -> Option<Decoded> {
        let mut is_wanted = is_wanted;
        if !self.started {
            self.started = true;
            for number in 0..self.streams.len() {
                if let Some(time) = self.advance_stream(number, source, logfile, report, is_wanted.as_deref_mut()) {
                    self.heads.push(Reverse((time, number)));
                }
            }
        }
        loop {
            if let Some(number) = self.given.take() {
                // It is the first still. Mostly it stays so, which costs less than to take it out and put it in again.
                let time = self.advance_stream(number, source, logfile, report, is_wanted.as_deref_mut());
                let first = self.heads.peek_mut()?;
                match time {
                    Some(time) => replace_time(first, time),
                    None => drop(PeekMut::pop(first)),
                }
            }
            let Reverse((_, number)) = *self.heads.peek()?;
            self.given = Some(number);
            if let Some(decoded) = self.streams.get_mut(number)?.head.take() {
                return Some(decoded);
            }
        }
    }

    /// Reads the next event of a stream, and gives the time of its turn; `None` at its end.
    fn advance_stream<S: Source + ?Sized, F: FnMut(&Ahead) -> bool>(
        &mut self,
        number: usize,
        source: &S,
        logfile: &Logfile,
        report: &mut Report,
        is_wanted: Option<&mut F>,
    ) -> Option<i64> {
        let mut is_wanted = is_wanted;
        let stream = self.streams.get_mut(number)?;
        let tell = Tell {
            walk: false,
            headers: true,
        };
        loop {
            if let Some(buffer) = &stream.buffer
                && let Some(reached) = stream
                    .decoder
                    .next(&stream.area, buffer, logfile, tell, report, is_wanted.as_deref_mut())
            {
                let (time, head) = match reached {
                    Reached::Event(decoded) => (decoded.time(), Some(decoded)),
                    Reached::Passed(time) => (time, None),
                };
                // A stream that begins without any time begins with the trace.
                let unknown = if stream.time == i64::MIN {
                    logfile.clock.parameters().reference
                } else {
                    stream.time
                };
                stream.time = time.unwrap_or(unknown).max(stream.time);
                stream.head = head;
                return Some(stream.time);
            }
            let entry = stream.entries.next().and_then(|at| self.index.entries.get(at))?;
            // The damages of the walk were told when the index was made.
            let mut told = Report::new(0);
            let mut cursor = BufferCursor::resumed(entry.offset, u64::from(entry.index), self.file_size);
            let Some(buffer) = cursor.next(source, &logfile.session, &mut told) else {
                continue;
            };
            stream
                .area
                .load(source, &buffer, logfile.compression, logfile.context, &mut told);
            stream.decoder.begin(&stream.area);
            stream.decoder.number = entry.first_event;
            stream.buffer = Some(buffer);
        }
    }
}

/// Gives the stream that comes first the time of its next event.
fn replace_time(mut first: PeekMut<'_, Reverse<(i64, usize)>>, time: i64) {
    // Looking at it mutably makes the heap search for its place.
    if first.0.0 != time {
        first.0.0 = time;
    }
}
