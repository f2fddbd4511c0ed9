//! What a command may do with a path inside of what is open to it.

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

/// Says what in open folders is not for a command, by real paths, whether something exists there or not.
pub trait Guard: Send + Sync + Debug {
    /// Why a path holds a secret, which is neither read nor changed.
    fn secret(&self, real: &Path) -> Option<Phrase>;

    /// Why a change of a path makes other programs run code.
    fn starts_programs(&self, real: &Path, is_folder: bool) -> Option<Phrase>;

    /// Whether a person may be asked to open a path that is refused; `is_outside` says that it lies in no folder that is
    /// open.
    fn may_ask(&self, operation: Attempt, real: &Path, is_outside: bool) -> bool {
        let _ = (operation, real, is_outside);
        false
    }

    /// Asks a person, in the middle of the command; returns at once. The call waits until the reply is given.
    fn ask(&self, wanted: Wanted, reply: Reply) {
        let _ = wanted;
        drop(reply);
    }
}

/// The bounds of one command.
pub(crate) struct Bounds {
    pub(crate) guard: Arc<dyn Guard>,
    /// The folders that were granted. What lies elsewhere is the system's or the command's own, and mounts see to it.
    pub(crate) granted: Vec<PathBuf>,
    /// Those of them that it may change: a project's own secrets read as empty files, others not at all.
    pub(crate) projects: Vec<PathBuf>,
    /// What is open at all, where no mounts see to that.
    pub(crate) fence: Option<Fence>,
    /// Hidden whatever the guard says.
    pub(crate) hidden: Vec<PathBuf>,
    /// Device and inode of each file known to be secret, which may have other names.
    pub(crate) known_secrets: BTreeSet<(u64, u64)>,
    /// The same of files known to start programs.
    pub(crate) known_frozen: BTreeSet<(u64, u64)>,
    /// The programs whose purpose is to change what starts programs.
    pub(crate) configuring: Programs,
}

/// Secrets that the command has made itself, such as a key pair or a first `.env`: it knows what they hold. Each is kept
/// open, so that its number cannot become another file's.
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

/// What Landlock grants a command: the warden, which is not held by it, must not open more in its place.
pub(crate) struct Fence {
    view: View,
    private: Arc<[PathBuf]>,
    /// The command's own folder for temporary files.
    scratch: PathBuf,
    shared_memory: PathBuf,
}

impl Fence {
    pub(crate) fn new(view: &View, scratch: &Path) -> Self {
        let scratch = scratch.canonicalize().unwrap_or_else(|_| scratch.to_owned());
        let shared_memory = scratch.join(".shm");
        // Another command of the task may have made it; without it there is no shared memory.
        let _ = std::fs::DirBuilder::new().mode(0o700).create(&shared_memory);
        Self { view: view.clone(), private: private_settings(), scratch, shared_memory }
    }

    /// The folder that replaces `/dev/shm`, which holds what others share.
    pub(crate) fn shared_memory(&self) -> &Path {
        &self.shared_memory
    }

    fn opens(&self, attempt: Attempt, real: &Path) -> bool {
        const READABLE: [&str; 4] = ["/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
        // Pipes, sockets and memory that the process has already lie nowhere.
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

/// Device and inode of what is at paths.
pub(crate) fn identities<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> BTreeSet<(u64, u64)> {
    let meta = paths.into_iter().filter_map(|path| path.metadata().ok());
    meta.map(|meta| (meta.dev(), meta.ino())).collect()
}

/// Why an attempt is refused.
pub(crate) enum Stop {
    /// It lies in nothing that is open.
    Outside,
    Guarded {
        why: Phrase,
        /// Whether the path alone says what it is, so that a person could open it by its path.
        may_open: bool,
    },
}

impl Stop {
    /// The same, whatever a person says.
    fn forever(self) -> Self {
        match self {
            Self::Outside => Self::Outside,
            Self::Guarded { why, .. } => Self::Guarded { why, may_open: false },
        }
    }
}

/// What is asked about a path.
pub(crate) struct Question<'a> {
    pub(crate) attempt: Attempt,
    pub(crate) real: &'a Path,
    /// Of what is there, if anything is.
    pub(crate) stat: Option<Stat>,
    /// Whether it is, or becomes, a folder.
    pub(crate) is_folder: bool,
}

impl Bounds {
    /// Why an attempt is refused, if it is; `is_configuring` says whether the program that makes it is one of those whose
    /// purpose is such a change.
    pub(crate) fn judge(
        &self,
        question: &Question<'_>,
        is_configuring: impl FnOnce() -> bool,
        made: &Made,
    ) -> Result<(), Stop> {
        if self.fence.as_ref().is_some_and(|fence| !fence.opens(question.attempt, question.real)) {
            return Err(Stop::Outside);
        }
        // The path of what has lost its name is the one that it had, with a mark behind it.
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
        // What has a second name is known by neither.
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
            // A number that is free again may be a new file's: only a file with a second name is looked at by number.
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

    /// Whether a path lies in a folder that was granted.
    pub(crate) fn grants(&self, real: &Path) -> bool {
        self.granted.iter().any(|folder| real.starts_with(folder))
    }

    fn is_hidden(&self, real: &Path) -> bool {
        self.hidden.iter().any(|hidden| real.starts_with(hidden))
    }

    /// Whether what is made at a path is a secret from then on, of the command's own making.
    pub(crate) fn would_be_secret(&self, real: &Path) -> bool {
        self.grants(real) && self.guard.secret(real).is_some()
    }

    /// Whether a path is guarded in one way or the other: what a folder holds must be that at its new place if it was
    /// at its old one, and must not become it.
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

/// The path before the mark of something that has lost its name.
fn without_mark(real: &Path) -> Option<&Path> {
    let bare = real.as_os_str().as_bytes().strip_suffix(b" (deleted)")?;
    Some(Path::new(OsStr::from_bytes(bare)))
}
