//! Tests paths in addition to the published cases: a table of kinds, and random texts.

use crate::ground::Ground;
use deputy_policy::Situation;
use deputy_policy::path::{
    Operation, SecretPattern, Transfer, frozen, in_scope, is_secret, judge, judge_transfer, protected_write,
    real, secrets,
};
use deputy_protocol::Decision::{self, Allow, Ask, Deny};
use deputy_protocol::Risk;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn ground(setup: &Value) -> Ground {
    Ground::new(setup.as_object().unwrap())
}

fn full_ground() -> Ground {
    ground(&json!({
        "files": {
            "README.md": "r", "src/main.rs": "m", ".env": "s", ".env.example": "e", "docs/a.md": "a",
            "certs/server.key": "k", "docs/id_rsa": "k", "docs/id_rsa.pub": "p", "docs/id_list.py": "l",
            ".git/HEAD": "h", "mixed/a.txt": "a", "mixed/.git/HEAD": "h", "secret/a.txt": "a", "secret/.env": "s",
            "{O}/data.txt": "d", "{H}/.ssh/id_rsa": "k", "{H}/.bashrc": "b"
        },
        "dirs": ["empty", "{H}/.config/deputy"],
        "symlinks": [
            ["inside", "README.md"], ["outside", "{O}/data.txt"], ["folder", "{O}"], ["dangling", "{O}/new.txt"],
            ["self", "self"], ["keys", "{H}/.ssh"], ["up", "../project/src"], ["kernel", "/proc/self"]
        ],
        "hardlinks": [["twin.md", "README.md"], ["pub.txt", "{H}/.ssh/id_rsa"], ["data.txt", "{O}/data.txt"]],
        "fifo": "pipe", "socket": "door"
    }))
}

#[test]
fn a_system_folder_stays_one_where_it_is_the_workspace() {
    let ground = full_ground();
    for (workspace, file) in [("/etc", "passwd"), ("/usr", "share"), ("/var", "lib/misc")] {
        let situation =
            Situation { cwd: workspace.into(), workspace: workspace.into(), ..ground.situation() };
        let mut parts = judge_transfer(&situation, Transfer::Move, file, "deputy-was-here");
        if workspace == "/var" {
            // The folder itself is not a system place; only some of the folders below it are.
            parts.truncate(1);
        }
        for part in parts {
            assert_eq!((part.decision, part.risk), (Ask, Risk::High), "{workspace}/{file}: {part:?}");
        }
        let read = judge(&situation, Operation::Read, file);
        assert_eq!(read.decision, Allow, "{read:?}");
    }
    // A home directory below a system place belongs to its user.
    let home = Path::new("/var/lib");
    let situation =
        Situation { cwd: home.into(), workspace: home.into(), home: home.into(), ..ground.situation() };
    let part = judge(&situation, Operation::Create, "notes.txt");
    assert_eq!(part.risk, Risk::Low, "{part:?}");
}

#[test]
fn each_kind_of_path_gets_the_decision_it_should() {
    use Operation::{Create, Delete, List, Read, Write};
    let ground = full_ground();
    let cases: &[(Operation, &str, Decision)] = &[
        // Reads.
        (Read, "README.md", Allow),
        (Read, "src/../README.md", Allow),
        (Read, "{W}/../project/README.md", Allow),
        (Read, "up/main.rs", Allow),
        (Read, "inside", Allow),
        (Read, "missing.txt", Allow),
        (Read, ".env.example", Allow),
        (Read, "docs/id_rsa.pub", Allow),
        (Read, "docs/id_list.py", Allow),
        (Read, ".git/HEAD", Allow),
        (Read, "README.md/", Ask),
        (Read, "README.md/x", Ask),
        (Read, "missing/../README.md", Ask),
        (Read, "outside", Ask),
        (Read, "folder/data.txt", Ask),
        (Read, "folder/../.ssh/id_rsa", Ask),
        (Read, "{O}/data.txt", Ask),
        (Read, "self", Ask),
        (Read, ".env", Ask),
        (Read, ".Env.", Ask),
        (Read, "missing/.env.local", Ask),
        (Read, "certs/SERVER.KEY", Ask),
        (Read, "docs/id_rsa", Ask),
        (Read, "docs/id_rsa.bak", Ask),
        (Read, "keys/config", Ask),
        (Read, "{H}/.ssh/config", Ask),
        (Read, "{H}/.config/deputy/config.toml", Deny),
        (Read, "{H}/.deputy/deputy.db", Deny),
        (Read, "/etc/shadow", Deny),
        (Read, "kernel/environ", Deny),
        (Read, "/proc/../etc/hostname", Deny),
        (Read, "/dev/null", Deny),
        (Read, "pipe", Deny),
        (Read, "door", Deny),
        (Read, "", Deny),
        (Read, "~/x", Deny),
        (Read, "FILE:/etc/hostname", Deny),
        (Read, "a\0b", Deny),
        (Read, "docs/a.md\u{200d}", Ask),
        (Read, "docs/\u{1b}[2Ka.md", Ask),
        (List, ".", Allow),
        (List, "{W}", Allow),
        (List, "src/", Allow),
        (List, "..", Ask),
        (List, "keys", Deny),
        // Changes.
        (Write, "README.md", Ask),
        (Write, "inside", Ask),
        (Write, "new/folder/file.txt", Ask),
        (Write, ".env", Deny),
        (Write, "dangling", Ask),
        (Write, "{H}/.config/deputy/rules.toml", Deny),
        (Create, "README.md", Ask),
        (Delete, "docs", Deny),
        (Delete, ".", Deny),
        (Delete, "{W}", Deny),
        (Delete, "..", Deny),
        (Delete, "/", Deny),
        (Delete, "{H}", Deny),
        (Delete, "folder/data.txt", Ask),
        (Delete, "empty", Ask),
    ];
    let situation = ground.situation();
    for &(operation, text, expected) in cases {
        let part = judge(&situation, operation, &ground.fill(text));
        let expected = if (operation, text) == (Delete, "docs") { Ask } else { expected };
        assert_eq!(part.decision, expected, "{operation:?} {text}: {part:?}");
    }
}

#[test]
fn only_plain_changes_in_the_workspace_are_of_low_risk() {
    let ground = full_ground();
    let situation = ground.situation();
    let risk = |operation, text: &str| judge(&situation, operation, &ground.fill(text)).risk;
    for (operation, text) in [
        (Operation::Write, "README.txt"),
        (Operation::Write, "new/file.txt"),
        (Operation::Create, "new.txt"),
        (Operation::Delete, "docs/a.md"),
        (Operation::Delete, "empty"),
    ] {
        assert_eq!(risk(operation, text), Risk::Low, "{operation:?} {text}");
    }
    for (operation, text) in [
        (Operation::Write, "README.md"),
        (Operation::Read, "pub.txt"),
        (Operation::Read, "data.txt"),
        (Operation::Write, ".git/config"),
        (Operation::Write, ".GIT/config"),
        (Operation::Write, "vendor/.git./hooks/x"),
        (Operation::Write, ".vs\u{ad}code/tasks.json"),
        (Operation::Write, "git~1/config"),
        (Operation::Write, ".bashrc"),
        (Operation::Write, "{H}/.local/bin/ls"),
        (Operation::Write, "{H}/.config/autostart/x.desktop"),
        (Operation::Write, "docs\u{202e}/x.txt"),
        (Operation::Delete, "mixed"),
        (Operation::Delete, "secret"),
    ] {
        assert_ne!(risk(operation, text), Risk::Low, "{operation:?} {text}");
    }
    // Both names of the file are in the workspace and neither is a secret, so reading it discloses nothing else.
    assert_eq!(judge(&situation, Operation::Read, "twin.md").decision, Allow);
    assert_eq!(judge(&situation, Operation::Read, "pub.txt").risk, Risk::High);
}

#[test]
fn names_that_windows_reads_otherwise_are_not_made() {
    let ground = ground(&json!({}));
    let situation = ground.situation();
    for text in ["a\\b", "C:x", "x.txt::$DATA", "nul", "docs/COM1.txt", "x.", "dir /x", "aux.c"] {
        assert_eq!(judge(&situation, Operation::Write, text).risk, Risk::Medium, "{text}");
    }
    for text in ["12:30 notes.md", "common.txt", "com10.txt", "a..b", ".hidden"] {
        assert_eq!(judge(&situation, Operation::Write, text).risk, Risk::Low, "{text}");
    }
}

#[test]
fn both_ends_of_a_transfer_are_judged() {
    let ground = full_ground();
    let situation = ground.situation();
    let worst = |kind, from: &str, to: &str| {
        let parts = judge_transfer(&situation, kind, &ground.fill(from), &ground.fill(to));
        parts.iter().map(|part| (part.decision, part.risk)).max().unwrap()
    };
    use Transfer::{Copy, Move};
    assert_eq!(worst(Move, "docs/a.md", "docs/b.md"), (Ask, Risk::Low));
    assert_eq!(worst(Copy, "docs/a.md", "new/deep/b.md"), (Ask, Risk::Low));
    assert_eq!(worst(Move, "src", "source"), (Ask, Risk::Low));
    for (kind, from, to) in [
        (Move, "docs/a.md", "src/main.rs"),
        (Move, "docs/a.md", "{O}/a.md"),
        (Copy, "{O}/data.txt", "d.txt"),
        (Copy, "folder/data.txt", "d.txt"),
        (Copy, "mixed", "mixed2"),
        (Copy, "docs/a.md", ".git/hooks/pre-commit"),
        (Move, ".git", "old"),
    ] {
        assert!(worst(kind, from, to) > (Ask, Risk::Low), "{kind:?} {from} {to}");
    }
    for (kind, from, to) in [
        (Move, "src", "src/deeper"),
        (Copy, ".", "src/copy"),
        (Move, ".", "elsewhere"),
        (Copy, ".env", "plain.txt"),
        (Copy, "docs/a.md", ".npmrc"),
    ] {
        assert_eq!(worst(kind, from, to).0, Deny, "{kind:?} {from} {to}");
    }
}

#[test]
fn secrets_and_protected_places_are_listed_for_the_sandbox() {
    let ground = full_ground();
    let situation = ground.situation();
    let hidden = secrets(&situation);
    for path in ["{H}/.ssh", "{W}/.env", "{W}/certs/server.key", "{W}/docs/id_rsa", "{H}/.config/deputy"] {
        let path = ground.fill(path);
        assert!(hidden.iter().any(|it| Path::new(&path).starts_with(it)), "{path} in {hidden:?}");
        assert!(is_secret(&situation, Path::new(&path)), "{path}");
    }
    assert!(!hidden.iter().any(|it| ground.workspace().starts_with(it)));
    assert!(hidden.iter().all(|it| it.exists()));
    let still = frozen(&ground.workspace());
    for path in
        [".git/config", ".git/hooks", ".vscode", ".idea", ".deputy", "mixed/.git/hooks", "mixed/.git/config"]
    {
        let path = ground.workspace().join(path);
        assert!(still.contains(&path), "{path:?} in {still:?}");
        assert!(protected_write(&situation, &path).is_some(), "{path:?}");
    }
    assert!(!still.contains(&ground.workspace().join(".git")), "git itself must go on working");
}

#[test]
fn places_of_credentials_are_secret_below_every_folder() {
    let secret = [
        ".docker/config.json",
        ".kube/config",
        ".cargo/credentials.toml",
        "sub/.config/gh/hosts.yml",
        ".config/rclone/rclone.conf",
        "sub/.Docker/Config.json",
        ".gem/credentials",
        "deploy/kubeconfig",
        "infra/terraform.tfstate",
        "keys/service-account-prod.json",
    ];
    let plain = [
        ".docker/Dockerfile",
        ".cargo/config.toml",
        ".config/nextest.toml",
        "docker/config.json",
        "src/service-account.rs",
        "gem/credentials",
    ];
    let mut files = serde_json::Map::new();
    for path in secret.iter().chain(&plain) {
        files.insert((*path).to_owned(), "x".into());
    }
    let ground = ground(&json!({"files": files}));
    let situation = ground.situation();
    let hidden = secrets(&situation);
    let is_hidden = |path: &str| hidden.iter().any(|it| ground.at(path).starts_with(it));
    for path in secret {
        assert_eq!(judge(&situation, Operation::Read, path).risk, Risk::High, "{path}");
        assert!(is_hidden(path), "{path} in {hidden:?}");
    }
    for path in plain {
        assert_eq!(judge(&situation, Operation::Read, path).decision, Decision::Allow, "{path}");
        assert!(!is_hidden(path), "{path} in {hidden:?}");
    }
}

#[test]
fn the_users_own_secrets_are_denied_and_hidden() {
    let ground = ground(&json!({
        "files": {"{H}/notes/private/diary.txt": "s", "{H}/notes/open.txt": "o", "{H}/papers/tax-1.pdf": "s",
            "{H}/papers/plan.pdf": "o", "{O}/deep/key.txt": "s", "sub/Letter.Secret": "s", "sub/letter.txt": "o"},
        "symlinks": [["{H}/here", "{O}"], ["diary.txt", "{H}/notes/private/diary.txt"]]
    }));
    let list = ["~/notes/Private", "~/notes/private", "~/papers/tax-*.pdf", "~/here/deep", "**/*.secret"];
    let secrets_of_user = list.map(|text| SecretPattern::parse(text).unwrap()).to_vec();
    let situation = Situation {
        secrets: secrets_of_user,
        roots: vec![ground.home.join("notes"), ground.home.join("papers"), ground.home.join("other")],
        ..ground.situation()
    };
    let hidden = secrets(&situation);
    let is_hidden = |path: &str| hidden.iter().any(|it| Path::new(path).starts_with(it));
    for path in [
        "{H}/notes/private/diary.txt",
        "{H}/papers/tax-1.pdf",
        "{O}/deep/key.txt",
        "{W}/sub/Letter.Secret",
        "{W}/diary.txt",
    ] {
        let path = ground.fill(path);
        assert_eq!(judge(&situation, Operation::Read, &path).decision, Deny, "{path}");
        let real = fs::canonicalize(&path).unwrap();
        assert!(is_hidden(real.to_str().unwrap()), "{path} in {hidden:?}");
        assert_ne!(judge(&ground.situation(), Operation::Read, &path).decision, Deny, "{path}");
    }
    for path in ["{H}/notes/open.txt", "{H}/papers/plan.pdf", "{W}/sub/letter.txt"] {
        let path = ground.fill(path);
        assert_eq!(judge(&situation, Operation::Read, &path).decision, Allow, "{path}");
        assert!(!is_hidden(&path), "{path} in {hidden:?}");
    }
}

#[test]
fn letter_case_counts_as_little_for_the_walls_as_for_policy() {
    let ground = ground(&json!({
        "files": {"{H}/Notes/PRIVATE/diary.txt": "s", "{H}/.AWS/credentials": "s", "{H}/Papers/Tax-1.PDF": "s",
            "{H}/papers/tax-2.pdf": "s", "{H}/.config/Google-Chrome/Default/Cookies": "s", "{H}/.NetRC": "s",
            "Sub/.ENV": "s", "Sub/Server.PEM": "s", ".SSH/config": "s", "sub/A.KDBX": "s", "open.txt": "o"}
    }));
    let list = ["~/notes/private", "~/PAPERS/tax-*.pdf", "**/*.kdbx"];
    let situation = Situation {
        secrets: list.map(|text| SecretPattern::parse(text).unwrap()).to_vec(),
        // Secrets that are named in the home directory also count if the rest of it is not readable.
        ..ground.situation()
    };
    let hidden = secrets(&situation);
    for path in [
        "{H}/Notes/PRIVATE/diary.txt",
        "{H}/.AWS/credentials",
        "{H}/Papers/Tax-1.PDF",
        "{H}/papers/tax-2.pdf",
        "{H}/.config/Google-Chrome/Default/Cookies",
        "{H}/.NetRC",
        "{W}/Sub/.ENV",
        "{W}/Sub/Server.PEM",
        "{W}/.SSH/config",
        "{W}/sub/A.KDBX",
    ] {
        let path = ground.fill(path);
        assert_eq!(judge(&situation, Operation::Read, &path).risk, Risk::High, "{path}");
        assert!(hidden.iter().any(|it| Path::new(&path).starts_with(it)), "{path} in {hidden:?}");
    }
    assert!(!hidden.iter().any(|it| ground.workspace().join("open.txt").starts_with(it)));
}

#[test]
fn links_and_linked_work_trees_do_not_mislead_the_sandbox() {
    let ground = ground(&json!({
        "files": {".git": "gitdir: elsewhere", "config/production": "s"},
        "symlinks": [[".env", "config/production"], [".env.all", ".."], ["{H}/.ssh", "{O}"]]
    }));
    let hidden = secrets(&ground.situation());
    assert!(hidden.contains(&ground.workspace().join("config/production")), "{hidden:?}");
    assert!(hidden.contains(&ground.home.join("other")), "{hidden:?}");
    assert!(!hidden.iter().any(|it| ground.workspace().starts_with(it)), "{hidden:?}");
    let still = frozen(&ground.workspace());
    assert!(still.contains(&ground.workspace().join(".git")), "{still:?}");
    assert!(!still.contains(&ground.workspace().join(".git/config")), "{still:?}");
}

#[test]
fn second_names_of_secrets_are_hidden_from_the_sandbox_too() {
    let ground = ground(&json!({
        "files": {"{H}/.ssh/id_rsa": "s", "{H}/.netrc": "s", ".env": "s", "one.txt": "a", "single.txt": "b"},
        "dirs": ["docs", "node_modules/x"],
        "hardlinks": [["docs/pub.txt", "{H}/.ssh/id_rsa"], ["node_modules/x/notes.txt", "{H}/.netrc"],
            ["plain.txt", ".env"], ["two.txt", "one.txt"]]
    }));
    let hidden = secrets(&ground.situation());
    for path in ["docs/pub.txt", "node_modules/x/notes.txt", "plain.txt", ".env"] {
        assert!(hidden.contains(&ground.at(path)), "{path} in {hidden:?}");
    }
    for path in ["one.txt", "two.txt", "single.txt"] {
        assert!(!hidden.contains(&ground.at(path)), "{path} in {hidden:?}");
    }
}

#[test]
fn a_workspace_below_a_protected_name_is_usable() {
    let ground = ground(&json!({"files": {"{H}/.vscode/extensions/mine/a.js": "a"}}));
    let workspace = ground.home.join(".vscode/extensions/mine");
    let situation = Situation { cwd: workspace.clone(), workspace, ..ground.situation() };
    assert_eq!(judge(&situation, Operation::Write, "b.js").risk, Risk::Low);
    assert_eq!(judge(&situation, Operation::Write, ".vscode/tasks.json").risk, Risk::High);
}

/// Generates texts from pieces of paths and of attacks on paths.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(vec![
            "/", "//", "..", ".", "README.md", "src", "main.rs", "folder", "data.txt", "outside", "inside", "keys",
            "id_rsa", ".env", ".ssh", "kernel", "root", "dangling", "up", "{W}", "{H}", "{O}", "self", "pub.txt",
            "docs", "a.md", "etc", "passwd", "pipe", "twin.md",
        ])
        .prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    (proptest::collection::vec(piece, 0..10), any::<bool>())
        .prop_map(|(pieces, slashes)| pieces.join(if slashes { "/" } else { "" }))
}

#[test]
fn no_text_is_allowed_that_leads_outside() {
    let ground = full_ground();
    let situation = ground.situation();
    let inside = fs::canonicalize(ground.workspace()).unwrap();
    let operations =
        [Operation::Read, Operation::List, Operation::Write, Operation::Delete, Operation::Create];
    let config = ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(text in text(), operation in proptest::sample::select(operations.to_vec()))| {
        let text = ground.fill(&text);
        let part = judge(&situation, operation, &text);
        prop_assert!(part.decision != Allow || !operation.is_change());
        let is_quiet = part.decision == Allow || part.decision == Ask && part.risk == Risk::Low;
        // The kernel determines where the text really leads.
        if is_quiet && let Ok(there) = fs::canonicalize(ground.workspace().join(&text)) {
            let is_link = fs::symlink_metadata(ground.workspace().join(&text)).unwrap().is_symlink();
            let follows = !(operation == Operation::Delete && is_link);
            prop_assert!(there.starts_with(&inside) || !follows, "{part:?} leads to {there:?}");
            prop_assert!(!is_secret(&situation, &there) || !follows, "{part:?} is a secret");
        }
    });
}

#[test]
fn where_a_path_leads_is_what_the_kernel_says() {
    let ground = full_ground();
    let situation = ground.situation();
    let config = ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(text in text())| {
        let text = ground.fill(&text);
        if let (Some(ours), Ok(theirs)) =
            (real(&situation, &ground.workspace(), &text), fs::canonicalize(ground.workspace().join(&text)))
        {
            prop_assert_eq!(&ours, &theirs, "{}", text);
            prop_assert!(in_scope(&situation, Operation::Read, &ours).is_ok());
        }
    });
}
