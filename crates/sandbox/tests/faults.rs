//! Missing or broken mechanisms: the command is refused, nothing runs, and the error contains the reason.
#![allow(clippy::unwrap_used)] // also for the shared test helpers

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{SandboxError, Walls};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use support::{Mechanism, Place, also_as_ordinary_user, block_on, run_in};

const CONFINED: [Confinement; 3] = [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet];

/// A program that replaces bubblewrap.
fn stand_in(place: &Place, script: &str) -> Option<PathBuf> {
    let path = place.root().join("bwrap");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    Some(path)
}

#[test]
fn broken_walls_let_nothing_run() {
    also_as_ordinary_user("broken_walls_let_nothing_run");
    let here = Mechanism::Landlock.walls();
    let place = Place::new();
    let no_landlock = Walls { landlock_abi: None, bubblewrap: None, ..here.clone() };
    let faults: [(&str, Walls); 8] = [
        (
            "nothing at all",
            Walls { landlock_abi: None, seccomp: false, notification: false, bubblewrap: None },
        ),
        (
            "no seccomp",
            Walls { seccomp: false, bubblewrap: Mechanism::Bubblewrap.walls().bubblewrap, ..here.clone() },
        ),
        ("no Landlock, no bubblewrap", no_landlock.clone()),
        ("an old Landlock, no bubblewrap", Walls { landlock_abi: Some(5), ..no_landlock.clone() }),
        (
            "bubblewrap that is gone",
            Walls { bubblewrap: Some(place.root().join("gone")), ..no_landlock.clone() },
        ),
        (
            "bubblewrap that may not make namespaces",
            Walls {
                bubblewrap: stand_in(
                    &place,
                    "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
                ),
                ..no_landlock.clone()
            },
        ),
        (
            "bubblewrap that does nothing and says well done",
            Walls { bubblewrap: Some("/bin/true".into()), ..no_landlock.clone() },
        ),
        (
            "bubblewrap that is no program",
            Walls { bubblewrap: Some("/etc/passwd".into()), ..no_landlock.clone() },
        ),
    ];
    for (fault, walls) in faults {
        for level in CONFINED {
            let place = Place::new();
            let refused = block_on(run_in(&walls, place.bash(level, "touch made"))).unwrap_err();
            assert!(
                matches!(&refused, SandboxError::NoWalls { confinement, why } if *confinement == level && !why.is_empty()),
                "{fault}: {refused}"
            );
            assert!(!place.workspace.join("made").exists(), "{fault}: it ran");
            assert!(refused.to_string().contains("nothing was run"), "{refused}");
        }
        let place = Place::new();
        block_on(run_in(&walls, place.bash(Confinement::Open, "touch made"))).unwrap();
        assert!(place.workspace.join("made").exists(), "what needs no walls runs without");
    }
}

#[test]
fn a_kernel_that_takes_no_more_rule_sets_lets_nothing_run() {
    // A process can have sixteen rule sets. The test applies all of them to itself, in a separate process.
    const MARK: &str = "DEPUTY_TEST_WEARS_RULE_SETS";
    if std::env::var_os(MARK).is_none() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "a_kernel_that_takes_no_more_rule_sets_lets_nothing_run"]).env(MARK, "1");
        let output = again.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        return;
    }
    use landlock::{ABI, Access, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr};
    let walls = Mechanism::Landlock.walls();
    let place = Place::new();
    let all = AccessFs::from_all(ABI::V1);
    let wear = || {
        let ruleset = Ruleset::default().handle_access(all).unwrap().create().unwrap();
        ruleset.add_rule(PathBeneath::new(PathFd::new("/").unwrap(), all)).unwrap().restrict_self().is_ok()
    };
    let run = || {
        let spec = place.bash(Confinement::Workspace, "touch made");
        // Run on this thread, which has the rule sets.
        block_on(run_in(&walls, spec))
    };
    let worn = (0..64).take_while(|_| wear()).count();
    assert!(worn < 64, "the kernel has a bound");
    let refused = run().unwrap_err();
    assert!(matches!(&refused, SandboxError::NoWalls { why, .. } if why.contains("Landlock")), "{refused}");
    assert!(!place.workspace.join("made").exists());
}
