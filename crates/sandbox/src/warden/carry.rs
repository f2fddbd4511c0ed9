//! Performs calls on behalf of a process: looks up paths as the process would, judges them by real path, and operates
//! on descriptors.

use super::asking::Asking;
use super::calls::{At, Call, SocketCall};
use super::guard::{Bounds, Made};
use super::target::{Place, Target, real_path};
use crate::outcome::{Attempt, Refusals, Refused};
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, Stat, Timespec, Timestamps, chmodat, fstat, linkat,
    mkdirat, mknodat, openat, readlinkat, renameat_with, statat, symlinkat, unlinkat, utimensat,
};
use rustix::io::Errno;
use std::cell::Cell;
use std::ffi::{OsStr, OsString, c_int};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// The result of a call.
pub(crate) enum Done {
    Value(i64),
    /// A descriptor for the process.
    Opened {
        fd: OwnedFd,
        closes_on_exec: bool,
    },
    /// The call is allowed, and the kernel performs it.
    LeftToKernel,
    /// Opening may block until a process opens the other end: a named pipe, held by its handle.
    Waits {
        held: OwnedFd,
        flags: c_int,
    },
}

/// A call of a process, with its restrictions.
pub(crate) struct Carrier<'a> {
    pub(crate) target: &'a Target<'a>,
    pub(crate) bounds: &'a Bounds,
    pub(crate) made: &'a Made,
    pub(crate) refusals: &'a Refusals,
    pub(crate) asking: &'a Asking,
    /// The path argument of the call and whether it is relative, for detecting walks.
    pub(crate) names: Cell<(At, bool)>,
    /// The maximum size of a file that the process may create, in bytes.
    pub(crate) file_bytes: u64,
}

const HERE: OFlags = OFlags::PATH.union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

impl Carrier<'_> {
    pub(crate) fn carry_out(&self, call: Call) -> Result<Done, Errno> {
        let done = match call {
            Call::Open { at, flags, mode } => return self.open(at, flags, mode),
            Call::Socket(SocketCall::Bind { address, length, .. }) => {
                self.bind(address, length)?;
                return Ok(Done::LeftToKernel);
            }
            Call::Start { .. } | Call::Socket(_) => return Err(Errno::NOSYS),
            Call::Truncate { at, length } => self.truncate(at, length),
            Call::MakeFolder { at, mode } => self.make_folder(at, mode),
            Call::MakeNode { at, mode } => self.make_node(at, mode),
            Call::Remove { at, is_folder } => self.remove(at, is_folder),
            Call::Rename { from, to, flags } => self.rename(from, to, flags),
            Call::Link { from, to, follow } => self.link(from, to, follow),
            Call::Symlink { text, at } => self.symlink(text, at),
            Call::Mode { at, mode, follow } => self.mode(at, mode, follow),
            Call::ModeOf { fd, mode } => {
                let found = self.target.descriptor(fd)?;
                self.set_mode(&found, mode)
            }
            Call::Times { at, has_path, times, follow } => self.set_times(at, has_path, times, follow),
            Call::Owner { at, owner, group, follow } => {
                let found = self.target.find(at, &self.named(at)?, follow)?;
                keeps_owner(&found, owner, group)
            }
            // The same error as on a file system without attributes. Programs that copy files continue without them.
            Call::Attribute => Err(Errno::OPNOTSUPP),
            Call::OwnerOf { fd, owner, group } => keeps_owner(&self.target.descriptor(fd)?, owner, group),
        };
        done.map(|()| Done::Value(0))
    }

    /// Judges access to an existing file.
    fn judge_found(&self, attempt: Attempt, found: &OwnedFd) -> Result<Stat, Errno> {
        let stat = fstat(found)?;
        self.judge(attempt, &real_path(found)?, Some(stat), is_folder(&stat))?;
        Ok(stat)
    }

    /// Remembers a file that was just created if its name is that of a secret.
    fn remember(&self, real: &Path, file: impl FnOnce() -> Result<OwnedFd, Errno>) {
        if self.bounds.would_be_secret(real)
            && let Ok(file) = file()
        {
            self.made.add(file);
        }
    }

    /// Judges access to a name, whether or not it exists.
    fn judge_place(&self, place: &Place, becomes_folder: bool) -> Result<(), Errno> {
        let stat = statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW).ok();
        let is_folder = becomes_folder || stat.as_ref().is_some_and(is_folder);
        self.judge(Attempt::Write, &place.real, stat, is_folder)
    }

    pub(super) fn is_configuring(&self) -> bool {
        let program = self.target.program().and_then(fstat);
        program.is_ok_and(|stat| self.bounds.configuring.holds(stat.st_dev, stat.st_ino))
    }

    fn place(&self, at: At) -> Result<Place, Errno> {
        self.target.place(at, &self.named(at)?)
    }

    /// Returns the path in an argument.
    fn named(&self, at: At) -> Result<PathBuf, Errno> {
        let path = self.target.string(at.path)?;
        self.names.set((at, path.is_relative()));
        Ok(path)
    }

    fn open(&self, at: At, flags: c_int, mode: u32) -> Result<Done, Errno> {
        let closes_on_exec = flags & libc::O_CLOEXEC != 0;
        let mut path = self.named(at)?;
        let excludes = flags & (libc::O_CREAT | libc::O_EXCL) == libc::O_CREAT | libc::O_EXCL;
        let follow = flags & libc::O_NOFOLLOW == 0 && !excludes;
        // Files may appear or disappear between two checks. A few rounds are enough for honest programs.
        for _ in 0..MOST_ROUNDS {
            let found = match self.target.find(at, &path, follow) {
                Ok(_) if excludes => return Err(Errno::EXIST),
                Ok(found) => found,
                Err(Errno::NOENT) if flags & libc::O_CREAT != 0 => {
                    let place = self.target.place(at, &path)?;
                    if place.is_slashed {
                        return Err(Errno::ISDIR);
                    }
                    // A dangling link determines where the file is created.
                    if let Ok(text) = readlinkat(&place.folder, &place.name, Vec::new()) {
                        if !follow {
                            return Err(if excludes { Errno::EXIST } else { Errno::LOOP });
                        }
                        path = real_path(&place.folder)?.join(OsString::from_vec(text.into_bytes()));
                        continue;
                    }
                    self.judge_place(&place, false)?;
                    match self.create(&place, flags, mode) {
                        Err(Errno::EXIST) if !excludes => continue,
                        made => {
                            let fd = made?;
                            self.remember(&place.real, || fd.try_clone().map_err(|_| Errno::MFILE));
                            self.judge_found(Attempt::Write, &fd)?;
                            return Ok(Done::Opened { fd, closes_on_exec });
                        }
                    }
                }
                Err(Errno::NOENT) => match self.find_outside(at, &path, flags) {
                    Some(found) => return self.open_outside(&found, flags, closes_on_exec),
                    None => return Err(Errno::NOENT),
                },
                Err(error) => return Err(error),
            };
            return self.open_found(found, flags, mode, closes_on_exec);
        }
        Err(Errno::LOOP)
    }

    fn create(&self, place: &Place, flags: c_int, mode: u32) -> Result<OwnedFd, Errno> {
        let flags = OFlags::from_bits_retain((flags | libc::O_EXCL | libc::O_NOFOLLOW) as u32);
        let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY;
        let _mask = Mask::set(self.target.umask()?);
        openat(&place.folder, &place.name, flags, Mode::from_raw_mode(mode & 0o7777))
    }

    /// Opens a file that was found, through its handle instead of its name.
    fn open_found(
        &self,
        found: OwnedFd,
        flags: c_int,
        mode: u32,
        closes_on_exec: bool,
    ) -> Result<Done, Errno> {
        let stat = fstat(&found)?;
        let kind = FileType::from_raw_mode(stat.st_mode);
        if flags & libc::O_DIRECTORY != 0 && kind != FileType::Directory {
            return Err(Errno::NOTDIR);
        }
        let writes = flags & libc::O_ACCMODE != libc::O_RDONLY || flags & libc::O_TRUNC != 0;
        let makes_unnamed = flags & libc::O_TMPFILE == libc::O_TMPFILE;
        match kind {
            FileType::Symlink => return Err(Errno::LOOP),
            FileType::CharacterDevice if stat.st_rdev == OWN_TERMINAL => return Err(Errno::NXIO),
            FileType::Directory if flags & libc::O_CREAT != 0 && !makes_unnamed => return Err(Errno::ISDIR),
            _ => {}
        }
        let real = real_path(&found)?;
        if real.starts_with("/proc") && real.file_name().is_some_and(|name| name == "mem") {
            return Err(Errno::ACCESS); // The memory of other processes. `ptrace` is denied as well.
        }
        let attempt = if writes && !makes_unnamed { Attempt::Write } else { Attempt::Read };
        self.judge(attempt, &real, Some(stat), kind == FileType::Directory)?;
        if attempt == Attempt::Write {
            self.judge_history(&real, false)?;
        }
        if kind == FileType::Directory {
            self.asking.walks.note(self.target.thread(), &real);
        }
        let waits = flags & libc::O_NONBLOCK == 0 && flags & libc::O_ACCMODE != libc::O_RDWR;
        if kind == FileType::Fifo && waits {
            return Ok(Done::Waits { held: found, flags });
        }
        let _mask = makes_unnamed.then(|| self.target.umask().map(Mask::set)).transpose()?;
        let fd = reopen(&found, flags, mode)?;
        Ok(Done::Opened { fd, closes_on_exec })
    }

    fn truncate(&self, at: At, length: u64) -> Result<(), Errno> {
        if i64::try_from(length).is_err() {
            return Err(Errno::INVAL);
        }
        let found = self.target.find(at, &self.named(at)?, true)?;
        let stat = self.judge_found(Attempt::Write, &found)?;
        self.judge_history(&real_path(&found)?, false)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {}
            FileType::Directory => return Err(Errno::ISDIR),
            _ => return Err(Errno::INVAL),
        }
        if length > self.file_bytes {
            return Err(Errno::FBIG);
        }
        let file = reopen(&found, libc::O_WRONLY, 0)?;
        rustix::fs::ftruncate(&file, length)
    }

    fn make_folder(&self, at: At, mode: u32) -> Result<(), Errno> {
        let path = self.named(at)?;
        let place = self
            .target
            .place(at, &path)
            .map_err(|error| if error == Errno::BUSY { Errno::EXIST } else { error })?;
        // An existing path does not concern the guard.
        if statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Err(Errno::EXIST);
        }
        self.judge_place(&place, true)?;
        let _mask = Mask::set(self.target.umask()?);
        mkdirat(&place.folder, &place.name, Mode::from_raw_mode(mode & 0o1777))?;
        self.remember(&place.real, || openat(&place.folder, &place.name, HERE, Mode::empty()));
        Ok(())
    }

    fn make_node(&self, at: At, mode: u32) -> Result<(), Errno> {
        let kind = match mode & libc::S_IFMT {
            0 | libc::S_IFREG => FileType::RegularFile,
            libc::S_IFIFO => FileType::Fifo,
            libc::S_IFSOCK => FileType::Socket,
            _ => return Err(Errno::PERM),
        };
        let place = self.place(at)?;
        self.judge_place(&place, false)?;
        let _mask = Mask::set(self.target.umask()?);
        mknodat(&place.folder, &place.name, kind, Mode::from_raw_mode(mode & 0o1777), 0)
    }

    /// Judges the name that a socket will get, if it gets one in a folder. The kernel reads the name again; a process
    /// that changes it in between creates a file that is neither run nor read.
    fn bind(&self, address: u64, length: u64) -> Result<(), Errno> {
        let Some(path) = self.target.socket_path(address, length)? else { return Ok(()) };
        let at = At { folder: libc::AT_FDCWD, path: 0 };
        self.names.set((at, path.is_relative()));
        match self.target.place(at, &path) {
            Ok(place) => self.judge_place(&place, false),
            // The kernel reports what is wrong with the path.
            Err(_) => Ok(()),
        }
    }

    fn remove(&self, at: At, removes_folder: bool) -> Result<(), Errno> {
        let path = self.named(at)?;
        let flags = if removes_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        let place = self.target.place(at, &path)?;
        let stat = statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW)?;
        match (is_folder(&stat), removes_folder) {
            (false, true) => return Err(Errno::NOTDIR),
            (false, false) if place.is_slashed => return Err(Errno::NOTDIR),
            (true, false) => return Err(Errno::ISDIR),
            _ => {}
        }
        self.judge_place(&place, removes_folder)?;
        // Only an empty folder is removed.
        if !removes_folder {
            self.judge_history(&place.real, false)?;
        }
        unlinkat(&place.folder, &place.name, flags)
    }

    fn rename(&self, from: At, to: At, flags: u32) -> Result<(), Errno> {
        let flags = RenameFlags::from_bits(flags).ok_or(Errno::INVAL)?;
        if flags.contains(RenameFlags::WHITEOUT) {
            return Err(Errno::PERM);
        }
        let (from, to) = (self.place(from)?, self.place(to)?);
        self.judge_move(&from, &to)?;
        if flags.contains(RenameFlags::EXCHANGE) {
            self.judge_move(&to, &from)?;
        }
        let slashed = |place: &Place| {
            let mut name = place.name.clone();
            if place.is_slashed {
                name.push("/");
            }
            name
        };
        let moved = openat(&from.folder, &from.name, HERE, Mode::empty())?;
        renameat_with(&from.folder, slashed(&from), &to.folder, slashed(&to), flags)?;
        self.remember(&to.real, || Ok(moved));
        Ok(())
    }

    /// Judges giving a new name to an entry with all its content.
    fn judge_move(&self, from: &Place, to: &Place) -> Result<(), Errno> {
        let stat = statat(&from.folder, &from.name, AtFlags::SYMLINK_NOFOLLOW)?;
        let is_folder = is_folder(&stat);
        self.judge(Attempt::Write, &from.real, Some(stat), is_folder)?;
        let there = statat(&to.folder, &to.name, AtFlags::SYMLINK_NOFOLLOW).ok();
        self.judge(Attempt::Write, &to.real, there, is_folder)?;
        self.judge_history(&from.real, is_folder)?;
        if let Some(there) = there {
            self.judge_history(&to.real, self::is_folder(&there))?;
        }
        if is_folder {
            self.judge_refused(&from.real, true)?;
            let folder = openat(&from.folder, &from.name, HERE, Mode::empty())?;
            self.judge_tree(&folder, &from.real, &to.real)?;
        }
        Ok(())
    }

    /// Requires that the content of a folder is guarded at its new path exactly if it was at the old one. Otherwise a
    /// plain file could become a hook, or a secret a plain file.
    fn judge_tree(&self, folder: &OwnedFd, from: &Path, to: &Path) -> Result<(), Errno> {
        const MOST: usize = 200_000;
        let top = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        let mut seen = 0;
        let mut folders = vec![PathBuf::new()];
        while let Some(below) = folders.pop() {
            // An unreadable folder cannot be checked, but is rare.
            let entries = std::fs::read_dir(top.join(&below)).map_err(|_| Errno::ACCESS)?;
            for entry in entries {
                let entry = entry.map_err(|_| Errno::ACCESS)?;
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let below = below.join(entry.file_name());
                let [old, new] = [from, to].map(|top| self.bounds.standing(&top.join(&below), is_folder));
                seen += 1;
                // It is harmless if a file becomes a secret, but not if it stops being one.
                if old.0 && !new.0 || old.1 != new.1 || seen > MOST {
                    let why = deputy_messages::sandbox::becomes_guarded();
                    self.refusals.add(Refused { operation: Attempt::Write, path: to.join(&below), why });
                    return Err(Errno::ACCESS);
                }
                if is_folder {
                    folders.push(below);
                }
            }
        }
        Ok(())
    }

    fn link(&self, from: At, to: At, follow: bool) -> Result<(), Errno> {
        let path = self.named(from)?;
        let found = match descriptor_named(&path) {
            Some(fd) if follow => self.target.descriptor(fd)?,
            _ => self.target.find(from, &path, follow)?,
        };
        let stat = self.judge_found(Attempt::Write, &found)?;
        // Through a second name it could be changed. Programs copy instead, as from another file system.
        if self.bounds.guard.history(&real_path(&found)?, is_folder(&stat)).is_some() {
            return Err(Errno::XDEV);
        }
        let to = self.place(to)?;
        self.judge_place(&to, false)?;
        linkat(rustix::fs::CWD, own(&found), &to.folder, &to.name, AtFlags::SYMLINK_FOLLOW)?;
        self.remember(&to.real, || Ok(found));
        Ok(())
    }

    fn symlink(&self, text: usize, at: At) -> Result<(), Errno> {
        let text = self.target.string(text)?;
        let place = self.place(at)?;
        self.judge_place(&place, false)?;
        symlinkat(&text, &place.folder, &place.name)
    }

    fn mode(&self, at: At, mode: u32, follow: bool) -> Result<(), Errno> {
        let found = self.target.find(at, &self.named(at)?, follow)?;
        self.set_mode(&found, mode)
    }

    fn set_mode(&self, found: &OwnedFd, mode: u32) -> Result<(), Errno> {
        let stat = self.judge_found(Attempt::Write, found)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
            return Err(Errno::OPNOTSUPP);
        }
        if mode & libc::S_IRUSR == 0 {
            self.judge_history(&real_path(found)?, is_folder(&stat))?;
        }
        chmodat(rustix::fs::CWD, own(found), Mode::from_raw_mode(mode & 0o1777), AtFlags::empty())
    }
}

impl Carrier<'_> {
    fn set_times(&self, at: At, has_path: bool, times: u64, follow: bool) -> Result<(), Errno> {
        let found = match has_path {
            true => self.target.find(at, &self.named(at)?, follow)?,
            false => self.target.descriptor(at.folder)?,
        };
        self.judge_found(Attempt::Write, &found)?;
        let now = Timespec { tv_sec: 0, tv_nsec: libc::UTIME_NOW };
        let (last_access, last_modification) = match times {
            0 => (now, now),
            address => self.target.times(address)?,
        };
        let times = Timestamps { last_access, last_modification };
        utimensat(rustix::fs::CWD, own(&found), &times, AtFlags::empty())
    }
}

/// Allows setting the owner that a file already has, as programs that copy files do. Other owners cannot be set.
fn keeps_owner(found: &OwnedFd, owner: u32, group: u32) -> Result<(), Errno> {
    let stat = fstat(found)?;
    let keeps = |wanted: u32, has: u32| wanted == u32::MAX || wanted == has;
    if keeps(owner, stat.st_uid) && keeps(group, stat.st_gid) { Ok(()) } else { Err(Errno::PERM) }
}

const MOST_ROUNDS: usize = 40;

/// The device of a process's own terminal, which would be the warden's here. Commands have none.
const OWN_TERMINAL: u64 = libc::makedev(5, 0);

fn is_folder(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

/// Returns a path that leads to exactly the file of one of this process's descriptors.
fn own(fd: &impl AsFd) -> String {
    format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd())
}

/// Opens the file that a handle refers to.
pub(crate) fn reopen(found: &OwnedFd, flags: c_int, mode: u32) -> Result<OwnedFd, Errno> {
    const OF_THE_NAME: c_int = libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;
    let kept = if flags & libc::O_TMPFILE == libc::O_TMPFILE { libc::O_NOFOLLOW } else { OF_THE_NAME };
    let flags = OFlags::from_bits_retain((flags & !kept) as u32) | OFlags::CLOEXEC | OFlags::NOCTTY;
    openat(rustix::fs::CWD, own(found), flags, Mode::from_raw_mode(mode & 0o7777))
}

/// Parses the number in `/proc/self/fd/N`, which is used to give a name to an unnamed file.
fn descriptor_named(path: &Path) -> Option<c_int> {
    let number = path.strip_prefix("/proc/self/fd").or_else(|_| path.strip_prefix("/dev/fd")).ok()?;
    let mut parts = number.iter();
    let number = parts.next().and_then(OsStr::to_str)?.parse().ok()?;
    parts.next().is_none().then_some(number)
}

/// Sets this thread's umask as long as it exists.
struct Mask;

impl Mask {
    fn set(mask: u32) -> Self {
        rustix::process::umask(Mode::from_raw_mode(mask));
        Self
    }
}

impl Drop for Mask {
    fn drop(&mut self) {
        rustix::process::umask(Mode::empty());
    }
}
