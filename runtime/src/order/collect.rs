//! Collects the schemas that a trace carries, on a walk through its buffers.

use super::decode::{Decoder, Tell};
use crate::buffer::{BufferCursor, BufferInfo, EventArea};
use crate::dispatch::Case;
use crate::event::EventSpan;
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

    /// The schemas, once all events were seen.
    pub(crate) fn finish(mut self) -> Schemas {
        self.schemas.finish();
        self.schemas
    }
}

/// Walks the whole file.
pub(crate) fn collect<S: Source + ?Sized>(source: &S, file_size: u64, logfile: &Logfile) -> Schemas {
    let mut report = Report::new(0);
    let mut collector = Collector::default();
    let mut buffers = BufferCursor::new(file_size);
    let mut area = EventArea::default();
    let mut decoder = Decoder::default();
    let silent = Tell {
        walk: false,
        headers: false,
    };
    while let Some(buffer) = buffers.next(source, &logfile.session, &mut report) {
        area.load(source, &buffer, logfile.compression, logfile.context, &mut report);
        decoder.begin(&area);
        while let Some(span) = decoder.span(&area, &buffer, logfile, silent, &mut report) {
            decoder.number += 1;
            collector.see(span, &mut decoder, &area, &buffer, logfile);
        }
    }
    collector.finish()
}
