//! Which members of an archive are read: those that look like traces, or those that `archive!member` chooses.

use glob::{MatchOptions, Pattern};
use winetl_codegen::names::closest;

/// Most members of an archive that are looked at.
pub(super) const MEMBERS: usize = 1 << 16;

/// Most names in a message.
pub(super) const NAMED: usize = 8;

/// Most names that a misspelt one is compared with.
const GUESSES: usize = 1 << 10;

/// Stands between an archive and its member.
pub(super) const SEPARATOR: char = '!';

/// Members that were chosen by name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Their numbers.
    pub(super) members: Vec<usize>,
    /// What is to be chosen within them.
    pub(super) within: Option<String>,
    /// One was named, not some described.
    pub(super) exact: bool,
}

/// Finds what was chosen: by the exact name, by that in other letters, as a pattern; else what is in front of a `!` as a member
/// that is an archive itself.
///
/// # Errors
/// There is none; the text names those that there are.
pub(super) fn choose(names: &[String], wanted: &str) -> Result<Chosen, String> {
    let splits = wanted.match_indices(SEPARATOR).map(|(at, _)| wanted.split_at(at));
    let parts = splits.map(|(name, within)| (name, within.get(1..)));
    for (name, within) in std::iter::once((wanted, None)).chain(parts) {
        let (members, exact) = matching(names, name);
        if !members.is_empty() {
            return Ok(Chosen {
                members,
                within: within.map(str::to_owned),
                exact,
            });
        }
    }
    let similar = closest(wanted, names.iter().take(GUESSES).map(String::as_str))
        .map(|similar| format!("; did you mean `{similar}`?"))
        .unwrap_or_default();
    Err(format!(
        "has no member `{wanted}`{similar}; it has {}",
        listed(names.iter().map(String::as_str))
    ))
}

fn matching(names: &[String], wanted: &str) -> (Vec<usize>, bool) {
    let unified = |name: &str| name.replace('\\', "/");
    let wanted = unified(wanted);
    let all = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let fitting = names.iter().enumerate().filter(|(_, name)| fits(&unified(name)));
        fitting.map(|(index, _)| index).collect()
    };
    let exact = all(&|name| name == wanted);
    if !exact.is_empty() {
        return (exact, true);
    }
    let folded = wanted.to_lowercase();
    let other_case = all(&|name| name.to_lowercase() == folded);
    if !other_case.is_empty() {
        return (other_case, true);
    }
    let options = MatchOptions {
        case_sensitive: false,
        ..MatchOptions::default()
    };
    let pattern = is_pattern(&wanted).then(|| Pattern::new(&wanted).ok()).flatten();
    (
        pattern
            .map(|pattern| all(&|name| pattern.matches_with(name, options)))
            .unwrap_or_default(),
        false,
    )
}

/// Whether text has characters that stand for others.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Some names, and how many more there are.
pub(super) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let all = names.len();
    if all == 0 {
        return "no members".to_owned();
    }
    let shown: Vec<&str> = names.take(NAMED).collect();
    let mut text = shown.join(", ");
    if all > NAMED {
        text.push_str(&format!(", and {} more", all - NAMED));
    }
    text
}

/// Whether a name is that of a trace, or of one that was compressed.
pub(super) fn is_trace_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let bare = COMPRESSED
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(&name);
    let digits = bare.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let numbered = digits.strip_suffix('.').filter(|_| digits.len() < bare.len()).unwrap_or(bare);
    numbered.ends_with(".etl") || name.ends_with(".etlgz")
}

/// Whether traces may lie in a file of that name.
pub(super) fn is_container_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    COMPRESSED.iter().chain(&ARCHIVES).any(|ending| name.ends_with(ending))
}

const COMPRESSED: [&str; 4] = [".gz", ".zst", ".xz", ".bz2"];
const ARCHIVES: [&str; 3] = [".zip", ".diagsession", ".cab"];

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn members(wanted: &str) -> Vec<usize> {
        let names = names(&["a/trace.etl", "a\\TRACE.etl", "b/trace.etl", "inner.zip", "odd!name.etl"]);
        choose(&names, wanted).unwrap().members
    }

    #[test]
    fn exact_then_other_case_then_pattern() {
        assert_eq!(members("a/trace.etl"), [0]);
        assert_eq!(members("A/TRACE.etl"), [0, 1]);
        assert_eq!(members("a/TRACE.etl"), [1]);
        assert_eq!(members("*/trace.etl"), [0, 1, 2]);
        assert_eq!(members("odd!name.etl"), [4]);
        let names = names(&["inner.zip"]);
        let chosen = choose(&names, "INNER.zip!x!y").unwrap();
        assert_eq!((chosen.within.as_deref(), chosen.exact), (Some("x!y"), true));
    }

    #[test]
    fn a_wrong_name_gets_a_guess() {
        let names = names(&["trace.etl", "report.html"]);
        assert_eq!(
            choose(&names, "trase.etl").unwrap_err(),
            "has no member `trase.etl`; did you mean `trace.etl`?; it has trace.etl, report.html"
        );
    }

    #[test]
    fn names_of_traces() {
        for name in [
            "a.etl",
            "A.ETL",
            "a.etl.001",
            "a.etl.gz",
            "a.etlgz",
            "a.etl.001.xz",
            "t.1.etl",
            "a.etl.zst",
            "a.etl.bz2",
        ] {
            assert!(is_trace_name(name), "{name}");
        }
        for name in ["etl", "a.etl.", "a.etl.txt", "a.evtx", "a.gz", "a.zip", "aetl", ""] {
            assert!(!is_trace_name(name), "{name}");
        }
        assert!(is_container_name("a.DiagSession") && !is_container_name("a.7z"));
    }
}
