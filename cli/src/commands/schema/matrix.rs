//! Fields by version: a row per field name and a column per form of a structure, or per version of an event.

use std::io;

use serde::{Serialize, Serializer};
use winetl_codegen::Schema;
use winetl_codegen::model::{Event, Member, MemberKind, Payload, PerPointer, Structure, WindowsVersion};

use super::at::{family, windows_text};
use crate::args::MatrixFormat;
use crate::render::json::push_line;
use crate::render::table::Table;

/// What has fields that differ by version.
#[derive(Debug, Serialize)]
pub(super) struct Matrix {
    name: String,
    /// `structure` or `event`.
    kind: &'static str,
    columns: Vec<Column>,
    fields: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Column {
    /// Name of the structure, or of the version with its pointer size.
    name: String,
    version: Option<u8>,
    pointer_bits: Option<u32>,
    #[serde(serialize_with = "as_text")]
    since: Option<WindowsVersion>,
    #[serde(serialize_with = "as_text")]
    until: Option<WindowsVersion>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// One for each column.
    cells: Vec<Option<Cell>>,
}

/// Where a field is in one version.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Cell {
    /// Bytes from the start, for a field at a fixed place.
    #[serde(serialize_with = "as_text")]
    offset: Option<PerPointer>,
    /// Number of the field, for one of a payload.
    position: Option<usize>,
    #[serde(rename = "type")]
    ty: String,
}

fn as_text<S: Serializer>(value: &Option<impl ToString>, serializer: S) -> Result<S::Ok, S::Error> {
    value.as_ref().map(ToString::to_string).serialize(serializer)
}

impl Cell {
    fn text(&self) -> String {
        match (self.offset, self.position) {
            (Some(offset), _) => format!("{offset} {}", self.ty),
            (None, Some(position)) => format!("{position}. {}", self.ty),
            (None, None) => self.ty.clone(),
        }
    }
}

impl Matrix {
    /// A structure with its other forms, in order of Windows versions.
    pub(super) fn of_structure(schema: &Schema, structure: &Structure) -> Self {
        let forms = family(schema, structure);
        let columns = forms.iter().map(|form| Column {
            name: form.name.clone(),
            version: None,
            pointer_bits: None,
            since: form.since,
            until: form.until,
        });
        let fields = forms.iter().map(|form| members(schema, form));
        Self {
            name: structure.name.clone(),
            kind: "structure",
            columns: columns.collect(),
            fields: merge(fields.collect()),
        }
    }

    /// An event with its payloads.
    pub(super) fn of_event(schema: &Schema, event: &Event) -> Self {
        let columns = event.versions.iter().map(|version| Column {
            name: match version.pointer_size {
                Some(size) => format!("v{} ({}-bit)", version.version, 8 * size),
                None => format!("v{}", version.version),
            },
            version: Some(version.version),
            pointer_bits: version.pointer_size.map(|size| 8 * size),
            since: version.since,
            until: version.until,
        });
        let fields = event.versions.iter().map(|version| match version.payload {
            Payload::Empty => Vec::new(),
            Payload::Structure(index) => schema
                .structures
                .get(index)
                .map(|structure| members(schema, structure))
                .unwrap_or_default(),
            Payload::Layout(index) => payload(schema, index),
        });
        Self {
            name: event.name.clone(),
            kind: "event",
            columns: columns.collect(),
            fields: merge(fields.collect()),
        }
    }

    /// Writes it in the form that was asked for.
    pub(super) fn write(&self, format: MatrixFormat, out: &mut dyn io::Write) -> io::Result<()> {
        match format {
            MatrixFormat::Text => {
                let mut table = Table::default();
                for row in self.rows() {
                    table.row(row);
                }
                write!(out, "{}\n\n{}", self.name, table.render())
            }
            MatrixFormat::Markdown => {
                writeln!(out, "### {}\n", self.name)?;
                for (index, row) in self.rows().into_iter().enumerate() {
                    let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
                    writeln!(out, "| {} |", cells.join(" | "))?;
                    if index == 0 {
                        writeln!(out, "|{}", "---|".repeat(cells.len()))?;
                    }
                }
                Ok(())
            }
            MatrixFormat::Json => {
                let mut line = Vec::new();
                push_line(self, &mut line)?;
                out.write_all(&line)
            }
        }
    }

    /// Heading, Windows versions, fields.
    fn rows(&self) -> Vec<Vec<String>> {
        let row = |first: &str, rest: &mut dyn Iterator<Item = String>| {
            std::iter::once(first.to_owned()).chain(rest).collect::<Vec<String>>()
        };
        let mut rows = vec![
            row("field", &mut self.columns.iter().map(|column| column.name.clone())),
            row(
                "(Windows)",
                &mut self.columns.iter().map(|column| windows_text(column.since, column.until)),
            ),
        ];
        rows.extend(self.fields.iter().map(|field| {
            row(
                &field.name,
                &mut field
                    .cells
                    .iter()
                    .map(|cell| cell.as_ref().map(Cell::text).unwrap_or_default()),
            )
        }));
        rows
    }
}

fn members(schema: &Schema, structure: &Structure) -> Vec<(String, Cell)> {
    let cell = |member: &Member| Cell {
        offset: member.offset.filter(|_| matches!(member.kind, MemberKind::Stored(_))),
        position: None,
        ty: schema.member_type_text(member),
    };
    let members = structure.members.iter();
    members.map(|member| (member.name.clone(), cell(member))).collect()
}

fn payload(schema: &Schema, layout: usize) -> Vec<(String, Cell)> {
    let fields = schema.layouts.get(layout).map(|layout| layout.fields.as_slice());
    let numbered = fields.unwrap_or_default().iter().zip(1..);
    let cell = |(field, position)| Cell {
        offset: None,
        position: Some(position),
        ty: schema.payload_type_text(field),
    };
    numbered
        .map(|(field, position)| (field.name.clone(), cell((field, position))))
        .collect()
}

/// One row per name. A name that earlier versions lack comes behind the field that it follows in its own.
fn merge(columns: Vec<Vec<(String, Cell)>>) -> Vec<Row> {
    let width = columns.len();
    let mut rows: Vec<Row> = Vec::new();
    for (column, fields) in columns.into_iter().enumerate() {
        let mut next = 0;
        for (name, cell) in fields {
            let at = rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
                let cells = vec![None; width];
                rows.insert(next, Row { name, cells });
                next
            });
            if let Some(place) = rows.get_mut(at).and_then(|row| row.cells.get_mut(column)) {
                *place = Some(cell);
            }
            next = at + 1;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_behind_the_field_they_follow() {
        let cell = |ty: &str| Cell {
            offset: None,
            position: None,
            ty: ty.to_owned(),
        };
        let column = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), cell("u32"))).collect();
        let rows = merge(vec![
            column(&["A", "C"]),
            column(&["Z", "A", "B", "C", "D"]),
            column(&["C", "A"]),
        ]);
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["Z", "A", "B", "C", "D"]);
        let present = |row: &Row| row.cells.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(present(&rows[1]), [true, true, true]);
        assert_eq!(present(&rows[2]), [false, true, false]);
    }
}
