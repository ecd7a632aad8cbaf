//! A whole file: the header buffer, data buffers, and bytes that are neither.

use super::buffer::Buffer;
use super::bytes::{filetime, round_up_8};
use super::event::Event;
use super::logfile::{Logfile, START_RAW, START_TIME};

/// EVENT_TRACE_RELOG_MODE.
const RELOG: u32 = 0x0001_0000;
/// EVENT_TRACE_COMPRESSED_MODE.
const COMPRESSED: u32 = 0x0400_0000;

/// What follows the header buffer.
#[derive(Clone, Debug)]
enum Part {
    Buffer(Box<Buffer>),
    Raw(Vec<u8>),
}

/// A trace file under construction.
#[derive(Clone, Debug)]
pub struct Trace {
    logfile: Logfile,
    header: Buffer,
    parts: Vec<Part>,
    byte_processor: bool,
    compressed: bool,
    relogged: bool,
    no_marker: bool,
}

impl Trace {
    fn new(pointer_width: usize) -> Self {
        Self {
            logfile: Logfile::new(pointer_width),
            header: Buffer::header(),
            parts: vec![],
            byte_processor: false,
            compressed: false,
            relogged: false,
            no_marker: false,
        }
    }

    /// A trace with the 64-bit logfile header (SYSTEM64), from Windows 11 23H2, with the performance counter as its clock.
    pub fn new64() -> Self {
        Self::new(8)
    }

    /// Likewise with the 32-bit logfile header (SYSTEM32).
    pub fn new32() -> Self {
        Self::new(4)
    }

    /// Changes the logfile header.
    pub fn logfile(mut self, change: impl FnOnce(&mut Logfile)) -> Self {
        change(&mut self.logfile);
        self
    }

    /// Changes the header buffer.
    pub fn header_buffer(mut self, change: impl FnOnce(Buffer) -> Buffer) -> Self {
        self.header = change(self.header);
        self
    }

    /// Appends an event to the header buffer.
    pub fn header_event(self, event: impl Into<Event>) -> Self {
        self.header_buffer(|header| header.event(event))
    }

    /// Sets the session's buffer size in bytes, which is also the size of each uncompressed buffer.
    pub fn buffer_size(self, size: u32) -> Self {
        self.logfile(|l| l.buffer_size = size)
    }

    /// Sets NumberOfProcessors.
    pub fn processors(self, count: u32) -> Self {
        self.logfile(|l| l.processors = count)
    }

    /// Sets LogFileMode.
    pub fn mode(self, mode: u32) -> Self {
        self.logfile(|l| l.mode = mode)
    }

    /// Clock 1: the performance counter, 10 MHz, [`START_RAW`] at the start.
    pub fn clock_qpc(self) -> Self {
        self.logfile(|l| (l.clock, l.start_raw) = (1, START_RAW))
    }

    /// Clock 2: system time.
    pub fn clock_system_time(self) -> Self {
        self.logfile(|l| (l.clock, l.start_raw) = (2, l.start_time))
    }

    /// Clock 3: processor cycles at CpuSpeedInMHz, starting at `start_raw`.
    pub fn clock_cpu_cycles(self, mhz: u32, start_raw: i64) -> Self {
        self.logfile(|l| (l.clock, l.cpu_mhz, l.start_raw) = (3, mhz, start_raw))
    }

    /// Clock 0, which names no clock, with any value at the start.
    pub fn clock_unspecified(self, start_raw: i64) -> Self {
        self.logfile(|l| (l.clock, l.start_raw) = (0, start_raw))
    }

    /// The session still runs, or ended in a crash: EndTime and BuffersWritten are 0.
    pub fn unfinished(self) -> Self {
        self.logfile(|l| (l.end_time, l.buffers_written) = (0, Some(0)))
    }

    /// A trace of Windows 7 SP1: log version 1.5, processor in one byte, SavedOffset of the header buffer 0.
    pub fn windows7(mut self) -> Self {
        self.byte_processor = true;
        self.header = self.header.saved_offset(0);
        self.logfile(|l| (l.os_version, l.build) = ([6, 1], 7601))
    }

    /// A trace of Vista SP1: log version 1.4, pointers in the logfile header, a time in the header buffer.
    pub fn vista(mut self) -> Self {
        self = self.windows7();
        let raw = self.logfile.start_raw;
        self.header = self.header.time(raw + 40);
        self.logfile(|l| {
            (l.os_version, l.log_version, l.build) = ([6, 0], [1, 4], 6001);
            l.pointers = if l.pointer_width == 8 {
                [0x0000_01C2_8A10, 0x0000_01C2_8A2A]
            } else {
                [0x0151_8A10, 0x0151_8A2A]
            };
        })
    }

    /// A file that the relogger wrote: LoggerId 0, buffer times of the relogging, names of the relogger.
    pub fn relogged(mut self) -> Self {
        self.relogged = true;
        self.header = self.header.logger_id(0).state(0).current_offset(0).byte_processor();
        self.logfile(|l| {
            (l.mode, l.pointers) = (RELOG | 0x0000_0001, [0, 0]);
            (l.session, l.path) = ("Relogger".into(), "[multiple files]".into());
        })
    }

    /// A relogged file with compressed buffers; 3 in State of the header buffer is XPRESS.
    pub fn compressed(mut self) -> Self {
        self = self.relogged();
        self.compressed = true;
        self.header = self.header.state(3);
        self.logfile(|l| (l.mode, l.log_version) = (COMPRESSED | RELOG | 0x0000_0001, [2, 0]))
    }

    /// Leaves FLUSH_MARKER out of the last buffer, as where the file was cut.
    pub fn without_last_marker(mut self) -> Self {
        self.no_marker = true;
        self
    }

    /// Appends a buffer.
    pub fn buffer(mut self, buffer: Buffer) -> Self {
        self.parts.push(Part::Buffer(Box::new(buffer)));
        self
    }

    /// Appends bytes that are no buffer.
    pub fn raw(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.parts.push(Part::Raw(bytes.into()));
        self
    }

    /// The file's bytes.
    pub fn build(&self) -> Vec<u8> {
        let session_size = self.logfile.buffer_size;
        let count = 1 + self.parts.iter().filter(|part| matches!(part, Part::Buffer(_))).count();

        let mut header = self.style(self.header.clone());
        header.first_event(self.logfile.event(count));
        if self.compressed {
            // The relogger rounds the header buffer up to sectors.
            header = header.size((0x48 + header_area(&self.header, &self.logfile)).next_multiple_of(512));
        }
        let mut file = header.add_flags(0x0001).build(session_size); // FLUSH_MARKER

        let last = self.parts.iter().rposition(|part| matches!(part, Part::Buffer(_)));
        for (i, part) in self.parts.iter().enumerate() {
            match part {
                Part::Raw(bytes) => file.extend(bytes),
                Part::Buffer(buffer) => {
                    let mut buffer = self.style(buffer.as_ref().clone());
                    if self.relogged {
                        // FILETIMEs of the relogging, a day later.
                        let minutes = i as i64 * 600_000_000;
                        buffer = buffer.logger_id(0).time(filetime(2024, 5, 15, 10, 0, 0) + minutes);
                    }
                    if self.compressed {
                        buffer = buffer.compressed();
                    }
                    if Some(i) == last && !self.no_marker {
                        buffer = buffer.add_flags(0x0001); // FLUSH_MARKER
                    }
                    file.extend(buffer.build(session_size));
                }
            }
        }
        file
    }

    fn style(&self, buffer: Buffer) -> Buffer {
        if self.byte_processor {
            buffer.byte_processor()
        } else {
            buffer
        }
    }
}

/// Length of the header buffer's events, the logfile header included.
fn header_area(header: &Buffer, logfile: &Logfile) -> usize {
    round_up_8(logfile.event(0).to_bytes().len()) + header.area().len()
}

/// Times of synthetic events.
impl Trace {
    /// Raw time of an event so many microseconds after the start, in the clock of [`clock_qpc`](Self::clock_qpc).
    pub const fn qpc(microseconds: i64) -> i64 {
        START_RAW + microseconds * 10
    }

    /// FILETIME so many microseconds after the start.
    pub const fn utc(microseconds: i64) -> i64 {
        START_TIME + microseconds * 10
    }
}
