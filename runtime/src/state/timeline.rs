//! From single facts to spans of time: what a number stood for, from when to when.
//!
//! Numbers of processes and threads, and addresses of files, images and keys, are used again. An event that starts or ends a thing
//! bounds its span; a rundown at the start of the session says that the thing was there before, one at the end that it
//! stays. Nothing is made up between: where two facts contradict each other, a span reaches only as far as something says.

use super::facts::{Content, Fact};
use crate::payload::template::{Lifetime, Refers};

/// Which thing: its kind, the process it belongs to (images; 0 for others), and its number.
pub(super) type Key = (Refers, u64, u64);

/// What a number stood for, from one time to another (inclusive), in ticks of the session's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) key: Key,
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) content: Content,
}

/// Spans by rising key and time.
#[derive(Debug, Default)]
pub(super) struct Timeline(Vec<Span>);

/// Most spans of one key that cover all of the trace: a disk has no more drive letters.
const MAX_ALWAYS: usize = 26;

/// A thing that is there.
#[derive(Debug, Clone, Copy)]
struct Open {
    from: i64,
    /// When something last told of it.
    seen: i64,
    content: Content,
}

impl Timeline {
    pub(super) fn build(mut facts: Vec<Fact>) -> Self {
        facts.sort_unstable_by_key(|fact| (fact.key, fact.at, fact.order));
        let mut spans = Vec::new();
        for group in facts.chunk_by(|a, b| a.key == b.key) {
            Group::new(&mut spans, group).run();
        }
        // Spans of a group are closed in the order of their starts, but for those that are always there.
        spans.sort_by_key(|span| (span.key, span.from));
        Self(spans)
    }

    /// What the number stood for at a time.
    pub(super) fn at(&self, key: Key, at: i64) -> Option<Content> {
        let end = self.0.partition_point(|span| (span.key, span.from) <= (key, at));
        let span = self.0.get(..end)?.last()?;
        (span.key == key && span.to >= at).then_some(span.content)
    }

    /// All spans of a key.
    pub(super) fn all(&self, key: Key) -> impl Iterator<Item = &Span> {
        let start = self.0.partition_point(|span| span.key < key);
        self.0.iter().skip(start).take_while(move |span| span.key == key)
    }

    /// The spans with a number not above that of the key, from the nearest down, of the same kind and process.
    pub(super) fn down_from(&self, key: Key) -> impl Iterator<Item = &Span> {
        let end = self.0.partition_point(|span| span.key <= key);
        let below = self.0.get(..end).unwrap_or_default();
        below
            .iter()
            .rev()
            .take_while(move |span| (span.key.0, span.key.1) == (key.0, key.1))
    }
}

/// The facts of one key, by time.
struct Group<'a> {
    spans: &'a mut Vec<Span>,
    facts: &'a [Fact],
    key: Key,
    /// Index of its first span.
    start: usize,
    open: Option<Open>,
    /// End of the last closed span; none if nothing was closed yet.
    closed: Option<i64>,
    /// The number is not given away again before the next start: the last span goes on until then.
    lingers: bool,
    /// Index of the span that does.
    lingering: Option<usize>,
}

impl<'a> Group<'a> {
    fn new(spans: &'a mut Vec<Span>, facts: &'a [Fact]) -> Self {
        let key = facts.first().map_or((Refers::Name, 0, 0), |fact| fact.key);
        Self {
            start: spans.len(),
            spans,
            facts,
            key,
            open: None,
            closed: None,
            // The kernel frees these numbers behind the end event, when the last handle is closed.
            lingers: matches!(key.0, Refers::Process | Refers::Thread),
            lingering: None,
        }
    }

    fn run(mut self) {
        for fact in self.facts {
            if self.lingering.is_some() && fact.lifetime != Lifetime::Always {
                self.end_lingering(fact);
            }
            match fact.lifetime {
                Lifetime::Always => self.always(fact),
                Lifetime::Starts => {
                    self.close(fact.at.saturating_sub(1));
                    self.open_from(fact.at, fact);
                }
                Lifetime::AtStart | Lifetime::AtEnd => self.exists(fact),
                Lifetime::Ends => {
                    if self.open.is_none() || fact.content.is_some() {
                        self.exists(fact);
                    }
                    let index = self.spans.len();
                    if self.close(fact.at) && self.lingers {
                        self.lingering = Some(index);
                    }
                }
            }
        }
        self.close(i64::MAX);
        if let Some(span) = self.lingering.and_then(|index| self.spans.get_mut(index)) {
            span.to = i64::MAX;
        }
    }

    fn always(&mut self, fact: &Fact) {
        let Some(content) = fact.content else { return };
        let span = self.span(i64::MIN, i64::MAX, content);
        let own = self.spans.get(self.start..).unwrap_or_default();
        if own.len() < MAX_ALWAYS && !own.contains(&span) {
            self.spans.push(span);
        }
    }

    /// Something tells of a thing that is there at this time.
    fn exists(&mut self, fact: &Fact) {
        match &mut self.open {
            Some(open) if fact.content == Some(open.content) => open.seen = fact.at,
            Some(open) => {
                let seen = open.seen;
                self.close(seen);
                self.open_from(fact.at, fact);
            }
            None => {
                let from = match self.closed {
                    // Else its start would have been told of.
                    None => i64::MIN,
                    // What was there before has ended, so all that refers to the number from then on means this.
                    Some(closed) if !self.lingers && fact.lifetime != Lifetime::AtStart => closed.saturating_add(1),
                    Some(_) => fact.at,
                };
                self.open_from(from, fact);
            }
        }
    }

    fn open_from(&mut self, from: i64, fact: &Fact) {
        self.open = fact.content.map(|content| Open {
            from,
            seen: fact.at,
            content,
        });
    }

    /// Ends what is open; whether something was.
    fn close(&mut self, to: i64) -> bool {
        self.closed = Some(to);
        let Some(open) = self.open.take() else { return false };
        let span = self.span(open.from, to.max(open.from), open.content);
        self.spans.push(span);
        true
    }

    fn end_lingering(&mut self, next: &Fact) {
        let span = self.lingering.take().and_then(|index| self.spans.get_mut(index));
        if let Some(span) = span.filter(|_| next.lifetime == Lifetime::Starts) {
            span.to = next.at.saturating_sub(1).max(span.to);
        }
    }

    fn span(&self, from: i64, to: i64, content: Content) -> Span {
        Span {
            key: self.key,
            from,
            to,
            content,
        }
    }
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
