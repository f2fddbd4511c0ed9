//! Decides what a command may do with a path inside open folders.

use super::asking::{Reply, Wanted};
use super::programs::Programs;
use crate::outcome::Attempt;
use crate::view::{SYSTEM_FACTS, View, is_inside, private_settings};
use deputy_messages::Phrase;
use deputy_messages::sandbox as say;
use rustix::fs::{FileType, Stat, fstat};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Debug;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Decides by real path what in open folders is off limits for a command, whether or not the path exists.
pub trait Guard: Send + Sync + Debug {
    /// Returns why a path is a secret, which may be neither read nor changed. `None` if it is not.
    fn secret(&self, real: &Path) -> Option<Phrase>;

    /// Returns why a change of a path makes other programs run code. `None` if it does not.
    fn starts_programs(&self, real: &Path, is_folder: bool) -> Option<Phrase>;

    /// Returns why a change of a path, or of everything in it if `is_tree` is true, was refused before, and the path
    /// that was refused. `None` if it was not.
    fn refused(&self, real: &Path, is_tree: bool) -> Option<(Phrase, PathBuf)> {
        let _ = (real, is_tree);
        None
    }

    /// Returns why an existing path may not be removed, replaced or moved, though new ones may be made in its folder.
    /// `None` if it may. Nobody is asked about it during the command.
    fn history(&self, real: &Path, is_folder: bool) -> Option<Phrase> {
        let _ = (real, is_folder);
        None
    }

    /// Returns whether a path is in the person's home, wherever that is.
    fn is_at_home(&self, real: &Path) -> bool {
        let _ = real;
        false
    }

    /// Returns whether a person may be asked to allow a path that is refused. `is_outside` is whether it is outside of
    /// all open folders.
    fn may_ask(&self, operation: Attempt, real: &Path, is_outside: bool) -> bool {
        let _ = (operation, real, is_outside);
        false
    }

    /// Asks a person during the command, and returns at once. The call waits until the reply is given.
    fn ask(&self, wanted: Wanted, reply: Reply) {
        let _ = wanted;
        drop(reply);
    }
}

/// The restrictions of a command.
pub(crate) struct Bounds {
    pub(crate) guard: Arc<dyn Guard>,
    /// The granted folders. Other paths belong to the system or to the command itself, and mounts control access to
    /// them.
    pub(crate) granted: Vec<PathBuf>,
    /// The folder for temporary files, which belongs to the command even if it is inside a granted or hidden folder.
    pub(crate) scratch: Option<PathBuf>,
    /// What is open at all, if no mounts control that.
    pub(crate) fence: Option<Fence>,
    /// Paths that are hidden regardless of the guard.
    pub(crate) hidden: Vec<PathBuf>,
    /// Device and inode of each file that is known to be secret and may have other names.
    pub(crate) known_secrets: BTreeSet<(u64, u64)>,
    /// Device and inode of each file that is known to start programs.
    pub(crate) known_frozen: BTreeSet<(u64, u64)>,
    /// The programs whose purpose is to change what starts programs.
    pub(crate) configuring: Programs,
}

/// Secrets that the command itself has created, such as a key pair or a first `.env`. It already knows their content.
/// Each is kept open, so that its inode number cannot be reused.
#[derive(Default)]
pub(crate) struct Made(RefCell<BTreeMap<(u64, u64), OwnedFd>>);

impl Made {
    fn holds(&self, stat: &Stat) -> bool {
        self.0.borrow().contains_key(&(stat.st_dev, stat.st_ino))
    }

    pub(crate) fn add(&self, file: OwnedFd) {
        const MOST: usize = 256;
        let mut files = self.0.borrow_mut();
        if let Ok(stat) = fstat(&file)
            && files.len() < MOST
        {
            files.insert((stat.st_dev, stat.st_ino), file);
        }
    }
}

/// What Landlock grants a command. The warden is not confined by Landlock and must not open more on behalf of the
/// command.
pub(crate) struct Fence {
    view: View,
    private: Arc<[PathBuf]>,
    /// The command's private folder for temporary files.
    scratch: PathBuf,
    shared_memory: PathBuf,
}

impl Fence {
    pub(crate) fn new(view: &View, scratch: &Path) -> Self {
        let scratch = scratch.canonicalize().unwrap_or_else(|_| scratch.to_owned());
        let shared_memory = scratch.join(".shm");
        // Another command of the task may have created it. Without it, there is no shared memory.
        let _ = std::fs::DirBuilder::new().mode(0o700).create(&shared_memory);
        Self { view: view.clone(), private: private_settings(), scratch, shared_memory }
    }

    /// Returns the folder that replaces `/dev/shm`, which contains what other processes share.
    pub(crate) fn shared_memory(&self) -> &Path {
        &self.shared_memory
    }

    fn opens(&self, attempt: Attempt, real: &Path) -> bool {
        const READABLE: [&str; 4] = ["/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
        // Pipes, sockets and memory files that the process already has are in no folder.
        if !real.is_absolute() || real.as_os_str().as_bytes().starts_with(b"/memfd:") {
            return true;
        }
        if real.starts_with(&self.scratch) || is_inside(real, &self.view.writable) || real == "/dev/null" {
            return true;
        }
        let is_fact = || SYSTEM_FACTS.iter().any(|fact| real.starts_with(fact));
        let is_shown = || self.view.shows(real) && !is_inside(real, &self.private);
        attempt != Attempt::Write
            && (is_shown() || is_fact() || READABLE.iter().any(|device| real == *device))
    }
}

/// Returns the device and inode of each existing path.
pub(crate) fn identities<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> BTreeSet<(u64, u64)> {
    let meta = paths.into_iter().filter_map(|path| path.metadata().ok());
    meta.map(|meta| (meta.dev(), meta.ino())).collect()
}

/// Why an attempt is refused.
pub(crate) enum Stop {
    /// The path is outside of everything that is open.
    Outside,
    Guarded {
        why: Phrase,
        /// Whether the path alone identifies the file, so that a person could allow it by path.
        may_open: bool,
    },
}

impl Stop {
    /// Returns the same reason, but without the option to ask a person.
    fn forever(self) -> Self {
        match self {
            Self::Outside => Self::Outside,
            Self::Guarded { why, .. } => Self::Guarded { why, may_open: false },
        }
    }
}

/// A question about a path.
pub(crate) struct Question<'a> {
    pub(crate) attempt: Attempt,
    pub(crate) real: &'a Path,
    /// The metadata, if the path exists.
    pub(crate) stat: Option<Stat>,
    /// Whether the path is or will be a folder.
    pub(crate) is_folder: bool,
}

impl Bounds {
    /// Returns why an attempt is refused, if it is. `is_configuring` returns whether the program is one whose purpose
    /// is such a change.
    pub(crate) fn judge(
        &self,
        question: &Question<'_>,
        is_configuring: impl FnOnce() -> bool,
        made: &Made,
    ) -> Result<(), Stop> {
        if self.fence.as_ref().is_some_and(|fence| !fence.opens(question.attempt, question.real)) {
            return Err(Stop::Outside);
        }
        // The path of a deleted file is its former path with a suffix.
        if let Some(before) = without_mark(question.real) {
            let question = Question { real: before, stat: question.stat, ..*question };
            self.judge_name(&question, || false, made).map_err(Stop::forever)?;
        }
        self.judge_name(question, is_configuring, made)
    }

    fn judge_name(
        &self,
        question: &Question<'_>,
        is_configuring: impl FnOnce() -> bool,
        made: &Made,
    ) -> Result<(), Stop> {
        let real = question.real;
        if !self.grants(real) {
            return Ok(());
        }
        let file = question
            .stat
            .as_ref()
            .filter(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile);
        // A file with several hard links is not identified by its path.
        let is_plain = question.stat.is_none() || file.is_some_and(|stat| stat.st_nlink == 1);
        let refuse = |why: Phrase| Err(Stop::Guarded { why, may_open: is_plain });
        if self.is_hidden(real) {
            return refuse(say::out_of_reach());
        }
        let is_new = question.attempt == Attempt::Write && question.stat.is_none();
        if !is_new
            && let Some(why) = self.guard.secret(real)
            && !question.stat.is_some_and(|stat| made.holds(&stat))
        {
            return refuse(why);
        }
        let is_among =
            |known: &BTreeSet<_>| file.is_some_and(|stat| known.contains(&(stat.st_dev, stat.st_ino)));
        if is_among(&self.known_secrets) {
            return Err(Stop::Guarded { why: say::other_name_of_secret(), may_open: false });
        }
        if question.attempt == Attempt::Write {
            // A reused inode number may belong to a new file, so only files with several links are identified by
            // number.
            let is_another_name = file.is_some_and(|stat| stat.st_nlink > 1) && is_among(&self.known_frozen);
            let why = match self.guard.starts_programs(real, question.is_folder) {
                Some(why) => Some(Stop::Guarded { why, may_open: is_plain || question.is_folder }),
                None => {
                    is_another_name.then(|| Stop::Guarded { why: say::other_name_of_code(), may_open: false })
                }
            };
            if let Some(stop) = why
                && !is_configuring()
            {
                return Err(stop);
            }
        }
        Ok(())
    }

    /// Returns whether a path is inside a granted folder.
    pub(crate) fn grants(&self, real: &Path) -> bool {
        self.granted.iter().any(|folder| real.starts_with(folder))
            && !self.scratch.as_ref().is_some_and(|scratch| real.starts_with(scratch))
    }

    fn is_hidden(&self, real: &Path) -> bool {
        self.hidden.iter().any(|hidden| real.starts_with(hidden))
    }

    /// Returns whether a file created at this path would be a secret, made by the command itself.
    pub(crate) fn would_be_secret(&self, real: &Path) -> bool {
        self.grants(real) && self.guard.secret(real).is_some()
    }

    /// Returns whether a path is secret, and whether it starts programs. When a folder is moved, the result for its
    /// content must not change.
    pub(crate) fn standing(&self, real: &Path, is_folder: bool) -> (bool, bool) {
        if !self.grants(real) {
            return (false, false);
        }
        (
            self.is_hidden(real) || self.guard.secret(real).is_some(),
            self.guard.starts_programs(real, is_folder).is_some(),
        )
    }
}

/// Returns the path of a deleted file without the suffix.
fn without_mark(real: &Path) -> Option<&Path> {
    let bare = real.as_os_str().as_bytes().strip_suffix(b" (deleted)")?;
    Some(Path::new(OsStr::from_bytes(bare)))
}
