//! Speed of whole dumps of real traces, which lie outside the repository: set `WINETL_SHARED`, or have them at `../shared`.
//!
//! Without them the benches dump a committed sample, which is too small to say much.

use std::ffi::OsString;
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

/// Counts lines and forgets them.
struct Lines(usize);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.iter().filter(|byte| **byte == b'\n').count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn dump(name: &str, options: &[&str]) -> usize {
    let mut args: Vec<OsString> = ["winetl", "dump", "--order", "file"]
        .iter()
        .chain(options)
        .map(OsString::from)
        .collect();
    args.push(path(name).into());
    let mut lines = Lines(0);
    winetl_cli::run(args, &mut std::io::empty(), &mut lines, &mut std::io::sink());
    lines.0
}

fn bench(bencher: Bencher<'_, '_>, name: &str, options: &[&str]) {
    let events = dump(name, options);
    bencher.counter(ItemsCount::new(events)).bench_local(|| dump(name, options));
}

/// JSON Lines with all fields of headers and payloads.
#[divan::bench(args = TRACES, sample_count = 10)]
fn jsonl(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, &["--format", "jsonl"]);
}

/// The same without the fields of headers.
#[divan::bench(args = TRACES, sample_count = 10)]
fn jsonl_no_header(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, &["--format", "jsonl", "--no-header"]);
}

/// A readable line for each event.
#[divan::bench(args = TRACES, sample_count = 10)]
fn text(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, &["--format", "text"]);
}
