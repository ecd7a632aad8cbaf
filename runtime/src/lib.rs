//! Reads Windows Event Trace Log (.etl) files on any operating system, without Windows and without its API.
//!
//! ```no_run
//! use winetl::{EventRoles, Order, TraceFile};
//!
//! let trace = TraceFile::open("trace.etl")?;
//! let mut events = trace.events(Order::Time);
//! while let Some(event) = events.next() {
//!     println!("{:?} {:?} {} bytes", event.time(), event.header().process_id(), event.payload().len());
//! }
//! for damage in events.report().damages() {
//!     eprintln!("{damage}");
//! }
//! # Ok::<(), winetl::Error>(())
//! ```
//!
//! # The format
//!
//! A log file is a row of **buffers**. Each begins with a `WMI_BUFFER_HEADER` that says how many bytes the buffer takes in the file
//! (`BufferSize`, the distance to the next), how many of them are filled (`Offset`; the older `SavedOffset` does not bound the
//! events), which processor filled it, and whether its events are compressed. There is no magic number: a file is a trace if its first
//! buffer is a header buffer whose first event carries the `TRACE_LOGFILE_HEADER`.
//!
//! The **logfile header** says for the whole trace which Windows wrote it, when, with which clock, and what was lost. While a session
//! runs, and after a crash, its end time and number of buffers are 0.
//!
//! **Events** follow the buffer header, each at a multiple of 8 bytes. Their first four bytes tell the kind of header: the kernel's
//! own (system, compact and performance headers), those of classic providers (full and instance headers), of manifest-based and
//! TraceLogging providers (`EVENT_HEADER`), and of WPP software tracing (messages). An `EVENT_HEADER` may be followed by
//! **extended data items** such as stacks. What remains is the **payload**. Its pointer size is that of the event, which need not
//! be that of the trace.
//!
//! The payloads of the kernel events that profilers and forensic tools work with are structures too: [`Event::typed`] gives a
//! [`TypedEvent`] to match on. Every other payload is read as names and values.
//!
//! **Time stamps** are ticks of the session's clock, converted by [`clock::Clock`]. Buffers lie in the file as they were flushed, so
//! file order is not time order: [`Order::Time`] merges the streams of the processors.
//!
//! # How it is made
//!
//! Every layout is generated from the YAML files in `schema/`; see [`format`](mod@format). Code that needs a field asks for its role
//! ([`EventRoles`], [`BufferRoles`], [`LogfileRoles`], [`ItemRoles`]), never for its name or place. Everything that prints goes through
//! [`record::Record`].
//!
//! # Damage and hostile input
//!
//! Only a file that does not begin as a trace is an [`Error`]. All else is read, and [`Report`] says which bytes were lost and why. No
//! input makes the reader panic, and memory is bounded by [`Limits`]: one buffer at a time in file order, one for each processor in
//! order of time.

mod buffer;
pub mod clock;
mod codegen_prelude;
pub mod compression;
mod context;
pub mod dispatch;
pub mod dynamic;
mod error;
mod event;
mod executor;
pub mod filetime;
pub mod format;
pub mod guid;
mod layout;
mod limits;
mod logfile;
mod order;
pub mod payload;
mod payload_fields;
mod providers;
mod read;
pub mod record;
mod report;
mod source;
pub mod state;
pub mod table;
pub mod text;
mod trace;
#[cfg(test)]
mod vector_check;
mod walk;

pub use buffer::{ALIGNMENT, BufferInfo};
pub use context::Context;
pub use error::Error;
pub use event::{Event, ExtendedItem, ExtendedItems};
pub use executor::{BufferTables, EventHeader, Interpretation, Interpreter, WalkStructure};
pub use filetime::Filetime;
pub use format::TypedEvent;
pub use format::roles::{BufferRoles, EventRoles, ItemRoles, LogfileRoles};
pub use guid::Guid;
pub use layout::{Layout, LayoutError};
pub use limits::Limits;
pub use logfile::Logfile;
pub use order::{Ahead, Order, Survey};
pub use providers::{ProviderInfo, kernel_provider, provider, provider_name};
pub use report::{Damage, DamageKind, Note, Report};
pub use source::Source;
pub use trace::{BufferSummary, Buffers, Events, TraceFile};
pub use walk::Walk;
