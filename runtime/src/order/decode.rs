//! From a span of bytes to an event.

use crate::buffer::{BufferInfo, EventArea, SwitchTables};
use crate::context::Context;
use crate::dispatch::{Case, Glance};
use crate::event::{End, Event, EventCursor, EventSpan, measure_items};
use crate::executor::EventHeader;
use crate::format::roles::EventRoles;
use crate::logfile::Logfile;
use crate::report::{Damage, DamageKind, Report};

/// An event whose header is decoded, with its place in the area.
#[derive(Debug, Clone)]
pub(crate) struct Decoded {
    span: EventSpan,
    header: EventHeader,
    items: (usize, usize),
    context: Context,
    /// Its own time stamp, or for a context switch the sum of the times up to it.
    own_time: Option<i64>,
    neighbour_time: Option<i64>,
    number: u64,
}

impl Decoded {
    /// Its header.
    pub(super) fn header(&self) -> &EventHeader {
        &self.header
    }

    /// The event's own time, or its neighbour's.
    pub(crate) fn time(&self) -> Option<i64> {
        self.own_time.or(self.neighbour_time)
    }

    /// The event, with its bytes.
    pub(super) fn event<'a>(self, area: &'a EventArea, buffer: &'a BufferInfo, logfile: &'a Logfile) -> Event<'a> {
        let EventSpan { at, size, case } = self.span;
        let bytes = area.bytes().get(at..at + size).unwrap_or_default();
        let (items, payload) = self.items;
        let thread = area.switches().map(|tables| tables.thread(self.header.old_thread_index()));
        Event {
            index: self.number,
            buffer,
            buffer_offset: u32::try_from(buffer.header_size + at).unwrap_or(u32::MAX),
            bytes,
            case,
            header: self.header,
            items: bytes.get(items..payload).unwrap_or_default(),
            payload: thread.unwrap_or_else(|| bytes.get(payload..).unwrap_or_default()),
            context: self.context,
            clock: &logfile.clock,
            own_time: self.own_time,
            neighbour_time: self.neighbour_time,
            per_processor: logfile.is_per_processor(),
            executor: logfile.session.executor,
        }
    }
}

/// An event that is about to be read, as a choice sees it. It has no extended items, and its header is whole.
#[derive(Debug)]
pub struct Ahead {
    /// Kind of the header.
    pub case: &'static Case,
    /// Bytes of the event: header and payload.
    pub size: usize,
    /// What the header says.
    pub glance: Glance,
}

/// What was reached behind the last event.
#[derive(Debug, Clone)]
pub(super) enum Reached {
    /// An event.
    Event(Decoded),
    /// An event that is not wanted, with its own time or its neighbour's.
    Passed(Option<i64>),
}

/// Chooses nothing: all events are wanted.
pub(crate) const ALL: Option<&mut fn(&Ahead) -> bool> = None;

/// Reads the events of one buffer after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Decoder {
    cursor: EventCursor,
    /// Time of the last packet, in a buffer of compact context switches.
    switch_time: Option<i64>,
    /// Number of the next event in file order.
    pub(super) number: u64,
    neighbour_time: Option<i64>,
    /// Whether the buffer was searched for a neighbour's time.
    searched: bool,
}

/// Which damages a reading tells of. The first pass of an order by time tells of the walk, the second of the headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tell {
    pub(super) walk: bool,
    pub(super) headers: bool,
}

impl Decoder {
    /// Begins a buffer, whose area is loaded.
    pub(super) fn begin(&mut self, area: &EventArea) {
        self.cursor = EventCursor::at_start_of(area);
        self.switch_time = area.switches().map(SwitchTables::first_time);
        (self.neighbour_time, self.searched) = (None, false);
    }

    /// The time for events at the start of a buffer that have none: that of the first event which has one, else of the buffer.
    /// Buffers are flushed after their last event, so their time would be late where a better one is there.
    fn first_time(&self, area: &EventArea, buffer: &BufferInfo, logfile: &Logfile) -> Option<i64> {
        let mut cursor = self.cursor;
        let executor = logfile.session.executor;
        while let Ok(span) = cursor.next(area, logfile.context, executor) {
            let bytes = area.bytes().get(span.at..).unwrap_or_default();
            let time = executor
                .peek_header(span.case, bytes, logfile.context)
                .and_then(|peek| peek.timestamp);
            if time.is_some() {
                return time;
            }
        }
        let time = buffer.roles().buffer_timestamp().filter(|time| *time != 0);
        // The relogger writes when it ran itself, in another clock.
        time.filter(|_| !logfile.is_relogged())
    }

    /// The time stamp of the event whose place [`Self::span`] gave last, or the time of the context switch.
    pub(super) fn time(&self, span: EventSpan, area: &EventArea, logfile: &Logfile) -> Option<i64> {
        self.switch_time.or_else(|| {
            let bytes = area.bytes().get(span.at..).unwrap_or_default();
            let peek = logfile.session.executor.peek_header(span.case, bytes, logfile.context);
            peek.and_then(|peek| peek.timestamp)
        })
    }

    /// The next event whose header can be read. An impossible size ends the buffer; a header that does not fit into its event
    /// costs only that event, which keeps its number.
    ///
    /// An event that `is_wanted` turns away is passed over without its header being decoded. Only events are shown to it of which
    /// nothing would have been told, so what the report says does not depend on it.
    #[inline]
    pub(super) fn next<F: FnMut(&Ahead) -> bool>(
        &mut self,
        area: &EventArea,
        buffer: &BufferInfo,
        logfile: &Logfile,
        tell: Tell,
        report: &mut Report,
        is_wanted: Option<&mut F>,
    ) -> Option<Reached> {
        let mut is_wanted = is_wanted;
        loop {
            let span = self.span(area, buffer, logfile, tell, report)?;
            self.number += 1;
            if let Some(is_wanted) = &mut is_wanted
                && self.switch_time.is_none()
                && let Some(glance) = glance(span, area, logfile)
                && glance.has_extended_items.unwrap_or(0) == 0
            {
                let own_time = glance.timestamp;
                let ahead = Ahead {
                    case: span.case,
                    size: span.size,
                    glance,
                };
                if !is_wanted(&ahead) {
                    return Some(Reached::Passed(own_time.or(self.see_time(own_time, area, buffer, logfile))));
                }
            }
            if let Some(decoded) = self.read(span, area, buffer, logfile, tell, report) {
                return Some(Reached::Event(decoded));
            }
        }
    }

    /// Keeps the time of the event that was counted last for those behind it that have none; gives that of its own neighbour.
    #[inline]
    fn see_time(&mut self, own_time: Option<i64>, area: &EventArea, buffer: &BufferInfo, logfile: &Logfile) -> Option<i64> {
        if own_time.is_none() && self.neighbour_time.is_none() && !self.searched {
            self.neighbour_time = self.first_time(area, buffer, logfile);
            self.searched = true;
        }
        let neighbour_time = self.neighbour_time;
        self.neighbour_time = own_time.or(neighbour_time);
        neighbour_time
    }

    /// Reads the header of the event that was counted last.
    pub(super) fn read(
        &mut self,
        span: EventSpan,
        area: &EventArea,
        buffer: &BufferInfo,
        logfile: &Logfile,
        tell: Tell,
        report: &mut Report,
    ) -> Option<Decoded> {
        let executor = logfile.session.executor;
        let bytes = area.bytes().get(span.at..span.at + span.size).unwrap_or_default();
        let context = logfile
            .context
            .with_pointer_size(span.case.pointer_size.unwrap_or(logfile.context.pointer_size));
        let (header, used) = match executor.header(span.case, bytes, context) {
            Ok(read) => read,
            Err(error) => {
                if tell.headers {
                    // No bytes of a compressed buffer are those of one event alone.
                    let end = if buffer.compressed { span.at } else { span.at + span.size };
                    report.damage(damage(buffer, span.at, end, DamageKind::EventHeader(error)));
                }
                return None;
            }
        };
        let pointer_size = header
            .data_pointer_size()
            .and_then(|size| u8::try_from(size).ok())
            .filter(|size| *size != 0);
        let context = pointer_size.map_or(context, |size| context.with_pointer_size(size));
        let mut payload = used;
        if header.has_extended_items().is_some_and(|value| value != 0) {
            let (length, problem) = measure_items(bytes.get(used..).unwrap_or_default(), context, executor);
            payload += length;
            if let Some(kind) = problem.filter(|_| tell.headers) {
                let at = span.at + payload;
                report.damage(damage(buffer, at, at, kind));
            }
        }
        let own_time = header.timestamp().or(self.switch_time);
        let neighbour_time = self.see_time(own_time, area, buffer, logfile);
        Some(Decoded {
            span,
            header,
            items: (used, payload),
            context,
            own_time,
            neighbour_time,
            number: self.number.saturating_sub(1),
        })
    }

    /// The place of the next event, without reading its header.
    pub(super) fn span(
        &mut self,
        area: &EventArea,
        buffer: &BufferInfo,
        logfile: &Logfile,
        tell: Tell,
        report: &mut Report,
    ) -> Option<EventSpan> {
        let bytes = area.bytes();
        let executor = logfile.session.executor;
        match self.cursor.next(area, logfile.context, executor) {
            Ok(span) => {
                if let Some(time) = self.switch_time {
                    let packet = bytes.get(span.at..).unwrap_or_default();
                    let delta = executor.header(span.case, packet, logfile.context).ok();
                    let delta = delta.and_then(|(packet, _)| packet.time_delta()).unwrap_or(0);
                    self.switch_time = Some(time.saturating_add_unsigned(delta));
                }
                Some(span)
            }
            Err(End::Damaged(at, kind)) if tell.walk => {
                // A buffer that could not be decompressed was counted as lost before.
                let end = if area.is_damaged() { at } else { bytes.len() };
                report.damage(damage(buffer, at, end, kind));
                None
            }
            // The buffer says that these bytes are filled. Only where it says nothing sound does the mark tell where events end.
            Err(End::Marked(at)) if tell.walk && buffer.roles().buffer_filled() == Some(buffer.filled) => {
                report.damage(damage(buffer, at, bytes.len(), DamageKind::UnknownHeader { found: u32::MAX }));
                None
            }
            // The missing bytes were reported when the buffer was read; these belong to an event that needs them.
            Err(End::Cut(at)) if tell.walk && !buffer.compressed => {
                report.lose(damage(buffer, at, bytes.len(), DamageKind::Truncated { missing: 0 }).lost);
                None
            }
            Err(_) => None,
        }
    }
}

/// What can be told of an event without decoding its header.
#[inline]
pub(super) fn glance(span: EventSpan, area: &EventArea, logfile: &Logfile) -> Option<Glance> {
    let bytes = area.bytes().get(span.at..span.at + span.size)?;
    logfile.session.executor.glance(span.case, bytes)
}

/// Damage of the bytes `from..to` of a buffer's area.
fn damage(buffer: &BufferInfo, from: usize, to: usize, kind: DamageKind) -> Damage {
    if buffer.compressed {
        let lost = if from == to {
            buffer.offset..buffer.offset
        } else {
            buffer.offset..buffer.offset + buffer.stored
        };
        let buffer_offset = u32::try_from(buffer.header_size + from).ok();
        return Damage {
            lost,
            buffer: Some(buffer.index),
            buffer_offset,
            kind,
        };
    }
    let start = buffer.offset + buffer.header_size as u64;
    Damage {
        lost: start + from as u64..start + to as u64,
        buffer: Some(buffer.index),
        buffer_offset: None,
        kind,
    }
}
