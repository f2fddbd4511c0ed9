//! Which walls a command gets: Landlock and seccomp, which it sets upon itself, or bubblewrap and seccomp.

use crate::bubblewrap::{self, Setting};
use crate::filter::{Shape, filter, to_bytes};
use crate::launch::{ChildWalls, above_stdio, pipe};
use crate::placeholder::Placeholders;
use crate::ruleset::{Lent, RulesetFailure, lend, ruleset};
use crate::view::View;
use crate::{ChildSpec, SandboxError, Walls};
use deputy_protocol::Confinement;
use std::ffi::OsString;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The walls of one command, and what has to stay until it is gone.
#[derive(Default)]
pub(crate) struct Enclosure {
    /// What the child sets upon itself.
    pub(crate) walls: ChildWalls,
    /// What runs the command in its place.
    pub(crate) wrapper: Option<Wrapper>,
    /// Descriptors for the wrapper.
    pub(crate) passed: Vec<OwnedFd>,
    /// Where the wrapper says whether it has run the command.
    pub(crate) status: Option<OwnedFd>,
    pub(crate) env: Vec<(OsString, OsString)>,
    /// Taken away when dropped.
    pub(crate) leftovers: Leftovers,
}

/// Made for a command, and removed when this is dropped.
#[derive(Default)]
pub(crate) struct Leftovers {
    _placeholders: Placeholders,
    _scratch: Option<TempDir>,
    /// Behind the folder that it grants, which must be gone before.
    _lent: Option<Lent>,
}

/// A program that runs the command, with its own arguments.
pub(crate) struct Wrapper {
    pub(crate) path: PathBuf,
    pub(crate) argv: Vec<OsString>,
}

/// Chooses and prepares the walls. What cannot be enforced is an error.
pub(crate) fn enclose(
    walls: &Walls,
    spec: &ChildSpec,
    view: &View,
    cwd: &Path,
) -> Result<Enclosure, SandboxError> {
    let confinement = spec.confinement;
    let no_walls = |why: String| SandboxError::NoWalls { confinement, why };
    if confinement == Confinement::Open {
        return Ok(Enclosure::default());
    }
    if !walls.seccomp {
        return Err(no_walls("the kernel has no seccomp filters".into()));
    }
    let may_write = confinement >= Confinement::Workspace;
    let request = Request { view, cwd, may_write, network: confinement == Confinement::WorkspaceNet };
    match &walls.bubblewrap {
        // It alone lets a command change modes of its own files and of no others.
        Some(path) if may_write => request.in_bubblewrap(path).map_err(no_walls),
        _ if walls.has_landlock() => match (request.by_landlock(), &walls.bubblewrap) {
            (Ok(enclosure), _) => Ok(enclosure),
            (Err(Refusal::Inexpressible(_)), Some(path)) => request.in_bubblewrap(path).map_err(no_walls),
            (Err(Refusal::Inexpressible(why)), None) => {
                Err(no_walls(format!("{why}, and there is no working bubblewrap")))
            }
            (Err(Refusal::Failed(why)), _) => Err(no_walls(why)),
        },
        Some(path) => request.in_bubblewrap(path).map_err(no_walls),
        None => Err(no_walls(
            "the kernel has no Landlock that is new enough, and there is no working bubblewrap".into(),
        )),
    }
}

struct Request<'a> {
    view: &'a View,
    cwd: &'a Path,
    may_write: bool,
    network: bool,
}

enum Refusal {
    Inexpressible(String),
    Failed(String),
}

impl Request<'_> {
    fn by_landlock(&self) -> Result<Enclosure, Refusal> {
        let scratch = self.scratch().map_err(Refusal::Failed)?;
        let (ruleset, lent) = match &scratch {
            None => ruleset(self.view, self.network).map(|ruleset| (ruleset, None)),
            Some(own) => {
                lend(self.view, self.network, own.path()).map(|lent| (Arc::clone(&lent.ruleset), Some(lent)))
            }
        }
        .map_err(|failure| match failure {
            RulesetFailure::Inexpressible { .. } => Refusal::Inexpressible(failure.to_string()),
            _ => Refusal::Failed(failure.to_string()),
        })?;
        let shape = Shape { sockets: self.network, modes: false, namespaces: false };
        let filter = filter(shape)
            .map_err(|error| Refusal::Failed(format!("assembling the seccomp filter failed ({error})")))?;
        Ok(Enclosure {
            walls: ChildWalls { drop_capabilities: true, ruleset: Some(ruleset), filter: Some(filter) },
            env: self.environment(scratch.as_ref().map(TempDir::path)),
            leftovers: Leftovers { _scratch: scratch, _lent: lent, ..Leftovers::default() },
            ..Enclosure::default()
        })
    }

    fn in_bubblewrap(&self, path: &Path) -> Result<Enclosure, String> {
        let shape = Shape { sockets: self.may_write, modes: self.may_write, namespaces: true };
        let program =
            filter(shape).map_err(|error| format!("assembling the seccomp filter failed ({error})"))?;
        let scratch = self.scratch()?;
        let failed = |error: std::io::Error| format!("preparing bubblewrap failed ({error})");
        let filter =
            bubblewrap::readable_memory(&to_bytes(&program)).and_then(above_stdio).map_err(failed)?;
        let (status, status_end) = pipe().map_err(failed)?;
        let setting = Setting {
            network: self.network,
            scratch: scratch.as_ref().map(TempDir::path),
            cwd: self.cwd,
            filter: filter.as_raw_fd(),
            status: status_end.as_raw_fd(),
        };
        let (argv, placeholders) = bubblewrap::arguments(self.view, &setting).map_err(failed)?;
        let mut passed = vec![filter, status_end];
        passed.sort_by_key(AsRawFd::as_raw_fd);
        Ok(Enclosure {
            wrapper: Some(Wrapper { path: path.into(), argv }),
            passed,
            status: Some(status),
            env: self.environment(scratch.as_ref().map(|_| Path::new("/tmp"))),
            leftovers: Leftovers { _placeholders: placeholders, _scratch: scratch, _lent: None },
            ..Enclosure::default()
        })
    }

    /// A private folder for temporary files, for those who may write.
    fn scratch(&self) -> Result<Option<TempDir>, String> {
        let make = || tempfile::Builder::new().prefix("deputy-scratch-").tempdir();
        self.may_write
            .then(make)
            .transpose()
            .map_err(|error| format!("making a folder for temporary files failed ({error})"))
    }

    fn environment(&self, scratch: Option<&Path>) -> Vec<(OsString, OsString)> {
        match scratch {
            Some(scratch) => vec![("TMPDIR".into(), scratch.into())],
            // The user's own settings are out of sight, and git takes settings that exist and cannot be read for a failure.
            None => vec![
                ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
                ("XDG_CONFIG_HOME".into(), "/nonexistent".into()),
            ],
        }
    }
}
