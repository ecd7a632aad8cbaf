//! Overlays that describe events of providers: one that is new, and more of one that the shipped schema has.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use winetl_tests::synth::{self, Buffer, Descriptor, Guid, Trace, guid};

const BILLING: Guid = guid("b1111111-0001-4b00-8d00-0000000c0de5");
const KERNEL_PROCESS: Guid = guid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");

/// A provider of its own in a layer of its own, which a second layer extends like the shipped one below.
const BASE: &str = r#"title: Billing
base: builtin
sources:
  - {id: code, kind: header, title: "billing_events.h"}
providers:
  - id: "b1111111-0001-4b00-8d00-0000000c0de5"
    name: Contoso-Billing
    doc: Bills and what becomes of them.
    sources: [code]
    layouts:
      - name: Invoice_V1
        fields:
          - {name: Number, type: u32}
    events:
      - {id: 1, name: InvoiceCreated, versions: [{version: 0, layout: Invoice_V1}]}
      - {id: 2, name: Heartbeat}
"#;

const OVERLAY: &str = r#"title: More events
base: ../base
sources:
  - {id: lab, kind: observed, title: "Traces of the lab"}
extends:
  providers:
    - name: Contoso-Billing
      sources: [lab]
      layouts:
        - name: Invoice_V2
          extends: Invoice_V1
          fields:
            - {name: Customer, type: utf16z}
      events:
        - {id: 2, name: Beat, replaces: true, versions: [{version: 0, layout: Invoice_V1}]}
      extends:
        - {id: 1, versions: [{version: 1, layout: Invoice_V2}]}
    - name: Microsoft-Windows-Kernel-Process
      sources: [lab]
      layouts:
        - name: Lab_Process
          fields:
            - {name: LabId, type: u32, refers: process}
      events:
        - {id: 900, name: LabStarted, versions: [{version: 0, layout: Lab_Process}]}
      extends:
        - id: 7
          sources: [lab]
          versions:
            - version: 200
              layout: Lab_Process
              vectors:
                - {doc: "made by hand", bytes: "07 00 00 00", expect: {LabId: 7}}
"#;

fn event(provider: Guid, id: u16, version: u8, payload: &[u8]) -> synth::Event {
    let descriptor = Descriptor {
        id,
        version,
        ..Descriptor::default()
    };
    synth::Event::header64(provider, descriptor)
        .process(4120, 4124)
        .at(Trace::qpc(50))
        .payload(payload)
}

fn run(args: &[&str]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["winetl"].iter().chain(args).map(OsString::from);
    let status = winetl_cli::run(args, &mut std::io::empty(), &mut out, &mut err);
    assert_eq!((status, String::from_utf8(err).unwrap().as_str()), (0, ""));
    String::from_utf8(out).unwrap()
}

/// Writes both layers and a trace.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("base", BASE), ("over", OVERLAY)] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("a.yaml"), text).unwrap();
    }
    let seven = 7_u32.to_le_bytes();
    let named = [&seven[..], b"A\0b\0\0\0"].concat();
    let buffer = Buffer::new(0, 1)
        .event(event(BILLING, 1, 0, &seven))
        .event(event(BILLING, 1, 1, &named))
        .event(event(BILLING, 2, 0, &seven))
        .event(event(KERNEL_PROCESS, 900, 0, &seven))
        .event(event(KERNEL_PROCESS, 7, 200, &seven))
        .event(event(KERNEL_PROCESS, 7, 0, &[4, 0, 0, 0, 8, 0, 0, 0, 5, 7]));
    fs::write(folder.path().join("a.etl"), Trace::new64().buffer(buffer).build()).unwrap();
    folder
}

/// Name and payload of each event, as read with a schema of the folder.
fn dump(folder: &Path, schema: &str) -> Vec<(Value, Value)> {
    let (schema, trace) = (folder.join(schema), folder.join("a.etl"));
    let args = [
        "dump",
        "--format",
        "jsonl",
        "--schema",
        schema.to_str().unwrap(),
        trace.to_str().unwrap(),
    ];
    let lines = run(&args);
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    // The first event is that of the session.
    lines
        .skip(1)
        .map(|line| (line["event"].clone(), line["fields"].clone()))
        .collect()
}

#[test]
fn events_of_new_and_of_extended_providers_are_dumped() {
    let folder = folder();
    let base = dump(folder.path(), "base");
    let names: Vec<&Value> = base.iter().map(|(name, _)| name).collect();
    assert_eq!(names[0], "InvoiceCreated");
    assert_eq!(base[0].1, json!({"Number": 7}));
    assert_eq!(names[2], "Heartbeat");

    let over = dump(folder.path(), "over");
    let expected = [
        ("InvoiceCreated", json!({"Number": 7})),
        ("InvoiceCreated", json!({"Number": 7, "Customer": "Ab"})),
        ("Beat", json!({"Number": 7})),
        ("LabStarted", json!({"LabId": 7})),
        // The name is that of the shipped event, which has a version more.
        (names[5].as_str().unwrap(), json!({"LabId": 7})),
        (names[5].as_str().unwrap(), base[5].1.clone()),
    ];
    let found: Vec<(&str, Value)> = over
        .iter()
        .map(|(name, payload)| (name.as_str().unwrap(), payload.clone()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn the_schema_commands_know_what_was_added() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (base, over) = (at("base"), at("over"));
    assert!(run(&["schema", "check", &over]).contains("no problems"));
    assert_eq!(
        run(&["schema", "fmt", "--check", "--schema", &over]),
        "1 file, 0 to be formatted\n"
    );
    let shown = run(&["schema", "show", "Contoso-Billing/1", &over]);
    assert!(shown.contains("version 1") && shown.contains("Customer"), "{shown}");
    let listed = run(&["schema", "show", "Microsoft-Windows-Kernel-Process", &over]);
    assert!(listed.contains("LabStarted"), "{listed}");
    let changes = run(&["schema", "diff", &base, &over]);
    for change in ["Invoice_V2", "Beat", "LabStarted", "Lab_Process"] {
        assert!(changes.contains(change), "{change}: {changes}");
    }
    assert!(!changes.contains("removed"), "{changes}");
}
