//! A plain XPRESS (MS-XCA "plain LZ77") compressor for building synthetic traces.
//!
//! Simple and greedy: it looks at the last place where the same three bytes began. It shares nothing with the decompressor
//! under test.

/// Farthest distance that a match's 13 bits can name.
const WINDOW: usize = 8192;

/// Shortest match.
const MIN_MATCH: usize = 3;

const HASH_BITS: u32 = 13;

/// Compresses `input`. The stream always ends with at least one unused flag, as Windows' own do.
#[must_use]
pub fn compress(input: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(input.len());
    // Position + 1 of the last three bytes with this hash; 0 is none.
    let mut last = vec![0usize; 1 << HASH_BITS];
    let mut at = 0;
    while at < input.len() {
        let found = candidate(input, at, &mut last).map(|from| (at - from, common_length(input, from, at)));
        match found {
            Some((distance, length)) if length >= MIN_MATCH => {
                writer.copy(distance, length);
                for inside in at + 1..at + length {
                    candidate(input, inside, &mut last);
                }
                at += length;
            }
            _ => {
                writer.literal(input[at]);
                at += 1;
            }
        }
    }
    writer.finish()
}

/// Where the three bytes at `at` may have occurred before, within the window; remembers `at` for later.
fn candidate(input: &[u8], at: usize, last: &mut [usize]) -> Option<usize> {
    let bytes = input.get(at..at + MIN_MATCH)?;
    let value = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
    let slot = (value.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize;
    let from = std::mem::replace(&mut last[slot], at + 1).checked_sub(1)?;
    (at - from <= WINDOW).then_some(from)
}

/// How many bytes at `at` equal those at `from`; the ranges may overlap.
fn common_length(input: &[u8], from: usize, at: usize) -> usize {
    input[at..].iter().zip(&input[from..]).take_while(|(a, b)| a == b).count()
}

struct Writer {
    output: Vec<u8>,
    /// Where the current group's flags lie in `output`, and what is known of them.
    flags_at: usize,
    flags: u32,
    used: u32,
    /// A byte in `output` whose upper half is free for the next long length.
    half_byte: Option<usize>,
}

impl Writer {
    fn new(input_len: usize) -> Self {
        let mut output = Vec::with_capacity(input_len / 2 + 8);
        output.extend([0; 4]);
        Self {
            output,
            flags_at: 0,
            flags: 0,
            used: 0,
            half_byte: None,
        }
    }

    fn literal(&mut self, byte: u8) {
        self.output.push(byte);
        self.flag(0);
    }

    fn copy(&mut self, distance: usize, length: usize) {
        let rest = length - MIN_MATCH;
        let word = ((distance - 1) << 3 | rest.min(7)) as u16;
        self.output.extend(word.to_le_bytes());
        if let Some(rest) = rest.checked_sub(7) {
            self.long_length(rest);
        }
        self.flag(1);
    }

    /// Writes a length of `rest` + 10.
    fn long_length(&mut self, rest: usize) {
        let half = rest.min(15) as u8;
        match self.half_byte.take() {
            Some(at) => self.output[at] |= half << 4,
            None => {
                self.half_byte = Some(self.output.len());
                self.output.push(half);
            }
        }
        let Some(more) = rest.checked_sub(15) else { return };
        if more < 255 {
            self.output.push(more as u8);
            return;
        }
        self.output.push(255);
        // From here on the whole length - 3 is written.
        let whole = rest + 7;
        if let Ok(short) = u16::try_from(whole) {
            self.output.extend(short.to_le_bytes());
        } else {
            self.output.extend([0; 2]);
            self.output.extend((whole as u32).to_le_bytes());
        }
    }

    /// Adds the flag of an item that has just been written, and opens the next group where one ends.
    fn flag(&mut self, bit: u32) {
        self.flags = self.flags << 1 | bit;
        self.used += 1;
        if self.used == 32 {
            self.store_flags();
            self.flags_at = self.output.len();
            self.output.extend([0; 4]);
            (self.flags, self.used) = (0, 0);
        }
    }

    fn store_flags(&mut self) {
        self.output[self.flags_at..self.flags_at + 4].copy_from_slice(&self.flags.to_le_bytes());
    }

    fn finish(mut self) -> Vec<u8> {
        // Unused flags are 1; a group just opened becomes the closing 0xFFFFFFFF.
        let unused = 32 - self.used;
        self.flags = ((u64::from(self.flags) << unused) | ((1 << unused) - 1)) as u32;
        self.store_flags();
        self.output
    }
}

#[cfg(test)]
mod tests {
    use super::compress;

    #[test]
    fn published_examples() {
        assert_eq!(
            compress(b"abcdefghijklmnopqrstuvwxyz"),
            b"\x3f\0\0\0abcdefghijklmnopqrstuvwxyz"
        );
        assert_eq!(compress(&b"abc".repeat(100)), b"\xff\xff\xff\x1fabc\x17\0\x0f\xff\x26\x01");
    }

    #[test]
    fn closing_group() {
        assert_eq!(compress(b""), [0xff; 4]);
        let all: Vec<u8> = (0..32).collect();
        assert_eq!(compress(&all), [&[0; 4], &all[..], &[0xff; 4]].concat());
    }

    #[test]
    fn length_forms() {
        // One literal and one match of the given length, one byte back.
        let run = |length: usize| compress(&vec![b'a'; length + 1])[5..].to_vec();
        assert_eq!(run(3), [0, 0]);
        assert_eq!(run(9), [6, 0]);
        assert_eq!(run(10), [7, 0, 0]);
        assert_eq!(run(24), [7, 0, 14]);
        assert_eq!(run(25), [7, 0, 15, 0]);
        assert_eq!(run(279), [7, 0, 15, 254]);
        assert_eq!(run(280), [7, 0, 15, 255, 0x15, 0x01]);
        assert_eq!(run(65_538), [7, 0, 15, 255, 0xff, 0xff]);
        assert_eq!(run(65_539), [7, 0, 15, 255, 0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn two_long_matches_share_a_byte() {
        let mut input = b"a".repeat(12);
        input.extend(b"b".repeat(13));
        assert_eq!(compress(&input), b"\xff\xff\xff\x5fa\x07\0\x21b\x07\0");
    }

    #[test]
    fn matches_stay_in_the_window() {
        let stream = |gap: usize| compress(&[&b"xyz"[..], &vec![0; gap], b"xyz"].concat());
        // 8,192 bytes back is the largest distance; one more cannot be said.
        assert!(stream(8189).ends_with(&[0xf8, 0xff]));
        assert!(stream(8190).ends_with(b"xyz"));
    }
}
