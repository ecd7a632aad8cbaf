//! The JSON Schema of the objects of JSON Lines, from the table of their keys.

use serde_json::{Value, json};
use winetl::payload::decoded::{DecodedBy, Undecoded};
use winetl::payload::event_schema::SchemaSource;

use super::envelope::{KEYS, KeyInfo, Presence, Shape};

const TITLE: &str = "Event of winetl dump --format jsonl";
const DESCRIPTION: &str = "One event, a line of the output. JSON.md says more. New keys may be added in later versions.";

/// The schema as a text of many lines.
pub(crate) fn jsonl_schema() -> String {
    let mut schema = schema();
    // Whether objects keep the order of their making depends on what else is in the program.
    schema.sort_all_objects();
    let mut text = format!("{schema:#}");
    text.push('\n');
    text
}

fn schema() -> Value {
    let required: Vec<&str> = KEYS
        .iter()
        .filter(|info| info.presence == Presence::Always)
        .map(|info| info.name)
        .collect();
    let properties: serde_json::Map<String, Value> = KEYS.iter().map(|info| (info.name.to_owned(), property(info))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": TITLE,
        "description": DESCRIPTION,
        "type": "object",
        "properties": properties,
        "required": required,
        // One of the two is null, and only one.
        "oneOf": [
            {"properties": {"decoded_by": {"type": "null"}}},
            {"properties": {"undecoded": {"type": "null"}}},
        ],
        "$defs": {
            "value": {
                "description": "Value of a field: null for one that is not there.",
                "type": ["null", "boolean", "number", "string", "array", "object"],
                "items": {"$ref": "#/$defs/value"},
                "additionalProperties": {"$ref": "#/$defs/value"},
            },
        },
    })
}

fn property(info: &KeyInfo) -> Value {
    let mut property = shape(info.shape);
    let condition = match info.presence {
        Presence::Always => "",
        Presence::SeveralFiles => " Only there if more than one file was named.",
        Presence::Header => " Left out with --no-header.",
        Presence::ProcessNames => " Only there with --process-names.",
        Presence::Resolve => " Only there with --resolve.",
    };
    if let Some(object) = property.as_object_mut() {
        object.insert("description".to_owned(), json!(format!("{}{condition}", info.doc)));
    }
    property
}

fn shape(shape: Shape) -> Value {
    let value = json!({"$ref": "#/$defs/value"});
    match shape {
        Shape::Count => json!({"type": "integer", "minimum": 0}),
        Shape::Unsigned => json!({"type": ["integer", "null"], "minimum": 0}),
        Shape::Signed => json!({"type": ["integer", "null"]}),
        Shape::Time => json!({
            "type": ["string", "null"],
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{7}Z$",
        }),
        Shape::Guid => json!({
            "type": ["string", "null"],
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        }),
        Shape::Name => json!({"type": "string"}),
        Shape::Text => json!({"type": ["string", "null"]}),
        Shape::Hex => json!({"type": ["string", "null"], "pattern": "^0x[0-9a-f]{1,16}$"}),
        Shape::Bytes => json!({"type": ["string", "null"], "pattern": "^([0-9a-f]{2})+$"}),
        Shape::Header => json!({"type": "object", "additionalProperties": value}),
        Shape::Fields => json!({"type": ["object", "null"], "additionalProperties": value}),
        Shape::Items => json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"type": {"type": ["string", "integer"]}, "value": value},
                "required": ["type", "value"],
                "additionalProperties": false,
            },
        }),
        Shape::DecodedBy => {
            let carried = [
                SchemaSource::TraceLogging,
                SchemaSource::TraceEventInfo,
                SchemaSource::Manifest,
            ]
            .map(DecodedBy::Trace);
            let names: Vec<Value> = [DecodedBy::Schema]
                .into_iter()
                .chain(carried)
                .map(|by| json!(by.name()))
                .chain([Value::Null])
                .collect();
            json!({"enum": names})
        }
        Shape::Undecoded => {
            let reasons = [Undecoded::NoSchema, Undecoded::TooShort, Undecoded::TrailingBytes];
            let names: Vec<Value> = reasons
                .iter()
                .map(|reason| json!(reason.name()))
                .chain([Value::Null])
                .collect();
            json!({"enum": names})
        }
        Shape::Names => {
            let text = json!({"type": ["string", "null"]});
            json!({
                "type": ["object", "null"],
                "properties": {
                    "level": text,
                    "opcode": text,
                    "task": text,
                    "keywords": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["level", "opcode", "task", "keywords"],
                "additionalProperties": false,
            })
        }
        Shape::Resolved => json!({
            "type": ["object", "null"],
            "properties": {
                "process": {
                    "type": ["object", "null"],
                    "properties": {"pid": {"type": "integer", "minimum": 0}, "process": {"type": ["string", "null"]}},
                    "required": ["pid", "process"],
                    "additionalProperties": false,
                },
                "event": {"type": ["integer", "null"], "minimum": 0},
                "fields": {"type": "object", "additionalProperties": value},
                "extended": {
                    "type": "array",
                    "items": {"type": ["array", "null"], "items": {"type": "string"}},
                },
            },
            "required": ["process", "event", "fields", "extended"],
            "additionalProperties": false,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file that is shipped. `WINETL_UPDATE=1` writes it anew.
    #[test]
    fn the_shipped_schema_is_fresh() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/jsonl.schema.json");
        let text = jsonl_schema();
        if std::env::var_os("WINETL_UPDATE").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let shipped = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            shipped.lines().eq(text.lines()),
            "cli/jsonl.schema.json is not what the code says: run this test with WINETL_UPDATE=1"
        );
    }
}
