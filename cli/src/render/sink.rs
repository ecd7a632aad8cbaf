//! The seam between what chooses events and what writes them in one form.

use std::io::{self, Write};

use winetl::Event;
use winetl::payload::decoded::Decoded;
use winetl::payload::schemas::Schemas;
use winetl::state::Resolution;

use super::csv::{CsvRows, default_columns};
use super::ecs::EcsLines;
use super::jsonl::{JsonArray, JsonLines};
use super::long::TextBlocks;
use super::paint::Paint;
use super::resolved::Extras;
use super::text::TextLines;
use super::tracerpt_csv::TracerptRows;
use super::xml::XmlEvents;
use crate::args::{Dump, DumpFormat};

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
    /// Length of a timer tick of its trace in 100 ns, if the trace says so.
    pub(crate) timer_resolution: Option<u64>,
}

/// Writes events in one form. What is written of an event does not depend on those before it, so events can be written by
/// several sinks, and their output joined.
pub(crate) trait EventSink {
    /// What stands before the first event.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// What stands before the events of a file, if there are several and their events are not mixed.
    fn file(&mut self, _name: &str, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// What stands between two events, also of different files.
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

/// Makes the sink of a format. `several` says whether more than one file was named.
pub(crate) fn for_format(args: &Dump, several: bool, paint: Paint) -> Box<dyn EventSink + Send> {
    let lines = || JsonLines::new(!args.no_header);
    match args.format {
        DumpFormat::Text if args.long => Box::new(TextBlocks::new(paint)),
        DumpFormat::Text => Box::new(TextLines::new(paint)),
        DumpFormat::Jsonl => Box::new(lines()),
        DumpFormat::Json => Box::new(JsonArray(lines())),
        DumpFormat::Csv if args.columns.is_empty() => Box::new(CsvRows::new(default_columns(args, several))),
        DumpFormat::Csv => Box::new(CsvRows::new(args.columns.clone())),
        DumpFormat::Xml => Box::new(XmlEvents::default()),
        DumpFormat::TracerptCsv => Box::new(TracerptRows::new(several)),
        DumpFormat::Ecs => Box::new(EcsLines::default()),
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
    write_chosen(sink, file, event, schemas, extras, |_| true, out).map(|_| ())
}

/// The same for an event that may turn out not to be wanted by its payload; whether it was.
pub(crate) fn write_chosen(
    sink: &mut dyn EventSink,
    file: Option<&str>,
    event: &Event<'_>,
    schemas: &mut Schemas,
    extras: Extras<'_>,
    is_wanted: impl Fn(&Decoded<'_>) -> bool,
    out: &mut dyn Write,
) -> io::Result<bool> {
    // To resolve costs more than to decode twice.
    if extras.resolve && !is_wanted(&schemas.decode(event)) {
        return Ok(false);
    }
    let process = extras.process(event);
    let resolved = extras.resolve(event, schemas);
    let payload = schemas.decode(event);
    if !is_wanted(&payload) {
        return Ok(false);
    }
    let shown = Shown {
        file,
        event,
        payload: &payload,
        process,
        resolved: resolved.as_ref(),
        timer_resolution: extras.timer_resolution,
    };
    sink.event(&shown, out)?;
    Ok(true)
}
