//! The resolved schema: names are looked up, offsets and sizes are computed, expressions are bound to fields.
//!
//! Both the generator ([`crate::emit`]) and the interpreter ([`crate::decode`]) work from this model alone.

use std::collections::BTreeSet;

use crate::diagnostic::Place;
use crate::expr::Expr;
use crate::overlay::Origins;
pub use crate::raw::{PerPointer, SourceKind};

/// A whole schema.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schema {
    /// Files in order of their names.
    pub files: Vec<FileInfo>,
    /// Structures in order of file and place.
    pub structures: Vec<Structure>,
    /// Enum and flag tables in order of file and place.
    pub tables: Vec<Table>,
    /// Dispatches in order of file and place.
    pub dispatches: Vec<Dispatch>,
    /// Classes of kernel and classic events, in order of file and place.
    pub classes: Vec<EventClass>,
    /// Payload layouts, in order of file and place.
    pub layouts: Vec<PayloadLayout>,
    /// Well-known providers, in order of file and place.
    pub providers: Vec<Provider>,
    /// Marks of events whose payloads the traces describe, by file and place.
    pub carried: Vec<CarriedEvent>,
    /// Where what overlays changed was written. The places in this model are those in the schema as a whole.
    pub origins: Origins,
}

/// Marks of an event whose payload the traces describe.
#[derive(Debug, Clone, PartialEq)]
pub struct CarriedEvent {
    /// GUID of the provider, in Windows order.
    pub provider_id: [u8; 16],
    /// Number of the event within it.
    pub id: u16,
    /// Meaning.
    pub doc: String,
    /// What it says that there is, and from when to when.
    pub defines: Option<(crate::raw::Refers, crate::raw::Lifetime)>,
    /// The marked fields.
    pub fields: Vec<crate::raw::CarriedField>,
    /// Where the facts come from.
    pub sources: Vec<Source>,
    /// Where it is defined.
    pub place: Place,
}

/// What a file says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileInfo {
    /// Path within the schema folder; `overlay/` and the path for a file of an overlay.
    pub name: String,
    /// One line.
    pub title: String,
    /// Longer text.
    pub doc: Option<String>,
}

/// Where a fact comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// How the source knows.
    pub kind: SourceKind,
    /// Title.
    pub title: String,
    /// Where to read it.
    pub url: Option<String>,
}

/// How many bytes something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Bytes that are always there.
    pub fixed: PerPointer,
    /// Whether more may follow.
    pub varies: bool,
}

impl Extent {
    /// The same number of bytes for both pointer sizes.
    pub const fn exactly(bytes: u32) -> Self {
        Self {
            fixed: PerPointer { p32: bytes, p64: bytes },
            varies: false,
        }
    }
}

impl PerPointer {
    /// The number for a pointer size in bytes.
    pub fn of(self, pointer_size: u32) -> u32 {
        if pointer_size == 4 { self.p32 } else { self.p64 }
    }

    /// The number, if it is the same for both pointer sizes.
    pub fn same(self) -> Option<u32> {
        (self.p32 == self.p64).then_some(self.p32)
    }
}

impl std::fmt::Display for PerPointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.same() {
            Some(number) => write!(f, "0x{number:02X}"),
            None => write!(f, "0x{:02X} / 0x{:02X}", self.p32, self.p64),
        }
    }
}

/// A structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Structure {
    /// Microsoft's name.
    pub name: String,
    /// Name of the Rust type.
    pub rust_name: String,
    /// What it is.
    pub doc: String,
    /// Where that is known from.
    pub sources: Vec<Source>,
    /// First Windows version with it.
    pub since: Option<WindowsVersion>,
    /// First Windows version without it.
    pub until: Option<WindowsVersion>,
    /// Name of the structure whose other form it is.
    pub variant_of: Option<String>,
    /// Its size.
    pub extent: Extent,
    /// Fields and computed values, in the order of dumps.
    pub members: Vec<Member>,
    /// Test vectors.
    pub vectors: Vec<Vector>,
    /// Where it is defined.
    pub place: Place,
}

/// A Windows version: major, minor, build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowsVersion(pub u32, pub u32, pub u32);

impl WindowsVersion {
    /// Reads `major.minor` or `major.minor.build`; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        // A sign would be part of a number to the parser.
        if !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return None;
        }
        let mut parts = text.split('.').map(str::parse);
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor)), None, None) => Some(Self(major, minor, 0)),
            (Some(Ok(major)), Some(Ok(minor)), Some(Ok(build)), None) => Some(Self(major, minor, build)),
            _ => None,
        }
    }

    /// Whether something that is there from `since` and gone from `until` is there in this version.
    pub fn is_within(self, since: Option<Self>, until: Option<Self>) -> bool {
        since.is_none_or(|since| since <= self) && until.is_none_or(|until| self < until)
    }
}

impl std::fmt::Display for WindowsVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)?;
        if self.2 == 0 { Ok(()) } else { write!(f, ".{}", self.2) }
    }
}

/// A field or a computed value of a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Microsoft's name.
    pub name: String,
    /// Name in Rust.
    pub rust_name: String,
    /// Meaning.
    pub doc: String,
    /// Unit of the value.
    pub unit: Option<String>,
    /// What the tools use it for.
    pub role: Option<&'static crate::roles::Role>,
    /// Left out of dumps.
    pub hidden: bool,
    /// Printed as `0x...`.
    pub hex: bool,
    /// Bytes from the start, where it has a fixed place.
    pub offset: Option<PerPointer>,
    /// First Windows version in which the bytes are this.
    pub since: Option<WindowsVersion>,
    /// First Windows version in which they no longer are.
    pub until: Option<WindowsVersion>,
    /// What it holds.
    pub kind: MemberKind,
    /// Where it is defined.
    pub place: Place,
}

/// What a member holds.
#[derive(Debug, Clone, PartialEq)]
pub enum MemberKind {
    /// Bytes of the structure.
    Stored(Stored),
    /// A value made of stored fields: a bit range, an overlay or a derived value.
    Computed(Computed),
}

/// A field that takes bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// Type of the field or of its elements.
    pub ty: Type,
    /// Number of elements, for an array.
    pub count: Option<Length>,
    /// The field is there only if this is not zero.
    pub condition: Option<Expr>,
    /// Value that it always has.
    pub expect: Option<u64>,
    /// Its size.
    pub extent: Extent,
}

/// A value made of stored fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// How to compute it.
    pub value: Expr,
    /// Its type: an unsigned integer or a table.
    pub ty: Type,
    /// How it comes about, for readers.
    pub origin: Origin,
}

/// How a computed value comes about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Bits `first` to `last` of the field `of`.
    Bits {
        /// Name of the field.
        of: String,
        /// Lowest bit.
        first: u32,
        /// Highest bit.
        last: u32,
    },
    /// The bytes of other fields read as one number.
    Overlay,
    /// An expression, as written.
    Derived(String),
}

/// A number of bytes or elements.
#[derive(Debug, Clone, PartialEq)]
pub enum Length {
    /// Known when the schema is read.
    Fixed(u32),
    /// Computed from earlier fields.
    Computed(Expr),
    /// All that is left of the record.
    Rest,
}

/// Unsigned or signed integer of 1, 2, 4 or 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Int {
    /// Number of bytes.
    pub bytes: u32,
    /// Whether it is signed.
    pub signed: bool,
}

impl Int {
    /// Finds an integer type by name.
    pub fn find(name: &str) -> Option<Self> {
        let (signed, bits) = match name.split_at_checked(1)? {
            ("u", bits) => (false, bits),
            ("i", bits) => (true, bits),
            _ => return None,
        };
        let bytes = match bits {
            "8" => 1,
            "16" => 2,
            "32" => 4,
            "64" => 8,
            _ => return None,
        };
        Some(Self { bytes, signed })
    }

    /// The name, as in YAML and in Rust.
    pub fn name(self) -> &'static str {
        match (self.signed, self.bytes) {
            (false, 1) => "u8",
            (false, 2) => "u16",
            (false, 4) => "u32",
            (false, _) => "u64",
            (true, 1) => "i8",
            (true, 2) => "i16",
            (true, 4) => "i32",
            (true, _) => "i64",
        }
    }

    /// The largest unsigned value that fits.
    pub fn max(self) -> u64 {
        let bits = 8 * self.bytes - u32::from(self.signed);
        u64::MAX >> (64 - bits)
    }
}

/// Type of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// An integer.
    Int(Int),
    /// An address of 4 or 8 bytes.
    Pointer,
    /// A GUID.
    Guid,
    /// 100 ns since 1601-01-01 UTC.
    Filetime,
    /// Bytes.
    Bytes(Length),
    /// UTF-16 text in a fixed room.
    Utf16(Length),
    /// ANSI text in a fixed room.
    Ansi(Length),
    /// Zero-terminated UTF-16 text.
    Utf16Z,
    /// Zero-terminated ANSI text.
    AnsiZ,
    /// Zero-terminated UTF-8 text.
    Utf8Z,
    /// A security identifier.
    Sid,
    /// A structure, by its index.
    Structure(usize),
    /// An enum or flag table, by its index.
    Table(usize),
}

/// What a table's entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableKind {
    /// One name per value.
    Enum,
    /// One name per bit.
    Flags,
}

/// An enum or flag table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Microsoft's name or common prefix.
    pub name: String,
    /// Name of the Rust type.
    pub rust_name: String,
    /// Kind of the table.
    pub kind: TableKind,
    /// Integer type.
    pub int: Int,
    /// Meaning.
    pub doc: String,
    /// Where that is known from.
    pub sources: Vec<Source>,
    /// Values, or single bits.
    pub entries: Vec<Entry>,
    /// Bits that form one value together, by mask.
    pub groups: Vec<Entry>,
    /// Where it is defined.
    pub place: Place,
}

impl Table {
    /// Name of a value.
    pub fn name_of(&self, value: u64) -> Option<&str> {
        self.entries
            .iter()
            .find(|entry| entry.value == value)
            .map(|entry| entry.name.as_str())
    }
}

/// A named value or bit.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The value or mask.
    pub value: u64,
    /// Microsoft's name.
    pub name: String,
    /// Name of the Rust constant.
    pub rust_name: String,
    /// Short words for people.
    pub label: Option<String>,
    /// Meaning.
    pub doc: Option<String>,
    /// First Windows version with it.
    pub since: Option<WindowsVersion>,
    /// First Windows version without it.
    pub until: Option<WindowsVersion>,
}

/// Which structure follows which type value.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// Name of the family.
    pub name: String,
    /// Name of the Rust enum.
    pub rust_name: String,
    /// What is told apart.
    pub doc: String,
    /// Where that is known from.
    pub sources: Vec<Source>,
    /// Number of the dispatch whose enum gets these structures too.
    pub joins: Option<usize>,
    /// The marker, if there is one.
    pub marker: Option<Selector>,
    /// The type value.
    pub selector: Selector,
    /// The cases in order.
    pub cases: Vec<Case>,
    /// Where it is defined.
    pub place: Place,
}

/// Where a dispatch finds a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Selector {
    /// Bytes from the start; none if it comes from outside.
    pub offset: Option<u32>,
    /// Its integer type.
    pub int: Int,
    /// Bits of it that count, if not all.
    pub mask: Option<u64>,
}

/// One case of a dispatch.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Name as dumps print it.
    pub name: String,
    /// Value of the marker, and the bits of it that count.
    pub marker: Option<(u64, u64)>,
    /// Type value; any if none.
    pub value: Option<u64>,
    /// Must not be zero.
    pub when: Option<Expr>,
    /// Index of the structure; none for an end.
    pub structure: Option<usize>,
    /// Bytes of a pointer in the data, if the case says so.
    pub pointer_size: Option<u32>,
    /// The layout beyond the structure is not established.
    pub opaque: bool,
    /// Meaning.
    pub doc: Option<String>,
}

/// A well-known provider.
#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    /// GUID as 16 bytes in Windows order.
    pub id: [u8; 16],
    /// Name that it is registered under.
    pub name: String,
    /// Whether kernel events, whose headers name no provider, are its.
    pub kernel: bool,
    /// What its events tell of.
    pub doc: String,
    /// Where that is known from.
    pub sources: Vec<Source>,
    /// Its events by number, as far as they are described.
    pub events: Vec<ProviderEvent>,
    /// Where it is defined.
    pub place: Place,
}

/// An event of a provider, known by the provider's GUID and its own number.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderEvent {
    /// Number within the provider.
    pub id: u16,
    /// Name, as dumps print it.
    pub name: String,
    /// What it says that there is, and from when to when.
    pub defines: Option<(crate::raw::Refers, crate::raw::Lifetime)>,
    /// Meaning.
    pub doc: Option<String>,
    /// Payloads by rising version.
    pub versions: Vec<EventVersion>,
}

impl ProviderEvent {
    /// `Provider/Event`, which tells it from events of the same name.
    pub fn full_name(&self, provider: &Provider) -> String {
        format!("{}/{}", provider.name, self.name)
    }
}

/// A class of kernel or classic events.
#[derive(Debug, Clone, PartialEq)]
pub struct EventClass {
    /// Name.
    pub name: String,
    /// Kernel group.
    pub group: Option<u8>,
    /// GUID as 16 bytes in Windows order.
    pub class_id: [u8; 16],
    /// What the events tell of.
    pub doc: String,
    /// Where that is known from.
    pub sources: Vec<Source>,
    /// The events by type.
    pub events: Vec<Event>,
    /// Where it is defined.
    pub place: Place,
}

/// An event of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// `Class/Opcode`.
    pub name: String,
    /// Type within the class.
    pub opcode: u8,
    /// Group and type as one number, for a kernel event.
    pub hook_id: Option<u16>,
    /// Whether it becomes a variant of `TypedEvent`, with its payload as a struct: profilers and forensic tools match on it.
    pub typed: bool,
    /// What it says that there is, and from when to when.
    pub defines: Option<(crate::raw::Refers, crate::raw::Lifetime)>,
    /// Meaning.
    pub doc: Option<String>,
    /// Payloads by rising version.
    pub versions: Vec<EventVersion>,
}

/// The payload of one version of an event.
#[derive(Debug, Clone, PartialEq)]
pub struct EventVersion {
    /// Version in the header.
    pub version: u8,
    /// Bytes of a pointer, if it is for one pointer size only.
    pub pointer_size: Option<u32>,
    /// What the payload is.
    pub payload: Payload,
    /// First Windows version that writes it; with no `until` either, none is known.
    pub since: Option<WindowsVersion>,
    /// First Windows version that writes it no longer.
    pub until: Option<WindowsVersion>,
    /// Number of real events that were decoded to the last byte.
    pub verified: Option<u64>,
    /// Test vectors.
    pub vectors: Vec<Vector>,
    /// Where it is defined.
    pub place: Place,
}

/// What a payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// No bytes.
    Empty,
    /// A layout, by its index.
    Layout(usize),
    /// A structure, by its index.
    Structure(usize),
}

/// Fields of a payload.
#[derive(Debug, Clone, PartialEq)]
pub struct PayloadLayout {
    /// Name.
    pub name: String,
    /// What is to be known of it.
    pub doc: Option<String>,
    /// All fields, those of the extended layout first.
    pub fields: Vec<PayloadField>,
    /// Where it is defined.
    pub place: Place,
}

/// A field of a payload.
#[derive(Debug, Clone, PartialEq)]
pub struct PayloadField {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: PayloadType,
    /// Number of elements, for an array.
    pub count: Option<PayloadLength>,
    /// Alignment.
    pub align: Option<PayloadAlign>,
    /// How it is printed.
    pub format: Option<crate::raw::PayloadFormat>,
    /// Whether the payload may end before it.
    pub optional: bool,
    /// What the value stands for.
    pub refers: Option<crate::raw::Refers>,
    /// Unit of the value.
    pub unit: Option<String>,
    /// Meaning.
    pub doc: Option<String>,
}

/// Type of a field of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadType {
    /// An integer.
    Int(Int),
    /// A floating-point number of this many bytes.
    Float(u32),
    /// An address.
    Pointer,
    /// A count of pointer size.
    SizeT,
    /// A GUID.
    Guid,
    /// 100 ns since 1601-01-01 UTC.
    Filetime,
    /// Bytes.
    Bytes(PayloadLength),
    /// UTF-16 text in a room of this many bytes.
    Utf16(PayloadLength),
    /// 8-bit text in a room of this many bytes.
    Ansi(PayloadLength),
    /// Zero-terminated UTF-16 text.
    Utf16Z,
    /// Zero-terminated 8-bit text.
    AnsiZ,
    /// A security identifier.
    Sid,
    /// A security identifier behind two pointers.
    TokenUser,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// A port in network order.
    Port,
    /// A table, by its index.
    Table(usize),
    /// Another layout, by its index.
    Layout(usize),
}

/// A number of bytes or elements of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadLength {
    /// Known when the schema is read.
    Fixed(u32),
    /// The value of an earlier field, by its index.
    Field(u16),
    /// What is left.
    Rest,
}

/// Alignment of a field of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadAlign {
    /// To this many bytes.
    Bytes(u8),
    /// To the pointer size.
    Pointer,
}

/// Bytes and the values they decode to.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    /// Where the bytes come from.
    pub doc: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// What they are read with.
    pub context: crate::expr::Context,
    /// Names and values, in the order of the file.
    pub expect: Vec<(String, crate::raw::Scalar)>,
    /// Where it is defined.
    pub place: Place,
}

impl Schema {
    /// Finds a structure by name.
    pub fn structure(&self, name: &str) -> Option<&Structure> {
        self.structures.iter().find(|structure| structure.name == name)
    }

    /// Finds a table by name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The layout of a version's payload, if it is one.
    pub fn layout_of(&self, version: &EventVersion) -> Option<&PayloadLayout> {
        match version.payload {
            Payload::Layout(index) => self.layouts.get(index),
            Payload::Empty | Payload::Structure(_) => None,
        }
    }

    /// The layouts that become structs: those of typed events, and those within them. By their indices.
    pub fn typed_layouts(&self) -> BTreeSet<usize> {
        let versions = self
            .classes
            .iter()
            .flat_map(|class| &class.events)
            .filter(|event| event.typed);
        let mut open: Vec<usize> = versions
            .flat_map(|event| &event.versions)
            .filter_map(|version| match version.payload {
                Payload::Layout(index) => Some(index),
                Payload::Empty | Payload::Structure(_) => None,
            })
            .collect();
        let mut found = BTreeSet::new();
        while let Some(index) = open.pop() {
            if found.insert(index) {
                let fields = self
                    .layouts
                    .get(index)
                    .map(|layout| layout.fields.as_slice())
                    .unwrap_or_default();
                open.extend(fields.iter().filter_map(|field| match field.ty {
                    PayloadType::Layout(nested) => Some(nested),
                    _ => None,
                }));
            }
        }
        found
    }

    /// Name of a type as YAML spells it.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Int(int) => int.name().to_owned(),
            Type::Pointer => "ptr".to_owned(),
            Type::Guid => "guid".to_owned(),
            Type::Filetime => "filetime".to_owned(),
            Type::Bytes(_) => "bytes".to_owned(),
            Type::Utf16(_) => "utf16".to_owned(),
            Type::Ansi(_) => "ansi".to_owned(),
            Type::Utf16Z => "utf16z".to_owned(),
            Type::AnsiZ => "ansiz".to_owned(),
            Type::Utf8Z => "utf8z".to_owned(),
            Type::Sid => "sid".to_owned(),
            Type::Structure(index) => self.structures.get(*index).map(|s| s.name.clone()).unwrap_or_default(),
            Type::Table(index) => self.tables.get(*index).map(|t| t.name.clone()).unwrap_or_default(),
        }
    }

    /// Type of a member as the offset tables print it: `u32`, `u16[8]`, `bytes[rest]`, `bits 8-10 of Version`.
    pub fn member_type_text(&self, member: &Member) -> String {
        match &member.kind {
            MemberKind::Computed(computed) => {
                let ty = self.type_name(&computed.ty);
                match &computed.origin {
                    Origin::Bits { of, first, last } if first == last => format!("bit {first} of {of}"),
                    Origin::Bits { of, first, last } => format!("bits {first}-{last} of {of}"),
                    Origin::Overlay => format!("{ty} (overlay)"),
                    Origin::Derived(text) => format!("{ty} = {text}"),
                }
            }
            MemberKind::Stored(stored) => {
                let length = |length: &Length| match length {
                    Length::Fixed(number) => number.to_string(),
                    Length::Computed(_) => "n".to_owned(),
                    Length::Rest => "rest".to_owned(),
                };
                let mut text = self.type_name(&stored.ty);
                if let Type::Bytes(size) | Type::Utf16(size) | Type::Ansi(size) = &stored.ty {
                    text.push_str(&format!("[{}]", length(size)));
                }
                if let Some(count) = &stored.count {
                    text.push_str(&format!("[{}]", length(count)));
                }
                if stored.condition.is_some() {
                    text.push('?');
                }
                text
            }
        }
    }

    /// Type of a payload field as tables print it: `u32`, `utf16[512]`, `ptr[rest]`.
    pub fn payload_type_text(&self, field: &PayloadField) -> String {
        let length = |length: PayloadLength| match length {
            PayloadLength::Fixed(number) => number.to_string(),
            PayloadLength::Field(_) => "n".to_owned(),
            PayloadLength::Rest => "rest".to_owned(),
        };
        let mut text = match field.ty {
            PayloadType::Int(int) => int.name().to_owned(),
            PayloadType::Float(bytes) => format!("f{}", 8 * bytes),
            PayloadType::Pointer => "ptr".to_owned(),
            PayloadType::SizeT => "size_t".to_owned(),
            PayloadType::Guid => "guid".to_owned(),
            PayloadType::Filetime => "filetime".to_owned(),
            PayloadType::Bytes(size) => format!("bytes[{}]", length(size)),
            PayloadType::Utf16(size) => format!("utf16[{}]", length(size)),
            PayloadType::Ansi(size) => format!("ansi[{}]", length(size)),
            PayloadType::Utf16Z => "utf16z".to_owned(),
            PayloadType::AnsiZ => "ansiz".to_owned(),
            PayloadType::Sid => "sid".to_owned(),
            PayloadType::TokenUser => "token_user".to_owned(),
            PayloadType::Ipv4 => "ipv4".to_owned(),
            PayloadType::Ipv6 => "ipv6".to_owned(),
            PayloadType::Port => "port".to_owned(),
            PayloadType::Table(index) => self.tables.get(index).map(|table| table.name.clone()).unwrap_or_default(),
            PayloadType::Layout(index) => self.layouts.get(index).map(|layout| layout.name.clone()).unwrap_or_default(),
        };
        if let Some(count) = field.count {
            text.push_str(&format!("[{}]", length(count)));
        }
        if field.optional {
            text.push('?');
        }
        text
    }

    /// The unsigned integer behind a type: its own, or that of its table.
    pub fn unsigned_int(&self, ty: &Type) -> Option<Int> {
        match ty {
            Type::Int(int) if !int.signed => Some(*int),
            Type::Table(index) => self.tables.get(*index).map(|table| table.int),
            _ => None,
        }
    }

    /// The member that a path of indices leads to, from a structure.
    pub fn member(&self, structure: &Structure, path: &[usize]) -> Option<&Member> {
        let (first, rest) = path.split_first()?;
        let own = self
            .structures
            .get(self.structures.iter().position(|s| s.name == structure.name)?)?;
        let member = own.members.get(*first)?;
        match (&member.kind, rest) {
            (_, []) => Some(member),
            (
                MemberKind::Stored(Stored {
                    ty: Type::Structure(index),
                    ..
                }),
                rest,
            ) => self.member(self.structures.get(*index)?, rest),
            _ => None,
        }
    }
}

impl Structure {
    /// The stored fields with their indices among the members.
    pub fn stored(&self) -> impl Iterator<Item = (usize, &Member, &Stored)> {
        self.members
            .iter()
            .enumerate()
            .filter_map(|(index, member)| match &member.kind {
                MemberKind::Stored(stored) => Some((index, member, stored)),
                MemberKind::Computed(_) => None,
            })
    }
}

impl Schema {
    /// The roles of a structure and of the structures nested in it, each with the path of its member.
    pub fn roles_of(&self, structure: &Structure) -> Vec<(&'static crate::roles::Role, Vec<usize>)> {
        let mut roles = Vec::new();
        for (index, member) in structure.members.iter().enumerate() {
            if let Some(role) = member.role {
                roles.push((role, vec![index]));
            }
            if let MemberKind::Stored(Stored {
                ty: Type::Structure(nested),
                count: None,
                ..
            }) = &member.kind
                && let Some(nested) = self.structures.get(*nested)
            {
                roles.extend(self.roles_of(nested).into_iter().map(|(role, mut path)| {
                    path.insert(0, index);
                    (role, path)
                }));
            }
        }
        roles
    }
}
