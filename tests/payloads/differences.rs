//! Collects differences, so that a test names all of a trace's at once.

use std::fmt::{Display, Write as _};

/// How many differences a failure shows.
const SHOWN: usize = 60;

#[derive(Debug, Default)]
pub(crate) struct Differences(Vec<String>);

impl Differences {
    pub(crate) fn add(&mut self, what: impl Display, expected: impl Display, found: impl Display) {
        self.0.push(format!("{what}: expected {expected}, found {found}"));
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Fails if there are any.
    pub(crate) fn finish(self, file: &str) {
        let mut text = String::new();
        for difference in self.0.iter().take(SHOWN) {
            writeln!(text, "  {difference}").unwrap();
        }
        assert!(self.0.is_empty(), "{file}: {} differences\n{text}", self.0.len());
    }
}
