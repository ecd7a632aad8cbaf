//! Follows `base`: reads the schema that an overlay changes, and that one's base.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{SourceSet, layer_folder};
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};

/// The base that is no folder.
pub const BUILTIN: &str = "builtin";

/// How often an overlay may lie on another.
pub const MAX_LAYERS: usize = 8;

/// Gives the files of `base: builtin`.
pub type BuiltIn<'a> = &'a dyn Fn() -> Result<SourceSet, Vec<Diagnostic>>;

impl SourceSet {
    /// Reads a schema folder, or a single file, with all bases below it.
    ///
    /// A base that can't be had is in [`SourceSet::problems`], so that it can be shown where it is named; then the set holds the
    /// files above it only, and [`crate::compile`] gives that problem.
    ///
    /// # Errors
    /// As [`SourceSet::read`] and [`SourceSet::read_file`].
    pub fn read_with_bases(path: &Path, builtin: BuiltIn<'_>) -> Result<Self, Vec<Diagnostic>> {
        Self::read_above(path, builtin, &mut Vec::new())
    }

    /// Follows the base of files that stand in no folder; only `builtin` can be had.
    #[must_use]
    pub fn over_builtin(self, builtin: BuiltIn<'_>) -> Self {
        self.over(&|_| Err("only `builtin` can be the base here".to_owned()), builtin)
    }

    /// Follows the base of files that stand in no folder; `read` has one that is not `builtin`, or says in words why not.
    #[must_use]
    pub fn over(self, read: &dyn Fn(&str) -> Result<Self, String>, builtin: BuiltIn<'_>) -> Self {
        match self.base() {
            Some((file, base)) if base == BUILTIN => self.put_on(file, &base, builtin().map_err(first)),
            Some((file, base)) => {
                let below = read(&base);
                self.put_on(file, &base, below)
            }
            None => self,
        }
    }

    /// Puts an overlay on the files of this set.
    #[must_use]
    pub fn with_overlay(mut self, overlay: Self) -> Self {
        let layer = self.files.iter().map(|file| file.layer + 1).max().unwrap_or_default();
        self.folder = overlay.folder;
        self.folders.extend(overlay.folders);
        self.files.extend(overlay.files.into_iter().map(|mut file| {
            file.layer += layer;
            file
        }));
        self
    }

    /// The same files under another name of their folder.
    #[must_use]
    pub fn named(mut self, folder: &str) -> Self {
        for file in &mut self.files {
            file.folder = layer_folder(folder, file.layer);
        }
        folder.clone_into(&mut self.folder);
        self
    }

    fn read_above(path: &Path, builtin: BuiltIn<'_>, above: &mut Vec<PathBuf>) -> Result<Self, Vec<Diagnostic>> {
        let is_file = path.is_file();
        let own = if is_file { Self::read_file(path)? } else { Self::read(path)? };
        let Some((file, base)) = own.base() else { return Ok(own) };
        let below = if base == BUILTIN {
            builtin().map_err(first)
        } else {
            let folder = if is_file { path.parent().unwrap_or(path) } else { path };
            above.push(real(path));
            base_folder(&folder.join(&base), above).and_then(|folder| Self::read_above(&folder, builtin, above).map_err(first))
        };
        Ok(own.put_on(file, &base, below))
    }

    /// Puts these files on their base, or notes why there is none.
    fn put_on(mut self, file: usize, base: &str, below: Result<Self, String>) -> Self {
        match below {
            Ok(below) if below.problems.is_empty() => below.with_overlay(self),
            // The base has a base that can't be had: its files are there to show that.
            Ok(below) => below,
            Err(reason) => {
                self.problems.push(
                    Diagnostic::at(
                        Code::Base,
                        &Place::file(file).key("base"),
                        format!("the base `{base}` cannot be used: {reason}"),
                        "not usable",
                    )
                    .help("write `builtin`, or the path of another schema folder as seen from this one"),
                );
                self
            }
        }
    }

    /// The first file that names a base, with the base.
    fn base(&self) -> Option<(usize, String)> {
        let mut files = self.files.iter().enumerate();
        files.find_map(|(number, file)| Some((number, base_of(&file.text)?)))
    }
}

/// The reason why a base can't be read.
fn first(problems: Vec<Diagnostic>) -> String {
    problems.into_iter().next().map(|problem| problem.message).unwrap_or_default()
}

/// A folder of a base, if it can be one.
fn base_folder(folder: &Path, above: &[PathBuf]) -> Result<PathBuf, String> {
    if above.len() > MAX_LAYERS {
        return Err(format!("more than {MAX_LAYERS} overlays lie on each other"));
    }
    // One that is not there cannot be anywhere; reading it says so.
    if let (Ok(base), Some((last, before))) = (folder.canonicalize(), above.split_last()) {
        if base == *last {
            return Err("it is the overlay itself".to_owned());
        }
        if before.contains(&base) {
            return Err("it leads back to the overlay".to_owned());
        }
        if base.starts_with(last) || last.starts_with(&base) {
            return Err("one of the two folders lies in the other, so the files of both are read as one".to_owned());
        }
    }
    Ok(folder.to_owned())
}

/// A path without links and steps back, as far as it can be found.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// What a file says of its base. Files are read twice only if they look as though they said something.
fn base_of(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        base: Option<String>,
    }

    let is_said = text.match_indices("base").any(|(at, word)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let begins = before.is_none_or(|before| before.is_whitespace() || "{,\"'\u{feff}".contains(before));
        let rest = text.get(at + word.len()..).unwrap_or_default();
        begins && rest.trim_start_matches(['"', '\'', ' ', '\t']).starts_with(':')
    });
    // A file that is no YAML is reported by whoever parses all of it.
    is_said.then(|| serde_yaml::from_str::<Head>(text).ok()?.base)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_a_key_at_the_top() {
        for text in [
            "title: A\nbase: builtin\n",
            "\u{feff}base: builtin",
            "{title: A, base: builtin}",
            "title: A\n\"base\" : builtin",
        ] {
            assert_eq!(base_of(text).as_deref(), Some(BUILTIN), "{text}");
        }
        for text in [
            "title: base",
            "doc: |\n  base: builtin\n",
            "flags: [{base: builtin}]",
            "# base: builtin\ntitle: A",
            "base: builtin: no",
            "",
        ] {
            assert_eq!(base_of(text), None, "{text}");
        }
    }
}
