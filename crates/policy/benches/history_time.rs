//! Prints the time of decisions in a repository: of the first decision about its history, and of later ones. Run it
//! with `scripts/run_bench.sh history_time REPOSITORY`.

use deputy_policy::{Situation, decide};
use deputy_protocol::{Access, Effect, Facts, Risk, ShellAccess};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn main() {
    let Some(repository) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("name the folder of a repository");
        return;
    };
    let home = repository.join("no-home");
    let situation =
        Situation { walls: true, ..Situation::new(home.clone(), repository, home.join("deputy")) };
    let time = |command: &str| {
        let access = Access::Shell(ShellAccess { command: command.to_owned() });
        let facts = Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let begun = Instant::now();
        let ruling = decide(&situation, &facts);
        (begun.elapsed(), ruling.verdict)
    };
    time("ls"); // The tables are read on first use.
    for command in ["git status", "git diff", "git log -p", "git log -p -- src", "git show HEAD~1"] {
        let (first, verdict) = time(command);
        let mut more: Vec<Duration> = (0..50).map(|_| time(command).0).collect();
        more.sort();
        println!("{command}: {:?}, first {first:?}, then median {:?}", verdict.decision, more[25]);
        println!("  {}", deputy_messages::sentences(verdict.reasons.clone()));
    }
}
