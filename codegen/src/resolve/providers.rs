//! Well-known providers: each GUID and each name stands once.

use std::collections::HashMap;

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::Provider;
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
            self.report(
                Diagnostic::at(
                    Code::DuplicateValue,
                    &place.key("id"),
                    format!("the GUID {} has two names", raw.id),
                    "named again here",
                )
                .and(first, "first named here")
                .help("keep one name, and mention the other in its `doc`"),
            );
            return;
        }
        seen.ids.insert(id, place.key("id"));
        self.schema.providers.push(Provider {
            id,
            name: raw.name.clone(),
            kernel: raw.kernel,
            doc,
            sources,
            place: place.clone(),
        });
    }

    /// A name is what dumps print of the provider: not empty, on one line, without blanks around it.
    fn provider_name(&mut self, name: &'a str, place: &Place, seen: &mut Seen<'a>) {
        if name.is_empty() || name.trim() != name || name.chars().any(char::is_control) {
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
