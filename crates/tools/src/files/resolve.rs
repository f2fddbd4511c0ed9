//! From a path to a handle, below a folder: by `openat2` where the kernel has it, else, and where links need a
//! closer look, component by component.

use super::FOLDER_HANDLE;
use super::error::ResolveError;
use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, openat, openat2, readlinkat};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

/// As many links as the kernel itself follows.
const MOST_LINKS: usize = 40;
const HANDLE: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// What happens with links on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// They are followed as long as they stay below the folder.
    Below,
    /// Any link is an error.
    Refused,
}

/// A handle of `path` below the folder `base`, which stands at `base_path`.
pub(super) fn resolve(
    base: BorrowedFd<'_>,
    base_path: &Path,
    path: &Path,
    links: Links,
) -> Result<OwnedFd, ResolveError> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let (flags, rules) = match links {
        Links::Below => (HANDLE.difference(OFlags::NOFOLLOW), ResolveFlags::empty()),
        Links::Refused => (HANDLE, ResolveFlags::NO_SYMLINKS),
    };
    let rules = rules | ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match openat2(base, path, flags, Mode::empty(), rules) {
        // A link as the last component is no error for the kernel: the handle is the link's own.
        Ok(handle) if is_link(&handle)? => Err(ResolveError::Link),
        Ok(handle) => Ok(handle),
        Err(errno @ (Errno::NOENT | Errno::ACCESS | Errno::NOTDIR | Errno::NAMETOOLONG)) => {
            Err(ResolveError::System(errno))
        }
        // No openat2 here, a rename got in the way, or a link that the kernel refuses: it may be absolute and
        // still lead below, which only the walk can tell.
        Err(_) => walk(base, base_path, path, links),
    }
}

/// The same without `openat2`. Each component is opened by the handle of its folder and looked at before it is
/// used, so that a swap in between is either seen or without effect.
pub(super) fn walk(
    base: BorrowedFd<'_>,
    base_path: &Path,
    path: &Path,
    links: Links,
) -> Result<OwnedFd, ResolveError> {
    let top = || openat(base, ".", FOLDER_HANDLE, Mode::empty()).map_err(ResolveError::System);
    let mut folders = vec![top()?];
    let mut ahead: VecDeque<OsString> = components(path)?;
    let mut followed = 0;
    while let Some(name) = ahead.pop_front() {
        if name == ".." {
            folders.pop();
            if folders.is_empty() {
                return Err(ResolveError::Outside);
            }
            continue;
        }
        let Some(folder) = folders.last() else { return Err(ResolveError::Outside) };
        let handle = openat(folder, &name, HANDLE, Mode::empty()).map_err(ResolveError::System)?;
        if !is_link(&handle)? {
            folders.push(handle);
            continue;
        }
        if links == Links::Refused {
            return Err(ResolveError::Link);
        }
        followed += 1;
        if followed > MOST_LINKS {
            return Err(ResolveError::System(Errno::LOOP));
        }
        let target = readlinkat(&handle, OsStr::new(""), Vec::new()).map_err(ResolveError::System)?;
        let mut target = PathBuf::from(OsString::from_vec(target.into_bytes()));
        if target.is_absolute() {
            target = target.strip_prefix(base_path).map_err(|_| ResolveError::Outside)?.to_owned();
            folders = vec![top()?];
        }
        for name in components(&target)?.into_iter().rev() {
            ahead.push_front(name);
        }
    }
    folders.pop().ok_or(ResolveError::Outside)
}

fn is_link(handle: &OwnedFd) -> Result<bool, ResolveError> {
    let stat = fstat(handle).map_err(ResolveError::System)?;
    Ok(FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
}

fn components(path: &Path) -> Result<VecDeque<OsString>, ResolveError> {
    path.components()
        .filter(|component| !matches!(component, Component::CurDir))
        .map(|component| match component {
            Component::Normal(name) => Ok(name.to_owned()),
            Component::ParentDir => Ok(OsString::from("..")),
            _ => Err(ResolveError::Outside),
        })
        .collect()
}
