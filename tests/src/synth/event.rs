//! Event records: every header type that starts an event in a buffer.

use super::bytes::{Guid, put};
use super::items::Item;

/// Where the fields lie that several headers share; `None` where a header lacks them.
#[derive(Clone, Copy, Debug)]
struct Places {
    size: usize,
    thread_process: Option<usize>,
    time: Option<usize>,
    cpu_time: Option<usize>,
}

const SYSTEM: Places = Places {
    size: 0x04,
    thread_process: Some(0x08),
    time: Some(0x10),
    cpu_time: Some(0x18),
};
const COMPACT: Places = Places {
    size: 0x04,
    thread_process: Some(0x08),
    time: Some(0x10),
    cpu_time: None,
};
const PERFINFO: Places = Places {
    size: 0x04,
    thread_process: None,
    time: Some(0x08),
    cpu_time: None,
};
const FULL: Places = Places {
    size: 0x00,
    thread_process: Some(0x08),
    time: Some(0x10),
    cpu_time: Some(0x28),
};
const EVENT_HEADER: Places = Places {
    size: 0x00,
    thread_process: Some(0x08),
    time: Some(0x10),
    cpu_time: Some(0x38),
};
const TIMED: Places = Places {
    size: 0x00,
    thread_process: None,
    time: Some(0x08),
    cpu_time: None,
};
const WNODE: Places = Places {
    size: 0x00,
    thread_process: None,
    time: Some(0x10),
    cpu_time: None,
};
const SIZE_FIRST: Places = Places {
    size: 0x00,
    thread_process: None,
    time: None,
    cpu_time: None,
};

/// EVENT_DESCRIPTOR of an EVENT_HEADER event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Descriptor {
    /// Id, the event's number.
    pub id: u16,
    /// Version of the event's payload.
    pub version: u8,
    /// Channel; 11 is TraceLogging's.
    pub channel: u8,
    /// Level; 4 is information.
    pub level: u8,
    /// Opcode; 1 is start, 2 is stop.
    pub opcode: u8,
    /// Task.
    pub task: u16,
    /// Keyword bits.
    pub keyword: u64,
}

/// One event record: header, extended items, payload. Size and linkage are computed.
#[derive(Clone, Debug)]
pub struct Event {
    places: Places,
    header: Vec<u8>,
    items: Vec<Item>,
    payload: Vec<u8>,
    time: Option<i64>,
    size: Option<u16>,
}

impl Event {
    fn new(places: Places, len: usize, header_type: u8) -> Self {
        let mut header = vec![0; len];
        header[0x02] = header_type; // HeaderType
        header[0x03] = 0xC0; // marker flags: TRACE_HEADER_FLAG | TRACE_HEADER_EVENT_TRACE
        Self {
            places,
            header,
            items: vec![],
            payload: vec![],
            time: None,
            size: None,
        }
    }

    /// A record with a given header whose Size lies in its first two bytes.
    pub(crate) fn from_parts(header: Vec<u8>, time: Option<i64>) -> Self {
        Self {
            places: SIZE_FIRST,
            header,
            items: vec![],
            payload: vec![],
            time,
            size: None,
        }
    }

    /// Headers whose first word is a version and whose identity is a hook id: SYSTEM, COMPACT, PERFINFO.
    fn hooked(places: Places, len: usize, header_type: u8, hook: u16, version: u8) -> Self {
        let mut event = Self::new(places, len, header_type);
        event.header[0x00] = version; // Version
        put(&mut event.header, 0x06, hook.to_le_bytes()); // Type and Group
        event
    }

    /// SYSTEM32: SYSTEM_TRACE_HEADER of an event with 32-bit pointers.
    pub fn system32(hook: u16, version: u8) -> Self {
        Self::hooked(SYSTEM, 0x20, 0x01, hook, version)
    }

    /// SYSTEM64: SYSTEM_TRACE_HEADER of an event with 64-bit pointers.
    pub fn system64(hook: u16, version: u8) -> Self {
        Self::hooked(SYSTEM, 0x20, 0x02, hook, version)
    }

    /// COMPACT32: SYSTEM_TRACE_HEADER without the two processor times.
    pub fn compact32(hook: u16, version: u8) -> Self {
        Self::hooked(COMPACT, 0x18, 0x03, hook, version)
    }

    /// COMPACT64: likewise, with 64-bit pointers in the payload.
    pub fn compact64(hook: u16, version: u8) -> Self {
        Self::hooked(COMPACT, 0x18, 0x04, hook, version)
    }

    /// PERFINFO32: PERFINFO_TRACE_HEADER of an event with 32-bit pointers.
    pub fn perfinfo32(hook: u16, version: u8) -> Self {
        Self::hooked(PERFINFO, 0x10, 0x10, hook, version)
    }

    /// PERFINFO64: PERFINFO_TRACE_HEADER of an event with 64-bit pointers.
    pub fn perfinfo64(hook: u16, version: u8) -> Self {
        Self::hooked(PERFINFO, 0x10, 0x11, hook, version)
    }

    /// Adds performance counters (at most seven) and a PEBS index to a PERFINFO header, in this order.
    ///
    /// Sources disagree on the order where both are present; the payload starts at the same place either way.
    pub fn counters(mut self, counters: &[u64], pebs: Option<u64>) -> Self {
        // VersionHigh: bits 0-2 number of counters, bit 7 PEBS index present.
        self.header[0x01] = counters.len() as u8 | if pebs.is_some() { 0x80 } else { 0 };
        self.header
            .extend(counters.iter().copied().chain(pebs).flat_map(u64::to_le_bytes));
        self
    }

    fn classic(len: usize, header_type: u8, class: Guid, opcode: u8, level: u8, version: u16) -> Self {
        let mut event = Self::new(FULL, len, header_type);
        event.header[0x04] = opcode; // Class.Type
        event.header[0x05] = level; // Class.Level
        put(&mut event.header, 0x06, version.to_le_bytes()); // Class.Version
        put(&mut event.header, 0x18, class); // Guid
        event
    }

    /// FULL_HEADER32: EVENT_TRACE_HEADER of a classic event from a 32-bit program.
    pub fn full32(class: Guid, opcode: u8, level: u8, version: u16) -> Self {
        Self::classic(0x30, 0x0A, class, opcode, level, version)
    }

    /// FULL_HEADER64: EVENT_TRACE_HEADER of a classic event from a 64-bit program.
    pub fn full64(class: Guid, opcode: u8, level: u8, version: u16) -> Self {
        Self::classic(0x30, 0x14, class, opcode, level, version)
    }

    /// INSTANCE32: EVENT_INSTANCE_GUID_HEADER, the form of log versions 1.1 and later.
    pub fn instance32(class: Guid, opcode: u8, level: u8, version: u16) -> Self {
        Self::classic(0x48, 0x0B, class, opcode, level, version)
    }

    /// INSTANCE64: EVENT_INSTANCE_GUID_HEADER.
    pub fn instance64(class: Guid, opcode: u8, level: u8, version: u16) -> Self {
        Self::classic(0x48, 0x15, class, opcode, level, version)
    }

    /// Sets the three instance fields of an EVENT_INSTANCE_GUID_HEADER.
    pub fn instance(mut self, id: u32, parent_id: u32, parent: Guid) -> Self {
        put(&mut self.header, 0x30, id.to_le_bytes()); // InstanceId
        put(&mut self.header, 0x34, parent_id.to_le_bytes()); // ParentInstanceId
        put(&mut self.header, 0x38, parent); // ParentGuid
        self
    }

    /// INSTANCE32 in the form of log version 1.0: EVENT_INSTANCE_HEADER, with handles in the place of GUIDs.
    pub fn instance32_old(handle: u64, id: u32, parent_handle: u64, parent_id: u32) -> Self {
        let mut event = Self::new(FULL, 0x38, 0x0B);
        event.header[0x04] = 1; // Class.Type: start
        put(&mut event.header, 0x18, handle.to_le_bytes()); // RegHandle
        put(&mut event.header, 0x20, id.to_le_bytes()); // InstanceId
        put(&mut event.header, 0x24, parent_id.to_le_bytes()); // ParentInstanceId
        put(&mut event.header, 0x30, parent_handle.to_le_bytes()); // ParentRegHandle
        event
    }

    fn manifest(header_type: u8, provider: Guid, descriptor: Descriptor) -> Self {
        let mut event = Self::new(EVENT_HEADER, 0x50, header_type);
        let header = &mut event.header;
        put(header, 0x18, provider); // ProviderId
        put(header, 0x28, descriptor.id.to_le_bytes()); // Id
        header[0x2A] = descriptor.version; // Version
        header[0x2B] = descriptor.channel; // Channel
        header[0x2C] = descriptor.level; // Level
        header[0x2D] = descriptor.opcode; // Opcode
        put(header, 0x2E, descriptor.task.to_le_bytes()); // Task
        put(header, 0x30, descriptor.keyword.to_le_bytes()); // Keyword
        event
    }

    /// EVENT_HEADER32: EVENT_HEADER of an event from a 32-bit program.
    pub fn header32(provider: Guid, descriptor: Descriptor) -> Self {
        Self::manifest(0x12, provider, descriptor)
    }

    /// EVENT_HEADER64: EVENT_HEADER of an event from a 64-bit program.
    pub fn header64(provider: Guid, descriptor: Descriptor) -> Self {
        Self::manifest(0x13, provider, descriptor)
    }

    /// Sets ActivityId of an EVENT_HEADER.
    pub fn activity(mut self, activity: Guid) -> Self {
        put(&mut self.header, 0x40, activity); // ActivityId
        self
    }

    /// Sets Flags of an EVENT_HEADER. EXTENDED_INFO (bit 0) is set by [`item`](Self::item).
    pub fn flags(mut self, flags: u16) -> Self {
        put(&mut self.header, 0x04, flags.to_le_bytes()); // Flags
        self
    }

    /// Sets EventProperty of an EVENT_HEADER.
    pub fn property(mut self, property: u16) -> Self {
        put(&mut self.header, 0x06, property.to_le_bytes()); // EventProperty
        self
    }

    /// Adds an extended item to an EVENT_HEADER and sets EXTENDED_INFO.
    pub fn item(mut self, item: Item) -> Self {
        self.header[0x04] |= 0x01; // Flags, bit 0: EXTENDED_INFO
        self.items.push(item);
        self
    }

    /// TIMED (marker 0xB0): an obsolete form, known from a picture in a header file only.
    pub fn timed(event_id: u32) -> Self {
        let mut event = Self::new(TIMED, 0x10, 0x00);
        event.header[0x03] = 0xB0; // marker: TRACE_HEADER_ULONG32_TIME
        put(&mut event.header, 0x04, event_id.to_le_bytes()); // event id
        event
    }

    /// ERROR (type 0x0D): "error while logging event". Only its Size and type are known.
    pub fn error() -> Self {
        Self::new(SIZE_FIRST, 0x04, 0x0D)
    }

    /// A header type that no Windows version is known to write. Its Size lies in the first two bytes.
    pub fn unknown(header_type: u8, marker: u8) -> Self {
        let mut event = Self::new(SIZE_FIRST, 0x04, header_type);
        event.header[0x03] = marker;
        event
    }

    /// WNODE_HEADER (bit 31 of the first word clear), as very old systems could write it.
    pub fn wnode(provider_id: u32, class: Guid, client_context: u32, flags: u32) -> Self {
        let mut event = Self::new(WNODE, 0x30, 0x00);
        event.header[0x03] = 0x00; // BufferSize, the high byte
        put(&mut event.header, 0x04, provider_id.to_le_bytes()); // ProviderId
        put(&mut event.header, 0x08, 1_u32.to_le_bytes()); // Version
        put(&mut event.header, 0x18, class); // Guid
        put(&mut event.header, 0x28, client_context.to_le_bytes()); // ClientContext
        put(&mut event.header, 0x2C, flags.to_le_bytes()); // Flags
        event
    }

    /// Sets the time in the session's clock, where the header has one.
    pub fn at(mut self, time: i64) -> Self {
        if let Some(place) = self.places.time {
            put(&mut self.header, place, time.to_le_bytes()); // SystemTime / TimeStamp
            self.time = Some(time);
        }
        self
    }

    /// Sets ProcessId and ThreadId, where the header has them.
    pub fn process(mut self, process: u32, thread: u32) -> Self {
        if let Some(place) = self.places.thread_process {
            put(&mut self.header, place, thread.to_le_bytes()); // ThreadId
            put(&mut self.header, place + 4, process.to_le_bytes()); // ProcessId
        }
        self
    }

    /// Sets KernelTime and UserTime, in ticks of the timer, where the header has them.
    pub fn cpu_times(mut self, kernel: u32, user: u32) -> Self {
        if let Some(place) = self.places.cpu_time {
            put(&mut self.header, place, kernel.to_le_bytes()); // KernelTime
            put(&mut self.header, place + 4, user.to_le_bytes()); // UserTime
        }
        self
    }

    /// Sets the payload.
    pub fn payload(mut self, payload: impl AsRef<[u8]>) -> Self {
        self.payload = payload.as_ref().to_vec();
        self
    }

    /// Damage: writes another Size than the right one. The record keeps its place in the buffer.
    pub fn with_size(mut self, size: u16) -> Self {
        self.size = Some(size);
        self
    }

    /// Damage or oddity: overwrites header bytes.
    pub fn with_header_bytes<const N: usize>(mut self, at: usize, value: [u8; N]) -> Self {
        put(&mut self.header, at, value);
        self
    }

    /// The time set with [`at`](Self::at).
    pub(crate) fn time(&self) -> Option<i64> {
        self.time
    }

    /// The record's bytes, without the alignment gap behind it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut record = self.header.clone();
        for (i, item) in self.items.iter().enumerate() {
            record.extend(item.to_bytes(i + 1 < self.items.len()));
        }
        record.extend(&self.payload);
        assert!(
            record.len() <= 0xFFFF,
            "an event of {} bytes has no 16-bit Size",
            record.len()
        );
        let size = self.size.unwrap_or(record.len() as u16);
        put(&mut record, self.places.size, size.to_le_bytes()); // Size
        record
    }
}
