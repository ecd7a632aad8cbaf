//! Builds trace files byte by byte.
//!
//! ```
//! use winetl_tests::synth::{Buffer, Descriptor, Event, Trace, guid};
//!
//! let provider = guid("5e7d0001-0000-4000-8000-000000000001");
//! let event = Event::header64(provider, Descriptor { id: 7, ..Descriptor::default() }).at(123_456_790_000).payload(*b"data");
//! let file = Trace::new64().clock_qpc().buffer(Buffer::new(0, 1).event(event)).build();
//! assert_eq!(file.len(), 2 * 1024);
//! ```
//!
//! Every `put` below names the field it writes. Offsets are those of Microsoft's structures (`evntrace.h`, `evntcons.h`,
//! `ntwmi.h`); where a builder can write something Windows never does, its documentation says so.

mod buffer;
mod bytes;
pub mod damage;
mod event;
mod items;
mod logfile;
mod lznt1;
mod message;
mod switches;
mod trace;
mod tracelogging;

pub use buffer::{Buffer, Fill};
pub use bytes::{Guid, NO_GUID, Payload, filetime, garbage, guid};
pub use event::{Descriptor, Event};
pub use items::{Item, sid};
pub use logfile::{Logfile, PERF_FREQ, START_RAW, START_TIME};
pub use lznt1::{lznt1, lznt1_stored};
pub use message::Message;
pub use switches::Switches;
pub use trace::Trace;
pub use tracelogging::TlSchema;

#[cfg(test)]
mod unit_tests;
