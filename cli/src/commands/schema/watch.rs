//! `winetl schema watch`: events of a trace, read anew each time a file of the schema is saved.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use winetl::state::SessionState;
use winetl::{EventRoles, Order};

use crate::args::SchemaWatch;
use crate::commands::{Streams, display_name};
use crate::input::{InputOptions, Inputs};
use crate::interpret::load_interpreter;
use crate::render::Identity;
use crate::render::paint::Role;
use crate::render::plain::safe;
use crate::render::resolved::Extras;
use crate::render::sink::write_event;
use crate::render::table::counted;
use crate::render::text::TextLines;

/// Between two looks at the files.
const PAUSE: Duration = Duration::from_millis(200);

/// How deep folders are looked into: schemas have one level, and links could lead in circles.
const DEPTH: usize = 8;

/// The files of a schema with what changes when one is saved.
type Stamps = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// What was seen of the files so far.
#[derive(Debug, Default)]
struct Watcher {
    shown: Option<Stamps>,
    last: Stamps,
}

impl Watcher {
    /// Looks at the files as they are now. Gives the names of those that were saved, added or removed since the last time, once
    /// they have stayed the same for two looks, since an editor may write a file in parts. The first look is always one to act on,
    /// with no names.
    fn step(&mut self, now: Stamps) -> Option<Vec<PathBuf>> {
        let settled = self.shown.is_none() || now == self.last;
        self.last.clone_from(&now);
        if !settled || self.shown.as_ref() == Some(&now) {
            return None;
        }
        let changed = match self.shown.replace(now) {
            None => Vec::new(),
            Some(before) => {
                let gone = before.keys().filter(|path| !self.last.contains_key(*path));
                let saved = self.last.iter().filter(|(path, stamp)| before.get(*path) != Some(stamp));
                saved.map(|(path, _)| path).chain(gone).cloned().collect()
            }
        };
        Some(changed)
    }
}

/// Watches until the output goes away.
pub(super) fn run(args: &SchemaWatch, streams: &mut Streams<'_>) -> io::Result<()> {
    if args.file == Path::new(crate::input::STDIN) {
        let text = "can be read only once; write it to a file, and name that";
        streams.messages.unusable(&display_name(&args.file), text);
        return Ok(());
    }
    watch(args, streams, || {
        thread::sleep(PAUSE);
        true
    })
}

/// Shows events at each change, as long as `pause` says to go on.
fn watch(args: &SchemaWatch, streams: &mut Streams<'_>, mut pause: impl FnMut() -> bool) -> io::Result<()> {
    let mut watcher = Watcher::default();
    let mut folders = folders(&args.folder);
    loop {
        let mut stamps = Stamps::new();
        for folder in &folders {
            collect(folder, DEPTH, &mut stamps);
        }
        if let Some(changed) = watcher.step(stamps) {
            show(args, &changed, streams)?;
            folders = self::folders(&args.folder);
        }
        if !pause() {
            return Ok(());
        }
    }
}

/// The folder of the schema and those of its bases.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders = super::read(folder).map(|sources| sources.folders).unwrap_or_default();
    // With a base that cannot be read, its change is seen once the overlay itself is mended.
    if !folders.iter().any(|known| known == folder) {
        folders.push(folder.to_owned());
    }
    folders
}

/// The YAML files of a folder. One that cannot be read has none: reading the schema says why.
fn collect(folder: &Path, depth: usize, stamps: &mut Stamps) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Ok(metadata) = fs::metadata(&path) else { continue };
        if metadata.is_dir() {
            collect(&path, depth, stamps);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            stamps.insert(path, (metadata.modified().ok(), metadata.len()));
        }
    }
}

/// Reads the schema and prints the events, or what is wrong.
fn show(args: &SchemaWatch, changed: &[PathBuf], streams: &mut Streams<'_>) -> io::Result<()> {
    let name = display_name(&args.file);
    let names: Vec<String> = changed
        .iter()
        .map(|path| safe(&path.display().to_string()).to_string())
        .collect();
    let reason = if names.is_empty() {
        String::new()
    } else {
        format!(", after a change of {}", names.join(", "))
    };
    let (on, off) = (streams.paint.on(Role::Name), streams.paint.off(Role::Name));
    writeln!(streams.out, "{on}==> {}{reason} <=={off}", safe(&name))?;
    // What is wrong comes below its heading, also where both streams are one terminal.
    streams.out.flush()?;
    match load_interpreter(&args.folder, streams.messages.is_coloured()) {
        Ok(interpreter) => streams.interpreter = Some(interpreter),
        Err(text) => {
            streams.messages.block(&text);
            return Ok(());
        }
    }
    streams.inputs = Inputs::expand(&[&args.file], InputOptions::default());
    let Some(named) = streams.only_trace(&args.file) else {
        return Ok(());
    };
    let (mut events, mut schemas) = named.input.trace.events_and_schemas(Order::Time);
    let state = SessionState::default();
    let extras = Extras::none(&state);
    let mut lines = TextLines::new(streams.paint);
    let mut shown = 0;
    while shown < args.limit {
        let Some(event) = events.next() else { break };
        let wanted = args.events.is_empty() || {
            let payload = schemas.decode(&event);
            let name = Identity::of(&event, &payload).name;
            let hook_id = event.header().hook_id();
            args.events.iter().any(|wanted| {
                let named = name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
                named || hook_id.is_some() && hook_id == number(wanted)
            })
        };
        if wanted {
            write_event(&mut lines, None, &event, &mut schemas, extras, streams.out)?;
            shown += 1;
        }
    }
    if shown == 0 && args.limit > 0 {
        writeln!(streams.out, "no such event in the trace")?;
    } else {
        writeln!(streams.out, "{}", counted(shown as u64, "event"))?;
    }
    streams.out.flush()
}

/// A number as dumps print hook ids, `0x0f2e`.
fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;
    use crate::messages::{Messages, Verbosity};
    use crate::render::paint::Paint;

    fn stamps(files: &[(&str, u64)]) -> Stamps {
        let stamp = |(name, len): &(&str, u64)| (PathBuf::from(name), (Some(SystemTime::UNIX_EPOCH), *len));
        files.iter().map(stamp).collect()
    }

    fn paths(names: &[&str]) -> Option<Vec<PathBuf>> {
        Some(names.iter().map(PathBuf::from).collect())
    }

    #[test]
    fn acts_once_a_change_has_settled() {
        let mut watcher = Watcher::default();
        assert_eq!(watcher.step(stamps(&[("a", 1), ("b", 1)])), paths(&[]));
        assert_eq!(watcher.step(stamps(&[("a", 1), ("b", 1)])), None);
        // An editor that empties the file first.
        assert_eq!(watcher.step(stamps(&[("a", 0), ("b", 1)])), None);
        assert_eq!(watcher.step(stamps(&[("a", 2), ("b", 1)])), None);
        assert_eq!(watcher.step(stamps(&[("a", 2), ("b", 1)])), paths(&["a"]));
        assert_eq!(watcher.step(stamps(&[("a", 2), ("b", 1)])), None);
        // One more and one less.
        assert_eq!(watcher.step(stamps(&[("a", 2), ("c", 1)])), None);
        assert_eq!(watcher.step(stamps(&[("a", 2), ("c", 1)])), paths(&["c", "b"]));
        // Back to what was shown before it settled: nothing to do.
        assert_eq!(watcher.step(stamps(&[("a", 3), ("c", 1)])), None);
        assert_eq!(watcher.step(stamps(&[("a", 2), ("c", 1)])), None);
        assert_eq!(watcher.step(stamps(&[("a", 2), ("c", 1)])), None);
    }

    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let target = to.join(path.file_name().unwrap());
            if path.is_dir() {
                copy(&path, &target);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                fs::copy(&path, &target).unwrap();
            }
        }
    }

    fn args(folder: &Path, events: &[&str]) -> SchemaWatch {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        SchemaWatch {
            file: root.join("tests/samples/hello.etl"),
            folder: folder.to_owned(),
            events: events.iter().map(|name| (*name).to_owned()).collect(),
            limit: 2,
        }
    }

    /// What is written to both streams, with the steps of `pause`.
    fn watched(args: &SchemaWatch, out: &mut dyn Write, pause: impl FnMut() -> bool) -> (io::Result<()>, String) {
        let mut errors = Vec::new();
        let mut streams = Streams {
            inputs: Inputs::default(),
            stdin: &mut Cursor::new([]),
            out,
            messages: Messages::new(&mut errors, Paint::new(false), Verbosity::Normal),
            paint: Paint::new(false),
            interpreter: None,
            progress: false,
        };
        let result = watch(args, &mut streams, pause);
        (result, String::from_utf8(errors).unwrap())
    }

    #[test]
    fn goes_on_after_errors() {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        copy(&root.join("schema"), folder.path());
        let file = folder.path().join("logfile.yaml");
        let good = fs::read_to_string(&file).unwrap();
        let renamed = good
            .replace("name: BufferSize,", "name: SizeOfBuffers,")
            .replace("name: BufferSize\n", "name: SizeOfBuffers\n");
        let renamed = renamed.replace("BufferSize:", "SizeOfBuffers:");
        assert_ne!(good, renamed);
        // A step for each pause: nothing, an error, its second look, the repair under another name, its second look.
        let mut step = 0;
        let mut out = Vec::new();
        let (result, errors) = watched(&args(folder.path(), &["eventtrace/header"]), &mut out, || {
            step += 1;
            match step {
                2 => fs::write(&file, "title: [\n").unwrap(),
                4 => fs::write(&file, &renamed).unwrap(),
                _ => {}
            }
            step < 6
        });
        result.unwrap();
        let out = String::from_utf8(out).unwrap();
        let parts: Vec<&str> = out.split("==> ").skip(1).collect();
        assert_eq!(parts.len(), 3, "{out}\n{errors}");
        assert!(
            parts[0].contains(" BufferSize=") && parts[0].contains("EventTrace/Header"),
            "{out}"
        );
        assert!(parts[1].contains("logfile.yaml") && parts[1].lines().count() == 1, "{out}");
        assert!(
            parts[2].contains(" SizeOfBuffers=") && !parts[2].contains(" BufferSize="),
            "{out}"
        );
        assert_eq!(errors.matches("error[").count(), 1, "{errors}");
    }

    #[test]
    fn chooses_events() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (events, expected) in [
            (&[][..], "2 events\n"),
            (&["0x0000"], "1 event\n"),
            (&["Nobody/Nothing"], "no such event in the trace\n"),
        ] {
            let mut out = Vec::new();
            let (result, errors) = watched(&args(&root.join("schema"), events), &mut out, || false);
            result.unwrap();
            let out = String::from_utf8(out).unwrap();
            assert!(out.ends_with(expected) && errors.is_empty(), "{out}{errors}");
        }
    }

    /// A reader that went away.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn ends_with_its_reader() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (result, _) = watched(&args(&root.join("schema"), &[]), &mut Closed, || panic!("goes on"));
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
