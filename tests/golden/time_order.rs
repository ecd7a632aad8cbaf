//! In order by time come the same events: none twice, none lost, none before an earlier one, and those of a buffer in its order.

use std::collections::HashMap;

use winetl::{Order, TraceFile};

use super::differences::Differences;
use super::walk::{Walk, quick_hash};

pub(crate) fn compare(differences: &mut Differences, trace: &TraceFile<&[u8]>, walk: &Walk) {
    let mut seen = vec![false; walk.hashes.len()];
    let mut in_buffer: HashMap<u64, u32> = HashMap::new();
    let mut last_time = i64::MIN;
    let mut events = trace.events(Order::Time);
    while let Some(event) = events.next() {
        let index = event.index();
        let at = usize::try_from(index).unwrap();
        match walk.hashes.get(at) {
            Some(hash) if *hash == quick_hash(event.bytes()) => {}
            _ => differences.add(
                format_args!("by time: event {index}"),
                "the bytes that it has in file order",
                "others",
            ),
        }
        if seen.get_mut(at).is_none_or(|seen| std::mem::replace(seen, true)) {
            differences.add(format_args!("by time: event {index}"), "once", "twice");
        }
        let before = in_buffer.insert(event.buffer().index, event.buffer_offset());
        if before.is_some_and(|before| before >= event.buffer_offset()) {
            differences.add(
                format_args!("by time: event {index}"),
                "a place behind the one before in its buffer",
                event.buffer_offset(),
            );
        }
        if let Some(time) = event.raw_time() {
            if time < last_time {
                differences.add(
                    format_args!("by time: event {index}"),
                    format_args!("a time from {last_time} on"),
                    time,
                );
            }
            last_time = time;
        }
    }
    for (index, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
        differences.add(format_args!("by time: event {index}"), "once", "never");
    }
    let report = events.report();
    if report.damages() != walk.report.damages()
        || report.lost_bytes() != walk.report.lost_bytes()
        || report.notes() != walk.report.notes()
    {
        differences.add("by time: report", format!("{:?}", walk.report), format!("{report:?}"));
    }
}
