//! Classes of events: names, hook ids, and the payload of each version.

use std::collections::HashMap;

use super::Resolver;
use super::names::Definition;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{CarriedEvent, Event, EventClass, EventVersion, Payload};
use crate::raw::{self, Lifetime, Refers};

/// What an event is known by: its hook id, or its class and type.
type Keys = HashMap<(Option<u16>, [u8; 16], u8), Place>;

impl Resolver<'_> {
    /// Resolves all event classes.
    pub(super) fn events(&mut self) {
        let mut seen = Keys::new();
        for (index, file) in self.files.iter().enumerate() {
            for (at, raw) in file.event_classes.iter().enumerate() {
                let place = Place::file(index).key("event_classes").index(at);
                self.class(raw, &place, &mut seen);
            }
        }
    }

    fn class(&mut self, raw: &raw::EventClass, place: &Place, seen: &mut Keys) {
        let what = format!("the event class {}", raw.name);
        let doc = self.doc(raw.doc.as_ref(), &what, place);
        let sources = self.sources(&raw.sources, &what, place);
        let class_id = self.guid(&raw.class_id, &place.key("class_id")).unwrap_or_default();
        let mut events = Vec::new();
        for (at, event) in raw.events.iter().enumerate() {
            let place = place.key("events").index(at);
            if !event.sources.is_empty() {
                self.sources(&event.sources, &format!("the event {}/{}", raw.name, event.name), &place);
            }
            let hook_id = event
                .hook_id
                .or_else(|| raw.group.map(|group| u16::from(group) << 8 | u16::from(event.ty)));
            if let Some(first) = seen.insert((hook_id, class_id, event.ty), place.clone()) {
                let help = self.help_beside(
                    &place,
                    &first,
                    "keep one of the two",
                    "to take the place of an event write `replaces:` and its name",
                );
                self.report(
                    Diagnostic::at(
                        Code::DuplicateValue,
                        &place.key("type"),
                        format!("type {:#04x} of {} has two names", event.ty, raw.name),
                        "named again here",
                    )
                    .and(&first.key("type"), "first named here")
                    .help(help),
                );
            }
            let versions = self.versions(&event.name, &event.versions, &place);
            let defines = self.defines(&event.name, (event.defines, event.lifetime), &versions, &place);
            events.push(Event {
                name: format!("{}/{}", raw.name, event.name),
                opcode: event.ty,
                hook_id,
                typed: event.typed,
                defines,
                doc: event.doc.as_ref().map(|doc| doc.trim().to_owned()),
                versions,
            });
        }
        events.sort_by_key(|event| (event.hook_id, event.opcode));
        self.schema.classes.push(EventClass {
            name: raw.name.clone(),
            group: raw.group,
            class_id,
            doc,
            sources,
            events,
            place: place.clone(),
        });
    }

    /// Resolves the marks of events whose payloads the traces describe.
    pub(super) fn carried_events(&mut self) {
        let mut seen = HashMap::<([u8; 16], u16), Place>::new();
        for (index, file) in self.files.iter().enumerate() {
            for (at, raw) in file.carried_events.iter().enumerate() {
                let place = Place::file(index).key("carried_events").index(at);
                let what = format!("the carried event {}", raw.id);
                let provider_id = self.guid(&raw.provider_id, &place.key("provider_id")).unwrap_or_default();
                if let Some(first) = seen.insert((provider_id, raw.id), place.clone()) {
                    self.report(
                        Diagnostic::at(
                            Code::DuplicateValue,
                            &place.key("id"),
                            format!("event {} of the provider is marked twice", raw.id),
                            "again here",
                        )
                        .and(&first.key("id"), "first here")
                        .help("keep one of the two"),
                    );
                }
                let defined = self.definable(raw.defines, raw.lifetime, &place);
                if let Some((thing, _)) = defined
                    && raw.fields.iter().all(|field| field.refers != thing)
                {
                    let message = format!("{what} has no field with `refers: {}`", thing.word());
                    self.mismatch(&place.key("defines"), &message, "mark the field that says which one it is");
                }
                let carried = CarriedEvent {
                    provider_id,
                    id: raw.id,
                    doc: self.doc(raw.doc.as_ref(), &what, &place),
                    defines: defined,
                    fields: raw.fields.clone(),
                    sources: self.sources(&raw.sources, &what, &place),
                    place,
                };
                self.schema.carried.push(carried);
            }
        }
    }

    /// Checks whether an event can define this.
    fn definable(&mut self, what: Option<Refers>, lifetime: Option<Lifetime>, place: &Place) -> Option<(Refers, Lifetime)> {
        let Some(what) = what else {
            if lifetime.is_some() {
                self.mismatch(
                    &place.key("lifetime"),
                    "a lifetime of nothing",
                    "add `defines`, or take it away",
                );
            }
            return None;
        };
        if !what.definable() {
            let message = format!("no event can define a `{}`", what.word());
            self.mismatch(
                &place.key("defines"),
                &message,
                "write process, thread, image, file, registry_key, disk, volume or stack",
            );
            return None;
        }
        Some((what, lifetime.unwrap_or(Lifetime::Always)))
    }

    /// Checks what an event defines: each of its layouts must say which thing it is about.
    pub(super) fn defines(
        &mut self,
        event: &str,
        (defines, lifetime): (Option<Refers>, Option<Lifetime>),
        versions: &[EventVersion],
        place: &Place,
    ) -> Option<(Refers, Lifetime)> {
        let (what, lifetime) = self.definable(defines, lifetime, place)?;
        let unsaid = versions.iter().find_map(|version| match version.payload {
            Payload::Layout(index) => {
                let layout = self.schema.layouts.get(index)?;
                let said = layout.fields.iter().any(|field| field.refers == Some(what));
                (!said).then(|| layout.name.clone())
            }
            _ => Some(event.to_owned()),
        });
        let unsaid = unsaid.or_else(|| versions.is_empty().then(|| event.to_owned()));
        if let Some(layout) = unsaid {
            let message = format!("{layout} has no field with `refers: {}`", what.word());
            self.mismatch(&place.key("defines"), &message, "mark the field that says which one it is");
            return None;
        }
        Some((what, lifetime))
    }

    fn mismatch(&mut self, place: &Place, message: &str, help: &str) {
        self.report(Diagnostic::at(Code::RoleMismatch, place, message, "does not fit").help(help));
    }

    /// The payloads of an event, by rising version.
    pub(super) fn versions(&mut self, event: &str, raw: &[raw::EventVersion], place: &Place) -> Vec<EventVersion> {
        let mut versions: Vec<EventVersion> = Vec::new();
        for (at, raw) in raw.iter().enumerate() {
            let place = place.key("versions").index(at);
            if !matches!(raw.pointers, None | Some(32 | 64)) {
                self.report(
                    Diagnostic::at(
                        Code::BadCase,
                        &place.key("pointers"),
                        "no pointer has this many bits",
                        "impossible",
                    )
                    .help("write 32 or 64"),
                );
            }
            let pointer_size = raw.pointers.map(|bits| bits / 8);
            let clash = versions.iter().find(|earlier| {
                earlier.version == raw.version
                    && (earlier.pointer_size.is_none() || pointer_size.is_none() || earlier.pointer_size == pointer_size)
            });
            if let Some(first) = clash.map(|clash| clash.place.key("version")) {
                let help = self.help_beside(
                    &place,
                    &first,
                    "keep one, or give each its `pointers`",
                    "to take its place add `replaces: true`, and its `pointers` if it has them",
                );
                self.report(
                    Diagnostic::at(
                        Code::DuplicateValue,
                        &place.key("version"),
                        format!("version {} of `{event}` has two payloads", raw.version),
                        "again here",
                    )
                    .and(&first, "first here")
                    .help(help),
                );
            }
            let payload = match (&raw.layout, &raw.structure) {
                (None, None) => Payload::Empty,
                (Some(name), None) => match self.layout_named(name, &place.key("layout")) {
                    Some(index) => Payload::Layout(index),
                    None => continue,
                },
                (None, Some(name)) => match self.structure_named(name, &place.key("structure")) {
                    Some(index) => Payload::Structure(index),
                    None => continue,
                },
                (Some(_), Some(_)) => {
                    self.report(
                        Diagnostic::at(
                            Code::BadCase,
                            &place.key("structure"),
                            "a payload is either a layout or a structure",
                            "not both",
                        )
                        .help("leave one out"),
                    );
                    continue;
                }
            };
            let (since, until) = self.windows(raw.since.as_ref(), raw.until.as_ref(), &place);
            versions.push(EventVersion {
                version: raw.version,
                pointer_size,
                payload,
                since,
                until,
                verified: raw.verified,
                vectors: Vec::new(),
                place,
            });
        }
        self.event_versions(&versions, event);
        versions.sort_by_key(|version| version.version);
        versions
    }

    fn layout_named(&mut self, name: &str, place: &Place) -> Option<usize> {
        if let Some((Definition::Layout(index), _)) = self.names.get(name) {
            return Some(*index);
        }
        let known = self
            .names
            .iter()
            .filter(|(_, (definition, _))| matches!(definition, Definition::Layout(_)))
            .map(|(name, _)| *name);
        let help = match crate::names::closest(name, known) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "name a layout of an event class or provider".to_owned(),
        };
        self.report(
            Diagnostic::at(
                Code::UnknownStructure,
                place,
                format!("unknown layout `{name}`"),
                "not a layout",
            )
            .help(help),
        );
        None
    }
}
