//! Buffers: where each begins and ends in the file, and the area of events within it.

mod area;
mod cursor;
mod header;
mod resync;

pub(crate) use area::EventArea;
pub(crate) use cursor::BufferCursor;
pub use header::BufferInfo;
pub(crate) use header::{ALIGNMENT, Session, least_size};
