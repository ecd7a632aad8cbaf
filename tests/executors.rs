//! The generated parsers and the interpreter of the same schema must read the same: every field of every structure, from samples,
//! real traces and random bytes. The fuzz target `executors` makes the same comparison of any bytes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod common;
#[path = "common/executors.rs"]
mod same;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use same::{contexts, same_payloads, same_structures, same_trace};
use winetl_cli::interpret::SchemaInterpreter;
use winetl_tests::shared;

fn interpreter() -> &'static SchemaInterpreter {
    same::interpreter("..")
}

fn same_file(path: &Path) {
    same_trace(&path.display().to_string(), &read_file(path), interpreter());
}

/// The bytes of a trace, decompressed if it is one of those that are kept as gzip.
fn read_file(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return bytes;
    }
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(bytes.as_slice()), &mut plain).unwrap();
    plain
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "etl" || extension == "etlgz")
        })
        .collect();
    files.sort();
    files
}

#[test]
fn samples_read_the_same() {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("samples"));
    assert!(files.len() >= 150, "{} samples", files.len());
    files.iter().for_each(|path| same_file(path));
}

#[test]
fn real_traces_read_the_same() {
    let Some(shared) = shared::folder() else { return };
    let files = files(&shared.join("samples"));
    assert!(files.len() >= 38, "{} traces", files.len());
    let half = files.len() / 2;
    thread::scope(|scope| {
        // The largest are the last by name in both halves.
        for part in [files.get(..half), files.get(half..)] {
            scope.spawn(move || part.unwrap().iter().for_each(|path| same_file(path)));
        }
    });
}

/// A small generator of numbers, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Bytes of which many are small: counts and sizes that fit are then not rare.
    fn bytes(&mut self) -> Vec<u8> {
        let count = self.next() % 400;
        (0..count)
            .map(|_| match self.next() % 4 {
                0 => 0,
                1 => (self.next() % 8) as u8,
                _ => self.next() as u8,
            })
            .collect()
    }
}

#[test]
fn structures_of_random_bytes_are_the_same() {
    let mut random = Random(0x5EED_0001);
    let mut sound = 0;
    for context in contexts() {
        for _ in 0..60 {
            sound += same_structures(context, interpreter(), || random.bytes());
        }
    }
    // The comparison means something only if much of it is about values.
    assert!(sound > 1000, "only {sound} structures could be read");
}

#[test]
fn payloads_of_random_bytes_are_the_same() {
    let mut random = Random(0x5EED_0002);
    let (mut of_classes, mut of_providers) = (0, 0);
    for context in contexts().filter(|context| context.log_version == 0x0105) {
        for _ in 0..12 {
            let found = same_payloads(context, interpreter(), || random.bytes());
            of_classes += found.0;
            of_providers += found.1;
        }
    }
    assert!(of_classes > 1000, "only {of_classes} payloads could be read to their end");
    assert!(of_providers > 100, "only {of_providers} payloads of providers");
}

/// What the fuzz target does with one input; here with the first bytes of each sample, as though they were structures and payloads.
#[test]
fn the_fuzz_target_runs_over_the_samples() {
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")) {
        let bytes = read_file(&path);
        same::same_input(&bytes[..bytes.len().min(512)], interpreter());
    }
}
