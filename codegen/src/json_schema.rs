//! The JSON Schema of schema files, for editors: completion, descriptions and first errors while typing.
//!
//! It is made from the serde model in [`crate::raw`], so it knows the keys, their kinds of value and their meaning. What
//! needs more than one node to be seen (sizes, names, expressions) is found by [`crate::compile`] only.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde_json::Value;

use crate::raw::{Bits, Expectations, Expression, File, PerPointer, Scalar};
use crate::roles::ROLE_SETS;

/// Name of the file within the schema folder.
pub const FILE: &str = "schema.json";

/// The line at the top of a schema file that leads an editor to the JSON Schema, by a path relative to the file `name`.
pub fn editor_line(name: &str) -> String {
    let up = "../".repeat(name.matches('/').count());
    let up = if up.is_empty() { "./" } else { &up };
    format!("# yaml-language-server: $schema={up}{FILE}")
}

/// The JSON Schema (draft 2020-12) as the text of a file.
///
/// # Errors
/// If it cannot be written as JSON, which would be a fault of the generator.
pub fn text() -> Result<String, serde_json::Error> {
    let mut schema = schema_for!(File).to_value();
    if let Some(top) = schema.as_object_mut() {
        top.insert("title".to_owned(), "Schema file of winetl".into());
    }
    drop_empty_defaults(&mut schema);
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

/// A key that may be left out has `null`, `false` or an empty list as its default: that says nothing to a reader.
fn drop_empty_defaults(node: &mut Value) {
    match node {
        Value::Object(map) => {
            // A key of the language may be named `default` as well; its value is then a schema.
            let says_nothing = |value: &Value| match value {
                Value::Null | Value::Bool(false) => true,
                Value::Array(items) => items.is_empty(),
                Value::Object(keys) => keys.is_empty(),
                _ => false,
            };
            if map.get("default").is_some_and(says_nothing) {
                map.remove("default");
            }
            map.values_mut().for_each(drop_empty_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_empty_defaults),
        _ => {}
    }
}

/// The names of all roles, with what each is for.
pub(crate) fn role(_: &mut SchemaGenerator) -> Schema {
    let roles: Vec<Value> = ROLE_SETS
        .iter()
        .flat_map(|set| set.roles)
        .map(|role| json_schema!({ "const": role.name, "description": role.doc }).to_value())
        .collect();
    json_schema!({ "anyOf": roles })
}

/// Writes the schema of a type that reads its YAML by hand.
macro_rules! by_hand {
    ($($name:ident: $schema:tt;)+) => {
        $(impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        })+
    };
}

by_hand! {
    PerPointer: {
        "description": "A number of bytes; `{32: .., 64: ..}` where it depends on the pointer size of the data.",
        "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": 0xffff_ffff_u32 },
            {
                "type": "object",
                "properties": {
                    "32": { "description": "For 32-bit data.", "type": "integer", "minimum": 0, "maximum": 0xffff_ffff_u32 },
                    "64": { "description": "For 64-bit data.", "type": "integer", "minimum": 0, "maximum": 0xffff_ffff_u32 }
                },
                "required": ["32", "64"],
                "additionalProperties": false
            }
        ]
    };
    Expression: {
        "description": "An expression, or a number.",
        "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }]
    };
    Bits: {
        "description": "`first-last`, or the number of one bit.",
        "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string", "pattern": "^ *[0-9]+ *(- *[0-9]+ *)?$" }]
    };
}

impl JsonSchema for Expectations {
    fn schema_name() -> Cow<'static, str> {
        "Expectations".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<Scalar>();
        json_schema!({
            "description": "Names of fields, dotted into nested structures, and their values.",
            "type": "object",
            "additionalProperties": value
        })
    }
}

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let list = generator.subschema_for::<Vec<Self>>();
        json_schema!({
            "description": "A whole number, text as a dump prints it, or a list of these.",
            "anyOf": [{ "type": "integer" }, { "type": "string" }, list]
        })
    }
}
