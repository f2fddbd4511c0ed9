//! Runs the published cases, and more of the same kinds, through `policy check` for paths, addresses and remembered
//! answers. Their files are created on disk.

use crate::ground::Ground;
use deputy_policy::check::{CheckDecision, case};
use serde_json::{Map, Value, json};

fn cases(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn setup_of(case: &Value) -> Map<String, Value> {
    case.get("setup").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Checks each case, and returns those with an unexpected answer.
fn misjudged(
    cases: &[Value],
    to_line: impl Fn(&Value, &Ground) -> Value,
    is_right: impl Fn(&str, CheckDecision) -> bool,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for given in cases {
        let ground = Ground::new(&setup_of(given));
        let answer = case(&to_line(given, &ground).to_string());
        assert_eq!(answer.id, given["id"]);
        let expect = given["expect"].as_str().unwrap();
        if !is_right(expect, answer.decision) {
            wrong.push(format!("{} expects {expect}, got {answer:?}: {}", given["id"], given["why"]));
        }
    }
    wrong
}

fn is_right(expect: &str, decision: CheckDecision) -> bool {
    (expect == "allow") == (decision == CheckDecision::Allow)
}

fn check_paths(text: &str, count: usize) {
    let cases = cases(text);
    assert_eq!(cases.len(), count);
    let wrong = misjudged(
        &cases,
        |case, ground| {
            let mut line = ground.fill_all(&Value::Object(setup_of(case)));
            line["id"] = case["id"].clone();
            line["tool"] = case["setup"]["op"].clone();
            line["input"] = ground.fill_all(&case["input"]);
            line["home"] = json!(ground.home);
            line["workspace"] = json!(ground.workspace());
            line
        },
        is_right,
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn paths() {
    check_paths(include_str!("../corpus/paths.open.jsonl"), 128);
}

#[test]
fn more_paths_of_the_same_kinds() {
    check_paths(include_str!("../corpus/paths.more.jsonl"), 148);
}

#[test]
fn addresses() {
    check_addresses(include_str!("../corpus/urls.open.jsonl"), 139);
}

#[test]
fn more_addresses_of_the_same_kinds() {
    check_addresses(include_str!("../corpus/urls.more.jsonl"), 202);
}

fn check_addresses(text: &str, count: usize) {
    let cases = cases(text);
    assert_eq!(cases.len(), count);
    let wrong = misjudged(
        &cases,
        |case, _| {
            let mut line = Value::Object(setup_of(case));
            line["id"] = case["id"].clone();
            line["tool"] = json!("url");
            line["input"] = case["input"].clone();
            line["allow_hosts"] = case["setup"]["allowlist"].clone();
            line
        },
        is_right,
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_published_form_of_a_case_is_understood_as_it_stands() {
    let cases = cases(include_str!("../corpus/urls.open.jsonl"));
    let wrong = misjudged(
        &cases,
        |case, _| {
            let mut line = case.clone();
            line["tool"] = json!("url");
            line
        },
        is_right,
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn remembered_answers() {
    check_remembered(include_str!("../corpus/rules.open.jsonl"), 53);
}

#[test]
fn more_remembered_answers_of_the_same_kinds() {
    check_remembered(include_str!("../corpus/rules.more.jsonl"), 193);
}

fn check_remembered(text: &str, count: usize) {
    let cases = cases(text);
    assert_eq!(cases.len(), count);
    let wrong = misjudged(
        &cases,
        |case, ground| {
            let mut line = ground.fill_all(&json!({"setup": setup_of(case)}));
            line["id"] = case["id"].clone();
            line["tool"] = json!("grant");
            line["kind"] = case["kind"].clone();
            line["remembered"] = case["remembered"].clone();
            line["input"] = ground.fill_all(&case["attempt"]);
            line["home"] = json!(ground.home);
            line["workspace"] = json!(ground.workspace());
            line
        },
        |expect, decision| match expect {
            "allow" => decision == CheckDecision::Allow,
            "ask" => decision == CheckDecision::Ask,
            "deny" => decision == CheckDecision::Deny,
            "not_allow" => matches!(decision, CheckDecision::Ask | CheckDecision::Deny),
            "no_rule" => decision == CheckDecision::NoRule,
            other => panic!("unknown label {other}"),
        },
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
