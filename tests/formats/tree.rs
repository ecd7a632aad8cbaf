//! XML as a tree, read with quick-xml.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// An element.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
    pub(crate) children: Vec<Node>,
}

impl Node {
    pub(crate) fn find(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    pub(crate) fn child(&self, name: &str) -> &Node {
        self.find(name).unwrap_or_else(|| panic!("{} has no {name}", self.name))
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|(attribute, _)| attribute == name);
        found.map(|(_, value)| value.clone())
    }
}

/// Reads a document, gives its root.
pub(crate) fn parse(text: &str) -> Node {
    assert!(
        text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Events "),
        "{text:.200}"
    );
    let mut reader = Reader::from_str(text);
    let mut open = vec![Node::default()];
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => open.push(node(&start)),
            Event::Empty(start) => open.last_mut().unwrap().children.push(node(&start)),
            Event::End(_) => {
                let node = open.pop().unwrap();
                open.last_mut().unwrap().children.push(node);
            }
            Event::Text(text) => push(&mut open, &text),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().unwrap().map(String::from);
                let text = character.unwrap_or_else(|| {
                    let name = &*reference;
                    quick_xml::escape::resolve_predefined_entity(name).unwrap().to_owned()
                });
                push(&mut open, &text);
            }
            Event::Decl(_) => {}
            Event::Eof => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(open.len(), 1, "elements are left open");
    let mut roots = open.pop().unwrap().children;
    assert_eq!(roots.len(), 1);
    roots.pop().unwrap()
}

fn push(open: &mut [Node], text: &str) {
    assert!(text.chars().all(is_xml), "{text:?}");
    open.last_mut().unwrap().text.push_str(text);
}

/// The characters that XML 1.0 allows.
fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{FFFD}' | '\u{10000}'..)
}

fn node(start: &BytesStart<'_>) -> Node {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.unwrap();
        let value = attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).unwrap();
        assert!(value.chars().all(is_xml), "{value:?}");
        (attribute.key.as_ref().to_owned(), value.into_owned())
    });
    Node {
        name: start.name().as_ref().to_owned(),
        attributes: attributes.collect(),
        ..Node::default()
    }
}
