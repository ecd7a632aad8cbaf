//! What a trace says of the context of its own events: names of processes, files and registry keys, stacks, images.
//!
//! Events name things by numbers: a process by its id, a file by the address of an object, a stack by a key. Other events of
//! the trace say what the numbers stand for, often only at its end. [`SessionState`] is made by reading the whole trace for them;
//! then it answers for any event, at the time of that event, because numbers are used again. It says only what the trace
//! says: where that is nothing, or not clear, the answer is `None`.
//!
//! Which fields have such numbers, and which events explain them, is marked in the schema (`refers`, `defines`, `lifetime`).

mod collect;
mod facts;
mod links;
mod marked;
mod resolve;
mod timeline;

pub use resolve::{Frame, Resolution, Resolved, ResolvedField, ThreadOwner};

use crate::event::Event;
use crate::format::roles::EventRoles;
use crate::order::Order;
use crate::payload::schemas::Schemas;
use crate::payload::template::Refers;
use crate::source::Source;
use crate::trace::TraceFile;
use collect::{Collector, KERNEL_PROCESSES};
use facts::{Content, Store};
use links::Links;
use timeline::Timeline;

/// How much of the state is collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Names of processes only.
    ProcessNames,
    /// All that [`SessionState::resolve`] answers.
    All,
}

/// What the events of a trace say of numbers in other events.
#[derive(Debug, Default)]
pub struct SessionState {
    timeline: Timeline,
    store: Store,
    /// Paths in the kernel and what they are to programs, the longest first.
    volumes: Vec<(String, String)>,
    links: Links,
}

/// Most images that are looked at below an address: they lie side by side, but those of other times may lie between.
const MAX_IMAGES_BELOW: usize = 64;

impl SessionState {
    /// Name of the image that the process of an event's header runs, without path.
    pub fn process_of(&self, event: &Event<'_>) -> Option<&str> {
        self.process_name(event.header().process_id()?, event.ticks()?)
    }

    /// Name of the image that a process ran at a time, in ticks of the session's clock.
    pub fn process_name(&self, process: u64, at: i64) -> Option<&str> {
        self.name((Refers::Process, 0, process), at)
    }

    /// Process that a thread belonged to at a time, in ticks of the session's clock.
    pub fn process_of_thread(&self, thread: u64, at: i64) -> Option<u64> {
        match self.timeline.at((Refers::Thread, 0, thread), at)? {
            Content::Process(process) => Some(process),
            _ => None,
        }
    }

    /// Path and base address of the image that covered an address of a process at a time; images of the kernel belong to all.
    pub fn image_at(&self, process: Option<u64>, address: u64, at: i64) -> Option<(&str, u64)> {
        let owners = process.into_iter().chain(KERNEL_PROCESSES);
        owners.into_iter().find_map(|owner| {
            let below = self.timeline.down_from((Refers::Image, owner, address));
            below.take(MAX_IMAGES_BELOW).find_map(|span| match span.content {
                Content::Image(path, size) if span.from <= at && at <= span.to && address - span.key.2 < size => {
                    Some((self.store.text(path), span.key.2))
                }
                _ => None,
            })
        })
    }

    /// Number of facts that found no room ([`Limits::max_state_bytes`](crate::Limits::max_state_bytes)), so that some numbers may
    /// stay without an answer.
    pub fn left_out(&self) -> u64 {
        self.store.left_out
    }

    fn name(&self, key: timeline::Key, at: i64) -> Option<&str> {
        match self.timeline.at(key, at)? {
            Content::Name(name) => Some(self.store.text(name)),
            _ => None,
        }
    }
}

impl<S: Source> TraceFile<S> {
    /// What the trace says of the context of its events. The file is read once for it, and once more if there are events that
    /// belong to others. `schemas` are those of the same trace: events that only they describe count too.
    pub fn state(&self, schemas: &mut Schemas, scope: Scope) -> SessionState {
        let mut collector = Collector::new(scope, self.limits().max_state_bytes);
        let mut events = self.events(Order::File);
        while let Some(event) = events.next() {
            collector.see(&event, schemas);
        }
        let mut state = collector.finish();
        if !state.links.is_empty() {
            let mut events = self.events(Order::File);
            while let Some(event) = events.next() {
                state.links.see(&event);
            }
        }
        state
    }
}

/// What follows the last separator of a path.
fn last_component(path: &str) -> &str {
    path.rsplit('\\').next().unwrap_or(path)
}
