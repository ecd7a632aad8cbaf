//! The keys that events of one kind have in common, kept as text: nearly half of a line.

use winetl::payload::decoded::Decoded;
use winetl::{Event, EventRoles};

use super::Identity;
use super::envelope::{KEYS, KeyValue, OF_KIND};
use super::json::Object;
use super::sink::Shown;

/// What the keys of a kind are made from.
#[derive(Debug, PartialEq)]
pub(crate) struct Kind<'a> {
    pub(crate) header_type: &'static str,
    pub(crate) identity: Identity<'a>,
    pub(crate) version: Option<u64>,
    pub(crate) opcode: Option<u64>,
    pub(crate) level: Option<u64>,
    pub(crate) task: Option<u64>,
    pub(crate) keyword: Option<u64>,
}

impl<'a> Kind<'a> {
    pub(crate) fn of(event: &Event<'a>, payload: &Decoded<'a>) -> Self {
        let header = event.header();
        Self {
            header_type: event.case().name,
            identity: Identity::of(event, payload),
            version: header.event_version(),
            opcode: header.opcode(),
            level: header.level(),
            task: header.task(),
            keyword: header.keyword(),
        }
    }

    /// The keys in their order.
    fn entries(&self, shown: &Shown<'_>, line: &mut Object<'_>) {
        for info in KEYS.get(OF_KIND).unwrap_or_default() {
            let value = KeyValue {
                key: info.key,
                shown,
                kind: Some(self),
            };
            line.written(info.entry, &value);
        }
    }

    /// Where the kind is kept. Only kinds that follow each other often should rarely share a place.
    fn slot(&self) -> usize {
        let class = self
            .identity
            .class_id
            .or(self.identity.provider_id)
            .map_or(0, |id| id.to_bytes()[0]);
        let number = self.identity.id.or(self.opcode).unwrap_or(0);
        (number as usize).wrapping_add(usize::from(class)) % SLOTS
    }

    fn into_owned(self) -> Kind<'static> {
        Kind {
            identity: self.identity.into_owned(),
            ..self
        }
    }
}

/// Number of kinds that are kept, each with a few hundred bytes of text.
const SLOTS: usize = 128;
/// Most bytes of text that are kept of one kind: names come from the trace.
const MAX_TEXT: usize = 4096;

/// The kinds that were written last.
#[derive(Debug)]
pub(super) struct Kinds(Vec<Option<(Kind<'static>, Vec<u8>)>>);

impl Kinds {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| None).collect())
    }

    /// Pushes the keys of the kind.
    pub(super) fn push(&mut self, shown: &Shown<'_>, line: &mut Object<'_>) {
        let kind = Kind::of(shown.event, shown.payload);
        let Some(slot) = self.0.get_mut(kind.slot()) else {
            return kind.entries(shown, line);
        };
        if let Some((kept, text)) = slot
            && *kept == kind
        {
            return line.entries(text);
        }
        let text = line.pushed(|line| kind.entries(shown, line));
        *slot = (text.len() <= MAX_TEXT).then(|| (kind.into_owned(), text.to_vec()));
    }
}
