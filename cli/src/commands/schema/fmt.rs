//! `winetl schema fmt`: brings schema files into their one form.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use winetl_codegen::SourceSet;
use winetl_codegen::fmt::format;
use winetl_codegen::render::render_all;

use super::style;
use crate::commands::{Streams, display_name};
use crate::input::{STDIN, io_text};
use crate::render::table::counted;

/// A schema file is not larger than this; what is read from standard input is cut there.
const MAX_SIZE: u64 = 64 << 20;

/// Formats the files, or those of the folder; with `check` only names those that would change.
pub(super) fn run(files: &[PathBuf], folder: Option<&Path>, check: bool, streams: &mut Streams<'_>) -> io::Result<()> {
    let found;
    let files = match folder {
        None => files,
        Some(folder) => match SourceSet::read(folder) {
            Ok(sources) => {
                found = sources.files.iter().map(|file| folder.join(&file.name)).collect::<Vec<_>>();
                found.as_slice()
            }
            Err(problems) => {
                let text = render_all(&SourceSet::default(), &problems, style(streams));
                streams.messages.block(&text);
                return Ok(());
            }
        },
    };
    let mut changed = 0;
    for file in files {
        changed += u64::from(format_file(file, check, streams)?);
    }
    // What came from standard input is the output itself.
    if files.iter().any(|file| file != Path::new(STDIN)) {
        let what = if check { "to be formatted" } else { "formatted" };
        writeln!(streams.out, "{}, {changed} {what}", counted(files.len() as u64, "file"))?;
    }
    if check && changed > 0 {
        streams.messages.fail();
    }
    Ok(())
}

/// Formats a file; whether that changes it.
fn format_file(file: &Path, check: bool, streams: &mut Streams<'_>) -> io::Result<bool> {
    let name = display_name(file);
    let is_stdin = file == Path::new(STDIN);
    let text = if is_stdin {
        let mut text = String::new();
        streams.stdin.take(MAX_SIZE).read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(file)
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            let reason = io_text(&error);
            streams
                .messages
                .unusable(&name, &format!("cannot read: {reason}; schema files are UTF-8 text"));
            return Ok(false);
        }
    };
    let formatted = match format(&text) {
        Ok(formatted) => formatted,
        Err(refusal) => {
            let place = format!("{name}:{}:{}", refusal.line, refusal.column);
            streams
                .messages
                .unusable(&place, &format!("left as it is: {}", refusal.message));
            return Ok(false);
        }
    };
    let changed = formatted != text;
    if is_stdin && !check {
        streams.out.write_all(formatted.as_bytes())?;
    } else if changed {
        writeln!(streams.out, "{name}")?;
        if !check && let Err(error) = fs::write(file, &formatted) {
            streams
                .messages
                .unusable(&name, &format!("cannot write: {}", io_text(&error)));
        }
    }
    Ok(changed)
}
