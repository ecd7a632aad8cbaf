//! GUIDs in the byte order of Windows files.
//!
//! An own type rather than the `uuid` crate's: that one needs a newer compiler than this crate promises to build with.

use std::fmt;
use std::str::FromStr;

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// A GUID, 16 bytes as they lie in a file: `Data1` (u32), `Data2` and `Data3` (u16) little-endian, then the 8 bytes of
/// `Data4` in order.
///
/// Ordering and hashing go by these stored bytes, so a sorted list is stable but not alphabetical in its text form.
///
/// ```text
/// stored   24 eb d1 b3  50 55  28 4f  87 1a 6d 0f 21 09 c0 9f
/// printed  b3d1eb24-5550-4f28-871a-6d0f2109c09f
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Guid([u8; 16]);

/// Length of the text form without braces: 32 hexadecimal digits and 4 hyphens.
const TEXT_LEN: usize = 36;

/// For each character of the text form the index of the stored byte it comes from; a hyphen has none.
/// Two neighbouring characters show one byte, the high digit first.
const GROUPS: [(usize, &[usize]); 5] = [
    (0, &[3, 2, 1, 0]),
    (9, &[5, 4]),
    (14, &[7, 6]),
    (19, &[8, 9]),
    (24, &[10, 11, 12, 13, 14, 15]),
];

/// The two lower-case hexadecimal digits of every byte value: one lookup per byte instead of two.
const HEX: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut table = [[0; 2]; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = [digits[i >> 4], digits[i & 15]];
        i += 1;
    }
    table
};

impl Guid {
    /// The GUID of 16 zero bytes, Windows' `GUID_NULL`.
    pub const ZERO: Self = Self([0; 16]);

    /// Makes a GUID from its 16 stored bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Makes a GUID from the members of the Windows structure, in the notation of C headers:
    /// `{0x68fdd900, 0x4a3e, 0x11d1, {0x84, 0xf4, ...}}`.
    #[must_use]
    pub const fn from_fields(data1: u32, data2: u16, data3: u16, data4: [u8; 8]) -> Self {
        let a = data1.to_le_bytes();
        let b = data2.to_le_bytes();
        let c = data3.to_le_bytes();
        let d = data4;
        Self([
            a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7],
        ])
    }

    /// The 16 bytes as they are stored.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Whether all 16 bytes are zero.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        u128::from_le_bytes(self.0) == 0
    }

    /// The text form as ASCII bytes: 36 characters, lower case, no braces.
    #[must_use]
    pub const fn to_ascii(&self) -> [u8; TEXT_LEN] {
        let mut text = [b'-'; TEXT_LEN];
        let mut group = 0;
        while group < GROUPS.len() {
            let (at, bytes) = GROUPS[group];
            let mut i = 0;
            while i < bytes.len() {
                let pair = HEX[self.0[bytes[i]] as usize];
                text[at + 2 * i] = pair[0];
                text[at + 2 * i + 1] = pair[1];
                i += 1;
            }
            group += 1;
        }
        text
    }

    /// Writes the text form into `buf` without the formatting machinery and returns it as a string.
    #[must_use]
    pub fn encode<'a>(&self, buf: &'a mut [u8; TEXT_LEN]) -> &'a str {
        *buf = self.to_ascii();
        // ASCII only, so the check never fails.
        std::str::from_utf8(buf).unwrap_or_default()
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.encode(&mut [0; TEXT_LEN]))
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a GUID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseGuidError {
    reason: ParseReason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ParseReason {
    Length(usize),
    Brace,
    Character { at: usize, found: char, hyphen: bool },
}

impl fmt::Display for ParseGuidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a GUID: ")?;
        match self.reason {
            ParseReason::Length(found) => {
                write!(
                    f,
                    "expected 36 characters like 68fdd900-4a3e-11d1-84f4-0000f80464e3 (or 38 with braces), found {found}"
                )
            }
            ParseReason::Brace => f.write_str("an opening brace needs a closing one, and the other way round"),
            ParseReason::Character { at, found, hyphen } => {
                let expected = if hyphen { "a hyphen" } else { "a hexadecimal digit" };
                write!(f, "expected {expected} as character {}, found {found:?}", at + 1)
            }
        }
    }
}

impl std::error::Error for ParseGuidError {}

impl FromStr for Guid {
    type Err = ParseGuidError;

    /// Reads the 8-4-4-4-12 form, in any case, with or without braces.
    ///
    /// # Errors
    /// A text of another length, an unpaired brace, or a wrong character, which the error names with its position.
    fn from_str(text: &str) -> Result<Self, ParseGuidError> {
        let fail = |reason| Err(ParseGuidError { reason });
        let (inner, skipped) = match (text.strip_prefix('{'), text.ends_with('}')) {
            (Some(rest), true) => (rest.strip_suffix('}').unwrap_or(rest), 1),
            (None, false) => (text, 0),
            _ => return fail(ParseReason::Brace),
        };
        let length = inner.chars().count();
        if length != TEXT_LEN {
            return fail(ParseReason::Length(length + 2 * skipped));
        }
        let mut digits = [0u8; TEXT_LEN];
        for (at, (found, slot)) in inner.chars().zip(&mut digits).enumerate() {
            let hyphen = matches!(at, 8 | 13 | 18 | 23);
            match found.to_digit(16) {
                Some(value) if !hyphen => *slot = value as u8,
                None if hyphen && found == '-' => {}
                _ => {
                    return fail(ParseReason::Character {
                        at: at + skipped,
                        found,
                        hyphen,
                    });
                }
            }
        }
        let mut bytes = [0; 16];
        for (at, indexes) in GROUPS {
            for (i, &index) in indexes.iter().enumerate() {
                bytes[index] = digits[at + 2 * i] << 4 | digits[at + 2 * i + 1];
            }
        }
        Ok(Self(bytes))
    }
}

impl BinRead for Guid {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): Self::Args<'_>) -> BinResult<Self> {
        // One 16-byte read that keeps binrw's promise to restore the position on failure.
        u128::read_options(reader, Endian::Little, ()).map(|value| Self(value.to_le_bytes()))
    }
}

impl BinWrite for Guid {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): Self::Args<'_>) -> BinResult<()> {
        Ok(writer.write_all(&self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binrw::io::Cursor;

    const STORED: [u8; 16] = [
        0x24, 0xeb, 0xd1, 0xb3, 0x50, 0x55, 0x28, 0x4f, 0x87, 0x1a, 0x6d, 0x0f, 0x21, 0x09, 0xc0, 0x9f,
    ];
    const TEXT: &str = "b3d1eb24-5550-4f28-871a-6d0f2109c09f";

    #[test]
    fn text_form_swaps_the_first_three_members() {
        let guid = Guid::from_bytes(STORED);
        assert_eq!(guid.to_string(), TEXT);
        assert_eq!(format!("{guid:?}"), TEXT);
        assert_eq!(guid.encode(&mut [0; 36]), TEXT);
        assert_eq!(guid.to_bytes(), STORED);
        assert_eq!(format!("{guid:>38}|"), format!("  {TEXT}|"));
    }

    #[test]
    fn fields_of_a_c_header() {
        const EVENT_TRACE: Guid = Guid::from_fields(0x68fd_d900, 0x4a3e, 0x11d1, [0x84, 0xf4, 0, 0, 0xf8, 0x04, 0x64, 0xe3]);
        assert_eq!(EVENT_TRACE.to_string(), "68fdd900-4a3e-11d1-84f4-0000f80464e3");
    }

    #[test]
    fn parses_braces_and_case() {
        for text in [
            TEXT,
            &TEXT.to_uppercase(),
            &format!("{{{TEXT}}}"),
            &format!("{{{}}}", TEXT.to_uppercase()),
        ] {
            assert_eq!(text.parse::<Guid>().unwrap().to_bytes(), STORED, "{text}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| text.parse::<Guid>().unwrap_err().to_string();
        assert!(error("").contains("found 0"));
        assert!(error(&TEXT[..35]).contains("found 35"));
        assert!(error(&format!("{{{TEXT}")).contains("brace"));
        assert!(error(&format!("{TEXT}}}")).contains("brace"));
        assert!(error("{").contains("brace"));
        assert!(error("{}").contains("found 2"));
        assert!(error(&TEXT.replace('f', "g")).contains("hexadecimal digit as character 16, found 'g'"));
        assert!(error(&format!("{{{}}}", TEXT.replace("-871a", "x871a"))).contains("a hyphen as character 20, found 'x'"));
        assert!(error(&TEXT.replace("b3d1", "b-d1")).contains("character 2, found '-'"));
        // 36 characters that are more bytes, and 36 bytes that are fewer characters.
        assert!(error(&TEXT.replace('e', "é")).contains("found 'é'"));
        assert!(error(&"é".repeat(18)).contains("found 18"));
    }

    #[test]
    fn zero() {
        assert!(Guid::ZERO.is_zero() && Guid::default().is_zero());
        assert!(!Guid::from_bytes(STORED).is_zero());
        assert_eq!(Guid::ZERO.to_string(), "00000000-0000-0000-0000-000000000000");
    }

    #[test]
    fn every_byte_reaches_the_text_and_back() {
        for i in 0..16 {
            for value in [1u8, 0x80, 0xff] {
                let mut bytes = [0; 16];
                bytes[i] = value;
                let guid = Guid::from_bytes(bytes);
                assert_eq!(guid.to_string().parse(), Ok(guid));
            }
        }
    }

    #[test]
    fn binary_form_ignores_the_byte_order_asked_for() {
        for endian in [Endian::Little, Endian::Big] {
            let mut reader = Cursor::new(STORED);
            let guid = Guid::read_options(&mut reader, endian, ()).unwrap();
            assert_eq!(guid.to_bytes(), STORED);
            let mut writer = Cursor::new(Vec::new());
            guid.write_options(&mut writer, endian, ()).unwrap();
            assert_eq!(writer.into_inner(), STORED);
        }
        let mut short = Cursor::new(&STORED[..15]);
        assert!(Guid::read_le(&mut short).is_err());
        assert_eq!(short.position(), 0);
    }
}
