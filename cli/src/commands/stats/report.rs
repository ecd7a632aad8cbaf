//! The three forms of the output.

use std::io::{self, Write};

use serde::Serialize;
use winetl::Filetime;

use super::count::{Counts, Coverage, Row, Tally};
use crate::args::StatsBy;
use crate::render::columns::{Align, Columns};
use crate::render::json::push_line;
use crate::render::paint::{Paint, Role};
use crate::render::plain::safe;
use crate::render::table::{counted, thousands};
use crate::render::value::{JsonGuid, JsonTime};

/// Most characters shown of a name.
const SHOWN: usize = 64;

/// Writes a table, below the name of the file if there is more than one.
pub(super) fn text(counts: &Counts, file: Option<&str>, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    if let Some(file) = file {
        writeln!(out, "{}==> {} <=={}", paint.on(Role::Name), safe(file), paint.off(Role::Name))?;
    }
    let names: &[&str] = match counts.by {
        StatsBy::Provider => &["provider"],
        StatsBy::Event => &["provider", "event"],
        StatsBy::Version => &["provider", "event", "version"],
    };
    let numbers = ["events", "bytes", "exact", "trailing", "short", "named", "raw"];
    let mut table = Columns::default();
    for name in names {
        table.column(name, Align::Left);
    }
    for number in numbers {
        table.column(number, Align::Right);
    }
    table.column("first event", Align::Left);
    table.column("last event", Align::Left);
    for row in &counts.rows {
        let names = [provider(row), event(row), version(row)].into_iter().take(names.len());
        table.row(names.chain(cells(&row.tally)));
    }
    table.rule();
    let kinds = format!("total of {}", counted(counts.rows.len() as u64, "row"));
    let blanks = std::iter::repeat_n(String::new(), names.len() - 1);
    table.row(std::iter::once(kinds).chain(blanks).chain(cells(&counts.total)));
    write!(out, "{}", table.render(paint))
}

fn cells(tally: &Tally) -> impl Iterator<Item = String> {
    let Coverage {
        exact,
        trailing,
        short,
        named,
        raw,
    } = tally.coverage;
    let coverage = [exact, trailing, short, named, raw].map(|count| match count {
        0 => "-".to_owned(),
        count => thousands(count),
    });
    let time = |time: Option<Filetime>| time.map_or_else(|| "-".to_owned(), |time| time.to_string());
    [thousands(tally.events), thousands(tally.bytes)]
        .into_iter()
        .chain(coverage)
        .chain([time(tally.first), time(tally.last)])
}

fn provider(row: &Row) -> String {
    match (&row.provider, row.provider_id) {
        _ if row.others => "(others)".to_owned(),
        (Some(name), _) => cut(name),
        (None, Some(id)) => id.to_string(),
        (None, None) => "-".to_owned(),
    }
}

/// Name and number, or what else tells the event from others of its provider.
fn event(row: &Row) -> String {
    match (&row.event, row.hook_id, row.event_type, row.id) {
        (Some(name), None, None, Some(id)) if id != 0 => format!("{}/{id}", cut(name)),
        (Some(name), ..) => cut(name),
        (None, Some(hook_id), ..) => format!("hook {hook_id:#06x}"),
        (None, None, Some(event_type), _) => format!("type {event_type}"),
        (None, None, None, Some(id)) => format!("number {id}"),
        (None, None, None, None) => "-".to_owned(),
    }
}

fn version(row: &Row) -> String {
    row.version.map_or_else(|| "-".to_owned(), |version| version.to_string())
}

/// A name that a trace gave, for a terminal.
fn cut(name: &str) -> String {
    let mut text: String = name.chars().take(SHOWN).collect();
    if text.len() < name.len() {
        text.push_str("...");
    }
    safe(&text).to_string()
}

/// Writes one object in a line.
pub(super) fn json(counts: &Counts, file: &str, out: &mut dyn Write) -> io::Result<()> {
    let by = match counts.by {
        StatsBy::Provider => "provider",
        StatsBy::Event => "event",
        StatsBy::Version => "version",
    };
    let mut line = Vec::new();
    let report = JsonReport {
        file,
        by,
        total: Numbers::new(&counts.total),
        rows: counts.rows.iter().map(|row| JsonRow::new(row, counts.by)).collect(),
    };
    push_line(&report, &mut line)?;
    out.write_all(&line)
}

#[derive(Serialize)]
struct JsonReport<'a> {
    file: &'a str,
    by: &'static str,
    total: Numbers,
    rows: Vec<JsonRow<'a>>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    provider_id: Option<JsonGuid>,
    provider: Option<&'a str>,
    #[serde(flatten)]
    event: Option<JsonEvent<'a>>,
    /// Only where versions are told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<Option<u64>>,
    others: bool,
    #[serde(flatten)]
    numbers: Numbers,
}

#[derive(Serialize)]
struct JsonEvent<'a> {
    event: Option<&'a str>,
    hook_id: Option<u64>,
    #[serde(rename = "type")]
    event_type: Option<u64>,
    id: Option<u64>,
}

#[derive(Serialize)]
struct Numbers {
    events: u64,
    bytes: u64,
    exact: u64,
    trailing_bytes: u64,
    too_short: u64,
    named_only: u64,
    raw: u64,
    first_event_time: Option<JsonTime>,
    last_event_time: Option<JsonTime>,
}

impl Numbers {
    fn new(tally: &Tally) -> Self {
        Self {
            events: tally.events,
            bytes: tally.bytes,
            exact: tally.coverage.exact,
            trailing_bytes: tally.coverage.trailing,
            too_short: tally.coverage.short,
            named_only: tally.coverage.named,
            raw: tally.coverage.raw,
            first_event_time: tally.first.map(JsonTime),
            last_event_time: tally.last.map(JsonTime),
        }
    }
}

impl<'a> JsonRow<'a> {
    fn new(row: &'a Row, by: StatsBy) -> Self {
        let event = JsonEvent {
            event: row.event.as_deref(),
            hook_id: row.hook_id,
            event_type: row.event_type,
            id: row.id,
        };
        Self {
            provider_id: row.provider_id.map(JsonGuid),
            provider: row.provider.as_deref(),
            event: (by != StatsBy::Provider).then_some(event),
            version: (by == StatsBy::Version).then_some(row.version),
            others: row.others,
            numbers: Numbers::new(&row.tally),
        }
    }
}

/// Names of the columns, those of the JSON form.
const CSV_COLUMNS: [&str; 17] = [
    "file",
    "provider_id",
    "provider",
    "event",
    "hook_id",
    "type",
    "id",
    "version",
    "events",
    "bytes",
    "exact",
    "trailing_bytes",
    "too_short",
    "named_only",
    "raw",
    "first_event_time",
    "last_event_time",
];

/// Rows of all files under one heading, without totals: whoever reads them can add.
#[derive(Debug, Default)]
pub(super) struct CsvReport {
    has_heading: bool,
}

impl CsvReport {
    pub(super) fn write(&mut self, counts: &Counts, file: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        if !std::mem::replace(&mut self.has_heading, true) {
            writer.write_record(CSV_COLUMNS)?;
        }
        for row in &counts.rows {
            let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
            let time = |time: Option<Filetime>| time.map(|time| time.to_string()).unwrap_or_default();
            let Numbers {
                events,
                bytes,
                exact,
                trailing_bytes,
                too_short,
                named_only,
                raw,
                ..
            } = Numbers::new(&row.tally);
            let names = [
                file.to_owned(),
                row.provider_id.map(|id| id.to_string()).unwrap_or_default(),
                row.provider.clone().unwrap_or_default(),
                row.event.clone().unwrap_or_default(),
                number(row.hook_id),
                number(row.event_type),
                number(row.id),
                number(row.version),
            ];
            let numbers = [events, bytes, exact, trailing_bytes, too_short, named_only, raw].map(|number| number.to_string());
            let times = [time(row.tally.first), time(row.tally.last)];
            writer.write_record(names.iter().chain(&numbers).chain(&times))?;
        }
        writer.flush()
    }
}
