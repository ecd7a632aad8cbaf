//! Tables with aligned columns, and text of limited width.

use std::fmt::Write;

/// Columns that text is wrapped to.
pub(crate) const WIDTH: usize = 120;

/// Fewest columns left to the last column of a table.
const LEAST: usize = 40;

/// A table whose last column is wrapped.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a row; the first is the heading.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The text, with a rule below the heading.
    pub(crate) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                self.rows
                    .iter()
                    .filter_map(|row| row.get(column))
                    .map(|cell| width(cell))
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let before: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        let last = WIDTH.saturating_sub(before).max(LEAST);
        let mut out = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths).take(columns.saturating_sub(1)) {
                // Writing to a String does not fail.
                let _ = write!(line, "{cell:<width$}  ");
            }
            let text = row.get(columns.saturating_sub(1)).map(String::as_str).unwrap_or_default();
            for (number, part) in wrap(text, last).iter().enumerate() {
                let line = if number == 0 {
                    format!("{line}{part}")
                } else {
                    format!("{:before$}{part}", "")
                };
                out.push_str(line.trim_end());
                out.push('\n');
            }
            if index == 0 {
                let rule: Vec<String> = widths
                    .iter()
                    .enumerate()
                    .map(|(at, width)| "-".repeat(if at + 1 == columns { (*width).min(last) } else { *width }))
                    .collect();
                out.push_str(&rule.join("  "));
                out.push('\n');
            }
        }
        out
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Breaks text at blanks into lines of at most `columns`; at least one line. A longer word has a line of its own.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A number of things, whose word takes an s.
pub(crate) fn counted(number: u64, word: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {word}{plural}", thousands(number))
}

/// A number with commas between thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_blanks() {
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a extraordinary b", 5), ["a", "extraordinary", "b"]);
    }

    #[test]
    fn aligns_columns() {
        let mut table = Table::default();
        table.row(["a", "meaning"].map(str::to_owned));
        table.row(["long", "x"].map(str::to_owned));
        assert_eq!(table.render(), "a     meaning\n----  -------\nlong  x\n");
    }

    #[test]
    fn groups_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
