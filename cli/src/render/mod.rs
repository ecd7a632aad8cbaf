//! How output looks.

pub(crate) mod cell;
pub(crate) mod columns;
pub(crate) mod csv;
pub(crate) mod ecs;
pub(crate) mod envelope;
pub(crate) mod hex;
pub(crate) mod items;
pub(crate) mod json;
pub(crate) mod json_schema;
pub(crate) mod jsonl;
mod kind;
pub(crate) mod labels;
mod long;
pub(crate) mod markdown;
mod message;
pub(crate) mod names;
pub(crate) mod paint;
pub(crate) mod plain;
pub(crate) mod resolved;
pub(crate) mod sink;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod tracerpt;
mod tracerpt_csv;
pub(crate) mod value;
mod xml;
mod xml_text;

use std::borrow::Cow;

use winetl::payload::decoded::Decoded;
use winetl::payload::event_schema::EventSchema;
use winetl::{Event, EventRoles, Guid};

/// What identifies an event, whichever kind of header it has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Identity<'a> {
    pub(crate) provider_id: Option<Guid>,
    pub(crate) provider: Option<Cow<'a, str>>,
    pub(crate) class_id: Option<Guid>,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) id: Option<u64>,
}

impl<'a> Identity<'a> {
    pub(crate) fn of(event: &Event<'a>, payload: &Decoded<'a>) -> Self {
        let header = event.header();
        let provider_id = match header.hook_id() {
            Some(_) => event.provider().map(|provider| provider.id),
            None => event.provider_id(),
        };
        let known = event.info().map(|info| Cow::Borrowed(info.name));
        Self {
            provider_id,
            provider: payload.provider_name(event),
            class_id: event.class_id(),
            name: known.or_else(|| payload.schema.and_then(schema_name)),
            id: header.event_id().or_else(|| header.message_number()),
        }
    }

    pub(crate) fn into_owned(self) -> Identity<'static> {
        let owned = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        Identity {
            provider: self.provider.map(owned),
            name: self.name.map(owned),
            ..self
        }
    }
}

/// Name of an event by the schema that the trace carries: its own, else those of task and opcode.
fn schema_name(schema: &EventSchema) -> Option<Cow<'_, str>> {
    match (&schema.event_name, &schema.task_name, &schema.opcode_name) {
        (Some(name), ..) => Some(Cow::Borrowed(name)),
        (None, Some(task), Some(opcode)) => Some(Cow::Owned([task, "/", opcode].concat())),
        (None, Some(name), None) | (None, None, Some(name)) => Some(Cow::Borrowed(name)),
        (None, None, None) => None,
    }
}

/// A process or thread id; `None` where the header has none, or the number that stands for none.
pub(crate) fn real_id(id: Option<u64>) -> Option<u64> {
    id.filter(|id| *id != u64::from(u32::MAX))
}
