//! The one form of a schema file.
//!
//! What is fixed: indentation, one blank after a colon and a comma, the order of the keys, capital hex digits, double quotes
//! in place of single ones, no blanks at the end of a line, at most one blank line, one line end at the end. What stays the
//! author's: whether a map or list is in brackets or on lines of its own, where a text is broken over lines, and comments,
//! which stay with the entry they are at.
//!
//! [`format()`] proves its result before it gives it away: it must parse to the same data and hold the same comments.

mod keys;
mod print;
mod tree;

use std::fmt;

pub use keys::Kind;

use crate::render::line_and_column;

/// Why a file is left as it is, and where the reason stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The reason, and what to do.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl Refusal {
    fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let (line, column) = line_and_column(text, byte);
        Self {
            line,
            column,
            message: message.into(),
        }
    }
}

/// Brings a schema file into its one form.
///
/// # Errors
/// The text is not YAML, or uses a part of YAML that schema files do without: anchors, tags, several documents, keys that
/// are not scalars, block texts with an indentation number or `+`.
pub fn format(text: &str) -> Result<String, Refusal> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    // First, because it bounds depth and aliases, and refuses equal keys.
    let data = data(&text)?;
    let tree = tree::read(&text)?;
    let formatted = print::print(&text, &tree);
    let lost = |what: &str| {
        let message = format!("formatting would change {what}; write this part in a simpler way, and report the file as a fault");
        Err(Refusal::at(&text, 0, message))
    };
    match self::data(&formatted) {
        Ok(again) if again == data => {}
        _ => return lost("the data"),
    }
    match tree::read(&formatted) {
        Ok(again) if again.sorted_comments() == tree.sorted_comments() => Ok(formatted),
        _ => lost("a comment"),
    }
}

fn data(text: &str) -> Result<serde_yaml::Value, Refusal> {
    serde_yaml::from_str(text).map_err(|error| {
        let at = error.location().map_or(0, |location| location.index());
        let full = error.to_string();
        let reason = full.split(" at line ").next().unwrap_or_default();
        Refusal::at(text, at, format!("not valid YAML: {reason}; `winetl schema check` says more"))
    })
}
