//! Speed of whole dumps of real traces, which lie outside the repository: set `WINETL_SHARED`, or have them at `../shared`.
//!
//! Without them the benches dump a committed sample, which is too small to say much.

#![expect(clippy::unwrap_used, reason = "a bench that cannot write has nothing to measure")]

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const TRACES: &[&str] = &["win8-compressed-net452-x64", "win11-24h2-xperf-tracelogging-43mb"];

fn path(name: &str) -> PathBuf {
    let shared = std::env::var_os("WINETL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let path = shared.join("samples").join(format!("{name}.etl"));
    if path.exists() {
        path
    } else {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples/file-compressed.etl")
    }
}

/// Counts the lines of a dump.
struct Lines(usize);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.iter().filter(|byte| **byte == b'\n').count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn dump(name: &str, options: &[&str], out: &mut dyn Write) {
    let mut args: Vec<OsString> = ["winetl", "dump"].iter().chain(options).map(OsString::from).collect();
    args.push(path(name).into());
    winetl_cli::run(args, &mut io::empty(), out, &mut io::sink());
}

/// Measures what the command does when its output goes nowhere: its buffer, and a call of the system for each time it is full.
/// Events are counted before, since to look for the ends of lines would be measured too.
fn bench(bencher: Bencher<'_, '_>, name: &str, options: &[&str]) {
    let mut lines = Lines(0);
    dump(name, options, &mut lines);
    bencher.counter(ItemsCount::new(lines.0)).bench_local(|| {
        let nowhere = OpenOptions::new().write(true).open(NOWHERE).unwrap();
        dump(
            name,
            options,
            &mut BufWriter::with_capacity(winetl_cli::OUTPUT_BUFFER, nowhere),
        );
    });
}

/// A file that forgets what is written to it.
const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// JSON Lines with all fields of headers and payloads.
#[divan::bench(args = TRACES, sample_count = 10)]
fn jsonl(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, &["--order", "file", "--format", "jsonl"]);
}

/// The same without the fields of headers.
#[divan::bench(args = TRACES, sample_count = 10)]
fn jsonl_no_header(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, &["--order", "file", "--format", "jsonl", "--no-header"]);
}

/// The same in order by time, the default.
#[divan::bench(args = TRACES, sample_count = 10)]
fn jsonl_no_header_by_time(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, &["--order", "time", "--format", "jsonl", "--no-header"]);
}

/// A readable line for each event.
#[divan::bench(args = TRACES, sample_count = 10)]
fn text(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, &["--order", "file", "--format", "text"]);
}
