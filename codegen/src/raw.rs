//! What a schema file may hold: the serde model of the YAML, exactly as written.
//!
//! Every map denies unknown keys. Lists are used where a map keyed by number would do, because serde_yaml keeps the last of
//! two equal map keys without a word. What may be of several kinds has a visitor of its own, because the errors of serde's
//! untagged enums have no position. Nothing is checked here beyond the shape; that is the work of `resolve`.

mod marks;
mod overlay;
mod visit;

use serde::Deserialize;

pub use marks::{CarriedEvent, CarriedField, Lifetime, MarkType, Refers};
pub use overlay::{
    ClassPart, DispatchPart, EnumPart, EventPart, Extends, FlagsPart, ProviderEventPart, ProviderPart, StructurePart,
};

/// One YAML file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct File {
    /// One line that says what the file describes.
    pub title: String,
    /// Longer text for readers.
    #[serde(default)]
    pub doc: Option<String>,
    /// The schema that the folder changes and adds to: `builtin`, or the path of another schema folder. One file of a folder says
    /// it.
    #[serde(default)]
    pub base: Option<String>,
    /// Where the facts come from; referenced by `id` in the same file.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// What is added to things of the base.
    #[serde(default)]
    pub extends: Extends,
    /// Structures, in the order they are shown.
    #[serde(default)]
    pub structures: Vec<Structure>,
    /// Flag tables: one name per bit.
    #[serde(default)]
    pub flags: Vec<Flags>,
    /// Value tables: one name per value.
    #[serde(default)]
    pub enums: Vec<Enum>,
    /// Tables that say which structure follows which type value.
    #[serde(default)]
    pub dispatch: Vec<Dispatch>,
    /// Classes of kernel and classic events, with their payloads.
    #[serde(default)]
    pub event_classes: Vec<EventClass>,
    /// Well-known providers.
    #[serde(default)]
    pub providers: Vec<Provider>,
    /// Marks of events whose payloads the traces describe.
    #[serde(default)]
    pub carried_events: Vec<CarriedEvent>,
}

/// Where a fact comes from.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Short name, unique within the file.
    pub id: String,
    /// How much the source can be trusted.
    pub kind: SourceKind,
    /// Title of the page, header or study.
    pub title: String,
    /// Where to read it.
    #[serde(default)]
    pub url: Option<String>,
}

/// How a source knows what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// Microsoft's documentation.
    Documented,
    /// A header file of a Microsoft kit.
    Header,
    /// Reverse engineering: debugger symbols or a study of binaries.
    Reversed,
    /// Seen in real traces.
    Observed,
}

/// A number that may depend on the pointer size of the data: `8`, or `{32: 4, 64: 8}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerPointer {
    /// For 32-bit data.
    pub p32: u32,
    /// For 64-bit data.
    pub p64: u32,
}

/// A structure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// Microsoft's name.
    pub name: String,
    /// Name of the structure of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// What it is.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of the sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Exact size in bytes; for structures whose size never varies.
    #[serde(default)]
    pub size: Option<PerPointer>,
    /// Size of the part that is always there; for structures that vary.
    #[serde(default)]
    pub min_size: Option<PerPointer>,
    /// First Windows version that has it, as `6.0` or `10.0.14393`.
    #[serde(default)]
    pub since: Option<String>,
    /// First Windows version that no longer has it.
    #[serde(default)]
    pub until: Option<String>,
    /// Name of the structure whose older or newer form this is.
    #[serde(default)]
    pub variant_of: Option<String>,
    /// The fields, in the order of their bytes.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// Values computed from the fields.
    #[serde(default)]
    pub derived: Vec<Derived>,
    /// Byte strings with the values they decode to.
    #[serde(default)]
    pub vectors: Vec<Vector>,
}

/// A field of a structure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Microsoft's name.
    pub name: String,
    /// Bytes from the start of the structure; left out after a part that varies.
    #[serde(default)]
    pub offset: Option<PerPointer>,
    /// A scalar, text or byte type, or the name of a structure, enum or flag table.
    #[serde(rename = "type")]
    pub ty: String,
    /// Number of elements; an expression over earlier fields, or `rest`.
    #[serde(default)]
    pub count: Option<Expression>,
    /// Number of bytes of a `bytes`, `ansi` or `utf16` field; an expression over earlier fields, or `rest`.
    #[serde(default)]
    pub size: Option<Expression>,
    /// The field is there only if this expression over earlier fields is not zero.
    #[serde(default, rename = "if")]
    pub condition: Option<Expression>,
    /// The field reads bytes that other fields of the structure read too.
    #[serde(default)]
    pub overlay: bool,
    /// Named ranges of bits of an integer field.
    #[serde(default)]
    pub bits: Vec<BitRange>,
    /// Value that the field always has.
    #[serde(default)]
    pub expect: Option<u64>,
    /// How the value is printed.
    #[serde(default)]
    pub format: Option<Format>,
    /// Read and kept, but left out of dumps: padding, reserved bytes, leaked pointers.
    #[serde(default)]
    pub hidden: bool,
    /// Unit of the value, such as `bytes` or `100 ns`.
    #[serde(default)]
    pub unit: Option<String>,
    /// First Windows version in which the bytes are this field.
    #[serde(default)]
    pub since: Option<String>,
    /// First Windows version in which they no longer are.
    #[serde(default)]
    pub until: Option<String>,
    /// What the runtime and the tools use the field for; see the table of roles.
    #[serde(default)]
    #[cfg_attr(feature = "json-schema", schemars(schema_with = "crate::json_schema::role"))]
    pub role: Option<String>,
    /// Meaning of the field.
    #[serde(default)]
    pub doc: Option<String>,
}

/// An expression, written as text or as a plain number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(u64),
    /// Text in the language of [`crate::expr`].
    Text(String),
}

/// A named range of bits of an integer field.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BitRange {
    /// Name of the range.
    pub name: String,
    /// `first-last` or a single bit; 0 is the lowest.
    pub bits: Bits,
    /// An enum or flag table for the value.
    #[serde(default, rename = "type")]
    pub ty: Option<String>,
    /// First Windows version in which the bits are this range.
    #[serde(default)]
    pub since: Option<String>,
    /// First Windows version in which they no longer are.
    #[serde(default)]
    pub until: Option<String>,
    /// What the runtime and the tools use the value for.
    #[serde(default)]
    #[cfg_attr(feature = "json-schema", schemars(schema_with = "crate::json_schema::role"))]
    pub role: Option<String>,
    /// Read and kept, but left out of dumps.
    #[serde(default)]
    pub hidden: bool,
    /// Meaning of the bits.
    #[serde(default)]
    pub doc: Option<String>,
}

/// Which bits a [`BitRange`] takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bits {
    /// One bit.
    One(u32),
    /// `first-last`.
    Range(String),
}

/// A value computed from the fields.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Derived {
    /// Name of the value.
    pub name: String,
    /// Type of the value: an unsigned integer, an enum or a flag table.
    #[serde(rename = "type")]
    pub ty: String,
    /// An expression over all fields.
    pub value: Expression,
    /// How the value is printed.
    #[serde(default)]
    pub format: Option<Format>,
    /// Computed, but left out of dumps.
    #[serde(default)]
    pub hidden: bool,
    /// Unit of the value.
    #[serde(default)]
    pub unit: Option<String>,
    /// What the runtime and the tools use the value for.
    #[serde(default)]
    #[cfg_attr(feature = "json-schema", schemars(schema_with = "crate::json_schema::role"))]
    pub role: Option<String>,
    /// Meaning of the value.
    #[serde(default)]
    pub doc: Option<String>,
}

/// How an integer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// `0x` and lower-case digits; for masks and addresses.
    Hex,
}

/// Bytes and the values they decode to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Where the bytes come from.
    pub doc: String,
    /// The bytes, two hex digits each; blanks are ignored.
    pub bytes: String,
    /// Pointer size of the data: 32 or 64 (the default).
    #[serde(default)]
    pub pointers: Option<u32>,
    /// Log file format version of the trace, as `0x0105` for 1.5 (the default).
    #[serde(default)]
    pub log_version: Option<u32>,
    /// Field names (dotted into nested structures) and their values.
    #[serde(default)]
    pub expect: Expectations,
}

/// The expected values of a [`Vector`], in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expectations(pub Vec<(String, Scalar)>);

/// A value of a test vector: a number, text as a dump prints it, or a list of these.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// Not negative.
    Unsigned(u64),
    /// Negative.
    Signed(i64),
    /// Text.
    Text(String),
    /// The elements of an array.
    List(Vec<Scalar>),
}

/// A flag table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Flags {
    /// Microsoft's name, or the common prefix of the names.
    pub name: String,
    /// Name of the flag table of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// Unsigned integer type.
    #[serde(rename = "type")]
    pub ty: String,
    /// What the flags say.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of the sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Single bits, each with its name.
    #[serde(default)]
    pub bits: Vec<TableEntry>,
    /// Bits that form one value together: several bits under one name.
    #[serde(default)]
    pub groups: Vec<TableEntry>,
}

/// A value table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Enum {
    /// Microsoft's name, or the common prefix of the names.
    pub name: String,
    /// Name of the value table of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// Unsigned integer type.
    #[serde(rename = "type")]
    pub ty: String,
    /// What the values say.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of the sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The values.
    #[serde(default)]
    pub values: Vec<TableEntry>,
}

/// One named value or bit of a table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TableEntry {
    /// The value, or the mask of the bit.
    pub value: u64,
    /// Microsoft's name.
    pub name: String,
    /// Takes the place of the entry of the base with the same value.
    #[serde(default)]
    pub replaces: bool,
    /// Short words for people, such as `Circular` for `EVENT_TRACE_FILE_MODE_CIRCULAR`.
    #[serde(default)]
    pub label: Option<String>,
    /// Meaning.
    #[serde(default)]
    pub doc: Option<String>,
    /// First Windows version that has it.
    #[serde(default)]
    pub since: Option<String>,
    /// First Windows version that no longer has it.
    #[serde(default)]
    pub until: Option<String>,
}

/// Which structure follows which type value.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// Name of the family of structures.
    pub name: String,
    /// Name of the dispatch of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// What is told apart.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of the sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Another dispatch, whose enum gets the structures of this one too.
    #[serde(default)]
    pub joins: Option<String>,
    /// Byte that says which family of type values applies; none: the type value alone decides.
    #[serde(default)]
    pub marker: Option<Selector>,
    /// The type value. Without an offset it comes from outside the bytes.
    #[serde(rename = "type")]
    pub ty: Selector,
    /// The cases; the first that matches is taken.
    pub cases: Vec<Case>,
}

/// Where a dispatch finds a number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Selector {
    /// Bytes from the start; left out where the number comes from outside.
    #[serde(default)]
    pub offset: Option<u32>,
    /// An unsigned integer type, or an enum or flag table.
    #[serde(rename = "type")]
    pub ty: String,
    /// Bits that count; all if left out.
    #[serde(default)]
    pub mask: Option<u64>,
}

/// One case of a dispatch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name of the case, as dumps print it.
    pub name: String,
    /// Value of the marker under `marker_mask`.
    #[serde(default)]
    pub marker: Option<u64>,
    /// Bits of the marker that count; all if left out.
    #[serde(default)]
    pub marker_mask: Option<u64>,
    /// Type value; any if left out.
    #[serde(default)]
    pub value: Option<u64>,
    /// Expression over the context (`LogVersion`, `PointerSize`) that must hold as well.
    #[serde(default)]
    pub when: Option<Expression>,
    /// The structure that is read.
    #[serde(default)]
    pub structure: Option<String>,
    /// Pointer size of the data that follows: 32 or 64.
    #[serde(default)]
    pub pointers: Option<u32>,
    /// The layout beyond the structure is not established.
    #[serde(default)]
    pub opaque: bool,
    /// Not a record: nothing follows in this buffer.
    #[serde(default)]
    pub end: bool,
    /// Meaning.
    #[serde(default)]
    pub doc: Option<String>,
}

/// A class of kernel or classic events.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EventClass {
    /// Name of the class, without `_TypeGroup` and the like.
    pub name: String,
    /// Name of the class of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// Kernel group; none for a class that only classic providers use.
    #[serde(default)]
    pub group: Option<u8>,
    /// GUID of the class.
    pub class_id: String,
    /// What the events tell of.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of the sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Payload layouts, each written once.
    #[serde(default)]
    pub layouts: Vec<PayloadLayout>,
    /// The events.
    #[serde(default)]
    pub events: Vec<Event>,
}

/// Fields of a payload, in order and without padding.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PayloadLayout {
    /// Name, unique over all files.
    pub name: String,
    /// Name of the layout of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// Layout whose fields come first.
    #[serde(default)]
    pub extends: Option<String>,
    /// What is to be known of it.
    #[serde(default)]
    pub doc: Option<String>,
    /// The fields.
    #[serde(default)]
    pub fields: Vec<PayloadField>,
}

/// A field of a payload.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PayloadField {
    /// Name, as in Microsoft's MOF classes.
    pub name: String,
    /// A type of the table of payload types, an enum or flag table, or another layout.
    #[serde(rename = "type")]
    pub ty: String,
    /// Number of elements: a number, the name of an earlier field, or `rest`.
    #[serde(default)]
    pub count: Option<Expression>,
    /// Number of bytes of `bytes`, `utf16` and `ansi`: a number, the name of an earlier field, or `rest`.
    #[serde(default)]
    pub size: Option<Expression>,
    /// Alignment from the start of the payload: a number of bytes, or `ptr`.
    #[serde(default)]
    pub align: Option<Expression>,
    /// How the value is printed.
    #[serde(default)]
    pub format: Option<PayloadFormat>,
    /// The payload may end before the field.
    #[serde(default)]
    pub optional: bool,
    /// What the value stands for.
    #[serde(default)]
    pub refers: Option<Refers>,
    /// Unit of the value.
    #[serde(default)]
    pub unit: Option<String>,
    /// Meaning.
    #[serde(default)]
    pub doc: Option<String>,
}

/// How a value of a payload is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PayloadFormat {
    /// `0x` and digits.
    Hex,
    /// Time stamp of the session's clock.
    Clock,
}

/// An event of a class.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Name of the operation, such as `Start`.
    pub name: String,
    /// Name of the event of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// Type within the group or class.
    #[serde(rename = "type")]
    pub ty: u8,
    /// Group and type as one number, where it is not made of the group of the class.
    #[serde(default)]
    pub hook_id: Option<u16>,
    /// Name of the constant in Microsoft's headers.
    #[serde(default)]
    pub constant: Option<String>,
    /// Profilers and forensic tools match on the event: it becomes a variant of the generated `TypedEvent`, and its layouts
    /// become structs.
    #[serde(default)]
    pub typed: bool,
    /// What the event says that there is.
    #[serde(default)]
    pub defines: Option<Refers>,
    /// From when to when it is there; all of the trace if left out.
    #[serde(default)]
    pub lifetime: Option<Lifetime>,
    /// Ids of sources beyond those of the class.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Meaning.
    #[serde(default)]
    pub doc: Option<String>,
    /// Payloads by version; none if only the name is known.
    #[serde(default)]
    pub versions: Vec<EventVersion>,
}

/// The payload of one version of an event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EventVersion {
    /// Version in the event's header.
    pub version: u8,
    /// Takes the place of the same version of the base.
    #[serde(default)]
    pub replaces: bool,
    /// Layout of the payload; none for an empty one.
    #[serde(default)]
    pub layout: Option<String>,
    /// Structure of the payload, in place of a layout.
    #[serde(default)]
    pub structure: Option<String>,
    /// Pointer size of the data: 32 or 64; both if left out.
    #[serde(default)]
    pub pointers: Option<u32>,
    /// First Windows version that writes it, as `6.0` or `10.0.14393`; left out where no source says it.
    #[serde(default)]
    pub since: Option<String>,
    /// First Windows version that writes it no longer.
    #[serde(default)]
    pub until: Option<String>,
    /// Number of events of real traces that it decoded to the last byte.
    #[serde(default)]
    pub verified: Option<u64>,
    /// Test vectors.
    #[serde(default)]
    pub vectors: Vec<Vector>,
}

/// A well-known provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// GUID, 8-4-4-4-12 hex digits.
    pub id: String,
    /// Name that it is registered under.
    pub name: String,
    /// Name of the provider of the base that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
    /// The provider of kernel events, whose headers name none. At most one is.
    #[serde(default)]
    pub kernel: bool,
    /// What its events tell of.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of the sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Payload layouts, each written once.
    #[serde(default)]
    pub layouts: Vec<PayloadLayout>,
    /// Its events, as far as they are described.
    #[serde(default)]
    pub events: Vec<ProviderEvent>,
}

/// An event of a provider, known by the provider's GUID and its own number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProviderEvent {
    /// Number of the event within the provider.
    pub id: u16,
    /// Name, as dumps print it.
    pub name: String,
    /// Takes the place of the event of the base with the same number.
    #[serde(default)]
    pub replaces: bool,
    /// What the event says that there is.
    #[serde(default)]
    pub defines: Option<Refers>,
    /// From when to when it is there; all of the trace if left out.
    #[serde(default)]
    pub lifetime: Option<Lifetime>,
    /// Meaning.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of sources beyond those of the provider.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Payloads by version; none if only the name is known.
    #[serde(default)]
    pub versions: Vec<EventVersion>,
}
