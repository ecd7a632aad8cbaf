//! Names of the numbers that an event's header has: level, opcode, task, keywords.

use std::sync::Arc;

use winetl::payload::event_schema::EventSchema;
use winetl::table::NamedValue;
use winetl::{Event, EventRoles};

use super::json::{Json, Object, entry, push_list};

/// What the trace says, else the words of the schema's tables. Nothing is copied.
#[derive(Debug)]
pub(crate) struct EventNames<'a> {
    pub(crate) level: Option<&'a str>,
    pub(crate) opcode: Option<&'a str>,
    pub(crate) task: Option<&'a str>,
    pub(crate) keywords: &'a [Arc<str>],
}

impl<'a> EventNames<'a> {
    /// The names of an event; `None` if it has none.
    pub(crate) fn of(event: &Event<'_>, schema: Option<&'a EventSchema>) -> Option<Self> {
        let header = event.header();
        // Level 0 means that none is given.
        let level = header.level_entry().filter(|level| level.value != 0);
        // Types of classic events from YAML have their name in the event's, and need not mean what the common table says. Events
        // of providers are known by their number, so their types are those of the table.
        let has_common_opcode = || event.info().is_none_or(|info| info.event_id.is_some());
        let opcode = header.opcode_entry().filter(|_| has_common_opcode());
        let names = Self {
            level: schema
                .and_then(|schema| schema.level_name.as_deref())
                .or(level.map(NamedValue::label_or_name)),
            opcode: schema
                .and_then(|schema| schema.opcode_name.as_deref())
                .or(opcode.map(NamedValue::label_or_name)),
            task: schema.and_then(|schema| schema.task_name.as_deref()),
            keywords: schema.map(|schema| schema.keyword_names.as_slice()).unwrap_or_default(),
        };
        let known = names.level.is_some() || names.opcode.is_some() || names.task.is_some() || !names.keywords.is_empty();
        known.then_some(names)
    }
}

impl Json for EventNames<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        let mut names = Object::begin(out);
        entry!(names, "level", &self.level);
        entry!(names, "opcode", &self.opcode);
        entry!(names, "task", &self.task);
        entry!(names, "keywords", &Keywords(self.keywords));
        names.end();
    }
}

struct Keywords<'a>(&'a [Arc<str>]);

impl Json for Keywords<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        push_list(out, |push| self.0.iter().for_each(|name| push(&&**name)));
    }
}
