//! Words of the schema's tables for numbers in a header, found by role.

use winetl::EventRoles;
use winetl::record::{FieldInfo, FieldVisitor, Record, Value};
use winetl::table::{NamedValue, TableInfo};

/// The named values of an event header.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Labels {
    pub(crate) level: Option<&'static NamedValue>,
    pub(crate) opcode: Option<&'static NamedValue>,
}

impl Labels {
    pub(crate) fn of(header: &impl EventRoles) -> Self {
        Self {
            level: header.level_entry(),
            opcode: header.opcode_entry(),
        }
    }
}

/// A number of a record that a table explains: the entry of its value, or the flags that are set.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Explained {
    Enum(u64, Option<&'static NamedValue>),
    Flags(u64, &'static TableInfo),
}

/// Finds the field with `role` in a record, if a table explains it.
pub(crate) fn explained(record: &dyn Record, role: &'static str) -> Option<Explained> {
    let mut find = Find { role, found: None };
    record.visit(&mut find);
    find.found
}

struct Find {
    role: &'static str,
    found: Option<Explained>,
}

impl FieldVisitor for Find {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        match value {
            Value::Record(nested) => nested.visit(self),
            Value::Enum(number, entry) if info.role == self.role => self.found = Some(Explained::Enum(number, entry)),
            Value::Flags(bits, table) if info.role == self.role => self.found = Some(Explained::Flags(bits, table)),
            _ => {}
        }
    }
}

impl Explained {
    /// Labels for people; bits and values without a name as numbers.
    pub(crate) fn labels(self) -> Vec<String> {
        self.texts(NamedValue::label_or_name)
    }

    /// Microsoft's names; bits and values without one as numbers.
    pub(crate) fn names(self) -> Vec<String> {
        self.texts(|entry| entry.name)
    }

    fn texts(self, text: impl Fn(&'static NamedValue) -> &'static str) -> Vec<String> {
        match self {
            Self::Enum(_, Some(entry)) => vec![text(entry).to_owned()],
            Self::Enum(number, None) => vec![number.to_string()],
            Self::Flags(bits, table) => {
                let mut texts: Vec<String> = table.set_bits(bits).map(|entry| text(entry).to_owned()).collect();
                let unknown = table.entries.iter().fold(bits, |rest, entry| rest & !entry.value);
                texts.extend((unknown != 0).then(|| format!("{unknown:#x}")));
                texts
            }
        }
    }
}
