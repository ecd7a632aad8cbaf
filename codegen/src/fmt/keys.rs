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
    /// A well-known provider.
    Provider,
    /// Marks of an event that traces describe.
    CarriedEvent,
    /// A marked field of it.
    CarriedField,
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
        Self::CarriedEvent,
        Self::CarriedField,
        Self::PerPointer,
    ];

    /// The keys in their order: what names a thing, where it is, what it is, what else is to be known, its meaning, its parts.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::File => &[
                "title",
                "doc",
                "sources",
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
            Self::Flags => &["name", "type", "doc", "sources", "bits", "groups"],
            Self::Enum => &["name", "type", "doc", "sources", "values"],
            Self::TableEntry => &["value", "name", "label", "since", "until", "doc"],
            Self::Dispatch => &["name", "joins", "doc", "sources", "marker", "type", "cases"],
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
            Self::EventClass => &["name", "group", "class_id", "doc", "sources", "layouts", "events"],
            Self::PayloadLayout => &["name", "extends", "doc", "fields"],
            Self::PayloadField => &[
                "name", "type", "count", "size", "align", "format", "optional", "refers", "unit", "doc",
            ],
            Self::Event => &[
                "name", "type", "hook_id", "constant", "typed", "defines", "lifetime", "doc", "sources", "versions",
            ],
            Self::EventVersion => &[
                "version",
                "layout",
                "structure",
                "pointers",
                "since",
                "until",
                "verified",
                "vectors",
            ],
            Self::Provider => &["id", "name", "kernel", "doc", "sources"],
            Self::CarriedEvent => &["provider_id", "id", "defines", "lifetime", "doc", "sources", "fields"],
            Self::CarriedField => &["name", "refers"],
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
            (Self::CarriedEvent, "fields") => Self::CarriedField,
            (Self::Structure, "fields") => Self::Field,
            (Self::Structure, "derived") => Self::Derived,
            (Self::Structure | Self::EventVersion, "vectors") => Self::Vector,
            (Self::Structure, "size" | "min_size") | (Self::Field, "offset") => Self::PerPointer,
            (Self::Field, "bits") => Self::BitRange,
            (Self::Flags, "bits" | "groups") | (Self::Enum, "values") => Self::TableEntry,
            (Self::Dispatch, "marker" | "type") => Self::Selector,
            (Self::Dispatch, "cases") => Self::Case,
            (Self::EventClass, "layouts") => Self::PayloadLayout,
            (Self::EventClass, "events") => Self::Event,
            (Self::PayloadLayout, "fields") => Self::PayloadField,
            (Self::Event, "versions") => Self::EventVersion,
            _ => Self::Other,
        }
    }

    /// Place of a key among the keys of the kind; all that it does not know have the last.
    pub(super) fn rank(self, key: &str) -> usize {
        let keys = self.keys();
        keys.iter().position(|known| *known == key).unwrap_or(keys.len())
    }
}
