//! From what the interpreter of the schema compiler reads to what the runtime shows.

use winetl::dynamic::{DynamicRecord, DynamicValue};
use winetl::{Filetime, Guid};
use winetl_codegen::Schema;
use winetl_codegen::decode::{Record, Value};
use winetl_codegen::model::{Member, MemberKind, PayloadField, PayloadType, TableKind, Type};

use winetl_codegen::raw::PayloadFormat;

use super::statics::Statics;

/// What the type of a field adds to a value.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    Plain,
    /// In a payload, where no mark of the field says so.
    Address,
    Filetime,
    Table(usize),
    Structure(usize),
    Layout(usize),
}

/// Turns the records of a schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Converter<'s> {
    pub(super) schema: &'s Schema,
    pub(super) statics: &'s Statics,
}

impl Converter<'_> {
    /// A structure, by its index. `None` if there is no such structure.
    pub(super) fn structure(self, index: usize, record: Record) -> Option<DynamicRecord> {
        let members = &self.schema.structures.get(index)?.members;
        let values = record.0.into_iter().zip(members);
        let values = values.map(|((_, value), member)| self.value(of_member(member), value));
        Some(DynamicRecord::new(self.statics.structures.get(index)?, values.collect()))
    }

    /// A payload layout, by its index. `None` if there is no such layout.
    pub(super) fn layout(self, index: usize, record: Record) -> Option<DynamicRecord> {
        let fields = &self.schema.layouts.get(index)?.fields;
        let values = record.0.into_iter().zip(fields);
        let values = values.map(|((_, value), field)| self.value(of_field(field), value));
        Some(DynamicRecord::new(self.statics.layouts.get(index)?, values.collect()))
    }

    fn value(self, meaning: Meaning, value: Value) -> DynamicValue {
        match (value, meaning) {
            (Value::Unsigned(number, _) | Value::Named(number, _), Meaning::Table(index)) => self.tabled(index, number),
            (Value::Unsigned(number, _), Meaning::Address) => DynamicValue::Address(number),
            (Value::Unsigned(number, _) | Value::Named(number, _), _) => DynamicValue::Unsigned(number),
            (Value::Signed(number), Meaning::Filetime) => DynamicValue::Filetime(Filetime(number)),
            (Value::Signed(number), _) => DynamicValue::Signed(number),
            (Value::Guid(bytes), _) => DynamicValue::Guid(Guid::from_bytes(bytes)),
            (Value::Sid(bytes), _) => DynamicValue::Sid(bytes),
            (Value::Utf16(units), _) => DynamicValue::Utf16(units),
            (Value::Ansi(bytes), _) => DynamicValue::Ansi(bytes),
            (Value::Bytes(bytes), _) => DynamicValue::Bytes(bytes),
            (Value::Float32(number), _) => DynamicValue::Float(f64::from(number)),
            (Value::Float64(number), _) => DynamicValue::Float(number),
            (Value::Ipv4(bytes), _) => DynamicValue::Ipv4(bytes),
            (Value::Ipv6(bytes), _) => DynamicValue::Ipv6(bytes),
            (Value::List(values), meaning) => {
                DynamicValue::List(values.into_iter().map(|value| self.value(meaning, value)).collect())
            }
            (Value::Record(record), Meaning::Structure(index)) => self
                .structure(index, record)
                .map_or(DynamicValue::Absent, DynamicValue::Record),
            (Value::Record(record), Meaning::Layout(index)) => {
                self.layout(index, record).map_or(DynamicValue::Absent, DynamicValue::Record)
            }
            (Value::Absent | Value::Record(_), _) => DynamicValue::Absent,
        }
    }

    fn tabled(self, index: usize, number: u64) -> DynamicValue {
        let kind = self.schema.tables.get(index).map(|table| table.kind);
        match (kind, self.statics.tables.get(index)) {
            (Some(TableKind::Enum), Some(table)) => DynamicValue::Enum(number, table),
            (Some(TableKind::Flags), Some(table)) => DynamicValue::Flags(number, table),
            _ => DynamicValue::Unsigned(number),
        }
    }
}

fn of_member(member: &Member) -> Meaning {
    let ty = match &member.kind {
        MemberKind::Stored(stored) => &stored.ty,
        MemberKind::Computed(computed) => &computed.ty,
    };
    match ty {
        Type::Filetime => Meaning::Filetime,
        Type::Table(index) => Meaning::Table(*index),
        Type::Structure(index) => Meaning::Structure(*index),
        _ => Meaning::Plain,
    }
}

fn of_field(field: &PayloadField) -> Meaning {
    match field.ty {
        PayloadType::Filetime => Meaning::Filetime,
        PayloadType::Table(index) => Meaning::Table(index),
        PayloadType::Layout(index) => Meaning::Layout(index),
        PayloadType::Pointer => Meaning::Address,
        PayloadType::Int(_) | PayloadType::SizeT if field.format == Some(PayloadFormat::Hex) => Meaning::Address,
        _ => Meaning::Plain,
    }
}
