//! What the generated dispatches and event tables are made of.

use std::fmt;

use binrw::BinRead;

use crate::context::Context;
use crate::dynamic::DynamicRecord;
use crate::format::TypedEvent;
use crate::guid::Guid;
use crate::layout::{Layout, LayoutError};
use crate::payload::Outcome;
use crate::payload::template::{Definition, Template};
use crate::record::{DecodedPayload, Record, RecordInfo};

/// One case of a dispatch: a type value and the structure that it leads to.
#[derive(Debug, PartialEq, Eq)]
pub struct Case {
    /// Name, as dumps print it.
    pub name: &'static str,
    /// Number of the structure within its schema.
    pub structure: usize,
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

/// What an event's header says that events are chosen by, without decoding all of it. Values are `None` where the header has no
/// such field, just as those of [`EventRoles`](crate::EventRoles).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Glance {
    /// Time stamp in the session's clock.
    pub timestamp: Option<i64>,
    /// Group and type of a kernel event as one number.
    pub hook_id: Option<u64>,
    /// Provider of the event.
    pub provider_id: Option<Guid>,
    /// Event class of a classic event.
    pub class_id: Option<Guid>,
    /// Number of the event within its provider.
    pub event_id: Option<u64>,
    /// Severity or verbosity.
    pub level: Option<u64>,
    /// Process that logged the event.
    pub process_id: Option<u64>,
    /// Thread that logged it.
    pub thread_id: Option<u64>,
    /// Not 0 if extended items follow the header.
    pub has_extended_items: Option<u64>,
}

/// What the schema says of an event: of the kernel, of a class, or of a provider.
#[derive(Debug)]
pub struct EventInfo {
    /// `Class/Opcode`; for an event of a provider its name alone.
    pub name: &'static str,
    /// Group and type as one number, for a kernel event.
    pub hook_id: Option<u16>,
    /// Number within its provider, for an event of a provider.
    pub event_id: Option<u16>,
    /// GUID of the event class; for an event of a provider, which is of no class, that of the provider.
    pub class_id: Guid,
    /// Type within the class; 0 for an event of a provider.
    pub opcode: u8,
    /// Meaning; empty for none.
    pub doc: &'static str,
    /// What the event says that there is.
    pub defines: Option<Definition>,
    /// Payloads by rising version; none if only the name is known.
    pub versions: &'static [EventVersion],
}

impl EventInfo {
    /// The payload of a version: that of the highest known version not above it, else of the lowest. Newer versions of Windows
    /// append fields, so an older layout reads the first part of a newer payload; what this means for events of providers, see
    /// [`Event::payload_record`](crate::Event::payload_record).
    pub fn version(&self, version: u64, pointer_size: u8) -> Option<&'static EventVersion> {
        let fits = |known: &&EventVersion| known.pointer_size.is_none_or(|size| size == pointer_size);
        let best = self
            .versions
            .iter()
            .rev()
            .filter(fits)
            .find(|known| u64::from(known.version) <= version);
        best.or_else(|| self.versions.iter().find(fits))
    }
}

/// The payload of one version of an event.
#[derive(Debug)]
pub struct EventVersion {
    /// Version in the header.
    pub version: u8,
    /// Bytes of a pointer, if it is for one pointer size only.
    pub pointer_size: Option<u8>,
    /// What the payload is.
    pub payload: PayloadLayout,
    /// What reads the payload into a structure of its own, if the schema marks the event as `typed`.
    pub typed: Option<ReadTyped>,
}

/// What a payload is.
#[derive(Debug)]
pub enum PayloadLayout {
    /// Fields for the one decoder.
    Template(&'static Template),
    /// A structure of the schema, and what reads it.
    Structure(&'static RecordInfo, ReadPayload),
    /// A layout or structure that an interpreter reads.
    Interpreted(&'static RecordInfo, &'static dyn InterpretPayload),
}

/// Reads a payload as an interpreter knows it.
pub trait InterpretPayload: fmt::Debug + Sync {
    /// The fields that are there, and how far they carry; `None` if not even the fixed part of a structure is there.
    fn interpret(&self, payload: &[u8], context: Context) -> Option<(DynamicRecord, Outcome)>;
}

/// Reads a structure from a payload.
pub type ReadPayload = fn(&[u8], Context) -> Result<DecodedPayload, LayoutError>;

/// Reads a payload of one version into the event to match on; gives it with the number of bytes read.
pub type ReadTyped = fn(&[u8], Context) -> Result<(TypedEvent, usize), LayoutError>;

/// A payload without bytes.
pub(crate) static EMPTY_TEMPLATE: Template = Template::fixed(&[]);

/// Reads a structure of a type that is not named to the caller.
pub(crate) fn read_boxed<T>(bytes: &[u8], context: Context) -> Result<DecodedPayload, LayoutError>
where
    T: Layout + for<'a> BinRead<Args<'a> = Context> + 'static,
{
    T::read_prefix(bytes, context).map(|(record, used)| (Box::new(record) as Box<dyn Record>, used))
}

/// Reads a structure and makes an event of it.
pub(crate) fn read_typed<T>(
    bytes: &[u8],
    context: Context,
    event: impl FnOnce(T) -> TypedEvent,
) -> Result<(TypedEvent, usize), LayoutError>
where
    T: Layout + for<'a> BinRead<Args<'a> = Context>,
{
    T::read_prefix(bytes, context).map(|(payload, used)| (event(payload), used))
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
