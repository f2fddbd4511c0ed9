//! Checks which code may start programs, and which may wait.

use super::Finding;
use super::tree::{Tree, crate_of};

/// The code that may start programs, each with the reason.
const STARTERS: [(&str, &str); 5] = [
    ("crates/sandbox/", "the one place where a user's command starts, under its confinement"),
    ("crates/planner/", "starts the sidecar, a program of ours"),
    (
        "crates/cli/src/commands/run.rs",
        "`run --detach` starts this very binary as the host in the background",
    ),
    (
        "crates/agent/src/host/opening.rs",
        "starts the desktop's own opener with a folder or document that a person clicked on",
    ),
    ("crates/testkit/", "not part of the product: starts the built binary for tests"),
];

/// The ways to start a program. The names are split so that this file does not match itself.
const STARTING: [&str; 5] = [
    concat!("process", "::Command"),
    concat!("tokio", "::process"),
    concat!("libc", "::exec"),
    concat!("libc", "::fork"),
    concat!("posix", "_spawn"),
];

/// Returns the lines of code before the unit tests, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .enumerate()
        .map(|(index, line)| (index + 1, line.split("//").next().unwrap_or_default()))
}

pub(super) fn starts_a_program(line: &str) -> bool {
    let listed = line.contains(concat!("std::", "process::{")) && line.contains("Command");
    listed || STARTING.iter().any(|way| line.contains(way))
}

/// Only `sandbox` may start what a user or a model requested.
pub(super) fn only_sandbox_starts_programs(tree: &Tree) -> Vec<Finding> {
    let may = |path: &str| STARTERS.iter().any(|(allowed, _)| path.starts_with(allowed));
    let mut findings = Vec::new();
    for (path, text) in tree.sources(&["rs"]).filter(|(path, _)| path.contains("/src/") && !may(path)) {
        if crate_of(path).is_none() || path.ends_with("/tests.rs") {
            continue;
        }
        for (number, _) in code(text).filter(|(_, line)| starts_a_program(line)) {
            let message =
                format!("line {number} starts a program; go through sandbox::run, or name a reason in xtask");
            findings.push(Finding::new(path, message));
        }
    }
    findings
}

/// `policy` must be synchronous.
pub(super) fn policy_has_no_async(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.sources(&["rs"]).filter(|(path, _)| path.starts_with("crates/policy/src/")) {
        for (number, _) in code(text).filter(|(_, line)| line.contains("async ") || line.contains(".await")) {
            findings.push(Finding::new(path, format!("line {number} waits; policy is pure and synchronous")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_started_in_the_sandbox_only() {
        let starting = "//! Runs.\nuse std::process::{Command, Stdio};\n";
        let harmless = "//! Not std::process::Command.\nuse std::process::ExitCode;\n\n#[cfg(test)]\nmod tests {\n    use std::process::Command;\n}\n";
        let tree = Tree::of(&[
            ("crates/sandbox/src/child.rs", starting),
            ("crates/tools/src/shell.rs", starting),
            ("crates/tools/src/files.rs", harmless),
            (
                "crates/agent/src/git.rs",
                "//! Git.\nfn run() {\n    tokio::process::Command::new(\"git\");\n}\n",
            ),
            ("crates/agent/tests/all.rs", starting),
        ]);
        let found = only_sandbox_starts_programs(&tree);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].path.ends_with("git.rs") && found[0].message.starts_with("line 3"));
        assert!(found[1].path.ends_with("shell.rs") && found[1].message.starts_with("line 2"));
    }

    #[test]
    fn waiting_in_policy_is_found() {
        let waiting = "//! Waits.\nasync fn look() {\n    other().await\n}\n";
        let tree = Tree::of(&[("crates/policy/src/lib.rs", waiting), ("crates/store/src/lib.rs", waiting)]);
        let found = policy_has_no_async(&tree);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|finding| finding.path == "crates/policy/src/lib.rs"));
    }
}
