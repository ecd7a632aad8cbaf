//! Reflection: every structure as a name with named, typed values.
//!
//! Whatever prints goes through [`Record`], so a field that is added to a schema shows up everywhere without an edit.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::filetime::Filetime;
use crate::guid::Guid;
use crate::payload::template::ValueMap;
use crate::table::{NamedValue, TableInfo};
use crate::text::{AnsiFixed, AnsiZ, Sid, Utf16Fixed, Utf16Z};

/// A decoded structure.
pub trait Record {
    /// Its names, places and docs.
    fn info(&self) -> &'static RecordInfo;

    /// Shows each field to the visitor, in the order of the schema, hidden ones too.
    fn visit(&self, visitor: &mut dyn FieldVisitor);
}

/// A decoded payload, and how many of its bytes were read.
pub type DecodedPayload = (Box<dyn Record>, usize);

/// Receives the fields of a [`Record`].
pub trait FieldVisitor {
    /// Called for each field.
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>);
}

/// What the schema says of a structure.
#[derive(Debug, PartialEq, Eq)]
pub struct RecordInfo {
    /// Microsoft's name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Bytes that are always there, for 32-bit and for 64-bit data.
    pub min_size: [u32; 2],
    /// Whether more may follow.
    pub varies: bool,
    /// Where the layout is known from.
    pub sources: &'static [SourceInfo],
    /// The fields.
    pub fields: &'static [FieldInfo<'static>],
}

/// Where a fact is known from.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceInfo {
    /// Title of the page, header or study.
    pub title: &'static str,
    /// `documented`, `header`, `reversed` or `observed`.
    pub kind: &'static str,
    /// Address; empty for none.
    pub url: &'static str,
}

/// What is known of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo<'a> {
    /// Microsoft's name, or that of the schema that the trace carries.
    pub name: &'a str,
    /// Type as the schema spells it; empty if no schema file describes the field.
    pub ty: &'static str,
    /// Bytes from the start for 32-bit and for 64-bit data, where the place is fixed.
    pub offset: Option<[u32; 2]>,
    /// Bytes for 32-bit and for 64-bit data, where the size is fixed.
    pub size: Option<[u32; 2]>,
    /// Unit of the value; empty for none.
    pub unit: &'static str,
    /// What the tools use it for; empty for nothing.
    pub role: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Left out of dumps.
    pub hidden: bool,
    /// Printed as `0x...`.
    pub hex: bool,
    /// Takes no bytes of its own.
    pub computed: bool,
}

impl FieldInfo<'static> {
    /// A field of which nothing is known.
    pub const UNKNOWN: Self = Self {
        name: "",
        ty: "",
        offset: None,
        size: None,
        unit: "",
        role: "",
        doc: "",
        hidden: false,
        hex: false,
        computed: false,
    };
}

/// A value of a field.
#[derive(Clone, Copy)]
pub enum Value<'a> {
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
    /// A value of an enum, with its name if it has one.
    Enum(u64, Option<&'static NamedValue>),
    /// Flags.
    Flags(u64, &'static TableInfo),
    /// Bytes.
    Bytes(&'a [u8]),
    /// UTF-16 text.
    Utf16(&'a [u16]),
    /// 8-bit text.
    Ansi(&'a [u8]),
    /// A security identifier.
    Sid(&'a Sid),
    /// The bytes of a security identifier.
    SidBytes(&'a [u8]),
    /// An address or mask, printed in hex.
    Address(u64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Calendar date and time: eight little-endian u16 for year, month, day of week, day, hour, minute, second, millisecond.
    Systemtime([u8; 16]),
    /// An IPv4 address.
    Ipv4([u8; 4]),
    /// An IPv6 address.
    Ipv6([u8; 16]),
    /// A socket address: u16 family, then port and address as the family has them.
    SocketAddress(&'a [u8]),
    /// Bytes of UTF-16 text, little-endian.
    Utf16Bytes(&'a [u8]),
    /// A value with a map of names that the trace carries.
    Mapped(u64, &'a ValueMap),
    /// A nested structure.
    Record(&'a dyn Record),
    /// Elements of an array.
    List(&'a dyn List),
}

/// The elements of an array.
pub trait List {
    /// Number of elements.
    fn len(&self) -> usize;

    /// Shows each element.
    fn for_each(&self, see: &mut dyn FnMut(Value<'_>));

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What can be a [`Value`].
pub trait AsValue {
    /// The value.
    fn as_value(&self) -> Value<'_>;
}

macro_rules! unsigned_values {
    ($($ty:ty),*) => {$(
        impl AsValue for $ty {
            #[inline]
            fn as_value(&self) -> Value<'_> {
                Value::Unsigned(u64::from(*self))
            }
        }

        impl Number for $ty {
            #[inline]
            fn number(&self) -> u64 {
                u64::from(*self)
            }
        }
    )*};
}

macro_rules! signed_values {
    ($($ty:ty: $unsigned:ty),*) => {$(
        impl AsValue for $ty {
            #[inline]
            fn as_value(&self) -> Value<'_> {
                Value::Signed(i64::from(*self))
            }
        }

        impl Number for $ty {
            #[inline]
            fn number(&self) -> u64 {
                u64::from(self.cast_unsigned())
            }
        }
    )*};
}

unsigned_values!(u8, u16, u32, u64);
signed_values!(i8: u8, i16: u16, i32: u32, i64: u64);

macro_rules! simple_values {
    ($($ty:ty, $self:ident => $value:expr;)*) => {$(
        impl AsValue for $ty {
            #[inline]
            fn as_value(&$self) -> Value<'_> {
                $value
            }
        }
    )*};
}

simple_values! {
    Guid, self => Value::Guid(*self);
    Filetime, self => Value::Filetime(*self);
    Utf16Z, self => Value::Utf16(&self.units);
    AnsiZ, self => Value::Ansi(&self.bytes);
    Utf16Fixed, self => Value::Utf16(self.text_units());
    AnsiFixed, self => Value::Ansi(self.text_bytes());
    Sid, self => Value::Sid(self);
    f32, self => Value::Float(f64::from(*self));
    f64, self => Value::Float(*self);
    Ipv4Addr, self => Value::Ipv4(self.octets());
    Ipv6Addr, self => Value::Ipv6(self.octets());
}

impl<T: Record> AsValue for T {
    #[inline]
    fn as_value(&self) -> Value<'_> {
        Value::Record(self)
    }
}

impl<T: AsValue> AsValue for Option<T> {
    #[inline]
    fn as_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Absent, AsValue::as_value)
    }
}

impl<T: AsValue> List for Vec<T> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn for_each(&self, see: &mut dyn FnMut(Value<'_>)) {
        self.iter().for_each(|element| see(element.as_value()));
    }
}

impl<T: AsValue, const N: usize> List for [T; N] {
    fn len(&self) -> usize {
        N
    }

    fn for_each(&self, see: &mut dyn FnMut(Value<'_>)) {
        self.iter().for_each(|element| see(element.as_value()));
    }
}

impl<T: AsValue> AsValue for Vec<T> {
    fn as_value(&self) -> Value<'_> {
        Value::List(self)
    }
}

impl<T: AsValue, const N: usize> AsValue for [T; N] {
    fn as_value(&self) -> Value<'_> {
        Value::List(self)
    }
}

/// A field that expressions of the schema can use.
pub trait Number {
    /// The value; 0 for an absent field. Of a signed one its bits.
    fn number(&self) -> u64;
}

impl<T: Number> Number for &T {
    #[inline]
    fn number(&self) -> u64 {
        (**self).number()
    }
}

impl<T: Number> Number for Option<T> {
    #[inline]
    fn number(&self) -> u64 {
        self.as_ref().map_or(0, Number::number)
    }
}

/// `left << right`, 0 if all bits leave.
#[allow(dead_code, reason = "a schema need not use all of the language")]
pub(crate) fn shift_left(left: u64, right: u64) -> u64 {
    u32::try_from(right).ok().and_then(|by| left.checked_shl(by)).unwrap_or(0)
}

/// `left >> right`, 0 if all bits leave.
#[allow(dead_code, reason = "a schema need not use all of the language")]
pub(crate) fn shift_right(left: u64, right: u64) -> u64 {
    u32::try_from(right).ok().and_then(|by| left.checked_shr(by)).unwrap_or(0)
}

/// The record of a payload without bytes.
#[derive(Debug)]
#[allow(dead_code, reason = "a schema need not use all of the language")]
pub(crate) struct NoFields;

impl Record for NoFields {
    fn info(&self) -> &'static RecordInfo {
        &RecordInfo {
            name: "payload",
            doc: "A payload without bytes.",
            min_size: [0, 0],
            varies: false,
            sources: &[],
            fields: &[],
        }
    }

    fn visit(&self, _: &mut dyn FieldVisitor) {}
}
