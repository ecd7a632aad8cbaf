//! What an overlay adds to things of its base: the same lists as in the thing itself, without what only the thing can say.

use serde::Deserialize;

use super::{Case, Derived, Event, EventVersion, Field, PayloadLayout, PerPointer, ProviderEvent, TableEntry, Vector};

/// Additions to things of the base.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Extends {
    /// Fields for structures.
    #[serde(default)]
    pub structures: Vec<StructurePart>,
    /// Bits for flag tables.
    #[serde(default)]
    pub flags: Vec<FlagsPart>,
    /// Values for value tables.
    #[serde(default)]
    pub enums: Vec<EnumPart>,
    /// Cases for dispatches.
    #[serde(default)]
    pub dispatch: Vec<DispatchPart>,
    /// Layouts, events and versions for event classes.
    #[serde(default)]
    pub event_classes: Vec<ClassPart>,
    /// Layouts, events and versions for providers.
    #[serde(default)]
    pub providers: Vec<ProviderPart>,
}

/// What follows the fields of a structure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StructurePart {
    /// Name of the structure.
    pub name: String,
    /// Exact size in bytes with the new fields, in place of what the base says of the size.
    #[serde(default)]
    pub size: Option<PerPointer>,
    /// Size of the part that is always there with the new fields, in place of what the base says of the size.
    #[serde(default)]
    pub min_size: Option<PerPointer>,
    /// Ids of sources beyond those of the structure, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Fields behind those of the base.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// Values behind those of the base.
    #[serde(default)]
    pub derived: Vec<Derived>,
    /// Test vectors. With new fields those of the base go, since their bytes lack the fields.
    #[serde(default)]
    pub vectors: Vec<Vector>,
}

/// More bits of a flag table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlagsPart {
    /// Name of the flag table.
    pub name: String,
    /// Ids of sources beyond those of the table, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Single bits.
    #[serde(default)]
    pub bits: Vec<TableEntry>,
    /// Several bits under one name.
    #[serde(default)]
    pub groups: Vec<TableEntry>,
}

/// More values of a value table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EnumPart {
    /// Name of the value table.
    pub name: String,
    /// Ids of sources beyond those of the table, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The values.
    #[serde(default)]
    pub values: Vec<TableEntry>,
}

/// More cases of a dispatch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DispatchPart {
    /// Name of the dispatch.
    pub name: String,
    /// Ids of sources beyond those of the dispatch, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Cases that are tried before those of the base. One that no value can reach any more is left out.
    #[serde(default)]
    pub cases: Vec<Case>,
}

/// More of a class of events.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClassPart {
    /// Name of the class.
    pub name: String,
    /// Ids of sources beyond those of the class, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Layouts of payloads.
    #[serde(default)]
    pub layouts: Vec<PayloadLayout>,
    /// Events that the class lacks, or that take the place of one.
    #[serde(default)]
    pub events: Vec<Event>,
    /// More versions of events of the class.
    #[serde(default)]
    pub extends: Vec<EventPart>,
}

/// More versions of an event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EventPart {
    /// Name of the event.
    pub name: String,
    /// Ids of sources beyond those of the event, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The versions.
    #[serde(default)]
    pub versions: Vec<EventVersion>,
}

/// More of a provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProviderPart {
    /// Name that the provider is registered under.
    pub name: String,
    /// Ids of sources beyond those of the provider, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Layouts of payloads.
    #[serde(default)]
    pub layouts: Vec<PayloadLayout>,
    /// Events that the provider lacks, or that take the place of one.
    #[serde(default)]
    pub events: Vec<ProviderEvent>,
    /// More versions of events of the provider.
    #[serde(default)]
    pub extends: Vec<ProviderEventPart>,
}

/// More versions of an event of a provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProviderEventPart {
    /// Number of the event.
    pub id: u16,
    /// Ids of sources beyond those of the event, of this file.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The versions.
    #[serde(default)]
    pub versions: Vec<EventVersion>,
}
