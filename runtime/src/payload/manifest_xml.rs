//! The XML of manifests, as a tree of the elements and attributes that matter.

use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::event_schema::SchemaProblem;

/// Elements that matter. Others are passed over with all that is in them.
const ELEMENTS: &[&str] = &[
    "instrumentationManifest",
    "instrumentation",
    "events",
    "provider",
    "channels",
    "channel",
    "importChannel",
    "levels",
    "level",
    "tasks",
    "task",
    "opcodes",
    "opcode",
    "keywords",
    "keyword",
    "maps",
    "valueMap",
    "bitMap",
    "map",
    "templates",
    "template",
    "data",
    "struct",
    "event",
    "localization",
    "resources",
    "stringTable",
    "string",
];

/// Attributes that matter.
const ATTRIBUTES: &[&str] = &[
    "name", "guid", "symbol", "message", "chid", "value", "mask", "tid", "inType", "outType", "map", "length", "count", "tags",
    "version", "level", "channel", "task", "opcode", "keywords", "template", "id", "culture",
];

/// How deep elements are read; a manifest has eight levels.
const MAX_DEPTH: usize = 16;

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// Its name without the prefix of a namespace.
    pub(super) name: &'static str,
    /// What is in it.
    pub(super) children: Vec<Self>,
    attributes: Vec<(&'static str, Box<str>)>,
}

impl Element {
    /// An attribute's text with entities resolved.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|attribute| attribute.0 == name)
            .map(|attribute| &*attribute.1)
    }

    /// The children with a name.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The grandchildren: children named `item` of children named `list`.
    pub(super) fn items(&self, list: &'static str, item: &'static str) -> impl Iterator<Item = &Self> {
        self.all(list).flat_map(move |list| list.all(item))
    }
}

/// Reads a manifest. The result is a nameless element around the root. Of text that is no XML from a place on, the part before
/// it is read. No entities but the five of XML and characters by number are resolved, so nothing grows.
pub(super) fn parse(text: &str) -> (Element, Option<SchemaProblem>) {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    let mut skipped = 0_usize;
    let mut problem = None;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => match element(&start) {
                Some(element) if skipped == 0 && open.len() < MAX_DEPTH => open.push(element),
                _ => skipped += 1,
            },
            Ok(Event::Empty(start)) => {
                if let (Some(element), Some(parent), 0) = (element(&start), open.last_mut(), skipped) {
                    parent.children.push(element);
                }
            }
            Ok(Event::End(_)) if skipped > 0 => skipped -= 1,
            Ok(Event::End(_)) => close(&mut open),
            Ok(Event::Eof) => {
                if open.len() > 1 || skipped > 0 {
                    let message = "it ends within an element".to_owned();
                    problem = Some(SchemaProblem::Xml {
                        at: reader.buffer_position(),
                        message,
                    });
                }
                break;
            }
            Ok(_) => {}
            Err(error) => {
                problem = Some(SchemaProblem::Xml {
                    at: reader.error_position(),
                    message: error.to_string(),
                });
                break;
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    (open.pop().unwrap_or_default(), problem)
}

/// Puts the innermost open element into the one around it.
fn close(open: &mut Vec<Element>) {
    if open.len() > 1
        && let Some(element) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(element);
    }
}

fn element(start: &BytesStart<'_>) -> Option<Element> {
    let name = known(ELEMENTS, local(start.name().as_ref()))?;
    let mut attributes = Vec::new();
    // An attribute that is given twice has its first value.
    for attribute in start.attributes().with_checks(false).flatten() {
        if let Some(name) = known(ATTRIBUTES, attribute.key.as_ref()) {
            let value = unescape(&attribute.value).map_or_else(|_| attribute.value.as_ref().into(), Into::into);
            attributes.push((name, value));
        }
    }
    Some(Element {
        name,
        children: Vec::new(),
        attributes,
    })
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn known(names: &[&'static str], name: &str) -> Option<&'static str> {
    names.iter().find(|known| **known == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_matter() {
        let (root, problem) = parse(
            "\u{feff}<?xml version='1.0'?><!-- c --><x:events xmlns:x='u'><x:provider name='A &amp; &#66;' name='2' foo='3'>\
             <other><level name='hidden'/></other><levels><level name='&bomb;' value='1'/></levels></x:provider></x:events>",
        );
        assert_eq!(problem, None);
        let provider = root.items("events", "provider").next().unwrap();
        assert_eq!((provider.get("name"), provider.get("foo")), (Some("A & B"), None));
        let levels: Vec<_> = provider
            .items("levels", "level")
            .map(|level| level.get("name").unwrap())
            .collect();
        // An entity that is not XML's own stays as it is.
        assert_eq!(levels, ["&bomb;"]);
    }

    #[test]
    fn cut_anywhere_gives_what_stands_before() {
        let text = "<events><provider name='P'><tasks><task name='T' value='1'/></tasks></provider></events>";
        for length in 0..text.len() {
            let (root, problem) = parse(&text[..length]);
            assert_eq!(problem.is_none(), length == 0, "{length}");
            assert_eq!(root.items("events", "provider").count(), usize::from(length > 26), "{length}");
        }
        assert_eq!(parse(text).1, None);
        let (root, problem) = parse("<events><provider></events><provider/>");
        assert!(matches!(problem, Some(SchemaProblem::Xml { at: 18.., .. })), "{problem:?}");
        assert_eq!(root.items("events", "provider").count(), 1);
    }

    #[test]
    fn depth_and_bombs_are_bounded() {
        let deep = "<events>".repeat(100_000);
        let (root, problem) = parse(&deep);
        assert!(problem.is_some());
        let mut depth = 0;
        let mut at = &root;
        while let Some(child) = at.children.first() {
            depth += 1;
            at = child;
        }
        assert_eq!(depth, MAX_DEPTH - 1);
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><events><provider name='&b;&b;'/></events>";
        let (root, _) = parse(bomb);
        assert_eq!(root.items("events", "provider").next().unwrap().get("name"), Some("&b;&b;"));
    }
}
