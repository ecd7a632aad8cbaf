//! TRACE_LOGFILE_HEADER: the payload of a trace's first event.

use super::bytes::{filetime, put, utf16};
use super::event::Event;

/// StartTime of a synthetic trace: 2024-05-14 09:30:00 UTC as FILETIME.
pub const START_TIME: i64 = filetime(2024, 5, 14, 9, 30, 0);
/// The clock's value in the logfile header event, that is at [`START_TIME`], with the performance counter as the clock.
pub const START_RAW: i64 = 123_456_000_000;
/// Ticks of the performance counter per second.
pub const PERF_FREQ: i64 = 10_000_000;

/// The logfile header of a trace: values of Windows 11 23H2 unless changed.
#[derive(Clone, Debug)]
pub struct Logfile {
    /// 4 or 8: width of the two pointer fields, and the header type of the event (SYSTEM32 or SYSTEM64).
    pub pointer_width: usize,
    /// Version of the header event: 2 since Vista, 1 before.
    pub event_version: u8,
    /// Size of the session's buffers in bytes.
    pub buffer_size: u32,
    /// MajorVersion and MinorVersion of the operating system.
    pub os_version: [u8; 2],
    /// SubVersion and SubMinorVersion: the log file format.
    pub log_version: [u8; 2],
    /// ProviderVersion: the operating system's build number.
    pub build: u32,
    /// NumberOfProcessors.
    pub processors: u32,
    /// EndTime as FILETIME; 0 while the session runs.
    pub end_time: i64,
    /// TimerResolution in 100 ns units.
    pub timer_resolution: u32,
    /// MaximumFileSize in MB, or in KB with mode bit 0x2000.
    pub maximum_file_size: u32,
    /// LogFileMode.
    pub mode: u32,
    /// BuffersWritten; `None` counts the buffers that the trace really has, the header buffer included.
    pub buffers_written: Option<u32>,
    /// PointerSize; `None` writes `pointer_width`.
    pub pointer_size: Option<u32>,
    /// EventsLost.
    pub events_lost: u32,
    /// CpuSpeedInMHz.
    pub cpu_mhz: u32,
    /// The two pointer fields LoggerName and LogFileName; timer sources since Windows 7.
    pub pointers: [u64; 2],
    /// Bias, StandardBias and DaylightBias in minutes.
    pub biases: [i32; 3],
    /// StandardName and DaylightName.
    pub zone_names: [&'static str; 2],
    /// StandardDate and DaylightDate, eight words each: SYSTEMTIME since Vista, TIME_FIELDS before.
    pub zone_dates: [[u16; 8]; 2],
    /// BootTime as FILETIME.
    pub boot_time: i64,
    /// PerfFreq.
    pub perf_freq: i64,
    /// StartTime as FILETIME.
    pub start_time: i64,
    /// ReservedFlags: the clock. 1 performance counter, 2 system time, 3 processor cycles.
    pub clock: u32,
    /// BuffersLost.
    pub buffers_lost: u32,
    /// Name of the session.
    pub session: String,
    /// Path of the file when it was created.
    pub path: String,
    /// How many of the two strings have their terminator: 2, or fewer as damage.
    pub terminators: usize,
    /// SystemTime of the header event: the clock's value at StartTime.
    pub start_raw: i64,
    /// ProcessId and ThreadId of the header event.
    pub controller: [u32; 2],
}

impl Logfile {
    /// A logfile header with pointers of 4 or 8 bytes.
    pub fn new(pointer_width: usize) -> Self {
        Self {
            pointer_width,
            event_version: 2,
            buffer_size: 1024,
            os_version: [10, 0],
            log_version: [1, 5],
            build: 22631,
            processors: 2,
            end_time: START_TIME + 50_000_000,
            timer_resolution: 156_250,
            maximum_file_size: 0,
            mode: 0x0000_0001, // EVENT_TRACE_FILE_MODE_SEQUENTIAL
            buffers_written: None,
            pointer_size: None,
            events_lost: 0,
            cpu_mhz: 3000,
            pointers: [10, 7], // HvSynthetic, HvReferenceTime
            biases: [-60, 0, -60],
            zone_names: ["@tzres.dll,-322", "@tzres.dll,-321"],
            // SYSTEMTIME: last (5) Sunday (0) of October at 3 and of March at 2.
            zone_dates: [[0, 10, 0, 5, 3, 0, 0, 0], [0, 3, 0, 5, 2, 0, 0, 0]],
            boot_time: filetime(2024, 5, 14, 6, 4, 12) + 5_000_000,
            perf_freq: PERF_FREQ,
            start_time: START_TIME,
            clock: 1,
            buffers_lost: 0,
            session: "SynthSession".into(),
            path: r"C:\Traces\synth.etl".into(),
            terminators: 2,
            start_raw: START_RAW,
            controller: [1204, 5316],
        }
    }

    /// The fixed part and the two strings.
    fn payload(&self, buffers: usize) -> Vec<u8> {
        // Fields behind the two pointers move up by 4 bytes each where pointers have 4 bytes.
        let wide = self.pointer_width == 8;
        let shift = if wide { 8 } else { 0 };
        let mut p = vec![0; 0x110 + shift];
        put(&mut p, 0x00, self.buffer_size.to_le_bytes()); // BufferSize
        put(&mut p, 0x04, self.os_version); // MajorVersion, MinorVersion
        put(&mut p, 0x06, self.log_version); // SubVersion, SubMinorVersion
        put(&mut p, 0x08, self.build.to_le_bytes()); // ProviderVersion
        put(&mut p, 0x0C, self.processors.to_le_bytes()); // NumberOfProcessors
        put(&mut p, 0x10, self.end_time.to_le_bytes()); // EndTime
        put(&mut p, 0x18, self.timer_resolution.to_le_bytes()); // TimerResolution
        put(&mut p, 0x1C, self.maximum_file_size.to_le_bytes()); // MaximumFileSize
        put(&mut p, 0x20, self.mode.to_le_bytes()); // LogFileMode
        put(&mut p, 0x24, self.buffers_written.unwrap_or(buffers as u32).to_le_bytes()); // BuffersWritten
        put(&mut p, 0x28, 1_u32.to_le_bytes()); // StartBuffers
        put(
            &mut p,
            0x2C,
            self.pointer_size.unwrap_or(self.pointer_width as u32).to_le_bytes(),
        ); // PointerSize
        put(&mut p, 0x30, self.events_lost.to_le_bytes()); // EventsLost
        put(&mut p, 0x34, self.cpu_mhz.to_le_bytes()); // CpuSpeedInMHz
        if wide {
            put(&mut p, 0x38, self.pointers[0].to_le_bytes()); // LoggerName
            put(&mut p, 0x40, self.pointers[1].to_le_bytes()); // LogFileName
        } else {
            put(&mut p, 0x38, (self.pointers[0] as u32).to_le_bytes()); // LoggerName
            put(&mut p, 0x3C, (self.pointers[1] as u32).to_le_bytes()); // LogFileName
        }
        let zone = 0x40 + shift; // TimeZone, 0xAC bytes
        put(&mut p, zone, self.biases[0].to_le_bytes()); // Bias
        put(&mut p, zone + 0x04, zone_name(self.zone_names[0])); // StandardName
        put(&mut p, zone + 0x44, date(self.zone_dates[0])); // StandardDate
        put(&mut p, zone + 0x54, self.biases[1].to_le_bytes()); // StandardBias
        put(&mut p, zone + 0x58, zone_name(self.zone_names[1])); // DaylightName
        put(&mut p, zone + 0x98, date(self.zone_dates[1])); // DaylightDate
        put(&mut p, zone + 0xA8, self.biases[2].to_le_bytes()); // DaylightBias
        // 0xEC / 0xF4: four bytes of padding, in both forms.
        put(&mut p, 0xF0 + shift, self.boot_time.to_le_bytes()); // BootTime
        put(&mut p, 0xF8 + shift, self.perf_freq.to_le_bytes()); // PerfFreq
        put(&mut p, 0x100 + shift, self.start_time.to_le_bytes()); // StartTime
        put(&mut p, 0x108 + shift, self.clock.to_le_bytes()); // ReservedFlags
        put(&mut p, 0x10C + shift, self.buffers_lost.to_le_bytes()); // BuffersLost
        for (i, text) in [&self.session, &self.path].into_iter().enumerate() {
            p.extend(utf16(text)); // LoggerNameString, LogFileNameString
            if i < self.terminators {
                p.extend([0, 0]);
            }
        }
        p
    }

    /// The logfile header event of a trace of so many buffers.
    pub(crate) fn event(&self, buffers: usize) -> Event {
        let version = self.event_version;
        let event = if self.pointer_width == 8 {
            Event::system64(0x0000, version)
        } else {
            Event::system32(0x0000, version)
        };
        let [process, thread] = self.controller;
        event
            .process(process, thread)
            .at(self.start_raw)
            .cpu_times(3, 1)
            .payload(self.payload(buffers))
    }
}

/// 32 UTF-16 units, filled with zeros.
fn zone_name(name: &str) -> [u8; 64] {
    let mut field = [0; 64];
    let text = utf16(name);
    field[..text.len()].copy_from_slice(&text);
    field
}

/// Eight words.
fn date(words: [u16; 8]) -> [u8; 16] {
    let mut field = [0; 16];
    for (bytes, word) in field.chunks_exact_mut(2).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    field
}
