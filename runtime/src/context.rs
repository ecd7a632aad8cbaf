//! What structures are read with, besides their bytes.

/// Facts about the data that change its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// Bytes of a pointer in the data: 4 or 8.
    pub pointer_size: u8,
    /// Log file format version: major in the high byte, minor in the low byte. Windows 7 and later write 0x0105.
    pub log_version: u16,
}

impl Context {
    /// The same context for data of another pointer size.
    #[must_use]
    pub const fn with_pointer_size(self, pointer_size: u8) -> Self {
        Self { pointer_size, ..self }
    }
}

impl Default for Context {
    /// 64-bit data of format version 1.5, which every Windows since 7 writes.
    fn default() -> Self {
        Self {
            pointer_size: 8,
            log_version: 0x0105,
        }
    }
}
