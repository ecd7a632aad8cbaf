//! Says why nothing was chosen: what the options name is not in the file, but perhaps something like it is.

use std::collections::HashMap;

use winetl::payload::schemas::Schemas;
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::state::SessionState;
use winetl::{Order, Source, TraceFile};
use winetl_codegen::names::closest;

use super::clause::Field;
use super::wanted::{EventIs, ProviderIs};
use super::{Named, Selection, best_schema};
use crate::render::plain::safe;
use crate::render::table::counted;

/// Most names that are kept of one kind: what a trace may name without end must not take memory without end.
const MOST: usize = 1 << 14;

/// Providers that a hint lists.
const LISTED: usize = 5;

/// Names of one kind with the number of their events.
#[derive(Debug, Default)]
struct Names(HashMap<String, u64>);

impl Names {
    fn add(&mut self, name: &str) {
        if let Some(count) = self.0.get_mut(name) {
            *count += 1;
        } else if self.0.len() < MOST {
            self.0.insert(name.to_owned(), 1);
        }
    }

    /// By falling number of events, then by name.
    fn sorted(&self) -> Vec<(&str, u64)> {
        let mut names: Vec<_> = self.0.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        names
    }

    /// The end of a sentence: the name that was perhaps meant.
    fn like(&self, wanted: &str) -> Option<String> {
        let names = self.sorted();
        // A part of a name is more than a slip, but as likely to be meant.
        let part = || {
            let wanted = wanted.to_lowercase();
            let mut names = names.iter().map(|(name, _)| *name);
            names.find(|name| wanted.len() > 3 && name.to_lowercase().contains(&wanted))
        };
        let similar = closest(wanted, names.iter().map(|(name, _)| *name)).or_else(part)?;
        Some(format!("did you mean {}?", safe(similar)))
    }
}

/// What there is in a file.
#[derive(Debug, Default)]
struct Found {
    providers: Names,
    events: Names,
    programs: Names,
    fields: Names,
    /// For each value of `--provider`, `--event` and `--process`, whether an event fits it.
    by_provider: Vec<bool>,
    by_event: Vec<bool>,
    by_program: Vec<bool>,
}

impl Selection<'_> {
    /// Says what of the options is not in the file. The file is read once more, since this is seldom asked.
    pub(crate) fn why_nothing<S: Source>(
        &self,
        trace: &TraceFile<S>,
        schemas: &mut Schemas,
        state: &SessionState,
    ) -> Vec<String> {
        let wanted = self.wanted;
        let paths: Vec<&str> = wanted
            .clauses
            .iter()
            .flat_map(|clause| &clause.conditions)
            .filter_map(|condition| match &condition.field {
                Field::Payload(path) => Some(path.as_str()),
                Field::Key(_) | Field::Header(_) => None,
            })
            .collect();
        if paths.is_empty() && wanted.providers.is_empty() && wanted.events.is_empty() && wanted.programs.is_empty() {
            return Vec::new();
        }
        let mut found = Found {
            by_provider: vec![false; wanted.providers.len()],
            by_event: vec![false; wanted.events.len()],
            by_program: vec![false; wanted.programs.len()],
            ..Found::default()
        };
        let mut events = trace.events(Order::File);
        while let Some(event) = events.next() {
            let named = Named::of(&event, best_schema(schemas, &event));
            found.see_provider(&wanted.providers, &named);
            if !wanted.events.is_empty() {
                found.see_event(&wanted.events, winetl::EventRoles::hook_id(event.header()), &named);
            }
            if let Some(name) = state.process_of(&event).filter(|_| !wanted.programs.is_empty()) {
                found.programs.add(name);
                for (seen, pattern) in found.by_program.iter_mut().zip(&wanted.programs) {
                    *seen |= pattern.matches(name);
                }
            }
            if !paths.is_empty()
                && let Some(record) = schemas.decode(&event).record
            {
                found.fields.see(record.record(), "", 0);
            }
        }
        found.texts(self, &paths)
    }
}

impl Found {
    fn see_provider(&mut self, wanted: &[ProviderIs], named: &Named<'_>) {
        let identity = &named.identity;
        let name = identity.provider.as_deref();
        match (name, identity.provider_id) {
            (Some(name), _) => self.providers.add(name),
            (None, Some(id)) => self.providers.add(id.encode(&mut [0; 36])),
            (None, None) => {}
        }
        for (seen, provider) in self.by_provider.iter_mut().zip(wanted) {
            *seen |= provider.matches(identity.provider_id, name);
        }
    }

    fn see_event(&mut self, wanted: &[EventIs], hook_id: Option<u64>, named: &Named<'_>) {
        if let Some(name) = &named.identity.name {
            self.events.add(name);
        }
        for (seen, event) in self.by_event.iter_mut().zip(wanted) {
            *seen |= event.by_hook_id(hook_id) || event.is(named);
        }
    }

    fn texts(&self, selection: &Selection<'_>, paths: &[&str]) -> Vec<String> {
        let wanted = selection.wanted;
        let mut texts = Vec::new();
        let missing = |text: String, names: &Names, name: &str| match names.like(name) {
            Some(like) => format!("{text}; {like}"),
            None => text,
        };
        for (provider, _) in wanted.providers.iter().zip(&self.by_provider).filter(|(_, seen)| !**seen) {
            let name = provider.text();
            let text = format!("no event is of provider {}; {}", safe(&name), self.histogram());
            texts.push(missing(text, &self.providers, &name));
        }
        for (event, _) in wanted.events.iter().zip(&self.by_event).filter(|(_, seen)| !**seen) {
            texts.push(match event {
                EventIs::Hook(hook_id) => format!("no event has hook id {hook_id:#06x}"),
                EventIs::Name(pattern) => {
                    let text = format!("no event is called {}", safe(pattern.text()));
                    missing(text, &self.events, pattern.text())
                }
            });
        }
        for (program, _) in wanted.programs.iter().zip(&self.by_program).filter(|(_, seen)| !**seen) {
            let text = format!("no event is of a process called {}", safe(program.text()));
            texts.push(missing(text, &self.programs, program.text()));
        }
        for path in paths {
            let known = self.fields.0.keys().any(|name| name.eq_ignore_ascii_case(path));
            if !known && self.fields.0.len() < MOST {
                texts.push(missing(format!("no payload has a field {}", safe(path)), &self.fields, path));
            }
        }
        texts
    }

    /// The providers with the most events.
    fn histogram(&self) -> String {
        let names = self.providers.sorted();
        let listed: Vec<String> = names
            .iter()
            .take(LISTED)
            .map(|(name, count)| format!("{} ({count})", safe(name)))
            .collect();
        match names.len().checked_sub(LISTED) {
            _ if names.is_empty() => "the file has no events".to_owned(),
            Some(more @ 1..) => format!("the file has {} and {}", listed.join(", "), counted(more as u64, "other")),
            _ => format!("the file has {}", listed.join(", ")),
        }
    }
}

/// Most structures within each other of which fields are named.
const DEEPEST: usize = 8;

impl Names {
    /// Adds the fields of a record with the paths that lead to them.
    fn see(&mut self, record: &dyn Record, before: &str, depth: usize) {
        record.visit(&mut Paths {
            names: self,
            before,
            depth,
        });
    }
}

struct Paths<'n> {
    names: &'n mut Names,
    before: &'n str,
    depth: usize,
}

impl FieldVisitor for Paths<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if info.hidden {
            return;
        }
        let path = format!("{}{}", self.before, info.name);
        self.names.add(&path);
        self.below(value, &path);
    }
}

impl Paths<'_> {
    fn below(&mut self, value: Value<'_>, path: &str) {
        match value {
            Value::Record(record) if self.depth < DEEPEST => self.names.see(record, &format!("{path}."), self.depth + 1),
            // The elements of a list are of one kind.
            Value::List(list) => {
                let mut first = true;
                list.for_each(&mut |element| {
                    if std::mem::take(&mut first) {
                        self.below(element, path);
                    }
                });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_were_perhaps_meant() {
        let mut names = Names::default();
        for name in ["Contoso.Notes", "MSNT_SystemTrace", "MSNT_SystemTrace", "A\u{1b}[2J"] {
            names.add(name);
        }
        assert_eq!(names.like("contoso.nots").as_deref(), Some("did you mean Contoso.Notes?"));
        assert_eq!(names.like("systemtrace").as_deref(), Some("did you mean MSNT_SystemTrace?"));
        assert_eq!(names.like("a\u{1b}[2K").as_deref(), Some("did you mean A\\u{1b}[2J?"));
        assert_eq!(names.like("Fabrikam"), None);
        assert_eq!(names.sorted()[0], ("MSNT_SystemTrace", 2));
    }
}
