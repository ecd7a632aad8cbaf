//! WMI_BUFFER_HEADER and the events behind it.

use super::bytes::{garbage, put, round_up_8};
use super::event::Event;
use crate::xpress;

/// Size of WMI_BUFFER_HEADER.
const HEADER: usize = 0x48;

/// What stands in bytes that mean nothing: alignment gaps, and the rest of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// 0xFF, as Windows fills the rest of a buffer.
    Ones,
    /// Zeros.
    Zeros,
    /// Old memory.
    Garbage,
}

impl Fill {
    fn bytes(self, len: usize, seed: usize) -> Vec<u8> {
        match self {
            Self::Ones => vec![0xFF; len],
            Self::Zeros => vec![0; len],
            Self::Garbage => garbage(len, seed as u32),
        }
    }
}

/// How the event area of a buffer is stored.
#[derive(Clone, Debug)]
enum Area {
    /// As it is, or as XPRESS if the whole trace is compressed.
    Events,
    /// Bytes that are no events, written as they are.
    Raw(Vec<u8>),
    /// Compressed bytes made by hand, and the length they claim to have when decompressed.
    Stream(Vec<u8>, usize),
}

/// One buffer of a trace.
#[derive(Clone, Debug)]
pub struct Buffer {
    processor: u16,
    sequence: i64,
    logger_id: u16,
    buffer_type: u16,
    state: u32,
    flags: u16,
    proc_index: bool,
    time: Option<i64>,
    size: Option<usize>,
    size_field: Option<u32>,
    saved_offset: Option<u32>,
    current_offset: Option<u32>,
    valid: Option<u32>,
    gap: Fill,
    rest: Fill,
    compressed: bool,
    area: Area,
    leaks: bool,
    events: Vec<Event>,
}

impl Buffer {
    /// A data buffer of a processor, with its sequence number.
    pub fn new(processor: u16, sequence: i64) -> Self {
        Self {
            processor,
            sequence,
            logger_id: 9,
            buffer_type: 0, // GENERIC
            state: 3,       // EtwBufferStateFlush
            flags: 0,
            proc_index: true,
            time: None,
            size: None,
            size_field: None,
            saved_offset: None,
            current_offset: None,
            valid: None,
            gap: Fill::Zeros,
            rest: Fill::Ones,
            compressed: false,
            area: Area::Events,
            leaks: true,
            events: vec![],
        }
    }

    /// The header buffer: type HEADER, sequence number 0, no time. [`Trace`](super::Trace) puts the logfile header into it.
    pub fn header() -> Self {
        Self {
            buffer_type: 4,
            time: Some(0),
            leaks: false,
            ..Self::new(0, 0)
        }
    }

    /// Appends an event.
    pub fn event(mut self, event: impl Into<Event>) -> Self {
        self.events.push(event.into());
        self
    }

    /// Appends events.
    pub fn events(mut self, events: impl IntoIterator<Item = Event>) -> Self {
        self.events.extend(events);
        self
    }

    pub(crate) fn first_event(&mut self, event: Event) {
        self.events.insert(0, event);
    }

    /// Sets LoggerId, 0 in merged files.
    pub fn logger_id(mut self, id: u16) -> Self {
        self.logger_id = id;
        self
    }

    /// Sets BufferType: 0 generic, 4 header, 6 empty marker.
    pub fn buffer_type(mut self, buffer_type: u16) -> Self {
        self.buffer_type = buffer_type;
        self
    }

    /// Sets State; in the header buffer of a relogged file it is the compression format.
    pub fn state(mut self, state: u32) -> Self {
        self.state = state;
        self
    }

    /// Sets more BufferFlag bits. PROC_INDEX (0x20) and COMPRESSED (0x40) come by themselves.
    pub fn add_flags(mut self, flags: u16) -> Self {
        self.flags |= flags;
        self
    }

    /// Writes the processor as before Windows 8: number in one byte, alignment 8 in the next, no PROC_INDEX.
    pub fn byte_processor(mut self) -> Self {
        self.proc_index = false;
        self
    }

    /// Sets TimeStamp; a data buffer's is else 0.1 ms (at 10 MHz) after its last event.
    pub fn time(mut self, time: i64) -> Self {
        self.time = Some(time);
        self
    }

    /// Sets SavedOffset, which else equals Offset.
    pub fn saved_offset(mut self, offset: u32) -> Self {
        self.saved_offset = Some(offset);
        self
    }

    /// Sets CurrentOffset.
    pub fn current_offset(mut self, offset: u32) -> Self {
        self.current_offset = Some(offset);
        self
    }

    /// Sets how many bytes the buffer takes in the file, which else is the session's buffer size.
    pub fn size(mut self, size: usize) -> Self {
        self.size = Some(size);
        self
    }

    /// Damage: writes another BufferSize than the buffer has.
    pub fn with_size_field(mut self, size: u32) -> Self {
        self.size_field = Some(size);
        self
    }

    /// Damage: writes another Offset (the number of valid bytes) than the right one.
    pub fn with_valid(mut self, valid: u32) -> Self {
        self.valid = Some(valid);
        self
    }

    /// Fills the gaps between events.
    pub fn gaps(mut self, fill: Fill) -> Self {
        self.gap = fill;
        self
    }

    /// Fills the bytes behind the last event.
    pub fn rest(mut self, fill: Fill) -> Self {
        self.rest = fill;
        self
    }

    /// Compresses the event area with XPRESS.
    pub fn compressed(mut self) -> Self {
        self.compressed = true;
        self
    }

    /// Stores these bytes as the compressed area of a buffer that claims `len` bytes of events.
    pub fn compressed_stream(mut self, stream: Vec<u8>, len: usize) -> Self {
        self.compressed = true;
        self.area = Area::Stream(stream, len);
        self
    }

    /// Writes these bytes where other buffers have events.
    pub fn raw_area(mut self, area: Vec<u8>) -> Self {
        self.area = Area::Raw(area);
        self
    }

    pub(crate) fn is_header(&self) -> bool {
        self.buffer_type == 4
    }

    /// The event area, uncompressed: events at multiples of eight, the last one's gap included.
    pub fn area(&self) -> Vec<u8> {
        if let Area::Raw(area) = &self.area {
            return area.clone();
        }
        let mut area = vec![];
        for event in &self.events {
            area.extend(event.to_bytes());
            let gap = round_up_8(area.len()) - area.len();
            area.extend(self.gap.bytes(gap, area.len()));
        }
        area
    }

    fn last_time(&self) -> i64 {
        self.events.iter().filter_map(Event::time).max().unwrap_or(0)
    }

    /// The buffer's bytes in a session whose buffers have `session_size` bytes.
    pub fn build(&self, session_size: u32) -> Vec<u8> {
        let area = self.area();
        let valid = HEADER
            + if let Area::Stream(_, len) = self.area {
                len
            } else {
                area.len()
            };
        let mut bytes = vec![0; HEADER];
        match &self.area {
            Area::Stream(stream, _) => bytes.extend(stream),
            Area::Events | Area::Raw(_) if self.compressed => bytes.extend(xpress::compress(&area)),
            Area::Events | Area::Raw(_) => {
                let size = self.size.unwrap_or(session_size as usize);
                assert!(valid <= size, "events up to {valid} do not fit a buffer of {size} bytes");
                bytes.extend(area);
                bytes.extend(self.rest.bytes(size - valid, valid));
            }
        }
        self.write_header(&mut bytes, valid as u32, session_size);
        bytes
    }

    fn write_header(&self, bytes: &mut [u8], valid: u32, session_size: u32) {
        let size = bytes.len() as u32;
        let time = self.time.unwrap_or_else(|| self.last_time() + 1000);
        // A data buffer that is flushed before it is full gets the session's buffer size added to its reservation cursor.
        let cursor = if self.is_header() {
            valid
        } else {
            valid.wrapping_add(session_size)
        };
        let mut flags = self.flags;
        flags |= if self.proc_index { 0x0020 } else { 0 }; // PROC_INDEX
        flags |= if self.compressed { 0x0040 } else { 0 }; // COMPRESSED
        let processor = if self.proc_index {
            self.processor
        } else {
            0x0800 | self.processor
        };

        put(bytes, 0x00, self.size_field.unwrap_or(size).to_le_bytes()); // BufferSize
        put(bytes, 0x04, self.saved_offset.unwrap_or(valid).to_le_bytes()); // SavedOffset
        put(bytes, 0x08, self.current_offset.unwrap_or(cursor).to_le_bytes()); // CurrentOffset
        // 0x0C ReferenceCount stays 0.
        put(bytes, 0x10, time.to_le_bytes()); // TimeStamp
        put(bytes, 0x18, self.sequence.to_le_bytes()); // SequenceNumber
        put(bytes, 0x28, processor.to_le_bytes()); // ClientContext: ProcessorIndex, or ProcessorNumber and Alignment
        put(bytes, 0x2A, self.logger_id.to_le_bytes()); // ClientContext: LoggerId
        put(bytes, 0x2C, self.state.to_le_bytes()); // State
        put(bytes, 0x30, self.valid.unwrap_or(valid).to_le_bytes()); // Offset
        put(bytes, 0x34, flags.to_le_bytes()); // BufferFlag
        put(bytes, 0x36, self.buffer_type.to_le_bytes()); // BufferType
        if self.leaks {
            // Windows leaves pointers of its lists here; a reader must not take them for a clock type or a time.
            put(bytes, 0x20, 0xFFFF_C60F_5A7B_2020_u64.to_le_bytes()); // union at 0x20
            put(bytes, 0x38, 0xFFFF_C60F_5A7B_4038_u64.to_le_bytes()); // tail union, first pointer
            put(bytes, 0x40, 0xFFFF_C60F_5A7B_6038_u64.to_le_bytes()); // tail union, second pointer
        }
    }
}
