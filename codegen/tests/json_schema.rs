//! The JSON Schema is fresh, takes every schema file of the project, and refuses what the compiler refuses by shape.
#![cfg(feature = "json-schema")]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use serde_json::Value;
use winetl_codegen::SourceSet;
use winetl_codegen::json_schema::{FILE, editor_line, text};

fn shipped() -> SourceSet {
    SourceSet::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")).unwrap()
}

/// The small schema that uses the whole language.
fn features() -> SourceSet {
    SourceSet::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/features")).unwrap()
}

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&text().unwrap()).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// YAML as an editor takes it: keys that are numbers become text.
fn json(yaml: &str) -> Value {
    serde_json::to_value(serde_yaml::from_str::<serde_yaml::Value>(yaml).unwrap()).unwrap()
}

#[test]
fn the_file_is_fresh() {
    let kept = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(FILE)).unwrap_or_default();
    assert!(
        kept.replace("\r\n", "\n") == text().unwrap(),
        "schema/{FILE} is not what the model says; to renew it: cargo run -p winetl-codegen -- docs"
    );
}

#[test]
fn it_takes_every_schema_file_of_the_project() {
    let validator = validator();
    let files = shipped().files.into_iter().chain(features().files);
    let mut count = 0;
    for file in files {
        let problems: Vec<String> = validator
            .iter_errors(&json(&file.text))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(problems, [""; 0], "{}", file.name);
        count += 1;
    }
    assert!(count > 40, "only {count} files");
}

#[test]
fn it_refuses_what_the_language_does_not_know() {
    let validator = validator();
    let valid = "title: A\nstructures:\n  - {name: A, size: 4, fields: [{name: B, offset: {32: 0, 64: 0}, type: u32}]}\n";
    assert!(validator.is_valid(&json(valid)));
    let field = [
        ("type: u32", "type: u32, typ: u32"),
        ("type: u32", "type: 32"),
        (", type: u32", ""),
        ("type: u32", "type: u32, role: none_such"),
        ("type: u32", "type: u32, format: oct"),
        ("type: u32", "type: u32, bits: [{name: C, bits: low}]"),
        ("offset: {32: 0, 64: 0}", "offset: -1"),
        ("offset: {32: 0, 64: 0}", "offset: 0x100000000"),
        ("offset: {32: 0, 64: 0}", "offset: {32: 0}"),
        ("offset: {32: 0, 64: 0}", "offset: {32: 0, 64: 0, 128: 0}"),
        ("size: 4", "sise: 4"),
        ("size: 4", "size: four"),
        ("title: A", "titel: A"),
        ("title: A", "title: A\nclasses: []"),
        ("title: A", "title: A\nsources: [{id: a, kind: guessed, title: B}]"),
        ("name: A", "name: A, vectors: [{doc: a, bytes: \"\", expect: {B: 1.5}}]"),
    ];
    for (from, to) in field {
        let changed = valid.replacen(from, to, 1);
        assert_ne!(changed, valid);
        assert!(!validator.is_valid(&json(&changed)), "{changed}");
        // The compiler agrees, so an editor never shows an error that is none; roles and bits are checked later than the rest.
        let sources = SourceSet::from_texts("", [("a.yaml", changed.as_str())]);
        assert!(winetl_codegen::has_errors(&winetl_codegen::compile(&sources).1), "{changed}");
    }
}

#[test]
fn it_says_what_every_key_means() {
    let schema: Value = serde_json::from_str(&text().unwrap()).unwrap();
    let mut described = 0;
    let definitions = schema["$defs"].as_object().unwrap();
    for (name, definition) in definitions.iter().chain([(&"File".to_owned(), &schema)]) {
        assert!(definition["description"].is_string(), "{name}");
        for (key, node) in definition["properties"].as_object().into_iter().flatten() {
            assert!(node["description"].is_string(), "{name}.{key}");
            described += 1;
        }
        if definition["type"] == "object" && definition["properties"].is_object() {
            assert_eq!(definition["additionalProperties"], false, "{name}");
        }
    }
    assert!(described > 80, "only {described} keys");
    // A link of rustdoc means nothing in an editor.
    assert!(!text().unwrap().contains("[`"));
}

#[test]
fn every_shipped_file_leads_editors_to_it() {
    for file in shipped().files {
        assert_eq!(
            file.text.lines().next(),
            Some(editor_line(&file.name).as_str()),
            "{}",
            file.name
        );
    }
    assert_eq!(editor_line("a.yaml"), "# yaml-language-server: $schema=./schema.json");
    assert_eq!(editor_line("kernel/a.yaml"), "# yaml-language-server: $schema=../schema.json");
}

/// Names of all keys of the language, from the `properties` of the JSON Schema.
fn keys(node: &Value, found: &mut std::collections::BTreeSet<String>) {
    match node {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                found.extend(properties.keys().cloned());
            }
            map.values().for_each(|value| keys(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn the_guide_names_every_key() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/README.md")).unwrap();
    // What stands in code within the text: examples and recipes alone explain nothing.
    let (before, rest) = guide.split_once("\n## Recipes\n").unwrap();
    let after = rest.split_once("\n## ").unwrap().1;
    let prose: String = [before, after].concat().split("```").step_by(2).collect();
    let code: String = prose.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("\n");
    let words: std::collections::BTreeSet<&str> = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let mut all = std::collections::BTreeSet::new();
    keys(&serde_json::from_str(&text().unwrap()).unwrap(), &mut all);
    assert!(all.len() > 60, "only {} keys", all.len());
    let missing: Vec<&String> = all.iter().filter(|key| !words.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "schema/README.md says nothing of {missing:?}");
}
