//! `winetl schema explain`: what a code means, with a file that raises it and one that does not.

use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use winetl_codegen::Severity;
use winetl_codegen::codes::Code;
use winetl_codegen::explain::{Example, Explanation, explain};
use winetl_codegen::names::closest;
use winetl_codegen::render::Style;

use super::style;
use crate::args::ExplainFormat;
use crate::commands::Streams;
use crate::render::json::push_line;
use crate::render::table::{Table, WIDTH, wrap};

/// Explains one code, or lists all.
pub(super) fn run(code: Option<&str>, format: ExplainFormat, streams: &mut Streams<'_>) -> io::Result<()> {
    let codes = match code {
        None => Code::ALL,
        Some(text) => match Code::ALL.iter().find(|code| Code::find(text) == Some(**code)) {
            Some(code) => std::slice::from_ref(code),
            None => {
                streams.messages.unusable(text, &unknown(text));
                return Ok(());
            }
        },
    };
    match format {
        ExplainFormat::Text if code.is_none() => streams.out.write_all(list().as_bytes())?,
        ExplainFormat::Text => {
            let style = style(streams);
            for code in codes {
                streams.out.write_all(text(&explain(*code), style).as_bytes())?;
            }
        }
        ExplainFormat::Markdown => {
            let pages: Vec<String> = codes.iter().map(|code| explain(*code).markdown()).collect();
            streams.out.write_all(pages.join("\n").as_bytes())?;
        }
        ExplainFormat::Json => {
            let mut lines = Vec::new();
            for code in codes {
                push_line(&Entry::new(&explain(*code)), &mut lines)?;
            }
            streams.out.write_all(&lines)?;
        }
    }
    Ok(())
}

/// What to tell of a code that is none.
fn unknown(text: &str) -> String {
    let names = Code::ALL.iter().map(|code| code.as_str());
    let similar = match closest(&text.to_ascii_uppercase(), names.clone()) {
        Some(similar) => format!("did you mean {similar}? "),
        None => String::new(),
    };
    let all: Vec<&str> = names.collect();
    format!("there is no such code; {similar}The codes are {}", all.join(", "))
}

fn list() -> String {
    let mut table = Table::default();
    table.row(["code", "severity", "problem"].map(str::to_owned));
    for code in Code::ALL {
        table.row([code.as_str().to_owned(), severity(*code).to_owned(), code.title().to_owned()]);
    }
    table.render()
}

fn severity(code: Code) -> &'static str {
    match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// The explanation for a terminal.
fn text(explanation: &Explanation, style: Style) -> String {
    let Explanation { code, mend, example } = explanation;
    let mut out = format!("{code} ({}): {}\n", severity(*code), code.title());
    for paragraph in [code.meaning(), mend] {
        out.push('\n');
        for line in wrap(paragraph, WIDTH) {
            let _ = writeln!(out, "{line}");
        }
    }
    match example {
        Example::Files { wrong, right } => {
            let report = explanation.report(style).unwrap_or_default();
            let _ = write!(
                out,
                "\nWrong:\n\n{}\n{report}\n\nRight:\n\n{}",
                indented(wrong),
                indented(right)
            );
        }
        Example::Words { wrong, right } => {
            let _ = write!(out, "\nWrong: {wrong}\nRight: {right}\n");
        }
    }
    out
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// An explanation for programs.
#[derive(Serialize)]
struct Entry<'a> {
    code: &'static str,
    severity: &'static str,
    title: &'static str,
    meaning: &'static str,
    mend: &'static str,
    /// Whether the examples are schema files; else they are words.
    yaml: bool,
    wrong: &'a str,
    right: &'a str,
    report: Option<String>,
}

impl<'a> Entry<'a> {
    fn new(explanation: &'a Explanation) -> Self {
        let code = explanation.code;
        let (yaml, wrong, right) = match &explanation.example {
            Example::Files { wrong, right } => (true, wrong.as_str(), right.as_str()),
            Example::Words { wrong, right } => (false, *wrong, *right),
        };
        Self {
            code: code.as_str(),
            severity: severity(code),
            title: code.title(),
            meaning: code.meaning(),
            mend: explanation.mend,
            yaml,
            wrong,
            right,
            report: explanation.report(Style::Plain),
        }
    }
}
