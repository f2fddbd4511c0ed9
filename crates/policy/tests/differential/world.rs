//! A home directory with a workspace full of traps: secrets, links to them, programs that must not run, and
//! repositories that name them.

use crate::grammars::{self, Grammar};
use crate::random::Random;
use deputy_policy::{Ruling, Situation, decide};
use deputy_protocol::{Access, Effect, Facts, Risk, ShellAccess};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The content of every secret. It occurs nowhere else.
pub(crate) const CANARY: &str = "CANARY-5ecret";

pub(crate) struct World {
    _folder: TempDir,
    pub(crate) home: PathBuf,
    pub(crate) workspace: PathBuf,
    /// The real paths of the files that no command may open.
    pub(crate) secrets: Vec<PathBuf>,
    /// The hash of the secret that the repository tracks, if it tracks one.
    pub(crate) blob: String,
    /// A description of the traps, for the report.
    pub(crate) described: String,
}

const FILES: &[(&str, &str)] = &[
    ("a.txt", "a/b p;s e id w x\nfoo,bar|x\n[tag] e ./evil.sh\n./evil.sh\nw out.txt\n10 20 30\n"),
    ("b.txt", "b\na/b\n"),
    ("README.md", "# Title\n/p;s\ntext ;e\n"),
    ("data.csv", "name,age\nada,36\n"),
    ("data.json", "{\"a\":[1,2,{\"b\":\"x\"}],\"env\":1,\"ENV\":2}\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("list", ".env\0prod.key\0"),
    ("@list", ".env\n"),
    ("prog.sed", "e ./evil.sh\n"),
];

/// The secrets by name, relative to the workspace.
const SECRETS: &[&str] =
    &[".env", ".env.json", "prod.key", "src/.env", "../.ssh/id_rsa", "../.netrc", "../.aws/credentials"];

impl World {
    /// Whether a program is installed.
    pub(crate) fn has(program: &str) -> bool {
        Self::path().split(':').any(|folder| Path::new(folder).join(program).is_file())
    }

    /// Returns the search path for programs. `DEPUTY_FUZZ_PATH` names folders of programs that are not installed.
    pub(crate) fn path() -> String {
        let further = std::env::var("DEPUTY_FUZZ_PATH").map(|folders| folders + ":").unwrap_or_default();
        format!("{further}/usr/local/bin:/usr/bin:/bin")
    }

    pub(crate) fn new(grammar: &Grammar, random: &mut Random) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap().join("home/dev");
        let workspace = home.join("project");
        let mut world = Self {
            _folder: folder,
            home,
            workspace,
            secrets: Vec::new(),
            blob: "1".repeat(40),
            described: String::new(),
        };
        for (name, content) in FILES {
            world.write(name, content);
        }
        for name in SECRETS {
            world.write(name, &format!("KEY={CANARY}\n{CANARY}\n"));
            world.secrets.push(world.workspace.join(name).canonicalize().unwrap());
        }
        for (name, target) in
            [("16", "../.ssh/id_rsa"), ("8", ".env"), ("link", "../.netrc"), ("x.zip", "../.netrc")]
        {
            symlink(target, world.workspace.join(name)).unwrap();
        }
        world.write("evil.sh", "#!/bin/sh\necho ran > out\ncat\n");
        fs::set_permissions(world.workspace.join("evil.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        if grammar.program == "git" {
            world.repository(random);
        }
        if grammar.program == "tar" {
            for (option, name) in [("-cf", "a.tar"), ("-czf", "a.tar.gz"), ("-cJf", "a.tar.xz")] {
                world.run("tar", &[option, name, "a.txt", "src/main.rs"]);
            }
        }
        for line in 0..random.below(3) {
            let name = random.of(&[".ignore", ".gitignore", ".rgignore", "src/.ignore"]);
            let text = random.of(grammars::IGNORED);
            world.write(name, &format!("target\n{text}\n"));
            world.described = format!("{} {line}: {name} {text:?}", world.described);
        }
        world.write("SUMS", &grammars::sums(random));
        world
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.workspace.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn run(&self, program: &str, words: &[&str]) -> String {
        let mut command = Command::new(program);
        command.current_dir(&self.workspace).env("HOME", &self.home).stderr(Stdio::null());
        String::from_utf8(command.args(words).output().unwrap().stdout).unwrap().trim().to_owned()
    }

    fn repository(&mut self, random: &mut Random) {
        self.run("git", &["init", "--quiet", "--initial-branch=main"]);
        let files = ["add", "--force", "a.txt", "README.md", "src/main.rs", "data.csv", ".env"];
        let tracks = random.one_in(2);
        self.run("git", &files[..files.len() - usize::from(!tracks)]);
        let author = ["-c", "user.name=A", "-c", "user.email=a@b"];
        self.run("git", &[&author[..], &["commit", "--quiet", "-m", "first"]].concat());
        self.write("a.txt", "changed\n/p;s\n");
        self.run("git", &[&author[..], &["commit", "--quiet", "-am", "second"]].concat());
        if tracks {
            self.blob = self.run("git", &["rev-parse", ":.env"]);
            self.run("git", &["tag", "secret-tag", ":.env"]);
        }
        self.run("git", &["branch", "feature"]);
        if random.one_in(4) {
            self.run("git", &["update-index", "--split-index"]);
        }
        // Makes git read each file again, and run its filters.
        self.write("README.md", "# Title\n/p;s\nchanged\n");
        self.write("src/main.rs", "fn main() { }\n");
        if random.one_in(2) {
            self.write(".gitattributes", "* filter=f diff=f\n");
        }
        let mut config = fs::read_to_string(self.workspace.join(".git/config")).unwrap();
        let mut planted = String::new();
        for _ in 0..random.below(4) {
            let line = random.of(grammars::CONFIG);
            planted.push_str(&random.changed(line, grammars::CONFIG_PIECES));
        }
        config.push_str(&planted);
        self.write(".git/config", &config);
        self.write(".git/extra", "[filter \"f\"]\n\tclean = ./evil.sh\n[diff]\n\texternal = ./evil.sh\n");
        self.write("ex", "[filter \"f\"]\n\tclean = ./evil.sh\n");
        self.described = format!("tracks={tracks} {planted:?}");
    }

    pub(crate) fn decide(&self, text: &str) -> Ruling {
        let access = Access::Shell(ShellAccess { command: text.to_owned() });
        let deputy_home = self.home.join(".config/deputy");
        let situation = Situation {
            walls: true,
            ..Situation::new(self.home.clone(), self.workspace.clone(), deputy_home)
        };
        let facts = Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        decide(&situation, &facts)
    }
}
