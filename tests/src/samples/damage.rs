//! Damaged files: three sound data buffers of three events each, and one thing wrong with the file, a buffer or the logfile header.

use super::{Sample, plain_buffer, sample};
use crate::synth::damage::{cut, insert, patch};
use crate::synth::{Buffer, Trace, garbage};

pub(super) const SAMPLES: &[Sample] = &[
    sample("damage-empty-file", "No bytes at all", Vec::new),
    sample("damage-not-a-trace", "A text file with the wrong name", || {
        b"This is not an Event Trace Log file, whatever its name says.\r\n".repeat(20)
    }),
    sample("damage-one-byte", "One byte of a trace", || cut(sound().build(), 1)),
    sample(
        "damage-cut-in-first-buffer-header",
        "Cut inside the header of buffer 0",
        || cut(sound().build(), 0x40),
    ),
    sample(
        "damage-cut-in-logfile-header",
        "Cut inside the fixed part of the logfile header",
        || cut(sound().build(), 0x48 + 0x20 + 0x50),
    ),
    sample("damage-cut-in-names", "Cut inside the session's name", || {
        cut(sound().build(), 0x48 + 0x20 + 0x118 + 5)
    }),
    sample(
        "damage-cut-in-header-buffer",
        "Cut behind the logfile header, before the end of buffer 0",
        || cut(sound().build(), 700),
    ),
    sample(
        "damage-cut-in-event",
        "Cut inside the second event of the last buffer",
        || cut(sound().build(), 3072 + 0x48 + 104 + 40),
    ),
    sample(
        "damage-cut-behind-events",
        "Cut behind the last event, before the end of the last buffer: no event is lost",
        || cut(sound().build(), 3072 + 0x48 + 3 * 104 + 8),
    ),
    sample(
        "damage-cut-in-buffer-header",
        "Cut inside the header of the last buffer",
        || cut(sound().build(), 3072 + 0x20),
    ),
    sample(
        "damage-valid-below-header",
        "Offset 0x20, less than the buffer header; SavedOffset is right",
        || middle(plain_buffer(0, 2, 4, 3, 200).with_valid(0x20)),
    ),
    sample("damage-valid-zero", "Offset and SavedOffset 0", || {
        middle(plain_buffer(0, 2, 4, 3, 200).with_valid(0).saved_offset(0))
    }),
    sample(
        "damage-valid-beyond-buffer",
        "Offset 8 bytes more than the buffer has",
        || middle(plain_buffer(0, 2, 4, 3, 200).with_valid(1032)),
    ),
    sample("damage-valid-maximum", "Offset 0xFFFFFFFF", || {
        middle(plain_buffer(0, 2, 4, 3, 200).with_valid(u32::MAX))
    }),
    sample("damage-valid-inside-event", "Offset inside the third event", || {
        middle(plain_buffer(0, 2, 4, 3, 200).with_valid(0x48 + 2 * 104 + 16))
    }),
    sample("damage-buffer-size-zero", "BufferSize 0 in the middle of the file", || {
        middle(plain_buffer(0, 2, 4, 3, 200).with_size_field(0))
    }),
    sample("damage-buffer-size-one", "BufferSize 1 in the middle of the file", || {
        middle(plain_buffer(0, 2, 4, 3, 200).with_size_field(1))
    }),
    sample(
        "damage-buffer-size-maximum",
        "BufferSize 0xFFFFFFFF in the middle of the file",
        || middle(plain_buffer(0, 2, 4, 3, 200).with_size_field(u32::MAX)),
    ),
    sample(
        "damage-buffer-size-too-small",
        "BufferSize 512 where the buffer takes 1024 bytes: the next header is not there",
        || middle(plain_buffer(0, 2, 4, 3, 200).with_size_field(512)),
    ),
    sample("damage-first-buffer-size-zero", "BufferSize 0 in buffer 0", || {
        patch(sound().build(), 0x00, 0_u32.to_le_bytes())
    }),
    sample("damage-first-buffer-size-one", "BufferSize 1 in buffer 0", || {
        patch(sound().build(), 0x00, 1_u32.to_le_bytes())
    }),
    sample(
        "damage-first-buffer-size-maximum",
        "BufferSize 0xFFFFFFFF in buffer 0",
        || patch(sound().build(), 0x00, u32::MAX.to_le_bytes()),
    ),
    sample("damage-first-buffer-type", "BufferType 0 in buffer 0", || {
        patch(sound().build(), 0x36, 0_u16.to_le_bytes())
    }),
    sample(
        "damage-garbage-between-buffers",
        "512 bytes of garbage between two buffers",
        || insert(sound().build(), 2048, &garbage(512, 1)),
    ),
    sample(
        "damage-garbage-unaligned",
        "333 bytes of garbage between two buffers: the next one is not at a multiple of eight",
        || insert(sound().build(), 2048, &garbage(333, 2)),
    ),
    sample("damage-garbage-tail", "Garbage behind the last buffer", || {
        sound().raw(garbage(700, 3)).build()
    }),
    sample(
        "damage-zeros-between-buffers",
        "A buffer's worth of zeros between two buffers",
        || insert(sound().build(), 2048, &[0; 1024]),
    ),
    sample("damage-logfile-pointer-size", "PointerSize 3 in the logfile header", || {
        sound().logfile(|l| l.pointer_size = Some(3)).build()
    }),
    sample(
        "damage-logfile-pointer-size-differs",
        "PointerSize 4 in a 64-bit logfile header",
        || sound().logfile(|l| l.pointer_size = Some(4)).build(),
    ),
    sample(
        "damage-logfile-times",
        "StartTime, EndTime and BootTime the largest i64, PerfFreq 0",
        logfile_times,
    ),
    sample(
        "damage-logfile-negative",
        "StartTime the smallest i64, PerfFreq -1, header time the largest i64",
        logfile_negative,
    ),
    sample(
        "damage-logfile-zone-dates",
        "Time zone with month 13, day 40, biases of the smallest i32",
        zone_dates,
    ),
    sample(
        "damage-logfile-name-unterminated",
        "The file's path has no terminator",
        || sound().logfile(|l| l.terminators = 1).build(),
    ),
    sample(
        "damage-logfile-names-unterminated",
        "Neither name has a terminator: one text",
        || sound().logfile(|l| l.terminators = 0).build(),
    ),
    sample(
        "damage-logfile-header-short",
        "A logfile header event that ends in its time zone",
        || patch(sound().build(), 0x48 + 0x04, 0x80_u16.to_le_bytes()),
    ),
    sample(
        "damage-logfile-header-type",
        "The first event is not the logfile header but BUILD_LAB",
        || patch(sound().build(), 0x48 + 0x06, 0x0042_u16.to_le_bytes()),
    ),
    sample("damage-cpu-mhz-zero", "Clock 3 with CpuSpeedInMHz 0", || {
        sound().clock_cpu_cycles(0, Trace::qpc(0)).build()
    }),
];

/// Three data buffers of three events each, ids 1 to 9.
pub(super) fn sound() -> Trace {
    sound_with(plain_buffer(0, 2, 4, 3, 200))
}

pub(super) fn sound_with(middle: Buffer) -> Trace {
    Trace::new64()
        .buffer(plain_buffer(0, 1, 1, 3, 100))
        .buffer(middle)
        .buffer(plain_buffer(1, 3, 7, 3, 300))
}

/// The second of three data buffers is this one.
pub(super) fn middle(buffer: Buffer) -> Vec<u8> {
    sound_with(buffer).build()
}

fn logfile_times() -> Vec<u8> {
    sound()
        .logfile(|l| (l.start_time, l.end_time, l.boot_time, l.perf_freq) = (i64::MAX, i64::MAX, i64::MAX, 0))
        .build()
}

fn logfile_negative() -> Vec<u8> {
    sound()
        .logfile(|l| (l.start_time, l.perf_freq, l.start_raw) = (i64::MIN, -1, i64::MAX))
        .build()
}

fn zone_dates() -> Vec<u8> {
    let impossible = [0xFFFF, 13, 7, 40, 25, 61, 61, 1000];
    sound()
        .logfile(|l| (l.zone_dates, l.biases) = ([impossible; 2], [i32::MIN; 3]))
        .build()
}
