//! The command `winetl`.

use std::io::{BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use winetl_cli::{OUTPUT_BUFFER, Terminal};

fn main() -> ExitCode {
    let coloured = |choice| choice != ColorChoice::Never;
    let terminal = Terminal {
        stdout_colour: coloured(AutoStream::choice(&std::io::stdout())),
        stderr_colour: coloured(AutoStream::choice(&std::io::stderr())),
        stdout_terminal: std::io::stdout().is_terminal(),
        stderr_terminal: std::io::stderr().is_terminal(),
    };
    // What is coloured is decided above and by `--color`; here escape sequences only pass through.
    let mut stdout = BufWriter::with_capacity(OUTPUT_BUFFER, AutoStream::always_ansi(std::io::stdout().lock()));
    let mut stderr = AutoStream::always_ansi(std::io::stderr().lock());
    let status = winetl_cli::run_on(
        terminal,
        std::env::args_os(),
        &mut std::io::stdin().lock(),
        &mut stdout,
        &mut stderr,
    );
    // `run_on` has flushed, so nothing can be lost here.
    let _ = stdout.flush();
    ExitCode::from(status)
}
