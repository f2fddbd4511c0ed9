//! Git, run inside the sandbox. A repository can name programs that git would start and other folders that it would read,
//! so git sees only the given folders, reaches no network, starts no other program and runs no hooks.

use crate::core::Core;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, Environment, Input, resolve_program, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The maximum size of git's answer, in bytes: about 200,000 paths.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// The maximum number of characters shown of what git says about an error.
const MOST_SHOWN: usize = 200;

/// Git on this machine.
pub(crate) struct Git<'a> {
    core: &'a Core,
    program: PathBuf,
}

/// Returns the repository that a folder is in, without asking git.
pub(crate) fn repository_of(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// A question to git, or a change.
#[derive(Clone, Debug, Default)]
pub(crate) struct GitCall {
    /// The arguments.
    pub(crate) arguments: Vec<OsString>,
    /// The working directory.
    pub(crate) cwd: PathBuf,
    /// The folders that git may read in addition to the system's.
    pub(crate) readable: Vec<PathBuf>,
    /// The folders that git may change. None if it only reads.
    pub(crate) writable: Vec<PathBuf>,
    /// Paths inside them that it must not change.
    pub(crate) frozen: Vec<PathBuf>,
    /// The standard input.
    pub(crate) input: Vec<u8>,
    /// The time it may take.
    pub(crate) patience: Duration,
}

/// The answer of git.
#[derive(Debug)]
pub(crate) struct GitAnswer {
    pub(crate) exit_code: i32,
    pub(crate) output: Vec<u8>,
    /// The first line of what it says about an error.
    error: String,
}

impl GitAnswer {
    /// Returns the output if git succeeded, else what it says.
    pub(crate) fn success(self) -> Result<Vec<u8>, Phrase> {
        match self.exit_code {
            0 => Ok(self.output),
            code if self.error.is_empty() => Err(say::git_exit_code(code)),
            _ => Err(self.error.into()),
        }
    }
}

impl<'a> Git<'a> {
    /// Finds git. `None` if it is not installed.
    pub(crate) fn find(core: &'a Core) -> Option<Self> {
        Some(Self { core, program: resolve_program("git")? })
    }

    /// Runs git. Returns why there is no complete answer, if there is none.
    pub(crate) async fn run(&self, call: GitCall) -> Result<GitAnswer, Phrase> {
        let git_settings = self.core.git_settings.file(&self.core.user_home);
        let mut readable = call.readable;
        // The folder instead of the file, because the file is replaced when the person's settings change.
        readable.extend(git_settings.iter().filter_map(|file| Some(file.parent()?.to_owned())));
        let confinement = match call.writable.is_empty() {
            true => Confinement::ReadOnly,
            false => Confinement::Workspace,
        };
        let mut argv: Vec<OsString> = vec![self.program.clone().into()];
        argv.extend(call.arguments);
        let spec = ChildSpec {
            stdin: if call.input.is_empty() { Input::Nothing } else { Input::Bytes(call.input) },
            readable,
            writable: call.writable,
            frozen: call.frozen,
            programs: Some(vec![self.program.clone()]),
            environment: Environment::Hardened { git_settings },
            env: OWN_NAME.map(|(name, value)| (name.into(), value.into())).into(),
            limits: ChildLimits {
                timeout: call.patience,
                head_bytes: MOST_BYTES,
                tail_bytes: 0,
                ..ChildLimits::default()
            },
            ..ChildSpec::new(argv, call.cwd, confinement)
        };
        let outcome = run(spec, CancellationToken::new(), None).await.map_err(|error| error.to_string())?;
        let Ended::Exited(exit_code) = outcome.ended else { return Err(say::git_no_answer()) };
        if outcome.stdout.omitted_bytes > 0 {
            return Err(say::git_no_answer());
        }
        let error = String::from_utf8_lossy(&outcome.stderr.head);
        let error = error.lines().next().unwrap_or_default().chars().take(MOST_SHOWN).collect();
        Ok(GitAnswer { exit_code, output: outcome.stdout.head, error })
    }
}

/// The name in the reflog of what Deputy changes itself. A missing object is an error and not fetched.
const OWN_NAME: [(&str, &str); 3] = [
    ("GIT_COMMITTER_NAME", "Deputy"),
    ("GIT_COMMITTER_EMAIL", "deputy@localhost"),
    ("GIT_NO_LAZY_FETCH", "1"),
];

/// Returns arguments that name a repository by the folder of its data, for any working directory.
pub(crate) fn in_repository(folder: &Path, cwd: &Path, arguments: &[&str]) -> Vec<OsString> {
    let named = |option: &str, path: &Path| {
        let mut argument = OsString::from(option);
        argument.push(path);
        argument
    };
    let mut all = vec![named("--git-dir=", folder), named("--work-tree=", cwd), "--literal-pathspecs".into()];
    all.extend(arguments.iter().map(OsString::from));
    all
}
