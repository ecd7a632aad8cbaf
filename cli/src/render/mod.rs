//! How output looks.

pub(crate) mod hex;
pub(crate) mod json;
pub(crate) mod jsonl;
pub(crate) mod labels;
pub(crate) mod markdown;
pub(crate) mod paint;
pub(crate) mod plain;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod value;

use winetl::{Event, EventRoles, Guid};

use crate::providers;

/// What identifies an event, whichever kind of header it has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Identity {
    pub(crate) provider_id: Option<Guid>,
    pub(crate) provider: Option<&'static str>,
    pub(crate) class_id: Option<Guid>,
    pub(crate) name: Option<&'static str>,
    pub(crate) id: Option<u64>,
}

impl Identity {
    pub(crate) fn of(event: &Event<'_>) -> Self {
        let header = event.header();
        let info = event.info();
        let kernel = header.hook_id().is_some();
        let provider_id = if kernel {
            Some(providers::KERNEL.id)
        } else {
            event.provider_id()
        };
        Self {
            provider_id,
            provider: provider_id.as_ref().and_then(providers::name),
            class_id: event.class_id(),
            name: info.map(|info| info.name),
            id: header.event_id().or_else(|| header.message_number()),
        }
    }
}

/// A process or thread id; `None` where the header has none, or the number that stands for none.
pub(crate) fn real_id(id: Option<u64>) -> Option<u64> {
    id.filter(|id| *id != u64::from(u32::MAX))
}
