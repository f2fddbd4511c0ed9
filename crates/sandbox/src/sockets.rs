//! Finds Unix sockets of other processes that a command would see. Socket files are reachable from every namespace.
//!
//! The kernel lists all bound sockets. A socket that is at the path of its name is covered there. If a socket was
//! moved, or has a second or relative name, the visible folders are searched for it. Many programs leave sockets behind
//! whose files are deleted, so this search must be feasible even with all toolchains that a home folder may contain. If
//! the search cannot be completed, no command gets Unix sockets. Sockets on which processes begin to listen while a
//! command runs are not detected.
#![allow(unsafe_code)]

use crate::view::View;
use rustix::fs::statfs;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of entries to search for sockets with unknown paths. About three toolchains contain a quarter of
/// a million entries, which takes 0.3 s.
const MOST_ENTRIES: usize = 1_000_000;
/// How long to skip a folder that no command changes for a socket that was not found in it.
const NOT_AGAIN: Duration = Duration::from_secs(60);

/// Returns the files of other processes' sockets that a view shows. `None` if not all can be found.
pub(crate) fn in_sight(view: &View) -> Option<Vec<PathBuf>> {
    static ABSENT: Mutex<Vec<Absent>> = Mutex::new(Vec::new());
    let bound = bound().ok()?;
    let mut absent = ABSENT.lock().unwrap_or_else(PoisonError::into_inner);
    find(view, &bound, &mut { MOST_ENTRIES }, &mut absent)
}

/// A socket whose file is not in a folder.
struct Absent {
    socket: Bound,
    folder: PathBuf,
    since: Instant,
}

fn find(
    view: &View,
    bound: &BTreeSet<Bound>,
    left: &mut usize,
    absent: &mut Vec<Absent>,
) -> Option<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut lost = Vec::new();
    for socket in bound {
        match socket.place() {
            Some(place) if view.shows(&place) => found.push(place),
            Some(_) => {}
            None => lost.push(socket),
        }
    }
    for folder in &view.writable {
        let here: Vec<&Bound> = lost.iter().copied().filter(|socket| socket.may_lie_in(folder)).collect();
        if !here.is_empty() {
            search(folder, &here, left, &mut found)?;
        }
    }
    absent.retain(|it| it.since.elapsed() < NOT_AGAIN);
    let is_below_another =
        |folder: &PathBuf| view.readable.iter().any(|other| other != folder && folder.starts_with(other));
    for folder in view.readable.iter().filter(|folder| !is_below_another(folder)) {
        let is_absent =
            |socket: &Bound| absent.iter().any(|it| it.socket == *socket && folder.starts_with(&it.folder));
        let may_be_here = |socket: &&Bound| socket.may_lie_in(folder) && !is_absent(socket);
        let here: Vec<&Bound> = lost.iter().copied().filter(may_be_here).collect();
        if here.is_empty() {
            continue;
        }
        let before = found.len();
        search(folder, &here, left, &mut found)?;
        if found.len() == before {
            let since = Instant::now();
            let not_found = here.into_iter().cloned();
            absent.extend(not_found.map(|socket| Absent { socket, folder: folder.clone(), since }));
        }
    }
    found.sort();
    found.dedup();
    Some(found)
}

/// Adds the files of sockets below a folder. `None` if there are too many entries.
fn search(folder: &Path, wanted: &[&Bound], left: &mut usize, found: &mut Vec<PathBuf>) -> Option<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            *left = left.checked_sub(1)?;
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_socket()
                && entry.metadata().is_ok_and(|meta| wanted.iter().any(|socket| socket.is(meta.ino())))
            {
                found.push(entry.path());
            }
        }
    }
    Some(())
}

/// A socket that is bound to a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bound {
    /// The path when it was bound.
    name: PathBuf,
    /// The lower half of the file's inode number.
    inode: u32,
    device: u32,
}

impl Bound {
    fn is(&self, inode: u64) -> bool {
        inode as u32 == self.inode
    }

    /// Returns the path of the socket, if its file is at the path of its name and has no other links.
    fn place(&self) -> Option<PathBuf> {
        if !self.name.is_absolute() {
            return None;
        }
        let real = self.name.canonicalize().ok()?;
        let meta = real.symlink_metadata().ok()?;
        (meta.file_type().is_socket() && meta.nlink() == 1 && self.is(meta.ino())).then_some(real)
    }

    fn may_lie_in(&self, folder: &Path) -> bool {
        /// Each btrfs subvolume has a different device number.
        const BTRFS: i64 = 0x9123_683e;
        let Ok(meta) = folder.metadata() else { return false };
        let device = (libc::major(meta.dev()) << 20) | libc::minor(meta.dev());
        device == self.device || statfs(folder).map_or(true, |system| system.f_type == BTRFS)
    }
}

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const DONE: u16 = libc::NLMSG_DONE as u16;
const ERROR: u16 = libc::NLMSG_ERROR as u16;
const SHOW_NAME_AND_FILE: u32 = 0b11;
const NAME: u16 = 0;
const FILE: u16 = 1;
const HEADER_BYTES: usize = size_of::<libc::nlmsghdr>();
const SOCKET_BYTES: usize = 16;

#[repr(C)]
struct Question {
    header: libc::nlmsghdr,
    family: u8,
    protocol: u8,
    padding: u16,
    states: u32,
    inode: u32,
    show: u32,
    cookie: [u32; 2],
}

/// Returns the sockets of this machine's own network that are bound to files.
fn bound() -> io::Result<BTreeSet<Bound>> {
    let question = Question {
        header: libc::nlmsghdr {
            nlmsg_len: size_of::<Question>() as u32,
            nlmsg_type: SOCK_DIAG_BY_FAMILY,
            nlmsg_flags: (libc::NLM_F_REQUEST | libc::NLM_F_DUMP) as u16,
            nlmsg_seq: 1,
            nlmsg_pid: 0,
        },
        family: libc::AF_UNIX as u8,
        protocol: 0,
        padding: 0,
        states: u32::MAX,
        inode: 0,
        show: SHOW_NAME_AND_FILE,
        cookie: [u32::MAX; 2],
    };
    // SAFETY: a plain system call; the descriptor is owned from here on.
    let socket = unsafe {
        let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC;
        match libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_SOCK_DIAG) {
            number if number >= 0 => OwnedFd::from_raw_fd(number),
            _ => return Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: the kernel reads as many bytes as `Question` has.
    let sent =
        unsafe { libc::send(socket.as_raw_fd(), (&raw const question).cast(), size_of::<Question>(), 0) };
    if sent < 0 {
        return Err(io::Error::last_os_error());
    }
    let mut found = BTreeSet::new();
    let mut buffer = vec![0_u8; 64 * 1024];
    loop {
        // SAFETY: the kernel writes at most the length of the buffer.
        let got = unsafe { libc::recv(socket.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len(), 0) };
        let got = usize::try_from(got).map_err(|_| io::Error::last_os_error())?;
        if take(&buffer[..got], &mut found)? {
            return Ok(found);
        }
    }
}

/// Parses one response of the kernel. Returns whether it was the last.
fn take(mut bytes: &[u8], found: &mut BTreeSet<Bound>) -> io::Result<bool> {
    while let (Some(length), Some(kind)) = (number(bytes, 0), short(bytes, 4)) {
        let length = length as usize;
        let message = bytes.get(HEADER_BYTES..length).ok_or(io::ErrorKind::InvalidData)?;
        match kind {
            DONE => return Ok(true),
            ERROR => return Err(io::Error::other("the kernel does not list Unix sockets")),
            _ => found.extend(socket(message.get(SOCKET_BYTES..).unwrap_or_default())),
        }
        bytes = bytes.get(aligned(length)..).unwrap_or_default();
    }
    Ok(false)
}

/// Parses a socket from its attributes. `None` if it is not bound to a file.
fn socket(mut attributes: &[u8]) -> Option<Bound> {
    let (mut name, mut file) = (None, None);
    while let (Some(length), Some(kind)) = (short(attributes, 0), short(attributes, 2)) {
        let value = attributes.get(4..usize::from(length))?;
        match kind {
            NAME => name = Some(value),
            FILE => file = Some((number(value, 0)?, number(value, 4)?)),
            _ => {}
        }
        attributes = attributes.get(aligned(usize::from(length))..).unwrap_or_default();
    }
    let (inode, device) = file?;
    let name = name.unwrap_or_default();
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    Some(Bound { name: PathBuf::from(OsStr::from_bytes(name)), inode, device })
}

fn aligned(length: usize) -> usize {
    length.next_multiple_of(4)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    fn view_of(folder: &Path) -> View {
        View { writable: vec![folder.to_owned()], ..View::default() }
    }

    #[test]
    fn sockets_of_others_are_found_by_their_names_and_after_they_were_moved() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap();
        std::fs::create_dir(folder.join("deep")).unwrap();
        let _named = UnixListener::bind(folder.join("named")).unwrap();
        let _moved = UnixListener::bind(folder.join("before")).unwrap();
        std::fs::rename(folder.join("before"), folder.join("deep/after")).unwrap();
        drop(UnixListener::bind(folder.join("left behind")).unwrap());
        let found = in_sight(&view_of(&folder)).unwrap();
        assert_eq!(found, [folder.join("deep/after"), folder.join("named")]);
        assert_eq!(in_sight(&view_of(&folder.join("deep"))).unwrap(), [folder.join("deep/after")]);
    }

    /// Regression test: sockets with deleted files used to prevent commands with large toolchains from using Unix
    /// sockets.
    #[test]
    fn what_is_nowhere_is_looked_for_to_the_end_and_not_again_where_nothing_changes() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap();
        let gone = UnixListener::bind(folder.join("gone")).unwrap();
        std::fs::remove_file(folder.join("gone")).unwrap();
        for name in ["a", "b", "deep"] {
            std::fs::create_dir(folder.join(name)).unwrap();
        }
        let name = folder.join("gone");
        let all = bound().unwrap();
        let lost: BTreeSet<Bound> = all.into_iter().filter(|socket| socket.name == name).collect();
        assert_eq!(lost.len(), 1);
        let view = View { readable: vec![folder.clone(), folder.join("deep")], ..View::default() };
        let (mut left, mut absent) = (3, Vec::new());
        assert_eq!(find(&view, &lost, &mut left, &mut absent), Some(vec![]), "each entry is looked at once");
        assert_eq!(left, 0);
        assert_eq!(find(&view, &lost, &mut left, &mut absent), Some(vec![]), "it is remembered");
        let mut none = Vec::new();
        assert_eq!(find(&view, &lost, &mut left, &mut none), None);
        let writable = view_of(&folder);
        assert_eq!(find(&writable, &lost, &mut left, &mut absent), None, "it may come there");
        drop(gone);
    }

    #[test]
    fn where_there_is_too_much_to_look_at_nothing_is_said() {
        let place = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            std::fs::write(place.path().join(name), "").unwrap();
        }
        let socket = Bound { name: PathBuf::from("relative"), inode: 1, device: 0 };
        let mut left = 1;
        assert_eq!(search(place.path(), &[&socket], &mut left, &mut Vec::new()), None);
    }
}
