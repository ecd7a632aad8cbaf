//! Names, places and docs of a schema in the form in which the runtime has those of generated code.
//!
//! The runtime refers to them for as long as the program runs, so they are leaked: some hundred KB for each schema that is read.

use winetl::record::{FieldInfo, RecordInfo, SourceInfo};
use winetl::table::{NamedValue, TableInfo};
use winetl_codegen::Schema;
use winetl_codegen::emit::kind_word;
use winetl_codegen::model::{Entry, Member, MemberKind, PayloadField, PayloadLayout, PerPointer, Source, Structure, Table};
use winetl_codegen::raw::PayloadFormat;

/// Information by the index of the model.
#[derive(Debug)]
pub(super) struct Statics {
    pub(super) tables: Vec<&'static TableInfo>,
    pub(super) structures: Vec<&'static RecordInfo>,
    pub(super) layouts: Vec<&'static RecordInfo>,
}

impl Statics {
    pub(super) fn of(schema: &Schema) -> Self {
        Self {
            tables: schema.tables.iter().map(table).collect(),
            structures: schema.structures.iter().map(|one| structure(schema, one)).collect(),
            layouts: schema.layouts.iter().map(|one| layout(schema, one)).collect(),
        }
    }
}

pub(super) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub(super) fn text(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

fn optional(value: Option<&String>) -> &'static str {
    value.map_or("", |value| text(value.as_str()))
}

fn table(table: &Table) -> &'static TableInfo {
    leak(TableInfo {
        name: text(table.name.as_str()),
        doc: text(table.doc.as_str()),
        entries: entries(&table.entries),
        groups: entries(&table.groups),
    })
}

fn entries(entries: &[Entry]) -> &'static [NamedValue] {
    let entries = entries.iter().map(|entry| NamedValue {
        value: entry.value,
        name: text(entry.name.as_str()),
        label: optional(entry.label.as_ref()),
        doc: optional(entry.doc.as_ref()),
    });
    Box::leak(entries.collect())
}

fn sources(sources: &[Source]) -> &'static [SourceInfo] {
    let sources = sources.iter().map(|source| SourceInfo {
        title: text(source.title.as_str()),
        kind: kind_word(source.kind),
        url: optional(source.url.as_ref()),
    });
    Box::leak(sources.collect())
}

fn structure(schema: &Schema, structure: &Structure) -> &'static RecordInfo {
    let fields = structure.members.iter().map(|member| member_info(schema, member));
    leak(RecordInfo {
        name: text(structure.name.as_str()),
        doc: text(structure.doc.as_str()),
        min_size: pair(structure.extent.fixed),
        varies: structure.extent.varies,
        sources: sources(&structure.sources),
        fields: Box::leak(fields.collect()),
    })
}

fn pair(pair: PerPointer) -> [u32; 2] {
    [pair.p32, pair.p64]
}

fn member_info(schema: &Schema, member: &Member) -> FieldInfo<'static> {
    FieldInfo {
        name: text(member.name.as_str()),
        ty: text(schema.member_type_text(member)),
        offset: member.offset.map(pair),
        size: match &member.kind {
            MemberKind::Stored(stored) if !stored.extent.varies => Some(pair(stored.extent.fixed)),
            _ => None,
        },
        unit: optional(member.unit.as_ref()),
        role: member.role.map_or("", |role| role.name),
        doc: text(member.doc.as_str()),
        hidden: member.hidden,
        hex: member.hex,
        computed: matches!(member.kind, MemberKind::Computed(_)),
    }
}

fn layout(schema: &Schema, layout: &PayloadLayout) -> &'static RecordInfo {
    let fields = layout.fields.iter().map(|field| payload_field(schema, field));
    leak(RecordInfo {
        name: text(layout.name.as_str()),
        doc: optional(layout.doc.as_ref()),
        min_size: [0, 0],
        varies: true,
        sources: &[],
        fields: Box::leak(fields.collect()),
    })
}

fn payload_field(schema: &Schema, field: &PayloadField) -> FieldInfo<'static> {
    FieldInfo {
        name: text(field.name.as_str()),
        ty: text(schema.payload_type_text(field)),
        unit: optional(field.unit.as_ref()),
        doc: optional(field.doc.as_ref()),
        hex: field.format == Some(PayloadFormat::Hex),
        ..FieldInfo::UNKNOWN
    }
}
