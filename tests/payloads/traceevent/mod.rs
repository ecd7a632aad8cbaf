//! Kernel and classic events against what Microsoft's TraceEvent library prints of them.
//!
//! TraceEvent has names and conversions of its own; `traceevent_differences.md` lists them, with the reason of each, and this
//! test reads that list: what it does not name must be equal, and what it names must occur.

mod line;
mod source;
mod table;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Map, Value as Json, json};
use winetl::{EventRoles as _, Limits, Order, TraceFile};
use winetl_tests::shared;

use super::common::fields;
use super::differences::Differences;
use line::Line;
use table::Table;

/// The traces of which there are such lines.
const FILES: &[&str] = &[
    "win10-21h1-tracelogging-primitive-types",
    "win10-22h2-clr-rundown",
    "win10-22h2-gcevents",
    "win7-sp1-net45-x86-26mb",
    "win8-compressed-net452-x64",
    "win8-compressed-net452-x86",
];

/// An event at a time that a line has.
#[derive(Debug)]
struct Candidate {
    index: u64,
    name: &'static str,
    len: usize,
    processor: Option<u16>,
    process: Option<u64>,
    thread: Option<u64>,
    raw_time: i64,
    /// Ticks of the clock in a second.
    frequency: i64,
    fields: Map<String, Json>,
}

/// Rows of the list that were needed, and events that had a line.
#[derive(Debug, Default)]
struct Used {
    rows: BTreeSet<usize>,
    events: BTreeSet<(String, u64)>,
}

#[test]
fn traceevent_agrees() {
    let Some(shared) = shared::folder() else { return };
    let table = Table::new();
    let mut used = Used::default();
    let mut differences = Differences::default();
    let mut compared = 0;
    for file in FILES {
        let text = fs::read_to_string(shared.join(format!("golden/traceevent/{file}.txt"))).unwrap();
        let lines: Vec<Line> = text.lines().filter_map(Line::parse).filter(Line::is_kernel).collect();
        let bytes = fs::read(shared.join(format!("samples/{file}.etl"))).unwrap();
        let trace = TraceFile::new(bytes.as_slice(), Limits::default()).unwrap();
        let candidates = candidates(&trace, &lines);
        for (number, line) in lines.iter().enumerate() {
            compared += 1;
            let found = candidates.get(&number).map(Vec::as_slice).unwrap_or_default();
            compare(&mut differences, file, &table, &mut used, line, found);
        }
    }
    for (number, row) in table.rows().iter().enumerate() {
        if !used.rows.contains(&number) {
            differences.add("traceevent_differences.md", "a row that something needs", row);
        }
    }
    assert_eq!(compared, 578, "lines of kernel and classic events");
    differences.finish("TraceEvent");
}

/// For each line the events that have its time.
fn candidates(trace: &TraceFile<&[u8]>, lines: &[Line]) -> BTreeMap<usize, Vec<Candidate>> {
    let mut wanted = BTreeMap::<i64, Vec<usize>>::new();
    for (number, line) in lines.iter().enumerate() {
        wanted.entry(line.micros).or_default().push(number);
    }
    let frequency = trace.logfile().roles().clock_frequency().unwrap();
    let mut start = None;
    let mut found = BTreeMap::<usize, Vec<Candidate>>::new();
    let mut events = trace.events(Order::Time);
    while let Some(event) = events.next() {
        let Some(time) = event.time() else { continue };
        let since = time.0 - *start.get_or_insert(time.0);
        for micros in [since / 10, since / 10 + 1] {
            // Half of the last digit shown, and 100 ns to which this reader rounds.
            if (since - 10 * micros).abs() > 5 + 1 {
                continue;
            }
            for number in wanted.get(&micros).into_iter().flatten() {
                let Some(info) = event.info() else { continue };
                found.entry(*number).or_default().push(Candidate {
                    index: event.index(),
                    name: info.name,
                    len: event.payload().len(),
                    processor: event.processor(),
                    process: event.header().process_id(),
                    thread: event.header().thread_id(),
                    raw_time: event.raw_time().unwrap_or(0),
                    frequency,
                    fields: event
                        .payload_record()
                        .map(|record| fields(record.record()))
                        .unwrap_or_default(),
                });
            }
        }
    }
    found
}

/// Compares a line with the event that is most like it. An event is compared once.
fn compare(differences: &mut Differences, file: &str, table: &Table, used: &mut Used, line: &Line, candidates: &[Candidate]) {
    let what = format!("{file}: {} {}", line.time, line.name);
    let Some(name) = table.event(&line.name, &mut used.rows) else {
        differences.add(what, "an event that the list names", "another");
        return;
    };
    let best = candidates
        .iter()
        .filter(|event| event.name == name && event.len == line.len && !used.events.contains(&(file.to_owned(), event.index)))
        .map(|event| {
            let (mut found, mut rows) = (Differences::default(), BTreeSet::new());
            compare_event(&mut found, &what, table, &mut rows, line, event);
            (found, rows, event.index)
        })
        .min_by_key(|(found, _, _)| found.len());
    let Some((found, rows, index)) = best else {
        differences.add(what, format_args!("{name} of {} bytes at this time", line.len), "none");
        return;
    };
    differences.append(found);
    used.rows.extend(rows);
    used.events.insert((file.to_owned(), index));
}

fn compare_event(
    differences: &mut Differences,
    what: &str,
    table: &Table,
    rows: &mut BTreeSet<usize>,
    line: &Line,
    event: &Candidate,
) {
    if event.processor.map(i64::from) != Some(line.processor) {
        differences.add(
            format_args!("{what}: processor"),
            line.processor,
            format_args!("{:?}", event.processor),
        );
    }
    let ids = [("PID", &line.process), ("TID", &line.thread)];
    let fields = line.fields.iter().map(|(name, value)| (name.as_str(), value));
    for (field, theirs) in ids.into_iter().chain(fields) {
        let sources = match (table.field(&line.name, field, rows), field) {
            (Some(sources), _) => sources,
            (None, "PID") => vec!["header process"],
            (None, "TID") => vec!["header thread"],
            (None, name) => vec![name],
        };
        if sources == ["-"] {
            continue;
        }
        let ours: Vec<Json> = sources.iter().filter_map(|source| source::value(source, event)).collect();
        // An id that the event does not have.
        let none = ours.is_empty() && ["PID", "TID"].contains(&field) && theirs == "-1";
        if !none && !ours.iter().any(|ours| value::agrees(theirs, ours)) {
            differences.add(format_args!("{what}.{field}"), theirs, json!(ours));
        }
    }
}
