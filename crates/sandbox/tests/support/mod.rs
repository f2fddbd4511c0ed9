//! Shared test helpers: a place with a workspace and a secret, commands in it, and machines with some mechanisms
//! removed.
// Each test program uses only some of this.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildSpec, Ended, Outcome, SandboxError, Walls, run_with, walls};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// The mechanism that a test uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    Landlock,
    Bubblewrap,
}

pub const MECHANISMS: [Mechanism; 2] = [Mechanism::Landlock, Mechanism::Bubblewrap];

impl Mechanism {
    /// Returns this machine's mechanisms, reduced to this one.
    pub fn walls(self) -> Walls {
        let here = walls();
        match self {
            Self::Landlock => {
                assert!(
                    here.landlock_abi.is_some_and(|abi| abi >= 6),
                    "these tests need Linux 6.12 or newer with Landlock, found {here:?}"
                );
                Walls { bubblewrap: None, ..here.clone() }
            }
            Self::Bubblewrap => {
                assert!(
                    here.bubblewrap.is_some(),
                    "these tests need the package `bubblewrap`, and user namespaces; found {here:?}"
                );
                Walls { landlock_abi: None, ..here.clone() }
            }
        }
    }
}

/// A workspace, and next to it a secret that is not granted. Readable by every user, because the tests run as several.
pub struct Place {
    pub folder: TempDir,
    pub workspace: PathBuf,
    pub secret: PathBuf,
}

pub const SECRET: &str = "the-secret-word";

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
        let workspace = root.join("work");
        fs::create_dir(&workspace).unwrap();
        fs::write(workspace.join("notes.txt"), "hello\n").unwrap();
        let secret = root.join("secret");
        fs::write(&secret, SECRET).unwrap();
        Self { folder, workspace, secret }
    }

    pub fn root(&self) -> &Path {
        self.workspace.parent().unwrap()
    }

    pub fn spec(&self, confinement: Confinement, argv: &[&str]) -> ChildSpec {
        ChildSpec {
            readable: vec![self.workspace.clone()],
            writable: vec![self.workspace.clone()],
            ..ChildSpec::new(argv.iter().map(Into::into).collect(), self.workspace.clone(), confinement)
        }
    }

    pub fn bash(&self, confinement: Confinement, script: &str) -> ChildSpec {
        self.spec(confinement, &["bash", "-c", script])
    }

    pub fn python(&self, confinement: Confinement, script: &str) -> ChildSpec {
        self.spec(confinement, &["/usr/bin/python3", "-c", script])
    }
}

pub async fn run_in(walls: &Walls, spec: ChildSpec) -> Result<Outcome, SandboxError> {
    run_with(walls, spec, CancellationToken::new(), None).await
}

/// Returns the exit code, standard output and standard error of a command that exits.
pub async fn outcome(walls: &Walls, spec: ChildSpec) -> (i32, String, String) {
    let outcome = run_in(walls, spec).await.unwrap();
    let (stdout, stderr) = (outcome.stdout.text(), outcome.stderr.text());
    match outcome.ended {
        Ended::Exited(code) => (code, stdout, stderr),
        other => panic!("the command ended as {other:?}\n{stdout}\n{stderr}"),
    }
}

/// Runs a future. Tests that switch to another user cannot use an existing runtime.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// If the tests run as root, runs the calling test again as an ordinary user, so that it covers both.
pub fn also_as_ordinary_user(test: &str) {
    const MARK: &str = "DEPUTY_TEST_AS_ORDINARY_USER";
    if !rustix::process::geteuid().is_root() || std::env::var_os(MARK).is_some() {
        return;
    }
    // The test program may be in a folder that others cannot reach. /tmp is open to all.
    let copy = tempfile::tempdir().unwrap();
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = copy.path().join("tests");
    // Copy in another process. A file that this process has open for writing, in a fork by another test, cannot be
    // executed.
    let copied = std::process::Command::new("/bin/cp")
        .arg(std::env::current_exe().unwrap())
        .arg(&program)
        .status()
        .unwrap();
    assert!(copied.success());
    let output = {
        use std::os::unix::process::CommandExt;
        const NOBODY: u32 = 65534;
        let mut command = std::process::Command::new(&program);
        command
            .args(["--exact", test, "--nocapture"])
            .env(MARK, "1")
            .env("HOME", "/nonexistent")
            .env_remove("USER")
            .current_dir("/")
            .uid(NOBODY)
            .gid(NOBODY);
        command.output().unwrap()
    };
    let text =
        format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("1 passed"), "as an ordinary user:\n{text}");
    for line in text.lines().filter(|line| line.starts_with("figure:")) {
        println!("{line}");
    }
}
