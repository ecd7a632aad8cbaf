//! Event classes, events and payload layouts as text.

use winetl_codegen::Schema;
use winetl_codegen::model::{Event, EventClass, EventVersion, Payload, Provider, ProviderEvent};

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
        table.row([
            event.hook_id.map(|hook_id| format!("{hook_id:#06x}")).unwrap_or_default(),
            format!("{:#04x}", event.opcode),
            event.name.clone(),
            numbers(&event.versions),
            event.doc.clone().unwrap_or_default(),
        ]);
    }
    text.push_str(&table.render());
    text.push_str("\n`winetl schema show NAME` has the payload of each.\n");
    text
}

/// An event with what tells it from others.
#[derive(Debug, Clone, Copy)]
pub(super) enum Known<'s> {
    /// Of a class.
    OfClass(&'s EventClass, &'s Event),
    /// Of a provider.
    OfProvider(&'s Provider, &'s ProviderEvent),
}

impl<'s> Known<'s> {
    /// All events.
    pub(super) fn all(schema: &'s Schema) -> impl Iterator<Item = Self> {
        let classes = schema.classes.iter();
        let classes = classes.flat_map(|class| class.events.iter().map(move |event| Self::OfClass(class, event)));
        let providers = schema.providers.iter();
        classes.chain(providers.flat_map(|provider| provider.events.iter().map(move |event| Self::OfProvider(provider, event))))
    }

    /// The event of a name: `Class/Event`, or of a provider `Provider/Event`, `Provider/number`, or its
    /// own name if no other is like this.
    pub(super) fn find(schema: &'s Schema, name: &str) -> Option<Self> {
        let full = Self::all(schema).find(|event| {
            let by_number = match event {
                Self::OfClass(..) => false,
                Self::OfProvider(provider, event) => name.eq_ignore_ascii_case(&format!("{}/{}", provider.name, event.id)),
            };
            by_number || event.name().eq_ignore_ascii_case(name)
        });
        let alone = || {
            let mut all = Self::all(schema).filter(|event| match event {
                Self::OfClass(..) => false,
                Self::OfProvider(_, event) => event.name.eq_ignore_ascii_case(name),
            });
            all.next().filter(|_| all.next().is_none())
        };
        full.or_else(alone)
    }

    /// `Class/Event` or `Provider/Event`.
    pub(super) fn name(self) -> String {
        match self {
            Self::OfClass(_, event) => event.name.clone(),
            Self::OfProvider(provider, event) => event.full_name(provider),
        }
    }

    /// Its payloads.
    pub(super) fn versions(self) -> &'s [EventVersion] {
        match self {
            Self::OfClass(_, event) => &event.versions,
            Self::OfProvider(_, event) => &event.versions,
        }
    }

    /// Name, meaning and numbers.
    fn heading(self) -> String {
        let (doc, numbers) = match self {
            Self::OfClass(class, event) => {
                let hook_id = event.hook_id.map(|hook_id| format!("hook id  {hook_id:#06x}\n"));
                let class_id = winetl::Guid::from_bytes(class.class_id);
                let numbers = format!(
                    "{}class    {class_id}\ntype     {:#04x}\n",
                    hook_id.unwrap_or_default(),
                    event.opcode
                );
                (event.doc.as_ref().unwrap_or(&class.doc), numbers)
            }
            Self::OfProvider(provider, event) => {
                let id = winetl::Guid::from_bytes(provider.id);
                let numbers = format!("provider {id}\nid       {}\n", event.id);
                (event.doc.as_ref().unwrap_or(&provider.doc), numbers)
            }
        };
        format!("{}\n\n{}\n\n{numbers}", self.name(), wrap(doc, WIDTH).join("\n"))
    }
}

/// An event with the layout of its payload in each version.
pub(super) fn event_text(schema: &Schema, event: Known<'_>) -> String {
    let remark = event.versions().is_empty().then_some("Only the name is known.");
    event_text_with(schema, event, event.versions(), remark)
}

/// The same with a remark on its versions, of which only some are shown.
pub(super) fn event_text_with(schema: &Schema, event: Known<'_>, versions: &[EventVersion], remark: Option<&str>) -> String {
    let mut text = event.heading();
    if let Some(remark) = remark {
        text.push_str(&format!("\n{}\n", wrap(remark, WIDTH).join("\n")));
    }
    for version in versions {
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

/// The numbers of versions, each once.
pub(super) fn numbers(versions: &[EventVersion]) -> String {
    let mut numbers: Vec<String> = versions.iter().map(|version| version.version.to_string()).collect();
    numbers.dedup();
    numbers.join(", ")
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
    for event in Known::all(schema) {
        let versions = event.versions().iter();
        for version in versions.filter(|version| version.payload == Payload::Layout(index)) {
            is_used = true;
            table.row([
                event.name(),
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
