//! The area of events of one buffer, decompressed if need be.

use std::io;

use super::header::BufferInfo;
use super::switches::SwitchTables;
use crate::compression::{self, CompressionFormat};
use crate::context::Context;
use crate::layout::LayoutError;
use crate::report::{Damage, DamageKind, Report};
use crate::source::Source;

/// Memory for one buffer's events, used again for the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventArea {
    stored: Vec<u8>,
    decompressed: Vec<u8>,
    use_decompressed: bool,
    complete: bool,
    damaged: bool,
    contents: Contents,
}

/// What stands in an area.
#[derive(Debug, Clone, Default)]
pub(crate) enum Contents {
    /// Events.
    #[default]
    Events,
    /// Packets of compact context switches behind tables, or why the tables can't be read.
    Switches(Result<SwitchTables, LayoutError>),
}

impl EventArea {
    /// The events: the bytes behind the buffer header.
    pub(crate) fn bytes(&self) -> &[u8] {
        if self.use_decompressed {
            &self.decompressed
        } else {
            &self.stored
        }
    }

    /// What the bytes are.
    pub(crate) fn contents(&self) -> &Contents {
        &self.contents
    }

    /// The tables of a buffer of compact context switches.
    pub(crate) fn switches(&self) -> Option<&SwitchTables> {
        match &self.contents {
            Contents::Switches(Ok(tables)) => Some(tables),
            _ => None,
        }
    }

    /// Whether all bytes are there that the header promises.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether the buffer was reported as lost, although some of its bytes are here.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Reads the events of a buffer. What can't be read or decompressed is reported; what comes before it is kept.
    pub(crate) fn load<S: Source + ?Sized>(
        &mut self,
        source: &S,
        buffer: &BufferInfo,
        format: CompressionFormat,
        context: Context,
        report: &mut Report,
    ) {
        let promised = buffer.filled_area();
        let stored = usize::try_from(buffer.stored)
            .unwrap_or(usize::MAX)
            .saturating_sub(buffer.header_size);
        let wanted = if buffer.compressed { stored } else { stored.min(promised) };
        self.use_decompressed = buffer.compressed;
        let read = self.read(source, buffer.offset + buffer.header_size as u64, wanted);
        let damage = |kind| Damage {
            lost: buffer.offset..buffer.offset + buffer.stored,
            buffer: Some(buffer.index),
            buffer_offset: None,
            kind,
        };
        self.damaged = false;
        if let Err(error) = read {
            report.damage(damage(DamageKind::Io(error.to_string())));
            self.damaged = true;
        }
        if buffer.compressed
            && let Err(error) = compression::decompress(format, &self.stored, promised, &mut self.decompressed)
            && !self.damaged
        {
            report.damage(damage(DamageKind::Compression(error)));
            self.damaged = true;
        }
        self.complete = self.bytes().len() >= promised;
        self.contents = if buffer.holds_switches() && promised > 0 {
            Contents::Switches(SwitchTables::read(self.bytes(), context))
        } else {
            Contents::Events
        };
    }

    fn read<S: Source + ?Sized>(&mut self, source: &S, offset: u64, wanted: usize) -> io::Result<()> {
        self.stored.resize(wanted, 0);
        let read = source.read_full_at(offset, &mut self.stored);
        self.stored.truncate(read.as_ref().copied().unwrap_or(0));
        read.map(|_| ())
    }
}
