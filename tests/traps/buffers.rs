//! Traps of buffer headers: 1, 4 to 9, 22 to 25, 30.

use winetl::clock::ClockKind;
use winetl::compression::CompressionFormat;
use winetl::record::Record as _;
use winetl::{BufferRoles as _, Layout as _, Order};
use winetl_tests::samples;
use winetl_tests::synth::{Buffer, Event, Fill, START_RAW, Trace, filetime, garbage};

use super::common::{fields, read};
use super::{event, ids, kinds, open};

fn system(hook: u16) -> Event {
    Event::system64(hook, 2).at(START_RAW).payload([7; 16])
}

/// Trap 1. Wrong: events end at SavedOffset, which is 0 or too small in header buffers.
#[test]
fn events_end_at_offset_not_at_saved_offset() {
    for saved in [0, 0x48, 0x200] {
        let file = Trace::new64()
            .header_event(system(0x0050))
            .header_event(system(0x0042))
            .header_buffer(|header| header.saved_offset(saved))
            .buffer(Buffer::new(0, 1).event(event(1)).event(event(2)).saved_offset(saved))
            .build();
        assert_eq!(ids(&file), [1, 2], "SavedOffset {saved:#x}");
        assert_eq!(kinds(&file).len(), 5, "SavedOffset {saved:#x}");
    }
}

/// Trap 4. Wrong: a compressed buffer is taken for plain events, and has none.
#[test]
fn compressed_buffers_are_decompressed() {
    let file = Trace::new64()
        .compressed()
        .buffer(Buffer::new(0, 1).events((1..=8).map(event)))
        .build();
    let trace = open(&file);
    assert_eq!(trace.logfile().compression(), CompressionFormat::XPRESS);
    assert!(trace.buffers().nth(1).unwrap().compressed);
    assert_eq!(ids(&file), [1, 2, 3, 4, 5, 6, 7, 8]);
}

/// Trap 5. Wrong: BuffersWritten buffers are read: none of an unfinished trace.
#[test]
fn buffers_written_does_not_end_the_walk() {
    for written in [0, 1, 2, 3, 99, u32::MAX] {
        let file = Trace::new64()
            .logfile(|logfile| logfile.buffers_written = Some(written))
            .buffer(Buffer::new(0, 1).event(event(1)))
            .buffer(Buffer::new(0, 2).event(event(2)))
            .build();
        assert_eq!(ids(&file), [1, 2], "BuffersWritten {written}");
        let (_, report) = read(file, Order::File).unwrap();
        assert_eq!(
            report.notes().is_empty(),
            written == 3,
            "a number that is wrong is worth a note"
        );
    }
}

/// Trap 6. Wrong: a file is refused where SequenceNumber is beyond BuffersWritten, the processor beyond NumberOfProcessors, the
/// logfile header of another version than 2, or a buffer larger than the session's.
#[test]
fn numbers_of_buffer_headers_are_not_bounded_by_the_logfile_header() {
    let file = Trace::new64()
        .processors(1)
        .logfile(|logfile| logfile.event_version = 0)
        .buffer(Buffer::new(5, 908).event(event(1)))
        .buffer(Buffer::new(1023, i64::MAX).event(event(2)))
        .buffer(Buffer::new(2, 913).event(event(3)).size(4096))
        .buffer(Buffer::new(0, 2).event(event(4)))
        .build();
    assert_eq!(ids(&file), [1, 2, 3, 4]);
}

/// Trap 7. Wrong: 16 bits of processor in every file: 2048 to 2051 instead of 0 to 3 before Windows 8.
#[test]
fn the_processor_has_16_bits_only_with_proc_index() {
    let buffers = [0, 3, 1].map(|processor| Buffer::new(processor, 1 + i64::from(processor)).event(event(1)));
    let old = buffers.into_iter().fold(Trace::new64().windows7(), Trace::buffer).build();
    let processors: Vec<_> = open(&old).buffers().map(|buffer| buffer.processor()).collect();
    assert_eq!(processors, [0, 0, 3, 1]);
    let (events, _) = read(old, Order::File).unwrap();
    assert_eq!(
        events.iter().map(|event| event.processor).collect::<Vec<_>>(),
        [Some(0), Some(0), Some(3), Some(1)]
    );

    let new = Trace::new64()
        .buffer(Buffer::new(1023, 1).event(event(1)))
        .buffer(Buffer::new(256, 2).event(event(2)))
        .build();
    assert_eq!(
        open(&new).buffers().map(|buffer| buffer.processor()).collect::<Vec<_>>(),
        [0, 1023, 256]
    );
}

/// Trap 8. Wrong: leaked pointers are taken for a clock type, a frequency, a start time.
#[test]
fn leaked_pointers_mean_nothing() {
    let file = Trace::new64().buffer(Buffer::new(0, 1).event(event(1))).build();
    let trace = open(&file);
    let buffer = trace.buffers().nth(1).unwrap();
    let leaked = fields(&buffer.header);
    assert_eq!(leaked["Padding0"], 0xFFFF_C60F_5A7B_2020_u64);
    for field in buffer
        .header
        .info()
        .fields
        .iter()
        .filter(|field| field.name.starts_with("Padding"))
    {
        assert!(field.hidden && field.role.is_empty(), "{} is shown or used", field.name);
    }
    assert_eq!(trace.logfile().clock().kind(), ClockKind::PerformanceCounter);
    let (events, _) = read(file, Order::Time).unwrap();
    assert_eq!(events[1].time, Some(Trace::utc(10)));
}

/// Trap 9. Wrong: the header buffer is left after the logfile header.
#[test]
fn the_header_buffer_holds_further_events() {
    let file = Trace::new64()
        .header_event(system(0x0005))
        .header_event(system(0x0050))
        .header_event(Event::perfinfo64(0x0042, 2).at(START_RAW).payload(*b"22631\0"))
        .buffer(Buffer::new(0, 1).event(event(1)))
        .build();
    assert_eq!(
        kinds(&file),
        ["SYSTEM64", "SYSTEM64", "SYSTEM64", "PERFINFO64", "EVENT_HEADER64"]
    );
}

/// Trap 22. Wrong: the next buffer is LFH.BufferSize bytes further on.
#[test]
fn the_next_buffer_is_buffer_size_of_the_buffer_further_on() {
    let file = Trace::new64()
        .buffer_size(65_536)
        .header_buffer(|header| header.size(512))
        .buffer(Buffer::new(0, 1).event(event(1)).size(2048))
        .buffer(Buffer::new(0, 2).event(event(2)).size(1024))
        .build();
    assert_eq!(file.len(), 512 + 2048 + 1024);
    assert_eq!(ids(&file), [1, 2]);
    assert_eq!(
        open(&file).buffers().map(|buffer| buffer.offset).collect::<Vec<_>>(),
        [0, 512, 2560]
    );

    let compressed = (samples::find("file-compressed").unwrap().build)();
    assert_eq!(ids(&compressed), (1..=28).collect::<Vec<_>>());
}

/// Trap 23. Wrong: state 2 is general logging; and State 3, the usual one, means XPRESS in any file.
#[test]
fn state_is_a_compression_format_only_in_a_compressed_trace() {
    let names = [
        (0, "EtwBufferStateFree"),
        (1, "EtwBufferStateGeneralLogging"),
        (2, "EtwBufferStateCSwitch"),
        (3, "EtwBufferStateFlush"),
        (4, "EtwBufferStatePendingCompression"),
        (5, "EtwBufferStateCompressed"),
        (6, "EtwBufferStatePlaceholder"),
        (7, "EtwBufferStateMaximum"),
    ];
    for (state, name) in names {
        let file = Trace::new64()
            .header_buffer(|header| header.state(state))
            .buffer(Buffer::new(0, 1).event(event(1)).state(state))
            .build();
        let trace = open(&file);
        let buffer = trace.buffers().nth(1).unwrap();
        assert!(format!("{:?}", buffer.header).contains(name), "{state}");
        assert_eq!(buffer.header.buffer_state(), Some(u64::from(state)));
        assert!(trace.buffers().all(|buffer| !buffer.compressed), "{state}");
        assert_eq!(ids(&file), [1], "{state}");
    }
    // In a compressed trace the same number is the format.
    let lznt1 = (samples::find("file-compressed-lznt1").unwrap().build)();
    assert_eq!(open(&lznt1).logfile().compression(), CompressionFormat::LZNT1);
    assert_eq!(ids(&lznt1), (1..=12).collect::<Vec<_>>());
}

/// Trap 24. Wrong: the processor of a buffer is shown where buffers belong to the session.
#[test]
fn a_session_without_processor_buffers_has_no_processors() {
    let file = Trace::new64()
        .mode(0x1000_0001)
        .buffer(Buffer::new(3, 1).event(event(1)))
        .build();
    let (events, _) = read(file.as_slice(), Order::File).unwrap();
    assert!(events.iter().all(|event| event.processor.is_none()));
    assert!(!open(&file).logfile().is_per_processor());
    assert!(open(&Trace::new64().mode(0x0000_0001).build()).logfile().is_per_processor());
}

/// Trap 25. Wrong: the bytes between events, or behind them, are zeros.
#[test]
fn gaps_hold_anything() {
    for fill in [Fill::Zeros, Fill::Ones, Fill::Garbage] {
        let odd = (1..=7_u16).map(|id| event(id).payload(vec![0x13; usize::from(id)]));
        let file = Trace::new64()
            .buffer(Buffer::new(0, 1).events(odd).gaps(fill).rest(fill))
            .build();
        assert_eq!(ids(&file), [1, 2, 3, 4, 5, 6, 7], "{fill:?}");
    }
    // Even a whole event of an earlier use of the buffer.
    let stale = event(77).to_bytes();
    let mut file = Trace::new64().buffer(Buffer::new(0, 1).event(event(1))).build();
    let behind = 1024 + 0x48 + 0x50;
    file[behind..behind + stale.len()].copy_from_slice(&stale);
    assert_eq!(ids(&file), [1]);
}

/// Trap 30. Wrong: a compressed buffer ends at the smaller of BufferSize and Offset.
#[test]
fn a_compressed_buffer_may_be_larger_than_its_content() {
    let file = Trace::new64()
        .compressed()
        .buffer(Buffer::new(0, 1).event(event(1).payload(garbage(400, 6))))
        .build();
    let trace = open(&file);
    let buffer = trace.buffers().nth(1).unwrap();
    assert!(buffer.stored > buffer.filled, "{} bytes for {}", buffer.stored, buffer.filled);
    assert_eq!(ids(&file), [1]);
}

/// Buffer times of the relogger are FILETIMEs: they are no ticks of the session (with trap 8).
#[test]
fn buffer_times_of_a_relogged_file_are_no_ticks() {
    let file = Trace::new64().relogged().buffer(Buffer::new(0, 1).event(event(1))).build();
    let trace = open(&file);
    assert_eq!(
        trace.buffers().nth(1).unwrap().header.buffer_timestamp(),
        Some(filetime(2024, 5, 15, 10, 0, 0))
    );
    let (events, _) = read(file, Order::Time).unwrap();
    assert_eq!(events[1].time, Some(Trace::utc(10)));
}

/// All places of the header are those of the format.
#[test]
fn the_header_takes_72_bytes() {
    assert_eq!(winetl::format::WmiBufferHeader::INFO.min_size, [0x48, 0x48]);
}
