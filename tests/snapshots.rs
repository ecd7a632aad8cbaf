//! What the command line prints, as snapshots: of every sample the dump as text and as JSON Lines, the facts and the buffers; of
//! the commands their help, the schema and their complaints.
//!
//! Review a change with `cargo insta review`, or set `INSTA_UPDATE=always` and read the diff: a value is right if it is what the
//! sample's builder wrote.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Once;

use winetl_tests::samples;

/// What is shown of each sample.
const OF_SAMPLES: [&str; 4] = ["dump", "dump --format jsonl", "info", "buffers"];

/// Commands, each with a snapshot of its short and its long help.
const COMMANDS: [&str; 18] = [
    "",
    "dump",
    "info",
    "stats",
    "summary",
    "buffers",
    "explain",
    "json-schema",
    "schema",
    "schema check",
    "schema diff",
    "schema explain",
    "schema fmt",
    "schema list",
    "schema show",
    "schema watch",
    "completions",
    "man",
];

/// Snapshots of more than a sample or help.
const OTHERS: [&str; 16] = [
    "buffers-jsonl",
    "completions",
    "errors",
    "explain",
    "format-csv",
    "format-ecs",
    "format-json",
    "format-long",
    "format-tracerpt-csv",
    "format-xml",
    "format-summary",
    "info-json",
    "inputs",
    "resolve",
    "schema",
    "schema-diff",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Paths in the output are as they were given, so the tests give them from the root of the workspace.
fn enter_root() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::env::set_current_dir(root()).unwrap());
}

struct Output {
    status: u8,
    stdout: String,
    stderr: String,
}

fn run(args: &[&str], stdin: &[u8]) -> Output {
    enter_root();
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let (mut stdout, mut stderr) = (vec![], vec![]);
    let status = winetl_cli::run(args, &mut Cursor::new(stdin), &mut stdout, &mut stderr);
    Output {
        status,
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

/// A session of command lines and what came of them.
#[derive(Default)]
struct Session(String);

impl Session {
    fn run(self, line: &str) -> Self {
        self.run_with(line, &[])
    }

    fn run_with(self, line: &str, stdin: &[u8]) -> Self {
        let args: Vec<&str> = line.split_whitespace().collect();
        let output = run(&args, stdin);
        self.add(line, &output)
    }

    fn add(mut self, line: &str, output: &Output) -> Self {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        writeln!(self.0, "$ {}", format!("winetl {line}").trim_end()).unwrap();
        writeln!(self.0, "-- exit status: {}", output.status).unwrap();
        for (name, text) in [("standard output", &output.stdout), ("standard error", &output.stderr)] {
            if !text.is_empty() {
                assert!(text.ends_with('\n'), "{line}: {name} does not end with a line");
                write!(self.0, "-- {name}:\n{text}").unwrap();
            }
        }
        self
    }

    fn check(self, name: &str) {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, self.0);
        });
    }
}

fn sample_snapshot(name: &str) -> String {
    format!("sample-{name}")
}

fn help_snapshot(command: &str) -> String {
    format!(
        "help-{}",
        if command.is_empty() {
            "winetl".to_owned()
        } else {
            command.replace(' ', "-")
        }
    )
}

#[test]
fn samples_look_as_before() {
    let mut failed = vec![];
    for sample in samples::all() {
        let check = || {
            OF_SAMPLES
                .iter()
                .fold(Session::default(), |session, command| {
                    session.run(&format!("{command} tests/samples/{}", sample.file_name()))
                })
                .check(&sample_snapshot(sample.name));
        };
        // All of them are compared, so that one run shows all that changed.
        if catch_unwind(AssertUnwindSafe(check)).is_err() {
            failed.push(sample.name);
        }
    }
    assert!(failed.is_empty(), "differ: {failed:?}");
}

#[test]
fn help() {
    for command in COMMANDS {
        Session::default()
            .run(&format!("{command} -h"))
            .run(&format!("{command} --help"))
            .check(&help_snapshot(command));
    }
}

#[test]
fn no_command_is_forgotten() {
    for group in ["", "schema"] {
        let args: Vec<&str> = group.split_whitespace().chain(["--help"]).collect();
        let page = run(&args, &[]).stdout;
        let (_, list) = page.split_once("Commands:\n").unwrap();
        for line in list.lines().take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().unwrap();
            let command = format!("{group} {name}");
            assert!(
                name == "help" || COMMANDS.contains(&command.trim()),
                "no snapshot of the help of `{command}`"
            );
        }
    }
}

#[test]
fn schema() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = "\
title: A broken schema
sources:
  - {id: me, kind: observed, title: \"Made up\"}
structures:
  - name: THING
    size: 0x10
    doc: Two fields with a gap between them.
    sources: [me]
    fields:
      - {name: Size, offset: 0x00, type: u32, doc: \"Size of the thing.\"}
      - {name: Kind, offset: 0x05, type: u32, doc: \"Kind of the thing.\"}
  - name: OTHER
    size: 0x04
    doc: A field of a type that does not exist.
    sources: [them]
    fields:
      - {name: Kind, offset: 0x00, type: u23}
";
    fs::write(folder.path().join("broken.yaml"), yaml).unwrap();
    let path = folder.path().to_str().unwrap();
    let mut session = Session::default().run("schema list");
    for name in [
        "WMI_BUFFER_HEADER",
        "MESSAGE_TRACE_HEADER",
        "Process/Start",
        "Process",
        "TRACE_HEADER",
        "EVENT_HEADER_FLAG",
        "wmi_bufer_header",
    ] {
        session = session.run(&format!("schema show {name}"));
    }
    for format in ["", "--format json "] {
        let args: Vec<&str> = format.split_whitespace().collect();
        let mut output = run(&[&["schema", "check"], &args[..], &[path]].concat(), &[]);
        output.stdout = output
            .stdout
            .replace(path, "FOLDER")
            .replace(&path.replace('\\', "\\\\"), "FOLDER");
        session = session.add(&format!("schema check {format}FOLDER"), &output);
    }
    session.check("schema");
}

/// The shipped schema against a copy with a change of each kind, in all formats.
#[test]
fn schema_diff() {
    let folder = tempfile::tempdir().unwrap();
    copy_yaml(&root().join("schema"), folder.path());
    let entry = "\
      - {name: OutputOffset, offset: 0x00, type: u32, unit: bytes, doc: \"The name.\"}
      - {name: Value, offset: 0x04, type: u32, ";
    let moved = "\
      - {name: Value, offset: 0x00, type: u32, doc: \"The value.\"}
      - {name: OutputOffset, offset: 0x04, type: u32, unit: bytes, ";
    let flag = "      - {value: 0x80, name: PropertyHasCustomSchema,";
    let info = folder.path().join("event_info.yaml");
    edit(
        &info,
        &[
            (entry, moved),
            ("{OutputOffset: 36, Value: 2}", "{Value: 36, OutputOffset: 2}"),
            ("ChunkNumber", "ChunkIndex"),
            ("1 in every trace seen.", "1 in all traces | and more."),
            (flag, &format!("      - {{value: 0x100, name: PropertyNew}}\n{flag}")),
        ],
    );
    let text = fs::read_to_string(&info).unwrap();
    let (before, rest) = text.split_once("  - name: EVENT_MAP_INFO_EVENT\n").unwrap();
    let (_, after) = rest.split_once("  - name: ManifestEnvelope\n").unwrap();
    fs::write(&info, format!("{before}  - name: ManifestEnvelope\n{after}")).unwrap();
    let version = "          - {version: 5, layout: Process_Defunct_TypeGroup1, since: \"10.0\", verified: 503}\n";
    let newer = "          - {version: 6, layout: Process_V4_TypeGroup1}\n";
    edit(
        &folder.path().join("kernel/process.yaml"),
        &[(version, &format!("{version}{newer}"))],
    );
    let path = folder.path().to_str().unwrap();
    let mut session = Session::default();
    for options in [
        "",
        "--format markdown ",
        "--format json ",
        "--fail-on layout ",
        "--color always ",
    ] {
        let line = format!("schema diff {options}schema {path}");
        let mut output = run(&line.split_whitespace().collect::<Vec<_>>(), &[]);
        output.stderr = output.stderr.replace(path, "COPY");
        session = session.add(&line.replace(path, "COPY"), &output);
    }
    session.check("schema-diff");
}

fn copy_yaml(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_yaml(&path, &target);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn edit(path: &Path, edits: &[(&str, &str)]) {
    let mut text = fs::read_to_string(path).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{} does not hold {from}", path.display());
        text = text.replace(from, to);
    }
    fs::write(path, text).unwrap();
}

#[test]
fn json_of_hello() {
    Session::default()
        .run("info --format json tests/samples/hello.etl")
        .check("info-json");
    Session::default()
        .run("buffers --format jsonl tests/samples/hello.etl")
        .check("buffers-jsonl");
}

#[test]
fn inputs() {
    let header = fs::read(root().join("tests/samples/header-system64.etl")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::none());
    encoder.write_all(&header).unwrap();
    let gzip = encoder.finish().unwrap();
    let two = "tests/samples/header-logfile32.etl tests/samples/header-logfile64.etl";
    Session::default()
        .run(&format!("dump {two}"))
        .run(&format!("dump --format jsonl {two}"))
        .run(&format!("info {two}"))
        .run("dump --order file tests/samples/order-three-processors.etl")
        .run("dump --verbose tests/samples/file-preallocated.etl")
        .run_with("dump -", &header)
        .run_with("info -", &gzip)
        .run_with("dump -", gzip.get(..1600).unwrap())
        .check("inputs");
}

/// Samples that show most of what a format has a place for.
const OF_FORMATS: [&str; 4] = ["hello", "header-instance64", "item-chain", "damage-item-sid"];

/// The formats beside text and JSON Lines, which all samples are shown in.
#[test]
fn formats() {
    for format in ["csv", "ecs", "json", "tracerpt-csv", "xml"] {
        let sessions = OF_FORMATS.iter().fold(Session::default(), |session, sample| {
            session.run(&format!("dump --format {format} tests/samples/{sample}.etl"))
        });
        sessions.check(&format!("format-{format}"));
    }
    let long = OF_FORMATS.iter().fold(Session::default(), |session, sample| {
        session.run(&format!("dump --long tests/samples/{sample}.etl"))
    });
    long.check("format-long");
    let all: Vec<String> = OF_FORMATS
        .iter()
        .map(|sample| format!("tests/samples/{sample}.etl"))
        .collect();
    Session::default()
        .run(&format!("summary {}", all[0]))
        .run(&format!("summary {}", all.join(" ")))
        .check("format-summary");
}

/// Bytes of every kind, and whole events.
#[test]
fn explain() {
    let lines = [
        // Header and payload of a kernel event, bits of a field.
        "hello.etl 0x931",
        "hello.etl 0x928",
        "hello.etl 1:0x15a --schema schema",
        "hello.etl --event 5",
        // The header of a buffer.
        "hello.etl 0x829",
        // Extended items; a payload in TraceLogging.
        "item-stack-trace64.etl 0x4b2",
        "hello.etl 0xdbe",
        "hello.etl 0xdd8 --format json",
        "hello.etl --event 11",
        // No field: padding, not filled, lost, between buffers, not used.
        "hello.etl 0x992",
        "hello.etl 0x780",
        "damage-event-garbage.etl 0x8c0",
        "damage-garbage-between-buffers.etl 0xd08",
        "damage-valid-inside-event.etl 0x480",
        "file-zero-tail.etl 0x1210",
        // Compressed buffers, and tables in place of events.
        "file-compressed.etl 0x208",
        "file-compressed.etl 0x300",
        "file-compressed.etl 1:0x130",
        "damage-compressed-cut.etl 1:0x170",
        "switches-compressed.etl 1:0x52",
        "switches-compressed.etl 1:0xa0",
        // What cannot be explained.
        "hello.etl 6144",
        "hello.etl 3:0",
        "hello.etl 0:0x800",
        "hello.etl nothing",
        "hello.etl --event 19",
        "hello.etl",
        "hello.etl 0 --event 0",
    ];
    let session = lines.iter().fold(Session::default(), |session, line| {
        session.run(&format!("explain tests/samples/{line}"))
    });
    session
        .run("explain --color always tests/samples/hello.etl 0x931")
        .check("explain");
}

/// What traces say of the numbers in their own events.
#[test]
fn resolve() {
    let options = "--no-header --process-names --resolve --format jsonl";
    let mut session = Session::default();
    for sample in ["context-processes", "context-files-and-keys", "context-stacks"] {
        let text = run(
            &["dump", "--process-names", "--resolve", &format!("tests/samples/{sample}.etl")],
            &[],
        );
        session = session.add(&format!("dump --process-names --resolve tests/samples/{sample}.etl"), &text);
        let line = format!("dump {options} tests/samples/{sample}.etl");
        let args: Vec<&str> = line.split_whitespace().collect();
        let mut output = run(&args, &[]);
        // The other keys are in the snapshot of the sample.
        output.stdout = output.stdout.lines().map(context_keys).collect();
        session = session.add(&line, &output);
    }
    session.check("resolve");
}

fn context_keys(line: &str) -> String {
    let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
    // Whether maps keep the order of the text depends on what else is built in the same run.
    event.sort_all_objects();
    let key = |key: &str| event.get(key).unwrap();
    let (n, name, process, resolved) = (key("n"), key("event"), key("process"), key("resolved"));
    format!("n={n} event={name} process={process} resolved={resolved}\n")
}

#[test]
fn errors() {
    Session::default()
        .run("dump no-such-file.etl")
        .run("dump tests/samples")
        .run("dump tests/samples/damage-empty-file.etl tests/samples/header-logfile64.etl")
        .run("info tests/samples/README.md")
        .run_with("buffers -", b"PK\x03\x04 and so on")
        .run("dump -o no/such/folder/out.txt tests/samples/hello.etl")
        .run("dump -o tests/samples/hello.etl tests/samples/hello.etl")
        .run("dump")
        .run("dump --format yaml tests/samples/hello.etl")
        .run("dunp tests/samples/hello.etl")
        .run("schema show")
        .run("completions tcsh")
        .check("errors");
}

#[test]
fn completions() {
    let mut output = run(&["completions", "bash"], &[]);
    // The rest is clap's.
    output.stdout = output.stdout.split_inclusive('\n').take(6).collect();
    Session::default()
        .add("completions bash | head -n 6", &output)
        .check("completions");
}

#[test]
fn no_snapshot_is_forgotten() {
    let expected: BTreeSet<String> = samples::all()
        .map(|sample| sample_snapshot(sample.name))
        .chain(COMMANDS.map(help_snapshot))
        .chain(OTHERS.map(str::to_owned))
        .map(|name| format!("{name}.snap"))
        .collect();
    let found: BTreeSet<String> = fs::read_dir(root().join("tests/snapshots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".snap"))
        .collect();
    let stale: Vec<_> = found.difference(&expected).collect();
    assert!(stale.is_empty(), "delete what no test makes any more: {stale:?}");
}

/// The dump in README.md is a real one. `...` stands for lines that are left out, or at the end of a line for its rest.
#[test]
fn readme_shows_a_real_dump() {
    const COMMAND: &str = "dump tests/samples/hello.etl";
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let Some(shown) = text_block_behind(&readme, COMMAND) else {
        eprintln!("skipped: README.md has no ```text block behind `{COMMAND}`");
        return;
    };
    let output = run(&["dump", "tests/samples/hello.etl"], &[]).stdout;
    let mut lines = output.lines();
    let mut compared = 0;
    for line in shown {
        let found = match line.strip_suffix("...") {
            Some("") => continue,
            Some(start) => lines.any(|real| real.starts_with(start.trim_end())),
            None => lines.any(|real| real == line),
        };
        assert!(
            found,
            "README.md shows this line, which a dump does not have there:\n{line}\n\nThe dump:\n{output}"
        );
        compared += 1;
    }
    assert!(compared > 0, "README.md shows no line of the dump");
}

/// The explanation in README.md is a real one.
#[test]
fn readme_shows_a_real_explanation() {
    let command = "explain --schema schema tests/samples/hello.etl 0x931";
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let Some(shown) = text_block_behind(&readme, command) else {
        eprintln!("skipped: README.md has no ```text block behind `{command}`");
        return;
    };
    let args: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(shown, run(&args, &[]).stdout.lines().collect::<Vec<_>>());
}

/// The lines of the text block that directly follows the code block with a command.
fn text_block_behind<'a>(page: &'a str, command: &str) -> Option<Vec<&'a str>> {
    let mut lines = page.lines();
    while lines.any(|line| line.contains(command)) {
        let mut behind = lines
            .clone()
            .skip_while(|line| line.trim().is_empty() || line.trim() == "```");
        if behind.next().map(str::trim) == Some("```text") {
            return Some(behind.take_while(|line| line.trim() != "```").collect());
        }
    }
    None
}
