//! The explanation as text.

use std::io;

use super::hex::{Leaf, Line, Row, WIDTH, leaves, lines};
use super::tree::{Computed, Kind, Node, Section};
use super::{Explanation, Model, Space};
use crate::commands::Streams;
use crate::render::paint::{Paint, Role};
use crate::render::plain::safe;
use crate::render::table::{counted, thousands, wrap};

/// Columns of the labels.
const LABEL: usize = 8;

/// Columns of text behind a label.
const TEXT: usize = 108;

/// Most columns of a name in the rows, of a type, and of a value.
const MOST: [usize; 3] = [36, 20, 40];

pub(super) fn write(explanation: &Explanation, model: &Model, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut out = Text {
        out: String::new(),
        paint: streams.paint,
    };
    out.title(explanation);
    out.whole(explanation);
    if explanation.byte.is_some() {
        out.field(explanation, model);
    }
    let leaves = leaves(explanation);
    out.rows(explanation, &leaves, model);
    streams.out.write_all(out.out.as_bytes())
}

struct Text {
    out: String,
    paint: Paint,
}

impl Text {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn painted(&self, role: Role, text: &str) -> String {
        format!("{}{text}{}", self.paint.on(role), self.paint.off(role))
    }

    /// A label with text behind it, in lines of limited width; nothing without text.
    fn labelled(&mut self, label: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        for (index, line) in wrap(text, TEXT).iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let label = self.painted(Role::Faint, &format!("{label:<LABEL$}"));
            self.line(&format!("{label}{line}"));
        }
    }

    /// The answer in a line.
    fn title(&mut self, explanation: &Explanation) {
        let name = safe(&explanation.file);
        let is_field = explanation.path().last().is_some_and(|node| node.kind == Kind::Field);
        let of = if is_field { " of" } else { ", in" };
        let of = match (&explanation.event, &explanation.buffer) {
            (Some(event), _) => format!("{of} event {}", event.n),
            (None, Some(buffer)) => format!("{of} buffer {}", buffer.index),
            (None, None) => String::new(),
        };
        let text = match (explanation.byte, &explanation.event) {
            (Some(byte), _) => {
                let address = explanation.space.address(byte);
                format!("{name} at {address}: {}{of}", what(explanation))
            }
            (None, Some(event)) => format!("{name}: event {}", event.n),
            (None, None) => name,
        };
        let text = self.painted(Role::Name, &text);
        self.line(&text);
        self.line("");
    }

    /// Buffer and event.
    fn whole(&mut self, explanation: &Explanation) {
        let size = explanation.file_size;
        self.labelled(
            "file",
            &format!("{} bytes, 0x0 to {:#x}", thousands(size), size.saturating_sub(1)),
        );
        if let Some(buffer) = &explanation.buffer {
            let kind = buffer.kind.as_deref().map_or(String::new(), |kind| format!("{kind}, "));
            let stored = if buffer.compressed { ", compressed" } else { "" };
            let text = format!(
                "{} at {:#x}: {kind}{:#x} bytes in the file{stored}, {:#x} of header and events{}",
                buffer.index,
                buffer.offset,
                buffer.stored,
                buffer.filled,
                if buffer.compressed { " when decompressed" } else { "" }
            );
            self.labelled("buffer", &text);
        }
        if let Some(event) = &explanation.event {
            let number = match (&event.name, event.id) {
                (Some(name), _) => safe(name),
                (None, Some(id)) => format!("number {id}"),
                (None, None) => "without a name".to_owned(),
            };
            let version = event.version.map_or(String::new(), |version| format!(" v{version}"));
            let provider = event
                .provider
                .as_deref()
                .map_or(String::new(), |name| format!(" of {}", safe(name)));
            let size = event.bytes.end - event.bytes.start;
            let text = format!(
                "{} at {}: {size:#x} bytes, {}, {number}{version}{provider}",
                event.n,
                places(explanation.space, event.bytes.start),
                event.header_type,
            );
            self.labelled("event", &text);
            self.labelled("", &event.doc);
            if let Some(remark) = event.remark {
                self.labelled("", remark);
            }
        }
    }

    /// The field that owns the byte.
    fn field(&mut self, explanation: &Explanation, model: &Model) {
        let (Some(byte), Some(section)) = (explanation.byte, explanation.section()) else {
            return;
        };
        let path = explanation.path();
        let is_gap = path.last().is_none_or(|node| node.kind == Kind::Gap);
        if !section.name.is_empty() {
            let size = section.bytes.end - section.bytes.start;
            let text = format!(
                "{} {}: {size:#x} bytes at {}",
                section.part,
                safe(&section.name),
                places(explanation.space, section.bytes.start)
            );
            self.labelled("in", &text);
        } else if !is_gap {
            self.labelled("in", section.part);
        }
        let mut outer = section.name.clone();
        for node in &path {
            let label = if node.kind == Kind::Gap { "bytes" } else { "field" };
            self.node(label, node, &outer, explanation, byte);
            outer.clone_from(&node.name);
        }
        self.origin(section, &path, model);
    }

    fn node(&mut self, label: &str, node: &Node, outer: &str, explanation: &Explanation, byte: u64) {
        let ty = if node.ty.is_empty() {
            String::new()
        } else {
            format!(" {},", node.ty)
        };
        let of = if outer.is_empty() {
            String::new()
        } else {
            format!(" of {}", safe(outer))
        };
        let place = if node.kind == Kind::Gap {
            format!(" at {}", places(explanation.space, node.bytes.start))
        } else {
            format!(" at {:#x}{of}", node.offset)
        };
        let which = match node.size() {
            0 | 1 => String::new(),
            size => format!("; this is byte {} of {size}", byte - node.bytes.start),
        };
        let text = format!("{}:{ty} {}{place}{which}", safe(&node.name), counted(node.size(), "byte"));
        self.labelled(label, &text);
        self.labelled("", &node.doc);
        if node.kind == Kind::Field && node.parts.is_empty() {
            self.labelled("value", &cut(&node.value, 4 * TEXT));
        }
        self.labelled("unit", &node.unit);
        self.labelled("role", &node.role);
        let in_byte = byte.saturating_sub(node.bytes.start).saturating_mul(8);
        for computed in &node.computed {
            let here = computed
                .bits
                .is_some_and(|(first, last)| u64::from(first) < in_byte + 8 && u64::from(last) >= in_byte);
            self.computed(computed, here && node.size() > 1);
        }
    }

    fn computed(&mut self, computed: &Computed, here: bool) {
        let bits = match computed.bits {
            Some((first, last)) if first == last => format!("bit {first}"),
            Some((first, last)) => format!("bits {first}-{last}"),
            None => "made of it".to_owned(),
        };
        let here = if here { " (in this byte)" } else { "" };
        let text = format!(
            "{} = {}: {bits}{here}. {}",
            computed.name,
            cut(&computed.value, TEXT),
            computed.doc
        );
        self.labelled("also", &text);
    }

    /// Where the layout is from.
    fn origin(&mut self, section: &Section, path: &[&Node], model: &Model) {
        let innermost = path.iter().rev().find_map(|node| node.written);
        let place = innermost
            .or(section.described.written)
            .and_then(|written| model.place(written));
        let described = place.or_else(|| section.described.other.clone());
        self.labelled("schema", &described.unwrap_or_default());
        for (kind, title, url) in &section.described.sources {
            let url = url.as_deref().map_or(String::new(), |url| format!(" <{url}>"));
            self.labelled("source", &format!("{kind}: {title}{url}"));
        }
    }

    fn rows(&mut self, explanation: &Explanation, leaves: &[Leaf<'_>], model: &Model) {
        let lines = lines(explanation, leaves);
        let width = |width: fn(&Leaf<'_>) -> usize, most: usize| {
            let shown = lines.iter().filter_map(|line| match line {
                Line::Row(Row { leaf: Some(leaf), .. }) => Some(width(leaf)),
                _ => None,
            });
            shown.max().unwrap_or(0).min(most)
        };
        let [name, ty, value] = MOST;
        // Bit ranges have rows where all of an event is shown.
        let of_bits = if explanation.byte.is_none() {
            width(
                |leaf| leaf.node.computed.iter().map(|one| one.name.len() + 2).max().unwrap_or(0),
                name,
            )
        } else {
            0
        };
        let widths = Widths {
            address: lines
                .iter()
                .filter_map(|line| match line {
                    Line::Row(row) => Some(explanation.space.address(row.at).len()),
                    _ => None,
                })
                .max()
                .unwrap_or(0),
            name: width(|leaf| safe(&leaf.name).chars().count(), name).max(of_bits),
            ty: width(|leaf| leaf.node.ty.chars().count(), ty),
            value: width(|leaf| leaf.node.value.chars().count(), value),
        };
        for line in &lines {
            match line {
                Line::Section(index) => {
                    let Some(section) = explanation.sections.get(*index) else {
                        continue;
                    };
                    self.heading(section, explanation, model);
                }
                Line::Gap => {
                    let dots = self.painted(Role::Faint, "...");
                    self.line(&format!("  {dots}"));
                }
                Line::More(bytes) => {
                    let text = format!("{:width$}  ... {}", "", counted(*bytes, "byte"), width = widths.address);
                    let text = self.painted(Role::Faint, &text);
                    self.line(&format!("  {text}"));
                }
                Line::Row(row) => self.row(row, explanation, &widths),
            }
        }
    }

    fn heading(&mut self, section: &Section, explanation: &Explanation, model: &Model) {
        let name = safe(&section.name);
        let mut text = format!("{} {name}", section.part).trim_end().to_owned();
        if explanation.byte.is_none() {
            let written = section.described.written.and_then(|written| model.place(written));
            if let Some(from) = written.or_else(|| section.described.other.clone()) {
                text.push_str(&format!("  ({from})"));
            }
        }
        self.line("");
        let text = self.painted(Role::Kind, &text);
        self.line(&text);
    }

    fn row(&mut self, row: &Row<'_>, explanation: &Explanation, widths: &Widths) {
        let mark = if row.owned { '>' } else { ' ' };
        let address = format!("{:>width$}", explanation.space.address(row.at), width = widths.address);
        let mut text = format!("{mark} {}  {}", self.painted(Role::Faint, &address), self.hex(row));
        if let Some(leaf) = row.leaf {
            let node = leaf.node;
            let section = explanation
                .sections
                .get(leaf.section)
                .map_or(0, |section| section.bytes.start);
            let offset = format!("+{:#x}", node.bytes.start.saturating_sub(section));
            let name = format!("{:<width$}", cut(&safe(&leaf.name), widths.name), width = widths.name);
            let name = self.painted(if row.owned { Role::Name } else { Role::Plain }, &name);
            let ty = format!("{:<width$}", cut(&node.ty, widths.ty), width = widths.ty);
            let [.., most] = MOST;
            let value = cut(&node.value, most);
            let value = format!("{value:<width$}", width = widths.value);
            text.push_str(&format!(
                "  {}  {name}  {}  {value}",
                self.painted(Role::Faint, &format!("{offset:<6}")),
                self.painted(Role::Faint, &ty)
            ));
            if explanation.byte.is_none() && !node.doc.is_empty() {
                text.push_str(&format!("  {}", self.painted(Role::Faint, sentence(&node.doc))));
            }
        }
        self.line(&text);
        if let Some(leaf) = row.leaf.filter(|_| explanation.byte.is_none()) {
            self.bits(leaf.node, widths);
        }
    }

    /// Values within a field, below its first row.
    fn bits(&mut self, node: &Node, widths: &Widths) {
        for computed in node.computed.iter().filter(|computed| computed.bits.is_some()) {
            let Some((first, last)) = computed.bits else { continue };
            let bits = if first == last {
                format!("bit {first}")
            } else {
                format!("bits {first}-{last}")
            };
            let [.., most] = MOST;
            let text = format!(
                "{:indent$}{:<name$}  {bits:<ty$}  {:<value$}  {}",
                "",
                format!(". {}", computed.name),
                cut(&computed.value, most),
                self.painted(Role::Faint, sentence(&computed.doc)),
                value = widths.value,
                indent = widths.before_name(),
                name = widths.name,
                ty = widths.ty,
            );
            self.line(&text);
        }
    }

    /// The bytes of a row, with brackets around the one that was asked for.
    fn hex(&self, row: &Row<'_>) -> String {
        let mut text = String::new();
        for index in 0..WIDTH {
            let before = row.byte.is_some_and(|byte| byte + 1 == index);
            let is_byte = row.byte == Some(index);
            text.push(match (before, is_byte) {
                (true, _) => ']',
                (_, true) => '[',
                _ => ' ',
            });
            let role = if is_byte {
                Role::Warning
            } else if row.owned {
                Role::Name
            } else {
                Role::Plain
            };
            match row.bytes.get(index) {
                Some(byte) => text.push_str(&self.painted(role, &format!("{byte:02x}"))),
                None => text.push_str("  "),
            }
        }
        text.push(if row.byte == Some(WIDTH - 1) { ']' } else { ' ' });
        text
    }
}

struct Widths {
    address: usize,
    name: usize,
    ty: usize,
    value: usize,
}

impl Widths {
    /// Columns in front of a name: mark, address, bytes, offset.
    fn before_name(&self) -> usize {
        2 + self.address + 2 + 3 * WIDTH + 1 + 2 + 6 + 2
    }
}

/// A byte in both ways to name it.
fn places(space: Space, at: u64) -> String {
    match (space, space.in_file(at)) {
        (Space::Buffer { number, .. }, Some(offset)) => format!("{offset:#x} ({number}:{at:#x})"),
        _ => space.address(at),
    }
}

/// What the byte is, in a few words.
fn what(explanation: &Explanation) -> String {
    let path = explanation.path();
    let Some(last) = path.last() else {
        return "nothing that is known".to_owned();
    };
    let names = path.iter().enumerate().map(|(index, node)| {
        let joint = if index == 0 || node.name.starts_with('[') { "" } else { "." };
        format!("{joint}{}", safe(&node.name))
    });
    match last.kind {
        Kind::Field => names.collect(),
        Kind::Gap => last.name.trim_matches(['(', ')']).to_owned(),
    }
}

/// The first sentence of a text.
fn sentence(text: &str) -> &str {
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text.get(..end).unwrap_or(text)
}

/// Text that is cut where it is too long.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(3)).collect();
    format!("{kept}...")
}
