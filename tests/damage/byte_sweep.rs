//! Small traces with each byte in turn set to 00, to FF, and with one bit flipped.

use winetl::{Limits, Order, TraceFile};
use winetl_tests::samples;

use super::common::{Seen, read};

/// The samples of every cut but the longest.
const SAMPLES: &[&str] = &[
    "file-compressed",
    "file-compressed-lznt1",
    "file-compressed-some",
    "file-full-buffer",
    "file-header-events",
    "file-vista",
    "file-windows7",
    "header-event64",
    "header-message-no-time",
    "header-no-payload",
    "header-perfinfo64-pebs",
    "header-unknown-types",
    "item-chain",
    "order-time-goes-back",
];

/// WMI_BUFFER_HEADER.
const HEADER: u64 = 0x48;
/// State of the header buffer, which is the compression format of a compressed trace if BufferType says that it is one.
const STATE: std::ops::Range<u64> = 0x2C..0x30;
const BUFFER_TYPE: std::ops::Range<u64> = 0x36..0x38;
/// LogFileMode, whose bit COMPRESSED_MODE says that State is a format.
const MODE: std::ops::Range<u64> = 0x88..0x8C;
/// Offset: in a header buffer, another plausible number of filled bytes cannot be told from the right one.
const OFFSET: std::ops::Range<u64> = 0x30..0x34;
/// BufferFlag: with COMPRESSED in it a plain buffer cannot be read, without it a compressed one can't.
const BUFFER_FLAG: std::ops::Range<u64> = 0x34..0x36;

struct Buffer {
    offset: u64,
    stored: u64,
    compressed: bool,
}

struct Base {
    name: &'static str,
    bytes: Vec<u8>,
    events: Vec<Seen>,
    buffers: Vec<Buffer>,
}

impl Base {
    fn new(name: &'static str) -> Self {
        let bytes = (samples::find(name).unwrap().build)();
        let (events, _) = read(bytes.as_slice(), Order::File).unwrap();
        let trace = TraceFile::new(bytes.as_slice(), Limits::default()).unwrap();
        let buffers = trace.buffers().map(|buffer| Buffer {
            offset: buffer.offset,
            stored: buffer.stored,
            compressed: buffer.compressed,
        });
        Self {
            name,
            events,
            buffers: buffers.collect(),
            bytes,
        }
    }

    fn any_compressed(&self) -> bool {
        self.buffers.iter().any(|buffer| buffer.compressed)
    }

    /// What must be read in spite of the change at `at`, which lies `within` a buffer.
    fn must_survive(&self, event: &Seen, damaged: usize, within: u64) -> bool {
        if event.buffer != damaged as u64 {
            let format = [STATE, BUFFER_TYPE, MODE].iter().any(|range| range.contains(&within));
            return !(self.any_compressed() && damaged == 0 && format);
        }
        if self.buffers[damaged].compressed {
            return false;
        }
        if within < HEADER {
            let exempt = BUFFER_FLAG.contains(&within) || damaged == 0 && OFFSET.contains(&within);
            return !exempt;
        }
        u64::from(event.offset) + event.bytes.len() as u64 <= within
    }

    fn check(&self, at: usize, value: u8) {
        let mut bytes = self.bytes.clone();
        bytes[at] = value;
        let damaged = self
            .buffers
            .iter()
            .position(|buffer| (at as u64) < buffer.offset + buffer.stored)
            .unwrap();
        let within = at as u64 - self.buffers[damaged].offset;
        for order in [Order::File, Order::Time] {
            let place = format!(
                "{}, {value:#04x} at {at:#x} (buffer {damaged}, {within:#x}), {order:?}",
                self.name
            );
            let read = read(bytes.as_slice(), order);
            assert!(read.is_ok(), "{place}: {:?}", read.err());
            let Ok((found, report)) = read else { continue };
            for event in self.events.iter().filter(|event| self.must_survive(event, damaged, within)) {
                // The logfile header says how some headers are to be read, so there only the bytes can be the same.
                let same = |found: &&Seen| damaged == 0 || (found.kind == event.kind && found.payload == event.payload);
                let kept = found.iter().filter(same).any(|found| found.bytes == event.bytes);
                assert!(kept, "{place}: event {} is lost: {report:?}", event.index);
            }
            assert!(
                found.len() <= self.events.len() + 1,
                "{place}: {} events of {}",
                found.len(),
                self.events.len()
            );
            assert!(
                report.lost_bytes() <= bytes.len() as u64,
                "{place}: {} bytes lost",
                report.lost_bytes()
            );
            // Payloads and items of damaged events are looked at, too.
            super::common::each(&bytes, |event| {
                let items: Vec<_> = event
                    .extended_items()
                    .map(|item| item.decode().map(|data| data.is_ok()))
                    .collect();
                (event.time(), event.payload_record().map(|payload| payload.measure()), items)
            });
        }
    }
}

fn sweep(name: &'static str) {
    let base = Base::new(name);
    for (at, byte) in base.bytes.iter().enumerate() {
        for value in [0x00, 0xFF, byte ^ 1 << (at % 8)] {
            if value != *byte {
                base.check(at, value);
            }
        }
    }
}

#[test]
fn every_byte() {
    std::thread::scope(|scope| {
        let (first, second) = SAMPLES.split_at(SAMPLES.len() / 2);
        scope.spawn(|| first.iter().for_each(|name| sweep(name)));
        scope.spawn(|| second.iter().for_each(|name| sweep(name)));
    });
}

#[test]
fn the_type_of_the_first_buffer_does_not_decide_on_compression() {
    // BufferType is no longer HEADER, so that State can't be the format: XPRESS is what has been seen.
    let mut bytes = (samples::find("file-compressed").unwrap().build)();
    bytes[0x36] = 0;
    let (events, report) = read(bytes, Order::File).unwrap();
    assert_eq!(events.len(), 1 + 20 + 1 + 7);
    assert_eq!(report.damages().len(), 1, "{report:?}");
}
