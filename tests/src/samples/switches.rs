//! Buffers of compact context switches.

use super::{Sample, plain_buffer, sample};
use crate::synth::{Buffer, Switches, Trace};

pub(super) const SAMPLES: &[Sample] = &[
    sample(
        "switches",
        "Compact context switches (buffer type 2) of two processors beside their events: all four kinds of packet",
        switches,
    ),
    sample("switches-compressed", "The same, compressed", || {
        Trace::new64()
            .compressed()
            .buffer_size(4096)
            .buffer(first())
            .buffer(plain_buffer(0, 2, 1, 2, 100))
            .build()
    }),
    sample(
        "damage-switches",
        "Context switches with a packet that does not fit, and with tables that do not; the next buffers are read",
        damaged,
    ),
];

/// Threads 4000, 4004, ... 4060 with base priorities from 8 up; the last one has -1.
fn start(time: i64) -> Switches {
    let mut place = 0;
    let threads = [(); 16].map(|()| {
        place += 1;
        (3996 + 4 * place, if place == 16 { -1 } else { 7 + place as i8 })
    });
    Switches::new(Trace::qpc(time), threads)
}

/// Packets at 150, 152, 252, 300 and 1073742123: the last has the longest time that there is.
fn first() -> Buffer {
    start(100)
        .idle_short(50)
        .lite(2, 3, 2, 6)
        .idle(100)
        .full(48, 15, 33, 31, 131_071)
        .full(0x3FFF_FFFF, 0, 0, 0, 0)
        .buffer(0, 1)
        .time(Trace::qpc(900))
}

fn switches() -> Vec<u8> {
    Trace::new64()
        .buffer(first())
        .buffer(plain_buffer(0, 2, 1, 3, 140))
        .buffer(
            start(145)
                .lite(131_071, 15, 7, 63)
                .idle_short(0)
                .idle_short(16_383)
                .buffer(1, 3)
                .time(Trace::qpc(900)),
        )
        .buffer(plain_buffer(1, 4, 4, 2, 160))
        .build()
}

fn damaged() -> Vec<u8> {
    Trace::new64()
        .buffer(
            start(100)
                .idle_short(5)
                .bytes([0x03, 0, 0, 0, 0, 0])
                .buffer(0, 1)
                .time(Trace::qpc(900)),
        )
        .buffer(plain_buffer(0, 2, 1, 1, 140))
        .buffer(
            Switches::new(0, [(0, 0); 16])
                .buffer(0, 3)
                .with_valid(0x48 + 0x50)
                .saved_offset(0x48 + 0x50)
                .time(Trace::qpc(900)),
        )
        .buffer(plain_buffer(0, 4, 2, 1, 150))
        .build()
}
