//! Payloads that the trace itself describes.

use winetl::payload::TemplateRecord;
use winetl::payload::event_schema::{EventSchema, SchemaSource};
use winetl::payload::template::{FieldType, Format, Names, Prefix, Repeat, Size, TemplateField};

use super::tree::{Kind, Node, Origins, Section};

/// The fields of a payload at `base`, as far as the template carries.
pub(super) fn section(record: &TemplateRecord<'_>, schema: Option<&EventSchema>, base: u64) -> Section {
    let mut open: Vec<Node> = Vec::new();
    let mut nodes = Vec::new();
    let outcome = record.spans(&mut |span, value| {
        close(&mut open, span.depth, &mut nodes);
        let start = open.last().map_or(base, |outer| outer.bytes.start);
        let bytes = base + span.bytes.start as u64..base + span.bytes.end as u64;
        let name = match span.element {
            Some(number) => format!("[{number}]"),
            None => span.field.name.to_string(),
        };
        let mut node = Node::gap(&name, "", bytes, start);
        node.kind = Kind::Field;
        if span.element.is_none() {
            span.field.doc.clone_into(&mut node.doc);
            node.ty = type_text(span.field);
        }
        node.set(value, span.field.format == Format::Hex && span.field.names == Names::None);
        open.push(node);
    });
    close(&mut open, 0, &mut nodes);
    // Elements of a single byte say no more than the whole.
    nodes.iter_mut().for_each(drop_small);
    let source = schema.map_or(SchemaSource::Manifest, |schema| schema.source);
    let mut section = Section {
        part: "payload",
        name: String::new(),
        doc: String::new(),
        bytes: base..base + outcome.consumed as u64,
        nodes,
        computed: Vec::new(),
        described: Origins {
            other: Some(described(source).to_owned()),
            ..Origins::default()
        },
    };
    section.fill();
    section
}

/// Ends the nodes that are not around a node of this depth.
fn close(open: &mut Vec<Node>, depth: usize, nodes: &mut Vec<Node>) {
    while open.len() > depth {
        let Some(node) = open.pop() else { return };
        match open.last_mut() {
            Some(outer) => outer.parts.push(node),
            None => nodes.push(node),
        }
    }
}

fn drop_small(node: &mut Node) {
    if node.parts.iter().all(|part| part.size() < 2 && part.name.starts_with('[')) {
        node.parts.clear();
    }
    node.parts.iter_mut().for_each(drop_small);
}

fn described(source: SchemaSource) -> &'static str {
    match source {
        SchemaSource::TraceLogging => "TraceLogging metadata of the event itself, in its extended items",
        SchemaSource::TraceEventInfo => "event information in the trace, of a MetaData event",
        SchemaSource::Manifest => "manifest of the provider, in the trace",
    }
}

/// Type of a field in the words of the schema files.
fn type_text(field: &TemplateField) -> String {
    let prefix = |prefix: Prefix| match prefix {
        Prefix::U16 => "u16",
        Prefix::U16BigEndian => "u16 big-endian",
        Prefix::U32 => "u32",
    };
    let size = |size: Size| match size {
        Size::Fixed(number) => number.to_string(),
        Size::Field(_) => "n".to_owned(),
        Size::Rest => "rest".to_owned(),
    };
    let mut text = match &field.ty {
        FieldType::Null => "null".to_owned(),
        FieldType::Unsigned(bytes) => format!("u{}", 8 * u32::from(*bytes)),
        FieldType::Signed(bytes) => format!("i{}", 8 * u32::from(*bytes)),
        FieldType::Float(bytes) => format!("f{}", 8 * u32::from(*bytes)),
        FieldType::Bool(bytes) => format!("bool{}", 8 * u32::from(*bytes)),
        FieldType::Pointer => "ptr".to_owned(),
        FieldType::SizeT => "size_t".to_owned(),
        FieldType::Guid => "guid".to_owned(),
        FieldType::Filetime => "filetime".to_owned(),
        FieldType::Systemtime => "systemtime".to_owned(),
        FieldType::Sid => "sid".to_owned(),
        FieldType::TokenUser => "token_user".to_owned(),
        FieldType::Ipv4 => "ipv4".to_owned(),
        FieldType::Ipv6 => "ipv6".to_owned(),
        FieldType::Port => "port".to_owned(),
        FieldType::Bytes(of) => format!("bytes[{}]", size(*of)),
        FieldType::Utf16(of) => format!("utf16[{}]", size(*of)),
        FieldType::Ansi(of) => format!("ansi[{}]", size(*of)),
        FieldType::Utf16Z => "utf16z".to_owned(),
        FieldType::AnsiZ => "ansiz".to_owned(),
        FieldType::CountedUtf16(of) => format!("utf16 behind {}", prefix(*of)),
        FieldType::CountedAnsi(of) => format!("ansi behind {}", prefix(*of)),
        FieldType::CountedBytes(of) => format!("bytes behind {}", prefix(*of)),
        FieldType::Struct(_) => "struct".to_owned(),
    };
    match field.repeat {
        Repeat::One => {}
        Repeat::Fixed(count) => text.push_str(&format!("[{count}]")),
        Repeat::Field(_) => text.push_str("[n]"),
        Repeat::Counted => text.push_str("[counted]"),
        Repeat::Rest => text.push_str("[rest]"),
    }
    text
}
