//! Fields: their length, count, condition and expected value.

use super::Resolver;
use super::expression::Scope;
use super::placement::End;
use super::types::field_extent;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::expr::Expr;
use crate::model::{Computed, Extent, Int, Length, Member, MemberKind, Origin, PerPointer, Stored, Type};
use crate::names::field_name;
use crate::{raw, roles};

impl<'a> Resolver<'a> {
    /// Resolves field `index` of a structure, and its bit ranges.
    pub(super) fn field(
        &mut self,
        structure: &'a raw::Structure,
        index: usize,
        place: &Place,
        members: &mut Vec<Member>,
        end: &mut End,
    ) {
        let Some(raw) = structure.fields.get(index) else { return };
        let place = &place.key("fields").index(index);
        self.check_name(&raw.name, &place.key("name"));
        let number = Type::Int(Int { bytes: 8, signed: false });
        let (since, until) = self.windows(raw.since.as_ref(), raw.until.as_ref(), place);
        let mut member = Member {
            name: raw.name.clone(),
            rust_name: field_name(&raw.name),
            doc: self.doc(raw.doc.as_ref(), &format!("the field {}.{}", structure.name, raw.name), place),
            unit: raw.unit.clone(),
            // Kept even if the field can't be resolved, so that its absence is not reported as well.
            role: raw.role.as_ref().and_then(|name| roles::find(name)).map(|(_, role)| role),
            hidden: raw.hidden,
            hex: raw.format == Some(raw::Format::Hex) || raw.ty == "ptr",
            offset: raw.offset,
            since,
            until,
            kind: MemberKind::Computed(Computed {
                value: Expr::Number(0),
                ty: number.clone(),
                origin: Origin::Overlay,
            }),
            place: place.clone(),
        };
        let later = later_names(structure, index);
        let scope = Scope {
            members,
            later: &later,
            context: true,
        };
        if raw.overlay {
            // What can't be resolved stays as a number, so that others can name it.
            if let Some(ty) = self.field_type(raw, scope, place) {
                self.role(raw.role.as_ref(), &ty, raw.count.is_some(), place);
                if let Some(computed) = self.overlay(raw, &ty, members, place) {
                    member.kind = MemberKind::Computed(computed);
                }
            }
            members.push(member);
            return;
        }
        let at = members.len();
        match self.stored(raw, scope, place) {
            Some(stored) => {
                let in_doubt = match &stored.ty {
                    Type::Structure(index) => self.unsized_structures.contains(index),
                    Type::Table(index) => self.unsized_tables.contains(index),
                    _ => false,
                };
                if in_doubt {
                    end.lose(&raw.name, place);
                    if stored.extent.varies {
                        end.extent.varies = true;
                    }
                } else {
                    member.offset = self.place_field(raw, place, stored.extent, next_stated(structure, index), end);
                }
                if takes_rest(&stored) {
                    end.rest = Some((raw.name.clone(), place.clone()));
                }
                member.kind = MemberKind::Stored(stored);
            }
            None => {
                end.lose(&raw.name, place);
                let extent = Extent::exactly(8);
                member.kind = MemberKind::Stored(Stored {
                    ty: number,
                    count: None,
                    condition: None,
                    expect: None,
                    extent,
                });
            }
        }
        members.push(member);
        self.bit_ranges(raw, place, at, members);
    }

    /// What a field holds; `None` if its size can't be known, after a report.
    fn stored(&mut self, raw: &raw::Field, scope: Scope<'_>, place: &Place) -> Option<Stored> {
        if self.cyclic.contains(place) {
            return None;
        }
        let ty = self.field_type(raw, scope, place);
        let count = raw.count.as_ref().map(|count| self.length(count, scope, &place.key("count")));
        let condition = raw
            .condition
            .as_ref()
            .map(|condition| self.expression(condition, scope, &place.key("if")));
        let ty = ty?;
        self.role(raw.role.as_ref(), &ty, raw.count.is_some(), place);
        let (count, condition) = (flip(count)?, flip(condition)?);
        self.check_expect(raw, &ty, place);
        if !self.check_count(raw, &ty, count.as_ref(), condition.is_some(), place) {
            return None;
        }
        let extent = field_extent(&self.schema, &ty, count.as_ref(), condition.is_some());
        Some(Stored {
            ty,
            count,
            condition,
            expect: raw.expect,
            extent,
        })
    }

    fn field_type(&mut self, raw: &raw::Field, scope: Scope<'_>, place: &Place) -> Option<Type> {
        let size = match &raw.size {
            Some(size) => Some(self.length(size, scope, &place.key("size"))?),
            None => None,
        };
        let ty = self.type_named(&raw.ty, size.clone().unwrap_or(Length::Rest), &place.key("type"))?;
        let sized = matches!(ty, Type::Bytes(_) | Type::Utf16(_) | Type::Ansi(_));
        match size {
            None if sized => {
                self.report(
                    Diagnostic::at(
                        Code::Length,
                        &place.key("type"),
                        format!("`{}` has no size", raw.name),
                        format!("{} needs one", raw.ty),
                    )
                    .help("add `size:` with a number of bytes, an expression over earlier fields, or `rest`"),
                );
                None
            }
            Some(_) if !sized => {
                self.report(
                    Diagnostic::at(
                        Code::Length,
                        &place.key("size"),
                        format!("`{}` takes no size", raw.ty),
                        "not used",
                    )
                    .help("use `count:` for an array, or one of bytes, utf16, ansi"),
                );
                Some(ty)
            }
            _ => Some(ty),
        }
    }

    /// Whether the count and the condition of a field can be; what can't is reported.
    fn check_count(&mut self, raw: &raw::Field, ty: &Type, count: Option<&Length>, conditional: bool, place: &Place) -> bool {
        let countable = matches!(
            ty,
            Type::Int(_) | Type::Pointer | Type::Guid | Type::Filetime | Type::Table(_) | Type::Structure(_)
        );
        let diagnostic = if count.is_some() && !countable {
            Diagnostic::at(
                Code::Length,
                &place.key("count"),
                format!("no array can be made of `{}`", raw.ty),
                "not an array",
            )
            .help("wrap it in a structure of its own and make an array of that")
        } else if count == Some(&Length::Rest) && self.may_be_empty(ty) {
            Diagnostic::at(
                Code::Length,
                &place.key("count"),
                "an element that may be empty can't fill the rest",
                "never ends",
            )
            .help(format!("give {} at least one byte that is always there", raw.ty))
        } else if conditional
            && count.is_none()
            && matches!(ty, Type::Pointer | Type::Structure(_) | Type::Utf16(_) | Type::Ansi(_))
        {
            Diagnostic::at(
                Code::Length,
                &place.key("if"),
                format!("a field of type `{}` cannot be conditional", raw.ty),
                "not possible",
            )
            .help("put the condition into its length: `count: condition ? 1 : 0`, or `size: condition ? n : 0`")
        } else {
            return true;
        };
        self.report(diagnostic);
        false
    }

    fn may_be_empty(&self, ty: &Type) -> bool {
        let Type::Structure(index) = ty else { return false };
        let element = self
            .schema
            .structures
            .get(*index)
            .map_or(Extent::exactly(0), |element| element.extent);
        element.fixed.p32.min(element.fixed.p64) == 0 && !self.unsized_structures.contains(index)
    }

    fn check_expect(&mut self, raw: &raw::Field, ty: &Type, place: &Place) {
        let Some(expect) = raw.expect else { return };
        let fits = match ty {
            Type::Pointer => true,
            other => self.schema.unsigned_int(other).is_some_and(|int| expect <= int.max()),
        };
        if !fits || raw.count.is_some() {
            self.report(
                Diagnostic::at(
                    Code::Expect,
                    &place.key("expect"),
                    format!("`{}` can never be {expect:#x}", raw.name),
                    format!("not a value of {}", raw.ty),
                )
                .help("only a single unsigned integer, enum or flag field has an expected value, and it must fit"),
            );
        }
    }
}

/// What is absent is fine; what is there must have been resolved.
fn flip<T>(value: Option<Option<T>>) -> Option<Option<T>> {
    match value {
        None => Some(None),
        Some(None) => None,
        Some(some) => Some(some),
    }
}

fn takes_rest(stored: &Stored) -> bool {
    stored.count == Some(Length::Rest)
        || matches!(
            &stored.ty,
            Type::Bytes(Length::Rest) | Type::Utf16(Length::Rest) | Type::Ansi(Length::Rest)
        )
}

/// Where the schema says that the field at `index` ends: the offset of the next one, or the size of the structure.
fn next_stated(structure: &raw::Structure, index: usize) -> Option<PerPointer> {
    match structure.fields.iter().skip(index + 1).find(|field| !field.overlay) {
        Some(next) => next.offset,
        None => structure.size.or(structure.min_size),
    }
}

/// Names of a structure that are read with the field at `index` or after it.
fn later_names(raw: &raw::Structure, index: usize) -> Vec<&str> {
    let fields = raw.fields.iter().skip(index);
    let bits = raw
        .fields
        .iter()
        .skip(index)
        .flat_map(|field| &field.bits)
        .map(|range| range.name.as_str());
    fields
        .map(|field| field.name.as_str())
        .chain(bits)
        .chain(raw.derived.iter().map(|derived| derived.name.as_str()))
        .collect()
}
