//! The arguments, from which help, completions and the manual page are made too.

mod dump;
mod explain;
mod schema;
mod select;

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::input::{InputOptions, Inputs};

pub(crate) use dump::{Dump, DumpFormat, EventOrder};
pub(crate) use explain::{Address, Explain};
pub(crate) use schema::*;
pub(crate) use select::{SELECT_HELP, Select, Take};

const AFTER_HELP: &str = "\
Exit status:
  0  everything was read
  1  a file could not be used (not a trace, cannot be opened), or the output could not be written
  2  wrong usage
  3  read, but with damage that standard error names; the output has all that could be read";

const INFO_EXAMPLES: &str = "\
Examples:
  winetl info boot.etl
  winetl info --format json *.etl | jq .events_found";

const STATS_EXAMPLES: &str = "\
Examples:
  winetl stats boot.etl
  winetl stats --by provider --format csv -o providers.csv *.etl";

const SUMMARY_EXAMPLES: &str = "\
Examples:
  winetl summary boot.etl
  winetl summary --recursive traces -o summary.txt";

const JSON_SCHEMA_EXAMPLES: &str = "\
Examples:
  winetl json-schema > jsonl.schema.json";

const BUFFERS_EXAMPLES: &str = "\
Examples:
  winetl buffers boot.etl
  winetl buffers --format jsonl damaged.etl";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  winetl schema list
  winetl schema show WMI_BUFFER_HEADER
  winetl schema check my-schema";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  winetl completions bash > /etc/bash_completion.d/winetl
  winetl completions powershell >> $PROFILE";

const MAN_EXAMPLES: &str = "\
Examples:
  winetl man | man -l -
  winetl man dump -o winetl-dump.1";

/// Names of the commands that have a manual page.
const COMMANDS: [&str; 10] = [
    "dump",
    "info",
    "stats",
    "summary",
    "buffers",
    "explain",
    "schema",
    "json-schema",
    "completions",
    "man",
];

/// Reads Windows Event Trace Log (.etl) files, on any operating system.
#[derive(Debug, Parser)]
#[command(name = "winetl", version, after_help = AFTER_HELP, term_width = 100, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: Output,
}

impl Cli {
    /// What clap cannot say of arguments that depend on others.
    ///
    /// # Errors
    /// Says which do not go together.
    pub(crate) fn checked(self) -> Result<Self, clap::Error> {
        if let Command::Dump(args) = &self.command {
            args.check()?;
        }
        Ok(self)
    }
}

/// Where and how everything is written.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Write to FILE instead of standard output; it is replaced only when all is written
    #[arg(short, long, value_name = "FILE", global = true)]
    pub(crate) output: Option<PathBuf>,
    /// When to use colours; auto is for a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Color,
    /// Write errors only, and one line for each damaged file: no notes, no details, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say also what is odd but cost nothing
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print every event
    Dump(Dump),
    /// Say what each file is: system, session, clock, times, size, losses
    Info(Info),
    /// Count events and bytes by kind, and how far the payloads are decoded
    Stats(Stats),
    /// Write the report that Microsoft's tracerpt calls summary.txt
    Summary(Summary),
    /// List the buffers of a file
    Buffers(Buffers),
    /// Say what a byte of a file is, or every byte of an event
    Explain(Explain),
    /// Look into the schema, the YAML files that say what the bytes mean
    #[command(subcommand, after_long_help = SCHEMA_EXAMPLES)]
    Schema(Schema),
    /// Print the JSON Schema of what dump --format jsonl prints
    #[command(after_long_help = JSON_SCHEMA_EXAMPLES)]
    JsonSchema,
    /// Print a completion script for a shell
    #[command(after_long_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of winetl or of one command
    #[command(after_long_help = MAN_EXAMPLES)]
    Man {
        /// The command
        #[arg(value_parser = COMMANDS)]
        command: Option<String>,
    },
}

/// The traces.
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// Traces: files, also compressed (gzip, zstd, xz, bzip2) or in archives (zip, diagsession, cab); archive!member, with
    /// the name of a member or a pattern; patterns such as *.etl; folders, with --recursive; - is standard input. With more
    /// than one, the output says which file each part is of
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Take all traces in folders and below, in order of their names: those whose names end in .etl or .etl.001, also with
    /// .gz, .zst, .xz or .bz2, in .etlgz, .zip, .diagsession or .cab
    #[arg(short, long)]
    pub(crate) recursive: bool,
    #[command(flatten)]
    pub(crate) unpacking: Unpacking,
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
}

/// How far compressed files are unpacked.
#[derive(Debug, Args)]
pub(crate) struct Unpacking {
    /// Unpack at most SIZE bytes from a compressed file or an archive, such as 500M or 2G, into the folder for temporary
    /// files [default: 200 times the size of the file, but at least 1G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_unpacked: Option<u64>,
}

impl Unpacking {
    /// The only trace of a command.
    pub(crate) fn inputs(&self, file: &Path) -> Inputs {
        let options = InputOptions {
            recursive: None,
            max_unpacked: self.max_unpacked,
        };
        Inputs::expand(&[file], options)
    }
}

/// Bytes, with K, M, G or T for powers of 1,024.
fn size(text: &str) -> Result<u64, String> {
    let unit = text.chars().next_back().map(|unit| unit.to_ascii_uppercase());
    let shift = match unit {
        Some('K') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        _ => 0,
    };
    let digits = if shift == 0 {
        text
    } else {
        text.get(..text.len() - 1).unwrap_or_default()
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    number.ok_or_else(|| "not a number of bytes, with K, M, G or T behind it for powers of 1,024".to_owned())
}

/// The schema that traces are read with.
#[derive(Debug, Args)]
pub(crate) struct SchemaChoice {
    /// Read the traces with the YAML files of DIR as they are now, without a rebuild, instead of with the built-in parsers
    #[arg(long = "schema", value_name = "DIR", env = "WINETL_SCHEMA", hide_env_values = true)]
    pub(crate) folder: Option<PathBuf>,
}

impl Files {
    /// The traces that are named.
    pub(crate) fn inputs(&self) -> Inputs {
        let options = InputOptions {
            recursive: Some(self.recursive),
            max_unpacked: self.unpacking.max_unpacked,
        };
        Inputs::expand(&self.paths(), options)
    }

    pub(crate) fn paths(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }
}

#[derive(Debug, Args)]
#[command(after_long_help = INFO_EXAMPLES)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Form of the output; json is one object per file and line
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

const STATS_HELP: &str = "\
Each event is in one of five columns: exact (its payload is decoded to the last byte), trailing (all fields are decoded, \
and bytes are left), short (the payload ends within a field), named (the event has a name, but nothing describes its \
payload), raw (nothing describes it). Bytes count headers and extended items too.";

#[derive(Debug, Args)]
#[command(after_help = STATS_HELP, after_long_help = format!("{STATS_HELP}\n\n{STATS_EXAMPLES}\n\n{SELECT_HELP}\n\n{AFTER_HELP}"))]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Form of the output; json is one object per file and line
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: StatsFormat,
    /// What has a row of its own
    #[arg(long, value_name = "WHAT", default_value = "event")]
    pub(crate) by: StatsBy,
    #[command(flatten)]
    pub(crate) select: Select,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsFormat {
    /// A table for each file, with totals
    Text,
    /// For programs
    Json,
    /// For spreadsheets: the rows of all files below one heading, without totals
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsBy {
    /// All events of a provider, or of a class of classic events
    Provider,
    /// Events of one kind
    Event,
    /// Each version of them
    Version,
}

#[derive(Debug, Args)]
#[command(after_long_help = SUMMARY_EXAMPLES)]
pub(crate) struct Summary {
    #[command(flatten)]
    pub(crate) files: Files,
}

#[derive(Debug, Args)]
#[command(after_long_help = BUFFERS_EXAMPLES)]
pub(crate) struct Buffers {
    /// Trace, also compressed or the only one in an archive; archive!member for one of several; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) unpacking: Unpacking,
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: BufferFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BufferFormat {
    /// A table
    Text,
    /// One JSON object per buffer and line
    Jsonl,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!((size("12"), size("2k"), size("3G")), (Ok(12), Ok(2048), Ok(3 << 30)));
        for wrong in ["", "G", "-1", "1.5G", "99999999T", "2GB", "ä"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_command_has_a_manual_page() {
        let command = Cli::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, COMMANDS);
    }
}
