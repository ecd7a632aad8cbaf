//! Structures whose layout is known only when the program runs: what an interpreter of a schema reads.
//!
//! A [`DynamicRecord`] is data. It knows the same names, roles and tables as a generated structure, so whatever works through
//! [`Record`] or through roles does not see the difference.

use crate::filetime::Filetime;
use crate::guid::Guid;
use crate::record::{FieldVisitor, List, Record, RecordInfo, Value};
use crate::table::{NamedValue, TableInfo};

/// A structure that an interpreter has read.
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicRecord {
    info: &'static RecordInfo,
    values: Vec<DynamicValue>,
}

/// A value of a [`DynamicRecord`].
#[derive(Debug, Clone, PartialEq)]
pub enum DynamicValue {
    /// The field is not there.
    Absent,
    /// An unsigned number.
    Unsigned(u64),
    /// A signed number.
    Signed(i64),
    /// A GUID.
    Guid(Guid),
    /// 100 ns since 1601-01-01 UTC.
    Filetime(Filetime),
    /// A value of an enum.
    Enum(u64, &'static TableInfo),
    /// Flags.
    Flags(u64, &'static TableInfo),
    /// Bytes.
    Bytes(Vec<u8>),
    /// UTF-16 text.
    Utf16(Vec<u16>),
    /// 8-bit text.
    Ansi(Vec<u8>),
    /// The bytes of a security identifier.
    Sid(Vec<u8>),
    /// An address or mask, printed in hex.
    Address(u64),
    /// A floating-point number.
    Float(f64),
    /// An IPv4 address.
    Ipv4([u8; 4]),
    /// An IPv6 address.
    Ipv6([u8; 16]),
    /// A nested structure.
    Record(DynamicRecord),
    /// Elements of an array.
    List(Vec<DynamicValue>),
}

impl DynamicRecord {
    /// A structure with the values of its fields, in the order of `info`. Fields without a value are not there.
    pub fn new(info: &'static RecordInfo, values: Vec<DynamicValue>) -> Self {
        Self { info, values }
    }

    /// The value of the field with a role, in a nested structure too.
    fn role(&self, role: &str) -> Option<&DynamicValue> {
        self.info
            .fields
            .iter()
            .zip(&self.values)
            .find_map(|(field, value)| match value {
                DynamicValue::Absent => None,
                DynamicValue::Record(nested) if field.role.is_empty() => nested.role(role),
                value => (field.role == role).then_some(value),
            })
    }

    pub(crate) fn unsigned_role(&self, role: &str) -> Option<u64> {
        match self.role(role)? {
            DynamicValue::Unsigned(number)
            | DynamicValue::Address(number)
            | DynamicValue::Enum(number, _)
            | DynamicValue::Flags(number, _) => Some(*number),
            _ => None,
        }
    }

    /// The entry of the value in its table.
    pub(crate) fn entry_role(&self, role: &str) -> Option<&'static NamedValue> {
        match self.role(role)? {
            DynamicValue::Enum(number, table) => table.entry(*number),
            _ => None,
        }
    }

    pub(crate) fn signed_role(&self, role: &str) -> Option<i64> {
        match self.role(role)? {
            DynamicValue::Signed(number) => Some(*number),
            DynamicValue::Filetime(time) => Some(time.0),
            DynamicValue::Unsigned(number) => Some(number.cast_signed()),
            _ => None,
        }
    }

    pub(crate) fn guid_role(&self, role: &str) -> Option<Guid> {
        match self.role(role)? {
            DynamicValue::Guid(guid) => Some(*guid),
            _ => None,
        }
    }

    pub(crate) fn text_role(&self, role: &str) -> Option<String> {
        match self.role(role)? {
            DynamicValue::Utf16(units) => Some(String::from_utf16_lossy(units)),
            _ => None,
        }
    }
}

impl Record for DynamicRecord {
    fn info(&self) -> &'static RecordInfo {
        self.info
    }

    fn visit(&self, visitor: &mut dyn FieldVisitor) {
        for (field, value) in self.info.fields.iter().zip(&self.values) {
            visitor.field(field, value.value());
        }
    }
}

impl DynamicValue {
    fn value(&self) -> Value<'_> {
        match self {
            Self::Absent => Value::Absent,
            Self::Unsigned(number) => Value::Unsigned(*number),
            Self::Signed(number) => Value::Signed(*number),
            Self::Guid(guid) => Value::Guid(*guid),
            Self::Filetime(time) => Value::Filetime(*time),
            Self::Enum(number, table) => Value::Enum(*number, table.entry(*number)),
            Self::Flags(bits, table) => Value::Flags(*bits, table),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Utf16(units) => Value::Utf16(units),
            Self::Ansi(bytes) => Value::Ansi(bytes),
            Self::Sid(bytes) => Value::SidBytes(bytes),
            Self::Address(number) => Value::Address(*number),
            Self::Float(number) => Value::Float(*number),
            Self::Ipv4(bytes) => Value::Ipv4(*bytes),
            Self::Ipv6(bytes) => Value::Ipv6(*bytes),
            Self::Record(record) => Value::Record(record),
            Self::List(values) => Value::List(values),
        }
    }
}

impl List for Vec<DynamicValue> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn for_each(&self, see: &mut dyn FnMut(Value<'_>)) {
        self.iter().for_each(|value| see(value.value()));
    }
}

/// A structure that either executor has read: the generated parser of its type, or an interpreter.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "read one at a time, never stored in numbers")]
pub enum Parsed<T> {
    /// By the generated parser.
    Generated(T),
    /// By an interpreter.
    Interpreted(DynamicRecord),
}

impl<T> Parsed<T> {
    /// What the generated parser has read.
    pub fn generated(&self) -> Option<&T> {
        match self {
            Self::Generated(record) => Some(record),
            Self::Interpreted(_) => None,
        }
    }
}

impl<T: Record> Parsed<T> {
    /// The structure with its fields.
    pub fn record(&self) -> &dyn Record {
        match self {
            Self::Generated(record) => record,
            Self::Interpreted(record) => record,
        }
    }
}

impl<T: Record> Record for Parsed<T> {
    fn info(&self) -> &'static RecordInfo {
        match self {
            Self::Generated(record) => record.info(),
            Self::Interpreted(record) => record.info(),
        }
    }

    fn visit(&self, visitor: &mut dyn FieldVisitor) {
        match self {
            Self::Generated(record) => record.visit(visitor),
            Self::Interpreted(record) => record.visit(visitor),
        }
    }
}
