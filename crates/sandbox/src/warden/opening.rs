//! Judges attempts with the guard, and asks a person about them while the call waits.

use super::asking::{Attempted, Fate};
use super::calls::At;
use super::carry::{Carrier, Done, reopen};
use super::guard::{Question, Stop};
use super::target::real_path;
use crate::outcome::{Attempt, Refused};
use deputy_messages::Phrase;
use deputy_messages::sandbox as say;
use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, Stat, fstat, openat2};
use rustix::io::Errno;
use std::ffi::c_int;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

impl Carrier<'_> {
    /// Judges an attempt. If its call has to wait for a person, it is refused for now.
    pub(super) fn judge(
        &self,
        attempt: Attempt,
        real: &Path,
        stat: Option<Stat>,
        is_folder: bool,
    ) -> Result<(), Errno> {
        if attempt == Attempt::Write {
            self.judge_refused(real, false)?;
        }
        let question = Question { attempt, real, stat, is_folder };
        match self.bounds.judge(&question, || self.is_configuring(), self.made) {
            Ok(()) => Ok(()),
            Err(Stop::Outside) => {
                let is_file = stat.is_some_and(|stat| is_plain_file(&stat));
                let may_open = attempt == Attempt::Read
                    && is_file
                    && (!is_systems(real) || self.bounds.guard.is_at_home(real));
                match may_open.then(|| self.fate(attempt, real, stat, true)) {
                    Some(Fate::Opened) => Ok(()),
                    Some(Fate::Refused(Some(said))) => {
                        self.refuse(attempt, real, say::outside_of_open(), Some(said))
                    }
                    Some(Fate::Waits | Fate::Refused(None)) | None => {
                        if attempt == Attempt::Read {
                            self.name_secret(real);
                        }
                        Err(Errno::ACCESS)
                    }
                }
            }
            Err(Stop::Guarded { why, may_open }) => {
                match may_open.then(|| self.fate(attempt, real, stat, false)) {
                    Some(Fate::Opened) => Ok(()),
                    Some(Fate::Waits) => Err(Errno::ACCESS),
                    Some(Fate::Refused(said)) => self.refuse(attempt, real, why, said),
                    None => self.refuse(attempt, real, why, None),
                }
            }
        }
    }

    /// Judges a change of what a person refused before. It is asked about as a whole, as it was refused.
    pub(super) fn judge_refused(&self, real: &Path, is_tree: bool) -> Result<(), Errno> {
        if !self.bounds.grants(real) {
            return Ok(());
        }
        let Some((why, whole)) = self.bounds.guard.refused(real, is_tree) else { return Ok(()) };
        let attempted = Attempted {
            operation: Attempt::Write,
            real: &whole,
            identity: None,
            is_outside: false,
            program: &|| self.program(),
            is_walk: &|_| false,
        };
        match self.asking.fate(&*self.bounds.guard, &attempted) {
            Fate::Opened => Ok(()),
            Fate::Waits => Err(Errno::ACCESS),
            Fate::Refused(said) => self.refuse(Attempt::Write, &whole, why, said),
        }
    }

    /// Judges the removal, replacement or move of something that a command may add to but not take from.
    pub(super) fn judge_history(&self, real: &Path, is_folder: bool) -> Result<(), Errno> {
        match self.bounds.guard.history(real, is_folder).filter(|_| self.bounds.grants(real)) {
            Some(why) => self.refuse(Attempt::Write, real, why, None),
            None => Ok(()),
        }
    }

    fn program(&self) -> Option<PathBuf> {
        self.target.program().and_then(|program| real_path(&program)).ok()
    }

    /// Records a refusal, with the person's reason if there is one.
    fn refuse(
        &self,
        operation: Attempt,
        real: &Path,
        why: Phrase,
        said: Option<Phrase>,
    ) -> Result<(), Errno> {
        let why = match said {
            None => why,
            Some(said) if said.is_empty() => say::not_allowed(why),
            Some(said) => say::not_allowed_because(said, why),
        };
        self.refusals.add(Refused { operation, path: real.to_owned(), why });
        Err(Errno::ACCESS)
    }

    fn fate(&self, operation: Attempt, real: &Path, stat: Option<Stat>, is_outside: bool) -> Fate {
        let (at, is_relative) = self.names.get();
        let thread = self.target.thread();
        let attempted = Attempted {
            operation,
            real,
            identity: match operation {
                Attempt::Write => real.parent().and_then(|folder| rustix::fs::stat(folder).ok()),
                Attempt::Read | Attempt::Execute => stat,
            }
            .map(|stat| (stat.st_dev, stat.st_ino)),
            is_outside,
            program: &|| self.program(),
            is_walk: &|walks| walks.meets(at, is_relative, thread, real),
        };
        self.asking.fate(&*self.bounds.guard, &attempted)
    }

    /// Finds the file that a command would read if it could see more than its mounts: a regular file at this path in
    /// the whole file system.
    pub(super) fn find_outside(&self, at: At, path: &Path, flags: c_int) -> Option<OwnedFd> {
        let more = libc::O_CREAT | libc::O_TRUNC | libc::O_DIRECTORY | libc::O_NOFOLLOW;
        if flags & libc::O_ACCMODE != libc::O_RDONLY || flags & more != 0 {
            return None;
        }
        let whole = self.target.absolute(at, path).ok()?;
        if is_systems(&whole) && !self.bounds.guard.is_at_home(&whole) {
            return None;
        }
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let found = openat2(CWD, &whole, flags, Mode::empty(), ResolveFlags::NO_MAGICLINKS).ok()?;
        let real = real_path(&found).ok()?;
        let is_file = fstat(&found).is_ok_and(|stat| is_plain_file(&stat));
        (is_file && !self.bounds.grants(&real)).then_some(found)
    }

    /// Opens the file if a person allowed its path. Otherwise it appears not to exist.
    pub(super) fn open_outside(
        &self,
        found: &OwnedFd,
        flags: c_int,
        closes_on_exec: bool,
    ) -> Result<Done, Errno> {
        let real = real_path(found)?;
        match self.fate(Attempt::Read, &real, fstat(found).ok(), true) {
            Fate::Opened => Ok(Done::Opened { fd: reopen(found, flags, 0)?, closes_on_exec }),
            Fate::Refused(Some(said)) => {
                let _ = self.refuse(Attempt::Read, &real, say::outside_of_open(), Some(said));
                Err(Errno::NOENT)
            }
            Fate::Waits => Err(Errno::NOENT),
            Fate::Refused(None) => {
                self.name_secret(&real);
                Err(Errno::NOENT)
            }
        }
    }

    /// Records that a file outside of everything open was refused, if it is a secret. Programs look for many files that
    /// they do not need, but without its settings with logins a program does something else than in a terminal.
    fn name_secret(&self, real: &Path) {
        if let Some(why) = self.bounds.guard.secret(real) {
            self.refusals.add(Refused { operation: Attempt::Read, path: real.to_owned(), why });
        }
    }
}

/// Returns whether a path belongs to the system or to running programs. A command has private versions of some of these
/// folders.
fn is_systems(path: &Path) -> bool {
    ["/proc", "/sys", "/dev", "/tmp", "/var/tmp", "/run"].iter().any(|own| path.starts_with(own))
}

/// Returns whether this is a regular file with a single link.
fn is_plain_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_nlink == 1
}
