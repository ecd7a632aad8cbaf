//! `--schema`: traces read with YAML files instead of the built-in parsers.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Status, standard output and standard error of a command line.
fn run(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["winetl"].iter().chain(args).map(OsString::from);
    let status = winetl_cli::run(args, &mut std::io::empty(), &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn sample(name: &str) -> String {
    root().join("tests/samples").join(name).display().to_string()
}

/// A copy of the shipped schema in which each `(file, old, new)` was replaced wherever it stands: a field's name is also in the
/// vectors and expressions of its file.
fn edited(edits: &[(&str, &str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("schema"), folder.path());
    for (file, old, new) in edits {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        fs::write(path, text.replace(old, new)).unwrap();
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The commands that read traces.
const COMMANDS: [&[&str]; 5] = [
    &["dump"],
    &["dump", "--format", "jsonl", "--order", "file"],
    &["info"],
    &["stats"],
    &["buffers"],
];

#[test]
fn the_shipped_schema_reads_the_same() {
    let schema = root().join("schema").display().to_string();
    for name in ["hello.etl", "switches.etl", "damage-switches.etl"] {
        for command in COMMANDS {
            let file = sample(name);
            let plain = run(&[command, &[file.as_str()]].concat());
            let interpreted = run(&[command, &["--schema", schema.as_str(), file.as_str()]].concat());
            assert_eq!(plain, interpreted, "{command:?} {name}");
        }
    }
}

#[test]
fn a_renamed_field_is_seen_at_once() {
    let folder = edited(&[("kernel/process.yaml", "UniqueProcessKey", "ProcessObject")]);
    let schema = folder.path().display().to_string();
    let (status, out, err) = run(&["dump", "--format", "jsonl", "--schema", &schema, &sample("hello.etl")]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("\"ProcessObject\":\"0xffffc60f61a2b080\"") && !out.contains("UniqueProcessKey"));
}

#[test]
fn fields_are_found_by_role_whatever_their_name() {
    let folder = edited(&[("event_headers.yaml", "ProcessId", "ProcessNumber")]);
    let schema = folder.path().display().to_string();
    let pids = |args: &[&str]| -> Vec<String> {
        let (status, out, _) = run(args);
        assert_eq!(status, 0);
        assert_eq!(args.contains(&"--schema"), out.contains("\"ProcessNumber\":"));
        let pid = |line: &str| line.split("\"pid\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
        out.lines().map(pid).collect()
    };
    let file = sample("hello.etl");
    let plain = pids(&["dump", "--format", "jsonl", &file]);
    assert_eq!(plain, pids(&["dump", "--format", "jsonl", "--schema", &schema, &file]));
    assert!(plain.iter().any(|pid| pid != "null"));
}

#[test]
fn problems_of_the_schema_are_shown_and_nothing_is_read() {
    let folder = edited(&[("buffer.yaml", "BufferFlag, offset: 0x34", "BufferFlag, offset: 0x35")]);
    let schema = folder.path().display().to_string();
    for command in COMMANDS {
        let (status, out, err) = run(&[command, &["--schema", schema.as_str(), sample("hello.etl").as_str()]].concat());
        assert_eq!((status, out.as_str()), (1, ""), "{command:?}");
        assert!(err.contains("error[E20") && err.contains("buffer.yaml:"), "{err}");
    }
}

#[test]
fn what_is_no_whole_schema_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().display().to_string();
    let file = sample("hello.etl");
    let (status, _, err) = run(&["dump", "--schema", &schema, &file]);
    assert_eq!(status, 1);
    assert!(err.contains("E002"), "{err}");
    fs::write(folder.path().join("a.yaml"), "title: Nothing\n").unwrap();
    let (status, _, err) = run(&["dump", "--schema", &schema, &file]);
    assert_eq!(status, 1);
    assert!(err.contains("no structure WMI_BUFFER_HEADER"), "{err}");
    let (status, _, err) = run(&["dump", "--schema", &format!("{schema}/none"), &file]);
    assert_eq!(status, 1);
    assert!(err.contains("E001"), "{err}");
}
