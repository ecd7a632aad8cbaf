//! The list of sample traces in `tests/samples/`: a small file for every header type, extended item, clock, order and damage.

mod buffers;
mod clocks;
mod context;
mod damage;
mod damage_compression;
mod damage_events;
mod headers;
mod hello;
mod items;
mod order;
mod switches;

use crate::synth::{Buffer, Descriptor, Event, Guid, Payload, Trace, guid};

/// Provider of the manifest events in the samples.
pub const PROVIDER: Guid = guid("5e7d0001-1111-4111-8111-000000000001");
/// Class of the classic events.
pub const CLASS: Guid = guid("5e7d0002-2222-4222-8222-000000000002");
/// Source file of the WPP messages.
pub const WPP: Guid = guid("5e7d0003-3333-4333-8333-000000000003");
/// Activity of the manifest events.
pub const ACTIVITY: Guid = guid("5e7d0004-4444-4444-8444-000000000004");
/// Any other GUID: a parent, a related activity, a provider group.
pub const OTHER: Guid = guid("5e7d0005-5555-4555-8555-000000000005");

/// One sample file.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Name of the file without its extension.
    pub name: &'static str,
    /// What the file shows, in one line.
    pub doc: &'static str,
    /// Builds the file's bytes; the same ones every time.
    pub build: fn() -> Vec<u8>,
}

impl Sample {
    /// Name of the file in `tests/samples/`.
    pub fn file_name(&self) -> String {
        format!("{}.etl", self.name)
    }
}

const fn sample(name: &'static str, doc: &'static str, build: fn() -> Vec<u8>) -> Sample {
    Sample { name, doc, build }
}

/// The samples of one heading of `tests/samples/README.md`.
type Group = (&'static str, &'static [Sample]);

const GROUPS: &[Group] = &[
    ("Start here", hello::SAMPLES),
    ("Event headers", headers::SAMPLES),
    ("Extended items of EVENT_HEADER", items::SAMPLES),
    ("Clocks", clocks::SAMPLES),
    ("Order of buffers", order::SAMPLES),
    ("What events say of others", context::SAMPLES),
    ("Buffers and files", buffers::SAMPLES),
    ("Compact context switches", switches::SAMPLES),
    ("Damaged files, buffers and logfile headers", damage::SAMPLES),
    ("Damaged events and extended items", damage_events::SAMPLES),
    ("Damaged compression", damage_compression::SAMPLES),
];

/// All samples, in the order of `tests/samples/README.md`.
pub fn all() -> impl Iterator<Item = &'static Sample> {
    GROUPS.iter().flat_map(|(_, samples)| *samples)
}

/// The sample of a name, for example `hello`.
pub fn find(name: &str) -> Option<&'static Sample> {
    all().find(|sample| sample.name == name)
}

/// The text of `tests/samples/README.md`.
pub fn readme() -> String {
    let mut text = String::from(
        "# Sample traces\n\n\
         Small synthetic Event Trace Log files, written by `cargo run -p winetl-tests --bin write_samples` from the list in\n\
         `tests/src/samples.rs`. They show what the format allows, not what one machine happened to record; a test compares\n\
         each with what the program builds. This page is written by the same program.\n",
    );
    for (heading, samples) in GROUPS {
        text += &format!("\n## {heading}\n\n| File | Bytes | What it shows |\n|---|---:|---|\n");
        for sample in *samples {
            text += &format!("| `{}` | {} | {} |\n", sample.file_name(), (sample.build)().len(), sample.doc);
        }
    }
    text
}

/// An ordinary manifest event with a number in its payload.
fn event(id: u16, microseconds: i64) -> Event {
    let descriptor = Descriptor {
        id,
        version: 1,
        channel: 16,
        level: 4,
        opcode: 0,
        task: 3,
        keyword: 0x8000_0000_0000_0010,
    };
    Event::header64(PROVIDER, descriptor)
        .process(4120, 4124)
        .at(Trace::qpc(microseconds))
        .cpu_times(2, 1)
        .activity(ACTIVITY)
        .payload(Payload::new().u32(id.into()).utf16_z("synthetic"))
}

/// A data buffer with `count` ordinary events, one each 10 microseconds; their ids count from `first_id`.
fn plain_buffer(processor: u16, sequence: i64, first_id: u16, count: u16, microseconds: i64) -> Buffer {
    let events = (0..count).map(|i| event(first_id + i, microseconds + i64::from(i) * 10));
    Buffer::new(processor, sequence).events(events)
}

/// A trace with one data buffer that holds this event between two ordinary ones.
fn around(trace: Trace, middle: impl Into<Event>) -> Trace {
    trace.buffer(Buffer::new(1, 1).event(event(1, 100)).event(middle).event(event(2, 300)))
}

#[cfg(test)]
mod unit_tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_kebab_case() {
        let names: BTreeSet<_> = all().map(|sample| sample.name).collect();
        assert_eq!(names.len(), all().count());
        for name in names {
            assert!(
                name.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{name}"
            );
        }
    }

    #[test]
    fn samples_are_small() {
        let sizes: Vec<_> = all().map(|sample| (sample.name, (sample.build)().len())).collect();
        for (name, size) in &sizes {
            assert!(*size <= 16 * 1024, "{name} has {size} bytes");
        }
        assert!(sizes.iter().map(|(_, size)| size).sum::<usize>() <= 600 * 1024);
    }

    #[test]
    fn samples_differ() {
        let files: BTreeSet<_> = all().map(|sample| (sample.build)()).collect();
        assert_eq!(files.len(), all().count(), "two samples have the same bytes");
    }
}
