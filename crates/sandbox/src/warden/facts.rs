//! Facts about the machine that `/proc` shows to each process under its own path, such as what is mounted. A rule set
//! cannot grant them before the process exists. Processes that may know them receive Deputy's own version.

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use std::ffi::c_int;
use std::os::fd::OwnedFd;
use std::path::Path;

/// The path that grants a command to read what is mounted.
pub(crate) const MOUNTS: &str = "/proc/self/mountinfo";

/// Returns what a process gets when it opens one of these paths. The paths are compared and never looked up. `None` if
/// the kernel and the other mechanisms decide.
pub(super) fn opened(path: &Path, flags: c_int) -> Option<Result<OwnedFd, Errno>> {
    let writes = libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;
    if flags & libc::O_ACCMODE != libc::O_RDONLY || flags & writes != 0 {
        return None;
    }
    let own = match path.to_str()? {
        MOUNTS => MOUNTS,
        "/proc/mounts" | "/proc/self/mounts" | "/etc/mtab" => "/proc/self/mounts",
        // Some programs open `/proc` first in order to open what they were granted below it, which the other mechanisms
        // still check. It lists process ids, which `stat` also reveals. The kernel does not pass `O_PATH` handles,
        // which would prevent listing.
        "/proc" => "/proc",
        _ => return None,
    };
    Some(openat(CWD, own, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_these_names_are_answered_and_only_for_reading() {
        let answered = |path: &str, flags| opened(Path::new(path), flags).is_some();
        for path in [MOUNTS, "/proc/mounts", "/proc/self/mounts", "/etc/mtab", "/proc"] {
            assert!(answered(path, libc::O_RDONLY | libc::O_CLOEXEC), "{path}");
            assert!(!answered(path, libc::O_RDWR), "{path}");
            assert!(!answered(path, libc::O_CREAT), "{path}");
        }
        for path in ["/proc/self/environ", "/proc/../proc/mounts", "/proc/self/mountinfo/", "proc/mounts", ""]
        {
            assert!(!answered(path, libc::O_RDONLY), "{path}");
        }
    }
}
