//! `deputy policy check --stdin --json`: one case a line in, one answer a line out, and nothing else happens.

use deputy_testkit::{Finished, TempHome};
use serde_json::{Value, json};

/// A home with a workspace of two files, and a key that nobody may read.
fn home() -> TempHome {
    let home = TempHome::new().unwrap();
    home.write("a.txt", "text\n").unwrap();
    home.write("src/main.rs", "fn main() {}\n").unwrap();
    std::fs::create_dir(home.user().join(".ssh")).unwrap();
    std::fs::write(home.user().join(".ssh/id_rsa"), "a key\n").unwrap();
    home
}

fn check(home: &TempHome, input: &[u8]) -> Vec<Value> {
    let mut command = home.deputy().unwrap();
    command.args(["policy", "check", "--stdin", "--json"]);
    let check = Finished::given(command, input).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""), "{check:?}");
    let answers = check.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!home.path().join("deputy.db").exists(), "nothing is written");
    answers
}

/// A case with the folders that it is in.
fn case(home: &TempHome, mut case: Value) -> Value {
    let (workspace, user) = (home.workspace(), home.user());
    let folders = [("cwd", &workspace), ("workspace", &workspace), ("home", &user)];
    for (field, path) in folders {
        case[field] = json!(path);
    }
    case
}

#[test]
fn every_tool_has_its_answer() {
    let home = home();
    let key = home.user().join(".ssh/id_rsa");
    let remembered = json!({"decision": "always_allow", "value": "npm test", "scope": "workspace"});
    let script = json!({"decision": "always_allow", "value": "python3 x.py", "scope": "workspace"});
    let hosts = json!(["example.com"]);
    let table = [
        (json!({"tool": "shell", "input": "cat a.txt | wc -l"}), "allow", "low"),
        (json!({"tool": "shell", "input": "npm install"}), "ask", "medium"),
        (json!({"tool": "shell", "input": "rm -rf ~"}), "deny", "high"),
        (json!({"tool": "shell", "input": "cat ~/.ssh/id_rsa"}), "ask", "high"),
        (json!({"tool": "read", "input": "a.txt"}), "allow", "low"),
        (json!({"tool": "read", "input": key}), "deny", "high"),
        (json!({"tool": "list", "input": "src"}), "allow", "low"),
        (json!({"tool": "write", "input": "new.txt"}), "allow", "low"),
        (json!({"tool": "write", "input": ".git/hooks/pre-commit"}), "ask", "high"),
        (json!({"tool": "delete", "input": "a.txt"}), "allow", "low"),
        (json!({"tool": "move", "input": "a.txt", "dest": "src/a.txt"}), "allow", "low"),
        (json!({"tool": "move", "input": "a.txt", "dest": "../a.txt"}), "ask", "medium"),
        (json!({"tool": "copy", "input": "a.txt", "dest": "b.txt"}), "allow", "low"),
        (json!({"tool": "copy", "input": key, "dest": "b.txt"}), "deny", "high"),
        (
            json!({"tool": "url", "input": "https://example.com/", "allow_hosts": hosts, "context": "navigate"}),
            "allow",
            "low",
        ),
        (
            json!({"tool": "url", "input": "https://example.com.evil.org/", "allow_hosts": hosts}),
            "ask",
            "medium",
        ),
        (
            json!({"tool": "grant", "kind": "command", "remembered": remembered, "input": "npm test"}),
            "allow",
            "medium",
        ),
        (
            json!({"tool": "grant", "kind": "command", "remembered": remembered, "input": "npm test; id"}),
            "ask",
            "medium",
        ),
        (
            json!({"tool": "grant", "kind": "offer", "remembered": script, "input": "python3 x.py"}),
            "no_rule",
            "medium",
        ),
    ];
    let cases: String = table.iter().map(|(each, ..)| format!("{}\n", case(&home, each.clone()))).collect();
    let answers = check(&home, cases.as_bytes());
    assert_eq!(answers.len(), table.len());
    for (answer, (each, decision, risk)) in answers.iter().zip(&table) {
        assert_eq!(
            (&answer["decision"], &answer["risk"]),
            (&json!(decision), &json!(risk)),
            "{each}: {answer}"
        );
        let reasons = answer["reasons"].as_array().unwrap();
        assert!(!reasons.is_empty() && reasons.iter().all(Value::is_string), "{each}: {answer}");
    }
    assert_eq!(std::fs::read_dir(home.workspace()).unwrap().count(), 2, "nothing was executed");
}

#[test]
fn answers_come_in_the_order_of_their_cases() {
    let home = home();
    let commands = ["ls", "rm -rf /", "make"];
    let line = |id: usize| {
        let input = commands[id % commands.len()];
        format!("{}\n", case(&home, json!({"id": id, "tool": "shell", "input": input})))
    };
    let cases: String = (0..3_000).map(line).collect();
    let answers = check(&home, cases.as_bytes());
    let decisions = ["allow", "deny", "ask"];
    for (id, answer) in answers.iter().enumerate() {
        assert_eq!((&answer["id"], &answer["decision"]), (&json!(id), &json!(decisions[id % 3])));
    }
    assert_eq!(answers.len(), 3_000);
}

#[test]
fn a_line_that_is_no_case_asks_and_stops_nothing() {
    let home = home();
    let good = case(&home, json!({"id": "good", "tool": "read", "input": "a.txt"}));
    let unknown = case(&home, json!({"id": "unknown", "tool": "teleport", "input": "Mars"}));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let (good, unknown) = (good.to_string(), unknown.to_string());
    let lines: [&[u8]; 9] = [
        b"not json",
        b"[1]",
        b"{\"id\": \"no-tool\"}",
        b"{\"id\": \"no-input\", \"tool\": \"shell\"}",
        unknown.as_bytes(),
        b"\xff\xfe",
        b"{\"id\": \"half\", \"tool\": \"shell\", \"input\": \"ls \\ud800\"}",
        deep.as_bytes(),
        good.as_bytes(),
    ];
    let answers = check(&home, &lines.join(&b'\n'));
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    let nothing = Value::Null;
    assert_eq!(
        ids,
        [
            &nothing,
            &nothing,
            &json!("no-tool"),
            &json!("no-input"),
            &json!("unknown"),
            &nothing,
            &json!("half"),
            &nothing,
            &json!("good"),
        ]
    );
    let (last, malformed) = answers.split_last().unwrap();
    assert!(malformed.iter().all(|answer| answer["decision"] == "ask"), "{malformed:?}");
    assert_eq!(last["decision"], "allow", "the last line needs no line feed");
    assert_eq!(check(&home, b""), Vec::<Value>::new());
}

#[test]
fn hidden_ends_and_commands_of_ten_megabytes_are_asked() {
    let home = home();
    let long = format!("echo {}", "a".repeat(10 << 20));
    let many = "ls; ".repeat((10 << 20) / 4);
    let inputs = ["ls \0; rm -rf ~", "cat a.txt\0", &long, &many];
    let cases: String = inputs
        .iter()
        .map(|input| format!("{}\n", case(&home, json!({"tool": "shell", "input": input}))))
        .collect();
    let answers = check(&home, cases.as_bytes());
    assert_eq!(answers.len(), inputs.len());
    for answer in &answers {
        assert_ne!(answer["decision"], "allow");
        assert_eq!(answer["risk"], "high");
        assert!(answer.to_string().len() < 10_000, "the answer does not repeat the text");
    }
    for tool in ["read", "write", "url"] {
        let cases = format!("{}\n", case(&home, json!({"tool": tool, "input": "a.txt\0.png"})));
        assert_ne!(check(&home, cases.as_bytes())[0]["decision"], "allow", "{tool}");
    }
}
