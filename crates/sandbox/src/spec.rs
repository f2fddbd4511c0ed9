//! What to run, under which confinement, within which limits.

use crate::{Environment, Guard, Network};
use deputy_protocol::Confinement;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// One command to run.
#[derive(Clone, Debug)]
pub struct ChildSpec {
    /// Program and arguments. A bare program name is looked up in the `PATH` of its environment; otherwise an absolute path.
    pub argv: Vec<OsString>,
    /// Working directory; must lie in what the command may see.
    pub cwd: PathBuf,
    /// What the command reads.
    pub stdin: Input,
    /// What the operating system lets it do.
    pub confinement: Confinement,
    /// Files and folders it may read besides the system folders. Those that do not exist are passed over.
    /// `/proc/self/mountinfo`: what is mounted on this machine.
    pub readable: Vec<PathBuf>,
    /// Files and folders it may change, from [`Confinement::Workspace`] on. They must exist.
    pub writable: Vec<PathBuf>,
    /// Secrets: not readable at any level but [`Confinement::Open`], even inside readable folders.
    pub hidden: Vec<PathBuf>,
    /// Not to be changed or created, even inside writable folders.
    pub frozen: Vec<PathBuf>,
    /// The only programs that may start, by their absolute paths, besides the first. `None`: any that it may read.
    pub programs: Option<Vec<PathBuf>>,
    /// Says by path what in open folders is neither read nor changed, from [`Confinement::Workspace`] on. It replaces
    /// covers of what is hidden and frozen, where the machine can do it.
    pub guard: Option<Arc<dyn Guard>>,
    /// Programs whose purpose is to change what the guard says starts programs, as a person agreed to.
    pub configuring: Vec<PathBuf>,
    /// Whose surroundings it starts in.
    pub environment: Environment,
    /// A folder for temporary files that outlives the command, from [`Confinement::Workspace`] on; `None`: one of its own,
    /// gone with it.
    pub scratch: Option<PathBuf>,
    /// Added to the environment, and stronger than it.
    pub env: Vec<(OsString, OsString)>,
    /// A network that it shares with other commands, in place of the private loopback of [`Confinement::Workspace`];
    /// passed over at other levels.
    pub network: Option<Network>,
    /// Bounds of time, output and resources.
    pub limits: ChildLimits,
}

impl ChildSpec {
    /// A command that is given nothing more: no files, no input, no network, the default bounds.
    pub fn new(argv: Vec<OsString>, cwd: PathBuf, confinement: Confinement) -> Self {
        Self {
            argv,
            cwd,
            stdin: Input::Nothing,
            confinement,
            readable: Vec::new(),
            writable: Vec::new(),
            hidden: Vec::new(),
            frozen: Vec::new(),
            programs: None,
            guard: None,
            configuring: Vec::new(),
            environment: Environment::default(),
            scratch: None,
            env: Vec::new(),
            network: None,
            limits: ChildLimits::default(),
        }
    }
}

/// Standard input.
#[derive(Clone, Debug, Default)]
pub enum Input {
    /// Nothing: `/dev/null`.
    #[default]
    Nothing,
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// One end of a connected socket, over which the command converses with whom holds the other.
    Socket(Arc<OwnedFd>),
}

impl From<Option<Vec<u8>>> for Input {
    fn from(bytes: Option<Vec<u8>>) -> Self {
        bytes.map_or(Self::Nothing, Self::Bytes)
    }
}

/// A bound on the memory of all processes of a command together.
#[derive(Clone, Debug)]
pub struct SharedMemory {
    /// Bytes in use.
    pub most_bytes: u64,
    /// How many processes were ended over it so far; counted before each is.
    pub ended: Arc<AtomicU64>,
}

impl PartialEq for SharedMemory {
    fn eq(&self, other: &Self) -> bool {
        self.most_bytes == other.most_bytes
    }
}

impl Eq for SharedMemory {}

/// Bounds of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildLimits {
    /// After this it is told to end.
    pub timeout: Duration,
    /// What it gets between being told to end and being ended.
    pub grace: Duration,
    /// Bytes kept of the beginning of each output stream.
    pub head_bytes: usize,
    /// Bytes kept of the end of each output stream.
    pub tail_bytes: usize,
    /// Bytes of private writable memory a process. (Not address space: runtimes reserve terabytes of that.)
    pub memory_bytes: u64,
    /// Whether only memory in use counts, and not what a process has merely mapped. The kernel bounds what is mapped, so
    /// nothing gets past it; what is in use is looked at several times a second, so that programs which map terabytes of
    /// writable memory and use little of it, as those built with a sanitizer do, can run.
    pub counts_memory_in_use: bool,
    /// Bytes of memory that all its processes together may have in use. Beyond that the one with the most is ended, until
    /// they fit again: one page of a browser, not all of it.
    pub shared_memory: Option<SharedMemory>,
    /// Processes and threads it may add to those that run on the machine.
    pub processes: u64,
    /// Size of the largest file it may write.
    pub file_bytes: u64,
    /// Seconds of processor time a process.
    pub cpu_secs: u64,
}

impl Default for ChildLimits {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self {
            timeout: Duration::from_secs(120),
            grace: Duration::from_secs(2),
            head_bytes: 64 * 1024,
            tail_bytes: 64 * 1024,
            memory_bytes: 4096 * MIB,
            counts_memory_in_use: false,
            shared_memory: None,
            processes: 512,
            file_bytes: 4096 * MIB,
            cpu_secs: 3600,
        }
    }
}
