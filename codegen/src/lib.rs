//! Schema compiler of winetl.
//!
//! ```text
//! schema/*.yaml -> load -> raw -> overlay -> resolve -> model -> emit -> text
//!                    |               |          |          \-> decode (the interpreter; checks test vectors)
//!                    \- diagnostics with positions -> render
//! ```
//!
//! [`compile`] turns a [`SourceSet`] into a [`Schema`] or into located [`Diagnostic`]s; [`emit::rust`] turns a [`Schema`]
//! into the text of Rust files. Both are pure functions: the same input gives the same bytes on every machine. The build
//! script of the runtime calls them through [`build::generate`]; tests and the command line call them directly.

pub mod build;
pub mod codes;
pub mod decode;
pub mod diagnostic;
pub mod diff;
pub mod emit;
pub mod explain;
pub mod expr;
#[cfg(feature = "fmt")]
pub mod fmt;
#[cfg(feature = "json-schema")]
pub mod json_schema;
pub mod load;
pub mod locate;
pub mod model;
pub mod names;
pub mod overlay;
pub mod raw;
pub mod render;
mod resolve;
pub mod roles;

pub use diagnostic::{Diagnostic, Severity, has_errors};
pub use load::{SourceFile, SourceSet};
pub use model::Schema;

/// No more problems than this are kept: nobody reads them all, and each costs a reading of its file.
const MOST_PROBLEMS: usize = 200;

/// Keeps the first problems, errors before warnings, and says in the last how many are left out.
fn keep_first(problems: &mut Vec<Diagnostic>) {
    let Some(further) = problems.len().checked_sub(MOST_PROBLEMS).filter(|further| *further > 0) else {
        return;
    };
    problems.sort_by_key(Diagnostic::severity);
    problems.truncate(MOST_PROBLEMS);
    if let Some(last) = problems.last_mut() {
        let help = last.help.take().map_or(String::new(), |help| format!("{help}; "));
        last.help = Some(format!("{help}{further} more problems are not shown: mend these first"));
    }
}

/// Compiles schema files: the schema as far as it could be resolved, and all problems in order of file and place.
///
/// Code may be generated from the schema only if no problem is an error (see [`has_errors`]).
pub fn compile(sources: &SourceSet) -> (Schema, Vec<Diagnostic>) {
    let (files, mut problems) = sources.parse();
    let (files, origins, composing) = overlay::compose(sources, files);
    let (schema, found) = resolve::resolve(sources, &files, origins);
    // A file that could not be parsed would make every reference into it a problem of its own; so would a base or a thing to
    // change that is not there.
    for found in [sources.problems.clone(), composing, found] {
        if problems.is_empty() {
            problems = found;
        }
    }
    keep_first(&mut problems);
    // Finding a position reads the file once more, so it is done once for each problem.
    problems.sort_by_cached_key(|problem| {
        let position = problem.labels.first().map(|label| render::position(sources, label));
        position.map(|position| (position.file, position.line, position.column))
    });
    (schema, problems)
}
