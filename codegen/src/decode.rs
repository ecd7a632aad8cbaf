//! Reads a structure straight from the model, without generated code.
//!
//! The check of test vectors uses it, and it shares nothing below the model with the generated parsers, so the two can be
//! held against each other.

mod payload;
mod spans;

use std::fmt;

use crate::expr::Context;
use crate::model::{Int, Length, MemberKind, Schema, Stored, Structure, Table, TableKind, Type};
use crate::raw::Scalar;

pub use payload::{decode_payload, decode_payload_spans};
pub use spans::Span;
use spans::{Start, Tracer};

/// A decoded value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The field is not there.
    Absent,
    /// An unsigned number; printed in hex if the flag says so.
    Unsigned(u64, bool),
    /// A signed number.
    Signed(i64),
    /// A value of an enum, with its name if it has one.
    Named(u64, Option<String>),
    /// A GUID as 16 bytes in Windows order.
    Guid([u8; 16]),
    /// The bytes of a security identifier.
    Sid(Vec<u8>),
    /// UTF-16 text up to its first zero.
    Utf16(Vec<u16>),
    /// 8-bit text up to its first zero.
    Ansi(Vec<u8>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A floating-point number of 4 bytes.
    Float32(f32),
    /// A floating-point number of 8 bytes.
    Float64(f64),
    /// An IPv4 address.
    Ipv4([u8; 4]),
    /// An IPv6 address.
    Ipv6([u8; 16]),
    /// A nested structure.
    Record(Record),
    /// Elements of an array.
    List(Vec<Value>),
}

/// A decoded structure: names and values in the order of the members.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record(pub Vec<(String, Value)>);

/// Why a structure could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The structure or layout that it belongs to.
    pub structure: String,
    /// The field that was being read.
    pub field: String,
    /// Where it begins in the bytes.
    pub offset: usize,
    /// How many bytes it needs.
    pub needed: usize,
    /// How many are left.
    pub available: usize,
}

/// Decodes `structure` from the start of `bytes`; `rest` takes what remains of them. Gives the values and the bytes used.
///
/// # Errors
/// Names the field whose bytes are not all there.
pub fn decode(schema: &Schema, structure: &Structure, bytes: &[u8], context: Context) -> Result<(Record, usize), Problem> {
    let mut reader = Reader::new(bytes, Tracer::default());
    let record = read_structure(schema, structure, &mut reader, context)?;
    Ok((record, reader.at))
}

/// Like [`decode`], with the bytes of each stored field.
///
/// # Errors
/// Names the field whose bytes are not all there.
pub fn decode_spans(
    schema: &Schema,
    structure: &Structure,
    bytes: &[u8],
    context: Context,
) -> Result<(Record, usize, Vec<Span>), Problem> {
    let mut reader = Reader::new(bytes, Tracer::keeping());
    let record = read_structure(schema, structure, &mut reader, context)?;
    Ok((record, reader.at, reader.tracer.finish()))
}

fn read_structure(schema: &Schema, structure: &Structure, reader: &mut Reader<'_>, context: Context) -> Result<Record, Problem> {
    let mut record = Record::default();
    // Numbers of the stored fields by member, for expressions.
    for (index, member) in structure.members.iter().enumerate() {
        let value = match &member.kind {
            MemberKind::Stored(stored) => {
                structure.name.clone_into(&mut reader.structure);
                member.name.clone_into(&mut reader.field);
                let start = reader.begin();
                let value = read_stored(schema, stored, member.hex, &record, reader, context)?;
                reader.end(index, start);
                value
            }
            MemberKind::Computed(computed) => {
                let number = computed.value.evaluate(&|path| record.number_at(path), context);
                let masked = schema.unsigned_int(&computed.ty).map_or(number, |int| number & int.max());
                number_value(schema, &computed.ty, masked, member.hex)
            }
        };
        record.0.push((member.name.clone(), value));
    }
    Ok(record)
}

fn read_stored(
    schema: &Schema,
    stored: &Stored,
    hex: bool,
    record: &Record,
    reader: &mut Reader<'_>,
    context: Context,
) -> Result<Value, Problem> {
    let evaluate = |expr: &crate::expr::Expr| expr.evaluate(&|path| record.number_at(path), context);
    if stored.condition.as_ref().is_some_and(|condition| evaluate(condition) == 0) {
        return Ok(Value::Absent);
    }
    let one = |reader: &mut Reader<'_>| read_type(schema, &stored.ty, hex, &evaluate, reader, context);
    let count = match &stored.count {
        None => return one(reader),
        Some(Length::Fixed(count)) => u64::from(*count),
        Some(Length::Computed(expr)) => evaluate(expr),
        Some(Length::Rest) => u64::MAX,
    };
    let to_end = stored.count == Some(Length::Rest);
    let mut list = Vec::new();
    for _ in 0..count {
        let before = reader.begin();
        match one(reader) {
            Ok(value) if !to_end || reader.at > before.at => {
                reader.end(list.len(), before);
                list.push(value);
            }
            Ok(_) => {
                reader.cancel(before);
                break;
            }
            // What is shorter than an element at the end of a record is none.
            Err(_) if to_end => {
                reader.cancel(before);
                break;
            }
            Err(problem) => return Err(problem),
        }
        // Elements without bytes would go on for ever at a count from a file.
        if reader.at == before.at {
            break;
        }
    }
    Ok(Value::List(list))
}

fn read_type(
    schema: &Schema,
    ty: &Type,
    hex: bool,
    evaluate: &dyn Fn(&crate::expr::Expr) -> u64,
    reader: &mut Reader<'_>,
    context: Context,
) -> Result<Value, Problem> {
    let length = |length: &Length, left: usize| match length {
        Length::Fixed(bytes) => *bytes as usize,
        Length::Computed(expr) => usize::try_from(evaluate(expr)).unwrap_or(usize::MAX),
        Length::Rest => left,
    };
    Ok(match ty {
        Type::Int(int) if int.signed => Value::Signed(sign_extend(reader.number(*int)?, *int)),
        Type::Int(int) => Value::Unsigned(reader.number(*int)?, hex),
        Type::Pointer => Value::Unsigned(
            reader.number(Int {
                bytes: context.pointer_size,
                signed: false,
            })?,
            true,
        ),
        Type::Table(_) => {
            let int = schema.unsigned_int(ty).unwrap_or(Int { bytes: 8, signed: false });
            number_value(schema, ty, reader.number(int)?, hex)
        }
        Type::Filetime => Value::Signed(sign_extend(
            reader.number(Int { bytes: 8, signed: true })?,
            Int { bytes: 8, signed: true },
        )),
        Type::Guid => Value::Guid(reader.array()?),
        Type::Bytes(size) => Value::Bytes(reader.take(length(size, reader.left()))?.to_vec()),
        Type::Utf16(size) => utf16(reader.take(length(size, reader.left()))?),
        Type::Ansi(size) => ansi(reader.take(length(size, reader.left()))?),
        Type::Utf16Z => utf16(reader.take(utf16z_length(reader.rest()))?),
        Type::AnsiZ | Type::Utf8Z => ansi(reader.take(ansiz_length(reader.rest()))?),
        Type::Sid => sid(reader)?,
        Type::Structure(index) => match schema.structures.get(*index) {
            Some(nested) => Value::Record(read_structure(schema, nested, reader, context)?),
            None => Value::Absent,
        },
    })
}

fn number_value(schema: &Schema, ty: &Type, number: u64, hex: bool) -> Value {
    match ty {
        Type::Table(index) => match schema.tables.get(*index) {
            Some(
                table @ Table {
                    kind: TableKind::Enum, ..
                },
            ) => Value::Named(number, table.name_of(number).map(str::to_owned)),
            _ => Value::Unsigned(number, true),
        },
        _ => Value::Unsigned(number, hex),
    }
}

fn sign_extend(number: u64, int: Int) -> i64 {
    let shift = 64 - 8 * int.bytes;
    (number << shift).cast_signed() >> shift
}

fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes
        .chunks_exact(2)
        .map(|pair| pair.iter().rev().fold(0, |unit, byte| unit << 8 | u16::from(*byte)))
}

/// Text up to its first zero.
fn utf16(bytes: &[u8]) -> Value {
    Value::Utf16(utf16_units(bytes).take_while(|unit| *unit != 0).collect())
}

/// Text up to its first zero.
fn ansi(bytes: &[u8]) -> Value {
    Value::Ansi(bytes.iter().copied().take_while(|byte| *byte != 0).collect())
}

/// Bytes of a text and its terminator, or of all whole units if nothing terminates it.
fn utf16z_length(bytes: &[u8]) -> usize {
    let end = utf16_units(bytes).position(|unit| unit == 0);
    end.map_or(bytes.len() / 2 * 2, |end| 2 * end + 2)
}

/// Bytes of a text and its terminator, or of all bytes if nothing terminates it.
fn ansiz_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte == 0).map_or(bytes.len(), |end| end + 1)
}

fn sid(reader: &mut Reader<'_>) -> Result<Value, Problem> {
    let mut bytes = reader.take(SID_HEAD)?.to_vec();
    let count = usize::from(bytes.get(1).copied().unwrap_or(0));
    bytes.extend(reader.take(4 * count)?);
    Ok(Value::Sid(bytes))
}

/// Revision, number of sub-authorities and authority of a security identifier.
const SID_HEAD: usize = 8;

/// Text of the bytes of a GUID in Windows order.
pub(crate) fn guid_text(bytes: &[u8; 16]) -> String {
    // The first three groups are little-endian numbers.
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    let mut text = String::new();
    for (at, index) in order.into_iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{:02x}", bytes.get(index).copied().unwrap_or(0)));
    }
    text
}

fn sid_text(bytes: &[u8]) -> String {
    let (head, subs) = bytes.split_at(SID_HEAD.min(bytes.len()));
    let authority = head.iter().skip(2).fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    let mut text = format!("S-{}-", head.first().copied().unwrap_or(0));
    text.push_str(&if authority >> 32 == 0 {
        authority.to_string()
    } else {
        format!("{authority:#014x}")
    });
    for sub in subs.chunks_exact(4) {
        text.push_str(&format!(
            "-{}",
            sub.iter().rev().fold(0u32, |value, byte| value << 8 | u32::from(*byte))
        ));
    }
    text
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Structure and field being read, for problems.
    structure: String,
    field: String,
    tracer: Tracer,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], tracer: Tracer) -> Self {
        Self {
            bytes,
            at: 0,
            structure: String::new(),
            field: String::new(),
            tracer,
        }
    }

    /// Begins a field or an element of an array; gives where it begins.
    fn begin(&mut self) -> Start {
        self.tracer.begin(self.at)
    }

    /// Ends the field or element of this number that began at `start`.
    fn end(&mut self, index: usize, start: Start) {
        self.tracer.end(index, start.at..self.at);
    }

    /// Goes back to `start`, where a field or element began that is not there.
    fn cancel(&mut self, start: Start) {
        self.tracer.cancel(start);
        self.at = start.at;
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        Ok(self.take(N)?.try_into().unwrap_or([0; N]))
    }

    fn peek(&self, count: usize) -> &'a [u8] {
        self.bytes.get(self.at..self.at.saturating_add(count)).unwrap_or_default()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        if count > self.left() {
            return Err(Problem {
                structure: self.structure.clone(),
                field: self.field.clone(),
                offset: self.at,
                needed: count,
                available: self.left(),
            });
        }
        let taken = self.peek(count);
        self.at += count;
        Ok(taken)
    }

    fn number(&mut self, int: Int) -> Result<u64, Problem> {
        Ok(self
            .take(int.bytes as usize)?
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

impl Record {
    /// The number of a stored field, by its path of member indices; 0 if it is absent.
    fn number_at(&self, path: &[usize]) -> u64 {
        match path
            .split_first()
            .and_then(|(first, rest)| Some((&self.0.get(*first)?.1, rest)))
        {
            Some((Value::Record(nested), rest)) if !rest.is_empty() => nested.number_at(rest),
            Some((Value::Unsigned(number, _) | Value::Named(number, _), _)) => *number,
            _ => 0,
        }
    }

    /// A value by its name, dotted into nested structures.
    pub fn find(&self, name: &str) -> Option<&Value> {
        let (first, rest) = match name.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (name, None),
        };
        let value = &self.0.iter().find(|(name, _)| name == first)?.1;
        match (value, rest) {
            (value, None) => Some(value),
            (Value::Record(nested), Some(rest)) => nested.find(rest),
            _ => None,
        }
    }

    /// All names, dotted into nested structures.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (name, value) in &self.0 {
            names.push(name.clone());
            if let Value::Record(nested) = value {
                names.extend(nested.names().iter().map(|inner| format!("{name}.{inner}")));
            }
        }
        names
    }
}

impl Value {
    /// Whether the value is the one that a test vector expects: the same number, or the same text as in a dump.
    pub fn matches(&self, expected: &Scalar) -> bool {
        match (self, expected) {
            (Self::Unsigned(number, _) | Self::Named(number, _), Scalar::Unsigned(expected)) => number == expected,
            (Self::Signed(number), Scalar::Unsigned(expected)) => u64::try_from(*number) == Ok(*expected),
            (Self::Signed(number), Scalar::Signed(expected)) => number == expected,
            (Self::List(values), Scalar::List(expected)) => {
                values.len() == expected.len() && values.iter().zip(expected).all(|(value, expected)| value.matches(expected))
            }
            (value, Scalar::Text(text)) => value.to_string() == *text,
            // Digits alone are a number for YAML, although the value is text or bytes.
            (Self::Utf16(_) | Self::Ansi(_) | Self::Bytes(_), Scalar::Unsigned(number)) => self.to_string() == number.to_string(),
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("null"),
            Self::Unsigned(number, true) => write!(f, "{number:#x}"),
            Self::Unsigned(number, false) | Self::Named(number, None) => write!(f, "{number}"),
            Self::Signed(number) => write!(f, "{number}"),
            Self::Named(_, Some(name)) => f.write_str(name),
            Self::Guid(bytes) => f.write_str(&guid_text(bytes)),
            Self::Sid(bytes) => f.write_str(&sid_text(bytes)),
            Self::Utf16(units) => f.write_str(&String::from_utf16_lossy(units)),
            Self::Ansi(bytes) => f.write_str(&String::from_utf8_lossy(bytes)),
            Self::Float32(number) => write!(f, "{number}"),
            Self::Float64(number) => write!(f, "{number}"),
            Self::Ipv4(bytes) => write!(f, "{}", std::net::Ipv4Addr::from(*bytes)),
            Self::Ipv6(bytes) => write!(f, "{}", std::net::Ipv6Addr::from(*bytes)),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Self::Record(record) => {
                f.write_str("{")?;
                for (index, (name, value)) in record.0.iter().enumerate() {
                    write!(f, "{}{name}: {value}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
            Self::List(values) => {
                f.write_str("[")?;
                for (index, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}
