//! One file for each type of extended item, alone in its event.

use super::{OTHER, PROVIDER, Sample, around, event, sample};
use crate::synth::{Buffer, Descriptor, Event, Item, Payload, TlSchema, Trace, sid};

pub(super) const SAMPLES: &[Sample] = &[
    sample("item-related-activity", "RELATED_ACTIVITYID (1)", || {
        one(Item::related_activity(OTHER))
    }),
    sample(
        "item-sid",
        "SID (2) of a domain user, and the well-known SID of the system",
        sids,
    ),
    sample(
        "item-ts-id",
        "TS_ID (3): terminal session 2; four bytes of data, so the item is padded",
        || one(Item::ts_id(2)),
    ),
    sample("item-instance-info", "INSTANCE_INFO (4)", || {
        one(Item::instance_info(5, 6, OTHER))
    }),
    sample(
        "item-stack-trace32",
        "STACK_TRACE32 (5) of three addresses in an EVENT_HEADER32; padded",
        || {
            around(
                Trace::new64(),
                event32().item(Item::stack_trace32(0, &[0x0040_1000, 0x0040_2000, 0x7C81_6D4F])),
            )
            .build()
        },
    ),
    sample(
        "item-stack-trace64",
        "STACK_TRACE64 (6): kernel and user part in two events with one match id, and one in an EVENT_HEADER32",
        stack_trace64,
    ),
    sample("item-pebs-index", "PEBS_INDEX (7)", || one(Item::pebs_index(77))),
    sample("item-pmc-counters", "PMC_COUNTERS (8): three counters", || {
        one(Item::pmc_counters(&[1_000_001, 2_000_002, 3_000_003]))
    }),
    sample("item-psm-key", "PSM_KEY (9), whose layout is not documented", || {
        one(Item::psm_key("Contoso.Notes_1.0.0.0_x64__8wekyb3d8bbwe"))
    }),
    sample("item-event-key", "EVENT_KEY (10)", || one(Item::event_key(1010))),
    sample(
        "item-event-schema-tl",
        "EVENT_SCHEMA_TL (11): TraceLogging events with scalars, arrays, structures, tags",
        schema_tl,
    ),
    sample(
        "item-prov-traits",
        "PROV_TRAITS (12) without and with a provider group",
        prov_traits,
    ),
    sample("item-process-start-key", "PROCESS_START_KEY (13)", || {
        one(Item::process_start_key(0x0001_0000_0000_0521))
    }),
    sample("item-control-guid", "CONTROL_GUID (14)", || one(Item::control_guid(OTHER))),
    sample("item-qpc-delta", "QPC_DELTA (15): a negative difference", || {
        one(Item::qpc_delta(-15))
    }),
    sample("item-container-id", "CONTAINER_ID (16): text without a terminator", || {
        one(Item::container_id("c6a4f2d0-0000-4000-8000-000000000001"))
    }),
    sample("item-stack-key32", "STACK_KEY32 (17)", || one(Item::stack_key32(1, 0x1717))),
    sample("item-stack-key64", "STACK_KEY64 (18)", || {
        one(Item::stack_key64(1, 0xFFFF_A00C_1818_0000))
    }),
    sample(
        "item-unknown",
        "Types 0, 19 and 0x7777, which are not known, between two that are",
        unknown,
    ),
    sample(
        "item-empty-data",
        "Items with DataSize 0: only the eight bytes of the item header",
        empty,
    ),
    sample("item-chain", "All 18 known items in one event", chain),
];

/// The bytes "payload" at the end of an event show where its items end.
fn with(items: impl IntoIterator<Item = Item>) -> Event {
    items.into_iter().fold(event(7, 200).payload(*b"payload"), Event::item)
}

fn one(item: Item) -> Vec<u8> {
    around(Trace::new64(), with([item])).build()
}

fn event32() -> Event {
    Event::header32(
        PROVIDER,
        Descriptor {
            id: 7,
            level: 4,
            ..Descriptor::default()
        },
    )
    .process(4120, 4124)
    .at(Trace::qpc(200))
    .payload(*b"payload")
}

fn user() -> Vec<u8> {
    sid(5, &[21, 1_111_111_111, 2_222_222_222, 3_333_333_333, 1001])
}

fn sids() -> Vec<u8> {
    Trace::new64()
        .buffer(
            Buffer::new(0, 1)
                .event(with([Item::sid(user())]))
                .event(with([Item::sid(sid(5, &[18]))])),
        )
        .build()
}

fn stack_trace64() -> Vec<u8> {
    let kernel = Item::stack_trace64(42, &[0xFFFF_F801_1000_1000, 0xFFFF_F801_1000_2000]);
    let user = Item::stack_trace64(42, &[0x7FF6_0000_1000, 0x7FF6_0000_2000, 0x7FFE_0000_3000]);
    let both = Item::stack_trace64(0, &[0xFFFF_F801_1000_1000, 0x7FF6_0000_1000]);
    Trace::new64()
        .buffer(
            Buffer::new(0, 1)
                .event(with([kernel]))
                .event(with([user]))
                .event(event32().item(both)),
        )
        .build()
}

/// A TraceLogging event: channel 11, id 0, name and fields in the item.
fn tracelogging(microseconds: i64, schema: &TlSchema, payload: Payload) -> Event {
    Event::header64(
        PROVIDER,
        Descriptor {
            channel: 11,
            level: 5,
            keyword: 0x0000_2000_0000_0000,
            ..Descriptor::default()
        },
    )
    .process(4120, 4124)
    .at(Trace::qpc(microseconds))
    .item(Item::prov_traits("Contoso.Notes", None))
    .item(Item::schema_tl(schema))
    .payload(payload)
}

fn schema_tl() -> Vec<u8> {
    let plain = TlSchema::new("NoFields");
    let scalars = TlSchema::new("Scalars")
        .field("text", TlSchema::UTF16_Z)
        .field("ansi", TlSchema::ANSI_Z)
        .field("small", TlSchema::U8)
        .field("signed", TlSchema::I32)
        .field_out("color", TlSchema::U32, 4) // out type: hexadecimal
        .field("ratio", TlSchema::F64)
        .field("yes", TlSchema::BOOL32)
        .field("when", TlSchema::FILETIME);
    let scalar_values = Payload::new()
        .utf16_z("hello")
        .ansi_z("world")
        .u8(200)
        .i32(-5)
        .u32(0x00FF_8800)
        .f64(0.75)
        .u32(1)
        .i64(Trace::utc(0));
    let shapes = TlSchema::new("Shapes")
        .tags(&[0x81, 0x02])
        .structure("point", 2)
        .field("x", TlSchema::I32)
        .field_tagged("y", TlSchema::I32, 0, 5)
        .array("fixed", TlSchema::U8, 3)
        .counted_array("counted", TlSchema::U32);
    let shape_values = Payload::new().i32(10).i32(-20).bytes([1, 2, 3]).u16(2).u32(7).u32(8);
    Trace::new64()
        .buffer(
            Buffer::new(0, 1)
                .event(tracelogging(100, &plain, Payload::new()))
                .event(tracelogging(200, &scalars, scalar_values))
                .event(tracelogging(300, &shapes, shape_values)),
        )
        .build()
}

fn prov_traits() -> Vec<u8> {
    let bare = with([Item::prov_traits("Contoso.Notes", None)]);
    let group = with([Item::prov_traits("Contoso.Notes.Grouped", Some(OTHER))]);
    Trace::new64().buffer(Buffer::new(0, 1).event(bare).event(group)).build()
}

fn unknown() -> Vec<u8> {
    let items = [
        Item::ts_id(2),
        Item::new(0x0000, *b"zero"),
        Item::new(0x0013, *b"nineteen"),
        Item::new(0x7777, *b"seven"),
        Item::event_key(1010),
    ];
    around(Trace::new64(), with(items)).build()
}

fn empty() -> Vec<u8> {
    around(
        Trace::new64(),
        with([0x0001, 0x0002, 0x0006, 0x000B, 0x000C, 0x0010, 0x7777].map(|t| Item::new(t, []))),
    )
    .build()
}

fn chain() -> Vec<u8> {
    let items = [
        Item::related_activity(OTHER),
        Item::sid(user()),
        Item::ts_id(2),
        Item::instance_info(5, 6, OTHER),
        Item::stack_trace32(0, &[0x0040_1000, 0x0040_2000]),
        Item::stack_trace64(0, &[0x7FF6_0000_1000, 0x7FFE_0000_3000]),
        Item::pebs_index(77),
        Item::pmc_counters(&[1, 2]),
        Item::psm_key("pkg"),
        Item::event_key(1010),
        Item::prov_traits("Contoso.Notes", Some(OTHER)),
        Item::schema_tl(&TlSchema::new("Chained").array("bytes", TlSchema::U8, 7)),
        Item::process_start_key(1313),
        Item::control_guid(OTHER),
        Item::qpc_delta(-15),
        Item::container_id("c6a4f2d0-0000-4000-8000-000000000001"),
        Item::stack_key32(0, 0x1717),
        Item::stack_key64(0, 0x1818),
    ];
    around(Trace::new64().buffer_size(2048), with(items)).build()
}
