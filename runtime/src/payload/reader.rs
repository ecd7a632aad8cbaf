//! Reading position in a payload.

use crate::context::Context;

/// The payload ends too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Short;

#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(super) context: Context,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], context: Context) -> Self {
        Self { bytes, at: 0, context }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        self.bytes.get(from..to).unwrap_or_default()
    }

    pub(super) fn pointer_size(&self) -> usize {
        usize::from(self.context.pointer_size)
    }

    #[inline]
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Short> {
        let taken = self.rest().get(..count).ok_or(Short)?;
        self.at += count;
        Ok(taken)
    }

    #[inline]
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Short> {
        let taken = *self.rest().first_chunk::<N>().ok_or(Short)?;
        self.at += N;
        Ok(taken)
    }

    #[inline]
    pub(super) fn unsigned(&mut self, size: usize) -> Result<u64, Short> {
        Ok(match size {
            1 => u64::from(u8::from_le_bytes(self.array()?)),
            2 => u64::from(u16::from_le_bytes(self.array()?)),
            4 => u64::from(u32::from_le_bytes(self.array()?)),
            _ => u64::from_le_bytes(self.array()?),
        })
    }

    /// Passes over the bytes up to a multiple of `alignment`.
    pub(super) fn align(&mut self, alignment: usize) {
        self.at = self.at.next_multiple_of(alignment.max(1)).min(self.bytes.len());
    }
}
