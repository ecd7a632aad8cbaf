//! What a choice asks of events, by which it is known how much of them has to be looked at.

use super::clause::Field;
use super::key::{Key, Needs};
use super::moment::Moment;
use super::wanted::{KeywordIs, OpcodeIs};
use crate::args::Select;

impl Select {
    /// Whether a look at headers turns most events away: then one thread is faster than several, each of which would walk all.
    pub(crate) fn is_seen_in_headers(&self) -> bool {
        !(self.providers.is_empty()
            && self.ids.is_empty()
            && self.processes.is_empty()
            && self.threads.is_empty()
            && self.header_types.is_empty())
    }

    /// Whether no option is given.
    pub(super) fn is_empty(&self) -> bool {
        let Self {
            providers,
            events,
            ids,
            opcodes,
            levels,
            keywords,
            processes,
            threads,
            programs,
            processors,
            header_types,
            from,
            to,
            activities,
            searches,
            clauses,
        } = self;
        providers.is_empty()
            && events.is_empty()
            && [ids, processes, threads, processors].iter().all(|numbers| numbers.is_empty())
            && (opcodes.is_empty() && levels.is_empty() && keywords.is_empty())
            && (programs.is_empty() && header_types.is_empty())
            && (from.is_none() && to.is_none())
            && (activities.is_empty() && searches.is_empty() && clauses.is_empty())
    }

    /// Whether the choice needs the names of processes, which only the whole trace tells.
    pub(crate) fn asks_process_names(&self) -> bool {
        let mut conditions = self.clauses.iter().flat_map(|clause| &clause.conditions);
        !self.programs.is_empty() || conditions.any(|condition| condition.field == Field::Key(Key::Process))
    }

    pub(super) fn is_relative(&self) -> bool {
        let relative = |moment: &Moment| matches!(moment, Moment::After(_));
        self.from.as_ref().is_some_and(relative) || self.to.as_ref().is_some_and(relative)
    }

    pub(super) fn asks_names(&self) -> bool {
        !self.providers.is_empty()
            || !self.events.is_empty()
            || self.opcodes.iter().any(|wanted| matches!(wanted, OpcodeIs::Name(_)))
            || self.keywords.iter().any(|wanted| matches!(wanted, KeywordIs::Name(_)))
    }

    pub(super) fn asks_payload(&self) -> bool {
        let mut conditions = self.clauses.iter().flat_map(|clause| &clause.conditions);
        !self.searches.is_empty() || conditions.any(|condition| condition.needs() == Needs::Payload)
    }
}
