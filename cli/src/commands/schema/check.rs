//! `winetl schema check`: every problem of the files, for people and for programs.

use std::io;
use std::path::PathBuf;

use serde::Serialize;
use winetl_codegen::render::{position, render_all};
use winetl_codegen::{Diagnostic, Severity, SourceSet, has_errors};

use super::{load, sarif, style};
use crate::args::CheckFormat;
use crate::commands::Streams;
use crate::render::json::push_line;
use crate::render::table::counted;

/// Checks a schema and shows all problems.
pub(super) fn run(folder: Option<&PathBuf>, format: CheckFormat, streams: &mut Streams<'_>) -> io::Result<()> {
    let (sources, schema, problems) = load(folder);
    match format {
        CheckFormat::Json => {
            for problem in &problems {
                let mut line = Vec::new();
                push_line(&Problem::new(&sources, problem), &mut line)?;
                streams.out.write_all(&line)?;
            }
        }
        CheckFormat::Sarif => {
            let mut text = serde_json::to_vec_pretty(&sarif::log(&sources, &problems))?;
            text.push(b'\n');
            streams.out.write_all(&text)?;
        }
        CheckFormat::Text => {
            if !problems.is_empty() {
                let blank = if sources.files.is_empty() { "" } else { "\n" };
                writeln!(streams.out, "{}{blank}", render_all(&sources, &problems, style(streams)))?;
            }
            if sources.files.is_empty() {
                streams.messages.fail();
                return Ok(());
            }
            let errors = problems
                .iter()
                .filter(|problem| problem.severity() == Severity::Error)
                .count();
            let counts = match (errors, problems.len() - errors) {
                (0, 0) => "no problems".to_owned(),
                (errors, warnings) => format!("{}, {}", counted(errors as u64, "error"), counted(warnings as u64, "warning")),
            };
            let content = [
                (schema.files.len(), "file"),
                (schema.structures.len(), "structure"),
                (schema.tables.len(), "table"),
                (schema.providers.len(), "provider"),
            ];
            let content = content.map(|(number, word)| counted(number as u64, word)).join(", ");
            writeln!(streams.out, "{}: {content}: {counts}", sources.folder)?;
        }
    }
    if has_errors(&problems) {
        streams.messages.fail();
    }
    Ok(())
}

/// A diagnostic for programs.
#[derive(Serialize)]
struct Problem<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<Place>,
    help: Option<&'a str>,
    labels: Vec<LabelText<'a>>,
}

#[derive(Serialize)]
struct LabelText<'a> {
    #[serde(flatten)]
    place: Place,
    text: &'a str,
}

/// Line and column count from 1; 0 where there is no text.
#[derive(Serialize)]
struct Place {
    file: String,
    line: usize,
    column: usize,
}

impl<'a> Problem<'a> {
    fn new(sources: &SourceSet, problem: &'a Diagnostic) -> Self {
        let place = |label| {
            let position = position(sources, label);
            Place {
                file: position.file,
                line: position.line,
                column: position.column,
            }
        };
        Self {
            code: problem.code.as_str(),
            severity: match problem.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &problem.message,
            place: problem.labels.first().map(place),
            help: problem.help.as_deref(),
            labels: problem
                .labels
                .iter()
                .map(|label| LabelText {
                    place: place(label),
                    text: &label.text,
                })
                .collect(),
        }
    }
}
