//! Values that take no bytes of their own: overlays, bit ranges and derived values.

use super::Resolver;
use super::expression::Scope;
use super::windows::Windows;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::expr::{Binary, Expr, Expression, Reference};
use crate::model::{Computed, Int, Length, Member, MemberKind, Origin, PerPointer, Stored, Type};
use crate::names::field_name;
use crate::raw;

impl<'a> Resolver<'a> {
    /// Makes an overlay from the whole integer fields that it covers.
    pub(super) fn overlay(&mut self, raw: &raw::Field, ty: &Type, members: &[Member], place: &Place) -> Option<Computed> {
        let value = match self.covered(raw, ty, members) {
            Ok(value) => value,
            Err((key, label)) => {
                self.report(
                    Diagnostic::at(
                        Code::Overlay,
                        &place.key(key),
                        format!("the overlay `{}` does not cover whole fields", raw.name),
                        label,
                    )
                    .help(
                        "an overlay is a single unsigned integer or table with one offset, and covers, from its first byte to its last, \
                         whole unsigned fields that stand before it",
                    ),
                );
                return None;
            }
        };
        Some(Computed {
            value,
            ty: ty.clone(),
            origin: Origin::Overlay,
        })
    }

    /// The bytes of an overlay as an expression over the fields that it covers, or the key that keeps them from being had,
    /// and why.
    fn covered(&self, raw: &raw::Field, ty: &Type, members: &[Member]) -> Result<Expr, (&'static str, String)> {
        let int = self
            .schema
            .unsigned_int(ty)
            .ok_or_else(|| ("type", format!("{} is not an unsigned integer", raw.ty)))?;
        let offset = match raw.offset {
            None => return Err(("name", "states no offset".to_owned())),
            Some(offset) => offset
                .same()
                .ok_or_else(|| ("offset", "depends on the pointer size".to_owned()))?,
        };
        for (key, expression) in [("count", &raw.count), ("if", &raw.condition)] {
            if expression.is_some() {
                return Err((key, "not for an overlay".to_owned()));
            }
        }
        let end = offset.saturating_add(int.bytes);
        let mut at = offset;
        let mut value: Option<Expr> = None;
        for (index, member) in members.iter().enumerate() {
            let MemberKind::Stored(stored) = &member.kind else { continue };
            let Some(start) = member
                .offset
                .and_then(PerPointer::same)
                .filter(|start| *start >= offset && *start < end)
            else {
                continue;
            };
            let part = self
                .schema
                .unsigned_int(&stored.ty)
                .filter(|_| stored.count.is_none() && stored.condition.is_none());
            let Some(part) = part.filter(|_| start == at) else {
                let reason = if start == at {
                    "is not a single unsigned integer".to_owned()
                } else {
                    format!("begins at 0x{start:02X}, not at 0x{at:02X}")
                };
                return Err(("offset", format!("`{}`, which it covers, {reason}", member.name)));
            };
            let bits = Expr::Name(Reference::Field(vec![index]));
            let shift = u64::from(start - offset) * 8;
            let bits = if shift == 0 {
                bits
            } else {
                binary(Binary::ShiftLeft, bits, shift)
            };
            value = Some(match value {
                Some(low) => Expr::Binary(Binary::BitOr, Box::new(low), Box::new(bits)),
                None => bits,
            });
            at = start.saturating_add(part.bytes);
        }
        value.filter(|_| at == end).ok_or_else(|| {
            let last = end.saturating_sub(1);
            (
                "offset",
                format!("no whole fields before it take the bytes 0x{offset:02X} to 0x{last:02X}"),
            )
        })
    }

    /// Adds the bit ranges of the member `field`.
    pub(super) fn bit_ranges(&mut self, raw: &'a raw::Field, place: &Place, field: usize, members: &mut Vec<Member>) {
        let int = members.get(field).and_then(|member| match &member.kind {
            MemberKind::Stored(Stored { ty, count: None, .. }) => self.schema.unsigned_int(ty),
            _ => None,
        });
        let mut taken: Vec<(u64, usize, Windows)> = Vec::new();
        for (index, range) in raw.bits.iter().enumerate() {
            let at = place.key("bits").index(index);
            self.check_name(&range.name, &at.key("name"));
            let (first, last) = match bit_numbers(&range.bits, int) {
                Ok(bits) => bits,
                Err(label) => {
                    self.report(
                        Diagnostic::at(
                            Code::BitRange,
                            &at.key("bits"),
                            format!("`{}` is not a bit range of `{}`", range.name, raw.name),
                            label,
                        )
                        .help("write first-last, such as 8-10, within an unsigned integer field; bit 0 is the lowest"),
                    );
                    (0, 0)
                }
            };
            let mask = u64::MAX >> (63 - (last - first));
            let windows = self.windows(range.since.as_ref(), range.until.as_ref(), &at);
            // Ranges of different Windows versions may share bits; `member_versions` checks those.
            let unspoken = windows == (None, None);
            let clash = taken
                .iter()
                .find(|(bits, _, others)| bits & mask << first != 0 && (unspoken || *others == (None, None)))
                .and_then(|(_, other, _)| Some((*other, raw.bits.get(*other)?)));
            if let Some((other, earlier)) = clash
                && bit_numbers(&range.bits, int).is_ok()
            {
                self.report(
                    Diagnostic::at(
                        Code::BitRange,
                        &at.key("bits"),
                        format!("`{}` overlaps `{}`", range.name, earlier.name),
                        "takes bits that are taken",
                    )
                    .and(
                        &place.key("bits").index(other).key("bits"),
                        format!("taken by `{}`", earlier.name),
                    )
                    .help("each bit belongs to one range"),
                );
            }
            if bit_numbers(&range.bits, int).is_ok() {
                taken.push((mask << first, index, windows));
            }
            let ty = range
                .ty
                .as_ref()
                .and_then(|name| self.type_named(name, Length::Rest, &at.key("type")));
            let ty = ty.unwrap_or(Type::Int(int.unwrap_or(Int { bytes: 8, signed: false })));
            let of = Expr::Name(Reference::Field(vec![field]));
            let shifted = if first == 0 {
                of
            } else {
                binary(Binary::ShiftRight, of, first.into())
            };
            let value = binary(Binary::BitAnd, shifted, mask);
            let computed = Computed {
                value,
                ty,
                origin: Origin::Bits {
                    of: raw.name.clone(),
                    first,
                    last,
                },
            };
            let doc = self.doc(range.doc.as_ref(), &format!("the bit range {}", range.name), &at);
            let named = Named {
                name: &range.name,
                doc,
                unit: None,
                role: range.role.as_ref(),
                hidden: range.hidden,
                hex: false,
                windows,
            };
            self.computed(named, computed, &at, members);
        }
    }

    /// Adds a derived value.
    pub(super) fn derived(&mut self, raw: &'a raw::Derived, place: &Place, later: &[&str], members: &mut Vec<Member>) {
        self.check_name(&raw.name, &place.key("name"));
        let doc = self.doc(raw.doc.as_ref(), &format!("the derived value {}", raw.name), place);
        let ty = self.type_named(&raw.ty, Length::Rest, &place.key("type"));
        let value = self.expression(
            &raw.value,
            Scope {
                members,
                later,
                context: false,
            },
            &place.key("value"),
        );
        let text = match &raw.value {
            raw::Expression::Number(number) => number.to_string(),
            raw::Expression::Text(text) => text.clone(),
        };
        let named = Named {
            name: &raw.name,
            doc,
            unit: raw.unit.clone(),
            role: raw.role.as_ref(),
            hidden: raw.hidden,
            hex: raw.format == Some(raw::Format::Hex),
            windows: (None, None),
        };
        // What could not be resolved stays as a number, so that others can name it.
        let ty = ty.unwrap_or(Type::Int(Int { bytes: 8, signed: false }));
        let value = value.unwrap_or(Expr::Number(0));
        self.computed(
            named,
            Computed {
                value,
                ty,
                origin: Origin::Derived(text),
            },
            place,
            members,
        );
    }

    fn computed(&mut self, named: Named<'_>, computed: Computed, place: &Place, members: &mut Vec<Member>) {
        let role = if self.schema.unsigned_int(&computed.ty).is_some() {
            self.role(named.role, &computed.ty, false, place)
        } else {
            self.report(
                Diagnostic::at(
                    Code::NotANumber,
                    &place.key("type"),
                    format!("`{}` cannot be of type `{}`", named.name, self.schema.type_name(&computed.ty)),
                    "not an unsigned integer",
                )
                .help("use u8, u16, u32, u64, an enum or a flag table"),
            );
            None
        };
        members.push(Member {
            name: named.name.to_owned(),
            rust_name: field_name(named.name),
            doc: named.doc,
            unit: named.unit,
            role,
            hidden: named.hidden,
            hex: named.hex,
            offset: None,
            since: named.windows.0,
            until: named.windows.1,
            kind: MemberKind::Computed(computed),
            place: place.clone(),
        });
    }
}

/// What bit ranges and derived values have in common.
struct Named<'a> {
    name: &'a str,
    doc: String,
    unit: Option<String>,
    role: Option<&'a String>,
    hidden: bool,
    hex: bool,
    windows: Windows,
}

/// First and last bit of a range in a field of the type `int`, or why there are none.
fn bit_numbers(bits: &raw::Bits, int: Option<Int>) -> Result<(u32, u32), String> {
    let int = int.ok_or("the field is not a single unsigned integer")?;
    let (first, last) = match bits {
        raw::Bits::One(bit) => (*bit, *bit),
        raw::Bits::Range(text) => text
            .split_once('-')
            .and_then(|(first, last)| Some((first.trim().parse().ok()?, last.trim().parse().ok()?)))
            .ok_or("not first-last")?,
    };
    if first > last {
        return Err("the first bit is above the last".to_owned());
    }
    let highest = 8 * int.bytes - 1;
    if last > highest {
        Err(format!("the highest bit of {} is {highest}", int.name()))
    } else {
        Ok((first, last))
    }
}

fn binary(operator: Binary, left: Expr, right: u64) -> Expr {
    Expression::Binary(operator, Box::new(left), Box::new(Expr::Number(right)))
}
