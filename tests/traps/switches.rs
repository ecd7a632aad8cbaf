//! Buffers of compact context switches (type 2).

use serde_json::{Value as Json, json};
use winetl::{Order, TraceFile};
use winetl_tests::samples;
use winetl_tests::synth::{Switches, Trace};

use super::{common, event, open};

fn sample(name: &str) -> Vec<u8> {
    (samples::find(name).unwrap().build)()
}

/// Kind, ticks since the start of the trace, header fields and looked-up fields of each switch.
fn switches(bytes: &[u8], order: Order) -> Vec<(String, i64, Json, Json)> {
    let trace = open(bytes);
    let mut schemas = trace.schemas();
    let mut events = trace.events(order);
    let mut found = vec![];
    while let Some(event) = events.next() {
        if event.buffer().holds_switches() {
            assert_eq!(event.info().map(|info| info.name), Some("Thread/CompCS"));
            assert!(event.time().is_some());
            let decoded = schemas.decode(&event);
            assert_eq!(decoded.undecoded, None);
            let fields = decoded
                .record
                .map(|record| common::fields(record.record()))
                .unwrap_or_default();
            let time = event.raw_time().unwrap() - Trace::qpc(0);
            let header = common::fields(event.header().record());
            found.push((event.case().name.to_owned(), time, header.into(), fields.into()));
        }
    }
    assert!(events.report().is_clean(), "{:?}", events.report());
    found
}

/// Not events: their first bytes are a time, which a walk over events takes for an impossible header.
#[test]
fn packets_are_read_by_their_low_two_bits() {
    // Times are in 0.1 us, as the samples' clock runs at 10 MHz.
    let found = switches(&sample("switches"), Order::File);
    let expected = [
        ("PERFINFO_CCSWAP_IDLE_SHORT", 1050, json!({"TimeDelta": 50}), json!({})),
        (
            "PERFINFO_CCSWAP_LITE",
            1052,
            json!({"TimeDelta": 2, "OldThreadIdIndex": 3, "OldThreadPriInc": 2, "OldThreadStateWr": 6}),
            json!({"OldThreadId": 4012, "OldThreadBasePriority": 11}),
        ),
        ("PERFINFO_CCSWAP_IDLE", 1152, json!({"TimeDelta": 100}), json!({})),
        (
            "PERFINFO_CCSWAP",
            1200,
            json!({"TimeDelta": 48, "OldThreadIdIndex": 15, "OldThreadStateWr": 33, "OldThreadPriority": 31, "NewThreadWaitTime": 131_071}),
            json!({"OldThreadId": 4060, "OldThreadBasePriority": -1}),
        ),
        (
            "PERFINFO_CCSWAP",
            1_073_743_023,
            json!({"TimeDelta": 0x3FFF_FFFF, "OldThreadIdIndex": 0, "OldThreadStateWr": 0, "OldThreadPriority": 0, "NewThreadWaitTime": 0}),
            json!({"OldThreadId": 4000, "OldThreadBasePriority": 8}),
        ),
        (
            "PERFINFO_CCSWAP_LITE",
            132_521,
            json!({"TimeDelta": 131_071, "OldThreadIdIndex": 15, "OldThreadPriInc": 7, "OldThreadStateWr": 63}),
            json!({"OldThreadId": 4060, "OldThreadBasePriority": -1}),
        ),
        ("PERFINFO_CCSWAP_IDLE_SHORT", 132_521, json!({"TimeDelta": 0}), json!({})),
        ("PERFINFO_CCSWAP_IDLE_SHORT", 148_904, json!({"TimeDelta": 16_383}), json!({})),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((kind, time, mut header, fields), expected) in found.into_iter().zip(expected) {
        header
            .as_object_mut()
            .unwrap()
            .retain(|name, _| expected.2.get(name).is_some());
        assert_eq!((kind.as_str(), time, header, fields), expected);
    }
}

/// A processor's context switches overlap its events in time: in one stream, most of them would come too late.
#[test]
fn switches_are_merged_with_the_events_of_their_processor() {
    for name in ["switches", "switches-compressed"] {
        let bytes = sample(name);
        let trace = TraceFile::from_bytes(bytes.as_slice()).unwrap();
        let mut events = trace.events(Order::Time);
        let (mut times, mut kinds) = (vec![], vec![]);
        while let Some(event) = events.next() {
            times.extend(event.raw_time());
            kinds.push(event.buffer().holds_switches());
        }
        assert!(times.is_sorted(), "{name}: {times:?}");
        let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes > 2, "{name}: {kinds:?}");
    }
}

#[test]
fn damage_ends_only_the_buffer_of_the_switch() {
    let bytes = sample("damage-switches");
    for order in [Order::File, Order::Time] {
        let (events, report) = common::read(bytes.as_slice(), order).unwrap();
        assert_eq!(events.len(), 4, "logfile header, one switch, two events");
        let texts: Vec<_> = report.damages().iter().map(ToString::to_string).collect();
        let texts: Vec<_> = texts
            .iter()
            .map(|text| text.split_once("): ").map_or("", |(_, rest)| rest))
            .collect();
        assert_eq!(texts.len(), 2, "{order:?}: {texts:#?}");
        assert!(texts[0].contains("PERFINFO_CCSWAP event with a size of 8"), "{texts:#?}");
        assert!(texts[0].contains("6 that are left"), "{texts:#?}");
        assert!(texts[1].contains("tables of its context switches"), "{texts:#?}");
    }
}

/// Times at the end of what a number can hold neither wrap nor panic.
#[test]
fn times_stop_at_the_end() {
    let bytes = Trace::new64()
        .buffer(Switches::new(i64::MAX - 1, [(1, 1); 16]).idle(5).idle(5).buffer(0, 1).time(1))
        .buffer(winetl_tests::synth::Buffer::new(0, 2).event(event(1)))
        .build();
    let times = common::each(&bytes, |event| event.raw_time());
    assert_eq!(times.get(1..3), Some(&[Some(i64::MAX); 2][..]));
    assert_eq!(times.len(), 4);
}
