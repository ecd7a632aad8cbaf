//! Typed events: what becomes a struct or a variant needs names that Rust takes, and versions to be read.

use std::collections::HashMap;

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::Diagnostic;
use crate::emit::typed::{payload_name, variant_name};
use crate::names::{field_name, is_usable};

impl Resolver<'_> {
    /// Checks the typed events and their layouts.
    pub(super) fn typed(&mut self) {
        self.typed_names();
        self.typed_fields();
    }

    fn typed_names(&mut self) {
        let mut problems = Vec::new();
        let mut variants: HashMap<String, &str> = HashMap::new();
        for class in &self.schema.classes {
            for event in class.events.iter().filter(|event| event.typed) {
                let place = class.place.key("name");
                if event.versions.is_empty() {
                    problems.push(
                        Diagnostic::at(
                            Code::BadCase,
                            &place,
                            format!("{} is typed, but no version of its payload is known", event.name),
                            "of this class",
                        )
                        .help("add `versions`, or leave out `typed`"),
                    );
                }
                let variant = variant_name(event);
                if let Some(other) = variants.insert(variant.clone(), &event.name) {
                    problems.push(
                        Diagnostic::at(
                            Code::DuplicateName,
                            &place,
                            format!("{} and {other} would have one name in Rust, `{variant}`", event.name),
                            "of this class",
                        )
                        .help("give one of the two another name"),
                    );
                }
                // A payload type is named after its first event, which reports the clash.
                let clash = payload_name(&self.schema, event)
                    .filter(|name| *name == format!("{variant}Payload"))
                    .and_then(|name| self.rust_names.get(&name));
                if let Some(other) = clash {
                    problems.push(
                        Diagnostic::at(
                            Code::DuplicateName,
                            &place,
                            format!("the payload of {} would have the Rust name of `{other}`", event.name),
                            "of this class",
                        )
                        .help("give one of the two another name"),
                    );
                }
            }
        }
        problems.into_iter().for_each(|problem| self.report(problem));
    }

    fn typed_fields(&mut self) {
        let mut problems = Vec::new();
        for layout in self
            .schema
            .typed_layouts()
            .iter()
            .filter_map(|index| self.schema.layouts.get(*index))
        {
            let mut names: HashMap<String, &str> = HashMap::new();
            for field in &layout.fields {
                let place = layout.place.key("name");
                if !is_usable(&field.name) {
                    problems.push(
                        Diagnostic::at(
                            Code::BadName,
                            &place,
                            format!("`{}` of {} is not a usable name", field.name, layout.name),
                            "of this layout",
                        )
                        .help("use letters, digits and underscores, beginning with a letter"),
                    );
                } else if let Some(other) = names.insert(field_name(&field.name), &field.name)
                    && other != field.name
                {
                    problems.push(
                        Diagnostic::at(
                            Code::DuplicateName,
                            &place,
                            format!(
                                "`{}` and `{other}` of {} would have one name in Rust",
                                field.name, layout.name
                            ),
                            "of this layout",
                        )
                        .help("give one of the two another name"),
                    );
                }
            }
        }
        problems.into_iter().for_each(|problem| self.report(problem));
    }
}
