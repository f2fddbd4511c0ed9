//! Where and for whom a call would run: everything that a decision depends on alongside the call itself.

use crate::Rules;
use crate::path::SecretPattern;
use deputy_protocol::{Grant, Scope, SessionId, TaskId};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Where and for whom a call would run.
#[derive(Clone, Debug)]
pub struct Situation {
    /// Working directory, absolute.
    pub cwd: PathBuf,
    /// The user's home, absolute.
    pub home: PathBuf,
    /// The workspace, absolute; readable, and writable with a person's consent.
    pub workspace: PathBuf,
    /// Folders that may be read besides the workspace.
    pub roots: Vec<PathBuf>,
    /// Environment variables that the call would see beyond the clean environment.
    pub env: BTreeMap<String, String>,
    /// Deputy's own folder.
    pub deputy_home: PathBuf,
    /// What the user keeps secret besides what everybody does.
    pub secrets: Vec<SecretPattern>,
    /// The task's scope.
    pub scope: Scope,
    /// Entries of the allow-list of hosts.
    pub allow_hosts: Vec<String>,
    /// The user's rules.
    pub rules: Arc<Rules>,
    /// Grants that were given; expired and revoked ones are ignored.
    pub grants: Vec<Grant>,
    /// The task, for grants that hold for it alone.
    pub task: Option<TaskId>,
    /// The session, for grants that hold for it alone.
    pub session: Option<SessionId>,
    /// Now, on the host's clock.
    pub now_ms: i64,
    /// Folders in which the programs of approved commands are looked up, absolute, the first first; the system's own where
    /// there is none.
    pub path: Vec<PathBuf>,
    /// Where the person's cargo keeps what it fetched, if not in their home.
    pub cargo_home: Option<PathBuf>,
    /// Whether the operating system can enforce `read_only`; where it cannot, commands ask.
    pub walls: bool,
    /// Whether the task runs something in the background that listens on a loopback of its own: what asks that
    /// needs no network beyond it.
    pub own_network: bool,
}

impl Situation {
    /// A call in a workspace for which nothing was allowed besides what everybody may do, and behind which no walls stand.
    /// What is not known so asks; who builds one names what differs.
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
            env: BTreeMap::new(),
            deputy_home: deputy_home.into(),
            secrets: Vec::new(),
            scope: Scope::default(),
            allow_hosts: Vec::new(),
            rules: Arc::new(Rules::empty()),
            grants: Vec::new(),
            task: None,
            session: None,
            now_ms: 0,
            path: Vec::new(),
            cargo_home: None,
            walls: false,
            own_network: false,
        }
    }
}
