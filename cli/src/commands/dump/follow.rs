//! `--follow`: a file that its session still writes.

use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use winetl::payload::schemas::Schemas;
use winetl::state::SessionState;

use super::write::REST;
use crate::args::{Dump, Take};
use crate::commands::Streams;
use crate::input::{self, STDIN};
use crate::render::resolved::Extras;
use crate::render::sink::{for_format, write_event};
use crate::select::Selection;

/// Time between two looks at the file.
const PAUSE: Duration = Duration::from_millis(250);

pub(super) fn run(args: &Dump, streams: &mut Streams<'_>) -> io::Result<()> {
    follow(args, streams, || thread::sleep(PAUSE))
}

/// Prints the events of whole buffers as they come, until the header says that the session has ended.
fn follow(args: &Dump, streams: &mut Streams<'_>, mut pause: impl FnMut()) -> io::Result<()> {
    let [path] = args.files.files.as_slice() else {
        streams.messages.wrong_usage("--follow takes one file: name one");
        return Ok(());
    };
    if args.select.asks_process_names() {
        streams
            .messages
            .wrong_usage("--follow knows no names of processes: choose by --pid");
        return Ok(());
    }
    let is_regular = path != Path::new(STDIN) && std::fs::metadata(path).is_ok_and(|found| found.is_file());
    if path.exists() && !is_regular || path == Path::new(STDIN) {
        let text = "--follow takes a regular file: leave it out for standard input and pipes, which end by themselves";
        streams.messages.wrong_usage(text);
        return Ok(());
    }
    let Some(named) = streams.only_trace(path) else {
        return Ok(());
    };
    let (name, input) = (named.label.name, named.input);
    if !input.containers.is_empty() {
        streams.messages.wrong_usage("--follow takes a file that is not compressed");
        return Ok(());
    }
    let mut trace = input.trace;
    if let Some(problem) = trace.logfile().clock().problem() {
        streams.messages.note(&name, &problem);
    }
    let mut walk = trace.follow();
    let mut schemas = Schemas::default();
    let state = SessionState::default();
    let extras = Extras {
        timer_resolution: trace.logfile().roles().timer_resolution(),
        ..Extras::none(&state)
    };
    let selection = Selection::new(&args.select, &trace);
    let Take { mut skip, limit, .. } = args.take;
    let mut left = limit.unwrap_or(u64::MAX);
    let mut sink = for_format(args, false, streams.paint);
    sink.begin(streams.out)?;
    let mut is_first = true;
    let mut ends = false;
    loop {
        // The header is written last, but may have been read after the size.
        let is_complete = std::mem::replace(&mut ends, !trace.logfile().is_unfinished());
        walk.set_growth(&trace, is_complete);
        while left > 0
            && let Some(event) = walk.next(&trace)
        {
            schemas.collect(&event);
            if !selection.accepts(&event, &mut schemas, extras.state) {
                continue;
            }
            if let Some(rest) = skip.checked_sub(1) {
                skip = rest;
                continue;
            }
            left -= 1;
            if !std::mem::take(&mut is_first) {
                streams.out.write_all(sink.separator())?;
            }
            write_event(&mut *sink, None, &event, &mut schemas, extras, streams.out)?;
        }
        if is_complete || left == 0 {
            break;
        }
        streams.out.flush()?;
        if !ends {
            pause();
        }
        let before = trace.size();
        match input::open(path, None, streams.interpreter) {
            Ok(again) if again.trace.size() >= before => trace = again.trace,
            Ok(_) => {
                let text =
                    format!("the file had {before} bytes and has become smaller: another was put in its place; start again");
                streams.messages.unusable(&name, &text);
                break;
            }
            Err(problem) => {
                streams.messages.unusable(&name, &problem);
                break;
            }
        }
    }
    sink.end(streams.out)?;
    streams.out.flush()?;
    streams.messages.report(&name, walk.report(), REST);
    Ok(())
}
