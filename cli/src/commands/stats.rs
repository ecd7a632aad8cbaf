//! `winetl stats`: how many events of which kind a file holds, and how far their payloads are decoded.

mod count;
mod report;

use std::io;

use winetl::state::{Scope, SessionState};

use super::Streams;
use crate::args::{Stats, StatsFormat};
use crate::select::Selection;
use count::Counts;
use report::CsvReport;

pub(super) fn run(args: &Stats, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut csv = CsvReport::default();
    let mut first = true;
    while let Some(named) = streams.next_trace() {
        let (name, input) = (&named.label.name, &named.input);
        if let Some(problem) = input.trace.logfile().clock().problem() {
            streams.messages.note(name, &problem);
        }
        let mut schemas = input.trace.schemas();
        let mut events = input.trace.events(winetl::Order::File);
        let selection = Selection::new(&args.select, &input.trace);
        let state = if args.select.asks_process_names() {
            input.trace.state(&mut schemas, Scope::ProcessNames)
        } else {
            SessionState::default()
        };
        let counts = Counts::collect(&mut events, &mut schemas, args.by, |event, schemas| {
            selection.accepts(event, schemas, &state)
        });
        let file = &named.label.file;
        match args.format {
            StatsFormat::Text => {
                if !std::mem::take(&mut first) {
                    writeln!(streams.out)?;
                }
                report::text(&counts, named.several.then_some(name.as_str()), streams.paint, streams.out)?;
            }
            StatsFormat::Json => report::json(&counts, file, streams.out)?,
            StatsFormat::Csv => csv.write(&counts, file, streams.out)?,
        }
        streams.out.flush()?;
        if counts.is_cut() {
            streams.messages.note(
                name,
                "there are more kinds of events than rows; those that came last are counted together. `--by provider` has fewer",
            );
        }
        if counts.total.events == 0 && !selection.is_all() {
            for text in selection.why_nothing(&input.trace, &mut schemas, &state) {
                streams.messages.note(name, &text);
            }
        }
        streams
            .messages
            .report(name, events.report(), "all other events were counted");
        if let Some(damage) = &input.damage {
            streams.messages.damaged(name, damage);
        }
    }
    Ok(())
}
