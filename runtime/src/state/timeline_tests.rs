use super::*;
use crate::payload::template::Lifetime::{Always, AtEnd, AtStart, Ends, Starts};

const FILE: Key = (Refers::File, 0, 0xF0);
const PROCESS: Key = (Refers::Process, 0, 400);

/// Facts of one key: time, lifetime, name (0 for none).
fn timeline(key: Key, facts: &[(i64, Lifetime, u32)]) -> Timeline {
    let fact = |(order, (at, lifetime, name)): (usize, &(i64, Lifetime, u32))| Fact {
        key,
        at: *at,
        order: order as u64,
        lifetime: *lifetime,
        content: (*name != 0).then_some(Content::Name(*name)),
    };
    Timeline::build(facts.iter().enumerate().map(fact).collect())
}

/// The name at each of the times.
fn names(key: Key, facts: &[(i64, Lifetime, u32)], times: &[i64]) -> Vec<u32> {
    let timeline = timeline(key, facts);
    let name = |at: &i64| match timeline.at(key, *at) {
        Some(Content::Name(name)) => name,
        other => {
            assert_eq!(other, None);
            0
        }
    };
    times.iter().map(name).collect()
}

#[test]
fn from_start_to_end() {
    assert_eq!(names(FILE, &[(10, Starts, 1), (20, Ends, 1)], &[9, 10, 20, 21]), [0, 1, 1, 0]);
    // The order in the file is not that of time.
    assert_eq!(names(FILE, &[(20, Ends, 1), (10, Starts, 1)], &[9, 10, 20, 21]), [0, 1, 1, 0]);
    // An end without a name, and one of something unknown.
    assert_eq!(names(FILE, &[(10, Starts, 1), (20, Ends, 0)], &[9, 10, 20, 21]), [0, 1, 1, 0]);
    assert_eq!(names(FILE, &[(20, Ends, 0), (30, Starts, 1)], &[10, 30]), [0, 1]);
}

#[test]
fn a_number_is_used_again() {
    let reused = [(10, Starts, 1), (20, Ends, 1), (30, Starts, 2)];
    assert_eq!(names(FILE, &reused, &[10, 25, 30, 99]), [1, 0, 2, 2]);
    // Nobody else can have the number of a process before the next start.
    assert_eq!(names(PROCESS, &reused, &[9, 10, 25, 29, 30, 99]), [0, 1, 1, 1, 2, 2]);
    assert_eq!(names(PROCESS, &[(10, Starts, 1), (20, Ends, 1)], &[99]), [1]);
    // A start without an end before it.
    assert_eq!(names(FILE, &[(10, Starts, 1), (30, Starts, 2)], &[29, 30]), [1, 2]);
    // A start without a name: the number stands for something else from then on.
    assert_eq!(names(FILE, &[(10, Starts, 1), (30, Starts, 0)], &[29, 30]), [1, 0]);
}

#[test]
fn rundowns_reach_back_and_forward() {
    assert_eq!(names(PROCESS, &[(50, AtStart, 1)], &[1, 50, 99]), [1, 1, 1]);
    assert_eq!(names(PROCESS, &[(50, AtEnd, 1)], &[1, 50, 99]), [1, 1, 1]);
    assert_eq!(names(PROCESS, &[(5, AtStart, 1), (90, AtEnd, 1)], &[1, 50, 99]), [1, 1, 1]);
    assert_eq!(names(FILE, &[(10, Starts, 1), (90, AtEnd, 1)], &[9, 50, 99]), [0, 1, 1]);
    // It must have been there before if only its end is told of.
    assert_eq!(names(PROCESS, &[(50, Ends, 1)], &[1, 50]), [1, 1]);
}

#[test]
fn contradictions_are_not_smoothed_over() {
    // No event tells when the number changed hands.
    assert_eq!(
        names(PROCESS, &[(5, AtStart, 1), (90, AtEnd, 2)], &[5, 6, 89, 90]),
        [1, 0, 0, 2]
    );
    assert_eq!(
        names(FILE, &[(10, Starts, 1), (20, Ends, 2)], &[10, 15, 20, 21]),
        [1, 0, 2, 0]
    );
    // The process with the number may be the one that ended, or the one at the end.
    assert_eq!(
        names(PROCESS, &[(10, Starts, 1), (20, Ends, 1), (90, AtEnd, 2)], &[20, 21, 89, 90]),
        [1, 0, 0, 2]
    );
}

#[test]
fn ends_alone_follow_each_other() {
    // Keys of stacks are told of when they are dropped: all that uses the key after one end means the next.
    let key = (Refers::Stack, 0, 7);
    assert_eq!(
        names(key, &[(20, Ends, 1), (40, Ends, 2), (60, AtEnd, 3)], &[1, 20, 21, 40, 41, 99]),
        [1, 1, 2, 2, 3, 3]
    );
}

#[test]
fn what_is_always_there() {
    let key = (Refers::Disk, 0, 0);
    let timeline = timeline(key, &[(5, Always, 1), (5, Always, 2), (5, Always, 1)]);
    let all: Vec<_> = timeline.all(key).map(|span| (span.from, span.to, span.content)).collect();
    assert_eq!(
        all,
        [(i64::MIN, i64::MAX, Content::Name(1)), (i64::MIN, i64::MAX, Content::Name(2))]
    );
    assert_eq!(timeline.all((Refers::Disk, 0, 1)).count(), 0);
}

#[test]
fn the_extremes_of_time() {
    let facts = [
        (i64::MIN, Starts, 1),
        (i64::MIN, Ends, 1),
        (i64::MAX, Starts, 2),
        (i64::MAX, Ends, 2),
    ];
    assert_eq!(names(FILE, &facts, &[i64::MIN, 0, i64::MAX]), [1, 0, 2]);
    assert_eq!(names(FILE, &[(i64::MAX, Ends, 1), (i64::MAX, Ends, 2)], &[0]), [1]);
}
