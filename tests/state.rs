//! What real traces say of the numbers in their own events, against what TraceEvent makes of them, and against each other.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use winetl::state::{Resolved, Scope, SessionState};
use winetl::{EventRoles as _, Limits, Order, TraceFile};
use winetl_tests::shared;

fn load(path: &Path) -> Vec<u8> {
    let stored = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if path.extension().is_some_and(|extension| extension == "etlgz") {
        let mut bytes = vec![];
        flate2::read::GzDecoder::new(stored.as_slice())
            .read_to_end(&mut bytes)
            .unwrap();
        return bytes;
    }
    stored
}

/// Times of all events in microseconds since the first, as TraceEvent prints them, and in ticks.
fn ticks(trace: &TraceFile<Vec<u8>>) -> BTreeMap<i64, i64> {
    let mut start = None;
    let mut found = BTreeMap::new();
    let mut events = trace.events(Order::Time);
    while let Some(event) = events.next() {
        let (Some(time), Some(raw)) = (event.time(), event.raw_time()) else {
            continue;
        };
        let since = time.0 - *start.get_or_insert(time.0);
        // It rounds, and from another number of digits.
        for micros in [(since + 4) / 10, (since + 6) / 10] {
            found.insert(micros, raw);
        }
    }
    found
}

/// TraceEvent prints the name of each event's process without its extension, or `Process(id)`.
#[test]
fn process_names_are_those_of_traceevent() {
    let Some(shared) = shared::folder() else { return };
    let (mut named, mut unnamed) = (0, 0);
    let mut differences = vec![];
    for entry in fs::read_dir(shared.join("golden/traceevent")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let trace = TraceFile::from_bytes(load(&shared.join(format!("samples/{file}.etl")))).unwrap();
        let state = trace.state(&mut trace.schemas(), Scope::ProcessNames);
        let ticks = ticks(&trace);
        for line in fs::read_to_string(&path).unwrap().lines() {
            let Some((time, rest)) = line.strip_prefix("EVENT ").and_then(|rest| rest.split_once(": ")) else {
                continue;
            };
            let value = |name: &str| rest.split_once(name).unwrap().1.split(';').next().unwrap();
            let (process, theirs) = (value(" PID="), value(" PName="));
            let Ok(process) = process.parse::<u64>() else { continue };
            let micros: i64 = time.replace([',', '.'], "").parse().unwrap();
            let Some(at) = ticks.get(&micros) else {
                differences.push(format!("{file} {time}: no event at this time"));
                continue;
            };
            let ours = state.process_name(process, *at);
            let ours = ours.map_or(format!("Process({process})"), |name| {
                name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
            });
            if theirs.starts_with("Process(") {
                unnamed += 1;
            } else {
                named += 1;
            }
            if ours != theirs {
                differences.push(format!("{file} {time}: {theirs}, here {ours}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}\n{}", differences.len(), differences.join("\n"));
    assert!(named > 1000 && unnamed > 50, "{named} {unnamed}");
}

/// What is counted of the numbers of one trace.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    processes: u64,
    named: u64,
    stack_keys: u64,
    known_keys: u64,
    stacks: u64,
    linked: u64,
    /// Events to which stacks belong that have another time or thread.
    wrong_links: u64,
}

fn count(trace: &TraceFile<Vec<u8>>) -> Counts {
    let mut schemas = trace.schemas();
    let state: SessionState = trace.state(&mut schemas, Scope::All);
    assert_eq!(state.left_out(), 0);
    let mut counts = Counts::default();
    let mut times = vec![];
    let mut links = vec![];
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        times.push((event.raw_time(), event.header().thread_id()));
        if event.header().process_id().is_some_and(|id| id != u64::from(u32::MAX)) {
            counts.processes += 1;
            counts.named += u64::from(state.process_of(&event).is_some());
        }
        let resolution = state.resolve(&event, &mut schemas);
        let hook = event.header().hook_id();
        if let Some(0x1820 | 0x1825 | 0x1826) = hook {
            counts.stacks += 1;
            let payload = event.payload();
            let time = i64::from_le_bytes(payload[..8].try_into().unwrap());
            let thread = u32::from_le_bytes(payload[12..16].try_into().unwrap());
            if let Some(link) = resolution.event {
                counts.linked += 1;
                links.push((link, time, u64::from(thread)));
            }
        }
        if let Some(0x1825 | 0x1826) = hook {
            counts.stack_keys += 1;
            let known = |value: &Resolved<'_>| matches!(value, Resolved::Frames(_));
            counts.known_keys += u64::from(resolution.fields.iter().any(|field| known(&field.value)));
        }
    }
    for (link, time, thread) in links {
        let (found, by) = times[usize::try_from(link).unwrap()];
        let fits = found == Some(time) && by.is_none_or(|by| by == thread || by == u64::from(u32::MAX));
        counts.wrong_links += u64::from(!fits);
    }
    counts
}

/// Traces with rundowns of all processes.
const NAMED: &[(&str, u64)] = &[
    ("win7-sp1-net45-x86-26mb.etl", 142_540),
    ("win8-compressed-net452-x64.etl", 79_317),
    ("win8-compressed-net452-x86.etl", 53_207),
    ("win10-1903-shutdown-kernel.etl", 8_433),
    ("win10-2004-diaghub-kernel.etl", 1_036),
    ("win11-21h2-compressed-vs-gc.etl", 72_500),
];

/// All traces; of those with many stacks, how many keys and links are known.
#[test]
fn stacks_of_real_traces() {
    let Some(shared) = shared::folder() else { return };
    let (mut keys, mut complete) = (0, 0);
    for entry in fs::read_dir(shared.join("samples")).unwrap() {
        let path = entry.unwrap().path();
        if !path
            .extension()
            .is_some_and(|extension| extension == "etl" || extension == "etlgz")
        {
            continue;
        }
        let trace = TraceFile::new(load(&path), Limits::default()).unwrap();
        let counts = count(&trace);
        let name = path.file_name().unwrap().to_str().unwrap();
        if let Some((_, all)) = NAMED.iter().find(|(file, _)| *file == name) {
            assert_eq!((counts.named, counts.processes), (*all, *all), "{name}");
            complete += 1;
        }
        assert_eq!(counts.wrong_links, 0, "{}", path.display());
        assert_eq!(counts.known_keys, counts.stack_keys, "{}", path.display());
        assert!(counts.linked * 100 >= counts.stacks * 95, "{}: {counts:?}", path.display());
        keys += counts.known_keys;
    }
    assert_eq!(complete, NAMED.len());
    assert_eq!(keys, 21_279, "stack keys, as an independent reader counts them");
}
