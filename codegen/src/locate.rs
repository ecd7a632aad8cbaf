//! Finds the line and column of a YAML node.
//!
//! serde_yaml gives positions only with errors. So the text is read once more by a seed that walks down to the wanted
//! node and fails there on purpose; serde_yaml stamps that error with the node's position.

use std::fmt;
use std::ops::Range;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::diagnostic::Step;

/// Byte range of the node that `steps` lead to, or of the nearest node above it that exists.
pub fn locate(text: &str, steps: &[Step]) -> Range<usize> {
    for length in (0..=steps.len()).rev() {
        let wanted = steps.get(..length).unwrap_or_default();
        let seek = Seek {
            steps: wanted,
            key: None,
        };
        if let Err(error) = seek.deserialize(serde_yaml::Deserializer::from_str(text))
            && error.to_string().contains(FOUND)
            && let Some(location) = error.location()
        {
            return token_at(text, location.index());
        }
    }
    0..0
}

/// Byte range of a key of the map that `steps` lead to: the first such key, or one after `skipped` equal ones.
pub fn locate_key(text: &str, steps: &[Step], key: &str, skipped: usize) -> Option<Range<usize>> {
    let error = Seek {
        steps,
        key: Some((key, skipped)),
    }
    .deserialize(serde_yaml::Deserializer::from_str(text))
    .err()?;
    let location = error.location().filter(|_| error.to_string().contains(FOUND))?;
    Some(token_at(text, location.index()))
}

/// Byte range of the token that begins at `start`: a quoted text, a plain scalar, or the rest of the line.
pub fn token_at(text: &str, start: usize) -> Range<usize> {
    let start = floor_char_boundary(text, start);
    let rest = text.get(start..).unwrap_or_default();
    let mut chars = rest.char_indices();
    let end = match chars.next() {
        Some((_, quote @ ('"' | '\''))) => chars.find(|&(_, c)| c == quote || c == '\n').map(|(at, _)| at + 1),
        Some((_, '{' | '[')) => Some(1),
        Some((_, c)) if c.is_whitespace() => return start..start + c.len_utf8(),
        Some(_) => rest.char_indices().find_map(|(at, c)| {
            let ends = match c {
                ',' | '}' | ']' | '\n' | '#' => true,
                ':' => rest.get(at + 1..).is_some_and(|next| next.starts_with([' ', '\n'])),
                _ => false,
            };
            ends.then_some(at)
        }),
        None => Some(0),
    };
    let token = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default().trim_end();
    start..start + token.len()
}

fn floor_char_boundary(text: &str, index: usize) -> usize {
    (0..=index.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// Text of the error that marks the wanted node.
const FOUND: &str = "schema node found";

struct Seek<'a> {
    steps: &'a [Step],
    /// A key of the node that is wanted in place of the node, and how many equal ones come before it.
    key: Option<(&'a str, usize)>,
}

impl Seek<'_> {
    fn deeper(&self) -> Self {
        Self {
            steps: self.steps.split_first().map(|(_, rest)| rest).unwrap_or_default(),
            key: self.key,
        }
    }
}

/// A key that fails if it is the wanted one.
struct KeySeek<'a>(Option<&'a str>);

impl<'de> DeserializeSeed<'de> for KeySeek<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeek<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<String, E> {
        if self.0 == Some(key) {
            Err(E::custom(FOUND))
        } else {
            Ok(key.to_owned())
        }
    }
}

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FOUND)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some(Step::Index(wanted)) = self.steps.first() else {
            return Err(de::Error::custom(FOUND));
        };
        for _ in 0..*wanted {
            if list.next_element::<IgnoredAny>()?.is_none() {
                return Ok(());
            }
        }
        list.next_element_seed(self.deeper())?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let wanted = match (self.steps.first(), self.key) {
            (Some(Step::Key(wanted)), _) => wanted,
            (None, Some((key, skipped))) => return seek_key(map, key, skipped),
            _ => return Err(de::Error::custom(FOUND)),
        };
        while let Some(key) = map.next_key::<String>()? {
            if key == *wanted {
                map.next_value_seed(self.deeper())?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        Err(E::custom(FOUND))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        Err(E::custom(FOUND))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        Err(E::custom(FOUND))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        Err(E::custom(FOUND))
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        Err(E::custom(FOUND))
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Err(E::custom(FOUND))
    }
}

fn seek_key<'de, A: MapAccess<'de>>(mut map: A, wanted: &str, skipped: usize) -> Result<(), A::Error> {
    let mut seen = 0;
    while let Some(key) = map.next_key_seed(KeySeek(Some(wanted).filter(|_| seen == skipped)))? {
        seen += usize::from(key == wanted);
        map.next_value::<IgnoredAny>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Step {
        Step::Key(name.to_owned())
    }

    fn found<'a>(text: &'a str, steps: &[Step]) -> &'a str {
        &text[locate(text, steps)]
    }

    #[test]
    fn finds_nodes_of_every_shape() {
        let text = "title: A page\nlist:\n  - {name: first, offset: 0x00, doc: \"said, with a comma\"}\n  - name: second\n    offset: 2 # two\n    deep: [1, {x: 'y z'}]\n";
        assert_eq!(found(text, &[key("title")]), "A page");
        assert_eq!(found(text, &[key("list"), Step::Index(0), key("name")]), "first");
        assert_eq!(found(text, &[key("list"), Step::Index(0), key("offset")]), "0x00");
        assert_eq!(
            found(text, &[key("list"), Step::Index(0), key("doc")]),
            "\"said, with a comma\""
        );
        assert_eq!(found(text, &[key("list"), Step::Index(1), key("offset")]), "2");
        assert_eq!(
            found(text, &[key("list"), Step::Index(1), key("deep"), Step::Index(1), key("x")]),
            "'y z'"
        );
        assert_eq!(found(text, &[key("list"), Step::Index(1)]), "name");
    }

    #[test]
    fn falls_back_to_the_node_above() {
        let text = "list:\n  - {name: first}\n";
        assert_eq!(found(text, &[key("list"), Step::Index(0), key("doc")]), "{");
        assert_eq!(locate("", &[key("list")]), 0..0);
    }

    #[test]
    fn finds_keys() {
        let text = "list:\n  - {name: first, doc: a, doc: b}\n";
        let entry = [key("list"), Step::Index(0)];
        assert_eq!(locate_key(text, &entry, "doc", 0), Some(24..27));
        assert_eq!(locate_key(text, &entry, "doc", 1), Some(32..35));
        assert_eq!(locate_key(text, &entry, "name", 1), None);
        assert_eq!(locate_key(text, &entry, "first", 0), None);
    }

    #[test]
    fn tokens_end_at_character_boundaries() {
        assert_eq!(token_at("a: é, b", 4), 3..5);
        assert_eq!(token_at("a", 99), 1..1);
    }
}
