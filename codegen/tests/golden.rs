//! Golden copies of the generated Rust: of the project's schema and of a small one that uses all of the language.
//!
//! A golden copy is a Rust file beside its `.snap` header in `tests/snapshots`. To renew them after a change of the
//! generator or the schema, look at the difference that this makes:
//! `INSTA_UPDATE=always cargo test -p winetl-codegen --test golden && git diff codegen/tests/snapshots`

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Schema, SourceSet, compile, emit};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The schema of the project.
fn shipped() -> SourceSet {
    SourceSet::read(&folder("../schema")).unwrap()
}

/// The small schema.
fn features() -> SourceSet {
    SourceSet::read(&folder("tests/features")).unwrap()
}

fn schema(sources: &SourceSet) -> Schema {
    let (schema, problems) = compile(sources);
    assert_eq!(render_all(sources, &problems, Style::Plain), "");
    schema
}

fn generated(sources: &SourceSet) -> BTreeMap<String, String> {
    emit::rust(&schema(sources))
}

/// Compares each generated file with its golden copy; a copy of a file that is no longer generated is an error.
fn check(prefix: &str, files: &BTreeMap<String, String>) {
    let mut wanted = Vec::new();
    for (name, text) in files {
        let name = format!("{prefix}_{}", name.replace('/', "_"));
        // insta takes the extension from the name, and writes NAME.snap and NAME.snap.rs.
        insta::assert_binary_snapshot!(&name, text.clone().into_bytes());
        wanted.push(format!("golden__{}", name.trim_end_matches(".rs")));
    }
    for entry in fs::read_dir(folder("tests/snapshots")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let ours = name.starts_with(&format!("golden__{prefix}_"));
        assert!(
            !ours || wanted.iter().any(|wanted| name.split('.').next() == Some(wanted)),
            "{name} belongs to no generated file: remove it"
        );
    }
}

#[test]
fn rust_of_the_shipped_schema() {
    check("schema", &generated(&shipped()));
}

#[test]
fn rust_of_every_feature() {
    check("features", &generated(&features()));
}

#[test]
fn the_small_schema_uses_the_whole_language() {
    let text: String = features().files.iter().map(|file| file.text.as_str()).collect();
    for part in [
        "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "ptr", "guid", "filetime", "bytes", "utf16", "ansi", "utf16z",
        "ansiz", "utf8z", "sid",
    ] {
        assert!(
            text.contains(&format!("type: {part},")) || text.contains(&format!("type: {part}\n")),
            "no field of type {part}"
        );
    }
    for part in [
        "count: 3",
        "count: \"",
        "count: rest",
        "size: 4",
        "size: \"",
        "if: \"",
        "overlay: true",
        "bits: 4-7",
        "bits: 0,",
        "expect: 0x",
        "format: hex",
        "hidden: true",
        "unit: ",
        "role: ",
        "derived:",
        "variant_of: ",
        "since: ",
        "until: ",
        "min_size: {32",
        "size: 0x",
        "offset: {32",
        "marker_mask: ",
        "when: ",
        "opaque: true",
        "end: true",
        "pointers: 32",
        "log_version: ",
        "groups:",
        "label: ",
        "class_id: ",
        "extends: ",
        "optional: true",
        "align: ptr",
        "refers: ",
        "carried_events:",
        "defines: ",
        "lifetime: ",
        "align: 4",
        "format: clock",
        "type: token_user",
        "type: port",
        "type: ipv4",
        "type: ipv6",
        "type: size_t",
        "type: f64",
        "constant: ",
        "verified: ",
        "hook_id: ",
        "typed: true",
        "type: {type: ",
        "url: ",
        "providers:",
        "kernel: true",
        "PointerSize",
        "LogVersion",
    ] {
        assert!(text.contains(part), "{part} is not used");
    }
}

#[test]
fn the_result_is_the_same_each_time_and_in_any_order() {
    for sources in [shipped(), features()] {
        let first = generated(&sources);
        assert_eq!(first, generated(&sources));
        let texts: Vec<(&str, &str)> = sources
            .files
            .iter()
            .map(|file| (file.name.as_str(), file.text.as_str()))
            .collect();
        for turn in 1..texts.len() {
            let mut shuffled = texts.clone();
            shuffled.rotate_left(turn);
            shuffled.swap(0, turn / 2);
            assert_eq!(first, generated(&SourceSet::from_texts("elsewhere", shuffled)));
        }
        // A comment moves all positions, but no generated text.
        let commented: Vec<(&str, String)> = texts
            .iter()
            .map(|(name, text)| (*name, format!("# A comment.\n\n{text}\n# The end.\n")))
            .collect();
        assert_eq!(
            first,
            generated(&SourceSet::from_texts(
                "",
                commented.iter().map(|(name, text)| (*name, text.as_str()))
            ))
        );
    }
}

#[test]
fn generated_text_names_no_place_of_this_machine() {
    let here = env!("CARGO_MANIFEST_DIR");
    let page = emit::format_md::page(&schema(&shipped()));
    let files = generated(&shipped());
    for (name, text) in files
        .iter()
        .map(|(name, text)| (name.as_str(), text))
        .chain([("FORMAT.md", &page)])
    {
        assert!(!text.contains(here), "{name} holds the path of the source");
        assert!(!text.contains("/home/") && !text.contains(":\\Users"), "{name} holds a path");
        assert!(
            !text.contains('\r') && !text.contains('\t'),
            "{name} holds carriage returns or tabs"
        );
        assert!(
            text.ends_with('\n') && !text.ends_with("\n\n"),
            "{name} does not end with one line end"
        );
    }
}

#[test]
fn windows_line_ends_give_the_same_text() {
    let sources = features();
    let texts: Vec<(String, String)> = sources
        .files
        .iter()
        .map(|file| (file.name.clone(), file.text.replace('\n', "\r\n")))
        .collect();
    let converted = SourceSet::from_texts("schema", texts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    assert_eq!(generated(&sources), generated(&converted));
}

#[test]
fn the_reference_page_is_fresh() {
    let kept = fs::read_to_string(folder("../schema/FORMAT.md")).unwrap_or_default();
    let page = emit::format_md::page(&schema(&shipped()));
    assert!(
        kept == page,
        "schema/FORMAT.md is not what the schema says; to renew it: cargo run -p winetl-codegen -- docs"
    );
}

#[test]
fn the_table_of_headers_in_the_readme_is_fresh() {
    let kept = fs::read_to_string(folder("../README.md")).unwrap().replace("\r\n", "\n");
    let fresh = emit::format_md::with_header_table(&kept, &schema(&shipped())).expect("the README has a place for the table");
    assert!(
        kept == fresh,
        "the table of headers in README.md is not what the schema says; to renew it: cargo run -p winetl-codegen -- docs"
    );
}

/// The lines that differ between two texts of as many lines.
fn changed_lines<'a>(before: &'a str, after: &'a str) -> Vec<(&'a str, &'a str)> {
    assert_eq!(before.lines().count(), after.lines().count());
    before
        .lines()
        .zip(after.lines())
        .filter(|(before, after)| before != after)
        .map(|(a, b)| (a.trim(), b.trim()))
        .collect()
}

#[test]
fn a_renamed_field_changes_only_what_names_it() {
    let before = features();
    let mut after = before.clone();
    let shapes = after.files.iter_mut().find(|file| file.name == "shapes.yaml").unwrap();
    assert!(shapes.text.contains("{name: Clock, offset: 0x04,"));
    shapes.text = shapes
        .text
        .replace("{name: Clock, offset: 0x04,", "{name: Watch, offset: 0x04,")
        .replace("{Size: 8, Clock: 9}", "{Size: 8, Watch: 9}");
    let (before, after) = (generated(&before), generated(&after));
    let differing: Vec<&str> = before
        .iter()
        .filter(|(name, text)| after[*name] != **text)
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(differing, ["format/shapes.rs", "format/vectors.rs"]);
    for (from, to) in changed_lines(&before["format/shapes.rs"], &after["format/shapes.rs"]) {
        assert_eq!(from.replace("Clock", "Watch").replace("clock", "watch"), to);
        assert!(from.contains("Clock") || from.contains("clock"), "{from}");
    }
    assert_eq!(
        changed_lines(&before["format/vectors.rs"], &after["format/vectors.rs"]).len(),
        1
    );
}
