//! The digest to which an answer or a grant is bound.

use deputy_protocol::{Confinement, Digest, RequestedStep};
use serde_json::Value;
use std::path::Path;

/// The name of the tool that runs shell text, as used in digests and rules.
pub const SHELL_TOOL: &str = "shell";

/// The name of the tool that drives a browser.
pub const BROWSER_TOOL: &str = "browser";

/// Returns the BLAKE3 hash of a call's canonical JSON: tool, parameters, folder and confinement. Keys are sorted at
/// every level, so that the same call has the same digest regardless of the order of its parameters.
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

/// Returns the digest of calls that the user is asked about together. It covers everything that is shown about them,
/// and their order.
pub fn digest_of_steps(steps: &[RequestedStep], cwd: &Path, confinement: Confinement) -> Digest {
    digest("steps", &serde_json::json!(steps), cwd, confinement)
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
    use deputy_protocol::{CallId, Risk};
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

    #[test]
    fn whatever_is_shown_of_calls_and_their_order_are_bound() {
        let step = |n: u32| RequestedStep {
            call: CallId(format!("t1-1-{n}")),
            summary: format!("Write {n}.txt").into(),
            command: None,
            path: Some(format!("/w/{n}.txt")),
            diff: Some(format!("+{n}\n")),
            parts: Vec::new(),
            risk: Risk::Low,
            digest: Digest::new(format!("d{n}")),
        };
        let of = |steps: &[RequestedStep]| digest_of_steps(steps, Path::new("/w"), Confinement::Workspace);
        let shown = of(&[step(1), step(2)]);
        assert_eq!(shown, of(&[step(1), step(2)]));
        let changed = [
            RequestedStep { call: CallId::new("t1-1-3"), ..step(2) },
            RequestedStep { summary: "Write 3.txt".into(), ..step(2) },
            RequestedStep { path: Some("/w/3.txt".into()), ..step(2) },
            RequestedStep { diff: Some("+3\n".into()), ..step(2) },
            RequestedStep { command: Some("rm 2.txt".into()), ..step(2) },
            RequestedStep { risk: Risk::Medium, ..step(2) },
            RequestedStep { digest: Digest::new("d3"), ..step(2) },
        ];
        for other in changed {
            assert_ne!(shown, of(&[step(1), other.clone()]), "{other:?}");
        }
        assert_ne!(shown, of(&[step(2), step(1)]));
        assert_ne!(shown, of(&[step(1)]));
        assert_ne!(shown, of(&[step(1), step(2), step(3)]));
    }
}
