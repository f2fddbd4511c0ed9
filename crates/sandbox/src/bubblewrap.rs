//! bubblewrap: a private file system that contains what the view shows, with a private process tree and network.
//!
//! Everything is mounted at its real path. Hidden paths are covered by an empty file or folder. Frozen paths are
//! mounted read-only over themselves. To prevent either from being moved away together with a parent folder, each
//! folder between it and the granted folder is a mount as well, which cannot be renamed.

use crate::mount_point::MountPoints;
use crate::placeholder::Placeholders;
use crate::view::{SYSTEM_FACTS, SYSTEM_FOLDERS, View, is_inside, private_settings};
use deputy_protocol::Phrase;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind::NotADirectory, ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem};
use std::os::fd::RawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The options of bubblewrap, except for the view.
pub(crate) struct Setting<'a> {
    pub(crate) network: bool,
    /// Whether the command starts in the task's network and stays in it.
    pub(crate) joins: bool,
    /// A private folder that becomes `/tmp`.
    pub(crate) scratch: Option<&'a Path>,
    /// Sockets on which other processes listen.
    pub(crate) listening: &'a [PathBuf],
    pub(crate) cwd: &'a Path,
    /// The descriptor from which bubblewrap reads the seccomp program.
    pub(crate) filter: RawFd,
    pub(crate) status: RawFd,
}

/// Returns bubblewrap's arguments up to the command.
///
/// Placeholders prevent the command from creating frozen paths that do not exist. They and the mount points must be kept
/// until the command is gone.
pub(crate) fn arguments(
    view: &View,
    setting: &Setting<'_>,
) -> io::Result<(Vec<OsString>, Placeholders, MountPoints)> {
    let mut args = Arguments(Vec::new());
    args.add(&["--unshare-all", "--die-with-parent"]);
    if setting.network || setting.joins {
        args.add(&["--share-net"]);
    }
    if rustix::process::geteuid().is_root() {
        // Root is used to bypassing the file modes of what is mounted. All other capabilities are dropped.
        args.add(&["--cap-drop", "ALL", "--cap-add", "CAP_DAC_OVERRIDE"]);
    }
    args.system(setting.network);
    if let Some(scratch) = setting.scratch {
        args.add(&["--size", SHARED_MEMORY_BYTES, "--tmpfs", "/dev/shm"]);
        args.pair("--bind", scratch, Path::new("/tmp"));
        // Mounting through a link is impossible.
        let is_granted = view.readable.iter().chain(&view.writable).any(|path| path.starts_with("/var/tmp"));
        if is_granted {
            args.pair("--bind", scratch, Path::new("/var/tmp"));
        } else {
            args.add(&["--symlink", "/tmp", "/var/tmp"]);
        }
    }
    let writable = view.writable.iter().map(|path| ("--bind", path));
    // All of `/proc` is already mounted.
    let readable = view.readable.iter().filter(|path| !path.starts_with("/proc"));
    let mut granted: Vec<_> = readable.map(|path| ("--ro-bind", path)).chain(writable).collect();
    // Mount parent folders first.
    granted.sort_by_key(|(_, path)| *path);
    for (how, path) in granted {
        args.pair(how, path, path);
    }
    let placeholders = args.freeze(view)?;
    let mut points = MountPoints::default();
    if let Some(scratch) = setting.scratch {
        for path in view.readable.iter().chain(&view.writable) {
            let inside = ["/tmp", "/var/tmp"].iter().find_map(|folder| path.strip_prefix(folder).ok());
            if let Some(inside) = inside.filter(|inside| !inside.as_os_str().is_empty()) {
                points.hold(scratch, inside, path.is_dir())?;
            }
        }
    }
    args.hide(view, &view.hidden);
    args.hide(view, setting.listening);
    for (link, real) in &view.aliases {
        args.pair("--symlink", real, link);
    }
    if setting.scratch.is_none() {
        args.add(&["--remount-ro", "/dev"]);
    }
    // They contain machine settings, which their owner could change without any capability.
    args.add(&["--remount-ro", "/proc", "--remount-ro", "/"]);
    args.one("--chdir", setting.cwd);
    args.add(&[
        "--seccomp",
        &setting.filter.to_string(),
        "--json-status-fd",
        &setting.status.to_string(),
        "--",
    ]);
    Ok((args.0, placeholders, points))
}

/// Returns whether a path is inside another user's private folder. In this sandbox root has no rights over other users'
/// files, so neither the command nor the mount that would hide the path can reach it.
fn is_out_of_reach(path: &Path) -> bool {
    let me = rustix::process::geteuid().as_raw();
    path.ancestors().skip(1).any(|folder| {
        folder.metadata().is_ok_and(|found| is_private_to_another(found.uid(), found.mode(), me))
    })
}

/// Returns whether a folder belongs to another user and only that user may enter it.
fn is_private_to_another(owner: u32, mode: u32, me: u32) -> bool {
    owner != me && mode & 0o011 == 0
}

/// Returns a file that nobody can open for reading, not even root, for whom the modes of ordinary files do not count. An
/// empty file would look as if the secret were empty.
fn unreadable_file() -> &'static Path {
    // The kernel checks the modes of its settings for root, too. Mounted read-only, nobody can write it either.
    let write_only = Path::new("/proc/sys/vm/compact_memory");
    if write_only.exists() { write_only } else { Path::new("/dev/null") }
}

/// The size limit of `/dev/shm`, in bytes.
const SHARED_MEMORY_BYTES: &str = "1073741824";

/// Returns whether the output of bubblewrap on the status pipe says that the command was executed.
pub(crate) fn has_run(status: &[u8]) -> bool {
    String::from_utf8_lossy(status).contains("\"exit-code\"")
}

struct Arguments(Vec<OsString>);

impl Arguments {
    fn add(&mut self, args: &[&str]) {
        self.0.extend(args.iter().map(OsString::from));
    }

    fn one(&mut self, option: &str, path: &Path) {
        self.0.extend([OsStr::new(option), path.as_os_str()].map(OsString::from));
    }

    fn pair(&mut self, option: &str, from: &Path, to: &Path) {
        self.0.extend([OsStr::new(option), from.as_os_str(), to.as_os_str()].map(OsString::from));
    }

    fn system(&mut self, network: bool) {
        for folder in SYSTEM_FOLDERS.map(Path::new) {
            match folder.read_link() {
                Ok(target) => self.pair("--symlink", &target, folder),
                Err(_) if folder.exists() => self.pair("--ro-bind", folder, folder),
                Err(_) => {}
            }
        }
        for path in &*private_settings() {
            self.cover(path);
        }
        if network
            && let Ok(real) = Path::new("/etc/resolv.conf").canonicalize()
            && !real.starts_with("/etc")
        {
            self.pair("--ro-bind", &real, &real);
        }
        self.add(&["--proc", "/proc", "--dev", "/dev"]);
        for fact in SYSTEM_FACTS.map(Path::new).into_iter().filter(|fact| fact.starts_with("/sys")) {
            self.pair("--ro-bind-try", fact, fact);
        }
    }

    /// Mounts frozen paths over themselves, read-only, and prevents missing ones from being created.
    fn freeze(&mut self, view: &View) -> io::Result<Placeholders> {
        let mut placeholders = Placeholders::default();
        for path in &view.frozen {
            // git considers a repository with an empty `commondir` broken. This would also affect the user's own git.
            if path.file_name().is_some_and(|name| name == "commondir") && !path.exists() {
                continue;
            }
            let Some(root) = view.writable.iter().find(|root| path.starts_with(root)) else { continue };
            let existing = match placeholders.hold(root, path) {
                // If the user cannot create the path, neither can the command. A granted file has nothing below it.
                Err(error)
                    if matches!(error.kind(), NotADirectory | PermissionDenied | ReadOnlyFilesystem) =>
                {
                    continue;
                }
                held => held?,
            };
            self.pin(root, &existing, &[]);
            self.pair("--ro-bind", &existing, &existing);
        }
        Ok(placeholders)
    }

    fn hide(&mut self, view: &View, paths: &[PathBuf]) {
        for path in paths.iter().filter(|path| !is_out_of_reach(path)) {
            if let Some(root) = view.writable.iter().find(|root| path.starts_with(root)) {
                self.pin(root, path, &view.frozen);
            }
            self.cover(path);
        }
    }

    /// Makes mounts of the folders between a granted folder and a path, so that none of them can be renamed. Skips
    /// folders inside a frozen one: nothing there can be renamed, and a mount would make it writable.
    fn pin(&mut self, root: &Path, path: &Path, frozen: &[PathBuf]) {
        let between =
            path.ancestors().skip(1).take_while(|part| *part != root).filter(|part| !is_inside(part, frozen));
        let mut folders: Vec<&Path> = between.collect();
        folders.reverse();
        for folder in folders {
            let is_mounted =
                self.0.windows(3).any(|args| args[0] == "--bind" && args[2] == folder.as_os_str());
            if !is_mounted {
                self.pair("--bind", folder, folder);
            }
        }
    }

    fn cover(&mut self, path: &Path) {
        if path.is_dir() {
            self.one("--tmpfs", path);
            self.one("--remount-ro", path);
        } else {
            self.pair("--ro-bind", unreadable_file(), path);
        }
    }
}

/// Returns a memory file from which bubblewrap reads the seccomp program.
pub(crate) fn readable_memory(bytes: &[u8]) -> io::Result<std::os::fd::OwnedFd> {
    use std::io::{Seek, Write};
    let mut file: std::fs::File = rustix::fs::memfd_create("filter", rustix::fs::MemfdFlags::CLOEXEC)?.into();
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

/// Returns bubblewrap's explanation of why it did not start the command, for messages.
pub(crate) fn complaint(stderr: &[u8]) -> Phrase {
    let text = String::from_utf8_lossy(stderr);
    text.lines()
        .find(|line| line.starts_with("bwrap: "))
        .map_or_else(deputy_messages::sandbox::bubblewrap_silent, Phrase::from)
}

/// Returns the paths that an argument list mounts, for tests.
#[cfg(test)]
pub(crate) fn mounted<'a>(args: &'a [OsString], option: &str) -> Vec<&'a OsStr> {
    args.windows(3).filter(|three| three[0] == option).map(|three| three[2].as_os_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_private_folders_of_others_are_out_of_reach() {
        assert!(is_private_to_another(1001, 0o40700, 0) && is_private_to_another(0, 0o40700, 1001));
        assert!(!is_private_to_another(1001, 0o40700, 1001));
        assert!(!is_private_to_another(1001, 0o40711, 0) && !is_private_to_another(1001, 0o40710, 0));
        let own = tempfile::tempdir().unwrap();
        assert!(!is_out_of_reach(&own.path().join("key")));
    }

    #[test]
    fn folders_above_what_is_frozen_cannot_be_moved_away() {
        let home = tempfile::tempdir().unwrap();
        let work = home.path().canonicalize().unwrap();
        let scratch = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(work.join("a/.git")).unwrap();
        let view = View {
            writable: vec![work.clone()],
            frozen: vec![work.join("a/.git/hooks"), work.join("a/.git/config")],
            ..View::default()
        };
        let setting = Setting {
            network: false,
            joins: false,
            scratch: Some(scratch.path()),
            listening: &[],
            cwd: &work,
            filter: 9,
            status: 10,
        };
        let (args, placeholders, points) = arguments(&view, &setting).unwrap();
        let bound = mounted(&args, "--bind");
        assert_eq!(
            bound,
            ["/tmp".as_ref(), work.as_os_str(), work.join("a").as_os_str(), work.join("a/.git").as_os_str()]
        );
        let frozen = mounted(&args, "--ro-bind");
        assert!(view.frozen.iter().all(|path| frozen.contains(&path.as_os_str()) && path.exists()));
        drop((placeholders, points));
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
        assert!(view.frozen.iter().all(|path| !path.exists()));
    }

    #[test]
    fn bubblewraps_words() {
        assert!(has_run(b"{ \"child-pid\": 7 }\n{ \"exit-code\": 0 }\n"));
        assert!(!has_run(b"{ \"child-pid\": 7 }\n"));
        assert_eq!(complaint(b"x\nbwrap: Can't mount\n"), "bwrap: Can't mount");
    }
}
