//! Problems of a schema as SARIF 2.1.0, the form that code scanning services and editors read.
//!
//! Structures and not `serde_json::json!`, so that the order of the keys is the one written here.

use std::path::Path;

use serde::Serialize;
use winetl_codegen::codes::Code;
use winetl_codegen::diagnostic::{Label, Target};
use winetl_codegen::explain::explain;
use winetl_codegen::render::position;
use winetl_codegen::{Diagnostic, Severity, SourceSet};

/// A SARIF file.
#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Finding>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: String,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

/// All problems, with the rules of all codes.
pub(super) fn log(sources: &SourceSet, problems: &[Diagnostic]) -> Log {
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "winetl",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: Code::ALL.iter().map(|code| rule(*code)).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results: problems.iter().map(|problem| finding(sources, problem)).collect(),
        }],
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn rule(code: Code) -> Rule {
    let explanation = explain(code);
    let text = |text: &str| Text { text: text.to_owned() };
    Rule {
        id: code.as_str(),
        name: format!("{code:?}"),
        short_description: text(code.title()),
        full_description: text(code.meaning()),
        help: Help {
            text: explanation.mend.to_owned(),
            markdown: explanation.markdown(),
        },
        default_configuration: Configuration {
            level: level(code.severity()),
        },
    }
}

fn finding(sources: &SourceSet, problem: &Diagnostic) -> Finding {
    let mut text = problem.message.clone();
    if let Some(help) = &problem.help {
        text = format!("{text}; {help}");
    }
    let mut locations = problem.labels.iter().enumerate().map(|(index, label)| Location {
        id: (index > 0).then_some(index),
        physical_location: place(sources, label),
        message: Some(&label.text)
            .filter(|text| !text.is_empty())
            .map(|text| Text { text: text.clone() }),
    });
    Finding {
        rule_id: problem.code.as_str(),
        rule_index: Code::ALL.iter().position(|code| *code == problem.code).unwrap_or_default(),
        level: level(problem.severity()),
        message: Text { text },
        locations: locations.next().into_iter().collect(),
        related_locations: locations.collect(),
    }
}

fn place(sources: &SourceSet, label: &Label) -> PhysicalLocation {
    let position = position(sources, label);
    let path = match &label.target {
        Target::Path(path) => path.clone(),
        // A file of a folder that lies elsewhere is named as in the folder.
        _ => relative(&position.file).unwrap_or_else(|| position.file.trim_start_matches(sources.folder.as_str()).to_owned()),
    };
    let path = relative(&path).unwrap_or(path);
    PhysicalLocation {
        artifact_location: ArtifactLocation {
            uri: uri(path.trim_start_matches('/')),
        },
        region: (position.line > 0).then_some(Region {
            start_line: position.line,
            start_column: position.column,
            end_line: position.end_line,
            end_column: position.end_column,
        }),
    }
}

/// A path as seen from where the command runs; none if it lies elsewhere.
fn relative(path: &str) -> Option<String> {
    let path = Path::new(path);
    let path = if path.is_absolute() {
        path.strip_prefix(std::env::current_dir().ok()?).ok()?
    } else {
        path
    };
    let path = path.strip_prefix(".").unwrap_or(path);
    Some(path.display().to_string().replace('\\', "/"))
}

/// A path as a relative URI (RFC 3986): what is no letter, digit or one of `-._~/` is escaped.
fn uri(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_relative_and_escaped() {
        assert_eq!(uri("my schema/é%.yaml"), "my%20schema/%C3%A9%25.yaml");
        assert_eq!(relative("./schema/a.yaml").as_deref(), Some("schema/a.yaml"));
        let here = std::env::current_dir().unwrap().join("schema/a.yaml");
        assert_eq!(relative(&here.display().to_string()).as_deref(), Some("schema/a.yaml"));
        assert_eq!(relative("/nowhere/else/a.yaml"), None);
    }
}
