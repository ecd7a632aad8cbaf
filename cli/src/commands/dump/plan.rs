//! A first look at the files: which are traces, when each is due, and what they say together.

use std::sync::{Arc, Mutex};

use winetl::payload::schemas::Schemas;
use winetl::state::Scope;
use winetl::{Filetime, Order};

use super::files::{FileTable, NamedFile, Settings, Slot, can_reopen, shorten};
use super::overlap::{MAX_OVERLAP, overlapping};
use crate::args::{Dump, EventOrder};
use crate::commands::Streams;
use crate::input::{Input, Named};

/// Decompressed files that are kept from the first look; further ones are decompressed again.
const MAX_SPOOLED: usize = 64;

/// Opens every file once. `None` if none can be used: the reasons were told.
pub(super) fn plan(args: &Dump, streams: &mut Streams<'_>) -> Option<FileTable> {
    let mut is_several = false;
    let mut files = Vec::new();
    let mut spans = Vec::new();
    let mut schemas = Schemas::default();
    let mut spooled = 0;
    while let Some(named) = streams.next_trace() {
        let Named {
            label,
            origin,
            several,
            input,
        } = *named;
        is_several = several;
        let mut file = NamedFile {
            origin,
            name: label.name,
            label: label.file,
            short: String::new(),
            due: i64::MIN,
            size: input.trace.size(),
            slot: Mutex::default(),
        };
        if is_several {
            let survey = input.trace.survey(&mut schemas);
            let number = |time: Option<Filetime>| time.map_or(i64::MIN, |time| time.0);
            file.due = number(survey.first);
            spans.push((number(survey.first_of_data.or(survey.first)), number(survey.last)));
        }
        if !is_several || must_hold(&file, &input, &mut spooled) {
            file.slot = Mutex::new(Slot::holding(input));
        }
        files.push(file);
    }
    if files.is_empty() {
        return None;
    }
    // One file alone has a heading, if any, and not its name in each line.
    let mut file_by_file = args.order == EventOrder::File || files.len() == 1;
    if !file_by_file && let Some(count) = overlapping(&mut spans).filter(|count| *count > MAX_OVERLAP) {
        let text = format!(
            "{count} of the files overlap in time; they are printed one after the other, since only {MAX_OVERLAP} can be merged"
        );
        streams.messages.note("all files", &text);
        file_by_file = true;
    }
    shorten(&mut files);
    let shared = is_several.then(|| {
        schemas.finish();
        Arc::new(schemas)
    });
    Some(FileTable {
        files,
        is_several,
        settings: Settings {
            order: match args.order {
                EventOrder::Time => Order::Time,
                EventOrder::File => Order::File,
            },
            file_by_file,
            max_unpacked: args.files.unpacking.max_unpacked,
            scope: match (args.resolve, args.process_names || args.select.asks_process_names()) {
                (true, _) => Some(Scope::All),
                (false, true) => Some(Scope::ProcessNames),
                (false, false) => None,
            },
            interpreter: streams.interpreter,
        },
        select: args.select.clone(),
        shared,
        readers: 1,
    })
}

/// Whether an input is held until it is due: what cannot be opened again always, what is costly to open as far as there is room.
fn must_hold(file: &NamedFile, input: &Input, spooled: &mut usize) -> bool {
    if can_reopen(file, input) {
        return false;
    }
    let is_regular = std::fs::metadata(&file.origin).is_ok_and(|found| found.is_file());
    *spooled += 1;
    !is_regular || *spooled <= MAX_SPOOLED
}
