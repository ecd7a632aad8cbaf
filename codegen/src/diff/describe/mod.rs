//! From a schema to items, parts and facets.

mod events;
mod expr;
mod marks;
mod structure;
mod table;

use super::value::{Description, Facets, Item, Value};
use super::{Class, Kind};
use crate::emit::kind_word;
use crate::model::{FileInfo, Int, Schema, Source, Vector};

/// Where the items of each kind begin.
#[derive(Debug, Clone, Copy)]
struct Items<'a> {
    schema: &'a Schema,
    tables: usize,
    layouts: usize,
    classes: usize,
    dispatches: usize,
}

impl Items<'_> {
    fn structure(self, index: usize) -> usize {
        index
    }

    fn table(self, index: usize) -> usize {
        self.tables + index
    }

    fn layout(self, index: usize) -> usize {
        self.layouts + index
    }

    fn dispatch(self, index: usize) -> usize {
        self.dispatches + index
    }

    /// What is read for a value of a table.
    fn int_of_table(self, index: usize) -> Option<Int> {
        self.schema.tables.get(index).map(|table| table.int)
    }
}

/// All items of a schema: structures, tables, payload layouts, event classes, events, dispatches, providers, carried events, files.
///
/// Here and below, what the model has is taken apart without `..`, so that a new field of it has to be compared or left out by
/// name. Left out are Rust names, which come from the others, and places in files.
pub(super) fn describe(schema: &Schema) -> Description {
    let Schema {
        files,
        structures,
        tables: tables_of_schema,
        dispatches,
        classes: classes_of_schema,
        layouts: layouts_of_schema,
        providers,
        carried,
        origins: _,
    } = schema;
    let tables = structures.len();
    let layouts = tables + tables_of_schema.len();
    let classes = layouts + layouts_of_schema.len();
    let events: usize = classes_of_schema.iter().map(|class| class.events.len()).sum();
    let items = Items {
        schema,
        tables,
        layouts,
        classes,
        dispatches: classes + classes_of_schema.len() + events,
    };
    let mut all: Vec<Item> = Vec::new();
    all.extend(
        (0..)
            .zip(structures)
            .map(|(index, structure)| structure::item(items, index, structure)),
    );
    all.extend(tables_of_schema.iter().map(table::item));
    all.extend(
        (0..)
            .zip(layouts_of_schema)
            .map(|(index, layout)| events::layout(items, index, layout)),
    );
    all.extend(classes_of_schema.iter().map(events::class));
    for (index, class) in classes_of_schema.iter().enumerate() {
        let parent = items.classes + index;
        all.extend(class.events.iter().map(|event| events::event(items, parent, event)));
    }
    all.extend(dispatches.iter().map(|dispatch| table::dispatch(items, dispatch)));
    let first_provider = all.len();
    all.extend(providers.iter().map(marks::provider));
    for (index, provider) in providers.iter().enumerate() {
        let parent = first_provider + index;
        let events = provider.events.iter();
        all.extend(events.map(|event| events::provider_event(items, parent, provider, event)));
    }
    all.extend(carried.iter().map(marks::carried));
    all.extend(files.iter().map(|FileInfo { name, title, doc }| {
        let mut facets = Facets::default();
        facets.text(Class::Docs, "title", title);
        facets.maybe(Class::Docs, "doc", doc.as_deref().map(str::trim));
        Item {
            kind: Kind::File,
            name: name.clone(),
            signature: Some(Value::text(title)),
            parent: None,
            presence: Class::Docs,
            summary: Value::text(title),
            facets: facets.0,
            parts: Vec::new(),
        }
    }));
    Description { items: all }
}

fn sources(facets: &mut Facets, sources: &[Source]) {
    let values = sources.iter().map(|Source { kind, title, url }| {
        let url = url.as_ref().map(|url| format!(" <{url}>")).unwrap_or_default();
        Value::text(format!("{title}{url} ({})", kind_word(*kind)))
    });
    facets.list(Class::Docs, "sources", values.collect());
}

fn vectors(facets: &mut Facets, vectors: &[Vector]) {
    let values = vectors.iter().map(|vector| {
        // What is expected follows from the bytes.
        let Vector {
            doc,
            bytes,
            context,
            expect: _,
            place: _,
        } = vector;
        let bytes: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let bits = 8 * context.pointer_size;
        Value::text(format!(
            "{doc} ({bits}-bit, log version {:#06x}: {bytes})",
            context.log_version
        ))
    });
    facets.list(Class::Docs, "test vectors", values.collect());
}

/// Bits of a pointer, in words.
fn pointers(size: u32) -> String {
    format!("{}-bit", 8 * size)
}

/// A number as the schema would write it.
fn number(value: u64) -> String {
    if value < 10 {
        value.to_string()
    } else {
        format!("{value:#x}")
    }
}

/// A number of things, whose word takes an s.
fn counted(number: usize, word: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {word}{plural}")
}
