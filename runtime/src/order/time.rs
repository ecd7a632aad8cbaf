//! Events by time: the streams of the processors, merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

use super::decode::{Decoded, Decoder, Tell};
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
    /// Time and number of each stream that has an event.
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

    /// Goes on to the next event.
    pub(crate) fn advance<S: Source + ?Sized>(&mut self, source: &S, logfile: &Logfile, report: &mut Report) -> Option<Decoded> {
        if !self.started {
            self.started = true;
            for number in 0..self.streams.len() {
                self.advance_stream(number, source, logfile, report);
            }
        }
        if let Some(number) = self.given.take() {
            self.advance_stream(number, source, logfile, report);
        }
        let Reverse((_, number)) = self.heads.pop()?;
        self.given = Some(number);
        self.streams.get_mut(number)?.head.take()
    }

    /// Reads the next event of a stream.
    fn advance_stream<S: Source + ?Sized>(&mut self, number: usize, source: &S, logfile: &Logfile, report: &mut Report) {
        let Some(stream) = self.streams.get_mut(number) else { return };
        let tell = Tell {
            walk: false,
            headers: true,
        };
        loop {
            if let Some(buffer) = &stream.buffer
                && let Some(decoded) = stream.decoder.next(&stream.area, buffer, logfile, tell, report)
            {
                // A stream that begins without any time begins with the trace.
                let unknown = if stream.time == i64::MIN {
                    logfile.clock.parameters().reference
                } else {
                    stream.time
                };
                stream.time = decoded.time().unwrap_or(unknown).max(stream.time);
                stream.head = Some(decoded);
                self.heads.push(Reverse((stream.time, number)));
                return;
            }
            let Some(entry) = stream.entries.next().and_then(|at| self.index.entries.get(at)) else {
                return;
            };
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
