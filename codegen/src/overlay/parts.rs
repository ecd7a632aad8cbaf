//! What an overlay adds to things of its base.

use super::Composer;
use super::entries::{Entry, Versioned};
use super::items::{Item, Slot};
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::names::closest;
use crate::raw;

impl Composer {
    /// Adds the parts of a file. The layouts of classes and providers stay in it, so that they stand after all of the base.
    pub(super) fn parts(&mut self, files: &mut [raw::File], number: usize) {
        let Some(file) = files.get_mut(number) else { return };
        let extends = &mut file.extends;
        let structures = std::mem::take(&mut extends.structures);
        let flags = std::mem::take(&mut extends.flags);
        let enums = std::mem::take(&mut extends.enums);
        let dispatches = std::mem::take(&mut extends.dispatch);
        let classes: Vec<raw::ClassPart> = extends
            .event_classes
            .iter_mut()
            .map(|part| raw::ClassPart {
                name: part.name.clone(),
                sources: std::mem::take(&mut part.sources),
                layouts: Vec::new(),
                events: std::mem::take(&mut part.events),
                extends: std::mem::take(&mut part.extends),
            })
            .collect();
        let providers: Vec<raw::ProviderPart> = extends
            .providers
            .iter_mut()
            .map(|part| raw::ProviderPart {
                name: part.name.clone(),
                sources: std::mem::take(&mut part.sources),
                layouts: Vec::new(),
                events: std::mem::take(&mut part.events),
                extends: std::mem::take(&mut part.extends),
            })
            .collect();
        let top = Place::file(number).key("extends");
        for (at, part) in structures.into_iter().enumerate() {
            let written = top.key("structures").index(at);
            let Some((slot, base)) = self.extended::<raw::Structure>(files, &part.name, &written) else {
                continue;
            };
            self.structure(base, part, &slot, &written);
        }
        for (at, part) in flags.into_iter().enumerate() {
            let written = top.key("flags").index(at);
            let Some((slot, base)) = self.extended::<raw::Flags>(files, &part.name, &written) else {
                continue;
            };
            self.add(&mut base.sources, part.sources, &slot.key("sources"), &written.key("sources"));
            self.add(&mut base.bits, part.bits, &slot.key("bits"), &written.key("bits"));
            self.add(&mut base.groups, part.groups, &slot.key("groups"), &written.key("groups"));
        }
        for (at, part) in enums.into_iter().enumerate() {
            let written = top.key("enums").index(at);
            let Some((slot, base)) = self.extended::<raw::Enum>(files, &part.name, &written) else {
                continue;
            };
            self.add(&mut base.sources, part.sources, &slot.key("sources"), &written.key("sources"));
            self.add(&mut base.values, part.values, &slot.key("values"), &written.key("values"));
        }
        for (at, part) in dispatches.into_iter().enumerate() {
            let written = top.key("dispatch").index(at);
            let Some((slot, base)) = self.extended::<raw::Dispatch>(files, &part.name, &written) else {
                continue;
            };
            self.add(&mut base.sources, part.sources, &slot.key("sources"), &written.key("sources"));
            self.put_first(&mut base.cases, part.cases, &slot.key("cases"), &written.key("cases"));
        }
        for (at, part) in classes.into_iter().enumerate() {
            let written = top.key("event_classes").index(at);
            let Some((slot, base)) = self.extended::<raw::EventClass>(files, &part.name, &written) else {
                continue;
            };
            self.add(&mut base.sources, part.sources, &slot.key("sources"), &written.key("sources"));
            self.add(&mut base.events, part.events, &slot.key("events"), &written.key("events"));
            self.versions(&mut base.events, part.extends, &slot.key("events"), &written.key("extends"));
        }
        for (at, part) in providers.into_iter().enumerate() {
            let written = top.key("providers").index(at);
            let Some((slot, base)) = self.extended::<raw::Provider>(files, &part.name, &written) else {
                continue;
            };
            self.add(&mut base.sources, part.sources, &slot.key("sources"), &written.key("sources"));
            self.add(&mut base.events, part.events, &slot.key("events"), &written.key("events"));
            self.versions(&mut base.events, part.extends, &slot.key("events"), &written.key("extends"));
        }
    }

    /// Finds the thing that a part extends.
    fn extended<'f, T: Item>(&mut self, files: &'f mut [raw::File], name: &str, written: &Place) -> Option<(Place, &'f mut T)> {
        let place = written.key("name");
        let Some((file, at)): Option<Slot> = self.index.find(T::KEY, name) else {
            self.not_in_base(T::KEY, name, &place);
            return None;
        };
        let slot = Place::file(file).key(T::KEY).index(at);
        if !self.change(&slot, false, &place) {
            return None;
        }
        let base = files.get_mut(file).and_then(|file| T::list(file).get_mut(at))?;
        Some((slot, base))
    }

    fn structure(&mut self, base: &mut raw::Structure, part: raw::StructurePart, slot: &Place, written: &Place) {
        // The bytes of older vectors end before the new fields.
        if !part.fields.is_empty() || part.size.is_some() || part.min_size.is_some() {
            base.vectors.clear();
            if part.vectors.is_empty() {
                // That there is none now is said of the overlay.
                self.origins.put(slot.key("name"), written.key("name"));
            }
        }
        for (key, given, size) in [
            ("size", part.size, &mut base.size),
            ("min_size", part.min_size, &mut base.min_size),
        ] {
            if part.size.is_some() || part.min_size.is_some() {
                *size = given;
                self.origins.put(slot.key(key), written.key(key));
            }
        }
        self.add(&mut base.sources, part.sources, &slot.key("sources"), &written.key("sources"));
        self.add(&mut base.fields, part.fields, &slot.key("fields"), &written.key("fields"));
        self.add(&mut base.derived, part.derived, &slot.key("derived"), &written.key("derived"));
        self.add(&mut base.vectors, part.vectors, &slot.key("vectors"), &written.key("vectors"));
    }

    /// Adds versions to events.
    fn versions<E: Versioned>(&mut self, events: &mut [E], parts: Vec<E::Part>, slot: &Place, written: &Place) {
        for (at, part) in parts.into_iter().enumerate() {
            let written = written.index(at);
            let key = written.key(E::KEY);
            let Some(event) = events.iter().position(|event| event.is_meant_by(&part)) else {
                let (words, name) = E::wanted_by(&part);
                let names = events.iter().filter_map(Entry::name);
                let help = match name.and_then(|name| closest(name, names)) {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None => "write an event that is new under `events`".to_owned(),
                };
                self.missing(&key, &words, help);
                continue;
            };
            let slot = slot.index(event);
            if self.change(&slot, false, &key)
                && let Some(event) = events.get_mut(event)
            {
                let (sources, versions) = event.lists();
                let (more_sources, more_versions) = E::added(part);
                self.add(sources, more_sources, &slot.key("sources"), &written.key("sources"));
                self.add(versions, more_versions, &slot.key("versions"), &written.key("versions"));
            }
        }
    }

    /// Adds entries to a list: at its end, or in the place of those that they replace.
    fn add<T: Entry>(&mut self, list: &mut Vec<T>, added: Vec<T>, slot: &Place, written: &Place) {
        let before = list.len();
        for (at, entry) in added.into_iter().enumerate() {
            let written = written.index(at);
            if !entry.replaces() {
                let base = list.get(..before).unwrap_or_default();
                if let Some(same) = base.iter().position(|old| entry.clashes_with(old)) {
                    self.entry_exists(&entry, &slot.index(same), &written);
                    continue;
                }
                self.origins.put(slot.index(list.len()), written);
                list.push(entry);
                continue;
            }
            let key = written.key("replaces");
            let Some(same) = list.iter().take(before).position(|old| entry.takes_place_of(old)) else {
                let names = list.iter().take(before).filter_map(Entry::name);
                let help = match entry.wanted().and_then(|wanted| closest(wanted, names)) {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None => "leave `replaces` out for what is new".to_owned(),
                };
                self.missing(&key, &entry.words().1, help);
                continue;
            };
            if self.change(&slot.index(same), true, &key)
                && let Some(old) = list.get_mut(same)
            {
                self.origins.put(slot.index(same), written);
                *old = entry;
            }
        }
    }

    /// Puts the cases of an overlay before those of its base.
    fn put_first(&mut self, list: &mut Vec<raw::Case>, added: Vec<raw::Case>, slot: &Place, written: &Place) {
        let old: Vec<Place> = (0..list.len()).map(|at| self.origins.written(&slot.index(at))).collect();
        let new = (0..added.len()).map(|at| written.index(at));
        for (at, written) in new.chain(old).enumerate() {
            self.origins.put(slot.index(at), written);
        }
        list.splice(0..0, added);
    }

    fn entry_exists<E: Entry>(&mut self, entry: &E, base: &Place, written: &Place) {
        let base = self.origins.written(base).key(E::KEY);
        let (what, _) = entry.words();
        self.problems.push(
            Diagnostic::at(
                Code::DuplicateName,
                &written.key(E::KEY),
                format!("the base has {what}"),
                "used again here",
            )
            .and(&base, "in the base here")
            .help(format!(
                "to take its place add `{}`; to add versions write it under `extends`",
                entry.replaces_key()
            )),
        );
    }

    fn missing(&mut self, place: &Place, what: &str, help: String) {
        self.problems.push(
            Diagnostic::at(
                Code::NotInBase,
                place,
                format!("the base has no {what} here"),
                "not in the base",
            )
            .help(help),
        );
    }
}
