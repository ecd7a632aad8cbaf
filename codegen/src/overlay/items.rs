//! What the things of a schema file have in common for an overlay: how they are found, and what they take the place of.

use std::collections::{BTreeMap, HashMap};

use super::entries::Versioned;
use crate::diagnostic::Place;
use crate::raw;

/// File and position of a thing in its list.
pub(super) type Slot = (usize, usize);

/// A thing of a list at the top of a file.
pub(super) trait Item: Sized {
    /// Key of the list.
    const KEY: &'static str;
    /// Key by which an item is told apart.
    const NAME: &'static str = "name";

    /// The list.
    fn list(file: &mut raw::File) -> &mut Vec<Self>;

    /// What an item is known by.
    fn name(&self) -> String;

    /// What the item that it takes the place of is known by.
    fn replaces(&self) -> Option<String>;

    /// Lists inside that say `replaces` of an entry, by their steps, with the number of the entry.
    fn stray(&self) -> Vec<Stray> {
        Vec::new()
    }
}

/// An entry with `replaces` inside a thing: keys and numbers that lead to it.
pub(super) type Stray = Vec<(&'static str, usize)>;

macro_rules! items {
    ($($ty:ident: $list:ident, $key:literal $(, $stray:expr)?;)*) => {
        $(impl Item for raw::$ty {
            const KEY: &'static str = $key;

            fn list(file: &mut raw::File) -> &mut Vec<Self> {
                &mut file.$list
            }

            fn name(&self) -> String {
                self.name.clone()
            }

            fn replaces(&self) -> Option<String> {
                self.replaces.clone()
            }

            $(fn stray(&self) -> Vec<Stray> {
                let stray: fn(&Self) -> Vec<Stray> = $stray;
                stray(self)
            })?
        })*
    };
}

items! {
    Structure: structures, "structures";
    Flags: flags, "flags", |table| [entries("bits", &table.bits), entries("groups", &table.groups)].concat();
    Enum: enums, "enums", |table| entries("values", &table.values);
    Dispatch: dispatch, "dispatch";
    EventClass: event_classes, "event_classes", |class| [
        events(&class.events, false),
        layouts(&class.layouts, class.replaces.is_some()),
    ].concat();
    Provider: providers, "providers", |provider| [
        events(&provider.events, false),
        layouts(&provider.layouts, provider.replaces.is_some()),
    ].concat();
}

impl Item for raw::CarriedEvent {
    const KEY: &'static str = "carried_events";
    const NAME: &'static str = "id";

    fn list(file: &mut raw::File) -> &mut Vec<Self> {
        &mut file.carried_events
    }

    fn name(&self) -> String {
        format!("{}/{}", self.provider_id.to_ascii_lowercase(), self.id)
    }

    fn replaces(&self) -> Option<String> {
        self.replaces.then(|| self.name())
    }
}

/// Entries of a table that say `replaces`.
fn entries(key: &'static str, entries: &[raw::TableEntry]) -> Vec<Stray> {
    let numbered = entries.iter().enumerate();
    numbered
        .filter(|(_, entry)| entry.replaces)
        .map(|(at, _)| vec![(key, at)])
        .collect()
}

/// Versions, and events unless they may, that say `replaces`.
pub(super) fn events<E: Versioned>(events: &[E], may_replace: bool) -> Vec<Stray> {
    let mut found = Vec::new();
    for (at, event) in events.iter().enumerate() {
        if event.replaces() && !may_replace {
            found.push(vec![("events", at)]);
        }
        let versions = event.versions().iter().enumerate().filter(|(_, version)| version.replaces);
        found.extend(versions.map(|(version, _)| vec![("events", at), ("versions", version)]));
    }
    found
}

/// Layouts that say `replaces` in a thing that takes the place of another: the layouts of that one go with it.
fn layouts(layouts: &[raw::PayloadLayout], owner_replaces: bool) -> Vec<Stray> {
    let numbered = layouts.iter().enumerate().filter(|_| owner_replaces);
    numbered
        .filter(|(_, layout)| layout.replaces.is_some())
        .map(|(at, _)| vec![("layouts", at)])
        .collect()
}

/// What a kind of thing is called.
pub(super) fn word(key: &str) -> &'static str {
    match key {
        "structures" => "structure",
        "flags" => "flag table",
        "enums" => "value table",
        "dispatch" => "dispatch",
        "event_classes" => "event class",
        "layouts" => "payload layout",
        "providers" => "provider",
        "carried_events" => "carried event",
        "events" => "event",
        _ => "thing",
    }
}

/// What holds payload layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Class(usize),
    ClassPart(usize),
    Provider(usize),
    ProviderPart(usize),
}

impl Owner {
    /// All of a file.
    pub(super) fn all(file: &raw::File) -> Vec<Self> {
        let extends = &file.extends;
        let classes = (0..file.event_classes.len()).map(Self::Class);
        let parts = (0..extends.event_classes.len()).map(Self::ClassPart);
        let providers = (0..file.providers.len()).map(Self::Provider);
        let provider_parts = (0..extends.providers.len()).map(Self::ProviderPart);
        classes.chain(parts).chain(providers).chain(provider_parts).collect()
    }

    /// The layouts.
    pub(super) fn layouts(self, file: &mut raw::File) -> Option<&mut Vec<raw::PayloadLayout>> {
        let extends = &mut file.extends;
        match self {
            Self::Class(at) => file.event_classes.get_mut(at).map(|class| &mut class.layouts),
            Self::ClassPart(at) => extends.event_classes.get_mut(at).map(|part| &mut part.layouts),
            Self::Provider(at) => file.providers.get_mut(at).map(|provider| &mut provider.layouts),
            Self::ProviderPart(at) => extends.providers.get_mut(at).map(|part| &mut part.layouts),
        }
    }

    /// Place of the list of layouts.
    pub(super) fn place(self, file: usize) -> Place {
        let top = Place::file(file);
        let owner = match self {
            Self::Class(at) => top.key("event_classes").index(at),
            Self::ClassPart(at) => top.key("extends").key("event_classes").index(at),
            Self::Provider(at) => top.key("providers").index(at),
            Self::ProviderPart(at) => top.key("extends").key("providers").index(at),
        };
        owner.key("layouts")
    }
}

/// Where a payload layout stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LayoutSlot {
    pub(super) file: usize,
    pub(super) owner: Owner,
    pub(super) at: usize,
}

/// Everything that an overlay can change, by kind and name.
#[derive(Debug, Default)]
pub(super) struct Index {
    items: BTreeMap<&'static str, HashMap<String, Slot>>,
    pub(super) layouts: HashMap<String, LayoutSlot>,
}

impl Index {
    /// The things of some files. Of equal names the first counts; the resolver reports the others.
    pub(super) fn of<'a>(files: impl Iterator<Item = (usize, &'a mut raw::File)>) -> Self {
        let mut index = Self::default();
        for (number, file) in files {
            index.add::<raw::Structure>(number, file);
            index.add::<raw::Flags>(number, file);
            index.add::<raw::Enum>(number, file);
            index.add::<raw::Dispatch>(number, file);
            index.add::<raw::EventClass>(number, file);
            index.add::<raw::Provider>(number, file);
            index.add::<raw::CarriedEvent>(number, file);
            for owner in Owner::all(file) {
                for (at, layout) in owner.layouts(file).into_iter().flatten().enumerate() {
                    let slot = LayoutSlot { file: number, owner, at };
                    index.layouts.entry(layout.name.clone()).or_insert(slot);
                }
            }
        }
        index
    }

    fn add<T: Item>(&mut self, file: usize, raw: &mut raw::File) {
        let names = self.items.entry(T::KEY).or_default();
        for (at, item) in T::list(raw).iter().enumerate() {
            names.entry(item.name()).or_insert((file, at));
        }
    }

    /// Finds a thing.
    pub(super) fn find(&self, key: &str, name: &str) -> Option<Slot> {
        self.items.get(key)?.get(name).copied()
    }

    /// The names of a kind.
    pub(super) fn names(&self, key: &str) -> Vec<&str> {
        match key {
            "layouts" => self.layouts.keys().map(String::as_str).collect(),
            _ => self
                .items
                .get(key)
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str())
                .collect(),
        }
    }

    /// The kind of the thing that has this name, whatever it is.
    pub(super) fn kind_of(&self, name: &str) -> Option<&'static str> {
        let layout = self.layouts.contains_key(name).then_some("layouts");
        layout.or_else(|| {
            self.items
                .iter()
                .find(|(_, names)| names.contains_key(name))
                .map(|(key, _)| *key)
        })
    }
}
