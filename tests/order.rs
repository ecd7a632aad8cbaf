//! Events in order by time: across processors, in wrapped and appended files, and within limits.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{Seen, ids, read, read_limited};
use winetl::payload::schemas::{SchemaCounts, Schemas};
use winetl::{Limits, Note, Order, TraceFile};
use winetl_tests::samples;
use winetl_tests::synth::{Buffer, Descriptor, Event, Message, START_RAW, Trace, guid};

const PROVIDER: winetl_tests::synth::Guid = guid("5e7d0001-1111-4111-8111-000000000001");

fn event(id: u16, microseconds: i64) -> Event {
    Event::header64(
        PROVIDER,
        Descriptor {
            id,
            ..Descriptor::default()
        },
    )
    .at(Trace::qpc(microseconds))
}

/// A message that carries no time.
fn timeless(number: u16) -> Message {
    Message::new(number).guid(PROVIDER).process(4, 244)
}

fn sample(name: &str, order: Order) -> Vec<Seen> {
    let (events, report) = read((samples::find(name).unwrap().build)(), order).unwrap();
    assert!(report.is_clean());
    events
}

fn by_time(bytes: &[u8]) -> Vec<Seen> {
    let (events, report) = read(bytes, Order::Time).unwrap();
    assert!(report.is_clean());
    events
}

/// Microseconds after the start of each event that has a time of its own.
fn microseconds(events: &[Seen]) -> Vec<i64> {
    events
        .iter()
        .filter_map(|event| event.raw_time)
        .map(|time| (time - START_RAW) / 10)
        .collect()
}

#[test]
fn processors_are_merged() {
    assert_eq!(
        ids(&sample("order-three-processors", Order::Time)),
        (1..=16).collect::<Vec<_>>()
    );
    assert_eq!(
        ids(&sample("order-three-processors", Order::File)),
        [3, 6, 9, 1, 4, 7, 2, 5, 8, 10, 11, 15, 13, 14, 12, 16]
    );
}

#[test]
fn an_event_keeps_its_number_in_the_file() {
    let (mut by_time, by_file) = (
        sample("order-three-processors", Order::Time),
        sample("order-three-processors", Order::File),
    );
    assert_ne!(by_time, by_file);
    by_time.sort_by_key(|event| event.index);
    assert_eq!(by_time, by_file);
}

#[test]
fn equal_times_go_by_processor() {
    // The buffer of processor 1 is the first in the file.
    assert_eq!(
        ids(&sample("order-equal-times", Order::Time)),
        [20, 10, 21, 11, 22, 12, 23, 13]
    );
}

#[test]
fn the_header_buffer_comes_first_at_equal_times() {
    let file = Trace::new64().buffer(Buffer::new(0, 1).event(event(1, 0))).build();
    let events = by_time(&file);
    assert_eq!(events.iter().map(|event| event.id).collect::<Vec<_>>(), [None, Some(1)]);
}

#[test]
fn a_wrapped_circular_file_begins_in_its_middle() {
    assert_eq!(
        ids(&sample("order-wrapped-circular", Order::File)),
        [13, 14, 15, 16, 17, 7, 8, 9, 10, 11, 12]
    );
    assert_eq!(
        ids(&sample("order-wrapped-circular", Order::Time)),
        (7..=17).collect::<Vec<_>>()
    );
}

#[test]
fn sequence_numbers_may_start_anywhere() {
    assert_eq!(ids(&sample("order-newfile", Order::Time)), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn an_appended_run_comes_behind_the_first() {
    assert_eq!(ids(&sample("order-append", Order::Time)), (1..=12).collect::<Vec<_>>());
}

#[test]
fn buffers_of_a_session_belong_to_no_processor() {
    let events = sample("order-no-per-processor-buffering", Order::Time);
    assert_eq!(ids(&events), [1, 2, 3, 4]);
    assert!(events.iter().all(|event| event.processor.is_none()));
    // Elsewhere they do.
    assert_eq!(
        sample("order-three-processors", Order::Time)
            .iter()
            .filter(|event| event.processor == Some(2))
            .count(),
        5
    );
}

#[test]
fn times_that_go_back_keep_the_order_of_their_processor() {
    let events = sample("order-time-goes-back", Order::Time);
    assert_eq!(microseconds(&events), [0, 10, 30, 20, 40, 50, 25, 60]);
}

#[test]
fn times_that_go_back_hold_up_no_other_processor() {
    // Processor 0 is at 30 when it says 20: what processor 1 logged at 25 came before that.
    let file = Trace::new64()
        .buffer(Buffer::new(0, 1).events([event(1, 10), event(3, 30), event(4, 20), event(6, 40)]))
        .buffer(Buffer::new(1, 2).events([event(2, 25), event(5, 35)]))
        .build();
    assert_eq!(ids(&by_time(&file)), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn sequence_numbers_decide_within_a_processor() {
    // Out of order in the file, and the times of the second say the contrary.
    let file = Trace::new64()
        .buffer(Buffer::new(0, 9).event(event(3, 5)))
        .buffer(Buffer::new(0, 7).event(event(1, 10)))
        .buffer(Buffer::new(0, 8).event(event(2, 20)))
        .build();
    assert_eq!(ids(&by_time(&file)), [1, 2, 3]);
}

/// Kind of each event, in short: ids, and `m` for a message.
fn shape(events: &[Seen]) -> String {
    events
        .iter()
        .skip(1)
        .map(|event| event.id.map_or_else(|| "m".to_owned(), |id| id.to_string()))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn an_event_without_time_stays_behind_the_one_before() {
    let file = Trace::new64()
        .buffer(Buffer::new(0, 1).event(event(1, 10)).event(timeless(1)).event(event(3, 30)))
        .buffer(Buffer::new(1, 2).event(event(2, 20)))
        .build();
    let events = by_time(&file);
    assert_eq!(shape(&events), "1 m 2 3");
    assert_eq!(events[2].raw_time, None);
    assert_eq!(events[2].time, Some(Trace::utc(10)), "the time of its neighbour");
}

#[test]
fn a_first_event_without_time_holds_up_no_other() {
    // The buffer was flushed long after its events, and long after those of processor 1.
    let file = Trace::new64()
        .buffer(
            Buffer::new(0, 1)
                .event(timeless(1))
                .event(event(1, 10))
                .event(event(3, 30))
                .time(Trace::qpc(5_000)),
        )
        .buffer(Buffer::new(1, 2).events([event(2, 20), event(4, 40)]).time(Trace::qpc(50)))
        .build();
    let events = by_time(&file);
    assert_eq!(shape(&events), "m 1 2 3 4");
}

#[test]
fn a_buffer_without_any_time_goes_by_its_own() {
    let file = Trace::new64()
        .buffer(Buffer::new(0, 1).event(timeless(1)).event(timeless(2)).time(Trace::qpc(25)))
        .buffer(Buffer::new(1, 2).events([event(1, 20), event(2, 40)]))
        .build();
    let events = by_time(&file);
    assert_eq!(shape(&events), "1 m m 2");
    assert_eq!(events[2].time, Some(Trace::utc(25)));
}

#[test]
fn the_flush_time_of_a_relogged_buffer_is_no_time_of_its_events() {
    // There it is a FILETIME of the relogging and no tick of the session's clock.
    let file = Trace::new64()
        .relogged()
        .buffer(Buffer::new(0, 1).event(timeless(1)).event(event(1, 10)))
        .build();
    let (events, _) = read(file.as_slice(), Order::File).unwrap();
    let time = events[1].time;
    assert!(time.is_none() || time == Some(Trace::utc(10)), "{time:?}");
    assert_eq!(shape(&by_time(&file)), "m 1");
}

#[test]
fn limits_fall_back_to_file_order_and_say_so() {
    let bytes = (samples::find("order-three-processors").unwrap().build)();
    let (by_file, _) = read(bytes.as_slice(), Order::File).unwrap();
    let small = [
        Limits {
            max_ordered_buffers: 3,
            ..Limits::default()
        },
        Limits {
            max_merge_bytes: 1000,
            ..Limits::default()
        },
    ];
    for limits in small {
        let (events, report) = read_limited(bytes.as_slice(), Order::Time, limits).unwrap();
        assert_eq!(events, by_file, "{limits:?}");
        assert!(matches!(report.notes(), [Note::FileOrder { .. }]), "{limits:?}: {report:?}");
    }
    // Just enough: seven buffers, four streams of less than 1,024 bytes.
    let enough = Limits {
        max_ordered_buffers: 7,
        max_merge_bytes: 4 * 1024,
        ..Limits::default()
    };
    let (events, report) = read_limited(bytes.as_slice(), Order::Time, enough).unwrap();
    assert_eq!(ids(&events), (1..=16).collect::<Vec<_>>());
    assert_eq!(report.notes(), []);
}

#[test]
fn limits_lose_no_damage_of_the_fall_back() {
    let bytes = (samples::find("damage-event-size-zero").unwrap().build)();
    let limits = Limits {
        max_ordered_buffers: 1,
        ..Limits::default()
    };
    let (events, report) = read_limited(bytes.as_slice(), Order::Time, limits).unwrap();
    assert_eq!(ids(&events), [1, 2, 3, 4, 7, 8, 9]);
    assert_eq!((report.damages().len(), report.lost_bytes()), (1, 208));
}

#[test]
fn compressed_buffers_are_merged_too() {
    let (events, report) = read((samples::find("file-compressed").unwrap().build)(), Order::Time).unwrap();
    assert!(report.is_clean());
    let times = microseconds(&events);
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(events.len(), 1 + 20 + 1 + 7);
}

#[test]
fn schemas_are_the_same_however_they_are_collected() {
    let mut found = 0;
    for sample in samples::all() {
        let Ok(trace) = TraceFile::from_bytes((sample.build)()) else {
            continue;
        };
        // Without passing over any event.
        let mut expected = Schemas::default();
        let mut events = trace.events(Order::File);
        while let Some(event) = events.next() {
            expected.collect(&event);
        }
        expected.finish();
        let unordered = TraceFile::new(
            (sample.build)(),
            Limits {
                max_ordered_buffers: 0,
                ..Limits::default()
            },
        )
        .unwrap();
        let collected = [
            trace.schemas(),
            trace.events_and_schemas(Order::File).1,
            trace.events_and_schemas(Order::Time).1,
            unordered.events_and_schemas(Order::Time).1,
        ];
        for schemas in collected {
            assert_eq!(schemas.counts(), expected.counts(), "{}", sample.name);
            assert_eq!(schemas.notes(), expected.notes(), "{}", sample.name);
        }
        found += usize::from(expected.counts() != SchemaCounts::default());
    }
    assert!(found > 3, "{found}");
}
