//! A plain LZNT1 compressor (MS-XCA 2.5): no writer of trace files is known to use it, but the format names it.

/// Most bytes that a chunk holds when decompressed.
const CHUNK: usize = 4096;
/// Signature 3 in bits 12-14 of a chunk header.
const SIGNATURE: u16 = 0x3000;
/// Bit 15 of a chunk header: the chunk is compressed.
const COMPRESSED: u16 = 0x8000;

/// Compresses with LZNT1, each chunk by itself.
pub fn lznt1(input: &[u8]) -> Vec<u8> {
    input
        .chunks(CHUNK)
        .flat_map(|chunk| with_header(COMPRESSED, compress(chunk)))
        .collect()
}

/// Stores chunks as they are, which LZNT1 allows.
pub fn lznt1_stored(input: &[u8]) -> Vec<u8> {
    input.chunks(CHUNK).flat_map(|chunk| with_header(0, chunk.to_vec())).collect()
}

fn with_header(flag: u16, data: Vec<u8>) -> Vec<u8> {
    let header = flag | SIGNATURE | (data.len() - 1) as u16;
    [&header.to_le_bytes()[..], &data].concat()
}

/// Groups of eight tokens behind a byte whose bits, the lowest first, tell which tokens are matches.
fn compress(chunk: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    let (mut at, mut group, mut count) = (0, 0, 8);
    while at < chunk.len() {
        if count == 8 {
            (group, count) = (out.len(), 0);
            out.push(0);
        }
        // The further into the chunk, the more of the 16 bits belong to the distance.
        let distance_bits = (4..12).find(|bits| at <= 1 << bits).unwrap_or(12);
        let longest = (0xFFFF_usize >> distance_bits) + 3;
        let match_len = |start: &usize| {
            (0..longest.min(chunk.len() - at))
                .take_while(|i| chunk[start + i] == chunk[at + i])
                .count()
        };
        match (0..at).max_by_key(match_len).map(|start| (start, match_len(&start))) {
            Some((start, len)) if len >= 3 => {
                out[group] |= 1 << count;
                let token = ((at - start - 1) << (16 - distance_bits)) | (len - 3);
                out.extend((token as u16).to_le_bytes());
                at += len;
            }
            _ => {
                out.push(chunk[at]);
                at += 1;
            }
        }
        count += 1;
    }
    out
}
