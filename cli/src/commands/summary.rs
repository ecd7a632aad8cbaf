//! `winetl summary`: the report that Microsoft's tracerpt writes as `summary.txt`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};

use winetl::{Event, EventRoles, Filetime, Guid, LogfileRoles, Order, TraceFile};

use super::Streams;
use crate::render::Identity;
use crate::render::plain::safe;
use crate::render::sink::Shown;
use crate::render::tracerpt::{Braced, EventTexts, Numbers, table_guid};

/// Most kinds of events: what a trace may name without end must not take memory without end.
const MOST_KINDS: usize = 1 << 16;

/// What all events are called that are of further kinds.
const OTHERS: &str = "(further kinds)";

/// Widths of the columns: count, name, and all others but the GUID.
const COUNT: usize = 11;
const NAME: usize = 20;
const OTHER: usize = 15;
const GUID: usize = 38;

/// What tells rows apart.
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Kind {
    name: String,
    task: String,
    opcode: String,
    id: u64,
    version: u64,
    guid: Guid,
}

/// What is counted over all files.
#[derive(Debug, Default)]
struct Totals {
    files: Vec<String>,
    buffers: u64,
    events: u64,
    lost: u64,
    start: Option<Filetime>,
    end: Option<Filetime>,
    kinds: HashMap<Kind, u64>,
    others: u64,
}

pub(super) fn run(streams: &mut Streams<'_>) -> io::Result<()> {
    let mut totals = Totals::default();
    while let Some(named) = streams.next_trace() {
        let (name, input) = (named.label.name, named.input);
        totals.files.push(name.clone());
        totals.logfile(&input.trace);
        let mut buffers = input.trace.buffers();
        while buffers.next().is_some() {
            totals.buffers += 1;
        }
        let (mut events, mut schemas) = input.trace.events_and_schemas(Order::File);
        while let Some(event) = events.next() {
            let payload = schemas.decode(&event);
            let shown = Shown {
                file: None,
                event: &event,
                payload: &payload,
                process: None,
                resolved: None,
                timer_resolution: None,
            };
            totals.add(&event, &shown);
        }
        streams
            .messages
            .report(&name, events.report(), "all other events were counted");
        if let Some(damage) = &input.damage {
            streams.messages.damaged(&name, damage);
        }
    }
    if totals.files.is_empty() {
        return Ok(());
    }
    totals.write(streams.out)
}

impl Totals {
    /// What the header of a file says: losses, start and end.
    fn logfile(&mut self, trace: &TraceFile<File>) {
        let facts: &dyn LogfileRoles = trace.logfile().roles();
        self.lost += facts.events_lost().unwrap_or(0);
        let time = |time: Option<i64>| time.filter(|time| *time > 0).map(Filetime);
        if let Some(start) = time(facts.start_time()) {
            self.start = Some(self.start.map_or(start, |first| first.min(start)));
        }
        if let Some(end) = time(facts.end_time()) {
            self.end = Some(self.end.map_or(end, |last| last.max(end)));
        }
    }

    fn add(&mut self, event: &Event<'_>, shown: &Shown<'_>) {
        self.events += 1;
        let kind = Kind::of(event, shown);
        if let Some(count) = self.kinds.get_mut(&kind) {
            *count += 1;
        } else if self.kinds.len() < MOST_KINDS {
            self.kinds.insert(kind, 1);
        } else {
            self.others += 1;
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "Files Processed:")?;
        for file in &self.files {
            writeln!(out, "\t{}", safe(file))?;
        }
        writeln!(out, "Total Buffers Processed {}", self.buffers)?;
        writeln!(out, "Total Events  Processed {}", self.events)?;
        writeln!(out, "Total Events  Lost      {}", self.lost)?;
        writeln!(out, "Start Time              {}", long_date(self.start))?;
        writeln!(out, "End Time                {}", long_date(self.end))?;
        let elapsed = match (self.start, self.end) {
            (Some(start), Some(end)) => end.0.saturating_sub(start.0).max(0) / winetl::filetime::TICKS_PER_SECOND,
            _ => 0,
        };
        writeln!(out, "Elapsed Time            {elapsed} sec")?;
        writeln!(out)?;
        self.table(out, &["Task", "Opcode", "Version"], |kind| {
            (
                kind.name.clone(),
                vec![kind.task.clone(), kind.opcode.clone(), kind.version.to_string()],
            )
        })?;
        writeln!(out)?;
        self.table(out, &["Event ID", "Version"], |kind| {
            (kind.name.clone(), vec![kind.id.to_string(), kind.version.to_string()])
        })
    }

    /// A boxed table of the kinds by the columns that `cells` gives, those that do not differ in them together.
    fn table(&self, out: &mut dyn Write, columns: &[&str], cells: impl Fn(&Kind) -> (String, Vec<String>)) -> io::Result<()> {
        let mut kinds: Vec<(&Kind, u64)> = self.kinds.iter().map(|(kind, count)| (kind, *count)).collect();
        kinds.sort();
        let mut rows: Vec<((String, Vec<String>), Guid, u64)> = Vec::new();
        let mut places = HashMap::new();
        for (kind, count) in kinds {
            let row = cells(kind);
            let place = *places.entry((row.clone(), kind.guid)).or_insert(rows.len());
            match rows.get_mut(place) {
                Some((.., sum)) => *sum += count,
                None => rows.push((row, kind.guid, count)),
            }
        }
        let width = COUNT + 3 + NAME + 1 + columns.len() * (OTHER + 1) + GUID;
        let rule = "-".repeat(width);
        writeln!(out, "+{rule}+")?;
        line(out, "Event Count", "Event Name", columns.iter().copied(), "Guid")?;
        writeln!(out, "+{rule}+")?;
        for ((name, cells), guid, count) in &rows {
            let cells = cells.iter().map(String::as_str);
            line(out, &count.to_string(), name, cells, &Braced(*guid).to_string())?;
        }
        if self.others > 0 {
            line(out, &self.others.to_string(), OTHERS, columns.iter().map(|_| ""), "")?;
        }
        writeln!(out, "+{rule}+")
    }
}

/// A line of a table; what is too long for its column moves the rest.
fn line<'a>(out: &mut dyn Write, count: &str, name: &str, cells: impl Iterator<Item = &'a str>, guid: &str) -> io::Result<()> {
    write!(out, "|{count:>COUNT$}   {:<NAME$} ", safe(name))?;
    for cell in cells {
        write!(out, "{:<OTHER$} ", safe(cell))?;
    }
    writeln!(out, "{guid:<GUID$}|")
}

impl Kind {
    fn of(event: &Event<'_>, shown: &Shown<'_>) -> Self {
        let identity = Identity::of(event, shown.payload);
        let texts = EventTexts::of(shown);
        let numbers = Numbers::of(shown);
        let or_number = |text: Option<&str>, number: u64| text.map_or_else(|| number.to_string(), str::to_owned);
        Self {
            name: texts.name().to_owned(),
            task: or_number(texts.task.or(texts.event), numbers.task),
            opcode: or_number(texts.opcode, event.header().opcode().unwrap_or(0)),
            id: numbers.id,
            version: numbers.version,
            guid: table_guid(event, &identity),
        }
    }
}

/// A day in words, UTC, as Windows spells it in English; nothing for a time that is not set.
fn long_date(time: Option<Filetime>) -> String {
    let Some(civil) = time.map(Filetime::to_civil) else {
        return String::new();
    };
    let date = i16::try_from(civil.year)
        .ok()
        .and_then(|year| jiff::civil::Date::new(year, civil.month.cast_signed(), civil.day.cast_signed()).ok());
    date.map(|date| date.strftime("%A, %B %-d, %Y").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_words() {
        assert_eq!(long_date(Some(Filetime(133_000_000_000_000_000))), "Saturday, June 18, 2022");
        assert_eq!(long_date(Some(Filetime(i64::MAX))), "");
        assert_eq!(long_date(None), "");
    }

    #[test]
    fn kinds_without_room_are_counted_together() {
        let mut totals = Totals {
            others: 3,
            events: 5,
            ..Totals::default()
        };
        totals.kinds.insert(Kind::default(), 2);
        let mut out = Vec::new();
        totals.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("|          3   (further kinds)      ").count(), 2, "{text}");
        // As in summaries of tracerpt that are public, which other programs read by these places.
        for heading in [
            "|Event Count   Event Name           Task            Opcode          Version         Guid                                  |",
            "|Event Count   Event Name           Event ID        Version         Guid                                  |",
        ] {
            assert_eq!(text.matches(heading).count(), 1, "{text}");
        }
        let widths: Vec<usize> = text
            .lines()
            .filter(|line| line.starts_with(['|', '+']))
            .map(str::len)
            .collect();
        assert_eq!(widths, [123; 6].into_iter().chain([107; 6]).collect::<Vec<_>>());
    }
}
