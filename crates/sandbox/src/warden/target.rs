//! The process whose call waits: access to its memory, and its paths as it sees them.
#![allow(unsafe_code)]

use super::calls::At;
use super::listener::{Listener, Notification};
use super::walk::{self, Ids, Processes};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, Timespec, openat, openat2, readlinkat};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
use std::ffi::{OsStr, OsString};
use std::fs::read_to_string;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A thread whose call waits.
pub(crate) struct Target<'a> {
    listener: &'a Listener,
    notification: Notification,
    root: BorrowedFd<'a>,
    shared_memory: Option<&'a Path>,
}

/// A name in a folder. It may not exist.
pub(crate) struct Place {
    pub(crate) folder: OwnedFd,
    pub(crate) name: OsString,
    /// The real path.
    pub(crate) real: PathBuf,
    /// Whether the path ended with a slash, so that it can only be a folder.
    pub(crate) is_slashed: bool,
}

/// The maximum length of a path in a call, as in the kernel.
const PATH_MAX: usize = 4096;

/// The folder in which the C library keeps shared semaphores and memory.
const SHARED_MEMORY: &str = "/dev/shm";

/// Returns the root of a thread's file system.
pub(crate) fn root(thread: i32) -> Result<OwnedFd, Errno> {
    openat(CWD, format!("/proc/{thread}/root"), OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
}

impl<'a> Target<'a> {
    pub(crate) fn new(listener: &'a Listener, notification: Notification, root: BorrowedFd<'a>) -> Self {
        Self { listener, notification, root, shared_memory: None }
    }

    /// Replaces `/dev/shm` with a folder.
    pub(crate) fn sharing(mut self, folder: Option<&'a Path>) -> Self {
        self.shared_memory = folder;
        self
    }

    /// Reads the string of a path argument once.
    pub(crate) fn string(&self, argument: usize) -> Result<PathBuf, Errno> {
        self.string_at(self.notification.args[argument])
    }

    /// Reads the first string of an argument that is a list. `None` if the list is empty.
    pub(crate) fn first_of_list(&self, argument: usize) -> Result<Option<PathBuf>, Errno> {
        let mut first = [0; size_of::<u64>()];
        if self.read(self.notification.args[argument], &mut first)? != first.len() {
            return Err(Errno::FAULT);
        }
        match u64::from_ne_bytes(first) {
            0 => Ok(None),
            address => self.string_at(address).map(Some),
        }
    }

    fn string_at(&self, address: u64) -> Result<PathBuf, Errno> {
        const PAGE: usize = 4096;
        let mut bytes = Vec::new();
        while bytes.len() < PATH_MAX {
            let at = address.checked_add(bytes.len() as u64).ok_or(Errno::FAULT)?;
            // Read up to the end of the page, because the next one may not be mapped.
            let room = PAGE - (at as usize % PAGE);
            let mut chunk = vec![0; room.min(if bytes.is_empty() { 256 } else { PAGE })];
            let got = self.read(at, &mut chunk)?;
            if let Some(end) = chunk[..got].iter().position(|byte| *byte == 0) {
                bytes.extend_from_slice(&chunk[..end]);
                // The memory belongs to the right process only if the call still waits.
                self.check()?;
                return Ok(PathBuf::from(OsString::from_vec(bytes)));
            }
            bytes.extend_from_slice(&chunk[..got]);
        }
        Err(Errno::NAMETOOLONG)
    }

    /// Reads two times from its memory.
    pub(crate) fn times(&self, address: u64) -> Result<(Timespec, Timespec), Errno> {
        let mut bytes = [0; 32];
        if self.read(address, &mut bytes)? != bytes.len() {
            return Err(Errno::FAULT);
        }
        self.check()?;
        let number = |at: usize| {
            let mut number = [0; 8];
            number.copy_from_slice(&bytes[at..at + 8]);
            i64::from_ne_bytes(number)
        };
        let time = |at| Timespec { tv_sec: number(at), tv_nsec: number(at + 8) };
        Ok((time(0), time(16)))
    }

    /// Reads a socket address from its memory.
    pub(crate) fn socket_address(&self, address: u64, length: u64) -> Result<SocketAddr, Errno> {
        // The size of an IPv6 address, the longest one.
        const MOST: usize = 28;
        let mut bytes = [0; MOST];
        let length = usize::try_from(length).map_or(MOST, |length| length.min(MOST));
        if length < 2 || self.read(address, &mut bytes[..length])? != length {
            return Err(Errno::INVAL);
        }
        self.check()?;
        let port = u16::from_be_bytes([bytes[2], bytes[3]]);
        match i32::from(u16::from_ne_bytes([bytes[0], bytes[1]])) {
            libc::AF_INET if length >= 16 => {
                Ok((Ipv4Addr::new(bytes[4], bytes[5], bytes[6], bytes[7]), port).into())
            }
            libc::AF_INET6 if length >= 24 => {
                let ip: [u8; 16] = bytes[8..24].try_into().map_err(|_| Errno::INVAL)?;
                Ok((Ipv6Addr::from(ip), port).into())
            }
            libc::AF_INET | libc::AF_INET6 => Err(Errno::INVAL),
            _ => Err(Errno::AFNOSUPPORT),
        }
    }

    /// Reads the path of a socket address from its memory. `None` if the address is of another kind or is not a path in
    /// a folder.
    pub(crate) fn socket_path(&self, address: u64, length: u64) -> Result<Option<PathBuf>, Errno> {
        const MOST: usize = size_of::<libc::sockaddr_un>();
        const FAMILY: usize = size_of::<libc::sa_family_t>();
        let mut bytes = [0; MOST];
        let length = usize::try_from(length).map_or(MOST, |length| length.min(MOST));
        if length < FAMILY || self.read(address, &mut bytes[..length])? != length {
            return Err(Errno::INVAL);
        }
        self.check()?;
        let (family, name) = bytes[..length].split_at(FAMILY);
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let is_unix = i32::from(u16::from_ne_bytes([family[0], family[1]])) == libc::AF_UNIX;
        Ok((is_unix && !name.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(name))))
    }

    /// Returns a shared copy of one of its sockets.
    pub(crate) fn socket(&self, fd: i32) -> Result<OwnedFd, Errno> {
        let status = self.status()?;
        let process = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
        let process = process.and_then(|process| process.trim().parse().ok()).and_then(Pid::from_raw);
        let process = pidfd_open(process.ok_or(Errno::SRCH)?, PidfdFlags::empty())?;
        self.check()?;
        pidfd_getfd(process, fd, PidfdGetfdFlags::empty())
    }

    fn read(&self, address: u64, into: &mut [u8]) -> Result<usize, Errno> {
        let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
        let remote = libc::iovec { iov_base: address as *mut _, iov_len: into.len() };
        // SAFETY: the kernel writes at most the length of `into` to it. The other address is in another process.
        let got = unsafe {
            libc::process_vm_readv(self.notification.thread, &raw const local, 1, &raw const remote, 1, 0)
        };
        match usize::try_from(got) {
            Ok(0) => Err(Errno::FAULT),
            Ok(got) => Ok(got),
            Err(_) => Err(last_error()),
        }
    }

    /// Fails if the call no longer waits, in which case the thread id may have been reused during the lookup.
    fn check(&self) -> Result<(), Errno> {
        if self.listener.still_waits(self.notification.id) { Ok(()) } else { Err(Errno::SRCH) }
    }

    /// Finds what is at a path from the view of the process.
    pub(crate) fn find(&self, at: At, path: &Path, follow: bool) -> Result<OwnedFd, Errno> {
        let whole = self.absolute(at, path)?;
        self.look_up(&whole, follow)
    }

    /// Finds what is at an absolute path below the root of the process.
    fn look_up(&self, whole: &Path, follow: bool) -> Result<OwnedFd, Errno> {
        let mut flags = OFlags::PATH | OFlags::CLOEXEC;
        if !follow {
            flags |= OFlags::NOFOLLOW;
        }
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        let found = retried(|| openat2(self.root, whole, flags, Mode::empty(), resolve));
        // If `/dev/shm` is not replaced, the command also has a private `/proc`.
        let processes = if self.shared_memory.is_some() { Processes::Own } else { Processes::Shown };
        match found {
            // Links in `/proc` lead to different targets for the warden than for the process.
            Err(Errno::LOOP) => walk::walk(self.root, whole, follow, processes, || self.ids()),
            Err(Errno::NOENT) if may_be_its_own(whole) => {
                walk::walk(self.root, whole, follow, processes, || self.ids())
            }
            other => other,
        }
    }

    /// Returns a name in an existing folder. Fails for `.`, `..` and the root, which are not names.
    pub(crate) fn place(&self, at: At, path: &Path) -> Result<Place, Errno> {
        let whole = self.absolute(at, path)?;
        let bytes = whole.as_os_str().as_bytes();
        let end = bytes.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
        let (trimmed, is_slashed) = (&bytes[..end], end < bytes.len());
        let start = trimmed.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        let name = OsStr::from_bytes(&trimmed[start..]);
        if name.is_empty() || name == "." || name == ".." {
            return Err(Errno::BUSY);
        }
        let folder = self.look_up(Path::new(OsStr::from_bytes(&trimmed[..start])), true)?;
        let real = real_path(&folder)?.join(name);
        Ok(Place { folder, name: name.to_owned(), real, is_slashed })
    }

    /// Returns the absolute path below the process's root, without resolving it.
    pub(crate) fn absolute(&self, at: At, path: &Path) -> Result<PathBuf, Errno> {
        if path.as_os_str().is_empty() {
            return Err(Errno::NOENT);
        }
        if path.is_absolute() {
            let shared = self.shared_memory.zip(path.strip_prefix(SHARED_MEMORY).ok());
            return Ok(shared.map_or_else(|| path.to_owned(), |(folder, rest)| folder.join(rest)));
        }
        let base = match at.folder {
            libc::AT_FDCWD => self.proc("cwd"),
            fd => self.proc(&format!("fd/{fd}")),
        };
        let base = readlinkat(CWD, &base, Vec::new()).map_err(|error| match (error, at.folder) {
            (Errno::NOENT, fd) if fd != libc::AT_FDCWD => Errno::BADF,
            _ => error,
        })?;
        self.check()?;
        let base = PathBuf::from(OsString::from_vec(base.into_bytes()));
        if !base.is_absolute() {
            return Err(Errno::NOTDIR);
        }
        Ok(base.join(path))
    }

    /// Returns a handle of the file behind one of its descriptors.
    pub(crate) fn descriptor(&self, fd: i32) -> Result<OwnedFd, Errno> {
        let path = self.proc(&format!("fd/{fd}"));
        let found = openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
        let found = found.map_err(|error| if error == Errno::NOENT { Errno::BADF } else { error })?;
        self.check()?;
        Ok(found)
    }

    /// Returns the thread id in this process's namespace.
    pub(crate) fn thread(&self) -> i32 {
        self.notification.thread
    }

    /// Returns a handle of the program that it runs.
    pub(crate) fn program(&self) -> Result<OwnedFd, Errno> {
        let found = openat(CWD, self.proc("exe"), OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        self.check()?;
        Ok(found)
    }

    /// Returns its umask.
    pub(crate) fn umask(&self) -> Result<u32, Errno> {
        let status = self.status()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("Umask:")).ok_or(Errno::PERM)?;
        u32::from_str_radix(mask.trim(), 8).map_err(|_| Errno::PERM)
    }

    /// Returns its ids in its own namespace.
    fn ids(&self) -> Result<Ids, Errno> {
        let status = self.status()?;
        let inner = |name: &str| {
            let numbers = status.lines().find_map(|line| line.strip_prefix(name))?;
            numbers.split_whitespace().last().map(OsString::from)
        };
        let process = inner("NStgid:").ok_or(Errno::NOENT)?;
        Ok(Ids { process, thread: inner("NSpid:").ok_or(Errno::NOENT)? })
    }

    fn status(&self) -> Result<String, Errno> {
        let status = read_to_string(self.proc("status")).map_err(|_| Errno::SRCH)?;
        self.check()?;
        Ok(status)
    }

    fn proc(&self, of: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{of}", self.notification.thread))
    }
}

/// Returns whether a path may pass through something that `/proc` shows differently to each process. Links elsewhere
/// that do so are not supported: their targets appear not to exist.
fn may_be_its_own(path: &Path) -> bool {
    ["/proc", "/dev", "/etc/mtab"].iter().any(|start| path.starts_with(start))
}

/// Returns the real path of a descriptor.
pub(crate) fn real_path(fd: &OwnedFd) -> Result<PathBuf, Errno> {
    let link = readlinkat(CWD, format!("/proc/self/fd/{}", fd.as_raw_fd()), Vec::new())?;
    Ok(PathBuf::from(OsString::from_vec(link.into_bytes())))
}

/// Retries a lookup that was disturbed by a concurrent rename.
fn retried<T>(mut attempt: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    const MOST: usize = 32;
    for _ in 0..MOST {
        match attempt() {
            Err(Errno::AGAIN | Errno::INTR) => {}
            other => return other,
        }
    }
    Err(Errno::ACCESS)
}

fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::FAULT)
}
