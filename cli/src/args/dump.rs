//! Arguments of `winetl dump`.

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

#[derive(Debug, Args)]
#[command(after_help = DUMP_HELP, after_long_help = format!("{DUMP_HELP}\n\n{SELECT_HELP}\n\n{AFTER_HELP}"))]
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
    /// By time, across processors
    Time,
    /// As the events lie in the file
    File,
}
