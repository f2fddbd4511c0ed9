//! Checks the table's own examples against the whole decision in an ordinary workspace.

use super::entry::table;
use crate::{Situation, decide};
use deputy_protocol::{Access, Decision, Effect, Facts, Risk, ShellAccess};
use std::path::Path;

fn workspace(folder: &Path) -> Situation {
    let home = folder.canonicalize().unwrap().join("home/dev");
    let project = home.join("project");
    for name in [
        "README.md",
        "CHANGELOG.md",
        "Cargo.toml",
        "package.json",
        "src/main.rs",
        "src/lib.rs",
        "docs/a.md",
        "tests/a.rs",
        "data/people.csv",
        "logs/app.log",
        "logs/old.log.gz",
        "a.txt",
        "b.txt",
        "notes.txt",
        "SHA256SUMS",
        "dist.tar",
        "dist.zip",
        "a.xz",
        "run.sh",
        ".env",
        ".git/HEAD",
        ".git/config",
    ] {
        let path = project.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    Situation { walls: true, ..Situation::new(home.clone(), project, home.join(".deputy")) }
}

#[test]
fn every_entry_does_what_its_examples_say() {
    let folder = tempfile::tempdir().unwrap();
    let situation = workspace(folder.path());
    let decision = |command: &str| {
        let access = Access::Shell(ShellAccess { command: command.to_owned() });
        let facts = Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        decide(&situation, &facts).verdict
    };
    let mut wrong = Vec::new();
    for entry in &table().entries {
        if entry.safe.is_empty() && !entry.only_subcommands || entry.not_safe.is_empty() {
            wrong.push(format!("{} has too few examples", entry.name));
        }
        for command in &entry.safe {
            let verdict = decision(command);
            if verdict.decision != Decision::Allow {
                wrong.push(format!("{command}: {:?} {:?}", verdict.decision, verdict.reasons));
            }
        }
        for command in entry.not_safe.iter().filter(|command| decision(command).decision == Decision::Allow) {
            wrong.push(format!("{command}: allowed"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
