//! From raw files to the [`Schema`] model, with every problem found on the way.
//!
//! Tables come first, since types and expressions name them; then structures, each after those it holds, since its size
//! needs theirs; then dispatches and events, which name structures. A node that can't be resolved is left out after its
//! diagnostic, so the rest is still checked.

mod computed;
mod dispatch;
mod events;
mod expression;
mod field;
mod names;
mod payload;
mod placement;
mod providers;
mod roles;
mod structure;
mod table;
mod typed;
mod types;
mod variants;
mod vector;
mod windows;

use std::collections::{HashMap, HashSet};

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::load::SourceSet;
use crate::model::{FileInfo, Schema, Source};
use crate::names::closest;
use crate::overlay::Origins;
use crate::raw;

/// Resolves parsed and composed files.
pub(crate) fn resolve(sources: &SourceSet, files: &[raw::File], origins: Origins) -> (Schema, Vec<Diagnostic>) {
    let mut resolver = Resolver {
        files,
        schema: Schema::default(),
        problems: Vec::new(),
        names: HashMap::new(),
        rust_names: HashMap::new(),
        constants: HashMap::new(),
        cyclic: Vec::new(),
        sourceless: HashSet::new(),
        unsized_structures: HashSet::new(),
        unsized_tables: HashSet::new(),
    };
    resolver.schema.origins = origins;
    resolver.schema.files = files
        .iter()
        .zip(&sources.files)
        .map(|(file, source)| FileInfo {
            name: source.schema_name(),
            title: file.title.clone(),
            doc: file.doc.clone(),
        })
        .collect();
    resolver.names();
    resolver.tables();
    resolver.structures();
    resolver.dispatches();
    resolver.layouts();
    resolver.events();
    resolver.providers();
    resolver.carried_events();
    resolver.typed();
    resolver.vectors();
    for problem in &mut resolver.problems {
        resolver.schema.origins.show(problem);
    }
    (resolver.schema, resolver.problems)
}

struct Resolver<'a> {
    files: &'a [raw::File],
    schema: Schema,
    problems: Vec<Diagnostic>,
    /// What each global name stands for, and where it is defined.
    names: HashMap<&'a str, (names::Definition, Place)>,
    /// The global name that each name of a Rust type comes from.
    rust_names: HashMap<String, &'a str>,
    /// Flag bits and enum values, for expressions.
    constants: HashMap<&'a str, u64>,
    /// Fields through which a structure would contain itself.
    cyclic: Vec<Place>,
    /// Files that list no source, as has been reported.
    sourceless: HashSet<usize>,
    /// Structures whose size is in doubt after a report, so that nothing more is said about what holds them.
    unsized_structures: HashSet<usize>,
    /// Tables of an unknown type.
    unsized_tables: HashSet<usize>,
}

impl<'a> Resolver<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.problems.push(diagnostic);
    }

    /// The doc of a node; a missing one is reported.
    fn doc(&mut self, doc: Option<&String>, what: &str, place: &Place) -> String {
        match doc {
            Some(doc) if !doc.trim().is_empty() => doc.trim().to_owned(),
            other => {
                let place = place.key(if other.is_some() { "doc" } else { "name" });
                self.report(
                    Diagnostic::at(
                        Code::MissingDoc,
                        &place,
                        format!("{what} has no doc"),
                        "nothing says what it is",
                    )
                    .help("add `doc:` with its meaning, unit, and what 0 stands for"),
                );
                String::new()
            }
        }
    }

    /// The sources that a node names; missing and unknown ones are reported.
    fn sources(&mut self, ids: &[String], what: &str, place: &Place) -> Vec<Source> {
        if ids.is_empty() {
            self.report(
                Diagnostic::at(
                    Code::MissingSource,
                    &place.key("name"),
                    format!("{what} names no source"),
                    "nothing says where this is known from",
                )
                .help("add `sources: [id]` with an id of the file's `sources` list"),
            );
        }
        let mut found = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            let place = place.key("sources").index(index);
            // An id is one of the file that names it, which may be an overlay of the file with the rest.
            let file = self.schema.origins.written(&place).file;
            let known = self.files.get(file).map(|file| file.sources.as_slice()).unwrap_or_default();
            match known.iter().find(|source| source.id == *id) {
                Some(source) => {
                    found.push(Source {
                        kind: source.kind,
                        title: source.title.clone(),
                        url: source.url.clone(),
                    });
                }
                // A file without any source is one mistake, however often it shows.
                None if known.is_empty() && !self.sourceless.insert(file) => {}
                None => {
                    let names: Vec<&str> = known.iter().map(|source| source.id.as_str()).collect();
                    let help = match closest(id, names.iter().copied()) {
                        Some(similar) => format!("did you mean `{similar}`?"),
                        None if names.is_empty() => {
                            format!("the file lists none: add `sources: [{{id: {id}, kind: ..., title: ...}}]`")
                        }
                        None => format!("the file's sources are: {}", names.join(", ")),
                    };
                    self.report(
                        Diagnostic::at(
                            Code::UnknownSource,
                            &place,
                            format!("`{id}` is not a source of this file"),
                            "unknown source",
                        )
                        .help(help),
                    );
                }
            }
        }
        found
    }

    /// Help for a node that cannot stand beside another: another one if that is a node of the base.
    fn help_beside(&self, place: &Place, first: &Place, otherwise: &str, in_overlay: &str) -> String {
        let origins = &self.schema.origins;
        if origins.layer(place) > origins.layer(first) {
            format!("the first is of the base: {in_overlay}")
        } else {
            otherwise.to_owned()
        }
    }

    /// A GUID as 16 bytes in Windows order; a malformed one is reported.
    fn guid(&mut self, text: &str, place: &Place) -> Option<[u8; 16]> {
        let id = parse_guid(text);
        if id.is_none() {
            self.report(
                Diagnostic::at(Code::WrongShape, place, format!("`{text}` is not a GUID"), "not a GUID")
                    .help("write 8-4-4-4-12 hex digits in quotes"),
            );
        }
        id
    }
}

/// Bytes of a GUID in Windows order.
fn parse_guid(text: &str) -> Option<[u8; 16]> {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let digits: String = text.split('-').collect();
    // A sign would be a digit to the parser below.
    if lengths != [8, 4, 4, 4, 12] || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = u128::from_str_radix(&digits, 16).ok()?.to_be_bytes();
    // The first three groups are little-endian numbers.
    bytes[0..4].reverse();
    bytes[4..6].reverse();
    bytes[6..8].reverse();
    Some(bytes)
}
