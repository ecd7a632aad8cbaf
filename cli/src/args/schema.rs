//! Arguments of `winetl schema`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

const FOLDER_HELP: &str = "\
Without DIR the folder ./schema is used if it exists, else the schema that was built into winetl.";

const CHECK_HELP: &str = "\
Without DIR the folder ./schema is used if it exists, else the schema that was built into winetl.

Examples:
  winetl schema check schema
  winetl schema check --format sarif schema -o schema.sarif";

const EXPLAIN_HELP: &str = "\
Examples:
  winetl schema explain
  winetl schema explain E203
  winetl schema explain --format markdown -o codes.md";

const FMT_HELP: &str = "\
Comments stay with the entry they are at. A file is changed only if its data and comments stay the same; \
one of which winetl cannot prove that is left as it is, with exit status 1.

Examples:
  winetl schema fmt schema/buffer.yaml
  winetl schema fmt --check --schema schema";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// SARIF 2.1.0, for code scanning services and editors
    Sarif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// For people
    Text,
    /// For pages
    Markdown,
    /// For programs
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Schema {
    /// Check the files and show every problem with its place; exit status 1 if one is an error
    #[command(after_help = CHECK_HELP)]
    Check {
        /// Folder with the YAML files
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Form of the problems; json is one object per problem and line
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: CheckFormat,
    },
    /// Explain a code of `schema check`, with a file that raises it and one that does not
    #[command(after_help = EXPLAIN_HELP)]
    Explain {
        /// The code, such as E203; without it all codes are listed
        #[arg(value_name = "CODE")]
        code: Option<String>,
        /// Form of the explanation; json is one object per code and line
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: ExplainFormat,
    },
    /// Bring schema files into one form: indentation, order of keys, blanks, quotes
    #[command(after_help = FMT_HELP)]
    Fmt {
        /// Schema files; - reads standard input and writes standard output
        #[arg(value_name = "FILE", required_unless_present = "folder")]
        files: Vec<PathBuf>,
        /// All .yaml files of a folder, in place of FILE
        #[arg(long = "schema", value_name = "DIR", conflicts_with = "files")]
        folder: Option<PathBuf>,
        /// Change nothing, only name the files that are not in that form; exit status 1 if there are any
        #[arg(long)]
        check: bool,
    },
    /// Compare two schemas: what differs in layout, in names, in documentation
    Diff(SchemaDiff),
    /// List structures, tables, dispatches and events
    #[command(after_help = FOLDER_HELP)]
    List {
        /// Folder with the YAML files
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Show a structure, payload, table, event or provider, with its sources
    Show(SchemaShow),
    /// Print events of a trace again each time a file of the schema is saved
    Watch(SchemaWatch),
}

const SHOW_HELP: &str = "\
Without DIR the folder ./schema is used if it exists, else the schema that was built into winetl.

Of an event, --windows shows the versions that the schema says VERSION writes; where it does not say, those of which nothing is said.

Examples:
  winetl schema show WMI_BUFFER_HEADER
  winetl schema show WMI_BUFFER_HEADER --windows 5.1        the form that Windows XP had
  winetl schema show EVENT_HEADER_FLAG --windows 10-1607    without the values that came later
  winetl schema show Process/Start --matrix                 fields by version
  winetl schema show Process/Start --matrix --format markdown";

#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub(crate) struct SchemaShow {
    /// Microsoft's name, such as WMI_BUFFER_HEADER, in any case; of a provider also its GUID
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Folder with the YAML files
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Only what this Windows has: major.minor, major.minor.build, or a name such as 7, 8.1, 10-1903, 11-24H2
    #[arg(long, value_name = "VERSION")]
    pub(crate) windows: Option<String>,
    /// A row per field and a column per form of the structure, or per version of the event
    #[arg(long, conflicts_with = "windows")]
    pub(crate) matrix: bool,
    /// Form of the matrix; text if left out
    #[arg(long, value_name = "FORMAT", requires = "matrix")]
    pub(crate) format: Option<MatrixFormat>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatrixFormat {
    /// For people
    #[default]
    Text,
    /// For pages
    Markdown,
    /// For programs
    Json,
}

const WATCH_HELP: &str = "\
The events are read with the YAML files of DIR as they are. While those have errors, the errors are shown in place of events, \
and the next save is waited for. Stop it with Ctrl+C.

Examples:
  winetl schema watch trace.etl --schema schema
  winetl schema watch trace.etl --schema schema --event Process/Start --limit 3
  winetl schema watch trace.etl --schema schema --event 0x0f2e";

#[derive(Debug, Args)]
#[command(after_help = WATCH_HELP)]
pub(crate) struct SchemaWatch {
    /// Trace, also compressed or the only one in an archive; archive!member for one of several
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Folder with the YAML files
    #[arg(long = "schema", value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Only events of this name as dumps print it, in any case, or of this hook id; may be given more than once
    #[arg(long = "event", value_name = "NAME")]
    pub(crate) events: Vec<String>,
    /// Print at most this many events
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
}

const DIFF_HELP: &str = "\
OLD and NEW are each a folder with YAML files, a single YAML file that is a whole schema, builtin for the schema that was \
built into winetl, or git:REV for the folder schema of the repository around the current folder at a revision \
(git:REV:FOLDER for another folder).

A field that has its place and type, but another name, is a renamed one; so is an item of which most is the same.

Examples:
  winetl schema diff builtin schema                  what a checkout changes
  winetl schema diff git:HEAD schema                 what is not committed yet
  winetl schema diff --fail-on layout git:v1.0 git:HEAD
                                                     exit status 3 if bytes are read differently
  winetl schema diff --format markdown git:v1.0 git:v1.1
                                                     for release notes
  winetl schema diff --traces traces git:HEAD schema what it does to the dumps of all traces in a folder

Exit status:
  0  compared
  1  a schema could not be read, or has errors
  2  wrong usage
  3  compared, and there are changes of the class that --fail-on names, or of one that matters more";

#[derive(Debug, Args)]
#[command(after_help = DIFF_HELP)]
pub(crate) struct SchemaDiff {
    /// The schema before
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// The schema after
    #[arg(value_name = "NEW")]
    pub(crate) new: String,
    /// Form of the output; json is one object per change and line
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: DiffFormat,
    /// Exit with status 3 if there are changes of this class or of one that matters more
    #[arg(long, value_name = "CLASS")]
    pub(crate) fail_on: Option<ChangeClass>,
    /// Dump traces with both schemas and tell where the dumps first differ: a trace, or a folder with all below it; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) traces: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    Text,
    /// For a review or release notes
    Markdown,
    /// For programs
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChangeClass {
    /// Bytes are read differently
    Layout,
    /// The same bytes are called or shown differently
    Naming,
    /// Any change, also of documentation
    Docs,
}
