//! One file for each clock: in all of them the events lie 1 second and 2.5 seconds after the start.

use super::{Sample, event, sample};
use crate::synth::{Buffer, START_TIME, Trace};

pub(super) const SAMPLES: &[Sample] = &[
    sample("clock-qpc", "Clock 1: performance counter at 10 MHz", || {
        two(Trace::new64().clock_qpc(), Trace::qpc(0), 10_000_000)
    }),
    sample(
        "clock-qpc-3579545",
        "Clock 1 at 3,579,545 Hz: ticks are not a whole number of 100 ns units",
        || qpc(3_579_545),
    ),
    sample(
        "clock-qpc-14318180",
        "Clock 1 at 14,318,180 Hz: ticks are shorter than 100 ns",
        || qpc(14_318_180),
    ),
    sample("clock-system-time", "Clock 2: events carry FILETIMEs", || {
        two(Trace::new64().clock_system_time(), START_TIME, 10_000_000)
    }),
    sample("clock-cpu-cycles", "Clock 3: processor cycles at 3,000 MHz", || {
        two(
            Trace::new64().clock_cpu_cycles(3000, 987_654_321_000),
            987_654_321_000,
            3_000_000_000,
        )
    }),
    sample(
        "clock-unspecified-system-time",
        "Clock 0 with FILETIMEs, as before Vista",
        || two(Trace::new64().clock_unspecified(START_TIME), START_TIME, 10_000_000),
    ),
    sample("clock-unspecified-qpc", "Clock 0 with values that are no FILETIMEs", || {
        two(Trace::new64().clock_unspecified(Trace::qpc(0)), Trace::qpc(0), 10_000_000)
    }),
    sample("clock-unknown", "Clock 9, which does not exist", || {
        two(Trace::new64().logfile(|l| l.clock = 9), Trace::qpc(0), 10_000_000)
    }),
    sample(
        "clock-before-start",
        "An event 1 second before the start: the difference is negative",
        before_start,
    ),
];

/// Events 1 second and 2.5 seconds after the clock's value at the start.
fn two(trace: Trace, start: i64, ticks_per_second: i64) -> Vec<u8> {
    let events = [
        event(1, 0).at(start + ticks_per_second),
        event(2, 0).at(start + ticks_per_second * 5 / 2),
    ];
    trace.buffer(Buffer::new(0, 1).events(events)).build()
}

fn qpc(frequency: i64) -> Vec<u8> {
    two(
        Trace::new64().clock_qpc().logfile(|l| l.perf_freq = frequency),
        Trace::qpc(0),
        frequency,
    )
}

fn before_start() -> Vec<u8> {
    // Not a whole number of seconds, so that rounding towards zero and rounding down differ at 3,579,545 Hz.
    let events = [
        event(1, 0).at(Trace::qpc(0) - 3_579_546),
        event(2, 0).at(Trace::qpc(0) + 3_579_546),
    ];
    Trace::new64()
        .logfile(|l| l.perf_freq = 3_579_545)
        .buffer(Buffer::new(0, 1).events(events))
        .build()
}
