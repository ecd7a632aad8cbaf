//! Variants of structures: that they name a structure, and that one at most applies to each Windows version.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place, Target};
use crate::model::Structure;
use crate::names::closest;

impl Resolver<'_> {
    /// Checks all variants.
    pub(super) fn variants(&mut self) {
        let structures = std::mem::take(&mut self.schema.structures);
        // A version that could not be read was reported already.
        let undated: Vec<Place> = self
            .problems
            .iter()
            .filter(|problem| problem.code == Code::WindowsVersion)
            .filter_map(|problem| match &problem.labels.first()?.target {
                Target::Node(place) => Some(place.clone()),
                _ => None,
            })
            .collect();
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
                if related
                    && dated(variant)
                    && dated(other)
                    && starts_before_end(variant, other)
                    && starts_before_end(other, variant)
                {
                    self.report(
                        Diagnostic::at(
                            Code::VariantOverlap,
                            &variant.place.key("name"),
                            format!("{} and {} both apply to some Windows versions", variant.name, other.name),
                            format!("applies to {}", range(variant)),
                        )
                        .and(&other.place.key("name"), format!("applies to {}", range(other)))
                        .help("set `since` and `until` so that one ends where the other begins"),
                    );
                }
            }
        }
        self.schema.structures = structures;
    }
}

fn starts_before_end(a: &Structure, b: &Structure) -> bool {
    b.until.is_none_or(|until| a.since.is_none_or(|since| since < until))
}

/// The Windows versions of a structure, in words.
fn range(structure: &Structure) -> String {
    match (structure.since, structure.until) {
        (None, None) => "all versions".to_owned(),
        (Some(since), None) => format!("{since} and later"),
        (None, Some(until)) => format!("versions before {until}"),
        (Some(since), Some(until)) => format!("{since} and later, before {until}"),
    }
}
