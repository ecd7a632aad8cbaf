//! How many files are open at once when they are merged.

/// Most files that are merged where they overlap in time: each is open, and has buffers in memory.
pub(super) const MAX_OVERLAP: usize = 256;

/// The largest number of spans of time, from first to last, that have a moment in common. `None` of no spans.
pub(super) fn overlapping(spans: &mut [(i64, i64)]) -> Option<usize> {
    spans.sort_unstable();
    let mut ends: Vec<i64> = spans.iter().map(|(from, to)| *to.max(from)).collect();
    ends.sort_unstable();
    let (mut ended, mut most) = (0, None);
    for (begun, (from, _)) in spans.iter().enumerate() {
        while ends.get(ended).is_some_and(|end| end < from) {
            ended += 1;
        }
        most = most.max(Some(begun + 1 - ended));
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_has_a_moment_in_common() {
        assert_eq!(overlapping(&mut []), None);
        assert_eq!(overlapping(&mut [(0, 1), (2, 3), (4, 5)]), Some(1));
        assert_eq!(overlapping(&mut [(4, 5), (0, 1), (1, 4)]), Some(2));
        assert_eq!(overlapping(&mut [(0, 9), (1, 2), (3, 4), (2, 3)]), Some(3));
        // An end before the start is a moment.
        assert_eq!(overlapping(&mut [(5, i64::MIN), (5, 5)]), Some(2));
    }
}
