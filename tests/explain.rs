//! `winetl explain`: every byte has an answer, the fields of an event cover it once, and their values are those of the dump.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::ffi::OsString;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use winetl::{Order, TraceFile};
use winetl_tests::samples;

struct Output {
    status: u8,
    stdout: String,
    stderr: String,
}

fn run(args: &[&str], stdin: &[u8]) -> Output {
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = winetl_cli::run(args, &mut Cursor::new(stdin), &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output {
        status,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(format!("{name}.etl"))
}

fn explain(file: &Path, address: &[&str]) -> Value {
    let args = [&["explain", file.to_str().unwrap(), "--format", "json"], address].concat();
    let output = run(&args, &[]);
    assert_eq!(
        (output.status, output.stderr.as_str()),
        (0, ""),
        "{} {address:?}",
        file.display()
    );
    serde_json::from_str(&output.stdout).unwrap()
}

/// The events of the dump, in file order.
fn dumped(file: &Path) -> Vec<Value> {
    let output = run(&["dump", "--format", "jsonl", "--order", "file", file.to_str().unwrap()], &[]);
    let lines = output.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"))
}

/// Checks that fields follow each other without a gap over `start..end`, down to the innermost, and gives their bytes.
#[track_caller]
fn covered(fields: &[Value], start: u64, end: u64) -> String {
    let mut at = start;
    let mut bytes = String::new();
    for field in fields {
        assert_eq!(number(field, "at"), at, "{field}");
        let size = number(field, "size");
        let own = field["bytes"].as_str().unwrap();
        assert_eq!(own.len() as u64, 2 * size, "{field}");
        if let Some(parts) = field["fields"].as_array() {
            assert_eq!(covered(parts, at, at + size), own);
        }
        bytes.push_str(own);
        at += size;
    }
    assert_eq!(at, end, "{fields:?}");
    bytes
}

/// Checks that the parts of an event cover it once.
#[track_caller]
fn covers_once(explained: &Value) -> String {
    let event = &explained["event"];
    let mut at = number(event, "buffer_offset");
    let end = at + number(event, "size");
    let mut bytes = String::new();
    for section in explained["sections"].as_array().unwrap() {
        assert_eq!(number(section, "at"), at, "{section}");
        let next = at + number(section, "size");
        bytes.push_str(&covered(section["fields"].as_array().unwrap(), at, next));
        at = next;
    }
    assert_eq!(at, end, "{explained}");
    bytes
}

/// The value of a field as the dump has it: of a structure an object, of an array of structures a list of them.
fn value(field: &Value) -> Value {
    field["value"].clone()
}

/// Names and values of a part: stored fields, and those that are made of them.
fn values(section: &Value, into: &mut Map<String, Value>) {
    for field in section["fields"].as_array().unwrap() {
        if field["gap"] != true {
            into.insert(field["name"].as_str().unwrap().to_owned(), value(field));
        }
        computed(field, into);
    }
    computed(section, into);
}

fn computed(of: &Value, into: &mut Map<String, Value>) {
    for one in of["computed"].as_array().into_iter().flatten() {
        into.insert(one["name"].as_str().unwrap().to_owned(), one["value"].clone());
    }
}

/// Checks the fields of an object of the dump against those of parts.
#[track_caller]
fn same_values(sections: &[&Value], dumped: &Value) {
    let mut found = Map::new();
    sections.iter().for_each(|section| values(section, &mut found));
    for (name, expected) in dumped.as_object().into_iter().flatten() {
        // A field that is not there has no bytes.
        if !expected.is_null() {
            assert_eq!(found.get(name), Some(expected), "{name}");
        }
    }
}

fn parts<'e>(explained: &'e Value, part: &str) -> Vec<&'e Value> {
    let sections = explained["sections"].as_array().unwrap();
    sections.iter().filter(|section| section["part"] == part).collect()
}

#[test]
fn fields_cover_every_event_once_and_have_the_values_of_the_dump() {
    let mut events = 0;
    for sample in samples::all() {
        let file = self::sample(sample.name);
        for event in dumped(&file) {
            let explained = explain(&file, &["--event", &event["n"].to_string()]);
            covers_once(&explained);
            same_values(&parts(&explained, "event header"), &event["header"]);
            // Of a compact context switch the payload is put together from tables.
            if !event["header_type"].as_str().unwrap().starts_with("PERFINFO_CCSWAP") {
                same_values(&parts(&explained, "payload"), &event["fields"]);
                let rest: String = parts(&explained, "not decoded")
                    .iter()
                    .map(|part| part["fields"][0]["bytes"].as_str().unwrap())
                    .collect();
                assert_eq!(rest, event["payload"].as_str().unwrap_or(""), "{explained}");
            }
            let items = event["extended"].as_array().unwrap().len();
            assert_eq!(parts(&explained, "extended item").len(), items, "{explained}");
            events += 1;
        }
    }
    assert!(events > 500, "{events}");
}

#[test]
fn every_byte_has_an_answer() {
    // Every byte of small samples; of the larger ones every seventh, which meets every field of more than six bytes.
    let names = [
        ("hello", 7),
        ("damage-compressed-cut", 1),
        ("damage-event-garbage", 7),
        ("damage-garbage-between-buffers", 7),
        ("damage-item-size-beyond", 1),
        ("file-zero-tail", 7),
        ("switches-compressed", 1),
    ];
    for (name, step) in names {
        let file = sample(name);
        let bytes = fs::read(&file).unwrap();
        let mut offset = 0;
        while let Some(byte) = bytes.get(offset) {
            let explained = explain(&file, &[&offset.to_string()]);
            assert_eq!(number(&explained, "file_offset"), offset as u64);
            let owner = &explained["owner"];
            // What stands for the byte holds it, if its bytes are shown.
            let (at, size) = (number(owner, "at"), number(owner, "size"));
            let place = explained["buffer_offset"].as_u64().unwrap_or(offset as u64);
            assert!((at..at + size).contains(&place), "{name} {offset}: {explained}");
            if owner["gap"] != true {
                let shown = owner["bytes"].as_str().unwrap();
                let index = 2 * usize::try_from(place - at).unwrap();
                assert_eq!(shown[index..index + 2], format!("{byte:02x}"), "{name} {offset}");
            }
            // Of long stretches that no field owns, the first bytes and the last one are enough.
            let left = usize::try_from(at + size - place).unwrap();
            let skip = owner["gap"] == true && left > 4 && place > at + 16;
            offset += if skip { left - 1 } else { step };
        }
    }
}

/// In a compressed buffer an address within the buffer leads to the event that `--event` shows.
#[test]
fn bytes_of_compressed_buffers() {
    for name in ["file-compressed", "file-compressed-lznt1", "switches-compressed"] {
        let file = sample(name);
        let trace = TraceFile::from_bytes(fs::read(&file).unwrap()).unwrap();
        let mut events = trace.events(Order::File);
        let mut compressed = 0;
        while let Some(event) = events.next() {
            let buffer = event.buffer();
            compressed += u64::from(buffer.compressed);
            for at in [0, event.bytes().len() as u64 - 1] {
                let at = u64::from(event.buffer_offset()) + at;
                let explained = explain(&file, &[&format!("{}:{at:#x}", buffer.index)]);
                assert_eq!(number(&explained["event"], "n"), event.index());
                assert_eq!(number(&explained, "buffer_offset"), at);
                assert_eq!(explained["file_offset"].is_null(), buffer.compressed);
            }
        }
        assert!(compressed > 0, "{name}");
    }
}

/// Damaged files have an answer for all that can be asked, or say what is wrong.
#[test]
fn damage_is_no_hindrance() {
    for sample in samples::all().filter(|sample| sample.name.starts_with("damage")) {
        let file = self::sample(sample.name);
        let size = fs::metadata(&file).unwrap().len();
        for offset in (0..size + 64).step_by(61) {
            for format in ["text", "json"] {
                let address = offset.to_string();
                let output = run(&["explain", file.to_str().unwrap(), &address, "--format", format], &[]);
                assert_eq!(output.stdout.is_empty(), output.status == 1, "{} {offset}", sample.name);
                assert_eq!(output.stderr.is_empty(), output.status == 0, "{} {offset}", sample.name);
            }
        }
    }
}

/// A folder as the schema gives the same, with its own places.
#[test]
fn the_schema_of_a_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let folder = folder.to_str().unwrap();
    for offset in (0..6144).step_by(97) {
        let address = offset.to_string();
        let built_in = explain(&sample("hello"), &[&address]);
        let own = explain(&sample("hello"), &[&address, "--schema", folder]);
        if let Some(place) = own["owner"]["schema"].as_str() {
            let expected = built_in["owner"]["schema"].as_str().unwrap();
            assert_eq!(
                place.strip_prefix(folder).unwrap().trim_start_matches('/'),
                expected.strip_prefix("builtin ").unwrap()
            );
            // The line is that of the field.
            let (name, line) = place.rsplit_once(':').unwrap();
            let text = fs::read_to_string(name).unwrap();
            let line = text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
            let path = own["path"].as_array().unwrap();
            let named = path
                .iter()
                .rev()
                .map(|name| name.as_str().unwrap())
                .find(|name| !name.starts_with('['));
            assert!(line.contains(named.unwrap()), "{named:?} in {line}");
        }
        let without_place = |mut explained: Value| {
            explained["owner"].as_object_mut().unwrap().remove("schema");
            explained["owner"].take()
        };
        assert_eq!(without_place(own), without_place(built_in));
    }
}

#[test]
fn standard_input() {
    let bytes = fs::read(sample("hello")).unwrap();
    let output = run(&["explain", "-", "0x8"], &bytes);
    assert!(
        output
            .stdout
            .starts_with("standard input at 0x8: CurrentOffset of buffer 0\n"),
        "{}",
        output.stdout
    );
}
