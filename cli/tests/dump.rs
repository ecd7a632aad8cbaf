//! Dumps of several files, and of files that grow.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

fn run(args: &[&str]) -> (u8, String, String) {
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = winetl_cli::run(args, &mut std::io::empty(), &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status, text(stdout), text(stderr))
}

fn sample(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/samples").join(name);
    assert!(path.is_file(), "{} is missing", path.display());
    path.to_str().unwrap().to_owned()
}

fn samples() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/samples");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let traces = files.filter(|path| path.extension().is_some_and(|extension| extension == "etl"));
    let mut names: Vec<String> = traces.map(|path| path.to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn merging_moves_no_event_within_its_file_and_loses_none() {
    let names = samples();
    let args: Vec<&str> = ["dump", "--format", "jsonl", "-q"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let (_, merged, _) = run(&args);
    let mut merged: Vec<(String, Value)> = merged
        .lines()
        .map(|line| {
            let mut event: Value = serde_json::from_str(line).unwrap();
            let file = event.as_object_mut().unwrap().remove("file").unwrap();
            (file.as_str().unwrap().to_owned(), event)
        })
        .collect();
    let mut files = 0;
    for name in &names {
        let (_, alone, _) = run(&["dump", "--format", "jsonl", "-q", name]);
        let (mine, others): (Vec<_>, Vec<_>) = merged.into_iter().partition(|(file, _)| file == name);
        merged = others;
        let places = |event: &Value| (event["n"].as_u64(), event["raw_time"].as_i64());
        let alone: Vec<_> = alone
            .lines()
            .map(|line| places(&serde_json::from_str(line).unwrap()))
            .collect();
        assert_eq!(
            mine.iter().map(|(_, event)| places(event)).collect::<Vec<_>>(),
            alone,
            "{name}"
        );
        files += usize::from(!alone.is_empty());
    }
    assert!(files > 20 && merged.is_empty(), "{files} files");
}

#[test]
fn text_says_which_file_each_line_is_of() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy-of-hello.etl");
    fs::copy(sample("hello.etl"), &copy).unwrap();
    let (hello, copy) = (sample("hello.etl"), copy.to_str().unwrap().to_owned());
    let (_, alone, _) = run(&["dump", &hello]);
    let (_, merged, _) = run(&["dump", &hello, &copy]);
    let expected: String = alone
        .lines()
        .flat_map(|line| [format!("hello.etl         {line}\n"), format!("copy-of-hello.etl {line}\n")])
        .collect();
    let (mut lines, mut expected): (Vec<&str>, Vec<&str>) = (merged.lines().collect(), expected.lines().collect());
    // Events of one moment come file by file.
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    // Two files of one name are told apart by their folders.
    let (_, twice, _) = run(&["dump", &hello, &hello]);
    assert!(twice.lines().all(|line| line.starts_with(&hello)), "{twice}");
    let (_, apart, _) = run(&["dump", "--order", "file", &hello, &copy]);
    let (_, in_file_order, _) = run(&["dump", "--order", "file", &hello]);
    assert_eq!(
        apart,
        format!("==> {hello} <==\n{in_file_order}==> {copy} <==\n{in_file_order}")
    );
}

#[test]
fn damage_is_told_once_by_any_number_of_threads() {
    let name = sample("damage-event-garbage.etl");
    for jobs in ["1", "4"] {
        let (status, _, errors) = run(&["dump", "--jobs", jobs, &name]);
        assert_eq!((status, errors.matches("at 0x8b0").count()), (3, 1), "{errors}");
        assert_eq!(errors.lines().count(), 3, "{errors}");
    }
    let (status, _, errors) = run(&["dump", "--quiet", &name]);
    assert_eq!((status, errors.lines().count()), (3, 1), "{errors}");
    assert!(
        errors.contains("could not be read; all other events were printed"),
        "{errors}"
    );
}

#[test]
fn an_output_file_is_replaced_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.txt");
    let out = target.to_str().unwrap();
    let contents = || fs::read_to_string(&target).unwrap();
    fs::write(&target, "before").unwrap();
    for bad in ["no-such-file.etl", &sample("damage-not-a-trace.etl")] {
        assert_eq!(run(&["dump", "-o", out, bad]).0, 1);
        assert_eq!(contents(), "before");
    }
    // What could be read of a damaged trace is all there is to have.
    let damaged = sample("damage-event-garbage.etl");
    assert_eq!(run(&["dump", "-o", out, &damaged]).0, 3);
    assert_eq!(contents(), run(&["dump", &damaged]).1);
    assert_eq!(run(&["info", "-o", out, &sample("hello.etl")]).0, 0);
    assert!(contents().contains("HelloSession"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was left behind");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let (status, _, errors) = run(&["dump", "-o", "/dev/full", &sample("hello.etl")]);
    assert_eq!(status, 1);
    assert!(errors.starts_with("winetl: /dev/full: cannot write: "), "{errors}");
    assert_eq!(run(&["dump", "-o", "/dev/null", &sample("hello.etl")]).0, 0);
}

/// Passes on what is written to it.
struct Sender(mpsc::Sender<Vec<u8>>);

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let sent = self.0.send(bytes.to_vec());
        sent.map(|()| bytes.len()).map_err(|_| std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Waits until so many lines came.
fn wait_for(receiver: &mpsc::Receiver<Vec<u8>>, text: &mut String, lines: usize) {
    while text.lines().count() < lines {
        let bytes = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
        text.push_str(std::str::from_utf8(&bytes).unwrap());
    }
}

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[test]
fn a_file_that_grows_is_followed_to_the_end_of_its_session() {
    // Its buffers, each with how many events it has.
    let name = sample("hello.etl");
    let rows = run(&["buffers", "--format", "jsonl", &name]).1;
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let offsets: Vec<usize> = rows.iter().map(|row| row["offset"].as_u64().unwrap() as usize).collect();
    let events: Vec<usize> = rows.iter().map(|row| row["events"].as_u64().unwrap() as usize).collect();
    assert!(offsets.len() >= 2);
    let whole = fs::read(&name).unwrap();
    // The time at which the session ended is written last.
    let info: Value = serde_json::from_str(&run(&["info", "--format", "json", &name]).1).unwrap();
    assert!(!info["end_time"].is_null(), "{info}");
    let mut unfinished = whole.clone();
    unfinished[END_TIME].fill(0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growing.etl");
    fs::write(&path, &unfinished[..offsets[1]]).unwrap();
    let (sender, receiver) = mpsc::channel();
    let args = ["winetl", "dump", "--follow", "--format", "jsonl", path.to_str().unwrap()].map(OsString::from);
    let reader = thread::spawn(move || {
        let mut errors = Vec::new();
        let status = winetl_cli::run(args, &mut std::io::empty(), &mut Sender(sender), &mut errors);
        (status, String::from_utf8(errors).unwrap())
    });
    let mut text = String::new();
    wait_for(&receiver, &mut text, events[0]);
    let mut expected = events[0];
    for (number, from) in offsets.iter().enumerate().skip(1) {
        let end = offsets.get(number + 1).copied().unwrap_or(whole.len());
        // Nothing is printed of half a buffer.
        let half = (from + end) / 2;
        append(&path, &unfinished[*from..half]);
        if let Ok(bytes) = receiver.recv_timeout(Duration::from_millis(600)) {
            panic!("{}", String::from_utf8_lossy(&bytes));
        }
        append(&path, &unfinished[half..end]);
        expected += events[number];
        wait_for(&receiver, &mut text, expected);
    }
    assert!(!reader.is_finished());
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(END_TIME.start as u64)).unwrap();
    file.write_all(&whole[END_TIME]).unwrap();
    let (status, errors) = reader.join().unwrap();
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(receiver.try_iter().all(|bytes| bytes.is_empty()));
    let in_file_order = run(&["dump", "--order", "file", "--format", "jsonl", &name]).1;
    // The header event was read while the end was not yet known.
    let behind = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(behind(&text), behind(&in_file_order));
}

/// Where the end of the session stands in a 64-bit logfile header, in bytes of the file: behind the headers of buffer (0x48) and
/// event (0x20), at 0x10 of the logfile header.
const END_TIME: std::ops::Range<usize> = 0x48 + 0x20 + 0x10..0x48 + 0x20 + 0x18;

#[test]
fn following_is_for_one_plain_file() {
    let name = sample("hello.etl");
    for args in [
        &["dump", "--follow", &name, &name][..],
        &["dump", "--follow", "-"],
        &["dump", "--follow", "--order", "time", &name],
        &["dump", "--follow", "--jobs", "2", &name],
        &["dump", "--follow", "-o", "out.txt", &name],
        &["dump", "--quiet", "--verbose", &name],
        &["dump", "--jobs", "0", &name],
    ] {
        let (status, out, errors) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {errors}");
        assert!(!errors.is_empty());
    }
    // A session that has ended is read to its end.
    let (status, followed, _) = run(&["dump", "--follow", &name]);
    assert_eq!((status, followed), (0, run(&["dump", "--order", "file", &name]).1));
}
