//! The parts of a dump, over samples.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Parser as _;

use super::write::Window;
use super::*;
use crate::args::{Cli, Command};
use crate::messages::{Messages, Verbosity};
use crate::render::paint::Paint;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/samples/");

fn samples() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(SAMPLES)
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .filter(|name| name.ends_with(".etl"))
        .collect();
    names.sort();
    names
}

fn args(args: &[&str]) -> Dump {
    let cli = Cli::try_parse_from(["winetl", "dump"].iter().chain(args)).unwrap();
    match cli.command {
        Command::Dump(args) => args,
        other => panic!("{other:?}"),
    }
}

/// Output, messages and exit status.
fn dumped(args: &Dump, window: Window) -> (String, String, u8) {
    let (mut stdin, mut out, mut errors) = (io::empty(), Vec::new(), Vec::new());
    let mut streams = Streams {
        stdin: &mut stdin,
        inputs: args.files.inputs(),
        out: &mut out,
        messages: Messages::new(&mut errors, Paint::new(false), Verbosity::Normal),
        paint: Paint::new(false),
        interpreter: None,
        progress: false,
    };
    dump(args, window, &mut streams).unwrap();
    let status = streams.messages.status();
    (String::from_utf8(out).unwrap(), String::from_utf8(errors).unwrap(), status)
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let samples = samples();
    let all: Vec<&str> = samples.iter().map(String::as_str).collect();
    let mut runs: Vec<Vec<&str>> = all.iter().map(|name| vec!["--format", "jsonl", name]).collect();
    for form in [["--format", "jsonl"], ["--format", "text"], ["--order", "file"]] {
        runs.push(form.iter().chain(&all).copied().collect());
    }
    runs.push(["--resolve", "--process-names"].iter().chain(&all).copied().collect());
    for choice in [
        ["--provider", "MSNT_SystemTrace"],
        ["--pid", "4,4120"],
        ["--id", "1-20"],
        ["--where", "ProcessId > 4"],
    ] {
        runs.push(choice.iter().chain(&all).copied().collect());
        runs.extend(all.iter().map(|name| [choice.as_slice(), &[*name]].concat()));
    }
    for run in runs {
        let mut args = args(&run);
        args.jobs = NonZeroUsize::new(1);
        let windows = [
            Window::default(),
            Window {
                skip: 3,
                limit: Some(300),
                count: false,
            },
        ];
        for window in windows {
            let one = dumped(&args, window);
            for jobs in [2, 3, 7] {
                args.jobs = NonZeroUsize::new(jobs);
                assert_eq!(one, dumped(&args, window), "{jobs} threads, {window:?}: {run:?}");
            }
            args.jobs = NonZeroUsize::new(1);
        }
    }
}

#[test]
fn a_window_is_part_of_the_output() {
    let samples = samples();
    let names = samples.iter().map(String::as_str).filter(|name| !name.contains("damage"));
    let run: Vec<&str> = ["--format", "jsonl"].into_iter().chain(names).collect();
    let args = args(&run);
    let (all, ..) = dumped(&args, Window::default());
    let lines: Vec<&str> = all.lines().collect();
    assert!(lines.len() > 600, "{}", lines.len());
    for (skip, limit) in [
        (0, Some(0)),
        (0, Some(1)),
        (127, Some(2)),
        (128, Some(128)),
        (10, None),
        (1 << 40, Some(5)),
    ] {
        let window = Window {
            skip,
            limit,
            count: false,
        };
        let start = usize::try_from(skip).unwrap().min(lines.len());
        let end = limit.map_or(lines.len(), |limit| lines.len().min(start + limit as usize));
        let (part, ..) = dumped(&args, window);
        assert_eq!(part.lines().collect::<Vec<_>>(), lines[start..end], "{window:?}");
        let (count, ..) = dumped(&args, Window { count: true, ..window });
        assert_eq!(count, format!("{}\n", end - start), "{window:?}");
    }
}

/// Takes a few writes, then fails as a pipe does whose reader went away.
struct Closing(usize);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_broken_pipe_ends_all_threads() {
    let samples = samples();
    for jobs in ["1", "4"] {
        let run: Vec<&str> = ["--jobs", jobs]
            .into_iter()
            .chain(samples.iter().map(String::as_str))
            .collect();
        let chosen = args(&run);
        let (mut stdin, mut out, mut errors) = (io::empty(), Closing(1), Vec::new());
        let mut streams = Streams {
            stdin: &mut stdin,
            inputs: chosen.files.inputs(),
            out: &mut out,
            messages: Messages::new(&mut errors, Paint::new(false), Verbosity::Normal),
            paint: Paint::new(false),
            interpreter: None,
            progress: false,
        };
        let result = dump(&chosen, Window::default(), &mut streams);
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe, "{jobs} threads");
    }
}

#[test]
fn files_that_begin_together_are_closed_until_they_are_due() {
    // More copies than are open at once: each gives its first events, and is opened again for the others.
    let folder = tempfile::tempdir().unwrap();
    let hello = std::fs::read(PathBuf::from(SAMPLES).join("hello.etl")).unwrap();
    let names: Vec<String> = (0..100)
        .map(|number| {
            let name = folder.path().join(format!("hello-{number}.etl"));
            std::fs::write(&name, &hello).unwrap();
            name.to_str().unwrap().to_owned()
        })
        .collect();
    let run: Vec<&str> = ["--format", "jsonl"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let (merged, errors, status) = dumped(&args(&run), Window::default());
    assert_eq!((errors.as_str(), status), ("", 0));
    let events: Vec<serde_json::Value> = merged.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), 1900);
    let key = |event: &serde_json::Value| {
        let file = event["file"].as_str().unwrap();
        (
            event["time"].as_str().unwrap().to_owned(),
            names.iter().position(|name| name == file).unwrap(),
        )
    };
    assert!(events.is_sorted_by_key(key), "not in order of time, then of the command line");
    // The second, third and so on time that a file was opened gave no event twice.
    let mut places: Vec<String> = events
        .iter()
        .map(|event| format!("{} {}", event["file"], event["n"]))
        .collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 1900);
}
