//! Buffer headers, and what each buffer holds.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};
use winetl::{BufferInfo, Filetime, TraceFile, compression};

use super::common::{fields, number};
use super::differences::Differences;
use super::walk::{Walk, sha256};

/// WMI_BUFFER_HEADER.
const HEADER: usize = 0x48;

pub(crate) fn compare(differences: &mut Differences, golden: &Json, trace: &TraceFile<&[u8]>, file: &[u8], walk: &Walk) {
    let expected = golden["buffers"].as_array().unwrap();
    let mut buffers = trace.buffers();
    let mut found = vec![];
    while let Some(buffer) = buffers.next() {
        let summary = buffers.summarise(&buffer);
        found.push((buffer, summary));
    }
    differences.same("buffer_count", &golden["buffer_count"], found.len());
    differences.same("buffers.len()", &json!(expected.len()), found.len());
    differences.same(
        "compressed_buffers",
        &golden["compressed_buffers"],
        found.iter().filter(|(buffer, _)| buffer.compressed).count(),
    );

    for ((buffer, summary), expected) in found.iter().zip(expected) {
        let at = format!("buffer {}", buffer.index);
        let here = walk.buffers.get(&buffer.index);
        let mut facts = header(buffer);
        facts.insert("events".into(), json!(here.map_or(0, |walk| walk.events)));
        facts.insert("walk_end".into(), json!(here.map_or(HEADER as u64, |walk| walk.end)));
        facts.insert("types".into(), here.map_or_else(|| json!({}), |walk| json!(walk.types)));
        facts.insert("time_min".into(), json!(here.and_then(|walk| walk.time_min)));
        facts.insert("time_max".into(), json!(here.and_then(|walk| walk.time_max)));
        facts.insert("events_area_sha256".into(), json!(sha256(&area(trace, buffer, file))));
        // What fills the rest of a buffer means nothing.
        differences.same_object(&at, expected, facts, &["padding"]);

        differences.same(
            format_args!("{at}.processor()"),
            &json!(processor(expected)),
            buffer.processor(),
        );
        differences.same(
            format_args!("{at}.is_header"),
            &json!(expected["BufferType"] == 4),
            buffer.is_header,
        );
        differences.same(
            format_args!("{at}.sequence_number()"),
            &expected["SequenceNumber"],
            buffer.sequence_number(),
        );
        differences.same(format_args!("{at}.summarise().events"), &expected["events"], summary.events);
        if !buffer.is_header {
            // No time goes back in these buffers, so the first is the least.
            differences.same(
                format_args!("{at}.summarise().first_time"),
                &expected["time_min"],
                summary.first_time,
            );
            differences.same(
                format_args!("{at}.summarise().last_time"),
                &expected["time_max"],
                summary.last_time,
            );
        }
    }
    whole_file(
        differences,
        golden,
        trace,
        &found.iter().map(|(buffer, _)| buffer).collect::<Vec<_>>(),
    );
    times(differences, golden, walk);
}

/// The fields by the names of the expected values.
fn header(buffer: &BufferInfo) -> Map<String, Json> {
    let mut found = fields(&buffer.header);
    let mut rename = |from: &str, to: &str| found.remove(from).map(|value| (to.to_owned(), value));
    let renamed = [
        rename("ClientContext.ProcessorIndex", "ProcessorIndex"),
        rename("ClientContext.LoggerId", "LoggerId"),
        rename("Padding1", "Tail"),
        rename("Padding0", "Clock").map(|(name, value)| (name, json!(format!("{:#x}", value.as_u64().unwrap_or(u64::MAX))))),
    ];
    for key in [
        "ClientContext.ProcessorNumber",
        "ClientContext.Alignment",
        "Processor",
        "IsHeaderBuffer",
        "HoldsContextSwitches",
        "IsCompressed",
        "CompressionFormat",
    ] {
        found.remove(key);
    }
    found.extend(renamed.into_iter().flatten());
    found.insert("offset".into(), json!(buffer.offset));
    found.insert("compressed".into(), json!(buffer.compressed));
    found
}

/// 16 bits with PROC_INDEX, else 8: the byte beside is an alignment.
fn processor(expected: &Json) -> u64 {
    let word = expected["ProcessorIndex"].as_u64().unwrap();
    let flags = expected["BufferFlag"].as_u64().unwrap();
    if flags & 0x20 != 0 { word & 0x07FF } else { word & 0xFF }
}

/// The bytes that hold events, decompressed.
fn area(trace: &TraceFile<&[u8]>, buffer: &BufferInfo, file: &[u8]) -> Vec<u8> {
    let start = buffer.offset as usize;
    let filled = buffer.filled as usize - HEADER;
    let stored = &file[start + HEADER..start + buffer.stored as usize];
    if !buffer.compressed {
        return stored[..filled.min(stored.len())].to_vec();
    }
    let mut area = vec![];
    compression::decompress(trace.logfile().compression(), stored, filled, &mut area).unwrap();
    area
}

fn whole_file(differences: &mut Differences, golden: &Json, trace: &TraceFile<&[u8]>, buffers: &[&BufferInfo]) {
    let first = buffers[0];
    differences.same(
        "compression_format",
        &golden["compression_format"],
        number(&first.header, "State").map(|state| state & 0xFFFF),
    );
    if golden["compressed_buffers"] != 0 {
        differences.same(
            "logfile().compression()",
            &golden["compression_format"],
            trace.logfile().compression().0,
        );
    }
    let last = buffers[buffers.len() - 1];
    let end = last.offset + number(&last.header, "BufferSize").unwrap();
    differences.same(
        "bytes_after_last_buffer",
        &golden["bytes_after_last_buffer"],
        trace.size() as i64 - end as i64,
    );

    let mut sequences: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for buffer in buffers.iter().filter(|buffer| !buffer.is_header) {
        let word = fields(&buffer.header)["ClientContext.ProcessorIndex"].to_string();
        sequences.entry(word).or_default().push(buffer.sequence_number());
    }
    let found = sequences.into_iter().map(|(word, numbers)| {
        let order = if numbers.is_sorted() { "sorted" } else { "unsorted" };
        (
            word,
            json!([numbers.iter().min(), numbers.iter().max(), numbers.len(), order]),
        )
    });
    differences.same_object("sequences", &golden["sequences"], found.collect(), &[]);
}

fn times(differences: &mut Differences, golden: &Json, walk: &Walk) {
    differences.same(
        "raw_time_min",
        &golden["raw_time_min"],
        walk.buffers.values().filter_map(|buffer| buffer.time_min).min(),
    );
    differences.same(
        "raw_time_max",
        &golden["raw_time_max"],
        walk.buffers.values().filter_map(|buffer| buffer.time_max).max(),
    );
    let utc = &golden["utc"];
    for (name, time) in [("min_event", walk.filetime_min), ("max_event", walk.filetime_max)] {
        differences.same(
            format_args!("utc.{name}"),
            &utc[name],
            time.map(|time| Filetime(time).to_string()),
        );
        differences.same(format_args!("utc.{name}_ft"), &utc[format!("{name}_ft")], time);
    }
}
