//! The scripted model speaks the real dialect: the real `openai` package understands it.

use deputy_testkit::model::{CutTurn, Script, ScriptedCall, ScriptedModel, StatusTurn, ToolCallsTurn, Turn};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The script that `check_dialect.py` expects.
fn script() -> Script {
    let text = "Grüße from the script, in more than one piece.";
    let calls = [
        ("shell", json!({"command": "echo 'ä \"quoted\" \\\\ word'"})),
        ("read_file", json!({"path": "a/b.txt", "lines": [1, 2, 3]})),
    ];
    let fragments = ToolCallsTurn {
        text: Some("I look first.".to_owned()),
        calls: calls
            .iter()
            .map(|(name, arguments)| ScriptedCall { name: (*name).to_owned(), arguments: arguments.clone() })
            .collect(),
        fragment: true,
    };
    let turns = [
        Turn::text(text),
        Turn::text(text),
        Turn::calls(calls),
        Turn::ToolCalls(fragments),
        Turn::Status(StatusTurn { code: 429, body: None, retry_after: Some(2.5) }),
        Turn::Cut(CutTurn { after_bytes: 2_000, text: "One two three. ".repeat(100), calls: Vec::new() }),
    ];
    Script { api_key: Some("the-key".to_owned()), ..Script::turns(turns) }
}

#[test]
fn the_real_package_understands_the_scripted_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join(".venv/bin/python");
    let has_package = Command::new(&python).args(["-c", "import openai"]).output();
    assert!(
        has_package.is_ok_and(|output| output.status.success()),
        "the package `openai` is not in `.venv` at the root of the repository: run `make setup`"
    );
    let model = ScriptedModel::start(script()).unwrap();
    let output = Command::new(python)
        .arg(root.join("crates/testkit/tests/dialect/check_dialect.py"))
        .arg(model.url())
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let requests = model.requests();
    assert_eq!(requests.len(), 9);
    assert!(requests.iter().zip(1..).all(|(request, n)| request.n == n && request.bytes > 0));
    assert!(requests.windows(2).all(|pair| pair[0].at_ns < pair[1].at_ns));
    let body = |n: usize| requests[n - 1].body.clone().unwrap_or_default();
    assert_eq!(body(2)["stream"], true);
    assert_eq!(body(4)["messages"].as_array().map(Vec::len), Some(5));
    assert_eq!(body(1)["messages"][1], json!({"role": "user", "content": "Hello."}));
    assert_eq!(body(1)["stream"], Value::Null);
}
