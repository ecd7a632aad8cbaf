//! Events as they lie in the file.

use super::decode::{Ahead, Decoded, Decoder, Reached, Tell};
use crate::buffer::{BufferCursor, BufferInfo, EventArea};
use crate::event::Event;
use crate::logfile::Logfile;
use crate::report::Report;
use crate::source::Source;

/// Reading position; one buffer in memory.
#[derive(Debug, Clone)]
pub(crate) struct FileOrder {
    buffers: BufferCursor,
    area: EventArea,
    buffer: Option<BufferInfo>,
    decoder: Decoder,
    /// Whether the file still grows, so that only whole buffers are read.
    grows: bool,
}

impl FileOrder {
    pub(crate) fn new(file_size: u64) -> Self {
        Self {
            buffers: BufferCursor::new(file_size),
            area: EventArea::default(),
            buffer: None,
            decoder: Decoder::default(),
            grows: false,
        }
    }

    /// Number of buffers begun so far.
    pub(crate) fn buffers_found(&self) -> u64 {
        self.buffers.found()
    }

    /// Whether more buffers may come to be.
    pub(crate) fn is_waiting(&self) -> bool {
        self.grows
    }

    /// Says how large the file is now, and whether it goes on growing.
    pub(crate) fn set_growth(&mut self, file_size: u64, grows: bool) {
        self.buffers.set_file_size(file_size);
        self.grows = grows;
    }

    /// The event that [`Self::advance`] gave, with its bytes.
    pub(crate) fn event<'a>(&'a self, decoded: Decoded, logfile: &'a Logfile) -> Option<Event<'a>> {
        Some(decoded.event(&self.area, self.buffer.as_ref()?, logfile))
    }

    /// Goes on to the next event that is wanted.
    pub(crate) fn advance<S: Source + ?Sized, F: FnMut(&Ahead) -> bool>(
        &mut self,
        source: &S,
        logfile: &Logfile,
        report: &mut Report,
        is_wanted: Option<&mut F>,
    ) -> Option<Decoded> {
        let mut is_wanted = is_wanted;
        loop {
            if let Some(buffer) = &self.buffer
                && let Some(reached) = self.decoder.next(
                    &self.area,
                    buffer,
                    logfile,
                    Tell {
                        walk: true,
                        headers: true,
                    },
                    report,
                    is_wanted.as_deref_mut(),
                )
            {
                match reached {
                    Reached::Event(decoded) => return Some(decoded),
                    Reached::Passed(_) => continue,
                }
            }
            if self.grows && !self.buffers.is_whole(source, &logfile.session) {
                return None;
            }
            let buffer = self.buffers.next(source, &logfile.session, report)?;
            self.area.load(source, &buffer, logfile.compression, logfile.context, report);
            self.decoder.begin(&self.area);
            self.buffer = Some(buffer);
        }
    }
}
