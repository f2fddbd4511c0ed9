//! Selects the mechanisms for a command: Landlock and seccomp, which the child applies to itself, or bubblewrap and
//! seccomp.

use crate::bubblewrap::{self, Setting};
use crate::filter::{Shape, Sockets, filter, to_bytes};
use crate::launch::{ChildWalls, above_stdio, pipe};
use crate::mount_point::MountPoints;
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
use deputy_messages::sandbox as say;
use deputy_protocol::{Confinement, Phrase};
use std::ffi::OsString;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The confinement of a command, and the resources that must be kept until it is gone.
#[derive(Default)]
pub(crate) struct Enclosure {
    /// What the child applies to itself.
    pub(crate) walls: ChildWalls,
    /// The program that runs the command, if any.
    pub(crate) wrapper: Option<Wrapper>,
    /// The descriptors for the wrapper.
    pub(crate) passed: Vec<OwnedFd>,
    /// The pipe on which the wrapper reports whether it has run the command.
    pub(crate) status: Option<OwnedFd>,
    pub(crate) env: Vec<(OsString, OsString)>,
    /// The warden that answers the command's calls, if any.
    pub(crate) post: Option<Post>,
    /// The network that the wrapper joins before it starts.
    pub(crate) network: Option<Network>,
    /// Resources that are removed when this is dropped.
    pub(crate) leftovers: Leftovers,
}

/// Resources that were created for a command. They are removed when this is dropped.
#[derive(Default)]
pub(crate) struct Leftovers {
    _placeholders: Placeholders,
    /// Must be declared before the folder that they are in.
    _points: MountPoints,
    _scratch: Option<ScratchFolder>,
    /// Must be declared after the folder that it grants, which has to be removed first.
    _lent: Option<Lent>,
}

/// A program that runs the command, with its arguments.
pub(crate) struct Wrapper {
    pub(crate) path: PathBuf,
    pub(crate) argv: Vec<OsString>,
}

/// Selects and prepares the mechanisms. Fails if the confinement cannot be enforced.
pub(crate) fn enclose(
    walls: &Walls,
    spec: &ChildSpec,
    view: &View,
    program: &Path,
    cwd: &Path,
) -> Result<Enclosure, SandboxError> {
    let confinement = spec.confinement;
    let no_walls = |why: Phrase| SandboxError::NoWalls { confinement, why };
    if confinement == Confinement::Open {
        return Ok(Enclosure::default());
    }
    if !walls.seccomp {
        return Err(no_walls(say::no_seccomp()));
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
    // Paths that the guard decides about need no cover. Covers would be visible and could be removed by others.
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
        // Only bubblewrap lets a command change the modes of its own files but not of others, and only bubblewrap gives
        // it a `/tmp` of its own.
        Some(path) if may_write || names_temporary_files(spec) => {
            request.in_bubblewrap(path).map_err(no_walls)
        }
        _ if walls.has_landlock() => match (request.by_landlock(), &walls.bubblewrap) {
            (Ok(enclosure), _) => Ok(enclosure),
            (Err(Refusal::Inexpressible(_)), Some(path)) => request.in_bubblewrap(path).map_err(no_walls),
            (Err(Refusal::Inexpressible(why)), None) => Err(no_walls(say::and_no_bubblewrap(why))),
            (Err(Refusal::Failed(why)), _) => Err(no_walls(why)),
        },
        Some(path) => request.in_bubblewrap(path).map_err(no_walls),
        None => Err(no_walls(say::no_walls_at_all())),
    }
}

/// Whether the text of a command names `/tmp`, or a program or variable for temporary files. A command that tells about
/// the machine, such as `df`, means the machine's own.
fn names_temporary_files(spec: &ChildSpec) -> bool {
    let names = |word: &OsString| word.to_string_lossy().to_ascii_lowercase().contains("tmp");
    let of_machine = |path: &PathBuf| path.starts_with("/proc") || path.starts_with("/sys");
    spec.scratch.is_some() && spec.argv.iter().any(names) && !spec.readable.iter().any(of_machine)
}

struct Request<'a> {
    view: &'a View,
    cwd: &'a Path,
    may_write: bool,
    network: bool,
    /// The only programs that may start.
    programs: Option<Programs>,
    /// The restrictions on paths in open folders.
    bounds: Option<Bounds>,
    /// Whether the kernel lets a warden answer calls.
    notification: bool,
    file_bytes: u64,
    /// A private network of the task to join.
    shared: Option<Network>,
    /// A folder for temporary files that outlives the command.
    lasting: Option<&'a Path>,
    /// The environment in which the command starts.
    environment: &'a Environment,
    has_landlock: bool,
    /// Sockets of other processes that the command may connect to.
    lent: &'a [PathBuf],
    /// Whether the command may read what is mounted.
    tells_mounts: bool,
}

/// Returns the restrictions of the guard.
fn bounds(spec: &ChildSpec, view: &View, guard: &Arc<dyn Guard>) -> Option<Bounds> {
    Some(Bounds {
        guard: Arc::clone(guard),
        scratch: spec.scratch.as_ref().and_then(|scratch| scratch.canonicalize().ok()),
        fence: None,
        granted: view.readable.iter().chain(&view.writable).cloned().collect(),
        hidden: view.hidden.clone(),
        known_secrets: identities(&view.hidden),
        known_frozen: identities(&view.frozen),
        configuring: Programs::of(&spec.configuring),
    })
}

/// The folder for a command's temporary files.
enum Scratch<'a> {
    None,
    /// A folder that is removed with the command.
    Own(ScratchFolder),
    /// A folder that the caller removes.
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
    Inexpressible(Phrase),
    Failed(Phrase),
}

impl<'a> Request<'a> {
    fn by_landlock(&mut self) -> Result<Enclosure, Refusal> {
        if !self.lent.is_empty() {
            // Landlock cannot distinguish between sockets.
            return Err(Refusal::Inexpressible(say::cannot_lend_one_socket()));
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
            RulesetFailure::Inexpressible { .. } => Refusal::Inexpressible(failure.phrase()),
            _ => Refusal::Failed(failure.phrase()),
        })?;
        if let (Some(bounds), Some(scratch)) = (&mut self.bounds, scratch.path()) {
            bounds.fence = Some(Fence::new(self.view, scratch));
        }
        let carried = self.bounds.is_some();
        let sockets = match self.network {
            true => Sockets::All,
            // If a warden supervises a command that may write, the command still gets a private loopback.
            false if carried && self.notification => Sockets::Led,
            false => Sockets::None,
        };
        let shape = Shape { sockets, unix: false, modes: false, carried, namespaces: false };
        let filter = filter(shape).map_err(|error| Refusal::Failed(say::no_filter(error)))?;
        let only_these = self.programs.as_ref().map(only_these).transpose();
        let only_these = only_these.map_err(|failure| Refusal::Failed(failure.phrase()))?;
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

    fn in_bubblewrap(&mut self, path: &Path) -> Result<Enclosure, Phrase> {
        let local = self.local_sockets();
        if local.is_none() && !self.lent.is_empty() {
            return Err(say::sockets_look_alike());
        }
        let shape = Shape {
            sockets: if self.may_write { Sockets::All } else { Sockets::None },
            unix: local.is_some(),
            modes: self.may_write,
            carried: false,
            namespaces: true,
        };
        let program = filter(shape).map_err(say::no_filter)?;
        let scratch = self.scratch()?;
        let failed = |error: std::io::Error| say::bubblewrap_not_prepared(error);
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
        let (argv, placeholders, points) = bubblewrap::arguments(self.view, &setting).map_err(failed)?;
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
            leftovers: Leftovers {
                _placeholders: placeholders,
                _points: points,
                _scratch: scratch.into_own(),
                _lent: None,
            },
        })
    }

    /// Creates the warden if there are calls to answer. `wrapper` is the program that starts the command. `leads` is
    /// whether the warden controls the sockets.
    fn warden(&mut self, wrapper: Option<&Path>, leads: bool) -> Result<Option<(Post, Summons)>, Phrase> {
        let (programs, bounds) = (self.programs.clone(), self.bounds.take());
        if !self.notification || programs.is_none() && bounds.is_none() && !self.tells_mounts {
            return Ok(None);
        }
        let wrapper = wrapper.map(|path| path.metadata().map(|meta| (meta.dev(), meta.ino()))).transpose();
        let failed = |error: std::io::Error| say::no_supervisor(error);
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

    /// Returns what is needed to isolate the command's Unix sockets. `None` if that is impossible; the command then may
    /// not create any.
    fn local_sockets(&self) -> Option<LocalSockets> {
        if !self.may_write {
            return None;
        }
        // Abstract names belong to the network namespace, which is shared here. Landlock separates them.
        let scope = match self.network {
            false => None,
            true if self.has_landlock => Some(own_abstract_names().ok()?),
            true => return None,
        };
        let mut listening = sockets::in_sight(self.view)?;
        listening.retain(|socket| !self.lent.contains(socket));
        Some(LocalSockets { listening, scope })
    }

    /// Returns the folder for temporary files. A command that may write nothing has one only if the caller provides it.
    fn scratch(&self) -> Result<Scratch<'a>, Phrase> {
        if let Some(folder) = self.lasting {
            return Ok(Scratch::Lasting(folder));
        }
        if !self.may_write {
            return Ok(Scratch::None);
        }
        ScratchFolder::new().map(Scratch::Own).map_err(say::no_temporary_folder)
    }

    fn environment(&self, scratch: Option<&Path>) -> Vec<(OsString, OsString)> {
        let mut variables: Vec<(OsString, OsString)> = Vec::new();
        variables.extend(scratch.map(|scratch| ("TMPDIR".into(), scratch.into())));
        // The user's own settings are hidden, and git fails if settings exist but cannot be read.
        if let Environment::Hardened { git_settings } = self.environment
            && !self.may_write
        {
            let settings = git_settings.clone().map_or("/dev/null".into(), Into::into);
            variables.push(("GIT_CONFIG_GLOBAL".into(), settings));
            variables.push(("XDG_CONFIG_HOME".into(), "/nonexistent".into()));
        }
        variables
    }
}

/// The isolation of a command's Unix sockets.
#[derive(Default)]
struct LocalSockets {
    /// Visible sockets on which other processes listen. They are covered.
    listening: Vec<PathBuf>,
    /// The rule set that blocks the abstract names of other processes.
    scope: Option<Arc<OwnedFd>>,
}
