//! Comma-separated values: a row for each event below a heading.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::WriterBuilder;
use winetl::dispatch::PayloadLayout;
use winetl::format::TraceHeader;
use winetl::format::events::{EVENTS, PROVIDER_EVENTS};
use winetl_codegen::names::closest;

use super::cell::{plain, push_at};
use super::envelope::{KEYS, Key, KeyValue, Presence};
use super::json::Json;
use super::kind::Kind;
use super::sink::{EventSink, Shown};
use crate::args::Dump;

/// What a column shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// As it stands in the heading.
    name: String,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Key(Key),
    /// A field of the header.
    Header(Vec<String>),
    /// A field of the payload.
    Fields(Vec<String>),
}

impl Column {
    /// That of a field of the payload.
    fn of_field(name: &str) -> Self {
        Self {
            name: format!("fields.{name}"),
            what: What::Fields(vec![name.to_owned()]),
        }
    }

    /// The column of a name: that of a key, `header.NAME` or `fields.NAME`.
    ///
    /// # Errors
    /// Says that there is no such column, and which one may have been meant. Of the payload any name is taken: which fields
    /// there are is up to the trace.
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        let column = |what| {
            Ok(Self {
                name: name.to_owned(),
                what,
            })
        };
        if let Some(info) = KEYS.iter().find(|info| info.name == name) {
            return column(What::Key(info.key));
        }
        if let Some((outer, inner)) = name.split_once('.')
            && let ("header" | "fields", false) = (outer, inner.is_empty())
        {
            let path: Vec<String> = inner.split('.').map(str::to_owned).collect();
            let first = path.first().map(String::as_str).unwrap_or_default();
            if outer == "fields" {
                return column(What::Fields(path));
            }
            if header_fields().any(|field| field == first) {
                return column(What::Header(path));
            }
            return Err(match closest(first, header_fields()) {
                Some(similar) => format!("no header has a field `{first}`; did you mean `header.{similar}`?"),
                None => format!("no header has a field `{first}`; `winetl schema show TRACE_HEADER` lists the headers"),
            });
        }
        let candidates = KEYS.iter().map(|info| info.name).chain(["header.NAME", "fields.NAME"]);
        Err(match closest(name, candidates.clone()) {
            Some(similar) => format!("there is no such column; did you mean `{similar}`?"),
            None => {
                let all: Vec<&str> = candidates.collect();
                format!("there is no such column; the columns are {}", all.join(", "))
            }
        })
    }
}

/// Fields that some header has, structures and bit ranges within them left out.
fn header_fields() -> impl Iterator<Item = &'static str> {
    let infos = TraceHeader::CASES.iter().filter_map(|case| case.info);
    infos.flat_map(|info| info.fields.iter().filter(|field| !field.hidden).map(|field| field.name))
}

/// The columns if none are named. If one event of the schema is chosen by name, the fields of its payload have a column each in
/// place of one for all.
pub(crate) fn default_columns(args: &Dump, several: bool) -> Vec<Column> {
    let wanted = KEYS.iter().filter(|info| {
        info.column
            && match info.presence {
                Presence::Always => true,
                Presence::SeveralFiles => several,
                Presence::Header => false,
                Presence::ProcessNames => args.process_names,
                Presence::Resolve => args.resolve,
            }
    });
    let fields = chosen_fields(args);
    wanted
        .flat_map(|info| match info.key {
            Key::Fields if !fields.is_empty() => fields.iter().map(|name| Column::of_field(name)).collect(),
            key => vec![Column {
                name: info.name.to_owned(),
                what: What::Key(key),
            }],
        })
        .collect()
}

/// The fields of the one event that is chosen, in the order of its newest version, then those of older ones only. None if several
/// events may be chosen, or if it is not one of the built-in schema.
fn chosen_fields(args: &Dump) -> Vec<&'static str> {
    let [event] = args.select.events.as_slice() else {
        return Vec::new();
    };
    if args.files.schema.folder.is_some() {
        return Vec::new();
    }
    let mut names = Vec::new();
    let chosen = EVENTS.iter().chain(&PROVIDER_EVENTS).filter(|info| event.is_exactly(info));
    for version in chosen.flat_map(|info| info.versions.iter().rev()) {
        let (template, record) = match version.payload {
            PayloadLayout::Template(template) => (template.fields(), &[][..]),
            PayloadLayout::Structure(info, _) | PayloadLayout::Interpreted(info, _) => (&[][..], info.fields),
        };
        let of_template = template.iter().filter_map(|field| match &field.name {
            Cow::Borrowed(name) => Some(*name),
            Cow::Owned(_) => None,
        });
        let of_record = record.iter().filter(|field| !field.hidden).map(|field| field.name);
        for name in of_template.chain(of_record) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Bytes of room for a row before it is passed on; longer ones take more steps.
const ROOM: usize = 1 << 10;

/// Writes events as rows.
#[derive(Debug)]
pub(crate) struct CsvRows {
    columns: Vec<Column>,
    /// Whether a column needs what is common to events of a kind.
    of_kind: bool,
    row: Vec<u8>,
    cell: Vec<u8>,
}

impl CsvRows {
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self {
            of_kind: columns
                .iter()
                .any(|column| matches!(column.what, What::Key(key) if key.is_of_kind())),
            columns,
            row: Vec::new(),
            cell: Vec::new(),
        }
    }
}

impl EventSink for CsvRows {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = WriterBuilder::new().from_writer(out);
        writer.write_record(self.columns.iter().map(|column| &column.name))?;
        writer.flush()
    }

    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Self { columns, row, cell, .. } = self;
        row.clear();
        let kind = self.of_kind.then(|| Kind::of(shown.event, shown.payload));
        let mut writer = WriterBuilder::new().buffer_capacity(ROOM).from_writer(&mut *row);
        for column in columns.iter() {
            cell.clear();
            match &column.what {
                What::Key(key) => {
                    let value = KeyValue {
                        key: *key,
                        shown,
                        kind: kind.as_ref(),
                    };
                    value.push(cell);
                }
                What::Header(path) => drop(push_at(shown.event.header().record(), path, cell)),
                What::Fields(path) => {
                    if let Some(record) = &shown.payload.record {
                        push_at(record.record(), path, cell);
                    }
                }
            }
            writer.write_field(&*plain(cell))?;
        }
        writer.write_record(None::<&[u8]>)?;
        writer.flush()?;
        drop(writer);
        out.write_all(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_event_has_a_column_for_each_field() {
        use clap::Parser as _;
        let heading = |args: &[&str]| {
            let cli = crate::args::Cli::try_parse_from(["winetl", "dump", "x.etl"].iter().chain(args)).unwrap();
            let crate::args::Command::Dump(args) = cli.command else {
                panic!("not a dump")
            };
            let columns = default_columns(&args, false);
            columns.into_iter().map(|column| column.name).collect::<Vec<String>>()
        };
        let all = heading(&[]);
        assert!(all.contains(&"fields".to_owned()));
        let named = heading(&["--event", "process/start"]);
        assert_eq!(heading(&["--event", "0x0301"]), named);
        let fields: Vec<&str> = named.iter().filter_map(|name| name.strip_prefix("fields.")).collect();
        assert_eq!(fields[..2], ["UniqueProcessKey", "ProcessId"]);
        assert!(fields.contains(&"CommandLine") && !named.contains(&"fields".to_owned()));
        let before = all.iter().position(|name| name == "fields").unwrap();
        assert_eq!(named[..before], all[..before]);
        assert_eq!(named[before + fields.len()..], all[before + 1..]);
        for several in [
            &["--event", "Process/*"][..],
            &["--event", "Process/Start", "--event", "Process/End"],
            &["--event", "Nobody/Knows"],
        ] {
            assert_eq!(heading(several), all, "{several:?}");
        }
        assert_eq!(heading(&["--event", "Microsoft-Windows-Kernel-Process/Nothing"]), all);
        assert!(heading(&["--event", "ImageLoad"]).contains(&"fields.ImageBase".to_owned()));
    }

    #[test]
    fn columns_of_names() {
        assert_eq!(Column::parse("time").unwrap().what, What::Key(Key::Time));
        assert_eq!(
            Column::parse("fields.A.B").unwrap().what,
            What::Fields(vec!["A".to_owned(), "B".to_owned()])
        );
        assert_eq!(
            Column::parse("header.ThreadId").unwrap().what,
            What::Header(vec!["ThreadId".to_owned()])
        );
        let problem = |name| Column::parse(name).unwrap_err();
        assert!(problem("tme").contains("did you mean `time`?"), "{}", problem("tme"));
        assert!(
            problem("header.TreadId").contains("did you mean `header.ThreadId`?"),
            "{}",
            problem("header.TreadId")
        );
        assert!(
            problem("nothing_like_it").contains("the columns are file, n, "),
            "{}",
            problem("nothing_like_it")
        );
        assert!(Column::parse("fields.").is_err() && Column::parse("").is_err());
    }
}
