//! Global names: which structure, table, dispatch, value or bit each stands for, and that none is used twice.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::names::is_usable;

/// What a global name stands for. Structures and tables are numbered in the order of files and places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Definition {
    Structure(usize),
    Table(usize),
    Dispatch,
    Constant,
}

impl<'a> Resolver<'a> {
    /// Collects all global names.
    pub(super) fn names(&mut self) {
        let (mut structures, mut tables) = (0, 0);
        for (index, file) in self.files.iter().enumerate() {
            let top = Place::file(index);
            for (at, structure) in file.structures.iter().enumerate() {
                self.define(&structure.name, Definition::Structure(structures), top.key("structures").index(at).key("name"));
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
            for (at, dispatch) in file.dispatch.iter().enumerate() {
                self.define(&dispatch.name, Definition::Dispatch, top.key("dispatch").index(at).key("name"));
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
        if let Some((_, first)) = self.names.get(name) {
            let first = first.clone();
            self.report(
                Diagnostic::at(Code::DuplicateName, &place, format!("the name `{name}` is used twice"), "used again here")
                    .and(&first, "first used here")
                    .help("give one of the two another name, or remove it"),
            );
        } else {
            self.names.insert(name, (definition, place));
        }
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
