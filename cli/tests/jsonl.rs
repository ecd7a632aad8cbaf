//! The contract of `JSON.md` over all sample traces.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;

/// The keys of an event, in order.
const KEYS: &[&str] = &[
    "n",
    "file_offset",
    "buffer",
    "buffer_offset",
    "time",
    "raw_time",
    "cpu",
    "pid",
    "tid",
    "header_type",
    "provider_id",
    "provider",
    "class_id",
    "event",
    "id",
    "version",
    "opcode",
    "level",
    "task",
    "keyword",
    "header",
    "extended",
    "fields",
    "decoded_by",
    "undecoded",
    "payload",
    "names",
];

fn run(args: &[&str]) -> String {
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let mut stdout = Vec::new();
    winetl_cli::run(args, &mut std::io::empty(), &mut stdout, &mut Vec::new());
    String::from_utf8(stdout).unwrap()
}

fn samples() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/samples");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "etl"))
        .collect()
}

/// Keys of the outermost object, in order: `serde_json::Value` would sort them.
fn keys(line: &str) -> Vec<String> {
    let (mut keys, mut depth, mut rest) = (Vec::new(), 0, line);
    while let Some(first) = rest.chars().next() {
        let mut skip = first.len_utf8();
        match first {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            '"' => {
                let mut strings = serde_json::Deserializer::from_str(rest).into_iter::<String>();
                let text = strings.next().unwrap().unwrap();
                skip = strings.byte_offset();
                if depth == 1 && rest[skip..].starts_with(':') {
                    keys.push(text);
                }
            }
            _ => {}
        }
        rest = &rest[skip..];
    }
    keys
}

#[test]
fn every_line_has_all_keys_in_order() {
    let mut lines = 0;
    for path in samples() {
        for line in run(&["dump", "--format", "jsonl", path.to_str().unwrap()]).lines() {
            assert_eq!(keys(line), KEYS, "{}: {line}", path.display());
            let event: Value = serde_json::from_str(line).unwrap();
            assert!(event["header"].is_object() && event["extended"].is_array());
            assert_eq!(event["undecoded"].is_null(), !event["decoded_by"].is_null());
            assert!(event["decoded_by"].is_null() || event["fields"].is_object() && event["payload"].is_null());
            lines += 1;
        }
    }
    assert!(lines > 500, "only {lines} events in the samples");
}

#[test]
fn both_orders_have_the_same_events() {
    for path in samples() {
        let path = path.to_str().unwrap();
        let in_order = |order| {
            let text = run(&["dump", "--format", "jsonl", "--order", order, path]);
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(in_order("time"), in_order("file"), "{path}");
        let file_order: Vec<Value> = run(&["dump", "--format", "jsonl", "--order", "file", path])
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(file_order.is_sorted_by_key(|event| event["n"].as_u64()), "{path}");
    }
}

#[test]
fn info_and_buffers_count_what_dump_prints() {
    for path in samples() {
        let path = path.to_str().unwrap();
        let info = run(&["info", "--format", "json", path]);
        let Some(info) = info.lines().next().map(|line| serde_json::from_str::<Value>(line).unwrap()) else {
            continue;
        };
        let buffers = run(&["buffers", "--format", "jsonl", path]);
        let rows: Vec<Value> = buffers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(info["buffers_found"].as_u64(), Some(rows.len() as u64), "{path}");
        let events: u64 = rows.iter().map(|row| row["events"].as_u64().unwrap()).sum();
        assert_eq!(info["events_found"].as_u64(), Some(events), "{path}");
        let printed = run(&["dump", "--format", "text", path]).lines().count() as u64;
        // An event whose header does not fit into it has a place but cannot be printed.
        assert!(printed <= events, "{path}");
    }
}

#[test]
fn file_is_named_only_among_several() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/samples/hello.etl");
    let path = path.to_str().unwrap();
    let text = run(&["dump", "--format", "jsonl", path, path]);
    assert_eq!(text.lines().count(), 38);
    assert!(
        text.lines()
            .all(|line| keys(line).first().map(String::as_str) == Some("file"))
    );
}
