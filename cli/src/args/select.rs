//! Arguments that choose events.

use clap::Args;

use crate::select::clause::Clause;
use crate::select::moment::Moment;
use crate::select::numbers::Numbers;
use crate::select::pattern::{Pattern, Search};
use crate::select::wanted::{ActivityIs, EventIs, HeaderIs, KeywordIs, LevelIs, OpcodeIs, ProviderIs};

/// Examples and rules, for the help of the commands that choose events.
pub(crate) const SELECT_HELP: &str = "\
An event is chosen if it fits each of the options above that are given; an option that is repeated fits if one of its values does. \
Names ignore case, and in them * stands for any characters, ? for one, [a-z] for one of these and {a,b} for either. Numbers are decimal \
or 0x..., and may be lists with ranges, as in 1,2,10-20.

--where takes conditions of the form FIELD OPERATOR VALUE, joined with && where all must hold. FIELD is a field of the payload (with \
dots into structures, as in Header.Size), header.NAME, or a key of the jsonl format such as pid; fields.NAME is always of the payload. \
OPERATOR is = != < <= > >= ~ (regular expression) or contains. Numbers, times and GUIDs compare as what they are, all else as the text \
that jsonl shows, ignoring case. Of a list, one element must fit. A condition on a field that the event does not have does not hold. \
Put quotation marks around values with blanks.

Examples:
  winetl dump --provider Microsoft-Windows-Kernel-Process trace.etl
  winetl dump --event 'Process/*' --from +2s --to +2.5s trace.etl
  winetl dump --level warning --process 'note*.exe' trace.etl
  winetl dump --where 'ImageFileName = notepad.exe && SessionId > 0' trace.etl
  winetl dump --event FileIo/Create --match '(?i)\\\\system32\\\\' --count trace.etl
  winetl dump --activity 5e7d0003-3333-4333-8333-000000000003 --format jsonl trace.etl";

/// Heading of the options in the help.
const CHOICE: &str = "Which events";

/// Which events are wanted: each option that is given narrows the choice, each repetition of one widens it.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Select {
    /// Events of this provider: its name, * and ? in it allowed, or its GUID. Kernel events are of MSNT_SystemTrace
    #[arg(long = "provider", value_name = "PROVIDER", help_heading = CHOICE)]
    pub(crate) providers: Vec<ProviderIs>,
    /// Events of this name as dumps print it, such as Process/Start or Image/*, or of this hook id, such as 0x0f2e
    #[arg(long = "event", value_name = "EVENT", help_heading = CHOICE)]
    pub(crate) events: Vec<EventIs>,
    /// Events of these numbers within their provider, as in 1,2,10-20
    #[arg(long = "id", value_name = "NUMBERS", help_heading = CHOICE)]
    pub(crate) ids: Vec<Numbers>,
    /// Events of these opcodes: numbers, or a name such as Start
    #[arg(long = "opcode", value_name = "OPCODE", help_heading = CHOICE)]
    pub(crate) opcodes: Vec<OpcodeIs>,
    /// Events of this level or a more severe one: critical (1), error, warning, information, verbose (5) or a number. A list or
    /// range, as in 4-4, means just these. Kernel events have no level
    #[arg(long = "level", value_name = "LEVEL", help_heading = CHOICE)]
    pub(crate) levels: Vec<LevelIs>,
    /// Events with at least one bit of this mask in their keyword, or with a keyword of this name
    #[arg(long = "keyword", value_name = "MASK", help_heading = CHOICE)]
    pub(crate) keywords: Vec<KeywordIs>,
    /// Events whose header has one of these processes
    #[arg(long = "pid", value_name = "NUMBERS", help_heading = CHOICE)]
    pub(crate) processes: Vec<Numbers>,
    /// Events whose header has one of these threads
    #[arg(long = "tid", value_name = "NUMBERS", help_heading = CHOICE)]
    pub(crate) threads: Vec<Numbers>,
    /// Events of processes that run this program, such as notepad.exe or note*, where the trace tells
    #[arg(long = "process", value_name = "NAME", help_heading = CHOICE)]
    pub(crate) programs: Vec<Pattern>,
    /// Events logged on these processors
    #[arg(long = "cpu", value_name = "NUMBERS", help_heading = CHOICE)]
    pub(crate) processors: Vec<Numbers>,
    /// Events with this kind of header, such as SYSTEM64 or EVENT_HEADER*
    #[arg(long = "header-type", value_name = "TYPE", help_heading = CHOICE)]
    pub(crate) header_types: Vec<HeaderIs>,
    /// Events at this time or later: 2024-05-14T09:30:00.5Z, UTC if no offset is given; or +1.5s, +2m, from the first event
    /// in the file on
    #[arg(long, value_name = "TIME", help_heading = CHOICE)]
    pub(crate) from: Option<Moment>,
    /// Events at this time or before
    #[arg(long, value_name = "TIME", help_heading = CHOICE)]
    pub(crate) to: Option<Moment>,
    /// Events of this activity, or of one that comes from it
    #[arg(long = "activity", value_name = "GUID", help_heading = CHOICE)]
    pub(crate) activities: Vec<ActivityIs>,
    /// Events with a payload field in whose value this regular expression is found
    #[arg(long = "match", value_name = "REGEX", help_heading = CHOICE)]
    pub(crate) searches: Vec<Search>,
    /// Events for which this holds, such as 'ProcessId = 4120' or 'time >= 2024-05-14T09:30:01Z && pid != 4'
    #[arg(long = "where", value_name = "CONDITION", help_heading = CHOICE)]
    pub(crate) clauses: Vec<Clause>,
}

/// How many of the chosen events are shown, in the order of the output.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Take {
    /// Pass over the first N of the chosen events of all files
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = CHOICE)]
    pub(crate) skip: u64,
    /// Stop after N events that are shown
    #[arg(long, value_name = "N", help_heading = CHOICE)]
    pub(crate) limit: Option<u64>,
    /// Print only the number of the chosen events, of all files together
    #[arg(long, help_heading = CHOICE)]
    pub(crate) count: bool,
}
