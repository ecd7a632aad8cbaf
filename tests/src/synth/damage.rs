//! Damage done to a finished file.

/// Cuts a file after `len` bytes.
pub fn cut(mut file: Vec<u8>, len: usize) -> Vec<u8> {
    file.truncate(len);
    file
}

/// Overwrites bytes of a file.
pub fn patch<const N: usize>(mut file: Vec<u8>, at: usize, value: [u8; N]) -> Vec<u8> {
    super::bytes::put(&mut file, at, value);
    file
}

/// Puts bytes between the bytes of a file, for example between two buffers.
pub fn insert(mut file: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    file.splice(at..at, bytes.iter().copied());
    file
}
