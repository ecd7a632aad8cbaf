//! Decompression of buffers (BufferFlag COMPRESSED, 0x0040).
//!
//! A compressed buffer's 0x48-byte header is stored plain; the bytes after it are one compressed stream without a frame,
//! length or checksum. The expected size comes from the buffer header (`Offset` - 0x48), the format from the trace's first
//! buffer. XPRESS is what Windows' trace merger writes; the other formats are defined but have not been seen in a trace.

pub mod lznt1;
pub mod xpress;

use std::fmt;

use crate::table::OpenEnum;

pub use crate::format::CompressionFormat;

impl CompressionFormat {
    /// Whether [`decompress`] can decode the format.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        matches!(self, Self::LZNT1 | Self::XPRESS)
    }
}

impl fmt::Display for CompressionFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry() {
            Some(entry) => f.write_str(entry.label_or_name()),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Why a stream could not be decompressed completely. What had been decoded by then is in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecompressError {
    /// Offset in the compressed input of the item that could not be used.
    pub input_offset: usize,
    /// Number of bytes in the output.
    pub output_len: usize,
    /// What was wrong.
    pub reason: DecompressReason,
}

/// What was wrong with a compressed stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecompressReason {
    /// No decoder for this format.
    Unsupported {
        /// The format.
        format: CompressionFormat,
    },
    /// The input ends inside an item (a flag word, a match, a chunk).
    Truncated,
    /// A match copies from before the start of the output.
    MatchTooFar {
        /// How many bytes back it reaches.
        distance: usize,
    },
    /// A long match length that is shorter than the form it is written in allows.
    BadLength {
        /// The stored value.
        value: u32,
    },
    /// A chunk of LZNT1 is not what its header says, or decodes to more than 4,096 bytes.
    BadChunk {
        /// The chunk's header word.
        header: u16,
    },
    /// The input ends in good order, but before the expected size was reached.
    TooShort {
        /// Expected number of bytes.
        expected: usize,
    },
    /// The expected size was reached with input left. The output holds the expected bytes.
    TooLong {
        /// Expected number of bytes.
        expected: usize,
    },
}

impl fmt::Display for DecompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            input_offset: at,
            output_len: produced,
            reason,
        } = *self;
        match reason {
            DecompressReason::Unsupported { format } => {
                write!(
                    f,
                    "compression format {format} is not supported (supported are XPRESS and LZNT1)"
                )
            }
            DecompressReason::Truncated => {
                write!(
                    f,
                    "compressed data ends inside the item at input offset {at:#x}, after {produced} bytes of output"
                )
            }
            DecompressReason::MatchTooFar { distance } => {
                write!(
                    f,
                    "match at input offset {at:#x} reaches {distance} bytes back, only {produced} were produced"
                )
            }
            DecompressReason::BadLength { value } => {
                write!(
                    f,
                    "match at input offset {at:#x} has the long length value {value}, expected 22 or more"
                )
            }
            DecompressReason::BadChunk { header } => {
                write!(
                    f,
                    "chunk at input offset {at:#x} (header {header:#06x}) is damaged, after {produced} bytes of output"
                )
            }
            DecompressReason::TooShort { expected } => {
                write!(
                    f,
                    "compressed data ends at input offset {at:#x} after {produced} bytes, expected {expected}"
                )
            }
            DecompressReason::TooLong { expected } => {
                write!(
                    f,
                    "compressed data goes on at input offset {at:#x} after the expected {expected} bytes"
                )
            }
        }
    }
}

impl std::error::Error for DecompressError {}

/// Decompresses `input`, which must decode to exactly `expected` bytes, into `output`, whose old content is replaced.
///
/// `output` never grows beyond `expected`, and not to `expected` before the input has given a reason to: a small input with
/// a huge expected size costs little. The caller bounds `expected`.
///
/// # Errors
/// The format has no decoder, or the stream is damaged or of another length. `output` then holds what was decoded before.
pub fn decompress(format: CompressionFormat, input: &[u8], expected: usize, output: &mut Vec<u8>) -> Result<(), DecompressError> {
    match format {
        CompressionFormat::XPRESS => xpress::decompress(input, expected, output),
        CompressionFormat::LZNT1 => lznt1::decompress(input, expected, output),
        _ => {
            output.clear();
            Err(DecompressError {
                input_offset: 0,
                output_len: 0,
                reason: DecompressReason::Unsupported { format },
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_by_format() {
        let mut output = vec![9; 3];
        let literals = [0x1f, 0xff, 0xff, 0x1f, b'a', b'b', b'c'];
        decompress(CompressionFormat(3), &literals, 3, &mut output).unwrap();
        assert_eq!(output, b"abc");
        decompress(CompressionFormat(2), &[2, 0x30, b'x', b'y', b'z', 0], 3, &mut output).unwrap();
        assert_eq!(output, b"xyz");
    }

    #[test]
    fn unsupported_formats_are_named() {
        for (number, name) in [(0, "none"), (1, "1"), (4, "XPRESS Huffman"), (5, "XP10"), (0xFFFF, "65535")] {
            let format = CompressionFormat(number);
            assert!(!format.is_supported());
            let mut output = vec![9; 3];
            let error = decompress(format, &[0; 8], 8, &mut output).unwrap_err();
            assert_eq!(error.reason, DecompressReason::Unsupported { format });
            let message = error.to_string();
            assert!(
                message.starts_with(&format!("compression format {name} is not supported")),
                "{message}"
            );
            assert!(output.is_empty());
        }
        assert!(CompressionFormat::XPRESS.is_supported() && CompressionFormat::LZNT1.is_supported());
    }
}
