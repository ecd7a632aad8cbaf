//! Enum and flag tables.

use std::collections::HashMap;

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Entry, Int, Table, TableKind};
use crate::names::{constant_name, type_name};
use crate::raw;

impl Resolver<'_> {
    /// Resolves all tables, in the order in which [`super::names`] numbered them.
    pub(super) fn tables(&mut self) {
        for (index, file) in self.files.iter().enumerate() {
            let top = Place::file(index);
            for (at, table) in file.flags.iter().enumerate() {
                let place = top.key("flags").index(at);
                let head = Head {
                    kind: TableKind::Flags,
                    name: &table.name,
                    ty: &table.ty,
                    doc: table.doc.as_ref(),
                    sources: &table.sources,
                };
                self.table(&head, &table.bits, &table.groups, &place);
            }
            for (at, table) in file.enums.iter().enumerate() {
                let place = top.key("enums").index(at);
                let head = Head {
                    kind: TableKind::Enum,
                    name: &table.name,
                    ty: &table.ty,
                    doc: table.doc.as_ref(),
                    sources: &table.sources,
                };
                self.table(&head, &table.values, &[], &place);
            }
        }
    }

    fn table(&mut self, head: &Head<'_>, entries: &[raw::TableEntry], groups: &[raw::TableEntry], place: &Place) {
        let what = format!("the table {}", head.name);
        let doc = self.doc(head.doc, &what, place);
        let sources = self.sources(head.sources, &what, place);
        let int = self.table_int(head.ty, &place.key("type")).unwrap_or_else(|| {
            self.unsized_tables.insert(self.schema.tables.len());
            Int { bytes: 8, signed: false }
        });
        let key = if head.kind == TableKind::Flags { "bits" } else { "values" };
        let mut constants = HashMap::new();
        let resolved = self.entries(head, entries, int, &place.key(key), &mut constants);
        let groups = self.entries(head, groups, int, &place.key("groups"), &mut constants);
        if head.kind == TableKind::Flags {
            self.single_bits(entries, &place.key(key));
        }
        self.schema.tables.push(Table {
            name: head.name.to_owned(),
            rust_name: type_name(head.name),
            kind: head.kind,
            int,
            doc,
            sources,
            entries: resolved,
            groups,
            place: place.clone(),
        });
    }

    /// The integer type of a table; another type is reported.
    fn table_int(&mut self, ty: &str, place: &Place) -> Option<Int> {
        match Int::find(ty) {
            Some(int) if !int.signed => Some(int),
            other => {
                self.report(
                    Diagnostic::at(
                        Code::UnknownType,
                        place,
                        format!("`{ty}` is not an unsigned integer type"),
                        "not a type of a table",
                    )
                    .help("use u8, u16, u32 or u64"),
                );
                other.map(|int| Int { signed: false, ..int })
            }
        }
    }

    /// Resolves entries; `constants` are the Rust names of the table's entries so far.
    fn entries(
        &mut self,
        head: &Head<'_>,
        entries: &[raw::TableEntry],
        int: Int,
        place: &Place,
        constants: &mut HashMap<String, Place>,
    ) -> Vec<Entry> {
        let mut seen: HashMap<u64, usize> = HashMap::new();
        let mut resolved = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let at = place.index(index);
            if entry.value > int.max() {
                self.report(
                    Diagnostic::at(
                        Code::TooWide,
                        &at.key("value"),
                        format!("{:#x} does not fit into {}", entry.value, int.name()),
                        format!("the largest {} is {:#x}", int.name(), int.max()),
                    )
                    .help(format!("mend the value, or give {} a wider type", head.name)),
                );
            }
            if let Some(first) = seen.insert(entry.value, index) {
                let first = place.index(first);
                let help = self.help_beside(
                    &at,
                    &first,
                    "keep one name, and mention the other in its `doc`",
                    "to take its place add `replaces: true`",
                );
                self.report(
                    Diagnostic::at(
                        Code::DuplicateValue,
                        &at.key("value"),
                        format!("{:#x} has two names in {}", entry.value, head.name),
                        "named again here",
                    )
                    .and(&first.key("value"), "first named here")
                    .help(help),
                );
            }
            let rust_name = constant_name(head.name, &entry.name);
            if let Some(first) = constants.insert(rust_name.clone(), at.key("name")) {
                self.report(
                    Diagnostic::at(
                        Code::DuplicateName,
                        &at.key("name"),
                        format!("`{}` would become the Rust name {rust_name}, which is taken", entry.name),
                        "same Rust name",
                    )
                    .and(&first, "taken here")
                    .help("spell one of the two differently"),
                );
            }
            let (since, until) = self.windows(entry.since.as_ref(), entry.until.as_ref(), &at);
            resolved.push(Entry {
                value: entry.value,
                name: entry.name.clone(),
                rust_name,
                label: entry.label.clone(),
                doc: entry.doc.as_ref().map(|doc| doc.trim().to_owned()),
                since,
                until,
            });
        }
        resolved
    }

    fn single_bits(&mut self, bits: &[raw::TableEntry], place: &Place) {
        for (index, bit) in bits.iter().enumerate() {
            if !bit.value.is_power_of_two() {
                self.report(
                    Diagnostic::at(
                        Code::NotABit,
                        &place.index(index).key("value"),
                        format!("{:#x} is not a single bit", bit.value),
                        format!("{} bits are set", bit.value.count_ones()),
                    )
                    .help(if bit.value == 0 {
                        "no bit means that no flag is set: say so in the table's `doc`"
                    } else {
                        "move it to `groups` if its bits form one value together"
                    }),
                );
            }
        }
    }
}

/// What enum and flag tables have in common.
struct Head<'a> {
    kind: TableKind,
    name: &'a str,
    ty: &'a str,
    doc: Option<&'a String>,
    sources: &'a [String],
}
