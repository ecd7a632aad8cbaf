//! What a change does to dumps: each trace is dumped with both schemas, line by line, up to the first difference.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde_json::Value;
use winetl::Order;
use winetl::state::SessionState;
use winetl_codegen::diff::traces::{Effect, LineDifference, Side, effects};

use crate::input::{self, io_text};
use crate::interpret::SchemaInterpreter;
use crate::render::jsonl::JsonLines;
use crate::render::resolved::Extras;
use crate::render::sink::write_event;

/// Lines of a dump that wait to be compared.
const WAITING: usize = 64;

/// Endings of traces in a folder, in small letters.
const ENDINGS: [&str; 3] = [".etl", ".etl.gz", ".etlgz"];

/// A key whose values differ; nested ones have dots between their names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) key: String,
    /// The value as JSON; `None` if that line has no such key.
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

/// What happens to the dump of a trace.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Same,
    /// From this line on; the event number, and what differs in it. No keys if only one dump has the event.
    Differs {
        n: Option<u64>,
        only: Option<Side>,
        keys: Vec<Key>,
    },
    /// It cannot be read with one of the schemas.
    Unreadable(Side, String),
}

/// A trace with its outcome.
#[derive(Debug)]
pub(super) struct TraceEffect {
    pub(super) trace: String,
    pub(super) outcome: Outcome,
}

/// The traces that paths name: files themselves, and all traces below folders, in order of their names.
///
/// # Errors
/// The path and what is wrong with it.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, (PathBuf, String)> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let before = all.len();
        let mut open = vec![path.clone()];
        while let Some(folder) = open.pop() {
            let failed = |error: io::Error| (folder.clone(), format!("cannot read the folder: {}", io_text(&error)));
            for entry in std::fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                // A link to a folder could lead back here, so links are followed to files only.
                if entry.file_type().map_err(failed)?.is_dir() {
                    open.push(entry.path());
                } else if is_trace(&entry.path()) && entry.path().is_file() {
                    all.push(entry.path());
                }
            }
        }
        match all.get_mut(before..) {
            Some(found) if !found.is_empty() => found.sort(),
            _ => {
                return Err((
                    path.clone(),
                    "no .etl file in the folder or below it; name another".to_owned(),
                ));
            }
        }
    }
    Ok(all)
}

fn is_trace(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Dumps all traces with both schemas.
pub(super) fn compare(traces: &[PathBuf], old: &'static SchemaInterpreter, new: &'static SchemaInterpreter) -> Vec<TraceEffect> {
    let dump = |path: &Path, side: Side| {
        let interpreter = match side {
            Side::Old => old,
            Side::New => new,
        };
        Ok(lines(path.to_owned(), interpreter).into_iter())
    };
    effects(traces, dump)
        .into_iter()
        .map(|(path, effect)| TraceEffect {
            trace: path.display().to_string(),
            outcome: outcome(effect),
        })
        .collect()
}

/// The lines of a dump, made by a thread of their own as they are taken. It ends when nobody takes more.
fn lines(path: PathBuf, interpreter: &'static SchemaInterpreter) -> Receiver<Result<String, String>> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || {
        if let Err(problem) = dump(&path, interpreter, &sender) {
            // Where nobody listens any more, nobody wants to know.
            let _ = sender.send(Err(problem));
        }
    });
    receiver
}

fn dump(path: &Path, interpreter: &'static SchemaInterpreter, sender: &SyncSender<Result<String, String>>) -> Result<(), String> {
    let input = input::open(path, None, Some(interpreter))?;
    let (mut events, mut schemas) = input.trace.events_and_schemas(Order::Time);
    let state = SessionState::default();
    let extras = Extras::none(&state);
    let mut lines = JsonLines::new(true);
    let mut line = Vec::new();
    while let Some(event) = events.next() {
        line.clear();
        write_event(&mut lines, None, &event, &mut schemas, extras, &mut line).map_err(|error| io_text(&error))?;
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if sender.send(Ok(text)).is_err() {
            break;
        }
    }
    Ok(())
}

fn outcome(effect: Effect<String>) -> Outcome {
    match effect {
        Effect::Same => Outcome::Same,
        Effect::Failed(side, problem) => Outcome::Unreadable(side, problem),
        Effect::Differs(LineDifference { before, after, .. }) => {
            let parse = |line: &Option<String>| line.as_deref().and_then(|line| serde_json::from_str::<Value>(line).ok());
            let (old, new) = (parse(&before), parse(&after));
            let n = old.as_ref().or(new.as_ref()).and_then(|line| line.get("n")?.as_u64());
            let only = match (&before, &after) {
                (Some(_), None) => Some(Side::Old),
                (None, Some(_)) => Some(Side::New),
                _ => None,
            };
            let mut keys = Vec::new();
            if only.is_none() {
                differing("", old.as_ref(), new.as_ref(), &mut keys);
            }
            Outcome::Differs { n, only, keys }
        }
    }
}

/// Adds the keys whose values differ, within objects those of the object. What JSON can be parsed is not nested deeply.
fn differing(name: &str, old: Option<&Value>, new: Option<&Value>, keys: &mut Vec<Key>) {
    if old == new {
        return;
    }
    if let (Some(Value::Object(old)), Some(Value::Object(new))) = (old, new) {
        let added = new.keys().filter(|key| !old.contains_key(*key));
        for key in old.keys().chain(added) {
            let name = if name.is_empty() {
                key.clone()
            } else {
                format!("{name}.{key}")
            };
            differing(&name, old.get(key), new.get(key), keys);
        }
        return;
    }
    keys.push(Key {
        key: name.to_owned(),
        before: old.map(Value::to_string),
        after: new.map(Value::to_string),
    });
}

impl TraceEffect {
    /// The effect in a word.
    pub(super) fn word(&self) -> &'static str {
        match self.outcome {
            Outcome::Same => "same",
            Outcome::Differs { .. } => "differs",
            Outcome::Unreadable(..) => "unreadable",
        }
    }

    /// From where it differs, or why it was passed over.
    pub(super) fn reason(&self) -> String {
        let side = |side: Side| if side == Side::Old { "old" } else { "new" };
        match &self.outcome {
            Outcome::Same => String::new(),
            Outcome::Unreadable(which, problem) => format!("with the {} schema: {problem}; passed over", side(*which)),
            Outcome::Differs { n, only, .. } => {
                let event = n.map_or_else(|| "an event".to_owned(), |n| format!("event {n}"));
                match only {
                    Some(which) => format!("{event} is there with the {} schema only", side(*which)),
                    None => format!("first in {event}"),
                }
            }
        }
    }

    /// The keys that differ in the first event that does.
    pub(super) fn keys(&self) -> &[Key] {
        match &self.outcome {
            Outcome::Differs { keys, .. } => keys,
            Outcome::Same | Outcome::Unreadable(..) => &[],
        }
    }
}

/// How many traces have each outcome, in words.
pub(super) fn summary(traces: &[TraceEffect]) -> String {
    let count = |word: &str| traces.iter().filter(|trace| trace.word() == word).count();
    format!(
        "dumps of traces: {} differ, {} the same, {} unreadable",
        count("differs"),
        count("same"),
        count("unreadable")
    )
}
