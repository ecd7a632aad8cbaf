//! LZNT1, the format of NTFS compression (MS-XCA section 2.5).
//!
//! The stream is a sequence of chunks, each led by a little-endian u16: bits 0-11 the length of its data - 1, bits 12-14 the
//! signature 3, bit 15 set if the data is compressed. A chunk decodes to at most 4,096 bytes and refers only to itself. A
//! header of 0, or the end of the input, ends the stream.

use super::{DecompressError, DecompressReason};

/// Most bytes a chunk may decode to.
const CHUNK_SIZE: usize = 4096;

/// Decompresses `input`, which must decode to exactly `expected` bytes, into `output`, whose old content is replaced.
///
/// # Errors
/// The stream is damaged, or decodes to fewer or more bytes. `output` then holds what was decoded before, up to `expected`.
pub fn decompress(input: &[u8], expected: usize, output: &mut Vec<u8>) -> Result<(), DecompressError> {
    output.clear();
    // The decoder gets one chunk at a time: it does not bound a whole stream's output, and within one chunk the worst input
    // gives some 24 KiB.
    let mut decoded = Vec::new();
    let mut at = 0;
    loop {
        let rest = input.get(at..).unwrap_or_default();
        let fail = |output: &Vec<u8>, reason| {
            Err(DecompressError {
                input_offset: at,
                output_len: output.len(),
                reason,
            })
        };
        let Some((header, body)) = rest.split_first_chunk::<2>() else {
            return match rest {
                [] | [0] if output.len() == expected => Ok(()),
                [] | [0] => fail(output, DecompressReason::TooShort { expected }),
                _ => fail(output, DecompressReason::Truncated),
            };
        };
        let header = u16::from_le_bytes(*header);
        if header == 0 {
            let short = output.len() < expected;
            return if short {
                fail(output, DecompressReason::TooShort { expected })
            } else {
                Ok(())
            };
        }
        if header >> 12 & 7 != 3 {
            return fail(output, DecompressReason::BadChunk { header });
        }
        let length = usize::from(header & 0x0fff) + 1;
        let present = length.min(body.len());

        decoded.clear();
        // A cut chunk still gives its start; whether it decodes is no question then.
        let sound = if header & 0x8000 == 0 {
            decoded.extend_from_slice(&body[..present]);
            true
        } else {
            decode_chunk(&body[..present], &mut decoded)
        };
        let oversized = decoded.len() > CHUNK_SIZE;
        decoded.truncate(CHUNK_SIZE);
        let fitting = decoded.len().min(expected - output.len());
        output.extend_from_slice(&decoded[..fitting]);

        if present < length {
            return fail(output, DecompressReason::Truncated);
        } else if !sound || oversized {
            return fail(output, DecompressReason::BadChunk { header });
        } else if fitting < decoded.len() {
            return fail(output, DecompressReason::TooLong { expected });
        }
        at += 2 + length;
    }
}

/// Decodes one compressed chunk's data; on failure `decoded` keeps what came before it.
fn decode_chunk(data: &[u8], decoded: &mut Vec<u8>) -> bool {
    let Some(stored_length) = data.len().checked_sub(1).and_then(|length| u16::try_from(length).ok()) else {
        return data.is_empty();
    };
    let mut framed = Vec::with_capacity(data.len() + 2);
    framed.extend_from_slice(&(0xb000 | stored_length).to_le_bytes());
    framed.extend_from_slice(data);
    ::lznt1::decompress(&framed, decoded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(input: &[u8], expected: usize) -> (Vec<u8>, Result<(), DecompressError>) {
        let mut output = vec![0xee; 7];
        let result = decompress(input, expected, &mut output);
        assert!(output.len() <= expected);
        if let Err(error) = result {
            assert_eq!(error.output_len, output.len());
            assert!(error.input_offset <= input.len());
        }
        (output, result)
    }

    /// The example of MS-XCA, section 3.3.
    const EXAMPLE: &[u8] = &[
        0x38, 0xb0, 0x88, 0x46, 0x23, 0x20, 0x00, 0x20, 0x47, 0x20, 0x41, 0x00, 0x10, 0xa2, 0x47, 0x01, 0xa0, 0x45, 0x20, 0x44,
        0x00, 0x08, 0x45, 0x01, 0x50, 0x79, 0x00, 0xc0, 0x45, 0x20, 0x05, 0x24, 0x13, 0x88, 0x05, 0xb4, 0x02, 0x4a, 0x44, 0xef,
        0x03, 0x58, 0x02, 0x8c, 0x09, 0x16, 0x01, 0x48, 0x45, 0x00, 0xbe, 0x00, 0x9e, 0x00, 0x04, 0x01, 0x18, 0x90, 0x00,
    ];
    const EXAMPLE_TEXT: &[u8] =
        b"F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D D E E F# D E F# G F# D E F# \
        G F# E D E A F# F# G A A G F# E D D E F# E D D\0";

    #[test]
    fn published_example() {
        assert_eq!(run(EXAMPLE, EXAMPLE_TEXT.len()), (EXAMPLE_TEXT.to_vec(), Ok(())));
    }

    /// A literal and a match of `length` from one byte back, for a length of 3 to 4,098.
    fn run_of(byte: u8, length: u16) -> Vec<u8> {
        let [low, high] = (length - 3).to_le_bytes();
        vec![0x03, 0xb0, 0x02, byte, low, high]
    }

    #[test]
    fn plain_and_compressed_chunks() {
        let mut stream = run_of(b'q', 99);
        stream.extend_from_slice(&[0x01, 0x30, b'x', b'y']);
        let mut text = vec![b'q'; 100];
        text.extend_from_slice(b"xy");
        for end in [&[][..], &[0], &[0, 0], &[0, 0, 1, 2, 3]] {
            let whole = [&stream[..], end].concat();
            assert_eq!(run(&whole, 102), (text.clone(), Ok(())));
        }
        let (output, result) = run(&stream, 101);
        assert_eq!(output, text[..101]);
        assert_eq!(result.unwrap_err().reason, DecompressReason::TooLong { expected: 101 });
        let (output, result) = run(&stream, 103);
        assert_eq!(output, text);
        assert_eq!(result.unwrap_err().reason, DecompressReason::TooShort { expected: 103 });
    }

    #[test]
    fn empty() {
        for input in [&[][..], &[0], &[0, 0]] {
            assert_eq!(run(input, 0), (vec![], Ok(())));
        }
    }

    #[test]
    fn chunks_refer_only_to_themselves() {
        let mut stream = vec![0x01, 0x30, b'x', b'y'];
        stream.extend_from_slice(&[0x02, 0xb0, 0x01, 0x00, 0x00]);
        let (output, result) = run(&stream, 10);
        assert_eq!(output, b"xy");
        let error = result.unwrap_err();
        assert_eq!(error.reason, DecompressReason::BadChunk { header: 0xb002 });
        assert_eq!(
            error.to_string(),
            "chunk at input offset 0x4 (header 0xb002) is damaged, after 2 bytes of output"
        );
    }

    #[test]
    fn a_chunk_gives_at_most_4096_bytes() {
        assert_eq!(run(&run_of(b'z', 4095), 4096), (vec![b'z'; 4096], Ok(())));
        let (output, result) = run(&run_of(b'z', 4098), 9999);
        assert_eq!(output, vec![b'z'; 4096]);
        assert_eq!(result.unwrap_err().reason, DecompressReason::BadChunk { header: 0xb003 });
    }

    #[test]
    fn damage_never_panics_and_stays_bounded() {
        let mut stream = run_of(b'q', 99);
        stream.extend_from_slice(&[0x01, 0x30, b'x', b'y']);
        stream.extend_from_slice(&run_of(b'r', 4000));
        let expected = 100 + 2 + 4001;
        assert!(run(&stream, expected).1.is_ok());
        for cut in 0..stream.len() {
            let (output, result) = run(&stream[..cut], expected);
            assert!(result.is_err(), "{cut}");
            assert!(output.len() < expected);
        }
        for at in 0..stream.len() {
            for mask in [1, 0x10, 0x80, 0xff] {
                let mut damaged = stream.clone();
                damaged[at] ^= mask;
                let _ = run(&damaged, expected);
            }
        }
        assert_eq!(
            run(&[0x00, 0xa0, 1], 1).1.unwrap_err().reason,
            DecompressReason::BadChunk { header: 0xa000 }
        );
        assert_eq!(run(&[0x05], 1).1.unwrap_err().reason, DecompressReason::Truncated);
    }
}
