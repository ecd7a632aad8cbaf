//! A line of the jsonl format that keeps the order of its keys and keys that occur twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// As it is written.
    Number(serde_json::Number),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value of a key; null where there is none.
    pub(crate) fn get(&self, key: &str) -> &Json {
        match self {
            Self::Object(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map_or(&Json::Null, |(_, value)| value),
            _ => &Json::Null,
        }
    }

    pub(crate) fn str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn u64(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    /// Text of a value that is no list and no object.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Bool(truth) => Some(truth.to_string()),
            Self::Number(number) => Some(number.to_string()),
            Self::Text(text) => Some(text.clone()),
            Self::Null | Self::List(_) | Self::Object(_) => None,
        }
    }

    /// All values that are no lists and no objects, with the names that lead to them.
    pub(crate) fn leaves(&self) -> Vec<(String, &Json)> {
        match self {
            Self::Null => Vec::new(),
            Self::List(list) => list.iter().flat_map(Self::leaves).collect(),
            Self::Object(entries) => {
                let mut leaves = Vec::new();
                for (name, value) in entries {
                    for (path, leaf) in value.leaves() {
                        let dot = if path.is_empty() { "" } else { "." };
                        leaves.push((format!("{name}{dot}{path}"), leaf));
                    }
                }
                leaves
            }
            leaf => vec![(String::new(), leaf)],
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values)
    }
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Json, E> {
        Ok(Json::Bool(truth))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(serde_json::Number::from_f64(number).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = object.next_entry()? {
            entries.push(entry);
        }
        Ok(Json::Object(entries))
    }
}
