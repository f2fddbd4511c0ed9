//! Commands that people type every day run without asking. Similar commands that do more ask.

use crate::ground::Ground;
use deputy_protocol::Decision;

/// Returns the commands of a list. There is one per line, except for commands that continue on the next line inside
/// quotes.
fn commands(list: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in list.lines().filter(|line| !line.starts_with("# ")) {
        match found.last_mut().filter(|last| last.matches('\'').count() % 2 == 1) {
            Some(last) => *last = format!("{last}\n{line}"),
            None => found.push(line.to_owned()),
        }
    }
    found
}

#[test]
fn nearly_all_that_people_type_and_that_changes_nothing_runs_unasked() {
    let ground = Ground::ordinary();
    let commands = commands(include_str!("everyday.txt"));
    let asked = commands.iter().filter_map(|command| {
        let verdict = ground.decide(command).verdict;
        (verdict.decision != Decision::Allow).then(|| format!("{command}: {:?}", verdict.reasons))
    });
    let asked: Vec<String> = asked.collect();
    println!("figure: {} of {} everyday commands ask:\n{}", asked.len(), commands.len(), asked.join("\n"));
    assert!(commands.len() >= 300 && asked.len() * 100 <= commands.len() * 3);
}

#[test]
fn none_that_does_more_runs_unasked() {
    let ground = Ground::ordinary();
    let commands = commands(include_str!("hostile.txt"));
    let is_allowed = |command: &&String| ground.decide(command).verdict.decision == Decision::Allow;
    let allowed: Vec<&String> = commands.iter().filter(is_allowed).collect();
    assert!(commands.len() >= 200 && allowed.is_empty(), "{allowed:#?}");
}

#[test]
fn what_asks_for_a_reason_asks() {
    let ground = Ground::ordinary();
    let commands = include_str!("reasoned.txt").lines().filter_map(|line| line.split_once(" #: "));
    let is_allowed = |command: &&str| ground.decide(command).verdict.decision == Decision::Allow;
    let allowed: Vec<&str> = commands.map(|(command, _)| command).filter(is_allowed).collect();
    assert!(allowed.is_empty(), "{allowed:#?}");
}
