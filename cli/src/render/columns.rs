//! Tables whose numbers are aligned to the right, and whose cells are never wrapped.

use std::fmt::Write;

use super::paint::{Paint, Role};

/// Between two columns.
const GAP: &str = "  ";

/// The side that the cells of a column share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table with a heading.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    columns: Vec<(String, Align)>,
    /// `None` for a rule.
    rows: Vec<Option<Vec<String>>>,
}

impl Columns {
    /// Adds a column.
    pub(crate) fn column(&mut self, heading: &str, align: Align) {
        self.columns.push((heading.to_owned(), align));
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(Some(cells.into_iter().collect()));
    }

    /// Adds a line that separates rows.
    pub(crate) fn rule(&mut self) {
        self.rows.push(None);
    }

    /// The text, with a rule below the heading.
    pub(crate) fn render(&self, paint: Paint) -> String {
        let headings: Vec<String> = self.columns.iter().map(|(heading, _)| heading.clone()).collect();
        let mut widths: Vec<usize> = headings.iter().map(|heading| width(heading)).collect();
        for row in self.rows.iter().flatten() {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = width(cell).max(*widest);
            }
        }
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        let mut out = String::new();
        for row in [Some(&headings), None]
            .into_iter()
            .chain(self.rows.iter().map(Option::as_ref))
        {
            let line = self.line(row.unwrap_or(&rule), &widths);
            let faint = row.is_none_or(|row| std::ptr::eq(row, &headings));
            let role = if faint { Role::Faint } else { Role::Plain };
            // Writing to a String does not fail.
            let _ = writeln!(out, "{}{line}{}", paint.on(role), paint.off(role));
        }
        out
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, width), (_, align)) in cells.iter().zip(widths).zip(&self.columns) {
            let _ = match align {
                Align::Left => write!(line, "{cell:<width$}{GAP}"),
                Align::Right => write!(line, "{cell:>width$}{GAP}"),
            };
        }
        line.trim_end().to_owned()
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_each_column_to_its_side() {
        let mut table = Columns::default();
        table.column("name", Align::Left);
        table.column("n", Align::Right);
        table.row(["a", "1"].map(str::to_owned));
        table.row(["longer", "1,000"].map(str::to_owned));
        table.rule();
        table.row(["total", "1,001"].map(str::to_owned));
        assert_eq!(
            table.render(Paint::new(false)),
            "name        n\n------  -----\na           1\nlonger  1,000\n------  -----\ntotal   1,001\n"
        );
    }
}
