//! A private network of a task: only a loopback, which several commands can join one after another.
//!
//! A command with confinement `workspace` has a private loopback that ends with the command. Commands that a task runs
//! in the background are used by later commands, so these share a network. No process is needed to hold the network:
//! Deputy keeps the descriptors, and the kernel removes the network after the last descriptor and the last command in
//! it are gone.
#![allow(unsafe_code)]

use crate::launch::above_stdio;
use std::collections::BTreeSet;
use std::ffi::{CStr, c_int, c_void};
use std::fs::File;
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;

/// An isolated network. It is cheap to clone, and is removed after the last clone and the last command in it
/// are gone.
#[derive(Clone, Debug)]
pub struct Network {
    namespaces: Arc<Namespaces>,
}

#[derive(Debug)]
struct Namespaces {
    /// The user namespace that owns the network, if the user can only create one as root of a namespace.
    user: Option<OwnedFd>,
    network: OwnedFd,
}

impl Network {
    /// Creates a network with its loopback up.
    ///
    /// # Errors
    ///
    /// Returns the I/O error if the kernel does not allow this user to create a network.
    pub fn new() -> io::Result<Self> {
        // Root's commands keep root's view of file ownership, which a user namespace would restrict.
        match rustix::process::geteuid().is_root() {
            true => make(false).or_else(|_| make(true)),
            false => make(true),
        }
    }

    /// Listens on the network's own loopback, at a port that the kernel chooses. The listener belongs to Deputy and is
    /// its way into the network.
    ///
    /// # Errors
    ///
    /// Returns the I/O error if the network cannot be joined or has no free port.
    pub fn listen(&self) -> io::Result<TcpListener> {
        Ok(TcpListener::from(self.open(Opens::Listener)?))
    }

    /// Returns a socket that can connect to the network's own loopback, and to nothing else.
    ///
    /// # Errors
    ///
    /// Returns the I/O error if the network cannot be joined.
    pub fn socket(&self, is_v6: bool) -> io::Result<TcpStream> {
        let family = if is_v6 { libc::AF_INET6 } else { libc::AF_INET };
        Ok(TcpStream::from(self.open(Opens::Socket(family))?))
    }

    /// Returns the TCP ports on which a process in the network listens.
    ///
    /// # Errors
    ///
    /// Returns the I/O error if the network cannot be joined or the kernel does not list its sockets.
    pub fn listening(&self) -> io::Result<BTreeSet<u16>> {
        let mut ports = BTreeSet::new();
        for table in [c"/proc/self/net/tcp", c"/proc/self/net/tcp6"] {
            let mut text = String::new();
            match self.open(Opens::Table(table)) {
                Ok(table) => File::from(table).read_to_string(&mut text)?,
                // A kernel without IPv6.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            ports.extend(text.lines().filter_map(listening_port));
        }
        Ok(ports)
    }

    /// Opens something in a process that has joined the network.
    fn open(&self, what: Opens) -> io::Result<OwnedFd> {
        let mut work = Opening { network: self, what, opened: -1, failure: 0 };
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_FILES;
        // SAFETY: `work` outlives the process, which ends before the call returns.
        unsafe { aside(open, flags, (&raw mut work).cast()) }?;
        if work.failure != 0 {
            return Err(io::Error::from_raw_os_error(work.failure));
        }
        // SAFETY: the descriptor was opened for this process, and nothing else owns it.
        above_stdio(unsafe { OwnedFd::from_raw_fd(work.opened) })
    }

    /// Returns the descriptors that a process needs to join.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = RawFd> {
        let Namespaces { user, network } = &*self.namespaces;
        [user.as_ref().map(AsRawFd::as_raw_fd), Some(network.as_raw_fd())].into_iter().flatten()
    }

    /// Moves the calling process into the network. Makes only system calls, because it is called between `clone` and
    /// `execve`.
    ///
    /// # Safety
    ///
    /// The calling process must have a single thread and no memory that others assume to belong to their own process.
    pub(crate) unsafe fn join(&self) -> c_int {
        // SAFETY: plain system calls on descriptors that live in `self`.
        unsafe {
            if let Some(user) = &self.namespaces.user
                && libc::setns(user.as_raw_fd(), libc::CLONE_NEWUSER) < 0
            {
                return -1;
            }
            libc::setns(self.namespaces.network.as_raw_fd(), libc::CLONE_NEWNET)
        }
    }
}

/// The data of the process that creates the network, prepared before it starts.
struct Work {
    has_user: bool,
    /// The id mapping, e.g. `1000 1000 1`: the user keeps its id.
    users: Vec<u8>,
    groups: Vec<u8>,
    user: RawFd,
    network: RawFd,
    failure: c_int,
}

/// What a process in the network opens.
enum Opens {
    /// A socket that listens on the loopback, at a port that the kernel chooses.
    Listener,
    /// A socket of this address family.
    Socket(c_int),
    /// A table of sockets.
    Table(&'static CStr),
}

/// The data of the process in the network that opens something.
struct Opening<'a> {
    network: &'a Network,
    what: Opens,
    opened: RawFd,
    failure: c_int,
}

/// The main function of the process that opens something.
extern "C" fn open(work: *mut c_void) -> c_int {
    // SAFETY: the starting thread lends its `Opening`, and is suspended meanwhile.
    let work = unsafe { &mut *work.cast::<Opening<'_>>() };
    // SAFETY: system calls on a zeroed address of the length given, and on a constant path.
    let opened = unsafe {
        (|| {
            check(work.network.join())?;
            let family = match work.what {
                Opens::Table(path) => {
                    return check(libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC));
                }
                Opens::Socket(family) => {
                    return check(libc::socket(family, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0));
                }
                Opens::Listener => libc::AF_INET,
            };
            let socket = check(libc::socket(family, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0))?;
            let mut address: libc::sockaddr_in = std::mem::zeroed();
            address.sin_family = family as libc::sa_family_t;
            address.sin_addr.s_addr = u32::to_be(0x7f00_0001);
            let length = size_of::<libc::sockaddr_in>() as libc::socklen_t;
            check(libc::bind(socket, (&raw const address).cast(), length))?;
            check(libc::listen(socket, MOST_WAITING))?;
            Ok::<_, ()>(socket)
        })()
    };
    match opened {
        Ok(opened) => work.opened = opened,
        // SAFETY: the C library provides the location.
        Err(()) => work.failure = unsafe { *libc::__errno_location() },
    }
    0
}

/// Returns the port of a line of the kernel's table of TCP sockets, if the socket listens. The line has a number, the
/// local and the remote address as `ADDRESS:PORT` in hexadecimal, and the state.
fn listening_port(line: &str) -> Option<u16> {
    const LISTENS: &str = "0A";
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (_, port) = fields.next()?.rsplit_once(':')?;
    let state = fields.nth(1)?;
    (state == LISTENS).then(|| u16::from_str_radix(port, 16).ok()).flatten()
}

/// The maximum number of connections waiting to be accepted.
const MOST_WAITING: c_int = 128;

const STACK_BYTES: usize = 32 * 1024;

fn make(has_user: bool) -> io::Result<Network> {
    let same = |id: u32| format!("{id} {id} 1").into_bytes();
    let mut work = Work {
        has_user,
        users: same(rustix::process::geteuid().as_raw()),
        groups: same(rustix::process::getegid().as_raw()),
        user: -1,
        network: -1,
        failure: 0,
    };
    let namespaces = libc::CLONE_NEWNET | if has_user { libc::CLONE_NEWUSER } else { 0 };
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_FILES | namespaces;
    // SAFETY: `work` outlives the process, which ends before the call returns.
    unsafe { aside(enter, flags, (&raw mut work).cast()) }?;
    // SAFETY: the descriptors were opened for this process, and nothing else owns them.
    let owned = |fd: RawFd| (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) });
    let (user, network) = (owned(work.user), owned(work.network));
    match network {
        Some(network) if work.failure == 0 => Ok(Network {
            namespaces: Arc::new(Namespaces {
                user: user.map(above_stdio).transpose()?,
                network: above_stdio(network)?,
            }),
        }),
        _ => Err(io::Error::from_raw_os_error(work.failure)),
    }
}

/// Runs a function in a separate process until it ends. The process shares the descriptor table, so that what it opens
/// stays open here. Signals are blocked, so that no handler of this process runs in it.
///
/// # Safety
///
/// `flags` must contain `CLONE_VM` and `CLONE_VFORK`. `work` must be what `what` expects, and `what` must only make
/// system calls.
unsafe fn aside(
    what: extern "C" fn(*mut c_void) -> c_int,
    flags: c_int,
    work: *mut c_void,
) -> io::Result<()> {
    let mut stack = vec![MaybeUninit::<u8>::uninit(); STACK_BYTES];
    let end = stack.as_mut_ptr_range().end;
    let top = end.wrapping_sub(end.addr() & 15).cast::<c_void>();
    // SAFETY: the process gets a stack that this frame owns. This thread is suspended until it is gone (`CLONE_VFORK`).
    unsafe {
        let mut all = std::mem::zeroed();
        let mut before = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let pid = libc::clone(what, top, flags, work);
        let failure = *libc::__errno_location();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        if pid < 0 {
            return Err(io::Error::from_raw_os_error(failure));
        }
        let mut status = 0;
        libc::waitpid(pid, &raw mut status, libc::__WALL);
    }
    Ok(())
}

/// The main function of the process that creates the network, in the namespaces that `clone` created.
extern "C" fn enter(work: *mut c_void) -> c_int {
    // SAFETY: the starting thread lends its `Work`, and is suspended meanwhile.
    let work = unsafe { &mut *work.cast::<Work>() };
    // SAFETY: constant paths, and buffers that live in `work`.
    let done = unsafe { fill(work) };
    if done.is_err() {
        // SAFETY: the C library provides the location.
        work.failure = unsafe { *libc::__errno_location() };
    }
    0
}

unsafe fn fill(work: &mut Work) -> Result<(), ()> {
    // SAFETY: as the caller promises.
    unsafe {
        if work.has_user {
            write(c"/proc/self/setgroups".as_ptr(), b"deny")?;
            write(c"/proc/self/uid_map".as_ptr(), &work.users)?;
            write(c"/proc/self/gid_map".as_ptr(), &work.groups)?;
            work.user = check(libc::open(c"/proc/self/ns/user".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC))?;
        }
        loopback_up()?;
        work.network = check(libc::open(c"/proc/self/ns/net".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC))?;
    }
    Ok(())
}

unsafe fn write(path: *const libc::c_char, text: &[u8]) -> Result<(), ()> {
    // SAFETY: as the caller promises.
    unsafe {
        let fd = check(libc::open(path, libc::O_WRONLY | libc::O_CLOEXEC))?;
        let written = libc::write(fd, text.as_ptr().cast(), text.len());
        let failure = *libc::__errno_location();
        libc::close(fd);
        *libc::__errno_location() = failure;
        if written == text.len() as isize { Ok(()) } else { Err(()) }
    }
}

unsafe fn loopback_up() -> Result<(), ()> {
    // SAFETY: the structure is zeroed, its name ends with a zero, and only the kernel reads and writes it.
    unsafe {
        let socket = check(libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0))?;
        let mut request: libc::ifreq = std::mem::zeroed();
        for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
            *to = *from as libc::c_char;
        }
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        let set = libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &raw const request);
        let failure = *libc::__errno_location();
        libc::close(socket);
        *libc::__errno_location() = failure;
        check(set).map(drop)
    }
}

fn check(result: c_int) -> Result<c_int, ()> {
    if result < 0 { Err(()) } else { Ok(result) }
}
