//! Numbers that were chosen to do harm.

use winetl::{Limits, Order, TraceFile};
use winetl_tests::synth::damage::patch;
use winetl_tests::synth::{Buffer, Descriptor, Event, Item, Message, Trace, guid};

use super::common::{each, fields, ids, read};

fn event(id: u16) -> Event {
    let descriptor = Descriptor {
        id,
        ..Descriptor::default()
    };
    Event::header64(guid("5e7d0001-1111-4111-8111-000000000001"), descriptor)
        .at(Trace::qpc(i64::from(id) * 10))
        .payload([0x5A; 24])
}

/// Three data buffers of three events; the second is changed.
fn trace(change: impl FnOnce(Buffer) -> Buffer) -> Trace {
    let buffer = |sequence: u16| Buffer::new(0, sequence.into()).events((0..3).map(|i| event(3 * sequence - 2 + i)));
    Trace::new64().buffer(buffer(1)).buffer(change(buffer(2))).buffer(buffer(3))
}

/// Ids in both orders, which must agree but for the order.
fn both(bytes: &[u8]) -> Vec<u64> {
    let (by_file, _) = read(bytes, Order::File).unwrap();
    let (by_time, _) = read(bytes, Order::Time).unwrap();
    let (by_file, mut by_time) = (ids(&by_file), ids(&by_time));
    by_time.sort_unstable();
    assert_eq!(by_file, by_time);
    by_file
}

#[test]
fn buffer_sizes() {
    for size in [
        0,
        1,
        0x47,
        0x48,
        0x49,
        0x50,
        0x100,
        0x401,
        0x408,
        0x4000_0000,
        0x7FFF_FFFF,
        0x8000_0000,
        u32::MAX - 1,
        u32::MAX,
    ] {
        assert_eq!(
            both(&trace(|buffer| buffer.with_size_field(size)).build()),
            [1, 2, 3, 4, 5, 6, 7, 8, 9],
            "{size:#x}"
        );
        let first = patch(trace(|buffer| buffer).build(), 0, size.to_le_bytes());
        assert_eq!(both(&first), [1, 2, 3, 4, 5, 6, 7, 8, 9], "first buffer, {size:#x}");
    }
}

#[test]
fn session_buffer_sizes() {
    for size in [0, 1, u32::MAX] {
        let file = patch(trace(|buffer| buffer).build(), 0x68, size.to_le_bytes());
        assert_eq!(both(&file), [1, 2, 3, 4, 5, 6, 7, 8, 9], "{size:#x}");
    }
}

#[test]
fn filled_bytes() {
    for filled in [0, 1, 0x47, 0x401, 0x7FFF_FFFF, 0x8000_0000, u32::MAX] {
        assert_eq!(
            both(&trace(|buffer| buffer.with_valid(filled)).build()),
            [1, 2, 3, 4, 5, 6, 7, 8, 9],
            "{filled:#x}"
        );
    }
}

#[test]
fn event_sizes() {
    for size in [0, 1, 3, 7, 0x4F, 0xFFF8, 0xFFFF] {
        let file = trace(|_| {
            Buffer::new(0, 2)
                .event(event(4))
                .event(event(5).with_size(size))
                .event(event(6))
        })
        .build();
        assert_eq!(both(&file), [1, 2, 3, 4, 7, 8, 9], "{size:#x}");
        for hooked in [
            Event::system64(0x0301, 4),
            Event::perfinfo64(0x0524, 4),
            Event::compact64(0x1820, 2),
        ] {
            let file = trace(|_| {
                Buffer::new(0, 2)
                    .event(event(4))
                    .event(hooked.at(Trace::qpc(50)).with_size(size))
                    .event(event(6))
            })
            .build();
            assert_eq!(both(&file), [1, 2, 3, 4, 7, 8, 9], "{size:#x}");
        }
    }
}

#[test]
fn counts_that_the_event_has_no_room_for() {
    // Seven counters and a PEBS index, in an event that ends with its fixed header.
    let event_without = |event: Event| event.at(Trace::qpc(50)).with_header_bytes(1, [0x87]);
    for hooked in [
        Event::perfinfo32(0x0524, 4),
        Event::perfinfo64(0x0524, 4),
        Event::system64(0x0301, 4),
        Event::compact32(0x1820, 2),
    ] {
        let file = trace(|_| Buffer::new(0, 2).event(event(4)).event(event_without(hooked)).event(event(6))).build();
        assert_eq!(both(&file), [1, 2, 3, 4, 6, 7, 8, 9]);
    }
    // All optional parts of a message, in 8 bytes.
    let message = Event::from(Message::new(5).flags(0xFFFF)).with_size(8);
    let file = trace(|_| Buffer::new(0, 2).event(event(4)).event(message).event(event(6))).build();
    let (events, report) = read(file, Order::File).unwrap();
    assert_eq!(ids(&events)[..4], [1, 2, 3, 4]);
    assert!(!report.is_clean());
}

#[test]
fn many_items() {
    // As many items as an event can hold, in one chain, each without data.
    let items = (0xFFF8 - 0x50) / 8;
    let event = (0..items).fold(event(5).payload([]), |event, _| event.item(Item::new(0x7777, [])));
    let file = Trace::new64()
        .buffer_size(0x2_0000)
        .buffer(Buffer::new(0, 1).event(event))
        .build();
    let counts = each(&file, |event| event.extended_items().count());
    assert_eq!(counts, [0, items]);
}

#[test]
fn pointer_sizes() {
    for size in [0, 1, 3, 16, u32::MAX] {
        let file = trace(|buffer| buffer)
            .logfile(|logfile| logfile.pointer_size = Some(size))
            .build();
        let trace = TraceFile::from_bytes(file.clone()).unwrap();
        assert_eq!(trace.logfile().context().pointer_size, 8);
        // What the file says is still shown.
        assert_eq!(fields(&trace.logfile().header)["PointerSize"], size);
        assert_eq!(both(&file), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
}

#[test]
fn dates() {
    let values = [i64::MIN, -1, 0, 1, i64::MAX];
    for (start, frequency) in values
        .into_iter()
        .flat_map(|start| values.map(|frequency| (start, frequency)))
    {
        let file = trace(|buffer| buffer)
            .logfile(|logfile| {
                (logfile.start_time, logfile.perf_freq) = (start, frequency);
                (logfile.end_time, logfile.boot_time) = (start, start);
                logfile.zone_dates = [[u16::MAX; 8]; 2];
                logfile.biases = [i32::MIN, i32::MAX, i32::MIN];
            })
            .build();
        assert_eq!(
            both(&file),
            [1, 2, 3, 4, 5, 6, 7, 8, 9],
            "start {start}, frequency {frequency}"
        );
        let trace = TraceFile::from_bytes(file).unwrap();
        assert_eq!(trace.logfile().clock().problem().is_some(), frequency <= 0);
        fields(&trace.logfile().header);
    }
}

#[test]
fn sequence_numbers() {
    for (first, second) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (-1, -1), (0, 0)] {
        let buffer = |sequence, id| Buffer::new(0, sequence).event(event(id));
        let file = Trace::new64().buffer(buffer(first, 1)).buffer(buffer(second, 2)).build();
        assert_eq!(both(&file), [1, 2], "{first} {second}");
    }
}

#[test]
fn a_bomb_is_stopped_at_the_size_of_a_buffer() {
    // A literal, then a match of almost 4 GiB.
    let bomb = [
        0xFF, 0xFF, 0xFF, 0x7F, 0x00, 0x07, 0x00, 0x0F, 0xFF, 0x00, 0x00, 0xAC, 0xFF, 0xFF, 0xFF,
    ];
    for claimed in [0x1000_usize, 64 << 20, 0xFFFF_FFB0] {
        let file = trace(|_| Buffer::new(0, 2).compressed_stream(bomb.to_vec(), claimed))
            .compressed()
            .build();
        let limits = Limits::default();
        let trace = TraceFile::new(file.as_slice(), limits).unwrap();
        for buffer in trace.buffers() {
            // The session's buffers have 1,024 bytes: none holds more.
            assert!(buffer.filled <= 1024, "{claimed:#x}: {} bytes", buffer.filled);
        }
        assert_eq!(both(&file), [1, 2, 3, 7, 8, 9], "{claimed:#x}");
    }
}

#[test]
fn a_buffer_above_the_limit_is_not_read_at_once() {
    let limits = Limits {
        max_buffer_size: 2048,
        ..Limits::default()
    };
    let big = Trace::new64()
        .buffer_size(8192)
        .buffer(Buffer::new(0, 1).events((1..=9).map(event)))
        .build();
    let trace = TraceFile::new(big.as_slice(), limits).unwrap();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        assert!(event.buffer().filled <= 2048);
    }
    assert!(!events.report().is_clean());
}
