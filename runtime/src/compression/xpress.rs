//! XPRESS, the "plain LZ77" of MS-XCA (sections 2.3 and 2.4).
//!
//! The stream is a sequence of items, 32 at a time, each group led by a little-endian u32 of flags that are used from bit 31
//! down. Flag 0: a literal byte. Flag 1: a match, u16 `m` with distance `(m >> 3) + 1` and length code `m & 7`. A length
//! code of 7 goes on in a 4-bit value (two successive such matches share one byte, low half first), that in a byte, that in
//! a u16 and that in a u32. Unused flags of the last group are 1, so "a match, but no input" is the regular end.

use super::{DecompressError, DecompressReason};

/// How much room the output gets at first, per byte of input and at least; more only once the input has filled it.
const FIRST_ROOM_PER_BYTE: usize = 16;
const FIRST_ROOM: usize = 64 * 1024;

/// The end mark: a whole group of unused flags, written when the group before was used up exactly.
const END_GROUP: [u8; 4] = [0xff; 4];

/// Decompresses `input`, which must decode to exactly `expected` bytes, into `output`, whose old content is replaced.
///
/// # Errors
/// The stream is damaged, or decodes to fewer or more bytes. `output` then holds what was decoded before, up to `expected`.
pub fn decompress(input: &[u8], expected: usize, output: &mut Vec<u8>) -> Result<(), DecompressError> {
    let room = input.len().saturating_mul(FIRST_ROOM_PER_BYTE).max(FIRST_ROOM);
    // Sized, not cleared: every byte up to the final length is written before it can be read.
    output.resize(expected.min(room), 0);
    let mut decoder = Decoder {
        input,
        at: 0,
        expected,
        output,
        len: 0,
        item: 0,
    };
    let result = decoder.run();
    let Decoder { item, len, .. } = decoder;
    output.truncate(len);
    result.map_err(|reason| DecompressError {
        input_offset: item,
        output_len: len,
        reason,
    })
}

struct Decoder<'a> {
    input: &'a [u8],
    /// Read position in `input`.
    at: usize,
    expected: usize,
    /// Sized ahead of what is decoded, up to `expected`.
    output: &'a mut Vec<u8>,
    /// Number of bytes decoded.
    len: usize,
    /// Where the item being read starts, for errors.
    item: usize,
}

impl Decoder<'_> {
    fn run(&mut self) -> Result<(), DecompressReason> {
        let mut half_byte = None;
        loop {
            self.item = self.at;
            if self.len == self.expected && self.rest_is_end() {
                return Ok(());
            }
            let Some(group) = self.take::<4>() else {
                return Err(if self.at == self.input.len() {
                    self.too_short()
                } else {
                    DecompressReason::Truncated
                });
            };
            let mut flags = u32::from_le_bytes(group);
            let mut left = 32;
            while left > 0 {
                // A run of literals (often none) and the match after it go in one round: a branch that asks whether there are
                // literals would be mispredicted too often.
                let literals = flags.leading_zeros().min(left);
                self.literals(literals as usize)?;
                left -= literals;
                if left == 0 {
                    break;
                }
                flags <<= literals;
                self.item = self.at;
                let Some(word) = self.take::<2>() else {
                    return if self.at < self.input.len() {
                        Err(DecompressReason::Truncated)
                    } else if self.len < self.expected {
                        Err(self.too_short())
                    } else {
                        Ok(())
                    };
                };
                let word = u16::from_le_bytes(word);
                let distance = usize::from(word >> 3) + 1;
                let code = usize::from(word & 7);
                let length = if code < 7 {
                    code + 3
                } else {
                    self.long_length(&mut half_byte)?
                };
                self.copy(distance, length)?;
                flags <<= 1;
                left -= 1;
            }
        }
    }

    /// Whether nothing but the end follows, between two groups.
    fn rest_is_end(&self) -> bool {
        let rest = self.input.get(self.at..).unwrap_or_default();
        rest.is_empty() || rest == END_GROUP
    }

    fn too_short(&self) -> DecompressReason {
        DecompressReason::TooShort { expected: self.expected }
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.input.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(bytes)
    }

    /// Copies `count` literals, 0 to 32.
    #[inline(always)]
    fn literals(&mut self, count: usize) -> Result<(), DecompressReason> {
        // A copy of fixed size is several times as fast as one of `count` bytes. What it writes too much lies behind the
        // decoded bytes and is overwritten or cut off.
        if let Some(source) = self.input.get(self.at..).and_then(|rest| rest.first_chunk::<32>())
            && let Some(target) = self.output.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut::<32>())
        {
            if count <= 8 {
                target[..8].copy_from_slice(&source[..8]);
            } else {
                *target = *source;
            }
            self.at += count;
            self.len += count;
            return Ok(());
        }
        self.literals_at_an_end(count)
    }

    #[cold]
    #[inline(never)]
    fn literals_at_an_end(&mut self, count: usize) -> Result<(), DecompressReason> {
        let present = count.min(self.input.len() - self.at);
        let fitting = self.make_room(present);
        self.output[self.len..self.len + fitting].copy_from_slice(&self.input[self.at..self.at + fitting]);
        self.at += fitting;
        self.len += fitting;
        self.item = self.at;
        if fitting < present {
            Err(DecompressReason::TooLong { expected: self.expected })
        } else if present < count && self.len < self.expected {
            Err(self.too_short())
        } else {
            // Flags that announce literals after the last one are wrong, but nothing is missing.
            Ok(())
        }
    }

    /// Grows the output so that `wanted` more bytes fit, as far as `expected` allows; returns how many do.
    fn make_room(&mut self, wanted: usize) -> usize {
        let fitting = wanted.min(self.expected - self.len);
        let needed = self.len + fitting;
        if needed > self.output.len() {
            self.output
                .resize(needed.max(self.output.len().saturating_mul(2)).min(self.expected), 0);
        }
        fitting
    }

    /// The length of a match whose length code is 7.
    #[inline]
    fn long_length(&mut self, half_byte: &mut Option<u8>) -> Result<usize, DecompressReason> {
        let half = match half_byte.take() {
            Some(high) => high,
            None => {
                let [byte] = self.take().ok_or(DecompressReason::Truncated)?;
                *half_byte = Some(byte >> 4);
                byte & 15
            }
        };
        if half < 15 {
            return Ok(usize::from(half) + 10);
        }
        let [byte] = self.take().ok_or(DecompressReason::Truncated)?;
        if byte < 255 {
            return Ok(usize::from(byte) + 25);
        }
        let mut value = u32::from(u16::from_le_bytes(self.take().ok_or(DecompressReason::Truncated)?));
        if value == 0 {
            value = u32::from_le_bytes(self.take().ok_or(DecompressReason::Truncated)?);
        }
        if value < 22 {
            return Err(DecompressReason::BadLength { value });
        }
        Ok(usize::try_from(value).unwrap_or(usize::MAX).saturating_add(3))
    }

    /// Appends `length` bytes from `distance` bytes back; the ranges may overlap.
    #[inline(always)]
    fn copy(&mut self, distance: usize, length: usize) -> Result<(), DecompressReason> {
        if distance > self.len {
            return Err(DecompressReason::MatchTooFar { distance });
        }
        let start = self.len - distance;
        // Most matches: short, and not overlapping within one chunk. As with literals, the surplus does no harm.
        if distance >= 16
            && length <= 32
            && let Some(window) = self.output.get_mut(start..self.len + 32)
            && let Some((source, rest)) = window.split_first_chunk_mut::<16>()
        {
            let first = *source;
            rest[distance - 16..distance].copy_from_slice(&first);
            let mut second = [0; 16];
            second.copy_from_slice(&rest[..16]);
            rest[distance..distance + 16].copy_from_slice(&second);
            self.len += length;
            return Ok(());
        }
        self.copy_any(start, length)
    }

    #[inline(never)]
    fn copy_any(&mut self, start: usize, length: usize) -> Result<(), DecompressReason> {
        let fitting = self.make_room(length);
        let end = self.len + fitting;
        let distance = self.len - start;
        if distance == 1 {
            let byte = self.output[start];
            self.output[self.len..end].fill(byte);
            self.len = end;
        } else if distance < 8 && fitting < 16 {
            for at in self.len..end {
                self.output[at] = self.output[at - distance];
            }
            self.len = end;
        } else {
            // What was copied repeats with the same period, so each round can copy all from `start` to the end so far.
            while self.len < end {
                let count = (self.len - start).min(end - self.len);
                self.output.copy_within(start..start + count, self.len);
                self.len += count;
            }
        }
        if fitting < length {
            Err(DecompressReason::TooLong { expected: self.expected })
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decompresses into a vector with old content and checks what holds for every input.
    fn run(input: &[u8], expected: usize) -> (Vec<u8>, Result<(), DecompressError>) {
        let mut output = vec![0xee; 7];
        let result = decompress(input, expected, &mut output);
        assert!(output.len() <= expected);
        match result {
            Ok(()) => assert_eq!(output.len(), expected),
            Err(error) => {
                assert_eq!(error.output_len, output.len());
                assert!(error.input_offset <= input.len());
            }
        }
        (output, result)
    }

    /// The definition, one flag at a time; gives what is decoded before any damage.
    fn naive(input: &[u8], limit: usize) -> Vec<u8> {
        fn next(bytes: &mut std::slice::Iter<'_, u8>, count: usize) -> Option<usize> {
            (0..count).try_fold(0, |value, i| Some(value | usize::from(*bytes.next()?) << (8 * i)))
        }
        fn item(
            bytes: &mut std::slice::Iter<'_, u8>,
            flag: bool,
            half: &mut Option<usize>,
            out: &mut Vec<u8>,
            limit: usize,
        ) -> Option<()> {
            if !flag {
                out.push(next(bytes, 1)? as u8);
                return Some(());
            }
            let word = next(bytes, 2)?;
            let mut length = (word & 7) + 3;
            if length == 10 {
                let nibble = match half.take() {
                    Some(high) => high,
                    None => {
                        let byte = next(bytes, 1)?;
                        *half = Some(byte >> 4);
                        byte & 15
                    }
                };
                length += nibble;
                if nibble == 15 {
                    let byte = next(bytes, 1)?;
                    length += byte;
                    if byte == 255 {
                        let value = match next(bytes, 2)? {
                            0 => next(bytes, 4)?,
                            value => value,
                        };
                        length = value.checked_sub(22)? + 25;
                    }
                }
            }
            for _ in 0..length.min(limit - out.len()) {
                out.push(*out.get(out.len().checked_sub((word >> 3) + 1)?)?);
            }
            Some(())
        }
        let (mut bytes, mut out, mut half) = (input.iter(), Vec::new(), None);
        while let Some(flags) = next(&mut bytes, 4) {
            for bit in (0..32).rev() {
                if out.len() == limit || item(&mut bytes, flags >> bit & 1 == 1, &mut half, &mut out, limit).is_none() {
                    return out;
                }
            }
        }
        out
    }

    /// Examples of MS-XCA, section 3.1.
    const ALPHABET: &[u8] = b"\x3f\0\0\0abcdefghijklmnopqrstuvwxyz";
    const ABC_300: &[u8] = b"\xff\xff\xff\x1fabc\x17\0\x0f\xff\x26\x01";

    /// Every form of item: runs of literals across a group's end, matches of each length form, shared half bytes, distances
    /// from 1 to 70, and the closing group of flags.
    fn every_form() -> Vec<u8> {
        let mut stream = vec![0, 0, 0, 0];
        stream.extend(0x40..0x60);
        // 8 literals, then 24 matches.
        stream.extend(0x00ff_ffffu32.to_le_bytes());
        stream.extend(0x60..0x68);
        let matches: [(u16, &[u8]); 24] = [
            (1, &[0]),
            (2, &[6]),
            (3, &[7, 0x21]),                               // 11, and a 2 for the next long match
            (5, &[7]),                                     // 12
            (8, &[7, 0xff, 0]),                            // 25; a 15 for the next
            (9, &[7, 40]),                                 // 65
            (15, &[7, 0x3f, 254]),                         // 279; a 3 for the next
            (16, &[7]),                                    // 13
            (17, &[7, 0x0f, 255, 22, 0]),                  // 25; a 0 for the next
            (20, &[7]),                                    // 10
            (40, &[7, 0x0f, 255, 0, 2]),                   // 515
            (70, &[7]),                                    // 10
            (33, &[7, 0x0f, 255, 0, 0, 0x70, 0x11, 1, 0]), // 70,003
            (64, &[7]),
            (1, &[7, 0x05]),
            (4, &[5]),
            (6, &[4]),
            (7, &[3]),
            (10, &[2]),
            (12, &[1]),
            (31, &[6]),
            (32, &[6]),
            (48, &[6]),
            (70, &[6]),
        ];
        for (distance, rest) in matches {
            stream.extend(((distance - 1) << 3 | u16::from(rest[0])).to_le_bytes());
            stream.extend(&rest[1..]);
        }
        stream.extend(END_GROUP);
        stream
    }

    #[test]
    fn published_examples() {
        assert_eq!(run(ALPHABET, 26), (b"abcdefghijklmnopqrstuvwxyz".to_vec(), Ok(())));
        assert_eq!(run(ABC_300, 300), (b"abc".repeat(100), Ok(())));
    }

    #[test]
    fn every_form_of_item() {
        let stream = every_form();
        let plain = naive(&stream, usize::MAX);
        assert!(plain.len() > FIRST_ROOM);
        assert_eq!(run(&stream, plain.len()), (plain.clone(), Ok(())));
        // The closing group is not required.
        assert_eq!(run(&stream[..stream.len() - 4], plain.len()), (plain, Ok(())));
    }

    #[test]
    fn overlapping_matches_of_every_distance_and_length() {
        for distance in 1..=40u16 {
            for length in 3..=60usize {
                let mut stream = vec![0, 0, 0, 0];
                stream.extend(0x20..0x40);
                stream.extend(0x00ff_ffffu32.to_le_bytes());
                stream.extend(0x40..0x48);
                stream.extend(((distance - 1) << 3 | (length as u16 - 3).min(7)).to_le_bytes());
                match length {
                    3..=9 => {}
                    10..=24 => stream.push(length as u8 - 10),
                    _ => stream.extend([15, length as u8 - 25]),
                }
                let mut plain: Vec<u8> = (0x20..0x48).collect();
                for _ in 0..length {
                    plain.push(plain[plain.len() - usize::from(distance)]);
                }
                assert_eq!(run(&stream, 40 + length), (plain, Ok(())), "{distance} {length}");
            }
        }
    }

    #[test]
    fn wrong_sizes_keep_what_was_decoded() {
        for (stream, plain) in [
            (ALPHABET, b"abcdefghijklmnopqrstuvwxyz".to_vec()),
            (ABC_300, b"abc".repeat(100)),
        ] {
            for expected in 0..plain.len() {
                let (output, result) = run(stream, expected);
                assert_eq!(output, plain[..expected]);
                assert_eq!(result.unwrap_err().reason, DecompressReason::TooLong { expected });
            }
            for expected in [plain.len() + 1, plain.len() + 99, 64 << 20] {
                let (output, result) = run(stream, expected);
                assert_eq!(output, plain);
                assert_eq!(result.unwrap_err().reason, DecompressReason::TooShort { expected });
            }
        }
    }

    #[test]
    fn a_large_expected_size_reserves_little() {
        let mut output = Vec::new();
        assert!(decompress(ABC_300, 64 << 20, &mut output).is_err());
        assert!(output.capacity() <= 2 * FIRST_ROOM);
    }

    #[test]
    fn empty_output() {
        for stream in [&[][..], &END_GROUP] {
            assert_eq!(run(stream, 0), (vec![], Ok(())));
            assert_eq!(
                run(stream, 1).1.unwrap_err().reason,
                DecompressReason::TooShort { expected: 1 }
            );
        }
        assert_eq!(run(&[0xff; 3], 0).1.unwrap_err().reason, DecompressReason::Truncated);
    }

    #[test]
    fn errors_name_offset_and_numbers() {
        let error = |stream: &[u8]| run(stream, 1000).1.unwrap_err().to_string();
        let mut stream = b"\xff\xff\xff\x0fabcd".to_vec();
        stream.extend((8u16 << 3).to_le_bytes());
        assert_eq!(
            error(&stream),
            "match at input offset 0x8 reaches 9 bytes back, only 4 were produced"
        );
        assert_eq!(
            error(&stream[..9]),
            "compressed data ends inside the item at input offset 0x8, after 4 bytes of output"
        );
        assert_eq!(
            error(&stream[..8]),
            "compressed data ends at input offset 0x8 after 4 bytes, expected 1000"
        );
        assert_eq!(
            error(&stream[..6]),
            "compressed data ends at input offset 0x6 after 2 bytes, expected 1000"
        );
        let short = [0xff, 0xff, 0xff, 0x7f, b'a', 7, 0, 15, 255, 21, 0];
        assert_eq!(
            error(&short),
            "match at input offset 0x5 has the long length value 21, expected 22 or more"
        );
        let long = [0xff, 0xff, 0xff, 0x7f, b'a', 7, 0, 15, 255, 0, 0, 255, 255, 255, 255];
        let (output, result) = run(&long, 1000);
        assert_eq!(output, [b'a'; 1000]);
        assert_eq!(
            result.unwrap_err().to_string(),
            "compressed data goes on at input offset 0x5 after the expected 1000 bytes"
        );
    }

    #[test]
    fn damage_never_panics_and_keeps_what_came_before() {
        let stream = every_form();
        let size = naive(&stream, usize::MAX).len();
        for cut in 0..stream.len() - 4 {
            let (output, result) = run(&stream[..cut], size);
            assert_eq!(output, naive(&stream[..cut], size), "{cut}");
            assert!(result.is_err(), "{cut}");
        }
        for at in 0..stream.len() {
            for mask in [0x01, 0x08, 0x10, 0x80, 0xff] {
                let mut damaged = stream.clone();
                damaged[at] ^= mask;
                assert!(run(&damaged, size).0 == naive(&damaged, size), "{at} {mask}");
            }
        }
    }
}
