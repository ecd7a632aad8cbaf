//! Templates: payload layouts as data, for one decoder.
//!
//! Whatever says what a payload holds is lowered to a [`Template`]: the kernel events of the schema (generated, in static
//! memory), and what traces carry themselves, such as TraceLogging metadata, manifests and event information records. Eight
//! hundred generated structs would do the same at many times the compile time; only the events to match on have them in
//! addition ([`crate::TypedEvent`]).

use std::borrow::Cow;
use std::sync::Arc;

use crate::guid::Guid;
use crate::table::TableInfo;

/// The fields of a payload, in their order. There is no padding between them unless a field is aligned.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    fields: Cow<'static, [TemplateField]>,
    /// Bytes of all fields for pointers of 4 and of 8 bytes, if that is the same for every payload.
    sizes: Option<[usize; 2]>,
}

impl Template {
    /// A template in static memory.
    pub const fn fixed(fields: &'static [TemplateField]) -> Self {
        Self {
            fields: Cow::Borrowed(fields),
            sizes: sizes(fields),
        }
    }

    /// The fields.
    #[inline]
    pub fn fields(&self) -> &[TemplateField] {
        &self.fields
    }

    /// Bytes that the fields take, if that is the same for every payload of the pointer size.
    #[inline]
    pub(super) fn size(&self, pointer_size: usize) -> Option<usize> {
        self.sizes.map(|[narrow, wide]| if pointer_size == 4 { narrow } else { wide })
    }
}

impl Default for Template {
    fn default() -> Self {
        Self::fixed(&[])
    }
}

impl From<Vec<TemplateField>> for Template {
    fn from(fields: Vec<TemplateField>) -> Self {
        Self {
            sizes: sizes(&fields),
            fields: Cow::Owned(fields),
        }
    }
}

/// Bytes of fields for pointers of 4 and of 8 bytes, if all are of a fixed size.
const fn sizes(fields: &[TemplateField]) -> Option<[usize; 2]> {
    let mut sum = [0usize; 2];
    let mut index = 0;
    while index < fields.len() {
        let Some([narrow, wide]) = fields[index].sizes() else {
            return None;
        };
        let (Some(narrow), Some(wide)) = (sum[0].checked_add(narrow), sum[1].checked_add(wide)) else {
            return None;
        };
        sum = [narrow, wide];
        index += 1;
    }
    Some(sum)
}

/// One field of a payload.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateField {
    /// Name.
    pub name: Cow<'static, str>,
    /// Type of the field or of its elements.
    pub ty: FieldType,
    /// How many there are.
    pub repeat: Repeat,
    /// Alignment from the start of the payload.
    pub align: Align,
    /// Whether the payload may end before the field.
    pub optional: bool,
    /// How the value is meant.
    pub format: Format,
    /// Names of its values.
    pub names: Names,
    /// What its value stands for.
    pub refers: Option<Refers>,
    /// Meaning; empty where nobody has said.
    pub doc: &'static str,
}

impl TemplateField {
    /// A single field without anything special.
    pub const fn plain(name: Cow<'static, str>, ty: FieldType) -> Self {
        Self {
            name,
            ty,
            repeat: Repeat::One,
            align: Align::None,
            optional: false,
            format: Format::Default,
            names: Names::None,
            refers: None,
            doc: "",
        }
    }

    /// Bytes for pointers of 4 and of 8 bytes, if nothing in a payload changes them.
    const fn sizes(&self) -> Option<[usize; 2]> {
        if self.optional || !matches!(self.align, Align::None) {
            return None;
        }
        let [narrow, wide] = match &self.ty {
            FieldType::Null => [0, 0],
            FieldType::Unsigned(1) | FieldType::Signed(1) | FieldType::Bool(1) => [1, 1],
            FieldType::Unsigned(2) | FieldType::Signed(2) | FieldType::Bool(2) | FieldType::Port => [2, 2],
            FieldType::Unsigned(4) | FieldType::Signed(4) | FieldType::Bool(4) => [4, 4],
            FieldType::Float(4) | FieldType::Ipv4 => [4, 4],
            FieldType::Unsigned(_) | FieldType::Signed(_) | FieldType::Bool(_) => [8, 8],
            FieldType::Float(_) | FieldType::Filetime => [8, 8],
            FieldType::Pointer | FieldType::SizeT => [4, 8],
            FieldType::Guid | FieldType::Systemtime | FieldType::Ipv6 => [16, 16],
            FieldType::Struct(template) => match template.sizes {
                Some(sizes) => sizes,
                None => return None,
            },
            // Sizes that are in the payload, or end with it. Blobs of a fixed size are too few to be worth a line.
            _ => return None,
        };
        let count = match self.repeat {
            Repeat::One => 1,
            Repeat::Fixed(count) => count as usize,
            Repeat::Field(_) | Repeat::Counted | Repeat::Rest => return None,
        };
        match (narrow.checked_mul(count), wide.checked_mul(count)) {
            (Some(narrow), Some(wide)) => Some([narrow, wide]),
            _ => None,
        }
    }
}

/// What the value of a field stands for, which other events say more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refers {
    /// Number of a process.
    Process,
    /// Number of a thread.
    Thread,
    /// Address at which an image is loaded.
    Image,
    /// Address of a file object, or the key of a file.
    File,
    /// Address of a key control block of the registry.
    RegistryKey,
    /// Number of a disk.
    Disk,
    /// Path of a volume in the kernel.
    Volume,
    /// Key of a call stack.
    Stack,
    /// Address of code.
    Code,
    /// Time stamp of another event, in ticks of the session's clock.
    Event,
    /// Name of what the event defines.
    Name,
    /// Size of what the event defines.
    Size,
}

/// What an event says that there is. The first field of the payload that refers to such a thing says which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The kind of thing.
    pub what: Refers,
    /// From when to when it is there.
    pub lifetime: Lifetime,
}

/// What the fields of an event stand for whose payload the traces describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CarriedEvent {
    /// The provider.
    pub provider_id: Guid,
    /// Number of the event within it.
    pub id: u16,
    /// What it says that there is.
    pub defines: Option<Definition>,
    /// Names of the marked fields, as the provider's manifest has them.
    pub fields: &'static [(&'static str, Refers)],
}

/// From when to when that which an event defines is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lifetime {
    /// All of the trace.
    Always,
    /// From the event on.
    Starts,
    /// Up to the event.
    Ends,
    /// It was there when the session started.
    AtStart,
    /// It is still there when the session stops.
    AtEnd,
}

/// Type of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldType {
    /// No bytes.
    Null,
    /// Unsigned integer of 1, 2, 4 or 8 bytes.
    Unsigned(u8),
    /// Signed integer of 1, 2, 4 or 8 bytes.
    Signed(u8),
    /// Floating-point number of 4 or 8 bytes.
    Float(u8),
    /// Truth value of 1 or 4 bytes: 0 is false.
    Bool(u8),
    /// Address in the pointer size of the event.
    Pointer,
    /// Count in the pointer size of the event.
    SizeT,
    /// GUID of 16 bytes.
    Guid,
    /// 100 ns since 1601-01-01 UTC, 8 bytes.
    Filetime,
    /// Calendar date and time, 16 bytes.
    Systemtime,
    /// Security identifier: 8 bytes and 4 for each sub-authority.
    Sid,
    /// `TOKEN_USER`: two pointers, of which the values mean nothing, and a security identifier. If the first is 0 and no
    /// identifier follows, 4 bytes.
    TokenUser,
    /// IPv4 address in network order, 4 bytes.
    Ipv4,
    /// IPv6 address, 16 bytes.
    Ipv6,
    /// Port in network order, 2 bytes.
    Port,
    /// Bytes.
    Bytes(Size),
    /// UTF-16 text of a number of code units, up to its first zero.
    Utf16(Size),
    /// 8-bit text of a number of bytes, up to its first zero.
    Ansi(Size),
    /// UTF-16 text up to a zero, or to the end of the payload.
    Utf16Z,
    /// 8-bit text up to a zero, or to the end of the payload.
    AnsiZ,
    /// UTF-16 text behind its number of bytes.
    CountedUtf16(Prefix),
    /// 8-bit text behind its number of bytes.
    CountedAnsi(Prefix),
    /// Bytes behind their number.
    CountedBytes(Prefix),
    /// Fields that belong together.
    Struct(Template),
}

/// The number in front of a counted field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// 2 bytes, little-endian.
    U16,
    /// 2 bytes, big-endian.
    U16BigEndian,
    /// 4 bytes, little-endian.
    U32,
}

/// Size of a field whose type has none: bytes, or code units of UTF-16 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// A fixed number.
    Fixed(u32),
    /// The value of an earlier field of the same level, by its index.
    Field(u16),
    /// What is left of the payload.
    Rest,
}

/// How many elements a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// It is no array.
    One,
    /// A fixed number.
    Fixed(u32),
    /// The value of an earlier field of the same level, by its index.
    Field(u16),
    /// A number of 2 bytes in front of them.
    Counted,
    /// As many as fit into what is left of the payload.
    Rest,
}

/// Alignment of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// At any byte.
    None,
    /// At a multiple of this many bytes.
    Bytes(u8),
    /// At a multiple of the pointer size.
    Pointer,
}

/// How a value is meant, beyond its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// As its type says.
    #[default]
    Default,
    /// In hex.
    Hex,
    /// A truth value.
    Boolean,
    /// A character, or text if it is an array or bytes.
    Text,
    /// A port in network order.
    Port,
    /// An IPv4 address in network order.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// A socket address with its family in front.
    SocketAddress,
    /// 100 ns since 1601-01-01 UTC.
    Filetime,
    /// Time stamp of the session's clock.
    Clock,
}

/// Names of values.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Names {
    /// None.
    #[default]
    None,
    /// An enum of the schema.
    Enum(&'static TableInfo),
    /// Flags of the schema.
    Flags(&'static TableInfo),
    /// A map that the trace carries.
    Map(Arc<ValueMap>),
}

/// Names of values, from a manifest or an event information record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValueMap {
    /// Name of the map.
    pub name: String,
    /// Whether the values are bits.
    pub is_bitmap: bool,
    /// Values and their names, by rising value.
    pub entries: Vec<(u64, String)>,
}

impl ValueMap {
    /// Makes a map; of two names for one value the first stays.
    pub fn new(name: String, is_bitmap: bool, mut entries: Vec<(u64, String)>) -> Self {
        entries.sort_by_key(|entry| entry.0);
        entries.dedup_by_key(|entry| entry.0);
        Self {
            name,
            is_bitmap,
            entries,
        }
    }

    /// Name of a value.
    pub fn name_of(&self, value: u64) -> Option<&str> {
        let index = self.entries.binary_search_by_key(&value, |entry| entry.0).ok()?;
        self.entries.get(index).map(|entry| entry.1.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::TemplateRecord;
    use super::*;
    use crate::context::Context;
    use crate::dispatch::PayloadLayout;
    use crate::format::events::EVENTS;

    /// The size that is known beforehand is the one that a walk finds, at every length of a payload.
    #[track_caller]
    fn sizes_agree(template: &Template) {
        for pointer_size in [4, 8] {
            let context = Context::default().with_pointer_size(pointer_size);
            for length in 0..200 {
                for byte in [0, 1, 0x41] {
                    let payload = vec![byte; length];
                    let record = TemplateRecord::new(template, &payload, context);
                    assert_eq!(record.measure(), record.walk(&mut |_, _| {}), "{length} {byte} {template:?}");
                }
            }
        }
    }

    #[test]
    fn sizes_of_all_kernel_payloads() {
        let layouts = EVENTS.iter().flat_map(|event| event.versions).map(|version| &version.payload);
        let templates: Vec<_> = layouts
            .filter_map(|layout| match layout {
                PayloadLayout::Template(template) => Some(*template),
                PayloadLayout::Structure(..) | PayloadLayout::Interpreted(..) => None,
            })
            .collect();
        templates.iter().copied().for_each(sizes_agree);
        let known = templates.iter().filter(|template| template.size(8).is_some()).count();
        assert!(known > 100 && known < templates.len(), "{known} of {}", templates.len());
    }

    #[test]
    fn sizes_of_every_type_and_repeat() {
        let types = [
            FieldType::Null,
            FieldType::Pointer,
            FieldType::SizeT,
            FieldType::Guid,
            FieldType::Filetime,
        ]
        .into_iter()
        .chain([
            FieldType::Systemtime,
            FieldType::Sid,
            FieldType::TokenUser,
            FieldType::Ipv4,
            FieldType::Ipv6,
        ])
        .chain([
            FieldType::Port,
            FieldType::Utf16Z,
            FieldType::AnsiZ,
            FieldType::Bytes(Size::Fixed(5)),
        ])
        .chain([1, 2, 3, 4, 8].map(FieldType::Unsigned))
        .chain([1, 2, 3, 4, 8].map(FieldType::Signed))
        .chain([1, 2, 4, 8].map(FieldType::Bool))
        .chain([2, 4, 8].map(FieldType::Float))
        .chain([Prefix::U16, Prefix::U16BigEndian, Prefix::U32].map(FieldType::CountedBytes));
        let plain = |ty| TemplateField::plain(Cow::Borrowed("a"), ty);
        for ty in types {
            for repeat in [
                Repeat::One,
                Repeat::Fixed(0),
                Repeat::Fixed(3),
                Repeat::Field(0),
                Repeat::Counted,
                Repeat::Rest,
            ] {
                for (optional, align) in [
                    (false, Align::None),
                    (true, Align::None),
                    (false, Align::Pointer),
                    (false, Align::Bytes(4)),
                ] {
                    let inner = Template::from(vec![TemplateField {
                        repeat,
                        ..plain(ty.clone())
                    }]);
                    let field = TemplateField {
                        repeat,
                        optional,
                        align,
                        ..plain(ty.clone())
                    };
                    let after = TemplateField {
                        repeat,
                        ..plain(FieldType::Struct(inner))
                    };
                    sizes_agree(&Template::from(vec![plain(FieldType::Unsigned(1)), field, after]));
                }
            }
        }
        assert_eq!(Template::default().size(4), Some(0));
        let many = TemplateField {
            repeat: Repeat::Fixed(u32::MAX),
            ..plain(FieldType::Guid)
        };
        let nested = TemplateField {
            repeat: Repeat::Fixed(u32::MAX),
            ..plain(FieldType::Struct(vec![many].into()))
        };
        assert_eq!(Template::from(vec![nested]).size(8), None);
    }
}
