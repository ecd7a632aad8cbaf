//! Entries of the lists inside a thing, which an overlay adds to.

use crate::raw;

/// An entry of a list inside a thing.
pub(super) trait Entry {
    /// Whether it takes the place of an entry of the base.
    fn replaces(&self) -> bool {
        false
    }

    /// Whether this is the entry of the base whose place it takes.
    fn takes_place_of(&self, _other: &Self) -> bool {
        false
    }

    /// Whether it cannot stand beside this entry of the base. What the resolver finds by itself need not be said here.
    fn clashes_with(&self, _other: &Self) -> bool {
        false
    }

    /// The entry, and the one that it takes the place of, in words.
    fn words(&self) -> (String, String) {
        (String::new(), String::new())
    }

    /// What entries are told apart by, where that is a name.
    fn name(&self) -> Option<&str> {
        None
    }

    /// What the entry of the base that it takes the place of is told apart by, where that is a name.
    fn wanted(&self) -> Option<&str> {
        None
    }
}

impl Entry for String {}
impl Entry for raw::Field {}
impl Entry for raw::Derived {}
impl Entry for raw::Vector {}

impl Entry for raw::TableEntry {
    fn replaces(&self) -> bool {
        self.replaces
    }

    fn takes_place_of(&self, other: &Self) -> bool {
        self.value == other.value
    }

    fn words(&self) -> (String, String) {
        (format!("`{}`", self.name), format!("value {:#x}", self.value))
    }
}

impl Entry for raw::EventVersion {
    fn replaces(&self) -> bool {
        self.replaces
    }

    fn takes_place_of(&self, other: &Self) -> bool {
        self.version == other.version && self.pointers == other.pointers
    }

    fn words(&self) -> (String, String) {
        let pointers = match self.pointers {
            Some(bits) => format!(" with `pointers: {bits}`"),
            None => String::new(),
        };
        let version = format!("version {}{pointers}", self.version);
        (version.clone(), version)
    }
}

impl Entry for raw::Event {
    fn replaces(&self) -> bool {
        self.replaces.is_some()
    }

    fn takes_place_of(&self, other: &Self) -> bool {
        self.replaces.as_ref() == Some(&other.name)
    }

    fn clashes_with(&self, other: &Self) -> bool {
        self.name == other.name
    }

    fn words(&self) -> (String, String) {
        let wanted = self.replaces.as_deref().unwrap_or_default();
        (format!("the event `{}`", self.name), format!("event `{wanted}`"))
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn wanted(&self) -> Option<&str> {
        self.replaces.as_deref()
    }
}
