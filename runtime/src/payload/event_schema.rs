//! Schemas of single events: their names and their fields.

use std::fmt;
use std::sync::Arc;

use super::template::Template;
use crate::layout::LayoutError;

/// What is known of one kind of event.
#[derive(Debug, Clone, PartialEq)]
pub struct EventSchema {
    /// Where it was found.
    pub source: SchemaSource,
    /// Name of the provider. TraceLogging metadata has none: see [`super::traits::provider_name`].
    pub provider_name: Option<Arc<str>>,
    /// Name of the event.
    pub event_name: Option<Arc<str>>,
    /// Name of the task.
    pub task_name: Option<Arc<str>>,
    /// Name of the opcode.
    pub opcode_name: Option<Arc<str>>,
    /// Name of the level.
    pub level_name: Option<Arc<str>>,
    /// Name of the channel.
    pub channel_name: Option<Arc<str>>,
    /// Names of the keywords.
    pub keyword_names: Vec<Arc<str>>,
    /// Message, in which `%1` stands for the first field.
    pub message: Option<Arc<str>>,
    /// Tags of the event in 28 bits, of which the provider knows the meaning.
    pub tags: u32,
    /// The fields.
    pub template: Arc<Template>,
    /// What of the schema could not be used. The fields before it are right.
    pub problem: Option<SchemaProblem>,
}

impl EventSchema {
    /// A schema without names and fields.
    pub fn new(source: SchemaSource) -> Self {
        Self {
            source,
            provider_name: None,
            event_name: None,
            task_name: None,
            opcode_name: None,
            level_name: None,
            channel_name: None,
            keyword_names: Vec::new(),
            message: None,
            tags: 0,
            template: Arc::default(),
            problem: None,
        }
    }
}

/// Where a schema was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaSource {
    /// In the event itself.
    TraceLogging,
    /// In a MetaData event of the trace, which keeps all that the machine knew.
    TraceEventInfo,
    /// In a manifest: of an EventSource in the trace.
    Manifest,
}

/// What is wrong with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaProblem {
    /// TraceLogging metadata ends within a field, `at` bytes from its start.
    MetadataEnds {
        /// Where the field begins.
        at: usize,
    },
    /// TraceLogging metadata has an in-type that is not known.
    InType {
        /// Where the field begins in the metadata.
        at: usize,
        /// The in-type byte.
        found: u8,
    },
    /// A field has a type of the provider's own: it and what follows is kept as bytes.
    CustomType {
        /// Name of the field.
        field: String,
    },
    /// Structures lie within each other more deeply than is read.
    TooDeep {
        /// How deep is read.
        limit: usize,
    },
    /// An array of structures without bytes.
    EmptyElements {
        /// Name of the field.
        field: String,
    },
    /// A structure of the schema does not fit into its bytes.
    Layout(LayoutError),
    /// A field has a type that is not known; it and what follows is not decoded.
    FieldType {
        /// Name of the field.
        field: String,
        /// The type.
        found: String,
    },
    /// The length or count of a field comes from a field that is not before it in the same structure.
    Reference {
        /// Name of the field.
        field: String,
        /// Name or index of the other.
        to: String,
    },
    /// Texts or fields of event information are used more often than sane information does.
    Inflated,
    /// A manifest is no XML from a place on; what stands before it is used.
    Xml {
        /// Bytes from the start of the manifest.
        at: u64,
        /// What the XML reader says.
        message: String,
    },
    /// Parts of a manifest are missing; the parts before are used.
    ManifestParts {
        /// How many parts there are in a row from the first.
        found: usize,
        /// How many there should be.
        expected: u16,
    },
    /// Something is larger than is read.
    TooLarge {
        /// What.
        what: &'static str,
        /// Bytes that are read.
        limit: usize,
    },
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MetadataEnds { at } => write!(f, "the metadata ends within the field at {at:#x}"),
            Self::InType { at, found } => {
                write!(
                    f,
                    "the field at {at:#x} of the metadata has in-type {found:#04x}, which is not known"
                )
            }
            Self::CustomType { field } => write!(f, "the type of {field} is the provider's own: kept as bytes"),
            Self::TooDeep { limit } => write!(f, "more than {limit} structures within each other"),
            Self::EmptyElements { field } => write!(f, "{field} is an array of structures without bytes"),
            Self::Layout(error) => error.fmt(f),
            Self::FieldType { field, found } => write!(f, "{field} has type {found}, which is not known"),
            Self::Reference { field, to } => {
                write!(
                    f,
                    "length or count of {field} come from {to}, which is no number before it in the same structure"
                )
            }
            Self::Inflated => f.write_str("texts or fields are used again and again: the information is not sane"),
            Self::Xml { at, message } => write!(f, "no XML from byte {at:#x} of the manifest on: {message}"),
            Self::ManifestParts { found, expected } => {
                write!(f, "only {found} of {expected} parts of the manifest are there in a row")
            }
            Self::TooLarge { what, limit } => write!(f, "{what} of more than {limit} bytes: not kept"),
        }
    }
}

impl std::error::Error for SchemaProblem {}
