//! Changes as Markdown, for a review or release notes.

use std::fmt::Write;

use winetl_codegen::diff::{Action, Change, Names};

use super::traces::{self, TraceEffect};
use super::{by_class, summary, title};

/// A table for each class.
pub(super) fn render(changes: &[Change]) -> String {
    let mut out = format!("{}.\n", summary(changes));
    for (class, changes) in by_class(changes) {
        let _ = writeln!(
            out,
            "\n## {}\n\n| where | what | before | after |\n|---|---|---|---|",
            title(class)
        );
        for change in changes {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                place(change),
                what(change),
                code(change.before.as_deref()),
                code(change.after.as_deref())
            );
        }
    }
    out
}

/// The effect on dumps: a row for each key that differs, and one for each other trace.
pub(super) fn traces(traces: &[TraceEffect]) -> String {
    let mut out = format!(
        "\n## Dumps of traces\n\n{}.\n\n| trace | effect | key | before | after |\n|---|---|---|---|---|\n",
        traces::summary(traces)
    );
    for trace in traces {
        let reason = trace.reason();
        let effect = match trace.word() {
            word if reason.is_empty() => word.to_owned(),
            word => format!("{word}: {}", code(Some(&reason))),
        };
        let begin = format!("| {} | {effect}", code(Some(&trace.trace)));
        if trace.keys().is_empty() {
            let _ = writeln!(out, "{begin} | | | |");
        }
        for key in trace.keys() {
            let (before, after) = (code(key.before.as_deref()), code(key.after.as_deref()));
            let _ = writeln!(out, "{begin} | {} | {before} | {after} |", code(Some(&key.key)));
        }
    }
    out
}

fn place(change: &Change) -> String {
    let item = format!("{} {}", change.kind.word(), code(Some(change.item.shown())));
    match change.part.as_ref().map(Names::shown) {
        Some(part) => format!("{item}, {}", code(Some(part))),
        None => item,
    }
}

fn what(change: &Change) -> String {
    match change.action {
        Action::Changed => change.what.to_owned(),
        action => format!("{} {}", change.what, action.word()),
    }
}

/// Text as code, in which nothing is a mark of Markdown but the bar of tables; with a fence longer than any run of backticks in it.
fn code(text: Option<&str>) -> String {
    let Some(text) = text else { return String::new() };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{blank}{text}{blank}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_kept_in_its_cell() {
        assert_eq!(code(Some("a | b")), "`a \\| b`");
        assert_eq!(code(Some("say `x`\nand y")), "``say `x` and y``");
        assert_eq!(code(Some("`x`")), "`` `x` ``");
        assert_eq!(code(Some(" ")), "");
        assert_eq!(code(None), "");
    }
}
