//! Traps of the logfile header and of times: 2, 3, 19 to 21.

use winetl::{Filetime, LogfileRoles as _, Order};
use winetl_tests::synth::{Buffer, START_RAW, START_TIME, Trace, filetime};

use super::common::{fields, read};
use super::{event, ids, open};

/// Trap 2. Wrong: the four bytes behind the time zone are forgotten, and all that follows is read four bytes early.
#[test]
fn four_bytes_follow_the_time_zone() {
    for trace in [Trace::new32(), Trace::new64()] {
        let file = trace
            .logfile(|logfile| {
                (logfile.boot_time, logfile.perf_freq) = (filetime(2024, 5, 13, 1, 2, 3), 3_579_545);
                (logfile.events_lost, logfile.buffers_lost) = (41, 2);
                (logfile.session, logfile.path) = ("Session".into(), r"C:\a.etl".into());
            })
            .build();
        let trace = open(&file);
        let header = &trace.logfile().header;
        assert_eq!(header.boot_time(), Some(filetime(2024, 5, 13, 1, 2, 3)));
        assert_eq!(header.clock_frequency(), Some(3_579_545));
        assert_eq!(header.start_time(), Some(START_TIME));
        assert_eq!(header.clock_type(), Some(1));
        assert_eq!((header.events_lost(), header.buffers_lost()), (Some(41), Some(2)));
        assert_eq!(header.session_name().as_deref(), Some("Session"));
        assert_eq!(header.log_file_name().as_deref(), Some(r"C:\a.etl"));
    }
}

/// Trap 3. Wrong: an event's time is BootTime + ticks / PerfFreq.
#[test]
fn times_count_from_start_time_not_from_boot_time() {
    // Since this boot the counter would stand elsewhere: the machine slept.
    let file = Trace::new64()
        .clock_qpc()
        .logfile(|logfile| logfile.boot_time = filetime(2024, 5, 1, 0, 0, 0))
        .buffer(
            Buffer::new(0, 1)
                .event(event(1).at(START_RAW + 10_000_000))
                .event(event(2).at(START_RAW - 15)),
        )
        .build();
    let (events, _) = read(file, Order::File).unwrap();
    assert_eq!(events[0].time, Some(START_TIME));
    assert_eq!(events[1].time, Some(START_TIME + 10_000_000));
    assert_eq!(events[2].time, Some(START_TIME - 15));
}

/// Trap 3, too: ticks that are no 100 ns are converted exactly, and rounded down.
#[test]
fn ticks_are_converted_exactly() {
    // 53 bits are not enough for these: a double would be off by tens of units.
    let raw = 9_007_199_254_740_993;
    let file = Trace::new64()
        .logfile(|logfile| (logfile.perf_freq, logfile.start_raw) = (14_318_180, 1))
        .buffer(Buffer::new(0, 1).event(event(1).at(raw)))
        .build();
    let (events, _) = read(file, Order::File).unwrap();
    let expected = i128::from(raw - 1) * 10_000_000 / 14_318_180;
    assert_eq!(events[1].time, Some(START_TIME + i64::try_from(expected).unwrap()));
}

/// Trap 19. Wrong: version 0 of the header event means the 32-bit form, version 2 the 64-bit one.
#[test]
fn the_form_goes_by_header_type_not_by_version() {
    for version in [0, 1, 2, 3] {
        for (trace, pointer_size) in [(Trace::new32(), 4), (Trace::new64(), 8)] {
            let file = trace
                .logfile(|logfile| logfile.event_version = version)
                .buffer(Buffer::new(0, 1).event(event(1)))
                .build();
            let trace = open(&file);
            assert_eq!(trace.logfile().context().pointer_size, pointer_size);
            assert_eq!(
                trace.logfile().header.session_name().as_deref(),
                Some("SynthSession"),
                "version {version}"
            );
            assert_eq!(ids(&file), [1]);
        }
    }
}

/// Trap 20. Wrong: the two pointers of the logfile header have 8 bytes in every file.
#[test]
fn pointers_of_the_32_bit_form_have_4_bytes() {
    let file = Trace::new32()
        .logfile(|logfile| logfile.pointers = [0x1234_5678, 0x9ABC_DEF0])
        .build();
    let trace = open(&file);
    let header = fields(&trace.logfile().header);
    assert_eq!(header["LoggerName"], 0x1234_5678);
    assert_eq!(header["LogFileName"], 0x9ABC_DEF0_u32);
    assert_eq!(header["TimeZone.Bias"], -60);
    assert_eq!(header["TimeZone.StandardName"], "@tzres.dll,-322");
    assert_eq!(header["TimeZone.StandardDate.Month"], 10);
    assert_eq!(header["TimeZone.DaylightBias"], -60);
    assert_eq!(header["StartTime"], START_TIME);
}

/// Trap 21. Wrong: EndTime is read with its bytes turned round.
#[test]
fn end_time_is_little_endian() {
    let end = filetime(2024, 5, 14, 9, 30, 5);
    let file = Trace::new64().logfile(|logfile| logfile.end_time = end).build();
    let trace = open(&file);
    assert_eq!(trace.logfile().header.end_time(), Some(end));
    assert_eq!(Filetime(end).to_string(), "2024-05-14T09:30:05.0000000Z");
    assert!(!trace.logfile().is_unfinished());
}
