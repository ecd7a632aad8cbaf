//! Items, parts and facets: a schema as the comparison sees it.

use super::{Class, Kind};

/// A piece of a value: text, or a name that may be another one in the other schema.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// Text.
    Text(String),
    /// The name of an item, by its index.
    Item(usize),
    /// The name of a part: index of the item, index of the part.
    Part(usize, usize),
}

/// A value of a facet.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Value(pub(super) Vec<Piece>);

impl Value {
    /// Plain text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self(vec![Piece::Text(text.into())])
    }

    /// The name of an item.
    pub(super) fn item(index: usize) -> Self {
        Self(vec![Piece::Item(index)])
    }

    /// The name of a part.
    pub(super) fn part(item: usize, part: usize) -> Self {
        Self(vec![Piece::Part(item, part)])
    }

    /// This value with text behind it.
    pub(super) fn then(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Text(text.into()));
        self
    }

    /// This value with another behind it.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}

/// One property of an item or part.
#[derive(Debug)]
pub(super) struct Facet {
    /// Which property.
    pub(super) what: &'static str,
    /// How much a change of it matters.
    pub(super) class: Class,
    /// What it says; several for a list in which the order says nothing.
    pub(super) values: Vec<Value>,
    /// What is read, where the value says more than that: if this stays the same, a change is one of [`Class::Naming`].
    pub(super) read_as: Option<String>,
}

/// A part of an item.
#[derive(Debug)]
pub(super) struct Part {
    /// How the part is found again: its name, or what else tells it from the others.
    pub(super) key: String,
    /// How the part is called.
    pub(super) name: String,
    /// What it is.
    pub(super) what: &'static str,
    /// What stays the same when the part gets another key; `None` if nothing tells.
    pub(super) signature: Option<Value>,
    /// The class of a change of the order, if the order among the parts of that class says something.
    pub(super) order: Option<Class>,
    /// How much it matters that the part is there.
    pub(super) presence: Class,
    /// The part in short.
    pub(super) summary: Value,
    /// Its properties.
    pub(super) facets: Vec<Facet>,
}

/// A structure, table, event, ...
#[derive(Debug)]
pub(super) struct Item {
    /// Its kind.
    pub(super) kind: Kind,
    /// Its name.
    pub(super) name: String,
    /// What stays the same when it is renamed; else its parts tell.
    pub(super) signature: Option<Value>,
    /// The item whose presence says that of this one: the class of an event.
    pub(super) parent: Option<usize>,
    /// How much it matters that the item is there.
    pub(super) presence: Class,
    /// The item in short.
    pub(super) summary: Value,
    /// Its properties.
    pub(super) facets: Vec<Facet>,
    /// Its parts.
    pub(super) parts: Vec<Part>,
}

/// A schema as items.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// The items.
    pub(super) items: Vec<Item>,
}

impl Description {
    /// A value as people read it.
    pub(super) fn show(&self, value: &Value) -> String {
        let item = |index: &usize| self.items.get(*index);
        value
            .0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.as_str(),
                Piece::Item(index) => item(index).map_or("", |item| item.name.as_str()),
                Piece::Part(index, part) => item(index)
                    .and_then(|item| item.parts.get(*part))
                    .map_or("", |part| part.name.as_str()),
            })
            .collect()
    }
}

/// Collects the properties of an item or part.
#[derive(Debug, Default)]
pub(super) struct Facets(pub(super) Vec<Facet>);

impl Facets {
    /// A property.
    pub(super) fn add(&mut self, class: Class, what: &'static str, value: Value) {
        self.list(class, what, vec![value]);
    }

    /// A property that is text.
    pub(super) fn text(&mut self, class: Class, what: &'static str, text: impl Into<String>) {
        self.add(class, what, Value::text(text));
    }

    /// A property that may be missing.
    pub(super) fn maybe(&mut self, class: Class, what: &'static str, text: Option<impl ToString>) {
        if let Some(text) = text {
            self.text(class, what, text.to_string());
        }
    }

    /// A property that is there or not.
    pub(super) fn mark(&mut self, class: Class, what: &'static str, set: bool) {
        self.maybe(class, what, set.then_some("yes"));
    }

    /// A property of several values.
    pub(super) fn list(&mut self, class: Class, what: &'static str, values: Vec<Value>) {
        self.0.push(Facet {
            what,
            class,
            values,
            read_as: None,
        });
    }

    /// A type: its name, and what is read for it if the name says more.
    pub(super) fn ty(&mut self, name: Value, read_as: Option<String>) {
        self.0.push(Facet {
            what: "type",
            class: Class::Layout,
            values: vec![name],
            read_as,
        });
    }
}
