//! Speed of reading real traces, which lie outside the repository: set `WINETL_SHARED`, or have them at `../shared`.
//!
//! Without them the benches read a committed sample, which is too small to say much.

#![expect(clippy::expect_used, reason = "a bench without its trace has nothing to measure")]

use std::path::{Path, PathBuf};

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use winetl::compression::xpress;
use winetl::{Order, TraceFile};

fn main() {
    divan::main();
}

const TRACES: &[&str] = &[
    "win7-rtm-process",
    "win8-compressed-net452-x64",
    "win11-24h2-xperf-tracelogging-43mb",
];

/// The trace in memory, so that the disk has no part in the figures.
fn trace(name: &str) -> TraceFile<Vec<u8>> {
    let shared = std::env::var_os("WINETL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let path = shared.join("samples").join(format!("{name}.etl"));
    let fallback = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples/file-compressed.etl");
    let bytes = std::fs::read(path)
        .or_else(|_| std::fs::read(fallback))
        .expect("a trace to read");
    TraceFile::from_bytes(bytes).expect("a sound trace")
}

fn count(trace: &TraceFile<Vec<u8>>, order: Order) -> u64 {
    let mut events = trace.events(order);
    let mut count = 0;
    while let Some(event) = events.next() {
        black_box(event.header());
        count += 1;
    }
    count
}

/// Sizes and times of all events, without decoding their headers.
#[divan::bench(args = TRACES)]
fn walk(bencher: Bencher<'_, '_>, name: &str) {
    let trace = trace(name);
    let events = count(&trace, Order::File);
    bencher
        .counter(ItemsCount::new(events))
        .counter(BytesCount::new(trace.size()))
        .bench_local(|| {
            let mut buffers = trace.buffers();
            let mut events = 0;
            while let Some(buffer) = buffers.next() {
                events += buffers.summarise(&buffer).events;
            }
            events
        });
}

/// All headers decoded, in file order.
#[divan::bench(args = TRACES)]
fn decode_file_order(bencher: Bencher<'_, '_>, name: &str) {
    let trace = trace(name);
    let events = count(&trace, Order::File);
    bencher
        .counter(ItemsCount::new(events))
        .counter(BytesCount::new(trace.size()))
        .bench_local(|| count(&trace, Order::File));
}

/// All headers decoded, in order of time: the file is walked first.
#[divan::bench(args = TRACES)]
fn decode_time_order(bencher: Bencher<'_, '_>, name: &str) {
    let trace = trace(name);
    let events = count(&trace, Order::File);
    bencher
        .counter(ItemsCount::new(events))
        .counter(BytesCount::new(trace.size()))
        .bench_local(|| count(&trace, Order::Time));
}

/// Decompression alone; bytes are those of the output.
#[divan::bench(args = ["win8-compressed-net452-x64"])]
fn decompress_xpress(bencher: Bencher<'_, '_>, name: &str) {
    let trace = trace(name);
    let mut streams = Vec::new();
    for buffer in trace.buffers().filter(|buffer| buffer.compressed) {
        streams.push((trace.stored_area(&buffer).expect("bytes in memory"), buffer.filled_area()));
    }
    let mut output = Vec::new();
    let mut decompress = || {
        streams.iter().fold(0, |total, (stream, size)| {
            let _ = xpress::decompress(stream, *size, &mut output);
            total + output.len()
        })
    };
    let total = decompress();
    bencher.counter(BytesCount::new(total)).bench_local(decompress);
}
