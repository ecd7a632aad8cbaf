//! What is made from the definitions of the arguments: completions and manual pages.

use std::io;

use clap::{Command, CommandFactory};
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
    let command: Option<Command> = match name {
        None => Some(program.clone()),
        Some(name) => program.find_subcommand(name).map(|command| command.clone().name(format!("winetl-{name}"))),
    };
    match command {
        Some(command) => Man::new(command).render(streams.out),
        None => {
            let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            let name = name.unwrap_or_default();
            streams.messages.unusable(name, &format!("no such command; expected one of {}", known.join(", ")));
            Ok(())
        }
    }
}
