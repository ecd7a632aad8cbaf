//! Well-known providers as text.

use winetl_codegen::Schema;
use winetl_codegen::emit::kind_word;
use winetl_codegen::model::Provider;

use super::events::numbers;
use crate::render::table::{Table, WIDTH, wrap};

/// Finds a provider by its name or GUID, in any case; the GUID may have braces.
pub(super) fn find<'s>(schema: &'s Schema, name: &str) -> Option<&'s Provider> {
    let id = name.parse::<winetl::Guid>().ok();
    schema
        .providers
        .iter()
        .find(|provider| provider.name.eq_ignore_ascii_case(name) || id.is_some_and(|id| id.to_bytes() == provider.id))
}

/// A provider with its sources.
pub(super) fn text(provider: &Provider) -> String {
    let mut text = format!(
        "{}\n\n{}\n\nprovider {}\n",
        provider.name,
        wrap(&provider.doc, WIDTH).join("\n"),
        winetl::Guid::from_bytes(provider.id)
    );
    for source in &provider.sources {
        let url = source.url.as_ref().map(|url| format!(" <{url}>")).unwrap_or_default();
        text.push_str(&format!("source   {} ({}){url}\n", source.title, kind_word(source.kind)));
    }
    if !provider.events.is_empty() {
        let mut table = Table::default();
        table.row(["id", "name", "versions", "meaning"].map(str::to_owned));
        for event in &provider.events {
            table.row([
                event.id.to_string(),
                event.full_name(provider),
                numbers(&event.versions),
                event.doc.clone().unwrap_or_default(),
            ]);
        }
        text.push_str(&format!(
            "\n{}\n`winetl schema show NAME` has the payload of each.\n",
            table.render()
        ));
    }
    text
}

/// The list of all; empty if there are none.
pub(super) fn list(schema: &Schema) -> String {
    if schema.providers.is_empty() {
        return String::new();
    }
    let mut table = Table::default();
    table.row(["provider", "GUID", "meaning"].map(str::to_owned));
    for provider in &schema.providers {
        table.row([
            provider.name.clone(),
            winetl::Guid::from_bytes(provider.id).to_string(),
            provider.doc.clone(),
        ]);
    }
    format!("{}{}", table.render(), event_list(schema))
}

/// The events of all providers; empty if none is described.
fn event_list(schema: &Schema) -> String {
    let mut table = Table::default();
    table.row(["event of a provider", "id", "versions", "meaning"].map(str::to_owned));
    let mut is_empty = true;
    for (provider, event) in schema
        .providers
        .iter()
        .flat_map(|provider| provider.events.iter().map(move |event| (provider, event)))
    {
        is_empty = false;
        table.row([
            event.full_name(provider),
            event.id.to_string(),
            numbers(&event.versions),
            event.doc.clone().unwrap_or_default(),
        ]);
    }
    if is_empty {
        return String::new();
    }
    format!("\n{}", table.render())
}
