//! Reads Windows Event Trace Log (.etl) files on any operating system, without Windows.

mod buffer;
pub mod clock;
mod codegen_prelude;
pub mod compression;
mod context;
pub mod dispatch;
mod error;
mod event;
pub mod filetime;
pub mod format;
pub mod guid;
mod layout;
mod limits;
mod logfile;
mod order;
pub mod payload;
mod read;
pub mod record;
mod report;
mod source;
pub mod table;
pub mod text;
mod trace;
#[cfg(test)]
mod vector_check;

pub use buffer::BufferInfo;
pub use context::Context;
pub use error::Error;
pub use event::{Event, ExtendedItem, ExtendedItems};
pub use filetime::Filetime;
pub use format::roles::{BufferRoles, EventRoles, ItemRoles, LogfileRoles};
pub use guid::Guid;
pub use layout::{Layout, LayoutError};
pub use limits::Limits;
pub use logfile::Logfile;
pub use order::Order;
pub use report::{Damage, DamageKind, Note, Report};
pub use source::Source;
pub use trace::{BufferSummary, Buffers, Events, TraceFile};
