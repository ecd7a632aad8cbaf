//! The README's commands work, and print what it shows.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsString;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder with what the commands name.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let hello = fs::read(root().join("tests/samples/hello.etl")).unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    fs::create_dir_all(folder.path().join("tests/samples")).unwrap();
    for name in ["trace.etl", "folder/a.etl", "tests/samples/hello.etl"] {
        fs::write(folder.path().join(name), &hello).unwrap();
    }
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.path().join("logs.zip")).unwrap());
    for member in ["boot/trace.etl", "other.etl"] {
        archive.start_file(member, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(&hello).unwrap();
    }
    archive.finish().unwrap();
    folder
}

/// The fenced blocks of the README: what their first line says, and their text.
fn blocks(text: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            let indent = line.len() - line.trim_start().len();
            let block = lines.by_ref().take_while(|line| line.trim_start() != "```");
            let text: Vec<&str> = block.map(|line| line.get(indent..).unwrap_or_default()).collect();
            blocks.push((kind, text.join("\n")));
        }
    }
    blocks
}

/// The words of a command, as a shell takes them: blanks part them except between quotes, and a comment ends them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            '#' if !quoted && word.is_empty() => break,
            ' ' if !quoted => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            letter => word.push(letter),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    assert!(!quoted, "a quote is not closed: {line}");
    words
}

/// The arguments of winetl in a line of a shell, with files in `folder`.
fn arguments(line: &str, folder: &Path) -> Option<Vec<String>> {
    let words = words(line);
    let start = match words.first().map(String::as_str) {
        Some("winetl") => 1,
        Some("cargo") => words.iter().position(|word| word == "--")? + 1,
        _ => return None,
    };
    let placed = words.into_iter().skip(start).map(|word| {
        let is_file = ["trace.etl", "logs.zip", "folder", "tests/"]
            .iter()
            .any(|name| word.starts_with(name));
        if is_file {
            folder.join(word).display().to_string()
        } else if word == "schema" {
            root().join(word).display().to_string()
        } else {
            word
        }
    });
    Some(placed.collect())
}

fn run(arguments: &[String]) -> (u8, String, String) {
    let args = std::iter::once("winetl".to_owned())
        .chain(arguments.iter().cloned())
        .map(OsString::from);
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let status = winetl_cli::run(args, &mut Cursor::new([]), &mut out, &mut errors);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(errors).unwrap())
}

#[test]
fn commands_of_the_readme_work() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = workplace();
    let mut tried = 0;
    for (kind, text) in blocks(&readme) {
        for arguments in text
            .lines()
            .filter(|_| kind == "sh")
            .filter_map(|line| arguments(line, folder.path()))
        {
            let (status, _, errors) = run(&arguments);
            assert_eq!(status, 0, "{arguments:?}\n{errors}");
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}

#[test]
fn output_in_the_readme_is_that_of_the_command_above() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = workplace();
    let blocks = blocks(&readme);
    let mut compared = 0;
    for pair in blocks.windows(2) {
        let [(command_kind, command), (output_kind, shown)] = pair else {
            continue;
        };
        if *command_kind != "sh" || *output_kind != "text" || command.lines().count() != 1 {
            continue;
        }
        let Some(arguments) = arguments(command, folder.path()) else {
            continue;
        };
        let (_, out, _) = run(&arguments);
        let out = out.replace(&format!("{}/", folder.path().display()), "");
        let out = out.replace(&format!("{}/", root().display()), "");
        let mut printed = out.lines();
        for line in shown.lines() {
            // Lines may be left out, and ends of lines.
            let begins = line.trim_end_matches(" ...");
            let is_printed = printed.any(|printed| {
                if begins == line {
                    printed == line
                } else {
                    printed.starts_with(begins)
                }
            });
            assert!(is_printed, "not printed, or not in this order: {line}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}
