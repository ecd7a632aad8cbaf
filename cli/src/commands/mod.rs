//! The commands, and what is common to them: where output goes and which exit status comes of it.

mod buffers;
mod dump;
mod explain;
mod info;
mod pages;
pub(crate) mod schema;
mod stats;
mod summary;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::Terminal;
use crate::args::{Cli, Color, Command, Schema};
use crate::input::{self, Found, Inputs, Named, io_text};
use crate::interpret::{SchemaInterpreter, load_interpreter};
use crate::messages::{Messages, Verbosity, status};
use crate::output::OutputFile;
use crate::render::json_schema::jsonl_schema;
use crate::render::paint::Paint;

/// What a command works with.
pub(crate) struct Streams<'a> {
    pub(crate) stdin: &'a mut dyn Read,
    /// The traces that the command line names.
    pub(crate) inputs: Inputs,
    pub(crate) out: &'a mut dyn Write,
    pub(crate) messages: Messages<'a>,
    /// How `out` is coloured.
    pub(crate) paint: Paint,
    /// What reads traces instead of the built-in parsers.
    pub(crate) interpreter: Option<&'static SchemaInterpreter>,
    /// Whether standard error can show how far the work is.
    pub(crate) progress: bool,
}

impl Streams<'_> {
    /// Opens the next of the traces that the command line names. What else came up on the way was told.
    fn next_trace(&mut self) -> Option<Box<Named>> {
        while let Some(found) = self.inputs.next(self.stdin, self.interpreter) {
            match found {
                Found::Trace(named) => return Some(named),
                other => tell(&mut self.messages, other),
            }
        }
        None
    }

    /// Opens the only trace that the command line names. `None` if that is not possible: the reason was told.
    fn only_trace(&mut self, path: &Path) -> Option<Box<Named>> {
        let messages = &mut self.messages;
        input::open_one(path, &mut self.inputs, self.stdin, self.interpreter, &mut |found| {
            tell(messages, found);
        })
    }
}

fn tell(messages: &mut Messages<'_>, found: Found) {
    match found {
        Found::Trace(_) => {}
        Found::Unusable(name, text) => messages.unusable(&name, &text),
        Found::Damaged(name, text) => messages.damaged(&name, &text),
        Found::Note(name, text) => messages.note(&name, &text),
    }
}

pub(crate) fn run(
    terminal: Terminal,
    args: impl IntoIterator<Item = OsString>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    match Cli::try_parse_from(args).and_then(Cli::checked) {
        Ok(cli) => run_parsed(terminal, cli, stdin, stdout, stderr),
        Err(problem) => show(terminal, &problem, stdout, stderr),
    }
}

fn run_parsed(terminal: Terminal, cli: Cli, stdin: &mut dyn Read, stdout: &mut dyn Write, stderr: &mut dyn Write) -> u8 {
    let coloured = |by_itself| match cli.output.color {
        Color::Auto => by_itself,
        Color::Always => true,
        Color::Never => false,
    };
    let target = cli.output.output.filter(|path| path != Path::new("-"));
    let stdout_colour = terminal.stdout_colour && target.is_none();
    let verbosity = match (cli.output.quiet, cli.output.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    };
    let stderr_paint = Paint::new(coloured(terminal.stderr_colour));
    // Beside events that run over the same screen, progress would only be in the way.
    let progress = terminal.stderr_terminal && !cli.output.quiet && (target.is_some() || !terminal.stdout_terminal);
    let paint = Paint::new(coloured(stdout_colour));
    // Before there is an output file that could be taken for one of them.
    let inputs = inputs(&cli.command);
    let Some(path) = target else {
        let mut streams = Streams {
            stdin,
            inputs,
            out: stdout,
            messages: Messages::new(stderr, stderr_paint, verbosity),
            paint,
            interpreter: None,
            progress,
        };
        let result = dispatch(cli.command, &mut streams).and_then(|()| streams.out.flush());
        let status = streams.messages.status();
        return finish(result, status, streams.messages, "standard output");
    };
    let name = path.display().to_string();
    if other_paths(&cli.command)
        .into_iter()
        .chain(inputs.paths())
        .any(|input| is_read(input, &path))
    {
        Messages::new(stderr, stderr_paint, verbosity).unusable(
            &name,
            "is read and cannot be written at the same time; name another file with -o",
        );
        return status::USAGE;
    }
    match OutputFile::create(&path) {
        Ok(mut file) => {
            let mut streams = Streams {
                stdin,
                inputs,
                out: &mut file,
                messages: Messages::new(stderr, stderr_paint, verbosity),
                paint,
                interpreter: None,
                progress,
            };
            let result = dispatch(cli.command, &mut streams);
            let status = streams.messages.status();
            // Where nothing could be read, an earlier file stays as it is.
            let is_kept = matches!(status, status::SUCCESS | status::DAMAGED) || !file.is_empty();
            let result = result.and_then(|()| if is_kept { file.keep() } else { Ok(()) });
            finish(result, status, Messages::new(stderr, stderr_paint, verbosity), &name)
        }
        Err(error) => {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "there is no such folder; make it first".to_owned(),
                _ => io_text(&error),
            };
            let mut messages = Messages::new(stderr, stderr_paint, verbosity);
            messages.unusable(&name, &format!("cannot create: {reason}"));
            messages.status()
        }
    }
}

fn dispatch(command: Command, streams: &mut Streams<'_>) -> io::Result<()> {
    if let Some(folder) = schema_folder(&command) {
        match load_interpreter(folder, streams.messages.is_coloured()) {
            Ok(interpreter) => streams.interpreter = Some(interpreter),
            Err(text) => {
                streams.messages.block(&text);
                return Ok(());
            }
        }
    }
    match command {
        Command::Dump(args) => dump::run(&args, streams),
        Command::Info(args) => info::run(&args, streams),
        Command::Stats(args) => stats::run(&args, streams),
        Command::Summary(_) => summary::run(streams),
        Command::Buffers(args) => buffers::run(&args, streams),
        Command::Explain(args) => explain::run(&args, streams),
        Command::Schema(args) => schema::run(&args, streams),
        Command::JsonSchema => streams.out.write_all(jsonl_schema().as_bytes()),
        Command::Completions { shell } => pages::completions(shell, streams),
        Command::Man { command } => pages::manual(command.as_deref(), streams),
    }
}

/// The folder of the schema that a command is to read traces with.
fn schema_folder(command: &Command) -> Option<&Path> {
    let choice = match command {
        Command::Dump(args) => &args.files.schema,
        Command::Info(args) => &args.files.schema,
        Command::Stats(args) => &args.files.schema,
        Command::Summary(args) => &args.files.schema,
        Command::Buffers(args) => &args.schema,
        Command::Explain(args) => &args.schema,
        Command::Schema(_) | Command::JsonSchema | Command::Completions { .. } | Command::Man { .. } => return None,
    };
    choice.folder.as_deref()
}

/// The exit status; a reader that went away has got what it wanted.
fn finish(result: io::Result<()>, status: u8, mut messages: Messages<'_>, name: &str) -> u8 {
    match result {
        Ok(()) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status::SUCCESS,
        Err(error) => {
            messages.unusable(name, &format!("cannot write: {}", io_text(&error)));
            messages.status()
        }
    }
}

/// Help, version, or what is wrong with the arguments.
fn show(terminal: Terminal, problem: &clap::Error, stdout: &mut dyn Write, stderr: &mut dyn Write) -> u8 {
    let text = problem.render();
    let colour = if problem.use_stderr() {
        terminal.stderr_colour
    } else {
        terminal.stdout_colour
    };
    let text = if colour { text.ansi().to_string() } else { text.to_string() };
    let write = |stream: &mut dyn Write| stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    // Neither help nor a complaint that nobody can read is worth another status.
    let _ = if problem.use_stderr() { write(stderr) } else { write(stdout) };
    u8::try_from(problem.exit_code()).unwrap_or(status::USAGE)
}

/// The traces that a command reads.
fn inputs(command: &Command) -> Inputs {
    match command {
        Command::Dump(args) => args.files.inputs(),
        Command::Info(args) => args.files.inputs(),
        Command::Stats(args) => args.files.inputs(),
        Command::Summary(args) => args.files.inputs(),
        Command::Buffers(args) => args.unpacking.inputs(&args.file),
        Command::Explain(args) => args.unpacking.inputs(&args.file),
        Command::Schema(_) | Command::JsonSchema | Command::Completions { .. } | Command::Man { .. } => Inputs::default(),
    }
}

/// What else a command reads.
fn other_paths(command: &Command) -> Vec<&Path> {
    match command {
        Command::Schema(Schema::Diff(args)) => {
            let schemas = [Path::new(&args.old), Path::new(&args.new)];
            schemas.into_iter().chain(args.traces.iter().map(PathBuf::as_path)).collect()
        }
        Command::Schema(Schema::Watch(args)) => vec![&args.file, &args.folder],
        _ => Vec::new(),
    }
}

/// Whether writing to `output` would destroy `input`: it is the same file, or a schema file or trace of the folder.
fn is_read(input: &Path, output: &Path) -> bool {
    let (Ok(input), Ok(output)) = (fs::canonicalize(input), fs::canonicalize(output)) else {
        return false;
    };
    input == output
        || output.starts_with(&input)
            && output
                .extension()
                .is_some_and(|extension| extension == "yaml" || extension == "etl")
}

/// How a file is named in messages.
pub(crate) fn display_name(path: &Path) -> String {
    if path == Path::new(crate::input::STDIN) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}
