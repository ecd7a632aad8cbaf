//! The orders in which the events of a trace can be read.

mod collect;
mod decode;
mod file;
mod index;
mod time;

pub use collect::Survey;
pub(crate) use collect::{Collector, survey};
pub use decode::Ahead;
pub(crate) use decode::{ALL, Decoded};
pub(crate) use file::FileOrder;
pub(crate) use index::{BufferIndex, summarise};
pub(crate) use time::TimeOrder;

/// Order of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By time, across processors. Events of the same time keep the order of header buffer, then processor, then file.
    #[default]
    Time,
    /// As they lie in the file.
    File,
}
