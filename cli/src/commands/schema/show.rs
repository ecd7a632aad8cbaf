//! `winetl schema show`: one thing of the schema, as it is, as a Windows version has it, or in all its versions.

use std::io;

use winetl_codegen::Schema;
use winetl_codegen::emit::format_md;
use winetl_codegen::model::{Structure, WindowsVersion};
use winetl_codegen::names::closest;

use super::events::Known;
use super::matrix::Matrix;
use super::{at, events, providers};
use crate::args::SchemaShow;
use crate::commands::Streams;
use crate::render::markdown;
use crate::windows;

pub(super) fn run(args: &SchemaShow, streams: &mut Streams<'_>) -> io::Result<()> {
    let windows = match args.windows.as_deref().map(|text| windows::version(text).ok_or(text)) {
        None => None,
        Some(Ok(version)) => Some(version),
        Some(Err(text)) => {
            streams.messages.unusable(text, &windows::advice());
            return Ok(());
        }
    };
    super::with_schema(args.folder.as_ref(), streams, |schema, streams| match windows {
        None if args.matrix => matrix(schema, args, streams),
        None => show(schema, &args.name, streams),
        Some(windows) => show_at(schema, &args.name, windows, streams),
    })
}

fn show(schema: &Schema, name: &str, streams: &mut Streams<'_>) -> io::Result<()> {
    match text(schema, name) {
        Some(text) => streams.out.write_all(text.as_bytes()),
        None => unknown(schema, name, streams),
    }
}

/// The text about a name; `None` if the schema has no such name.
fn text(schema: &Schema, name: &str) -> Option<String> {
    let page = format_md::page(schema);
    if let Some(section) = markdown::section(&page, name) {
        return Some(markdown::to_plain(section));
    }
    if let Some(event) = Known::find(schema, name) {
        return Some(events::event_text(schema, event));
    }
    if let Some(class) = schema.classes.iter().find(|class| class.name.eq_ignore_ascii_case(name)) {
        return Some(events::class_text(class));
    }
    let layout = |layout: &winetl_codegen::model::PayloadLayout| layout.name.eq_ignore_ascii_case(name);
    if let Some(index) = schema.layouts.iter().position(layout) {
        return Some(events::layout_text(schema, index));
    }
    providers::find(schema, name).map(providers::text)
}

/// The same as a Windows version has it.
fn show_at(schema: &Schema, name: &str, windows: WindowsVersion, streams: &mut Streams<'_>) -> io::Result<()> {
    if let Some(structure) = structure(schema, name) {
        let forms = at::family(schema, structure);
        let Some(form) = at::form(&forms, windows) else {
            let known: Vec<String> = forms
                .iter()
                .map(|form| format!("{} is of {}", form.name, at::windows_text(form.since, form.until)))
                .collect();
            let text = format!("Windows {windows} has no such structure: {}", known.join("; "));
            streams.messages.unusable(&structure.name, &text);
            return Ok(());
        };
        if form.name != structure.name {
            writeln!(streams.out, "Windows {windows} has this in place of {}:\n", structure.name)?;
        }
        let table = format_md::structure_table_at(schema, form, Some(windows));
        return streams.out.write_all(markdown::to_plain(&table).as_bytes());
    }
    if providers::find(schema, name).is_some() && Known::find(schema, name).is_none() {
        let text = "the schema does not say which Windows has a provider; leave out --windows";
        streams.messages.unusable(name, text);
        return Ok(());
    }
    let reduced = at::reduced(schema, windows);
    let Some(event) = Known::find(schema, name) else {
        return show(&reduced, name, streams);
    };
    let shown = at::written(event.versions(), windows);
    let remark = at::remark(event.versions(), windows);
    let text = events::event_text_with(schema, event, &shown, remark.as_deref());
    streams.out.write_all(text.as_bytes())
}

fn matrix(schema: &Schema, args: &SchemaShow, streams: &mut Streams<'_>) -> io::Result<()> {
    let matrix = if let Some(structure) = structure(schema, &args.name) {
        Matrix::of_structure(schema, structure)
    } else if let Some(event) = Known::find(schema, &args.name) {
        Matrix::of_event(schema, &event.name(), event.versions())
    } else if text(schema, &args.name).is_some() {
        let text = "has no fields that differ by version; --matrix takes a structure or an event, such as Process/Start";
        streams.messages.unusable(&args.name, text);
        return Ok(());
    } else {
        return unknown(schema, &args.name, streams);
    };
    matrix.write(args.format.unwrap_or_default(), streams.out)
}

fn structure<'a>(schema: &'a Schema, name: &str) -> Option<&'a Structure> {
    let mut all = schema.structures.iter();
    all.find(|structure| structure.name.eq_ignore_ascii_case(name))
}

fn unknown(schema: &Schema, name: &str, streams: &mut Streams<'_>) -> io::Result<()> {
    let structures = schema.structures.iter().map(|structure| structure.name.as_str());
    let tables = schema.tables.iter().map(|table| table.name.as_str());
    let dispatches = schema.dispatches.iter().map(|dispatch| dispatch.name.as_str());
    let classes = schema.classes.iter().map(|class| class.name.as_str());
    let events: Vec<String> = Known::all(schema).map(Known::name).collect();
    let names = events.iter().map(String::as_str);
    let layouts = schema.layouts.iter().map(|layout| layout.name.as_str());
    let providers = schema.providers.iter().map(|provider| provider.name.as_str());
    let names = structures
        .chain(tables)
        .chain(dispatches)
        .chain(classes)
        .chain(names)
        .chain(layouts)
        .chain(providers);
    let advice = match closest(name, names) {
        Some(similar) => format!("did you mean {similar}?"),
        None => "`winetl schema list` has all names".to_owned(),
    };
    streams
        .messages
        .unusable(name, &format!("the schema has no such name; {advice}"));
    Ok(())
}
