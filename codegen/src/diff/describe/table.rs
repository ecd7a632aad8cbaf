//! Tables with their values, and dispatches with their cases.

use super::super::value::{Facets, Item, Part, Value};
use super::super::{Class, Kind};
use super::expr::expr;
use super::{Items, counted, pointers, sources};
use crate::model::{Case, Dispatch, Entry, Selector, Table, TableKind};

/// An enum or flag table.
pub(super) fn item(table: &Table) -> Item {
    let Table {
        name,
        rust_name: _,
        kind: table_kind,
        int,
        doc,
        sources: known,
        entries,
        groups,
        place: _,
    } = table;
    let kind = match *table_kind {
        TableKind::Enum => "enum",
        TableKind::Flags => "flags",
    };
    let mut facets = Facets::default();
    facets.text(Class::Naming, "kind", kind);
    facets.text(Class::Layout, "type", int.name());
    facets.text(Class::Docs, "doc", doc);
    sources(&mut facets, known);
    let what = match *table_kind {
        TableKind::Enum => "value",
        TableKind::Flags => "flag",
    };
    let single = entries.iter().map(|entry| self::entry(entry, what));
    let several = groups.iter().map(|group| entry(group, "group of bits"));
    let parts: Vec<Part> = single.chain(several).collect();
    Item {
        kind: Kind::Table,
        name: name.clone(),
        signature: None,
        parent: None,
        presence: Class::Naming,
        summary: Value::text(format!("{kind} of {}, {}", int.name(), counted(parts.len(), "name"))),
        facets: facets.0,
        parts,
    }
}

fn entry(entry: &Entry, what: &'static str) -> Part {
    let Entry {
        value: number,
        name,
        rust_name: _,
        label,
        doc,
        since,
        until,
    } = entry;
    let value = Value::text(format!("{number:#x}"));
    let mut facets = Facets::default();
    facets.add(Class::Naming, "value", value.clone());
    facets.text(Class::Naming, "kind", what);
    facets.maybe(Class::Naming, "label", label.as_ref());
    facets.maybe(Class::Docs, "since", *since);
    facets.maybe(Class::Docs, "until", *until);
    facets.maybe(Class::Docs, "doc", doc.as_ref());
    Part {
        key: name.clone(),
        name: name.clone(),
        what,
        signature: Some(value.clone()),
        order: None,
        presence: Class::Naming,
        summary: value,
        facets: facets.0,
    }
}

/// A dispatch.
pub(super) fn dispatch(items: Items<'_>, dispatch: &Dispatch) -> Item {
    let Dispatch {
        name,
        rust_name: _,
        doc,
        sources: known,
        joins,
        marker,
        selector: chosen_by,
        cases,
        place: _,
    } = dispatch;
    let mut facets = Facets::default();
    facets.maybe(Class::Layout, "marker", marker.as_ref().map(selector));
    facets.text(Class::Layout, "type", selector(chosen_by));
    if let Some(other) = joins {
        facets.add(Class::Layout, "joins", Value::item(items.dispatch(*other)));
    }
    facets.text(Class::Docs, "doc", doc);
    sources(&mut facets, known);
    let parts: Vec<Part> = cases.iter().map(|case| self::case(items, case)).collect();
    Item {
        kind: Kind::Dispatch,
        name: name.clone(),
        signature: None,
        parent: None,
        presence: Class::Layout,
        summary: Value::text(counted(parts.len(), "case")),
        facets: facets.0,
        parts,
    }
}

fn selector(selector: &Selector) -> String {
    let Selector { offset, int, mask } = selector;
    let mask = mask.map(|mask| format!(" & 0x{mask:02X}")).unwrap_or_default();
    match offset {
        Some(offset) => format!("{}{mask} at 0x{offset:02X}", int.name()),
        None => format!("{}{mask} from outside", int.name()),
    }
}

/// A case is what it matches; it may share its name with others.
fn case(items: Items<'_>, case: &Case) -> Part {
    let Case {
        name,
        marker,
        value,
        when,
        structure,
        pointer_size,
        opaque,
        doc,
    } = case;
    let mut matches = Vec::new();
    match *marker {
        Some((marker, mask)) if mask & 0xFF == 0xFF => matches.push(format!("marker 0x{marker:02X}")),
        Some((marker, mask)) => matches.push(format!("marker & 0x{mask:02X} = 0x{marker:02X}")),
        None => {}
    }
    matches.push(value.map_or("any value".to_owned(), |value| format!("value 0x{value:02X}")));
    // A condition uses context values alone, so no name in it can change.
    let condition = when.as_ref().map(|when| expr(items, usize::MAX, when));
    let mut matched = Value::text(matches.join(", "));
    if let Some(when) = condition {
        matched = matched.then(", when ").and(when);
    }
    let structure = structure.map_or(Value::text("end"), |index| Value::item(items.structure(index)));
    let mut facets = Facets::default();
    facets.add(Class::Layout, "matches", matched.clone());
    facets.add(Class::Layout, "structure", structure.clone());
    facets.maybe(Class::Layout, "pointers", pointer_size.map(pointers));
    facets.mark(Class::Layout, "opaque", *opaque);
    facets.maybe(Class::Docs, "doc", doc.as_ref());
    Part {
        key: format!("{:?} {:?} {:?}", marker, value, when),
        name: name.clone(),
        what: "case",
        signature: Some(Value::text(name)),
        // The first case that matches is taken.
        order: Some(Class::Layout),
        presence: Class::Layout,
        summary: matched.then(": ").and(structure),
        facets: facets.0,
    }
}
