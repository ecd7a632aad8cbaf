//! Variants of structures and versions of events: that variants name a structure, and that one at most applies to each Windows
//! version.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place, Target};
use crate::model::{EventVersion, Structure, WindowsVersion};
use crate::names::closest;

impl Resolver<'_> {
    /// Checks all variants.
    pub(super) fn variants(&mut self) {
        let structures = std::mem::take(&mut self.schema.structures);
        let undated = self.undated();
        let dated = |structure: &Structure| {
            !["since", "until"]
                .iter()
                .any(|key| undated.contains(&structure.place.key(key)))
        };
        for (index, variant) in structures.iter().enumerate() {
            let Some(base) = &variant.variant_of else { continue };
            if !structures.iter().any(|structure| structure.name == *base) {
                let help = match closest(base, structures.iter().map(|structure| structure.name.as_str())) {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None => "name the structure whose other form this is".to_owned(),
                };
                let place = variant.place.key("variant_of");
                self.report(
                    Diagnostic::at(
                        Code::UnknownStructure,
                        &place,
                        format!("unknown structure `{base}`"),
                        "not a structure",
                    )
                    .help(help),
                );
            }
            // Each pair once: variants against those before them, and against their base wherever it stands.
            let others = structures
                .iter()
                .take(index)
                .chain(structures.iter().skip(index + 1).filter(|other| other.name == *base));
            for other in others {
                let related = other.name == *base || other.variant_of.as_ref() == Some(base);
                if related && dated(variant) && dated(other) && overlap(windows(variant), windows(other)) {
                    self.report(
                        Diagnostic::at(
                            Code::VariantOverlap,
                            &variant.place.key("name"),
                            format!("{} and {} both apply to some Windows versions", variant.name, other.name),
                            format!("applies to {}", range(windows(variant))),
                        )
                        .and(&other.place.key("name"), format!("applies to {}", range(windows(other))))
                        .help("set `since` and `until` so that one ends where the other begins"),
                    );
                }
            }
        }
        self.schema.structures = structures;
    }

    /// Checks that no two payloads of an event are said to be of the same Windows version. One of which nothing is said clashes
    /// with none.
    pub(super) fn version_overlaps(&mut self, versions: &[EventVersion], event: &str) {
        let undated = self.undated();
        let dated = |version: &EventVersion| {
            (version.since.is_some() || version.until.is_some())
                && !["since", "until"].iter().any(|key| undated.contains(&version.place.key(key)))
        };
        for (index, version) in versions.iter().enumerate() {
            for other in versions.iter().take(index) {
                let together = match (version.pointer_size, other.pointer_size) {
                    (Some(own), Some(others)) => own == others,
                    _ => true,
                };
                let (own, others) = ((version.since, version.until), (other.since, other.until));
                if together && version.version != other.version && dated(version) && dated(other) && overlap(own, others) {
                    self.report(
                        Diagnostic::at(
                            Code::VariantOverlap,
                            &version.place.key("version"),
                            format!(
                                "versions {} and {} of `{event}` are both said to be of some Windows versions",
                                other.version, version.version
                            ),
                            format!("applies to {}", range(own)),
                        )
                        .and(&other.place.key("version"), format!("applies to {}", range(others)))
                        .help(
                            "set `since` and `until` so that one ends where the other begins, or leave out what no source says",
                        ),
                    );
                }
            }
        }
    }

    /// Places of Windows versions that could not be read; that was reported already.
    fn undated(&self) -> Vec<Place> {
        self.problems
            .iter()
            .filter(|problem| problem.code == Code::WindowsVersion)
            .filter_map(|problem| match &problem.labels.first()?.target {
                Target::Node(place) => Some(place.clone()),
                _ => None,
            })
            .collect()
    }
}

/// The first Windows version with something, and the first without it.
type Windows = (Option<WindowsVersion>, Option<WindowsVersion>);

fn windows(structure: &Structure) -> Windows {
    (structure.since, structure.until)
}

fn overlap(a: Windows, b: Windows) -> bool {
    let starts_before_end = |a: Windows, b: Windows| b.1.is_none_or(|until| a.0.is_none_or(|since| since < until));
    starts_before_end(a, b) && starts_before_end(b, a)
}

/// Windows versions in words.
fn range(windows: Windows) -> String {
    match windows {
        (None, None) => "all versions".to_owned(),
        (Some(since), None) => format!("{since} and later"),
        (None, Some(until)) => format!("versions before {until}"),
        (Some(since), Some(until)) => format!("{since} and later, before {until}"),
    }
}
