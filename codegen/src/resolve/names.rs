//! Global names: which structure, table, dispatch, value or bit each stands for, and that none is used twice.

use std::collections::HashMap;

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::emit;
use crate::names::{is_reserved_type, is_usable, type_name};

/// What a global name stands for. Structures and tables are numbered in the order of files and places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Definition {
    Structure(usize),
    Table(usize),
    Dispatch,
    Constant,
    Layout(usize),
}

impl<'a> Resolver<'a> {
    /// Collects all global names.
    pub(super) fn names(&mut self) {
        self.modules();
        let (mut structures, mut tables, mut layouts) = (0, 0, 0);
        for (index, file) in self.files.iter().enumerate() {
            let top = Place::file(index);
            for (at, source) in file.sources.iter().enumerate() {
                let Some(first) = file.sources.iter().take(at).position(|first| first.id == source.id) else {
                    continue;
                };
                let place = top.key("sources");
                self.report(
                    Diagnostic::at(
                        Code::DuplicateName,
                        &place.index(at).key("id"),
                        format!("the source `{}` is listed twice", source.id),
                        "used again here",
                    )
                    .and(&place.index(first).key("id"), "first used here")
                    .help("give one of the two another id"),
                );
            }
            for (at, structure) in file.structures.iter().enumerate() {
                self.define(
                    &structure.name,
                    Definition::Structure(structures),
                    top.key("structures").index(at).key("name"),
                );
                structures += 1;
            }
            for (at, table) in file.flags.iter().enumerate() {
                let place = top.key("flags").index(at);
                self.define(&table.name, Definition::Table(tables), place.key("name"));
                tables += 1;
                self.constants("bits", &table.bits, &place);
                self.constants("groups", &table.groups, &place);
            }
            for (at, table) in file.enums.iter().enumerate() {
                let place = top.key("enums").index(at);
                self.define(&table.name, Definition::Table(tables), place.key("name"));
                tables += 1;
                self.constants("values", &table.values, &place);
            }
            for (place, layout) in super::payload::layouts_of(index, file) {
                self.define(&layout.name, Definition::Layout(layouts), place.key("name"));
                layouts += 1;
            }
            for (at, dispatch) in file.dispatch.iter().enumerate() {
                self.define(
                    &dispatch.name,
                    Definition::Dispatch,
                    top.key("dispatch").index(at).key("name"),
                );
            }
        }
    }

    /// Reports files whose Rust modules would have the same name.
    fn modules(&mut self) {
        let mut modules: HashMap<String, String> = emit::OWN_MODULES
            .iter()
            .map(|module| ((*module).to_owned(), format!("the generated module `{module}`")))
            .collect();
        for (index, file) in self.schema.files.clone().into_iter().enumerate() {
            let module = emit::module_name(&file.name);
            if let Some(other) = modules.insert(module.clone(), format!("the file {}", file.name)) {
                self.report(
                    Diagnostic::at(
                        Code::DuplicateName,
                        &Place::file(index),
                        format!("the file {} would become the Rust module `{module}`, like {other}", file.name),
                        "in this file",
                    )
                    .help("give the file another name"),
                );
            }
        }
    }

    fn constants(&mut self, key: &str, entries: &'a [crate::raw::TableEntry], table: &Place) {
        for (at, entry) in entries.iter().enumerate() {
            let place = table.key(key).index(at).key("name");
            // A value may be named like its table: TRACE_HEADER_FLAG is both.
            if matches!(self.names.get(entry.name.as_str()), Some((Definition::Table(_), _))) {
                self.constants.insert(&entry.name, entry.value);
                continue;
            }
            self.define(&entry.name, Definition::Constant, place);
            self.constants.insert(&entry.name, entry.value);
        }
    }

    fn define(&mut self, name: &'a str, definition: Definition, place: Place) {
        self.check_name(name, &place);
        if let Some((other, first)) = self.names.get(name) {
            let (other, first) = (*other, first.clone());
            let in_overlay = match (definition, other) {
                (Definition::Layout(_), Definition::Layout(_)) => {
                    &format!("to take its place write `replaces: {name}`, else give this one another name")
                }
                (Definition::Constant, Definition::Constant) => {
                    "give this one another name; the entry of the same value is replaced by `replaces: true`"
                }
                _ => "give this one another name",
            };
            let help = self.help_beside(&place, &first, "give one of the two another name, or remove it", in_overlay);
            self.report(
                Diagnostic::at(
                    Code::DuplicateName,
                    &place,
                    format!("the name `{name}` is used twice"),
                    "used again here",
                )
                .and(&first, "first used here")
                .help(help),
            );
            return;
        }
        // Structures, tables and dispatches become types of one namespace; constants belong to the type of their table.
        if definition != Definition::Constant {
            let rust_name = type_name(name);
            if is_reserved_type(&rust_name) {
                self.report(
                    Diagnostic::at(
                        Code::BadName,
                        &place,
                        format!("`{name}` would become the Rust type {rust_name}, which generated code needs itself"),
                        "taken",
                    )
                    .help("use another name, such as one with a prefix"),
                );
            }
            let clash = self
                .rust_names
                .get(&rust_name)
                .and_then(|other| Some((*other, self.names.get(other)?.1.clone())));
            if let Some((other, first)) = clash {
                self.report(
                    Diagnostic::at(
                        Code::DuplicateName,
                        &place,
                        format!("`{name}` and `{other}` would have one name in Rust"),
                        format!("becomes `{rust_name}`"),
                    )
                    .and(&first, format!("also becomes `{rust_name}`"))
                    .help("give one of the two another name"),
                );
            }
            self.rust_names.insert(rust_name, name);
        }
        self.names.insert(name, (definition, place));
    }

    /// Reports a name that no Rust name can be made of.
    pub(super) fn check_name(&mut self, name: &str, place: &Place) {
        if !is_usable(name) {
            self.report(
                Diagnostic::at(Code::BadName, place, format!("`{name}` is not a usable name"), "not a name")
                    .help("use letters, digits and underscores, beginning with a letter"),
            );
        }
    }
}
