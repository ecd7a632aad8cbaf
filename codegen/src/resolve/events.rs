//! Events: their names, hook ids and classes.

use super::Resolver;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::Event;

impl Resolver<'_> {
    /// Resolves all events.
    pub(super) fn events(&mut self) {
        let mut seen: Vec<(u16, Place)> = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            for (at, raw) in file.events.iter().enumerate() {
                let place = Place::file(index).key("events").index(at);
                if let Some((_, first)) = seen.iter().find(|(hook_id, _)| *hook_id == raw.hook_id) {
                    let first = first.key("hook_id");
                    self.report(
                        Diagnostic::at(
                            Code::DuplicateValue,
                            &place.key("hook_id"),
                            format!("hook id {:#06x} has two names", raw.hook_id),
                            "named again here",
                        )
                        .and(&first, "first named here")
                        .help("keep one of the two"),
                    );
                }
                seen.push((raw.hook_id, place.clone()));
                self.sources(index, &raw.sources, &format!("the event {}", raw.name), &place);
                let structure = raw
                    .structure
                    .as_ref()
                    .and_then(|name| self.structure_named(name, &place.key("structure")));
                let class_id = raw.class_id.as_ref().and_then(|text| {
                    let parsed = parse_guid(text);
                    if parsed.is_none() {
                        self.report(
                            Diagnostic::at(
                                Code::WrongShape,
                                &place.key("class_id"),
                                format!("`{text}` is not a GUID"),
                                "not a GUID",
                            )
                            .help("write 8-4-4-4-12 hex digits in quotes"),
                        );
                    }
                    parsed
                });
                let doc = raw.doc.as_ref().map(|doc| doc.trim().to_owned());
                self.schema.events.push(Event {
                    name: raw.name.clone(),
                    hook_id: raw.hook_id,
                    class_id,
                    structure,
                    doc,
                });
            }
        }
        self.schema.events.sort_by_key(|event| event.hook_id);
    }
}

/// Bytes of a GUID in Windows order.
fn parse_guid(text: &str) -> Option<[u8; 16]> {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    if lengths != [8, 4, 4, 4, 12] || !text.is_ascii() {
        return None;
    }
    let digits: String = text.split('-').collect();
    let mut bytes = u128::from_str_radix(&digits, 16).ok()?.to_be_bytes();
    // The first three groups are little-endian numbers.
    bytes[0..4].reverse();
    bytes[4..6].reverse();
    bytes[6..8].reverse();
    Some(bytes)
}
