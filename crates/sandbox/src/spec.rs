//! The specification of a command: what to run, with which confinement and limits.

use crate::{Environment, Guard, Network};
use deputy_protocol::Confinement;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// A command to run.
#[derive(Clone, Debug)]
pub struct ChildSpec {
    /// The program and its arguments. The program is an absolute path, or a name that is looked up in the `PATH` of the
    /// environment.
    pub argv: Vec<OsString>,
    /// The working directory. It must be visible to the command.
    pub cwd: PathBuf,
    /// The standard input.
    pub stdin: Input,
    /// Whether the standard error goes into the standard output, so that the lines of both are in the order in which the
    /// command wrote them, as in a terminal.
    pub is_merged: bool,
    /// The confinement that the operating system enforces.
    pub confinement: Confinement,
    /// Files and folders that the command may read in addition to the system folders. Missing ones are ignored.
    /// `/proc/self/mountinfo` lets the command read what is mounted on this machine.
    pub readable: Vec<PathBuf>,
    /// Files and folders that the command may change, with [`Confinement::Workspace`] or more. They must exist.
    pub writable: Vec<PathBuf>,
    /// Secrets, which are unreadable at every level except [`Confinement::Open`], even inside readable folders.
    pub hidden: Vec<PathBuf>,
    /// Paths that must not be changed or created, even inside writable folders.
    pub frozen: Vec<PathBuf>,
    /// The only programs that may start in addition to the first, as absolute paths. `None` for any readable program.
    pub programs: Option<Vec<PathBuf>>,
    /// Decides by path what in open folders may not be read or changed, with [`Confinement::Workspace`] or more. It
    /// replaces the covers of hidden and frozen paths if the machine supports it.
    pub guard: Option<Arc<dyn Guard>>,
    /// Programs whose purpose is to change what the guard considers to start programs, as approved by a person.
    pub configuring: Vec<PathBuf>,
    /// The environment in which the command starts.
    pub environment: Environment,
    /// A folder for temporary files that outlives the command, which may write there at every level. `None` for a
    /// private folder that is removed with the command, with [`Confinement::Workspace`] or more.
    pub scratch: Option<PathBuf>,
    /// Additional environment variables, which take precedence.
    pub env: Vec<(OsString, OsString)>,
    /// A network that is shared with other commands, instead of the private loopback of [`Confinement::Workspace`].
    /// Ignored at other levels.
    pub network: Option<Network>,
    /// The limits on time, output and resources.
    pub limits: ChildLimits,
}

impl ChildSpec {
    /// Creates a command without any files, input or network, and with the default limits.
    pub fn new(argv: Vec<OsString>, cwd: PathBuf, confinement: Confinement) -> Self {
        Self {
            argv,
            cwd,
            stdin: Input::Nothing,
            is_merged: false,
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

/// The standard input of a command.
#[derive(Clone, Debug, Default)]
pub enum Input {
    /// No input: `/dev/null`.
    #[default]
    Nothing,
    /// These bytes, followed by end of file.
    Bytes(Vec<u8>),
    /// One end of a connected socket, through which the command communicates with the holder of the other end.
    Socket(Arc<OwnedFd>),
}

impl From<Option<Vec<u8>>> for Input {
    fn from(bytes: Option<Vec<u8>>) -> Self {
        bytes.map_or(Self::Nothing, Self::Bytes)
    }
}

/// A limit on the memory of all processes of a command together.
#[derive(Clone, Debug)]
pub struct SharedMemory {
    /// The maximum number of bytes in use.
    pub most_bytes: u64,
    /// The number of processes that were killed because of it. It is incremented before each kill.
    pub ended: Arc<AtomicU64>,
}

impl PartialEq for SharedMemory {
    fn eq(&self, other: &Self) -> bool {
        self.most_bytes == other.most_bytes
    }
}

impl Eq for SharedMemory {}

/// The limits of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildLimits {
    /// The time after which the command is asked to end.
    pub timeout: Duration,
    /// The time between asking the command to end and killing it.
    pub grace: Duration,
    /// The number of bytes to keep from the beginning of each output stream.
    pub head_bytes: usize,
    /// The number of bytes to keep from the end of each output stream.
    pub tail_bytes: usize,
    /// The private writable memory per process, in bytes. Address space is not limited, because runtimes reserve
    /// terabytes of it.
    pub memory_bytes: u64,
    /// Whether only memory in use counts, instead of mapped memory. The kernel enforces a limit on mapped memory
    /// exactly. Memory in use is checked several times a second, so that programs can run that map terabytes of
    /// writable memory but use little of it, such as those built with a sanitizer.
    pub counts_memory_in_use: bool,
    /// The memory that all processes together may have in use. If they exceed it, the process with the most memory is
    /// killed until the others fit: a single page of a browser instead of the whole browser.
    pub shared_memory: Option<SharedMemory>,
    /// The number of processes and threads that the command may add to those on the machine.
    pub processes: u64,
    /// The maximum size of a file that the command may write, in bytes.
    pub file_bytes: u64,
    /// The disk space that the files in the folder for temporary files may use, in bytes. It is checked several times a
    /// second.
    pub temporary_bytes: u64,
    /// The processor time per process, in seconds.
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
            temporary_bytes: 4096 * MIB,
            cpu_secs: 3600,
        }
    }
}
