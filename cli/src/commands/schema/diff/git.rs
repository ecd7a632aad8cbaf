//! The schema files of a revision, read through the program `git`.
//!
//! Nothing that the user names is passed where git would take it for an option: a revision that begins with a dash is refused,
//! and all later calls use the object id that git made of it.

use std::path::Path;
use std::process::{Command, Stdio};

use winetl_codegen::SourceSet;
use winetl_codegen::load::base::MAX_LAYERS;

use crate::commands::schema::built_in_base;

/// More files than this are not read: each is a call of git.
const MOST_FILES: usize = 2000;

/// Reads a schema folder of a revision with all bases below it: other folders of the same revision, or `builtin`.
///
/// # Errors
/// As [`read`], for the folder itself; a base that can't be had is in [`SourceSet::problems`].
pub(super) fn read_with_bases(inside: &Path, revision: &str, folder: &str) -> Result<SourceSet, String> {
    read_above(inside, revision, folder, &[])
}

fn read_above(inside: &Path, revision: &str, folder: &str, above: &[&str]) -> Result<SourceSet, String> {
    let own = read(inside, revision, folder)?;
    let above = [above, &[folder]].concat();
    let base = |base: &str| {
        let folder = step(folder, base).ok_or("the path leads out of the revision")?;
        if above.len() > MAX_LAYERS {
            return Err(format!("more than {MAX_LAYERS} overlays lie on each other"));
        }
        if above.contains(&folder.as_str()) {
            return Err("it leads back to the overlay".to_owned());
        }
        let lies_in = |inner: &str, outer: &str| outer.is_empty() || inner.starts_with(&format!("{outer}/"));
        if let Some(last) = above.last()
            && (lies_in(&folder, last) || lies_in(last, &folder))
        {
            return Err("one of the two folders lies in the other, so the files of both are read as one".to_owned());
        }
        read_above(inside, revision, &folder, &above)
    };
    Ok(own.over(&base, &built_in_base))
}

/// The folder at the end of a relative path, from the top of the repository; none if the path leads out of it.
fn step(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains('\\') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Reads all `.yaml` files below `folder` of a revision of the repository that `inside` belongs to.
///
/// # Errors
/// In words: git is not there, no repository, no such revision or folder, a file that is not UTF-8.
fn read(inside: &Path, revision: &str, folder: &str) -> Result<SourceSet, String> {
    check_revision(revision)?;
    git(inside, &["rev-parse", "--git-dir"])
        .map_err(|problem| problem.unless_missing("the current folder belongs to no git repository; change to one"))?;
    let commit = git(
        inside,
        &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")],
    )
    .map_err(|problem| problem.unless_missing("there is no such revision; `git log --oneline` lists them"))?;
    let commit = String::from_utf8_lossy(&commit);
    let commit = object_id(&commit).ok_or("git gave no object id for the revision")?;
    // A path is behind the colon, so it can't be an option either. An empty folder is the top.
    let tree = format!("{commit}:{folder}");
    let list = git(inside, &["ls-tree", "-r", "-z", "--full-tree", &tree]).map_err(|problem| {
        problem.unless_missing(&format!(
            "the revision has no folder `{folder}`; name another with git:REV:FOLDER"
        ))
    })?;
    let list = String::from_utf8(list).map_err(|_| "a file name is not UTF-8".to_owned())?;
    let files: Vec<(&str, &str)> = list.split('\0').filter_map(schema_file).collect();
    if files.is_empty() {
        return Err(format!(
            "no .yaml file in `{folder}` of the revision; name another folder with git:REV:FOLDER"
        ));
    }
    if files.len() > MOST_FILES {
        return Err(format!("{} .yaml files in `{folder}`, more than {MOST_FILES}", files.len()));
    }
    let mut texts = Vec::with_capacity(files.len());
    for (id, name) in files {
        let bytes = git(inside, &["cat-file", "blob", id]).map_err(|problem| format!("{name}: {}", problem.0))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8 text"))?;
        texts.push((name, text));
    }
    let shown = format!("git:{revision}:{folder}");
    Ok(SourceSet::from_texts(
        &shown,
        texts.iter().map(|(name, text)| (*name, text.as_str())),
    ))
}

/// Refuses what git could take for something else than a revision.
fn check_revision(revision: &str) -> Result<(), String> {
    if revision.is_empty() {
        return Err("the revision is missing; write git:REV, such as git:HEAD or git:v1.0".to_owned());
    }
    if revision.starts_with('-') || revision.chars().any(char::is_control) {
        return Err("this is not the name of a revision; write git:REV, such as git:HEAD~1".to_owned());
    }
    Ok(())
}

/// An object id, if the line is one.
fn object_id(line: &str) -> Option<&str> {
    let line = line.trim_end();
    (line.len() >= 40 && line.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(line)
}

/// Id and name of a line of `ls-tree`, if it is a schema file: `100644 blob ID<tab>NAME`.
fn schema_file(line: &str) -> Option<(&str, &str)> {
    let (facts, name) = line.split_once('\t')?;
    let mut facts = facts.split(' ');
    // A link (120000) holds a path, not YAML.
    facts.next().filter(|mode| mode.starts_with("100"))?;
    facts.next().filter(|kind| *kind == "blob")?;
    let id = object_id(facts.next()?)?;
    Some((id, name)).filter(|_| Path::new(name).extension().is_some_and(|extension| extension == "yaml"))
}

/// Why a call of git failed, and whether that was the answer or git itself.
struct Problem(String, bool);

impl Problem {
    /// Words for an answer of git; if git could not be run, that.
    fn unless_missing(self, words: &str) -> String {
        match self {
            Self(text, true) if text.is_empty() => words.to_owned(),
            Self(text, true) => format!("{words} (git: {text})"),
            Self(text, false) => text,
        }
    }
}

fn git(inside: &Path, args: &[&str]) -> Result<Vec<u8>, Problem> {
    let output = Command::new("git")
        .args(args)
        .current_dir(inside)
        // No locks, no network, no other language.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            Problem(
                format!("cannot run the program git: {error}; install it, or name a folder"),
                false,
            )
        })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Problem(said.lines().next().unwrap_or_default().to_owned(), true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_no_revisions() {
        for bad in ["", "-h", "--output=x", "a\nb", "a\0b"] {
            assert!(check_revision(bad).is_err(), "{bad:?}");
        }
        for good in ["HEAD", "HEAD~2", "v1.0", "main@{2 days ago}", "origin/x^2"] {
            assert!(check_revision(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn paths_of_bases() {
        for (folder, path, end) in [
            ("overlays/mine", "../other", Some("overlays/other")),
            ("mine", "../schema/", Some("schema")),
            ("a/b", "./../../schema", Some("schema")),
            ("mine", "..", Some("")),
            ("mine", "../..", None),
            ("mine", "/schema", None),
            ("mine", "..\\schema", None),
        ] {
            assert_eq!(step(folder, path).as_deref(), end, "{folder} {path}");
        }
    }

    #[test]
    fn only_regular_yaml_files() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(schema_file(&format!("100644 blob {id}\ta/b.yaml")), Some((id, "a/b.yaml")));
        for other in [
            "100644 blob ID\tb.md",
            "120000 blob ID\tb.yaml",
            "160000 commit ID\tb.yaml",
            "",
            "100644 blob -h\tb.yaml",
        ] {
            assert_eq!(schema_file(&other.replace("ID", id)), None, "{other}");
        }
    }
}
