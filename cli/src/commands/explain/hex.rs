//! Rows of bytes, each of one field, with what it is beside them.

use std::ops::Range;

use super::Explanation;
use super::tree::{Kind, Node};

/// Bytes in a row.
pub(super) const WIDTH: usize = 8;

/// Fields shown before and behind the one that owns the byte.
const AROUND: usize = 6;

/// Rows of a field beside the one with the byte.
const MOST_AROUND: usize = 2;

/// Rows of a field where all fields are shown.
const MOST: usize = 16;

/// A line of the dump.
#[derive(Debug)]
pub(super) enum Line<'e> {
    /// A section begins.
    Section(usize),
    /// Fields are left out.
    Gap,
    /// Bytes of a field.
    Row(Row<'e>),
    /// Bytes of the field that are left out.
    More(u64),
}

#[derive(Debug)]
pub(super) struct Row<'e> {
    pub(super) at: u64,
    pub(super) bytes: &'e [u8],
    /// Which of the bytes was asked for.
    pub(super) byte: Option<usize>,
    /// The field owns that byte.
    pub(super) owned: bool,
    /// The field, in the first row of it.
    pub(super) leaf: Option<&'e Leaf<'e>>,
}

/// A field that is shown as a whole.
#[derive(Debug)]
pub(super) struct Leaf<'e> {
    pub(super) section: usize,
    /// Name, with those of the fields around it.
    pub(super) name: String,
    pub(super) node: &'e Node,
}

/// All fields of an explanation that have no further parts.
pub(super) fn leaves(explanation: &Explanation) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    for (section, part) in explanation.sections.iter().enumerate() {
        part.nodes.iter().for_each(|node| push(section, "", node, &mut found));
    }
    found
}

fn push<'e>(section: usize, outer: &str, node: &'e Node, found: &mut Vec<Leaf<'e>>) {
    let name = match (outer, node.name.starts_with('[')) {
        ("", _) => node.name.clone(),
        (_, true) => format!("{outer}{}", node.name),
        (_, false) => format!("{outer}.{}", node.name),
    };
    if node.parts.is_empty() {
        found.push(Leaf { section, name, node });
    } else {
        node.parts.iter().for_each(|part| push(section, &name, part, found));
    }
}

/// The lines of the dump: all fields of an event, or those around a byte.
pub(super) fn lines<'e>(explanation: &'e Explanation, leaves: &'e [Leaf<'e>]) -> Vec<Line<'e>> {
    let owner = explanation
        .byte
        .and_then(|byte| leaves.iter().position(|leaf| leaf.node.bytes.contains(&byte)));
    let shown = owner.map_or(0..leaves.len(), |owner| {
        owner.saturating_sub(AROUND)..owner.saturating_add(AROUND + 1).min(leaves.len())
    });
    let mut lines = Vec::new();
    let mut section = None;
    for (index, leaf) in leaves.iter().enumerate().take(shown.end).skip(shown.start) {
        if section != Some(leaf.section) {
            section = Some(leaf.section);
            lines.push(Line::Section(leaf.section));
        }
        if index == shown.start && index > 0 {
            lines.push(Line::Gap);
        }
        rows(explanation, leaf, owner == Some(index), owner.is_none(), &mut lines);
    }
    if shown.end < leaves.len() {
        lines.push(Line::Gap);
    }
    lines
}

/// The rows of a field.
fn rows<'e>(explanation: &'e Explanation, leaf: &'e Leaf<'e>, owned: bool, all: bool, lines: &mut Vec<Line<'e>>) {
    let field = &leaf.node.bytes;
    let byte = explanation.byte.filter(|_| owned);
    // Of long stretches that no field owns only what is around the byte is at hand.
    let held: Range<u64> = field.start.max(explanation.start)..field.end.min(explanation.start + explanation.bytes.len() as u64);
    let most = if all { MOST } else { 1 + MOST_AROUND };
    let width = WIDTH as u64;
    let count = (held.end.saturating_sub(held.start)).div_ceil(width);
    let first = match byte {
        Some(byte) if count > most as u64 => {
            let row = byte.saturating_sub(held.start) / width;
            row.saturating_sub(1).min(count - most as u64)
        }
        _ => 0,
    };
    let skipped = held.start - field.start + first * width;
    let mut pending = Some(leaf);
    if skipped > 0 {
        lines.push(Line::Row(Row {
            at: field.start,
            bytes: &[],
            byte: None,
            owned,
            leaf: pending.take(),
        }));
        lines.push(Line::More(skipped));
    }
    let mut at = held.start + first * width;
    let mut number = 0;
    while number < most && (at < held.end || pending.is_some()) {
        let end = (at + width).min(held.end).max(at);
        lines.push(Line::Row(Row {
            at,
            bytes: explanation.bytes(&(at..end)),
            byte: byte
                .filter(|byte| (at..end).contains(byte))
                .and_then(|byte| usize::try_from(byte - at).ok()),
            owned,
            leaf: pending.take(),
        }));
        at = end;
        number += 1;
        if leaf.node.kind == Kind::Field && leaf.node.bytes.is_empty() {
            break;
        }
    }
    if at < field.end {
        lines.push(Line::More(field.end - at));
    }
}
