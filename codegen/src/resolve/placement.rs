//! Where fields stand: offsets against the end of the field before, overlaps and gaps.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Extent, PerPointer};
use crate::raw;

/// Where the fields so far end, and what has gone wrong with them.
pub(super) struct End {
    pub(super) extent: Extent,
    /// Name and place of the last field.
    pub(super) last: Option<(String, Place)>,
    /// Name and place of the field that takes the rest.
    pub(super) rest: Option<(String, Place)>,
    /// The end is not known, because the size of the last field is not.
    pub(super) unknown: bool,
    /// A field could not be resolved or placed, so the size of the whole says nothing more.
    pub(super) broken: bool,
}

impl End {
    pub(super) fn start() -> Self {
        Self {
            extent: Extent::exactly(0),
            last: None,
            rest: None,
            unknown: false,
            broken: false,
        }
    }

    /// Takes a field whose size is not known; what it lacks has been reported.
    pub(super) fn lose(&mut self, name: &str, place: &Place) {
        self.last = Some((name.to_owned(), place.clone()));
        self.unknown = true;
        self.broken = true;
    }
}

impl Resolver<'_> {
    /// Checks a field's stated offset against the end of the field before, moves the end behind the field, and gives the
    /// field's place if that is fixed. `next_stated` is where the schema says that the next field begins.
    pub(super) fn place_field(
        &mut self,
        raw: &raw::Field,
        place: &Place,
        extent: Extent,
        next_stated: Option<PerPointer>,
        end: &mut End,
    ) -> Option<PerPointer> {
        let before = end.last.replace((raw.name.clone(), place.clone()));
        if let Some((rest, rest_place)) = &end.rest {
            // One report is enough, whatever else follows.
            if !end.broken {
                self.report(
                    Diagnostic::at(
                        Code::Rest,
                        &place.key("name"),
                        format!("`{}` follows the rest of the record", raw.name),
                        "nothing is left for it",
                    )
                    .and(&rest_place.key("name"), format!("`{rest}` takes the rest"))
                    .help(format!("give `{rest}` a size, or make it the last field")),
                );
            }
            end.broken = true;
            return None;
        }
        let free = end.extent.fixed;
        if end.extent.varies {
            if raw.offset.is_some() {
                self.needless_offset(raw, place, before.as_ref());
                end.broken = true;
            }
            end.extent = after(end.extent, extent);
            return None;
        }
        let start = match raw.offset {
            Some(offset) if end.unknown => {
                end.unknown = false;
                offset
            }
            Some(offset) if offset != free => {
                self.misplaced(raw, offset, free, place, before.as_ref());
                end.broken = true;
                // If the next field fits to the free place, this offset is the mistake; else a size before it is.
                let fits = next_stated
                    == Some(
                        after(
                            Extent {
                                fixed: free,
                                varies: false,
                            },
                            extent,
                        )
                        .fixed,
                    );
                if fits { free } else { offset }
            }
            None if !end.unknown => {
                self.report(
                    Diagnostic::at(
                        Code::MissingOffset,
                        &place.key("name"),
                        format!("`{}` states no offset", raw.name),
                        "at a fixed place",
                    )
                    .help(format!("write `offset: {}`", yaml_number(free))),
                );
                free
            }
            _ => free,
        };
        end.extent = after(
            Extent {
                fixed: start,
                varies: false,
            },
            extent,
        );
        Some(start)
    }

    fn needless_offset(&mut self, raw: &raw::Field, place: &Place, before: Option<&(String, Place)>) {
        let mut diagnostic = Diagnostic::at(
            Code::NeedlessOffset,
            &place.key("offset"),
            format!("`{}` has an offset, but follows a part that varies", raw.name),
            "no fixed place",
        );
        if let Some((name, place)) = before {
            diagnostic = diagnostic.and(&place.key("name"), format!("the size up to the end of `{name}` varies"));
        }
        self.report(diagnostic.help("leave the offset out"));
    }

    /// Reports an offset that is not where the field before ends.
    fn misplaced(
        &mut self,
        raw: &raw::Field,
        offset: PerPointer,
        free: PerPointer,
        place: &Place,
        before: Option<&(String, Place)>,
    ) {
        let overlaps = offset.p32 < free.p32 || offset.p64 < free.p64;
        let write = format!("write `offset: {}`", yaml_number(free));
        let (code, message, help) = match (before, overlaps) {
            (Some((last, _)), true) => (
                Code::Overlap,
                format!("field `{}` starts inside `{last}`", raw.name),
                format!(
                    "{write}, correct the type of `{last}`, or mark the field `overlay: true` if it reads the same bytes on purpose"
                ),
            ),
            _ => {
                let missing = offset.p64.saturating_sub(free.p64).max(offset.p32.saturating_sub(free.p32));
                let bytes = if missing == 1 {
                    "1 byte is".to_owned()
                } else {
                    format!("{missing} bytes are")
                };
                let correct = before
                    .map(|(last, _)| format!(", correct the type of `{last}`"))
                    .unwrap_or_default();
                let padding = format!(
                    "{{name: Padding, offset: {}, type: bytes, size: {missing}, hidden: true, doc: \"...\"}}",
                    yaml_number(free)
                );
                (
                    Code::Gap,
                    format!("{bytes} not described before `{}`", raw.name),
                    format!("{write}{correct}, or declare the gap: {padding}"),
                )
            }
        };
        let mut diagnostic = Diagnostic::at(code, &place.key("offset"), message, format!("begins at {}", spoken(offset)));
        diagnostic = match before {
            Some((last, place)) => diagnostic.and(
                &place.key("name"),
                format!("`{last}` ends at {}, so that is the next free offset", spoken(free)),
            ),
            None => diagnostic,
        };
        self.report(diagnostic.help(help));
    }
}

/// A number as YAML takes it.
pub(super) fn yaml_number(number: PerPointer) -> String {
    match number.same() {
        Some(number) => format!("0x{number:02X}"),
        None => format!("{{32: 0x{:02X}, 64: 0x{:02X}}}", number.p32, number.p64),
    }
}

/// A number as a sentence takes it.
pub(super) fn spoken(number: PerPointer) -> String {
    match number.same() {
        Some(number) => format!("0x{number:02X}"),
        None => format!("0x{:02X} in 32-bit and 0x{:02X} in 64-bit data", number.p32, number.p64),
    }
}

/// The extent of everything up to the end of a field that follows `start`.
fn after(start: Extent, field: Extent) -> Extent {
    let fixed = PerPointer {
        p32: start.fixed.p32.saturating_add(field.fixed.p32),
        p64: start.fixed.p64.saturating_add(field.fixed.p64),
    };
    Extent {
        fixed,
        varies: start.varies || field.varies,
    }
}
