//! Events as they lie in the file.

use super::decode::{Decoded, Decoder, Tell};
use crate::buffer::{BufferCursor, BufferInfo, EventArea};
use crate::event::Event;
use crate::logfile::Logfile;
use crate::report::Report;
use crate::source::Source;

/// Reading position; one buffer in memory.
#[derive(Debug)]
pub(crate) struct FileOrder {
    buffers: BufferCursor,
    area: EventArea,
    buffer: Option<BufferInfo>,
    decoder: Decoder,
}

impl FileOrder {
    pub(crate) fn new(file_size: u64) -> Self {
        Self {
            buffers: BufferCursor::new(file_size),
            area: EventArea::default(),
            buffer: None,
            decoder: Decoder::default(),
        }
    }

    /// Number of buffers begun so far.
    pub(crate) fn buffers_found(&self) -> u64 {
        self.buffers.found()
    }

    /// The event that [`Self::advance`] gave, with its bytes.
    pub(crate) fn event<'a>(&'a self, decoded: Decoded, logfile: &'a Logfile) -> Option<Event<'a>> {
        Some(decoded.event(&self.area, self.buffer.as_ref()?, logfile))
    }

    /// Goes on to the next event.
    pub(crate) fn advance<S: Source + ?Sized>(&mut self, source: &S, logfile: &Logfile, report: &mut Report) -> Option<Decoded> {
        loop {
            if let Some(buffer) = &self.buffer
                && let Some(decoded) = self.decoder.next(
                    &self.area,
                    buffer,
                    logfile,
                    Tell {
                        walk: true,
                        headers: true,
                    },
                    report,
                )
            {
                return Some(decoded);
            }
            let buffer = self.buffers.next(source, &logfile.session, report)?;
            self.area.load(source, &buffer, logfile.compression, logfile.context, report);
            self.decoder.begin(&self.area);
            self.buffer = Some(buffer);
        }
    }
}
