//! `winetl dump`: every event of every file.

use std::fs::File;
use std::io;

use winetl::state::Scope;
use winetl::{Order, TraceFile};

use super::Streams;
use crate::args::{Dump, DumpFormat, EventOrder};
use crate::render::jsonl::JsonLines;
use crate::render::paint::Role;
use crate::render::plain::safe;
use crate::render::resolved::Extras;
use crate::render::sink::{EventSink, write_event};
use crate::render::text::TextLines;

pub(super) fn run(args: &Dump, streams: &mut Streams<'_>) -> io::Result<()> {
    while let Some(named) = streams.next_trace() {
        let (name, input) = (&named.label.name, &named.input);
        dump(&input.trace, name, named.file(), args, streams)?;
        if let Some(damage) = &input.damage {
            streams.messages.damaged(name, damage);
        }
    }
    Ok(())
}

fn dump(trace: &TraceFile<File>, name: &str, file: Option<&str>, args: &Dump, streams: &mut Streams<'_>) -> io::Result<()> {
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
    };
    let mut sink: Box<dyn EventSink> = match args.format {
        DumpFormat::Text => {
            if file.is_some() {
                let (on, off) = (streams.paint.on(Role::Name), streams.paint.off(Role::Name));
                writeln!(streams.out, "{on}==> {} <=={off}", safe(name))?;
            }
            Box::new(TextLines::new(streams.paint))
        }
        DumpFormat::Jsonl => Box::new(JsonLines::new(!args.no_header)),
    };
    sink.begin(streams.out)?;
    let mut first = true;
    while let Some(event) = events.next() {
        if !std::mem::take(&mut first) {
            streams.out.write_all(sink.separator())?;
        }
        write_event(&mut *sink, file, &event, &mut schemas, extras, streams.out)?;
    }
    sink.end(streams.out)?;
    // Messages come after the events they are about, also where both streams are one terminal.
    streams.out.flush()?;
    streams
        .messages
        .report(name, events.report(), "all other events were printed", args.verbose);
    Ok(())
}
