//! Exit statuses, and what goes to which stream.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::ffi::OsString;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;

struct Output {
    status: u8,
    stdout: String,
    stderr: String,
}

fn run_with(args: &[&str], stdin: &[u8]) -> Output {
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

fn run(args: &[&str]) -> Output {
    run_with(args, &[])
}

fn sample(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/samples").join(name);
    assert!(path.is_file(), "{} is missing", path.display());
    path.to_str().unwrap().to_owned()
}

#[test]
fn clean_trace() {
    let output = run(&["dump", &sample("hello.etl")]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""));
    assert_eq!(output.stdout.lines().count(), 19);
    assert!(!output.stdout.contains('\x1b'), "coloured without being asked");
}

#[test]
fn colours_on_request() {
    assert!(
        run(&["dump", "--color", "always", &sample("hello.etl")])
            .stdout
            .contains('\x1b')
    );
}

#[test]
fn damaged_trace() {
    let output = run(&["dump", &sample("damage-event-garbage.etl")]);
    assert_eq!(output.status, 3);
    assert_eq!(output.stdout.lines().count(), 8);
    assert!(
        output.stderr.contains("damage-event-garbage.etl: at 0x8b0"),
        "{}",
        output.stderr
    );
}

#[test]
fn what_is_no_trace_does_not_keep_others_from_being_read() {
    for bad in [
        "no-such-file.etl",
        &sample("damage-not-a-trace.etl"),
        &sample("damage-empty-file.etl"),
        env!("CARGO_MANIFEST_DIR"),
    ] {
        for command in ["dump", "info"] {
            let output = run(&[command, bad, &sample("hello.etl")]);
            assert_eq!(output.status, 1, "{command} {bad}");
            assert!(output.stderr.starts_with(&format!("winetl: {bad}: ")), "{}", output.stderr);
            assert!(output.stdout.contains("HelloSession"));
        }
        assert_eq!(run(&["buffers", bad]).status, 1);
    }
}

#[test]
fn wrong_usage() {
    for args in [
        &["dump"][..],
        &["dump", "--format", "yaml", "x"],
        &["frobnicate"],
        &["man", "frobnicate"],
        &[],
    ] {
        let output = run(args);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{args:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [&["--help"][..], &["dump", "--help"], &["--version"], &["help", "info"]] {
        let output = run(args);
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{args:?}");
    }
    assert_eq!(run(&["--version"]).stdout, format!("winetl {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn standard_input_and_gzip_give_the_same() {
    let bytes = std::fs::read(sample("hello.etl")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&bytes).unwrap();
    let gzip = encoder.finish().unwrap();
    let expected = run(&["dump", "--format", "jsonl", &sample("hello.etl")]).stdout;
    for stdin in [&bytes, &gzip] {
        let output = run_with(&["dump", "--format", "jsonl", "-"], stdin);
        assert_eq!(output.status, 0);
        assert_eq!(output.stdout, expected);
    }
}

#[test]
fn cut_gzip_is_damage() {
    let bytes = std::fs::read(sample("hello.etl")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(&bytes).unwrap();
    let gzip = encoder.finish().unwrap();
    let output = run_with(&["dump", "-"], &gzip[..gzip.len() - 100]);
    assert_eq!(output.status, 3);
    assert!(output.stderr.contains("standard input: at 0x"), "{}", output.stderr);
    assert!(output.stdout.lines().count() > 4);
}

#[test]
fn output_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.txt");
    let output = run(&["dump", "-o", target.to_str().unwrap(), &sample("hello.etl")]);
    assert_eq!((output.status, output.stdout.as_str()), (0, ""));
    assert_eq!(
        std::fs::read_to_string(&target).unwrap(),
        run(&["dump", &sample("hello.etl")]).stdout
    );
    let missing = folder.path().join("no/such/folder");
    assert_eq!(
        run(&["dump", "-o", missing.to_str().unwrap(), &sample("hello.etl")]).status,
        1
    );
}

#[test]
fn output_never_overwrites_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("t.etl");
    let bytes = std::fs::read(sample("hello.etl")).unwrap();
    std::fs::write(&trace, &bytes).unwrap();
    let name = trace.to_str().unwrap();
    assert_eq!(run(&["dump", "-o", name, name]).status, 2);
    assert_eq!(std::fs::read(&trace).unwrap(), bytes);
}

struct Failing(io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.0.into())
    }
}

#[test]
fn a_broken_pipe_is_success_and_a_full_disk_is_not() {
    for (kind, expected, quiet) in [(io::ErrorKind::BrokenPipe, 0, true), (io::ErrorKind::StorageFull, 1, false)] {
        let args = ["winetl", "dump", &sample("hello.etl")].map(OsString::from);
        let mut stderr = Vec::new();
        let status = winetl_cli::run(args, &mut io::empty(), &mut Failing(kind), &mut stderr);
        assert_eq!((status, stderr.is_empty()), (expected, quiet));
    }
}

#[test]
fn schema_commands() {
    let schema = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let schema = schema.to_str().unwrap();
    assert_eq!(run(&["schema", "check", schema]).status, 0);
    let shown = run(&["schema", "show", "wmi_buffer_header", schema]);
    assert!(shown.status == 0 && shown.stdout.contains("0x30"), "{}", shown.stdout);
    let unknown = run(&["schema", "show", "WMI_BUFFER_HEADR", schema]);
    assert!(
        unknown.status == 1 && unknown.stderr.contains("did you mean WMI_BUFFER_HEADER?"),
        "{}",
        unknown.stderr
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), "title: A\nstructurs: []\n").unwrap();
    let folder = folder.path().to_str().unwrap();
    let text = run(&["schema", "check", folder]);
    assert!(
        text.status == 1 && text.stdout.contains("E101") && text.stdout.contains("a.yaml:2:1"),
        "{}",
        text.stdout
    );
    let json = run(&["schema", "check", "--format", "json", folder]);
    let problem: serde_json::Value = serde_json::from_str(json.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(
        (json.status, &problem["code"], &problem["line"]),
        (1, &"E101".into(), &2.into())
    );
    assert!(run(&["schema", "show", "X", folder]).stderr.contains("E101"));
}

#[test]
fn formats_and_their_options() {
    let hello = sample("hello.etl");
    for (args, wanted) in [
        (&["--format", "jsnl"][..], "a similar value exists: 'jsonl'"),
        (&["--format", "tracerpt-cvs"], "a similar value exists: 'tracerpt-csv'"),
        (&["--format", "csv", "--columns", "n,tme"], "did you mean `time`?"),
        (
            &["--format", "csv", "--columns", "header.TreadId"],
            "did you mean `header.ThreadId`?",
        ),
        (&["--columns", "n"], "--columns goes with --format csv only"),
        (&["--format", "xml", "--long"], "--long goes with --format text only"),
    ] {
        let output = run(&[&["dump"], args, &[hello.as_str()]].concat());
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{args:?}");
        assert!(output.stderr.contains(wanted), "{args:?}: {}", output.stderr);
    }
}

/// Takes a few bytes, then is gone.
struct Gone(usize);

impl Write for Gone {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            Ok(taken)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure_in_any_format() {
    let hello = sample("hello.etl");
    for format in ["text", "jsonl", "json", "csv", "xml", "tracerpt-csv", "ecs"] {
        for room in [0, 1, 100, 5000] {
            let args = ["winetl", "dump", "--format", format, &hello].map(OsString::from);
            let mut stderr = Vec::new();
            let status = winetl_cli::run(args, &mut io::empty(), &mut Gone(room), &mut stderr);
            assert_eq!((status, stderr.len()), (0, 0), "{format} {room}");
        }
    }
}
