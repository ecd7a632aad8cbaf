//! `winetl schema`: explanations, SARIF and the formatter, from the outside.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::ffi::OsString;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use serde_json::{Value, json};
use winetl_codegen::codes::Code;

/// Exit status, standard output and standard error.
fn run_with(args: &[&str], stdin: &[u8]) -> (u8, String, String) {
    let args = ["winetl", "schema"].iter().chain(args).map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = winetl_cli::run(args, &mut Cursor::new(stdin), &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status, text(stdout), text(stderr))
}

fn run(args: &[&str]) -> (u8, String, String) {
    run_with(args, &[])
}

fn shipped() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    folder.to_str().unwrap().to_owned()
}

const BROKEN: &str = r#"title: Queues
sources:
  - {id: traces, kind: observed, title: "Real traces"}
structures:
  - name: QUEUE
    size: 0x04
    doc: A queue.
    sources: [traces]
    fields:
      - {name: Length, offset: 0x00, type: u32, doc: "é"}
      - {name: Owner, offset: 0x03, type: u8, doc: "Who waits."}
"#;

#[test]
fn every_code_is_explained() {
    let (status, list, _) = run(&["explain"]);
    assert_eq!(status, 0);
    for code in Code::ALL {
        assert!(
            list.lines()
                .any(|line| line.starts_with(code.as_str()) && line.contains(code.title())),
            "{list}"
        );
        let (status, text, errors) = run(&["explain", &code.as_str().to_lowercase()]);
        assert_eq!((status, errors.as_str()), (0, ""));
        assert!(text.contains("Wrong:") && text.contains("Right:"), "{text}");
        let (_, page, _) = run(&["explain", code.as_str(), "--format", "markdown"]);
        assert!(page.starts_with(&format!("## {code}: ")), "{page}");
    }
    let (_, lines, _) = run(&["explain", "--format", "json"]);
    let codes: Vec<String> = lines
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["code"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert!(
        codes
            .iter()
            .map(String::as_str)
            .eq(Code::ALL.iter().map(|code| code.as_str()))
    );
}

#[test]
fn an_unknown_code_has_a_suggestion_and_the_list() {
    let (status, out, errors) = run(&["explain", "e20B"]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(errors.contains("did you mean E201?"), "{errors}");
    assert!(Code::ALL.iter().all(|code| errors.contains(code.as_str())), "{errors}");
    let (status, _, errors) = run(&["explain", "overlap"]);
    assert_eq!(status, 1);
    assert!(!errors.contains("did you mean"), "{errors}");
}

/// What SARIF 2.1.0 (OASIS, sections 3.13 to 3.30) asks of the parts that are written.
fn sarif_rules() -> Value {
    let text = json!({"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}});
    let level = json!({"enum": ["none", "note", "warning", "error"]});
    let number = json!({"type": "integer", "minimum": 1});
    json!({
        "type": "object",
        "required": ["$schema", "version", "runs"],
        "additionalProperties": false,
        "properties": {
            "$schema": {"type": "string", "pattern": "^https://.*sarif.*2\\.1\\.0.*\\.json$"},
            "version": {"const": "2.1.0"},
            "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}}
        },
        "$defs": {
            "run": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": false,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {"driver": {
                            "type": "object",
                            "required": ["name", "rules"],
                            "properties": {
                                "name": {"type": "string", "minLength": 1},
                                "semanticVersion": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"},
                                "rules": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/rule"}}
                            }
                        }}
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": {"$ref": "#/$defs/result"}}
                }
            },
            "rule": {
                "type": "object",
                "required": ["id"],
                "additionalProperties": false,
                "properties": {
                    "id": {"type": "string", "minLength": 1},
                    "name": {"type": "string", "pattern": "^[A-Z][A-Za-z]+$"},
                    "shortDescription": text,
                    "fullDescription": text,
                    "help": text,
                    "defaultConfiguration": {"type": "object", "properties": {"level": level}}
                }
            },
            "result": {
                "type": "object",
                "required": ["message"],
                "additionalProperties": false,
                "properties": {
                    "ruleId": {"type": "string"},
                    "ruleIndex": {"type": "integer", "minimum": 0},
                    "level": level,
                    "message": text,
                    "locations": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/location"}},
                    "relatedLocations": {"type": "array", "items": {"$ref": "#/$defs/location"}}
                }
            },
            "location": {
                "type": "object",
                "required": ["physicalLocation"],
                "additionalProperties": false,
                "properties": {
                    "id": {"type": "integer", "minimum": 0},
                    "message": text,
                    "physicalLocation": {
                        "type": "object",
                        "required": ["artifactLocation"],
                        "additionalProperties": false,
                        "properties": {
                            // Relative: no scheme, and no slash at the start.
                            "artifactLocation": {"type": "object", "required": ["uri"], "properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9._~%-][A-Za-z0-9._~%/-]*$"}}},
                            "region": {
                                "type": "object",
                                "required": ["startLine", "startColumn", "endLine", "endColumn"],
                                "additionalProperties": false,
                                "properties": {"startLine": number, "startColumn": number, "endLine": number, "endColumn": number}
                            }
                        }
                    }
                }
            }
        }
    })
}

/// The SARIF of a folder, proven valid.
fn sarif(folder: &Path) -> (u8, Value) {
    let (status, out, errors) = run(&["check", "--format", "sarif", folder.to_str().unwrap()]);
    assert_eq!(errors, "");
    let log: Value = serde_json::from_str(&out).unwrap();
    let problems: Vec<String> = jsonschema::validator_for(&sarif_rules())
        .unwrap()
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(problems, [""; 0], "{out}");
    (status, log)
}

#[test]
fn sarif_has_a_result_for_each_problem_and_a_rule_for_each_code() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("my part")).unwrap();
    fs::write(folder.path().join("my part/queue.yaml"), BROKEN).unwrap();
    let (status, log) = sarif(folder.path());
    assert_eq!(status, 1);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), Code::ALL.len());
    let results = run["results"].as_array().unwrap();
    // The same problems as in the form for programs, in the same order.
    let (_, lines, _) = problem_lines(folder.path());
    assert_eq!(results.len(), lines.len());
    assert!(!lines.is_empty());
    for (result, line) in results.iter().zip(&lines) {
        assert_eq!(result["ruleId"], line["code"]);
        assert_eq!(
            rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()]["id"],
            line["code"]
        );
        assert_eq!(result["level"], line["severity"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20part/queue.yaml");
        assert_eq!(place["region"]["startLine"], line["line"]);
        assert_eq!(place["region"]["startColumn"], line["column"]);
    }
    let overlap = results.iter().find(|result| result["ruleId"] == "E203").unwrap();
    let region = &overlap["locations"][0]["physicalLocation"]["region"];
    let line = BROKEN.lines().nth(10).unwrap();
    let start = line.find("0x03").unwrap() + 1;
    assert_eq!(
        *region,
        json!({"startLine": 11, "startColumn": start, "endLine": 11, "endColumn": start + 4})
    );
    assert_eq!(overlap["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 10);
}

/// The problems of a folder in the form for programs.
fn problem_lines(folder: &Path) -> (u8, Vec<Value>, String) {
    let (status, out, errors) = run(&["check", "--format", "json", folder.to_str().unwrap()]);
    (
        status,
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        errors,
    )
}

#[test]
fn sarif_of_a_sound_schema_and_of_none() {
    let (status, log) = sarif(Path::new(&shipped()));
    assert_eq!((status, &log["runs"][0]["results"]), (0, &json!([])));
    let folder = tempfile::tempdir().unwrap();
    let (status, log) = sarif(folder.path());
    assert_eq!(status, 1);
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "E002");
}

#[test]
fn fmt_checks_and_changes_files() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad, odd) = ["good.yaml", "bad.yaml", "odd.yaml"]
        .map(|name| folder.path().join(name).to_str().unwrap().to_owned())
        .into();
    fs::write(&good, "title: A\n").unwrap();
    fs::write(&bad, "title:   A # said\n\n").unwrap();
    fs::write(&odd, "title: &a A\n").unwrap();
    let (status, out, errors) = run(&["fmt", "--check", &good]);
    assert_eq!(
        (status, out.as_str(), errors.as_str()),
        (0, "1 file, 0 to be formatted\n", "")
    );
    let (status, out, _) = run(&["fmt", "--check", "--schema", folder.path().to_str().unwrap()]);
    assert_eq!((status, out), (1, format!("{bad}\n3 files, 1 to be formatted\n")));
    assert_eq!(fs::read_to_string(&bad).unwrap(), "title:   A # said\n\n");
    let (status, out, errors) = run(&["fmt", "--schema", folder.path().to_str().unwrap()]);
    // The one that has no form is named with its place, and the others are formatted all the same.
    assert_eq!((status, out), (1, format!("{bad}\n3 files, 1 formatted\n")));
    assert!(errors.contains("odd.yaml:1:8: left as it is: an anchor"), "{errors}");
    assert_eq!(fs::read_to_string(&bad).unwrap(), "title: A # said\n");
    assert_eq!(fs::read_to_string(&odd).unwrap(), "title: &a A\n");
    let (status, out, _) = run(&["fmt", &good, &bad]);
    assert_eq!((status, out.as_str()), (0, "2 files, 0 formatted\n"));
}

#[test]
fn fmt_of_standard_input_and_of_nothing() {
    let (status, out, errors) = run_with(&["fmt", "-"], b"title:   'A'");
    assert_eq!((status, out.as_str(), errors.as_str()), (0, "title: \"A\"\n", ""));
    let (status, out, _) = run_with(&["fmt", "--check", "-"], b"title:   'A'");
    assert_eq!((status, out.as_str()), (1, "standard input\n"));
    let (status, _, errors) = run(&["fmt"]);
    assert_eq!(status, 2);
    assert!(errors.contains("FILE"), "{errors}");
    let (status, _, errors) = run_with(&["fmt", "-"], b"\xff");
    assert_eq!(status, 1);
    assert!(errors.contains("UTF-8"), "{errors}");
    let (status, _, errors) = run(&["fmt", "/nowhere/a.yaml"]);
    assert_eq!(status, 1);
    assert!(errors.contains("/nowhere/a.yaml: cannot read"), "{errors}");
}

#[test]
fn shipped_files_are_formatted() {
    let (status, out, errors) = run(&["fmt", "--check", "--schema", &shipped()]);
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
}

#[test]
fn events_of_providers_are_shown() {
    let schema = shipped();
    let show = |args: &[&str]| {
        let (status, out, errors) = run(&[&["show"], args, &[schema.as_str()]].concat());
        assert_eq!((status, errors.as_str()), (0, ""), "{args:?}");
        out
    };
    let provider = show(&["microsoft-windows-kernel-process"]);
    assert!(provider.contains("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"), "{provider}");
    assert!(
        provider.contains("Microsoft-Windows-Kernel-Process/ProcessStart/Start"),
        "{provider}"
    );
    // By number, by full name, and by its own name, which only one provider has.
    let event = show(&["Microsoft-Windows-Kernel-Process/5"]);
    assert_eq!(event, show(&["Microsoft-Windows-Kernel-Process/ImageLoad"]));
    assert_eq!(event, show(&["ImageLoad"]));
    assert!(event.contains("id       5") && event.contains("ImageCheckSum"), "{event}");
    let matrix = show(&["Microsoft-Windows-Kernel-Process/1", "--matrix"]);
    let flags = matrix.lines().find(|line| line.starts_with("Flags")).unwrap();
    assert_eq!(flags.split_whitespace().collect::<Vec<_>>(), ["Flags", "5.", "u32"]);
    // The schema does not say which Windows writes the two.
    let windows = show(&["Microsoft-Windows-Kernel-Process/1", "--windows", "6.1"]);
    assert!(
        windows.contains("does not say which Windows writes version 0, 1"),
        "{windows}"
    );
    let layout = show(&["KernelProcess_Priority_V0"]);
    assert!(
        layout.contains("Microsoft-Windows-Kernel-Process/IoPriorityChange"),
        "{layout}"
    );
    let (_, list, _) = run(&["list", schema.as_str()]);
    assert!(
        list.contains("Microsoft-Windows-Kernel-Network/KNetEvt_SendIPV4"),
        "no event of a provider in the list"
    );
    let (status, _, errors) = run(&["show", "KNetEvt_SendIPV5", schema.as_str()]);
    assert_eq!(status, 1);
    assert!(errors.contains("no such name"), "{errors}");
}
