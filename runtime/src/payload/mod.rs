//! Payloads: from bytes and a [`Template`] to named values.

pub mod decoded;
mod event_info;
pub mod event_schema;
pub mod manifest;
mod manifest_parts;
mod manifest_xml;
mod reader;
pub mod schemas;
pub mod spans;
mod tdh;
pub mod template;
pub mod tracelogging;
pub mod traits;
mod value;

use crate::context::Context;
use crate::record::{FieldInfo, FieldVisitor, List, Record, RecordInfo, Value};
use reader::{Reader, Short};
use template::{Align, FieldType, Format, Names, Repeat, Template, TemplateField};
use value::{Numbers, element, list};

/// Most elements of an array whose elements take no bytes.
pub(crate) const MAX_EMPTY: usize = 16;

/// A payload seen through a template. Nothing is decoded before it is visited, and nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct TemplateRecord<'a> {
    template: &'a Template,
    bytes: &'a [u8],
    context: Context,
}

/// How far a template carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Bytes that the fields took.
    pub consumed: usize,
    /// Index of the field within which the payload ended, if it ended too early.
    pub short: Option<usize>,
}

impl<'a> TemplateRecord<'a> {
    /// Puts a template on a payload.
    pub fn new(template: &'a Template, payload: &'a [u8], context: Context) -> Self {
        Self {
            template,
            bytes: payload,
            context,
        }
    }

    /// The template.
    pub fn template(&self) -> &'a Template {
        self.template
    }

    /// Shows each field that is there with what the template says of it, and says how far the template carried.
    pub fn fields(&self, see: &mut dyn FnMut(&TemplateField, Value<'_>)) -> Outcome {
        self.walk(&mut |field, value| see(field, value))
    }

    /// How far the template carries.
    pub fn measure(&self) -> Outcome {
        match self.template.size(usize::from(self.context.pointer_size)) {
            Some(consumed) if consumed <= self.bytes.len() => Outcome { consumed, short: None },
            _ => self.walk(&mut |_, _| {}),
        }
    }

    /// Shows each field that is there to the visitor, and says how far the template carried.
    pub fn decode(&self, visitor: &mut dyn FieldVisitor) -> Outcome {
        self.walk(&mut |field, value| visitor.field(&field_info(field), value))
    }

    fn walk(&self, see: &mut impl FnMut(&TemplateField, Value<'_>)) -> Outcome {
        let mut reader = Reader::new(self.bytes, self.context);
        let mut numbers = Numbers::new();
        for (index, field) in self.template.fields().iter().enumerate() {
            match field.align {
                Align::None => {}
                Align::Bytes(bytes) => reader.align(usize::from(bytes)),
                Align::Pointer => reader.align(reader.pointer_size()),
            }
            if field.optional && reader.rest().is_empty() {
                return Outcome {
                    consumed: reader.at(),
                    short: None,
                };
            }
            let start = reader.at();
            if read_field(field, index, &mut reader, &mut numbers, see).is_err() {
                return Outcome {
                    consumed: start,
                    short: Some(index),
                };
            }
        }
        Outcome {
            consumed: reader.at(),
            short: None,
        }
    }
}

fn read_field<'a>(
    field: &'a TemplateField,
    index: usize,
    reader: &mut Reader<'a>,
    numbers: &mut Numbers,
    see: &mut impl FnMut(&TemplateField, Value<'_>),
) -> Result<(), Short> {
    if field.repeat == Repeat::One {
        let number = element(field, reader, numbers, &mut |value| see(field, value))?;
        numbers.set(index, number);
        return Ok(());
    }
    let list = list(field, reader, numbers)?;
    match (&field.ty, field.format) {
        // An array of characters is text.
        (FieldType::Unsigned(2) | FieldType::Signed(2), Format::Text) => see(field, Value::Utf16Bytes(list.bytes)),
        (FieldType::Unsigned(1) | FieldType::Signed(1), Format::Text) => see(field, Value::Ansi(list.bytes)),
        _ => see(field, Value::List(&list)),
    }
    Ok(())
}

fn field_info(field: &TemplateField) -> FieldInfo<'_> {
    FieldInfo {
        name: &field.name,
        doc: field.doc,
        hex: field.format == Format::Hex && field.names == Names::None,
        ..FieldInfo::UNKNOWN
    }
}

impl Record for TemplateRecord<'_> {
    fn info(&self) -> &'static RecordInfo {
        &RecordInfo {
            name: "payload",
            doc: "Fields of an event's payload.",
            min_size: [0, 0],
            varies: true,
            sources: &[],
            fields: &[],
        }
    }

    fn visit(&self, visitor: &mut dyn FieldVisitor) {
        self.decode(visitor);
    }
}

/// The elements of an array in a payload.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TemplateList<'a> {
    field: &'a TemplateField,
    bytes: &'a [u8],
    context: Context,
    numbers: Numbers,
    len: usize,
}

impl List for TemplateList<'_> {
    fn len(&self) -> usize {
        self.len
    }

    fn for_each(&self, see: &mut dyn FnMut(Value<'_>)) {
        let mut reader = Reader::new(self.bytes, self.context);
        for _ in 0..self.len {
            if element(self.field, &mut reader, &self.numbers, &mut *see).is_err() {
                return;
            }
        }
    }
}

/// A payload with what describes it.
pub enum PayloadRecord<'a> {
    /// Fields of a template.
    Template(TemplateRecord<'a>),
    /// A structure of the schema, or what an interpreter has read, and how far it carries.
    Structure(Box<dyn Record>, Outcome),
}

impl PayloadRecord<'_> {
    /// The fields.
    pub fn record(&self) -> &dyn Record {
        match self {
            Self::Template(record) => record,
            Self::Structure(record, _) => record.as_ref(),
        }
    }

    /// How far the description carries.
    pub fn measure(&self) -> Outcome {
        match self {
            Self::Template(record) => record.measure(),
            Self::Structure(_, outcome) => *outcome,
        }
    }
}
