//! Files whose buffers are not in the order of time.

use super::{Sample, event, plain_buffer, sample};
use crate::synth::{Buffer, Trace};

pub(super) const SAMPLES: &[Sample] = &[
    sample(
        "order-three-processors",
        "Buffers of three processors that overlap in time, out of order in the file; ids count in the order of time",
        three_processors,
    ),
    sample(
        "order-equal-times",
        "Events of two processors at the same times: ties go by processor, not by the order of the file",
        equal_times,
    ),
    sample(
        "order-wrapped-circular",
        "A circular file that wrapped: buffers 5 and 6 took the places of 1 and 2",
        wrapped,
    ),
    sample(
        "order-newfile",
        "NEWFILE mode: sequence numbers start at 908, past BuffersWritten, with a gap",
        newfile,
    ),
    sample(
        "order-no-per-processor-buffering",
        "NO_PER_PROCESSOR_BUFFERING: processor 0 everywhere, which means nothing",
        no_per_processor,
    ),
    sample(
        "order-append",
        "APPEND mode: a second run whose sequence numbers start again (as assumed; no real file shows it)",
        append,
    ),
    sample("order-time-goes-back", "Times that decrease within one buffer", goes_back),
];

/// A buffer of events at these times; the id of each is its time divided by ten.
fn at(processor: u16, sequence: i64, times: &[u16]) -> Buffer {
    Buffer::new(processor, sequence).events(times.iter().map(|time| event(time / 10, i64::from(*time))))
}

fn three_processors() -> Vec<u8> {
    Trace::new64()
        .processors(3)
        .buffer(at(2, 3, &[30, 60, 90]))
        .buffer(at(0, 1, &[10, 40, 70]))
        .buffer(at(1, 2, &[20, 50, 80]))
        .buffer(at(0, 5, &[100, 110, 150]))
        .buffer(at(2, 6, &[130, 140]))
        .buffer(at(1, 4, &[120, 160]))
        .build()
}

fn equal_times() -> Vec<u8> {
    let buffer = |processor, sequence, first| plain_buffer(processor, sequence, first, 4, 100);
    Trace::new64().buffer(buffer(1, 1, 10)).buffer(buffer(0, 2, 20)).build()
}

fn wrapped() -> Vec<u8> {
    // USE_KBYTES_FOR_SIZE and CIRCULAR: at most 5 KB. BuffersWritten counts all that were ever written.
    Trace::new64()
        .mode(0x0000_2002)
        .processors(1)
        .logfile(|l| (l.maximum_file_size, l.buffers_written) = (5, Some(7)))
        .buffer(at(0, 5, &[130, 140, 150]))
        .buffer(at(0, 6, &[160, 170]))
        .buffer(at(0, 3, &[70, 80, 90]))
        .buffer(at(0, 4, &[100, 110, 120]))
        .build()
}

fn newfile() -> Vec<u8> {
    Trace::new64()
        .mode(0x0000_0009) // NEWFILE, SEQUENTIAL
        .logfile(|l| (l.maximum_file_size, l.path) = (1, r"C:\Traces\synth.8.etl".into()))
        .buffer(at(0, 908, &[10, 20]))
        .buffer(at(1, 909, &[30, 40]))
        .buffer(at(0, 911, &[50, 60]))
        .build()
}

fn no_per_processor() -> Vec<u8> {
    Trace::new64()
        .mode(0x1000_0001) // NO_PER_PROCESSOR_BUFFERING, SEQUENTIAL
        .processors(1)
        .buffer(
            Buffer::new(0, 1)
                .event(event(1, 10).process(4120, 4124))
                .event(event(2, 20).process(4200, 4204)),
        )
        .buffer(
            Buffer::new(0, 2)
                .event(event(3, 30).process(4300, 4304))
                .event(event(4, 40).process(4120, 4124)),
        )
        .build()
}

fn append() -> Vec<u8> {
    let at = |sequence, first_id, microseconds| {
        let events = (0..3_u16).map(|i| event(first_id + i, 0).at(Trace::utc(microseconds + i64::from(i) * 10)));
        Buffer::new(0, sequence).events(events)
    };
    Trace::new64()
        .clock_system_time()
        .mode(0x0000_0005) // APPEND, SEQUENTIAL
        .processors(1)
        .logfile(|l| l.end_time += 3_600 * 10_000_000)
        .buffer(at(1, 1, 10))
        .buffer(at(2, 4, 50))
        .buffer(at(1, 7, 3_600_000_010))
        .buffer(at(2, 10, 3_600_000_050))
        .build()
}

fn goes_back() -> Vec<u8> {
    Trace::new64()
        .buffer(at(0, 1, &[10, 30, 20, 40]))
        .buffer(at(0, 2, &[50, 25, 60]))
        .build()
}
