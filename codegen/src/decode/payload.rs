//! Decodes payload layouts straight from the model.

use super::{Problem, Reader, Record, Value, guid_text, number_value, sid_text, sign_extend, utf16_units};
use crate::expr::Context;
use crate::model::{Int, PayloadAlign, PayloadField, PayloadLayout, PayloadLength, PayloadType, Schema, Type};
use crate::raw::PayloadFormat;

/// Decodes a payload. Gives the values of the fields that are there and the bytes used.
///
/// # Errors
/// Names the field whose bytes are not all there.
pub fn decode_payload(
    schema: &Schema,
    layout: &PayloadLayout,
    bytes: &[u8],
    context: Context,
) -> Result<(Record, usize), Problem> {
    let mut reader = Reader {
        bytes,
        at: 0,
        field: String::new(),
    };
    let record = read_layout(schema, layout, &mut reader, context)?;
    Ok((record, reader.at))
}

fn read_layout(schema: &Schema, layout: &PayloadLayout, reader: &mut Reader<'_>, context: Context) -> Result<Record, Problem> {
    let mut record = Record::default();
    for field in &layout.fields {
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
        let value = read_field(schema, field, &record, reader, context)?;
        record.0.push((field.name.clone(), value));
    }
    Ok(record)
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
        let before = reader.at;
        match read_type(schema, field, record, reader, context) {
            Ok(_) if field.count == Some(PayloadLength::Rest) && reader.at == before => break,
            Ok(value) => list.push(value),
            Err(_) if field.count == Some(PayloadLength::Rest) => {
                reader.at = before;
                break;
            }
            Err(problem) => return Err(problem),
        }
    }
    Ok(Value::List(list))
}

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
        PayloadType::Float(4) => Value::Text(f32::from_bits(reader.number(Int { bytes: 4, signed: false })? as u32).to_string()),
        PayloadType::Float(_) => Value::Text(f64::from_bits(reader.number(eight)?).to_string()),
        PayloadType::Pointer => Value::Unsigned(reader.number(pointer)?, true),
        PayloadType::SizeT => Value::Unsigned(reader.number(pointer)?, hex),
        PayloadType::Guid => Value::Text(guid_text(reader.take(16)?)),
        PayloadType::Filetime => Value::Signed(reader.number(eight)?.cast_signed()),
        PayloadType::Bytes(size) => Value::Bytes(reader.take(length(size, reader.left()))?.to_vec()),
        PayloadType::Utf16(size) => utf16(reader.take(length(size, reader.left()))?),
        PayloadType::Ansi(size) => ansi(reader.take(length(size, reader.left()))?),
        PayloadType::Utf16Z => {
            let whole = reader.left() / 2 * 2;
            let end = utf16_units(reader.peek(whole)).iter().position(|unit| *unit == 0);
            utf16(reader.take(end.map_or(whole, |end| 2 * end + 2))?)
        }
        PayloadType::AnsiZ => {
            let rest = reader.left();
            let end = reader.peek(rest).iter().position(|byte| *byte == 0);
            ansi(reader.take(end.map_or(rest, |end| end + 1))?)
        }
        PayloadType::Sid => sid(reader)?,
        PayloadType::TokenUser => {
            let pointers = 2 * context.pointer_size as usize;
            let none =
                reader.peek(pointers / 2).iter().all(|byte| *byte == 0) && reader.peek(pointers + 1).get(pointers) != Some(&1);
            reader.take(if none { 4 } else { pointers })?;
            if none { Value::Absent } else { sid(reader)? }
        }
        PayloadType::Ipv4 => {
            let bytes = reader.take(4)?;
            Value::Text(bytes.iter().map(u8::to_string).collect::<Vec<_>>().join("."))
        }
        PayloadType::Ipv6 => {
            let bytes: [u8; 16] = reader.take(16)?.try_into().unwrap_or_default();
            Value::Text(std::net::Ipv6Addr::from(bytes).to_string())
        }
        PayloadType::Port => Value::Unsigned(
            reader.take(2)?.iter().fold(0, |port, byte| port << 8 | u64::from(*byte)),
            false,
        ),
        PayloadType::Layout(index) => match schema.layouts.get(index) {
            Some(layout) => Value::Record(read_layout(schema, layout, reader, context)?),
            None => Value::Absent,
        },
    })
}

fn utf16(bytes: &[u8]) -> Value {
    let units = utf16_units(bytes);
    let end = units.iter().position(|unit| *unit == 0).unwrap_or(units.len());
    Value::Text(String::from_utf16_lossy(units.get(..end).unwrap_or_default()))
}

fn ansi(bytes: &[u8]) -> Value {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Value::Text(String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned())
}

fn sid(reader: &mut Reader<'_>) -> Result<Value, Problem> {
    let head = reader.take(8)?.to_vec();
    let subs = reader.take(4 * usize::from(head.get(1).copied().unwrap_or(0)))?.to_vec();
    Ok(Value::Text(sid_text(&head, &subs)))
}
