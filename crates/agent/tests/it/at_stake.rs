//! Tests of what a request says is at stake before a command that may destroy something, with real repositories.

use crate::world::{World, deny};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, TempHome, calls, done};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn git(folder: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(folder).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", folder);
    git.args(["-c", "user.name=n", "-c", "user.email=n@example.org"]).args(args);
    let output = git.output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Commits everything in a folder, as a new repository or in the one that is there.
fn commit(folder: &Path) {
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--allow-empty", "--message", "first"]);
}

fn notes(home: &TempHome, count: u32) {
    for number in 0..count {
        home.write(&format!("notes/{number}.md"), format!("note {number}\n")).unwrap();
    }
}

/// Returns the first reason of the request for a command, after denying it.
async fn told(home: TempHome, command: &str) -> (World, String) {
    let planner = ScriptedPlanner::new([calls([("shell", json!({"command": command}))]), done("ok")]);
    let mut world = World::open(home, Arc::new(planner)).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    let is_kept = !request.reasons[0].contains("can't restore");
    let risk = if is_kept { Risk::Medium } else { Risk::High };
    assert_eq!(request.risk, risk, "{command}: {:?}", request.reasons);
    world.decide(&request, deny("no")).await.unwrap();
    world.ended().await;
    (world, request.reasons[0].to_string())
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of repositories")]
async fn a_request_says_how_many_files_are_in_no_commit() {
    type Prepare = fn(&TempHome);
    let committed: Prepare = |home| {
        notes(home, 3);
        commit(&home.workspace());
    };
    let cases: [(&str, Prepare, &str, &str); 11] = [
        (
            "new files",
            |home| {
                commit(&home.workspace());
                notes(home, 24);
            },
            "rm -rf notes",
            "The command could delete or change 24 files, 24 of them in no commit. Undo can restore all of them.",
        ),
        (
            "ignored files",
            |home| {
                home.write(".gitignore", "notes/\n").unwrap();
                commit(&home.workspace());
                notes(home, 24);
            },
            "find notes -type f -delete",
            "The command could delete or change 24 files, 24 of them in no commit. Undo can restore all of them.",
        ),
        (
            "all committed",
            committed,
            "rm -rf notes",
            "The command could delete or change 3 files, which are in a commit as they are now. Undo can restore all of them.",
        ),
        (
            "one changed since, one only staged",
            |home| {
                notes(home, 3);
                commit(&home.workspace());
                home.write("notes/1.md", "changed\n").unwrap();
                home.write("notes/new.md", "new\n").unwrap();
                git(&home.workspace(), &["add", "notes/new.md"]);
            },
            "rm -rf notes",
            "The command could delete or change 4 files, 2 of them in no commit. Undo can restore all of them.",
        ),
        (
            "a repository before its first commit",
            |home| {
                notes(home, 2);
                git(&home.workspace(), &["init", "--quiet"]);
                git(&home.workspace(), &["add", "--all"]);
            },
            "rm -rf notes",
            "The command could delete or change 2 files, 2 of them in no commit. Undo can restore all of them.",
        ),
        (
            "a repository of its own, whose commits go too",
            |home| {
                home.write("README", "x").unwrap();
                commit(&home.workspace());
                notes(home, 2);
                git(&home.workspace().join("notes"), &["init", "--quiet", "--template="]);
                fs::remove_dir_all(home.workspace().join("notes/.git/refs/tags")).unwrap();
                fs::remove_file(home.workspace().join("notes/.git/config")).unwrap();
            },
            "rm -rf notes",
            "The command could delete or change 3 files, 3 of them in no commit. Undo can restore all of them.",
        ),
        (
            "no repository",
            |home| notes(home, 2),
            "rm -rf notes",
            "The command could delete or change 2 files. Undo can restore all of them.",
        ),
        (
            "a repository that git cannot read",
            |home| {
                notes(home, 2);
                commit(&home.workspace());
                fs::write(home.workspace().join(".git/config"), "[core\n").unwrap();
            },
            "rm -rf notes",
            "The command could delete or change 2 files. It is not known whether a commit has them. Undo can restore all of them.",
        ),
        (
            "a name that git would take for a pattern",
            |home| {
                home.write("a*", "x").unwrap();
                home.write("ab", "x").unwrap();
                commit(&home.workspace());
                home.write("ab", "changed").unwrap();
            },
            "rm -rf './a*'",
            "The command could delete or change 1 file, which is in a commit as it is now. Undo can restore it.",
        ),
        (
            "a command that names nothing",
            |home| {
                home.write("README", "x").unwrap();
                commit(&home.workspace());
                notes(home, 5);
            },
            "git clean -fdx",
            "The command could delete or change 6 files, 5 of them in no commit. Undo can restore all of them.",
        ),
        (
            "more files than undo keeps",
            |home| {
                notes(home, 25);
                commit(&home.workspace());
                home.write("aaa/other", "x").unwrap();
            },
            "rm -rf notes",
            "The command could delete or change 25 files, which are in a commit as they are now. Undo can't restore 5 of them.",
        ),
    ];
    for (name, prepare, command, expected) in cases {
        let mut home = TempHome::new().unwrap();
        home.set("undo.max_files", 20).unwrap();
        if !expected.contains("can't") {
            home.set("undo.max_files", 1_000).unwrap();
        }
        prepare(&home);
        let (_world, told) = told(home, command).await;
        assert_eq!(told, expected, "{name}");
    }
}

/// A repository can name programs that git runs to compare files. They do not start, not even inside the sandbox.
#[tokio::test]
async fn a_repository_starts_no_program_by_being_asked() {
    let home = TempHome::new().unwrap();
    notes(&home, 2);
    home.write(".gitattributes", "*.md filter=theirs\n").unwrap();
    commit(&home.workspace());
    let ran = home.workspace().join("ran");
    let program = format!("touch {}; cat", ran.display());
    for (key, value) in [
        ("filter.theirs.clean", program.as_str()),
        ("filter.theirs.required", "true"),
        ("core.fsmonitor", &program),
        ("core.sshCommand", &program),
    ] {
        git(&home.workspace(), &["config", key, value]);
    }
    home.write("notes/0.md", "changed").unwrap();
    let (_world, told) = told(home, "rm -rf notes").await;
    assert!(!ran.exists(), "a program of the repository ran");
    assert!(told.starts_with("The command could delete or change 2 files"), "{told}");
}
