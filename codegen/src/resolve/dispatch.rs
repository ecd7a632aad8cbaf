//! Dispatches: which structure follows which value.

use super::Resolver;
use super::expression::Scope;
use super::names::Definition;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Case, Dispatch, Int, Selector};
use crate::names::{closest, type_name};
use crate::raw;

impl Resolver<'_> {
    /// Resolves all dispatches.
    pub(super) fn dispatches(&mut self) {
        for (index, file) in self.files.iter().enumerate() {
            for (at, raw) in file.dispatch.iter().enumerate() {
                let place = Place::file(index).key("dispatch").index(at);
                self.dispatch(raw, &place);
            }
        }
        self.joins();
    }

    /// Finds the dispatches that others join; each must read its structures from bytes, and join none itself.
    fn joins(&mut self) {
        for (index, file) in self.files.iter().enumerate() {
            for (at, raw) in file.dispatch.iter().enumerate() {
                let Some(name) = &raw.joins else { continue };
                let number = |name: &str| self.schema.dispatches.iter().position(|dispatch| dispatch.name == name);
                let joined_itself = |name: &str| {
                    self.files
                        .iter()
                        .flat_map(|file| &file.dispatch)
                        .any(|other| other.name == name && other.joins.is_some())
                };
                let host = number(name).filter(|_| !joined_itself(name));
                let host = host.filter(|host| {
                    self.schema
                        .dispatches
                        .get(*host)
                        .is_some_and(|host| host.selector.offset.is_some())
                });
                if let (Some(host), Some(dispatch)) =
                    (host, number(&raw.name).and_then(|own| self.schema.dispatches.get_mut(own)))
                {
                    dispatch.joins = Some(host);
                    continue;
                }
                let place = Place::file(index).key("dispatch").index(at).key("joins");
                self.report(
                    Diagnostic::at(
                        Code::BadCase,
                        &place,
                        format!("`{}` can't join `{name}`", raw.name),
                        "cannot be used",
                    )
                    .help("name a dispatch whose `type` has an offset, and that joins no other"),
                );
            }
        }
    }

    fn dispatch(&mut self, raw: &raw::Dispatch, place: &Place) {
        let what = format!("the dispatch {}", raw.name);
        let doc = self.doc(raw.doc.as_ref(), &what, place);
        let sources = self.sources(&raw.sources, &what, place);
        let marker = raw.marker.as_ref().map(|marker| self.selector(marker, &place.key("marker")));
        let selector = self.selector(&raw.ty, &place.key("type"));
        if marker
            .as_ref()
            .is_some_and(|marker| marker.offset.is_none() || selector.offset.is_none())
        {
            self.report(
                Diagnostic::at(
                    Code::BadCase,
                    &place.key("marker"),
                    format!("{what} has a marker, but not both offsets"),
                    "needs offsets",
                )
                .help("give `marker` and `type` an offset each, or leave `marker` out"),
            );
        }
        let mut cases = Vec::new();
        for (at, case) in raw.cases.iter().enumerate() {
            let place = place.key("cases").index(at);
            if !self.reachable(raw, at, marker.as_ref(), &place) {
                continue;
            }
            if let Some(case) = self.case(case, marker.as_ref(), &selector, &place) {
                cases.push(case);
            }
        }
        self.schema.dispatches.push(Dispatch {
            name: raw.name.clone(),
            rust_name: type_name(&raw.name),
            doc,
            sources,
            joins: None,
            marker,
            selector,
            cases,
            place: place.clone(),
        });
    }

    fn selector(&mut self, raw: &raw::Selector, place: &Place) -> Selector {
        let named = self.type_named(&raw.ty, crate::model::Length::Rest, &place.key("type"));
        let int = named.as_ref().and_then(|ty| self.schema.unsigned_int(ty));
        if named.is_some() && int.is_none() {
            self.report(
                Diagnostic::at(
                    Code::UnknownType,
                    &place.key("type"),
                    format!("`{}` is not an unsigned integer", raw.ty),
                    "not a number",
                )
                .help("use u8, u16, u32, u64, an enum or a flag table"),
            );
        }
        let int = int.unwrap_or(Int { bytes: 8, signed: false });
        if let Some(mask) = raw.mask.filter(|mask| *mask > int.max()) {
            self.too_wide(mask, int, &place.key("mask"));
        }
        Selector {
            offset: raw.offset,
            int,
            mask: raw.mask,
        }
    }

    /// Reports a case that an earlier one, without a condition or with the same one, hides. Whether the case is one to keep: what
    /// an overlay hides of its base it takes the place of.
    fn reachable(&mut self, raw: &raw::Dispatch, at: usize, marker: Option<&Selector>, place: &Place) -> bool {
        let Some(case) = raw.cases.get(at) else { return true };
        for (before, earlier) in raw.cases.iter().enumerate().take(at) {
            if (earlier.when.is_none() || earlier.when == case.when) && hides(earlier, case, marker) {
                let first = place_of(place, before);
                if self.schema.origins.layer(&first) > self.schema.origins.layer(place) {
                    return false;
                }
                self.report(
                    Diagnostic::at(
                        Code::DuplicateCase,
                        &place.key("name"),
                        format!(
                            "`{}` can never be reached: `{}` takes the same marker and type value before it",
                            case.name, earlier.name
                        ),
                        "never reached",
                    )
                    .and(&first.key("name"), "taken first")
                    .help("correct one of the values, give the first a `when`, or put the narrower case first"),
                );
                return true;
            }
        }
        true
    }

    fn case(&mut self, raw: &raw::Case, marker: Option<&Selector>, selector: &Selector, place: &Place) -> Option<Case> {
        let bad = |resolver: &mut Self, key: &str, message: String, help: &str| {
            resolver.report(Diagnostic::at(Code::BadCase, &place.key(key), message, "cannot be used").help(help));
        };
        if raw.end == raw.structure.is_some() {
            bad(
                self,
                "name",
                format!("`{}` needs either a structure or `end: true`", raw.name),
                "name the structure that is read",
            );
        }
        if !matches!(raw.pointers, None | Some(32 | 64)) {
            bad(
                self,
                "pointers",
                format!("`{}` has an impossible pointer size", raw.name),
                "write 32 or 64",
            );
        }
        if raw.marker.is_some() && marker.is_none() {
            bad(
                self,
                "marker",
                format!("`{}` has a marker, its dispatch has none", raw.name),
                "add `marker:` to the dispatch",
            );
        }
        if let (Some(value), Some(mask)) = (raw.marker, raw.marker_mask)
            && value & !mask != 0
        {
            bad(
                self,
                "marker",
                format!("`{}` can never match: {value:#x} has bits outside {mask:#x}", raw.name),
                "clear them, or widen `marker_mask`",
            );
        }
        if raw.marker.is_none() && raw.marker_mask.is_some() {
            bad(
                self,
                "marker_mask",
                format!("`{}` has a mask, but no marker", raw.name),
                "add `marker:`, or leave the mask out",
            );
        }
        for (key, value, int) in [
            ("marker", raw.marker, marker.map(|marker| marker.int)),
            ("marker_mask", raw.marker_mask, marker.map(|marker| marker.int)),
            ("value", raw.value, Some(selector.int)),
        ] {
            if let (Some(value), Some(int)) = (value, int)
                && value > int.max()
            {
                self.too_wide(value, int, &place.key(key));
            }
        }
        for (key, value, mask) in [
            ("marker", raw.marker, marker.and_then(|marker| marker.mask)),
            ("value", raw.value, selector.mask),
        ] {
            if let (Some(value), Some(mask)) = (value, mask)
                && value & !mask != 0
            {
                bad(
                    self,
                    key,
                    format!(
                        "`{}` can never match: {value:#x} has bits outside the mask {mask:#x}",
                        raw.name
                    ),
                    "clear them, or widen `mask` of the dispatch",
                );
            }
        }
        let structure = match &raw.structure {
            None => None,
            Some(name) => Some(self.structure_named(name, &place.key("structure"))?),
        };
        let when = match &raw.when {
            Some(when) => Some(self.expression(when, Scope::CONTEXT, &place.key("when"))?),
            None => None,
        };
        if let Some(found) = structure.and_then(|index| self.schema.structures.get(index)) {
            let has_size = self.schema.roles_of(found).iter().any(|(role, _)| role.name == "event_size");
            if selector.offset.is_some() && !has_size {
                let name = found.name.clone();
                bad(
                    self,
                    "structure",
                    format!("{name} has no field with the role `event_size`"),
                    "a reader must know where the next record begins",
                );
            }
        }
        Some(Case {
            name: raw.name.clone(),
            marker: raw.marker.map(|value| (value, raw.marker_mask.unwrap_or(u64::MAX))),
            value: raw.value,
            when,
            structure,
            pointer_size: raw.pointers.map(|bits| bits / 8),
            opaque: raw.opaque,
            doc: raw.doc.as_ref().map(|doc| doc.trim().to_owned()),
        })
    }

    fn too_wide(&mut self, value: u64, int: Int, place: &Place) {
        self.report(
            Diagnostic::at(
                Code::TooWide,
                place,
                format!("{value:#x} does not fit into {}", int.name()),
                "too large",
            )
            .help("mend the value, or give the selector a wider type"),
        );
    }

    /// Finds a structure by name; an unknown one is reported.
    pub(super) fn structure_named(&mut self, name: &str, place: &Place) -> Option<usize> {
        if let Some((Definition::Structure(index), _)) = self.names.get(name) {
            return Some(*index);
        }
        let known = self
            .names
            .iter()
            .filter(|(_, (definition, _))| matches!(definition, Definition::Structure(_)))
            .map(|(name, _)| *name);
        let help = match closest(name, known) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "name a structure of the schema".to_owned(),
        };
        self.report(
            Diagnostic::at(
                Code::UnknownStructure,
                place,
                format!("unknown structure `{name}`"),
                "not a structure",
            )
            .help(help),
        );
        None
    }
}

/// Whether every marker and value that `case` matches is matched by `earlier` too.
fn hides(earlier: &raw::Case, case: &raw::Case, marker: Option<&Selector>) -> bool {
    // A case without a marker takes any, which is a marker of which no bit counts.
    let width = marker.map_or(u64::MAX, |marker| marker.int.max());
    let of = |case: &raw::Case| match case.marker {
        Some(value) => (value, case.marker_mask.unwrap_or(u64::MAX) & width),
        None => (0, 0),
    };
    let ((earlier_marker, earlier_mask), (marker, mask)) = (of(earlier), of(case));
    let counts_no_more_bits = earlier_mask & !mask == 0;
    let same_in_them = (earlier_marker ^ marker) & earlier_mask == 0;
    counts_no_more_bits && same_in_them && (earlier.value.is_none() || earlier.value == case.value)
}

/// The place of another element of the list that `place` is an element of.
fn place_of(place: &Place, index: usize) -> Place {
    let mut other = place.clone();
    other.steps.pop();
    other.index(index)
}
