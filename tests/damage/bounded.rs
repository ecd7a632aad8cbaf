//! Memory and work stay in bounds on files that promise much or never end.

use std::cell::Cell;
use std::io;

use winetl::{Limits, Order, Source, TraceFile};
use winetl_tests::synth::{Buffer, Descriptor, Event, Trace, guid};

/// Counts what is read of a source.
struct Counted<S> {
    source: S,
    calls: Cell<u64>,
    bytes: Cell<u64>,
    largest: Cell<usize>,
}

impl<S> Counted<S> {
    fn new(source: S) -> Self {
        Self {
            source,
            calls: Cell::new(0),
            bytes: Cell::new(0),
            largest: Cell::new(0),
        }
    }
}

impl<S: Source> Source for Counted<S> {
    fn size(&self) -> io::Result<u64> {
        self.source.size()
    }

    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read_at(offset, target)?;
        self.calls.set(self.calls.get() + 1);
        self.bytes.set(self.bytes.get() + read as u64);
        self.largest.set(self.largest.get().max(target.len()));
        Ok(read)
    }
}

/// A real beginning, and behind it as much of a repeated piece as one likes.
struct Endless {
    head: Vec<u8>,
    piece: Vec<u8>,
    size: u64,
}

impl Source for Endless {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let count = target.len().min(left);
        let mut filled = 0;
        while filled < count {
            let at = offset + filled as u64;
            let head = self.head.len() as u64;
            let rest = if at < head {
                &self.head[at as usize..]
            } else {
                &self.piece[((at - head) % self.piece.len() as u64) as usize..]
            };
            let step = rest.len().min(count - filled);
            target[filled..filled + step].copy_from_slice(&rest[..step]);
            filled += step;
        }
        Ok(count)
    }
}

const MIB: u64 = 1 << 20;

fn one_event() -> Vec<u8> {
    let event = Event::header64(
        guid("5e7d0001-1111-4111-8111-000000000001"),
        Descriptor {
            id: 1,
            ..Descriptor::default()
        },
    );
    Trace::new64()
        .buffer(Buffer::new(0, 1).event(event.at(Trace::qpc(10))))
        .build()
}

/// Reads an endless file of `size` bytes and gives events read, calls and bytes.
fn read(piece: Vec<u8>, size: u64, order: Order, limits: Limits) -> (u64, Counted<Endless>) {
    let source = Counted::new(Endless {
        head: one_event(),
        piece,
        size,
    });
    let trace = TraceFile::new(&source, limits).unwrap();
    let mut events = trace.events(order);
    let mut count = 0;
    while events.next().is_some() {
        count += 1;
    }
    (count, source)
}

#[test]
fn a_sound_file_is_read_about_once() {
    let bytes = (winetl_tests::samples::find("order-three-processors").unwrap().build)();
    let size = bytes.len() as u64;
    for (order, times) in [(Order::File, 3), (Order::Time, 5)] {
        let source = Counted::new(bytes.as_slice());
        let trace = TraceFile::new(&source, Limits::default()).unwrap();
        let mut events = trace.events(order);
        while events.next().is_some() {}
        assert!(
            source.bytes.get() <= size * times,
            "{order:?}: {} bytes read of {size}",
            source.bytes.get()
        );
        // The head, and for each of the 7 buffers its header, the next one's, and its events, for each of two passes.
        assert!(source.calls.get() <= 60, "{order:?}: {} calls", source.calls.get());
    }
}

#[test]
fn zeros_and_ones_behind_a_trace_are_passed_over_in_steps() {
    for byte in [0x00, 0xFF] {
        for order in [Order::File, Order::Time] {
            let size = 64 * MIB;
            let (events, source) = read(vec![byte; 4096], size, order, Limits::default());
            assert_eq!(events, 2, "{byte:#x}");
            assert!(
                source.largest.get() <= MIB as usize,
                "{byte:#x}: {} bytes at once",
                source.largest.get()
            );
            // Each byte is looked at a few times at most, whatever it is.
            assert!(
                source.bytes.get() <= 6 * size,
                "{byte:#x}, {order:?}: {} bytes read of {size}",
                source.bytes.get()
            );
        }
    }
}

#[test]
fn a_terabyte_of_zeros_costs_nothing_until_it_is_read() {
    let source = Counted::new(Endless {
        head: one_event(),
        piece: vec![0; 4096],
        size: 1 << 40,
    });
    let trace = TraceFile::new(&source, Limits::default()).unwrap();
    assert_eq!(trace.size(), 1 << 40);
    assert!(source.bytes.get() <= MIB, "{} bytes read to open", source.bytes.get());
    let mut events = trace.events(Order::File);
    assert!(events.next().is_some());
    assert!(
        source.bytes.get() <= 2 * MIB,
        "{} bytes read for the first event",
        source.bytes.get()
    );
}

#[test]
fn small_buffers_without_end_are_read_one_at_a_time() {
    // A buffer of 72 bytes, its header alone: 233,000 of them.
    let empty = Buffer::new(0, 7).size(0x48).build(1024);
    assert_eq!(empty.len(), 0x48);
    let (events, source) = read(empty, 16 * MIB, Order::File, Limits::default());
    assert_eq!(events, 2);
    assert!(source.largest.get() <= MIB as usize);
    assert!(source.bytes.get() <= 6 * 16 * MIB, "{} bytes read", source.bytes.get());
}

#[test]
fn an_index_that_grows_too_large_is_given_up() {
    let event = Event::perfinfo64(0x0F2E, 2).at(Trace::qpc(20));
    let small = Buffer::new(0, 7).event(event).size(0x58).build(1024);
    let limits = Limits {
        max_ordered_buffers: 1000,
        ..Limits::default()
    };
    let (events, source) = read(small, 2 * MIB, Order::Time, limits);
    assert_eq!(events, 2 + (2 * MIB - 2048) / 0x58);
    // The index is given up early: the file is read not much more than once.
    assert!(source.bytes.get() <= 6 * 2 * MIB, "{} bytes read", source.bytes.get());
}

#[test]
fn damages_without_end_are_counted_not_kept() {
    let broken = Buffer::new(0, 7)
        .event(Event::perfinfo64(0x0F2E, 2).at(Trace::qpc(20)))
        .event(Event::perfinfo64(0x0F2E, 2).with_size(3));
    let broken = broken.size(0x70).build(1024);
    let source = Endless {
        head: one_event(),
        piece: broken,
        size: 2048 + 5000 * 0x70,
    };
    let limits = Limits {
        max_damages: 100,
        ..Limits::default()
    };
    let trace = TraceFile::new(&source, limits).unwrap();
    let mut events = trace.events(Order::File);
    let mut count = 0;
    while events.next().is_some() {
        count += 1;
    }
    assert_eq!(count, 2 + 5000);
    assert_eq!(events.report().damages().len(), 100);
    assert_eq!(events.report().further(), 4900);
    assert_eq!(events.report().lost_bytes(), 5000 * 0x10);
}
