//! Everything that a child needs, prepared before it exists. After `clone`, nothing may allocate or lock.

use crate::cgroup::Group;
use crate::warden::Summons;
use crate::{Input, Network, SandboxError};
use seccompiler::sock_filter;
use std::ffi::{CString, OsStr, OsString, c_char, c_int};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;

/// A program with its arguments, working directory, descriptors, limits and confinement.
pub(crate) struct Launch {
    pub(crate) program: CString,
    /// Whether the program is bubblewrap, which starts the command in a separate process tree.
    pub(crate) is_wrapped: bool,
    pub(crate) argv: Strings,
    pub(crate) envp: Strings,
    pub(crate) cwd: CString,
    /// Standard input, output and error, with descriptor numbers above 2.
    pub(crate) stdio: [OwnedFd; 3],
    /// Descriptors that the program receives under the same number. Above 2, in ascending order.
    pub(crate) passed: Vec<OwnedFd>,
    pub(crate) limits: Vec<(c_int, libc::rlimit)>,
    /// The control group that limits the number of root's processes.
    pub(crate) group: Option<Group>,
    /// A network to join before anything else.
    pub(crate) network: Option<Network>,
    pub(crate) walls: ChildWalls,
}

/// The restrictions that the child applies to itself, in this order.
#[derive(Default)]
pub(crate) struct ChildWalls {
    /// Whether to drop root's capabilities, except for bypassing file modes.
    pub(crate) drop_capabilities: bool,
    /// Landlock rule sets. Each adds further restrictions.
    pub(crate) rulesets: Vec<Arc<OwnedFd>>,
    /// The filter that notifies the warden of calls.
    pub(crate) summons: Option<Summons>,
    /// A seccomp program.
    pub(crate) filter: Option<Arc<[sock_filter]>>,
}

/// Null-terminated strings with the null-terminated list of pointers that `execve` expects.
pub(crate) struct Strings {
    /// The strings that the pointers refer to.
    _owned: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl Strings {
    pub(crate) fn new(strings: Vec<CString>) -> Self {
        let pointers = strings.iter().map(|s| s.as_ptr()).chain([ptr::null()]).collect();
        Self { _owned: strings, pointers }
    }

    pub(crate) fn as_ptr(&self) -> *const *const c_char {
        self.pointers.as_ptr()
    }
}

pub(crate) fn c_string(value: &OsStr) -> Result<CString, SandboxError> {
    CString::new(value.as_bytes()).map_err(|_| SandboxError::ZeroByte { value: value.into() })
}

pub(crate) fn arguments(values: &[OsString]) -> Result<Strings, SandboxError> {
    values.iter().map(|value| c_string(value)).collect::<Result<_, _>>().map(Strings::new)
}

/// Formats variables as `NAME=value`. The last value of each name wins.
pub(crate) fn environment(values: &[(OsString, OsString)]) -> Result<Strings, SandboxError> {
    let strongest = values
        .iter()
        .enumerate()
        .filter(|(index, (name, _))| !values[index + 1..].iter().any(|(n, _)| n == name));
    let lines =
        strongest.map(|(_, (name, value))| c_string(&[name.as_os_str(), value].join(OsStr::new("="))));
    lines.collect::<Result<_, _>>().map(Strings::new)
}

/// Moves an open file to a descriptor number above standard error. It is closed on `exec`.
pub(crate) fn above_stdio(fd: OwnedFd) -> io::Result<OwnedFd> {
    const FIRST: RawFd = 3;
    if fd.as_raw_fd() >= FIRST {
        return Ok(fd);
    }
    duplicate_above_stdio(fd.as_fd())
}

fn duplicate_above_stdio(fd: impl AsFd) -> io::Result<OwnedFd> {
    Ok(rustix::io::fcntl_dupfd_cloexec(fd, 3)?)
}

/// Creates a pipe whose descriptors are above 2. Returns the read end and the write end.
pub(crate) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = io::pipe()?;
    Ok((above_stdio(read.into())?, above_stdio(write.into())?))
}

/// Returns the descriptor for standard input. Bytes are provided in a sealed memory file, so that no task has to feed a
/// pipe.
pub(crate) fn standard_input(input: &Input) -> io::Result<OwnedFd> {
    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
    use std::io::{Seek, Write};
    let bytes = match input {
        Input::Nothing => return above_stdio(std::fs::File::open("/dev/null")?.into()),
        Input::Socket(socket) => return duplicate_above_stdio(socket.as_fd()),
        Input::Bytes(bytes) => bytes,
    };
    let memory = memfd_create("stdin", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut file = std::fs::File::from(memory);
    file.write_all(bytes)?;
    file.rewind()?;
    fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
    above_stdio(file.into())
}

/// The steps of a child before its program runs. Any of them may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Clone,
    Descriptors,
    Network,
    WorkingDirectory,
    Limits,
    NoNewPrivileges,
    Capabilities,
    Landlock,
    Summons,
    Seccomp,
    Execute,
}

impl Step {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Clone => "clone",
            Self::Descriptors => "arranging file descriptors",
            Self::Network => "joining the network of the task",
            Self::WorkingDirectory => "changing the working directory",
            Self::Limits => "setting resource limits",
            Self::NoNewPrivileges => "giving up new privileges",
            Self::Capabilities => "giving up capabilities",
            Self::Landlock => "restricting files by Landlock",
            Self::Summons => "giving the supervisor its listener",
            Self::Seccomp => "restricting system calls by seccomp",
            Self::Execute => "executing the program",
        }
    }
}

/// The final report of the keeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    Exited(i32),
    Signalled(i32),
    Failed(Step, i32),
}

/// Converts a path to a C string.
pub(crate) fn c_path(path: &std::path::Path) -> Result<CString, SandboxError> {
    c_string(path.as_os_str())
}

/// Converts a program name back to a path, for messages.
pub(crate) fn path_of(program: &CString) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(program.as_bytes()))
}
