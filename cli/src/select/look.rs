//! The choice by a look at the header, before it is decoded.

use winetl::Ahead;
use winetl::dispatch::Glance;
use winetl::payload::schemas::Schemas;

use super::wanted::ProviderIs;
use super::{Selection, any, fits};
use crate::args::Select;
use crate::render::real_id;

impl Selection<'_> {
    /// The same selection, which also knows what the trace says of providers. The schemas must be complete.
    pub(crate) fn knowing(mut self, schemas: &Schemas) -> Self {
        let providers = &self.wanted.providers;
        if providers.iter().any(|wanted| matches!(wanted, ProviderIs::Name(_))) {
            let mut named = schemas.providers_named(|name| providers.iter().any(|wanted| wanted.matches(None, Some(name))));
            named.extend(&self.known);
            self.named = Some(named);
        }
        self
    }

    /// Whether an event may be wanted, by a look at its header alone. It is only ever told `false` of an event that
    /// [`Self::accepts`] does not accept.
    #[inline]
    pub(crate) fn may_accept(&self, ahead: &Ahead) -> bool {
        if self.all {
            return true;
        }
        let Select {
            providers,
            ids,
            levels,
            processes,
            threads,
            header_types,
            ..
        } = self.wanted;
        let glance = &ahead.glance;
        (providers.is_empty() || self.may_be_of_provider(glance))
            && any(header_types, |kind| kind.matches(ahead.case.name))
            && fits(processes, || real_id(glance.process_id))
            && fits(threads, || real_id(glance.thread_id))
            // Other numbers than that of the event take its place where it has none.
            && (glance.event_id.is_none() || fits(ids, || glance.event_id))
            && any(levels, |level| glance.level.is_some_and(|number| level.matches(number)))
    }

    /// Such an event has no extended items, so it says nothing of its provider itself.
    fn may_be_of_provider(&self, glance: &Glance) -> bool {
        let providers = &self.wanted.providers;
        if glance.hook_id.is_some() {
            return self.kernel;
        }
        let id = glance.provider_id.or(glance.class_id);
        any(providers, |wanted| wanted.by_guid(id))
            || match &self.named {
                Some(named) => id.is_some_and(|id| named.contains(&id)),
                None => providers.iter().any(|wanted| matches!(wanted, ProviderIs::Name(_))),
            }
    }
}
