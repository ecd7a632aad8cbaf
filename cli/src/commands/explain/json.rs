//! The explanation as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::tree::{Computed, JsonText, Kind, Node, Section};
use super::{Explanation, Model};
use crate::render::json::push_line;

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    file_size: u64,
    /// Where the byte stands in the file.
    file_offset: Option<u64>,
    /// Where it stands in its decompressed buffer.
    buffer_offset: Option<u64>,
    buffer: Option<Buffer<'a>>,
    event: Option<Event<'a>>,
    /// From the section to the innermost field that owns the byte.
    path: Vec<String>,
    owner: Option<Field<'a>>,
    sections: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Buffer<'a> {
    buffer: u64,
    file_offset: u64,
    size: u64,
    filled: u64,
    compressed: bool,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
}

#[derive(Serialize)]
struct Event<'a> {
    n: u64,
    file_offset: Option<u64>,
    buffer_offset: u64,
    size: u64,
    header_type: &'a str,
    provider: Option<&'a str>,
    event: Option<&'a str>,
    id: Option<u64>,
    version: Option<u64>,
    doc: &'a str,
}

#[derive(Serialize)]
struct Part<'a> {
    part: &'a str,
    name: &'a str,
    doc: &'a str,
    file_offset: Option<u64>,
    at: u64,
    size: u64,
    schema: Option<String>,
    described_by: Option<&'a str>,
    sources: Vec<Source<'a>>,
    fields: Vec<Field<'a>>,
    computed: Vec<Value<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    kind: &'a str,
    title: &'a str,
    url: Option<&'a str>,
}

#[derive(Serialize)]
struct Field<'a> {
    name: &'a str,
    /// Bytes that no field owns.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    gap: bool,
    #[serde(rename = "type", skip_serializing_if = "str::is_empty")]
    ty: &'a str,
    /// From the start of its structure.
    offset: u64,
    /// From the start of the buffer, or of the file.
    at: u64,
    size: u64,
    bytes: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a JsonText>,
    #[serde(skip_serializing_if = "str::is_empty")]
    doc: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    unit: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    role: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    computed: Vec<Value<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Field<'a>>,
}

#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    bits: Option<[u32; 2]>,
    value: &'a JsonText,
    doc: &'a str,
    role: &'a str,
}

pub(super) fn write(explanation: &Explanation, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let space = explanation.space;
    let path = explanation.path();
    let section = explanation.section();
    let names = section.map(|section| section.part.to_owned());
    let report = Report {
        file: &explanation.file,
        file_size: explanation.file_size,
        file_offset: explanation.byte.and_then(|byte| space.in_file(byte)),
        buffer_offset: explanation.byte.filter(|_| space != super::Space::File),
        buffer: explanation.buffer.as_ref().map(|buffer| Buffer {
            buffer: buffer.index,
            file_offset: buffer.offset,
            size: buffer.stored,
            filled: buffer.filled,
            compressed: buffer.compressed,
            kind: buffer.kind.as_deref(),
        }),
        event: explanation.event.as_ref().map(|event| Event {
            n: event.n,
            file_offset: space.in_file(event.bytes.start),
            buffer_offset: event.bytes.start,
            size: event.bytes.end - event.bytes.start,
            header_type: event.header_type,
            provider: event.provider.as_deref(),
            event: event.name.as_deref(),
            id: event.id,
            version: event.version,
            doc: &event.doc,
        }),
        path: names.into_iter().chain(path.iter().map(|node| node.name.clone())).collect(),
        owner: path.last().map(|node| {
            let mut owner = field(node, explanation);
            owner.schema = path.iter().rev().find_map(|node| model.place(node.written?));
            owner
        }),
        sections: explanation
            .sections
            .iter()
            .map(|section| part(section, explanation, model))
            .collect(),
    };
    let mut line = Vec::new();
    push_line(&report, &mut line)?;
    out.write_all(&line)
}

fn part<'a>(section: &'a Section, explanation: &'a Explanation, model: &Model) -> Part<'a> {
    let described = &section.described;
    Part {
        part: section.part,
        name: &section.name,
        doc: &section.doc,
        file_offset: explanation.space.in_file(section.bytes.start),
        at: section.bytes.start,
        size: section.bytes.end - section.bytes.start,
        schema: described.written.and_then(|written| model.place(written)),
        described_by: described.other.as_deref(),
        sources: described
            .sources
            .iter()
            .map(|(kind, title, url)| Source {
                kind,
                title,
                url: url.as_deref(),
            })
            .collect(),
        fields: section.nodes.iter().map(|node| field(node, explanation)).collect(),
        computed: section.computed.iter().map(value).collect(),
    }
}

fn field<'a>(node: &'a Node, explanation: &'a Explanation) -> Field<'a> {
    let bytes = explanation.bytes(&node.bytes);
    Field {
        name: &node.name,
        gap: node.kind == Kind::Gap,
        ty: &node.ty,
        offset: node.offset,
        at: node.bytes.start,
        size: node.size(),
        bytes: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        value: Some(&node.json).filter(|json| !json.is_empty()),
        doc: &node.doc,
        unit: &node.unit,
        role: &node.role,
        schema: None,
        computed: node.computed.iter().map(value).collect(),
        fields: node.parts.iter().map(|part| field(part, explanation)).collect(),
    }
}

fn value(computed: &Computed) -> Value<'_> {
    Value {
        name: &computed.name,
        ty: &computed.ty,
        bits: computed.bits.map(|(first, last)| [first, last]),
        value: &computed.json,
        doc: &computed.doc,
        role: &computed.role,
    }
}
