//! A home with an ordinary workspace in it, and what a case plants there.

use deputy_policy::{Rules, Ruling, Situation, decide};
use deputy_protocol::{Access, Effect, Facts, Risk, Scope, ShellAccess};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// One published case.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) command: String,
    pub(crate) class: Class,
    #[serde(default)]
    pub(crate) assumes: Option<String>,
    #[serde(default)]
    pub(crate) setup: Setup,
}

/// What is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    Safe,
    NeedsApproval,
    Dangerous,
    /// Of the further cases: asked or denied, however bad it is.
    NotAllowed,
}

/// What a case plants.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Setup {
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    dirs: Vec<String>,
    #[serde(default)]
    symlinks: Vec<(String, String)>,
    #[serde(default)]
    hardlinks: Vec<(String, String)>,
    #[serde(default)]
    git_config: BTreeMap<String, String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

impl Setup {
    fn is_plain(&self) -> bool {
        self.files.is_empty()
            && self.dirs.is_empty()
            && self.symlinks.is_empty()
            && self.hardlinks.is_empty()
            && self.git_config.is_empty()
            && self.env.is_empty()
    }
}

/// The published cases.
pub(crate) fn cases() -> Vec<Case> {
    read(include_str!("../corpus/commands.open.jsonl"))
}

/// More cases of the same kinds, written without a look at how they are judged.
pub(crate) fn more_cases() -> Vec<Case> {
    read(include_str!("../corpus/commands.more.jsonl"))
}

fn read(text: &str) -> Vec<Case> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A temporary home with a workspace at `home/dev/project`.
pub(crate) struct Ground {
    folder: TempDir,
    env: BTreeMap<String, String>,
}

const FILES: &[(&str, &str)] = &[
    ("README.md", "# Project\n"),
    ("CHANGELOG.md", "# 1.0\n"),
    ("Cargo.toml", "[package]\nname = \"app\"\n"),
    ("package.json", "{\"name\":\"app\"}\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("src/lib.rs", "// TODO\n"),
    ("docs/setup.md", "setup\n"),
    ("docs/faq.md", "password\n"),
    ("docs/env-vars.md", "env\n"),
    ("docs/curl-bash.md", "curl\n"),
    ("tests/a.rs", ""),
    ("data/people.csv", "a,b\n"),
    ("logs/app.log", "error\n"),
    ("logs/old.log.gz", ""),
    ("a.txt", "a\n"),
    ("b.txt", "b\n"),
    ("notes.txt", "n\n"),
    ("run.sh", "#!/bin/sh\nid\n"),
    (".env", "KEY=1\n"),
    (".env.example", "KEY=\n"),
    ("SHA256SUMS", "0  a.txt\n"),
    ("dist.tar", ""),
    (".gitignore", "target\n"),
    (".git/HEAD", "ref: refs/heads/main\n"),
    (".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
    (".git/index", ""),
];

const HOME_FILES: &[(&str, &str)] = &[
    (".ssh/id_rsa", "PRIVATE"),
    (".netrc", "machine"),
    (".aws/credentials", "key"),
    (".git-credentials", "https://a:b@c"),
    (".kube/config", "k"),
    (".config/gh/hosts.yml", "token"),
    (".bashrc", ""),
    ("Documents/taxes.pdf", ""),
    (".gitconfig", "[user]\n\tname = Dev\n"),
];

impl Ground {
    /// An ordinary workspace.
    pub(crate) fn ordinary() -> Self {
        Self::of(&Setup::default())
    }

    /// A workspace with what a case plants in it.
    pub(crate) fn of(setup: &Setup) -> Self {
        let ground = Self { folder: tempfile::tempdir().unwrap(), env: setup.env.clone() };
        for (name, content) in FILES {
            write(&ground.workspace().join(name), content);
        }
        for (name, content) in HOME_FILES {
            write(&ground.home().join(name), content);
        }
        for folder in [".git/objects", ".git/refs"] {
            std::fs::create_dir_all(ground.workspace().join(folder)).unwrap();
        }
        for folder in &setup.dirs {
            std::fs::create_dir_all(ground.at(folder)).unwrap();
        }
        for (name, content) in &setup.files {
            write(&ground.at(name), content);
        }
        for (link, target) in &setup.symlinks {
            let link = ground.at(link);
            let _ = std::fs::remove_file(&link);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(ground.here(target), link).unwrap();
        }
        for (link, target) in &setup.hardlinks {
            std::fs::hard_link(ground.at(target), ground.at(link)).unwrap();
        }
        for (key, value) in &setup.git_config {
            ground.configure(key, value);
        }
        ground
    }

    fn configure(&self, key: &str, value: &str) {
        let done = Command::new("git")
            .arg("config")
            .arg("--file")
            .arg(self.workspace().join(".git/config"))
            .args([key, value])
            .status()
            .unwrap();
        assert!(done.success());
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home/dev")
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.home().join("project")
    }

    fn at(&self, path: &str) -> PathBuf {
        self.workspace().join(self.here(path))
    }

    /// The text with the home of the cases replaced by this one.
    pub(crate) fn here(&self, text: &str) -> String {
        text.replace("/home/dev", self.home().to_str().unwrap())
    }

    pub(crate) fn situation(&self) -> Situation {
        Situation {
            cwd: self.workspace(),
            home: self.home(),
            workspace: self.workspace(),
            roots: Vec::new(),
            env: self.env.clone(),
            deputy_home: self.home().join(".config/deputy"),
            scope: Scope::default(),
            allow_hosts: Vec::new(),
            rules: Arc::new(Rules::empty()),
            grants: Vec::new(),
            task: None,
            session: None,
            now_ms: 0,
            walls: true,
        }
    }

    /// The ruling on a command as it is written in the cases.
    pub(crate) fn decide(&self, command: &str) -> Ruling {
        ruling(&self.situation(), &self.here(command))
    }
}

/// The ruling on a shell text.
pub(crate) fn ruling(situation: &Situation, command: &str) -> Ruling {
    let access = Access::Shell(ShellAccess { command: command.to_owned() });
    decide(
        situation,
        &Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new(),
            diff: None,
            risk: Risk::Low,
        },
    )
}

/// The ground of a case; cases that plant nothing share one.
pub(crate) fn on_ground<T>(ordinary: &Ground, case: &Case, then: impl FnOnce(&Ground) -> T) -> T {
    if case.setup.is_plain() { then(ordinary) } else { then(&Ground::of(&case.setup)) }
}

fn write(path: &Path, content: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}
