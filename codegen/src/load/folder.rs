//! Reads the files of a folder, up to bounds that no schema comes near.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::{SourceFile, unreadable};
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Target};

/// Folders nested deeper than this are not read: a loop of links would never end.
const MAX_DEPTH: usize = 16;

/// No more entries than this are looked at, so that a `base` at the top of a disk does not read all of it.
const MAX_ENTRIES: usize = 20_000;

/// No more text than this is read.
const MAX_BYTES: u64 = 64 << 20;

/// Reads every `.yaml` file below `folder`, in the order of names.
pub(super) fn read(folder: &Path, shown: &str) -> Result<Vec<SourceFile>, Vec<Diagnostic>> {
    let mut reader = Reader {
        shown,
        files: Vec::new(),
        problems: Vec::new(),
        entries: MAX_ENTRIES,
        bytes: MAX_BYTES,
    };
    reader.folder(folder, "", 0);
    if reader.is_exhausted() {
        let limit = format!(
            "more than {MAX_ENTRIES} files and folders, or more than {} MiB",
            MAX_BYTES >> 20
        );
        reader.problems = vec![
            Diagnostic::new(
                Code::Unreadable,
                Target::Path(shown.to_owned()),
                format!("{shown} is no schema folder: it holds {limit}"),
                "",
            )
            .help("name the folder that holds the schema files and no others"),
        ];
    }
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    reader.files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(reader.files)
}

struct Reader<'a> {
    shown: &'a str,
    files: Vec<SourceFile>,
    problems: Vec<Diagnostic>,
    /// Entries that may still be looked at.
    entries: usize,
    /// Bytes that may still be read.
    bytes: u64,
}

impl Reader<'_> {
    fn is_exhausted(&self) -> bool {
        self.entries == 0 || self.bytes == 0
    }

    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.problems.push(unreadable(folder, &error)),
        };
        let mut folders = Vec::new();
        for entry in entries {
            self.entries = self.entries.saturating_sub(1);
            if self.is_exhausted() {
                return;
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.problems.push(unreadable(folder, &error));
                    continue;
                }
            };
            let path = entry.path();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if path.is_dir() {
                folders.push((path, name));
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                self.file(&path, name);
            }
        }
        if depth < MAX_DEPTH {
            for (path, name) in folders {
                self.folder(&path, &format!("{name}/"), depth + 1);
            }
        }
    }

    fn file(&mut self, path: &Path, name: String) {
        // What was cut inside a letter is no UTF-8, but its size counts.
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(self.bytes).read_to_end(&mut bytes));
        self.bytes -= bytes.len() as u64;
        let text = read.map_err(|error| error.to_string()).and_then(|_| {
            // As `read_to_string` says it.
            String::from_utf8(bytes).map_err(|_| "stream did not contain valid UTF-8".to_owned())
        });
        match text {
            Ok(text) => self.files.push(SourceFile {
                name,
                folder: self.shown.to_owned(),
                layer: 0,
                text,
            }),
            Err(error) => self.problems.push(unreadable(path, &error)),
        }
    }
}
