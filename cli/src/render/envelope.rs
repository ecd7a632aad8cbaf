//! The keys of an event: one table for JSON Lines, the columns of CSV and the JSON Schema.

use winetl::EventRoles;
use winetl::payload::decoded::{DecodedBy, Undecoded};

use super::hex::{HexBytes, HexNumber};
use super::items::Items;
use super::json::{Ascii, Json, Serialized};
use super::kind::Kind;
use super::names::EventNames;
use super::real_id;
use super::resolved::JsonResolution;
use super::sink::Shown;
use super::value::{JsonGuid, JsonRecord};

/// When a key is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Always,
    /// More than one file was named.
    SeveralFiles,
    /// Unless `--no-header` is given.
    Header,
    /// `--process-names` is given.
    ProcessNames,
    /// `--resolve` is given.
    Resolve,
}

/// What a value can be, beside `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A whole number from 0 on, never `null`.
    Count,
    /// A whole number from 0 on, or `null`.
    Unsigned,
    /// A whole number, or `null`.
    Signed,
    /// A time in UTC, or `null`.
    Time,
    /// A GUID, or `null`.
    Guid,
    /// Text, never `null`.
    Name,
    /// Text, or `null`.
    Text,
    /// A number as `0x1f`, or `null`.
    Hex,
    /// Bytes as digits, or `null`.
    Bytes,
    /// An object of fields, never `null`.
    Header,
    /// An object of fields, or `null`.
    Fields,
    /// The extended items.
    Items,
    /// What decoded the payload, or `null`.
    DecodedBy,
    /// Why it was not decoded, or `null`.
    Undecoded,
    /// The names of numbers, or `null`.
    Names,
    /// What numbers stand for, or `null`.
    Resolved,
}

/// What is known of a key.
#[derive(Debug)]
pub(crate) struct KeyInfo {
    pub(crate) key: Key,
    pub(crate) name: &'static str,
    /// The name as it begins an entry of an object.
    pub(crate) entry: &'static str,
    pub(crate) presence: Presence,
    pub(crate) shape: Shape,
    /// Whether CSV has a column for it, if none are named.
    pub(crate) column: bool,
    /// Meaning.
    pub(crate) doc: &'static str,
}

/// Does something for each key.
pub(crate) trait KeyVisitor {
    /// `NUMBER` is the place of the key in [`KEYS`].
    fn key<const NUMBER: usize>(&mut self);
}

macro_rules! keys {
    ($($key:ident $name:literal $presence:ident $shape:ident $column:literal $doc:literal)*) => {
        /// A key of an event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Key {
            $($key,)*
        }

        /// All keys, in their order.
        pub(crate) const KEYS: &[KeyInfo] = &[$(KeyInfo {
            key: Key::$key,
            name: $name,
            entry: concat!(",\"", $name, "\":"),
            presence: Presence::$presence,
            shape: Shape::$shape,
            column: $column,
            doc: $doc,
        },)*];

        /// Visits the keys in their order. Each visit has its number as a constant, so what it does is compiled for that key.
        #[inline(always)]
        pub(crate) fn visit_keys(visitor: &mut impl KeyVisitor) {
            $(visitor.key::<{ Key::$key as usize }>();)*
        }
    };
}

keys! {
    File "file" SeveralFiles Name true "The file as named on the command line."
    N "n" Always Count true "Number of the event in file order, from 0."
    FileOffset "file_offset" Always Count false "Where the event lies in the file, in bytes; in a compressed buffer, where the buffer lies."
    Buffer "buffer" Always Count false "Number of its buffer in file order, from 0."
    BufferOffset "buffer_offset" Always Unsigned false "In a compressed buffer: where the event lies in the decompressed buffer, in bytes, header included."
    Time "time" Always Time true "When it was logged; null if the clock cannot be converted."
    RawTime "raw_time" Always Signed false "Its time stamp in ticks of the session's clock."
    Cpu "cpu" Always Unsigned true "Processor; null if the session's buffers do not belong to processors."
    Pid "pid" Always Unsigned true "Process; null if the header has none."
    Tid "tid" Always Unsigned true "Thread; null if the header has none."
    HeaderType "header_type" Always Name false "Kind of the header."
    ProviderId "provider_id" Always Guid true "GUID of the provider; of a classic event its class, of a WPP message the message GUID."
    Provider "provider" Always Text true "Name of the provider."
    ClassId "class_id" Always Guid false "GUID of the event class, for classic and kernel events."
    Event "event" Always Text true "Name of the event."
    Id "id" Always Unsigned true "Number of the event within its provider, or of the WPP message within its GUID."
    Version "version" Always Unsigned true "Version of the payload's layout."
    Opcode "opcode" Always Unsigned true "Operation; of a classic or kernel event its type."
    Level "level" Always Unsigned true "Severity or verbosity."
    Task "task" Always Unsigned true "Task within the provider."
    Keyword "keyword" Always Hex true "Mask of categories."
    Header "header" Header Header false "All fields of the header, those for reserved space left out."
    Extended "extended" Always Items true "The extended data items in their order."
    Fields "fields" Always Fields true "The decoded payload; null if nothing describes it."
    DecodedBy "decoded_by" Always DecodedBy false "What decoded all of the payload."
    Undecoded "undecoded" Always Undecoded false "Why not all of the payload was decoded."
    Payload "payload" Always Bytes true "The bytes of the payload that were not decoded."
    Names "names" Always Names false "Names of level, opcode, task and keyword."
    Process "process" ProcessNames Text true "File name of the image that the event's process runs."
    Resolved "resolved" Resolve Resolved true "What the numbers in the event stand for."
}

/// The keys that events of one kind have in common, as a range of [`KEYS`].
pub(crate) const OF_KIND: std::ops::RangeInclusive<usize> = Key::HeaderType as usize..=Key::Keyword as usize;

impl Presence {
    /// Whether the key is there.
    #[inline]
    pub(crate) fn holds(self, shown: &Shown<'_>, header: bool) -> bool {
        match self {
            Self::Always => true,
            Self::SeveralFiles => shown.file.is_some(),
            Self::Header => header,
            Self::ProcessNames => shown.process.is_some(),
            Self::Resolve => shown.resolved.is_some(),
        }
    }
}

impl Key {
    /// Whether events of one kind have it in common.
    pub(crate) fn is_of_kind(self) -> bool {
        OF_KIND.contains(&(self as usize))
    }
}

/// The value of a key for an event.
pub(crate) struct KeyValue<'a> {
    pub(crate) key: Key,
    pub(crate) shown: &'a Shown<'a>,
    /// What the keys of the kind are made from; the others do without.
    pub(crate) kind: Option<&'a Kind<'a>>,
}

impl Json for KeyValue<'_> {
    // Where the key is a constant, one arm is left.
    #[inline(always)]
    fn push(&self, out: &mut Vec<u8>) {
        let Shown { event, payload, .. } = *self.shown;
        match self.key {
            Key::File => self.shown.file.push(out),
            Key::N => event.index().push(out),
            Key::FileOffset => event.file_offset().push(out),
            Key::Buffer => event.buffer().index.push(out),
            Key::BufferOffset => event.buffer().compressed.then(|| u64::from(event.buffer_offset())).push(out),
            Key::Time => event.time().and_then(|time| time.to_ascii()).map(Ascii).push(out),
            Key::RawTime => event.raw_time().push(out),
            Key::Cpu => event.processor().push(out),
            Key::Pid => real_id(event.header().process_id()).push(out),
            Key::Tid => real_id(event.header().thread_id()).push(out),
            Key::Header => JsonRecord(event.header().record()).push(out),
            Key::Extended => Items(event).push(out),
            Key::Fields => payload.record.as_ref().map(|record| JsonRecord(record.record())).push(out),
            Key::DecodedBy => payload
                .source
                .filter(|_| payload.undecoded.is_none())
                .map(DecodedBy::name)
                .push(out),
            Key::Undecoded => payload.undecoded.map(Undecoded::name).push(out),
            Key::Payload => (!payload.rest.is_empty()).then_some(HexBytes(payload.rest)).push(out),
            Key::Names => EventNames::of(event, payload.schema).push(out),
            Key::Process => self.shown.process.flatten().push(out),
            Key::Resolved => self
                .shown
                .resolved
                .filter(|resolved| !resolved.is_empty())
                .map(|resolved| Serialized(JsonResolution(resolved)))
                .push(out),
            Key::HeaderType
            | Key::ProviderId
            | Key::Provider
            | Key::ClassId
            | Key::Event
            | Key::Id
            | Key::Version
            | Key::Opcode
            | Key::Level
            | Key::Task
            | Key::Keyword => match self.kind {
                Some(kind) => of_kind(self.key, kind, out),
                None => None::<&str>.push(out),
            },
        }
    }
}

fn of_kind(key: Key, kind: &Kind<'_>, out: &mut Vec<u8>) {
    let identity = &kind.identity;
    match key {
        Key::HeaderType => kind.header_type.push(out),
        Key::ProviderId => identity.provider_id.map(JsonGuid).push(out),
        Key::Provider => identity.provider.push(out),
        Key::ClassId => identity.class_id.map(JsonGuid).push(out),
        Key::Event => identity.name.push(out),
        Key::Id => identity.id.push(out),
        Key::Version => kind.version.push(out),
        Key::Opcode => kind.opcode.push(out),
        Key::Level => kind.level.push(out),
        Key::Task => kind.task.push(out),
        Key::Keyword => kind.keyword.map(HexNumber).push(out),
        _ => None::<&str>.push(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_at_their_numbers() {
        for (index, info) in KEYS.iter().enumerate() {
            assert_eq!(info.key as usize, index, "{}", info.name);
            assert!(!info.doc.is_empty());
        }
    }
}
