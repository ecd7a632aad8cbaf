//! What differs between two schemas, and how much it matters.
//!
//! ```text
//! old Schema -> describe --\
//!                           matching -> changes -> Vec<Change>
//! new Schema -> describe --/
//! ```
//!
//! `describe` turns a schema into items (structures, tables, ...) with parts (fields, values, ...), and both into facets: short
//! values that carry a [`Class`]. `matching` finds which item and part of one schema is which of the other, so that a rename is
//! not taken for a removal and an addition. `changes` compares the facets of what was matched. Names within facets are
//! references, so that a renamed field does not change the expressions that use it.

mod changes;
mod describe;
mod matching;
pub mod traces;
mod value;

use crate::model::Schema;

/// How much a change matters; the later, the more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Only what readers are told: docs, sources, test vectors, Windows versions of a name.
    Docs,
    /// What values are called, how they are shown and what they stand for: names, values of tables, formats, units, roles,
    /// expected values, providers, marks.
    Naming,
    /// Which bytes are read as what: offsets, sizes, types, counts, conditions, presence, cases, payloads of versions.
    Layout,
}

impl Class {
    /// All classes, the one that matters most first.
    pub const ALL: [Self; 3] = [Self::Layout, Self::Naming, Self::Docs];

    /// The class in a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Docs => "docs",
            Self::Naming => "naming",
            Self::Layout => "layout",
        }
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Only the new schema has it.
    Added,
    /// Only the old schema has it.
    Removed,
    /// Both have it, under different names.
    Renamed,
    /// Both have it, and a facet of it differs.
    Changed,
}

impl Action {
    /// The action in a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::Changed => "changed",
        }
    }

    /// What it is when the two schemas change places.
    const fn mirrored(self) -> Self {
        match self {
            Self::Added => Self::Removed,
            Self::Removed => Self::Added,
            other => other,
        }
    }
}

/// Kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A structure; its parts are fields and computed values.
    Structure,
    /// A dispatch; its parts are cases.
    Dispatch,
    /// A class of events.
    EventClass,
    /// An event; its parts are versions.
    Event,
    /// A payload layout; its parts are fields.
    Payload,
    /// An enum or flag table; its parts are values or bits.
    Table,
    /// A well-known provider.
    Provider,
    /// Marks of an event whose payload traces describe; its parts are the marked fields.
    CarriedEvent,
    /// A schema file, for its title and doc.
    File,
}

impl Kind {
    /// The kind in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Dispatch => "dispatch",
            Self::EventClass => "event class",
            Self::Event => "event",
            Self::Payload => "payload layout",
            Self::Table => "table",
            Self::Provider => "provider",
            Self::CarriedEvent => "carried event",
            Self::File => "file",
        }
    }
}

/// The name of something in both schemas; `None` where it is not there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Names {
    /// Name in the old schema.
    pub before: Option<String>,
    /// Name in the new schema.
    pub after: Option<String>,
}

impl Names {
    /// The name in the new schema, else in the old one.
    pub fn shown(&self) -> &str {
        self.after.as_deref().or(self.before.as_deref()).unwrap_or_default()
    }

    /// The old name, if there is another new one.
    pub fn former(&self) -> Option<&str> {
        self.before
            .as_deref()
            .filter(|before| self.after.as_deref().is_some_and(|after| after != *before))
    }

    fn mirrored(self) -> Self {
        Self {
            before: self.after,
            after: self.before,
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    /// How much it matters.
    pub class: Class,
    /// Kind of the item.
    pub kind: Kind,
    /// The structure, table, event, ...
    pub item: Names,
    /// The field, value, version, ... of the item; `None` if the change is of the item itself.
    pub part: Option<Names>,
    /// What happened.
    pub action: Action,
    /// Which facet of it: `offset`, `type`, `doc`, ...; for what was added, removed or renamed, what it is: `field`, `version`, ...
    pub what: &'static str,
    /// The facet in the old schema, in short what was removed, or the old name; `None` if it had none.
    pub before: Option<String>,
    /// The facet in the new schema, in short what was added, or the new name; `None` if it has none.
    pub after: Option<String>,
}

impl Change {
    /// The same change seen from the other side: what [`diff`] gives for the two schemas in the other order.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            item: self.item.mirrored(),
            part: self.part.map(Names::mirrored),
            action: self.action.mirrored(),
            before: self.after,
            after: self.before,
            ..self
        }
    }
}

/// All differences between two schemas, sorted by class (layout first), kind, name of the item, and place within it.
///
/// An item that only one schema has is one change, whatever it holds. Only items without a counterpart of the same name are
/// compared with each other, and only up to a few hundred, so that the time stays near linear in the size of the schemas.
pub fn diff(old: &Schema, new: &Schema) -> Vec<Change> {
    let (old, new) = (describe::describe(old), describe::describe(new));
    let matching = matching::Matching::of(&old, &new);
    changes::changes(&old, &new, &matching)
}
