//! Where the fields of a payload lie.

use std::ops::Range;

use super::reader::Reader;
use super::template::{Align, FieldType, Repeat, TemplateField};
use super::value::{Numbers, element, list};
use super::{Outcome, TemplateRecord, read_field};
use crate::record::Value;

/// The bytes of a field of a payload, or of an element of an array.
#[derive(Debug, Clone)]
pub struct FieldSpan<'a> {
    /// The field.
    pub field: &'a TemplateField,
    /// Number of the element, if it is one.
    pub element: Option<usize>,
    /// In how many fields and elements it lies.
    pub depth: usize,
    /// Bytes from the start of the payload. Numbers in front of counted fields and arrays are part of them, padding is not.
    pub bytes: Range<usize>,
}

impl<'a> TemplateRecord<'a> {
    /// Shows each field that is there with its bytes; behind a field what lies within it: elements of an array, fields of a structure.
    /// Says how far the template carried.
    pub fn spans(&self, see: &mut dyn FnMut(&FieldSpan<'a>, Value<'_>)) -> Outcome {
        self.spans_within(0, 0, see)
    }

    /// The same for a record that begins at `base` and lies in so many others.
    fn spans_within(&self, base: usize, depth: usize, see: &mut dyn FnMut(&FieldSpan<'a>, Value<'_>)) -> Outcome {
        let mut reader = Reader::new(self.bytes, self.context);
        let mut numbers = Numbers::new();
        for (index, field) in self.template.fields().iter().enumerate() {
            match field.align {
                Align::None => {}
                Align::Bytes(bytes) => reader.align(usize::from(bytes)),
                Align::Pointer => reader.align(reader.pointer_size()),
            }
            if field.optional && reader.rest().is_empty() {
                break;
            }
            let (start, before) = (reader, numbers);
            if read_field(field, index, &mut reader, &mut numbers, &mut |_, _| {}).is_err() {
                return Outcome {
                    consumed: start.at(),
                    short: Some(index),
                };
            }
            let span = FieldSpan {
                field,
                element: None,
                depth,
                bytes: base + start.at()..base + reader.at(),
            };
            // The value is there only while it is read, and its end only when it was: so it is read twice.
            let _ = read_field(field, index, &mut start.clone(), &mut before.clone(), &mut |_, value| {
                see(&span, value)
            });
            if field.repeat == Repeat::One {
                self.nested(field, start, base, depth + 1, see);
            } else {
                self.elements(field, start, &before, base, depth + 1, see);
            }
        }
        Outcome {
            consumed: reader.at(),
            short: None,
        }
    }

    /// The fields of a structure that begins where the reader is.
    fn nested(
        &self,
        field: &'a TemplateField,
        start: Reader<'a>,
        base: usize,
        depth: usize,
        see: &mut dyn FnMut(&FieldSpan<'a>, Value<'_>),
    ) {
        if let FieldType::Struct(template) = &field.ty {
            TemplateRecord::new(template, start.rest(), self.context).spans_within(base + start.at(), depth, see);
        }
    }

    /// The elements of an array that begins where the reader is.
    fn elements(
        &self,
        field: &'a TemplateField,
        mut reader: Reader<'a>,
        numbers: &Numbers,
        base: usize,
        depth: usize,
        see: &mut dyn FnMut(&FieldSpan<'a>, Value<'_>),
    ) {
        let Ok(list) = list(field, &mut reader.clone(), numbers) else {
            return;
        };
        if field.repeat == Repeat::Counted && reader.take(COUNT_SIZE).is_err() {
            return;
        }
        for number in 0..list.len {
            let start = reader;
            if element(field, &mut reader, numbers, &mut |_| {}).is_err() || reader.at() == start.at() {
                return;
            }
            let span = FieldSpan {
                field,
                element: Some(number),
                depth,
                bytes: base + start.at()..base + reader.at(),
            };
            let _ = element(field, &mut start.clone(), numbers, &mut |value| see(&span, value));
            self.nested(field, start, base, depth + 1, see);
        }
    }
}

/// Bytes of the number in front of the elements of [`Repeat::Counted`].
const COUNT_SIZE: usize = 2;
