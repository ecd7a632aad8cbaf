//! Arguments of `winetl dump`.

use clap::{Args, ValueEnum};

use super::{AFTER_HELP, Files};

const DUMP_HELP: &str = "\
A line of the text format is: time in UTC, [processor], process/thread, kind of header, event, \
then decoded fields, extended items (as in +STACK_TRACE64), and of the payload that was not decoded \
the length and the first bytes. Events without a name are shown as hook 0x0f2e (kernel events), \
GUID/id (provider and event), GUID/type (classic events) or GUID/number (WPP messages). With --process-names the name \
follows the process in parentheses; with --resolve what is known of the numbers follows => at the end, frames innermost first.

The keys of the jsonl format are described in JSON.md.";

#[derive(Debug, Args)]
#[command(after_help = DUMP_HELP, after_long_help = format!("{DUMP_HELP}\n\n{AFTER_HELP}"))]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: DumpFormat,
    /// Order of the events of each file
    #[arg(long, value_name = "ORDER", default_value = "time")]
    pub(crate) order: EventOrder,
    /// Leave the fields of the header out of JSON objects: what they hold is mostly in the other keys
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Say which program the process of each event runs, where the trace tells
    #[arg(long)]
    pub(crate) process_names: bool,
    /// Say what numbers in events stand for, where the trace tells: names of files, registry keys and processes, threads,
    /// stacks as places in images, and the event that a stack belongs to
    #[arg(long)]
    pub(crate) resolve: bool,
    /// Say also what is odd but cost nothing
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DumpFormat {
    /// One readable line per event
    Text,
    /// One JSON object per event and line
    Jsonl,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EventOrder {
    /// By time, across processors
    Time,
    /// As the events lie in the file
    File,
}
