//! The events of a schema by hook id, by class and by provider.

use std::collections::HashMap;
use std::sync::Arc;

use winetl::dispatch::{EventInfo, EventVersion, InterpretPayload, PayloadLayout};
use winetl::dynamic::DynamicRecord;
use winetl::payload::Outcome;
use winetl::{Context, Guid, ProviderInfo};
use winetl_codegen::decode::{decode, decode_payload};
use winetl_codegen::model::{self, EventClass, Payload, Provider, ProviderEvent};

use super::Model;
use super::selection::model_context;
use super::statics::{leak, text};
use super::values::Converter;

/// All events.
#[derive(Debug, Default)]
pub(super) struct Events {
    by_hook_id: HashMap<u16, &'static EventInfo>,
    by_class: HashMap<([u8; 16], u64), &'static EventInfo>,
    by_provider: HashMap<([u8; 16], u64), &'static EventInfo>,
    providers: HashMap<[u8; 16], &'static ProviderInfo>,
    kernel_provider: Option<&'static ProviderInfo>,
}

impl Events {
    pub(super) fn of(model: &Arc<Model>) -> Self {
        let mut events = Self::default();
        for class in &model.schema.classes {
            for event in &class.events {
                let info = event_info(model, class, event);
                if let Some(hook_id) = event.hook_id {
                    events.by_hook_id.insert(hook_id, info);
                }
                // Of two types of one number the first is that of the class; the generated table has them in this order too.
                events
                    .by_class
                    .entry((class.class_id, u64::from(event.opcode)))
                    .or_insert(info);
            }
        }
        for provider in &model.schema.providers {
            let info: &'static ProviderInfo = leak(ProviderInfo {
                id: Guid::from_bytes(provider.id),
                name: text(provider.name.as_str()),
                doc: text(provider.doc.as_str()),
            });
            events.providers.insert(provider.id, info);
            if provider.kernel {
                events.kernel_provider = Some(info);
            }
            for event in &provider.events {
                let info = provider_event_info(model, provider, event);
                events.by_provider.insert((provider.id, u64::from(event.id)), info);
            }
        }
        events
    }

    pub(super) fn kernel(&self, hook_id: u16) -> Option<&'static EventInfo> {
        self.by_hook_id.get(&hook_id).copied()
    }

    pub(super) fn classic(&self, class_id: Guid, opcode: u64) -> Option<&'static EventInfo> {
        self.by_class.get(&(class_id.to_bytes(), opcode)).copied()
    }

    pub(super) fn of_provider(&self, provider_id: Guid, event_id: u64) -> Option<&'static EventInfo> {
        self.by_provider.get(&(provider_id.to_bytes(), event_id)).copied()
    }

    pub(super) fn provider(&self, id: &Guid) -> Option<&'static ProviderInfo> {
        self.providers.get(&id.to_bytes()).copied()
    }

    pub(super) fn kernel_provider(&self) -> Option<&'static ProviderInfo> {
        self.kernel_provider
    }
}

fn provider_event_info(model: &Arc<Model>, provider: &Provider, event: &ProviderEvent) -> &'static EventInfo {
    leak(EventInfo {
        name: text(event.name.as_str()),
        hook_id: None,
        event_id: Some(event.id),
        class_id: Guid::from_bytes(provider.id),
        opcode: 0,
        doc: event.doc.as_ref().map_or("", |doc| text(doc.as_str())),
        versions: versions(model, &event.versions),
        defines: None,
    })
}

fn versions(model: &Arc<Model>, versions: &[model::EventVersion]) -> &'static [EventVersion] {
    let versions = versions.iter().map(|version| EventVersion {
        version: version.version,
        pointer_size: version.pointer_size.and_then(|size| u8::try_from(size).ok()),
        payload: layout(model, version.payload),
        typed: None,
    });
    Box::leak(versions.collect())
}

fn event_info(model: &Arc<Model>, class: &EventClass, event: &model::Event) -> &'static EventInfo {
    leak(EventInfo {
        name: text(event.name.as_str()),
        hook_id: event.hook_id,
        event_id: None,
        class_id: Guid::from_bytes(class.class_id),
        opcode: event.opcode,
        doc: event.doc.as_ref().map_or("", |doc| text(doc.as_str())),
        versions: versions(model, &event.versions),
        // What refers to what is used by the built-in parsers only.
        defines: None,
    })
}

fn layout(model: &Arc<Model>, payload: Payload) -> PayloadLayout {
    let info = match payload {
        Payload::Empty => None,
        Payload::Layout(index) => model.statics.layouts.get(index).copied(),
        Payload::Structure(index) => model.statics.structures.get(index).copied(),
    };
    PayloadLayout::Interpreted(
        info.unwrap_or(&EMPTY),
        leak(InterpretedPayload {
            model: Arc::clone(model),
            payload,
        }),
    )
}

/// A payload without bytes.
static EMPTY: winetl::record::RecordInfo = winetl::record::RecordInfo {
    name: "payload",
    doc: "Nothing.",
    min_size: [0, 0],
    varies: false,
    sources: &[],
    fields: &[],
};

/// Reads the payload of one version of an event.
#[derive(Debug)]
struct InterpretedPayload {
    model: Arc<Model>,
    payload: Payload,
}

impl InterpretPayload for InterpretedPayload {
    fn interpret(&self, payload: &[u8], context: Context) -> Option<(DynamicRecord, Outcome)> {
        let Model { schema, statics } = &*self.model;
        let converter = Converter { schema, statics };
        match self.payload {
            Payload::Empty => Some((
                DynamicRecord::new(&EMPTY, Vec::new()),
                Outcome {
                    consumed: 0,
                    short: None,
                },
            )),
            Payload::Layout(index) => {
                let decoded = decode_payload(schema, schema.layouts.get(index)?, payload, model_context(context));
                let outcome = Outcome {
                    consumed: decoded.used,
                    short: decoded.short.is_some().then_some(decoded.record.0.len()),
                };
                Some((converter.layout(index, decoded.record)?, outcome))
            }
            Payload::Structure(index) => {
                let (record, consumed) = decode(schema, schema.structures.get(index)?, payload, model_context(context)).ok()?;
                Some((converter.structure(index, record)?, Outcome { consumed, short: None }))
            }
        }
    }
}
