//! The marked fields of a payload: what the schema says that their values stand for.

use crate::event::Event;
use crate::format::events::CARRIED_EVENTS;
use crate::format::roles::EventRoles;
use crate::payload::schemas::Schemas;
use crate::payload::template::{CarriedEvent, Definition, Refers, Template};
use crate::payload::{PayloadRecord, TemplateRecord};
use crate::record::Value;
use crate::text::{push_ansi, push_utf16_bytes};

/// A payload of which some fields are marked.
pub(super) struct Marked<'a> {
    record: TemplateRecord<'a>,
    /// Where the marks are, for a layout that the trace carries.
    carried: Option<&'static CarriedEvent>,
    /// What the event says that there is.
    pub(super) defines: Option<Definition>,
}

/// A marked field.
pub(super) struct MarkedField<'f> {
    pub(super) name: &'f str,
    pub(super) refers: Refers,
    pub(super) value: Value<'f>,
}

impl<'a> Marked<'a> {
    /// `None` if nothing is marked. Most events end here, at little cost.
    pub(super) fn of(event: &Event<'a>, schemas: &'a mut Schemas) -> Option<Self> {
        let carried = |event: &Event<'_>| {
            let (id, provider) = (event.header().event_id()?, event.header().provider_id()?);
            CARRIED_EVENTS
                .iter()
                .find(|carried| u64::from(carried.id) == id && carried.provider_id == provider)
        };
        // An event of a provider may be marked apart from its layout, so that the marks hold for layouts of the trace too.
        let marked_apart = carried(event);
        if let Some(info) = event.info()
            && marked_apart.is_none()
        {
            let PayloadRecord::Template(record) = event.payload_record()? else {
                return None;
            };
            return has_marks(record.template()).then_some(Self {
                record,
                carried: None,
                defines: info.defines,
            });
        }
        let carried = marked_apart?;
        match schemas.decode(event).record? {
            PayloadRecord::Template(record) => Some(Self {
                record,
                carried: Some(carried),
                defines: carried.defines,
            }),
            PayloadRecord::Structure(..) => None,
        }
    }

    /// Shows each marked field that is there.
    pub(super) fn each(&self, see: &mut dyn FnMut(MarkedField<'_>)) {
        self.record.fields(&mut |field, value| {
            let refers = match self.carried {
                None => field.refers,
                Some(carried) => carried
                    .fields
                    .iter()
                    .find(|(name, _)| *name == field.name)
                    .map(|(_, refers)| *refers),
            };
            if let Some(refers) = refers {
                see(MarkedField {
                    name: &field.name,
                    refers,
                    value,
                });
            }
        });
    }

    /// Whether there is a field with a mark.
    pub(super) fn has(&self, wanted: Refers) -> bool {
        match self.carried {
            None => self
                .record
                .template()
                .fields()
                .iter()
                .any(|field| field.refers == Some(wanted)),
            Some(carried) => carried.fields.iter().any(|(_, refers)| *refers == wanted),
        }
    }
}

fn has_marks(template: &Template) -> bool {
    template.fields().iter().any(|field| field.refers.is_some())
}

/// The number of a value.
pub(super) fn number(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Unsigned(number)
        | Value::Address(number)
        | Value::Enum(number, _)
        | Value::Flags(number, _)
        | Value::Mapped(number, _) => Some(*number),
        Value::Signed(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

/// The text of a value.
pub(super) fn text(value: &Value<'_>) -> Option<String> {
    let mut text = String::new();
    match value {
        Value::Ansi(bytes) => push_ansi(bytes, &mut text),
        Value::Utf16Bytes(bytes) => push_utf16_bytes(bytes, &mut text),
        _ => return None,
    }
    Some(text)
}

/// The numbers of an array.
pub(super) fn numbers(value: &Value<'_>) -> Option<Vec<u64>> {
    let Value::List(list) = value else { return None };
    let mut found = Vec::new();
    list.for_each(&mut |value| found.extend(number(&value)));
    Some(found)
}
