//! Hexadecimal text without the formatting machinery.

use super::json::{Json, push_ascii};

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

/// Appends the digits of `bytes`.
pub(crate) fn push_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + 2 * bytes.len(), 0);
    let room = out.get_mut(start..).unwrap_or_default();
    for (pair, byte) in room.as_chunks_mut().0.iter_mut().zip(bytes) {
        *pair = PAIRS[usize::from(*byte)];
    }
}

/// A number in the form `0x1f`, written into `buffer`.
#[inline]
pub(crate) fn number(value: u64, buffer: &mut [u8; 18]) -> &[u8] {
    let mut at = buffer.len();
    let mut left = value;
    loop {
        at -= 2;
        let pair = PAIRS[(left & 255) as usize];
        buffer[at] = pair[0];
        buffer[at + 1] = pair[1];
        left >>= 8;
        if left == 0 || at == 2 {
            break;
        }
    }
    if buffer[at] == b'0' {
        at += 1;
    }
    buffer[at - 2] = b'0';
    buffer[at - 1] = b'x';
    &buffer[at - 2..]
}

/// In the form of [`number`].
pub(crate) struct HexNumber(pub(crate) u64);

impl Json for HexNumber {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_ascii(number(self.0, &mut [0; 18]), out);
    }
}

/// As hexadecimal digits.
pub(crate) struct HexBytes<'a>(pub(crate) &'a [u8]);

impl Json for HexBytes<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        out.push(b'"');
        push_bytes(self.0, out);
        out.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::text;
    use super::*;

    #[test]
    fn numbers_as_the_standard_library_has_them() {
        for shift in 0..64 {
            for value in [
                1 << shift,
                (1 << shift) - 1,
                u64::MAX >> shift,
                0x1234_5678_9ABC_DEF0 >> shift,
            ] {
                assert_eq!(number(value, &mut [0; 18]), format!("{value:#x}").as_bytes());
            }
        }
        assert_eq!(text(&HexNumber(31)), "\"0x1f\"");
    }

    #[test]
    fn bytes_of_any_length() {
        for length in [0, 1, 2, 255, 5000] {
            let bytes: Vec<u8> = (0..length).map(|byte| (byte * 7) as u8).collect();
            let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(text(&HexBytes(&bytes)), format!("\"{expected}\""));
        }
    }
}
