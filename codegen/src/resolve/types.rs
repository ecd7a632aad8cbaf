//! Types by name, and the bytes that they take.

use super::Resolver;
use super::names::Definition;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Extent, Int, Length, PerPointer, Schema, Type};
use crate::names::closest;

/// Names of the built-in types.
const BUILT_IN: &[&str] = &[
    "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "ptr", "guid", "filetime", "bytes", "utf16", "ansi", "utf16z", "ansiz",
    "utf8z", "sid",
];

impl Resolver<'_> {
    /// Finds a type by name; an unknown one is reported.
    pub(super) fn type_named(&mut self, name: &str, size: Length, place: &Place) -> Option<Type> {
        let ty = match name {
            "ptr" => Type::Pointer,
            "guid" => Type::Guid,
            "filetime" => Type::Filetime,
            "bytes" => Type::Bytes(size),
            "utf16" => Type::Utf16(size),
            "ansi" => Type::Ansi(size),
            "utf16z" => Type::Utf16Z,
            "ansiz" => Type::AnsiZ,
            "utf8z" => Type::Utf8Z,
            "sid" => Type::Sid,
            _ => match (Int::find(name), self.names.get(name)) {
                (Some(int), _) => Type::Int(int),
                (None, Some((Definition::Structure(index), _))) => Type::Structure(*index),
                (None, Some((Definition::Table(index), _))) => Type::Table(*index),
                (None, found) => {
                    let known = self
                        .names
                        .iter()
                        .filter(|(_, (definition, _))| matches!(definition, Definition::Structure(_) | Definition::Table(_)))
                        .map(|(name, _)| *name)
                        .chain(BUILT_IN.iter().copied());
                    let help = match (found, closest(name, known)) {
                        (None, Some(similar)) => format!("did you mean `{similar}`?"),
                        _ => format!("use a structure, an enum, a flag table, or one of {}", BUILT_IN.join(", ")),
                    };
                    let label = match found {
                        Some((Definition::Dispatch, _)) => "this is a dispatch",
                        Some(_) => "this is a value",
                        None if name.is_empty() => "empty",
                        None => "unknown type",
                    };
                    let message = if name.is_empty() {
                        "no type is given".to_owned()
                    } else {
                        format!("unknown type `{name}`")
                    };
                    self.report(Diagnostic::at(Code::UnknownType, place, message, label).help(help));
                    return None;
                }
            },
        };
        Some(ty)
    }
}

/// The bytes of a field.
pub(super) fn field_extent(schema: &Schema, ty: &Type, count: Option<&Length>, conditional: bool) -> Extent {
    let varying = |bytes: u32| Extent {
        varies: true,
        ..Extent::exactly(bytes)
    };
    let length = |length: &Length| match length {
        Length::Fixed(bytes) => Extent::exactly(*bytes),
        Length::Computed(_) | Length::Rest => varying(0),
    };
    let element = match ty {
        Type::Int(int) => Extent::exactly(int.bytes),
        Type::Table(_) => Extent::exactly(schema.unsigned_int(ty).map_or(0, |int| int.bytes)),
        Type::Pointer => Extent {
            fixed: PerPointer { p32: 4, p64: 8 },
            varies: false,
        },
        Type::Guid => Extent::exactly(16),
        Type::Filetime => Extent::exactly(8),
        Type::Bytes(size) | Type::Utf16(size) | Type::Ansi(size) => length(size),
        // Text may end with the record, without a terminator.
        Type::Utf16Z | Type::AnsiZ | Type::Utf8Z => varying(0),
        Type::Sid => varying(8),
        Type::Structure(index) => schema
            .structures
            .get(*index)
            .map_or(Extent::exactly(0), |structure| structure.extent),
    };
    let whole = match count {
        None => element,
        Some(Length::Fixed(count)) => Extent {
            fixed: PerPointer {
                p32: element.fixed.p32.saturating_mul(*count),
                p64: element.fixed.p64.saturating_mul(*count),
            },
            varies: element.varies,
        },
        Some(Length::Computed(_) | Length::Rest) => varying(0),
    };
    if conditional { varying(0) } else { whole }
}
