//! Which walls a command gets: Landlock and seccomp, which it sets upon itself, or bubblewrap and seccomp.

use crate::bubblewrap::{self, Setting};
use crate::filter::{Shape, Sockets, filter, to_bytes};
use crate::launch::{ChildWalls, above_stdio, pipe};
use crate::placeholder::Placeholders;
use crate::ruleset::{Lent, RulesetFailure, lend, only_these, own_abstract_names, ruleset};
use crate::scratch::ScratchFolder;
use crate::view::View;
use crate::warden::facts::MOUNTS;
use crate::warden::guard::{Bounds, Fence, identities};
use crate::warden::loopback::Loopback;
use crate::warden::programs::Programs;
use crate::warden::{Duty, Post, Summons};
use crate::{ChildSpec, Environment, Guard, Network, SandboxError, Walls, sockets};
use deputy_protocol::Confinement;
use std::ffi::OsString;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Who answers its calls, where somebody does.
    pub(crate) post: Option<Post>,
    /// What the wrapper joins before it starts.
    pub(crate) network: Option<Network>,
    /// Taken away when dropped.
    pub(crate) leftovers: Leftovers,
}

/// Made for a command, and removed when this is dropped.
#[derive(Default)]
pub(crate) struct Leftovers {
    _placeholders: Placeholders,
    _scratch: Option<ScratchFolder>,
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
    program: &Path,
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
    let programs = spec.programs.as_ref().map(|programs| {
        let mut programs = programs.clone();
        programs.push(program.to_owned());
        Programs::of(&programs)
    });
    let network = confinement == Confinement::WorkspaceNet;
    let bounds = || bounds(spec, view, spec.guard.as_ref()?);
    let bounds = (may_write && walls.notification).then(bounds).flatten();
    // What the guard decides by path needs no cover, which others could lift and would see.
    let uncovered = View { hidden: Vec::new(), frozen: Vec::new(), ..view.clone() };
    let view = if bounds.is_some() { &uncovered } else { view };
    let shared = spec.network.clone().filter(|_| confinement == Confinement::Workspace);
    let mut request = Request {
        view,
        cwd,
        may_write,
        network,
        shared,
        programs,
        bounds,
        notification: walls.notification,
        file_bytes: spec.limits.file_bytes,
        lasting: spec.scratch.as_deref(),
        environment: &spec.environment,
        has_landlock: walls.has_landlock(),
        lent: spec.environment.sockets(),
        tells_mounts: spec.readable.iter().any(|path| path == Path::new(MOUNTS)),
    };
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
    /// The only ones that may start.
    programs: Option<Programs>,
    /// What it may do with paths in open folders.
    bounds: Option<Bounds>,
    /// Whether the kernel lets a warden answer calls.
    notification: bool,
    file_bytes: u64,
    /// A network of the task's own to join.
    shared: Option<Network>,
    /// Where temporary files go that outlive the command.
    lasting: Option<&'a Path>,
    /// Whose surroundings it starts in.
    environment: &'a Environment,
    has_landlock: bool,
    /// Sockets of others that it may connect to.
    lent: &'a [PathBuf],
    /// Whether it may know what is mounted.
    tells_mounts: bool,
}

/// What the guard bounds.
fn bounds(spec: &ChildSpec, view: &View, guard: &Arc<dyn Guard>) -> Option<Bounds> {
    Some(Bounds {
        projects: view.writable.clone(),
        guard: Arc::clone(guard),
        fence: None,
        granted: view.readable.iter().chain(&view.writable).cloned().collect(),
        hidden: view.hidden.clone(),
        known_secrets: identities(&view.hidden),
        known_frozen: identities(&view.frozen),
        configuring: Programs::of(&spec.configuring),
    })
}

/// Where a command's temporary files go.
enum Scratch<'a> {
    None,
    /// Gone with the command.
    Own(ScratchFolder),
    /// Somebody else's to remove.
    Lasting(&'a Path),
}

impl Scratch<'_> {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::None => None,
            Self::Own(folder) => Some(folder.path()),
            Self::Lasting(folder) => Some(folder),
        }
    }

    fn into_own(self) -> Option<ScratchFolder> {
        match self {
            Self::Own(folder) => Some(folder),
            Self::None | Self::Lasting(_) => None,
        }
    }
}

enum Refusal {
    Inexpressible(String),
    Failed(String),
}

impl<'a> Request<'a> {
    fn by_landlock(&mut self) -> Result<Enclosure, Refusal> {
        if !self.lent.is_empty() {
            // It does not tell one socket from another.
            return Err(Refusal::Inexpressible("Landlock cannot lend a single socket".into()));
        }
        let scratch = self.scratch().map_err(Refusal::Failed)?;
        let (ruleset, lent) = match &scratch {
            Scratch::None => ruleset(self.view, self.network).map(|ruleset| (ruleset, None)),
            Scratch::Own(own) => {
                lend(self.view, self.network, own.path()).map(|lent| (Arc::clone(&lent.ruleset), Some(lent)))
            }
            Scratch::Lasting(folder) => {
                let mut view = self.view.clone();
                view.writable.push(folder.to_path_buf());
                ruleset(&view, self.network).map(|ruleset| (ruleset, None))
            }
        }
        .map_err(|failure| match failure {
            RulesetFailure::Inexpressible { .. } => Refusal::Inexpressible(failure.to_string()),
            _ => Refusal::Failed(failure.to_string()),
        })?;
        if let (Some(bounds), Some(scratch)) = (&mut self.bounds, scratch.path()) {
            bounds.fence = Some(Fence::new(self.view, scratch));
        }
        let carried = self.bounds.is_some();
        let sockets = match self.network {
            true => Sockets::All,
            // Where a warden looks after a command that may write, it has a loopback of its own all the same.
            false if carried && self.notification => Sockets::Led,
            false => Sockets::None,
        };
        let shape = Shape { sockets, unix: false, modes: false, carried, namespaces: false };
        let filter = filter(shape)
            .map_err(|error| Refusal::Failed(format!("assembling the seccomp filter failed ({error})")))?;
        let only_these = self.programs.as_ref().map(only_these).transpose();
        let only_these = only_these.map_err(|failure| Refusal::Failed(failure.to_string()))?;
        let rulesets = only_these.into_iter().chain([ruleset]).collect();
        let (post, summons) = self.warden(None, sockets == Sockets::Led).map_err(Refusal::Failed)?.unzip();
        Ok(Enclosure {
            walls: ChildWalls { drop_capabilities: true, rulesets, summons, filter: Some(filter) },
            post,
            env: self.environment(scratch.path()),
            leftovers: Leftovers { _scratch: scratch.into_own(), _lent: lent, ..Leftovers::default() },
            ..Enclosure::default()
        })
    }

    fn in_bubblewrap(&mut self, path: &Path) -> Result<Enclosure, String> {
        let local = self.local_sockets();
        if local.is_none() && !self.lent.is_empty() {
            return Err("the sockets of others cannot be told from the one that is lent".into());
        }
        let shape = Shape {
            sockets: if self.may_write { Sockets::All } else { Sockets::None },
            unix: local.is_some(),
            modes: self.may_write,
            carried: false,
            namespaces: true,
        };
        let program =
            filter(shape).map_err(|error| format!("assembling the seccomp filter failed ({error})"))?;
        let scratch = self.scratch()?;
        let failed = |error: std::io::Error| format!("preparing bubblewrap failed ({error})");
        let filter =
            bubblewrap::readable_memory(&to_bytes(&program)).and_then(above_stdio).map_err(failed)?;
        let (status, status_end) = pipe().map_err(failed)?;
        let LocalSockets { listening, scope } = local.unwrap_or_default();
        let setting = Setting {
            network: self.network,
            joins: self.shared.is_some(),
            scratch: scratch.path(),
            listening: &listening,
            cwd: self.cwd,
            filter: filter.as_raw_fd(),
            status: status_end.as_raw_fd(),
        };
        let (argv, placeholders) = bubblewrap::arguments(self.view, &setting).map_err(failed)?;
        let mut passed = vec![filter, status_end];
        passed.sort_by_key(AsRawFd::as_raw_fd);
        let (post, summons) = self.warden(Some(path), false)?.unzip();
        Ok(Enclosure {
            walls: ChildWalls { rulesets: scope.into_iter().collect(), summons, ..ChildWalls::default() },
            post,
            wrapper: Some(Wrapper { path: path.into(), argv }),
            passed,
            status: Some(status),
            network: self.shared.clone(),
            env: self.environment(scratch.path().map(|_| Path::new("/tmp"))),
            leftovers: Leftovers { _placeholders: placeholders, _scratch: scratch.into_own(), _lent: None },
        })
    }

    /// Who answers the command's calls, where there is something to answer; `wrapper` starts it, `leads` says whether its
    /// sockets are led.
    fn warden(&mut self, wrapper: Option<&Path>, leads: bool) -> Result<Option<(Post, Summons)>, String> {
        let (programs, bounds) = (self.programs.clone(), self.bounds.take());
        if !self.notification || programs.is_none() && bounds.is_none() && !self.tells_mounts {
            return Ok(None);
        }
        let wrapper = wrapper.map(|path| path.metadata().map(|meta| (meta.dev(), meta.ino()))).transpose();
        let failed = |error| format!("preparing the supervisor of its calls failed ({error})");
        let wrapper = wrapper.map_err(failed)?;
        let loopback = leads.then(Loopback::default);
        let duty = Duty {
            programs,
            wrapper,
            bounds,
            file_bytes: self.file_bytes,
            loopback,
            tells_mounts: self.tells_mounts,
        };
        Post::new(duty).map(Some).map_err(failed)
    }

    /// What it takes for Unix sockets to reach nobody outside; `None` where that cannot be had, and none are made then.
    fn local_sockets(&self) -> Option<LocalSockets> {
        if !self.may_write {
            return None;
        }
        // Abstract names belong to the network, which is shared: Landlock keeps them apart.
        let scope = match self.network {
            false => None,
            true if self.has_landlock => Some(own_abstract_names().ok()?),
            true => return None,
        };
        let mut listening = sockets::in_sight(self.view)?;
        listening.retain(|socket| !self.lent.contains(socket));
        Some(LocalSockets { listening, scope })
    }

    /// A private folder for temporary files, for those who may write.
    fn scratch(&self) -> Result<Scratch<'a>, String> {
        if !self.may_write {
            return Ok(Scratch::None);
        }
        if let Some(folder) = self.lasting {
            return Ok(Scratch::Lasting(folder));
        }
        ScratchFolder::new()
            .map(Scratch::Own)
            .map_err(|error| format!("making a folder for temporary files failed ({error})"))
    }

    fn environment(&self, scratch: Option<&Path>) -> Vec<(OsString, OsString)> {
        match scratch {
            Some(scratch) => vec![("TMPDIR".into(), scratch.into())],
            None => match self.environment {
                Environment::Person(_) => Vec::new(),
                // The user's own settings are out of sight, and git takes settings that exist and cannot be read for a failure.
                Environment::Hardened { git_settings } => vec![
                    ("GIT_CONFIG_GLOBAL".into(), git_settings.clone().map_or("/dev/null".into(), Into::into)),
                    ("XDG_CONFIG_HOME".into(), "/nonexistent".into()),
                ],
            },
        }
    }
}

/// What keeps a command's Unix sockets to itself.
#[derive(Default)]
struct LocalSockets {
    /// Sockets in sight that others listen on; they are covered.
    listening: Vec<PathBuf>,
    /// Keeps abstract names of others out of reach.
    scope: Option<Arc<OwnedFd>>,
}
