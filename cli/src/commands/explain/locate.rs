//! Finds what a byte lies in: a buffer, an event, or what lies between them.

use std::ops::Range;

use winetl::compression::decompress;
use winetl::format::PerfinfoCcswapBuffer;
use winetl::{BufferInfo, Damage, DamageKind, Event, Layout as _, Note, Order, Report, Source, TraceFile, WalkStructure};

use super::tree::Section;
use super::{BufferFacts, Explanation, Space, event};
use crate::args::Address;
use crate::interpret::SchemaInterpreter;
use crate::render::labels::{Explained, explained};
use crate::render::table::{counted, thousands};

/// Bytes that are shown before and behind one that no field owns.
const AROUND: u64 = 32;

/// Gaps that are smaller are alignment.
const ALIGNMENT: u64 = winetl::ALIGNMENT as u64;

/// Explains all of an event.
///
/// # Errors
/// Says that there is no such event, and how many there are.
pub(super) fn event<S: Source>(trace: &TraceFile<S>, number: u64, model: &SchemaInterpreter) -> Result<Explanation, String> {
    let mut events = trace.events(Order::File);
    let mut count = 0;
    while let Some(event) = events.next() {
        if event.index() == number {
            return Ok(of_event(&event, trace, model, None));
        }
        if event.index() > number {
            break;
        }
        count = event.index() + 1;
    }
    // Damaged headers keep their numbers.
    let is_header = |damage: &&Damage| matches!(damage.kind, DamageKind::EventHeader(_));
    if let Some(event) = events.next().filter(|event| event.index() > number) {
        let n = event.index();
        let damage = events.report().damages().iter().rfind(is_header);
        let why = damage.map_or(String::new(), |damage| format!(": {damage}"));
        return Err(format!("event {number} cannot be read, but {n} can{why}"));
    }
    Err(match count {
        0 => "there is no event in the file".to_owned(),
        count => format!(
            "there is no event {number}: the file has {}, numbered 0 to {}",
            counted(count, "event"),
            count - 1
        ),
    })
}

/// Explains a byte.
///
/// # Errors
/// Says that there is no such byte, and which there are.
pub(super) fn byte<S: Source>(trace: &TraceFile<S>, address: Address, model: &SchemaInterpreter) -> Result<Explanation, String> {
    let mut buffers = trace.buffers();
    let found = match address {
        Address::File(offset) => {
            if offset >= trace.size() {
                return Err(format!(
                    "there is no byte {offset:#x}: the trace has {} bytes, 0x0 to {:#x}",
                    thousands(trace.size()),
                    trace.size().saturating_sub(1)
                ));
            }
            let found = buffers.by_ref().take_while(|buffer| buffer.offset <= offset).last();
            match found.filter(|buffer| offset < buffer.offset + buffer.stored) {
                Some(buffer) => (buffer, offset),
                None => return Ok(between(trace, offset, buffers.report())),
            }
        }
        Address::Buffer { buffer: number, at } => {
            let mut count = 0;
            let found = buffers.by_ref().inspect(|_| count += 1).find(|buffer| buffer.index == number);
            let Some(buffer) = found else {
                return Err(format!(
                    "there is no buffer {number}: the file has {}, numbered 0 to {}",
                    counted(count, "buffer"),
                    count.saturating_sub(1)
                ));
            };
            let size = if buffer.compressed { buffer.filled } else { buffer.stored };
            if at >= size {
                let when = if buffer.compressed { " when decompressed" } else { "" };
                return Err(format!(
                    "buffer {number} has no byte {at:#x}: it has {} bytes{when}, {number}:0x0 to {number}:{:#x}",
                    thousands(size),
                    size.saturating_sub(1)
                ));
            }
            let offset = buffer.offset + at;
            (buffer, offset)
        }
    };
    let (buffer, offset) = found;
    let at = offset - buffer.offset;
    let walked = walk_header(trace, &buffer, model);
    let header_size = walked.as_ref().map_or(0, |section| section.bytes.end);
    if let Some(header) = walked.filter(|header| header.bytes.contains(&at)) {
        return Ok(of_buffer(trace, &buffer, header_size, at, vec![header]));
    }
    if buffer.compressed && matches!(address, Address::File(_)) {
        return Ok(compressed(trace, &buffer, header_size, at));
    }
    if at >= buffer.filled {
        let doc = format!(
            "The buffer is filled up to {:#x} only. What stands behind is left over from other uses of its memory, or filler.",
            buffer.filled
        );
        let section = Section::gap("not filled", &doc, buffer.filled..buffer.stored);
        return Ok(of_buffer(trace, &buffer, header_size, at, vec![section]));
    }
    Ok(in_area(trace, &buffer, header_size, at, model))
}

/// The header of a buffer.
fn walk_header<S: Source>(trace: &TraceFile<S>, buffer: &BufferInfo, model: &SchemaInterpreter) -> Option<Section> {
    let size = usize::try_from(buffer.filled).ok()?.checked_sub(buffer.filled_area())?;
    let mut bytes = vec![0; size];
    let read = trace.read_at(buffer.offset, &mut bytes).ok()?;
    bytes.truncate(read);
    let index = model.walked(WalkStructure::BufferHeader);
    let traced = model.trace_structure(index, &bytes, trace.logfile().context())?;
    Some(Section::read("buffer header", &traced, 0, model.schema()))
}

/// A byte among the events of a buffer.
fn in_area<S: Source>(
    trace: &TraceFile<S>,
    buffer: &BufferInfo,
    header_size: u64,
    at: u64,
    model: &SchemaInterpreter,
) -> Explanation {
    let mut events = trace.events(Order::File);
    // Numbers of the events around the byte, with the end of the one and the start of the other.
    let mut before: Option<(u64, u64)> = None;
    let mut behind: Option<(u64, u64)> = None;
    while let Some(event) = events.next() {
        match event.buffer().index.cmp(&buffer.index) {
            std::cmp::Ordering::Less => continue,
            std::cmp::Ordering::Greater => break,
            std::cmp::Ordering::Equal => {}
        }
        let start = u64::from(event.buffer_offset());
        let end = start + event.bytes().len() as u64;
        if (start..end).contains(&at) {
            return of_event(&event, trace, model, Some(at));
        }
        if start > at {
            behind = Some((event.index(), start));
            break;
        }
        before = Some((event.index(), end));
    }
    if before.is_none()
        && buffer.holds_switches()
        && let Some(section) = switch_tables(trace, buffer, header_size, model)
        && section.bytes.contains(&at)
    {
        return of_buffer(trace, buffer, header_size, at, vec![section]);
    }
    let space = before.map_or(header_size, |(_, end)| end)..behind.map_or(buffer.filled, |(_, start)| start);
    let section = gap(buffer, at, space, before, behind, events.report());
    of_buffer(trace, buffer, header_size, at, vec![section])
}

/// The tables at the start of a buffer of compact context switches.
fn switch_tables<S: Source>(
    trace: &TraceFile<S>,
    buffer: &BufferInfo,
    header_size: u64,
    model: &SchemaInterpreter,
) -> Option<Section> {
    let index = model.structure_named(PerfinfoCcswapBuffer::INFO.name)?;
    let traced = model.trace_structure(index, &area(trace, buffer), trace.logfile().context())?;
    Some(Section::read(
        "tables of context switches",
        &traced,
        header_size,
        model.schema(),
    ))
}

/// What stands between two events, or behind the last one.
fn gap(
    buffer: &BufferInfo,
    at: u64,
    bytes: Range<u64>,
    before: Option<(u64, u64)>,
    behind: Option<(u64, u64)>,
    report: &Report,
) -> Section {
    let lost = |damage: &&Damage| {
        let here = match damage.buffer_offset {
            Some(offset) => bytes.start <= u64::from(offset) && u64::from(offset) <= at,
            // Of a compressed buffer all is counted as lost that was not decompressed.
            None if buffer.compressed => !damage.lost.is_empty(),
            None => damage.lost.contains(&(buffer.offset + at)),
        };
        // Where the file ends within a buffer, its last bytes are the start of an event.
        let cut = behind.is_none() && matches!(damage.kind, DamageKind::Truncated { .. });
        damage.buffer == Some(buffer.index) && (here || cut)
    };
    if let Some(damage) = report.damages().iter().find(lost) {
        // Only of an uncompressed buffer is it known where the loss begins and ends.
        let range = if damage.lost.is_empty() || buffer.compressed {
            bytes
        } else {
            damage.lost.start.saturating_sub(buffer.offset).max(bytes.start)
                ..damage.lost.end.saturating_sub(buffer.offset).min(bytes.end)
        };
        return Section::gap("lost", &format!("Lost to damage: {damage}."), range);
    }
    let small = bytes.end - bytes.start < ALIGNMENT;
    let (part, doc) = match (before, behind) {
        (Some((before, _)), Some((behind, _))) => (
            "padding",
            format!(
                "Between events {before} and {behind}: events begin at multiples of {ALIGNMENT} bytes. The bytes mean nothing."
            ),
        ),
        (None, Some((behind, _))) => ("no event", format!("Before event {behind}, the first of the buffer.")),
        (Some((before, _)), None) if small => (
            "padding",
            format!(
                "Behind event {before}, the last of the buffer, up to a multiple of {ALIGNMENT} bytes. The bytes mean nothing."
            ),
        ),
        (Some((before, _)), None) => (
            "no event",
            format!("Behind event {before}, the last of the buffer that can be read; the header counts the bytes as filled."),
        ),
        (None, None) => (
            "no event",
            "The buffer has no event that can be read; the header counts the bytes as filled.".to_owned(),
        ),
    };
    Section::gap(part, &doc, bytes)
}

/// A byte of compressed data.
fn compressed<S: Source>(trace: &TraceFile<S>, buffer: &BufferInfo, header_size: u64, at: u64) -> Explanation {
    let mut events = trace.events(Order::File);
    let (mut first, mut last) = (None, None);
    while let Some(event) = events.next() {
        match event.buffer().index.cmp(&buffer.index) {
            std::cmp::Ordering::Less => continue,
            std::cmp::Ordering::Greater => break,
            std::cmp::Ordering::Equal => {}
        }
        first = first.or(Some(event.index()));
        last = Some(event.index());
    }
    let number = buffer.index;
    let held = match (first, last) {
        (Some(first), Some(last)) => format!(
            "They hold events {first} to {last}: --event {first} shows one, {number}:{header_size:#x} to {number}:{:#x} their bytes.",
            buffer.filled.saturating_sub(1)
        ),
        _ => "They hold no event that can be read.".to_owned(),
    };
    let doc = format!(
        "{} bytes of compressed data ({}) that stand for {}; a byte of them is of no field alone. {held}",
        thousands(buffer.stored.saturating_sub(header_size)),
        trace.logfile().compression(),
        thousands(buffer.filled.saturating_sub(header_size)),
    );
    let section = Section::gap("compressed", &doc, buffer.offset + header_size..buffer.offset + buffer.stored);
    let offset = buffer.offset + at;
    let mut explanation = raw(trace, offset, vec![section]);
    explanation.buffer = Some(facts(buffer));
    explanation
}

/// A byte of no buffer.
fn between<S: Source>(trace: &TraceFile<S>, offset: u64, report: &Report) -> Explanation {
    let damage = report.damages().iter().find(|damage| damage.lost.contains(&offset));
    let zeros = report.notes().iter().find_map(|note| match note {
        Note::ZeroTail { offset: start, length } => (*start..start + length)
            .contains(&offset)
            .then_some((*start..start + length, note)),
        _ => None,
    });
    let section = match (damage, zeros) {
        (Some(damage), _) => Section::gap("lost", &format!("Lost to damage: {damage}."), damage.lost.clone()),
        (None, Some((range, note))) => Section::gap("not used", &format!("No buffer: {note}."), range),
        (None, None) => Section::gap("no buffer", "The byte lies in no buffer.", offset..offset + 1),
    };
    raw(trace, offset, vec![section])
}

/// Bytes of the file, read as they are.
fn raw<S: Source>(trace: &TraceFile<S>, offset: u64, sections: Vec<Section>) -> Explanation {
    let (start, bytes) = window(trace, offset, &sections);
    Explanation {
        file: String::new(),
        file_size: trace.size(),
        byte: Some(offset),
        space: Space::File,
        buffer: None,
        event: None,
        sections,
        bytes,
        start,
    }
}

/// The bytes of the file around one, within its section.
fn window<S: Source>(trace: &TraceFile<S>, offset: u64, sections: &[Section]) -> (u64, Vec<u8>) {
    let whole = sections.first().map_or(offset..offset + 1, |section| section.bytes.clone());
    let start = (offset & !7).saturating_sub(AROUND).max(whole.start);
    let end = offset.saturating_add(AROUND).min(whole.end);
    let mut bytes = vec![0; usize::try_from(end.saturating_sub(start)).unwrap_or(0)];
    let read = trace.read_at(start, &mut bytes).unwrap_or(0);
    bytes.truncate(read);
    (start, bytes)
}

/// A byte of a buffer that no event owns.
fn of_buffer<S: Source>(
    trace: &TraceFile<S>,
    buffer: &BufferInfo,
    header_size: u64,
    at: u64,
    sections: Vec<Section>,
) -> Explanation {
    let is_gap = sections.iter().all(|section| section.name.is_empty());
    let (start, bytes) = if buffer.compressed && at >= header_size {
        (header_size, area(trace, buffer))
    } else if is_gap {
        let moved: Vec<Section> = sections
            .iter()
            .map(|section| {
                Section::gap(
                    section.part,
                    "",
                    section.bytes.start + buffer.offset..section.bytes.end + buffer.offset,
                )
            })
            .collect();
        let (start, bytes) = window(trace, buffer.offset + at, &moved);
        (start - buffer.offset, bytes)
    } else {
        let whole = sections.first().map_or(0..0, |section| section.bytes.clone());
        let mut bytes = vec![0; usize::try_from(whole.end - whole.start).unwrap_or(0)];
        let read = trace.read_at(buffer.offset + whole.start, &mut bytes).unwrap_or(0);
        bytes.truncate(read);
        (whole.start, bytes)
    };
    Explanation {
        file: String::new(),
        file_size: trace.size(),
        byte: Some(at),
        space: space(buffer, header_size),
        buffer: Some(facts(buffer)),
        event: None,
        sections,
        bytes,
        start,
    }
}

fn of_event<S: Source>(event: &Event<'_>, trace: &TraceFile<S>, model: &SchemaInterpreter, byte: Option<u64>) -> Explanation {
    let buffer = event.buffer();
    let (facts_of_event, sections) = event::explain(event, trace, model);
    Explanation {
        file: String::new(),
        file_size: trace.size(),
        byte,
        space: space(buffer, buffer.filled - buffer.filled_area() as u64),
        buffer: Some(facts(buffer)),
        event: Some(facts_of_event),
        sections,
        bytes: event.bytes().to_vec(),
        start: u64::from(event.buffer_offset()),
    }
}

fn space(buffer: &BufferInfo, header_size: u64) -> Space {
    Space::Buffer {
        number: buffer.index,
        offset: buffer.offset,
        plain: if buffer.compressed { header_size } else { u64::MAX },
    }
}

/// The events of a buffer and what is filled around them, as far as they can be had.
fn area<S: Source>(trace: &TraceFile<S>, buffer: &BufferInfo) -> Vec<u8> {
    let stored = trace.stored_area(buffer).unwrap_or_default();
    if !buffer.compressed {
        return stored;
    }
    let mut bytes = Vec::new();
    // What comes before damage is there all the same.
    let _ = decompress(trace.logfile().compression(), &stored, buffer.filled_area(), &mut bytes);
    bytes
}

fn facts(buffer: &BufferInfo) -> BufferFacts {
    let kind = explained(&buffer.header, "buffer_type").map(Explained::names);
    BufferFacts {
        index: buffer.index,
        offset: buffer.offset,
        stored: buffer.stored,
        filled: buffer.filled,
        compressed: buffer.compressed,
        kind: kind.and_then(|names| names.into_iter().next()),
    }
}
