//! What is made from the definitions of the arguments: completions and manual pages.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::Streams;
use crate::args::Cli;

/// Prints a completion script.
pub(super) fn completions(shell: Shell, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "winetl", &mut script);
    streams.out.write_all(&script)
}

/// Prints the manual page of the program, or of one command.
pub(super) fn manual(name: Option<&str>, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut program = Cli::command();
    program.build();
    let command = name
        .and_then(|name| program.find_subcommand(name))
        .unwrap_or(&program)
        .clone();
    Man::new(command).render(streams.out)
}
