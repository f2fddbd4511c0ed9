//! The policy checks that the confinement makes while an approved command runs: whether a path is a secret, or can
//! start programs, or was refused in this task, or stays closed under the yes for the folder.

use crate::driver::ask::Door;
use crate::driver::folder_walls::FolderWalls;
use deputy_messages::Phrase;
use deputy_policy::path::Walled;
use deputy_policy::{Ruling, Situation, is_environment};
use deputy_sandbox::{Attempt, Reply, Wanted};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The guard of one call.
pub(super) struct CallGuard {
    walled: Walled,
    /// Secrets that this one call may read and change, as approved by a person.
    revealed: Vec<PathBuf>,
    /// Bare repositories that this one call may change. Files that make git run programs are protected in them as in a
    /// `.git` folder.
    bare: Vec<PathBuf>,
    /// Whether this call may write the remaining steps of a git rebase.
    replays: bool,
    /// Deputy's own folders for downloads of tools: repositories and certificates of third parties, which only approved
    /// commands use.
    caches: Vec<PathBuf>,
    /// The Python environment that a person opened to this call.
    environments: Vec<PathBuf>,
    home: PathBuf,
    walls: Option<Arc<FolderWalls>>,
    /// The channel to ask a person while the call runs. `None` if nobody approved the call.
    door: Option<Door>,
}

impl CallGuard {
    pub(super) fn new(
        situation: &Situation,
        revealed: Vec<PathBuf>,
        ruling: &Ruling,
        caches: Vec<PathBuf>,
        walls: Option<Arc<FolderWalls>>,
        door: Option<Door>,
    ) -> Self {
        Self {
            walled: Walled::of(situation),
            revealed,
            bare: ruling.writes.iter().filter(|path| deputy_policy::is_repository(path)).cloned().collect(),
            replays: ruling.replays,
            caches,
            environments: ruling.writes.iter().filter(|path| is_environment(path)).cloned().collect(),
            home: situation.home.canonicalize().unwrap_or_else(|_| situation.home.clone()),
            walls,
            door,
        }
    }

    fn is_cached(&self, real: &Path) -> bool {
        self.caches.iter().any(|cache| real.starts_with(cache))
    }

    /// Returns whether a path is among the programs and packages of the environment, and not of a project that it may
    /// be a part of.
    fn is_installed(&self, real: &Path) -> bool {
        const PARTS: &[&str] = &["bin", "lib", "lib64", "include", "share", "etc", "man", "conda-meta"];
        let below = self.environments.iter().filter_map(|folder| real.strip_prefix(folder).ok());
        let mut parts = below.filter_map(|below| below.iter().next());
        parts.any(|part| PARTS.iter().any(|known| part == *known)) && !real.iter().any(|part| part == ".git")
    }
}

impl deputy_sandbox::Guard for CallGuard {
    fn secret(&self, real: &Path) -> Option<Phrase> {
        if self.revealed.iter().any(|revealed| revealed == real)
            || self.is_cached(real)
            || deputy_policy::path::is_of_tools(&self.home, real)
        {
            return None;
        }
        self.walled.secret(real)
    }

    fn refused(&self, real: &Path, is_tree: bool) -> Option<(Phrase, PathBuf)> {
        let refusal = self.walled.refused(real, is_tree)?;
        Some((refusal.reason(), refusal.path.clone()))
    }

    fn starts_programs(&self, real: &Path, is_folder: bool) -> Option<Phrase> {
        if let Some(why) = self.walls.as_ref().and_then(|walls| walls.closes(real, is_folder)) {
            return Some(why);
        }
        if self.is_cached(real)
            || self.is_installed(real)
            || self.replays && deputy_policy::path::is_yet_to_replay(real)
        {
            return None;
        }
        let below =
            self.bare.iter().find_map(|bare| Some(bare.join(".git").join(real.strip_prefix(bare).ok()?)));
        self.walled.starts_programs(below.as_deref().unwrap_or(real), is_folder)
    }

    fn history(&self, real: &Path, is_folder: bool) -> Option<Phrase> {
        self.walls.as_ref()?.history(real, is_folder)
    }

    fn is_at_home(&self, real: &Path) -> bool {
        real.starts_with(&self.home)
    }

    fn may_ask(&self, operation: Attempt, real: &Path, is_outside: bool) -> bool {
        self.door.as_ref().is_some_and(|door| door.may_ask(operation, real, is_outside))
    }

    fn ask(&self, wanted: Wanted, reply: Reply) {
        // Without a door the reply is dropped, which counts as a denial.
        if let Some(door) = &self.door {
            door.ask(wanted, reply);
        }
    }
}

impl fmt::Debug for CallGuard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CallGuard").field("revealed", &self.revealed).finish_non_exhaustive()
    }
}
