//! Small traces, cut at every byte: all events that lie before the cut are read, and nothing else is.

use winetl::{Limits, Order, TraceFile};
use winetl_tests::samples;

use super::common::{Seen, read};

/// The fixed part of the logfile header ends here: before it, a trace may be refused.
const HEAD_END: usize = 0x48 + 0x20 + 0x118;

const SAMPLES: &[&str] = &[
    "file-compressed",
    "file-compressed-lznt1",
    "file-compressed-some",
    "file-full-buffer",
    "file-header-events",
    "file-vista",
    "file-windows7",
    "file-zero-tail",
    "header-message-no-time",
    "header-no-payload",
    "header-perfinfo64-pebs",
    "header-unknown-types",
    "hello",
    "item-chain",
    "order-time-goes-back",
    "switches",
    "switches-compressed",
];

/// Where an event's last byte must be in the file: for a compressed buffer, all of it.
fn ends(bytes: &[u8], events: &[Seen]) -> Vec<(u64, bool)> {
    let trace = TraceFile::new(bytes, Limits::default()).unwrap();
    let buffers: Vec<_> = trace
        .buffers()
        .map(|buffer| (buffer.offset, buffer.stored, buffer.compressed))
        .collect();
    let end = |event: &Seen| {
        let (offset, stored, compressed) = buffers[event.buffer as usize];
        (
            if compressed {
                offset + stored
            } else {
                offset + u64::from(event.offset) + event.bytes.len() as u64
            },
            compressed,
        )
    };
    events.iter().map(end).collect()
}

/// A neighbour whose time it has may have been cut off.
fn without_borrowed_time(event: &mut Seen) {
    event.time = event.raw_time.and(event.time);
}

fn sweep(name: &str) {
    let bytes = (samples::find(name).unwrap().build)();
    let (mut all, _) = read(bytes.as_slice(), Order::File).unwrap();
    all.iter_mut().for_each(without_borrowed_time);
    let ends = ends(&bytes, &all);
    let any_compressed = ends.iter().any(|(_, compressed)| *compressed);
    for cut in 0..bytes.len() {
        for order in [Order::File, Order::Time] {
            let at = format!("{name}, cut at {cut:#x}, {order:?}");
            let (mut found, report) = match read(&bytes[..cut], order) {
                Ok(found) => found,
                Err(error) => {
                    assert!(cut < HEAD_END, "{at}: {error}");
                    continue;
                }
            };
            found.sort_by_key(|event| event.index);
            found.iter_mut().for_each(without_borrowed_time);
            let whole: Vec<_> = all
                .iter()
                .zip(&ends)
                .filter(|(_, (end, _))| *end <= cut as u64)
                .map(|(event, _)| event)
                .collect();
            if any_compressed {
                // Of the buffer with the cut, what could be decompressed is read as well.
                for event in whole {
                    assert!(found.contains(event), "{at}: event {} is lost", event.index);
                }
                assert!(
                    found.iter().all(|event| all.contains(event)),
                    "{at}: an event that is not in the trace"
                );
            } else {
                assert_eq!(found.iter().collect::<Vec<_>>(), whole, "{at}");
            }
            assert!(report.lost_bytes() <= cut as u64, "{at}: {} bytes lost", report.lost_bytes());
        }
    }
}

#[test]
fn every_cut() {
    std::thread::scope(|scope| {
        let (first, second) = SAMPLES.split_at(SAMPLES.len() / 2);
        scope.spawn(|| first.iter().for_each(|name| sweep(name)));
        scope.spawn(|| second.iter().for_each(|name| sweep(name)));
    });
}
