//! Tables with aligned columns, and text of limited width.

/// Between two columns.
const GAP: &str = "  ";

/// Columns that text is wrapped to.
pub(crate) const WIDTH: usize = 120;

/// Fewest columns left to the last column of a table.
const LEAST: usize = 40;

/// Columns that text of another column than the last is wrapped to.
const MOST: usize = 32;

/// A table whose cells are wrapped.
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
        let before: usize = (0..columns.saturating_sub(1))
            .map(|column| self.width(column, MOST) + GAP.len())
            .sum();
        let last = WIDTH.saturating_sub(before).max(LEAST);
        let limit = |column| if column + 1 == columns { last } else { MOST };
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column, limit(column))).collect();
        let mut out = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<String>> = row
                .iter()
                .enumerate()
                .map(|(column, cell)| wrap(cell, limit(column)))
                .collect();
            for number in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let parts = cells.iter().map(|cell| cell.get(number).map_or("", String::as_str));
                let parts: Vec<String> = parts.zip(&widths).map(|(part, width)| format!("{part:<width$}")).collect();
                out.push_str(parts.join(GAP).trim_end());
                out.push('\n');
            }
            if index == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                out.push_str(&rule.join(GAP));
                out.push('\n');
            }
        }
        out
    }

    /// Columns that a column takes if its cells are wrapped to `limit`.
    fn width(&self, column: usize, limit: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let parts = cells.flat_map(|cell| wrap(cell, limit));
        parts.map(|part| width(&part)).max().unwrap_or(0)
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
    fn wraps_every_column() {
        let mut table = Table::default();
        table.row(["a", "meaning"].map(str::to_owned));
        table.row(["x ".repeat(20).as_str(), "y"].map(str::to_owned));
        let x = "x ".repeat(16);
        assert_eq!(
            table.render(),
            format!(
                "{:<31}  meaning\n{}  -------\n{}  y\nx x x x\n",
                "a",
                "-".repeat(31),
                x.trim_end()
            )
        );
    }

    #[test]
    fn groups_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
