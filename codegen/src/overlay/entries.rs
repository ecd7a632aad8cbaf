//! Entries of the lists inside a thing, which an overlay adds to.

use crate::raw;

/// An entry of a list inside a thing.
pub(super) trait Entry {
    /// Key that entries are told apart by.
    const KEY: &'static str = "name";

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

    /// What the entry would say to take the place of one that it clashes with.
    fn replaces_key(&self) -> String {
        "replaces: true".to_owned()
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

    fn replaces_key(&self) -> String {
        format!("replaces: {}", self.name)
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

impl Entry for raw::ProviderEvent {
    const KEY: &'static str = "id";

    fn replaces(&self) -> bool {
        self.replaces
    }

    fn takes_place_of(&self, other: &Self) -> bool {
        self.id == other.id
    }

    fn clashes_with(&self, other: &Self) -> bool {
        self.id == other.id
    }

    fn words(&self) -> (String, String) {
        let event = format!("event {}", self.id);
        (format!("the {event}"), event)
    }
}

/// An entry that further versions can be added to: an event of a class or of a provider.
pub(super) trait Versioned: Entry {
    /// What adds versions to one.
    type Part;

    /// Whether a part is for this event.
    fn is_meant_by(&self, part: &Self::Part) -> bool;

    /// The event that a part is for, in words; and its name, where events are told apart by names.
    fn wanted_by(part: &Self::Part) -> (String, Option<&str>);

    /// What the event has, for a part to add to.
    fn lists(&mut self) -> (&mut Vec<String>, &mut Vec<raw::EventVersion>);

    /// What the part adds.
    fn added(part: Self::Part) -> (Vec<String>, Vec<raw::EventVersion>);

    /// The versions.
    fn versions(&self) -> &[raw::EventVersion];
}

impl Versioned for raw::Event {
    type Part = raw::EventPart;

    fn is_meant_by(&self, part: &Self::Part) -> bool {
        self.name == part.name
    }

    fn wanted_by(part: &Self::Part) -> (String, Option<&str>) {
        (format!("event `{}`", part.name), Some(&part.name))
    }

    fn lists(&mut self) -> (&mut Vec<String>, &mut Vec<raw::EventVersion>) {
        (&mut self.sources, &mut self.versions)
    }

    fn added(part: Self::Part) -> (Vec<String>, Vec<raw::EventVersion>) {
        (part.sources, part.versions)
    }

    fn versions(&self) -> &[raw::EventVersion] {
        &self.versions
    }
}

impl Versioned for raw::ProviderEvent {
    type Part = raw::ProviderEventPart;

    fn is_meant_by(&self, part: &Self::Part) -> bool {
        self.id == part.id
    }

    fn wanted_by(part: &Self::Part) -> (String, Option<&str>) {
        (format!("event {}", part.id), None)
    }

    fn lists(&mut self) -> (&mut Vec<String>, &mut Vec<raw::EventVersion>) {
        (&mut self.sources, &mut self.versions)
    }

    fn added(part: Self::Part) -> (Vec<String>, Vec<raw::EventVersion>) {
        (part.sources, part.versions)
    }

    fn versions(&self) -> &[raw::EventVersion] {
        &self.versions
    }
}
