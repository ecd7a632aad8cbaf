//! Event classes and events as text.

use winetl_codegen::Schema;
use winetl_codegen::model::{Event, EventClass, Payload};

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
    if event.versions.is_empty() {
        text.push_str("\nOnly the name is known.\n");
    }
    for version in &event.versions {
        text.push_str(&format!("\nversion {}", version.version));
        if let Some(size) = version.pointer_size {
            text.push_str(&format!(", {}-bit data", 8 * size));
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
        Payload::Layout(index) => {
            let mut table = Table::default();
            table.row(["type", "name", "meaning"].map(str::to_owned));
            for field in schema
                .layouts
                .get(index)
                .map(|layout| layout.fields.as_slice())
                .unwrap_or_default()
            {
                table.row([
                    schema.payload_type_text(field),
                    field.name.clone(),
                    field.doc.clone().unwrap_or_default(),
                ]);
            }
            table.render()
        }
    }
}
