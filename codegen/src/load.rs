//! Reads schema files from a folder and parses each into its [`raw`] model.

use std::fs;
use std::path::Path;

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Target};
use crate::raw;

/// One schema file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path within the schema folder, with `/`, such as `kernel/process.yaml`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All files of a schema, sorted by name so that the result is the same on every machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceSet {
    /// How the folder is named in diagnostics.
    pub folder: String,
    /// The files.
    pub files: Vec<SourceFile>,
}

/// Folders nested deeper than this are not read: a loop of links would never end.
const MAX_DEPTH: usize = 16;

impl SourceSet {
    /// Makes a set from texts in memory.
    pub fn from_texts<'a>(folder: &str, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut files: Vec<SourceFile> =
            texts.into_iter().map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() }).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Self { folder: folder.to_owned(), files }
    }

    /// Reads every `.yaml` file below `folder`.
    ///
    /// # Errors
    /// One diagnostic for each file or folder that can't be read or is not UTF-8, or one if there is no schema file.
    pub fn read(folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        let mut set = Self { folder: folder.display().to_string().replace('\\', "/"), files: Vec::new() };
        let mut problems = Vec::new();
        read_folder(folder, "", 0, &mut set.files, &mut problems);
        set.files.sort_by(|a, b| a.name.cmp(&b.name));
        if set.files.is_empty() && problems.is_empty() {
            problems.push(
                Diagnostic::new(Code::NoSchema, Target::Path(set.folder.clone()), format!("no .yaml file in {}", set.folder), "")
                    .help("name the folder that holds the schema files"),
            );
        }
        if problems.is_empty() { Ok(set) } else { Err(problems) }
    }

    /// Path of a file as diagnostics name it.
    pub fn display_name(&self, file: usize) -> String {
        match self.files.get(file) {
            Some(source) if self.folder.is_empty() => source.name.clone(),
            Some(source) => format!("{}/{}", self.folder.trim_end_matches('/'), source.name),
            None => self.folder.clone(),
        }
    }

    /// Parses all files. Those that can't be parsed are replaced by an empty one and a diagnostic.
    pub fn parse(&self) -> (Vec<raw::File>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let files = self
            .files
            .iter()
            .enumerate()
            .map(|(index, source)| {
                serde_yaml::from_str(&source.text).unwrap_or_else(|error| {
                    problems.push(shape_problem(index, source, &error));
                    raw::File::default()
                })
            })
            .collect();
        (files, problems)
    }
}

fn read_folder(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<SourceFile>, problems: &mut Vec<Diagnostic>) {
    let mut unreadable = |path: &Path, error: &dyn std::fmt::Display| {
        let path = path.display().to_string();
        problems.push(
            Diagnostic::new(Code::Unreadable, Target::Path(path.clone()), format!("cannot read {path}: {error}"), "")
                .help("check the path and its permissions; schema files are UTF-8 text"),
        );
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return unreadable(folder, &error),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                unreadable(folder, &error);
                continue;
            }
        };
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            folders.push((path, name));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            match fs::read_to_string(&path) {
                Ok(text) => files.push(SourceFile { name, text }),
                Err(error) => unreadable(&path, &error),
            }
        }
    }
    if depth < MAX_DEPTH {
        for (path, name) in folders {
            read_folder(&path, &format!("{name}/"), depth + 1, files, problems);
        }
    }
}

/// Turns an error of serde_yaml into a numbered diagnostic.
fn shape_problem(file: usize, source: &SourceFile, error: &serde_yaml::Error) -> Diagnostic {
    let full = error.to_string();
    // The position is shown with the source line, so it is cut from the sentence.
    let message = full.split(" at line ").next().unwrap_or(&full).to_owned();
    let (code, help) = if message.contains("unknown field") {
        (Code::UnknownKey, "check the spelling against the keys listed, or see the guide in schema/README.md")
    } else if message.contains("missing field") {
        (Code::MissingKey, "add the key")
    } else if ["invalid type", "invalid value", "unknown variant", "expected", "duplicate field", "given twice"]
        .iter()
        .any(|part| message.contains(part))
        && !message.contains("did not find")
        && !message.contains("while")
    {
        (Code::WrongShape, "see the guide in schema/README.md for what the key takes")
    } else {
        (Code::Syntax, "look for a missing quote, bracket or blank after a colon, or a tab used to indent")
    };
    let at = error.location().map_or(0, |location| location.index());
    // An error at the end of the text points at its last line, so that there is a line to show.
    let at = if at >= source.text.len() { source.text.trim_end().len().saturating_sub(1) } else { at };
    Diagnostic::new(code, Target::Byte { file, at }, message, "").help(help)
}
