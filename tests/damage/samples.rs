//! Every damaged sample: which events are read all the same, what is reported, and where.

use std::collections::BTreeSet;

use winetl::{Error, Order};
use winetl_tests::samples;

use super::common::{ids, read};
use super::places;

/// Name, ids of the events that are read in file order, bytes lost, damages and notes.
type Expected = (&'static str, &'static [u64], u64, &'static [&'static str]);

/// The three data buffers, b1 to b3, hold the events 1 to 9; what is damaged lies mostly in b2, which holds 4, 5 and 6.
const ALL: &[u64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9];
/// The damaged event is 5: it and those behind it in its buffer are lost.
const ALL_BUT_5_6: &[u64] = &[1, 2, 3, 4, 7, 8, 9];
const ALL_BUT_6: &[u64] = &[1, 2, 3, 4, 5, 7, 8, 9];
const ALL_BUT_5: &[u64] = &[1, 2, 3, 4, 6, 7, 8, 9];
const ALL_BUT_B2: &[u64] = &[1, 2, 3, 7, 8, 9];

#[rustfmt::skip]
const READ: &[Expected] = &[
    ("damage-logfile-header-short", &[1, 2, 3, 4, 5, 6, 7, 8, 9], 256, &["LogfileEvent b0 0x0..0x0", "UnknownHeader b0 0xc8..0x1c8"]),
    ("damage-logfile-header-type", &[1, 2, 3, 4, 5, 6, 7, 8, 9], 0, &["LogfileEvent b0 0x0..0x0"]),
    ("damage-cut-in-names", &[], 317, &["BuffersWritten 4 found 1", "Truncated b0 0x185..0x185"]),
    ("damage-cut-in-header-buffer", &[], 0, &["BuffersWritten 4 found 1", "Truncated b0 0x2bc..0x2bc"]),
    ("damage-cut-in-event", &[1, 2, 3, 4, 5, 6, 7], 40, &["Truncated b3 0xcd8..0xcd8"]),
    ("damage-cut-behind-events", ALL, 0, &["Truncated b3 0xd88..0xd88"]),
    ("damage-cut-in-buffer-header", &[1, 2, 3, 4, 5, 6], 32, &["BuffersWritten 4 found 3", "Truncated 0xc00..0xc20"]),
    ("damage-valid-below-header", ALL, 0, &["FilledBytes b2 0x800..0x800"]),
    ("damage-valid-zero", ALL, 0, &["FilledBytes b2 0x800..0x800"]),
    ("damage-valid-beyond-buffer", ALL, 0, &["FilledBytes b2 0x800..0x800"]),
    ("damage-valid-maximum", ALL, 0, &["FilledBytes b2 0x800..0x800"]),
    ("damage-valid-inside-event", &[1, 2, 3, 4, 5, 6, 7, 8, 9], 0, &["FilledBytesDiffer b2 0x800..0x800"]),
    ("damage-buffer-size-zero", ALL, 0, &["BufferSize b2 0x800..0x800"]),
    ("damage-buffer-size-one", ALL, 0, &["BufferSize b2 0x800..0x800"]),
    ("damage-buffer-size-maximum", ALL, 0, &["BufferSize b2 0x800..0x800"]),
    ("damage-buffer-size-too-small", ALL, 512, &["NoBuffer 0xa00..0xc00"]),
    ("damage-first-buffer-size-zero", ALL, 0, &["BufferSize b0 0x0..0x0"]),
    ("damage-first-buffer-size-one", ALL, 0, &["BufferSize b0 0x0..0x0"]),
    ("damage-first-buffer-size-maximum", ALL, 0, &["BufferSize b0 0x0..0x0"]),
    ("damage-first-buffer-type", ALL, 0, &["NotHeaderBuffer b0 0x0..0x0"]),
    ("damage-garbage-between-buffers", ALL, 512, &["NoBuffer 0x800..0xa00"]),
    ("damage-garbage-unaligned", ALL, 333, &["NoBuffer 0x800..0x94d"]),
    ("damage-garbage-tail", ALL, 700, &["NoBuffer 0x1000..0x12bc"]),
    ("damage-zeros-between-buffers", ALL, 1024, &["NoBuffer 0x800..0xc00"]),
    ("damage-logfile-pointer-size", ALL, 0, &[]),
    ("damage-logfile-pointer-size-differs", ALL, 0, &[]),
    ("damage-logfile-times", ALL, 0, &[]),
    ("damage-logfile-negative", ALL, 0, &[]),
    ("damage-logfile-zone-dates", ALL, 0, &[]),
    ("damage-logfile-name-unterminated", ALL, 0, &[]),
    ("damage-logfile-names-unterminated", ALL, 0, &[]),
    ("damage-cpu-mhz-zero", ALL, 0, &[]),
    ("damage-event-size-zero", ALL_BUT_5_6, 208, &["EventSize b2 0x8b0..0x980"]),
    ("damage-event-size-one", ALL_BUT_5_6, 208, &["EventSize b2 0x8b0..0x980"]),
    ("damage-event-size-below-header", ALL_BUT_5_6, 208, &["EventSize b2 0x8b0..0x980"]),
    ("damage-event-size-beyond-buffer", ALL_BUT_5_6, 208, &["EventSize b2 0x8b0..0x980"]),
    ("damage-event-size-beyond-valid", ALL_BUT_6, 104, &["EventSize b2 0x918..0x980"]),
    ("damage-event-zeros", ALL_BUT_5_6, 208, &["UnknownHeader b2 0x8b0..0x980"]),
    ("damage-event-marker-clear", ALL_BUT_5_6, 208, &["UnknownHeader b2 0x8b0..0x980"]),
    ("damage-event-padding-marker", ALL_BUT_5_6, 208, &["UnknownHeader b2 0x8b0..0x980"]),
    ("damage-event-garbage", ALL_BUT_5_6, 208, &["UnknownHeader b2 0x8b0..0x980"]),
    ("damage-perfinfo-counters-beyond", ALL_BUT_5, 40, &["EventHeader b2 0x8b0..0x8d8"]),
    ("damage-message-beyond", ALL_BUT_5_6, 140, &["EventHeader b2 0x8b0..0x8c4", "EventSize b2 0x8c8..0x940"]),
    ("damage-message-unknown-options", ALL_BUT_5, 0, &[]),
    // Two events have the id 7: the last of b2 and the first of b3.
    ("damage-event-times", &[1, 2, 3, 4, 5, 6, 7, 7, 8, 9], 0, &[]),
    // A packet that is cut off, and tables that do not fit; both buffers hold nothing else.
    ("damage-switches", &[1, 2], 86, &["ContextSwitches b3 0xc48..0xc98", "EventSize b1 0x4a2..0x4a8"]),
    ("damage-item-size-zero", ALL, 0, &["ExtendedItem b2 0x900..0x900"]),
    // A size that is no multiple of 8 leads to a place where no item is.
    ("damage-item-size-odd", ALL, 0, &["ExtendedItem b2 0x90d..0x90d"]),
    ("damage-item-size-beyond", ALL, 0, &["ExtendedItem b2 0x900..0x900"]),
    ("damage-item-data-size-beyond", ALL, 0, &["ExtendedItem b2 0x900..0x900"]),
    ("damage-item-chain-open", ALL_BUT_6, 120, &["ExtendedItem b2 0x910..0x910", "UnknownHeader b2 0x910..0x988"]),
    ("damage-item-missing", ALL, 0, &["ExtendedItem b2 0x900..0x900"]),
    ("damage-item-sid", &[1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9], 0, &[]),
    ("damage-item-stack", &[1, 2, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9], 0, &[]),
    ("damage-item-fixed-sizes", &[1, 2, 3, 4, 5, 5, 5, 5, 5, 6, 7, 8, 9], 0, &[]),
    ("damage-item-schema-tl", &[1, 2, 3, 5, 5, 5, 5, 5, 7, 8, 9], 0, &[]),
    ("damage-item-prov-traits", &[1, 2, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9], 0, &[]),
    ("damage-compressed-offset", ALL_BUT_B2, 82, &["Compression b2 0x2c9..0x31b", "UnknownHeader b2@0x48 0x2c9..0x2c9"]),
    ("damage-compressed-cut", ALL_BUT_B2, 137, &["Compression b2 0x2c9..0x352"]),
    ("damage-compressed-long", ALL_BUT_6, 203, &["Compression b2 0x2c9..0x394"]),
    ("damage-compressed-bomb", ALL_BUT_B2, 87, &["Compression b2 0x2c9..0x320", "FilledBytes b2 0x2c9..0x2c9", "UnknownHeader b2@0x48 0x2c9..0x2c9"]),
    ("damage-compressed-empty", ALL_BUT_B2, 72, &["Compression b2 0x2c9..0x311"]),
    ("damage-compressed-file-cut", &[1, 2, 3, 4, 5, 6, 7], 183, &["Compression b3 0x394..0x44b", "Truncated b3 0x44b..0x44b"]),
    ("damage-compression-xp10", &[], 596, &["Compression b1 0x200..0x2c9", "Compression b2 0x2c9..0x389", "Compression b3 0x389..0x454"]),
    ("damage-compression-unknown", &[], 596, &["Compression b1 0x200..0x2c9", "Compression b2 0x2c9..0x389", "Compression b3 0x389..0x454"]),
];

/// Samples of which nothing can be read, with the reason and its place.
const REFUSED: &[(&str, &str)] = &[
    ("damage-empty-file", "Empty"),
    ("damage-not-a-trace", "NotATrace 0x48"),
    ("damage-one-byte", "NotATrace 0x0"),
    ("damage-cut-in-first-buffer-header", "NotATrace 0x0"),
    ("damage-cut-in-logfile-header", "LogfileHeader 0x68"),
];

/// Sound samples with something worth a note.
const NOTED: &[(&str, &[&str])] = &[
    ("file-buffers-written-wrong", &["BuffersWritten 99 found 3"]),
    ("file-preallocated", &["BuffersWritten 0 found 3", "ZeroTail 0xc00 of 5120"]),
    ("file-unfinished", &["BuffersWritten 0 found 3"]),
    ("file-zero-tail", &["ZeroTail 0xc00 of 2048"]),
    ("order-wrapped-circular", &["BuffersWritten 7 found 5"]),
];

#[test]
fn every_damaged_sample_is_expected() {
    let expected: BTreeSet<_> = READ.iter().map(|row| row.0).chain(REFUSED.iter().map(|row| row.0)).collect();
    let listed: BTreeSet<_> = samples::all()
        .map(|sample| sample.name)
        .filter(|name| name.starts_with("damage-"))
        .collect();
    assert_eq!(expected, listed);
    assert_eq!(expected.len(), READ.len() + REFUSED.len(), "a sample is expected twice");
}

#[test]
fn sound_events_are_read_and_damage_has_its_place() {
    let mut wrong = vec![];
    for (name, expected_ids, lost, expected_places) in READ {
        let bytes = (samples::find(name).unwrap().build)();
        for order in [Order::File, Order::Time] {
            let (events, report) = read(bytes.as_slice(), order).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (mut found, mut expected) = (ids(&events), expected_ids.to_vec());
            if order == Order::Time {
                found.sort_unstable();
                expected.sort_unstable();
            }
            if found != expected {
                wrong.push(format!(
                    "{name}, {order:?}: expected the events {expected:?}, found {found:?}"
                ));
            }
            if places(&report) != *expected_places || report.lost_bytes() != *lost {
                wrong.push(format!(
                    "{name}, {order:?}: {lost} lost, {expected_places:?}\n    found {} lost, {:?}",
                    report.lost_bytes(),
                    places(&report)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_no_trace_is_refused() {
    for (name, expected) in REFUSED {
        let bytes = (samples::find(name).unwrap().build)();
        let found = match read(bytes.as_slice(), Order::File) {
            Ok(_) => "read".to_owned(),
            Err(Error::Empty) => "Empty".to_owned(),
            Err(Error::NotATrace { offset, .. }) => format!("NotATrace {offset:#x}"),
            Err(Error::LogfileHeader { offset, .. }) => format!("LogfileHeader {offset:#x}"),
            Err(other) => other.to_string(),
        };
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn sound_samples_have_no_damage() {
    for sample in samples::all().filter(|sample| !sample.name.starts_with("damage-")) {
        let noted = NOTED
            .iter()
            .find(|(name, _)| *name == sample.name)
            .map_or(&[][..], |(_, notes)| notes);
        for order in [Order::File, Order::Time] {
            let (_, report) = read((sample.build)(), order).unwrap();
            assert_eq!(places(&report), noted, "{}, {order:?}", sample.name);
            assert_eq!(report.lost_bytes(), 0, "{}, {order:?}", sample.name);
        }
    }
}
