//! Structures with their fields and computed values.

use super::super::value::{Facets, Item, Part, Value};
use super::super::{Class, Kind};
use super::expr::expr;
use super::{Items, counted, sources, vectors};
use crate::model::{Computed, Extent, Length, Member, MemberKind, Origin, Stored, Structure, Type};

/// A structure.
pub(super) fn item(items: Items<'_>, index: usize, structure: &Structure) -> Item {
    let Structure {
        name,
        rust_name: _,
        doc,
        sources: known,
        since,
        until,
        variant_of,
        extent: size,
        members,
        vectors: tests,
        place: _,
    } = structure;
    let mut facets = Facets::default();
    facets.text(Class::Layout, "size", extent(*size));
    facets.maybe(Class::Docs, "since", *since);
    facets.maybe(Class::Docs, "until", *until);
    if let Some(base) = variant_of {
        let base = items.schema.structures.iter().position(|other| other.name == *base);
        facets.list(
            Class::Docs,
            "variant of",
            base.map(|base| Value::item(items.structure(base))).into_iter().collect(),
        );
    }
    facets.text(Class::Docs, "doc", doc);
    sources(&mut facets, known);
    vectors(&mut facets, tests);
    let fields = counted(structure.stored().count(), "field");
    Item {
        kind: Kind::Structure,
        name: name.clone(),
        signature: None,
        parent: None,
        presence: Class::Layout,
        summary: Value::text(format!("{} bytes, {fields}", extent(*size))),
        facets: facets.0,
        parts: members.iter().map(|member| part(items, index, structure, member)).collect(),
    }
}

/// Bytes, with a plus sign if there may be more.
fn extent(extent: Extent) -> String {
    let Extent { fixed, varies } = extent;
    let more = if varies { "+" } else { "" };
    format!("{fixed}{more}")
}

fn part(items: Items<'_>, index: usize, structure: &Structure, member: &Member) -> Part {
    let Member {
        name,
        rust_name: _,
        doc,
        unit,
        role,
        hidden,
        hex,
        offset,
        since,
        until,
        kind,
        place: _,
    } = member;
    let mut facets = Facets::default();
    facets.maybe(Class::Layout, "offset", *offset);
    let (what, summary, order) = match kind {
        MemberKind::Stored(stored) => {
            let summary = stored_facets(items, index, stored, &mut facets);
            // A field at a fixed place is ordered by its offset; where others stand only their order says.
            ("field", summary, offset.is_none().then_some(Class::Layout))
        }
        MemberKind::Computed(computed) => {
            let summary = computed_facets(items, index, structure, computed, &mut facets);
            ("computed value", summary, Some(Class::Naming))
        }
    };
    facets.mark(Class::Naming, "hidden", *hidden);
    facets.maybe(Class::Naming, "format", hex.then_some("hex"));
    facets.maybe(Class::Naming, "unit", unit.as_ref());
    facets.maybe(Class::Naming, "role", role.map(|role| role.name));
    facets.maybe(Class::Docs, "since", *since);
    facets.maybe(Class::Docs, "until", *until);
    facets.text(Class::Docs, "doc", doc);
    let place = offset.map(|offset| format!("at {offset}: ")).unwrap_or_default();
    let summary = Value::text(place).and(summary);
    Part {
        key: name.clone(),
        name: name.clone(),
        what,
        signature: Some(summary.clone()),
        order,
        presence: Class::Layout,
        summary,
        facets: facets.0,
    }
}

/// Adds what a stored field reads; gives it in short.
fn stored_facets(items: Items<'_>, index: usize, stored: &Stored, facets: &mut Facets) -> Value {
    let Stored {
        ty,
        count,
        condition,
        expect,
        extent: size,
    } = stored;
    let length = |length: &Length| match length {
        Length::Fixed(number) => Value::text(number.to_string()),
        Length::Computed(value) => expr(items, index, value),
        Length::Rest => Value::text("rest"),
    };
    let mut summary = type_value(items, ty);
    if let Type::Bytes(size) | Type::Utf16(size) | Type::Ansi(size) = ty {
        summary = summary.then("[").and(length(size)).then("]");
    }
    facets.ty(summary.clone(), read_as(items, ty));
    if let Some(count) = count {
        facets.add(Class::Layout, "count", length(count));
        summary = summary.then("[").and(length(count)).then("]");
    }
    facets.text(Class::Layout, "size", extent(*size));
    if let Some(condition) = condition {
        facets.add(Class::Layout, "condition", expr(items, index, condition));
        summary = summary.then(" if ").and(expr(items, index, condition));
    }
    facets.maybe(Class::Naming, "expected value", expect.map(|value| format!("{value:#x}")));
    summary
}

/// Adds how a value is computed; gives it in short.
fn computed_facets(items: Items<'_>, index: usize, structure: &Structure, computed: &Computed, facets: &mut Facets) -> Value {
    let Computed {
        value,
        ty: computed_ty,
        origin,
    } = computed;
    let shown = match origin {
        Origin::Bits { of, first, last } => {
            let bits = if first == last {
                format!("bit {first} of ")
            } else {
                format!("bits {first}-{last} of ")
            };
            match structure.members.iter().position(|member| member.name == *of) {
                Some(member) => Value::text(bits).and(Value::part(items.structure(index), member)),
                None => Value::text(bits),
            }
        }
        Origin::Overlay => Value::text("overlay"),
        Origin::Derived(_) => expr(items, index, value),
    };
    facets.add(Class::Layout, "value", shown.clone());
    let ty = type_value(items, computed_ty);
    facets.ty(ty.clone(), read_as(items, computed_ty));
    ty.then(", ").and(shown)
}

fn type_value(items: Items<'_>, ty: &Type) -> Value {
    match ty {
        Type::Structure(index) => Value::item(items.structure(*index)),
        Type::Table(index) => Value::item(items.table(*index)),
        other => Value::text(items.schema.type_name(other)),
    }
}

/// The integer that is read: for a table that of its values.
fn read_as(items: Items<'_>, ty: &Type) -> Option<String> {
    let int = match ty {
        Type::Int(int) => Some(*int),
        Type::Table(index) => items.int_of_table(*index),
        _ => None,
    };
    int.map(|int| int.name().to_owned())
}
