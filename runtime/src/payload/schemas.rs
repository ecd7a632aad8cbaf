//! The schemas that a trace carries, and which of them fit an event.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use super::event_info::{self, Key, Maps};
use super::event_schema::{EventSchema, SchemaProblem};
use super::manifest::{Manifest, ManifestProvider};
use super::manifest_parts::{Part, Parts};
use super::{Outcome, TemplateRecord, tracelogging};
use crate::dispatch::Glance;
use crate::event::Event;
use crate::format::events::META_DATA_CLASS;
use crate::format::roles::EventRoles;
use crate::format::{EventCommand, EventHeaderExtType, MetadataEventType};
use crate::guid::Guid;
use crate::table::OpenEnum as _;

/// Class of the events that merging puts into a trace, as PerfView calls it: MetaData.
pub const METADATA_CLASS: Guid = META_DATA_CLASS;

/// Most bytes of TraceLogging metadata of which the schemas are kept; a schema takes up to a hundred times as much memory.
/// Events with further metadata have their schema made anew for each event.
pub const MAX_METADATA: usize = 4 << 20;
/// Most bytes of event information that are kept, and most bytes of manifests that are read.
pub const MAX_SCHEMA_BYTES: usize = 64 << 20;
/// Most notes that are kept; further ones are counted.
pub const MAX_NOTES: usize = 1000;

/// The schemas of one trace.
///
/// They often stand behind the events that they describe, so a trace is first read to its end with [`collect`](Self::collect),
/// then a second time with [`find`](Self::find).
#[derive(Debug, Default)]
pub struct Schemas {
    infos: HashMap<Key, Info>,
    maps: HashMap<Guid, Maps>,
    schema_bytes: usize,
    manifests: HashMap<Guid, ManifestProvider>,
    /// What the last manifest of a provider was, since each process sends it at start and end.
    read: HashMap<Guid, u64>,
    manifest_bytes: usize,
    parts: Parts,
    /// Indices into `tracelogging`.
    by_metadata: HashMap<Box<[u8]>, usize>,
    tracelogging: Vec<EventSchema>,
    metadata_bytes: usize,
    /// The schema of the last event whose metadata is not kept.
    unkept: Option<EventSchema>,
    /// Finished collections that are read only: those of the event's own trace, then those of others.
    joined: Vec<Arc<Schemas>>,
    counts: SchemaCounts,
    notes: Vec<SchemaNote>,
    further_notes: u64,
}

#[derive(Debug)]
struct Info {
    provider: Guid,
    /// Number of the event that carries it.
    event: u64,
    bytes: Box<[u8]>,
    /// Made when it is first needed: maps come behind the information that names them.
    schema: Option<Box<EventSchema>>,
    /// Number of changes of the maps that it was made with.
    changes: u64,
}

/// How many schemas of which kind a trace carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SchemaCounts {
    /// Manifests that sources of .NET sent, each time counted.
    pub manifests: u64,
    /// Events that they describe.
    pub manifest_events: u64,
    /// TRACE_EVENT_INFO records.
    pub event_infos: u64,
    /// EVENT_MAP_INFO records.
    pub maps: u64,
    /// Different TraceLogging metadata.
    pub tracelogging: u64,
}

/// A schema that could not be used, or not to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaNote {
    /// The provider whose events it describes; all zeros if that can't be told.
    pub provider: Guid,
    /// Number of the event that carries it, in file order.
    pub event: Option<u64>,
    /// What is wrong.
    pub problem: SchemaProblem,
}

/// The schemas that fit an event, the best first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Candidates<'s>([Option<&'s EventSchema>; 2]);

impl<'s> Candidates<'s> {
    /// All, the best first.
    pub fn iter(&self) -> impl Iterator<Item = &'s EventSchema> + use<'s> {
        self.0.into_iter().flatten()
    }

    /// The first whose fields take all of the payload, else the first, and how far its fields carry.
    pub fn best(&self, event: &Event<'_>) -> Option<(&'s EventSchema, Outcome)> {
        let mut first = None;
        for schema in self.iter() {
            let outcome = TemplateRecord::new(&schema.template, event.payload(), event.context()).measure();
            if outcome.short.is_none() && outcome.consumed == event.payload().len() {
                return Some((schema, outcome));
            }
            first.get_or_insert((schema, outcome));
        }
        first
    }
}

impl Schemas {
    /// Schemas that answer from collections which were [finished](Self::finish), and which several threads may share. The first is
    /// that of the trace itself, and goes before all others. A schema of another trace is used only for an event that the first
    /// knows nothing of, and only if its fields take the payload to the last byte: a provider may have changed its events without
    /// giving them another version.
    #[must_use]
    pub fn joined(collections: impl IntoIterator<Item = Arc<Self>>) -> Self {
        Self {
            joined: collections.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Whether an event may carry a schema, as far as its header tells: [`Self::collect`] passes over all others.
    #[inline]
    pub(crate) fn may_be_carried(glance: &Glance) -> bool {
        glance.has_extended_items.is_some_and(|value| value != 0)
            || glance.event_id == Some(EventCommand::SEND_MANIFEST.number())
            || glance.class_id == Some(METADATA_CLASS)
    }

    /// The providers and classes of which some event is described under a provider's name that `is_meant`, by the trace or by
    /// those that are [joined](Self::joined) to it. Descriptions that an event carries itself are not looked at. To be asked once
    /// the collection is [finished](Self::finish).
    pub fn providers_named(&self, mut is_meant: impl FnMut(&str) -> bool) -> BTreeSet<Guid> {
        let mut found = BTreeSet::new();
        for schemas in std::iter::once(self).chain(self.joined.iter().map(AsRef::as_ref)) {
            let infos = schemas.infos.iter().map(|(key, info)| (key.guid, info.schema.as_deref()));
            let manifests = schemas.manifests.iter();
            let described = manifests.flat_map(|(guid, provider)| provider.events.values().map(|schema| (*guid, Some(schema))));
            for (guid, schema) in infos.chain(described) {
                // What is not known yet may have any name.
                let name = schema.map(|schema| schema.provider_name.as_deref());
                if !found.contains(&guid) && name.is_none_or(|name| name.is_some_and(&mut is_meant)) {
                    found.insert(guid);
                }
            }
        }
        found
    }

    /// Keeps the schema that an event carries. Events that carry none cost next to nothing.
    pub fn collect(&mut self, event: &Event<'_>) {
        let header = event.header();
        if header.class_id() == Some(METADATA_CLASS) {
            match header.opcode() {
                Some(kind) if kind == MetadataEventType::INFO.number() => self.add_info(event),
                Some(kind) if kind == MetadataEventType::MAP_INFO.number() => self.add_map(event),
                _ => {}
            }
            return;
        }
        match self.parts.take(event) {
            Part::None => drop(self.tracelogging(event)),
            Part::Waiting => {}
            Part::Whole(bytes) => self.add_manifest(header.provider_id().unwrap_or_default(), &bytes, Some(event.index())),
            Part::Dropped(problem) => self.note(header.provider_id().unwrap_or_default(), Some(event.index()), problem),
        }
    }

    /// Ends the collection: uses what is there of manifests whose last parts never came, and notes what is wrong with event
    /// information.
    pub fn finish(&mut self) {
        let infos = self.infos.iter_mut();
        let mut problems: Vec<_> = infos
            .filter_map(|(key, info)| {
                let (provider, carrier) = (info.provider, info.event);
                let problem = info.schema(&self.maps).problem.clone()?;
                Some(((provider, key.id, key.version), carrier, problem))
            })
            .collect();
        // The map has no order of its own, but results should not differ from run to run.
        problems.sort_by_key(|(key, ..)| *key);
        for ((provider, ..), event, problem) in problems {
            self.note(provider, Some(event), problem);
        }
        for (provider, bytes, problem) in self.parts.finish() {
            self.note(provider, None, problem);
            if !self.manifests.contains_key(&provider) {
                self.add_manifest(provider, &bytes, None);
            }
        }
    }

    /// The schemas that fit an event: what it says itself goes before event information, and that before manifests, which say
    /// less. Nothing is allocated unless the schema was not needed before.
    pub fn find(&mut self, event: &Event<'_>) -> Candidates<'_> {
        if !self.joined.is_empty() {
            return self.find_joined(event);
        }
        if let Some(index) = self.tracelogging(event) {
            return Candidates([self.tracelogging.get(index).or(self.unkept.as_ref()), None]);
        }
        let Some(key) = key_of(event) else {
            return Candidates::default();
        };
        let info = self.infos.get_mut(&key).map(|info| info.schema(&self.maps));
        Candidates([info, manifest(&self.manifests, &key)])
    }

    /// Answers from the joined collections.
    fn find_joined(&mut self, event: &Event<'_>) -> Candidates<'_> {
        let metadata = metadata_of(event);
        let key = if metadata.is_none() { key_of(event) } else { None };
        if metadata.is_none() && key.is_none() {
            return Candidates::default();
        }
        for (number, schemas) in self.joined.iter().enumerate() {
            let found = schemas.known(metadata, key.as_ref());
            if number == 0 {
                if found.iter().next().is_some() {
                    return found;
                }
            } else if let Some(fitting) = found.iter().find(|schema| takes_all(schema, event)) {
                return Candidates([Some(fitting), None]);
            }
        }
        self.unkept = metadata.map(tracelogging::parse);
        Candidates([self.unkept.as_ref(), None])
    }

    /// What a finished collection has for an event.
    fn known(&self, metadata: Option<&[u8]>, key: Option<&Key>) -> Candidates<'_> {
        let carried = metadata.and_then(|data| self.tracelogging.get(*self.by_metadata.get(data)?));
        let Some(key) = key else {
            return Candidates([carried, None]);
        };
        let info = self.infos.get(key).and_then(|info| info.schema.as_deref());
        Candidates([info, manifest(&self.manifests, key)])
    }

    /// How many schemas were found.
    pub fn counts(&self) -> SchemaCounts {
        let events = self.manifests.values().map(|provider| provider.events.len() as u64).sum();
        SchemaCounts {
            manifest_events: events,
            tracelogging: self.tracelogging.len() as u64,
            ..self.counts
        }
    }

    /// What could not be used.
    pub fn notes(&self) -> &[SchemaNote] {
        &self.notes
    }

    /// Number of notes beyond those that are kept.
    pub fn further_notes(&self) -> u64 {
        self.further_notes
    }

    /// Index of the schema that an event carries itself, made if it is new; an index without schema means [`Self::unkept`].
    fn tracelogging(&mut self, event: &Event<'_>) -> Option<usize> {
        let data = metadata_of(event)?;
        if let Some(index) = self.by_metadata.get(data) {
            return Some(*index);
        }
        let schema = tracelogging::parse(data);
        if self.metadata_bytes + data.len() > MAX_METADATA {
            self.unkept = Some(schema);
            return Some(usize::MAX);
        }
        if let Some(problem) = &schema.problem {
            self.note(event.provider_id().unwrap_or_default(), Some(event.index()), problem.clone());
        }
        self.metadata_bytes += data.len();
        let index = self.tracelogging.len();
        self.by_metadata.insert(data.into(), index);
        self.tracelogging.push(schema);
        Some(index)
    }

    fn add_info(&mut self, event: &Event<'_>) {
        self.counts.event_infos += 1;
        let bytes = event.payload();
        let (provider, key) = match event_info::key(bytes) {
            Ok(Some(found)) => found,
            Ok(None) => return,
            Err(error) => return self.note(Guid::ZERO, Some(event.index()), SchemaProblem::Layout(error)),
        };
        if !self.has_room(event, provider, bytes.len()) {
            return;
        }
        let info = Info {
            provider,
            event: event.index(),
            bytes: bytes.into(),
            schema: None,
            changes: 0,
        };
        // Merging again may put in the same record again.
        if let Some(old) = self.infos.insert(key, info) {
            self.schema_bytes -= old.bytes.len();
        }
    }

    fn add_map(&mut self, event: &Event<'_>) {
        self.counts.maps += 1;
        let bytes = event.payload();
        let (provider, map) = match event_info::map(bytes) {
            Ok(Some(found)) => found,
            Ok(None) => return,
            Err(error) => return self.note(Guid::ZERO, Some(event.index()), SchemaProblem::Layout(error)),
        };
        if !self.has_room(event, provider, bytes.len()) {
            return;
        }
        if !self.maps.entry(provider).or_default().insert(map) {
            self.schema_bytes -= bytes.len();
        }
    }

    fn has_room(&mut self, event: &Event<'_>, provider: Guid, bytes: usize) -> bool {
        if self.schema_bytes + bytes > MAX_SCHEMA_BYTES {
            let problem = SchemaProblem::TooLarge {
                what: "event information",
                limit: MAX_SCHEMA_BYTES,
            };
            self.note(provider, Some(event.index()), problem);
            return false;
        }
        self.schema_bytes += bytes;
        true
    }

    fn add_manifest(&mut self, sender: Guid, bytes: &[u8], event: Option<u64>) {
        self.counts.manifests += 1;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = hasher.finish();
        if self.read.insert(sender, hash) == Some(hash) {
            return;
        }
        if self.manifest_bytes + bytes.len() > MAX_SCHEMA_BYTES {
            let problem = SchemaProblem::TooLarge {
                what: "manifests",
                limit: MAX_SCHEMA_BYTES,
            };
            return self.note(sender, event, problem);
        }
        self.manifest_bytes += bytes.len();
        let manifest = Manifest::parse(&String::from_utf8_lossy(bytes));
        if let Some(problem) = manifest.problem {
            self.note(sender, event, problem);
        }
        for mut provider in manifest.providers {
            let guid = provider.guid.unwrap_or(sender);
            for problem in provider.events.values().filter_map(|schema| schema.problem.clone()) {
                self.note(guid, event, problem);
            }
            // A later manifest goes before an earlier one, which may know other events.
            if let Some(old) = self.manifests.remove(&guid) {
                for (key, schema) in old.events {
                    provider.events.entry(key).or_insert(schema);
                }
            }
            self.manifests.insert(guid, provider);
        }
    }

    fn note(&mut self, provider: Guid, event: Option<u64>, problem: SchemaProblem) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(SchemaNote {
                provider,
                event,
                problem,
            });
        } else {
            self.further_notes += 1;
        }
    }
}

/// The TraceLogging metadata that an event carries.
fn metadata_of<'a>(event: &Event<'a>) -> Option<&'a [u8]> {
    let kind = EventHeaderExtType::EVENT_SCHEMA_TL.number();
    Some(event.extended_items().find(|item| item.item_type() == kind)?.data)
}

/// What the schemas of an event are kept by, if it is of a kind that has any.
fn key_of(event: &Event<'_>) -> Option<Key> {
    let header = event.header();
    let version = u8::try_from(header.event_version()?).ok()?;
    let (id, guid, classic) = match (header.event_id(), header.provider_id(), header.class_id(), header.opcode()) {
        (Some(id), Some(guid), ..) => (id, guid, false),
        (None, _, Some(guid), Some(kind)) => (kind, guid, true),
        _ => return None,
    };
    let id = u16::try_from(id).ok()?;
    Some(Key {
        guid,
        id,
        version,
        classic,
    })
}

fn manifest<'s>(manifests: &'s HashMap<Guid, ManifestProvider>, key: &Key) -> Option<&'s EventSchema> {
    let provider = manifests.get(&key.guid).filter(|_| !key.classic)?;
    provider.events.get(&(key.id, key.version))
}

fn takes_all(schema: &EventSchema, event: &Event<'_>) -> bool {
    let outcome = TemplateRecord::new(&schema.template, event.payload(), event.context()).measure();
    outcome.short.is_none() && outcome.consumed == event.payload().len()
}

impl Info {
    fn schema(&mut self, maps: &HashMap<Guid, Maps>) -> &EventSchema {
        let maps = maps.get(&self.provider);
        let changes = maps.map_or(0, |maps| maps.changes);
        if changes != self.changes {
            (self.schema, self.changes) = (None, changes);
        }
        self.schema
            .get_or_insert_with(|| Box::new(event_info::lower(&self.bytes, maps)))
    }
}

#[cfg(test)]
#[path = "schemas_tests.rs"]
mod tests;
