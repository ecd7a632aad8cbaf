//! What the command line names: files, patterns, folders, members of archives, standard input.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use glob::MatchOptions;

use super::member::{SEPARATOR, is_container_name, is_pattern, is_trace_name};
use super::{STDIN, io_text};

/// Something to open.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) path: PathBuf,
    /// Members that were chosen of an archive.
    pub(super) choice: Option<String>,
    /// The path was not named but found in a folder.
    pub(super) found: bool,
    /// Why it cannot be opened.
    pub(super) problem: Option<String>,
}

impl Plan {
    fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            choice: None,
            found: false,
            problem: None,
        }
    }

    fn problem(path: impl Into<PathBuf>, problem: String) -> Self {
        Self {
            problem: Some(problem),
            ..Self::new(path)
        }
    }

    pub(super) fn is_stdin(&self) -> bool {
        self.path == Path::new(STDIN)
    }
}

/// Everything to open, and whether it may be more than one trace even if only one was found.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    pub(super) plans: VecDeque<Plan>,
    pub(super) several: bool,
}

/// Finds out what paths stand for. What is wrong with one becomes a plan with a problem, so that it is told in its turn.
pub(super) fn expand(paths: &[&Path], recursive: Option<bool>) -> Expansion {
    let mut expansion = Expansion::default();
    for path in paths {
        expansion.add(path, recursive);
    }
    expansion.several |= expansion.plans.len() > 1;
    expansion
}

impl Expansion {
    fn add(&mut self, path: &Path, recursive: Option<bool>) {
        if path == Path::new(STDIN) {
            self.plans.push_back(Plan::new(path));
        } else if path.is_dir() {
            match recursive {
                Some(true) => self.folder(path),
                Some(false) => self.plans.push_back(Plan::problem(
                    path,
                    "is a folder: add --recursive to read the traces in it and below".to_owned(),
                )),
                None => self
                    .plans
                    .push_back(Plan::problem(path, "is a folder: name one trace in it".to_owned())),
            }
        } else if fs::symlink_metadata(path).is_ok() {
            self.plans.push_back(Plan::new(path));
        } else if !self.members(path) && !self.pattern(path, recursive) {
            // Opening it says what is wrong.
            self.plans.push_back(Plan::new(path));
        }
    }

    /// Takes `archive!member`, if there is such an archive.
    fn members(&mut self, path: &Path) -> bool {
        let Some(text) = path.to_str() else { return false };
        for (at, _) in text.match_indices(SEPARATOR) {
            let (archive, member) = text.split_at(at);
            let member = member.strip_prefix(SEPARATOR).unwrap_or_default();
            if member.is_empty() {
                continue;
            }
            let archives = if archive == STDIN || Path::new(archive).is_file() {
                vec![PathBuf::from(archive)]
            } else {
                matches(archive).into_iter().filter(|path| path.is_file()).collect()
            };
            if archives.is_empty() {
                continue;
            }
            self.several |= archives.len() > 1 || !Path::new(archive).exists() && archive != STDIN;
            self.plans.extend(archives.into_iter().map(|path| Plan {
                choice: Some(member.to_owned()),
                ..Plan::new(path)
            }));
            return true;
        }
        false
    }

    /// Takes what a pattern describes. Shells of Windows leave that to programs.
    fn pattern(&mut self, path: &Path, recursive: Option<bool>) -> bool {
        let Some(text) = path.to_str().filter(|text| is_pattern(text)) else {
            return false;
        };
        let found = matches(text);
        let before = self.plans.len();
        for path in found {
            if !path.is_dir() {
                self.plans.push_back(Plan::new(path));
            } else if recursive == Some(true) {
                self.folder(&path);
            }
        }
        if self.plans.len() == before {
            let text = "matches no file; check the pattern".to_owned();
            self.plans.push_back(Plan::problem(path, text));
        }
        self.several = true;
        true
    }

    /// Takes all traces of a folder and below.
    fn folder(&mut self, folder: &Path) {
        self.several = true;
        let (mut files, mut problems) = (Vec::new(), Vec::new());
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    problems.push(Plan::problem(folder, format!("cannot read the folder: {}", io_text(&error))));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let path = entry.path();
                // A link to a folder could lead back here, so links are followed to files only.
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(path);
                } else if is_wanted(&path) && path.is_file() {
                    files.push(path);
                }
            }
        }
        if files.is_empty() && problems.is_empty() {
            problems.push(Plan::problem(
                folder,
                "has no trace in it or below: no name ends in .etl, or as compressed traces and archives do".to_owned(),
            ));
        }
        files.sort_by(|a, b| natural(a, b));
        self.plans.extend(files.into_iter().map(|path| Plan {
            found: true,
            ..Plan::new(path)
        }));
        self.plans.extend(problems);
    }
}

fn is_wanted(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    is_trace_name(&name) || is_container_name(&name)
}

/// Paths that a pattern describes, in natural order.
fn matches(pattern: &str) -> Vec<PathBuf> {
    let options = MatchOptions {
        case_sensitive: !cfg!(windows),
        ..MatchOptions::default()
    };
    let mut paths: Vec<PathBuf> = match glob::glob_with(pattern, options) {
        Ok(paths) if is_pattern(pattern) => paths.flatten().collect(),
        _ => Vec::new(),
    };
    paths.sort_by(|a, b| natural(a, b));
    paths
}

/// Compares paths part by part, with numbers in names by their value: `trace.2.etl` comes before `trace.10.etl`.
fn natural(a: &Path, b: &Path) -> Ordering {
    let parts = |path: &Path| -> Vec<String> { path.iter().map(OsStr::to_string_lossy).map(Into::into).collect() };
    let (a_parts, b_parts) = (parts(a), parts(b));
    let pairs = a_parts.iter().zip(&b_parts);
    pairs
        .map(|(a, b)| natural_text(a, b))
        .find(|order| order.is_ne())
        .unwrap_or_else(|| a.cmp(b))
}

fn natural_text(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (a_digits, b_digits) = (digits(a), digits(b));
        let order = if a_digits > 0 && b_digits > 0 {
            let (a_number, b_number) = (a.get(..a_digits).unwrap_or_default(), b.get(..b_digits).unwrap_or_default());
            let (a_short, b_short) = (a_number.trim_start_matches('0'), b_number.trim_start_matches('0'));
            a_short.len().cmp(&b_short.len()).then_with(|| a_short.cmp(b_short))
        } else {
            a.chars().next().cmp(&b.chars().next())
        };
        if order.is_ne() || a.is_empty() {
            return order;
        }
        let step = |text: &str, digits: usize| digits.max(text.chars().next().map_or(1, char::len_utf8));
        a = a.get(step(a, a_digits)..).unwrap_or_default();
        b = b.get(step(b, b_digits)..).unwrap_or_default();
    }
}

/// How many digits text begins with.
fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count() {
        let mut names = [
            "t.10.etl",
            "t.2.etl",
            "t.1.etl",
            "t.etl",
            "a/z.etl",
            "t.002.etl",
            "t.1/x.etl",
            "ä2",
            "ä10",
            "t.18446744073709551616.etl",
        ]
        .map(Path::new);
        names.sort_by(|a, b| natural(a, b));
        let names: Vec<&str> = names.iter().filter_map(|name| name.to_str()).collect();
        assert_eq!(
            names,
            [
                "a/z.etl",
                "t.1/x.etl",
                "t.1.etl",
                "t.002.etl",
                "t.2.etl",
                "t.10.etl",
                "t.18446744073709551616.etl",
                "t.etl",
                "ä2",
                "ä10",
            ]
        );
    }
}
