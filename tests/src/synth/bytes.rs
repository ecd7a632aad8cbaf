//! Bytes, GUIDs, dates and strings as the format stores them.

/// A GUID in the order in which it lies in a file: u32, u16 and u16 little-endian, then eight bytes as they are.
pub type Guid = [u8; 16];

/// The GUID of zeros.
pub const NO_GUID: Guid = [0; 16];

/// Reads a GUID from its text form of 36 characters, without braces.
///
/// Usable in constants, so a mistyped GUID does not compile there.
pub const fn guid(text: &str) -> Guid {
    let text = text.as_bytes();
    assert!(text.len() == 36, "a GUID has 36 characters");
    // Where the two digits of each stored byte stand in the text.
    const AT: [usize; 16] = [6, 4, 2, 0, 11, 9, 16, 14, 19, 21, 24, 26, 28, 30, 32, 34];
    let mut bytes = [0; 16];
    let mut i = 0;
    while i < 16 {
        bytes[i] = digit(text[AT[i]]) * 16 + digit(text[AT[i] + 1]);
        i += 1;
    }
    bytes
}

const fn digit(character: u8) -> u8 {
    match character {
        b'0'..=b'9' => character - b'0',
        b'a'..=b'f' => character - b'a' + 10,
        _ => {
            assert!(character.is_ascii_digit(), "a GUID is written with the digits 0-9 and a-f");
            0
        }
    }
}

/// The FILETIME (100 ns units since 1601-01-01 UTC) of a UTC date of the Gregorian calendar.
pub const fn filetime(year: i64, month: i64, day: i64, hour: i64, minute: i64, second: i64) -> i64 {
    // Years counted from March, so that the leap day is the last day of a year.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
    // The same count for 1601-01-01.
    let days = days - 584_694;
    (((days * 24 + hour) * 60 + minute) * 60 + second) * 10_000_000
}

/// `len` bytes that look like old memory: deterministic, of every value, without long runs.
pub fn garbage(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Overwrites `N` bytes of a record.
pub(crate) fn put<const N: usize>(record: &mut [u8], at: usize, value: [u8; N]) {
    record[at..at + N].copy_from_slice(&value);
}

/// Text as UTF-16LE, without a terminator.
pub(crate) fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// `value` rounded up to a multiple of eight: the alignment of events and extended items.
pub(crate) const fn round_up_8(value: usize) -> usize {
    value.next_multiple_of(8)
}

/// The payload of an event, written field by field without alignment.
#[derive(Clone, Debug, Default)]
pub struct Payload(Vec<u8>);

impl Payload {
    /// No bytes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends bytes as they are.
    pub fn bytes(mut self, value: impl AsRef<[u8]>) -> Self {
        self.0.extend_from_slice(value.as_ref());
        self
    }

    /// Appends one byte.
    pub fn u8(self, value: u8) -> Self {
        self.bytes([value])
    }

    /// Appends a 16-bit number.
    pub fn u16(self, value: u16) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Appends a 32-bit number.
    pub fn u32(self, value: u32) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Appends a signed 32-bit number.
    pub fn i32(self, value: i32) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Appends a 64-bit number.
    pub fn u64(self, value: u64) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Appends a signed 64-bit number, such as a FILETIME.
    pub fn i64(self, value: i64) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Appends a double.
    pub fn f64(self, value: f64) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Appends 8-bit text and its terminator.
    pub fn ansi_z(self, text: &str) -> Self {
        self.bytes(text).u8(0)
    }

    /// Appends UTF-16LE text and its terminator.
    pub fn utf16_z(self, text: &str) -> Self {
        self.bytes(utf16(text)).u16(0)
    }

    /// The bytes written so far.
    pub fn build(self) -> Vec<u8> {
        self.0
    }
}

impl AsRef<[u8]> for Payload {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
