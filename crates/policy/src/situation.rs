//! The situation of a call: everything that a decision depends on besides the call itself.

use crate::path::SecretPattern;
use crate::{Refusals, Rules};
use deputy_protocol::{Grant, Scope, SessionId, TaskId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Where and for whom a call would run.
#[derive(Clone, Debug)]
pub struct Situation {
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// The user's home directory, absolute.
    pub home: PathBuf,
    /// The workspace, absolute. It is readable, and writable with the user's consent.
    pub workspace: PathBuf,
    /// Folders other than the workspace that may be read.
    pub roots: Vec<PathBuf>,
    /// The real path of the task's folder for temporary files, which its commands see as `/tmp`. Everything may be done
    /// in it. `None` if the commands see the machine's own `/tmp`, or none.
    pub temporary: Option<PathBuf>,
    /// Environment variables that the call would see in addition to the clean environment.
    pub env: BTreeMap<String, String>,
    /// Deputy's own folder.
    pub deputy_home: PathBuf,
    /// The user's patterns for secrets, in addition to the built-in ones.
    pub secrets: Vec<SecretPattern>,
    /// The real paths of secrets that the user opened to this one call.
    pub revealed: Vec<PathBuf>,
    /// The task's scope.
    pub scope: Scope,
    /// The entries of the allow-list of hosts.
    pub allow_hosts: Vec<String>,
    /// The user's rules.
    pub rules: Arc<Rules>,
    /// What a person refused in this task.
    pub refused: Arc<Refusals>,
    /// The grants that were given. Expired and revoked grants are ignored.
    pub grants: Vec<Grant>,
    /// The task, for grants that apply only to it.
    pub task: Option<TaskId>,
    /// The session, for grants that apply only to it.
    pub session: Option<SessionId>,
    /// The current time of the host's clock, in milliseconds since the epoch.
    pub now_ms: i64,
    /// The absolute folders in which programs of approved commands are looked up, in order. If empty, the system's
    /// own folders are used.
    pub path: Vec<PathBuf>,
    /// The folder in which the user's cargo keeps its downloads, if it is not in the home directory.
    pub cargo_home: Option<PathBuf>,
    /// Whether the operating system can enforce `read_only`. If not, commands ask.
    pub walls: bool,
    /// Whether a guard can decide by path what an approved command changes and reads. Without it, no yes for a folder is
    /// offered or holds.
    pub guarded: bool,
    /// Whether the user agreed in advance to the task's medium-risk calls. Such calls get the walls of a yes for the
    /// folder.
    pub has_consent: bool,
    /// Whether the task runs a background process that listens on the task's private loopback interface. A request to
    /// that process needs no other network access.
    pub own_network: bool,
    /// The ports on which a process of the task listens there.
    pub own_ports: BTreeSet<u16>,
}

impl Situation {
    /// Returns the situation of a call in a workspace without any permissions beyond the built-in ones, and without
    /// walls. Unknown facts default to asking; the caller sets the fields that differ.
    pub fn new(
        home: impl Into<PathBuf>,
        workspace: impl Into<PathBuf>,
        deputy_home: impl Into<PathBuf>,
    ) -> Self {
        let workspace = workspace.into();
        Self {
            cwd: workspace.clone(),
            home: home.into(),
            workspace,
            roots: Vec::new(),
            temporary: None,
            env: BTreeMap::new(),
            deputy_home: deputy_home.into(),
            secrets: Vec::new(),
            revealed: Vec::new(),
            scope: Scope::default(),
            allow_hosts: Vec::new(),
            rules: Arc::new(Rules::empty()),
            refused: Arc::default(),
            grants: Vec::new(),
            task: None,
            session: None,
            now_ms: 0,
            path: Vec::new(),
            cargo_home: None,
            walls: false,
            guarded: false,
            has_consent: false,
            own_network: false,
            own_ports: BTreeSet::new(),
        }
    }
}
