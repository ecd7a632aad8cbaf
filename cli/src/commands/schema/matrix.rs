//! Fields by version: a row per field name and a column per form of a structure, or per version of an event.

use std::io;

use serde::{Serialize, Serializer};
use winetl_codegen::Schema;
use winetl_codegen::model::{EventVersion, Member, MemberKind, Payload, PerPointer, Structure, WindowsVersion};

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
        let forms: Vec<(&Structure, Windows)> = family(schema, structure)
            .into_iter()
            .flat_map(|form| spans(form).into_iter().map(move |span| (form, span)))
            .collect();
        let columns = forms.iter().map(|(form, (since, until))| Column {
            name: form.name.clone(),
            version: None,
            pointer_bits: None,
            since: *since,
            until: *until,
        });
        let fields = forms.iter().map(|(form, span)| members(schema, form, *span));
        Self {
            name: structure.name.clone(),
            kind: "structure",
            columns: columns.collect(),
            fields: merge(fields.collect()),
        }
    }

    /// An event with its payloads.
    pub(super) fn of_event(schema: &Schema, name: &str, versions: &[EventVersion]) -> Self {
        let columns = versions.iter().map(|version| Column {
            name: match version.pointer_size {
                Some(size) => format!("v{} ({}-bit)", version.version, 8 * size),
                None => format!("v{}", version.version),
            },
            version: Some(version.version),
            pointer_bits: version.pointer_size.map(|size| 8 * size),
            since: version.since,
            until: version.until,
        });
        let fields = versions.iter().map(|version| match version.payload {
            Payload::Empty => Vec::new(),
            Payload::Structure(index) => schema
                .structures
                .get(index)
                .map(|structure| members(schema, structure, (structure.since, structure.until)))
                .unwrap_or_default(),
            Payload::Layout(index) => payload(schema, index),
        });
        Self {
            name: name.to_owned(),
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

/// The first Windows version of a span, and the first behind it.
type Windows = (Option<WindowsVersion>, Option<WindowsVersion>);

/// The Windows versions of a structure, cut where a field comes or goes.
fn spans(structure: &Structure) -> Vec<Windows> {
    let ends = structure.members.iter().flat_map(|member| [member.since, member.until]);
    let inside = |cut: &WindowsVersion| Some(*cut) != structure.since && cut.is_within(structure.since, structure.until);
    let mut cuts: Vec<WindowsVersion> = ends.flatten().filter(inside).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let starts = std::iter::once(structure.since).chain(cuts.iter().copied().map(Some));
    let ends = cuts.iter().copied().map(Some).chain(std::iter::once(structure.until));
    starts.zip(ends).collect()
}

/// The fields of a structure that are there in a span of `spans`.
fn members(schema: &Schema, structure: &Structure, span: Windows) -> Vec<(String, Cell)> {
    // No field comes or goes within a span.
    let there = |member: &Member| {
        let begun = member.since.is_none_or(|since| span.0.is_some_and(|start| since <= start));
        begun && member.until.is_none_or(|until| span.1.is_some_and(|end| end <= until))
    };
    let cell = |member: &Member| Cell {
        offset: member.offset.filter(|_| matches!(member.kind, MemberKind::Stored(_))),
        position: None,
        ty: schema.member_type_text(member),
    };
    let members = structure.members.iter().filter(|member| there(member));
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
    fn columns_are_cut_where_fields_come_and_go() {
        let text = r#"title: Queue
sources: [{id: study, kind: observed, title: "Real traces"}]
structures:
  - name: QUEUE
    size: 4
    since: "6.0"
    doc: A queue.
    sources: [study]
    fields:
      - {name: Spare, offset: 0, type: u16, until: "6.2", doc: "Nothing yet."}
      - {name: Flags, offset: 2, type: u16, doc: "Bits.", bits: [{name: IsLast, bits: 0, since: "6.1", doc: "Last."}]}
      - {name: Owner, offset: 0, type: u16, overlay: true, since: "6.2", doc: "Who waits."}
    vectors: [{doc: "made by hand", bytes: "07 00 00 00", expect: {Owner: 7}}]
"#;
        let sources = winetl_codegen::SourceSet::from_texts("schema", [("queue.yaml", text)]);
        let (schema, problems) = winetl_codegen::compile(&sources);
        assert!(problems.is_empty(), "{problems:?}");
        let matrix = Matrix::of_structure(&schema, &schema.structures[0]);
        let spans: Vec<String> = matrix
            .columns
            .iter()
            .map(|column| windows_text(column.since, column.until))
            .collect();
        assert_eq!(spans, ["6.0 to before 6.1", "6.1 to before 6.2", "6.2 and later"]);
        let there = |name: &str| {
            let row = matrix.fields.iter().find(|row| row.name == name).unwrap();
            row.cells.iter().map(Option::is_some).collect::<Vec<_>>()
        };
        assert_eq!(there("Spare"), [true, true, false]);
        assert_eq!(there("Owner"), [false, false, true]);
        assert_eq!(there("IsLast"), [false, true, true]);
        assert_eq!(there("Flags"), [true; 3]);
    }

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
