//! Hexadecimal text without the formatting machinery.

use serde::{Serialize, Serializer};

use super::json::Ascii;

/// The two digits of every byte value.
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut value = 0;
    while value < pairs.len() {
        pairs[value] = [digits[value >> 4], digits[value & 15]];
        value += 1;
    }
    pairs
};

/// Bytes that are made into text on the stack.
const SHORT: usize = 256;

/// Appends the digits of `bytes`.
pub(crate) fn push_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(2 * bytes.len());
    for byte in bytes {
        out.extend_from_slice(&PAIRS[usize::from(*byte)]);
    }
}

/// A number in the form `0x1f`, written into `buffer`.
pub(crate) fn number(value: u64, buffer: &mut [u8; 18]) -> &[u8] {
    let digits = (16 - value.leading_zeros() as usize / 4).max(1);
    let text = &mut buffer[..2 + digits];
    text[0] = b'0';
    text[1] = b'x';
    for (digit, slot) in text[2..].iter_mut().rev().enumerate() {
        *slot = PAIRS[(value >> (4 * digit)) as usize & 15][1];
    }
    text
}

/// Serializes as the text of [`number`].
pub(crate) struct HexNumber(pub(crate) u64);

impl Serialize for HexNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Ascii(number(self.0, &mut [0; 18])).serialize(serializer)
    }
}

/// Serializes as hexadecimal digits.
pub(crate) struct HexBytes<'a>(pub(crate) &'a [u8]);

impl Serialize for HexBytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut short = [0; 2 * SHORT];
        if let Some(room) = short.get_mut(..2 * self.0.len()) {
            for (pair, byte) in room.as_chunks_mut().0.iter_mut().zip(self.0) {
                *pair = PAIRS[usize::from(*byte)];
            }
            return Ascii(room).serialize(serializer);
        }
        let mut long = Vec::new();
        push_bytes(self.0, &mut long);
        Ascii(&long).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_the_standard_library_has_them() {
        for value in [0, 1, 9, 15, 16, 255, 256, 0x8000_0000_0000_0000, u64::MAX, 0x12_3456] {
            assert_eq!(number(value, &mut [0; 18]), format!("{value:#x}").as_bytes());
        }
    }

    #[test]
    fn bytes_of_any_length() {
        for length in [0, 1, SHORT, SHORT + 1, 5000] {
            let bytes: Vec<u8> = (0..length).map(|byte| (byte * 7) as u8).collect();
            let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(super::super::json::text(&HexBytes(&bytes)), format!("\"{expected}\""));
        }
    }
}
