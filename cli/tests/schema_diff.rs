//! `winetl schema diff`: where schemas come from, and what is said when they can't be used. As a program of its own, because
//! revisions are those of the repository around its current folder.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

const YAML: &str = "title: Things
sources:
  - {id: me, kind: observed, title: \"Made up\"}
structures:
  - name: THING
    size: 0x04
    doc: A thing.
    sources: [me]
    fields:
      - {name: Kind, offset: 0x00, type: u32, doc: \"Kind of the thing.\"}
";

struct Output {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    Output {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn diff(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winetl"));
    // A repository that happens to be around the temporary folder, or the one that tests are run from, is none of ours.
    command.env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    output(command.args(["schema", "diff"]).args(args).current_dir(folder))
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command.args([
        "-c",
        "user.name=Test",
        "-c",
        "user.email=test@example.org",
        "-c",
        "commit.gpgsign=false",
    ]);
    let output = output(command.args(args).current_dir(folder));
    assert_eq!(output.status, Some(0), "git {args:?}: {}", output.stderr);
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A folder with `old/a.yaml`, and `new/a.yaml` in which a field has another name.
fn two() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "old/a.yaml", YAML);
    write(folder.path(), "new/a.yaml", &YAML.replace("name: Kind,", "name: Sort,"));
    folder
}

#[test]
fn folders_and_files() {
    let folder = two();
    for (old, new) in [("old", "new"), ("old/a.yaml", "new/a.yaml"), ("old", "new/a.yaml")] {
        let output = diff(folder.path(), &[old, new]);
        assert_eq!((output.status, output.stderr.as_str()), (Some(0), ""));
        assert!(output.stdout.contains("Sort field renamed, was Kind"), "{}", output.stdout);
        assert!(output.stdout.ends_with("\n1 difference: 1 naming\n"), "{}", output.stdout);
    }
    let same = diff(folder.path(), &["old", "old/a.yaml", "--fail-on", "docs"]);
    assert_eq!((same.status, same.stdout.as_str()), (Some(0), "no differences\n"));
    assert_eq!(diff(folder.path(), &["builtin", "builtin"]).stdout, "no differences\n");
}

#[test]
fn the_exit_status_tells_only_if_asked() {
    let folder = two();
    for (class, status) in [("layout", 0), ("naming", 3), ("docs", 3)] {
        let output = diff(folder.path(), &["old", "new", "--fail-on", class]);
        assert_eq!(output.status, Some(status), "{class}");
        assert_eq!(output.stderr.is_empty(), status == 0, "{}", output.stderr);
        assert!(!output.stdout.is_empty());
    }
    assert_eq!(diff(folder.path(), &["old", "new", "--fail-on", "all"]).status, Some(2));
    assert_eq!(diff(folder.path(), &["old"]).status, Some(2));
}

#[test]
fn revisions() {
    let folder = two();
    let path = folder.path();
    git(path, &["init", "--quiet"]);
    write(path, "schema/deep/a.yaml", YAML);
    write(path, "schema/README.md", "No schema.");
    git(path, &["add", "schema", "old"]);
    git(path, &["commit", "--quiet", "-m", "First"]);
    write(path, "schema/deep/a.yaml", &YAML.replace("A thing.", "Some thing."));
    git(path, &["commit", "--quiet", "-a", "-m", "Second"]);
    git(path, &["tag", "v2"]);
    let output = diff(path, &["git:HEAD~1", "git:v2"]);
    assert_eq!((output.status, output.stderr.as_str()), (Some(0), ""));
    assert!(output.stdout.contains("doc: A thing. -> Some thing."), "{}", output.stdout);
    assert!(diff(path, &["git:HEAD~1:old", "new"]).stdout.contains("was Kind"));
    // From a folder within, the folder is still that of the whole repository.
    let within = diff(&path.join("schema/deep"), &["git:v2", "."]);
    assert_eq!(
        within.stdout.lines().last(),
        Some("1 difference: 1 docs"),
        "{}",
        within.stderr
    );
    assert!(within.stdout.contains("file renamed, was deep/a.yaml"), "{}", within.stdout);
    for (revision, expected) in [
        ("git:nothing", "there is no such revision"),
        ("git:", "the revision is missing"),
        ("git:--output=x", "this is not the name of a revision"),
        ("git:HEAD:nowhere", "the revision has no folder `nowhere`"),
        ("git:HEAD:-r", "the revision has no folder `-r`"),
        ("git:HEAD^{tree}", "there is no such revision"),
        ("git:HEAD..v2", "there is no such revision"),
    ] {
        let output = diff(path, &[revision, "new"]);
        assert_eq!((output.status, output.stdout.as_str()), (Some(1), ""), "{revision}");
        assert!(
            output.stderr.contains(&format!("cannot read the old schema: {expected}")),
            "{}",
            output.stderr
        );
    }
    assert!(!path.join("x").exists());
}

#[test]
fn what_cannot_be_used() {
    let folder = two();
    let path = folder.path();
    write(path, "empty/notes.txt", "");
    write(path, "broken/a.yaml", &YAML.replace("type: u32", "type: u16"));
    for (args, side, expected) in [
        (["old", "missing"], "missing: the new schema cannot be used", "E001"),
        (["missing", "new"], "missing: the old schema cannot be used", "E001"),
        (["empty", "new"], "empty: the old schema cannot be used", "E002"),
        (
            ["old", "broken"],
            "broken: the new schema cannot be used",
            "broken/a.yaml:6:11",
        ),
        (
            ["old", "broken/a.yaml"],
            "broken/a.yaml: the new schema cannot be used",
            "broken/a.yaml:6:11",
        ),
        (
            ["git:HEAD", "new"],
            "git:HEAD: cannot read the old schema",
            "no git repository",
        ),
    ] {
        let output = diff(path, &args);
        assert_eq!((output.status, output.stdout.as_str()), (Some(1), ""), "{args:?}");
        for part in [side, expected] {
            assert!(output.stderr.contains(part), "{args:?}: {}", output.stderr);
        }
    }
    // Problems of both sides are shown.
    let output = diff(path, &["broken", "empty"]);
    assert!(
        output.stderr.contains("the old schema") && output.stderr.contains("the new schema"),
        "{}",
        output.stderr
    );
}

#[test]
fn output_never_overwrites_a_schema() {
    let folder = two();
    for args in [["old", "new"], ["old/a.yaml", "new"]] {
        let output = diff(folder.path(), &[args[0], args[1], "-o", "old/a.yaml"]);
        assert_eq!((output.status, output.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(fs::read_to_string(folder.path().join("old/a.yaml")).unwrap(), YAML);
    }
    assert_eq!(diff(folder.path(), &["old", "new", "-o", "old/diff.txt"]).status, Some(0));
    assert!(
        fs::read_to_string(folder.path().join("old/diff.txt"))
            .unwrap()
            .contains("was Kind")
    );
}
