//! Component-wise lookup for paths through links of `/proc` that differ between processes.

use rustix::fs::{FileType, Mode, OFlags, PROC_SUPER_MAGIC, fstat, fstatfs, openat, readlinkat};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// The ids of a thread in its own namespace.
pub(crate) struct Ids {
    pub(crate) process: OsString,
    pub(crate) thread: OsString,
}

/// The processes in `/proc` whose descriptors and folders a lookup may pass through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Processes {
    /// Every visible process. All of them belong to the command.
    Shown,
    /// Only the process itself. Other processes are visible, too, and the kernel would let the warden access them.
    Own,
}

/// The maximum number of links to follow, as in the kernel.
const MOST_LINKS: usize = 40;

/// Finds what is at an absolute path below a root. `self` and `thread-self` refer to the thread.
pub(crate) fn walk(
    root: BorrowedFd<'_>,
    path: &Path,
    follow: bool,
    processes: Processes,
    ids: impl Fn() -> Result<Ids, Errno>,
) -> Result<OwnedFd, Errno> {
    let mut current = root.try_clone_to_owned().map_err(|_| Errno::MFILE)?;
    let mut parts = split(path.as_os_str());
    let mut links = 0;
    while let Some(part) = parts.pop_front() {
        if part == "." {
            continue;
        }
        if part == ".." && is_same(root, current.as_fd())? {
            continue;
        }
        let next = open(current.as_fd(), &part, OFlags::NOFOLLOW);
        let is_own = is_proc_root(current.as_fd())?;
        if is_own && (part == "self" || part == "thread-self") {
            let ids = ids()?;
            let thread = [ids.process.clone(), "task".into(), ids.thread];
            let own = if part == "self" { vec![ids.process] } else { thread.into() };
            push(&mut parts, own);
            continue;
        }
        let next = next?;
        if is_own && processes == Processes::Own && part.as_bytes().iter().all(u8::is_ascii_digit) {
            let ids = ids()?;
            if part != ids.process && part != ids.thread {
                return Err(Errno::ACCESS);
            }
        }
        let is_link = FileType::from_raw_mode(fstat(&next)?.st_mode) == FileType::Symlink;
        if !is_link || (parts.is_empty() && !follow) {
            current = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(Errno::LOOP);
        }
        if is_in_proc(current.as_fd())? && !is_own {
            // The link leads to the file itself, not to a name.
            current = open(current.as_fd(), &part, OFlags::empty())?;
            continue;
        }
        let text = OsString::from_vec(readlinkat(&next, "", Vec::new())?.into_bytes());
        if text.as_bytes().starts_with(b"/") {
            current = root.try_clone_to_owned().map_err(|_| Errno::MFILE)?;
        }
        push(&mut parts, split(&text));
    }
    Ok(current)
}

fn split(path: &OsStr) -> VecDeque<OsString> {
    let parts = path.as_bytes().split(|byte| *byte == b'/').filter(|part| !part.is_empty());
    parts.map(|part| OsStr::from_bytes(part).to_owned()).collect()
}

fn push(
    parts: &mut VecDeque<OsString>,
    first: impl IntoIterator<Item = OsString, IntoIter: DoubleEndedIterator>,
) {
    for part in first.into_iter().rev() {
        parts.push_front(part);
    }
}

fn open(folder: BorrowedFd<'_>, name: &OsStr, more: OFlags) -> Result<OwnedFd, Errno> {
    openat(folder, name, OFlags::PATH | OFlags::CLOEXEC | more, Mode::empty())
}

fn is_same(one: BorrowedFd<'_>, other: BorrowedFd<'_>) -> Result<bool, Errno> {
    let [one, other] = [fstat(one)?, fstat(other)?];
    Ok((one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
}

fn is_in_proc(folder: BorrowedFd<'_>) -> Result<bool, Errno> {
    Ok(fstatfs(folder)?.f_type == PROC_SUPER_MAGIC)
}

/// Returns whether the folder is the root of `/proc`, which has inode number 1 in every instance.
fn is_proc_root(folder: BorrowedFd<'_>) -> Result<bool, Errno> {
    const ROOT: u64 = 1;
    Ok(is_in_proc(folder)? && fstat(folder)?.st_ino == ROOT)
}
