//! Damaged compressed buffers, each the second of three.

use super::damage::{sound, sound_with};
use super::{Sample, plain_buffer, sample};
use crate::synth::damage::cut;
use crate::synth::{Buffer, Event, Fill, Payload, Trace, garbage};
use crate::xpress;

pub(super) const SAMPLES: &[Sample] = &[
    sample(
        "damage-compressed-offset",
        "A compressed buffer whose stream copies from before its start",
        || compressed_bad(BAD_OFFSET.to_vec(), 312),
    ),
    sample(
        "damage-compressed-cut",
        "A compressed buffer whose stream lacks its second half",
        compressed_cut,
    ),
    sample(
        "damage-compressed-long",
        "A compressed buffer that decompresses to more than Offset says",
        || compressed_bad(xpress::compress(&plain_buffer(0, 2, 4, 3, 200).area()), 208),
    ),
    sample(
        "damage-compressed-bomb",
        "A compressed stream of 15 bytes that claims and yields almost 4 GiB",
        || compressed_bad(BOMB.to_vec(), 0xFFFF_FFB0),
    ),
    sample("damage-compressed-empty", "A compressed buffer without a stream", || {
        compressed_bad(vec![], 312)
    }),
    sample(
        "damage-compressed-file-cut",
        "A compressed file, cut inside its last buffer",
        compressed_file_cut,
    ),
    sample(
        "damage-compression-xp10",
        "Compression format 5 (XP10), which no public reader knows",
        || compression(5),
    ),
    sample(
        "damage-compression-unknown",
        "Compression format 9, which does not exist",
        || compression(9),
    ),
];

/// XPRESS: four literals, then a match (low bits 0: length 3) at offset 0x1FFF + 1.
const BAD_OFFSET: [u8; 10] = [0, 0, 0, 0x08, b'a', b'b', b'c', b'd', 0xF8, 0xFF];

/// XPRESS: one literal, then a match at offset 1 of length 3 + 0xFFFFFFAC: 0xFFFFFFB0 bytes in all.
const BOMB: [u8; 15] = [
    0xFF, 0xFF, 0xFF, 0x7F, 0x00, 0x07, 0x00, 0x0F, 0xFF, 0x00, 0x00, 0xAC, 0xFF, 0xFF, 0xFF,
];

/// A compressed file whose second buffer has this stream.
fn compressed_bad(stream: Vec<u8>, len: usize) -> Vec<u8> {
    sound_with(Buffer::new(0, 2).compressed_stream(stream, len))
        .compressed()
        .build()
}

fn compressed_cut() -> Vec<u8> {
    let area = plain_buffer(0, 2, 4, 3, 200).area();
    let stream = xpress::compress(&area);
    let half = stream.len() / 2;
    compressed_bad(cut(stream, half), area.len())
}

fn compressed_file_cut() -> Vec<u8> {
    let file = sound().compressed().build();
    let len = file.len() - 20;
    cut(file, len)
}

fn compression(format: u32) -> Vec<u8> {
    // What the buffers hold does not matter: their compression is not known.
    sound_with(Buffer::new(0, 2).rest(Fill::Ones).compressed_stream(garbage(120, 5), 312))
        .compressed()
        .header_buffer(|header| header.state(format))
        .header_event(
            Event::perfinfo64(0x0042, 2)
                .at(Trace::qpc(0))
                .payload(Payload::new().ansi_z("synthetic build")),
        )
        .build()
}
