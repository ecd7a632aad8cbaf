//! The order in which the keys of each kind of map are written.

/// Kind of a map, named as in [`crate::raw`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A source of facts.
    Source,
    /// A structure.
    Structure,
    /// A field of a structure.
    Field,
    /// A range of bits.
    BitRange,
    /// A computed value.
    Derived,
    /// A test vector.
    Vector,
    /// A flag table.
    Flags,
    /// A value table.
    Enum,
    /// A value or bit of a table.
    TableEntry,
    /// A dispatch.
    Dispatch,
    /// Where a dispatch finds a number.
    Selector,
    /// A case of a dispatch.
    Case,
    /// A class of events.
    EventClass,
    /// Layout of a payload.
    PayloadLayout,
    /// A field of a payload.
    PayloadField,
    /// An event.
    Event,
    /// A version of an event.
    EventVersion,
    /// A provider.
    Provider,
    /// An event of it.
    ProviderEvent,
    /// Marks of an event that traces describe.
    CarriedEvent,
    /// A marked field of it.
    CarriedField,
    /// What is added to things of the base.
    Extends,
    /// Fields for a structure of the base.
    StructurePart,
    /// Bits for a flag table of the base.
    FlagsPart,
    /// Values for a value table of the base.
    EnumPart,
    /// Cases for a dispatch of the base.
    DispatchPart,
    /// Layouts, events and versions for a class of the base.
    ClassPart,
    /// Versions for an event of the base.
    EventPart,
    /// Layouts, events and versions for a provider of the base.
    ProviderPart,
    /// Versions for an event of a provider of the base.
    ProviderEventPart,
    /// A number for each pointer size.
    PerPointer,
    /// A map whose keys are the author's, or that the language does not know: its order stays.
    Other,
}

impl Kind {
    /// All kinds whose keys have an order.
    pub const ALL: &'static [Self] = &[
        Self::File,
        Self::Source,
        Self::Structure,
        Self::Field,
        Self::BitRange,
        Self::Derived,
        Self::Vector,
        Self::Flags,
        Self::Enum,
        Self::TableEntry,
        Self::Dispatch,
        Self::Selector,
        Self::Case,
        Self::EventClass,
        Self::PayloadLayout,
        Self::PayloadField,
        Self::Event,
        Self::EventVersion,
        Self::Provider,
        Self::ProviderEvent,
        Self::CarriedEvent,
        Self::CarriedField,
        Self::Extends,
        Self::StructurePart,
        Self::FlagsPart,
        Self::EnumPart,
        Self::DispatchPart,
        Self::ClassPart,
        Self::EventPart,
        Self::ProviderPart,
        Self::ProviderEventPart,
        Self::PerPointer,
    ];

    /// The keys in their order: what names a thing, where it is, what it is, what else is to be known, its meaning, its parts.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::File => &[
                "title",
                "doc",
                "base",
                "sources",
                "extends",
                "structures",
                "flags",
                "enums",
                "dispatch",
                "event_classes",
                "providers",
                "carried_events",
            ],
            Self::Source => &["id", "kind", "title", "url"],
            Self::Structure => &[
                "name",
                "replaces",
                "size",
                "min_size",
                "since",
                "until",
                "variant_of",
                "doc",
                "sources",
                "fields",
                "derived",
                "vectors",
            ],
            Self::Field => &[
                "name", "offset", "type", "if", "count", "size", "overlay", "since", "until", "expect", "format", "unit", "role",
                "hidden", "doc", "bits",
            ],
            Self::BitRange => &["name", "bits", "type", "since", "until", "role", "hidden", "doc"],
            Self::Derived => &["name", "type", "value", "format", "unit", "role", "hidden", "doc"],
            Self::Vector => &["doc", "bytes", "pointers", "log_version", "expect"],
            Self::Flags => &["name", "replaces", "type", "doc", "sources", "bits", "groups"],
            Self::Enum => &["name", "replaces", "type", "doc", "sources", "values"],
            Self::TableEntry => &["value", "name", "replaces", "label", "since", "until", "doc"],
            Self::Dispatch => &["name", "replaces", "joins", "doc", "sources", "marker", "type", "cases"],
            Self::Selector => &["offset", "type", "mask"],
            Self::Case => &[
                "marker_mask",
                "marker",
                "value",
                "name",
                "when",
                "structure",
                "pointers",
                "opaque",
                "end",
                "doc",
            ],
            Self::EventClass => &["name", "replaces", "group", "class_id", "doc", "sources", "layouts", "events"],
            Self::PayloadLayout => &["name", "replaces", "extends", "doc", "fields"],
            Self::PayloadField => &[
                "name", "type", "count", "size", "align", "format", "optional", "refers", "unit", "doc",
            ],
            Self::Event => &[
                "name", "replaces", "type", "hook_id", "constant", "typed", "defines", "lifetime", "doc", "sources", "versions",
            ],
            Self::EventVersion => &[
                "version",
                "replaces",
                "layout",
                "structure",
                "pointers",
                "since",
                "until",
                "verified",
                "vectors",
            ],
            Self::Provider => &["id", "name", "replaces", "kernel", "doc", "sources", "layouts", "events"],
            Self::ProviderEvent => &["id", "name", "replaces", "defines", "lifetime", "doc", "sources", "versions"],
            Self::CarriedEvent => &[
                "provider_id",
                "id",
                "replaces",
                "defines",
                "lifetime",
                "doc",
                "sources",
                "fields",
            ],
            Self::CarriedField => &["name", "refers"],
            Self::Extends => &["structures", "flags", "enums", "dispatch", "event_classes", "providers"],
            Self::StructurePart => &["name", "size", "min_size", "sources", "fields", "derived", "vectors"],
            Self::FlagsPart => &["name", "sources", "bits", "groups"],
            Self::EnumPart => &["name", "sources", "values"],
            Self::DispatchPart => &["name", "sources", "cases"],
            Self::ClassPart | Self::ProviderPart => &["name", "sources", "layouts", "events", "extends"],
            Self::EventPart => &["name", "sources", "versions"],
            Self::ProviderEventPart => &["id", "sources", "versions"],
            Self::PerPointer => &["32", "64"],
            Self::Other => &[],
        }
    }

    /// Kind of the maps that are the value of a key, or the elements of its list.
    pub fn of(self, key: &str) -> Self {
        match (self, key) {
            (Self::File, "sources") => Self::Source,
            (Self::File, "structures") => Self::Structure,
            (Self::File, "flags") => Self::Flags,
            (Self::File, "enums") => Self::Enum,
            (Self::File, "dispatch") => Self::Dispatch,
            (Self::File, "event_classes") => Self::EventClass,
            (Self::File, "providers") => Self::Provider,
            (Self::File, "carried_events") => Self::CarriedEvent,
            (Self::File, "extends") => Self::Extends,
            (Self::Extends, "structures") => Self::StructurePart,
            (Self::Extends, "flags") => Self::FlagsPart,
            (Self::Extends, "enums") => Self::EnumPart,
            (Self::Extends, "dispatch") => Self::DispatchPart,
            (Self::Extends, "event_classes") => Self::ClassPart,
            (Self::Extends, "providers") => Self::ProviderPart,
            (Self::ClassPart, "extends") => Self::EventPart,
            (Self::ProviderPart, "extends") => Self::ProviderEventPart,
            (Self::CarriedEvent, "fields") => Self::CarriedField,
            (Self::Structure | Self::StructurePart, "fields") => Self::Field,
            (Self::Structure | Self::StructurePart, "derived") => Self::Derived,
            (Self::Structure | Self::StructurePart | Self::EventVersion, "vectors") => Self::Vector,
            (Self::Structure | Self::StructurePart, "size" | "min_size") | (Self::Field, "offset") => Self::PerPointer,
            (Self::Field, "bits") => Self::BitRange,
            (Self::Flags | Self::FlagsPart, "bits" | "groups") | (Self::Enum | Self::EnumPart, "values") => Self::TableEntry,
            (Self::Dispatch, "marker" | "type") => Self::Selector,
            (Self::Dispatch | Self::DispatchPart, "cases") => Self::Case,
            (Self::EventClass | Self::ClassPart | Self::Provider | Self::ProviderPart, "layouts") => Self::PayloadLayout,
            (Self::EventClass | Self::ClassPart, "events") => Self::Event,
            (Self::Provider | Self::ProviderPart, "events") => Self::ProviderEvent,
            (Self::PayloadLayout, "fields") => Self::PayloadField,
            (Self::Event | Self::EventPart | Self::ProviderEvent | Self::ProviderEventPart, "versions") => Self::EventVersion,
            _ => Self::Other,
        }
    }

    /// Place of a key among the keys of the kind; all that it does not know have the last.
    pub(super) fn rank(self, key: &str) -> usize {
        let keys = self.keys();
        keys.iter().position(|known| *known == key).unwrap_or(keys.len())
    }
}
