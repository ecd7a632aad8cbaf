//! The first pass: facts from the events that define something.

use super::facts::{Content, Fact, Store};
use super::links::Links;
use super::marked::{Marked, number, numbers, text};
use super::timeline::Timeline;
use super::{Scope, SessionState, last_component};
use crate::event::Event;
use crate::format::roles::EventRoles;
use crate::payload::schemas::Schemas;
use crate::payload::template::{Lifetime, Refers};

/// Processes that are not started from an image: idle process and system process.
pub(super) const KERNEL_PROCESSES: [u64; 2] = [0, 4];

/// How the names of images end that processes are started from.
const PROGRAM: &str = ".exe";

pub(super) struct Collector {
    scope: Scope,
    store: Store,
    facts: Vec<Fact>,
    /// Loading and unloading of programs, each by the process and with the base address: names processes of which no event tells.
    programs: Vec<(Fact, u64)>,
    volumes: Vec<(String, String)>,
    links: Links,
}

/// What the marked fields of an event say.
#[derive(Default)]
struct Said {
    key: Option<u64>,
    process: Option<u64>,
    thread: Option<u64>,
    event: Option<u64>,
    name: Option<String>,
    volume: Option<String>,
    size: Option<u64>,
    frames: Option<Vec<u64>>,
}

impl Collector {
    pub(super) fn new(scope: Scope, limit: u64) -> Self {
        Self {
            scope,
            store: Store::new(limit),
            facts: Vec::new(),
            programs: Vec::new(),
            volumes: Vec::new(),
            links: Links::default(),
        }
    }

    pub(super) fn see(&mut self, event: &Event<'_>, schemas: &mut Schemas) {
        let Some(marked) = Marked::of(event, schemas) else { return };
        let defines = marked.defines.filter(|defines| match self.scope {
            Scope::All => true,
            Scope::ProcessNames => matches!(defines.what, Refers::Process | Refers::Image),
        });
        let belongs = self.scope == Scope::All && marked.has(Refers::Event);
        if defines.is_none() && !belongs {
            return;
        }
        let what = defines.map(|defines| defines.what);
        let mut said = Said::default();
        marked.each(&mut |field| {
            let number = || number(&field.value);
            if said.key.is_none() && what == Some(field.refers) {
                said.key = number();
            }
            match field.refers {
                Refers::Process if said.process.is_none() => said.process = number(),
                Refers::Thread if said.thread.is_none() => said.thread = number(),
                Refers::Event if said.event.is_none() => said.event = number(),
                Refers::Size => said.size = number(),
                Refers::Name => said.name = text(&field.value).filter(|name| !name.is_empty()),
                Refers::Volume => said.volume = text(&field.value).filter(|name| !name.is_empty()),
                Refers::Code => said.frames = numbers(&field.value),
                _ => {}
            }
        });
        if let (true, Some(time), Some(thread)) = (belongs, said.event, said.thread)
            && self.store.room_for::<[u64; 6]>()
        {
            self.links.want(time.cast_signed(), thread);
        }
        if let (Some(defines), Some(at)) = (defines, event.ticks()) {
            self.define(event, at, defines.what, defines.lifetime, said);
        }
    }

    fn define(&mut self, event: &Event<'_>, at: i64, what: Refers, lifetime: Lifetime, said: Said) {
        if what == Refers::Volume {
            if let (Some(volume), Some(name)) = (said.volume, said.name)
                && self.store.name(&volume).is_some()
            {
                self.volumes.push((volume, name));
            }
            return;
        }
        let Some(key) = said.key else { return };
        // A rundown is logged by the thread that makes it.
        let own = matches!(lifetime, Lifetime::Starts | Lifetime::Ends);
        let process = said.process.or_else(|| event.header().process_id().filter(|_| own));
        let name = said.name.as_deref();
        let content = match what {
            Refers::Process => name.and_then(|name| self.store.name(last_component(name))).map(Content::Name),
            Refers::Thread => process.map(Content::Process),
            Refers::Image => {
                if let Some(name) = name {
                    self.program(event, at, process, key, lifetime, name);
                }
                if self.scope == Scope::ProcessNames {
                    return;
                }
                let path = name.and_then(|name| self.store.name(name));
                path.map(|path| Content::Image(path, said.size.unwrap_or(0)))
            }
            Refers::Stack => said.frames.and_then(|frames| self.store.stack(&frames)).map(Content::Frames),
            _ => name.and_then(|name| self.store.name(name)).map(Content::Name),
        };
        let owner = match (what, process) {
            (Refers::Image, Some(process)) => process,
            (Refers::Image, None) => return,
            _ => 0,
        };
        if self.store.room_for::<Fact>() {
            self.facts.push(Fact {
                key: (what, owner, key),
                at,
                order: event.index(),
                lifetime,
                content,
            });
        }
    }

    /// Keeps an image that a process may be started from.
    fn program(&mut self, event: &Event<'_>, at: i64, process: Option<u64>, base: u64, lifetime: Lifetime, path: &str) {
        let Some(process) = process.filter(|process| !KERNEL_PROCESSES.contains(process)) else {
            return;
        };
        let name = last_component(path);
        let tail = name.len().checked_sub(PROGRAM.len()).and_then(|start| name.get(start..));
        if !tail.is_some_and(|tail| tail.eq_ignore_ascii_case(PROGRAM)) {
            return;
        }
        let Some(name) = self.store.name(name) else { return };
        if self.store.room_for::<(Fact, u64)>() {
            let fact = Fact {
                key: (Refers::Process, 0, process),
                at,
                order: event.index(),
                lifetime,
                content: Some(Content::Name(name)),
            };
            self.programs.push((fact, base));
        }
    }

    pub(super) fn finish(mut self) -> SessionState {
        self.name_by_programs();
        self.store.finish();
        // Of two paths that fit, the longer says more.
        self.volumes.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        self.volumes.dedup();
        self.links.finish();
        SessionState {
            timeline: Timeline::build(self.facts),
            store: self.store,
            volumes: self.volumes,
            links: self.links,
        }
    }

    /// A process of which no event tells is named by the first program that is loaded into it. Others that are loaded later are data
    /// to it.
    fn name_by_programs(&mut self) {
        let mut named: Vec<_> = self
            .facts
            .iter()
            .filter(|fact| fact.key.0 == Refers::Process && fact.content.is_some())
            .map(|fact| fact.key)
            .collect();
        named.sort_unstable();
        self.programs
            .sort_unstable_by_key(|(fact, _)| (fact.key, fact.at, fact.order));
        for group in self.programs.chunk_by(|a, b| a.0.key == b.0.key) {
            let Some((first, _)) = group.first() else { continue };
            if named.binary_search(&first.key).is_ok() {
                continue;
            }
            let mut running = None;
            for (fact, base) in group {
                if running.is_some_and(|running| running != *base) {
                    continue;
                }
                running = (fact.lifetime != Lifetime::Ends).then_some(*base);
                self.facts.push(*fact);
            }
        }
    }
}
