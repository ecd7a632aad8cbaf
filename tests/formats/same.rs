//! Every format carries the same events in the same order.

use serde_json::Value as Json;
use winetl::Filetime;

use crate::tree::parse;
use crate::{dump, events, lines, plain, run, samples};

/// Number, time and id of an event.
type Key = (String, String, String);

fn expected(path: &str) -> Vec<Key> {
    let key = |event: &Json| (plain(&event["n"]), plain(&event["time"]), plain(&event["id"]));
    events(path).iter().map(key).collect()
}

fn json(path: &str) -> Vec<Key> {
    let array: Vec<Json> = serde_json::from_str(&dump("json", path)).unwrap();
    assert_eq!(array, events(path), "{path}");
    array
        .iter()
        .map(|event| (plain(&event["n"]), plain(&event["time"]), plain(&event["id"])))
        .collect()
}

fn csv(path: &str) -> Vec<Key> {
    let text = dump("csv", path);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader
        .deserialize::<std::collections::HashMap<String, String>>()
        .map(|row| {
            let row = row.unwrap();
            (row["n"].clone(), row["time"].clone(), row["id"].clone())
        })
        .collect()
}

fn ecs(path: &str) -> Vec<Key> {
    lines(&dump("ecs", path))
        .iter()
        .map(|event| {
            (
                plain(&event["winetl"]["n"]),
                plain(&event["@timestamp"]),
                plain(&event["event"]["code"]),
            )
        })
        .collect()
}

fn xml(path: &str) -> Vec<Key> {
    let root = parse(&dump("xml", path));
    root.children
        .iter()
        .map(|event| {
            let system = event.child("System");
            let time = system.child("TimeCreated").attribute("SystemTime").unwrap_or_default();
            // Nine digits of the second, of which the last two are 0.
            let time = time.strip_suffix("00Z").map(|time| format!("{time}Z")).unwrap_or_default();
            (
                system.child("EventRecordID").text.clone(),
                time,
                system.child("EventID").text.clone(),
            )
        })
        .collect()
}

#[test]
fn number_time_and_id() {
    let mut seen = 0;
    for path in samples() {
        let expected = expected(&path);
        seen += expected.len();
        assert_eq!(json(&path), expected, "json: {path}");
        assert_eq!(csv(&path), expected, "csv: {path}");
        assert_eq!(ecs(&path), expected, "ecs: {path}");
        // Where an event has no id, tracerpt has 0.
        let with_zeros: Vec<Key> = expected
            .iter()
            .cloned()
            .map(|(n, time, id)| (n, time, if id.is_empty() { "0".to_owned() } else { id }))
            .collect();
        assert_eq!(xml(&path), with_zeros, "xml: {path}");
        tracerpt_csv(&path, &with_zeros);
        text(&path, &expected);
    }
    assert!(seen > 500, "only {seen} events in the samples");
}

fn tracerpt_csv(path: &str, expected: &[Key]) {
    let text = dump("tracerpt-csv", path);
    let mut rows = text.lines();
    let heading: Vec<&str> = rows.next().unwrap().split(", ").collect();
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows.len(), expected.len(), "{path}");
    for (row, (_, time, id)) in rows.iter().zip(expected) {
        let cells = crate::csv::spaced(row);
        let cell = |name| &cells[heading.iter().position(|column| *column == name).unwrap()];
        assert_eq!(cell("Event ID"), id, "{path}");
        if !time.is_empty() {
            let clock = Filetime(cell("Clock-Time").parse().unwrap());
            assert_eq!(clock.to_string(), *time, "{path}");
        }
    }
}

fn text(path: &str, expected: &[Key]) {
    let lines = dump("text", path);
    assert_eq!(lines.lines().count(), expected.len(), "{path}");
    for (line, (_, time, _)) in lines.lines().zip(expected) {
        assert!(line.starts_with(time.as_str()), "{path}: {line}");
    }
    let blocks = run(&["dump", "--long", path]);
    let numbers: Vec<&str> = blocks.lines().filter_map(|line| line.strip_prefix("n = ")).collect();
    assert!(numbers.iter().eq(expected.iter().map(|(n, ..)| n)), "{path}");
}

#[test]
fn several_files_are_told_apart() {
    let all = samples();
    let [one, two] =
        ["header-logfile32.etl", "header-logfile64.etl"].map(|name| all.iter().find(|path| path.ends_with(name)).unwrap());
    let both = |format| run(&["dump", "--format", format, one, two]);
    let files =
        |events: Vec<Json>, key: &str| -> Vec<String> { events.iter().map(|event| plain(event.pointer(key).unwrap())).collect() };
    let expected = files(lines(&both("jsonl")), "/file");
    assert!(expected.contains(one) && expected.contains(two));
    assert_eq!(files(serde_json::from_str(&both("json")).unwrap(), "/file"), expected);
    assert_eq!(files(lines(&both("ecs")), "/log/file/path"), expected);
    let text = both("csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap().get(0), Some("file"));
    assert!(
        reader
            .records()
            .map(|row| row.unwrap()[0].to_owned())
            .eq(expected.iter().cloned())
    );
    let root = parse(&both("xml"));
    assert!(
        root.children
            .iter()
            .map(|event| event.attribute("winetl:File").unwrap())
            .eq(expected.iter().cloned())
    );
    let text = both("tracerpt-csv");
    assert!(text.starts_with("File, Event Name, "));
    assert!(
        text.lines()
            .skip(1)
            .map(|row| crate::csv::spaced(row)[0].clone())
            .eq(expected.iter().cloned())
    );
    let blocks = run(&["dump", "--long", "--order", "file", one, two]);
    assert!(blocks.lines().any(|line| line == format!("==> {one} <==")));
}

#[test]
fn without_events_the_output_is_still_whole() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.etl");
    let missing = missing.to_str().unwrap();
    assert_eq!(
        serde_json::from_str::<Json>(&dump("json", missing)).unwrap(),
        serde_json::json!([])
    );
    assert!(parse(&dump("xml", missing)).children.is_empty());
    assert_eq!(dump("csv", missing).lines().count(), 1);
    for format in ["text", "jsonl", "ecs"] {
        assert_eq!(dump(format, missing), "");
    }
}

/// What is written of an event does not depend on those before it: in another order the same lines come.
#[test]
fn events_do_not_depend_on_those_before() {
    for path in samples() {
        for format in ["csv", "xml", "tracerpt-csv", "ecs"] {
            let sorted = |order| {
                let text = run(&["dump", "--format", format, "--order", order, &path]);
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            assert_eq!(sorted("time"), sorted("file"), "{format}: {path}");
        }
    }
}
