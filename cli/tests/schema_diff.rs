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
fn overlays_of_revisions_have_the_bases_of_the_revision() {
    let folder = two();
    let path = folder.path();
    git(path, &["init", "--quiet"]);
    write(path, "over/lab/a.yaml", "title: Lab\nbase: ../../old\n");
    write(path, "over/lost/a.yaml", "title: Lost\nbase: ../../../old\n");
    write(path, "over/round/a.yaml", "title: Round\nbase: ../lost\n");
    write(path, "over/self/a.yaml", "title: Self\nbase: ../self\n");
    git(path, &["add", "old", "over"]);
    git(path, &["commit", "--quiet", "-m", "First"]);
    // The base of the revision counts, whatever the folder is now.
    std::fs::remove_dir_all(path.join("old")).unwrap();
    let output = diff(path, &["git:HEAD:old", "git:HEAD:over/lab"]);
    assert_eq!((output.status, output.stderr.as_str()), (Some(0), ""));
    assert!(!output.stdout.contains("removed"), "{}", output.stdout);
    for (folder, reason) in [
        (
            "lost",
            "the base `../../../old` cannot be used: the path leads out of the revision",
        ),
        (
            "round",
            "the base `../../../old` cannot be used: the path leads out of the revision",
        ),
        ("self", "the base `../self` cannot be used: it leads back to the overlay"),
    ] {
        let output = diff(path, &["git:HEAD:old", &format!("git:HEAD:over/{folder}")]);
        assert_eq!(output.status, Some(1), "{}", output.stdout);
        assert!(
            output.stderr.contains(reason) && output.stderr.contains("E900"),
            "{}",
            output.stderr
        );
    }
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

/// A copy of the shipped schema in `folder/name`, with edits of files.
fn copy_schema(folder: &Path, name: &str, edits: &[(&str, &str, &str)]) {
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
    let target = folder.join(name);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema"), &target);
    for (file, from, to) in edits {
        let path = target.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} does not hold {from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }
}

#[test]
fn the_effect_on_dumps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples");
    fs::create_dir_all(path.join("traces/deep")).unwrap();
    fs::copy(samples.join("header-system64.etl"), path.join("traces/a.etl")).unwrap();
    fs::copy(samples.join("header-perfinfo64.etl"), path.join("traces/deep/b.ETL")).unwrap();
    write(path, "traces/broken.etl", "no trace");
    write(path, "traces/notes.txt", "nothing to read");
    // Documentation is in no dump. What is no trace is named, and the others are compared.
    copy_schema(
        path,
        "docs",
        &[(
            "event_headers.yaml",
            "How the event is to be decoded; 0 in every trace seen.",
            "How it is decoded.",
        )],
    );
    let output = diff(path, &["--traces", "traces", "builtin", "docs"]);
    assert_eq!((output.status, output.stderr.as_str()), (Some(0), ""));
    for line in [
        "traces/a.etl same\n",
        "traces/deep/b.ETL same\n",
        "traces/broken.etl unreadable: with the old schema: ",
    ] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    assert!(
        output
            .stdout
            .ends_with("\ndumps of traces: 0 differ, 2 the same, 1 unreadable\n")
    );
    // A renamed field: the first event that has it.
    copy_schema(path, "renamed", &[("event_headers.yaml", "EventProperty", "DecodedHow")]);
    let traces = ["--traces", "traces/a.etl", "--traces", "traces/deep", "builtin", "renamed"];
    let output = diff(path, &traces);
    for line in [
        "~ header.EventProperty: ",
        "~ header.DecodedHow: (none) -> ",
        "1 differ, 1 the same, 0 unreadable",
    ] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    let markdown = diff(path, &[&["--format", "markdown"], &traces[..]].concat()).stdout;
    assert!(markdown.contains("\n## Dumps of traces\n"), "{markdown}");
    assert!(markdown.contains("| `header.DecodedHow` |  | "), "{markdown}");
    let json = diff(path, &[&["--format", "json"], &traces[..]].concat()).stdout;
    let lines: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let effects: Vec<_> = lines.iter().filter(|line| line.get("trace").is_some()).collect();
    let effect = |index: usize, key: &str| effects[index][key].as_str().unwrap().to_owned();
    let mut words = [effect(0, "effect"), effect(1, "effect")];
    words.sort();
    assert_eq!((effects.len(), words), (2, ["differs".to_owned(), "same".to_owned()]));
    // Other bytes for a field: its value differs.
    let fields = |first: &str, second: &str| {
        format!(
            "0 in every trace seen.\"}}\n      - {{name: {first}Id, offset: 0x08, type: u32, role: {}_id, doc: \"",
            first.to_lowercase()
        ) + &format!(
            "Thread that logged the event.\"}}\n      - {{name: {second}Id, offset: 0x0C, type: u32, role: {}_id,",
            second.to_lowercase()
        )
    };
    let header = "event_headers.yaml";
    let edits = [
        (header, &*fields("Thread", "Process"), &*fields("Process", "Thread")),
        (
            header,
            "ThreadId: 1076\n          ProcessId: 3664",
            "ThreadId: 3664\n          ProcessId: 1076",
        ),
        (
            header,
            "ThreadId: 11\n          ProcessId: 22\n          TimeStamp: 1000016000\n          ProviderId",
            "ThreadId: 22\n          ProcessId: 11\n          TimeStamp: 1000016000\n          ProviderId",
        ),
    ];
    copy_schema(path, "moved", &edits);
    let output = diff(path, &["--traces", "traces", "builtin", "moved"]);
    for line in ["ProcessId offset: 0x0C -> 0x08", "    ~ pid: ", "    ~ header.ThreadId: "] {
        assert!(output.stdout.contains(line), "{line}: {}{}", output.stdout, output.stderr);
    }
    // Where traces can't be read at all.
    write(path, "small/a.yaml", YAML);
    write(path, "none/notes.txt", "");
    for (args, expected) in [
        (
            ["--traces", "traces", "small", "builtin"],
            "small: the old schema cannot read traces: ",
        ),
        (["--traces", "none", "builtin", "builtin"], "none: no .etl file in the folder"),
    ] {
        let output = diff(path, &args);
        assert_eq!(output.status, Some(1), "{args:?}");
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
}
