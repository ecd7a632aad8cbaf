//! Finds the events that the generated tables name.

use crate::dispatch::EventInfo;
use crate::format::events::{EVENTS, EVENTS_BY_CLASS, KERNEL_EVENTS};
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

#[cfg(test)]
mod tests {
    use super::*;

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
