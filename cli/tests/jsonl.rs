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

/// The schema that is shipped and printed describes every line: with all keys, and with as few as there can be.
#[test]
fn lines_are_valid_by_the_json_schema() {
    let schema: Value = serde_json::from_str(&run(&["json-schema"])).unwrap();
    let shipped = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/jsonl.schema.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&shipped).unwrap(), schema);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut lines = 0;
    let mut check = |args: &[&str]| {
        for line in run(args).lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            if let Err(problem) = validator.validate(&event) {
                panic!("{args:?}: {problem} at {}: {line}", problem.instance_path());
            }
            let known = schema["properties"].as_object().unwrap();
            assert!(event.as_object().unwrap().keys().all(|key| known.contains_key(key)), "{line}");
            lines += 1;
        }
    };
    for path in samples() {
        let path = path.to_str().unwrap();
        let command = ["dump", "--format", "jsonl", path];
        check(&command);
        check(&[&command[..], &["--no-header"]].concat());
        check(&[&command[..], &["--process-names", "--resolve", path]].concat());
    }
    assert!(lines > 2000, "{lines}");
    // The order of the keys is that of the schema.
    let required: Vec<&str> = schema["required"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| key.as_str().unwrap())
        .collect();
    let without_header: Vec<&str> = KEYS.iter().copied().filter(|key| *key != "header").collect();
    assert_eq!(required, without_header);
}

#[test]
fn the_json_schema_refuses_what_is_no_event() {
    let schema: Value = serde_json::from_str(&run(&["json-schema"])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let hello = samples().into_iter().find(|path| path.ends_with("hello.etl")).unwrap();
    let text = run(&["dump", "--format", "jsonl", hello.to_str().unwrap()]);
    let good: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert!(validator.is_valid(&good));
    for (key, value) in [
        ("n", Value::Null),
        ("n", Value::from(-1)),
        ("time", Value::from("2024-05-14T09:30:00Z")),
        ("provider_id", Value::from("{9E814AAD-3204-11D2-9A82-006008A86939}")),
        ("undecoded", Value::from("no schema")),
        ("decoded_by", Value::from("guess")),
        ("payload", Value::from("abc")),
        ("extended", Value::Null),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(!validator.is_valid(&bad), "{key}");
    }
    let mut bad = good;
    bad.as_object_mut().unwrap().remove("names");
    assert!(!validator.is_valid(&bad));
}
