//! Kernel and classic events, by hook id or class and type, version and pointer size.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};
use winetl::{Event, EventRoles as _, Order, TraceFile};

use super::common::fields;
use super::differences::Differences;
use super::{layouts, rendering};

/// What is compared of the events of one kind.
#[derive(Debug, Default)]
pub(crate) struct Kind {
    name: Option<&'static str>,
    /// Version whose layout is used.
    layout: Option<u8>,
    pub(crate) count: u64,
    /// Decoded to the last byte.
    pub(crate) exact: u64,
    /// The first ones that the expected values show, by their index.
    first: BTreeMap<u64, Option<Decoded>>,
}

#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) fields: Map<String, Json>,
    left: usize,
    short: Option<usize>,
}

pub(crate) fn check(file: &str, trace: &TraceFile<&[u8]>, golden: &Json) {
    let mut differences = Differences::default();
    let kinds = walk(&mut differences, trace, golden);
    let expected = golden["kernel_and_classic"].as_object().unwrap();
    let names: BTreeSet<&str> = expected
        .keys()
        .map(String::as_str)
        .chain(kinds.keys().map(String::as_str))
        .collect();
    for name in names {
        match (expected.get(name), kinds.get(name)) {
            (Some(expected), Some(found)) => compare(&mut differences, file, name, expected, found),
            (Some(_), None) => differences.add(name, "events", "none"),
            (None, _) => differences.add(name, "no events", "some"),
        }
    }
    differences.finish(file);
}

fn walk(differences: &mut Differences, trace: &TraceFile<&[u8]>, golden: &Json) -> BTreeMap<String, Kind> {
    let shown = shown(golden);
    // Text for each event would take most of the time.
    let mut kinds = BTreeMap::<_, Kind>::new();
    let mut events = trace.events(Order::File);
    let mut total = 0_u64;
    while let Some(event) = events.next() {
        total += 1;
        let Some(key) = key(&event) else { continue };
        let kind = kinds.entry(key).or_default();
        kind.name = event.info().map(|info| info.name);
        let version = event.info().and_then(|info| info.version(key.version, key.pointer_size));
        kind.layout = version.map(|version| version.version);
        kind.count += 1;
        let record = event.payload_record();
        let outcome = record.as_ref().map(|record| record.measure());
        let left = outcome.map(|outcome| event.payload().len() - outcome.consumed);
        kind.exact += u64::from(outcome.is_some_and(|outcome| outcome.short.is_none()) && left == Some(0));
        if shown.contains(&event.index()) {
            let decoded = record.zip(outcome).map(|(record, outcome)| Decoded {
                fields: fields(record.record()),
                left: left.unwrap_or(0),
                short: outcome.short,
            });
            kind.first.insert(event.index(), decoded);
        }
    }
    if golden["events"].as_u64() != Some(total) {
        differences.add("events", &golden["events"], total);
    }
    kinds.into_iter().map(|(key, kind)| (key.to_string(), kind)).collect()
}

fn shown(golden: &Json) -> BTreeSet<u64> {
    let kinds = golden["kernel_and_classic"].as_object().unwrap().values();
    kinds
        .flat_map(|kind| kind["first"].as_array().unwrap())
        .map(|event| event["index"].as_u64().unwrap())
        .collect()
}

/// What tells kinds apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    hook_id: Option<u64>,
    class: Option<(winetl::Guid, u64)>,
    version: u64,
    pointer_size: u8,
}

fn key(event: &Event<'_>) -> Option<Key> {
    let header = event.header();
    let class = || header.class_id().zip(header.opcode());
    let key = Key {
        hook_id: header.hook_id(),
        class: if header.hook_id().is_none() { Some(class()?) } else { None },
        version: header.event_version().unwrap_or(0),
        pointer_size: event.context().pointer_size,
    };
    Some(key)
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.hook_id, self.class) {
            (Some(hook_id), _) => write!(f, "{hook_id:#06x}")?,
            (None, Some((class, opcode))) => write!(f, "{class}/{opcode}")?,
            (None, None) => {}
        }
        write!(f, " v{} ptr{}", self.version, self.pointer_size)
    }
}

fn compare(differences: &mut Differences, file: &str, key: &str, expected: &Json, found: &Kind) {
    let name = found.name.unwrap_or("no name");
    let what = format!("{key} ({name})");
    let mut same = |part: &str, expected: &Json, found: Json| {
        if *expected != found {
            differences.add(format_args!("{what}: {part}"), expected, found);
        }
    };
    same("count", &expected["count"], found.count.into());
    let other = layouts::other(file, key);
    match other {
        None => {
            same("exact", &expected["exact"], found.exact.into());
            same("version of the layout", &expected["layout"], found.layout.into());
        }
        Some(other) => other.compare_counts(differences, &what, found),
    }
    for expected in expected["first"].as_array().unwrap() {
        let index = expected["index"].as_u64().unwrap();
        let what = format!("{what}: event {index}");
        let fields = expected["fields"].as_object().unwrap();
        match (found.first.get(&index), other) {
            (Some(Some(decoded)), Some(other)) => other.compare_fields(differences, &what, fields, decoded),
            (Some(Some(decoded)), None) => {
                if decoded.short.is_some() {
                    differences.add(&what, "a payload that is long enough", format_args!("{:?}", decoded.short));
                }
                if expected["left"].as_u64() != Some(decoded.left as u64) {
                    differences.add(format_args!("{what}: bytes left"), &expected["left"], decoded.left);
                }
                rendering::compare(differences, &what, name, fields, &decoded.fields);
            }
            (Some(None), _) => differences.add(&what, "fields", "no layout"),
            (None, _) => differences.add(&what, "an event of this kind", "another one"),
        }
    }
}
