//! The seam between what chooses events and what writes them in one form.

use std::io::{self, Write};

use winetl::Event;
use winetl::payload::decoded::Decoded;
use winetl::payload::schemas::Schemas;
use winetl::state::Resolution;

use super::resolved::Extras;

/// What is shown of one event.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// The file it is of, if more than one was named.
    pub(crate) file: Option<&'a str>,
    pub(crate) event: &'a Event<'a>,
    pub(crate) payload: &'a Decoded<'a>,
    /// Name of its process, if names were asked for.
    pub(crate) process: Option<Option<&'a str>>,
    /// What its numbers stand for, if that was asked for.
    pub(crate) resolved: Option<&'a Resolution<'a>>,
}

/// Writes events in one form. What is written of an event does not depend on those before it, so events can be written by
/// several sinks, and their output joined.
pub(crate) trait EventSink {
    /// What stands before the first event.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// What stands between two events.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Writes one event.
    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// What stands behind the last event.
    fn end(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// Decodes an event as far as `extras` ask for, and hands it to a sink.
pub(crate) fn write_event(
    sink: &mut dyn EventSink,
    file: Option<&str>,
    event: &Event<'_>,
    schemas: &mut Schemas,
    extras: Extras<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let process = extras.process(event);
    let resolved = extras.resolve(event, schemas);
    let payload = schemas.decode(event);
    let shown = Shown {
        file,
        event,
        payload: &payload,
        process,
        resolved: resolved.as_ref(),
    };
    sink.event(&shown, out)
}
