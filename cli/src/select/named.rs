//! What an event is called.

use winetl::payload::decoded::Decoded;
use winetl::payload::event_schema::EventSchema;
use winetl::payload::schemas::Schemas;
use winetl::{Event, EventRoles as _};

use super::wanted::EventIs;
use crate::render::Identity;
use crate::render::names::EventNames;

/// What an event is called.
pub(crate) struct Named<'a> {
    pub(super) identity: Identity<'a>,
    pub(super) names: Option<EventNames<'a>>,
    /// Class and type, if the schema of the program knows them.
    pub(super) known: Option<&'static str>,
    /// Number by which lines of text tell an event without a name from others of its provider or class.
    number: Option<u64>,
}

impl<'a> Named<'a> {
    pub(super) fn of(event: &Event<'a>, schema: Option<&'a EventSchema>) -> Self {
        let header = event.header();
        let identity = Identity::of(event, &names_only(schema));
        Self {
            number: identity.id.or_else(|| header.class_id().and(header.opcode())),
            identity,
            names: EventNames::of(event, schema),
            known: event.info().map(|info| info.name),
        }
    }

    /// Whether lines of text call the event so, with its provider and number.
    fn is_labelled(&self, label: &str) -> bool {
        let Identity {
            provider_id,
            provider,
            name,
            id,
            ..
        } = &self.identity;
        let same = |found: &str| found.eq_ignore_ascii_case(label);
        match (name, provider, provider_id, self.number) {
            (Some(name), Some(provider), ..) if self.known.is_none() => {
                let named = format!("{provider}/{name}");
                same(&named) || id.is_some_and(|id| id != 0 && same(&format!("{named}/{id}")))
            }
            (None, _, Some(provider), Some(number)) => same(&format!("{provider}/{number}")),
            _ => false,
        }
    }
}

impl EventIs {
    /// Wildcards are for the name alone: providers have many words in their names.
    pub(super) fn is(&self, named: &Named<'_>) -> bool {
        let Self::Name(pattern) = self else { return false };
        let name = named.identity.name.as_deref();
        name.is_some_and(|name| pattern.matches(name)) || pattern.text().contains('/') && named.is_labelled(pattern.text())
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        matches!(self, Self::Name(pattern) if pattern.matches(name))
    }
}

/// What a decoded payload would have for names: its schema.
fn names_only(schema: Option<&EventSchema>) -> Decoded<'_> {
    Decoded {
        record: None,
        source: None,
        schema,
        undecoded: None,
        rest: &[],
    }
}

/// The schema whose names a decoded payload would have. Only where two fit, the payload has to tell.
pub(super) fn best_schema<'s>(schemas: &'s mut Schemas, event: &Event<'_>) -> Option<&'s EventSchema> {
    let candidates = schemas.find(event);
    let mut all = candidates.iter();
    match (all.next(), all.next()) {
        (Some(_), Some(_)) => candidates.best(event).map(|(schema, _)| schema),
        (first, _) => first,
    }
}
