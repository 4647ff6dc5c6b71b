//! The JSON Schema of `robot.toml`, for editors that complete and underline.
//! Printed by `dcm-run config schema`.
//! It is made from the same description that files are examined against.

use serde_json::{Map, Value, json};

use crate::quantity::Dimension;
use crate::schema::ROBOT;
use crate::schema::{TableSchema, ValueKind};

/// The schema, in draft 2020-12.
pub fn schema() -> Value {
    let mut schema = of_shape(&ROBOT);
    if let Some(object) = schema.as_object_mut() {
        object.insert(
            "$schema".to_owned(),
            json!("https://json-schema.org/draft/2020-12/schema"),
        );
        object.insert("title".to_owned(), json!("robot.toml"));
    }
    schema
}

fn of_shape(shape: &TableSchema) -> Value {
    let properties: Map<_, _> = shape
        .keys
        .iter()
        .map(|field| {
            let mut value = of_kind(&field.kind);
            if let Some(object) = value.as_object_mut() {
                object.insert("description".to_owned(), json!(field.about));
            }
            (field.key.to_owned(), value)
        })
        .collect();
    let needed: Vec<_> = shape
        .keys
        .iter()
        .filter(|key| key.needed)
        .map(|key| key.key)
        .collect();
    let mut schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    // What is taken away needs nothing else.
    let (key, value) = match shape.key("absent") {
        Some(_) => (
            "anyOf",
            json!([{ "required": needed }, { "required": ["absent"] }]),
        ),
        None => ("required", json!(needed)),
    };
    schema[key] = value;
    schema
}

fn of_kind(kind: &ValueKind) -> Value {
    match kind {
        ValueKind::Flag => json!({ "type": "boolean" }),
        ValueKind::Text => json!({ "type": "string" }),
        ValueKind::Word(words) => json!({ "enum": words }),
        ValueKind::Whole(low, high) => {
            json!({ "type": "integer", "minimum": low, "maximum": high })
        }
        ValueKind::Figure(dimension) => of_figure(*dimension, json!({})),
        ValueKind::Above(dimension) => of_figure(*dimension, json!({ "exclusiveMinimum": 0 })),
        ValueKind::NotBelow(dimension) => of_figure(*dimension, json!({ "minimum": 0 })),
        ValueKind::Range(dimension) => list(of_figure(*dimension, json!({})), Some(2)),
        ValueKind::Point(dimension) => list(of_figure(*dimension, json!({})), Some(3)),
        ValueKind::List(kind) => list(of_kind(kind), None),
        ValueKind::Table(shape) => of_shape(shape),
        ValueKind::Named(kind) => {
            json!({ "type": "object", "additionalProperties": of_kind(kind) })
        }
    }
}

fn of_figure(dimension: Dimension, bounds: Value) -> Value {
    let mut number = json!({ "type": "number" });
    if let (Some(number), Value::Object(bounds)) = (number.as_object_mut(), bounds) {
        number.extend(bounds);
    }
    if dimension == Dimension::Plain {
        number
    } else {
        json!({ "anyOf": [number, { "type": "string", "description": dimension.expected() }] })
    }
}

fn list(items: Value, length: Option<u32>) -> Value {
    match length {
        Some(length) => {
            json!({ "type": "array", "items": items, "minItems": length, "maxItems": length })
        }
        None => json!({ "type": "array", "items": items }),
    }
}
