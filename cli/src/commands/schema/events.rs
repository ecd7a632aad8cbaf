//! Event classes and events as text.

use winetl_codegen::Schema;
use winetl_codegen::model::{Event, EventClass, Payload};

use super::at::windows_text;
use crate::render::table::{Table, WIDTH, wrap};

/// A class with the list of its events.
pub(super) fn class_text(class: &EventClass) -> String {
    let mut text = format!("{}\n\n{}\n\n", class.name, wrap(&class.doc, WIDTH).join("\n"));
    if let Some(group) = class.group {
        text.push_str(&format!("group    {group:#04x}\n"));
    }
    text.push_str(&format!("class    {}\n\n", winetl::Guid::from_bytes(class.class_id)));
    let mut table = Table::default();
    table.row(["hook id", "type", "name", "versions", "meaning"].map(str::to_owned));
    for event in &class.events {
        let mut versions: Vec<String> = event.versions.iter().map(|version| version.version.to_string()).collect();
        versions.dedup();
        table.row([
            event.hook_id.map(|hook_id| format!("{hook_id:#06x}")).unwrap_or_default(),
            format!("{:#04x}", event.opcode),
            event.name.clone(),
            versions.join(", "),
            event.doc.clone().unwrap_or_default(),
        ]);
    }
    text.push_str(&table.render());
    text.push_str("\n`winetl schema show NAME` has the payload of each.\n");
    text
}

/// An event with the layout of its payload in each version.
pub(super) fn event_text(schema: &Schema, class: &EventClass, event: &Event) -> String {
    let remark = event.versions.is_empty().then_some("Only the name is known.");
    event_text_with(schema, class, event, remark)
}

/// The same with a remark on its versions.
pub(super) fn event_text_with(schema: &Schema, class: &EventClass, event: &Event, remark: Option<&str>) -> String {
    let mut text = format!(
        "{}\n\n{}\n\n",
        event.name,
        wrap(event.doc.as_deref().unwrap_or(&class.doc), WIDTH).join("\n")
    );
    if let Some(hook_id) = event.hook_id {
        text.push_str(&format!("hook id  {hook_id:#06x}\n"));
    }
    text.push_str(&format!(
        "class    {}\ntype     {:#04x}\n",
        winetl::Guid::from_bytes(class.class_id),
        event.opcode
    ));
    if let Some(remark) = remark {
        text.push_str(&format!("\n{}\n", wrap(remark, WIDTH).join("\n")));
    }
    for version in &event.versions {
        text.push_str(&format!("\nversion {}", version.version));
        if let Some(size) = version.pointer_size {
            text.push_str(&format!(", {}-bit data", 8 * size));
        }
        if version.since.is_some() || version.until.is_some() {
            text.push_str(&format!(", Windows {}", windows_text(version.since, version.until)));
        }
        if let Some(count) = version.verified {
            text.push_str(&format!(", verified on {count} events of real traces"));
        }
        text.push('\n');
        text.push_str(&payload_text(schema, version.payload));
    }
    text
}

fn payload_text(schema: &Schema, payload: Payload) -> String {
    match payload {
        Payload::Empty => "  (no payload)\n".to_owned(),
        Payload::Structure(index) => schema
            .structures
            .get(index)
            .map(|structure| format!("  {}\n", structure.name))
            .unwrap_or_default(),
        Payload::Layout(index) => fields_text(schema, index),
    }
}

/// A payload layout with the events that have it.
pub(super) fn layout_text(schema: &Schema, index: usize) -> String {
    let Some(layout) = schema.layouts.get(index) else {
        return String::new();
    };
    let mut text = format!("{}\n\n", layout.name);
    if let Some(doc) = &layout.doc {
        text.push_str(&format!("{}\n\n", wrap(doc, WIDTH).join("\n")));
    }
    text.push_str(&fields_text(schema, index));
    let mut table = Table::default();
    table.row(["event", "version", "Windows"].map(str::to_owned));
    let mut is_used = false;
    for event in schema.classes.iter().flat_map(|class| &class.events) {
        for version in event
            .versions
            .iter()
            .filter(|version| version.payload == Payload::Layout(index))
        {
            is_used = true;
            table.row([
                event.name.clone(),
                version.version.to_string(),
                windows_text(version.since, version.until),
            ]);
        }
    }
    if is_used {
        text.push_str(&format!("\n{}", table.render()));
    }
    text
}

fn fields_text(schema: &Schema, index: usize) -> String {
    let mut table = Table::default();
    table.row(["type", "name", "meaning"].map(str::to_owned));
    let layout = schema.layouts.get(index);
    for field in layout.map(|layout| layout.fields.as_slice()).unwrap_or_default() {
        table.row([
            schema.payload_type_text(field),
            field.name.clone(),
            field.doc.clone().unwrap_or_default(),
        ]);
    }
    table.render()
}
