//! The formats of `winetl dump` against each other, read back with the readers that others use.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod csv;
mod hostile;
mod same;
mod tree;
mod xml;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use winetl_tests::samples;

/// What a command line prints.
fn run(args: &[&str]) -> String {
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let mut stdout = Vec::new();
    winetl_cli::run(args, &mut std::io::empty(), &mut stdout, &mut Vec::new());
    String::from_utf8(stdout).unwrap()
}

fn dump(format: &str, path: &str) -> String {
    run(&["dump", "--format", format, path])
}

/// The events as the contract of `JSON.md` has them.
fn events(path: &str) -> Vec<Json> {
    lines(&dump("jsonl", path))
}

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Paths of all samples.
fn samples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let path = |name: String| -> PathBuf { folder.join(name) };
    samples::all()
        .map(|sample| path(sample.file_name()).to_str().unwrap().to_owned())
        .collect()
}

/// A value as the formats without types have it.
fn plain(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
