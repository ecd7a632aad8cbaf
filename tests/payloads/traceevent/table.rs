//! The list of differences, as it is written for people.

use std::collections::BTreeSet;

const LIST: &str = include_str!("../traceevent_differences.md");

/// Rows of the tables in the list.
#[derive(Debug)]
pub(super) struct Table(Vec<Vec<&'static str>>);

impl Table {
    /// Rows `| event | event here |`, and `| events | fields | what it is here | reason |`.
    pub(super) fn new() -> Self {
        let rows = LIST
            .lines()
            .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
            .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
            // Headings and the lines below them.
            .filter(|row| row[0] != "TraceEvent" && !row[0].starts_with("--"))
            .collect();
        Self(rows)
    }

    pub(super) fn rows(&self) -> Vec<String> {
        self.0.iter().map(|row| row.join(" | ")).collect()
    }

    /// Name here of an event.
    pub(super) fn event(&self, name: &str, used: &mut BTreeSet<usize>) -> Option<&'static str> {
        let found = self.0.iter().position(|row| row.len() == 2 && row[0] == name)?;
        used.insert(found);
        Some(self.0[found][1])
    }

    /// What a field of an event is here: one of several forms, as `source` reads them; `None` for the field of the same name.
    /// The first row for it counts.
    pub(super) fn field(&self, event: &str, field: &str, used: &mut BTreeSet<usize>) -> Option<Vec<&'static str>> {
        let names = |list: &str, name: &str| {
            list.split(", ").any(|one| match one.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => one == name,
            })
        };
        let found = self
            .0
            .iter()
            .position(|row| row.len() == 4 && names(row[0], event) && names(row[1], field))?;
        used.insert(found);
        Some(self.0[found][2].split(" or ").collect())
    }
}
