//! Reads schema files from a folder and parses each into its [`raw`] model.

pub mod base;
mod folder;

use std::fs;
use std::path::{Path, PathBuf};

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Step, Target};
use crate::locate::locate_key;
use crate::names::closest;
use crate::raw;

/// One schema file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path within the schema folder, with `/`, such as `kernel/process.yaml`.
    pub name: String,
    /// How that folder is named in diagnostics.
    pub folder: String,
    /// 0 for a schema that stands by itself and for the innermost base of overlays, then one more for each overlay.
    pub layer: usize,
    /// The text.
    pub text: String,
}

impl SourceFile {
    /// The name within the schema as a whole: files of overlays have names of their own, since the base may have a file of the
    /// same name.
    pub fn schema_name(&self) -> String {
        match layer_name(self.layer) {
            None => self.name.clone(),
            Some(layer) => format!("{layer}/{}", self.name),
        }
    }
}

/// Name of an overlay among those on one base.
fn layer_name(layer: usize) -> Option<String> {
    match layer {
        0 => None,
        1 => Some("overlay".to_owned()),
        layer => Some(format!("overlay{layer}")),
    }
}

/// How the folder of a layer is named where all are kept as one.
fn layer_folder(folder: &str, layer: usize) -> String {
    match layer_name(layer) {
        None => folder.to_owned(),
        Some(layer) => format!("{folder}/{layer}"),
    }
}

/// All files of a schema: those of the base before those of the overlay, each sorted by name so that the result is the same on
/// every machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceSet {
    /// How the folder is named in diagnostics.
    pub folder: String,
    /// The files.
    pub files: Vec<SourceFile>,
    /// The folders that were read: that of the innermost base first.
    pub folders: Vec<PathBuf>,
    /// What keeps a base from being read.
    pub problems: Vec<Diagnostic>,
}

impl SourceSet {
    /// Makes a set from texts in memory.
    pub fn from_texts<'a>(folder: &str, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self::from_layers(folder, texts.into_iter().map(|(name, text)| (0, name, text)))
    }

    /// Makes a set from texts in memory, each with its layer: 0 for the innermost base, 1 for the overlay on it.
    pub fn from_layers<'a>(folder: &str, texts: impl IntoIterator<Item = (usize, &'a str, &'a str)>) -> Self {
        let mut files: Vec<SourceFile> = texts
            .into_iter()
            .map(|(layer, name, text)| SourceFile {
                name: name.to_owned(),
                folder: layer_folder(folder, layer),
                layer,
                text: text.to_owned(),
            })
            .collect();
        files.sort_by(|a, b| (a.layer, &a.name).cmp(&(b.layer, &b.name)));
        Self {
            folder: folder.to_owned(),
            files,
            ..Self::default()
        }
    }

    /// Reads every `.yaml` file below `folder`, and none of a base.
    ///
    /// # Errors
    /// One diagnostic for each file or folder that can't be read or is not UTF-8, or one if there is no schema file or too much
    /// of it.
    pub fn read(folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        let shown = folder.display().to_string().replace('\\', "/");
        let files = folder::read(folder, &shown)?;
        if files.is_empty() {
            let message = format!("no .yaml file in {shown}");
            return Err(vec![
                Diagnostic::new(Code::NoSchema, Target::Path(shown), message, "")
                    .help("name the folder that holds the schema files"),
            ]);
        }
        Ok(Self {
            folder: shown,
            files,
            folders: vec![folder.to_owned()],
            problems: Vec::new(),
        })
    }

    /// Reads one file, which has to be a whole schema or overlay, and none of a base.
    ///
    /// # Errors
    /// A diagnostic if it can't be read or is not UTF-8.
    pub fn read_file(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let text = fs::read_to_string(path).map_err(|error| vec![unreadable(path, &error)])?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let shown = folder.display().to_string().replace('\\', "/");
        Ok(Self {
            folder: shown.clone(),
            files: vec![SourceFile {
                name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                folder: shown,
                layer: 0,
                text,
            }],
            folders: vec![folder.to_owned()],
            problems: Vec::new(),
        })
    }

    /// Path of a file as diagnostics name it.
    pub fn display_name(&self, file: usize) -> String {
        match self.files.get(file) {
            Some(source) if source.folder.is_empty() => source.name.clone(),
            Some(source) => format!("{}/{}", source.folder.trim_end_matches('/'), source.name),
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

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Diagnostic {
    let path = path.display().to_string();
    let message = format!("cannot read {path}: {error}");
    Diagnostic::new(Code::Unreadable, Target::Path(path), message, "")
        .help("check the path and its permissions; schema files are UTF-8 text")
}

/// Turns an error of serde_yaml into a numbered diagnostic.
fn shape_problem(file: usize, source: &SourceFile, error: &serde_yaml::Error) -> Diagnostic {
    let full = error.to_string();
    // The position is shown with the source line, so it is cut from the sentence; so is the path of the node before it.
    let mut parts = full.split(" at line ");
    let sentence = parts.next().unwrap_or(&full);
    let (path, sentence) = match sentence.split_once(": ") {
        Some((path, rest)) if !path.contains(' ') => (path, rest),
        _ => ("", sentence),
    };
    let location = error.location().map_or(0, |location| location.index());
    let at = |at: usize| Target::Byte { file, at };
    if let Some(key) = quoted(sentence, "unknown field ") {
        let known: Vec<&str> = sentence.split('`').skip(3).step_by(2).collect();
        let help = match closest(key, known.iter().copied()) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => format!("the keys here are: {}", known.join(", ")),
        };
        return Diagnostic::new(Code::UnknownKey, at(location), format!("unknown key `{key}`"), "unknown key").help(help);
    }
    if let Some(key) = quoted(sentence, "missing field ") {
        let message = format!("the key `{key}` is missing");
        return Diagnostic::new(Code::MissingKey, at(location), message, "in what begins here").help(format!("add `{key}:`"));
    }
    if let Some(key) = quoted(sentence, "duplicate field ") {
        let second = locate_key(&source.text, &steps(path), key, 1).map_or(location, |range| range.start);
        let message = format!("the key `{key}` is given twice");
        return Diagnostic::new(Code::WrongShape, at(second), message, "given again").help("keep one of the two");
    }
    if ["invalid type: ", "invalid value: ", "unknown variant "]
        .iter()
        .any(|start| sentence.starts_with(start))
    {
        let (found, expected) = sentence.split_once(", expected ").unwrap_or((sentence, "another"));
        let found = found.split_once(": ").map_or(found, |(_, found)| found);
        let (kind, value) = found
            .split_once(['`', '"'])
            .map_or((found, ""), |(kind, _)| (kind.trim(), &found[kind.len()..]));
        let kind = match kind {
            "sequence" => "a list",
            "map" => "a map",
            "unit value" => "an empty value",
            "string" => "the text ",
            "integer" | "floating point" => "the number ",
            "boolean" => "the word ",
            "unknown variant" => "the word ",
            other => other,
        };
        let expected = expected.replace("a sequence", "a list").replace("a string", "text");
        let expected = ["u16", "u32", "u64"].iter().fold(expected, |text, int| match text == *int {
            true => format!("a number below 2^{}", int.trim_start_matches('u')),
            false => text,
        });
        let message = format!("{kind}{value} is not what this key takes");
        return Diagnostic::new(Code::WrongShape, at(location), message, format!("expected {expected}"))
            .help("see schema/README.md for what each key takes");
    }
    // An error at the end of the text points at its last line, so that there is a line to show.
    let last = source.text.trim_end().char_indices().next_back().map_or(0, |(at, _)| at);
    let problem = Diagnostic::new(Code::Syntax, at(location.min(last)), sentence.to_owned(), "noticed here")
        .help("look here and just above for a missing quote, bracket or blank after a colon, or a tab used to indent");
    // "did not find ... at line 4 column 5, while parsing a flow mapping at line 2 column 5"
    let begun = full.split_once(", while parsing ").and_then(|(_, context)| {
        let (what, position) = context.split_once(" at line ")?;
        let (line, column) = position.split_once(" column ")?;
        Some((
            what,
            byte_at(&source.text, line.trim().parse().ok()?, column.trim().parse().ok()?)?,
        ))
    });
    match begun {
        Some((what, begins)) if begins < location.min(last) => {
            let text = format!(
                "in the {} that begins here",
                what.trim_start_matches("a ").replace("mapping", "map")
            );
            problem.and_target(at(begins), text)
        }
        _ => problem,
    }
}

/// The word in backticks after `start`, if the sentence begins so.
fn quoted<'a>(sentence: &'a str, start: &str) -> Option<&'a str> {
    sentence.strip_prefix(start)?.strip_prefix('`')?.split('`').next()
}

/// The steps of a path as serde_yaml writes it: `structures[0].fields[1].type`.
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let mut pieces = part.split('[');
        steps.extend(
            pieces
                .next()
                .filter(|key| !key.is_empty())
                .map(|key| Step::Key(key.to_owned())),
        );
        steps.extend(
            pieces
                .filter_map(|index| index.trim_end_matches(']').parse().ok())
                .map(Step::Index),
        );
    }
    steps
}

/// Byte of a line and a column in characters, both from 1.
fn byte_at(text: &str, line: usize, column: usize) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let (at, _) = text.get(start..)?.char_indices().nth(column.checked_sub(1)?)?;
    Some(start + at)
}
