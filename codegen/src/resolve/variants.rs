//! Forms of one thing for different Windows versions: variants of structures, versions of events, fields that share bytes. For each
//! Windows version at most one applies, and between the first and the last version that is spoken of, one does.

use super::Resolver;
use super::windows::{Windows, hole, overlap, range};
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place, Target};
use crate::model::{EventVersion, Member, MemberKind, Origin, PerPointer, Structure};
use crate::names::closest;

impl Resolver<'_> {
    /// Checks all variants of structures.
    pub(super) fn variants(&mut self) {
        let structures = std::mem::take(&mut self.schema.structures);
        let undated = self.undated();
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
                    && is_dated(&undated, &variant.place)
                    && is_dated(&undated, &other.place)
                    && overlap(windows(variant), windows(other))
                {
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
        for base in &structures {
            let family: Vec<&Structure> = structures
                .iter()
                .filter(|form| form.name == base.name || form.variant_of.as_ref() == Some(&base.name))
                .collect();
            let forms: Vec<Form<'_>> = family
                .iter()
                .filter(|form| is_dated(&undated, &form.place))
                .map(|form| Form {
                    windows: windows(form),
                    place: &form.place,
                    key: "name",
                })
                .collect();
            // One whose versions could not be read may fill any hole.
            if forms.len() == family.len() {
                self.hole(&base.name, &forms);
            }
        }
        self.schema.structures = structures;
    }

    /// Checks that no two payloads of an event are said to be of the same Windows version. One of which nothing is said clashes
    /// with none, and may fill any hole.
    pub(super) fn event_versions(&mut self, versions: &[EventVersion], event: &str) {
        let undated = self.undated();
        let dated =
            |version: &EventVersion| (version.since.is_some() || version.until.is_some()) && is_dated(&undated, &version.place);
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
        if !versions.is_empty() && versions.iter().all(dated) {
            // Versions of 32-bit and of 64-bit data each make up a row of their own; a hole in both is told once.
            let rows = [4, 8].map(|size| {
                let row = versions
                    .iter()
                    .filter(|version| version.pointer_size.is_none_or(|own| own == size));
                row.map(|version| Form {
                    windows: (version.since, version.until),
                    place: &version.place,
                    key: "version",
                })
                .collect::<Vec<_>>()
            });
            let [narrow, wide] = rows;
            if !self.hole(event, &narrow) {
                self.hole(event, &wide);
            }
        }
    }

    /// Checks the versions of a structure's fields: each within those of the structure, and where fields share bytes, at most one
    /// for each version, and no version without one between them.
    pub(super) fn member_versions(&mut self, structure: &Structure) {
        let undated = self.undated();
        let dated: Vec<&Member> = structure
            .members
            .iter()
            .filter(|member| (member.since.is_some() || member.until.is_some()) && is_dated(&undated, &member.place))
            .collect();
        for member in &dated {
            self.windows_within(of_member(member), windows(structure), &member.name, &member.place);
        }
        for (index, member) in dated.iter().enumerate() {
            let sharing: Vec<&&Member> = dated.iter().filter(|other| share(member, other)).collect();
            for other in dated.iter().take(index).filter(|other| share(member, other)) {
                if overlap(of_member(member), of_member(other)) {
                    self.report(
                        Diagnostic::at(
                            Code::VariantOverlap,
                            &member.place.key("name"),
                            format!(
                                "the bytes of `{}` and `{}` are both in some Windows versions",
                                other.name, member.name
                            ),
                            format!("applies to {}", range(of_member(member))),
                        )
                        .and(&other.place.key("name"), format!("applies to {}", range(of_member(other))))
                        .help("set `since` and `until` so that one ends where the other begins"),
                    );
                }
            }
            let forms: Vec<Form<'_>> = sharing
                .iter()
                .map(|member| Form {
                    windows: of_member(member),
                    place: &member.place,
                    key: "name",
                })
                .collect();
            let is_first = sharing.first().is_some_and(|first| std::ptr::eq(**first, *member));
            if is_first {
                self.hole(&format!("{}.{}", structure.name, member.name), &forms);
            }
        }
    }

    /// Reports a hole between forms of one thing; whether there is one.
    fn hole(&mut self, name: &str, forms: &[Form<'_>]) -> bool {
        let ranges: Vec<Windows> = forms.iter().map(|form| form.windows).collect();
        let Some((missing, next)) = hole(&ranges) else {
            return false;
        };
        let Some(next) = forms.get(next) else { return false };
        let before = forms.iter().find(|form| form.windows.1 == missing.0);
        let mut diagnostic = Diagnostic::at(
            Code::VersionHole,
            &next.place.key(next.key),
            format!("`{name}` has no form for Windows {}", range(missing)),
            format!("applies to {}", range(next.windows)),
        );
        if let Some(before) = before {
            diagnostic = diagnostic.and(
                &before.place.key(before.key),
                format!("the form before applies to {}", range(before.windows)),
            );
        }
        self.report(
            diagnostic.help("set `since` and `until` so that one ends where the other begins, or add the form that is missing"),
        );
        true
    }

    /// Places of Windows versions that could not be read, or whose range was reported already.
    fn undated(&self) -> Vec<Place> {
        self.problems
            .iter()
            .filter(|problem| matches!(problem.code, Code::WindowsVersion | Code::VersionRange))
            .filter_map(|problem| match &problem.labels.first()?.target {
                Target::Node(place) => Some(place.clone()),
                _ => None,
            })
            .collect()
    }
}

/// One form, and the key of its node that says which.
struct Form<'a> {
    windows: Windows,
    place: &'a Place,
    key: &'static str,
}

/// Whether the versions of a node could be read.
fn is_dated(undated: &[Place], place: &Place) -> bool {
    !["since", "until"].iter().any(|key| undated.contains(&place.key(key)))
}

fn windows(structure: &Structure) -> Windows {
    (structure.since, structure.until)
}

fn of_member(member: &Member) -> Windows {
    (member.since, member.until)
}

/// Whether two members are read from the same bytes, or bits, of which one at a time has a meaning. A member shares with itself.
fn share(a: &Member, b: &Member) -> bool {
    if std::ptr::eq(a, b) {
        return true;
    }
    match (&a.kind, &b.kind) {
        (MemberKind::Computed(left), MemberKind::Computed(right)) => match (&left.origin, &right.origin) {
            (Origin::Overlay, Origin::Overlay) => starts_together(a, b),
            (
                Origin::Bits { of, first, last },
                Origin::Bits {
                    of: other,
                    first: others_first,
                    last: others_last,
                },
            ) => of == other && first <= others_last && others_first <= last,
            _ => false,
        },
        (MemberKind::Stored(_), MemberKind::Computed(computed)) | (MemberKind::Computed(computed), MemberKind::Stored(_)) => {
            computed.origin == Origin::Overlay && starts_together(a, b)
        }
        (MemberKind::Stored(_), MemberKind::Stored(_)) => false,
    }
}

/// Whether two members begin at one place.
fn starts_together(a: &Member, b: &Member) -> bool {
    let same = |member: &Member| member.offset.and_then(PerPointer::same);
    same(a).is_some() && same(a) == same(b)
}
