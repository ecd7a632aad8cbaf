//! Which event an event with the time stamp of another belongs to.

use crate::event::Event;
use crate::format::roles::EventRoles;

/// Events that are looked for, by time stamp and thread, and what was found.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// By time and thread: events of the thread.
    exact: Vec<((i64, u64), Found)>,
    /// By time: events whose header names no thread.
    bare: Vec<(i64, Found)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    None,
    One(u64),
    /// More than one: it cannot be told which.
    Many,
}

impl Found {
    fn add(&mut self, index: u64) {
        *self = match self {
            Self::None => Self::One(index),
            Self::One(found) if *found == index => Self::One(index),
            Self::One(_) | Self::Many => Self::Many,
        };
    }
}

impl Links {
    pub(super) fn want(&mut self, time: i64, thread: u64) {
        self.exact.push(((time, thread), Found::None));
        self.bare.push((time, Found::None));
    }

    pub(super) fn finish(&mut self) {
        self.exact.sort_unstable_by_key(|link| link.0);
        self.exact.dedup_by_key(|link| link.0);
        self.bare.sort_unstable_by_key(|link| link.0);
        self.bare.dedup_by_key(|link| link.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.exact.is_empty()
    }

    /// Keeps the number of an event that is looked for.
    pub(super) fn see(&mut self, event: &Event<'_>) {
        let Some(time) = event.raw_time() else { return };
        let thread = event.header().thread_id().filter(|thread| *thread != u64::from(u32::MAX));
        match thread {
            Some(thread) => add(&mut self.exact, &(time, thread), event.index()),
            None => add(&mut self.bare, &time, event.index()),
        }
    }

    /// The event with this time stamp and thread, if there is one and no other. One whose header names no thread is taken if none
    /// of the thread has the time.
    pub(super) fn find(&self, time: i64, thread: u64) -> Option<u64> {
        match (found(&self.exact, &(time, thread))?, found(&self.bare, &time)?) {
            (Found::One(event), _) | (Found::None, Found::One(event)) => Some(event),
            _ => None,
        }
    }
}

fn place<K: Ord>(list: &[(K, Found)], key: &K) -> Option<usize> {
    list.binary_search_by(|link| link.0.cmp(key)).ok()
}

fn found<K: Ord>(list: &[(K, Found)], key: &K) -> Option<Found> {
    list.get(place(list, key)?).map(|link| link.1)
}

fn add<K: Ord>(list: &mut [(K, Found)], key: &K, index: u64) {
    if let Some(link) = place(list, key).and_then(|place| list.get_mut(place)) {
        link.1.add(index);
    }
}
