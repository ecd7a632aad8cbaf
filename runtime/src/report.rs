//! What was lost or odd while a trace was read. Damage is a value: reading goes on behind it.

use std::fmt;
use std::ops::Range;

use crate::compression::DecompressError;
use crate::format::EventHeaderExtendedDataItem;
use crate::layout::LayoutError;

/// Damages and notes of one reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    damages: Vec<Damage>,
    further: u64,
    lost_bytes: u64,
    notes: Vec<Note>,
    max_damages: usize,
}

/// Bytes of the file that could not be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The bytes of the file that were lost. Of a compressed buffer, all of it; empty if nothing was lost but a fact.
    pub lost: Range<u64>,
    /// The buffer, counted from 0, unless the place belongs to none.
    pub buffer: Option<u64>,
    /// Offset within the decompressed buffer, where the buffer is compressed and the damage lies in an event.
    pub buffer_offset: Option<u32>,
    /// What is wrong.
    pub kind: DamageKind,
}

/// What is wrong with a part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
    /// The first buffer is not marked as the header buffer.
    NotHeaderBuffer {
        /// Its buffer type.
        found: u64,
    },
    /// No buffer header where one must be.
    NoBuffer {
        /// The stated size of the buffer.
        buffer_size: u64,
    },
    /// The stated size of a buffer leads to no other buffer.
    BufferSize {
        /// The stated size.
        found: u64,
    },
    /// The number of filled bytes of a buffer is impossible.
    FilledBytes {
        /// The stated number.
        found: u64,
        /// The smallest possible one.
        least: u64,
        /// The largest possible one.
        most: u64,
    },
    /// Two accounts of the filled bytes of a data buffer differ: the larger is taken.
    FilledBytesDiffer {
        /// The account that bounds the events.
        filled: u64,
        /// The older account.
        saved: u64,
    },
    /// The event header of the logfile header is none, although what follows it is a logfile header.
    LogfileEvent {
        /// The first four bytes as a number.
        found: u32,
    },
    /// The file ends within a buffer.
    Truncated {
        /// How many bytes are missing.
        missing: u64,
    },
    /// A compressed buffer can't be decompressed to its end.
    Compression(DecompressError),
    /// The first bytes of an event are those of no header.
    UnknownHeader {
        /// The first four bytes as a number.
        found: u32,
    },
    /// The size of an event is impossible.
    EventSize {
        /// Name of the header.
        header: &'static str,
        /// The stated size.
        found: u64,
        /// The smallest possible one.
        least: u32,
        /// Bytes that are left in the buffer.
        left: usize,
    },
    /// A buffer of compact context switches is too short for what it begins with.
    ContextSwitches(LayoutError),
    /// The header of an event is longer than the event.
    EventHeader(LayoutError),
    /// An extended data item of an event is impossible; the payload begins where it stands.
    ExtendedItem {
        /// Type of the item.
        item_type: u64,
        /// Its stated size.
        size: u64,
        /// The smallest possible one.
        least: u64,
        /// Bytes that are left in the event.
        left: usize,
    },
    /// The file can't be read.
    Io(String),
}

/// Something worth knowing that cost nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The rest of the file is zeros: space that was reserved and not used.
    ZeroTail {
        /// Where it begins.
        offset: u64,
        /// How long it is.
        length: u64,
    },
    /// The header names another number of buffers than the file holds.
    BuffersWritten {
        /// What the header says.
        stated: u64,
        /// What the file holds.
        found: u64,
    },
    /// The order by time would have taken too much memory, so events come in file order.
    FileOrder {
        /// What there was too much of.
        reason: &'static str,
    },
}

impl Report {
    pub(crate) fn new(max_damages: usize) -> Self {
        Self {
            max_damages,
            ..Self::default()
        }
    }

    pub(crate) fn damage(&mut self, damage: Damage) {
        self.lost_bytes += damage.lost.end.saturating_sub(damage.lost.start);
        if self.damages.len() < self.max_damages {
            self.damages.push(damage);
        } else {
            self.further += 1;
        }
    }

    /// Counts bytes as lost whose damage was told of before.
    pub(crate) fn lose(&mut self, lost: Range<u64>) {
        self.lost_bytes += lost.end.saturating_sub(lost.start);
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.further += other.further;
        let lost = self.lost_bytes + other.lost_bytes;
        other.damages.into_iter().for_each(|damage| self.damage(damage));
        self.lost_bytes = lost;
        self.notes.extend(other.notes);
    }

    /// The damages in the order in which they were met; see [`Self::further`].
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    /// How many damages were met beyond those that were kept.
    pub fn further(&self) -> u64 {
        self.further
    }

    /// Bytes of the file that could not be used.
    pub fn lost_bytes(&self) -> u64 {
        self.lost_bytes
    }

    /// Things worth knowing.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether nothing was damaged.
    pub fn is_clean(&self) -> bool {
        self.damages.is_empty() && self.further == 0
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {:#x}", self.lost.start)?;
        match (self.buffer, self.buffer_offset) {
            (Some(buffer), Some(offset)) => write!(f, " (buffer {buffer}, {offset:#x} in it when decompressed)")?,
            (Some(buffer), None) => write!(f, " (buffer {buffer})")?,
            (None, _) => {}
        }
        write!(f, ": {}", self.kind)?;
        match self.lost.end.saturating_sub(self.lost.start) {
            0 => Ok(()),
            1 => write!(f, "; 1 byte is lost"),
            lost => write!(f, "; {lost} bytes up to {:#x} are lost", self.lost.end),
        }
    }
}

impl fmt::Display for DamageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHeaderBuffer { found } => write!(f, "the first buffer has type {found}, not that of a header buffer"),
            Self::NoBuffer { buffer_size } => write!(
                f,
                "expected a buffer header, found bytes that are none (buffer size {buffer_size:#x})"
            ),
            Self::BufferSize { found } => write!(f, "the buffer size {found:#x} does not lead to the next buffer"),
            Self::FilledBytes { found, least, most } => {
                write!(
                    f,
                    "the buffer says that {found:#x} of its bytes are filled, expected {least:#x} to {most:#x}"
                )
            }
            Self::FilledBytesDiffer { filled, saved } => {
                write!(
                    f,
                    "the buffer says that {filled:#x} and that {saved:#x} of its bytes are filled; the larger number was taken"
                )
            }
            Self::LogfileEvent { found } => write!(
                f,
                "the event header of the logfile header is damaged (it begins with {found:#010x}); the logfile header behind it was read"
            ),
            Self::Truncated { missing } => write!(f, "the file ends within a buffer, {missing} bytes are missing"),
            Self::Compression(error) => write!(f, "the buffer cannot be decompressed: {error}"),
            Self::UnknownHeader { found } => write!(f, "expected an event header, found {found:#010x}"),
            Self::EventSize {
                header,
                found,
                least,
                left,
            } => {
                write!(
                    f,
                    "{header} event with a size of {found}, expected at least {least} and at most the {left} that are left in the buffer"
                )
            }
            Self::ContextSwitches(error) => write!(f, "the buffer ends within the tables of its context switches: {error}"),
            Self::EventHeader(error) => write!(f, "the event is shorter than its header: {error}"),
            Self::ExtendedItem {
                item_type,
                size,
                least,
                left,
            } => {
                // Less than an item header is left: there is no type and no size.
                if *left < EventHeaderExtendedDataItem::SIZE {
                    return write!(
                        f,
                        "expected an extended item of at least {least} bytes, found the end of the event after {left}"
                    );
                }
                write!(
                    f,
                    "extended item of type {item_type} with a size of {size}, expected at least {least} for its data and at most the {left} that are left in the event"
                )
            }
            Self::Io(error) => write!(f, "cannot read: {error}"),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroTail { offset, length } => write!(
                f,
                "the last {length} bytes, from {offset:#x} on, are zeros: reserved and not used"
            ),
            Self::BuffersWritten { stated: 0, found } => {
                write!(
                    f,
                    "the trace was not finished: its header does not say how many buffers were written; the file holds {found}"
                )
            }
            Self::BuffersWritten { stated, found } => write!(
                f,
                "the header says that {stated} buffers were written; the file holds {found}"
            ),
            Self::FileOrder { reason } => write!(f, "events are in file order: {reason}"),
        }
    }
}
