//! Which item and part of the old schema is which of the new one.
//!
//! First by name. What is left over is matched by what stays the same in a rename: for a field its place and type, for a value of
//! a table the value, for an item its signature or its parts. All of it is symmetric, so that the comparison in the other
//! direction finds the same pairs.

use std::collections::HashMap;
use std::hash::Hash;

use super::value::{Description, Item, Part, Piece, Value};

/// Items are one and the same if they share more than this many of ten parts.
const ALIKE: usize = 6;

/// Items without a counterpart are compared with each other only up to this number: it takes the product of both.
const MOST_COMPARED: usize = 500;

/// Pairs of items and parts.
#[derive(Debug)]
pub(super) struct Matching {
    /// For each old item the new one.
    items: Vec<Option<usize>>,
    /// For each new item the old one.
    items_back: Vec<Option<usize>>,
    /// For each old item, for each part of it, the new part.
    parts: Vec<Vec<Option<usize>>>,
}

/// Which schema a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

impl Matching {
    /// Matches two schemas.
    pub(super) fn of(old: &Description, new: &Description) -> Self {
        let mut matching = Self {
            items: vec![None; old.items.len()],
            items_back: vec![None; new.items.len()],
            parts: Vec::new(),
        };
        matching.parts = old.items.iter().map(|item| vec![None; item.parts.len()]).collect();
        matching.pair_items(old, new, |_, _, item| Some((item.kind, item.name.clone())));
        // What was matched in one round may be named in the signatures of the next; each round but the last finds a pair.
        while matching.pair_items(old, new, |matching, side, item| {
            matching
                .item_signature(old, new, side, item)
                .map(|signature| (item.kind, signature))
        }) {}
        matching.pair_alike(old, new);
        for index in 0..old.items.len() {
            matching.pair_parts(old, new, index, |_, _, part| Some(part.key.clone()));
        }
        loop {
            let mut found = false;
            for index in 0..old.items.len() {
                found |= matching.pair_renamed_parts(old, new, index);
            }
            if !found {
                return matching;
            }
        }
    }

    /// The new item for an old one.
    pub(super) fn item(&self, old: usize) -> Option<usize> {
        self.items.get(old).copied().flatten()
    }

    /// The old item for a new one.
    pub(super) fn item_back(&self, new: usize) -> Option<usize> {
        self.items_back.get(new).copied().flatten()
    }

    /// For each part of an old item the new part.
    pub(super) fn parts(&self, old: usize) -> &[Option<usize>] {
        self.parts.get(old).map_or(&[], Vec::as_slice)
    }

    /// A value in which names are those of the new schema: two values say the same if this is equal.
    pub(super) fn canonical(&self, old: &Description, new: &Description, side: Side, value: &Value) -> String {
        let own = match side {
            Side::Old => old,
            Side::New => new,
        };
        let mut text = String::new();
        for piece in &value.0 {
            // The control character behind a name keeps it from being taken for text that reads the same.
            match (piece, side) {
                (Piece::Text(part), _) => text.push_str(part),
                (Piece::Item(index), Side::Old) if self.item(*index).is_some() => {
                    let item = self.item(*index).and_then(|index| new.items.get(index));
                    text.push_str(item.map_or("", |item| item.name.as_str()));
                    text.push('\u{1}');
                }
                (Piece::Part(item, part), Side::Old) if self.part(*item, *part).is_some() => {
                    let found = self
                        .part(*item, *part)
                        .and_then(|(item, part)| new.items.get(item)?.parts.get(part));
                    text.push_str(found.map_or("", |part| part.name.as_str()));
                    text.push('\u{1}');
                }
                _ => {
                    text.push_str(&own.show(&Value(vec![piece.clone()])));
                    text.push('\u{1}');
                }
            }
        }
        text
    }

    fn part(&self, item: usize, part: usize) -> Option<(usize, usize)> {
        Some((self.item(item)?, self.parts(item).get(part).copied().flatten()?))
    }

    fn set_item(&mut self, old: usize, new: usize) {
        if let (Some(forth), Some(back)) = (self.items.get_mut(old), self.items_back.get_mut(new)) {
            *forth = Some(new);
            *back = Some(old);
        }
    }

    /// Matches items without counterpart that have the same key; whether there were any.
    fn pair_items<K: Hash + Eq>(
        &mut self,
        old: &Description,
        new: &Description,
        key: impl Fn(&Self, Side, &Item) -> Option<K>,
    ) -> bool {
        let left = unmatched(&old.items, &self.items).filter_map(|(index, item)| Some((key(self, Side::Old, item)?, index)));
        let right =
            unmatched(&new.items, &self.items_back).filter_map(|(index, item)| Some((key(self, Side::New, item)?, index)));
        let pairs = pairs(left, right);
        for &(old, new) in &pairs {
            self.set_item(old, new);
        }
        !pairs.is_empty()
    }

    /// What tells a renamed item: its signature, else its parts.
    fn item_signature(&self, old: &Description, new: &Description, side: Side, item: &Item) -> Option<String> {
        match &item.signature {
            Some(signature) => Some(self.canonical(old, new, side, signature)),
            None if item.parts.is_empty() => None,
            None => Some(self.lines(old, new, side, item).join("\n")),
        }
    }

    /// A line for each part.
    fn lines(&self, old: &Description, new: &Description, side: Side, item: &Item) -> Vec<String> {
        let line = |part: &Part| format!("{}\u{1}{}", part.key, self.canonical(old, new, side, &part.summary));
        item.parts.iter().map(line).collect()
    }

    /// Matches items without counterpart that share most parts, if each is the only best one for the other.
    fn pair_alike(&mut self, old: &Description, new: &Description) {
        type Candidates = Vec<(usize, super::Kind, Vec<String>)>;
        let lines = |side, found: &mut dyn Iterator<Item = (usize, &Item)>| -> Candidates {
            let with_parts = found.filter(|(_, item)| item.signature.is_none() && !item.parts.is_empty());
            with_parts
                .map(|(index, item)| {
                    let mut lines = self.lines(old, new, side, item);
                    lines.sort();
                    (index, item.kind, lines)
                })
                .collect()
        };
        let left = lines(Side::Old, &mut unmatched(&old.items, &self.items));
        let right = lines(Side::New, &mut unmatched(&new.items, &self.items_back));
        if left.len() > MOST_COMPARED || right.len() > MOST_COMPARED {
            return;
        }
        let score = |(_, kind, a): &(usize, super::Kind, Vec<String>), (_, other, b): &(usize, super::Kind, Vec<String>)| {
            let shared = if kind == other { shared(a, b) } else { 0 };
            // Of ten parts of both; in thousandths, so that near scores differ.
            let alike = 2000 * shared / (a.len() + b.len());
            Some(alike).filter(|alike| *alike > 100 * ALIKE)
        };
        let best = |scores: &mut dyn Iterator<Item = (usize, Option<usize>)>| {
            let mut best: Option<(usize, usize)> = None;
            let mut tie = false;
            for (index, score) in scores {
                let Some(score) = score else { continue };
                match best {
                    Some((_, highest)) if score < highest => {}
                    Some((_, highest)) if score == highest => tie = true,
                    _ => {
                        best = Some((index, score));
                        tie = false;
                    }
                }
            }
            best.filter(|_| !tie).map(|(index, _)| index)
        };
        let forth: Vec<Option<usize>> = left
            .iter()
            .map(|a| best(&mut right.iter().enumerate().map(|(index, b)| (index, score(a, b)))))
            .collect();
        let back: Vec<Option<usize>> = right
            .iter()
            .map(|b| best(&mut left.iter().enumerate().map(|(index, a)| (index, score(a, b)))))
            .collect();
        for (a, b) in forth.iter().enumerate().filter_map(|(a, b)| Some((a, (*b)?))) {
            if back.get(b).copied().flatten() == Some(a)
                && let (Some((old, ..)), Some((new, ..))) = (left.get(a), right.get(b))
            {
                self.set_item(*old, *new);
            }
        }
    }

    /// Matches parts of an item that have the same key; whether there were any.
    fn pair_parts<K: Hash + Eq>(
        &mut self,
        old: &Description,
        new: &Description,
        item: usize,
        key: impl Fn(Side, usize, &Part) -> Option<K>,
    ) -> bool {
        let Some(counterpart) = self.item(item) else { return false };
        let (Some(old), Some(new)) = (old.items.get(item), new.items.get(counterpart)) else {
            return false;
        };
        let forth = self.parts(item);
        let back = backwards(forth, new.parts.len());
        let left = unmatched(&old.parts, forth).filter_map(|(index, part)| Some((key(Side::Old, index, part)?, index)));
        let right = unmatched(&new.parts, &back).filter_map(|(index, part)| Some((key(Side::New, index, part)?, index)));
        let pairs = pairs(left, right);
        for &(old, new) in &pairs {
            if let Some(part) = self.parts.get_mut(item).and_then(|parts| parts.get_mut(old)) {
                *part = Some(new);
            }
        }
        !pairs.is_empty()
    }

    /// Matches parts of an item that differ in name alone; whether there were any.
    fn pair_renamed_parts(&mut self, old: &Description, new: &Description, item: usize) -> bool {
        let forth = self.parts(item);
        if forth.iter().all(Option::is_some) {
            return false;
        }
        let Some(counterpart) = self.item(item).and_then(|index| new.items.get(index)) else {
            return false;
        };
        let Some(own) = old.items.get(item) else { return false };
        // Where only the order says where a part stands, it stays behind the same part.
        let before_old = anchors(&own.parts, |index| forth.get(index).copied().flatten());
        let back = backwards(forth, counterpart.parts.len());
        let before_new = anchors(&counterpart.parts, |index| back.get(index).copied().flatten().map(|_| index));
        let signatures = |side, parts: &[Part]| -> Vec<Option<String>> {
            let canonical = |part: &Part| Some(self.canonical(old, new, side, part.signature.as_ref()?));
            parts.iter().map(canonical).collect()
        };
        let signatures_old = signatures(Side::Old, &own.parts);
        let signatures_new = signatures(Side::New, &counterpart.parts);
        self.pair_parts(old, new, item, |side, index, part| {
            let (signatures, anchors) = match side {
                Side::Old => (&signatures_old, &before_old),
                Side::New => (&signatures_new, &before_new),
            };
            let signature = signatures.get(index)?.clone()?;
            Some((part.what, signature, anchors.get(index).copied().flatten()))
        })
    }
}

/// For each part whose order says something, the last matched one of these before it.
fn anchors(parts: &[Part], matched: impl Fn(usize) -> Option<usize>) -> Vec<Option<usize>> {
    let mut last = None;
    let mut anchors = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        let ordered = part.order == Some(super::Class::Layout);
        anchors.push(last.filter(|_| ordered));
        if let Some(found) = matched(index).filter(|_| ordered) {
            last = Some(found);
        }
    }
    anchors
}

/// The other direction of a matching.
pub(super) fn backwards(forth: &[Option<usize>], length: usize) -> Vec<Option<usize>> {
    let mut back = vec![None; length];
    for (old, new) in forth.iter().enumerate() {
        if let Some(slot) = new.and_then(|new| back.get_mut(new)) {
            *slot = Some(old);
        }
    }
    back
}

fn unmatched<'a, T>(all: &'a [T], matched: &'a [Option<usize>]) -> impl Iterator<Item = (usize, &'a T)> {
    all.iter()
        .enumerate()
        .zip(matched)
        .filter(|(_, matched)| matched.is_none())
        .map(|(found, _)| found)
}

/// Pairs of equal keys, in order: the first with the first, and so on.
fn pairs<K: Hash + Eq>(left: impl Iterator<Item = (K, usize)>, right: impl Iterator<Item = (K, usize)>) -> Vec<(usize, usize)> {
    let mut waiting: HashMap<K, Vec<usize>> = HashMap::new();
    for (key, index) in left {
        waiting.entry(key).or_default().push(index);
    }
    let mut taken: HashMap<K, usize> = HashMap::new();
    let mut pairs = Vec::new();
    for (key, index) in right {
        let Some(olds) = waiting.get(&key) else { continue };
        let number = taken.entry(key).or_default();
        if let Some(&old) = olds.get(*number) {
            pairs.push((old, index));
            *number += 1;
        }
    }
    pairs
}

/// Number of lines that two sorted lists share.
fn shared(a: &[String], b: &[String]) -> usize {
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    let mut shared = 0;
    while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
        let order = x.cmp(y);
        if order.is_le() {
            left.next();
        }
        if order.is_ge() {
            right.next();
        }
        shared += usize::from(order.is_eq());
    }
    shared
}
