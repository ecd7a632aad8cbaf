//! Sections of the generated reference page as plain text, so that page and command cannot differ.

use super::table::{Table, WIDTH, wrap};

/// Ending of a dispatch's heading.
const DISPATCH: &str = " (dispatch)";

/// The section whose heading is `name`, in any case, with its heading.
pub(crate) fn section<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let mut start = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        if line.starts_with("## ") || line.starts_with("### ") {
            if let Some(start) = start {
                return page.get(start..at);
            }
            let heading = line.trim_start_matches('#').trim();
            let heading = heading.strip_suffix(DISPATCH).unwrap_or(heading);
            if line.starts_with("### ") && heading.eq_ignore_ascii_case(name) {
                start = Some(at);
            }
        }
        at += line.len();
    }
    page.get(start?..)
}

/// Headings without marks, tables with aligned columns, paragraphs wrapped.
pub(crate) fn to_plain(text: &str) -> String {
    let mut out = String::new();
    let mut table = Table::default();
    let mut in_table = false;
    for line in text.trim_end().lines() {
        if let Some(row) = line.strip_prefix('|') {
            in_table = true;
            if !row.starts_with("---") {
                table.row(cells(row).iter().map(|cell| inline(cell)));
            }
            continue;
        }
        if std::mem::take(&mut in_table) {
            out.push_str(&std::mem::take(&mut table).render());
        }
        for line in wrap(&inline(line.trim_start_matches('#').trim()), WIDTH) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    if in_table {
        out.push_str(&table.render());
    }
    out
}

/// Splits a row at the bars that are not escaped.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim_end().strip_suffix('|').unwrap_or(row);
    row.replace("\\|", "\0")
        .split('|')
        .map(|cell| cell.trim().replace('\0', "|"))
        .collect()
}

/// Removes the marks of italics and code, and writes addresses after their titles.
fn inline(text: &str) -> String {
    let text = match text.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')) {
        Some(inner) => inner.to_owned(),
        None => text.replace('`', ""),
    };
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        let Some((title_start, (address, behind))) = before.rfind('[').zip(after.split_once(')')) else {
            break;
        };
        let (lead, title) = before.split_at(title_start);
        out.push_str(lead);
        out.push_str(title.trim_start_matches('['));
        out.push_str(" <");
        out.push_str(address);
        out.push('>');
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# T\n\n## Part\n\n### ONE\n\nDoc.\n\n| name | meaning |\n|---|---|\n| *a* | x \\| y |\n\nSources: [S](http://s) (header).\n\n### TWO (dispatch)\n\nEnd.\n";

    #[test]
    fn finds_sections() {
        assert!(section(PAGE, "one").unwrap().ends_with("(header).\n\n"));
        assert_eq!(section(PAGE, "Two"), Some("### TWO (dispatch)\n\nEnd.\n"));
        assert_eq!(section(PAGE, "Part"), None);
    }

    #[test]
    fn makes_plain_text() {
        let text = to_plain(section(PAGE, "ONE").unwrap());
        assert_eq!(
            text,
            "ONE\n\nDoc.\n\nname  meaning\n----  -------\na     x | y\n\nSources: S <http://s> (header).\n"
        );
    }
}
