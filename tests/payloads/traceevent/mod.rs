//! Every line that Microsoft's TraceEvent library prints of six traces, against the events here.
//!
//! Lines and events are paired by their order: the n-th line of a kind is the n-th event of that kind in the order of time.
//! TraceEvent has names and conversions of its own; `traceevent_differences.md` lists them, with the reason of each, and this
//! test reads that list: what it does not name must be equal, and what it names must occur.

mod events;
mod line;
mod source;
mod table;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value as Json, json};
use winetl::{Limits, TraceFile};
use winetl_tests::shared;

use super::differences::Differences;
use events::{Candidate, SHOWN, Shown};
use line::Line;
use table::Table;

/// A trace, its lines, how many of them have an event whose payload is decoded here, values of these that were compared, and
/// events that TraceEvent does not show.
type Pinned = (&'static str, [u64; 4]);

const PINNED: &[Pinned] = &[
    ("win10-21h1-tracelogging-primitive-types", [6, 6, 92, 1]),
    ("win10-22h2-clr-rundown", [25, 1, 70, 81]),
    ("win10-22h2-gcevents", [52, 1, 124, 1]),
    ("win7-sp1-net45-x86-26mb", [495, 237, 2374, 94258]),
    ("win8-compressed-net452-x64", [480, 418, 3179, 138_088]),
    ("win8-compressed-net452-x86", [503, 443, 3345, 135_602]),
];

/// What a line, or a file of lines, came to.
#[derive(Debug, Default)]
struct Outcome {
    differences: Differences,
    /// Rows of the list that were needed.
    rows: BTreeSet<usize>,
    values: u64,
}

#[test]
fn traceevent_agrees() {
    let Some(shared) = shared::folder() else { return };
    let table = Table::new();
    let mut outcome = Outcome::default();
    for (file, pinned) in PINNED {
        let text = fs::read_to_string(shared.join(format!("golden/traceevent/{file}.txt"))).unwrap();
        let bytes = fs::read(shared.join(format!("samples/{file}.etl"))).unwrap();
        let trace = TraceFile::new(bytes.as_slice(), Limits::default()).unwrap();
        let (shown, kept) = events::read(&trace, &table, &mut outcome.rows);
        let lines: Vec<Line> = text.lines().filter_map(Line::parse).collect();
        let counts: BTreeMap<_, _> = text.lines().filter_map(line::count).collect();
        assert_eq!(lines.len() + counts.len(), text.lines().count(), "{file}: lines");
        compare_counts(&mut outcome, file, &table, &counts, &shown);
        outcome.values = 0;
        let decoded = compare_lines(&mut outcome, file, &table, &lines, &shown);
        let found = [lines.len() as u64, decoded, outcome.values, kept.values().sum()];
        if found != *pinned {
            outcome.differences.add(file, json!(pinned), json!(found));
        }
    }
    for (number, row) in table.rows().iter().enumerate() {
        if !outcome.rows.contains(&number) {
            outcome
                .differences
                .add("traceevent_differences.md", "a row that something needs", row);
        }
    }
    outcome.differences.finish("TraceEvent");
}

/// Each kind has as many events there as here, and no kind is only here.
fn compare_counts(
    outcome: &mut Outcome,
    file: &str,
    table: &Table,
    counts: &BTreeMap<&str, u64>,
    shown: &BTreeMap<String, Shown>,
) {
    let mut there = BTreeSet::new();
    for (name, count) in counts {
        let Some(kind) = table.event(name, &mut outcome.rows) else {
            outcome
                .differences
                .add(format_args!("{file}: {name}"), "a name that is listed", "none");
            continue;
        };
        let found = shown.get(&kind.key).map_or(0, |kind| kind.count);
        if found != *count {
            outcome.differences.add(format_args!("{file}: events {name}"), count, found);
        }
        assert!(there.insert(kind.key), "{file}: {name}: a kind of two names");
    }
    for key in shown.keys().filter(|key| !there.contains(*key)) {
        outcome.differences.add(format_args!("{file}: {key}"), "a line", "none");
    }
}

/// Compares all lines, and says how many of their events are decoded here.
fn compare_lines(outcome: &mut Outcome, file: &str, table: &Table, lines: &[Line], shown: &BTreeMap<String, Shown>) -> u64 {
    let mut next = BTreeMap::<&str, usize>::new();
    let (mut decoded, mut before) = (0, 0);
    for line in lines {
        let what = format!("{file}: {} {}", line.time, line.name);
        let Some(kind) = table.event(&line.name, &mut outcome.rows) else {
            continue;
        };
        let nth = next.entry(&line.name).or_default();
        let Some(event) = shown.get(&kind.key).and_then(|shown| shown.first.get(*nth)) else {
            outcome.differences.add(what, format_args!("event {nth} of its kind"), "none");
            continue;
        };
        *nth += 1;
        if event.position <= before {
            outcome
                .differences
                .add(&what, format_args!("an event behind {before}"), event.position);
        }
        before = event.position;
        decoded += u64::from(event.is_decoded);
        compare_names(outcome, &what, line, kind.name, event);
        compare_event(outcome, &what, table, line, event);
    }
    for (key, shown) in shown {
        let wanted = shown.count.min(SHOWN);
        let lines = next
            .iter()
            .filter(|(name, _)| table.event(name, &mut BTreeSet::new()).is_some_and(|kind| kind.key == *key));
        let found: usize = lines.map(|(_, count)| count).sum();
        if wanted != found as u64 {
            outcome.differences.add(format_args!("{file}: lines of {key}"), wanted, found);
        }
    }
    decoded
}

/// The provider begins the name of a line; the event has another one there.
fn compare_names(outcome: &mut Outcome, what: &str, line: &Line, listed: Option<&str>, event: &Candidate) {
    let Some((provider, name)) = &event.names else { return };
    if !line.name.strip_prefix(provider).is_some_and(|rest| rest.starts_with('/')) {
        outcome
            .differences
            .add(format_args!("{what}: provider"), &line.name, provider);
    }
    if !listed.is_some_and(|listed| listed.split(" or ").any(|one| one == name)) {
        outcome
            .differences
            .add(format_args!("{what}: event"), listed.unwrap_or("none"), name);
    }
}

fn compare_event(outcome: &mut Outcome, what: &str, table: &Table, line: &Line, event: &Candidate) {
    let Outcome {
        differences,
        rows,
        values,
    } = outcome;
    // Half of the last digit shown, and 100 ns to which this reader rounds.
    if (event.since - 10 * line.micros).abs() > 5 + 1 {
        differences.add(format_args!("{what}: time"), line.micros, event.since);
    }
    if event.processor.map(i64::from) != Some(line.processor) {
        differences.add(format_args!("{what}: processor"), line.processor, json!(event.processor));
    }
    if event.len != line.len {
        differences.add(format_args!("{what}: bytes of the payload"), line.len, event.len);
    }
    let ids = [("PID", &line.process), ("TID", &line.thread)];
    let fields = line.fields.iter().map(|(name, value)| (name.as_str(), value));
    // What nothing describes here has no fields.
    let fields = fields.filter(|_| event.is_decoded);
    let mut seen = BTreeSet::new();
    for (field, theirs) in ids.into_iter().chain(fields) {
        let sources = match (table.field(&line.name, field, rows), field) {
            (Some(sources), _) => sources,
            (None, "PID") => vec!["header process"],
            (None, "TID") => vec!["header thread"],
            (None, name) => vec![name],
        };
        seen.extend(
            sources
                .iter()
                .flat_map(|source| source.split(|c: char| !c.is_alphanumeric() && c != '_')),
        );
        if sources == ["-"] {
            continue;
        }
        *values += 1;
        let words = sources
            .iter()
            .filter_map(|source| event.words.get(*source))
            .flatten()
            .map(|word| json!(word));
        let ours: Vec<Json> = sources
            .iter()
            .filter_map(|source| source::value(source, event))
            .chain(words)
            .collect();
        // An id that the event does not have.
        let none = ours.is_empty() && ["PID", "TID"].contains(&field) && theirs == "-1";
        if !none && !ours.iter().any(|ours| value::agrees(theirs, ours)) {
            differences.add(format_args!("{what}.{field}"), theirs, json!(ours));
        }
    }
    // Layouts of the kernel have more than TraceEvent shows; of schemas that the trace carries, each field is looked at.
    let hidden = |name: &str| {
        table
            .field(&line.name, "-", &mut BTreeSet::new())
            .is_some_and(|hidden| hidden.contains(&name))
    };
    for name in event
        .fields
        .keys()
        .filter(|name| !event.is_kernel && !seen.contains(name.as_str()))
    {
        if hidden(name) {
            table.field(&line.name, "-", rows);
        } else {
            differences.add(format_args!("{what}.{name}"), "nothing", &event.fields[name]);
        }
    }
}
