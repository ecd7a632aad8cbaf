//! Finds the events that the generated tables name.

use crate::dispatch::EventInfo;
use crate::format::events::{EVENTS, EVENTS_BY_CLASS, KERNEL_EVENTS, PROVIDER_EVENTS};
use crate::guid::Guid;

/// For each hook id up to the last the index of its event plus 1; 0 for none.
static BY_HOOK_ID: [u16; HOOK_IDS] = {
    let mut indices = [0; HOOK_IDS];
    let mut index = 0;
    while index < KERNEL_EVENTS {
        if let Some(hook_id) = EVENTS[index].hook_id {
            indices[hook_id as usize] = index as u16 + 1;
        }
        index += 1;
    }
    indices
};

/// The last hook id plus 1: kernel events are sorted by it.
const HOOK_IDS: usize = match KERNEL_EVENTS.checked_sub(1) {
    Some(last) => match EVENTS[last].hook_id {
        Some(hook_id) => hook_id as usize + 1,
        None => 0,
    },
    None => 0,
};

/// Finds a kernel event by its hook id: in many traces for nearly every event.
pub(crate) fn kernel_event(hook_id: u16) -> Option<&'static EventInfo> {
    let number = *BY_HOOK_ID.get(usize::from(hook_id))?;
    EVENTS.get(usize::from(number).checked_sub(1)?)
}

/// Finds an event by its class and type.
pub(crate) fn classic_event(class_id: Guid, opcode: u64) -> Option<&'static EventInfo> {
    let wanted = (class_id.to_bytes(), opcode);
    let key = |index: &u16| {
        EVENTS
            .get(usize::from(*index))
            .map(|event| (event.class_id.to_bytes(), u64::from(event.opcode)))
    };
    let found = EVENTS_BY_CLASS.binary_search_by(|index| key(index).cmp(&Some(wanted))).ok()?;
    EVENTS_BY_CLASS.get(found).and_then(|index| EVENTS.get(usize::from(*index)))
}

/// Which first bytes the GUIDs of providers have that events are described of: one bit for each. Nearly all other providers end
/// here, so that they cost next to nothing.
static FIRST_BYTES: [u64; 4] = {
    let mut bits = [0; 4];
    let mut index = 0;
    while index < PROVIDER_EVENTS.len() {
        let [first, ..] = PROVIDER_EVENTS[index].class_id.to_bytes();
        bits[first as usize / 64] |= 1 << (first % 64);
        index += 1;
    }
    bits
};

/// Finds an event by its provider and number.
pub(crate) fn provider_event(provider_id: Guid, event_id: u64) -> Option<&'static EventInfo> {
    let [first, ..] = provider_id.to_bytes();
    let bits = FIRST_BYTES.get(usize::from(first / 64)).copied().unwrap_or_default();
    if bits >> (first % 64) & 1 == 0 {
        return None;
    }
    let wanted = (u128::from_be_bytes(provider_id.to_bytes()), event_id);
    let key = |event: &EventInfo| {
        let provider_id = u128::from_be_bytes(event.class_id.to_bytes());
        (provider_id, event.event_id.map_or(0, u64::from))
    };
    let found = PROVIDER_EVENTS.binary_search_by(|event| key(event).cmp(&wanted)).ok()?;
    PROVIDER_EVENTS.get(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_providers_by_number() {
        for event in &PROVIDER_EVENTS {
            let id = u64::from(event.event_id.unwrap());
            assert!(std::ptr::eq(provider_event(event.class_id, id).unwrap(), event));
            assert!(provider_event(event.class_id, id + 0x1_0000).is_none());
            for byte in 0..16 {
                let mut other = event.class_id.to_bytes();
                other[byte] ^= 0x10;
                assert!(provider_event(Guid::from_bytes(other), id).is_none());
            }
        }
        let described = |id| {
            let described = |event: &&EventInfo| event.class_id == PROVIDER_EVENTS[0].class_id && event.event_id == Some(id);
            PROVIDER_EVENTS.iter().any(|event| described(&event))
        };
        for id in 0..=u16::MAX {
            let found = provider_event(PROVIDER_EVENTS[0].class_id, id.into());
            assert_eq!(found.is_some(), described(id), "{id}");
        }
    }

    #[test]
    fn kernel_events_by_hook_id() {
        let mut found = 0;
        for hook_id in 0..=u16::MAX {
            let expected = EVENTS.iter().find(|event| event.hook_id == Some(hook_id));
            assert!(
                match (kernel_event(hook_id), expected) {
                    (Some(event), Some(expected)) => std::ptr::eq(event, expected),
                    (None, None) => true,
                    _ => false,
                },
                "{hook_id:#x}"
            );
            found += usize::from(expected.is_some());
        }
        assert_eq!(found, KERNEL_EVENTS);
    }
}
