//! The decompressors: the first byte selects the format, two more the size that is expected.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winetl::compression::{CompressionFormat, decompress};

fuzz_target!(|bytes: &[u8]| {
    let [format, low, high, stream @ ..] = bytes else { return };
    let format = [CompressionFormat::XPRESS, CompressionFormat::LZNT1][usize::from(format % 2)];
    let expected = usize::from(u16::from_le_bytes([*low, *high]));
    let mut output = vec![];
    let result = decompress(format, stream, expected, &mut output);
    assert!(output.len() <= expected);
    assert!(result.is_err() || output.len() == expected);
});
