//! Ranges of Windows versions: reading them, and what can be said of two.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::WindowsVersion;

/// The first Windows version with something, and the first without it.
pub(super) type Windows = (Option<WindowsVersion>, Option<WindowsVersion>);

impl Resolver<'_> {
    /// The range that `since` and `until` of a node give. A malformed version, or a range without any version, is reported.
    pub(super) fn windows(&mut self, since: Option<&String>, until: Option<&String>, place: &Place) -> Windows {
        let windows = (
            self.windows_version(since, &place.key("since")),
            self.windows_version(until, &place.key("until")),
        );
        if let (Some(since), Some(until)) = windows
            && since >= until
        {
            self.report(
                Diagnostic::at(
                    Code::VersionRange,
                    &place.key("until"),
                    format!("no Windows version is {}", range(windows)),
                    format!("not after {since}"),
                )
                .and(&place.key("since"), "begins here")
                .help("`since` is the first version with it, `until` the first without it"),
            );
        }
        windows
    }

    /// Reports a range that says more than that of what it is part of.
    pub(super) fn windows_within(&mut self, inner: Windows, outer: Windows, name: &str, place: &Place) {
        let key = match (inner, outer) {
            ((Some(since), _), (Some(first), _)) if since < first => "since",
            ((_, Some(until)), (_, Some(end))) if until > end => "until",
            ((Some(since), _), (_, Some(end))) if since >= end => "since",
            ((_, Some(until)), (Some(first), _)) if until <= first => "until",
            _ => return,
        };
        self.report(
            Diagnostic::at(
                Code::VersionRange,
                &place.key(key),
                format!("`{name}` is said to be of Windows versions that its structure is not of"),
                format!("the structure is of {}", range(outer)),
            )
            .help("leave out what the structure says already, or correct one of the two"),
        );
    }

    fn windows_version(&mut self, text: Option<&String>, place: &Place) -> Option<WindowsVersion> {
        let text = text?;
        let version = WindowsVersion::parse(text);
        if version.is_none() {
            self.report(
                Diagnostic::at(
                    Code::WindowsVersion,
                    place,
                    format!("`{text}` is not a Windows version"),
                    "not a version",
                )
                .help("write major.minor or major.minor.build in quotes, such as \"6.1\" or \"10.0.14393\""),
            );
        }
        version
    }
}

/// Whether some version is in both.
pub(super) fn overlap(a: Windows, b: Windows) -> bool {
    let starts_before_end = |a: Windows, b: Windows| b.1.is_none_or(|until| a.0.is_none_or(|since| since < until));
    starts_before_end(a, b) && starts_before_end(b, a)
}

/// The versions between the first and the last of `ranges` that none of them has: the first such hole, and the number of the
/// range that follows it.
pub(super) fn hole(ranges: &[Windows]) -> Option<(Windows, usize)> {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|index| ranges.get(*index).map(|range| range.0));
    // `None` once a range has no end.
    let mut covered: Option<WindowsVersion> = None;
    for (position, index) in order.into_iter().enumerate() {
        let (since, until) = *ranges.get(index)?;
        if position > 0
            && let (Some(end), Some(since)) = (covered, since)
            && end < since
        {
            return Some(((Some(end), Some(since)), index));
        }
        covered = match (position, covered, until) {
            (0, _, until) => until,
            (_, Some(end), Some(until)) => Some(end.max(until)),
            _ => return None,
        };
        covered?;
    }
    None
}

/// Windows versions in words.
pub(super) fn range(windows: Windows) -> String {
    match windows {
        (None, None) => "all versions".to_owned(),
        (Some(since), None) => format!("{since} and later"),
        (None, Some(until)) => format!("versions before {until}"),
        (Some(since), Some(until)) => format!("{since} and later, before {until}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(since: &str, until: &str) -> Windows {
        (WindowsVersion::parse(since), WindowsVersion::parse(until))
    }

    #[test]
    fn finds_holes_in_any_order() {
        let ranges = [
            windows("10.0", ""),
            windows("", "6.0"),
            windows("6.0", "6.2"),
            windows("6.2", "6.3"),
        ];
        assert_eq!(hole(&ranges), Some((windows("6.3", "10.0"), 0)));
        assert_eq!(hole(&ranges[1..]), None);
        // One that reaches over the hole.
        let ranges = [windows("5.0", "6.0"), windows("5.1", "6.3"), windows("6.2", "")];
        assert_eq!(hole(&ranges), None);
        assert_eq!(hole(&[windows("6.0", ""), windows("6.2", "")]), None);
        assert_eq!(hole(&[]), None);
    }

    #[test]
    fn ranges_that_touch_do_not_overlap() {
        assert!(!overlap(windows("6.0", "6.1"), windows("6.1", "")));
        assert!(overlap(windows("6.0", "6.2"), windows("6.1", "")));
        assert!(overlap(windows("", ""), windows("6.1", "6.2")));
        assert!(!overlap(windows("6.2", ""), windows("", "6.2")));
    }
}
