//! The options of `winetl dump` that choose events, against the lines of a whole dump that a slow reference chooses.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

mod json;
mod messages;
mod reference;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use json::Json;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reference::{OPTIONS, Pool, Wanted, is_chosen};
use winetl_tests::{samples, shared};

/// What a command writes.
struct Output {
    status: u8,
    stdout: String,
    stderr: String,
}

fn run(args: &[&str], stdin: &[u8]) -> Output {
    let args = ["winetl"].iter().chain(args).map(OsString::from);
    let (mut stdout, mut stderr) = (vec![], vec![]);
    let status = winetl_cli::run(args, &mut Cursor::new(stdin), &mut stdout, &mut stderr);
    Output {
        status,
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

fn dump(args: &[&str], path: &Path) -> Output {
    let mut all = vec!["dump", "--format", "jsonl", "--process-names"];
    all.extend(args);
    all.push(path.to_str().unwrap());
    run(&all, &[])
}

/// A trace with all that is printed of it.
struct Trace {
    path: PathBuf,
    lines: Vec<String>,
    events: Vec<Json>,
}

impl Trace {
    /// `None` if there is no event in it.
    fn read(path: PathBuf) -> Option<Self> {
        let lines: Vec<String> = dump(&[], &path).stdout.lines().map(str::to_owned).collect();
        let events: Vec<Json> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        (!events.is_empty()).then_some(Self { path, lines, events })
    }

    /// Compares what the options choose with what they should, and gives how many events that are.
    #[track_caller]
    fn check(&self, wanted: &[Wanted], skip: usize, limit: Option<usize>) -> usize {
        let mut args = Vec::new();
        for one in wanted {
            args.extend([one.option, one.value.as_str()]);
        }
        let (skip_text, limit_text) = (skip.to_string(), limit.unwrap_or(0).to_string());
        if skip > 0 {
            args.extend(["--skip", &skip_text]);
        }
        if limit.is_some() {
            args.extend(["--limit", &limit_text]);
        }
        let chosen = self.lines.iter().zip(&self.events);
        let chosen = chosen
            .filter(|(_, event)| is_chosen(wanted, event))
            .map(|(line, _)| line.as_str());
        let expected: Vec<&str> = chosen.skip(skip).take(limit.unwrap_or(usize::MAX)).collect();
        let found = dump(&args, &self.path);
        assert_ne!(found.status, 2, "{}", found.stderr);
        let found: Vec<&str> = found.stdout.lines().collect();
        let wrong = found.iter().zip(&expected).position(|(found, expected)| found != expected);
        let place = wrong.unwrap_or(found.len().min(expected.len()));
        assert!(
            found == expected,
            "{}: {args:?}: {} events instead of {}; event {place} is\n{:?}\ninstead of\n{:?}",
            self.path.display(),
            found.len(),
            expected.len(),
            found.get(place),
            expected.get(place)
        );
        args.push("--count");
        let counted = dump(&args, &self.path).stdout;
        assert_eq!(counted, format!("{}\n", expected.len()), "{args:?}");
        expected.len()
    }
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(format!("{name}.etl"))
}

fn committed() -> Vec<Trace> {
    samples::all().filter_map(|one| Trace::read(sample(one.name))).collect()
}

/// Real traces that carry schemas of each kind, names of processes, compressed buffers, WPP messages.
const REAL: &[&str] = &[
    "win10-22h2-gcevents",
    "win11-22h2-compressed-rpc-arrays",
    "win11-22h2-newfile-powershell",
    "win7-sp1-http-server",
    "win10-21h2-wpp-defender-circular",
    "win7-rtm-32bit-process-data-64-v2",
    "win10-1903-amsi",
];

fn real() -> Vec<Trace> {
    let Some(folder) = shared::folder() else { return vec![] };
    let path = |name| folder.join("samples").join(format!("{name}.etl"));
    REAL.iter().map(|name| Trace::read(path(name)).unwrap()).collect()
}

/// Checks each option alone, and gives for each how often it chose some, but not all, events.
fn each_option(traces: &[Trace], tries: u64) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for (number, trace) in traces.iter().enumerate() {
        for option in OPTIONS {
            for turn in 0..tries {
                let events = &trace.events;
                let seed = number as u64 * 1000 + turn;
                let Some(wanted) = (Pool { events, seed }).wanted(option) else {
                    continue;
                };
                let chosen = trace.check(&[wanted], 0, None);
                *counts.entry(option).or_default() += usize::from(chosen > 0 && chosen < events.len());
            }
        }
    }
    counts
}

#[test]
fn each_option_over_the_samples() {
    let counts = each_option(&committed(), 3);
    for option in OPTIONS {
        let count = counts.get(option).copied().unwrap_or(0);
        assert!(count >= 5, "{option} chose a part of a trace only {count} times: {counts:?}");
    }
}

#[test]
fn each_option_over_real_traces() {
    let traces = real();
    let counts = each_option(&traces, 3);
    assert!(traces.is_empty() || counts.values().sum::<usize>() > 50, "{counts:?}");
}

/// Options together, at random, some of them repeated.
fn together(traces: &[Trace], cases: u32) {
    let options = prop::collection::vec((0..OPTIONS.len(), any::<u32>()), 1..5);
    let take = (0..4usize, prop::option::of(0..6usize));
    let strategy = (0..traces.len(), options, take, prop::bool::ANY);
    let mut runner = TestRunner::new_with_rng(
        Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        },
        prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
    );
    let chosen = std::cell::Cell::new(0);
    runner
        .run(&strategy, |(trace, options, (skip, limit), takes)| {
            let trace = &traces[trace];
            let wanted = options.iter().filter_map(|(option, seed)| {
                let mut pool = Pool {
                    events: &trace.events,
                    seed: u64::from(*seed),
                };
                pool.wanted(OPTIONS[*option])
            });
            // These two can be given only once.
            let mut once = vec!["--from", "--to"];
            let wanted: Vec<Wanted> = wanted
                .filter(|one| {
                    let is_once = matches!(one.option, "--from" | "--to");
                    let left = once.iter().position(|option| *option == one.option).map(|at| once.remove(at));
                    !is_once || left.is_some()
                })
                .collect();
            let (skip, limit) = if takes { (skip, limit) } else { (0, None) };
            let count = trace.check(&wanted, skip, limit);
            chosen.set(chosen.get() + usize::from(count > 0));
            Ok(())
        })
        .unwrap();
    assert!(chosen.get() > cases as usize / 20, "only {} choices had events", chosen.get());
}

#[test]
fn options_together_over_the_samples() {
    together(&committed(), 1500);
}

#[test]
fn options_together_over_real_traces() {
    let traces = real();
    if !traces.is_empty() {
        together(&traces, 150);
    }
}

#[test]
fn order_does_not_matter_for_the_choice() {
    for name in ["hello", "order-three-processors"] {
        let choice = ["--from", "+1us", "--where", "cpu >= 0"];
        let lines = |order| {
            let args = [&choice[..], &["--order", order]].concat();
            let mut lines: Vec<String> = dump(&args, &sample(name)).stdout.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines("time"), lines("file"), "{name}");
        assert!(!lines("time").is_empty(), "{name}");
    }
}

#[test]
fn times_after_the_first_event() {
    let trace = Trace::read(sample("hello")).unwrap();
    let times: Vec<&str> = trace.events.iter().map(|event| event.get("time").str().unwrap()).collect();
    assert_eq!(times[0], "2024-05-14T09:30:00.0000000Z");
    for (args, from, to) in [
        (&["--from", "+18ms"][..], "2024-05-14T09:30:00.0180000Z", "9"),
        (&["--to", "+18ms"], "", "2024-05-14T09:30:00.0180000Z"),
        (
            &["--from", "+0.0121s", "--to", "2024-05-14T11:30:01+02:00"],
            "2024-05-14T09:30:00.0121000Z",
            "2024-05-14T09:30:01.0",
        ),
        (&["--from", "+1m"], "9", "9"),
    ] {
        let expected: Vec<&String> = trace
            .lines
            .iter()
            .zip(&times)
            .filter(|(_, time)| **time >= from && **time <= to)
            .map(|(line, _)| line)
            .collect();
        let found = dump(args, &trace.path).stdout;
        assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{args:?}");
    }
    // A clock that nothing is known of: no event is after another, in UTC.
    let unknown = dump(&["--from", "+0s"], &sample("clock-unknown"));
    assert_eq!((unknown.status, unknown.stdout.as_str()), (0, ""), "{}", unknown.stderr);
}

#[test]
fn hook_ids_choose_kernel_events() {
    let trace = Trace::read(sample("hello")).unwrap();
    for (hook_id, name) in [
        ("0x0f2e", "PerfInfo/SampleProf"),
        ("0X301", "Process/Start"),
        ("0x0524", "Thread/CSwitch"),
    ] {
        let named = dump(&["--event", name], &trace.path).stdout;
        assert!(!named.is_empty(), "{name}");
        assert_eq!(dump(&["--event", hook_id], &trace.path).stdout, named, "{name}");
    }
    let both = dump(&["--event", "0x0f2e", "--event", "process/start", "--count"], &trace.path).stdout;
    assert_eq!(both, "2\n");
}

#[test]
fn several_files_are_counted_together() {
    let (hello, order) = (sample("hello"), sample("order-three-processors"));
    let (hello, order) = (hello.to_str().unwrap(), order.to_str().unwrap());
    let counted = run(&["dump", "--count", hello, order], &[]).stdout;
    let expected = |path: &str| dump(&[], Path::new(path)).stdout.lines().count();
    assert_eq!(counted, format!("{}\n", expected(hello) + expected(order)));
}

#[test]
fn stats_count_the_same_events() {
    for args in [
        &["--event", "Process/*"][..],
        &["--process", "notes.exe", "--level", "info"],
        &["--where", "ProcessId = 4120"],
    ] {
        let hello = sample("hello");
        let chosen: usize = dump(args, &hello).stdout.lines().count();
        assert!(chosen > 0, "{args:?}");
        let all = [&["stats", "--format", "json"][..], args, &[hello.to_str().unwrap()]].concat();
        let stats: serde_json::Value = serde_json::from_str(&run(&all, &[]).stdout).unwrap();
        assert_eq!(stats["total"]["events"], chosen, "{args:?}");
    }
}
