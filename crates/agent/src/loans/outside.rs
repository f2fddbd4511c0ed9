//! Runs the person's own programs outside the sandbox, so that secrets do not have to enter it: `ssh -G`, a credential
//! helper, `gh auth token`. They run in `/`, so that no repository influences them.

use crate::user_shell::Surroundings;
use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, run};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The timeout of a program. The person may have to unlock a keyring.
const PATIENCE: Duration = Duration::from_secs(60);
/// The timeout of a program that runs for the duration of a call.
const FOREVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);
/// The maximum size of the output, in bytes.
const MOST_BYTES: usize = 256 * 1024;
/// Desktop variables that such programs need to reach keyrings and agents.
const OF_DESKTOP: &[&str] = &[
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "GNUPGHOME",
    "SSH_AUTH_SOCK",
];

/// The environment of programs outside the sandbox.
#[derive(Clone)]
pub(super) struct Outside {
    pub(super) home: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl Outside {
    pub(super) fn new(home: &Path, surroundings: &Surroundings) -> Self {
        let mut env = surroundings.variables.clone();
        let desktop = OF_DESKTOP.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)));
        env.extend(desktop);
        env.push(("PATH".into(), surroundings.path_variable()));
        env.push(("HOME".into(), home.into()));
        Self { home: home.to_owned(), env }
    }

    /// Expands `~/` in a path from a setting.
    pub(super) fn path(&self, text: &str) -> PathBuf {
        text.strip_prefix("~/").map_or_else(|| PathBuf::from(text), |rest| self.home.join(rest))
    }

    /// Runs a program and returns its output. `None` if it fails.
    pub(super) async fn printed(&self, argv: &[&str], stdin: Option<String>) -> Option<String> {
        let spec = self.spec(argv, stdin, PATIENCE)?;
        let outcome = run(spec, CancellationToken::new(), None).await.ok()?;
        let is_whole = outcome.stdout.tail.is_empty();
        let done = outcome.ended == Ended::Exited(0) && is_whole;
        done.then(|| String::from_utf8(outcome.stdout.head).ok()).flatten()
    }

    /// Runs a program until the returned guard is dropped.
    pub(super) fn keep(&self, argv: &[&str]) -> Option<DropGuard> {
        let spec = self.spec(argv, None, FOREVER)?;
        let cancel = CancellationToken::new();
        let guard = cancel.clone().drop_guard();
        tokio::spawn(async move { drop(run(spec, cancel, None).await) });
        Some(guard)
    }

    /// Returns a copy with an additional variable.
    pub(super) fn with(&self, name: &str, value: &OsStr) -> Self {
        let mut other = self.clone();
        other.env.push((name.into(), value.into()));
        other
    }

    fn spec(&self, argv: &[&str], stdin: Option<String>, timeout: Duration) -> Option<ChildSpec> {
        let (name, rest) = argv.split_first()?;
        let path =
            self.env.iter().rev().find(|(name, _)| name == "PATH").map(|(_, path)| path.as_os_str())?;
        let program = match name.contains('/') {
            true => PathBuf::from(name),
            false => deputy_sandbox::resolve_program_in(path, name)?,
        };
        // The person's own program with their own settings, as in a terminal.
        Some(ChildSpec {
            stdin: stdin.map(String::into_bytes).into(),
            env: self.env.clone(),
            limits: ChildLimits { timeout, head_bytes: MOST_BYTES, tail_bytes: 0, ..ChildLimits::default() },
            ..ChildSpec::new(
                std::iter::once(program.into()).chain(rest.iter().map(OsString::from)).collect(),
                "/".into(),
                Confinement::Open,
            )
        })
    }
}
