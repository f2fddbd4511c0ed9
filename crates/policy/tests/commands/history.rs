//! Secrets that exist only in older trees of a repository are not printed without asking.

use crate::ground::{Ground, ruling};
use deputy_policy::Situation;
use deputy_policy::path::SecretPattern;
use deputy_protocol::{Decision, Risk};
use std::process::Command;

/// Creates a separate repository in the ordinary workspace.
fn repository(options: &[&str]) -> Ground {
    let ground = Ground::ordinary();
    std::fs::remove_dir_all(ground.workspace().join(".git")).unwrap();
    git(&ground, &[&["init", "--quiet", "--initial-branch=main"], options].concat());
    git(&ground, &["config", "gc.auto", "0"]);
    ground
}

fn git(ground: &Ground, words: &[&str]) -> String {
    let mut command = Command::new("git");
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    command.current_dir(ground.workspace()).env("HOME", ground.home()).args(who).args(words);
    let done = command.output().unwrap();
    assert!(done.status.success(), "{words:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

fn commit(ground: &Ground, file: &str, text: &str) {
    let path = ground.workspace().join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    git(ground, &["add", "--force", "--", file]);
    git(ground, &["commit", "--quiet", "-m", file]);
}

fn remove(ground: &Ground, file: &str) {
    git(ground, &["rm", "--quiet", "--", file]);
    git(ground, &["commit", "--quiet", "-m", "remove"]);
}

#[track_caller]
fn asks(ground: &Ground, command: &str, secret: &str) {
    let verdict = ground.decide(command).verdict;
    assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::High), "{command}");
    assert!(verdict.parts.iter().any(|part| part.reason.contains(secret)), "{command}: {verdict:?}");
}

#[track_caller]
fn runs(ground: &Ground, command: &str) {
    let verdict = ground.decide(command).verdict;
    assert_eq!(verdict.decision, Decision::Allow, "{command}: {verdict:?}");
}

const OF_HISTORY: &[&str] = &[
    "git log -p",
    "git log --patch -1",
    "git show",
    "git show HEAD~1",
    "git show 1a2b3c4d",
    "git diff HEAD~1",
    "git diff HEAD~2 HEAD",
    "git diff HEAD~1 -- .",
    "git diff --cached",
    "git diff --staged",
    "git grep KEY HEAD~1",
    "git cat-file -p 1a2b3c4d",
    "git log -S KEY",
    "git log -G '^KEY=1' --oneline",
    "git log --raw",
    "git ls-tree -r HEAD~1",
    "git rev-list --objects --all",
    "git stash show -p",
    "git diff-tree -p HEAD",
    "git status -v",
    "git log -p --follow -- src/main.rs",
];

const OF_TODAY: &[&str] = &[
    "git diff",
    "git diff src README.md",
    "git diff -- src",
    "git grep TODO",
    "git grep -n TODO src",
    "git grep -n TODO -- src",
    "git ls-files -s",
    "git log --oneline",
    "git log --stat",
    "git status",
    "git show --stat HEAD",
    "git show HEAD~1:README.md",
    "git log -p -- src/main.rs README.md",
    "git blame README.md",
];

#[test]
fn a_secret_that_was_removed_again_is_not_printed_unasked() {
    for (options, secret) in
        [(&[][..], ".env"), (&[], "deep/er/.aws/credentials"), (&["--object-format=sha256"], "cfg/prod.key")]
    {
        let ground = repository(options);
        commit(&ground, "README.md", "readme\n");
        commit(&ground, "src/main.rs", "fn main() {}\n");
        commit(&ground, secret, "KEY=1\n");
        remove(&ground, secret);
        for packing in [&["status"][..], &["gc", "--quiet"], &["repack", "-adf", "--depth=50"]] {
            git(&ground, packing);
            for command in OF_HISTORY {
                asks(&ground, command, secret);
            }
            for command in OF_TODAY {
                runs(&ground, command);
            }
        }
    }
}

#[test]
fn secrets_are_found_on_every_branch_in_stashes_and_in_what_was_thrown_away() {
    let hide: [fn(&Ground); 4] = [
        |ground| {
            git(ground, &["checkout", "--quiet", "-b", "side"]);
            commit(ground, ".env", "KEY=1\n");
            git(ground, &["checkout", "--quiet", "main"]);
        },
        |ground| {
            git(ground, &["add", "--force", ".env"]);
            git(ground, &["stash", "--quiet"]);
        },
        |ground| {
            commit(ground, ".env", "KEY=1\n");
            git(ground, &["reset", "--quiet", "--hard", "HEAD~1"]);
        },
        |ground| {
            git(ground, &["add", "--force", ".env"]);
            git(ground, &["write-tree"]);
            git(ground, &["rm", "--quiet", "--cached", ".env"]);
        },
    ];
    for (case, hide) in hide.iter().enumerate() {
        let ground = repository(&[]);
        commit(&ground, "README.md", "readme\n");
        runs(&ground, "git log -p");
        hide(&ground);
        let verdict = ground.decide("git show").verdict;
        assert_eq!(verdict.decision, Decision::Ask, "{case}: {verdict:?}");
        runs(&ground, "git diff");
    }
}

#[test]
fn a_repository_that_never_held_a_secret_is_printed_unasked() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let ground = repository(options);
        for number in 0..30 {
            let text: String = (0..50 + number).map(|line| format!("line {line}\n")).collect();
            commit(&ground, &format!("src/part{}/file{}.rs", number % 3, number % 7), &text);
        }
        for packing in
            [&["status"][..], &["repack", "-d"], &["gc", "--quiet"], &["multi-pack-index", "write"]]
        {
            git(&ground, packing);
            for command in OF_HISTORY.iter().chain(OF_TODAY) {
                // These commands name a file that does not exist.
                if !command.contains("README.md") {
                    runs(&ground, command);
                }
            }
            commit(&ground, "src/part0/new.rs", &format!("{packing:?}"));
        }
    }
}

#[test]
fn what_came_since_the_last_look_counts_at_once() {
    let ground = repository(&[]);
    commit(&ground, "keys/credentials", "x\n");
    commit(&ground, "README.md", "readme\n");
    git(&ground, &["gc", "--quiet"]);
    runs(&ground, "git log -p");
    // The same tree with another name. Nothing in it is new.
    git(&ground, &["mv", "keys", ".aws"]);
    git(&ground, &["commit", "--quiet", "-m", "move"]);
    git(&ground, &["mv", ".aws", "keys"]);
    git(&ground, &["commit", "--quiet", "-m", "back"]);
    asks(&ground, "git log -p", ".aws/credentials");
    // Permanently removed objects no longer count.
    git(&ground, &["reset", "--quiet", "--hard", "HEAD~2"]);
    git(&ground, &["reflog", "expire", "--expire=now", "--all"]);
    std::fs::remove_file(ground.workspace().join(".git/ORIG_HEAD")).unwrap();
    git(&ground, &["gc", "--quiet", "--prune=now"]);
    commit(&ground, "b.txt", "b\n");
    git(&ground, &["repack", "-ad", "--quiet"]);
    runs(&ground, "git log -p");
}

#[test]
fn what_cannot_be_read_asks() {
    let ground = repository(&[]);
    commit(&ground, "README.md", "readme\n");
    commit(&ground, "README.md", "readme 2\n");
    git(&ground, &["gc", "--quiet"]);
    runs(&ground, "git log -p");
    let folder = ground.workspace().join(".git/objects/pack");
    let files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    for ending in ["pack", "idx"] {
        let file = files.iter().find(|file| file.extension().is_some_and(|it| it == ending)).unwrap();
        let whole = std::fs::read(file).unwrap();
        std::fs::remove_file(file).unwrap();
        assert_eq!(ground.decide("git log -p").verdict.decision, Decision::Ask, "no {ending}");
        for broken in [&b""[..], b"nonsense", &whole[..whole.len() / 2]] {
            std::fs::write(file, broken).unwrap();
            // Files are identified by their index. A new index makes everything be read again.
            git_touch(&files);
            assert_eq!(
                ground.decide("git log -p").verdict.decision,
                Decision::Ask,
                "{ending} {}",
                broken.len()
            );
        }
        std::fs::write(file, whole).unwrap();
        runs(&ground, "git log -p");
    }
    let loose = ground.workspace().join(".git/objects/aa");
    std::fs::create_dir_all(&loose).unwrap();
    std::fs::write(loose.join("b".repeat(38)), "nonsense").unwrap();
    asks(&ground, "git log -p", "history");
}

/// Recreates the files, so that none looks like the one that was read.
fn git_touch(files: &[std::path::PathBuf]) {
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "idx")) {
        if let Ok(bytes) = std::fs::read(file) {
            std::fs::remove_file(file).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
    }
}

#[test]
fn the_users_own_secrets_count_in_history_too() {
    let ground = repository(&[]);
    commit(&ground, "letters/mother.txt", "x\n");
    remove(&ground, "letters/mother.txt");
    runs(&ground, "git log -p");
    let secrets = vec![SecretPattern::parse("~/project/letters").unwrap()];
    let situation = Situation { secrets, ..ground.situation() };
    assert_eq!(ruling(&situation, "git log -p").verdict.decision, Decision::Ask);
    runs(&ground, "git log -p");
}
