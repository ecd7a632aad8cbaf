//! `winetl schema diff`: what differs between two schemas.

mod git;
mod json;
mod markdown;
mod source;
mod text;
mod traces;

use std::io;

use winetl_codegen::Schema;
use winetl_codegen::diff::{Change, Class, diff};

use crate::args::{ChangeClass, DiffFormat, SchemaDiff};
use crate::commands::{Streams, display_name};
use crate::interpret::SchemaInterpreter;
use crate::render::table::counted;
use source::Source;
use traces::TraceEffect;

pub(super) fn run(command: &SchemaDiff, streams: &mut Streams<'_>) -> io::Result<()> {
    let [old, new] = [&command.old, &command.new].map(|text| Source::parse(text));
    // Both are read, so that the problems of both are seen.
    let (old, new) = (source::load(&old, "old", streams), source::load(&new, "new", streams));
    let (Some(old), Some(new)) = (old, new) else {
        return Ok(());
    };
    let changes = diff(&old, &new);
    match command.format {
        DiffFormat::Text => streams.out.write_all(text::render(&changes, streams.paint).as_bytes())?,
        DiffFormat::Markdown => streams.out.write_all(markdown::render(&changes).as_bytes())?,
        DiffFormat::Json => json::write(&changes, streams.out)?,
    }
    if !command.traces.is_empty()
        && let Some(traces) = effects(command, old, new, streams)
    {
        match command.format {
            DiffFormat::Text => streams.out.write_all(text::traces(&traces, streams.paint).as_bytes())?,
            DiffFormat::Markdown => streams.out.write_all(markdown::traces(&traces).as_bytes())?,
            DiffFormat::Json => json::write_traces(&traces, streams.out)?,
        }
    }
    let limit = command.fail_on.map(|class| match class {
        ChangeClass::Layout => Class::Layout,
        ChangeClass::Naming => Class::Naming,
        ChangeClass::Docs => Class::Docs,
    });
    let failing = changes
        .iter()
        .filter(|change| limit.is_some_and(|limit| change.class >= limit))
        .count();
    if let (Some(limit), true) = (limit, failing > 0) {
        let above = if limit == Class::Layout { "" } else { " or above" };
        let text = format!("{} of the class {}{above}", counted(failing as u64, "change"), limit.word());
        streams.messages.damaged(&command.new, &text);
    }
    Ok(())
}

/// The effect on the dumps of the traces that the command names; `None` if it can't be known: it was said why.
fn effects(command: &SchemaDiff, old: Schema, new: Schema, streams: &mut Streams<'_>) -> Option<Vec<TraceEffect>> {
    let mut interpreter = |schema, name: &str, side| {
        SchemaInterpreter::new(schema)
            .map_err(|problem| {
                let text = format!("the {side} schema cannot read traces: {problem}");
                streams.messages.unusable(name, &text);
            })
            .ok()
    };
    let (old, new) = (interpreter(old, &command.old, "old"), interpreter(new, &command.new, "new"));
    let found = traces::find(&command.traces)
        .map_err(|(path, problem)| streams.messages.unusable(&display_name(&path), &problem))
        .ok();
    Some(traces::compare(&found?, old?, new?))
}

/// The changes of each class that has any, the class that matters most first.
fn by_class(changes: &[Change]) -> impl Iterator<Item = (Class, &[Change])> {
    changes
        .chunk_by(|a, b| a.class == b.class)
        .filter_map(|changes| Some((changes.first()?.class, changes)))
}

/// How many changes of each class there are, in words.
fn summary(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "no differences".to_owned();
    }
    let counts = by_class(changes).map(|(class, changes)| format!("{} {}", changes.len(), class.word()));
    format!(
        "{}: {}",
        counted(changes.len() as u64, "difference"),
        counts.collect::<Vec<_>>().join(", ")
    )
}

/// The title of a class.
fn title(class: Class) -> &'static str {
    match class {
        Class::Layout => "Layout: bytes are read differently",
        Class::Naming => "Names and values: the same bytes are called or shown differently",
        Class::Docs => "Documentation only",
    }
}
