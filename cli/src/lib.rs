//! The command line of winetl: everything the program does, as one function over readers and writers.
//!
//! ```text
//! args -> input (files, folders, archives, standard input) -> commands -> select -> render/{text,json,csv,...} -> standard output
//!                                                  \-> messages -> standard error, exit status
//! ```
//!
//! All output about a structure goes through the runtime's reflection, so a field that is added to the schema shows up without
//! an edit here.

mod args;
mod commands;
mod input;
pub mod interpret;
mod messages;
mod output;
mod progress;
mod render;
mod select;
mod windows;

use std::ffi::OsString;
use std::io::{Read, Write};

/// Bytes of output that are gathered before they are written.
pub const OUTPUT_BUFFER: usize = 64 << 10;

/// What the two output streams are, and whether they show colours where `--color` does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Standard output shows colours.
    pub stdout_colour: bool,
    /// Standard error shows colours.
    pub stderr_colour: bool,
    /// Standard output is a terminal.
    pub stdout_terminal: bool,
    /// Standard error is a terminal: work that takes long shows its progress there.
    pub stderr_terminal: bool,
}

/// Runs a command line, program name first, and gives its exit status: 0 for success, 1 if a file could not be used or the
/// output not be written, 2 for wrong usage, 3 if there was damage. The output depends on arguments and files alone: nothing is
/// coloured unless `--color always` asks for it.
pub fn run(args: impl IntoIterator<Item = OsString>, stdin: &mut dyn Read, stdout: &mut dyn Write, stderr: &mut dyn Write) -> u8 {
    run_on(Terminal::default(), args, stdin, stdout, stderr)
}

/// The same for streams that may show colours by themselves.
pub fn run_on(
    terminal: Terminal,
    args: impl IntoIterator<Item = OsString>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    commands::run(terminal, args, stdin, stdout, stderr)
}
