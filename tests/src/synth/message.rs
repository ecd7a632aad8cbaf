//! MESSAGE_TRACE_HEADER: WPP messages.

use super::bytes::{Guid, put};
use super::event::Event;

const SEQUENCE: u16 = 0x0001;
const GUID: u16 = 0x0002;
const COMPONENTID: u16 = 0x0004;
const TIMESTAMP: u16 = 0x0008;
const SYSTEMINFO: u16 = 0x0020;
const POINTER32: u16 = 0x0040;
const POINTER64: u16 = 0x0080;

/// A WPP message. Which optional parts are written depends on the option flags alone; the setters set both part and flag.
#[derive(Clone, Debug)]
pub struct Message {
    number: u16,
    flags: u16,
    sequence: u32,
    component: u32,
    guid: Guid,
    time: i64,
    thread: u32,
    process: u32,
    arguments: Vec<u8>,
}

impl Message {
    /// A message with no optional part.
    pub fn new(number: u16) -> Self {
        let guid = super::bytes::NO_GUID;
        Self {
            number,
            flags: 0,
            sequence: 0,
            component: 0,
            guid,
            time: 0,
            thread: 0,
            process: 0,
            arguments: vec![],
        }
    }

    /// TRACE_MESSAGE_SEQUENCE: a sequence number.
    pub fn sequence(mut self, sequence: u32) -> Self {
        self.sequence = sequence;
        self.add_flags(SEQUENCE)
    }

    /// TRACE_MESSAGE_COMPONENTID: a component id; it takes the place of the GUID.
    pub fn component(mut self, component: u32) -> Self {
        self.component = component;
        self.add_flags(COMPONENTID)
    }

    /// TRACE_MESSAGE_GUID: the GUID of the message's source file.
    pub fn guid(mut self, guid: Guid) -> Self {
        self.guid = guid;
        self.add_flags(GUID)
    }

    /// TRACE_MESSAGE_TIMESTAMP: the time in the session's clock.
    pub fn at(mut self, time: i64) -> Self {
        self.time = time;
        self.add_flags(TIMESTAMP)
    }

    /// TRACE_MESSAGE_SYSTEMINFO: process and thread.
    pub fn process(mut self, process: u32, thread: u32) -> Self {
        self.process = process;
        self.thread = thread;
        self.add_flags(SYSTEMINFO)
    }

    /// TRACE_MESSAGE_POINTER32: the provider is a 32-bit program. No part belongs to it.
    pub fn pointer32(self) -> Self {
        self.add_flags(POINTER32)
    }

    /// TRACE_MESSAGE_POINTER64: the provider is a 64-bit program. No part belongs to it.
    pub fn pointer64(self) -> Self {
        self.add_flags(POINTER64)
    }

    /// Sets more option flags.
    pub fn add_flags(mut self, flags: u16) -> Self {
        self.flags |= flags;
        self
    }

    /// Replaces the option flags: with every value set by the other methods, any combination can be written.
    pub fn flags(mut self, flags: u16) -> Self {
        self.flags = flags;
        self
    }

    /// The arguments' bytes.
    pub fn arguments(mut self, arguments: impl AsRef<[u8]>) -> Self {
        self.arguments = arguments.as_ref().to_vec();
        self
    }
}

impl From<Message> for Event {
    fn from(message: Message) -> Self {
        let mut header = vec![0; 8];
        // 0x00 Size is written with the whole record; 0x02 Reserved stays 0.
        header[0x03] = 0x90; // Version: the marker of a message
        put(&mut header, 0x04, message.number.to_le_bytes()); // MessageNumber
        put(&mut header, 0x06, message.flags.to_le_bytes()); // OptionFlags
        let has = |flag| message.flags & flag != 0;
        if has(SEQUENCE) {
            header.extend(message.sequence.to_le_bytes());
        }
        if has(COMPONENTID) {
            header.extend(message.component.to_le_bytes());
        } else if has(GUID) {
            header.extend(message.guid);
        }
        if has(TIMESTAMP) {
            header.extend(message.time.to_le_bytes());
        }
        if has(SYSTEMINFO) {
            header.extend(message.thread.to_le_bytes());
            header.extend(message.process.to_le_bytes());
        }
        let time = has(TIMESTAMP).then_some(message.time);
        Self::from_parts(header, time).payload(message.arguments)
    }
}
