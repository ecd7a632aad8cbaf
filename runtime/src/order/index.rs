//! The list of buffers that an order by time is made from.

use super::collect::Collector;
use super::decode::{Decoder, Tell};
use crate::buffer::{BufferCursor, BufferInfo, EventArea};
use crate::limits::Limits;
use crate::logfile::Logfile;
use crate::report::{Note, Report};
use crate::source::Source;
use crate::trace::BufferSummary;

/// What must be known of a buffer to read it again at its turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) offset: u64,
    pub(super) sequence: i64,
    /// Time stamp of the first event that has one.
    pub(super) first_time: i64,
    /// Number of the first event in file order.
    pub(super) first_event: u64,
    pub(super) index: u32,
    pub(super) stream: u32,
}

/// All buffers with events, by stream and order within it.
#[derive(Debug, Default)]
pub(crate) struct BufferIndex {
    pub(super) entries: Vec<Entry>,
    /// Buffers found, with and without events.
    pub(crate) buffers_found: u64,
    /// Bytes of the largest buffer, as stored and decompressed together.
    pub(super) largest: u64,
}

/// The header buffer is a stream of its own: its events come before those of any processor at the same time.
const HEADER_STREAM: u32 = 0;

/// Where the numbers of the streams of context switches begin: behind those of all processors.
const SWITCH_STREAMS: u32 = 1 << 16;

impl BufferIndex {
    /// Walks the whole file, and shows its events to the collector. `None` if putting it in order would exceed a limit; the note
    /// says which.
    pub(crate) fn build<S: Source + ?Sized>(
        source: &S,
        file_size: u64,
        logfile: &Logfile,
        limits: &Limits,
        report: &mut Report,
        mut collector: Option<&mut Collector>,
    ) -> Option<Self> {
        let mut found = Report::new(limits.max_damages);
        let mut index = Self::default();
        let mut buffers = BufferCursor::new(file_size);
        let mut area = EventArea::default();
        let mut decoder = Decoder::default();
        while let Some(buffer) = buffers.next(source, &logfile.session, &mut found) {
            area.load(source, &buffer, logfile.compression, logfile.context, &mut found);
            decoder.begin(&area);
            let entry = Entry {
                offset: buffer.offset,
                sequence: buffer.sequence_number(),
                first_time: i64::MIN,
                first_event: decoder.number,
                index: u32::try_from(buffer.index).unwrap_or(u32::MAX),
                stream: stream(&buffer, logfile),
            };
            index.largest = index
                .largest
                .max(buffer.filled + if buffer.compressed { buffer.stored } else { 0 });
            let entry = Self::walk(
                entry,
                &mut decoder,
                &area,
                &buffer,
                logfile,
                &mut found,
                collector.as_deref_mut(),
            );
            if index.entries.len() >= limits.max_ordered_buffers {
                report.note(Note::FileOrder {
                    reason: "the file has too many buffers to put in order",
                });
                return None;
            }
            index.entries.extend(entry);
        }
        index.buffers_found = buffers.found();
        if index.sort(limits) {
            report.append(found);
            Some(index)
        } else {
            report.note(Note::FileOrder {
                reason: "one buffer of each processor would take too much memory",
            });
            None
        }
    }

    /// Counts the events of a buffer. `None` if it has none.
    fn walk(
        mut entry: Entry,
        decoder: &mut Decoder,
        area: &EventArea,
        buffer: &BufferInfo,
        logfile: &Logfile,
        report: &mut Report,
        mut collector: Option<&mut Collector>,
    ) -> Option<Entry> {
        let tell = Tell {
            walk: true,
            headers: false,
        };
        while let Some(span) = decoder.span(area, buffer, logfile, tell, report) {
            decoder.number += 1;
            if entry.first_time == i64::MIN {
                entry.first_time = decoder.time(span, area, logfile).unwrap_or(i64::MIN);
            }
            if let Some(collector) = &mut collector {
                collector.see(span, decoder, area, buffer, logfile);
            }
        }
        (decoder.number > entry.first_event).then_some(entry)
    }

    /// Puts the buffers of each stream in order. False if reading them would take too much memory.
    fn sort(&mut self, limits: &Limits) -> bool {
        self.entries.sort_by_key(|entry| (entry.stream, entry.sequence, entry.index));
        // Numbers that occur twice are those of two sessions in one file (append mode): then only the time can tell.
        for stream in self.entries.chunk_by_mut(|a, b| a.stream == b.stream) {
            let repeated = stream
                .windows(2)
                .any(|pair| matches!(pair, [a, b] if a.sequence == b.sequence));
            if repeated {
                stream.sort_by_key(|entry| (entry.first_time, entry.index));
            }
        }
        let streams = self.entries.chunk_by(|a, b| a.stream == b.stream).count() as u64;
        streams.saturating_mul(self.largest) <= limits.max_merge_bytes
    }
}

/// Walks the events of one buffer.
pub(crate) fn summarise(area: &EventArea, buffer: &BufferInfo, logfile: &Logfile, report: &mut Report) -> BufferSummary {
    let mut decoder = Decoder::default();
    decoder.begin(area);
    let mut summary = BufferSummary::default();
    while let Some(span) = decoder.span(
        area,
        buffer,
        logfile,
        Tell {
            walk: true,
            headers: false,
        },
        report,
    ) {
        summary.events += 1;
        if let Some(time) = decoder.time(span, area, logfile) {
            summary.first_time.get_or_insert(time);
            summary.last_time = Some(time);
        }
    }
    summary
}

fn stream(buffer: &BufferInfo, logfile: &Logfile) -> u32 {
    if buffer.is_header {
        return HEADER_STREAM;
    }
    let processor = if logfile.is_per_processor() { buffer.processor() } else { 0 };
    // A processor fills its buffers of context switches beside those of events, so their times overlap.
    let kind = if buffer.holds_switches() { SWITCH_STREAMS } else { 0 };
    kind + u32::from(processor) + 1
}
