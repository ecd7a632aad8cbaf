//! Buffers: where each begins and ends in the file, and the area of events within it.

mod area;
mod cursor;
mod header;
mod resync;
mod switches;

pub(crate) use area::{Contents, EventArea};
pub(crate) use cursor::BufferCursor;
pub use header::{ALIGNMENT, BufferInfo};
pub(crate) use header::{Session, least_size};
pub(crate) use switches::{SWITCH_HEAD_SIZE, SwitchTables};
