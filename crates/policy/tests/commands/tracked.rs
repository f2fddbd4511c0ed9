//! Secrets that a repository tracks are not printed unasked.

use crate::ground::{Ground, ruling};
use deputy_policy::Situation;
use deputy_policy::path::SecretPattern;
use deputy_protocol::{Decision, Risk};
use std::process::Command;

/// A real repository in the ordinary workspace that tracks these files.
fn tracking(files: &[&str], options: &[&str]) -> Ground {
    let ground = Ground::ordinary();
    std::fs::remove_dir_all(ground.workspace().join(".git")).unwrap();
    git(&ground, &[&["init", "--quiet"], options].concat());
    for file in files {
        let path = ground.workspace().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "S=1\n").unwrap();
    }
    git(&ground, &[&["add", "--force", "--"], files].concat());
    ground
}

fn git(ground: &Ground, words: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(ground.workspace()).env("HOME", ground.home()).args(words);
    assert!(command.status().unwrap().success(), "{words:?}");
}

fn decision(ground: &Ground, command: &str) -> (Decision, Risk) {
    let verdict = ground.decide(command).verdict;
    (verdict.decision, verdict.risk)
}

const PRINTING: &[&str] = &[
    "git log -p",
    "git log --patch -3",
    "git log -U1",
    "git log -S x --cc",
    "git show",
    "git show HEAD",
    "git show --stat 1a2b3c4d",
    "git show -S --stat",
    "git diff",
    "git diff --cached --word-diff",
    "git diff -S --stat",
    "git grep S",
    "git cat-file blob 1a2b3c4d",
    "git cat-file -p 1a2b3c4d",
    "git stash show -p",
    "git diff-tree -p HEAD",
    "git status -v",
    "git log -p --follow -- src/main.rs",
    "cd src && git diff",
];

#[test]
fn what_prints_files_asks_where_a_secret_is_tracked() {
    for secret in [".env", "cfg/prod.key"] {
        let ground = tracking(&[secret, "src/main.rs", "README.md"], &[]);
        for command in PRINTING {
            let verdict = ground.decide(command).verdict;
            assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::High), "{command}");
            assert!(verdict.parts.iter().any(|part| part.reason.contains(secret)), "{command}: {verdict:?}");
        }
        for command in [
            "git status",
            "git log --oneline -3",
            "git log --stat",
            "git show --stat HEAD",
            "git show HEAD:README.md",
            "git diff --stat",
            "git diff --name-only HEAD",
            "git diff -- src README.md",
            "git log -p -- src/main.rs",
            "git blame README.md",
            "git stash list",
            "git ls-files",
        ] {
            assert_eq!(decision(&ground, command).0, Decision::Allow, "{command}");
        }
    }
    // A file that is gone from the folder and named all the same is denied as it would be there.
    let ground = tracking(&["README.md"], &[]);
    std::fs::remove_file(ground.workspace().join(".env")).unwrap();
    for command in ["git blame HEAD .env", "git blame .env", "git log -p -- .env", "git diff -- sub/.env"] {
        assert_eq!(decision(&ground, command), (Decision::Deny, Risk::High), "{command}");
    }
}

#[test]
fn an_ordinary_repository_is_printed_unasked() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let ground = tracking(&["src/main.rs", "README.md", "a/very/deep/folder/b.txt"], options);
        for version in ["2", "4"] {
            git(&ground, &["update-index", "--index-version", version]);
            for command in PRINTING {
                assert_eq!(decision(&ground, command).0, Decision::Allow, "{command} {options:?} {version}");
            }
        }
    }
}

#[test]
fn every_form_of_an_index_is_read_or_asked_about() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let ground = tracking(&["README.md", "cfg/a.txt", "cfg/prod.key", "z.txt"], options);
        for version in ["2", "4"] {
            git(&ground, &["update-index", "--index-version", version]);
            let verdict = ground.decide("git diff").verdict;
            assert!(verdict.parts.iter().any(|part| part.reason.contains("cfg/prod.key")), "{verdict:?}");
        }
    }
    let ground = tracking(&["README.md"], &[]);
    git(&ground, &["update-index", "--split-index"]);
    assert_eq!(decision(&ground, "git diff"), (Decision::Ask, Risk::High));
    for index in [&b"DIRC"[..], b"DIRC\0\0\0\x02\xff\xff\xff\xff", b"nonsense", &[0xff; 100]] {
        std::fs::write(ground.workspace().join(".git/index"), index).unwrap();
        assert_eq!(decision(&ground, "git diff"), (Decision::Ask, Risk::High), "{index:?}");
    }
}

#[test]
fn the_users_own_secrets_count_too() {
    let ground = tracking(&["README.md", "letters/mother.txt"], &[]);
    assert_eq!(decision(&ground, "git diff").0, Decision::Allow);
    let secrets = vec![SecretPattern::parse("**/letters").unwrap()];
    let situation = Situation { secrets, ..ground.situation() };
    assert_eq!(ruling(&situation, "git diff").verdict.decision, Decision::Ask);
}
