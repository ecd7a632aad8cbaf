//! `winetl schema`: a look into the YAML files, those of a folder or those that are built in.

mod at;
mod check;
mod diff;
mod events;
mod explain;
mod fmt;
mod matrix;
mod providers;
mod sarif;
mod show;
mod watch;

use std::io;
use std::path::{Path, PathBuf};

use winetl_codegen::diagnostic::Place;
use winetl_codegen::load::base::BUILTIN;
use winetl_codegen::model::TableKind;
use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Diagnostic, Schema, SourceSet, compile, has_errors};

use super::Streams;
use crate::args::Schema as Command;
use crate::render::table::Table;

#[expect(unreachable_pub, reason = "the text is the build script's")]
mod built_in {
    include!(concat!(env!("OUT_DIR"), "/schema_sources.rs"));
}

/// How the built-in files are named.
const BUILT_IN: &str = "(built-in schema)";

/// The folder that is used if it is there and no other is named.
const FOLDER: &str = "schema";

pub(super) fn run(command: &Command, streams: &mut Streams<'_>) -> io::Result<()> {
    match command {
        Command::Check { folder, format } => check::run(folder.as_ref(), *format, streams),
        Command::Diff(args) => diff::run(args, streams),
        Command::Explain { code, format } => explain::run(code.as_deref(), *format, streams),
        Command::Fmt { files, folder, check } => fmt::run(files, folder.as_deref(), *check, streams),
        Command::List { folder } => with_schema(folder.as_ref(), streams, |schema, streams| {
            streams.out.write_all(list(schema).as_bytes())
        }),
        Command::Show(args) => show::run(args, streams),
        Command::Watch(args) => watch::run(args, streams),
    }
}

/// The files of the schema that is built in.
pub(crate) fn built_in_sources() -> SourceSet {
    SourceSet::from_layers(BUILT_IN, built_in::SCHEMA_SOURCES.iter().copied())
}

/// The built-in files as the base of others.
#[expect(clippy::unnecessary_wraps, reason = "a base may be one that cannot be read")]
fn built_in_base() -> Result<SourceSet, Vec<Diagnostic>> {
    Ok(built_in_sources().named(BUILTIN))
}

/// Reads a schema folder, or a single file, with the base that it names.
///
/// # Errors
/// One problem for each file or folder that cannot be read.
pub(crate) fn read(path: &Path) -> Result<SourceSet, Vec<Diagnostic>> {
    SourceSet::read_with_bases(path, &built_in_base)
}

/// Files and problems of the schema.
fn load(folder: Option<&PathBuf>) -> (SourceSet, Schema, Vec<Diagnostic>) {
    let folder = folder
        .map(PathBuf::as_path)
        .or_else(|| Some(Path::new(FOLDER)).filter(|folder| folder.is_dir()));
    let sources = match folder {
        Some(folder) => read(folder),
        None => Ok(built_in_sources()),
    };
    match sources {
        Ok(sources) => {
            let (schema, problems) = compile(&sources);
            (sources, schema, problems)
        }
        Err(problems) => (SourceSet::default(), Schema::default(), problems),
    }
}

fn style(streams: &Streams<'_>) -> Style {
    if streams.paint.is_on() {
        Style::Coloured
    } else {
        Style::Plain
    }
}

/// Runs `use_it` on a schema without errors; else shows the errors.
fn with_schema(
    folder: Option<&PathBuf>,
    streams: &mut Streams<'_>,
    use_it: impl Fn(&Schema, &mut Streams<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let (sources, schema, problems) = load(folder);
    if !has_errors(&problems) {
        return use_it(&schema, streams);
    }
    let text = render_all(&sources, &problems, style(streams));
    streams.messages.block(&text);
    Ok(())
}

/// Everything with a name: what it is, and where it stands.
fn list(schema: &Schema) -> String {
    let file = |place: &Place| {
        let index = schema.origins.written(place).file;
        schema.files.get(index).map(|file| file.name.clone()).unwrap_or_default()
    };
    let mut table = Table::default();
    table.row(["name", "kind", "file", "meaning"].map(str::to_owned));
    for structure in &schema.structures {
        table.row([
            structure.name.clone(),
            "structure".to_owned(),
            file(&structure.place),
            sentence(&structure.doc),
        ]);
    }
    for entry in &schema.tables {
        let kind = match entry.kind {
            TableKind::Enum => "enum",
            TableKind::Flags => "flags",
        };
        table.row([entry.name.clone(), kind.to_owned(), file(&entry.place), sentence(&entry.doc)]);
    }
    for dispatch in &schema.dispatches {
        table.row([
            dispatch.name.clone(),
            "dispatch".to_owned(),
            file(&dispatch.place),
            sentence(&dispatch.doc),
        ]);
    }
    for class in &schema.classes {
        table.row([
            class.name.clone(),
            "events".to_owned(),
            file(&class.place),
            sentence(&class.doc),
        ]);
    }
    let providers = providers::list(schema);
    if providers.is_empty() {
        return table.render();
    }
    format!("{}\n{providers}", table.render())
}

/// The first sentence of a text.
fn sentence(text: &str) -> String {
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text.get(..end).unwrap_or(text).trim().to_owned()
}
