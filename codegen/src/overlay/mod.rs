//! Puts overlays onto their base: what they replace takes the place of the old, what they add follows it.
//!
//! ```text
//! files of the base + files of the overlay -> composed files + origins -> resolve
//! ```
//!
//! The composed files have the lists of one schema, so nothing behind this step knows of overlays. A thing that was replaced or
//! added to keeps its place in the base; [`Origins`] says where each node was really written.

mod entries;
mod items;
mod origins;
mod parts;

use std::collections::BTreeMap;

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::load::SourceSet;
use crate::names::closest;
use crate::raw;
use items::{Index, Item, LayoutSlot, Owner, Stray, events, word};
pub use origins::Origins;

/// Composes parsed files. If there are problems, the files are not to be used.
pub(crate) fn compose(sources: &SourceSet, mut files: Vec<raw::File>) -> (Vec<raw::File>, Origins, Vec<Diagnostic>) {
    let layers: Vec<usize> = sources.files.iter().map(|source| source.layer).collect();
    let mut composer = Composer {
        origins: Origins::new(layers.clone()),
        problems: Vec::new(),
        index: Index::default(),
        changed: BTreeMap::new(),
    };
    composer.check_bases(&files, &layers);
    for (number, file) in files.iter_mut().enumerate() {
        composer.check_strays(number, layers.get(number) == Some(&0), file);
    }
    let topmost = layers.iter().copied().max().unwrap_or_default();
    for layer in 1..=topmost {
        let below = files
            .iter_mut()
            .enumerate()
            .filter(|(number, _)| layers.get(*number) < Some(&layer));
        composer.index = Index::of(below);
        composer.changed.clear();
        let numbers: Vec<usize> = (0..files.len())
            .filter(|number| layers.get(*number) == Some(&layer))
            .collect();
        for &number in &numbers {
            composer.items::<raw::Structure>(&mut files, number);
            composer.items::<raw::Flags>(&mut files, number);
            composer.items::<raw::Enum>(&mut files, number);
            composer.items::<raw::Dispatch>(&mut files, number);
            composer.items::<raw::EventClass>(&mut files, number);
            composer.items::<raw::Provider>(&mut files, number);
            composer.items::<raw::CarriedEvent>(&mut files, number);
        }
        for &number in &numbers {
            composer.layouts(&mut files, number);
            composer.parts(&mut files, number);
        }
    }
    (files, composer.origins, composer.problems)
}

struct Composer {
    origins: Origins,
    problems: Vec<Diagnostic>,
    /// What the layers below the current one have.
    index: Index,
    /// What the current layer changed, and where it says so first.
    changed: BTreeMap<Place, Changed>,
}

/// How a layer changed a thing first.
struct Changed {
    whole: bool,
    place: Place,
}

impl Composer {
    /// Reports a base that was not followed, and a second one.
    fn check_bases(&mut self, files: &[raw::File], layers: &[usize]) {
        let mut first: BTreeMap<usize, Place> = BTreeMap::new();
        for (number, _) in files.iter().enumerate().filter(|(_, file)| file.base.is_some()) {
            let place = Place::file(number).key("base");
            let layer = layers.get(number).copied().unwrap_or_default();
            match first.get(&layer) {
                Some(first) => self.problems.push(
                    Diagnostic::at(Code::BaseTwice, &place, "the folder has two bases", "given again here")
                        .and(first, "first given here")
                        .help("keep one of the two; for a base that is an overlay itself name the overlay"),
                ),
                None if layer == 0 => self.problems.push(
                    Diagnostic::at(Code::Base, &place, "the base was not read", "not followed").help(
                        "write `base: builtin` or `base: ../folder` on a line of its own, in a schema that is read as a folder",
                    ),
                ),
                None => {}
            }
            first.entry(layer).or_insert(place);
        }
    }

    /// Reports `replaces` and `extends` where there is nothing to change.
    fn check_strays(&mut self, number: usize, is_innermost: bool, file: &mut raw::File) {
        if is_innermost && file.extends != raw::Extends::default() {
            self.no_base(&Place::file(number).key("extends"));
        }
        self.strays_of::<raw::Structure>(number, is_innermost, file);
        self.strays_of::<raw::Flags>(number, is_innermost, file);
        self.strays_of::<raw::Enum>(number, is_innermost, file);
        self.strays_of::<raw::Dispatch>(number, is_innermost, file);
        self.strays_of::<raw::EventClass>(number, is_innermost, file);
        self.strays_of::<raw::Provider>(number, is_innermost, file);
        self.strays_of::<raw::CarriedEvent>(number, is_innermost, file);
        let top = Place::file(number);
        for owner in Owner::all(file) {
            let place = owner.place(number);
            for (at, layout) in owner.layouts(file).into_iter().flatten().enumerate() {
                if is_innermost && layout.replaces.is_some() {
                    self.no_base(&place.index(at).key("replaces"));
                }
            }
        }
        let extends = top.key("extends");
        for (at, part) in file.extends.event_classes.iter().enumerate() {
            self.strays(&extends.key("event_classes").index(at), events(&part.events, true));
        }
        for (at, part) in file.extends.providers.iter().enumerate() {
            self.strays(&extends.key("providers").index(at), events(&part.events, true));
        }
    }

    fn strays_of<T: Item>(&mut self, number: usize, is_innermost: bool, file: &mut raw::File) {
        for (at, item) in T::list(file).iter().enumerate() {
            let place = Place::file(number).key(T::KEY).index(at);
            if is_innermost && item.replaces().is_some() {
                self.no_base(&place.key("replaces"));
            }
            self.strays(&place, item.stray());
        }
    }

    fn strays(&mut self, item: &Place, strays: Vec<Stray>) {
        for stray in strays {
            let place = stray
                .into_iter()
                .fold(item.clone(), |place, (key, at)| place.key(key).index(at));
            self.problems.push(
                Diagnostic::at(
                    Code::NoBase,
                    &place.key("replaces"),
                    "this is part of what the file defines anew",
                    "nothing to replace",
                )
                .help("take it away, or move the entry under `extends`"),
            );
        }
    }

    /// Reports a change in a folder without a base.
    fn no_base(&mut self, place: &Place) {
        self.problems.push(
            Diagnostic::at(Code::NoBase, place, "the folder has no base to change", "of no base")
                .help("add `base: builtin` or `base: ../folder` to one of its files, or take this away"),
        );
    }

    /// Moves the things of a list that replace others to the place of these; the others stay.
    fn items<T: Item>(&mut self, files: &mut [raw::File], number: usize) {
        let Some(file) = files.get_mut(number) else { return };
        let list = Place::file(number).key(T::KEY);
        let mut kept = Vec::new();
        for (at, item) in std::mem::take(T::list(file)).into_iter().enumerate() {
            let written = list.index(at);
            let Some(name) = item.replaces() else {
                if let Some((base, slot)) = self.index.find(T::KEY, &item.name()) {
                    self.exists::<T>(&item, &written, &Place::file(base).key(T::KEY).index(slot));
                }
                kept.push((item, written));
                continue;
            };
            let key = written.key("replaces");
            match self.index.find(T::KEY, &name) {
                None => self.not_in_base(T::KEY, &name, &key),
                Some((base, slot)) => {
                    let place = Place::file(base).key(T::KEY).index(slot);
                    if self.change(&place, true, &key)
                        && let Some(old) = files.get_mut(base).and_then(|file| T::list(file).get_mut(slot))
                    {
                        *old = item;
                        self.origins.put(place, written);
                    }
                }
            }
        }
        if let Some(file) = files.get_mut(number) {
            let kept = kept.into_iter().enumerate().map(|(at, (item, written))| {
                self.origins.put(list.index(at), written);
                item
            });
            *T::list(file) = kept.collect();
        }
    }

    /// Moves the layouts that replace others to the place of these.
    fn layouts(&mut self, files: &mut [raw::File], number: usize) {
        let Some(file) = files.get(number) else { return };
        // Things that took the place of others are in the files of these by now, and bring layouts that only come with them.
        for owner in Owner::all(file) {
            let list = owner.place(number);
            let Some(layouts) = files.get_mut(number).and_then(|file| owner.layouts(file)) else {
                continue;
            };
            let mut kept = Vec::new();
            for (at, layout) in std::mem::take(layouts).into_iter().enumerate() {
                let written = self.origins.written(&list.index(at));
                let Some(name) = &layout.replaces else {
                    kept.push((layout, written));
                    continue;
                };
                let key = written.key("replaces");
                let Some(slot) = self.index.layouts.get(name).copied() else {
                    self.not_in_base("layouts", &name.clone(), &key);
                    continue;
                };
                let place = slot.owner.place(slot.file).index(slot.at);
                if self.change(&place, true, &key)
                    && let Some(old) = layout_mut(files, slot)
                {
                    *old = layout;
                    self.origins.put(place, written);
                }
            }
            if let Some(layouts) = files.get_mut(number).and_then(|file| owner.layouts(file)) {
                let kept = kept.into_iter().enumerate().map(|(at, (layout, written))| {
                    self.origins.put(list.index(at), written);
                    layout
                });
                *layouts = kept.collect();
            }
        }
    }

    /// Notes a change of a thing, or of a thing within it or around it; a second one that can't be is reported.
    fn change(&mut self, slot: &Place, whole: bool, place: &Place) -> bool {
        let around = (0..=slot.steps.len()).find_map(|length| {
            let outer = Place {
                file: slot.file,
                steps: slot.steps.get(..length)?.to_vec(),
            };
            let changed = self.changed.get(&outer)?;
            (changed.whole || (whole && outer == *slot)).then_some(changed)
        });
        if let Some(first) = around {
            self.problems.push(
                Diagnostic::at(
                    Code::ChangedTwice,
                    place,
                    "the same thing of the base is changed twice",
                    "changed again here",
                )
                .and(&first.place, "first changed here")
                .help("keep one of the two, or put both changes into one"),
            );
            return false;
        }
        self.changed.entry(slot.clone()).or_insert_with(|| Changed {
            whole,
            place: place.clone(),
        });
        true
    }

    /// Reports a name that the base has, of a thing that does not say what it does to it.
    fn exists<T: Item>(&mut self, item: &T, written: &Place, base: &Place) {
        let base = self.origins.written(base).key(T::NAME);
        let kind = word(T::KEY);
        let replaces = if T::NAME == "name" {
            format!("`replaces: {}`", item.name())
        } else {
            "`replaces: true`".to_owned()
        };
        let extends = if T::KEY == "carried_events" {
            String::new()
        } else {
            format!(", or only what is new under `extends: {}:`", T::KEY)
        };
        self.problems.push(
            Diagnostic::at(
                Code::DuplicateName,
                &written.key(T::NAME),
                format!("the base has a {kind} `{}`", item.name()),
                "used again here",
            )
            .and(&base, "in the base here")
            .help(format!(
                "to take its place write {replaces}{extends}; else give it another name"
            )),
        );
    }

    /// Reports a name that is not one of a kind of the base.
    fn not_in_base(&mut self, key: &str, name: &str, place: &Place) {
        let kind = word(key);
        let help = match (self.index.kind_of(name), closest(name, self.index.names(key))) {
            (Some(other), _) => format!("`{name}` is a {}: write the change under `{other}`", word(other)),
            (None, Some(similar)) => format!("did you mean `{similar}`?"),
            (None, None) => "`winetl schema list` shows the names; what is new needs neither `replaces` nor `extends`".to_owned(),
        };
        self.problems.push(
            Diagnostic::at(
                Code::NotInBase,
                place,
                format!("the base has no {kind} `{name}`"),
                "not in the base",
            )
            .help(help),
        );
    }
}

fn layout_mut(files: &mut [raw::File], slot: LayoutSlot) -> Option<&mut raw::PayloadLayout> {
    slot.owner.layouts(files.get_mut(slot.file)?)?.get_mut(slot.at)
}
