//! Where known readers of the format go wrong. One test for each, named after it; each says the wrong reading it guards against.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod buffers;
#[path = "../common/mod.rs"]
mod common;
mod events;
mod items;
mod logfile;
mod reading;
mod switches;

use serde_json::{Map, Value as Json};
use winetl::{Order, TraceFile};
use winetl_tests::synth::{Buffer, Descriptor, Event, Guid, Trace, guid};

const PROVIDER: Guid = guid("a61ea624-4944-55fc-c2a8-37838829438d");
const OTHER: Guid = guid("5e7d0005-5555-4555-8555-000000000005");

fn event(id: u16) -> Event {
    let descriptor = Descriptor {
        id,
        ..Descriptor::default()
    };
    Event::header64(PROVIDER, descriptor)
        .process(4120, 4124)
        .at(Trace::qpc(i64::from(id) * 10))
}

/// A trace with one data buffer of this event, between two others.
fn around(event_between: impl Into<Event>) -> Vec<u8> {
    around_in(Trace::new64(), event_between)
}

fn around_in(trace: Trace, event_between: impl Into<Event>) -> Vec<u8> {
    trace
        .buffer(Buffer::new(0, 1).event(event(1)).event(event_between).event(event(9)))
        .build()
}

fn open(bytes: &[u8]) -> TraceFile<Vec<u8>> {
    TraceFile::from_bytes(bytes).unwrap()
}

/// Ids in file order; nothing of the trace may be damaged.
fn ids(bytes: &[u8]) -> Vec<u64> {
    let (events, report) = common::read(bytes, Order::File).unwrap();
    assert!(report.is_clean(), "{report:?}");
    common::ids(&events)
}

/// Kinds of the events in file order, in short.
fn kinds(bytes: &[u8]) -> Vec<&'static str> {
    common::each(bytes, |event| event.case().name.trim_start_matches("TRACE_HEADER_TYPE_"))
}

/// Header fields and payload of the event between the two others.
fn between(bytes: &[u8]) -> (Map<String, Json>, Vec<u8>) {
    assert_eq!(ids(bytes).first(), Some(&1));
    assert_eq!(ids(bytes).last(), Some(&9));
    let mut all = common::each(bytes, |event| {
        (common::fields(event.header().record()), event.payload().to_vec())
    });
    assert_eq!(all.len(), 4);
    all.swap_remove(2)
}
