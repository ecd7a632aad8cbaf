//! The part of the reference page about events: those of the kernel, classic ones, and those of providers.

use std::fmt::Write;

use super::format_md::{cell, write_sources};
use crate::decode::guid_text;
use crate::model::{EventClass, EventVersion, Payload, PayloadLayout, Provider, Schema};

/// The classes of one file with their events and payload layouts.
pub(super) fn write_classes(out: &mut String, schema: &Schema, file: usize) {
    for class in schema.classes.iter().filter(|class| class.place.file == file) {
        write_class(out, schema, class);
    }
    let providers = schema.providers.iter().filter(|provider| provider.place.file == file);
    for provider in providers.filter(|provider| !provider.events.is_empty()) {
        write_provider(out, schema, provider);
    }
    for event in schema.carried.iter().filter(|event| event.place.file == file) {
        let marks: Vec<String> = event
            .fields
            .iter()
            .map(|field| format!("{}→{}", field.name, field.refers.word()))
            .collect();
        let _ = writeln!(
            out,
            "\n- Event {} of {}: {} `{}`",
            event.id,
            guid_text(&event.provider_id),
            event.doc,
            marks.join(" ")
        );
        write_sources(out, &event.sources);
    }
    let layouts: Vec<&PayloadLayout> = schema.layouts.iter().filter(|layout| layout.place.file == file).collect();
    if !layouts.is_empty() {
        let _ = writeln!(
            out,
            "\nPayload layouts, fields in order and without padding; behind an arrow, what a value stands for:\n"
        );
    }
    for layout in layouts {
        let fields: Vec<String> = layout
            .fields
            .iter()
            .map(|field| {
                let refers = field.refers.map(|refers| format!("→{}", refers.word())).unwrap_or_default();
                format!("{}:{}{refers}", field.name, schema.payload_type_text(field))
            })
            .collect();
        let fields = if fields.is_empty() {
            "(empty)".to_owned()
        } else {
            fields.join(" ")
        };
        let doc = layout
            .doc
            .as_ref()
            .map(|doc| format!(" {}", doc.replace('\n', " ")))
            .unwrap_or_default();
        let _ = writeln!(out, "- **{}**:{doc} `{fields}`", layout.name);
    }
}

fn write_class(out: &mut String, schema: &Schema, class: &EventClass) {
    let id = guid_text(&class.class_id);
    let group = class.group.map(|group| format!(", group 0x{group:02X}")).unwrap_or_default();
    let _ = writeln!(out, "\n### {} (events)\n\n{} Class {id}{group}.\n", class.name, class.doc);
    let _ = writeln!(
        out,
        "| hook id | type | name | payload by version | meaning |\n|---|---|---|---|---|"
    );
    for event in &class.events {
        let hook_id = event.hook_id.map(|hook_id| format!("0x{hook_id:04X}")).unwrap_or_default();
        let doc = event.doc.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "| {hook_id} | 0x{:02X} | {} | {} | {} |",
            event.opcode,
            cell(&event.name),
            versions(schema, &event.versions),
            cell(doc)
        );
    }
    write_sources(out, &class.sources);
}

fn write_provider(out: &mut String, schema: &Schema, provider: &Provider) {
    let id = guid_text(&provider.id);
    let _ = writeln!(out, "\n### {} (events)\n\n{} Provider {id}.\n", provider.name, provider.doc);
    let _ = writeln!(out, "| id | name | payload by version | meaning |\n|---|---|---|---|");
    for event in &provider.events {
        let doc = event.doc.as_deref().unwrap_or_default();
        let versions = versions(schema, &event.versions);
        let _ = writeln!(out, "| {} | {} | {versions} | {} |", event.id, cell(&event.name), cell(doc));
    }
    write_sources(out, &provider.sources);
}

fn versions(schema: &Schema, versions: &[EventVersion]) -> String {
    if versions.is_empty() {
        return "only the name is known".to_owned();
    }
    let list: Vec<String> = versions
        .iter()
        .map(|version| {
            let payload = match version.payload {
                Payload::Empty => "empty",
                Payload::Layout(index) => schema.layouts.get(index).map_or("", |layout| layout.name.as_str()),
                Payload::Structure(index) => schema.structures.get(index).map_or("", |structure| structure.name.as_str()),
            };
            let pointers = version
                .pointer_size
                .map(|size| format!(", {}-bit", 8 * size))
                .unwrap_or_default();
            let verified = version.verified.map(|count| format!(" ({count} real)")).unwrap_or_default();
            let since = version.since.map(|windows| format!(", since {windows}")).unwrap_or_default();
            let until = version.until.map(|windows| format!(", until {windows}")).unwrap_or_default();
            format!("v{}: {payload}{pointers}{since}{until}{verified}", version.version)
        })
        .collect();
    list.join("; ")
}
