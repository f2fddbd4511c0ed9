//! C8, judged = executed: what is allowed without a person runs as it was judged, and does nothing but read and print.

use crate::canary;
use crate::confined::{block_on, run};
use crate::ground::Ground;
use crate::ordinary_user;
use crate::size;
use crate::trace::{self, Judged, Traced};
use crate::variations::{Random, Variations};
use deputy_policy::Execution;
use deputy_protocol::{Confinement, Decision, PartKind};
use deputy_sandbox::ChildLimits;
use std::path::Path;

/// Commands that policy allows without a person, with how they are to run.
fn allowed(ground: &Ground, random: Random, count: usize) -> (usize, Vec<Judged>) {
    let mut found = Vec::new();
    for (tried, text) in Variations::new(random).enumerate() {
        assert!(tried < 20 * count + 1000, "only {} of {tried} variations are allowed", found.len());
        let ruling = ground.decide(&text);
        if ruling.verdict.decision == Decision::Allow {
            assert_eq!(ruling.verdict.confinement, Confinement::ReadOnly, "{text:?}");
            let of_commands = ruling.verdict.parts.into_iter().filter(|part| part.kind == PartKind::Command);
            let commands = of_commands.map(|part| part.text).collect();
            found.push(Judged { text, execution: ruling.execution.unwrap(), commands });
        }
        if found.len() == count {
            return (tried + 1, found);
        }
    }
    unreachable!("the variations never end")
}

#[test]
fn what_is_allowed_changes_nothing_and_shows_no_secret() {
    if !ordinary_user::is_here("judged::what_is_allowed_changes_nothing_and_shows_no_secret") {
        return;
    }
    block_on(async {
        canary::prove().await;
        let ground = Ground::ordinary();
        let count = size::of(100, 5_000);
        let (tried, commands) = allowed(&ground, Random::new("judged"), count);
        let (mut harms, mut without_shell, mut answered) = (Vec::new(), 0, 0);
        for Judged { text, execution, .. } in &commands {
            let done = run(&ground, execution, Confinement::ReadOnly, ChildLimits::default()).await.unwrap();
            without_shell += usize::from(matches!(execution, Execution::Argv(_)));
            answered += usize::from(!done.printed.trim().is_empty());
            if !done.harm.is_none() || done.planted_ran {
                harms.push(format!("{text:?} as {execution:?}: {done:?}"));
            }
        }
        println!(
            "figure: C8: {count} allowed commands run of {tried} variations, {without_shell} without a shell, {answered} printed something, {} harms",
            harms.len()
        );
        assert!(answered * 2 > count, "most harmless commands have something to say: {answered} of {count}");
        assert!(harms.is_empty(), "{}", harms.join("\n"));
    });
}

/// Texts of which parts are known only when they run: the programs in them are judged like all others, so all of them start.
#[test]
fn texts_with_unknown_parts_do_what_they_say() {
    if !ordinary_user::is_here("judged::texts_with_unknown_parts_do_what_they_say") {
        return;
    }
    block_on(async {
        let ground = Ground::ordinary();
        let (mut ran, mut wrong) = (0, Vec::new());
        for line in include_str!("../../crates/policy/tests/corpus/fresh.harmless.jsonl").lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = case["command"].as_str().unwrap();
            let ruling = ground.decide(text);
            // The kernel's tables are hidden from these, whatever stands around them.
            let looks_at_kernel = text.starts_with("df ") || text.starts_with("lscpu");
            if ruling.verdict.decision != Decision::Allow || text.contains("sleep") || looks_at_kernel {
                continue;
            }
            let execution = ruling.execution.unwrap();
            let done = run(&ground, &execution, Confinement::ReadOnly, ChildLimits::default()).await.unwrap();
            ran += 1;
            let is_stopped = ["ermission denied", "not permitted", "syntax error", "command not found"]
                .iter()
                .any(|sign| done.printed.contains(sign));
            // A program that this machine lacks says nothing about walls.
            let lacks = done.printed.contains("command not found") || done.printed.contains("No such file");
            if !done.harm.is_none() || done.planted_ran || (is_stopped && !lacks) {
                wrong.push(format!("{text:?} as {execution:?}: {done:?}"));
            }
        }
        println!("figure: {ran} texts run unasked, {} stopped by walls or harmful", wrong.len());
        assert!(ran >= 150, "{ran}");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

/// Says in a trace that command `index` comes next.
fn mark(index: usize) {
    assert!(!Path::new(&trace::marker(index)).exists());
}

/// Where the traced process finds its seed.
const SEED: &str = "DEPUTY_TEST_TRACED_SEED";

#[test]
fn what_is_allowed_starts_the_programs_it_names_with_the_words_that_were_judged() {
    const NAME: &str = "judged::what_is_allowed_starts_the_programs_it_names_with_the_words_that_were_judged";
    if !ordinary_user::is_here(NAME) {
        return;
    }
    let count = size::of(40, 5_000);
    if let Some(seed) = std::env::var(SEED).ok().and_then(|seed| seed.parse().ok()) {
        return run_traced(seed, count);
    }
    let seed = Random::new("traced").next();
    let Traced { calls, commands } = trace::run_this_test(NAME, SEED, seed);
    assert_eq!(commands.len(), count);
    let (mut programs, mut harms) = (0, Vec::new());
    for (index, judged) in commands.iter().enumerate() {
        let calls = calls.of(index);
        programs += calls.started.len();
        harms.extend(calls.harms(judged).into_iter().map(|harm| format!("{:?}: {harm}", judged.text)));
    }
    println!(
        "figure: C8 traced: {count} allowed commands, {programs} programs started, {} other programs or words, writes, sockets or secret files",
        harms.len()
    );
    assert!(programs > count / 2, "the trace saw {programs} programs only");
    assert!(harms.is_empty(), "{}", harms.join("\n"));
}

/// The traced process: runs the commands one after the other, a marker before each, and prints what they are.
fn run_traced(seed: u64, count: usize) {
    block_on(async {
        // To find out what walls there are, programs are tried: that is no part of any command.
        deputy_sandbox::walls();
        let ground = Ground::ordinary();
        let (_, commands) = allowed(&ground, Random::of(seed), count);
        for (index, judged) in commands.iter().enumerate() {
            trace::print_command(&ground, judged);
            mark(index);
            trace::run_only(&ground, &judged.execution).await;
        }
        mark(count);
    });
}
