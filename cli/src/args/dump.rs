//! Arguments of `winetl dump`.

use std::num::NonZeroUsize;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueEnum};

use super::{AFTER_HELP, Cli, Files, SELECT_HELP, Select, Take};
use crate::render::csv::Column;

const DUMP_HELP: &str = "\
A line of the text format is: time in UTC, [processor], process/thread, kind of header, event, \
then decoded fields, extended items (as in +STACK_TRACE64), and of the payload that was not decoded \
the length and the first bytes. Events without a name are shown as hook 0x0f2e (kernel events), \
GUID/id (provider and event), GUID/type (classic events) or GUID/number (WPP messages). With --process-names the name \
follows the process in parentheses; with --resolve what is known of the numbers follows => at the end, frames innermost first.

The keys of the jsonl format are described in JSON.md, the columns and elements of the others in FORMATS.md.";

const DUMP_EXAMPLES: &str = "\
Examples:
  winetl dump boot.etl
  winetl dump --format jsonl -o boot.jsonl boot.etl
  winetl dump session.1.etl session.2.etl        merged by time
  winetl dump --order file --jobs 1 *.etl        one after the other
  winetl dump --follow running.etl";

#[derive(Debug, Args)]
#[command(after_help = DUMP_HELP, after_long_help = format!("{DUMP_HELP}\n\n{DUMP_EXAMPLES}\n\n{SELECT_HELP}\n\n{AFTER_HELP}"))]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: DumpFormat,
    /// Columns of csv, by commas: keys of the jsonl format, header.NAME, fields.NAME; names of fields are those of
    /// winetl schema show
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = Column::parse)]
    pub(crate) columns: Vec<Column>,
    /// Show all there is of an event in text, a value in each line
    #[arg(long)]
    pub(crate) long: bool,
    /// Order of the events
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
    /// Number of threads [default: one for each processor, or one alone to choose events by provider, number, process, thread
    /// or kind of header]; the output is the same for any number
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Go on printing while the session writes the file, in file order, until its end or Ctrl-C
    #[arg(long, conflicts_with_all = ["order", "jobs", "process_names", "resolve", "output", "count"])]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) select: Select,
    #[command(flatten)]
    pub(crate) take: Take,
}

impl Dump {
    /// Options that go with one format only.
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        let problem = if !self.columns.is_empty() && self.format != DumpFormat::Csv {
            "--columns goes with --format csv only"
        } else if self.long && self.format != DumpFormat::Text {
            "--long goes with --format text only"
        } else {
            return Ok(());
        };
        let mut program = Cli::command();
        program.build();
        let command = program.find_subcommand_mut("dump");
        Err(match command {
            Some(command) => command.error(ErrorKind::ArgumentConflict, problem),
            None => program.error(ErrorKind::ArgumentConflict, problem),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DumpFormat {
    /// One readable line per event
    Text,
    /// One JSON object per event and line
    Jsonl,
    /// One JSON array of those objects
    Json,
    /// One row per event below a heading; --columns chooses
    Csv,
    /// The elements that Microsoft's tracerpt writes, for tools that read its dumpfile.xml
    Xml,
    /// The columns that Microsoft's tracerpt writes with -of CSV
    TracerptCsv,
    /// One JSON object per event and line in the words of the Elastic Common Schema
    Ecs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EventOrder {
    /// By time, across processors and files
    Time,
    /// As the events lie in the file, and one file after the other
    File,
}
