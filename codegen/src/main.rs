//! `winetl-codegen`: checks a schema, writes generated Rust where it can be read, and keeps the generated pages fresh.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use winetl_codegen::explain::{with_code_list, with_role_table};
use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Schema, SourceSet, compile, emit, has_errors};

const USAGE: &str =
    "usage: winetl-codegen check [SCHEMA]\n       winetl-codegen emit OUT_FOLDER [SCHEMA]\n       winetl-codegen docs [SCHEMA]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["check"] => load("schema").map(|_| ()),
        ["check", folder] => load(folder).map(|_| ()),
        ["emit", out] => load("schema").and_then(|schema| write(out, &schema)),
        ["emit", out, folder] => load(folder).and_then(|schema| write(out, &schema)),
        ["docs"] => docs("schema"),
        ["docs", folder] => docs(folder),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn load(folder: &str) -> Result<Schema, String> {
    let sources = SourceSet::read(Path::new(folder))
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let (schema, problems) = compile(&sources);
    let text = render_all(&sources, &problems, Style::Plain);
    if has_errors(&problems) {
        return Err(text);
    }
    if !text.is_empty() {
        eprintln!("{text}");
    }
    println!(
        "{folder}: {} structures, {} tables, {} files",
        schema.structures.len(),
        schema.tables.len(),
        schema.files.len()
    );
    Ok(schema)
}

fn write(out: &str, schema: &Schema) -> Result<(), String> {
    for (name, text) in emit::rust(schema) {
        let path = Path::new(out).join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        write_file(&path, &text)?;
    }
    Ok(())
}

fn docs(folder: &str) -> Result<(), String> {
    let schema = load(folder)?;
    let folder = Path::new(folder);
    write_file(&folder.join("FORMAT.md"), &emit::format_md::page(&schema))?;
    #[cfg(feature = "json-schema")]
    {
        use winetl_codegen::json_schema::{FILE, text};
        let text = text().map_err(|error| format!("cannot make {FILE}: {error}"))?;
        write_file(&folder.join(FILE), &text)?;
    }
    renew(&folder.join("README.md"), "the list of codes", with_code_list)?;
    renew(&folder.join("README.md"), "the table of roles", with_role_table)?;
    renew(&folder.join("../README.md"), "the table of headers", |text| {
        emit::format_md::with_header_table(text, &schema)
    })
}

/// Renews the generated part of a page, if there is such a page.
fn renew(page: &Path, part: &str, fresh: impl Fn(&str) -> Option<String>) -> Result<(), String> {
    let Ok(text) = fs::read_to_string(page) else {
        return Ok(());
    };
    match fresh(&text) {
        Some(text) => write_file(page, &text),
        None => Err(format!("{} has no place for {part}", page.display())),
    }
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
