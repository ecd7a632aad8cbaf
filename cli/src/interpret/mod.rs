//! Reads traces with the YAML files themselves, without generated code: what `--schema` does.
//!
//! This is the second executor of a schema. Below the model it shares nothing with the generated parsers: bytes are read by
//! [`winetl_codegen::decode`]. The walk through the file is the runtime's, since the schema does not describe it.

mod events;
mod selection;
mod statics;
mod traced;
mod values;

use std::path::Path;
use std::sync::Arc;

use winetl::dispatch::{Case, EventInfo, Peek};
use winetl::dynamic::DynamicRecord;
use winetl::record::RecordInfo;
use winetl::table::TableInfo;
use winetl::{BufferTables, Context, EventRoles, Guid, Interpretation, Interpreter, LayoutError, ProviderInfo, WalkStructure};
use winetl_codegen::decode::{Problem, decode};
use winetl_codegen::model::{MemberKind, Stored, Structure, Type};
use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Schema, SourceSet, compile, has_errors};

use crate::commands::schema;
use events::Events;
use selection::{Selection, model_context};
use statics::{Statics, leak};
pub(crate) use traced::{Described, EventOf, Traced};
use values::Converter;

/// A schema with what the runtime must know of it.
#[derive(Debug)]
struct Model {
    schema: Schema,
    statics: Statics,
}

/// An interpreter of a schema.
#[derive(Debug)]
pub struct SchemaInterpreter {
    model: Arc<Model>,
    headers: Selection,
    items: Selection,
    switches: Option<Selection>,
    events: Events,
    walk: [usize; 4],
    tables: BufferTables,
}

/// The dispatches that the walk needs.
const HEADERS: &str = "TRACE_HEADER";
const ITEMS: &str = "EXTENDED_ITEM";
const SWITCHES: &str = "PERFINFO_CCSWAP_TYPE";

impl SchemaInterpreter {
    /// Makes an interpreter of a schema without errors. It lives as long as the program, since what the runtime reads with it
    /// refers to it.
    ///
    /// # Errors
    /// Says what the walk through a file needs and the schema does not define.
    pub fn new(schema: Schema) -> Result<&'static Self, String> {
        let statics = Statics::of(&schema);
        let find = |structure: WalkStructure| {
            let position = schema.structures.iter().position(|one| one.name == structure.name());
            position.ok_or_else(|| missing("structure", structure.name()))
        };
        let walk = [
            find(WalkStructure::BufferHeader)?,
            find(WalkStructure::LogfileHeader)?,
            find(WalkStructure::LogfileEvent)?,
            find(WalkStructure::ItemHeader)?,
        ];
        let [buffer_header, ..] = walk;
        let table = |role: &str| {
            let index = schema
                .structures
                .get(buffer_header)
                .and_then(|structure| table_of(structure, role));
            let table: Option<&'static TableInfo> = index.and_then(|index| statics.tables.get(index).copied());
            table.ok_or_else(|| {
                format!(
                    "the schema has no table for the field with role `{role}` of {}: give the field a table as its type",
                    WalkStructure::BufferHeader.name()
                )
            })
        };
        let tables = BufferTables {
            types: table("buffer_type")?,
            states: table("buffer_state")?,
            flags: table("buffer_flags")?,
        };
        let dispatch = |name: &str| selection::find(&schema, name).ok_or_else(|| missing("dispatch", name));
        // Few traces have context switches of this form, so a schema may do without.
        let switches = selection::find(&schema, SWITCHES).map(|found| Selection::new(found, &statics));
        let (headers, items) = (
            Selection::new(dispatch(HEADERS)?, &statics),
            Selection::new(dispatch(ITEMS)?, &statics),
        );
        let model = Arc::new(Model { schema, statics });
        let events = Events::of(&model);
        Ok(leak(Self {
            model,
            headers,
            items,
            switches,
            events,
            walk,
            tables,
        }))
    }

    /// Reads the structure of a name from the start of `bytes`; gives it with the number of bytes read. `None` if the schema has
    /// no such structure.
    pub fn read_named(&self, name: &str, bytes: &[u8], context: Context) -> Option<Interpretation> {
        let index = self.model.schema.structures.iter().position(|one| one.name == name)?;
        Some(self.read_structure(index, bytes, context))
    }

    fn index(&self, structure: WalkStructure) -> usize {
        let [buffer_header, logfile_header, logfile_event, item_header] = self.walk;
        match structure {
            WalkStructure::BufferHeader => buffer_header,
            WalkStructure::LogfileHeader => logfile_header,
            WalkStructure::LogfileEvent => logfile_event,
            WalkStructure::ItemHeader => item_header,
        }
    }

    fn read_structure(&self, index: usize, bytes: &[u8], context: Context) -> Interpretation {
        let Model { schema, statics } = &*self.model;
        let none = LayoutError {
            structure: "",
            field: "",
            available: bytes.len(),
        };
        let Some(structure) = schema.structures.get(index) else {
            return Err(none);
        };
        match decode(schema, structure, bytes, model_context(context)) {
            Ok((record, used)) => {
                let record: Option<DynamicRecord> = Converter { schema, statics }.structure(index, record);
                record.map(|record| (record, used)).ok_or(none)
            }
            Err(problem) => Err(self.layout_error(index, &problem, bytes.len())),
        }
    }

    /// The error of the runtime, which has names in static memory only.
    fn layout_error(&self, index: usize, problem: &Problem, available: usize) -> LayoutError {
        let infos = &self.model.statics.structures;
        let innermost = infos.iter().find(|info| info.name == problem.structure);
        let fields = innermost.map(|info| info.fields).unwrap_or_default();
        LayoutError {
            structure: innermost.or(infos.get(index)).map_or("", |info| info.name),
            field: fields
                .iter()
                .map(|field| field.name)
                .find(|name| *name == problem.field)
                .unwrap_or(""),
            available,
        }
    }
}

/// Reads a schema folder, with the base that it names, for an interpreter.
///
/// # Errors
/// The problems of the schema as text, all of them.
pub(crate) fn load_interpreter(folder: &Path, coloured: bool) -> Result<&'static SchemaInterpreter, String> {
    let style = if coloured { Style::Coloured } else { Style::Plain };
    let sources = schema::read(folder).map_err(|problems| render_all(&SourceSet::default(), &problems, style))?;
    let (schema, problems) = compile(&sources);
    if has_errors(&problems) {
        return Err(render_all(&sources, &problems, style));
    }
    SchemaInterpreter::new(schema).map_err(|problem| format!("winetl: {}: {problem}", sources.folder))
}

impl Interpreter for SchemaInterpreter {
    fn read(&self, structure: WalkStructure, bytes: &[u8], context: Context) -> Interpretation {
        self.read_structure(self.index(structure), bytes, context)
    }

    fn info(&self, structure: WalkStructure) -> &'static RecordInfo {
        static NONE: RecordInfo = RecordInfo {
            name: "",
            doc: "",
            min_size: [0, 0],
            varies: false,
            sources: &[],
            fields: &[],
        };
        self.model
            .statics
            .structures
            .get(self.index(structure))
            .copied()
            .unwrap_or(&NONE)
    }

    fn buffer_tables(&self) -> BufferTables {
        self.tables
    }

    fn select_header(&self, bytes: &[u8], context: Context) -> Option<&'static Case> {
        self.headers.by_bytes(bytes, context)
    }

    fn select_switch(&self, bytes: &[u8], context: Context) -> Option<&'static Case> {
        self.switches.as_ref()?.by_bytes(bytes, context)
    }

    fn peek_header(&self, case: &Case, bytes: &[u8], context: Context) -> Option<Peek> {
        let (header, _) = self.read_structure(case.structure, bytes, context).ok()?;
        Some(Peek {
            size: EventRoles::event_size(&header)?,
            timestamp: EventRoles::timestamp(&header),
        })
    }

    fn select_item(&self, item_type: u64, context: Context) -> Option<&'static Case> {
        self.items.by_value(item_type, context)
    }

    fn read_case(&self, case: &Case, bytes: &[u8], context: Context) -> Interpretation {
        self.read_structure(case.structure, bytes, context)
    }

    fn kernel_event(&self, hook_id: u16) -> Option<&'static EventInfo> {
        self.events.kernel(hook_id)
    }

    fn classic_event(&self, class_id: Guid, opcode: u64) -> Option<&'static EventInfo> {
        self.events.classic(class_id, opcode)
    }

    fn provider_event(&self, provider_id: Guid, event_id: u64) -> Option<&'static EventInfo> {
        self.events.of_provider(provider_id, event_id)
    }

    fn provider(&self, id: &Guid) -> Option<&'static ProviderInfo> {
        self.events.provider(id)
    }

    fn kernel_provider(&self) -> Option<&'static ProviderInfo> {
        self.events.kernel_provider()
    }
}

fn missing(kind: &str, name: &str) -> String {
    format!("the schema has no {kind} {name}, without which no trace can be read: define it, or build on the shipped schema")
}

/// The table that is the type of the field with a role.
fn table_of(structure: &Structure, role: &str) -> Option<usize> {
    structure
        .members
        .iter()
        .find(|member| member.role.is_some_and(|found| found.name == role))
        .and_then(|member| match &member.kind {
            MemberKind::Stored(Stored {
                ty: Type::Table(index), ..
            }) => Some(*index),
            MemberKind::Computed(computed) => match computed.ty {
                Type::Table(index) => Some(index),
                _ => None,
            },
            MemberKind::Stored(_) => None,
        })
}
