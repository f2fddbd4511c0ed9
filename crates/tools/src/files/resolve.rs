//! Resolves a path to a handle below a folder. Uses `openat2` if the kernel supports it. Otherwise, and if links need a
//! closer check, it opens the path component by component.

use super::FOLDER_HANDLE;
use super::error::ResolveError;
use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, openat, openat2, readlinkat};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links to follow, as in the kernel.
const MOST_LINKS: usize = 40;
const HANDLE: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// How to treat links on the path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Follow links that stay below the folder.
    Below,
    /// Fail on any link.
    Refused,
}

/// Returns a handle of `path` below the folder `base`, whose path is `base_path`.
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
        // For the kernel, a link as the last component is not an error: the handle refers to the link itself.
        Ok(handle) if is_link(&handle)? => Err(ResolveError::Link),
        Ok(handle) => Ok(handle),
        Err(errno @ (Errno::NOENT | Errno::ACCESS | Errno::NOTDIR | Errno::NAMETOOLONG)) => {
            Err(ResolveError::System(errno))
        }
        // Either `openat2` is missing, a rename interfered, or the kernel refused a link. Such a link may be absolute
        // and still stay below the folder, which only the walk can determine.
        Err(_) => walk(base, base_path, path, links),
    }
}

/// Returns a handle of an absolute path without following any link.
pub(super) fn from_slash(path: &Path) -> Result<OwnedFd, ResolveError> {
    let slash = openat(CWD, "/", FOLDER_HANDLE, Mode::empty()).map_err(ResolveError::System)?;
    let below = path.strip_prefix("/").map_err(|_| ResolveError::Outside)?;
    resolve(slash.as_fd(), Path::new("/"), below, Links::Refused)
}

/// Resolves a path without `openat2`. Opens each component through the handle of its folder and checks it before use,
/// so that a swap is either detected or has no effect.
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

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{RenameFlags, renameat_with};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Tree {
        _folder: tempfile::TempDir,
        root: PathBuf,
        handle: OwnedFd,
    }

    fn tree() -> Tree {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let root = top.join("root");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::create_dir(top.join("outside")).unwrap();
        fs::write(top.join("outside/f"), "secret").unwrap();
        fs::write(root.join("a/b/f"), "plain").unwrap();
        symlink("b", root.join("a/relative")).unwrap();
        symlink(root.join("a/b"), root.join("absolute")).unwrap();
        symlink("../outside", root.join("leaves")).unwrap();
        symlink(top.join("outside"), root.join("leaves-absolute")).unwrap();
        symlink("../../root/a", root.join("a/out-and-in")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        symlink("nothing", root.join("dangling")).unwrap();
        symlink("/proc/self/root", root.join("magic")).unwrap();
        let handle = openat(CWD, &root, FOLDER_HANDLE, Mode::empty()).unwrap();
        Tree { _folder: folder, root, handle }
    }

    fn outcome(resolved: Result<OwnedFd, ResolveError>) -> Result<u64, ResolveError> {
        resolved.map(|handle| fstat(&handle).unwrap().st_ino)
    }

    #[test]
    fn with_and_without_openat2_it_is_the_same() {
        let tree = tree();
        let inode = |below: &str| rustix::fs::stat(tree.root.join(below)).unwrap().st_ino;
        let plain = || Ok(inode("a/b/f"));
        let system = |errno| Err(ResolveError::System(errno));
        let cases = [
            ("a/b/f", plain(), plain()),
            ("./a/./b/../b/f", plain(), plain()),
            ("", Ok(inode("")), Ok(inode(""))),
            ("a/relative/f", plain(), Err(ResolveError::Link)),
            ("a/relative", Ok(inode("a/b")), Err(ResolveError::Link)),
            ("absolute/f", plain(), Err(ResolveError::Link)),
            ("leaves/f", Err(ResolveError::Outside), Err(ResolveError::Link)),
            ("leaves-absolute/f", Err(ResolveError::Outside), Err(ResolveError::Link)),
            ("a/out-and-in/b/f", Err(ResolveError::Outside), Err(ResolveError::Link)),
            ("magic/etc", Err(ResolveError::Outside), Err(ResolveError::Link)),
            ("../outside/f", Err(ResolveError::Outside), Err(ResolveError::Outside)),
            ("a/../../outside/f", Err(ResolveError::Outside), Err(ResolveError::Outside)),
            ("..", Err(ResolveError::Outside), Err(ResolveError::Outside)),
            ("/etc", Err(ResolveError::Outside), Err(ResolveError::Outside)),
            ("missing/f", system(Errno::NOENT), system(Errno::NOENT)),
            ("dangling", system(Errno::NOENT), Err(ResolveError::Link)),
            ("loop", system(Errno::LOOP), Err(ResolveError::Link)),
            ("a/b/f/g", system(Errno::NOTDIR), system(Errno::NOTDIR)),
        ];
        for (path, below, refused) in cases {
            for (links, expected) in [(Links::Below, below), (Links::Refused, refused)] {
                for how in [resolve, walk] {
                    let resolved = outcome(how(tree.handle.as_fd(), &tree.root, Path::new(path), links));
                    assert_eq!(resolved, expected, "{path}");
                }
            }
        }
    }

    #[test]
    fn a_link_swapped_in_leads_nowhere() {
        let tree = tree();
        let secret = rustix::fs::stat(tree.root.join("../outside/f")).unwrap().st_ino;
        let stop = Arc::new(AtomicBool::new(false));
        let (root, own_stop) = (tree.root.clone(), stop.clone());
        let swapping = std::thread::spawn(move || {
            while !own_stop.load(Ordering::Relaxed) {
                let (one, other) = (root.join("a/b"), root.join("leaves-absolute"));
                renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
            }
        });
        let (mut plain, mut refused) = (0, 0);
        for n in 0..10_000 {
            let how = if n % 2 == 0 { resolve } else { walk };
            match outcome(how(tree.handle.as_fd(), &tree.root, Path::new("a/b/f"), Links::Below)) {
                Ok(inode) => {
                    assert_ne!(inode, secret);
                    plain += 1;
                }
                Err(_) => refused += 1,
            }
        }
        stop.store(true, Ordering::Relaxed);
        swapping.join().unwrap();
        assert!(plain > 0 && refused > 0, "there was no race: {plain} plain, {refused} refused");
    }
}
