//! TraceLogging metadata: the schema that an event carries itself.

use std::borrow::Cow;
use std::sync::Arc;

use super::event_schema::{EventSchema, SchemaProblem, SchemaSource};
use super::tdh;
use super::template::{FieldType, Format, Prefix, Repeat, Size, Template, TemplateField};
use crate::format::{TdhIntype, TdhOuttype, TlgIn, TlgInFlags, TlgOut, TlgOutFlags};

/// How many structures may lie within each other.
const MAX_DEPTH: usize = 16;

/// Reads the data of an extended item of type 11, EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL. Metadata that ends early, or has a type
/// that is not known, gives the fields before that place, and [`EventSchema::problem`] says what is wrong.
pub fn parse(data: &[u8]) -> EventSchema {
    let mut parser = Parser {
        bytes: data,
        at: 0,
        problem: None,
    };
    let mut schema = EventSchema::new(SchemaSource::TraceLogging);
    if parser.event(&mut schema).is_none() {
        parser.fail(SchemaProblem::MetadataEnds { at: 0 });
    }
    let (fields, _) = parser.fields(usize::MAX, 0);
    schema.template = Arc::new(Template::from(fields));
    schema.problem = parser.problem;
    schema
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    problem: Option<SchemaProblem>,
}

impl<'a> Parser<'a> {
    fn event(&mut self, schema: &mut EventSchema) -> Option<()> {
        let size = usize::from(self.u16()?);
        self.bytes = self.bytes.get(..size).unwrap_or(self.bytes);
        schema.tags = self.tags()?;
        let name = self.text()?;
        schema.event_name = (!name.is_empty()).then(|| name.into());
        Some(())
    }

    /// Reads fields up to a number of them or the end, and gives the least bytes that they take in a payload.
    fn fields(&mut self, count: usize, depth: usize) -> (Vec<TemplateField>, usize) {
        let (mut fields, mut least) = (Vec::new(), 0_usize);
        while fields.len() < count && self.problem.is_none() {
            let start = self.at;
            if start >= self.bytes.len() {
                // Only at the top does the end of the metadata end the fields.
                if depth > 0 {
                    self.fail(SchemaProblem::MetadataEnds { at: start });
                }
                break;
            }
            match self.field(start, depth) {
                Some((field, size)) => {
                    fields.push(field);
                    least = least.saturating_add(size);
                }
                None => self.fail(SchemaProblem::MetadataEnds { at: start }),
            }
        }
        (fields, least)
    }

    /// One field with the least bytes that it takes; `None` at the end of the metadata, or with a problem noted.
    fn field(&mut self, start: usize, depth: usize) -> Option<(TemplateField, usize)> {
        let name = self.text()?;
        let in_byte = self.u8()?;
        let flags = TlgInFlags::from_bits_retain(in_byte);
        let in_type = TlgIn((flags & TlgInFlags::TYPE_MASK).bits());
        let mut out = 0;
        if flags.contains(TlgInFlags::CHAIN) {
            let out_byte = TlgOutFlags::from_bits_retain(self.u8()?);
            out = (out_byte & TlgOutFlags::TYPE_MASK).bits();
            if out_byte.contains(TlgOutFlags::CHAIN) {
                self.tags()?;
            }
        }
        let mut field = TemplateField::plain(Cow::Owned(name), FieldType::Null);
        let counted = flags & TlgInFlags::CUSTOM;
        if counted == TlgInFlags::CUSTOM {
            let size = usize::from(self.u16()?);
            self.take(size)?;
            // Its size in the payload is known to its provider only.
            field.ty = FieldType::Bytes(Size::Rest);
            self.fail(SchemaProblem::CustomType {
                field: field.name.to_string(),
            });
            return Some((field, 0));
        }
        field.repeat = match counted {
            TlgInFlags::CCOUNT => Repeat::Fixed(u32::from(self.u16()?)),
            TlgInFlags::VCOUNT => Repeat::Counted,
            _ => Repeat::One,
        };
        let least;
        if in_type == TlgIn::STRUCT {
            if depth == MAX_DEPTH {
                self.fail(SchemaProblem::TooDeep { limit: MAX_DEPTH });
                return None;
            }
            let (fields, size) = self.fields(usize::from(out), depth + 1);
            // Counts come from the file: without bytes, nothing would bound them.
            if size == 0 && field.repeat != Repeat::One {
                self.fail(SchemaProblem::EmptyElements {
                    field: field.name.to_string(),
                });
                return None;
            }
            least = size;
            field.ty = FieldType::Struct(Template::from(fields));
        } else {
            let Some((ty, format)) = lower(in_type, TlgOut(out)) else {
                self.fail(SchemaProblem::InType {
                    at: start,
                    found: in_byte,
                });
                return None;
            };
            (field.ty, field.format) = (ty, format);
            // At least: text and counted fields may be longer.
            least = 1;
        }
        let least = match field.repeat {
            Repeat::Fixed(count) => least.saturating_mul(count as usize),
            Repeat::Counted => 2,
            _ => least,
        };
        Some((field, least))
    }

    /// The first problem is the one that explains the others.
    fn fail(&mut self, problem: SchemaProblem) {
        self.problem.get_or_insert(problem);
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2)?.first_chunk().copied().map(u16::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let rest = self.bytes.get(self.at..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.take(1)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// Tags of 28 bits: 7 in each byte, the highest first, while the top bit is set. Bytes after the fourth are reserved.
    fn tags(&mut self) -> Option<u32> {
        let mut tags = 0;
        let mut shift = 28_u32;
        loop {
            let byte = self.u8()?;
            if let Some(next) = shift.checked_sub(7) {
                shift = next;
                tags |= u32::from(byte & 0x7F) << shift;
            }
            if byte & 0x80 == 0 {
                return Some(tags);
            }
        }
    }
}

/// Type and meaning of a field that is no structure; `None` if the in-type is not known.
fn lower(in_type: TlgIn, out_type: TlgOut) -> Option<(FieldType, Format)> {
    // The numbers are those of TDH, but for these.
    let tdh_in = match in_type {
        TlgIn::BINARY => TdhIntype::MANIFEST_COUNTEDBINARY,
        TlgIn::STRUCT => return None,
        in_type => TdhIntype(u16::from(in_type.0)),
    };
    let tdh_out = match out_type {
        TlgOut::STRING => TdhOuttype::STRING,
        TlgOut::BOOLEAN => TdhOuttype::BOOLEAN,
        TlgOut::HEX => TdhOuttype::HEXINT64,
        TlgOut::PID => TdhOuttype::PID,
        TlgOut::TID => TdhOuttype::TID,
        TlgOut::PORT => TdhOuttype::PORT,
        TlgOut::IPV4 => TdhOuttype::IPV4,
        TlgOut::IPV6 => TdhOuttype::IPV6,
        TlgOut::SOCKETADDRESS => TdhOuttype::SOCKETADDRESS,
        TlgOut::XML => TdhOuttype::XML,
        TlgOut::JSON | TlgOut::JSON_TDH => TdhOuttype::JSON,
        TlgOut::WIN32ERROR => TdhOuttype::WIN32ERROR,
        TlgOut::NTSTATUS => TdhOuttype::NTSTATUS,
        TlgOut::HRESULT => TdhOuttype::HRESULT,
        TlgOut::CODE_POINTER => TdhOuttype::CODE_POINTER,
        _ => TdhOuttype::NULL,
    };
    let (ty, format) = tdh::lower(tdh_in, tdh_out, None)?;
    Some(match (out_type, ty) {
        (TlgOut::SIGNED, FieldType::Unsigned(size)) => (FieldType::Signed(size), Format::Default),
        (TlgOut::UNSIGNED, FieldType::Signed(size) | FieldType::Unsigned(size)) => (FieldType::Unsigned(size), Format::Default),
        (TlgOut::FILETIME, ty @ (FieldType::Signed(_) | FieldType::Unsigned(_))) => tdh::integer(ty, Format::Filetime),
        // 8-bit text may come as bytes.
        (
            TlgOut::STRING | TlgOut::XML | TlgOut::JSON | TlgOut::JSON_TDH | TlgOut::UTF8,
            ty @ FieldType::CountedBytes(Prefix::U16),
        ) => (ty, Format::Text),
        (_, ty) => (ty, format),
    })
}

#[cfg(test)]
#[path = "tracelogging_tests.rs"]
mod tests;
