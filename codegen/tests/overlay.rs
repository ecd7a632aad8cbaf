//! Overlays on the shipped schema: read from folders, composed, resolved and emitted.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use winetl_codegen::codes::Code;
use winetl_codegen::emit;
use winetl_codegen::model::Payload;
use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Diagnostic, Schema, SourceSet, compile, has_errors};

fn shipped() -> Result<SourceSet, Vec<Diagnostic>> {
    SourceSet::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema"))
}

fn builtin() -> Result<SourceSet, Vec<Diagnostic>> {
    shipped().map(|sources| sources.named("builtin"))
}

/// Adds to each kind of thing.
const OVERLAY: &str = r#"title: Processes of a lab
base: builtin
sources:
  - {id: lab, kind: observed, title: "Traces of the lab"}
extends:
  flags:
    - name: PROCESS_TRACE_FLAGS
      sources: [lab]
      bits:
        - {value: 0x80000000, name: PROCESS_FLAG_OF_THE_LAB}
  event_classes:
    - name: Process
      sources: [lab]
      layouts:
        - name: Process_Lab
          extends: Process_V4_TypeGroup1
          fields:
            - {name: Bench, type: u32, doc: "Number of the bench."}
        - name: Process_V2_TypeGroup3
          replaces: Process_V2_TypeGroup3
          fields:
            - {name: Renamed, type: ptr, doc: "Address of the process object."}
      events:
        - {name: Glow, type: 0x7E, versions: [{version: 1, layout: Process_Lab}]}
      extends:
        - {name: Start, versions: [{version: 9, layout: Process_Lab}]}
structures:
  - name: LAB_RECORD
    size: 0x04
    doc: What the lab writes.
    sources: [lab]
    fields:
      - {name: Bench, offset: 0x00, type: u32, doc: "Number of the bench."}
    vectors:
      - {doc: "made by hand", bytes: "07 00 00 00", expect: {Bench: 7}}
"#;

fn without_errors(sources: &SourceSet) -> Schema {
    let (schema, problems) = compile(sources);
    let text = render_all(sources, &problems, Style::Plain);
    assert!(!has_errors(&problems), "{text}");
    schema
}

fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn an_overlay_is_compiled_and_emitted_with_its_base() {
    let folder = folder_of(&[("mine/process.yaml", OVERLAY)]);
    let sources = SourceSet::read_with_bases(&folder.path().join("mine"), &builtin).unwrap();
    assert!(sources.display_name(0).starts_with("builtin/"), "{}", sources.display_name(0));
    let schema = without_errors(&sources);
    let base = without_errors(&shipped().unwrap());

    let table = |schema: &Schema| {
        schema
            .tables
            .iter()
            .find(|table| table.name == "PROCESS_TRACE_FLAGS")
            .unwrap()
            .clone()
    };
    let (new, old) = (table(&schema), table(&base));
    assert_eq!((new.entries.len(), new.place.clone()), (old.entries.len() + 1, old.place));
    assert_eq!(new.sources.last().unwrap().title, "Traces of the lab");

    let class = schema.classes.iter().find(|class| class.name == "Process").unwrap();
    let event = |name: &str| class.events.iter().find(|event| event.name == name).unwrap();
    assert_eq!(event("Process/Glow").hook_id, Some(0x037E));
    let start = event("Process/Start").versions.last().unwrap();
    let Payload::Layout(layout) = start.payload else {
        panic!("{start:?}")
    };
    let layout = &schema.layouts[layout];
    assert_eq!((start.version, layout.name.as_str()), (9, "Process_Lab"));
    assert_eq!(layout.fields.last().unwrap().name, "Bench");
    assert!(layout.fields.len() > 1);

    // All that the overlay does not name is as it was, and the module of what it changes is that of the base.
    assert_eq!(schema.structures.len(), base.structures.len() + 1);
    let (new, old) = (emit::rust(&schema), emit::rust(&base));
    assert!(new["format/overlay_process.rs"].contains("struct LabRecord"));
    assert!(new[&module_of(&old, "pub struct ProcessTraceFlags")].contains("OF_THE_LAB"));
    assert!(new["format/events.rs"].contains("Process/Glow"));
    assert_eq!(new["format/event_headers.rs"], old["format/event_headers.rs"]);
    assert!(old.keys().all(|file| new.contains_key(file)));
    let renamed = new.values().any(|text| text.contains("Renamed"));
    assert!(renamed, "the layout that takes the place of another is emitted");
}

fn module_of(files: &std::collections::BTreeMap<String, String>, text: &str) -> String {
    files.iter().find(|(_, file)| file.contains(text)).unwrap().0.clone()
}

#[test]
fn overlays_lie_on_overlays_and_the_same_files_in_memory_are_the_same() {
    let above = "title: Above\nbase: ../mine\nsources: []\nextends:\n  flags:\n    - name: PROCESS_TRACE_FLAGS\n      bits:\n        - {value: 0x80000000, name: PROCESS_FLAG_OF_NOBODY, replaces: true}\n";
    let folder = folder_of(&[("mine/process.yaml", OVERLAY), ("above/a.yaml", above)]);
    let sources = SourceSet::read_with_bases(&folder.path().join("above"), &builtin).unwrap();
    assert_eq!(sources.folders.len(), 3);
    let schema = without_errors(&sources);
    let table = schema
        .tables
        .iter()
        .find(|table| table.name == "PROCESS_TRACE_FLAGS")
        .unwrap();
    assert_eq!(table.entries.last().unwrap().name, "PROCESS_FLAG_OF_NOBODY");
    // As the build script embeds it.
    let texts = sources
        .files
        .iter()
        .map(|file| (file.layer, file.name.as_str(), file.text.as_str()));
    assert_eq!(without_errors(&SourceSet::from_layers("", texts)), schema);
}

#[test]
fn a_case_of_an_overlay_goes_first_and_drops_what_it_hides() {
    let text = "title: Headers\nbase: builtin\nextends:\n  dispatch:\n    - name: TRACE_HEADER\n      cases:\n        - {marker: 0xC0, value: 0x01, name: MINE, structure: SYSTEM_TRACE_HEADER, pointers: 32}\n";
    let overlay = SourceSet::from_texts("mine", [("a.yaml", text)]);
    let schema = without_errors(&overlay.over_builtin(&builtin));
    let base = without_errors(&shipped().unwrap());
    let cases = |schema: &Schema| {
        let dispatch = schema
            .dispatches
            .iter()
            .find(|dispatch| dispatch.name == "TRACE_HEADER")
            .unwrap();
        dispatch.cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>()
    };
    let (new, old) = (cases(&schema), cases(&base));
    assert_eq!(new[0], "MINE");
    assert_eq!(new.len(), old.len());
    assert!(!new.contains(&"TRACE_HEADER_TYPE_SYSTEM32".to_owned()), "{new:?}");
}

/// The one problem of a folder with a base that can't be had.
fn base_problem(folder: &Path) -> String {
    let sources = SourceSet::read_with_bases(folder, &builtin).unwrap();
    let (schema, problems) = compile(&sources);
    let text = render_all(&sources, &problems, Style::Plain);
    assert_eq!(
        problems.iter().map(|problem| problem.code).collect::<Vec<_>>(),
        [Code::Base],
        "{text}"
    );
    assert!(
        has_errors(&problems) && schema.files.len() < 5,
        "nothing is to be generated from it"
    );
    text
}

#[test]
fn bases_that_cannot_be_had_are_reported_where_they_are_named() {
    let folder = folder_of(&[
        ("itself/a.yaml", "title: A\nbase: .\n"),
        ("one/a.yaml", "title: A\nbase: ../two\n"),
        ("two/a.yaml", "title: A\nbase: ../one\n"),
        ("outer/a.yaml", "title: A\nbase: inner\n"),
        ("outer/inner/a.yaml", "title: A\n"),
        ("absent/a.yaml", "title: A\nbase: ../nowhere\n"),
        ("empty/a.yaml", "title: A\nbase: ../hollow\n"),
        ("hollow/a.txt", ""),
        ("up/a.yaml", "title: A\nbase: ..\n"),
    ]);
    for (name, reason) in [
        ("itself", "it is the overlay itself"),
        ("one", "it leads back to the overlay"),
        ("outer", "one of the two folders lies in the other"),
        ("up", "one of the two folders lies in the other"),
        ("absent", "cannot read"),
        ("empty", "no .yaml file in"),
    ] {
        let text = base_problem(&folder.path().join(name));
        assert!(
            text.starts_with("error[E900]: the base `") && text.contains(reason),
            "{name}: {text}"
        );
        assert!(text.contains("a.yaml:2:7"), "{name}: {text}");
    }
}

#[test]
fn a_long_chain_of_overlays_is_refused() {
    let files: Vec<(String, String)> = (0..20)
        .map(|at| (format!("f{at}/a.yaml"), format!("title: A\nbase: ../f{}\n", at + 1)))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder_of(&files);
    let text = base_problem(&folder.path().join("f0"));
    assert!(text.contains("more than 8 overlays lie on each other"), "{text}");
}

#[test]
fn a_folder_read_without_its_base_generates_nothing() {
    let folder = folder_of(&[("process.yaml", OVERLAY)]);
    let sources = SourceSet::read(folder.path()).unwrap();
    let (_, problems) = compile(&sources);
    assert!(problems.iter().any(|problem| problem.code == Code::Base));
}

#[cfg(unix)]
#[test]
fn a_base_with_endless_folders_or_files_is_refused() {
    let folder = folder_of(&[("mine/a.yaml", "title: A\nbase: ../loop\n"), ("loop/a.yaml", "title: A\n")]);
    for name in ["one", "two", "three"] {
        std::os::unix::fs::symlink(folder.path().join("loop"), folder.path().join("loop").join(name)).unwrap();
    }
    assert!(base_problem(&folder.path().join("mine")).contains("is no schema folder"));
    let folder = folder_of(&[("mine/a.yaml", "title: A\nbase: ../zero\n"), ("zero/b.txt", "")]);
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero/a.yaml")).unwrap();
    assert!(base_problem(&folder.path().join("mine")).contains("is no schema folder"));
}

#[test]
fn every_cut_of_an_overlay_is_read_without_a_panic() {
    let base = "title: B\nsources: [{id: a, kind: observed, title: A}]\nflags:\n  - {name: PROCESS_FLAG, type: u32, doc: A., sources: [a], bits: [{value: 1, name: PROCESS_ONE}]}\n";
    let base = SourceSet::from_texts("builtin", [("b.yaml", base)]);
    for length in (0..OVERLAY.len()).filter(|length| OVERLAY.is_char_boundary(*length)) {
        let overlay = SourceSet::from_texts("mine", [("a.yaml", &OVERLAY[..length])]);
        let sources = base.clone().with_overlay(overlay);
        let (_, problems) = compile(&sources);
        render_all(&sources, &problems, Style::Plain);
    }
}

#[test]
fn the_example_of_the_guide_has_no_problems() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/README.md")).unwrap();
    let guide = guide.replace("\r\n", "\n");
    let (_, section) = guide.split_once("\n## Overlays\n").unwrap();
    let (_, example) = section.split_once("```yaml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let sources = SourceSet::from_texts("lab", [("lab.yaml", example)]).over_builtin(&builtin);
    let (_, problems) = compile(&sources);
    assert_eq!(render_all(&sources, &problems, Style::Plain), "");
}
