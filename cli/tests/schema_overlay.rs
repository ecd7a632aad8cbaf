//! Overlays: a folder that changes the built-in schema, by `--schema` and in the schema commands.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// Status, standard output and standard error of a command line.
fn run(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["winetl"].iter().chain(args).map(OsString::from);
    let status = winetl_cli::run(args, &mut std::io::empty(), &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn sample() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("tests/samples/hello.etl").display().to_string()
}

/// Renames a group, a field of a payload and an event.
const OVERLAY: &str = r#"title: Names of a lab
base: builtin
sources:
  - {id: lab, kind: observed, title: "Traces of the lab"}
extends:
  enums:
    - name: EVENT_TRACE_GROUP
      values:
        - {value: 0x03, name: LAB_GROUP_PROCESS, replaces: true}
  event_classes:
    - name: Process
      layouts:
        - name: Lab_Process
          fields:
            - {name: LabKey, type: ptr, doc: "Address of the process object."}
            - {name: LabId, type: u32, refers: process, doc: "Number of the process."}
      events:
        - name: Exit
          replaces: End
          type: 0x02
          doc: "A process ends."
          versions:
            - {version: 4, layout: Lab_Process}
"#;

fn overlay(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lab.yaml"), text).unwrap();
    folder
}

/// The events of the sample without those of a name.
fn without(out: &str, event: &str) -> Vec<String> {
    let lines = out.lines().filter(|line| !line.contains(&format!("\"event\":\"{event}\"")));
    lines
        .map(|line| line.replace("LAB_GROUP_PROCESS", "EVENT_TRACE_GROUP_PROCESS"))
        .collect()
}

#[test]
fn a_dump_has_what_the_overlay_says_and_else_what_the_base_says() {
    let folder = overlay(OVERLAY);
    let schema = folder.path().display().to_string();
    let (status, out, err) = run(&["dump", "--format", "jsonl", "--schema", &schema, &sample()]);
    assert_eq!((status, err.as_str()), (0, ""));
    let exit = out.lines().find(|line| line.contains("\"event\":\"Process/Exit\"")).unwrap();
    assert!(exit.contains("\"LabKey\":\"0xffffc60f61a2b080\",\"LabId\":4120"), "{exit}");
    assert!(exit.contains("\"Group\":\"LAB_GROUP_PROCESS\""), "{exit}");
    let (_, plain, _) = run(&["dump", "--format", "jsonl", &sample()]);
    assert_eq!(without(&out, "Process/Exit"), without(&plain, "Process/End"));
    // A single file is an overlay too.
    let file = folder.path().join("lab.yaml").display().to_string();
    let (_, of_file, _) = run(&["dump", "--format", "jsonl", "--schema", &file, &sample()]);
    assert_eq!(of_file, out);
}

#[test]
fn the_schema_commands_see_base_and_overlay() {
    let folder = overlay(OVERLAY);
    let schema = folder.path().display().to_string();
    let (status, out, _) = run(&["schema", "check", &schema]);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("no problems") && !out.contains(" 1 file"), "{out}");
    let (status, out, err) = run(&["schema", "diff", "builtin", &schema]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("LAB_GROUP_PROCESS") && out.contains("Process/Exit"), "{out}");
    assert!(!out.contains("Thread/"), "{out}");
    let (status, out, _) = run(&["schema", "show", "Process/Exit", &schema]);
    assert!(status == 0 && out.contains("LabKey"), "{out}");
    let (status, out, _) = run(&["schema", "fmt", "--check", "--schema", &schema]);
    assert_eq!((status, out.as_str()), (0, "1 file, 0 to be formatted\n"));
}

#[test]
fn problems_point_at_the_overlay_and_at_the_base() {
    let folder = overlay(&OVERLAY.replace(", replaces: true", ""));
    let schema = folder.path().display().to_string();
    let (status, out, err) = run(&["dump", "--schema", &schema, &sample()]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("error[E303]") && err.contains("lab.yaml:9:"), "{err}");
    assert!(err.contains("builtin/") && err.contains("replaces: true"), "{err}");
    let (status, out, _) = run(&["schema", "check", "--format", "json", &schema]);
    let problem: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &problem["code"]), (1, &"E303".into()));
    assert!(problem["file"].as_str().unwrap().ends_with("/lab.yaml"), "{problem}");
    assert!(
        problem["labels"][1]["file"].as_str().unwrap().starts_with("builtin/"),
        "{problem}"
    );
}

#[test]
fn a_base_that_is_not_there_is_reported() {
    let folder = overlay("title: A\nbase: ../nowhere-at-all\n");
    let schema = folder.path().display().to_string();
    for command in [&["dump", "--schema", &schema, &sample()][..], &["schema", "check", &schema]] {
        let (status, out, err) = run(command);
        let text = out + &err;
        assert_eq!(status, 1);
        assert!(text.contains("error[E900]") && text.contains("lab.yaml:2:7"), "{text}");
    }
}
