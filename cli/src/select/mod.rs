//! Which events are wanted.
//!
//! What the header alone tells is asked first, then what names tell, which needs the schema of the event, then what the payload
//! tells. An event that is not wanted costs no more than it takes to find that out.
//!
//! ```text
//! args::Select + trace -> Selection --header--> Verdict --names--> Verdict --payload--> yes or no
//! ```

mod asks;
pub(crate) mod clause;
mod compare;
mod key;
mod look;
pub(crate) mod moment;
mod named;
mod nothing;
pub(crate) mod numbers;
pub(crate) mod pattern;
mod text;
pub(crate) mod wanted;

use std::collections::BTreeSet;

use winetl::format::provider_names::PROVIDERS;
use winetl::payload::decoded::Decoded;
use winetl::payload::event_schema::EventSchema;
use winetl::payload::schemas::Schemas;
use winetl::payload::traits;
use winetl::state::SessionState;
use winetl::{Event, EventRoles as _, Filetime, Guid, Order, Source, TraceFile};

use crate::args::Select;
use crate::render::real_id;
use clause::{Clause, Condition, Field};
use compare::Outcome;
use key::Needs;
use named::{Named, best_schema};
use numbers::Numbers;

/// What is known so far of whether an event is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    No,
    /// More of the event must be looked at.
    Open,
    Yes,
}

impl Verdict {
    fn of(wanted: bool) -> Self {
        if wanted { Self::Yes } else { Self::No }
    }

    /// Of two options, both of which must fit.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::No => Self::No,
            Self::Yes => other(),
            Self::Open if other() == Self::No => Self::No,
            Self::Open => Self::Open,
        }
    }
}

/// The options, ready for the events of one trace. It is not changed by use, so threads can share it.
#[derive(Debug, Clone)]
pub(crate) struct Selection<'a> {
    wanted: &'a Select,
    /// Earliest and latest time.
    times: Option<(Filetime, Filetime)>,
    /// The well-known providers that are meant by name.
    known: Vec<Guid>,
    /// Those, and the ones that the trace describes under a name that is meant; `None` if that was not looked at.
    named: Option<BTreeSet<Guid>>,
    /// Whether kernel events are of a wanted provider.
    kernel: bool,
    /// What is asked of the payload's fields or names, beyond headers.
    names: bool,
    payload: bool,
    all: bool,
}

impl<'a> Selection<'a> {
    /// Makes the options ready for a trace. For a time after the first event in the file, that event is read.
    pub(crate) fn new<S: Source>(wanted: &'a Select, trace: &TraceFile<S>) -> Self {
        let first = wanted
            .is_relative()
            .then(|| trace.events(Order::File).next().and_then(|event| event_time(&event)))
            .flatten();
        let bound = |moment: Option<moment::Moment>, open: i64, never: i64| {
            moment.map_or(Filetime(open), |moment| moment.after(first).unwrap_or(Filetime(never)))
        };
        let bounded = wanted.from.is_some() || wanted.to.is_some();
        // Where the time of the first event cannot be told, no event is after it.
        let times = bounded.then(|| (bound(wanted.from, i64::MIN, i64::MAX), bound(wanted.to, i64::MAX, i64::MIN)));
        let is_meant = |name: &str| wanted.providers.iter().any(|wanted| wanted.matches(None, Some(name)));
        let known = PROVIDERS.iter().filter(|provider| is_meant(provider.name));
        Self {
            wanted,
            times,
            known: known.map(|provider| provider.id).collect(),
            named: None,
            kernel: winetl::kernel_provider()
                .is_some_and(|kernel| any(&wanted.providers, |wanted| wanted.matches(Some(kernel.id), Some(kernel.name)))),
            names: wanted.asks_names(),
            payload: wanted.asks_payload(),
            all: wanted.is_empty(),
        }
    }

    /// Whether all events are wanted.
    pub(crate) fn is_all(&self) -> bool {
        self.all
    }

    /// Whether an event is wanted, in all stages. `state` must have the names of processes if
    /// [`Select::asks_process_names`] says so.
    pub(crate) fn accepts(&self, event: &Event<'_>, schemas: &mut Schemas, state: &SessionState) -> bool {
        match self.before_payload(event, schemas, state) {
            Verdict::No => false,
            Verdict::Yes => true,
            Verdict::Open => self.payload(event, &schemas.decode(event), state),
        }
    }

    /// The stages that need no decoded payload. If they leave the event open, [`Self::payload`] tells.
    pub(crate) fn before_payload(&self, event: &Event<'_>, schemas: &mut Schemas, state: &SessionState) -> Verdict {
        if self.all {
            return Verdict::Yes;
        }
        match self.header(event, state) {
            Verdict::Open if self.names => self.names(event, best_schema(schemas, event)),
            verdict => verdict,
        }
    }

    /// The first stage, which needs neither schemas nor payload.
    fn header(&self, event: &Event<'_>, state: &SessionState) -> Verdict {
        let Select {
            ids,
            levels,
            processes,
            threads,
            programs,
            processors,
            header_types,
            activities,
            clauses,
            ..
        } = self.wanted;
        let header = event.header();
        let in_time = || {
            self.times
                .is_none_or(|(from, to)| event_time(event).is_some_and(|time| from <= time && time <= to))
        };
        let is_wanted = any(header_types, |kind| kind.matches(event.case().name))
            && fits(processes, || real_id(header.process_id()))
            && fits(threads, || real_id(header.thread_id()))
            && fits(processors, || event.processor().map(u64::from))
            && fits(ids, || event_id(event))
            && any(levels, |level| header.level().is_some_and(|number| level.matches(number)));
        if !is_wanted {
            return Verdict::No;
        }
        self.named_by_header(event)
            .and(|| Verdict::of(in_time()))
            .and(|| {
                let name = if programs.is_empty() { None } else { state.process_of(event) };
                Verdict::of(any(programs, |wanted| name.is_some_and(|name| wanted.matches(name))))
            })
            .and(|| Verdict::of(any(activities, |activity| activity.matches(event))))
            .and(|| clauses_by_header(clauses, event, state))
            .and(|| if self.payload { Verdict::Open } else { Verdict::Yes })
    }

    /// What the header tells of options that go by names.
    fn named_by_header(&self, event: &Event<'_>) -> Verdict {
        let Select {
            providers,
            events,
            opcodes,
            keywords,
            ..
        } = self.wanted;
        if !self.names && opcodes.is_empty() && keywords.is_empty() {
            return Verdict::Yes;
        }
        let header = event.header();
        let hook_id = header.hook_id();
        let by_provider = || {
            let id = provider_id(event);
            if any(providers, |wanted| wanted.by_guid(id)) {
                Verdict::Yes
            } else if hook_id.is_some() {
                let name = event.provider().map(|provider| provider.name);
                Verdict::of(any(providers, |wanted| wanted.matches(id, name)))
            } else {
                open_if(providers.iter().any(|wanted| matches!(wanted, wanted::ProviderIs::Name(_))))
            }
        };
        let by_event = || {
            if any(events, |wanted| wanted.by_hook_id(hook_id)) {
                Verdict::Yes
            } else if events.iter().all(|wanted| matches!(wanted, wanted::EventIs::Hook(_))) {
                Verdict::No
            } else if let Some(info) = event.info() {
                Verdict::of(any(events, |wanted| wanted.is_called(info.name)))
            } else {
                Verdict::Open
            }
        };
        let by_opcode = || {
            if any(opcodes, |wanted| wanted.by_number(header.opcode())) {
                Verdict::Yes
            } else {
                open_if(opcodes.iter().any(|wanted| matches!(wanted, wanted::OpcodeIs::Name(_))))
            }
        };
        let by_keyword = || {
            if any(keywords, |wanted| wanted.by_mask(header.keyword())) {
                Verdict::Yes
            } else {
                open_if(keywords.iter().any(|wanted| matches!(wanted, wanted::KeywordIs::Name(_))))
            }
        };
        by_provider().and(by_event).and(by_opcode).and(by_keyword)
    }

    /// The second stage: names, by the schema that the trace carries for the event.
    fn names<'a2>(&self, event: &Event<'a2>, schema: Option<&'a2 EventSchema>) -> Verdict {
        let Select {
            providers,
            events,
            opcodes,
            keywords,
            ..
        } = self.wanted;
        if !providers.is_empty() && !self.is_of_provider(event, schema) {
            return Verdict::No;
        }
        let header = event.header();
        let is_wanted = (events.is_empty() && opcodes.is_empty() && keywords.is_empty()) || {
            let named = Named::of(event, schema);
            let hook_id = header.hook_id();
            any(events, |wanted| wanted.by_hook_id(hook_id) || wanted.is(&named))
                && any(opcodes, |wanted| wanted.by_number(header.opcode()) || wanted.by_name(&named))
                && any(keywords, |wanted| wanted.by_mask(header.keyword()) || wanted.by_name(&named))
        };
        match is_wanted {
            false => Verdict::No,
            true if self.payload => Verdict::Open,
            true => Verdict::Yes,
        }
    }

    /// Whether an event is of a wanted provider, if there are any. That is what nearly all choices are about, so it is found
    /// without the other names of the event.
    fn is_of_provider(&self, event: &Event<'_>, schema: Option<&EventSchema>) -> bool {
        let providers = &self.wanted.providers;
        if event.header().hook_id().is_some() || providers.iter().any(|wanted| wanted.by_guid(event.provider_id())) {
            // For a kernel event the first stage has decided.
            return true;
        }
        let is_meant = |name: &str| providers.iter().any(|wanted| wanted.matches(None, Some(name)));
        if let Some(name) = schema.and_then(|schema| schema.provider_name.as_deref()) {
            return is_meant(name);
        }
        match traits::provider_name(event) {
            Some(name) => is_meant(&name),
            None => event.provider().is_some_and(|provider| is_meant(provider.name)),
        }
    }

    /// The last stage, for an event that the stages before have left open.
    pub(crate) fn payload<'a2>(&self, event: &Event<'a2>, payload: &Decoded<'a2>, state: &SessionState) -> bool {
        let Select { searches, clauses, .. } = self.wanted;
        let found = || {
            let Some(record) = &payload.record else { return false };
            let (mut buffer, mut found) = (Vec::new(), false);
            text::leaves(record.record(), &mut |value, hex| {
                let shown = text::text(value, hex, &mut buffer);
                found = shown.is_some_and(|shown| searches.iter().any(|search| search.is_in(&shown)));
                !found
            });
            found
        };
        let clause = |clause: &Clause| {
            let mut conditions = clause.conditions.iter();
            conditions.all(|condition| condition.holds(event, Some(payload), state))
        };
        (searches.is_empty() || found()) && any(clauses, clause)
    }
}

impl Condition {
    fn needs(&self) -> Needs {
        match &self.field {
            Field::Key(key) => key.needs(),
            Field::Header(_) => Needs::Header,
            Field::Payload(_) => Needs::Payload,
        }
    }

    /// Whether the condition holds; without `payload` only for one that needs the header alone.
    fn holds<'a>(&self, event: &Event<'a>, payload: Option<&Decoded<'a>>, state: &SessionState) -> bool {
        let mut outcome = Outcome::new(&self.test);
        match (&self.field, payload) {
            (Field::Key(key), _) if key.needs() == Needs::Header => key.see_header(event, state, &mut outcome),
            (Field::Key(key), Some(payload)) => key.see_payload(event, payload, &mut outcome),
            (Field::Header(path), _) => outcome.see_path(event.header().record(), path),
            (Field::Payload(path), Some(payload)) => {
                if let Some(record) = &payload.record {
                    outcome.see_path(record.record(), path);
                }
            }
            (Field::Key(_) | Field::Payload(_), None) => {}
        }
        outcome.holds()
    }
}

/// What the header tells of clauses, of which one must hold.
fn clauses_by_header(clauses: &[Clause], event: &Event<'_>, state: &SessionState) -> Verdict {
    let mut verdict = Verdict::of(clauses.is_empty());
    for clause in clauses {
        let by_header = |condition: &&Condition| condition.needs() == Needs::Header;
        let mut conditions = clause.conditions.iter().filter(by_header);
        if conditions.all(|condition| condition.holds(event, None, state)) {
            if clause.conditions.iter().all(|condition| by_header(&condition)) {
                return Verdict::Yes;
            }
            verdict = Verdict::Open;
        }
    }
    verdict
}

fn open_if(open: bool) -> Verdict {
    if open { Verdict::Open } else { Verdict::No }
}

/// Whether an option fits: it is not given, or one of its values fits.
fn any<T>(wanted: &[T], fits: impl FnMut(&T) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(fits)
}

fn fits(wanted: &[Numbers], number: impl FnOnce() -> Option<u64>) -> bool {
    wanted.is_empty() || number().is_some_and(|number| wanted.iter().any(|numbers| numbers.contains(number)))
}

/// The key `provider_id`.
fn provider_id(event: &Event<'_>) -> Option<Guid> {
    match event.header().hook_id() {
        Some(_) => event.provider().map(|provider| provider.id),
        None => event.provider_id(),
    }
}

/// The key `time`: none that no calendar has.
fn event_time(event: &Event<'_>) -> Option<Filetime> {
    event
        .time()
        .filter(|time| (Filetime::ZERO..=Filetime::MAX_TEXT).contains(time))
}

/// The key `id`.
fn event_id(event: &Event<'_>) -> Option<u64> {
    event.header().event_id().or_else(|| event.header().message_number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_can_share_a_selection() {
        fn shared<T: Sync>(_: &T) {}
        let select = Select::default();
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples/hello.etl");
        let trace = TraceFile::open(path).unwrap();
        let selection = Selection::new(&select, &trace);
        shared(&selection);
        assert!(selection.is_all());
    }

    #[test]
    fn a_verdict_is_no_if_one_part_is() {
        use Verdict::{No, Open, Yes};
        for (a, b, both) in [
            (Yes, Yes, Yes),
            (Yes, Open, Open),
            (Open, Yes, Open),
            (Open, Open, Open),
            (No, Yes, No),
            (Yes, No, No),
            (No, Open, No),
            (Open, No, No),
        ] {
            assert_eq!(a.and(|| b), both, "{a:?} {b:?}");
        }
    }
}
