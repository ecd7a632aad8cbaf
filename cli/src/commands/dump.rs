//! `winetl dump`: every event of every file.

use std::fs::File;
use std::io;

use winetl::state::Scope;
use winetl::{Order, TraceFile};

use super::Streams;
use crate::args::{Dump, EventOrder};
use crate::render::resolved::Extras;
use crate::render::sink::{EventSink, for_format, write_event};

pub(super) fn run(args: &Dump, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut sink: Option<Box<dyn EventSink + Send>> = None;
    let mut first = true;
    while let Some(named) = streams.next_trace() {
        let (name, input) = (&named.label.name, &named.input);
        if sink.is_none() {
            let mut made = for_format(args, named.several, streams.paint);
            made.begin(streams.out)?;
            sink = Some(made);
        }
        let Some(sink) = &mut sink else { break };
        dump(&input.trace, name, named.file(), args, &mut **sink, &mut first, streams)?;
        if let Some(damage) = &input.damage {
            streams.messages.damaged(name, damage);
        }
    }
    match sink {
        Some(mut sink) => sink.end(streams.out),
        None => {
            let mut sink = for_format(args, false, streams.paint);
            sink.begin(streams.out)?;
            sink.end(streams.out)
        }
    }
}

/// `first` says whether no event was written yet.
fn dump(
    trace: &TraceFile<File>,
    name: &str,
    file: Option<&str>,
    args: &Dump,
    sink: &mut dyn EventSink,
    first: &mut bool,
    streams: &mut Streams<'_>,
) -> io::Result<()> {
    let order = match args.order {
        EventOrder::Time => Order::Time,
        EventOrder::File => Order::File,
    };
    if let Some(problem) = trace.logfile().clock().problem() {
        streams.messages.note(name, &problem);
    }
    let (mut events, mut schemas) = trace.events_and_schemas(order);
    let scope = match (args.resolve, args.process_names) {
        (true, _) => Some(Scope::All),
        (false, true) => Some(Scope::ProcessNames),
        (false, false) => None,
    };
    if scope.is_some() && streams.interpreter.is_some() {
        let text = "names and references are found by the built-in parsers only: with --schema there are none";
        streams.messages.note(name, text);
    }
    let state = scope.map(|scope| trace.state(&mut schemas, scope)).unwrap_or_default();
    if state.left_out() != 0 {
        let text = format!(
            "{} facts about processes, files and the like found no room in memory",
            state.left_out()
        );
        streams.messages.note(name, &text);
    }
    let extras = Extras {
        state: &state,
        process_names: args.process_names,
        resolve: args.resolve,
        timer_resolution: trace.logfile().roles().timer_resolution(),
    };
    if file.is_some() {
        sink.file(name, streams.out)?;
    }
    while let Some(event) = events.next() {
        if !std::mem::take(first) {
            streams.out.write_all(sink.separator())?;
        }
        write_event(sink, file, &event, &mut schemas, extras, streams.out)?;
    }
    // Messages come after the events they are about, also where both streams are one terminal.
    streams.out.flush()?;
    streams
        .messages
        .report(name, events.report(), "all other events were printed", args.verbose);
    Ok(())
}
