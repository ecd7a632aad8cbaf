//! `winetl info`: what a file is, on one screen.

mod facts;
mod screen;

use std::io;

use super::Streams;
use crate::args::{Info, ReportFormat};
use crate::render::json::push_line;
use facts::Facts;

pub(super) fn run(args: &Info, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut first = true;
    while let Some(named) = streams.next_trace() {
        let (name, input) = (&named.label.name, &named.input);
        let mut buffers = input.trace.buffers();
        let facts = Facts::collect(named.label.file.clone(), input, &mut buffers);
        match args.format {
            ReportFormat::Text => {
                if !std::mem::take(&mut first) {
                    writeln!(streams.out)?;
                }
                screen::write(name, &facts, streams.paint, streams.out)?;
            }
            ReportFormat::Json => {
                let mut line = Vec::new();
                push_line(&facts, &mut line)?;
                streams.out.write_all(&line)?;
            }
        }
        streams.out.flush()?;
        streams.messages.report(name, buffers.report(), "everything else was counted");
        if let Some(damage) = &input.damage {
            streams.messages.damaged(name, damage);
        }
    }
    Ok(())
}
