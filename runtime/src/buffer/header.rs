//! One buffer header, and whether it can be believed.

use super::switches::SWITCH_HEAD_SIZE;
use crate::context::Context;
use crate::dispatch::{Case, little_endian};
use crate::dynamic::Parsed;
use crate::executor::{Executor, WalkStructure};
use crate::format::WmiBufferHeader;
use crate::format::roles::BufferRoles;
use crate::table::TableInfo;

/// Buffers and events begin at multiples of this many bytes of an uncompressed buffer.
pub const ALIGNMENT: usize = 8;

/// Facts about the session that bound what a buffer header may say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Session {
    /// Bytes of an uncompressed buffer, as the logfile header says.
    pub(crate) buffer_size: u64,
    /// Largest buffer that is read at all.
    pub(crate) max_buffer_size: u64,
    /// How event headers are read.
    pub(crate) context: Context,
    /// What reads them.
    pub(crate) executor: Executor,
}

impl Session {
    /// Bytes of a buffer header. The events follow it at once.
    pub(crate) fn header_size(&self) -> usize {
        self.executor.buffer_header_size()
    }

    /// How many bytes a [`Candidate`] is judged by: the header, and enough of the first event to know its kind and size.
    pub(super) fn candidate_size(&self) -> usize {
        (self.header_size() + ALIGNMENT).min(MAX_CANDIDATE_SIZE)
    }

    /// Most bytes that a compressed buffer may decompress to: the session's own buffers are no larger.
    pub(crate) fn max_decompressed(&self) -> u64 {
        let sane = self.buffer_size.clamp(1 << 10, self.max_buffer_size);
        // A damaged logfile header must not cut buffers short: Windows 8 and later allow 16 MiB.
        if sane == self.buffer_size {
            sane
        } else {
            self.max_buffer_size.min(16 << 20)
        }
    }
}

/// A buffer of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct BufferInfo {
    /// Number of the buffer in file order, from 0.
    pub index: u64,
    /// Where its header begins in the file.
    pub offset: u64,
    /// The header.
    pub header: Parsed<WmiBufferHeader>,
    /// Bytes that the buffer takes in the file, header included; fewer than the header says if the file ends before.
    pub stored: u64,
    /// Bytes of header and events when decompressed: those that may be read.
    pub filled: u64,
    /// Whether the events are compressed.
    pub compressed: bool,
    /// Whether it is a header buffer, as at the start of the file.
    pub is_header: bool,
    /// Bytes of the header.
    pub(crate) header_size: usize,
}

impl BufferInfo {
    /// The header by its roles, whatever its fields are named.
    pub fn roles(&self) -> &dyn BufferRoles {
        &self.header
    }

    /// Bytes of events when decompressed: what is filled behind the header.
    pub fn filled_area(&self) -> usize {
        usize::try_from(self.filled)
            .unwrap_or(usize::MAX)
            .saturating_sub(self.header_size)
    }

    /// Processor that the buffer belongs to.
    pub fn processor(&self) -> u16 {
        self.roles()
            .buffer_processor()
            .and_then(|number| u16::try_from(number).ok())
            .unwrap_or(0)
    }

    /// Whether it holds compact context switches instead of events.
    pub fn holds_switches(&self) -> bool {
        holds_switches(self.roles())
    }

    /// Running number within the session.
    pub fn sequence_number(&self) -> i64 {
        self.roles().buffer_sequence_number().unwrap_or(0)
    }
}

/// A header at a place of the file, read together with the first bytes of the first event.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) header: Parsed<WmiBufferHeader>,
    /// The stated size, if a buffer can have it.
    pub(super) size: Option<u64>,
    /// Whether everything in it is possible.
    pub(super) sane: bool,
    /// Whether all but its size is possible, and it holds events.
    pub(super) sane_but_size: bool,
    /// All bytes are zero.
    pub(super) zero: bool,
}

/// Room for the bytes that a [`Candidate`] is judged by. No schema makes a buffer header longer.
pub(super) const MAX_CANDIDATE_SIZE: usize = 512;

impl Candidate {
    /// Reads a header from the first bytes of `bytes`; `None` if they are too few.
    pub(super) fn read(bytes: &[u8], session: &Session) -> Option<Self> {
        let (header, used) = session.executor.buffer_header(bytes, session.context).ok()?;
        let zero = bytes.get(..used).is_some_and(|header| header.iter().all(|byte| *byte == 0));
        let first_event = bytes.get(used..).unwrap_or_default();
        let facts: &dyn BufferRoles = &header;
        let size = facts.buffer_size().unwrap_or(0);
        let compressed = facts.buffer_is_compressed().is_some_and(|value| value != 0);
        let sane_size = (session.header_size() as u64..=session.max_buffer_size).contains(&size)
            && (compressed || size.is_multiple_of(ALIGNMENT as u64));
        let sane = sane_size && is_sane(facts, size, first_event, session);
        // A size that is possible as such, but less than what is filled, counts as impossible too.
        let sane_but_size = !sane
            && facts.buffer_filled() > Some(session.header_size() as u64)
            && !first_event.is_empty()
            && is_sane(facts, session.buffer_size, first_event, session);
        Some(Self {
            header,
            size: sane_size.then_some(size),
            sane,
            sane_but_size,
            zero,
        })
    }

    pub(super) fn roles(&self) -> &dyn BufferRoles {
        &self.header
    }

    pub(super) fn compressed(&self) -> bool {
        self.roles().buffer_is_compressed().is_some_and(|value| value != 0)
    }
}

fn holds_switches(header: &dyn BufferRoles) -> bool {
    header.buffer_holds_switches().is_some_and(|value| value != 0)
}

/// Range that the number of filled bytes must lie in.
pub(super) fn filled_range(compressed: bool, size: u64, session: &Session) -> (u64, u64) {
    (
        session.header_size() as u64,
        if compressed { session.max_decompressed() } else { size },
    )
}

fn is_sane(header: &dyn BufferRoles, size: u64, first_event: &[u8], session: &Session) -> bool {
    let known = |number: Option<u64>, table: &TableInfo| {
        number.is_none_or(|number| table.entries.iter().any(|entry| entry.value == number))
    };
    let compressed = header.buffer_is_compressed().is_some_and(|value| value != 0);
    let filled = header.buffer_filled().unwrap_or(0);
    let (least, most) = filled_range(compressed, size, session);
    let tables = session.executor.buffer_tables();
    (least..=most).contains(&filled)
        && known(header.buffer_type(), tables.types)
        && known(header.buffer_state(), tables.states)
        && header.buffer_flags().unwrap_or(0) & !named_bits(tables.flags) == 0
        && (compressed
            || filled == least
            || if holds_switches(header) {
                filled - least >= SWITCH_HEAD_SIZE as u64
            } else {
                begins_an_event(first_event, filled - least, session)
            })
}

fn named_bits(table: &TableInfo) -> u64 {
    table.entries.iter().fold(0, |bits, entry| bits | entry.value)
}

/// A quick look before a header is decoded, to pass over most of what is none: whether the buffer type at its place is a
/// known one. Places come from the schema, by role.
#[derive(Debug)]
pub(super) struct QuickLook {
    /// Offset and size of the buffer type.
    place: Option<(usize, usize)>,
    types: &'static TableInfo,
}

impl QuickLook {
    pub(super) fn new(executor: Executor) -> Self {
        let fields = executor.info(WalkStructure::BufferHeader).fields;
        let field = fields.iter().find(|field| field.role == "buffer_type");
        Self {
            place: field.and_then(|field| Some((field.offset?[1] as usize, field.size?[1] as usize))),
            types: executor.buffer_tables().types,
        }
    }

    pub(super) fn might_be_header(&self, bytes: &[u8]) -> bool {
        let Some((offset, size)) = self.place else { return true };
        little_endian(bytes, offset, size).is_some_and(|number| self.types.entries.iter().any(|entry| entry.value == number))
    }
}

/// Whether bytes are the start of an event that fits into `filled` bytes.
fn begins_an_event(bytes: &[u8], filled: u64, session: &Session) -> bool {
    // A file that ends right behind the header says nothing against it.
    if bytes.is_empty() {
        return true;
    }
    let (context, executor) = (session.context, session.executor);
    let Some(case) = executor.select_header(bytes, context) else {
        return false;
    };
    let Some(peek) = executor.peek_header(case, bytes, context) else {
        return case.info.is_some();
    };
    peek.size >= u64::from(least_size(case, context)) && peek.size <= filled
}

/// Fewest bytes of an event with this header.
pub(crate) fn least_size(case: &Case, context: Context) -> u32 {
    let [p32, p64] = case.info.map_or([1, 1], |info| info.min_size);
    if context.pointer_size == 4 { p32 } else { p64 }
}
