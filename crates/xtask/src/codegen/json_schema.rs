//! Generates the JSON Schema of every type, from the view of a reader.

use super::roots::{Side, definitions};
use serde_json::{Map, Value, json};

/// Returns the content of the file.
pub(super) fn render() -> String {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The words of Deputy",
        "description": "Written by `cargo xtask codegen` from crates/protocol; do not edit.",
        "$defs": definitions(Side::Reader),
    });
    format!("{:#}\n", sorted(schema))
}

/// Sorts the keys of every object, independently of the map type of serde_json.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<_> = object.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(Map::from_iter(entries))
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
