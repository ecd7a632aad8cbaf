//! `winetl dump`: every event of every file.

use std::fs::File;
use std::io;

use winetl::state::Scope;
use winetl::{Order, TraceFile};

use super::Streams;
use crate::args::{Dump, EventOrder, Take};
use crate::render::plain::safe;
use crate::render::resolved::Extras;
use crate::render::sink::{EventSink, for_format, write_event};
use crate::select::Selection;

pub(super) fn run(args: &Dump, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut sink: Option<Box<dyn EventSink + Send>> = None;
    let mut first = true;
    let mut take = args.take;
    while let Some(named) = streams.next_trace() {
        if take.limit == Some(0) && !take.count {
            break;
        }
        let (name, input) = (&named.label.name, &named.input);
        if sink.is_none() {
            let mut made = for_format(args, named.several, streams.paint);
            if !take.count {
                made.begin(streams.out)?;
            }
            sink = Some(made);
        }
        let Some(sink) = &mut sink else { break };
        dump(
            &input.trace,
            name,
            named.file(),
            args,
            &mut **sink,
            &mut first,
            &mut take,
            streams,
        )?;
        if let Some(damage) = &input.damage {
            streams.messages.damaged(name, damage);
        }
    }
    match sink {
        _ if take.count => Ok(()),
        Some(mut sink) => sink.end(streams.out),
        None => {
            let mut sink = for_format(args, false, streams.paint);
            sink.begin(streams.out)?;
            sink.end(streams.out)
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "what is kept over all files")]
/// Dumps one file. `first` says whether no event was written yet, `take` is what is still to be passed over, and to be shown.
fn dump(
    trace: &TraceFile<File>,
    name: &str,
    file: Option<&str>,
    args: &Dump,
    sink: &mut dyn EventSink,
    first: &mut bool,
    take: &mut Take,
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
        (false, false) if args.select.asks_process_names() => Some(Scope::ProcessNames),
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
    let selection = Selection::new(&args.select, trace);
    let (mut chosen, mut shown) = (false, 0);
    let any_wanted = take.limit != Some(0);
    if file.is_some() && !take.count {
        sink.file(name, streams.out)?;
    }
    while take.limit != Some(0)
        && let Some(event) = events.next()
    {
        if !selection.accepts(&event, &mut schemas, &state) {
            continue;
        }
        chosen = true;
        if let Some(left) = take.skip.checked_sub(1) {
            take.skip = left;
            continue;
        }
        take.limit = take.limit.map(|left| left.saturating_sub(1));
        if !take.count {
            if !std::mem::take(first) {
                streams.out.write_all(sink.separator())?;
            }
            write_event(sink, file, &event, &mut schemas, extras, streams.out)?;
        }
        shown += 1;
    }
    match (take.count, file) {
        (false, _) => {}
        (true, None) => writeln!(streams.out, "{shown}")?,
        (true, Some(file)) => writeln!(streams.out, "{shown}\t{}", safe(file))?,
    }
    // Messages come after the events they are about, also where both streams are one terminal.
    streams.out.flush()?;
    if !chosen && any_wanted && !selection.is_all() {
        for text in selection.why_nothing(trace, &mut schemas, &state) {
            streams.messages.note(name, &text);
        }
    }
    let rest = if selection.is_all() && !take.count {
        "all other events were printed"
    } else {
        "all other events were looked at"
    };
    streams.messages.report(name, events.report(), rest, args.verbose);
    Ok(())
}
