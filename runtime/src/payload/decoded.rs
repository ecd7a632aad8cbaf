//! An event with the best description of its payload, wherever that comes from.

use std::borrow::Cow;
use std::fmt;

use super::event_schema::{EventSchema, SchemaSource};
use super::schemas::Schemas;
use super::{Outcome, PayloadRecord, TemplateRecord, traits};
use crate::event::Event;
use crate::format::roles::EventRoles as _;

/// What is known of an event's payload.
pub struct Decoded<'a> {
    /// The fields, as far as they are there; none if nothing describes the event.
    pub record: Option<PayloadRecord<'a>>,
    /// What describes the payload; none if nothing does.
    pub source: Option<DecodedBy>,
    /// The schema that the trace carries for the event: its names, whether or not its fields were used.
    pub schema: Option<&'a EventSchema>,
    /// Why not all of the payload was decoded; none if all was.
    pub undecoded: Option<Undecoded>,
    /// The bytes that were not decoded.
    pub rest: &'a [u8],
}

impl<'a> Decoded<'a> {
    /// Name of the provider of the event, for a kernel event that of the kernel's provider. What the trace says, in a schema or the
    /// traits of the event, goes before what the YAML files say ([`Event::provider`]). Nothing is copied, unless the traits are no
    /// UTF-8.
    pub fn provider_name(&self, event: &Event<'a>) -> Option<Cow<'a, str>> {
        let known = || event.provider().map(|provider| Cow::Borrowed(provider.name));
        if event.header().hook_id().is_some() {
            return known();
        }
        let schema = self.schema.and_then(|schema| schema.provider_name.as_deref());
        schema
            .map(Cow::Borrowed)
            .or_else(|| traits::provider_name(event))
            .or_else(known)
    }
}

/// What describes a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodedBy {
    /// The YAML files: kernel and classic events, and those of providers that the files describe.
    Schema,
    /// What the trace carries.
    Trace(SchemaSource),
}

impl DecodedBy {
    /// Name, as dumps print it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Trace(SchemaSource::TraceLogging) => "tracelogging",
            Self::Trace(SchemaSource::TraceEventInfo) => "trace_event_info",
            Self::Trace(SchemaSource::Manifest) => "manifest",
        }
    }
}

/// Why a payload was not decoded, or not to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecoded {
    /// Nothing describes it.
    NoSchema,
    /// It ends within a field.
    TooShort,
    /// There are bytes behind the last field.
    TrailingBytes,
}

impl fmt::Display for Undecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Undecoded {
    /// The reason in words, as dumps print it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSchema => "no schema",
            Self::TooShort => "payload shorter than its layout",
            Self::TrailingBytes => "trailing bytes",
        }
    }
}

impl Schemas {
    /// Decodes the payload of an event. Of the YAML layout and the schemas that the trace carries, the first that takes the payload
    /// to its last byte is used, else the first.
    pub fn decode<'a>(&'a mut self, event: &Event<'a>) -> Decoded<'a> {
        let described = event.payload_record().map(|record| {
            let outcome = record.measure();
            (record, outcome, DecodedBy::Schema)
        });
        let carried = self.find(event).best(event);
        let schema = carried.map(|(schema, _)| schema);
        let carried = carried.map(|(schema, outcome)| {
            let record = PayloadRecord::Template(TemplateRecord::new(&schema.template, event.payload(), event.context()));
            (record, outcome, DecodedBy::Trace(schema.source))
        });
        let takes_all = |outcome: &Outcome| outcome.short.is_none() && outcome.consumed == event.payload().len();
        let chosen = match (described, carried) {
            (Some(described), Some(carried)) if !takes_all(&described.1) && takes_all(&carried.1) => Some(carried),
            (Some(described), _) => Some(described),
            (None, carried) => carried,
        };
        let Some((record, outcome, source)) = chosen else {
            return Decoded {
                record: None,
                source: None,
                schema,
                undecoded: Some(Undecoded::NoSchema),
                rest: event.payload(),
            };
        };
        let rest = event.payload().get(outcome.consumed..).unwrap_or_default();
        let undecoded = match outcome.short {
            Some(_) => Some(Undecoded::TooShort),
            None if rest.is_empty() => None,
            None => Some(Undecoded::TrailingBytes),
        };
        Decoded {
            record: Some(record),
            source: Some(source),
            schema,
            undecoded,
            rest,
        }
    }
}
