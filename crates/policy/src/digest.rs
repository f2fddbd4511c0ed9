//! The digest that an answer or a grant binds to.

use deputy_protocol::{Confinement, Digest};
use serde_json::Value;
use std::path::Path;

/// Name of the tool that runs shell text, as it stands in digests and rules.
pub const SHELL_TOOL: &str = "shell";

/// BLAKE3 of the canonical JSON of a call: tool, parameters, folder and confinement. Keys are sorted at every level, so
/// that the same call has the same digest however its parameters were written.
pub fn digest(tool: &str, parameters: &Value, cwd: &Path, confinement: Confinement) -> Digest {
    let mut text = String::new();
    let call = serde_json::json!({
        "tool": tool,
        "parameters": parameters,
        "cwd": cwd.to_string_lossy(),
        "confinement": confinement,
    });
    canonical(&call, &mut text);
    Digest::new(blake3::hash(text.as_bytes()).to_hex().to_string())
}

fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            out.push('{');
            for key in keys {
                out.push_str(&Value::String(key.clone()).to_string());
                out.push(':');
                canonical(&map[key], out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(values) => {
            out.push('[');
            for value in values {
                canonical(value, out);
                out.push(',');
            }
            out.push(']');
        }
        value => out.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(parameters: Value) -> Digest {
        digest("shell", &parameters, Path::new("/w"), Confinement::Workspace)
    }

    #[test]
    fn the_order_of_keys_does_not_matter_and_everything_else_does() {
        assert_eq!(of(json!({"a": 1, "b": [1, 2]})), of(json!({"b": [1, 2], "a": 1})));
        assert_ne!(of(json!({"a": 1})), of(json!({"a": 2})));
        assert_ne!(
            of(json!({"a": 1})),
            digest("shell", &json!({"a": 1}), Path::new("/x"), Confinement::Workspace)
        );
        assert_ne!(
            of(json!({"a": 1})),
            digest("shell", &json!({"a": 1}), Path::new("/w"), Confinement::Open)
        );
        assert_ne!(
            of(json!({"a": 1})),
            digest("read", &json!({"a": 1}), Path::new("/w"), Confinement::Workspace)
        );
        assert_ne!(of(json!({"a": [1, 2]})), of(json!({"a": [12]})));
    }
}
