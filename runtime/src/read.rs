//! Readers and writers of the field types that binrw does not know.
//!
//! A count or size that comes from a file is never reserved ahead: memory follows the bytes that are there.

#![allow(dead_code, reason = "a schema need not use all of the language")]

use binrw::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, Error};

use crate::context::Context;
use crate::text::{AnsiFixed, Utf16Fixed};

/// How many bytes or elements to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// This many.
    Exactly(u64),
    /// All that are left; a part of an element at the end stays unread.
    Rest,
}

/// Elements are reserved ahead up to this number.
const RESERVED: u64 = 64;

/// Reads bytes.
pub(crate) fn read_bytes<R: Read + Seek>(reader: &mut R, _: Endian, count: Count) -> BinResult<Vec<u8>> {
    let limit = match count {
        Count::Exactly(count) => count,
        Count::Rest => u64::MAX,
    };
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(limit).read_to_end(&mut bytes)?;
    if count == Count::Exactly(read as u64) || count == Count::Rest {
        Ok(bytes)
    } else {
        Err(Error::Io(ErrorKind::UnexpectedEof.into()))
    }
}

/// Reads ANSI text in a fixed room.
pub(crate) fn read_ansi<R: Read + Seek>(reader: &mut R, endian: Endian, count: Count) -> BinResult<AnsiFixed> {
    read_bytes(reader, endian, count).map(AnsiFixed)
}

/// Reads UTF-16 text in a fixed room of `count` bytes.
pub(crate) fn read_utf16<R: Read + Seek>(reader: &mut R, endian: Endian, count: Count) -> BinResult<Utf16Fixed> {
    let bytes = read_bytes(reader, endian, count)?;
    let (pairs, _) = bytes.as_chunks::<2>();
    Ok(Utf16Fixed(pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect()))
}

/// Reads elements that need no context.
pub(crate) fn read_values<R: Read + Seek, T>(reader: &mut R, endian: Endian, count: Count) -> BinResult<Vec<T>>
where
    T: for<'a> BinRead<Args<'a> = ()>,
{
    read_elements(reader, count, |reader| T::read_options(reader, endian, ()))
}

/// Reads structures.
pub(crate) fn read_records<R: Read + Seek, T>(
    reader: &mut R,
    endian: Endian,
    (count, context): (Count, Context),
) -> BinResult<Vec<T>>
where
    T: for<'a> BinRead<Args<'a> = Context>,
{
    read_elements(reader, count, |reader| T::read_options(reader, endian, context))
}

/// Reads addresses.
pub(crate) fn read_pointers<R: Read + Seek>(
    reader: &mut R,
    endian: Endian,
    (count, context): (Count, Context),
) -> BinResult<Vec<u64>> {
    read_elements(reader, count, |reader| read_pointer(reader, endian, context))
}

fn read_elements<R: Read + Seek, T>(
    reader: &mut R,
    count: Count,
    mut read: impl FnMut(&mut R) -> BinResult<T>,
) -> BinResult<Vec<T>> {
    match count {
        Count::Exactly(0) => Ok(Vec::new()),
        Count::Exactly(count) => {
            let mut elements = Vec::with_capacity(count.min(RESERVED) as usize);
            let mut at = reader.stream_position()?;
            for _ in 0..count {
                elements.push(read(reader)?);
                let now = reader.stream_position()?;
                // Elements without bytes would go on for ever at a count from a file.
                if now == at {
                    break;
                }
                at = now;
            }
            Ok(elements)
        }
        Count::Rest => {
            let mut elements = Vec::new();
            let start = reader.stream_position()?;
            let end = reader.seek(SeekFrom::End(0))?;
            reader.seek(SeekFrom::Start(start))?;
            loop {
                let before = reader.stream_position()?;
                if before == end {
                    return Ok(elements);
                }
                match read(reader) {
                    Ok(element) if reader.stream_position()? > before => elements.push(element),
                    Ok(_) => return Ok(elements),
                    Err(_) => {
                        reader.seek(SeekFrom::Start(before))?;
                        return Ok(elements);
                    }
                }
            }
        }
    }
}

/// Reads an address of the data's pointer size.
pub(crate) fn read_pointer<R: Read + Seek>(reader: &mut R, endian: Endian, context: Context) -> BinResult<u64> {
    if context.pointer_size == 4 {
        u32::read_options(reader, endian, ()).map(u64::from)
    } else {
        u64::read_options(reader, endian, ())
    }
}

/// Writes an address in the data's pointer size; of a larger one the low half.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "binrw passes fields by reference")]
pub(crate) fn write_pointer<W: Write + Seek>(value: &u64, writer: &mut W, endian: Endian, context: Context) -> BinResult<()> {
    if context.pointer_size == 4 {
        (*value as u32).write_options(writer, endian, ())
    } else {
        value.write_options(writer, endian, ())
    }
}

/// Writes addresses.
#[expect(clippy::ptr_arg, reason = "binrw passes fields by reference")]
pub(crate) fn write_pointers<W: Write + Seek>(
    values: &Vec<u64>,
    writer: &mut W,
    endian: Endian,
    context: Context,
) -> BinResult<()> {
    values
        .iter()
        .try_for_each(|value| write_pointer(value, writer, endian, context))
}
