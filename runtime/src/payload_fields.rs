//! Readers of payload fields for generated structures: those that binrw does not know, and what is put around a reader.
//!
//! They take the same bytes as the one decoder of templates ([`crate::payload::TemplateRecord`]), field by field.
//! Generated code names them with their module, since a field may be called `optional`.

#![allow(dead_code, reason = "a schema need not use all of the language")]

use std::net::{Ipv4Addr, Ipv6Addr};

use binrw::io::{Error as IoError, ErrorKind, Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult, Endian, Error};

use crate::context::Context;
use crate::payload::MAX_EMPTY;
#[allow(unused_imports, reason = "a schema need not use all of the language")]
pub(crate) use crate::read::{Count, read_ansi as ansi, read_bytes as bytes, read_pointer as pointer};
use crate::record::{List, Value};
use crate::text::{AnsiZ, Sid, Utf16Fixed, Utf16Z};

/// Bytes from the position to the end.
fn left<R: Read + Seek>(reader: &mut R) -> BinResult<u64> {
    let at = reader.stream_position()?;
    let end = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(at))?;
    Ok(end.saturating_sub(at))
}

fn too_short<T>() -> BinResult<T> {
    Err(Error::Io(ErrorKind::UnexpectedEof.into()))
}

/// Reads a field that the payload may end before.
pub(crate) fn optional<R: Read + Seek, A, T>(
    read: impl Fn(&mut R, Endian, A) -> BinResult<T>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<Option<T>> {
    move |reader, endian, arguments| match left(reader)? {
        0 => Ok(None),
        _ => read(reader, endian, arguments).map(Some),
    }
}

/// Reads a field behind an optional one, which is there if that is.
pub(crate) fn behind<R: Read + Seek, A, T>(
    there: bool,
    read: impl Fn(&mut R, Endian, A) -> BinResult<T>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<Option<T>> {
    move |reader, endian, arguments| there.then(|| read(reader, endian, arguments)).transpose()
}

/// Reads a field at a multiple of `alignment` bytes from the start of its layout. Padding may be cut off by the end.
pub(crate) fn aligned<R: Read + Seek, A, T>(
    alignment: u8,
    read: impl Fn(&mut R, Endian, A) -> BinResult<T>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<T> {
    move |reader, endian, arguments| {
        let at = reader.stream_position()?;
        let padding = at.next_multiple_of(u64::from(alignment.max(1))) - at;
        let padding = padding.min(left(reader)?);
        reader.seek(SeekFrom::Start(at + padding))?;
        read(reader, endian, arguments)
    }
}

/// Reads the elements of an array. Memory follows the bytes that are there, whatever the count says.
pub(crate) fn many<R: Read + Seek, A: Clone, T>(
    read: impl Fn(&mut R, Endian, A) -> BinResult<T>,
) -> impl Fn(&mut R, Endian, (Count, A)) -> BinResult<Vec<T>> {
    move |reader, endian, (count, arguments)| {
        let (wanted, rest) = match count {
            Count::Exactly(count) => (count, false),
            Count::Rest => (u64::MAX, true),
        };
        let mut elements = Vec::new();
        while (elements.len() as u64) < wanted {
            let before = reader.stream_position()?;
            match read(reader, endian, arguments.clone()) {
                Ok(element) if reader.stream_position()? == before => {
                    // Only the count, which comes from a file, would bound the number of elements without bytes.
                    if rest || elements.len() as u64 >= wanted.min(MAX_EMPTY as u64) {
                        break;
                    }
                    elements.push(element);
                }
                Ok(element) => elements.push(element),
                Err(_) if rest => {
                    reader.seek(SeekFrom::Start(before))?;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(elements)
    }
}

/// Reads UTF-16 text in a room of so many code units. An odd byte at the end of the payload is left.
pub(crate) fn utf16<R: Read + Seek>(reader: &mut R, endian: Endian, units: Count) -> BinResult<Utf16Fixed> {
    let size = match units {
        Count::Exactly(units) => units.saturating_mul(2),
        Count::Rest => left(reader)? / 2 * 2,
    };
    let bytes = bytes(reader, endian, Count::Exactly(size))?;
    let (pairs, _) = bytes.as_chunks::<2>();
    Ok(Utf16Fixed(pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect()))
}

/// Reads terminated UTF-16 text. No byte at all is no text: the field is missing.
pub(crate) fn utf16z<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Utf16Z> {
    if left(reader)? < 2 {
        return too_short();
    }
    Utf16Z::read_options(reader, endian, ())
}

/// Reads terminated 8-bit text, of which at least one byte must be there.
pub(crate) fn ansiz<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<AnsiZ> {
    if left(reader)? < 1 {
        return too_short();
    }
    AnsiZ::read_options(reader, endian, ())
}

/// Reads `TOKEN_USER`: two pointers, of which the values mean nothing, and a security identifier. If the first is 0 and no
/// identifier follows, 4 bytes.
pub(crate) fn token_user<R: Read + Seek>(reader: &mut R, endian: Endian, context: Context) -> BinResult<Option<Sid>> {
    let start = reader.stream_position()?;
    let first = pointer(reader, endian, context)?;
    let after = start + 2 * u64::from(context.pointer_size);
    // Revision 1 is the only one: anything else behind a zero pointer means that there is no identifier.
    let revision = match pointer(reader, endian, context) {
        Ok(_) if left(reader)? > 0 => Some(u8::read_options(reader, endian, ())?),
        Ok(_) => None,
        Err(error) if first != 0 => return Err(error),
        Err(_) => None,
    };
    if first == 0 && revision != Some(1) {
        reader.seek(SeekFrom::Start(start + 4))?;
        return Ok(None);
    }
    reader.seek(SeekFrom::Start(after))?;
    Sid::read_options(reader, endian, ()).map(Some)
}

/// Reads an IPv4 address in network order.
pub(crate) fn ipv4<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Ipv4Addr> {
    <[u8; 4]>::read_options(reader, endian, ()).map(Ipv4Addr::from)
}

/// Reads an IPv6 address.
pub(crate) fn ipv6<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Ipv6Addr> {
    <[u8; 16]>::read_options(reader, endian, ()).map(Ipv6Addr::from)
}

/// Reads a port in network order.
pub(crate) fn port<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<u16> {
    u16::read_options(reader, Endian::Big, ())
}

/// Reads a layout within another one, which is aligned from its own start.
pub(crate) fn part<R, T>(reader: &mut R, endian: Endian, context: Context) -> BinResult<T>
where
    R: Read + Seek,
    T: for<'a> BinRead<Args<'a> = Context>,
{
    let start = reader.stream_position()?;
    T::read_options(&mut Part { reader, start }, endian, context)
}

/// A reader whose positions count from `start`.
struct Part<'a, R> {
    reader: &'a mut R,
    start: u64,
}

impl<R: Read> Read for Part<'_, R> {
    fn read(&mut self, target: &mut [u8]) -> Result<usize, IoError> {
        self.reader.read(target)
    }

    fn read_exact(&mut self, target: &mut [u8]) -> Result<(), IoError> {
        self.reader.read_exact(target)
    }
}

impl<R: Seek> Seek for Part<'_, R> {
    fn seek(&mut self, target: SeekFrom) -> Result<u64, IoError> {
        let target = match target {
            SeekFrom::Start(at) => SeekFrom::Start(self.start.saturating_add(at)),
            other => other,
        };
        Ok(self.reader.seek(target)?.saturating_sub(self.start))
    }
}

/// Elements of an array that are shown in another way than by their type.
#[derive(Debug)]
pub(crate) struct Elements<'a, T> {
    /// The elements.
    pub(crate) of: &'a [T],
    /// How one is shown.
    pub(crate) value: fn(&T) -> Value<'_>,
}

impl<T> List for Elements<'_, T> {
    fn len(&self) -> usize {
        self.of.len()
    }

    fn for_each(&self, see: &mut dyn FnMut(Value<'_>)) {
        self.of.iter().for_each(|element| see((self.value)(element)));
    }
}
