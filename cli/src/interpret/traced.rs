//! Structures with the bytes of their fields: what `explain` shows.

use winetl::dispatch::{EventInfo, EventVersion};
use winetl::dynamic::DynamicRecord;
use winetl::{Context, WalkStructure};
use winetl_codegen::Schema;
use winetl_codegen::decode::{Span, decode_payload_spans, decode_spans};
use winetl_codegen::model::{self, EventClass, Payload, Provider};

use super::selection::model_context;
use super::values::Converter;
use super::{Model, SchemaInterpreter};

/// What of a schema describes bytes, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Described {
    Structure(usize),
    Layout(usize),
}

/// A structure or payload that was read.
#[derive(Debug)]
pub(crate) struct Traced {
    pub(crate) by: Described,
    pub(crate) record: DynamicRecord,
    /// Bytes that were read.
    pub(crate) used: usize,
    pub(crate) spans: Vec<Span>,
}

/// What a schema has for an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EventOf<'s> {
    Class(&'s EventClass),
    Provider(&'s Provider),
}

impl SchemaInterpreter {
    pub(crate) fn schema(&self) -> &Schema {
        &self.model.schema
    }

    /// Index of a structure that the walk needs.
    pub(crate) fn walked(&self, structure: WalkStructure) -> usize {
        self.index(structure)
    }

    /// Index of a structure.
    pub(crate) fn structure_named(&self, name: &str) -> Option<usize> {
        self.model.schema.structures.iter().position(|one| one.name == name)
    }

    /// Reads a structure from the start of `bytes`. `None` if they are too few.
    pub(crate) fn trace_structure(&self, index: usize, bytes: &[u8], context: Context) -> Option<Traced> {
        let Model { schema, statics } = &*self.model;
        let (record, used, spans) = decode_spans(schema, schema.structures.get(index)?, bytes, model_context(context)).ok()?;
        Some(Traced {
            by: Described::Structure(index),
            record: Converter { schema, statics }.structure(index, record)?,
            used,
            spans,
        })
    }

    /// Reads a payload as far as its layout carries. `None` if it is described as empty or not even its fixed part is there.
    pub(crate) fn trace_payload(&self, payload: Payload, bytes: &[u8], context: Context) -> Option<Traced> {
        let Model { schema, statics } = &*self.model;
        match payload {
            Payload::Empty => None,
            Payload::Structure(index) => self.trace_structure(index, bytes, context),
            Payload::Layout(index) => {
                let (read, spans) = decode_payload_spans(schema, schema.layouts.get(index)?, bytes, model_context(context));
                Some(Traced {
                    by: Described::Layout(index),
                    record: Converter { schema, statics }.layout(index, read.record)?,
                    used: read.used,
                    spans,
                })
            }
        }
    }

    /// What the schema says of the version of an event that either executor has chosen.
    pub(crate) fn event_version(&self, info: &EventInfo, chosen: &EventVersion) -> Option<(EventOf<'_>, &model::EventVersion)> {
        let at = info.versions.iter().position(|version| std::ptr::eq(version, chosen))?;
        let (of, versions) = self.event_of(info)?;
        Some((of, versions.get(at)?))
    }

    fn event_of(&self, info: &EventInfo) -> Option<(EventOf<'_>, &[model::EventVersion])> {
        let schema = &self.model.schema;
        let id = info.class_id.to_bytes();
        if let Some(number) = info.event_id {
            let provider = schema.providers.iter().find(|provider| provider.id == id)?;
            let event = provider.events.iter().find(|event| event.id == number)?;
            return Some((EventOf::Provider(provider), &event.versions));
        }
        let mut classes = schema.classes.iter().filter(|class| class.class_id == id);
        classes.find_map(|class| {
            let same =
                |event: &&model::Event| event.name == info.name && event.hook_id == info.hook_id && event.opcode == info.opcode;
            let event = class.events.iter().find(same)?;
            Some((EventOf::Class(class), event.versions.as_slice()))
        })
    }
}
