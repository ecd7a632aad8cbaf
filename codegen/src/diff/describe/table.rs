//! Tables with their values, and dispatches with their cases.

use super::super::value::{Facets, Item, Part, Value};
use super::super::{Class, Kind};
use super::expr::expr;
use super::{Items, counted, pointers, sources};
use crate::model::{Case, Dispatch, Entry, Selector, Table, TableKind};

/// An enum or flag table.
pub(super) fn item(table: &Table) -> Item {
    let kind = match table.kind {
        TableKind::Enum => "enum",
        TableKind::Flags => "flags",
    };
    let mut facets = Facets::default();
    facets.text(Class::Naming, "kind", kind);
    facets.text(Class::Layout, "type", table.int.name());
    facets.text(Class::Docs, "doc", &table.doc);
    sources(&mut facets, &table.sources);
    let what = match table.kind {
        TableKind::Enum => "value",
        TableKind::Flags => "flag",
    };
    let entries = table.entries.iter().map(|entry| self::entry(entry, what));
    let groups = table.groups.iter().map(|group| entry(group, "group of bits"));
    let parts: Vec<Part> = entries.chain(groups).collect();
    Item {
        kind: Kind::Table,
        name: table.name.clone(),
        signature: None,
        parent: None,
        presence: Class::Naming,
        summary: Value::text(format!("{kind} of {}, {}", table.int.name(), counted(parts.len(), "name"))),
        facets: facets.0,
        parts,
    }
}

fn entry(entry: &Entry, what: &'static str) -> Part {
    let value = Value::text(format!("{:#x}", entry.value));
    let mut facets = Facets::default();
    facets.add(Class::Naming, "value", value.clone());
    facets.text(Class::Naming, "kind", what);
    facets.maybe(Class::Naming, "label", entry.label.as_ref());
    facets.maybe(Class::Docs, "since", entry.since);
    facets.maybe(Class::Docs, "until", entry.until);
    facets.maybe(Class::Docs, "doc", entry.doc.as_ref());
    Part {
        key: entry.name.clone(),
        name: entry.name.clone(),
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
    let mut facets = Facets::default();
    facets.maybe(Class::Layout, "marker", dispatch.marker.as_ref().map(selector));
    facets.text(Class::Layout, "type", selector(&dispatch.selector));
    facets.text(Class::Docs, "doc", &dispatch.doc);
    sources(&mut facets, &dispatch.sources);
    let parts: Vec<Part> = dispatch.cases.iter().map(|case| self::case(items, case)).collect();
    Item {
        kind: Kind::Dispatch,
        name: dispatch.name.clone(),
        signature: None,
        parent: None,
        presence: Class::Layout,
        summary: Value::text(counted(parts.len(), "case")),
        facets: facets.0,
        parts,
    }
}

fn selector(selector: &Selector) -> String {
    match selector.offset {
        Some(offset) => format!("{} at 0x{offset:02X}", selector.int.name()),
        None => format!("{} from outside", selector.int.name()),
    }
}

/// A case is what it matches; it may share its name with others.
fn case(items: Items<'_>, case: &Case) -> Part {
    let mut matches = Vec::new();
    match case.marker {
        Some((marker, mask)) if mask & 0xFF == 0xFF => matches.push(format!("marker 0x{marker:02X}")),
        Some((marker, mask)) => matches.push(format!("marker & 0x{mask:02X} = 0x{marker:02X}")),
        None => {}
    }
    matches.push(
        case.value
            .map_or("any value".to_owned(), |value| format!("value 0x{value:02X}")),
    );
    // A condition uses context values alone, so no name in it can change.
    let when = case.when.as_ref().map(|when| expr(items, usize::MAX, when));
    let mut matched = Value::text(matches.join(", "));
    if let Some(when) = when {
        matched = matched.then(", when ").and(when);
    }
    let structure = case
        .structure
        .map_or(Value::text("end"), |index| Value::item(items.structure(index)));
    let mut facets = Facets::default();
    facets.add(Class::Layout, "matches", matched.clone());
    facets.add(Class::Layout, "structure", structure.clone());
    facets.maybe(Class::Layout, "pointers", case.pointer_size.map(pointers));
    facets.mark(Class::Layout, "opaque", case.opaque);
    facets.maybe(Class::Docs, "doc", case.doc.as_ref());
    Part {
        key: format!("{:?} {:?} {:?}", case.marker, case.value, case.when),
        name: case.name.clone(),
        what: "case",
        signature: Some(Value::text(&case.name)),
        // The first case that matches is taken.
        order: Some(Class::Layout),
        presence: Class::Layout,
        summary: matched.then(": ").and(structure),
        facets: facets.0,
    }
}
