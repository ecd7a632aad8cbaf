//! What the generated dispatches and event tables are made of.

use crate::guid::Guid;
use crate::record::RecordInfo;

/// One case of a dispatch: a type value and the structure that it leads to.
#[derive(Debug, PartialEq, Eq)]
pub struct Case {
    /// Name, as dumps print it.
    pub name: &'static str,
    /// Number of the structure, for the generated code.
    pub(crate) structure: usize,
    /// The structure; none for an end of the buffer.
    pub info: Option<&'static RecordInfo>,
    /// Bytes of a pointer in the data that follows, where the case says so.
    pub pointer_size: Option<u8>,
    /// The layout beyond the structure is not established.
    pub opaque: bool,
    /// Meaning.
    pub doc: &'static str,
}

/// Size and time of an event without decoding all of its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peek {
    /// Bytes of the event, as its header says.
    pub size: u64,
    /// Time stamp in the session's clock, if the header has one.
    pub timestamp: Option<i64>,
}

/// Name of an event, and the structure of its payload.
#[derive(Debug, PartialEq, Eq)]
pub struct EventInfo {
    /// `Class/Opcode`.
    pub name: &'static str,
    /// Group and type as one number.
    pub hook_id: u16,
    /// GUID of the event class.
    pub class_id: Option<Guid>,
    /// Structure of the payload, where it is known.
    pub payload: Option<&'static RecordInfo>,
    /// Meaning.
    pub doc: &'static str,
}

/// The unsigned little-endian number of `size` bytes at `offset`.
#[inline]
pub(crate) fn little_endian(bytes: &[u8], offset: usize, size: usize) -> Option<u64> {
    let field = bytes.get(offset..offset + size)?;
    Some(match field {
        [a] => u64::from(*a),
        [a, b] => u64::from(u16::from_le_bytes([*a, *b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => u64::from_le_bytes(field.try_into().ok()?),
    })
}
