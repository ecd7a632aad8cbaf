//! `winetl stats` over the committed samples.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::ffi::OsString;
use std::path::PathBuf;
use std::{fs, io};

use serde_json::Value as Json;

/// The columns that each event is in one of.
const COVERAGE: [&str; 5] = ["exact", "trailing_bytes", "too_short", "named_only", "raw"];

struct Output {
    status: u8,
    stdout: String,
    stderr: String,
}

fn run(args: &[&str]) -> Output {
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = winetl_cli::run(args, &mut io::empty(), &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output {
        status,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/samples")
}

fn sample(name: &str) -> String {
    let path = folder().join(name);
    assert!(path.is_file(), "{} is missing", path.display());
    path.to_str().unwrap().to_owned()
}

fn json(args: &[&str]) -> Json {
    let args: Vec<&str> = ["stats", "--format", "json"].iter().chain(args).copied().collect();
    serde_json::from_str(&run(&args).stdout).unwrap()
}

fn sum(rows: &Json, column: &str) -> u64 {
    let rows = rows.as_array().unwrap();
    rows.iter().map(|row| row[column].as_u64().unwrap()).sum()
}

#[test]
fn table_of_a_trace() {
    let output = run(&["stats", "--by", "provider", &sample("hello.etl")]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert!(lines[0].starts_with("provider"));
    assert!(lines[2].starts_with("MSNT_SystemTrace "), "most events first: {}", lines[2]);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(lines[2])[1..8], ["12", "1,660", "12", "-", "-", "-", "-"]);
    let total = words(lines[lines.len() - 1]);
    assert_eq!(total[..7], ["total", "of", "5", "rows", "19", "2,721", "16"]);
    // All numbers of a column end at the same place.
    let end = |line: &str, number: &str| line.find(number).map(|start| start + number.len());
    assert_eq!(end(lines[2], "1,660"), end(lines[lines.len() - 1], "2,721"));
}

#[test]
fn rows_say_what_they_count() {
    let stats = json(&["--by", "version", &sample("hello.etl")]);
    let rows = stats["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["event"] == "Thread/Start").unwrap();
    assert_eq!(row["provider"], "MSNT_SystemTrace");
    assert_eq!((&row["hook_id"], &row["version"]), (&Json::from(0x0501), &Json::from(3)));
    assert_eq!((&row["events"], &row["exact"]), (&Json::from(2), &Json::from(2)));
    assert_eq!(row["first_event_time"], "2024-05-14T09:30:00.0120400Z");
    assert_eq!(row["last_event_time"], "2024-05-14T09:30:00.0160000Z");
    let unnamed = rows.iter().find(|row| row["id"] == 12).unwrap();
    assert_eq!((&unnamed["event"], &unnamed["raw"]), (&Json::Null, &Json::from(1)));
    assert!(rows.iter().all(|row| row.get("version").is_some()));
    assert!(json(&[&sample("hello.etl")])["rows"][0].get("version").is_none());
    assert!(
        json(&["--by", "provider", &sample("hello.etl")])["rows"][0]
            .get("event")
            .is_none()
    );
}

/// The counts are those of a dump: of every sample, whole or damaged.
#[test]
fn samples_are_counted_as_they_are_dumped() {
    let mut seen = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "etl") {
            continue;
        }
        let path = path.to_str().unwrap();
        let dump = run(&["dump", "--format", "jsonl", "--order", "file", path]);
        let stats = run(&["stats", "--format", "json", path]);
        assert_eq!(dump.status, stats.status, "{path}: {}{}", dump.stderr, stats.stderr);
        if stats.status == 1 {
            assert_eq!(stats.stdout, "", "{path}");
            continue;
        }
        seen += 1;
        let stats: Json = serde_json::from_str(&stats.stdout).unwrap();
        let (total, rows) = (&stats["total"], &stats["rows"]);
        for column in COVERAGE.iter().chain(&["events", "bytes"]) {
            assert_eq!(total[*column].as_u64(), Some(sum(rows, column)), "{path}: {column}");
        }
        let events: Vec<Json> = dump.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let dumped = |reason: Option<&str>, named: Option<bool>| {
            let fits = |event: &&Json| {
                event["undecoded"].as_str() == reason && named.is_none_or(|named| event["event"].is_string() == named)
            };
            Json::from(events.iter().filter(fits).count())
        };
        assert_eq!(total["events"], Json::from(events.len()), "{path}");
        assert_eq!(total["exact"], dumped(None, None), "{path}");
        assert_eq!(total["trailing_bytes"], dumped(Some("trailing bytes"), None), "{path}");
        assert_eq!(
            total["too_short"],
            dumped(Some("payload shorter than its layout"), None),
            "{path}"
        );
        assert_eq!(total["named_only"], dumped(Some("no schema"), Some(true)), "{path}");
        assert_eq!(total["raw"], dumped(Some("no schema"), Some(false)), "{path}");
    }
    assert!(seen > 100, "{seen} samples");
}

#[test]
fn csv_has_one_heading_for_all_files() {
    let (one, other) = (sample("hello.etl"), sample("header-message-options.etl"));
    let output = run(&["stats", "--format", "csv", &one, &other]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""));
    let mut reader = csv::Reader::from_reader(output.stdout.as_bytes());
    let headings = reader.headers().unwrap().clone();
    let column = |name: &str| headings.iter().position(|heading| heading == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    for file in [&one, &other] {
        let stats = json(&[file]);
        let of_file: Vec<_> = rows.iter().filter(|row| row[column("file")] == **file).collect();
        assert_eq!(of_file.len(), stats["rows"].as_array().unwrap().len());
        let events: u64 = of_file.iter().map(|row| row[column("events")].parse::<u64>().unwrap()).sum();
        assert_eq!(Some(events), stats["total"]["events"].as_u64());
    }
}

#[test]
fn several_files_have_a_table_each() {
    let (one, missing, damaged) = (sample("hello.etl"), "no-such-file.etl", sample("damage-event-garbage.etl"));
    let output = run(&["stats", &one, missing, &damaged]);
    assert_eq!(output.status, 1);
    let headings: Vec<&str> = output.stdout.lines().filter(|line| line.starts_with("==> ")).collect();
    assert_eq!(headings, [format!("==> {one} <=="), format!("==> {damaged} <==")]);
    assert_eq!(output.stdout.matches("total of").count(), 2);
    assert!(output.stderr.contains(missing), "{}", output.stderr);
    assert!(output.stderr.contains("all other events were counted"), "{}", output.stderr);
}

#[test]
fn damage_has_its_status() {
    let output = run(&["stats", &sample("damage-event-garbage.etl")]);
    assert_eq!(output.status, 3);
    assert!(output.stderr.contains("damage-event-garbage.etl: at 0x"), "{}", output.stderr);
}
