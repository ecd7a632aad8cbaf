//! The list of differences, as it is written for people.

use std::collections::BTreeSet;

const LIST: &str = include_str!("../traceevent_differences.md");

/// Rows of the tables in the list.
#[derive(Debug)]
pub(super) struct Table(Vec<Vec<&'static str>>);

impl Table {
    /// Rows `| event | event here |`, `| events here | which of them | reason |`, and
    /// `| events | fields | what it is here | reason |`.
    pub(super) fn new() -> Self {
        let rows = LIST
            .lines()
            .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
            .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
            // Headings and the lines below them.
            .filter(|row| row[0] != "TraceEvent" && row[0] != "here" && !row[0].starts_with("--"))
            .collect();
        Self(rows)
    }

    pub(super) fn rows(&self) -> Vec<String> {
        self.0.iter().map(|row| row.join(" | ")).collect()
    }

    /// What an event is here.
    pub(super) fn event(&self, name: &str, used: &mut BTreeSet<usize>) -> Option<Kind> {
        let found = self.0.iter().position(|row| row.len() == 2 && row[0] == name)?;
        used.insert(found);
        Some(Kind::new(self.0[found][1]))
    }

    /// How those events of a kind are told that TraceEvent keeps for itself; `None` if it shows all.
    pub(super) fn kept(&self, kind: &str, used: &mut BTreeSet<usize>) -> Option<&'static str> {
        let found = self.0.iter().position(|row| row.len() == 3 && listed(row[0], kind))?;
        used.insert(found);
        Some(self.0[found][1])
    }

    /// What a field of an event is here: one of several forms, as `source` reads them; `None` for the field of the same name.
    /// The first row for it counts.
    pub(super) fn field(&self, event: &str, field: &str, used: &mut BTreeSet<usize>) -> Option<Vec<&'static str>> {
        let found = self
            .0
            .iter()
            .position(|row| row.len() == 4 && listed(row[0], event) && listed(row[1], field))?;
        used.insert(found);
        Some(self.0[found][2].split(" or ").collect())
    }
}

/// `Kind of the kernel`, or `PROVIDER ID name by its schema`.
#[derive(Debug)]
pub(super) struct Kind {
    /// Name of the kernel's event, or provider and id.
    pub(super) key: String,
    /// Name that the schema gives, where the trace carries one.
    pub(super) name: Option<&'static str>,
}

impl Kind {
    fn new(text: &'static str) -> Self {
        let mut words = text.splitn(3, ' ');
        let key: Vec<_> = words.by_ref().take(2).collect();
        Self {
            key: key.join(" "),
            name: words.next(),
        }
    }
}

/// Whether a name is in a list such as `A/B, C/*`.
fn listed(list: &str, name: &str) -> bool {
    list.split(", ").any(|one| match one.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => one == name,
    })
}
