//! Names of providers against what independent programs say: of TraceLogging events, of the events that Microsoft's TraceEvent
//! prints, and of the providers whose manifests are known. Where both have a name, it must be the same.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use winetl::payload::schemas::Schemas;
use winetl::{Event, EventRoles as _, Guid, Order, TraceFile, provider_name};
use winetl_tests::shared;

/// What stands for the name of a classic event without one: it carries its class, which is no provider.
const CLASS: &str = "(a class)";

/// Names that TraceEvent gives differently, what is here, and why. Each row is needed by some event.
const RENDERINGS: &[(&str, &str, &str)] = &[
    (
        "Windows Kernel",
        "MSNT_SystemTrace",
        "TraceEvent's own name for the events of its kernel parser; Windows' consumers report the other",
    ),
    (
        "Windows Kernel",
        CLASS,
        "the same events with a classic header, as tools that merge traces write them",
    ),
    (
        "KernelTraceControl",
        CLASS,
        "TraceEvent's own name for what tools add that merge traces",
    ),
];

/// Names of another program that stand for several providers: TraceEvent's parser of three of them.
const GROUP_MARK: char = '*';

/// Walks a trace in file order.
fn each(path: &Path, mut look: impl FnMut(&Event<'_>, Option<&str>)) {
    let trace = TraceFile::open(path).unwrap();
    let mut schemas: Schemas = trace.schemas();
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        let decoded = schemas.decode(&event);
        let name = decoded.provider_name(&event);
        look(&event, name.as_deref());
    }
}

fn json(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn providers_of_self_describing_events() {
    let Some(shared) = shared::folder() else { return };
    let mut compared = BTreeSet::new();
    for entry in fs::read_dir(shared.join("golden/payloads")).unwrap() {
        let path = entry.unwrap().path();
        let golden = json(&path);
        let events = golden["self_describing"].as_object().unwrap();
        // Each key is `GUID NAME/EVENT`; its first events are given by their place in the file.
        let mut wanted = BTreeMap::new();
        for (key, events) in events {
            let (id, name) = key.split_once(' ').unwrap();
            let (name, _) = name.split_once('/').unwrap();
            for event in events["first"].as_array().unwrap() {
                let index = event["index"].as_u64().unwrap();
                wanted.insert(index, (id.parse::<Guid>().unwrap(), name.to_owned()));
            }
        }
        if wanted.is_empty() {
            continue;
        }
        let file = golden["file"].as_str().unwrap();
        each(&shared.join("samples").join(file), |event, name| {
            let Some((id, expected)) = wanted.remove(&event.index()) else {
                return;
            };
            assert_eq!(event.provider_id(), Some(id), "{file}: event {}", event.index());
            assert_eq!(name, Some(expected.as_str()), "{file}: event {}", event.index());
            // What the table has for it must not be another name either.
            assert!(provider_name(&id).is_none_or(|name| name == expected), "{expected}");
            compared.insert(expected);
        });
        assert!(wanted.is_empty(), "{file}: {wanted:?}");
    }
    assert_eq!(compared.len(), 7, "{compared:?}");
}

/// A line of TraceEvent: `EVENT 1,234.567: PROVIDER/EVENT PID=1; TID=2; PName=p; ProceNum=0; DataLen=16; ...`.
struct Line {
    micros: i64,
    provider: String,
    processor: u16,
    len: usize,
}

impl Line {
    fn parse(text: &str) -> Option<Self> {
        let (time, rest) = text.strip_prefix("EVENT ")?.split_once(": ")?;
        let value = |name: &str| {
            let (_, value) = rest.split_once(&format!(" {name}=")).unwrap();
            value.split_once(';').unwrap().0.replace(',', "")
        };
        Some(Self {
            micros: time.replace([',', '.'], "").parse().unwrap(),
            provider: rest.split_once('/').unwrap().0.to_owned(),
            processor: value("ProceNum").parse().unwrap(),
            len: value("DataLen").parse().unwrap(),
        })
    }
}

#[test]
fn providers_that_traceevent_prints() {
    let Some(shared) = shared::folder() else { return };
    let (mut compared, mut rendered) = (BTreeMap::<String, usize>::new(), BTreeSet::new());
    for entry in fs::read_dir(shared.join("golden/traceevent")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<Line> = text.lines().filter_map(Line::parse).collect();
        let mut by_time = BTreeMap::<i64, Vec<usize>>::new();
        for (at, line) in lines.iter().enumerate() {
            by_time.entry(line.micros).or_default().push(at);
        }
        let file = path.file_stem().unwrap().to_str().unwrap();
        let sample = shared.join("samples").join(format!("{file}.etl"));
        let start = first_time(&sample);
        // Names of the events that have the time, processor and length of a line.
        let mut found = vec![BTreeSet::<String>::new(); lines.len()];
        each(&sample, |event, name| {
            let Some(time) = event.time() else { return };
            let since = time.0 - start;
            for micros in [since / 10, since / 10 + 1] {
                // Half of the last digit shown, and 100 ns to which this reader rounds.
                if (since - 10 * micros).abs() > 5 + 1 {
                    continue;
                }
                for at in by_time.get(&micros).into_iter().flatten() {
                    let line = &lines[*at];
                    if event.processor() == Some(line.processor) && event.payload().len() == line.len {
                        let class = event.header().class_id().map(|_| CLASS);
                        found[*at].insert(name.or(class).unwrap_or("(none)").to_owned());
                    }
                }
            }
        });
        for (line, found) in lines.iter().zip(&found) {
            let rows = RENDERINGS.iter().filter(|(name, ..)| *name == line.provider);
            let row = rows.clone().find(|(_, here, _)| found.contains(*here));
            rendered.extend(row.map(|(name, here, _)| (*name, *here)));
            assert!(
                row.is_some() || found.contains(&line.provider),
                "{file}: {} at {} is not among {found:?}",
                line.provider,
                line.micros
            );
            // Only the event of the line counts, where no other can be taken for it.
            if found.len() == 1 {
                *compared.entry(line.provider.clone()).or_default() += 1;
            }
        }
    }
    let all: BTreeSet<_> = RENDERINGS.iter().map(|(name, here, _)| (*name, *here)).collect();
    assert_eq!(rendered, all, "a rendering that no line needs");
    assert_eq!(compared.len(), 15, "{compared:?}");
}

/// The time of the first event in order of time, from which TraceEvent counts.
fn first_time(sample: &Path) -> i64 {
    let trace = TraceFile::open(sample).unwrap();
    let mut events = trace.events(Order::Time);
    loop {
        let event = events.next().unwrap();
        if let Some(time) = event.time() {
            return time.0;
        }
    }
}

#[test]
fn providers_whose_manifests_are_known() {
    let Some(shared) = shared::folder() else { return };
    let manifests = json(&shared.join("reference/manifest_events.json"));
    let mut known = BTreeMap::new();
    for event in manifests.as_array().unwrap() {
        let name = event["provider"].as_str().unwrap();
        if !name.ends_with(GROUP_MARK) {
            known.insert(event["guid"].as_str().unwrap(), name);
        }
    }
    let mut compared = 0;
    for (id, name) in &known {
        let Some(ours) = provider_name(&id.parse().unwrap()) else {
            continue;
        };
        assert_eq!(ours, *name, "{id}");
        compared += 1;
    }
    // All but a program of somebody's own.
    assert_eq!(compared, known.len() - 1);
}

#[test]
fn kernel_events_have_the_kernels_provider_whatever_the_header() {
    let Some(shared) = shared::folder() else { return };
    let mut kinds = BTreeSet::new();
    each(&shared.join("samples/win10-1903-shutdown-kernel.etl"), |event, name| {
        if event.header().hook_id().is_some() {
            assert_eq!(name, Some("MSNT_SystemTrace"));
            kinds.insert(event.case().name);
        }
    });
    assert!(kinds.len() > 1, "{kinds:?}");
}
