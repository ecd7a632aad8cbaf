//! Damaged events and extended items, in the second of three data buffers.

use super::damage::middle;
use super::{ACTIVITY, PROVIDER, Sample, WPP, event, plain_buffer, sample};
use crate::synth::{Buffer, Descriptor, Event, Item, Message, TlSchema, Trace, garbage, sid};

pub(super) const SAMPLES: &[Sample] = &[
    sample("damage-event-size-zero", "An event of Size 0", || {
        middle_event(event(5, 200).with_size(0))
    }),
    sample("damage-event-size-one", "An event of Size 1", || {
        middle_event(event(5, 200).with_size(1))
    }),
    sample(
        "damage-event-size-below-header",
        "An EVENT_HEADER of Size 0x4F, a byte less than its header",
        || middle_event(event(5, 200).with_size(0x4F)),
    ),
    sample("damage-event-size-beyond-buffer", "An event of Size 0xFFFF", || {
        middle_event(event(5, 200).with_size(0xFFFF))
    }),
    sample(
        "damage-event-size-beyond-valid",
        "An event that ends behind the valid bytes, but inside the buffer",
        || middle(plain_buffer(0, 2, 4, 2, 200).event(event(6, 220).with_size(200))),
    ),
    sample("damage-event-zeros", "Zeros where an event should start", || {
        middle_event(event(5, 200).with_header_bytes(0, [0; 8]).with_size(0))
    }),
    sample(
        "damage-event-marker-clear",
        "An event whose type and marker bytes are 0: it looks like a WNODE, which no modern file holds",
        || middle_event(event(5, 200).with_header_bytes(2, [0; 2])),
    ),
    sample(
        "damage-event-padding-marker",
        "0xFFFFFFFF where an event should start, before the end of the valid bytes",
        || middle_event(event(5, 200).with_header_bytes(0, [0xFF; 4]).with_size(0xFFFF)),
    ),
    sample(
        "damage-event-garbage",
        "Old memory where an event should start",
        garbage_event,
    ),
    sample(
        "damage-perfinfo-counters-beyond",
        "PERFINFO with 7 counters and a Size that has no room for them",
        || {
            middle_event(
                Event::perfinfo64(0x0524, 4)
                    .at(Trace::qpc(200))
                    .with_header_bytes(1, [0x07])
                    .payload([0; 24]),
            )
        },
    ),
    sample(
        "damage-message-beyond",
        "A WPP message whose Size has no room for its optional parts",
        || middle_event(Event::from(Message::new(5).guid(WPP).at(Trace::qpc(200)).process(4120, 4124)).with_size(20)),
    ),
    sample(
        "damage-message-unknown-options",
        "A WPP message with option bits that do not exist",
        || {
            middle_event(
                Message::new(5)
                    .guid(WPP)
                    .at(Trace::qpc(200))
                    .add_flags(0xFF00)
                    .arguments(*b"args"),
            )
        },
    ),
    sample(
        "damage-event-times",
        "Events at the smallest, the largest and a negative time",
        event_times,
    ),
    sample("damage-item-size-zero", "An extended item of size 0", || {
        items([Item::ts_id(2).with_item_size(0), Item::event_key(1)])
    }),
    sample(
        "damage-item-size-odd",
        "An extended item of size 13, not a multiple of eight",
        || items([Item::ts_id(2).with_item_size(13), Item::event_key(1)]),
    ),
    sample(
        "damage-item-size-beyond",
        "An extended item of size 0xFFF8, beyond the event",
        || items([Item::ts_id(2).with_item_size(0xFFF8), Item::event_key(1)]),
    ),
    sample(
        "damage-item-data-size-beyond",
        "An extended item whose DataSize goes beyond it",
        || items([Item::ts_id(2).with_data_size(0xFFFF), Item::event_key(1)]),
    ),
    sample(
        "damage-item-chain-open",
        "The last extended item says that another follows, where the event ends",
        open_chain,
    ),
    sample(
        "damage-item-missing",
        "EXTENDED_INFO is set, but the event ends with its header",
        || middle_event(bare().flags(0x0001)),
    ),
    sample(
        "damage-item-sid",
        "SIDs with 255 sub-authorities in a few bytes, of revision 9, and of 3 bytes",
        sids,
    ),
    sample(
        "damage-item-stack",
        "Stacks whose data is no whole number of addresses, or shorter than the match id",
        stacks,
    ),
    sample(
        "damage-item-fixed-sizes",
        "GUID and number items with a byte too few and a byte too many",
        fixed_sizes,
    ),
    sample(
        "damage-item-schema-tl",
        "TraceLogging metadata: cut name, wrong total size, structure of 127 fields, array of 65535 values",
        schema_tl,
    ),
    sample(
        "damage-item-prov-traits",
        "Provider traits: no terminator, wrong total size, trait of size 0, trait beyond the end",
        prov_traits,
    ),
];

/// The second of the three data buffers holds this event between the events 4 and 6.
fn middle_event(middle_event: impl Into<Event>) -> Vec<u8> {
    middle(
        Buffer::new(0, 2)
            .event(event(4, 190))
            .event(middle_event)
            .event(event(6, 210)),
    )
}

fn bare() -> Event {
    Event::header64(
        PROVIDER,
        Descriptor {
            id: 5,
            ..Descriptor::default()
        },
    )
    .process(4120, 4124)
    .at(Trace::qpc(200))
    .activity(ACTIVITY)
}

fn garbage_event() -> Vec<u8> {
    let mut bytes = [0; 0x50];
    bytes.copy_from_slice(&garbage(0x50, 4));
    middle_event(event(5, 200).with_header_bytes(0, bytes).with_size(0x0BAD))
}

fn event_times() -> Vec<u8> {
    let events = [i64::MIN, -1, 0, i64::MAX]
        .into_iter()
        .zip(4..)
        .map(|(time, id)| event(id, 0).at(time));
    middle(Buffer::new(0, 2).events(events).time(Trace::qpc(400)))
}

/// An event with these items.
fn with(items: impl IntoIterator<Item = Item>) -> Event {
    items.into_iter().fold(event(5, 200).payload(*b"payload"), Event::item)
}

fn items(items: impl IntoIterator<Item = Item>) -> Vec<u8> {
    middle_event(with(items))
}

/// One event for each item, in the second buffer.
fn each(items: impl IntoIterator<Item = Item>) -> Vec<u8> {
    middle(
        Buffer::new(0, 2)
            .event(event(4, 190))
            .events(items.into_iter().map(|item| with([item])))
            .event(event(6, 210)),
    )
}

fn open_chain() -> Vec<u8> {
    // Two items, and a Size that ends after the first.
    middle_event(bare().item(Item::event_key(1)).item(Item::event_key(2)).with_size(0x50 + 16))
}

fn sids() -> Vec<u8> {
    let (mut many, mut odd) = (sid(5, &[21, 1, 2]), sid(5, &[18]));
    many[1] = 255; // SubAuthorityCount
    odd[0] = 9; // Revision
    each([Item::sid(many), Item::sid(odd), Item::sid(vec![1, 1, 0])])
}

fn stacks() -> Vec<u8> {
    each([
        Item::new(0x0005, [0x11; 8 + 4 + 2]),
        Item::new(0x0006, [0x22; 8 + 8 + 5]),
        Item::new(0x0006, [0x33; 5]),
        Item::new(0x0006, [0x44; 8]),
    ])
}

fn fixed_sizes() -> Vec<u8> {
    let sizes = [(0x0001, 15), (0x0001, 17), (0x0003, 3), (0x000A, 7), (0x000A, 9)];
    each(sizes.map(|(ext_type, len)| Item::new(ext_type, vec![0x55; len])))
}

fn schema_tl() -> Vec<u8> {
    let sound = TlSchema::new("Sound").field("number", TlSchema::U32).to_bytes();
    let cut_name = vec![6, 0, 0, b'C', b'u', b't'];
    let mut wrong_size = sound.clone();
    wrong_size[0] = 0xFF;
    let many = TlSchema::new("Many").structure("s", 127).field("x", TlSchema::U32).to_bytes();
    let long = TlSchema::new("Long").array("a", TlSchema::U64, 65_535).to_bytes();
    middle(
        Buffer::new(0, 2).events([sound, cut_name, wrong_size, many, long].map(|schema| bare().item(Item::new(0x000B, schema)))),
    )
}

fn prov_traits() -> Vec<u8> {
    each([
        Item::new(0x000C, *b"\x06\0Prov"),                 // no terminator
        Item::new(0x000C, *b"\xFF\xFFProv\0"),             // total size 0xFFFF
        Item::new(0x000C, *b"\x0A\0Prov\0\0\0\x01"),       // a trait of size 0
        Item::new(0x000C, *b"\x0C\0Prov\0\x13\0\x01\0\0"), // a group trait of 19 bytes with 2 of its GUID's
    ])
}
