//! `winetl schema diff`: what differs between two schemas.

mod git;
mod json;
mod markdown;
mod source;
mod text;

use std::io;

use winetl_codegen::diff::{Change, Class, diff};

use crate::args::{ChangeClass, DiffFormat, SchemaDiff};
use crate::commands::Streams;
use crate::render::table::counted;
use source::Source;

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
