//! Damaged traces: what can be read is read, the report names the place, and nothing panics or runs away.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod bounded;
mod byte_sweep;
#[path = "../common/mod.rs"]
mod common;
mod cut_sweep;
mod details;
mod hostile;
mod samples;

use std::fmt::Write as _;

use winetl::{Damage, Note, Report};

/// Kind, buffer and lost bytes of a damage, as in `EventSize b2 0x8b0..0x980`; `b2@0x48` is a place in a decompressed buffer.
fn place(damage: &Damage) -> String {
    let kind = format!("{:?}", damage.kind);
    let mut text = kind.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned();
    match (damage.buffer, damage.buffer_offset) {
        (Some(buffer), Some(offset)) => write!(text, " b{buffer}@{offset:#x}").unwrap(),
        (Some(buffer), None) => write!(text, " b{buffer}").unwrap(),
        (None, _) => {}
    }
    write!(text, " {:#x}..{:#x}", damage.lost.start, damage.lost.end).unwrap();
    text
}

/// The places of all damages and what the notes say, sorted: the two orders meet them in different order.
fn places(report: &Report) -> Vec<String> {
    let notes = report.notes().iter().map(|note| match note {
        Note::BuffersWritten { stated, found } => format!("BuffersWritten {stated} found {found}"),
        Note::ZeroTail { offset, length } => format!("ZeroTail {offset:#x} of {length}"),
        other => format!("{other:?}"),
    });
    let mut places: Vec<_> = report.damages().iter().map(place).chain(notes).collect();
    places.sort();
    places
}
