//! Text as traces store it, kept without loss.
//!
//! Each type holds the stored code units, so that writing gives back the bytes that were read, and decodes them only for
//! show. Decoding never fails: an unpaired UTF-16 surrogate becomes U+FFFD; 8-bit text is UTF-8 where it is valid UTF-8, else
//! Windows-1252 (a trace does not say which code page its writer had).
//!
//! A length that comes from the file is never reserved ahead: memory follows the bytes that are there.

use std::fmt::{self, Write as _};

use binrw::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, Error};

/// Bytes fetched at once. Longer than most names in traces, short enough to give back cheaply.
const CHUNK: usize = 128;

/// Zero-terminated UTF-16LE text, which ends at the zero or at the end of the record (an odd last byte stays unread).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Utf16Z {
    /// Code units before the terminator, of which none is 0.
    pub units: Vec<u16>,
    /// Whether a zero ended the text, not the end of the record.
    pub terminated: bool,
}

/// Zero-terminated 8-bit text (ANSI or UTF-8), which ends at the zero or at the end of the record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnsiZ {
    /// Bytes before the terminator, of which none is 0.
    pub bytes: Vec<u8>,
    /// Whether a zero ended the text, not the end of the record.
    pub terminated: bool,
}

/// UTF-16LE text in a room of fixed size: the text ends at the first zero, what follows is kept but means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Utf16Fixed(
    /// All code units of the room.
    pub Vec<u16>,
);

/// 8-bit text (ANSI or UTF-8) in a room of fixed size: the text ends at the first zero, what follows is kept but means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnsiFixed(
    /// All bytes of the room.
    pub Vec<u8>,
);

/// A security identifier (Windows' SID): u8 revision, u8 number of sub-authorities, 6 bytes of identifier authority in
/// big-endian order, and the sub-authorities as little-endian u32.
///
/// Its text form is `S-1-5-21-...`; an authority of 2^32 or more is hexadecimal, as Windows prints it: `S-1-0x...`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Sid {
    /// Revision, 1 in every SID that Windows makes.
    pub revision: u8,
    /// Identifier authority, most significant byte first.
    pub authority: [u8; 6],
    /// Sub-authorities; Windows allows 15, the format 255.
    pub sub_authorities: Vec<u32>,
}

impl Utf16Z {
    /// Appends the decoded text to `out`.
    pub fn write_text(&self, out: &mut String) {
        push_utf16(&self.units, out);
    }
}

impl AnsiZ {
    /// Appends the decoded text to `out`.
    pub fn write_text(&self, out: &mut String) {
        push_ansi(&self.bytes, out);
    }
}

impl Utf16Fixed {
    /// The code units before the first zero.
    #[must_use]
    pub fn text_units(&self) -> &[u16] {
        before_zero(&self.0)
    }

    /// Appends the decoded text to `out`.
    pub fn write_text(&self, out: &mut String) {
        push_utf16(self.text_units(), out);
    }

    /// Reads a room of `len` code units (2 * `len` bytes); for `#[br(parse_with = Utf16Fixed::read_exact_len, args(len))]`.
    ///
    /// # Errors
    /// The record ends inside the room; the position is then where it was.
    pub fn read_exact_len<R: Read + Seek>(reader: &mut R, _: Endian, (len,): (usize,)) -> BinResult<Self> {
        let bytes = read_exact_bytes(reader, len.saturating_mul(2))?;
        Ok(Self(
            bytes.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit)).collect(),
        ))
    }
}

impl AnsiFixed {
    /// The bytes before the first zero.
    #[must_use]
    pub fn text_bytes(&self) -> &[u8] {
        before_zero(&self.0)
    }

    /// Appends the decoded text to `out`.
    pub fn write_text(&self, out: &mut String) {
        push_ansi(self.text_bytes(), out);
    }

    /// Reads a room of `len` bytes; for `#[br(parse_with = AnsiFixed::read_exact_len, args(len))]`.
    ///
    /// # Errors
    /// The record ends inside the room; the position is then where it was.
    pub fn read_exact_len<R: Read + Seek>(reader: &mut R, _: Endian, (len,): (usize,)) -> BinResult<Self> {
        read_exact_bytes(reader, len).map(Self)
    }
}

impl Sid {
    /// The identifier authority as a number.
    #[must_use]
    pub fn authority_value(&self) -> u64 {
        self.authority.iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    /// Appends the text form to `out`.
    pub fn write_text(&self, out: &mut String) {
        // Writing to a String does not fail.
        let _ = write!(out, "{self}");
    }
}

impl fmt::Display for Sid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S-{}-", self.revision)?;
        match self.authority_value() {
            value if value >> 32 == 0 => write!(f, "{value}")?,
            value => write!(f, "{value:#014x}")?,
        }
        self.sub_authorities.iter().try_for_each(|sub| write!(f, "-{sub}"))
    }
}

macro_rules! display_and_to_text {
    ($($name:ident),*) => {$(
        impl $name {
            /// The decoded text.
            #[must_use]
            pub fn to_text(&self) -> String {
                let mut out = String::new();
                self.write_text(&mut out);
                out
            }
        }
    )*};
    (display: $($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.to_text())
            }
        }
    )*};
}

display_and_to_text!(Utf16Z, AnsiZ, Utf16Fixed, AnsiFixed, Sid);
display_and_to_text!(display: Utf16Z, AnsiZ, Utf16Fixed, AnsiFixed);

/// Appends UTF-16 code units to `out`; an unpaired surrogate becomes U+FFFD.
pub fn push_utf16(mut units: &[u16], out: &mut String) {
    out.reserve(units.len());
    // Nearly all text in traces is ASCII, which goes over in runs instead of character by character.
    let mut ascii = [0; CHUNK];
    while !units.is_empty() {
        let (run, rest) = units.split_at(units.len().min(CHUNK));
        let bytes = &mut ascii[..run.len()];
        let mut bits = 0;
        for (byte, &unit) in bytes.iter_mut().zip(run) {
            *byte = unit as u8;
            bits |= unit;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if bits < 0x80 => out.push_str(text),
            _ => break,
        }
        units = rest;
    }
    out.extend(char::decode_utf16(units.iter().copied()).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

/// Appends 8-bit text to `out`: as UTF-8 if it is valid UTF-8, else as Windows-1252.
pub fn push_ansi(bytes: &[u8], out: &mut String) {
    match std::str::from_utf8(bytes) {
        Ok(text) => out.push_str(text),
        Err(_) => out.extend(bytes.iter().map(|&byte| windows_1252(byte))),
    }
}

/// The character of a Windows-1252 byte; the five bytes it leaves undefined give the control characters of Latin-1, as in
/// Windows' own conversion.
fn windows_1252(byte: u8) -> char {
    const FROM_0X80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', //
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    byte.checked_sub(0x80)
        .and_then(|index| FROM_0X80.get(usize::from(index)).copied())
        .unwrap_or(char::from(byte))
}

fn before_zero<T: Copy + Default + PartialEq>(units: &[T]) -> &[T] {
    units.split(|unit| *unit == T::default()).next().unwrap_or_default()
}

/// Fills `buffer` as far as the input goes and returns how far that is.
fn read_up_to<R: Read>(reader: &mut R, buffer: &mut [u8]) -> BinResult<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(filled)
}

/// Reads exactly `len` bytes; on failure the position is as before. Grows with what is there, not with what is promised.
fn read_exact_bytes<R: Read + Seek>(reader: &mut R, len: usize) -> BinResult<Vec<u8>> {
    let start = reader.stream_position()?;
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(len as u64).read_to_end(&mut bytes);
    let error = match read {
        Ok(count) if count == len => return Ok(bytes),
        Ok(count) => {
            let message = format!("expected {len} bytes of text, found {count} before the end of the record");
            binrw::io::Error::new(ErrorKind::UnexpectedEof, message)
        }
        Err(error) => error,
    };
    reader.seek(SeekFrom::Start(start))?;
    Err(error.into())
}

/// Reads whole units of `N` bytes up to a zero one or the end of the input, hands them to `push` in runs, and leaves the
/// position behind the zero. Returns whether there was one. On failure the position is as before.
fn read_to_zero<R: Read + Seek, const N: usize>(reader: &mut R, mut push: impl FnMut(&[[u8; N]])) -> BinResult<bool> {
    let start = reader.stream_position()?;
    let mut position = start;
    let mut buffer = [0; CHUNK];
    let result = loop {
        let filled = match read_up_to(reader, &mut buffer) {
            Ok(filled) => filled,
            Err(error) => break Err(error),
        };
        let units = buffer[..filled].as_chunks::<N>().0;
        let zero = units.iter().position(|unit| *unit == [0; N]);
        let text = &units[..zero.unwrap_or(units.len())];
        push(text);
        position += (text.len() * N) as u64;
        if zero.is_some() {
            position += N as u64;
        }
        if zero.is_some() || filled < CHUNK {
            break Ok(zero.is_some());
        }
    };
    // The chunk reached farther than the text.
    reader.seek(SeekFrom::Start(if result.is_ok() { position } else { start }))?;
    result
}

impl BinRead for Utf16Z {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): Self::Args<'_>) -> BinResult<Self> {
        let mut units = Vec::new();
        let terminated = read_to_zero(reader, |run| units.extend(run.iter().map(|&unit| u16::from_le_bytes(unit))))?;
        Ok(Self { units, terminated })
    }
}

impl BinRead for AnsiZ {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): Self::Args<'_>) -> BinResult<Self> {
        let mut bytes = Vec::new();
        let terminated = read_to_zero::<_, 1>(reader, |run| bytes.extend_from_slice(run.as_flattened()))?;
        Ok(Self { bytes, terminated })
    }
}

impl BinRead for Sid {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): Self::Args<'_>) -> BinResult<Self> {
        let start = reader.stream_position()?;
        let result = (|| {
            let [revision, count, authority @ ..] = u64::read_options(reader, Endian::Little, ())?.to_le_bytes();
            let bytes = read_exact_bytes(reader, usize::from(count) * 4)?;
            let sub_authorities = bytes.as_chunks().0.iter().map(|&sub| u32::from_le_bytes(sub)).collect();
            Ok(Self {
                revision,
                authority,
                sub_authorities,
            })
        })();
        if result.is_err() {
            reader.seek(SeekFrom::Start(start))?;
        }
        result
    }
}

/// Writes UTF-16 code units little-endian, in runs.
fn write_units<W: Write>(writer: &mut W, units: &[u16]) -> BinResult<()> {
    let mut buffer = [[0; 2]; CHUNK / 2];
    for run in units.chunks(buffer.len()) {
        for (slot, unit) in buffer.iter_mut().zip(run) {
            *slot = unit.to_le_bytes();
        }
        writer.write_all(buffer[..run.len()].as_flattened())?;
    }
    Ok(())
}

impl BinWrite for Utf16Z {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): Self::Args<'_>) -> BinResult<()> {
        write_units(writer, &self.units)?;
        if self.terminated {
            writer.write_all(&[0; 2])?;
        }
        Ok(())
    }
}

impl BinWrite for AnsiZ {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): Self::Args<'_>) -> BinResult<()> {
        writer.write_all(&self.bytes)?;
        if self.terminated {
            writer.write_all(&[0])?;
        }
        Ok(())
    }
}

impl BinWrite for Utf16Fixed {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): Self::Args<'_>) -> BinResult<()> {
        write_units(writer, &self.0)
    }
}

impl BinWrite for AnsiFixed {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): Self::Args<'_>) -> BinResult<()> {
        Ok(writer.write_all(&self.0)?)
    }
}

impl BinWrite for Sid {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): Self::Args<'_>) -> BinResult<()> {
        let Ok(count) = u8::try_from(self.sub_authorities.len()) else {
            let message = format!(
                "a SID has at most 255 sub-authorities, this one has {}",
                self.sub_authorities.len()
            );
            return Err(Error::AssertFail {
                pos: writer.stream_position()?,
                message,
            });
        };
        writer.write_all(&[self.revision, count])?;
        writer.write_all(&self.authority)?;
        self.sub_authorities.write_options(writer, Endian::Little, ())
    }
}

/// Appends the text of little-endian UTF-16 bytes; an odd last byte is left out.
pub fn push_utf16_bytes(bytes: &[u8], out: &mut String) {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
    out.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

/// Text of a SYSTEMTIME: year, month, day of week, day, hour, minute, second and millisecond as u16 each. Numbers that are no date
/// are printed all the same.
pub fn systemtime_text(bytes: [u8; 16]) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let mut numbers = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
    let mut next = || numbers.next().unwrap_or(0);
    let (year, month, _, day, hour, minute, second, millisecond) =
        (next(), next(), next(), next(), next(), next(), next(), next());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}0000Z")
}

/// The socket address that bytes hold: `AF_INET` (2) or `AF_INET6` (23), then port and address in network order.
pub fn socket_address(bytes: &[u8]) -> Option<std::net::SocketAddr> {
    use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
    let (family, rest) = bytes.split_first_chunk::<2>()?;
    let (port, rest) = rest.split_first_chunk::<2>()?;
    let port = u16::from_be_bytes(*port);
    match u16::from_le_bytes(*family) {
        2 => rest
            .first_chunk::<4>()
            .map(|address| SocketAddr::from((Ipv4Addr::from(*address), port))),
        23 => {
            let (flow, rest) = rest.split_first_chunk::<4>()?;
            let (address, rest) = rest.split_first_chunk::<16>()?;
            let scope = rest.first_chunk::<4>().map_or(0, |scope| u32::from_le_bytes(*scope));
            Some(SocketAddr::V6(SocketAddrV6::new(
                Ipv6Addr::from(*address),
                port,
                u32::from_be_bytes(*flow),
                scope,
            )))
        }
        _ => None,
    }
}

/// Text of the bytes of a security identifier.
pub fn sid_text(bytes: &[u8]) -> String {
    let mut reader = std::io::Cursor::new(bytes);
    Sid::read_le(&mut reader).map(|sid| sid.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use binrw::io::Cursor;
    use binrw::{BinReaderExt, binrw};

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn written<T: for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> Vec<u8> {
        let mut writer = Cursor::new(Vec::new());
        value.write_le(&mut writer).unwrap();
        writer.into_inner()
    }

    /// Reads from `bytes`, checks that writing gives the same back, and returns the value with what was left.
    fn read<T: for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>>(bytes: &[u8]) -> (T, Vec<u8>) {
        let mut reader = Cursor::new(bytes);
        let value: T = reader.read_le().unwrap();
        let used = reader.position() as usize;
        assert_eq!(written(&value), bytes[..used]);
        (value, bytes[used..].to_vec())
    }

    /// A reader that gives one byte at a time and fails after some.
    struct Awkward(Cursor<Vec<u8>>, u64);

    impl Read for Awkward {
        fn read(&mut self, buffer: &mut [u8]) -> binrw::io::Result<usize> {
            if self.0.position() >= self.1 {
                return Err(ErrorKind::TimedOut.into());
            }
            let count = buffer.len().min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    impl Seek for Awkward {
        fn seek(&mut self, to: SeekFrom) -> binrw::io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn utf16z_ends_at_the_zero_or_at_the_end() {
        let (text, rest) = read::<Utf16Z>(&[utf16("Größe 😀\0"), vec![7, 8, 9]].concat());
        assert_eq!(
            (text.to_text(), text.terminated, rest),
            ("Größe 😀".to_string(), true, vec![7, 8, 9])
        );
        let (text, rest) = read::<Utf16Z>(&utf16("open"));
        assert_eq!((text.to_string(), text.terminated, rest), ("open".to_string(), false, vec![]));
        let (text, rest) = read::<Utf16Z>(&[utf16("odd"), vec![0]].concat());
        assert_eq!((text.to_string(), text.terminated, rest), ("odd".to_string(), false, vec![0]));
        let (text, rest) = read::<Utf16Z>(&[0, 0, 1]);
        assert_eq!(
            (text, rest),
            (
                Utf16Z {
                    units: vec![],
                    terminated: true
                },
                vec![1]
            )
        );
        assert_eq!(read::<Utf16Z>(&[]).0, Utf16Z::default());
        // A zero byte pair across two units is no terminator.
        let (text, _) = read::<Utf16Z>(&[1, 0, 0, 1, 0, 0]);
        assert_eq!(text.units, [0x0001, 0x0100]);
    }

    #[test]
    fn texts_around_the_chunk_size() {
        for length in 0..300 {
            let body = "x".repeat(length);
            for tail in [&[][..], &[0, 0], &[0, 0, 5, 0, 0, 0]] {
                let (text, rest) = read::<Utf16Z>(&[&utf16(&body)[..], tail].concat());
                assert_eq!((text.to_text(), text.terminated), (body.clone(), !tail.is_empty()));
                assert_eq!(rest, tail.get(2..).unwrap_or_default());
                let (text, rest) = read::<AnsiZ>(&[body.as_bytes(), tail].concat());
                assert_eq!((text.to_text(), text.terminated), (body.clone(), !tail.is_empty()));
                assert_eq!(rest, tail.get(1..).unwrap_or_default());
            }
        }
    }

    #[test]
    fn short_reads_and_errors_of_the_reader() {
        let bytes = utf16(&format!("{}\0rest", "y".repeat(200)));
        let text: Utf16Z = Awkward(Cursor::new(bytes.clone()), u64::MAX).read_le().unwrap();
        assert_eq!((text.units.len(), text.terminated), (200, true));
        let mut failing = Awkward(Cursor::new(bytes), 300);
        failing.seek(SeekFrom::Start(10)).unwrap();
        assert!(failing.read_le::<Utf16Z>().is_err());
        assert!(failing.read_le::<AnsiZ>().is_ok());
        assert_eq!(failing.0.position(), 12);
    }

    #[test]
    fn unpaired_surrogates_are_shown_and_kept() {
        let (text, _) = read::<Utf16Z>(&[0x3d, 0xd8, b'a', 0, 0x00, 0xde, 0, 0]);
        assert_eq!(text.to_text(), "\u{fffd}a\u{fffd}");
        assert_eq!(text.units, [0xd83d, 0x61, 0xde00]);
    }

    #[test]
    fn ascii_runs_and_other_characters_mix() {
        for at in [0, 1, 126, 127, 128, 129, 255, 256, 300] {
            for insert in ["", "é", "€", "😀", "\u{7f}", "\u{80}", "\u{100}a"] {
                let text = format!("{}{insert}{}", "a".repeat(at), "z".repeat(300 - at));
                let units = text.encode_utf16().collect();
                assert_eq!(Utf16Z { units, terminated: true }.to_text(), text);
            }
        }
    }

    #[test]
    fn ansi_is_utf8_or_windows_1252() {
        let text = |bytes: &[u8]| read::<AnsiZ>(bytes).0.to_text();
        assert_eq!(text(b"plain\0x"), "plain");
        assert_eq!(text("Größe €\0".as_bytes()), "Größe €");
        assert_eq!(text(b"Gr\xf6\xdfe \x80\x9f\xff\0"), "Größe €Ÿÿ");
        assert_eq!(text(b"\x81\x8d\x8f\x90\x9d\xa0"), "\u{81}\u{8d}\u{8f}\u{90}\u{9d}\u{a0}");
    }

    #[binrw]
    #[brw(little)]
    #[derive(Debug, PartialEq)]
    struct Rooms {
        len: u16,
        #[br(parse_with = Utf16Fixed::read_exact_len, args(len.into()))]
        wide: Utf16Fixed,
        #[br(parse_with = AnsiFixed::read_exact_len, args(4))]
        narrow: AnsiFixed,
    }

    #[test]
    fn fixed_rooms_inside_a_structure() {
        let bytes = [vec![5, 0], utf16("ab\0zz"), b"x\0\xff!".to_vec()].concat();
        let (rooms, rest) = read::<Rooms>(&[bytes, vec![1]].concat());
        assert_eq!((rooms.wide.to_text(), rooms.wide.0.len()), ("ab".to_string(), 5));
        assert_eq!(
            (rooms.narrow.to_text(), &rooms.narrow.0[..]),
            ("x".to_string(), &b"x\0\xff!"[..])
        );
        assert_eq!(rest, [1]);
    }

    #[test]
    fn fixed_rooms_full_and_empty() {
        let mut reader = Cursor::new(utf16("full"));
        assert_eq!(
            Utf16Fixed::read_exact_len(&mut reader, Endian::Little, (4,))
                .unwrap()
                .to_string(),
            "full"
        );
        assert_eq!(
            Utf16Fixed::read_exact_len(&mut reader, Endian::Little, (0,)).unwrap(),
            Utf16Fixed::default()
        );
        assert_eq!(AnsiFixed(b"full".to_vec()).to_string(), "full");
        assert_eq!(AnsiFixed::default().to_text(), "");
    }

    #[test]
    fn a_promised_length_reserves_nothing() {
        for len in [5, 1 << 40, usize::MAX] {
            let mut reader = Cursor::new(b"0123456789".to_vec());
            reader.set_position(2);
            let error = Utf16Fixed::read_exact_len(&mut reader, Endian::Little, (len,)).unwrap_err();
            assert!(error.to_string().contains("found 8 before the end of the record"), "{error}");
            assert_eq!(reader.position(), 2);
        }
        let mut reader = Cursor::new(b"012".to_vec());
        let error = AnsiFixed::read_exact_len(&mut reader, Endian::Little, (4,)).unwrap_err();
        assert!(error.to_string().contains("expected 4 bytes of text, found 3"), "{error}");
    }

    #[test]
    fn sids() {
        let system = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0, 0xaa];
        let (sid, rest) = read::<Sid>(&system);
        assert_eq!((sid.to_string(), rest), ("S-1-5-18".to_string(), vec![0xaa]));
        let user = Sid {
            revision: 1,
            authority: [0, 0, 0, 0, 0, 5],
            sub_authorities: vec![21, 4_294_967_295, 0, 1001],
        };
        assert_eq!(user.to_text(), "S-1-5-21-4294967295-0-1001");
        assert_eq!(read::<Sid>(&written(&user)).0, user);
        let large = |authority| {
            Sid {
                revision: 1,
                authority,
                sub_authorities: vec![7],
            }
            .to_string()
        };
        assert_eq!(large([0, 0, 0xff, 0xff, 0xff, 0xff]), "S-1-4294967295-7");
        assert_eq!(large([0, 1, 0, 0, 0, 0]), "S-1-0x000100000000-7");
        assert_eq!(large([0xab, 0, 0, 0, 0, 0x0c]), "S-1-0xab000000000c-7");
        assert_eq!(Sid::default().to_string(), "S-0-0");
    }

    #[test]
    fn cut_and_overfull_sids() {
        for cut in 0..12 {
            let mut reader = Cursor::new(vec![1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0]);
            reader.get_mut().truncate(cut);
            assert!(reader.read_le::<Sid>().is_err());
            assert_eq!(reader.position(), 0);
        }
        let most = Sid {
            revision: 1,
            authority: [0; 6],
            sub_authorities: vec![1; 255],
        };
        assert_eq!(read::<Sid>(&written(&most)).0, most);
        let more = Sid {
            sub_authorities: vec![1; 256],
            ..most
        };
        let error = more.write_le(&mut Cursor::new(Vec::new())).unwrap_err();
        assert!(
            error.to_string().contains("at most 255 sub-authorities, this one has 256"),
            "{error}"
        );
    }
}
