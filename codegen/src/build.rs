//! What build scripts call.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::Severity;
use crate::load::SourceSet;
use crate::model::Schema;
use crate::render::{Style, render};
use crate::{compile, emit};

/// Environment variable that names another schema folder.
pub const FOLDER_VARIABLE: &str = "WINETL_SCHEMA_DIR";

/// Generates the runtime's parsers into `OUT_DIR` from the schema folder, as a build script.
///
/// The folder is the one named by [`FOLDER_VARIABLE`], else `schema` inside the package (a packed crate), else `schema` beside
/// it (a checkout). Where a folder says `base: builtin`, that base is what would be used without the variable. Problems are printed as Cargo's errors and warnings, all of them; nothing is written if one is an error.
pub fn generate() {
    run(|schema, out| write_files(out, &emit::rust(schema)));
}

/// Embeds the schema files into `OUT_DIR/schema_sources.rs`, as a build script: a list of layers, names and texts, with all bases.
pub fn embed_sources() {
    let Some((sources, out)) = read_sources() else { return };
    let entries: String = sources
        .files
        .iter()
        .map(|file| format!("    ({}, {:?}, {:?}),\n", file.layer, file.name, file.text))
        .collect();
    let text = format!(
        "/// Layers, names and texts of the schema files.\npub const SCHEMA_SOURCES: &[(usize, &str, &str)] = &[\n{entries}];\n"
    );
    let files = BTreeMap::from([("schema_sources.rs".to_owned(), text)]);
    if let Err(error) = write_files(&out, &files) {
        report("error", &format!("cannot write to {}: {error}", out.display()));
    }
}

fn run(write: impl FnOnce(&Schema, &Path) -> io::Result<()>) {
    let Some((sources, out)) = read_sources() else { return };
    let (schema, problems) = compile(&sources);
    let errors = problems
        .iter()
        .filter(|problem| problem.severity() == Severity::Error)
        .count();
    if errors > 0 {
        let plural = if errors == 1 { "" } else { "s" };
        report(
            "error",
            &format!(
                "{errors} error{plural} in {}; to see them in colour: winetl schema check {}",
                sources.folder, sources.folder
            ),
        );
    }
    for problem in &problems {
        let directive = if problem.severity() == Severity::Error {
            "error"
        } else {
            "warning"
        };
        report(directive, &render(&sources, problem, Style::Plain));
    }
    if errors == 0
        && let Err(error) = write(&schema, &out)
    {
        report("error", &format!("cannot write to {}: {error}", out.display()));
    }
}

fn read_sources() -> Option<(SourceSet, PathBuf)> {
    directive("rerun-if-changed=build.rs");
    directive(&format!("rerun-if-env-changed={FOLDER_VARIABLE}"));
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else {
        report("error", "OUT_DIR is not set: this runs only as a build script");
        return None;
    };
    let shipped = shipped_folder();
    let folder = env::var_os(FOLDER_VARIABLE).map_or_else(|| shipped.clone(), PathBuf::from);
    directive(&format!("rerun-if-changed={}", folder.display()));
    let problems = match SourceSet::read_with_bases(&folder, &|| SourceSet::read(&shipped)) {
        Ok(sources) if sources.problems.is_empty() => {
            for folder in &sources.folders {
                directive(&format!("rerun-if-changed={}", folder.display()));
            }
            return Some((as_seen_from_the_top(sources), out));
        }
        Ok(sources) => {
            let problems = sources.problems.iter();
            problems.map(|problem| render(&sources, problem, Style::Plain)).collect()
        }
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
    };
    for problem in problems {
        report("error", &problem);
    }
    None
}

/// Names folders as seen from the top of the workspace, where Cargo is run.
fn as_seen_from_the_top(mut sources: SourceSet) -> SourceSet {
    let folders = sources.files.iter_mut().map(|file| &mut file.folder);
    for folder in folders.chain([&mut sources.folder]) {
        if let Some(inside) = folder.strip_prefix("../") {
            *folder = inside.to_owned();
        }
    }
    sources
}

/// The folder with the schema that comes with the package.
fn shipped_folder() -> PathBuf {
    // A checkout without symbolic links has a text file at `schema`.
    let packed = PathBuf::from("schema");
    if packed.is_dir() { packed } else { PathBuf::from("../schema") }
}

fn write_files(out: &Path, files: &BTreeMap<String, String>) -> io::Result<()> {
    for (name, text) in files {
        let path = out.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

/// Prints a Cargo directive for each line, since a directive ends with its line.
fn report(kind: &str, text: &str) {
    for line in text.lines() {
        directive(&format!("{kind}={line}"));
    }
}

#[expect(clippy::print_stdout, reason = "this is how a build script speaks to Cargo")]
fn directive(text: &str) {
    println!("cargo::{text}");
}
