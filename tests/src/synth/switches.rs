//! Buffers of compact context switches: PERFINFO_CCSWAP_BUFFER and its packets.

use super::buffer::Buffer;

/// A buffer of compact context switches.
#[derive(Clone, Debug)]
pub struct Switches {
    area: Vec<u8>,
}

impl Switches {
    /// Starts with a time and the threads that packets name by their place: id and base priority.
    pub fn new(first_time: i64, threads: [(u32, i8); 16]) -> Self {
        let mut area = first_time.to_le_bytes().to_vec(); // 0x00 FirstTimeStamp
        area.extend(threads.iter().flat_map(|(id, _)| id.to_le_bytes())); // 0x08 TidTable
        area.extend(threads.iter().map(|(_, priority)| priority.cast_unsigned())); // 0x48 ThreadBasePriority
        Self { area }
    }

    /// Appends PERFINFO_CCSWAP_IDLE_SHORT: kind 0 in bits 0-1, 14 bits of time.
    pub fn idle_short(self, ticks: u16) -> Self {
        self.bytes((ticks << 2).to_le_bytes())
    }

    /// Appends PERFINFO_CCSWAP_IDLE: kind 1, 30 bits of time.
    pub fn idle(self, ticks: u32) -> Self {
        self.bytes((1 | ticks << 2).to_le_bytes())
    }

    /// Appends PERFINFO_CCSWAP_LITE: kind 2, place, priority increment, state and wait reason, 17 bits of time.
    pub fn lite(self, ticks: u32, place: u32, increment: u32, state: u32) -> Self {
        self.bytes((2 | place << 2 | increment << 6 | state << 9 | ticks << 15).to_le_bytes())
    }

    /// Appends PERFINFO_CCSWAP: kind 3 and 30 bits of time; then place, state and wait reason, priority, wait time.
    pub fn full(self, ticks: u32, place: u32, state: u32, priority: u32, wait: u32) -> Self {
        self.bytes((3 | ticks << 2).to_le_bytes())
            .bytes((place | state << 4 | priority << 10 | wait << 15).to_le_bytes())
    }

    /// Appends any bytes.
    pub fn bytes(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.area.extend(bytes.as_ref());
        self
    }

    /// The buffer, of type CTX_SWAP.
    pub fn buffer(self, processor: u16, sequence: i64) -> Buffer {
        Buffer::new(processor, sequence).buffer_type(2).raw_area(self.area)
    }
}
