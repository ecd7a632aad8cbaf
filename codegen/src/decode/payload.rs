//! Decodes payload layouts straight from the model.

use super::{
    Problem, Reader, Record, Span, Tracer, Value, ansi, ansiz_length, number_value, sid, sign_extend, utf16, utf16z_length,
};
use crate::expr::Context;
use crate::model::{Int, PayloadAlign, PayloadField, PayloadLayout, PayloadLength, PayloadType, Schema, Type};
use crate::raw::PayloadFormat;

/// A payload as far as its layout carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    /// The fields that are there.
    pub record: Record,
    /// Bytes that they take.
    pub used: usize,
    /// The field within which the payload ends, if it ends too early.
    pub short: Option<Problem>,
}

/// Decodes a payload.
pub fn decode_payload(schema: &Schema, layout: &PayloadLayout, bytes: &[u8], context: Context) -> Payload {
    traced(schema, layout, bytes, context, Tracer::default()).0
}

/// Like [`decode_payload`], with the bytes of each field that is there.
pub fn decode_payload_spans(schema: &Schema, layout: &PayloadLayout, bytes: &[u8], context: Context) -> (Payload, Vec<Span>) {
    traced(schema, layout, bytes, context, Tracer::keeping())
}

fn traced(schema: &Schema, layout: &PayloadLayout, bytes: &[u8], context: Context, tracer: Tracer) -> (Payload, Vec<Span>) {
    let mut reader = Reader::new(bytes, tracer);
    let mut record = Record::default();
    let short = read_layout(schema, layout, &mut reader, context, &mut record).err();
    let payload = Payload {
        record,
        used: reader.at,
        short,
    };
    (payload, reader.tracer.finish())
}

/// Reads the fields of a layout. Where one does not fit, those before it stay, and the reader is where it begins.
fn read_layout(
    schema: &Schema,
    layout: &PayloadLayout,
    reader: &mut Reader<'_>,
    context: Context,
    record: &mut Record,
) -> Result<(), Problem> {
    for (index, field) in layout.fields.iter().enumerate() {
        layout.name.clone_into(&mut reader.structure);
        field.name.clone_into(&mut reader.field);
        let alignment = match field.align {
            None => 1,
            Some(PayloadAlign::Bytes(bytes)) => usize::from(bytes),
            Some(PayloadAlign::Pointer) => context.pointer_size as usize,
        };
        reader.at = reader.at.next_multiple_of(alignment).min(reader.bytes.len());
        if field.optional && reader.left() == 0 {
            break;
        }
        let start = reader.begin();
        match read_field(schema, field, record, reader, context) {
            Ok(value) => {
                reader.end(index, start);
                record.0.push((field.name.clone(), value));
            }
            Err(problem) => {
                reader.cancel(start);
                return Err(problem);
            }
        }
    }
    Ok(())
}

fn read_field(
    schema: &Schema,
    field: &PayloadField,
    record: &Record,
    reader: &mut Reader<'_>,
    context: Context,
) -> Result<Value, Problem> {
    let count = match field.count {
        None => return read_type(schema, field, record, reader, context),
        Some(PayloadLength::Fixed(count)) => u64::from(count),
        Some(PayloadLength::Field(index)) => record.number_at(&[usize::from(index)]),
        Some(PayloadLength::Rest) => u64::MAX,
    };
    let mut list = Vec::new();
    while (list.len() as u64) < count {
        let before = reader.begin();
        match read_type(schema, field, record, reader, context) {
            Ok(_) if field.count == Some(PayloadLength::Rest) && reader.at == before.at => {
                reader.cancel(before);
                break;
            }
            // Nothing but the count, which comes from a file, would bound the number of elements without bytes.
            Ok(value) if reader.at == before.at => {
                let number = usize::try_from(count).map_or(MAX_EMPTY, |count| count.min(MAX_EMPTY));
                list.resize(number, value);
                reader.cancel(before);
                break;
            }
            Ok(value) => {
                reader.end(list.len(), before);
                list.push(value);
            }
            Err(_) if field.count == Some(PayloadLength::Rest) => {
                reader.cancel(before);
                break;
            }
            Err(problem) => {
                reader.cancel(before);
                return Err(problem);
            }
        }
    }
    Ok(Value::List(list))
}

/// Most elements of an array whose elements take no bytes.
const MAX_EMPTY: usize = 16;

fn read_type(
    schema: &Schema,
    field: &PayloadField,
    record: &Record,
    reader: &mut Reader<'_>,
    context: Context,
) -> Result<Value, Problem> {
    let hex = field.format == Some(PayloadFormat::Hex);
    let eight = Int { bytes: 8, signed: false };
    let pointer = Int {
        bytes: context.pointer_size,
        signed: false,
    };
    let length = |length: PayloadLength, left: usize| match length {
        PayloadLength::Fixed(bytes) => bytes as usize,
        PayloadLength::Field(index) => usize::try_from(record.number_at(&[usize::from(index)])).unwrap_or(usize::MAX),
        PayloadLength::Rest => left,
    };
    // A terminated text has at least its terminator, or a character that the end of the payload cuts off.
    let needed = match field.ty {
        PayloadType::Utf16Z => 2,
        PayloadType::AnsiZ => 1,
        _ => 0,
    };
    if reader.left() < needed {
        reader.take(needed)?;
    }
    Ok(match field.ty {
        PayloadType::Int(int) if int.signed => Value::Signed(sign_extend(reader.number(int)?, int)),
        PayloadType::Int(int) => Value::Unsigned(reader.number(int)?, hex),
        PayloadType::Table(index) => {
            let ty = Type::Table(index);
            let int = schema.unsigned_int(&ty).unwrap_or(eight);
            number_value(schema, &ty, reader.number(int)?, hex)
        }
        PayloadType::Float(4) => Value::Float32(f32::from_le_bytes(reader.array()?)),
        PayloadType::Float(_) => Value::Float64(f64::from_le_bytes(reader.array()?)),
        PayloadType::Pointer => Value::Unsigned(reader.number(pointer)?, true),
        PayloadType::SizeT => Value::Unsigned(reader.number(pointer)?, hex),
        PayloadType::Guid => Value::Guid(reader.array()?),
        PayloadType::Filetime => Value::Signed(reader.number(eight)?.cast_signed()),
        PayloadType::Bytes(size) => Value::Bytes(reader.take(length(size, reader.left()))?.to_vec()),
        PayloadType::Utf16(size) => utf16(reader.take(length(size, reader.left()))?),
        PayloadType::Ansi(size) => ansi(reader.take(length(size, reader.left()))?),
        PayloadType::Utf16Z => utf16(reader.take(utf16z_length(reader.rest()))?),
        PayloadType::AnsiZ => ansi(reader.take(ansiz_length(reader.rest()))?),
        PayloadType::Sid => sid(reader)?,
        PayloadType::TokenUser => {
            let pointers = 2 * context.pointer_size as usize;
            let rest = reader.rest();
            let first = reader.take(pointers / 2)?;
            reader.at -= pointers / 2;
            // Revision 1 is the only one: anything else behind a zero pointer means that there is no identifier.
            let none = first.iter().all(|byte| *byte == 0) && rest.get(pointers) != Some(&1);
            reader.take(if none { 4 } else { pointers })?;
            if none { Value::Absent } else { sid(reader)? }
        }
        PayloadType::Ipv4 => Value::Ipv4(reader.array()?),
        PayloadType::Ipv6 => Value::Ipv6(reader.array()?),
        PayloadType::Port => Value::Unsigned(
            reader.take(2)?.iter().fold(0, |port, byte| port << 8 | u64::from(*byte)),
            false,
        ),
        PayloadType::Layout(index) => match schema.layouts.get(index) {
            Some(layout) => {
                let mut nested = Record::default();
                read_layout(schema, layout, reader, context, &mut nested)?;
                Value::Record(nested)
            }
            None => Value::Absent,
        },
    })
}
