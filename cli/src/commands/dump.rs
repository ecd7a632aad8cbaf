//! `winetl dump`: every event of every file.

use std::fs::File;
use std::io;

use winetl::{Order, TraceFile};

use super::{Streams, display_name};
use crate::args::{Dump, DumpFormat, EventOrder};
use crate::render::jsonl::JsonLines;
use crate::render::paint::Role;
use crate::render::plain::safe;
use crate::render::text::TextLines;

pub(super) fn run(args: &Dump, streams: &mut Streams<'_>) -> io::Result<()> {
    for path in &args.files.files {
        let name = display_name(path);
        let Some(input) = streams.open(path, &name) else { continue };
        let named = path.display().to_string();
        let file = (args.files.files.len() > 1).then_some(named.as_str());
        dump(&input.trace, &name, file, args, streams)?;
        if let Some(damage) = &input.damage {
            streams.messages.damaged(&name, damage);
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
    match args.format {
        DumpFormat::Text => {
            if file.is_some() {
                let (on, off) = (streams.paint.on(Role::Name), streams.paint.off(Role::Name));
                writeln!(streams.out, "{on}==> {} <=={off}", safe(name))?;
            }
            let mut lines = TextLines::new(streams.paint);
            while let Some(event) = events.next() {
                lines.write(&event, &mut schemas, streams.out)?;
            }
        }
        DumpFormat::Jsonl => {
            let mut lines = JsonLines::new(!args.no_header);
            while let Some(event) = events.next() {
                lines.write(file, &event, &mut schemas, streams.out)?;
            }
        }
    }
    // Messages come after the events they are about, also where both streams are one terminal.
    streams.out.flush()?;
    streams
        .messages
        .report(name, events.report(), "all other events were printed", args.verbose);
    Ok(())
}
