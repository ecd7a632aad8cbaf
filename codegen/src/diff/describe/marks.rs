//! Providers, and what payloads and events are marked with.

use super::super::value::{Facets, Item, Part, Value};
use super::super::{Class, Kind};
use super::{counted, sources};
use crate::decode::guid_text;
use crate::model::{CarriedEvent, Provider};
use crate::raw::{CarriedField, Lifetime, Refers};

/// A well-known provider; its id tells it when it is renamed.
pub(super) fn provider(provider: &Provider) -> Item {
    let Provider {
        id,
        name,
        kernel,
        doc,
        sources: known,
        events,
        place: _,
    } = provider;
    let id = guid_text(id);
    let mut facets = Facets::default();
    facets.text(Class::Naming, "id", &id);
    facets.mark(Class::Naming, "kernel", *kernel);
    facets.text(Class::Docs, "doc", doc);
    sources(&mut facets, known);
    Item {
        kind: Kind::Provider,
        name: name.clone(),
        signature: Some(Value::text(&id)),
        parent: None,
        // A provider with described events says of bytes what they are.
        presence: if events.iter().all(|event| event.versions.is_empty()) {
            Class::Naming
        } else {
            Class::Layout
        },
        summary: match events.len() {
            0 => Value::text(id),
            number => Value::text(format!("{id}, {}", counted(number, "event"))),
        },
        facets: facets.0,
        parts: Vec::new(),
    }
}

/// Marks of an event whose payload traces describe. It is what its provider and number say, so it can't be renamed.
pub(super) fn carried(event: &CarriedEvent) -> Item {
    let CarriedEvent {
        provider_id,
        id,
        doc,
        defines,
        fields,
        sources: known,
        place: _,
    } = event;
    let name = format!("{}/{id}", guid_text(provider_id));
    let mut facets = Facets::default();
    defined(&mut facets, *defines);
    facets.text(Class::Docs, "doc", doc);
    sources(&mut facets, known);
    Item {
        kind: Kind::CarriedEvent,
        signature: Some(Value::text(&name)),
        name,
        parent: None,
        presence: Class::Naming,
        summary: Value::text(counted(fields.len(), "marked field")),
        facets: facets.0,
        parts: fields.iter().map(field).collect(),
    }
}

fn field(field: &CarriedField) -> Part {
    let CarriedField { name, refers } = field;
    let mut facets = Facets::default();
    facets.text(Class::Naming, "refers", refers.word());
    Part {
        key: name.clone(),
        name: name.clone(),
        what: "marked field",
        signature: None,
        order: None,
        presence: Class::Naming,
        summary: Value::text(refers.word()),
        facets: facets.0,
    }
}

/// Adds what an event says that there is, and from when to when.
pub(super) fn defined(facets: &mut Facets, defines: Option<(Refers, Lifetime)>) {
    facets.maybe(Class::Naming, "defines", defines.map(|(what, _)| what.word()));
    facets.maybe(Class::Naming, "lifetime", defines.map(|(_, lifetime)| lifetime.word()));
}
