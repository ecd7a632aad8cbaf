//! What bytes are, as a tree: parts of a buffer, their fields, what lies within those.

use std::ops::Range;

use serde::{Serialize, Serializer};
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl_codegen::Schema;
use winetl_codegen::decode::Span;
use winetl_codegen::model::{Member, MemberKind, Origin, PayloadType, Stored, Type};

use crate::interpret::{Described, Traced};
use crate::render::json::{self, Json};
use crate::render::labels::Explained;
use crate::render::plain::Plain;
use crate::render::value::JsonValue;

/// A part of a buffer or file: a structure, a payload, or bytes that belong to none.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// What part it is, such as `event header`.
    pub(super) part: &'static str,
    /// Name of the structure, or of what describes the payload.
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) bytes: Range<u64>,
    /// Fields in order, with what lies between them.
    pub(super) nodes: Vec<Node>,
    /// Values that are made of no byte of the section.
    pub(super) computed: Vec<Computed>,
    pub(super) described: Origins,
}

/// Where the layout of a section is from.
#[derive(Debug, Clone, Default)]
pub(super) struct Origins {
    /// Where it is written, if in a schema file.
    pub(super) written: Option<Written>,
    /// Else what describes it.
    pub(super) other: Option<String>,
    /// How it is known: kind, title and address of each source.
    pub(super) sources: Vec<(&'static str, String, Option<String>)>,
}

/// A place of the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Structure(usize),
    Member(usize, usize),
    Layout(usize),
    Field(usize, usize),
}

/// What owns the bytes of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Field,
    /// Bytes between fields or behind them.
    Gap,
}

/// A field, an element of an array, or bytes between fields.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) doc: String,
    pub(super) unit: String,
    pub(super) role: String,
    /// Bytes from the start of the buffer or file.
    pub(super) bytes: Range<u64>,
    /// Bytes from the start of the structure that it lies in.
    pub(super) offset: u64,
    /// The value as text, and as JSON.
    pub(super) value: String,
    pub(super) json: JsonText,
    pub(super) written: Option<Written>,
    pub(super) computed: Vec<Computed>,
    pub(super) parts: Vec<Node>,
}

/// A value made of stored fields.
#[derive(Debug, Clone)]
pub(super) struct Computed {
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) doc: String,
    pub(super) role: String,
    /// The lowest and the highest bit of the field that it is of, if it is a bit range.
    pub(super) bits: Option<(u32, u32)>,
    pub(super) value: String,
    pub(super) json: JsonText,
}

/// A value in the JSON that `dump` prints.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct JsonText(Vec<u8>);

impl JsonText {
    pub(super) fn of(value: Value<'_>, hex: bool) -> Self {
        let mut text = Vec::new();
        JsonValue { value, hex }.push(&mut text);
        Self(text)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Json for JsonText {
    fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::serialize(self, serializer)
    }
}

/// Bytes with this much of a text are fields of their own.
const ELEMENT_SIZE: u64 = 2;

impl Node {
    /// Bytes that belong to no field.
    pub(super) fn gap(name: &str, doc: &str, bytes: Range<u64>, start: u64) -> Self {
        Self {
            kind: Kind::Gap,
            name: name.to_owned(),
            ty: String::new(),
            doc: doc.to_owned(),
            unit: String::new(),
            role: String::new(),
            offset: bytes.start.saturating_sub(start),
            bytes,
            value: String::new(),
            json: JsonText::default(),
            written: None,
            computed: Vec::new(),
            parts: Vec::new(),
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.bytes.end.saturating_sub(self.bytes.start)
    }
}

impl Section {
    /// A structure or payload that was read at `base`.
    pub(super) fn read(part: &'static str, traced: &Traced, base: u64, schema: &Schema) -> Self {
        let mut reading = Reading {
            schema,
            by: traced.by,
            spans: &traced.spans,
            base,
            start: base,
            index: 0,
            nodes: Vec::new(),
            computed: Vec::new(),
        };
        traced.record.visit(&mut reading);
        let (nodes, computed) = reading.finish();
        let bytes = base..base + traced.used as u64;
        let mut section = Self {
            part,
            name: traced.record.info().name.to_owned(),
            doc: traced.record.info().doc.to_owned(),
            bytes,
            nodes,
            computed,
            described: Origins::of(schema, traced.by),
        };
        section.fill();
        section
    }

    /// Bytes without fields.
    pub(super) fn gap(part: &'static str, doc: &str, bytes: Range<u64>) -> Self {
        let node = Node::gap(&format!("({part})"), doc, bytes.clone(), bytes.start);
        Self {
            part,
            name: String::new(),
            doc: doc.to_owned(),
            bytes,
            nodes: vec![node],
            computed: Vec::new(),
            described: Origins::default(),
        }
    }

    /// Puts a node where no field is.
    pub(super) fn fill(&mut self) {
        fill(&mut self.nodes, self.bytes.clone(), self.bytes.start, false);
    }
}

/// Puts a node where none is, down to the innermost.
fn fill(nodes: &mut Vec<Node>, bytes: Range<u64>, start: u64, array: bool) {
    let mut filled = Vec::with_capacity(nodes.len());
    let mut at = bytes.start;
    let gap = |from: u64, to: u64| {
        let (name, doc) = if array && from == bytes.start {
            ("(count)", "Number of the elements that follow.")
        } else {
            ("(padding)", "Bytes that align what follows; they mean nothing.")
        };
        Node::gap(name, doc, from..to, start)
    };
    for mut node in nodes.drain(..) {
        if node.bytes.start > at {
            filled.push(gap(at, node.bytes.start));
        }
        if !node.parts.is_empty() {
            let is_array = node.parts.iter().any(|part| part.name.starts_with('['));
            let (within, start) = (node.bytes.clone(), node.bytes.start);
            fill(&mut node.parts, within, start, is_array);
        }
        at = at.max(node.bytes.end);
        filled.push(node);
    }
    if at < bytes.end {
        filled.push(gap(at, bytes.end));
    }
    *nodes = filled;
}

impl Origins {
    pub(super) fn of(schema: &Schema, by: Described) -> Self {
        match by {
            Described::Structure(index) => Self {
                written: Some(Written::Structure(index)),
                other: None,
                sources: schema
                    .structures
                    .get(index)
                    .map(|one| sources(&one.sources))
                    .unwrap_or_default(),
            },
            Described::Layout(index) => Self {
                written: Some(Written::Layout(index)),
                ..Self::default()
            },
        }
    }
}

pub(super) fn sources(sources: &[winetl_codegen::model::Source]) -> Vec<(&'static str, String, Option<String>)> {
    let of = |source: &winetl_codegen::model::Source| {
        (
            winetl_codegen::emit::kind_word(source.kind),
            source.title.clone(),
            source.url.clone(),
        )
    };
    sources.iter().map(of).collect()
}

/// Makes nodes of the fields that it is shown.
struct Reading<'r> {
    schema: &'r Schema,
    by: Described,
    spans: &'r [Span],
    /// Where the outermost structure begins.
    base: u64,
    /// Where this structure begins.
    start: u64,
    index: usize,
    nodes: Vec<(usize, Node)>,
    /// Computed values with the index of the first field that they are made of.
    computed: Vec<(Option<usize>, Computed)>,
}

impl Reading<'_> {
    fn finish(self) -> (Vec<Node>, Vec<Computed>) {
        let mut nodes = self.nodes;
        let mut alone = Vec::new();
        for (of, computed) in self.computed {
            match nodes.iter_mut().find(|(index, _)| Some(*index) == of) {
                Some((_, node)) => node.computed.push(computed),
                None => alone.push(computed),
            }
        }
        (nodes.into_iter().map(|(_, node)| node).collect(), alone)
    }

    fn member(&self, index: usize) -> Option<&Member> {
        match self.by {
            Described::Structure(structure) => self.schema.structures.get(structure)?.members.get(index),
            Described::Layout(_) => None,
        }
    }

    /// The first stored field that a computed value is made of, and its bits.
    fn origin(&self, member: &Member) -> (Option<usize>, Option<(u32, u32)>) {
        let MemberKind::Computed(computed) = &member.kind else {
            return (None, None);
        };
        let first = computed.value.fields().first().and_then(|path| path.first().copied());
        match &computed.origin {
            Origin::Bits { first: low, last, .. } => (first, Some((*low, *last))),
            Origin::Overlay | Origin::Derived(_) => (first, None),
        }
    }

    /// What describes a nested structure.
    fn nested(&self, index: usize) -> Option<Described> {
        match self.by {
            Described::Structure(_) => match &self.member(index)?.kind {
                MemberKind::Stored(Stored {
                    ty: Type::Structure(nested),
                    ..
                }) => Some(Described::Structure(*nested)),
                _ => None,
            },
            Described::Layout(layout) => match self.schema.layouts.get(layout)?.fields.get(index)?.ty {
                PayloadType::Layout(nested) => Some(Described::Layout(nested)),
                _ => None,
            },
        }
    }

    fn parts(&self, value: Value<'_>, span: &Span, nested: Option<Described>, hex: bool) -> (Vec<Node>, Vec<Computed>) {
        match (value, nested) {
            (Value::Record(record), Some(by)) => {
                let mut reading = Reading {
                    schema: self.schema,
                    by,
                    spans: &span.parts,
                    base: self.base,
                    start: self.base + span.bytes.start as u64,
                    index: 0,
                    nodes: Vec::new(),
                    computed: Vec::new(),
                };
                record.visit(&mut reading);
                reading.finish()
            }
            (Value::List(list), _) => {
                let mut nodes = Vec::new();
                let mut spans = span.parts.iter();
                list.for_each(&mut |value| {
                    let Some(element) = spans.next() else { return };
                    let bytes = self.bytes(element);
                    if bytes.end - bytes.start < ELEMENT_SIZE {
                        return;
                    }
                    let mut node = Node::gap(
                        &format!("[{}]", element.index),
                        "",
                        bytes,
                        self.base + span.bytes.start as u64,
                    );
                    node.kind = Kind::Field;
                    (node.parts, node.computed) = self.parts(value, element, nested, hex);
                    node.set(value, hex);
                    nodes.push(node);
                });
                (nodes, Vec::new())
            }
            _ => (Vec::new(), Vec::new()),
        }
    }

    fn bytes(&self, span: &Span) -> Range<u64> {
        self.base + span.bytes.start as u64..self.base + span.bytes.end as u64
    }
}

impl Node {
    /// Sets the value, unless its parts have it.
    pub(super) fn set(&mut self, value: Value<'_>, hex: bool) {
        self.json = JsonText::of(value, hex);
        if !matches!(value, Value::Record(_)) {
            self.value = text(value, hex);
        }
    }
}

/// A value as text: of a named one the number too, of flags their names.
fn text(value: Value<'_>, hex: bool) -> String {
    let plain = Plain { value, hex };
    match value {
        Value::Enum(number, Some(_)) => format!("{plain} ({number})"),
        Value::Flags(bits, table) if bits != 0 => {
            let names = Explained::Flags(bits, table).names();
            format!("{plain} ({})", names.join(" | "))
        }
        _ => plain.to_string(),
    }
}

impl FieldVisitor for Reading<'_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        let index = self.index;
        self.index += 1;
        if let Some(member) = self
            .member(index)
            .filter(|member| matches!(member.kind, MemberKind::Computed(_)))
        {
            let (of, bits) = self.origin(member);
            let computed = Computed {
                name: info.name.to_owned(),
                ty: info.ty.to_owned(),
                doc: info.doc.to_owned(),
                role: info.role.to_owned(),
                bits,
                value: text(value, info.hex),
                json: JsonText::of(value, info.hex),
            };
            self.computed.push((of, computed));
            return;
        }
        let Some(span) = self.spans.iter().find(|span| span.index == index) else {
            return;
        };
        if matches!(value, Value::Absent) && span.bytes.is_empty() {
            return;
        }
        let mut node = Node::gap(info.name, info.doc, self.bytes(span), self.start);
        node.kind = Kind::Field;
        info.ty.clone_into(&mut node.ty);
        info.unit.clone_into(&mut node.unit);
        info.role.clone_into(&mut node.role);
        node.written = Some(match self.by {
            Described::Structure(structure) => Written::Member(structure, index),
            Described::Layout(layout) => Written::Field(layout, index),
        });
        (node.parts, node.computed) = self.parts(value, span, self.nested(index), info.hex);
        node.set(value, info.hex);
        self.nodes.push((index, node));
    }
}
