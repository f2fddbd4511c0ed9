//! A home directory with an ordinary workspace, and the setup of a case.

use crate::cases::{Case, Setup, here, write};
use deputy_policy::{Ruling, Situation, decide};
use deputy_protocol::{Access, Effect, Facts, Risk, ShellAccess};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// A temporary home directory with a workspace at `home/dev/project`.
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
    /// Creates an ordinary workspace.
    pub(crate) fn ordinary() -> Self {
        Self::of(&Setup::default())
    }

    /// Creates a workspace with the setup of a case.
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
        setup.plant(&ground.home());
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

    /// Returns the text with the home directory of the cases replaced by this one.
    pub(crate) fn here(&self, text: &str) -> String {
        here(&self.home(), text)
    }

    pub(crate) fn situation(&self) -> Situation {
        Situation {
            env: self.env.clone(),
            walls: true,
            ..Situation::new(self.home(), self.workspace(), self.home().join(".config/deputy"))
        }
    }

    /// Returns the ruling on a command as written in the cases.
    pub(crate) fn decide(&self, command: &str) -> Ruling {
        ruling(&self.situation(), &self.here(command))
    }
}

/// Returns the ruling on a shell text.
pub(crate) fn ruling(situation: &Situation, command: &str) -> Ruling {
    let access = Access::Shell(ShellAccess { command: command.to_owned() });
    decide(
        situation,
        &Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        },
    )
}

/// Runs `then` on the ground of a case. Cases without a setup share one.
pub(crate) fn on_ground<T>(ordinary: &Ground, case: &Case, then: impl FnOnce(&Ground) -> T) -> T {
    if case.setup.is_plain() { then(ordinary) } else { then(&Ground::of(&case.setup)) }
}
