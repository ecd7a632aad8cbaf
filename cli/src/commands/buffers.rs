//! `winetl buffers`: one line for each buffer of a file.

use std::io;

use serde::Serialize;
use winetl::clock::Clock;
use winetl::{BufferInfo, BufferRoles, BufferSummary, Filetime, Logfile};

use super::Streams;
use crate::args::{BufferFormat, Buffers};
use crate::render::json::push_line;
use crate::render::labels::{Explained, explained};
use crate::render::paint::Role;
use crate::render::value::{JsonRecord, JsonTime};

/// Heading of the table; the widths are those of [`Row::text`].
const HEADING: &str = concat!(
    " buffer       offset      size    filled ratio type          state         cpu sequence   events ",
    "first event                  last event                   flushed                      flags"
);

pub(super) fn run(args: &Buffers, streams: &mut Streams<'_>) -> io::Result<()> {
    let Some(named) = streams.only_trace(&args.file) else {
        return Ok(());
    };
    let (name, input) = (&named.label.name, &named.input);
    let logfile = input.trace.logfile();
    if args.format == BufferFormat::Text {
        let (on, off) = (streams.paint.on(Role::Faint), streams.paint.off(Role::Faint));
        writeln!(streams.out, "{on}{HEADING}{off}")?;
    }
    let mut buffers = input.trace.buffers();
    let mut line = Vec::new();
    while let Some(buffer) = buffers.next() {
        let summary = buffers.summarise(&buffer);
        let row = Row::new(&buffer, &summary, logfile);
        match args.format {
            BufferFormat::Text => writeln!(streams.out, "{}", row.text())?,
            BufferFormat::Jsonl => {
                line.clear();
                push_line(&row, &mut line)?;
                streams.out.write_all(&line)?;
            }
        }
    }
    streams.out.flush()?;
    streams
        .messages
        .report(name, buffers.report(), "all other buffers were listed");
    if let Some(damage) = &input.damage {
        streams.messages.damaged(name, damage);
    }
    Ok(())
}

/// What there is to say of a buffer; keys are those of the JSON form.
#[derive(Serialize)]
struct Row<'a> {
    buffer: u64,
    offset: u64,
    /// Bytes in the file.
    size: u64,
    /// Bytes of header and events when decompressed.
    filled: u64,
    compressed: bool,
    /// Filled bytes for each byte in the file, if compressed, in hundredths.
    #[serde(skip)]
    ratio: Option<u64>,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(skip)]
    kind_label: String,
    state: Option<String>,
    #[serde(skip)]
    state_label: String,
    flags: Vec<String>,
    #[serde(skip)]
    flag_labels: String,
    cpu: Option<u16>,
    sequence: i64,
    flush_time: Option<JsonTime>,
    events: u64,
    first_event_time: Option<JsonTime>,
    last_event_time: Option<JsonTime>,
    header: JsonRecord<'a>,
}

impl<'a> Row<'a> {
    fn new(buffer: &'a BufferInfo, summary: &BufferSummary, logfile: &Logfile) -> Self {
        let clock = logfile.clock();
        let explain = |role| explained(&buffer.header, role);
        let names = |found: Option<Explained>| found.and_then(|found| found.names().into_iter().next());
        let labels = |found: Option<Explained>| found.map(|found| found.labels().join(",")).unwrap_or_default();
        let (kind, flags) = (explain("buffer_type"), explain("buffer_flags"));
        // The header buffer of a compressed trace has the compression format there.
        let is_state = buffer.index > 0 || logfile.roles().is_compressed_mode().is_none_or(|value| value == 0);
        let state = explain("buffer_state").filter(|_| is_state);
        let ratio = buffer
            .compressed
            .then(|| buffer.filled.saturating_mul(100) / buffer.stored.max(1));
        let time = |raw: Option<i64>| {
            raw.and_then(|raw| clock.to_filetime(raw))
                .filter(|time| time.to_ascii().is_some())
                .map(JsonTime)
        };
        Self {
            buffer: buffer.index,
            offset: buffer.offset,
            size: buffer.stored,
            filled: buffer.filled,
            compressed: buffer.compressed,
            ratio,
            kind: names(kind),
            kind_label: labels(kind),
            state: names(state),
            state_label: state.map_or_else(|| "-".to_owned(), |state| state.labels().join(",")),
            flags: flags.map(Explained::names).unwrap_or_default(),
            flag_labels: labels(flags),
            cpu: logfile.is_per_processor().then(|| buffer.processor()),
            sequence: buffer.sequence_number(),
            flush_time: flush_time(buffer.roles(), clock),
            events: summary.events,
            first_event_time: time(summary.first_time),
            last_event_time: time(summary.last_time),
            header: JsonRecord(&buffer.header),
        }
    }

    fn text(&self) -> String {
        let time = |time: &Option<JsonTime>| time.as_ref().map_or_else(|| "-".to_owned(), |time| time.0.to_string());
        let ratio = self
            .ratio
            .map_or_else(|| "-".to_owned(), |ratio| format!("{}.{:02}", ratio / 100, ratio % 100));
        let cpu = self.cpu.map_or_else(|| "-".to_owned(), |cpu| cpu.to_string());
        let text = format!(
            "{:>7} {:>#12x} {:>9} {:>9} {ratio:>5} {:<13} {:<12} {cpu:>4} {:>8} {:>8} {:<28} {:<28} {:<28} {}",
            self.buffer,
            self.offset,
            self.size,
            self.filled,
            self.kind_label,
            self.state_label,
            self.sequence,
            self.events,
            time(&self.first_event_time),
            time(&self.last_event_time),
            time(&self.flush_time),
            self.flag_labels,
        );
        text.trim_end().to_owned()
    }
}

/// When a buffer was flushed. The kernel stamps buffers with the session's clock, tools that merge or relog with a FILETIME.
fn flush_time(header: &dyn BufferRoles, clock: &Clock) -> Option<JsonTime> {
    let raw = header.buffer_timestamp().filter(|raw| *raw != 0)?;
    let parameters = clock.parameters();
    // A counter that runs since the start of the system is far below any FILETIME of a trace.
    let is_filetime = parameters.reference < parameters.start_time && raw >= parameters.start_time;
    let time = if is_filetime {
        Some(Filetime(raw))
    } else {
        clock.to_filetime(raw)
    };
    time.filter(|time| time.to_ascii().is_some()).map(JsonTime)
}

#[cfg(test)]
mod tests {
    use winetl::clock::ClockParameters;

    use super::*;

    struct Header(i64);

    impl BufferRoles for Header {
        fn buffer_timestamp(&self) -> Option<i64> {
            Some(self.0)
        }
    }

    fn time(raw: i64) -> Option<String> {
        let start_time = 133_000_000_000_000_000;
        let clock = Clock::new(ClockParameters {
            clock_type: 1,
            start_time,
            reference: 1_000,
            frequency: 10_000_000,
            cpu_mhz: 1_000,
        });
        flush_time(&Header(raw), &clock).map(|time| time.0.to_string())
    }

    #[test]
    fn flush_time_is_of_either_clock() {
        assert_eq!(time(0), None);
        assert_eq!(time(1_001), Some(Filetime(133_000_000_000_000_001).to_string()));
        assert_eq!(
            time(133_000_000_000_000_007),
            Some(Filetime(133_000_000_000_000_007).to_string())
        );
    }
}
