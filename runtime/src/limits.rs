//! Bounds on what a file can make the reader do.

/// Bounds on memory, whatever a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest buffer in bytes, as stored and decompressed. Windows allows 16 MiB; the default is 64 MiB.
    pub max_buffer_size: u32,
    /// Most buffers that are put in order by time; 40 bytes of memory each. A file with more is read in file order. The default
    /// is 1,048,576, which is 64 GiB of 64 KiB buffers.
    pub max_ordered_buffers: usize,
    /// Most bytes of buffers held at once to put events in order by time, which takes one buffer for each processor. A file that
    /// needs more is read in file order. The default is 512 MiB.
    pub max_merge_bytes: u64,
    /// Most damages that are kept with their details; further ones are counted. The default is 10,000.
    pub max_damages: usize,
    /// Most bytes that are kept of what events say of the context of others ([`SessionState`](crate::state::SessionState)); further
    /// facts are counted. The default is 512 MiB.
    pub max_state_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_buffer_size: 64 << 20,
            max_ordered_buffers: 1 << 20,
            max_merge_bytes: 512 << 20,
            max_damages: 10_000,
            max_state_bytes: 512 << 20,
        }
    }
}
