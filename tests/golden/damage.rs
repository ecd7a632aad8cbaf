//! The damage that the expected values tell of is reported with its place, and no other.

use serde_json::Value as Json;
use winetl::{DamageKind, Note, Report};

use super::differences::Differences;
use super::walk::Walk;

pub(crate) fn compare(differences: &mut Differences, golden: &Json, walk: &Walk) {
    let report = &walk.report;
    let errors = golden["errors"].as_array().unwrap();
    let mut damages = 0;
    for error in errors {
        let text = error.as_str().unwrap();
        match matches(text, golden, report) {
            Some(Told::Damage) => damages += 1,
            Some(Told::Note) => {}
            None => differences.add("errors", text, format!("{report:?}")),
        }
    }
    if report.damages().len() != damages || report.further() != 0 {
        differences.add("number of damages", damages, format!("{:?}", report.damages()));
    }
    let (stated, found) = (
        golden["logfile_header"]["BuffersWritten"].as_u64().unwrap(),
        golden["buffer_count"].as_u64().unwrap(),
    );
    let noted = report.notes().contains(&Note::BuffersWritten { stated, found });
    if noted != (stated != found) {
        differences.add("note about BuffersWritten", stated != found, noted);
    }
}

enum Told {
    Damage,
    Note,
}

fn matches(error: &str, golden: &Json, report: &Report) -> Option<Told> {
    let numbers = numbers(error);
    let buffer_offset = |index: u64| golden["buffers"][index as usize]["offset"].as_u64();
    let damaged = |test: &dyn Fn(&winetl::Damage) -> bool| report.damages().iter().any(test).then_some(Told::Damage);
    // "buffer 1 +0x48: SYSTEM32 size 7"
    if let (true, [index, offset, _, size]) = (error.contains(" size "), numbers.as_slice()) {
        let at = buffer_offset(*index)? + offset;
        return damaged(&|damage| {
            damage.buffer == Some(*index)
                && damage.lost.start == at
                && matches!(&damage.kind, DamageKind::EventSize { header, found, .. } if found == size && error.contains(header.trim_start_matches("TRACE_HEADER_TYPE_")))
        });
    }
    // "buffer 2 truncated: needs 0x6000, file 0x4bb8"
    if let (true, [index, needed, size]) = (error.contains("truncated"), numbers.as_slice()) {
        let cut = DamageKind::Truncated { missing: needed - size };
        return damaged(&|damage| damage.buffer == Some(*index) && damage.kind == cut);
    }
    // "buffer 3 at 0x6000: BufferSize 0"
    if let (true, [_, at, 0]) = (error.contains("BufferSize"), numbers.as_slice()) {
        let noted = report
            .notes()
            .iter()
            .any(|note| matches!(note, Note::ZeroTail { offset, .. } if offset == at));
        return noted.then_some(Told::Note);
    }
    None
}

/// The numbers of a text, decimal or with 0x before them.
fn numbers(text: &str) -> Vec<u64> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter_map(|word| match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => word.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok(),
        })
        .collect()
}
