//! Counting.

use std::collections::HashMap;

use winetl::payload::decoded::{Decoded, Undecoded};
use winetl::payload::schemas::Schemas;
use winetl::{Event, EventRoles, Events, Filetime, Guid, Source};

use crate::args::StatsBy;
use crate::render::Identity;

/// Most rows of a file: what a trace may name without end must not take memory without end.
const MOST_ROWS: usize = 1 << 16;

/// Events that are counted together, and how many there are.
#[derive(Debug, Default, Clone)]
pub(super) struct Row {
    pub(super) provider_id: Option<Guid>,
    pub(super) provider: Option<String>,
    /// Group and type, for a kernel event.
    pub(super) hook_id: Option<u64>,
    /// Type within its class, for a classic event.
    pub(super) event_type: Option<u64>,
    /// Number of an event of a provider, or of a message.
    pub(super) id: Option<u64>,
    pub(super) event: Option<String>,
    pub(super) version: Option<u64>,
    /// Whether it stands for all kinds that had no room.
    pub(super) others: bool,
    pub(super) tally: Tally,
}

/// Numbers of a row or of a file.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Tally {
    pub(super) events: u64,
    /// With their headers and extended items.
    pub(super) bytes: u64,
    pub(super) first: Option<Filetime>,
    pub(super) last: Option<Filetime>,
    pub(super) coverage: Coverage,
}

/// How many events are decoded how far. Each event is in one of these.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coverage {
    /// To the last byte of the payload.
    pub(super) exact: u64,
    /// All fields, and bytes are left.
    pub(super) trailing: u64,
    /// The payload ends within a field.
    pub(super) short: u64,
    /// The event has a name, and nothing describes its payload.
    pub(super) named: u64,
    /// Nothing describes the event.
    pub(super) raw: u64,
}

/// What is counted of a file.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) by: StatsBy,
    /// By falling number of events, then by name.
    pub(super) rows: Vec<Row>,
    pub(super) total: Tally,
}

/// What tells rows apart.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
struct Key {
    provider_id: Option<Guid>,
    hook_id: Option<u64>,
    event_type: Option<u64>,
    id: Option<u64>,
    /// Of an event that the trace itself names: TraceLogging events have no number.
    name: Option<String>,
    version: Option<u64>,
}

impl Counts {
    /// Reads all events, and counts those that are wanted.
    pub(super) fn collect<S: Source>(
        events: &mut Events<'_, S>,
        schemas: &mut Schemas,
        by: StatsBy,
        wanted: impl FnMut(&Event<'_>, &mut Schemas) -> bool,
    ) -> Self {
        Self::collect_into(MOST_ROWS, events, schemas, by, wanted)
    }

    /// Reads all events into at most so many rows, and one for others.
    fn collect_into<S: Source>(
        most: usize,
        events: &mut Events<'_, S>,
        schemas: &mut Schemas,
        by: StatsBy,
        mut wanted: impl FnMut(&Event<'_>, &mut Schemas) -> bool,
    ) -> Self {
        let mut rows = HashMap::<Key, Row>::new();
        let mut others = Row {
            others: true,
            ..Row::default()
        };
        let mut total = Tally::default();
        while let Some(event) = events.next() {
            if !wanted(&event, schemas) {
                continue;
            }
            let decoded = schemas.decode(&event);
            let identity = Identity::of(&event, &decoded);
            let key = Key::new(&event, &identity, by);
            let full = rows.len() >= most;
            let row = match rows.get_mut(&key) {
                Some(row) => row,
                None if full => &mut others,
                None => {
                    let row = Row::new(&key, &identity, by);
                    rows.entry(key).or_insert(row)
                }
            };
            row.tally.add(&event, &decoded, identity.name.is_some());
            total.add(&event, &decoded, identity.name.is_some());
        }
        let mut rows: Vec<Row> = rows.into_values().collect();
        rows.sort_by(|a, b| b.tally.events.cmp(&a.tally.events).then_with(|| a.order().cmp(&b.order())));
        rows.extend((others.tally.events > 0).then_some(others));
        Self { by, rows, total }
    }

    /// Whether there were more kinds than rows.
    pub(super) fn is_cut(&self) -> bool {
        self.rows.last().is_some_and(|row| row.others)
    }
}

impl Key {
    fn new(event: &Event<'_>, identity: &Identity<'_>, by: StatsBy) -> Self {
        let header = event.header();
        let mut key = Self {
            provider_id: identity.provider_id,
            ..Self::default()
        };
        if by == StatsBy::Provider {
            return key;
        }
        key.hook_id = header.hook_id();
        key.event_type = header.class_id().and(header.opcode());
        key.id = identity.id;
        if event.info().is_none() {
            key.name = identity.name.as_deref().map(str::to_owned);
        }
        if by == StatsBy::Version {
            key.version = header.event_version();
        }
        key
    }
}

impl Row {
    fn new(key: &Key, identity: &Identity<'_>, by: StatsBy) -> Self {
        let name = identity.name.as_deref().filter(|_| by != StatsBy::Provider);
        Self {
            provider_id: key.provider_id,
            provider: identity.provider.as_deref().map(str::to_owned),
            hook_id: key.hook_id,
            event_type: key.event_type,
            id: key.id,
            event: name.map(str::to_owned),
            version: key.version,
            others: false,
            tally: Tally::default(),
        }
    }

    fn order(&self) -> impl Ord {
        (
            self.provider.as_deref(),
            self.provider_id,
            self.event.as_deref(),
            (self.hook_id, self.event_type, self.id),
            self.version,
        )
    }
}

impl Tally {
    fn add(&mut self, event: &Event<'_>, decoded: &Decoded<'_>, named: bool) {
        self.events += 1;
        self.bytes += event.bytes().len() as u64;
        if let Some(time) = event.time() {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
        let coverage = &mut self.coverage;
        *match decoded.undecoded {
            None => &mut coverage.exact,
            Some(Undecoded::TrailingBytes) => &mut coverage.trailing,
            Some(Undecoded::TooShort) => &mut coverage.short,
            Some(Undecoded::NoSchema) if named => &mut coverage.named,
            Some(Undecoded::NoSchema) => &mut coverage.raw,
        } += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use winetl::{Order, TraceFile};

    use super::*;

    fn counts(most: usize, by: StatsBy) -> Counts {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples/hello.etl");
        let trace = TraceFile::open(path).unwrap();
        let mut schemas = trace.schemas();
        Counts::collect_into(most, &mut trace.events(Order::File), &mut schemas, by, |_, _| true)
    }

    #[test]
    fn kinds_without_room_are_counted_together() {
        let all = counts(MOST_ROWS, StatsBy::Event);
        assert!(!all.is_cut());
        let cut = counts(3, StatsBy::Event);
        assert!(cut.is_cut());
        assert_eq!(cut.rows.len(), 3 + 1);
        let sum = |counts: &Counts| counts.rows.iter().map(|row| row.tally.events).sum::<u64>();
        assert_eq!([sum(&all), sum(&cut), cut.total.events], [all.total.events; 3]);
    }

    #[test]
    fn rows_are_finer_from_provider_to_version() {
        let [provider, event, version] =
            [StatsBy::Provider, StatsBy::Event, StatsBy::Version].map(|by| counts(MOST_ROWS, by).rows.len());
        assert!(provider < event && event <= version);
    }
}
