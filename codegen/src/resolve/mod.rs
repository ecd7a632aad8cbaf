//! From raw files to the [`Schema`] model, with every problem found on the way.
//!
//! Tables come first, since types and expressions name them; then structures, each after those it holds, since its size
//! needs theirs; then dispatches and events, which name structures. A node that can't be resolved is left out after its
//! diagnostic, so the rest is still checked.

mod dispatch;
mod expression;
mod names;
mod structure;
mod table;
mod vector;

use std::collections::HashMap;

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::load::SourceSet;
use crate::model::{FileInfo, Schema, Source, WindowsVersion};
use crate::raw;

/// Resolves parsed files.
pub fn resolve(sources: &SourceSet, files: &[raw::File]) -> (Schema, Vec<Diagnostic>) {
    let mut resolver = Resolver { files, schema: Schema::default(), problems: Vec::new(), names: HashMap::new(), constants: HashMap::new() };
    resolver.schema.files = files
        .iter()
        .zip(&sources.files)
        .map(|(file, source)| FileInfo { name: source.name.clone(), title: file.title.clone(), doc: file.doc.clone() })
        .collect();
    resolver.names();
    resolver.tables();
    resolver.structures();
    resolver.dispatches();
    resolver.events();
    resolver.vectors();
    (resolver.schema, resolver.problems)
}

struct Resolver<'a> {
    files: &'a [raw::File],
    schema: Schema,
    problems: Vec<Diagnostic>,
    /// What each global name stands for, and where it is defined.
    names: HashMap<&'a str, (names::Definition, Place)>,
    /// Flag bits and enum values, for expressions.
    constants: HashMap<&'a str, u64>,
}

impl<'a> Resolver<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.problems.push(diagnostic);
    }

    /// The doc of a node; a missing one is reported.
    fn doc(&mut self, doc: Option<&String>, what: &str, place: &Place) -> String {
        match doc {
            Some(doc) if !doc.trim().is_empty() => doc.trim().to_owned(),
            _ => {
                self.report(
                    Diagnostic::at(Code::MissingDoc, place, format!("{what} has no doc"), "nothing says what it is")
                        .help("add `doc:` with its meaning, unit, and what 0 stands for"),
                );
                String::new()
            }
        }
    }

    /// The sources that a node names; missing and unknown ones are reported.
    fn sources(&mut self, file: usize, ids: &[String], what: &str, place: &Place) -> Vec<Source> {
        let known = self.files.get(file).map(|file| file.sources.as_slice()).unwrap_or_default();
        if ids.is_empty() {
            self.report(
                Diagnostic::at(Code::MissingSource, place, format!("{what} names no source"), "nothing says where this is known from")
                    .help("add `sources: [id]` with an id of the file's `sources` list"),
            );
        }
        let mut found = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            match known.iter().find(|source| source.id == *id) {
                Some(source) => {
                    found.push(Source { kind: source.kind, title: source.title.clone(), url: source.url.clone() });
                }
                None => {
                    let names: Vec<&str> = known.iter().map(|source| source.id.as_str()).collect();
                    self.report(
                        Diagnostic::at(
                            Code::UnknownSource,
                            &place.key("sources").index(index),
                            format!("`{id}` is not a source of this file"),
                            "unknown source",
                        )
                        .help(format!("the file's sources are: {}", list_or_none(&names))),
                    );
                }
            }
        }
        found
    }

    /// A Windows version; a malformed one is reported.
    fn windows_version(&mut self, text: Option<&String>, place: &Place) -> Option<WindowsVersion> {
        let text = text?;
        let mut parts = text.split('.').map(str::parse);
        let version = match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor)), None, None) => Some(WindowsVersion(major, minor, 0)),
            (Some(Ok(major)), Some(Ok(minor)), Some(Ok(build)), None) => Some(WindowsVersion(major, minor, build)),
            _ => None,
        };
        if version.is_none() {
            self.report(
                Diagnostic::at(Code::WindowsVersion, place, format!("`{text}` is not a Windows version"), "not a version")
                    .help("write major.minor or major.minor.build in quotes, such as \"6.1\" or \"10.0.14393\""),
            );
        }
        version
    }
}

/// A list of names for a help line.
fn list_or_none(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
