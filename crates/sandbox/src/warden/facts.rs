//! Facts about the machine that `/proc` shows to each process under a name of its own, which no rule set can grant before
//! the process is there: what is mounted. Anyone who may know them is handed Deputy's own.

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use std::ffi::c_int;
use std::os::fd::OwnedFd;
use std::path::Path;

/// The path by which a command is granted to know what is mounted.
pub(crate) const MOUNTS: &str = "/proc/self/mountinfo";

/// What a process gets that opens one of these by name; the names are compared and never looked up. `None`: the kernel
/// and the other walls decide.
pub(super) fn opened(path: &Path, flags: c_int) -> Option<Result<OwnedFd, Errno>> {
    let writes = libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;
    if flags & libc::O_ACCMODE != libc::O_RDONLY || flags & writes != 0 {
        return None;
    }
    let own = match path.to_str()? {
        MOUNTS => MOUNTS,
        "/proc/mounts" | "/proc/self/mounts" | "/etc/mtab" => "/proc/self/mounts",
        // Some begin here to open what they were granted below it, for which the other walls still stand. It lists the numbers of
        // processes, which `stat` tells all the same; the kernel passes no mark by which nothing is listed.
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
