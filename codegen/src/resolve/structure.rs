//! Structures: types and places of their fields, and that these fit together.

use super::names::Definition;
use super::Resolver;
use super::expression::Scope;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::expr::{Binary, Expr, Expression, Reference};
use crate::model::{Computed, Extent, Length, Member, MemberKind, Origin, PerPointer, Stored, Structure, Type};
use crate::names::{closest, field_name, type_name};
use crate::raw;
use crate::roles::{self, Role, RoleType};

/// Names of the built-in types.
pub(crate) const BUILT_IN: &[&str] = &[
    "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "ptr", "guid", "filetime", "bytes", "utf16", "ansi", "utf16z", "ansiz",
    "utf8z", "sid",
];

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
                raw.structures.iter().enumerate().map(move |(at, raw)| (Place::file(file).key("structures").index(at), raw))
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
        let (Some((place, raw)), Some(State::Pending)) = (raws.get(index), states.get(index)) else { return };
        states[index] = State::Active;
        // Structures that this one holds come first, since its size needs theirs.
        for (at, field) in raw.fields.iter().enumerate() {
            if let Some((Definition::Structure(inner), _)) = self.names.get(field.ty.as_str()) {
                let inner = *inner;
                if states.get(inner) == Some(&State::Active) {
                    self.report(
                        Diagnostic::at(
                            Code::Cycle,
                            &place.key("fields").index(at).key("type"),
                            format!("{} contains itself through `{}`", raw.name, field.name),
                            "leads back to this structure",
                        )
                        .help("a structure cannot hold itself: use an array of bytes, or another structure"),
                    );
                } else {
                    self.structure(inner, raws, states);
                }
            }
        }
        let resolved = self.resolve_structure(raw, place);
        self.schema.structures[index] = resolved;
        states[index] = State::Done;
    }

    fn resolve_structure(&mut self, raw: &'a raw::Structure, place: &Place) -> Structure {
        let what = format!("the structure {}", raw.name);
        let mut structure = placeholder(raw, place);
        structure.doc = self.doc(raw.doc.as_ref(), &what, place);
        structure.sources = self.sources(place.file, &raw.sources, &what, place);
        structure.since = self.windows_version(raw.since.as_ref(), &place.key("since"));
        structure.until = self.windows_version(raw.until.as_ref(), &place.key("until"));
        let mut end = End { extent: Extent::exactly(0), last: None, rest: None, broken: false };
        for (at, field) in raw.fields.iter().enumerate() {
            let at_place = place.key("fields").index(at);
            let later: Vec<&str> = later_names(raw, at);
            self.field(raw, field, &at_place, &later, &mut structure.members, &mut end);
        }
        for (at, derived) in raw.derived.iter().enumerate() {
            self.derived(derived, &place.key("derived").index(at), &mut structure.members);
        }
        self.duplicate_members(&structure);
        structure.extent = end.extent;
        if !end.broken {
            self.size(raw, place, &end);
        }
        structure
    }

    fn field(
        &mut self,
        structure: &'a raw::Structure,
        raw: &'a raw::Field,
        place: &Place,
        later: &[&str],
        members: &mut Vec<Member>,
        end: &mut End,
    ) {
        self.check_name(&raw.name, &place.key("name"));
        let what = format!("the field {}.{}", structure.name, raw.name);
        let member = Member {
            name: raw.name.clone(),
            rust_name: field_name(&raw.name),
            doc: self.doc(raw.doc.as_ref(), &what, place),
            unit: raw.unit.clone(),
            role: None,
            hidden: raw.hidden,
            hex: raw.format == Some(raw::Format::Hex) || raw.ty == "ptr",
            offset: None,
            kind: MemberKind::Stored(Stored { ty: Type::Guid, count: None, condition: None, expect: raw.expect, extent: Extent::exactly(0) }),
            place: place.clone(),
        };
        let scope = Scope { members, later, context: true };
        let Some(ty) = self.field_type(raw, scope, place) else {
            end.broken = true;
            return;
        };
        let role = self.role(raw.role.as_ref(), &ty, raw.count.is_some(), place);
        if raw.overlay {
            if let Some(computed) = self.overlay(raw, &ty, members, place) {
                members.push(Member { role, offset: raw.offset, kind: MemberKind::Computed(computed), ..member });
            }
            return;
        }
        let count = match &raw.count {
            Some(count) => match self.length(count, scope, &place.key("count")) {
                Some(count) => Some(count),
                None => return end.broken = true,
            },
            None => None,
        };
        let condition = match &raw.condition {
            Some(condition) => match self.expression(condition, scope, &place.key("if")) {
                Some(condition) => Some(condition),
                None => return end.broken = true,
            },
            None => None,
        };
        self.check_count(raw, &ty, count.as_ref(), condition.is_some(), place);
        self.check_expect(raw, &ty, place);
        let extent = field_extent(&self.schema.structures, &ty, count.as_ref(), condition.is_some(), &self.schema);
        let offset = self.place_field(raw, place, end);
        let takes_rest = matches!(count, Some(Length::Rest)) || matches!(&ty, Type::Bytes(Length::Rest) | Type::Utf16(Length::Rest) | Type::Ansi(Length::Rest));
        end.extent = after(end.extent, extent);
        end.last = Some((raw.name.clone(), place.clone(), extent));
        if takes_rest {
            end.rest = Some((raw.name.clone(), place.clone()));
        }
        let index = members.len();
        let stored = Stored { ty, count, condition, expect: raw.expect, extent };
        members.push(Member { role, offset, kind: MemberKind::Stored(stored), ..member });
        self.bit_ranges(raw, place, index, members);
    }

    /// Checks a field's stated offset against the end of the field before, and gives its place if that is fixed.
    fn place_field(&mut self, raw: &raw::Field, place: &Place, end: &End) -> Option<PerPointer> {
        if let Some((rest, rest_place)) = &end.rest {
            self.report(
                Diagnostic::at(Code::Rest, place, format!("`{}` follows the rest of the record", raw.name), "nothing is left for it")
                    .and(rest_place, format!("`{rest}` takes the rest"))
                    .help(format!("give `{rest}` a size, or make it the last field")),
            );
        }
        let next = end.extent.fixed;
        let (offset, varies) = (raw.offset, end.extent.varies);
        let (last_name, last_place) = match &end.last {
            Some((name, place, _)) => (name.as_str(), Some(place)),
            None => ("", None),
        };
        let add = |diagnostic: Diagnostic, label: String| match last_place {
            Some(last) => diagnostic.and(last, label),
            None => diagnostic,
        };
        match (offset, varies) {
            (None, true) => return None,
            (None, false) => {
                self.report(
                    Diagnostic::at(Code::MissingOffset, place, format!("`{}` states no offset", raw.name), "at a fixed place")
                        .help(format!("write `offset: {}`", yaml_number(next))),
                );
            }
            (Some(_), true) => {
                let diagnostic = Diagnostic::at(
                    Code::NeedlessOffset,
                    &place.key("offset"),
                    format!("`{}` has an offset, but follows a part that varies", raw.name),
                    "no fixed place",
                );
                self.report(add(diagnostic, format!("the size up to the end of `{last_name}` varies")).help("leave the offset out"));
                return None;
            }
            (Some(offset), false) if offset.p32 < next.p32 || offset.p64 < next.p64 => {
                let diagnostic = Diagnostic::at(
                    Code::Overlap,
                    &place.key("offset"),
                    format!("field `{}` starts inside `{last_name}`", raw.name),
                    format!("offset {offset}"),
                );
                self.report(
                    add(diagnostic, format!("`{last_name}` ends at {next}, so that is the next free offset")).help(format!(
                        "write `offset: {}`, correct the type of `{last_name}`, or mark the field `overlay: true` if it reads the same bytes on purpose",
                        yaml_number(next)
                    )),
                );
            }
            (Some(offset), false) if offset != next => {
                let diagnostic = Diagnostic::at(
                    Code::Gap,
                    &place.key("offset"),
                    format!("bytes before `{}` are not described", raw.name),
                    format!("offset {offset}"),
                );
                let reason = if last_name.is_empty() { String::new() } else { format!("`{last_name}` ends at {next}") };
                let missing = offset.p64.saturating_sub(next.p64).max(offset.p32.saturating_sub(next.p32));
                self.report(add(diagnostic, reason).help(format!(
                    "write `offset: {}`, correct the type before it, or declare the {missing} bytes: {{name: Padding, offset: {}, type: bytes, size: {missing}, hidden: true, doc: \"...\"}}",
                    yaml_number(next),
                    yaml_number(next)
                )));
            }
            (Some(_), false) => {}
        }
        Some(next)
    }

    fn field_type(&mut self, raw: &raw::Field, scope: Scope<'_>, place: &Place) -> Option<Type> {
        let size = match &raw.size {
            Some(size) => Some(self.length(size, scope, &place.key("size"))?),
            None => None,
        };
        let sized = matches!(raw.ty.as_str(), "bytes" | "utf16" | "ansi");
        match size {
            None if sized => {
                self.report(
                    Diagnostic::at(Code::Length, place, format!("`{}` has no size", raw.name), format!("{} needs one", raw.ty))
                        .help("add `size:` with a number of bytes, an expression over earlier fields, or `rest`"),
                );
                return None;
            }
            Some(_) if !sized => {
                self.report(
                    Diagnostic::at(Code::Length, &place.key("size"), format!("`{}` takes no size", raw.ty), "not used")
                        .help("use `count:` for an array, or one of bytes, utf16, ansi"),
                );
            }
            _ => {}
        }
        self.type_named(&raw.ty, size.unwrap_or(Length::Rest), &place.key("type"))
    }

    /// Finds a type by name; an unknown one is reported.
    pub(super) fn type_named(&mut self, name: &str, size: Length, place: &Place) -> Option<Type> {
        let ty = match name {
            "ptr" => Type::Pointer,
            "guid" => Type::Guid,
            "filetime" => Type::Filetime,
            "bytes" => Type::Bytes(size),
            "utf16" => Type::Utf16(size),
            "ansi" => Type::Ansi(size),
            "utf16z" => Type::Utf16Z,
            "ansiz" => Type::AnsiZ,
            "utf8z" => Type::Utf8Z,
            "sid" => Type::Sid,
            _ => match (crate::model::Int::find(name), self.names.get(name)) {
                (Some(int), _) => Type::Int(int),
                (None, Some((Definition::Structure(index), _))) => Type::Structure(*index),
                (None, Some((Definition::Table(index), _))) => Type::Table(*index),
                _ => {
                    let known = self
                        .names
                        .iter()
                        .filter(|(_, (definition, _))| matches!(definition, Definition::Structure(_) | Definition::Table(_)))
                        .map(|(name, _)| *name)
                        .chain(BUILT_IN.iter().copied());
                    let help = match closest(name, known) {
                        Some(similar) => format!("did you mean `{similar}`?"),
                        None => format!("use a structure, an enum, a flag table, or one of {}", BUILT_IN.join(", ")),
                    };
                    self.report(Diagnostic::at(Code::UnknownType, place, format!("unknown type `{name}`"), "unknown type").help(help));
                    return None;
                }
            },
        };
        Some(ty)
    }

    fn check_count(&mut self, raw: &raw::Field, ty: &Type, count: Option<&Length>, conditional: bool, place: &Place) {
        let countable = matches!(ty, Type::Int(_) | Type::Pointer | Type::Guid | Type::Filetime | Type::Table(_) | Type::Structure(_));
        if count.is_some() && !countable {
            self.report(
                Diagnostic::at(Code::Length, &place.key("count"), format!("no array can be made of `{}`", raw.ty), "not an array")
                    .help("wrap the text in a structure of its own and make an array of that"),
            );
        }
        if count == Some(&Length::Rest)
            && let Type::Structure(index) = ty
            && self.schema.structures.get(*index).is_some_and(|element| element.extent.fixed.p32.min(element.extent.fixed.p64) == 0)
        {
            self.report(
                Diagnostic::at(Code::Length, &place.key("count"), "an element that may be empty can't fill the rest", "never ends")
                    .help("give the element at least one byte that is always there"),
            );
        }
        if conditional && count.is_none() && matches!(ty, Type::Pointer | Type::Structure(_) | Type::Utf16(_) | Type::Ansi(_)) {
            self.report(
                Diagnostic::at(Code::Length, &place.key("if"), format!("a field of type `{}` cannot be conditional", raw.ty), "not possible")
                    .help("put the condition into its length: `count: condition ? 1 : 0`, or `size: condition ? n : 0`"),
            );
        }
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

    /// Makes an overlay from the whole integer fields that it covers.
    fn overlay(&mut self, raw: &raw::Field, ty: &Type, members: &[Member], place: &Place) -> Option<Computed> {
        let fail = |resolver: &mut Self, label: &str| {
            resolver.report(
                Diagnostic::at(Code::Overlay, place, format!("the overlay `{}` does not cover whole fields", raw.name), label)
                    .help("an overlay states an offset, is a single unsigned integer or table, and covers whole unsigned fields that stand before it"),
            );
            None
        };
        let int = self.schema.unsigned_int(ty);
        let (Some(int), Some(offset), None, None) = (int, raw.offset.and_then(PerPointer::same), &raw.count, &raw.condition) else {
            return fail(self, "not a plain unsigned integer at one offset");
        };
        let end = offset + int.bytes;
        let mut at = offset;
        let mut value: Option<Expr> = None;
        for (index, member) in members.iter().enumerate() {
            let MemberKind::Stored(stored) = &member.kind else { continue };
            let Some(start) = member.offset.and_then(PerPointer::same) else { continue };
            let covered = start >= offset && start < end;
            if !covered {
                continue;
            }
            let part = self.schema.unsigned_int(&stored.ty).filter(|_| stored.count.is_none() && stored.condition.is_none());
            let Some(part) = part.filter(|_| start == at) else { return fail(self, "a covered field is not an unsigned integer") };
            let bits = Expr::Name(Reference::Field(vec![index]));
            let shift = u64::from(start - offset) * 8;
            let bits = if shift == 0 { bits } else { Expr::Binary(Binary::ShiftLeft, Box::new(bits), Box::new(Expr::Number(shift))) };
            value = Some(match value {
                Some(low) => Expr::Binary(Binary::BitOr, Box::new(low), Box::new(bits)),
                None => bits,
            });
            at += part.bytes;
        }
        match value {
            Some(value) if at == end => Some(Computed { value, ty: ty.clone(), origin: Origin::Overlay }),
            _ => fail(self, "its bytes are not those of whole fields before it"),
        }
    }

    fn bit_ranges(&mut self, raw: &'a raw::Field, place: &Place, field: usize, members: &mut Vec<Member>) {
        let mut taken = 0u64;
        for (at, range) in raw.bits.iter().enumerate() {
            let at = place.key("bits").index(at);
            self.check_name(&range.name, &at.key("name"));
            let int = members.get(field).and_then(|member| match &member.kind {
                MemberKind::Stored(Stored { ty, count: None, .. }) => self.schema.unsigned_int(ty),
                _ => None,
            });
            let bits = match &range.bits {
                raw::Bits::One(bit) => Some((*bit, *bit)),
                raw::Bits::Range(text) => text.split_once('-').and_then(|(first, last)| {
                    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
                }),
            };
            let good = match (int, bits) {
                (Some(int), Some((first, last))) => first <= last && last < 8 * int.bytes,
                _ => false,
            };
            let (Some(int), Some((first, last)), true) = (int, bits, good) else {
                self.report(
                    Diagnostic::at(Code::BitRange, &at.key("bits"), format!("`{}` is not a bit range of `{}`", range.name, raw.name), "bad range")
                        .help("write first-last, such as 8-10, within an unsigned integer field; bit 0 is the lowest"),
                );
                continue;
            };
            let mask = u64::MAX >> (63 - (last - first));
            if taken & mask << first != 0 {
                self.report(
                    Diagnostic::at(Code::BitRange, &at.key("bits"), format!("`{}` overlaps another bit range", range.name), "bits taken before")
                        .help("each bit belongs to one range"),
                );
            }
            taken |= mask << first;
            let ty = match &range.ty {
                Some(name) => self.type_named(name, Length::Rest, &at.key("type")),
                None => Some(Type::Int(int)),
            };
            let Some(ty) = ty else { continue };
            let of = Expr::Name(Reference::Field(vec![field]));
            let shifted = if first == 0 { of } else { Expression::Binary(Binary::ShiftRight, Box::new(of), Box::new(Expr::Number(first.into()))) };
            let value = Expr::Binary(Binary::BitAnd, Box::new(shifted), Box::new(Expr::Number(mask)));
            let computed = Computed { value, ty, origin: Origin::Bits { of: raw.name.clone(), first, last } };
            let doc = self.doc(range.doc.as_ref(), &format!("the bit range {}", range.name), &at);
            self.computed(Named { name: &range.name, doc, unit: None, role: range.role.as_ref(), hidden: range.hidden, hex: false }, computed, &at, members);
        }
    }

    fn derived(&mut self, raw: &'a raw::Derived, place: &Place, members: &mut Vec<Member>) {
        self.check_name(&raw.name, &place.key("name"));
        let doc = self.doc(raw.doc.as_ref(), &format!("the derived value {}", raw.name), place);
        let ty = self.type_named(&raw.ty, Length::Rest, &place.key("type"));
        let value = self.expression(&raw.value, Scope { members, later: &[], context: false }, &place.key("value"));
        let (Some(ty), Some(value)) = (ty, value) else { return };
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
        };
        self.computed(named, Computed { value, ty, origin: Origin::Derived(text) }, place, members);
    }

    fn computed(&mut self, named: Named<'_>, computed: Computed, place: &Place, members: &mut Vec<Member>) {
        if self.schema.unsigned_int(&computed.ty).is_none() {
            self.report(
                Diagnostic::at(Code::NotANumber, &place.key("type"), format!("`{}` cannot be computed", named.name), "not an unsigned integer")
                    .help("use u8, u16, u32, u64, an enum or a flag table"),
            );
            return;
        }
        let role = self.role(named.role, &computed.ty, false, place);
        members.push(Member {
            name: named.name.to_owned(),
            rust_name: field_name(named.name),
            doc: named.doc,
            unit: named.unit,
            role,
            hidden: named.hidden,
            hex: named.hex,
            offset: None,
            kind: MemberKind::Computed(computed),
            place: place.clone(),
        });
    }

    fn role(&mut self, name: Option<&String>, ty: &Type, array: bool, place: &Place) -> Option<&'static Role> {
        let name = name?;
        let Some((_, role)) = roles::find(name) else {
            let known = roles::ROLE_SETS.iter().flat_map(|set| set.roles).map(|role| role.name);
            let help = match closest(name, known) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => "see the table of roles in schema/FORMAT.md".to_owned(),
            };
            self.report(Diagnostic::at(Code::UnknownRole, &place.key("role"), format!("unknown role `{name}`"), "unknown role").help(help));
            return None;
        };
        let fits = !array
            && match role.ty {
                RoleType::Unsigned => *ty == Type::Pointer || self.schema.unsigned_int(ty).is_some(),
                RoleType::Signed => matches!(ty, Type::Filetime | Type::Int(_)),
                RoleType::Guid => *ty == Type::Guid,
                RoleType::Text => matches!(ty, Type::Utf16Z | Type::Utf16(_) | Type::AnsiZ | Type::Utf8Z | Type::Ansi(_)),
            };
        if !fits {
            let wants = match role.ty {
                RoleType::Unsigned => "a single unsigned integer, enum or flag field",
                RoleType::Signed => "a single integer or filetime",
                RoleType::Guid => "a single guid",
                RoleType::Text => "a single text field",
            };
            self.report(
                Diagnostic::at(Code::RoleMismatch, &place.key("role"), format!("the role `{name}` does not fit this field"), "does not fit")
                    .help(format!("the role takes {wants}")),
            );
            return None;
        }
        Some(role)
    }

    fn duplicate_members(&mut self, structure: &Structure) {
        for (index, member) in structure.members.iter().enumerate() {
            let before = structure.members.iter().take(index);
            if let Some(first) = before.clone().find(|first| first.name == member.name || first.rust_name == member.rust_name) {
                self.report(
                    Diagnostic::at(
                        Code::DuplicateName,
                        &member.place.key("name"),
                        format!("`{}` is used twice in {}", member.name, structure.name),
                        "used again here",
                    )
                    .and(&first.place.key("name"), "first used here")
                    .help("give one of the two another name"),
                );
            }
        }
    }

    fn size(&mut self, raw: &raw::Structure, place: &Place, end: &End) {
        let (key, stated, wanted) = if end.extent.varies {
            ("min_size", raw.min_size, "it varies, so state the part that is always there")
        } else {
            ("size", raw.size, "its size never varies")
        };
        let other = if end.extent.varies { raw.size.map(|_| "size") } else { raw.min_size.map(|_| "min_size") };
        let actual = end.extent.fixed;
        if let Some(other) = other {
            self.report(
                Diagnostic::at(Code::SizeStatement, &place.key(other), format!("{} states `{other}`: {wanted}", raw.name), "does not apply")
                    .help(format!("write `{key}: {}`", yaml_number(actual))),
            );
        } else if let Some(stated) = stated {
            if stated != actual {
                let diagnostic = Diagnostic::at(
                    Code::SizeMismatch,
                    &place.key(key),
                    format!("the fields of {} end at {actual}, not at {stated}", raw.name),
                    format!("stated as {stated}"),
                );
                let diagnostic = match &end.last {
                    Some((name, last, extent)) => diagnostic.and(last, format!("`{name}` takes {} bytes and ends at {actual}", extent.fixed)),
                    None => diagnostic,
                };
                self.report(diagnostic.help(format!("write `{key}: {}`, or correct the fields", yaml_number(actual))));
            }
        } else {
            self.report(
                Diagnostic::at(Code::SizeStatement, place, format!("{} states no size: {wanted}", raw.name), "size not stated")
                    .help(format!("write `{key}: {}`", yaml_number(actual))),
            );
        }
    }

    /// Checks that variants name a structure, and that for no Windows version two of them apply.
    fn variants(&mut self) {
        let structures = self.schema.structures.clone();
        for (index, variant) in structures.iter().enumerate() {
            let Some(base) = &variant.variant_of else { continue };
            if !structures.iter().any(|structure| structure.name == *base) {
                self.report(
                    Diagnostic::at(Code::UnknownStructure, &variant.place.key("variant_of"), format!("unknown structure `{base}`"), "not a structure")
                        .help(match closest(base, structures.iter().map(|structure| structure.name.as_str())) {
                            Some(similar) => format!("did you mean `{similar}`?"),
                            None => "name the structure whose other form this is".to_owned(),
                        }),
                );
            }
            for other in structures.iter().take(index).chain(structures.iter().skip(index + 1).filter(|other| other.name == *base)) {
                let related = other.name == *base || other.variant_of.as_ref() == Some(base);
                let starts_before_end = |a: &Structure, b: &Structure| b.until.is_none_or(|until| a.since.is_none_or(|since| since < until));
                if related && starts_before_end(variant, other) && starts_before_end(other, variant) {
                    self.report(
                        Diagnostic::at(
                            Code::VariantOverlap,
                            &variant.place,
                            format!("{} and {} both apply to some Windows versions", variant.name, other.name),
                            "applies at the same time",
                        )
                        .and(&other.place, "as this one")
                        .help("set `since` and `until` so that one ends where the other begins"),
                    );
                }
            }
        }
    }

    /// Checks that the roles of a structure, with those of nested ones, are unique and of one kind.
    fn role_sets(&mut self) {
        let schema = std::mem::take(&mut self.schema);
        for structure in &schema.structures {
            let roles = schema.roles_of(structure);
            for (index, (role, _)) in roles.iter().enumerate() {
                let Some((set, _)) = roles::find(role.name) else { continue };
                let problem = roles.iter().take(index).find_map(|(earlier, _)| {
                    let same_set = roles::find(earlier.name).is_some_and(|(earlier_set, _)| earlier_set.trait_name == set.trait_name);
                    if earlier.name == role.name {
                        Some(format!("the role `{}` is used twice", role.name))
                    } else if same_set {
                        None
                    } else {
                        Some(format!("the roles `{}` and `{}` belong to different kinds of structures", earlier.name, role.name))
                    }
                });
                if let Some(message) = problem {
                    self.report(
                        Diagnostic::at(Code::RoleMismatch, &structure.place.key("name"), message, format!("in {}", structure.name))
                            .help("keep one of them"),
                    );
                }
            }
        }
        self.schema = schema;
    }
}

/// Where the fields so far end.
struct End {
    extent: Extent,
    last: Option<(String, Place, Extent)>,
    rest: Option<(String, Place)>,
    /// A field could not be resolved, so sizes say nothing.
    broken: bool,
}

struct Named<'a> {
    name: &'a str,
    doc: String,
    unit: Option<String>,
    role: Option<&'a String>,
    hidden: bool,
    hex: bool,
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

/// Names of a structure that are read after the field at `index`.
fn later_names(raw: &raw::Structure, index: usize) -> Vec<&str> {
    let fields = raw.fields.iter().skip(index);
    let bits = raw.fields.iter().skip(index).flat_map(|field| &field.bits).map(|range| range.name.as_str());
    fields.map(|field| field.name.as_str()).chain(bits).chain(raw.derived.iter().map(|derived| derived.name.as_str())).collect()
}

fn yaml_number(number: PerPointer) -> String {
    match number.same() {
        Some(number) => format!("0x{number:02X}"),
        None => format!("{{32: 0x{:02X}, 64: 0x{:02X}}}", number.p32, number.p64),
    }
}

fn after(start: Extent, field: Extent) -> Extent {
    let fixed = PerPointer {
        p32: start.fixed.p32.saturating_add(field.fixed.p32),
        p64: start.fixed.p64.saturating_add(field.fixed.p64),
    };
    Extent { fixed, varies: start.varies || field.varies }
}

fn field_extent(structures: &[Structure], ty: &Type, count: Option<&Length>, conditional: bool, schema: &crate::model::Schema) -> Extent {
    let varying = |bytes: u32| Extent { varies: true, ..Extent::exactly(bytes) };
    let length = |length: &Length| match length {
        Length::Fixed(bytes) => Extent::exactly(*bytes),
        Length::Computed(_) | Length::Rest => varying(0),
    };
    let element = match ty {
        Type::Int(int) => Extent::exactly(int.bytes),
        Type::Table(_) => Extent::exactly(schema.unsigned_int(ty).map_or(0, |int| int.bytes)),
        Type::Pointer => Extent { fixed: PerPointer { p32: 4, p64: 8 }, varies: false },
        Type::Guid => Extent::exactly(16),
        Type::Filetime => Extent::exactly(8),
        Type::Bytes(size) | Type::Utf16(size) | Type::Ansi(size) => length(size),
        // Text may end with the record, without a terminator.
        Type::Utf16Z | Type::AnsiZ | Type::Utf8Z => varying(0),
        Type::Sid => varying(8),
        Type::Structure(index) => structures.get(*index).map_or(Extent::exactly(0), |structure| structure.extent),
    };
    let whole = match count {
        None => element,
        Some(Length::Fixed(count)) => Extent {
            fixed: PerPointer { p32: element.fixed.p32.saturating_mul(*count), p64: element.fixed.p64.saturating_mul(*count) },
            varies: element.varies,
        },
        Some(Length::Computed(_) | Length::Rest) => varying(0),
    };
    if conditional { varying(0) } else { whole }
}
