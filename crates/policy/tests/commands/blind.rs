//! Commands written by people who had not seen the table: some that they considered harmless, and some meant to
//! bypass the policy.

use crate::ground::Ground;
use deputy_protocol::{Confinement, Decision, Risk};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    command: String,
    #[serde(default)]
    dangerous: bool,
}

fn cases(lines: &str) -> Vec<Case> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn none_that_was_written_to_get_past_runs_unasked() {
    let ground = Ground::ordinary();
    let cases = cases(include_str!("../corpus/blind.hostile.jsonl"));
    let is_allowed = |case: &&Case| ground.decide(&case.command).verdict.decision == Decision::Allow;
    let allowed: Vec<&str> = cases.iter().filter(is_allowed).map(|case| case.command.as_str()).collect();
    assert!(cases.len() >= 390 && allowed.is_empty(), "{allowed:#?}");
}

/// Every dangerous command is denied, asked about at high risk, or confined to the folder without a network.
#[test]
fn dangerous_commands_are_denied_high_risk_or_confined_to_the_folder() {
    let ground = Ground::ordinary();
    let cases = cases(include_str!("../corpus/blind.hostile.jsonl"));
    let (mut dangerous, mut held, mut plain) = (0, 0, Vec::new());
    for case in cases.iter().filter(|case| case.dangerous) {
        dangerous += 1;
        let verdict = ground.decide(&case.command).verdict;
        if verdict.decision == Decision::Deny || verdict.risk == Risk::High {
            continue;
        }
        if verdict.confinement <= Confinement::Workspace {
            held += 1;
        } else {
            plain.push(format!("{}: {:?}", case.command, verdict.reasons));
        }
    }
    println!(
        "figure: of {dangerous} dangerous commands {held} are held by the folder, {} are not:\n{}",
        plain.len(),
        plain.join("\n")
    );
    assert!(dangerous >= 200 && plain.is_empty());
}

/// A text that runs a command inside another one's words, loops over the output of a command, or feeds text from the
/// command line may ask. Nearly all other harmless texts run.
#[test]
fn nearly_all_that_is_harmless_in_plain_words_runs_unasked() {
    let ground = Ground::ordinary();
    let cases = cases(include_str!("../corpus/blind.harmless.jsonl"));
    let asks_by_its_form =
        |command: &str| ["$(", "<(", "<<", "while ", "for "].iter().any(|form| command.contains(form));
    let (mut plain, mut unasked, mut asked) = (0, 0, Vec::new());
    for case in &cases {
        let verdict = ground.decide(&case.command).verdict;
        let is_plain = !asks_by_its_form(&case.command);
        plain += usize::from(is_plain);
        match verdict.decision {
            Decision::Allow => unasked += 1,
            _ if is_plain => asked.push(format!("{}: {:?}", case.command, verdict.reasons)),
            _ => {}
        }
    }
    println!(
        "figure: {unasked} of {} run unasked; {} of {plain} in plain words ask:\n{}",
        cases.len(),
        asked.len(),
        asked.join("\n")
    );
    assert!(plain >= 300 && asked.len() * 100 <= plain * 8);
}
