//! Collects the schemas that a trace carries, on a walk through its buffers.

use super::decode::{Decoder, Tell, glance};
use crate::buffer::{BufferCursor, BufferInfo, EventArea};
use crate::dispatch::Case;
use crate::event::EventSpan;
use crate::filetime::Filetime;
use crate::format::roles::EventRoles;
use crate::logfile::Logfile;
use crate::payload::schemas::Schemas;
use crate::report::Report;
use crate::source::Source;

/// Shows events to the schemas. Nothing is told of damage: whoever reads the events does that.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    schemas: Schemas,
    /// Kinds of headers by which no schema can be carried, such as those of kernel events. Often that is most events of a trace,
    /// and their headers need not be read.
    without: Vec<&'static Case>,
}

impl Collector {
    /// Shows the event that the decoder counted last.
    pub(super) fn see(
        &mut self,
        span: EventSpan,
        decoder: &mut Decoder,
        area: &EventArea,
        buffer: &BufferInfo,
        logfile: &Logfile,
    ) {
        if self.without.iter().any(|case| std::ptr::eq(*case, span.case)) {
            return;
        }
        if glance(span, area, logfile).is_some_and(|glance| !Schemas::may_be_carried(&glance)) {
            return;
        }
        let silent = Tell {
            walk: false,
            headers: false,
        };
        let Some(decoded) = decoder.read(span, area, buffer, logfile, silent, &mut Report::new(0)) else {
            return;
        };
        let header = decoded.header();
        if header.class_id().is_none() && header.event_id().is_none() && header.has_extended_items().is_none() {
            self.without.push(span.case);
            return;
        }
        self.schemas.collect(&decoded.event(area, buffer, logfile));
    }

    /// Goes on with schemas that were collected before, from other traces.
    pub(crate) fn with(schemas: Schemas) -> Self {
        Self {
            schemas,
            without: Vec::new(),
        }
    }

    /// The schemas, once all events were seen.
    pub(crate) fn finish(mut self) -> Schemas {
        self.schemas.finish();
        self.schemas
    }

    /// The schemas, to which those of other traces may be added.
    pub(crate) fn into_schemas(self) -> Schemas {
        self.schemas
    }
}

/// When the events of a trace were logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Survey {
    /// No event is before it. `None` if that can't be told: the clock cannot be converted, or the date is impossible.
    pub first: Option<Filetime>,
    /// The first event behind the header buffer. Files that a session was split into all begin with its start.
    pub first_of_data: Option<Filetime>,
    /// The last event.
    pub last: Option<Filetime>,
    /// Number of events.
    pub events: u64,
}

/// Walks the whole file, and shows its events to the collector.
pub(crate) fn survey<S: Source + ?Sized>(source: &S, file_size: u64, logfile: &Logfile, collector: &mut Collector) -> Survey {
    let mut report = Report::new(0);
    let mut buffers = BufferCursor::new(file_size);
    let mut area = EventArea::default();
    let mut decoder = Decoder::default();
    let silent = Tell {
        walk: false,
        headers: false,
    };
    // An event without any time has that of the trace's start.
    let mut first = logfile.clock.parameters().reference;
    let mut last = first;
    let mut first_of_data = None;
    while let Some(buffer) = buffers.next(source, &logfile.session, &mut report) {
        area.load(source, &buffer, logfile.compression, logfile.context, &mut report);
        decoder.begin(&area);
        let mut timed = false;
        let mut see = |time: i64| {
            first = first.min(time);
            last = last.max(time);
            if !buffer.is_header {
                first_of_data = Some(first_of_data.map_or(time, |first: i64| first.min(time)));
            }
        };
        while let Some(span) = decoder.span(&area, &buffer, logfile, silent, &mut report) {
            decoder.number += 1;
            if let Some(time) = decoder.time(span, &area, logfile) {
                timed = true;
                see(time);
            }
            collector.see(span, &mut decoder, &area, &buffer, logfile);
        }
        // Its events then have the time of the buffer.
        if let Some(time) = buffer.roles().buffer_timestamp().filter(|time| !timed && *time != 0) {
            see(time);
        }
    }
    let time = |ticks| logfile.clock.to_filetime(ticks);
    Survey {
        first: time(first),
        first_of_data: first_of_data.and_then(time),
        last: time(last),
        events: decoder.number,
    }
}
