//! Secrets that a repository tracks are not printed without asking.

use crate::ground::{Ground, ruling};
use deputy_policy::Situation;
use deputy_policy::path::SecretPattern;
use deputy_protocol::{Decision, Risk};
use std::process::Command;

/// Creates a real repository in the ordinary workspace that tracks these files.
pub(crate) fn tracking(files: &[&str], options: &[&str]) -> Ground {
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
    // A file that is gone from the folder but is named by the command is asked about as if it existed.
    let ground = tracking(&["README.md"], &[]);
    std::fs::remove_file(ground.workspace().join(".env")).unwrap();
    for command in ["git blame HEAD .env", "git blame .env", "git log -p -- .env", "git diff -- sub/.env"] {
        assert_eq!(decision(&ground, command), (Decision::Ask, Risk::High), "{command}");
    }
}

/// Forms that show the content of an object under any name, or answer yes or no about it.
const TELLING: &[&str] = &[
    "git show -s '{blob}^{}'",
    "git show -q x-1-g{blob}",
    "git show --stat '{blob}^{object}'",
    "git show --name-only '{blob}^{blob}'",
    "git show -s secret-tag",
    "git show -s '{blob}^{}' | rev",
    "git show -s ':(glob)**' HEAD",
    "git show ':(glob)**'",
    "git for-each-ref --format='%(raw)'",
    "git tag -l --format='%(raw)'",
    "git branch --format='%(raw:size)'",
    "git for-each-ref --sort=raw",
    "git log -G'^S=1' --format=%h -1",
    "git log -S'S=1' --oneline",
    "git log --name-only -GS=1",
    "git log -L1,1:README.md",
    "git log --raw",
    "git rev-list --objects --all",
    "git ls-files -s",
    "git ls-files --stage",
    "git ls-files --debug",
    "git ls-tree -r HEAD",
    "git ls-tree HEAD",
    "git cat-file -e {blob}",
    "git cat-file -s {blob}",
    "git cat-file -t {blob}",
    "git cat-file -p '{blob}^{}'",
    "git diff --raw HEAD",
    "git diff-tree -r HEAD",
    "git diff-index HEAD",
    "git grep -c S {blob}",
    "git grep -q S=1 -- .",
    "git log --grep -- -p",
    "git log --since -p",
    "git diff -S --stat",
    "git stash show",
    "git whatchanged",
];

#[test]
fn what_tells_of_an_object_asks_where_a_secret_is_tracked() {
    let ground = tracking(&[".env", "src/main.rs", "README.md"], &[]);
    git(&ground, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "x"]);
    git(&ground, &["tag", "secret-tag", ":.env"]);
    git(&ground, &["branch", "feature/x"]);
    let blob =
        Command::new("git").current_dir(ground.workspace()).args(["rev-parse", ":.env"]).output().unwrap();
    let blob = String::from_utf8(blob.stdout).unwrap();
    for command in TELLING {
        let command = command.replace("{blob}", blob.trim());
        assert_ne!(decision(&ground, &command).0, Decision::Allow, "{command}");
    }
    let main = "git show --stat HEAD~0";
    for command in [
        main,
        "git show -s --format=%s feature/x",
        "git show --name-only --oneline feature/x^0",
        "git log --author=a --since=yesterday --stat -3",
        "git log --oneline --graph --all --decorate",
        "git log -n 3 --format='%h %an %s'",
        "git log --author a --grep fix",
        "git log --name-status feature/x..HEAD",
        "git diff --stat feature/x",
        "git diff --quiet",
        "git branch -vv",
        "git branch --sort=-committerdate --format='%(refname:short) %(subject)'",
        "git for-each-ref --format='%(refname) %(objectname:short) %(authordate:relative)' refs/heads",
        "git tag -l",
        "git status -sb",
        "git status --porcelain=v2 -uno",
        "git ls-files -mo --exclude-standard",
        "git ls-tree -r --name-only HEAD",
        "git rev-parse --short HEAD",
        "git cat-file -t HEAD",
        "git shortlog -sn HEAD",
        "git describe --always",
        "git reflog -5",
        "git rev-list --count HEAD",
        "git log -p -n 2 -- src",
        "git grep fn -- src",
    ] {
        assert_eq!(decision(&ground, command).0, Decision::Allow, "{command}");
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
    // A split index is read together with its shared index.
    for (file, decided) in [("README.md", Decision::Allow), ("cfg/prod.key", Decision::Ask)] {
        let ground = tracking(&[file], &[]);
        git(&ground, &["update-index", "--split-index"]);
        git(&ground, &["add", "a.txt"]);
        assert_eq!(decision(&ground, "git diff").0, decided, "{file}");
        let entries = ground.workspace().join(".git").read_dir().unwrap().flatten();
        let shared = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("sharedindex."));
        shared.for_each(|entry| std::fs::remove_file(entry.path()).unwrap());
        assert_eq!(decision(&ground, "git diff"), (Decision::Ask, Risk::High), "{file}");
    }
    let ground = tracking(&["README.md"], &[]);
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

/// The secrets of an index are cached. A changed index is read again, and so is one for which other names count as
/// secrets.
#[test]
fn an_index_that_changed_is_read_again() {
    let ground = tracking(&["README.md", "letters/mother.txt"], &[]);
    for _ in 0..2 {
        assert_eq!(decision(&ground, "git diff").0, Decision::Allow);
    }
    let secrets = vec![SecretPattern::parse("**/letters").unwrap()];
    let situation = Situation { secrets, ..ground.situation() };
    assert_eq!(ruling(&situation, "git diff").verdict.decision, Decision::Ask);
    assert_eq!(decision(&ground, "git diff").0, Decision::Allow);
    git(&ground, &["add", "--force", ".env"]);
    assert_eq!(decision(&ground, "git diff"), (Decision::Ask, Risk::High));
    git(&ground, &["rm", "--quiet", "--cached", ".env"]);
    assert_eq!(decision(&ground, "git diff").0, Decision::Allow);
}
