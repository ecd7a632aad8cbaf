//! Types of manifests and event information, lowered to those of templates.

use super::template::{FieldType, Format, Prefix, Size};
use crate::format::{TdhIntype, TdhOuttype};
use crate::table::{OpenEnum, TableInfo};

/// The in-type with a name of manifests, such as `win:UInt32`.
pub(super) fn in_type_named(name: &str) -> Option<TdhIntype> {
    labelled(TdhIntype::TABLE, name).map(TdhIntype)
}

/// The out-type with a name of manifests, such as `win:HexInt32`.
pub(super) fn out_type_named(name: &str) -> Option<TdhOuttype> {
    labelled(TdhOuttype::TABLE, name).map(TdhOuttype)
}

fn labelled(table: &TableInfo, name: &str) -> Option<u16> {
    // `wbem` types have no name in manifests, and an empty name is none.
    let entry = table.entries.iter().find(|entry| !name.is_empty() && entry.label == name)?;
    u16::try_from(entry.value).ok()
}

/// Whether fields of the type can have a length: bytes, or characters of UTF-16 text.
pub(super) fn takes_length(in_type: TdhIntype) -> bool {
    matches!(in_type, TdhIntype::UNICODESTRING | TdhIntype::ANSISTRING | TdhIntype::BINARY)
}

/// Type and meaning of a field; `None` if the in-type is not known.
pub(super) fn lower(in_type: TdhIntype, out_type: TdhOuttype, size: Option<Size>) -> Option<(FieldType, Format)> {
    use FieldType::{Float, Signed, SizeT, Unsigned};
    let format = format(out_type);
    Some(match in_type {
        TdhIntype::UNICODESTRING => (size.map_or(FieldType::Utf16Z, FieldType::Utf16), Format::Default),
        TdhIntype::ANSISTRING => (size.map_or(FieldType::AnsiZ, FieldType::Ansi), Format::Default),
        TdhIntype::INT8 => integer(Signed(1), format),
        TdhIntype::UINT8 => integer(Unsigned(1), format),
        TdhIntype::INT16 => integer(Signed(2), format),
        TdhIntype::UINT16 => integer(Unsigned(2), format),
        TdhIntype::INT32 => integer(Signed(4), format),
        TdhIntype::UINT32 => integer(Unsigned(4), format),
        TdhIntype::INT64 => integer(Signed(8), format),
        TdhIntype::UINT64 => integer(Unsigned(8), format),
        TdhIntype::HEXINT32 => integer(Unsigned(4), hex_unless(format, out_type)),
        TdhIntype::HEXINT64 => integer(Unsigned(8), hex_unless(format, out_type)),
        TdhIntype::FLOAT => (Float(4), Format::Default),
        TdhIntype::DOUBLE => (Float(8), Format::Default),
        TdhIntype::BOOLEAN => (FieldType::Bool(4), Format::Default),
        TdhIntype::BINARY => match (size, format) {
            (Some(size), format) => (FieldType::Bytes(size), format),
            (None, Format::Ipv6) => (FieldType::Ipv6, Format::Default),
            (None, format) => (FieldType::Bytes(Size::Rest), format),
        },
        TdhIntype::GUID => (FieldType::Guid, Format::Default),
        TdhIntype::POINTER => match out_type {
            TdhOuttype::LONG | TdhOuttype::UNSIGNEDLONG => (SizeT, Format::Default),
            _ => (FieldType::Pointer, Format::Default),
        },
        TdhIntype::SIZET => (SizeT, hex_unless(format, out_type)),
        TdhIntype::FILETIME => (FieldType::Filetime, Format::Default),
        TdhIntype::SYSTEMTIME => (FieldType::Systemtime, Format::Default),
        TdhIntype::SID => (FieldType::Sid, Format::Default),
        TdhIntype::WBEMSID => (FieldType::TokenUser, Format::Default),
        TdhIntype::MANIFEST_COUNTEDSTRING | TdhIntype::COUNTEDSTRING => counted_utf16(Prefix::U16),
        TdhIntype::MANIFEST_COUNTEDANSISTRING | TdhIntype::COUNTEDANSISTRING => counted_ansi(Prefix::U16),
        TdhIntype::REVERSEDCOUNTEDSTRING => counted_utf16(Prefix::U16BigEndian),
        TdhIntype::REVERSEDCOUNTEDANSISTRING => counted_ansi(Prefix::U16BigEndian),
        TdhIntype::MANIFEST_COUNTEDBINARY => (FieldType::CountedBytes(Prefix::U16), format),
        TdhIntype::HEXDUMP => (FieldType::CountedBytes(Prefix::U32), Format::Default),
        TdhIntype::NONNULLTERMINATEDSTRING => (FieldType::Utf16(Size::Rest), Format::Default),
        TdhIntype::NONNULLTERMINATEDANSISTRING => (FieldType::Ansi(Size::Rest), Format::Default),
        TdhIntype::UNICODECHAR => (Unsigned(2), Format::Text),
        TdhIntype::ANSICHAR => (Unsigned(1), Format::Text),
        _ => return None,
    })
}

fn counted_utf16(prefix: Prefix) -> (FieldType, Format) {
    (FieldType::CountedUtf16(prefix), Format::Default)
}

fn counted_ansi(prefix: Prefix) -> (FieldType, Format) {
    (FieldType::CountedAnsi(prefix), Format::Default)
}

/// An integer in a format that fits its size; what a bit pattern is meant as has no sign.
pub(super) fn integer(ty: FieldType, format: Format) -> (FieldType, Format) {
    let (FieldType::Signed(size) | FieldType::Unsigned(size)) = ty else {
        return (ty, Format::Default);
    };
    let format = match format {
        Format::Text if size > 2 => Format::Default,
        Format::Port if size != 2 => Format::Default,
        Format::Ipv4 if size != 4 => Format::Default,
        Format::Filetime | Format::Clock if size != 8 => Format::Default,
        Format::Ipv6 | Format::SocketAddress => Format::Default,
        format => format,
    };
    let ty = if format == Format::Default {
        ty
    } else {
        FieldType::Unsigned(size)
    };
    (ty, format)
}

/// Hex types stay hex unless the out-type says something else.
fn hex_unless(format: Format, out_type: TdhOuttype) -> Format {
    match (format, out_type) {
        (Format::Default, TdhOuttype::NULL | TdhOuttype::XML | TdhOuttype::STRING) => Format::Hex,
        (format, _) => format,
    }
}

fn format(out_type: TdhOuttype) -> Format {
    match out_type {
        TdhOuttype::HEXINT8
        | TdhOuttype::HEXINT16
        | TdhOuttype::HEXINT32
        | TdhOuttype::HEXINT64
        | TdhOuttype::ERRORCODE
        | TdhOuttype::NTSTATUS
        | TdhOuttype::HRESULT
        | TdhOuttype::CODE_POINTER => Format::Hex,
        TdhOuttype::BOOLEAN => Format::Boolean,
        TdhOuttype::STRING => Format::Text,
        TdhOuttype::PORT => Format::Port,
        TdhOuttype::IPV4 => Format::Ipv4,
        TdhOuttype::IPV6 => Format::Ipv6,
        TdhOuttype::SOCKETADDRESS => Format::SocketAddress,
        TdhOuttype::ETWTIME => Format::Clock,
        _ => Format::Default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_with_a_name_is_lowered() {
        for entry in TdhIntype::TABLE.entries {
            let in_type = TdhIntype(u16::try_from(entry.value).unwrap());
            let known = !matches!(in_type, TdhIntype::NULL | TdhIntype::RESERVED24);
            assert_eq!(lower(in_type, TdhOuttype::NULL, None).is_some(), known, "{}", entry.name);
            if !entry.label.is_empty() {
                assert_eq!(in_type_named(entry.label), Some(in_type));
            }
        }
        assert_eq!(
            (in_type_named(""), in_type_named("win:uint32"), out_type_named("")),
            (None, None, None)
        );
        assert_eq!(out_type_named("xs:hexBinary"), Some(TdhOuttype::HEXBINARY));
        assert_eq!(lower(TdhIntype(26), TdhOuttype::NULL, None), None);
    }

    #[test]
    fn out_types_change_the_meaning() {
        let cases = [
            (TdhIntype::UINT32, TdhOuttype::HEXINT32, FieldType::Unsigned(4), Format::Hex),
            (TdhIntype::INT32, TdhOuttype::HRESULT, FieldType::Unsigned(4), Format::Hex),
            (TdhIntype::INT32, TdhOuttype::INT, FieldType::Signed(4), Format::Default),
            (TdhIntype::HEXINT32, TdhOuttype::NULL, FieldType::Unsigned(4), Format::Hex),
            (
                TdhIntype::HEXINT32,
                TdhOuttype::WIN32ERROR,
                FieldType::Unsigned(4),
                Format::Default,
            ),
            (TdhIntype::HEXINT32, TdhOuttype::NTSTATUS, FieldType::Unsigned(4), Format::Hex),
            (TdhIntype::UINT16, TdhOuttype::PORT, FieldType::Unsigned(2), Format::Port),
            (TdhIntype::UINT32, TdhOuttype::PORT, FieldType::Unsigned(4), Format::Default),
            (TdhIntype::UINT32, TdhOuttype::IPV4, FieldType::Unsigned(4), Format::Ipv4),
            (TdhIntype::BINARY, TdhOuttype::IPV6, FieldType::Ipv6, Format::Default),
            (
                TdhIntype::POINTER,
                TdhOuttype::UNSIGNEDLONG,
                FieldType::SizeT,
                Format::Default,
            ),
            (TdhIntype::UINT8, TdhOuttype::BOOLEAN, FieldType::Unsigned(1), Format::Boolean),
            (TdhIntype::UINT64, TdhOuttype::ETWTIME, FieldType::Unsigned(8), Format::Clock),
        ];
        for (in_type, out_type, ty, format) in cases {
            assert_eq!(lower(in_type, out_type, None), Some((ty, format)), "{in_type:?} {out_type:?}");
        }
        let size = Some(Size::Field(3));
        assert_eq!(
            lower(TdhIntype::BINARY, TdhOuttype::SOCKETADDRESS, size),
            Some((FieldType::Bytes(Size::Field(3)), Format::SocketAddress))
        );
        assert_eq!(
            lower(TdhIntype::UNICODESTRING, TdhOuttype::STRING, size),
            Some((FieldType::Utf16(Size::Field(3)), Format::Default))
        );
    }
}
