//! From matched items to changes.

use super::matching::{Matching, Side, backwards};
use super::value::{Description, Facet, Item, Part, Value};
use super::{Action, Change, Class, Kind, Names};

/// Place of a change within its item: the item itself first, then the parts as they stand in the new schema, each before what
/// only the old one has there.
type Place = (usize, usize);

/// The changes, sorted.
pub(super) fn changes(old: &Description, new: &Description, matching: &Matching) -> Vec<Change> {
    let mut comparison = Comparison {
        old,
        new,
        matching,
        changes: Vec::new(),
    };
    for (index, item) in old.items.iter().enumerate() {
        match matching.item(index).and_then(|index| new.items.get(index)) {
            Some(counterpart) => comparison.items(index, item, counterpart),
            None if item.parent.is_some_and(|parent| matching.item(parent).is_none()) => {}
            None => comparison.one_sided(Action::Removed, item),
        }
    }
    for (index, item) in new.items.iter().enumerate() {
        let parent_is_new = item.parent.is_some_and(|parent| matching.item_back(parent).is_none());
        if matching.item_back(index).is_none() && !parent_is_new {
            comparison.one_sided(Action::Added, item);
        }
    }
    let mut changes = comparison.changes;
    // A stable sort: facets stay in the order in which they are described.
    changes.sort_by(|(place, change), (other_place, other)| {
        let class = |change: &Change| std::cmp::Reverse(change.class);
        (class(change), change.kind, change.item.shown(), place, change.action).cmp(&(
            class(other),
            other.kind,
            other.item.shown(),
            other_place,
            other.action,
        ))
    });
    changes.into_iter().map(|(_, change)| change).collect()
}

struct Comparison<'a> {
    old: &'a Description,
    new: &'a Description,
    matching: &'a Matching,
    changes: Vec<(Place, Change)>,
}

/// What is compared: an item, or a part of one.
struct Subject<'a> {
    old: &'a Item,
    new: &'a Item,
    part: Option<Names>,
    place: Place,
}

impl Subject<'_> {
    fn change(
        &self,
        class: Class,
        action: Action,
        what: &'static str,
        before: Option<String>,
        after: Option<String>,
    ) -> (Place, Change) {
        let change = Change {
            class,
            kind: self.new.kind,
            item: Names {
                before: Some(self.old.name.clone()),
                after: Some(self.new.name.clone()),
            },
            part: self.part.clone(),
            action,
            what,
            before,
            after,
        };
        (self.place, change)
    }
}

impl Comparison<'_> {
    /// An item that only one schema has.
    fn one_sided(&mut self, action: Action, item: &Item) {
        let (name, own) = (
            Some(item.name.clone()),
            if action == Action::Added { self.new } else { self.old },
        );
        let summary = Some(own.show(&item.summary));
        let (before, after) = sided(action, summary);
        let (item_before, item_after) = sided(action, name);
        let change = Change {
            class: item.presence,
            kind: item.kind,
            item: Names {
                before: item_before,
                after: item_after,
            },
            part: None,
            action,
            what: item.kind.word(),
            before,
            after,
        };
        self.changes.push(((0, 0), change));
    }

    /// Two items that are one.
    fn items(&mut self, index: usize, old: &Item, new: &Item) {
        let subject = Subject {
            old,
            new,
            part: None,
            place: (0, 0),
        };
        self.names(&subject, &old.name, &new.name, old.kind.word());
        self.facets(&subject, &old.facets, &new.facets);
        let forth = self.matching.parts(index);
        let back = backwards(forth, new.parts.len());
        self.order(&subject, forth);
        for (at, part) in new.parts.iter().enumerate() {
            let place = (at + 1, 0);
            match back.get(at).copied().flatten().and_then(|at| old.parts.get(at)) {
                Some(former) => self.parts(old, new, former, part, place),
                None => self.one_sided_part(Action::Added, old, new, part, place),
            }
        }
        for (at, part) in old.parts.iter().enumerate() {
            if forth.get(at).copied().flatten().is_none() {
                // Behind the part that it was behind.
                let before = forth.iter().take(at).rev().find_map(|new| *new).map_or(0, |new| new + 1);
                self.one_sided_part(Action::Removed, old, new, part, (before, at + 1));
            }
        }
    }

    fn parts(&mut self, old: &Item, new: &Item, former: &Part, part: &Part, place: Place) {
        let subject = Subject {
            old,
            new,
            part: Some(Names {
                before: Some(former.name.clone()),
                after: Some(part.name.clone()),
            }),
            place,
        };
        self.names(&subject, &former.name, &part.name, part.what);
        self.facets(&subject, &former.facets, &part.facets);
    }

    fn one_sided_part(&mut self, action: Action, old: &Item, new: &Item, part: &Part, place: Place) {
        let own = if action == Action::Added { self.new } else { self.old };
        let (before, after) = sided(action, Some(part.name.clone()));
        let subject = Subject {
            old,
            new,
            part: Some(Names { before, after }),
            place,
        };
        let (before, after) = sided(action, Some(own.show(&part.summary)));
        self.changes
            .push(subject.change(part.presence, action, part.what, before, after));
    }

    fn names(&mut self, subject: &Subject<'_>, old: &str, new: &str, what: &'static str) {
        if old != new {
            let (before, after) = (Some(old.to_owned()), Some(new.to_owned()));
            // No output holds the name of a file.
            let class = match subject.new.kind {
                Kind::File => Class::Docs,
                _ => Class::Naming,
            };
            self.changes.push(subject.change(class, Action::Renamed, what, before, after));
        }
    }

    fn facets(&mut self, subject: &Subject<'_>, old: &[Facet], new: &[Facet]) {
        let find = |facets: &[Facet], what: &str| facets.iter().position(|facet| facet.what == what);
        let mut both: Vec<&'static str> = old.iter().map(|facet| facet.what).collect();
        both.extend(new.iter().map(|facet| facet.what).filter(|what| find(old, what).is_none()));
        for what in both {
            let before = find(old, what).and_then(|at| old.get(at));
            let after = find(new, what).and_then(|at| new.get(at));
            let (gone, come) = self.difference(
                before.map_or(&[], |facet| &facet.values),
                after.map_or(&[], |facet| &facet.values),
            );
            if gone.is_empty() && come.is_empty() {
                continue;
            }
            let read_as = |facet: Option<&Facet>| facet.and_then(|facet| facet.read_as.clone());
            let same_bytes = read_as(before).is_some() && read_as(before) == read_as(after);
            let class = before.or(after).map_or(Class::Layout, |facet| facet.class);
            let class = if same_bytes { Class::Naming } else { class };
            let text = |values: Vec<String>| (!values.is_empty()).then(|| values.join("; "));
            self.changes
                .push(subject.change(class, Action::Changed, what, text(gone), text(come)));
        }
    }

    /// The values that only the old, and those that only the new schema has.
    fn difference(&self, old: &[Value], new: &[Value]) -> (Vec<String>, Vec<String>) {
        let canonical = |side, values: &[Value]| -> Vec<String> {
            let of = |value| self.matching.canonical(self.old, self.new, side, value);
            values.iter().map(of).collect()
        };
        let (olds, mut news) = (canonical(Side::Old, old), canonical(Side::New, new));
        let mut come: Vec<&Value> = new.iter().collect();
        let mut gone = Vec::new();
        for (text, value) in olds.iter().zip(old) {
            match news.iter().position(|other| other == text) {
                Some(at) => {
                    news.remove(at);
                    come.remove(at);
                }
                None => gone.push(self.old.show(value)),
            }
        }
        (gone, come.into_iter().map(|value| self.new.show(value)).collect())
    }

    /// The order of the parts that both have.
    fn order(&mut self, subject: &Subject<'_>, forth: &[Option<usize>]) {
        for class in Class::ALL {
            let ordered = |parts: &[Part], at: usize| parts.get(at).is_some_and(|part| part.order == Some(class));
            let mut pairs: Vec<(usize, usize)> = forth
                .iter()
                .enumerate()
                .filter_map(|(old, new)| Some((old, (*new)?)))
                .filter(|(old, new)| ordered(&subject.old.parts, *old) && ordered(&subject.new.parts, *new))
                .collect();
            let before: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
            pairs.sort_by_key(|pair| pair.1);
            let after: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
            let differs = |(a, b): &(&usize, &usize)| a != b;
            let first = before.iter().zip(&after).position(|pair| differs(&pair));
            let last = before.iter().zip(&after).rposition(|pair| differs(&pair));
            let (Some(first), Some(last)) = (first, last) else { continue };
            let back = backwards(forth, subject.new.parts.len());
            let list = |order: &[usize], old: bool| {
                let names = order.get(first..=last).unwrap_or_default().iter().map(|at| {
                    let own = if old {
                        back.get(*at).copied().flatten().and_then(|at| subject.old.parts.get(at))
                    } else {
                        subject.new.parts.get(*at)
                    };
                    own.map_or("", |part| part.name.as_str())
                });
                Some(names.collect::<Vec<_>>().join(", "))
            };
            let (before, after) = (list(&before, true), list(&after, false));
            self.changes
                .push(subject.change(class, Action::Changed, "order", before, after));
        }
    }
}

/// Something of the side that an addition or a removal is on.
fn sided<T>(action: Action, value: Option<T>) -> (Option<T>, Option<T>) {
    if action == Action::Added {
        (None, value)
    } else {
        (value, None)
    }
}
