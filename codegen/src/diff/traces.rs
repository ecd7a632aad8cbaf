//! What a change of the schema does to the dumps of traces.
//!
//! How a trace is dumped is the caller's: it gives lines for a trace and one of two schemas, and the first line that differs is
//! found without keeping more than a line of each.

use std::path::{Path, PathBuf};

/// Which schema a trace is dumped with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The old one.
    Old,
    /// The new one.
    New,
}

/// The first line in which two dumps differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDifference {
    /// Number of the line, from 1.
    pub line: u64,
    /// The line with the old schema; `None` if that dump ends before it.
    pub before: Option<String>,
    /// The line with the new schema; `None` if that dump ends before it.
    pub after: Option<String>,
}

/// What happened to a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect<E> {
    /// Both dumps are the same.
    Same,
    /// They differ, from this line on.
    Differs(LineDifference),
    /// A dump failed.
    Failed(Side, E),
}

/// Finds for each trace the first line in which its dumps with the two schemas differ, in the order of `traces`.
///
/// `dump` gives the lines of a dump, without their ends. A trace that fails does not keep the others from being compared.
pub fn effects<E, L>(traces: &[PathBuf], mut dump: impl FnMut(&Path, Side) -> Result<L, E>) -> Vec<(PathBuf, Effect<E>)>
where
    L: Iterator<Item = Result<String, E>>,
{
    traces
        .iter()
        .map(|trace| {
            let effect = match (dump(trace, Side::Old), dump(trace, Side::New)) {
                (Ok(old), Ok(new)) => first_difference(old, new),
                (Err(error), _) => Effect::Failed(Side::Old, error),
                (_, Err(error)) => Effect::Failed(Side::New, error),
            };
            (trace.clone(), effect)
        })
        .collect()
}

/// Compares two dumps line by line, up to the first difference or failure.
pub fn first_difference<E>(
    mut old: impl Iterator<Item = Result<String, E>>,
    mut new: impl Iterator<Item = Result<String, E>>,
) -> Effect<E> {
    let mut line = 0;
    loop {
        line += 1;
        let before = match old.next().transpose() {
            Ok(before) => before,
            Err(error) => return Effect::Failed(Side::Old, error),
        };
        let after = match new.next().transpose() {
            Ok(after) => after,
            Err(error) => return Effect::Failed(Side::New, error),
        };
        if before != after {
            return Effect::Differs(LineDifference { line, before, after });
        }
        if before.is_none() {
            return Effect::Same;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Lines = std::vec::IntoIter<Result<String, &'static str>>;

    fn lines(text: &str) -> Lines {
        let line = |line: &str| if line == "!" { Err("broken") } else { Ok(line.to_owned()) };
        text.lines().map(line).collect::<Vec<_>>().into_iter()
    }

    fn differs(line: u64, before: Option<&str>, after: Option<&str>) -> Effect<&'static str> {
        Effect::Differs(LineDifference {
            line,
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        })
    }

    #[test]
    fn the_first_difference_counts() {
        assert_eq!(first_difference(lines("a\nb"), lines("a\nb")), Effect::Same);
        assert_eq!(first_difference(lines(""), lines("")), Effect::Same);
        assert_eq!(
            first_difference(lines("a\nb\nc"), lines("a\nx\ny")),
            differs(2, Some("b"), Some("x"))
        );
        assert_eq!(first_difference(lines("a"), lines("a\nb")), differs(2, None, Some("b")));
        assert_eq!(first_difference(lines("a\nb"), lines("a")), differs(2, Some("b"), None));
    }

    #[test]
    fn a_failure_says_on_which_side() {
        assert_eq!(
            first_difference(lines("a\n!"), lines("a\nb")),
            Effect::Failed(Side::Old, "broken")
        );
        assert_eq!(
            first_difference(lines("a\nb"), lines("a\n!")),
            Effect::Failed(Side::New, "broken")
        );
        // What differs before it is told first.
        assert_eq!(
            first_difference(lines("a\n!"), lines("b\n!")),
            differs(1, Some("a"), Some("b"))
        );
    }

    #[test]
    fn each_trace_is_dumped_with_both_schemas() {
        let traces = ["same", "other", "bad", "worse"].map(PathBuf::from);
        let effects = effects(&traces, |trace, side| match (trace.to_str(), side) {
            (Some("same"), _) => Ok(lines("1\n2")),
            (Some("other"), Side::Old) => Ok(lines("1\n2")),
            (Some("other"), Side::New) => Ok(lines("1\n3")),
            (Some("bad"), Side::Old) => Err("no trace"),
            (Some("worse"), Side::New) => Err("no schema"),
            _ => Ok(lines("1")),
        });
        let expected = [
            Effect::Same,
            differs(2, Some("2"), Some("3")),
            Effect::Failed(Side::Old, "no trace"),
            Effect::Failed(Side::New, "no schema"),
        ];
        assert!(effects.iter().map(|(trace, _)| trace).eq(&traces));
        assert!(effects.iter().map(|(_, effect)| effect).eq(&expected), "{effects:?}");
    }
}
