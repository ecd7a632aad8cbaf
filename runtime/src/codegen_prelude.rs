//! All that generated code may name, besides `core`, `binrw` and `bitflags`: the whole contract between generator and runtime.

#![allow(unused_imports, reason = "a schema need not use all of the language")]

pub(crate) use std::borrow::Cow;
pub(crate) use std::net::{Ipv4Addr, Ipv6Addr};

pub(crate) use binrw::{BinRead, BinWrite};

pub(crate) use crate::context::Context;
pub(crate) use crate::dispatch::{
    Case, EMPTY_TEMPLATE, EventInfo, EventVersion, Glance, PayloadLayout, Peek, ReadPayload, little_endian, read_boxed,
    read_typed,
};
pub(crate) use crate::dynamic::{DynamicRecord, Parsed};
pub(crate) use crate::filetime::Filetime;
pub(crate) use crate::guid::Guid;
pub(crate) use crate::layout::{FieldContext, Layout, LayoutError};
pub(crate) use crate::payload::template::{
    Align, CarriedEvent, Definition, FieldType, Format, Lifetime, Names, Refers, Repeat, Size, Template, TemplateField,
};
pub(crate) use crate::payload_fields;
pub(crate) use crate::providers::ProviderInfo;
pub(crate) use crate::read::{
    Count, read_ansi, read_bytes, read_pointer, read_pointers, read_records, read_utf16, read_values, write_pointer,
    write_pointers,
};
pub(crate) use crate::record::{
    AsValue, DecodedPayload, FieldInfo, FieldVisitor, NoFields, Number, Record, RecordInfo, SourceInfo, Value, shift_left,
    shift_right,
};
pub(crate) use crate::table::{FlagSet, NamedValue, OpenEnum, TableInfo, flag_set, open_enum, scalar_layout};
pub(crate) use crate::text::{AnsiFixed, AnsiZ, Sid, Utf16Fixed, Utf16Z};
#[cfg(test)]
pub(crate) use crate::vector_check::{Expected, check_payload, check_typed, check_vector};
