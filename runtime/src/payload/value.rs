//! One field of a payload, from its type.

use super::reader::{Reader, Short};
use super::template::{FieldType, Format, Names, Prefix, Repeat, Size, TemplateField};
use super::{MAX_EMPTY, TemplateList, TemplateRecord};
use crate::filetime::Filetime;
use crate::guid::Guid;
use crate::record::Value;

/// Values of earlier integer fields of one level, for counts and sizes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers([u64; Self::LEN]);

impl Numbers {
    /// Fields with a higher index can't be referred to; no known schema does.
    pub(super) const LEN: usize = 48;

    pub(super) fn new() -> Self {
        Self([0; Self::LEN])
    }

    pub(super) fn set(&mut self, index: usize, value: u64) {
        if let Some(slot) = self.0.get_mut(index) {
            *slot = value;
        }
    }

    pub(super) fn get(&self, index: u16) -> u64 {
        self.0.get(usize::from(index)).copied().unwrap_or(0)
    }
}

/// Reads one element of a field and gives it to `see`: a nested record lives only as long as that call. Gives the number of an
/// integer, for fields that refer to it.
pub(super) fn element<'a>(
    field: &'a TemplateField,
    reader: &mut Reader<'a>,
    numbers: &Numbers,
    see: &mut (impl FnMut(Value<'_>) + ?Sized),
) -> Result<u64, Short> {
    let mut number = 0;
    let value = match &field.ty {
        FieldType::Null => Value::Absent,
        FieldType::Unsigned(size) => {
            let start = reader.at();
            number = reader.unsigned(usize::from(*size))?;
            match (field.format, size, &field.names) {
                (Format::Text, 2, Names::None) => Value::Utf16Bytes(reader.slice(start, reader.at())),
                (Format::Text, 1, Names::None) => Value::Ansi(reader.slice(start, reader.at())),
                _ => unsigned(field, *size, number),
            }
        }
        FieldType::Signed(size) => {
            number = reader.unsigned(usize::from(*size))?;
            let shift = 64 - 8 * u32::from(*size);
            match field.names {
                Names::None => Value::Signed((number << shift).cast_signed() >> shift),
                _ => unsigned(field, *size, number),
            }
        }
        FieldType::Float(4) => Value::Float(f64::from(f32::from_le_bytes(reader.array()?))),
        FieldType::Float(_) => Value::Float(f64::from_le_bytes(reader.array()?)),
        FieldType::Bool(size) => {
            number = reader.unsigned(usize::from(*size))?;
            Value::Bool(number != 0)
        }
        FieldType::Pointer => {
            number = reader.unsigned(reader.pointer_size())?;
            Value::Address(number)
        }
        FieldType::SizeT => {
            number = reader.unsigned(reader.pointer_size())?;
            unsigned(field, 8, number)
        }
        FieldType::Guid => Value::Guid(Guid::from_bytes(reader.array()?)),
        FieldType::Filetime => Value::Filetime(Filetime(i64::from_le_bytes(reader.array()?))),
        FieldType::Systemtime => Value::Systemtime(reader.array()?),
        FieldType::Sid => Value::SidBytes(sid(reader)?),
        FieldType::TokenUser => token_user(reader)?,
        FieldType::Ipv4 => Value::Ipv4(reader.array()?),
        FieldType::Ipv6 => Value::Ipv6(reader.array()?),
        FieldType::Port => Value::Unsigned(u64::from(u16::from_be_bytes(reader.array()?))),
        FieldType::Bytes(size) => formatted_bytes(field.format, sized(*size, 1, reader, numbers)?),
        FieldType::Utf16(size) => Value::Utf16Bytes(until_zero16(sized(*size, 2, reader, numbers)?)),
        FieldType::Ansi(size) => Value::Ansi(until_zero(sized(*size, 1, reader, numbers)?)),
        FieldType::Utf16Z => Value::Utf16Bytes(utf16z(reader)?),
        FieldType::AnsiZ => Value::Ansi(ansiz(reader)?),
        FieldType::CountedUtf16(prefix) => Value::Utf16Bytes(counted(*prefix, reader)?),
        FieldType::CountedAnsi(prefix) => Value::Ansi(counted(*prefix, reader)?),
        FieldType::CountedBytes(prefix) => formatted_bytes(field.format, counted(*prefix, reader)?),
        FieldType::Struct(template) => {
            let record = TemplateRecord::new(template, reader.rest(), reader.context);
            let outcome = record.measure();
            if outcome.short.is_some() {
                return Err(Short);
            }
            reader.take(outcome.consumed)?;
            see(Value::Record(&record));
            return Ok(0);
        }
    };
    see(value);
    Ok(number)
}

fn unsigned(field: &TemplateField, size: u8, number: u64) -> Value<'_> {
    match &field.names {
        Names::Enum(table) => return Value::Enum(number, table.entries.iter().find(|entry| entry.value == number)),
        Names::Flags(table) => return Value::Flags(number, table),
        Names::Map(map) => return Value::Mapped(number, map),
        Names::None => {}
    }
    match (field.format, size) {
        (Format::Hex, _) => Value::Address(number),
        (Format::Boolean, _) => Value::Bool(number != 0),
        (Format::Port, 2) => Value::Unsigned(u64::from((number as u16).swap_bytes())),
        (Format::Ipv4, 4) => Value::Ipv4((number as u32).to_le_bytes()),
        (Format::Filetime, 8) => Value::Filetime(Filetime(number.cast_signed())),
        _ => Value::Unsigned(number),
    }
}

fn formatted_bytes(format: Format, bytes: &[u8]) -> Value<'_> {
    match format {
        Format::Ipv6 => bytes.try_into().map_or(Value::Bytes(bytes), Value::Ipv6),
        Format::SocketAddress => Value::SocketAddress(bytes),
        Format::Text => Value::Ansi(bytes),
        _ => Value::Bytes(bytes),
    }
}

fn sized<'a>(size: Size, unit: usize, reader: &mut Reader<'a>, numbers: &Numbers) -> Result<&'a [u8], Short> {
    let count = match size {
        Size::Fixed(count) => count as usize,
        Size::Field(index) => usize::try_from(numbers.get(index)).map_err(|_| Short)?,
        Size::Rest => reader.rest().len() / unit,
    };
    reader.take(count.checked_mul(unit).ok_or(Short)?)
}

fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes
        .iter()
        .position(|byte| *byte == 0)
        .and_then(|end| bytes.get(..end))
        .unwrap_or(bytes)
}

fn until_zero16(bytes: &[u8]) -> &[u8] {
    let (units, _) = bytes.as_chunks::<2>();
    units
        .iter()
        .position(|unit| *unit == [0, 0])
        .and_then(|end| bytes.get(..2 * end))
        .unwrap_or(bytes)
}

/// Text without its terminator. An odd byte at the end of the payload is left.
fn utf16z<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Short> {
    let (units, _) = reader.rest().as_chunks::<2>();
    // No byte at all is no text: the field is missing.
    if units.is_empty() {
        return Err(Short);
    }
    match units.iter().position(|unit| *unit == [0, 0]) {
        Some(end) => reader.take(2 * end + 2).map(|text| text.get(..2 * end).unwrap_or_default()),
        None => reader.take(2 * units.len()),
    }
}

fn ansiz<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Short> {
    let rest = reader.rest();
    if rest.is_empty() {
        return Err(Short);
    }
    match rest.iter().position(|byte| *byte == 0) {
        Some(end) => reader.take(end + 1).map(|text| text.get(..end).unwrap_or_default()),
        None => reader.take(rest.len()),
    }
}

fn counted<'a>(prefix: Prefix, reader: &mut Reader<'a>) -> Result<&'a [u8], Short> {
    let count = match prefix {
        Prefix::U16 => usize::from(u16::from_le_bytes(reader.array()?)),
        Prefix::U16BigEndian => usize::from(u16::from_be_bytes(reader.array()?)),
        Prefix::U32 => usize::try_from(u32::from_le_bytes(reader.array()?)).map_err(|_| Short)?,
    };
    reader.take(count)
}

/// Bytes of a security identifier: revision, number of sub-authorities, authority of 6 bytes, sub-authorities of 4 each.
fn sid<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Short> {
    let count = reader.rest().get(1).copied().ok_or(Short)?;
    reader.take(8 + 4 * usize::from(count))
}

fn token_user<'a>(reader: &mut Reader<'a>) -> Result<Value<'a>, Short> {
    let pointers = 2 * reader.pointer_size();
    let first = reader.rest().get(..reader.pointer_size()).ok_or(Short)?;
    // Revision 1 is the only one: anything else behind a zero pointer means that there is no identifier.
    if first.iter().all(|byte| *byte == 0) && reader.rest().get(pointers) != Some(&1) {
        reader.take(4)?;
        return Ok(Value::Absent);
    }
    reader.take(pointers)?;
    sid(reader).map(Value::SidBytes)
}

/// The elements of an array field.
pub(super) fn list<'a>(field: &'a TemplateField, reader: &mut Reader<'a>, numbers: &Numbers) -> Result<TemplateList<'a>, Short> {
    let count = match field.repeat {
        Repeat::One => 1,
        Repeat::Fixed(count) => u64::from(count),
        Repeat::Field(index) => numbers.get(index),
        Repeat::Counted => u64::from(u16::from_le_bytes(reader.array()?)),
        Repeat::Rest => u64::MAX,
    };
    let start = reader.at();
    let mut len = 0;
    while (len as u64) < count {
        let before = *reader;
        let read = element(field, reader, numbers, &mut |_| {});
        let empty = reader.at() == before.at();
        match (read, field.repeat) {
            // An element without bytes is followed by others without bytes. Nothing but the count, which comes from a file, would
            // bound their number, and that of arrays in them.
            (Ok(_), Repeat::Rest) if empty => break,
            (Ok(_), _) if empty => {
                len = usize::try_from(count).map_or(MAX_EMPTY, |count| count.min(MAX_EMPTY));
                break;
            }
            (Ok(_), _) => len += 1,
            (Err(Short), Repeat::Rest) => {
                *reader = before;
                break;
            }
            (Err(Short), _) => return Err(Short),
        }
    }
    Ok(TemplateList {
        field,
        bytes: reader.slice(start, reader.at()),
        context: reader.context,
        numbers: *numbers,
        len,
    })
}
