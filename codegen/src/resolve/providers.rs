//! Providers: each GUID and each name stands once, and so does each number among the events of one.

use std::collections::HashMap;

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Provider, ProviderEvent};
use crate::raw;

/// Where each GUID and each name stands first, and the provider of kernel events.
#[derive(Default)]
struct Seen<'a> {
    ids: HashMap<[u8; 16], Place>,
    names: HashMap<&'a str, Place>,
    kernel: Option<Place>,
}

impl<'a> Resolver<'a> {
    /// Resolves the providers of all files.
    pub(super) fn providers(&mut self) {
        let mut seen = Seen::default();
        for (index, file) in self.files.iter().enumerate() {
            for (at, raw) in file.providers.iter().enumerate() {
                let place = Place::file(index).key("providers").index(at);
                self.provider(raw, &place, &mut seen);
            }
        }
    }

    fn provider(&mut self, raw: &'a raw::Provider, place: &Place, seen: &mut Seen<'a>) {
        let what = format!("the provider {}", raw.name);
        let doc = self.doc(raw.doc.as_ref(), &what, place);
        let sources = self.sources(&raw.sources, &what, place);
        self.provider_name(&raw.name, &place.key("name"), seen);
        let events = self.provider_events(raw, place);
        if raw.kernel {
            let place = place.key("kernel");
            match &seen.kernel {
                None => seen.kernel = Some(place),
                Some(first) => self.report(
                    Diagnostic::at(
                        Code::DuplicateValue,
                        &place,
                        "kernel events have two providers",
                        "claimed again here",
                    )
                    .and(first, "first claimed here")
                    .help("leave `kernel` out of one of the two"),
                ),
            }
        }
        let Some(id) = self.guid(&raw.id, &place.key("id")) else {
            return;
        };
        if let Some(first) = seen.ids.get(&id) {
            let help = self.help_beside(
                place,
                first,
                "keep one name, and mention the other in its `doc`",
                "to take the place of a provider write `replaces:` and its name, to add events to it write them under `extends: providers:`",
            );
            let problem = Diagnostic::at(
                Code::DuplicateValue,
                &place.key("id"),
                format!("the GUID {} has two names", raw.id),
                "named again here",
            );
            self.report(problem.and(first, "first named here").help(help));
            return;
        }
        seen.ids.insert(id, place.key("id"));
        self.schema.providers.push(Provider {
            id,
            name: raw.name.clone(),
            kernel: raw.kernel,
            doc,
            sources,
            events,
            place: place.clone(),
        });
    }

    fn provider_events(&mut self, raw: &raw::Provider, place: &Place) -> Vec<ProviderEvent> {
        let mut seen = HashMap::<u16, Place>::new();
        let mut events = Vec::new();
        for (at, event) in raw.events.iter().enumerate() {
            let place = place.key("events").index(at);
            let what = format!("{}/{}", raw.name, event.name);
            if !is_printable(&event.name) {
                self.report(
                    Diagnostic::at(
                        Code::BadName,
                        &place.key("name"),
                        format!("`{}` is not a usable name of an event", event.name.escape_debug()),
                        "not a name",
                    )
                    .help("write the name on one line and without blanks around it"),
                );
            }
            if let Some(first) = seen.get(&event.id) {
                self.report(
                    Diagnostic::at(
                        Code::DuplicateValue,
                        &place.key("id"),
                        format!("event {} of {} is described twice", event.id, raw.name),
                        "again here",
                    )
                    .and(&first.key("id"), "first here")
                    .help("keep one of the two; what differs by version stands under `versions` of one event"),
                );
            } else {
                seen.insert(event.id, place.clone());
            }
            if !event.sources.is_empty() {
                self.sources(&event.sources, &format!("the event {what}"), &place);
            }
            let versions = self.versions(&what, &event.versions, &place);
            let defines = self.defines(&what, (event.defines, event.lifetime), &versions, &place);
            events.push(ProviderEvent {
                id: event.id,
                name: event.name.clone(),
                defines,
                doc: event.doc.as_ref().map(|doc| doc.trim().to_owned()),
                versions,
            });
        }
        events.sort_by_key(|event| event.id);
        events
    }

    /// A name is what dumps print of the provider.
    fn provider_name(&mut self, name: &'a str, place: &Place, seen: &mut Seen<'a>) {
        if !is_printable(name) {
            self.report(
                Diagnostic::at(
                    Code::BadName,
                    place,
                    format!("`{}` is not a usable name of a provider", name.escape_debug()),
                    "not a name",
                )
                .help("write the name that the provider is registered under, on one line and without blanks around it"),
            );
            return;
        }
        match seen.names.get(name) {
            None => {
                seen.names.insert(name, place.clone());
            }
            Some(first) => self.report(
                Diagnostic::at(
                    Code::DuplicateName,
                    place,
                    format!("two providers have the name `{name}`"),
                    "used again here",
                )
                .and(first, "first used here")
                .help("mend the name, or remove one of the two"),
            ),
        }
    }
}

/// Whether dumps can print a name as it is: not empty, on one line, without blanks around it.
fn is_printable(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && !name.chars().any(char::is_control)
}
