//! What a code of a diagnostic means, shown by example: a schema file with the mistake, and the same file without it.

mod examples;

use crate::codes::Code;
use crate::compile;
use crate::load::SourceSet;
use crate::render::{Style, render_all};
use crate::roles::{ROLE_SETS, RoleType};

/// How the file of an example is named in its report.
const FILE: &str = "example.yaml";

/// The explanation of one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// How to mend it, in a sentence or two.
    pub mend: &'static str,
    /// What shows it.
    pub example: Example,
}

/// What shows a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Example {
    /// Whole schema files.
    Files {
        /// With the mistake: compiling it raises this code and no other.
        wrong: String,
        /// Without it: compiling it raises nothing.
        right: String,
    },
    /// The mistake lies outside the text of a schema file.
    Words {
        /// What is wrong, in words.
        wrong: &'static str,
        /// What is right, in words.
        right: &'static str,
    },
}

/// Explains a code.
pub fn explain(code: Code) -> Explanation {
    let (mend, example) = examples::of(code);
    Explanation { code, mend, example }
}

impl Explanation {
    /// The report that the wrong example brings about, as `schema check` shows it; none for an example in words.
    pub fn report(&self, style: Style) -> Option<String> {
        let Example::Files { wrong, .. } = &self.example else {
            return None;
        };
        let sources = sources(wrong);
        let (_, problems) = compile(&sources);
        Some(render_all(&sources, &problems, style))
    }

    /// The explanation as Markdown, under a heading of the second level.
    pub fn markdown(&self) -> String {
        let Self { code, mend, example } = self;
        let head = format!("## {code}: {}\n\n{}\n\n{mend}\n", code.title(), code.meaning());
        match example {
            Example::Files { wrong, right } => {
                let report = self.report(Style::Plain).unwrap_or_default();
                format!("{head}\nWrong:\n\n```yaml\n{wrong}```\n\n```text\n{report}\n```\n\nRight:\n\n```yaml\n{right}```\n")
            }
            Example::Words { wrong, right } => format!("{head}\nWrong: {wrong}\n\nRight: {right}\n"),
        }
    }
}

/// The file of an example as a schema of its own; one with a base lies on the tables of the examples.
pub fn sources(text: &str) -> SourceSet {
    SourceSet::from_texts("", [(FILE, text)]).over_builtin(&|| Ok(examples::builtin()))
}

const ROLES_BEGIN: &str = "<!-- roles: written by `cargo run -p winetl-codegen -- docs` -->";
const ROLES_END: &str = "<!-- end of roles -->";

/// The guide with a fresh table of all roles between its two marks; none if a mark is missing.
pub fn with_role_table(guide: &str) -> Option<String> {
    let (before, rest) = guide.split_once(ROLES_BEGIN)?;
    let (_, after) = rest.split_once(ROLES_END)?;
    let mut rows = String::new();
    for set in ROLE_SETS {
        for role in set.roles {
            let value = match role.ty {
                RoleType::Unsigned => "unsigned",
                RoleType::Signed => "signed",
                RoleType::Guid => "GUID",
                RoleType::Text => "`utf16z`",
            };
            let of = set.doc.trim_start_matches("Roles of ").trim_end_matches('.');
            rows += &format!("| `{}` | {of} | {value} | {} |\n", role.name, role.doc.replace('|', "\\|"));
        }
    }
    Some(format!(
        "{before}{ROLES_BEGIN}\n| role | of | value | what it is used for |\n|---|---|---|---|\n{rows}{ROLES_END}{after}"
    ))
}

const LIST_BEGINS: &str = "<!-- codes: written by `cargo run -p winetl-codegen -- docs` -->";
const LIST_ENDS: &str = "<!-- end of codes -->";

/// The guide with a fresh list of all codes between its two marks; none if a mark is missing.
pub fn with_code_list(guide: &str) -> Option<String> {
    let (before, rest) = guide.split_once(LIST_BEGINS)?;
    let (_, after) = rest.split_once(LIST_ENDS)?;
    let rows: String = Code::ALL
        .iter()
        .map(|code| format!("| `{code}` | {} | {} |\n", code.title(), code.meaning().replace('|', "\\|")))
        .collect();
    Some(format!(
        "{before}{LIST_BEGINS}\n| code | problem | rule |\n|---|---|---|\n{rows}{LIST_ENDS}{after}"
    ))
}
