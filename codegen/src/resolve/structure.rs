//! Structures: each after those that it holds, since its size needs theirs.

use super::Resolver;
use super::names::Definition;
use super::placement::{End, spoken, yaml_number};
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Extent, Structure};
use crate::names::type_name;
use crate::raw;

/// How far a structure has been resolved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Pending,
    Active,
    Done,
}

impl<'a> Resolver<'a> {
    /// Resolves all structures.
    pub(super) fn structures(&mut self) {
        let files = self.files;
        let raws: Vec<(Place, &'a raw::Structure)> = files
            .iter()
            .enumerate()
            .flat_map(|(file, raw)| {
                raw.structures
                    .iter()
                    .enumerate()
                    .map(move |(at, raw)| (Place::file(file).key("structures").index(at), raw))
            })
            .collect();
        self.schema.structures = raws.iter().map(|(place, raw)| placeholder(raw, place)).collect();
        let mut states = vec![State::Pending; raws.len()];
        for index in 0..raws.len() {
            self.structure(index, &raws, &mut states);
        }
        self.variants();
        self.role_sets();
    }

    fn structure(&mut self, index: usize, raws: &[(Place, &'a raw::Structure)], states: &mut [State]) {
        let (Some((place, raw)), Some(State::Pending)) = (raws.get(index), states.get(index)) else {
            return;
        };
        states[index] = State::Active;
        for (at, field) in raw.fields.iter().enumerate() {
            let Some((Definition::Structure(inner), _)) = self.names.get(field.ty.as_str()) else {
                continue;
            };
            let inner = *inner;
            if states.get(inner) == Some(&State::Active) {
                let place = place.key("fields").index(at);
                let through = if inner == index {
                    String::new()
                } else {
                    format!(" through {}", field.ty)
                };
                self.report(
                    Diagnostic::at(
                        Code::Cycle,
                        &place.key("type"),
                        format!("{} contains itself{through}", raw.name),
                        "leads back to this structure",
                    )
                    .help("a structure cannot hold itself: use an array of bytes, or another structure"),
                );
                self.cyclic.push(place);
            } else {
                self.structure(inner, raws, states);
            }
        }
        let (resolved, sized) = self.resolve_structure(raw, place);
        self.schema.structures[index] = resolved;
        if !sized {
            self.unsized_structures.insert(index);
        }
        states[index] = State::Done;
    }

    /// Resolves a structure, and says whether its size is beyond doubt.
    fn resolve_structure(&mut self, raw: &'a raw::Structure, place: &Place) -> (Structure, bool) {
        let what = format!("the structure {}", raw.name);
        let mut structure = placeholder(raw, place);
        structure.doc = self.doc(raw.doc.as_ref(), &what, place);
        structure.sources = self.sources(&raw.sources, &what, place);
        (structure.since, structure.until) = self.windows(raw.since.as_ref(), raw.until.as_ref(), place);
        let mut end = End::start();
        for at in 0..raw.fields.len() {
            self.field(raw, at, place, &mut structure.members, &mut end);
        }
        for (at, derived) in raw.derived.iter().enumerate() {
            let later: Vec<&str> = raw.derived.iter().skip(at).map(|derived| derived.name.as_str()).collect();
            self.derived(derived, &place.key("derived").index(at), &later, &mut structure.members);
        }
        self.duplicate_members(&structure);
        self.member_versions(&structure);
        structure.extent = end.extent;
        let sized = !end.broken && self.size(raw, place, &end);
        (structure, sized)
    }

    fn duplicate_members(&mut self, structure: &Structure) {
        for (index, member) in structure.members.iter().enumerate() {
            let mut before = structure.members.iter().take(index);
            let Some(first) = before.find(|first| first.name == member.name || first.rust_name == member.rust_name) else {
                continue;
            };
            let (message, again, before) = if first.name == member.name {
                (
                    format!("`{}` is used twice in {}", member.name, structure.name),
                    "used again here".to_owned(),
                    "first used here".to_owned(),
                )
            } else {
                let rust_name = &member.rust_name;
                (
                    format!(
                        "`{}` and `{}` of {} would have one name in Rust",
                        first.name, member.name, structure.name
                    ),
                    format!("becomes `{rust_name}`"),
                    format!("also becomes `{rust_name}`"),
                )
            };
            self.report(
                Diagnostic::at(Code::DuplicateName, &member.place.key("name"), message, again)
                    .and(&first.place.key("name"), before)
                    .help("give one of the two another name"),
            );
        }
    }

    /// Checks the stated size, and says whether it is right.
    fn size(&mut self, raw: &raw::Structure, place: &Place, end: &End) -> bool {
        let (key, stated, other, reason) = if end.extent.varies {
            (
                "min_size",
                raw.min_size,
                raw.size.map(|_| "size"),
                "its size varies, so the part that is always there is stated",
            )
        } else {
            (
                "size",
                raw.size,
                raw.min_size.map(|_| "min_size"),
                "its size never varies, so `size` is stated",
            )
        };
        let actual = end.extent.fixed;
        // Where sums stop, so that more cannot be told from just this much.
        if actual.p32 == u32::MAX || actual.p64 == u32::MAX {
            self.report(
                Diagnostic::at(
                    Code::Length,
                    &place.key("name"),
                    format!("the fields of {} take 4 GiB or more", raw.name),
                    "larger than any record",
                )
                .help("correct the `size` and `count` of its fields"),
            );
            return false;
        }
        let write = format!("write `{key}: {}`", yaml_number(actual));
        let diagnostic = match (other, stated) {
            (Some(other), _) => Diagnostic::at(
                Code::SizeStatement,
                &place.key(other),
                format!("{} cannot have `{other}`", raw.name),
                reason,
            )
            .help(write),
            (None, None) => Diagnostic::at(
                Code::SizeStatement,
                &place.key("name"),
                format!("{} states no `{key}`", raw.name),
                reason,
            )
            .help(write),
            (None, Some(stated)) if stated != actual => {
                let diagnostic = Diagnostic::at(
                    Code::SizeMismatch,
                    &place.key(key),
                    format!(
                        "the fields of {} end at {}, not at {}",
                        raw.name,
                        spoken(actual),
                        spoken(stated)
                    ),
                    format!("stated as {}", spoken(stated)),
                );
                let diagnostic = match &end.last {
                    Some((name, last)) if end.extent.varies => diagnostic.and(
                        &last.key("name"),
                        format!("what is always there up to `{name}` takes {}", spoken(actual)),
                    ),
                    Some((name, last)) => diagnostic.and(&last.key("name"), format!("`{name}` ends at {}", spoken(actual))),
                    None => diagnostic,
                };
                diagnostic.help(format!("{write}, or correct the fields"))
            }
            (None, Some(_)) => return true,
        };
        self.report(diagnostic);
        false
    }
}

fn placeholder(raw: &raw::Structure, place: &Place) -> Structure {
    Structure {
        name: raw.name.clone(),
        rust_name: type_name(&raw.name),
        doc: String::new(),
        sources: Vec::new(),
        since: None,
        until: None,
        variant_of: raw.variant_of.clone(),
        extent: Extent::exactly(0),
        members: Vec::new(),
        vectors: Vec::new(),
        place: place.clone(),
    }
}
