//! Marks of payloads: what a field refers to, and what an event says of the things that fields refer to.

use serde::Deserialize;

/// What the value of a payload field stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
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
    /// Time stamp of another event.
    Event,
    /// Name of what the event defines.
    Name,
    /// Size of what the event defines.
    Size,
}

/// What kind of value a mark needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkType {
    /// An unsigned integer or address.
    Number,
    /// As `Number`, and arrays of them.
    Numbers,
    /// Text.
    Text,
}

impl Refers {
    /// The word of the schema language.
    pub fn word(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Thread => "thread",
            Self::Image => "image",
            Self::File => "file",
            Self::RegistryKey => "registry_key",
            Self::Disk => "disk",
            Self::Volume => "volume",
            Self::Stack => "stack",
            Self::Code => "code",
            Self::Event => "event",
            Self::Name => "name",
            Self::Size => "size",
        }
    }

    /// What kind of field can have it.
    pub fn mark_type(self) -> MarkType {
        match self {
            Self::Volume | Self::Name => MarkType::Text,
            Self::Code => MarkType::Numbers,
            _ => MarkType::Number,
        }
    }

    /// Whether events can define it.
    pub fn definable(self) -> bool {
        !matches!(self, Self::Code | Self::Event | Self::Name | Self::Size)
    }
}

/// From when to when that which an event defines is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
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

impl Lifetime {
    /// The word of the schema language.
    pub fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Starts => "starts",
            Self::Ends => "ends",
            Self::AtStart => "at_start",
            Self::AtEnd => "at_end",
        }
    }
}

/// An event of a provider that traces describe themselves: only what its fields stand for is said here.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CarriedEvent {
    /// GUID of the provider.
    pub provider_id: String,
    /// Number of the event within it.
    pub id: u16,
    /// Takes the place of the marks of the same event in the base.
    #[serde(default)]
    pub replaces: bool,
    /// Meaning.
    #[serde(default)]
    pub doc: Option<String>,
    /// Ids of the sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// What the event says that there is.
    #[serde(default)]
    pub defines: Option<Refers>,
    /// From when to when it is there; all of the trace if left out.
    #[serde(default)]
    pub lifetime: Option<Lifetime>,
    /// The marked fields.
    #[serde(default)]
    pub fields: Vec<CarriedField>,
}

/// A field of such an event.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CarriedField {
    /// Name, as the provider's manifest has it.
    pub name: String,
    /// What the value stands for.
    pub refers: Refers,
}
