//! Event classes, events with their versions, and payload layouts with their fields.

use super::super::value::{Facets, Item, Part, Value};
use super::super::{Class, Kind};
use super::marks::defined;
use super::{Items, counted, pointers, sources, vectors};
use crate::decode::guid_text;
use crate::model::{
    Event, EventClass, EventVersion, Payload, PayloadAlign, PayloadField, PayloadLayout, PayloadLength, PayloadType, Provider,
    ProviderEvent,
};
use crate::raw::{PayloadFormat, Refers};

/// A class of events, without its events.
pub(super) fn class(class: &EventClass) -> Item {
    let EventClass {
        name,
        group,
        class_id,
        doc,
        sources: known,
        events,
        place: _,
    } = class;
    let mut facets = Facets::default();
    facets.text(Class::Layout, "class id", guid_text(class_id));
    facets.maybe(Class::Layout, "group", group.map(|group| format!("{group:#04x}")));
    facets.text(Class::Docs, "doc", doc);
    sources(&mut facets, known);
    Item {
        kind: Kind::EventClass,
        name: name.clone(),
        signature: Some(Value::text(format!("{} {:?}", guid_text(class_id), group))),
        parent: None,
        presence: Class::Layout,
        summary: Value::text(format!("{}, {}", guid_text(class_id), counted(events.len(), "event"))),
        facets: facets.0,
        parts: Vec::new(),
    }
}

/// An event of the class at `parent`.
pub(super) fn event(items: Items<'_>, parent: usize, event: &Event) -> Item {
    let Event {
        name,
        opcode,
        hook_id,
        typed,
        defines,
        doc,
        versions,
    } = event;
    let mut facets = Facets::default();
    facets.text(Class::Layout, "type", format!("{:#04x}", opcode));
    facets.maybe(Class::Layout, "hook id", hook_id.map(|hook_id| format!("{hook_id:#06x}")));
    facets.mark(Class::Naming, "typed", *typed);
    defined(&mut facets, *defines);
    facets.maybe(Class::Docs, "doc", doc.as_ref());
    let known_by = match hook_id {
        Some(hook_id) => format!("hook id {hook_id:#06x}"),
        None => format!("type {:#04x}", opcode),
    };
    let parts: Vec<Part> = versions.iter().map(|version| self::version(items, version)).collect();
    Item {
        kind: Kind::Event,
        name: name.clone(),
        signature: Some(Value::item(parent).then(format!(" {:#04x} {known_by}", opcode))),
        parent: Some(parent),
        // An event that is known by name alone says nothing of bytes.
        presence: if parts.is_empty() { Class::Naming } else { Class::Layout },
        summary: match parts.len() {
            0 => Value::text(format!("{known_by}, only the name is known")),
            number => Value::text(format!("{known_by}, {}", counted(number, "version"))),
        },
        facets: facets.0,
        parts,
    }
}

/// An event of the provider at `parent`, known by its number.
pub(super) fn provider_event(items: Items<'_>, parent: usize, provider: &Provider, event: &ProviderEvent) -> Item {
    let ProviderEvent {
        id,
        name: _,
        defines,
        doc,
        versions,
    } = event;
    let mut facets = Facets::default();
    facets.text(Class::Layout, "provider", guid_text(&provider.id));
    facets.text(Class::Layout, "id", id.to_string());
    defined(&mut facets, *defines);
    facets.maybe(Class::Docs, "doc", doc.as_ref());
    let parts: Vec<Part> = versions.iter().map(|version| self::version(items, version)).collect();
    Item {
        kind: Kind::Event,
        name: event.full_name(provider),
        signature: Some(Value::item(parent).then(format!(" {id}"))),
        parent: Some(parent),
        presence: if parts.is_empty() { Class::Naming } else { Class::Layout },
        summary: match parts.len() {
            0 => Value::text(format!("id {id}, only the name is known")),
            number => Value::text(format!("id {id}, {}", counted(number, "version"))),
        },
        facets: facets.0,
        parts,
    }
}

fn version(items: Items<'_>, version: &EventVersion) -> Part {
    let EventVersion {
        version,
        pointer_size,
        payload: read_as,
        since,
        until,
        verified,
        vectors: tests,
        place: _,
    } = version;
    let payload = match *read_as {
        Payload::Empty => Value::text("empty"),
        Payload::Layout(index) => Value::item(items.layout(index)),
        Payload::Structure(index) => Value::item(items.structure(index)),
    };
    let mut facets = Facets::default();
    facets.add(Class::Layout, "payload", payload.clone());
    facets.maybe(Class::Docs, "since", *since);
    facets.maybe(Class::Docs, "until", *until);
    facets.maybe(Class::Docs, "verified", *verified);
    vectors(&mut facets, tests);
    let bits = pointer_size.map(|size| format!(" ({})", pointers(size))).unwrap_or_default();
    let name = format!("v{}{bits}", version);
    Part {
        key: name.clone(),
        name,
        what: "version",
        signature: None,
        order: None,
        presence: Class::Layout,
        summary: payload,
        facets: facets.0,
    }
}

/// A payload layout.
pub(super) fn layout(items: Items<'_>, index: usize, layout: &PayloadLayout) -> Item {
    let PayloadLayout {
        name,
        doc,
        fields,
        place: _,
    } = layout;
    let own = items.layout(index);
    let mut facets = Facets::default();
    facets.maybe(Class::Docs, "doc", doc.as_ref());
    Item {
        kind: Kind::Payload,
        name: name.clone(),
        signature: None,
        parent: None,
        presence: Class::Layout,
        summary: Value::text(counted(fields.len(), "field")),
        facets: facets.0,
        parts: fields.iter().map(|field| self::field(items, own, field)).collect(),
    }
}

fn field(items: Items<'_>, own: usize, field: &PayloadField) -> Part {
    let PayloadField {
        name,
        ty,
        count,
        align,
        format,
        optional,
        refers,
        unit,
        doc,
    } = field;
    let length = |length: PayloadLength| match length {
        PayloadLength::Fixed(number) => Value::text(number.to_string()),
        PayloadLength::Field(index) => Value::part(own, index.into()),
        PayloadLength::Rest => Value::text("rest"),
    };
    let mut facets = Facets::default();
    let plain = PayloadField {
        count: None,
        optional: false,
        ..field.clone()
    };
    let mut summary = match *ty {
        PayloadType::Table(index) => Value::item(items.table(index)),
        PayloadType::Layout(index) => Value::item(items.layout(index)),
        PayloadType::Bytes(size) => Value::text("bytes[").and(length(size)).then("]"),
        PayloadType::Utf16(size) => Value::text("utf16[").and(length(size)).then("]"),
        PayloadType::Ansi(size) => Value::text("ansi[").and(length(size)).then("]"),
        _ => Value::text(items.schema.payload_type_text(&plain)),
    };
    let int = match *ty {
        PayloadType::Int(int) => Some(int),
        PayloadType::Table(index) => items.int_of_table(index),
        _ => None,
    };
    facets.ty(summary.clone(), int.map(|int| int.name().to_owned()));
    if let Some(count) = *count {
        facets.add(Class::Layout, "count", length(count));
        summary = summary.then("[").and(length(count)).then("]");
    }
    let align = align.map(|align| match align {
        PayloadAlign::Bytes(bytes) => bytes.to_string(),
        PayloadAlign::Pointer => "ptr".to_owned(),
    });
    if let Some(align) = &align {
        summary = summary.then(format!(", aligned to {align}"));
    }
    facets.maybe(Class::Layout, "alignment", align);
    facets.mark(Class::Layout, "optional", *optional);
    if *optional {
        summary = summary.then(", optional");
    }
    facets.maybe(
        Class::Naming,
        "format",
        format.map(|format| match format {
            PayloadFormat::Hex => "hex",
            PayloadFormat::Clock => "clock",
        }),
    );
    facets.maybe(Class::Naming, "refers", refers.map(Refers::word));
    facets.maybe(Class::Naming, "unit", unit.as_ref());
    facets.maybe(Class::Docs, "doc", doc.as_ref());
    Part {
        key: name.clone(),
        name: name.clone(),
        what: "field",
        signature: Some(summary.clone()),
        order: Some(Class::Layout),
        presence: Class::Layout,
        summary,
        facets: facets.0,
    }
}
