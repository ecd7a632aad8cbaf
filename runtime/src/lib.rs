//! Reads Windows Event Trace Log (.etl) files on any operating system, without Windows.

pub mod clock;
mod codegen_prelude;
pub mod compression;
mod context;
pub mod dispatch;
pub mod filetime;
pub mod format;
pub mod guid;
mod layout;
mod read;
pub mod record;
pub mod table;
pub mod text;
#[cfg(test)]
mod vector_check;

pub use context::Context;
pub use layout::{Layout, LayoutError};
