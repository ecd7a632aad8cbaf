//! One file for each type of event header.

use super::{ACTIVITY, CLASS, OTHER, PROVIDER, Sample, WPP, around, event, sample};
use crate::synth::{Buffer, Descriptor, Event, Message, Payload, Trace};

pub(super) const SAMPLES: &[Sample] = &[
    sample(
        "header-logfile64",
        "The logfile header alone, 64-bit form (SYSTEM64): no data buffer",
        || Trace::new64().build(),
    ),
    sample(
        "header-logfile32",
        "The logfile header alone, 32-bit form (SYSTEM32): no data buffer",
        || Trace::new32().build(),
    ),
    sample("header-system32", "SYSTEM32: a thread start with 32-bit addresses", || {
        system(Event::system32(0x0501, 3), 4)
    }),
    sample("header-system64", "SYSTEM64: a thread start with 64-bit addresses", || {
        system(Event::system64(0x0501, 3), 8)
    }),
    sample(
        "header-compact32",
        "COMPACT32: SYSTEM without processor times, a 32-bit stack",
        || stack(Event::compact32(0x1820, 2), 4),
    ),
    sample(
        "header-compact64",
        "COMPACT64: SYSTEM without processor times, a 64-bit stack",
        || stack(Event::compact64(0x1820, 2), 8),
    ),
    sample("header-full32", "FULL_HEADER32: a classic event of a 32-bit program", || {
        classic(Event::full32(CLASS, 1, 4, 2))
    }),
    sample("header-full64", "FULL_HEADER64: a classic event of a 64-bit program", || {
        classic(Event::full64(CLASS, 2, 5, 2))
    }),
    sample(
        "header-instance32",
        "INSTANCE32 in the form of today: instance 100 of parent 99, which a GUID names",
        || classic(Event::instance32(CLASS, 1, 4, 2).instance(100, 99, OTHER)),
    ),
    sample("header-instance64", "INSTANCE64: instance 101 of parent 100", || {
        classic(Event::instance64(CLASS, 1, 4, 2).instance(101, 100, OTHER))
    }),
    sample(
        "header-instance32-log-1-0",
        "INSTANCE32 in the form of log version 1.0 (Windows 2000, XP): handles instead of GUIDs",
        instance_old,
    ),
    sample("header-perfinfo32", "PERFINFO32 with 0 to 7 counters", || {
        perfinfo(Event::perfinfo32, false)
    }),
    sample("header-perfinfo64", "PERFINFO64 with 0 to 7 counters", || {
        perfinfo(Event::perfinfo64, false)
    }),
    sample(
        "header-perfinfo32-pebs",
        "PERFINFO32 with 0 to 7 counters and a PEBS index",
        || perfinfo(Event::perfinfo32, true),
    ),
    sample(
        "header-perfinfo64-pebs",
        "PERFINFO64 with 0 to 7 counters and a PEBS index",
        || perfinfo(Event::perfinfo64, true),
    ),
    sample(
        "header-system64-counters",
        "SYSTEM64 with the counter bits of PERFINFO, which Windows' own reader honours here too",
        system_counters,
    ),
    sample(
        "header-event32",
        "EVENT_HEADER32: manifest events of a 32-bit program",
        || manifest(Event::header32),
    ),
    sample(
        "header-event64",
        "EVENT_HEADER64: manifest events of a 64-bit program",
        || manifest(Event::header64),
    ),
    sample(
        "header-event-flags",
        "EVENT_HEADER with each bit of Flags and of EventProperty",
        event_flags,
    ),
    sample(
        "header-message-options",
        "WPP messages with all 64 combinations of the optional parts, in turn for no, 32-bit and 64-bit pointers",
        message_options,
    ),
    sample(
        "header-message-no-time",
        "WPP messages without a time of their own",
        message_no_time,
    ),
    sample("header-timed", "TIMED (marker 0xB0), an obsolete header", || {
        around(Trace::new64(), timed()).build()
    }),
    sample("header-error", "ERROR (type 0x0D), whose layout nobody knows", || {
        around(Trace::new64(), Event::error().payload(*b"error while logging.")).build()
    }),
    sample(
        "header-unknown-types",
        "Header types 0x00, 0x05, 0x0C, 0x0E, 0x0F, 0x16, 0x7F and 0xFF, which no Windows writes",
        || unknown(&[0x00, 0x05, 0x0C, 0x0E, 0x0F, 0x16, 0x7F, 0xFF].map(|t| (t, 0xC0))),
    ),
    sample(
        "header-unknown-markers",
        "Marker bytes 0x80, 0xA0, 0xD0, 0xE0 and 0xF0, which no Windows writes",
        || unknown(&[0x80, 0xA0, 0xD0, 0xE0, 0xF0].map(|marker| (0x13, marker))),
    ),
    sample(
        "header-wnode",
        "WNODE_HEADER (no trace marker) in a file of log version 1.4",
        wnode,
    ),
    sample(
        "header-no-payload",
        "One event of each header type with no payload at all",
        no_payload,
    ),
];

fn address(payload: Payload, width: usize, value: u64) -> Payload {
    payload.bytes(&value.to_le_bytes()[..width])
}

/// Thread_TypeGroup1 of version 3.
fn thread(width: usize) -> Payload {
    let mut payload = Payload::new().u32(4120).u32(4128); // ProcessId, TThreadId
    // StackBase, StackLimit, UserStackBase, UserStackLimit, Affinity, Win32StartAddr, TebBase
    for value in [
        0xA0F1_7000,
        0xA0F1_1000,
        0x0013_0000,
        0x0012_0000,
        0x3,
        0x0040_1500,
        0x7EFD_E000,
    ] {
        payload = address(payload, width, value);
    }
    payload.u32(0).u8(8).u8(5).u8(2).u8(0).utf16_z("worker") // SubProcessTag, three priorities, ThreadFlags, ThreadName
}

fn system(event: Event, width: usize) -> Vec<u8> {
    let trace = if width == 8 { Trace::new64() } else { Trace::new32() };
    around(
        trace,
        event
            .process(4120, 4124)
            .at(Trace::qpc(200))
            .cpu_times(7, 3)
            .payload(thread(width)),
    )
    .build()
}

/// StackWalk_Event of version 2, for the event before it.
fn stack(event: Event, width: usize) -> Vec<u8> {
    let mut payload = Payload::new().i64(Trace::qpc(100)).u32(4120).u32(4124); // EventTimeStamp, StackProcess, StackThread
    for value in [0x8052_10A0, 0x0040_2010, 0x0040_1500] {
        payload = address(payload, width, value);
    }
    around(Trace::new64(), event.process(4120, 4124).at(Trace::qpc(200)).payload(payload)).build()
}

fn classic(event: Event) -> Vec<u8> {
    let payload = Payload::new().u32(42).utf16_z("classic");
    around(
        Trace::new64(),
        event.process(4120, 4124).at(Trace::qpc(200)).cpu_times(7, 3).payload(payload),
    )
    .build()
}

fn instance_old() -> Vec<u8> {
    let event = Event::instance32_old(0x0151_2000, 100, 0x0151_1000, 99)
        .process(1408, 1412)
        .at(Trace::qpc(200))
        .cpu_times(7, 3);
    let full = Event::full32(CLASS, 1, 4, 2)
        .process(1408, 1412)
        .at(Trace::qpc(100))
        .payload(*b"full");
    Trace::new32()
        .vista()
        .logfile(|l| {
            (l.os_version, l.log_version, l.build, l.event_version) = ([5, 1], [1, 0], 2600, 1);
            l.zone_names = ["W. Europe Standard Time", "W. Europe Daylight Time"];
            // TIME_FIELDS: Year, Month, Day, Hour, Minute, Second, Milliseconds, Weekday.
            l.zone_dates = [[0, 10, 5, 3, 0, 0, 0, 0], [0, 3, 5, 2, 0, 0, 0, 0]];
        })
        .buffer(Buffer::new(0, 1).event(full).event(event.payload(*b"instance")))
        .build()
}

fn perfinfo(new: fn(u16, u8) -> Event, pebs: bool) -> Vec<u8> {
    let counters = [15_000, 25_000, 35_000, 45_000, 55_000, 65_000, 75_000];
    let events = (0..=7).map(|n| {
        // CSwitch_V4: new and old thread, then priorities, wait reason and state.
        let switch = Payload::new()
            .u32(4124)
            .u32(0)
            .u8(8)
            .u8(0)
            .u8(1)
            .u8(0)
            .u8(0)
            .u8(1)
            .u8(2)
            .u8(0)
            .u32(6) // NewThreadWaitTime
            .u32(0);
        let event = new(0x0524, 4).counters(&counters[..n], pebs.then_some(0x1234));
        event.at(Trace::qpc(100 + n as i64)).payload(switch)
    });
    Trace::new64().buffer(Buffer::new(0, 1).events(events)).build()
}

fn system_counters() -> Vec<u8> {
    let event = Event::system64(0x0501, 3)
        .process(4120, 4124)
        .at(Trace::qpc(200))
        .cpu_times(7, 3)
        .counters(&[15_000, 25_000], None);
    around(Trace::new64(), event.payload(thread(8))).build()
}

fn manifest(new: fn(crate::synth::Guid, Descriptor) -> Event) -> Vec<u8> {
    let start = Descriptor {
        id: 1,
        version: 0,
        channel: 16,
        level: 4,
        opcode: 1,
        task: 10,
        keyword: 0x8000_0000_0000_0001,
    };
    let stop = Descriptor {
        id: 0xFFFE,
        version: 255,
        channel: 0,
        level: 5,
        opcode: 2,
        task: 0xFFFF,
        keyword: u64::MAX,
    };
    let event = |descriptor, time| {
        new(PROVIDER, descriptor)
            .process(4120, 4124)
            .at(Trace::qpc(time))
            .activity(ACTIVITY)
    };
    let start = event(start, 100)
        .cpu_times(7, 3)
        .payload(Payload::new().u32(42).utf16_z("manifest"));
    let stop = event(stop, 200).cpu_times(u32::MAX, 0).payload(*b"odd");
    Trace::new64().buffer(Buffer::new(0, 1).event(start).event(stop)).build()
}

fn event_flags() -> Vec<u8> {
    let flags = [0x0002, 0x0004, 0x0008, 0x0010, 0x0020, 0x0040, 0x0080, 0x0100, 0x0200, 0x8000];
    let properties = [0x0001, 0x0002, 0x0004, 0x0008, 0x8000];
    let flags = flags.map(|bit| event(1, 100).flags(bit)).into_iter();
    let properties = properties.map(|bit| event(2, 200).property(bit)).into_iter();
    Trace::new64()
        .buffer_size(2048)
        .buffer(Buffer::new(0, 1).events(flags.chain(properties)))
        .build()
}

/// A message that has a value for every optional part, with the given flags.
fn message(number: u16, flags: u16, microseconds: i64) -> Message {
    Message::new(number)
        .sequence(700 + u32::from(number))
        .component(0x1234)
        .guid(WPP)
        .at(Trace::qpc(microseconds))
        .process(4120, 4124)
        .arguments(Payload::new().u32(42).ansi_z("abc"))
        .flags(flags)
}

fn message_options() -> Vec<u8> {
    let messages = (0..64_u16).map(|options| {
        let pointer = [0x0000, 0x0040, 0x0080][usize::from(options % 3)];
        Event::from(message(options, options | pointer, 100 + i64::from(options)))
    });
    Trace::new64()
        .buffer_size(4096)
        .buffer(Buffer::new(0, 1).events(messages))
        .build()
}

fn message_no_time() -> Vec<u8> {
    // Flags GUID and SYSTEMINFO: the first has no neighbour with a time before it.
    let silent = |number| message(number, 0x00A2, 0);
    // PERFORMANCE_TIMESTAMP alone: the writer reserves eight bytes that end up behind the arguments.
    let slack = message(13, 0x00B2, 0).arguments(Payload::new().u32(42).bytes([0; 8]));
    Trace::new64()
        .buffer(
            Buffer::new(0, 1)
                .event(silent(10))
                .event(event(1, 100))
                .event(silent(11))
                .event(message(12, 0x00AA, 200))
                .event(slack),
        )
        .buffer(Buffer::new(1, 2).event(silent(14)).time(Trace::qpc(900)))
        .build()
}

fn timed() -> Event {
    Event::timed(77).at(Trace::qpc(200)).payload(*b"obsolete")
}

fn unknown(types: &[(u8, u8)]) -> Vec<u8> {
    let events = types
        .iter()
        .map(|(header_type, marker)| Event::unknown(*header_type, *marker).payload([0x11; 29]));
    Trace::new64()
        .buffer(Buffer::new(0, 1).event(event(1, 100)).events(events).event(event(2, 300)))
        .build()
}

fn wnode() -> Vec<u8> {
    // Flags: LOG_WNODE, TRACED_GUID, EVENT_ITEM.
    let event = Event::wnode(3, CLASS, 1, 0x0006_0008)
        .at(Trace::qpc(200))
        .payload(*b"sixteen bytes ok");
    around(Trace::new32().vista(), event).build()
}

fn no_payload() -> Vec<u8> {
    let all = [
        Event::system32(0x0008, 2),
        Event::system64(0x0008, 2),
        Event::compact32(0x0008, 2),
        Event::compact64(0x0008, 2),
        Event::perfinfo32(0x0008, 2),
        Event::perfinfo64(0x0008, 2),
        Event::full32(CLASS, 0, 0, 0),
        Event::full64(CLASS, 0, 0, 0),
        Event::instance32(CLASS, 0, 0, 0),
        Event::instance64(CLASS, 0, 0, 0),
        Event::header32(PROVIDER, Descriptor::default()),
        Event::header64(PROVIDER, Descriptor::default()),
    ];
    let events = all
        .into_iter()
        .zip(100..)
        .map(|(event, time)| event.process(4120, 4124).at(Trace::qpc(time)));
    let message = Message::new(1).at(Trace::qpc(200));
    Trace::new64().buffer(Buffer::new(0, 1).events(events).event(message)).build()
}
