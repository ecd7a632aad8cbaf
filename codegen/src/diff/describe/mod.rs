//! From a schema to items, parts and facets.

mod events;
mod expr;
mod structure;
mod table;

use super::value::{Description, Facets, Item, Value};
use super::{Class, Kind};
use crate::emit::kind_word;
use crate::model::{Int, Schema, Source, Vector};

/// Where the items of each kind begin.
#[derive(Debug, Clone, Copy)]
struct Items<'a> {
    schema: &'a Schema,
    tables: usize,
    layouts: usize,
    classes: usize,
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

    /// What is read for a value of a table.
    fn int_of_table(self, index: usize) -> Option<Int> {
        self.schema.tables.get(index).map(|table| table.int)
    }
}

/// All items of a schema: structures, tables, payload layouts, event classes, events, dispatches, files.
pub(super) fn describe(schema: &Schema) -> Description {
    let tables = schema.structures.len();
    let layouts = tables + schema.tables.len();
    let items = Items {
        schema,
        tables,
        layouts,
        classes: layouts + schema.layouts.len(),
    };
    let mut all: Vec<Item> = Vec::new();
    all.extend(
        (0..)
            .zip(&schema.structures)
            .map(|(index, structure)| structure::item(items, index, structure)),
    );
    all.extend(schema.tables.iter().map(table::item));
    all.extend(
        (0..)
            .zip(&schema.layouts)
            .map(|(index, layout)| events::layout(items, index, layout)),
    );
    all.extend(schema.classes.iter().map(events::class));
    for (index, class) in schema.classes.iter().enumerate() {
        let parent = items.classes + index;
        all.extend(class.events.iter().map(|event| events::event(items, parent, event)));
    }
    all.extend(schema.dispatches.iter().map(|dispatch| table::dispatch(items, dispatch)));
    all.extend(schema.files.iter().map(|file| {
        let mut facets = Facets::default();
        facets.text(Class::Docs, "title", &file.title);
        facets.maybe(Class::Docs, "doc", file.doc.as_deref().map(str::trim));
        Item {
            kind: Kind::File,
            name: file.name.clone(),
            signature: Some(Value::text(&file.title)),
            parent: None,
            presence: Class::Docs,
            summary: Value::text(&file.title),
            facets: facets.0,
            parts: Vec::new(),
        }
    }));
    Description { items: all }
}

fn sources(facets: &mut Facets, sources: &[Source]) {
    let values = sources.iter().map(|source| {
        let url = source.url.as_ref().map(|url| format!(" <{url}>")).unwrap_or_default();
        Value::text(format!("{}{url} ({})", source.title, kind_word(source.kind)))
    });
    facets.list(Class::Docs, "sources", values.collect());
}

fn vectors(facets: &mut Facets, vectors: &[Vector]) {
    let values = vectors.iter().map(|vector| {
        let bytes: String = vector.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let context = vector.context;
        let bits = 8 * context.pointer_size;
        Value::text(format!(
            "{} ({bits}-bit, log version {:#06x}: {bytes})",
            vector.doc, context.log_version
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
