//! Comma-separated values: a row for each event below a heading.

use std::io::{self, Write};

use csv::WriterBuilder;
use winetl::format::TraceHeader;
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

/// The columns if none are named.
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
    wanted
        .map(|info| Column {
            name: info.name.to_owned(),
            what: What::Key(info.key),
        })
        .collect()
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
