//! Traps of reading a whole file: 27, 29.

use std::cell::Cell;
use std::io;

use winetl::{Limits, Order, Source, TraceFile};
use winetl_tests::samples;
use winetl_tests::synth::{Buffer, Trace};

use super::{common, event};

struct Largest<'b> {
    bytes: &'b [u8],
    largest: Cell<usize>,
}

impl Source for Largest<'_> {
    fn size(&self) -> io::Result<u64> {
        self.bytes.size()
    }

    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        self.largest.set(self.largest.get().max(target.len()));
        self.bytes.read_at(offset, target)
    }
}

/// Trap 27. Wrong: the whole file is read at once, and each buffer is a call within the call for the one before.
#[test]
fn a_file_is_read_buffer_by_buffer() {
    let mut file = Trace::new64().buffer(Buffer::new(0, 1).event(event(1))).build();
    let next = Buffer::new(0, 2).event(event(2)).size(0xA0).build(1024);
    for _ in 0..100_000 {
        file.extend(&next);
    }
    let source = Largest {
        bytes: &file,
        largest: Cell::new(0),
    };
    for order in [Order::File, Order::Time] {
        // A stack that a call for each buffer would use up.
        std::thread::scope(|scope| {
            let reader = std::thread::Builder::new().stack_size(256 << 10);
            let bytes = file.as_slice();
            let count = reader.spawn_scoped(scope, move || {
                let trace = TraceFile::new(bytes, Limits::default()).unwrap();
                let mut events = trace.events(order);
                let mut count = 0;
                while events.next().is_some() {
                    count += 1;
                }
                count
            });
            assert_eq!(count.unwrap().join().unwrap(), 100_002);
        });
    }
    let trace = TraceFile::new(&source, Limits::default()).unwrap();
    let mut events = trace.events(Order::File);
    while events.next().is_some() {}
    assert!(
        source.largest.get() <= 64 << 10,
        "{} bytes at once, of {}",
        source.largest.get(),
        file.len()
    );
}

/// Trap 29. Wrong: the events of a file are in order of time.
#[test]
fn file_order_is_not_time_order() {
    let file = (samples::find("order-three-processors").unwrap().build)();
    let (by_file, _) = common::read(file.as_slice(), Order::File).unwrap();
    let (by_time, _) = common::read(file.as_slice(), Order::Time).unwrap();
    assert!(!by_file.is_sorted_by_key(|event| event.raw_time));
    assert!(by_time.is_sorted_by_key(|event| event.raw_time));
    assert_eq!(common::ids(&by_time), (1..=16).collect::<Vec<_>>());
}
