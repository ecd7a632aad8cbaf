//! `winetl dump`: every event of every file.
//!
//! ```text
//! files (opened when due) -> merge (one order over all files) -> batch (rendered, by several threads) -> write (in order)
//! ```

mod batch;
mod files;
mod follow;
mod merge;
mod overlap;
mod plan;
mod workers;
mod write;

#[cfg(test)]
mod tests;

use std::io;
use std::num::NonZero;
use std::thread;

use super::Streams;
use crate::args::{Dump, Take};
use crate::progress::Progress;
use crate::render::sink::for_format;
use crate::select::Selection;
use batch::{Batches, Show};
use files::FileTable;
use write::{Window, Writer};

pub(super) fn run(args: &Dump, streams: &mut Streams<'_>) -> io::Result<()> {
    if args.follow {
        return follow::run(args, streams);
    }
    let Take { skip, limit, count } = args.take;
    dump(args, Window { skip, limit, count }, streams)
}

fn dump(args: &Dump, window: Window, streams: &mut Streams<'_>) -> io::Result<()> {
    let Some(mut table) = plan::plan(args, streams) else {
        // What has a begin and an end has them without events too.
        let mut sink = for_format(args, false, streams.paint);
        if !window.count {
            sink.begin(streams.out)?;
            sink.end(streams.out)?;
        }
        return Ok(());
    };
    let jobs = jobs(args, &table);
    table.readers = jobs;
    let table = &table;
    let show = Show {
        format: args.format,
        process_names: args.process_names,
        resolve: args.resolve,
        count: window.count,
        limited: window.limit.is_some(),
    };
    let paint = streams.paint;
    let mut writer = Writer {
        table,
        progress: Progress::new(streams.progress, table.size()),
        streams,
        sink: for_format(args, table.is_several, paint),
        window,
        headings: table.is_several && table.settings.file_by_file && !window.count,
        seen: 0,
        written: 0,
    };
    workers::run(jobs, &mut writer, &|| {
        Batches::new(table, for_format(args, table.is_several, paint), show)
    })?;
    if writer.seen == 0 && window.limit != Some(0) {
        why_nothing(table, streams);
    }
    Ok(())
}

/// Says what there is in place of what was asked for: of several files in the first.
fn why_nothing(table: &FileTable, streams: &mut Streams<'_>) {
    let Some((file, open)) = table.files.first().zip(table.open(0).ok()) else {
        return;
    };
    let selection = Selection::new(&table.select, &open.trace);
    if !selection.is_all() {
        for text in selection.why_nothing(&open.trace, &mut table.schemas(&open), &open.state) {
            streams.messages.note(&file.name, &text);
        }
    }
}

/// Most threads, whatever is asked for.
const MAX_JOBS: usize = 256;
/// Bytes of files below which a second thread is not worth its start.
const SMALL: u64 = 1 << 20;
/// Most bytes of buffers that all threads together hold to put one file in order.
const MAX_HELD: u64 = 512 << 20;

/// Number of threads that render.
fn jobs(args: &Dump, table: &FileTable) -> usize {
    let jobs = match args.jobs {
        Some(jobs) => jobs.get().min(MAX_JOBS),
        None if table.size() < SMALL || args.select.is_seen_in_headers() && !table.is_several => 1,
        None => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let held = table.most_held().max(1);
    let fitting = usize::try_from(MAX_HELD / held).unwrap_or(MAX_JOBS);
    jobs.clamp(1, fitting.clamp(1, MAX_JOBS))
}
