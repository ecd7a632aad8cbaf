//! Kinds of buffers and of files.

use super::{CLASS, Sample, event, plain_buffer, sample};
use crate::synth::{Buffer, Event, Fill, Payload, Trace, filetime, lznt1, lznt1_stored};

pub(super) const SAMPLES: &[Sample] = &[
    sample(
        "file-compressed",
        "Relogged file with XPRESS-compressed buffers, log version 2.0",
        compressed,
    ),
    sample(
        "file-compressed-some",
        "Compressed and plain buffers side by side: each buffer's flag decides",
        compressed_some,
    ),
    sample(
        "file-compressed-lznt1",
        "LZNT1-compressed buffers (format 2; no real file shows it): a compressed chunk and a stored one",
        compressed_lznt1,
    ),
    sample(
        "file-relogged",
        "Relogged, uncompressed: State of the header buffer 0, buffer times are FILETIMEs of the relogging",
        relogged,
    ),
    sample(
        "file-vista",
        "Vista SP1, 32-bit: log version 1.4, processor word 0x08nn, a time in the header buffer",
        || old(Trace::new32().vista()),
    ),
    sample(
        "file-windows7",
        "Windows 7 SP1: processor word 0x08nn, SavedOffset of the header buffer 0",
        || old(Trace::new64().windows7()),
    ),
    sample(
        "file-header-events",
        "Header buffer with four events behind the logfile header, and SavedOffset before the last two",
        header_events,
    ),
    sample(
        "file-empty-buffers",
        "Buffers without events: type GENERIC, and EMPTY_MARKER",
        empty_buffers,
    ),
    sample(
        "file-buffer-types",
        "Buffer types 1, 3, 5, 7 and 99 with events, and the loss flags",
        buffer_types,
    ),
    sample(
        "file-full-buffer",
        "A buffer that its events fill to the last byte",
        full_buffer,
    ),
    sample(
        "file-unfinished",
        "The session still ran: EndTime and BuffersWritten 0, no last flush marker",
        unfinished,
    ),
    sample("file-zero-tail", "Zeros behind the last buffer", || {
        plain().raw([0; 2048]).build()
    }),
    sample(
        "file-preallocated",
        "PREALLOCATE mode, cut off by a crash: unfinished, and zeros up to 8 KB",
        preallocated,
    ),
    sample(
        "file-gaps-garbage",
        "Old memory in the gaps between events and behind the last one",
        gaps,
    ),
    sample(
        "file-lost-events",
        "EventsLost 41 and BuffersLost 2 in the logfile header",
        || plain().logfile(|l| (l.events_lost, l.buffers_lost) = (41, 2)).build(),
    ),
    sample(
        "file-buffers-written-wrong",
        "BuffersWritten 99 in a file of three buffers",
        || plain().logfile(|l| l.buffers_written = Some(99)).build(),
    ),
    sample(
        "file-all-modes",
        "Every bit of LogFileMode that has a name, except COMPRESSED and RELOG",
        || plain().mode(0xBBFE_FFFF).build(),
    ),
    sample(
        "file-processor-1023",
        "Processor 1023 of 1024, log version 2.0: more than a byte",
        processor_1023,
    ),
    sample(
        "file-wow64",
        "32-bit logfile header, 64-bit events: the controller was a 32-bit program",
        || plain_in(Trace::new32()).build(),
    ),
];

/// Two buffers of three events.
fn plain_in(trace: Trace) -> Trace {
    trace
        .buffer(plain_buffer(0, 1, 1, 3, 100))
        .buffer(plain_buffer(1, 2, 4, 3, 200))
}

fn plain() -> Trace {
    plain_in(Trace::new64())
}

fn compressed() -> Vec<u8> {
    Trace::new64()
        .buffer_size(4096)
        .compressed()
        .buffer(plain_buffer(0, 1, 1, 20, 100))
        .buffer(plain_buffer(1, 2, 21, 1, 150))
        .buffer(plain_buffer(0, 3, 22, 7, 900))
        .build()
}

fn compressed_some() -> Vec<u8> {
    Trace::new64()
        .relogged()
        .header_buffer(|header| header.state(3))
        .logfile(|l| (l.mode, l.log_version) = (0x0401_0001, [2, 0])) // COMPRESSED, RELOG, SEQUENTIAL
        .buffer(plain_buffer(0, 1, 1, 6, 100).compressed())
        .buffer(plain_buffer(1, 2, 7, 3, 200))
        .buffer(plain_buffer(0, 3, 10, 6, 300).compressed())
        .build()
}

fn compressed_lznt1() -> Vec<u8> {
    let buffer = |sequence, first_id, compress: fn(&[u8]) -> Vec<u8>| {
        let area = plain_buffer(0, sequence, first_id, 6, sequence * 100).area();
        Buffer::new(0, sequence).compressed_stream(compress(&area), area.len())
    };
    Trace::new64()
        .compressed()
        .header_buffer(|header| header.state(2))
        .buffer(buffer(1, 1, lznt1))
        .buffer(buffer(2, 7, lznt1_stored))
        .build()
}

fn relogged() -> Vec<u8> {
    plain_in(Trace::new64().relogged()).build()
}

fn old(trace: Trace) -> Vec<u8> {
    let classic = |time| {
        Event::full32(CLASS, 1, 4, 2)
            .process(1408, 1412)
            .at(Trace::qpc(time))
            .payload(Payload::new().u32(42))
    };
    trace
        .buffer(Buffer::new(0, 1).event(classic(100)).event(event(1, 200)))
        .buffer(Buffer::new(1, 2).event(classic(150)).event(event(2, 250)))
        .processors(4)
        .buffer(Buffer::new(3, 3).event(classic(300)))
        .build()
}

fn header_events() -> Vec<u8> {
    let masks = Payload::new().u32(0x0000_0207).u32(0x0400_0000).bytes([0; 24]).u32(0x42); // GroupMasks, KernelEventVersion
    let partition = Payload::new()
        .u16(0)
        .u16(0)
        .u32(4)
        .i64(188_502_644)
        .bytes([0x5A; 16])
        .bytes([0; 16]);
    let system = |hook, payload: Payload| {
        Event::system64(hook, 2)
            .process(1204, 5316)
            .at(Trace::qpc(0))
            .payload(payload)
    };
    let perfinfo = |hook, payload: Payload| Event::perfinfo64(hook, 2).at(Trace::qpc(1)).payload(payload);
    Trace::new64()
        .header_event(system(0x0005, masks)) // HEADER_EXTENSION
        .header_event(system(0x0050, partition)) // PARTITION_INFO_EXTENSION_V2
        .header_event(perfinfo(
            0x0042,
            Payload::new().ansi_z("22631.1.amd64fre.ni_release.220506-1250"),
        )) // BUILD_LAB
        .header_event(perfinfo(0x0040, Payload::new().bytes(CLASS).u32(1).ansi_z("synth.pdb"))) // DBGID_RSDS
        .header_buffer(|header| {
            // Windows appends to the header buffer without moving SavedOffset: here it stands before the last two events.
            let whole = header.area().len() as u32;
            let start = 0x48 + logfile_event_len();
            header.saved_offset(start + whole - 56 - 48)
        })
        .buffer(plain_buffer(0, 1, 1, 2, 100))
        .build()
}

/// Length of the logfile header event with its gap: the Offset of a header buffer that holds nothing else, less its header.
fn logfile_event_len() -> u32 {
    let file = Trace::new64().build();
    u32::from_le_bytes([file[0x30], file[0x31], file[0x32], file[0x33]]) - 0x48
}

fn empty_buffers() -> Vec<u8> {
    Trace::new64()
        .buffer(Buffer::new(0, 1).time(Trace::qpc(50)))
        .buffer(plain_buffer(0, 2, 1, 2, 100))
        .buffer(Buffer::new(1, 3).buffer_type(6).time(Trace::qpc(300))) // EMPTY_MARKER
        .buffer(plain_buffer(1, 4, 3, 1, 400))
        .build()
}

fn buffer_types() -> Vec<u8> {
    let types = [1, 0, 3, 5, 7, 99];
    let flags = [0x0002, 0x0004, 0x0008, 0x0010, 0x0000, 0x8000]; // EVENTS_LOST, BUFFER_LOST, RTBACKUP_CORRUPT, RTBACKUP
    let buffers = types.into_iter().zip(flags).zip(1..).map(|((buffer_type, flags), n)| {
        plain_buffer(0, i64::from(n), n, 1, i64::from(n) * 100)
            .buffer_type(buffer_type)
            .add_flags(flags)
    });
    buffers.fold(Trace::new64(), Trace::buffer).build()
}

fn full_buffer() -> Vec<u8> {
    let filler = |len: usize| event(9, 200).payload(vec![0x46; len]);
    // 1024 bytes less the buffer header, two ordinary events and the header of the third.
    let used = 0x48 + plain_buffer(0, 1, 1, 2, 100).area().len() + 0x50;
    Trace::new64()
        .buffer(
            plain_buffer(0, 1, 1, 2, 100)
                .event(filler(1024 - used))
                .current_offset(1024 + 96),
        )
        .buffer(plain_buffer(0, 2, 3, 1, 300))
        .build()
}

fn unfinished() -> Vec<u8> {
    plain().unfinished().without_last_marker().build()
}

fn preallocated() -> Vec<u8> {
    plain()
        .unfinished()
        .without_last_marker()
        .mode(0x0000_2021) // USE_KBYTES_FOR_SIZE, PREALLOCATE, SEQUENTIAL
        .logfile(|l| l.maximum_file_size = 8)
        .raw([0; 5 * 1024])
        .build()
}

fn gaps() -> Vec<u8> {
    let odd = |id, len: usize| event(id, i64::from(id) * 10).payload(vec![0x50; len]);
    let buffer = |sequence, fill| {
        let events = [odd(1, 1), odd(2, 7), odd(3, 12), odd(4, 3)];
        Buffer::new(0, sequence).events(events).gaps(fill).rest(fill)
    };
    Trace::new64()
        .buffer(buffer(1, Fill::Garbage))
        .buffer(buffer(2, Fill::Ones))
        .buffer(buffer(3, Fill::Zeros))
        .logfile(|l| l.boot_time = filetime(2024, 5, 13, 22, 15, 0))
        .build()
}

fn processor_1023() -> Vec<u8> {
    Trace::new64()
        .processors(1024)
        .logfile(|l| l.log_version = [2, 0])
        .buffer(plain_buffer(1023, 1, 1, 2, 100))
        .buffer(plain_buffer(256, 2, 3, 2, 200))
        .build()
}
