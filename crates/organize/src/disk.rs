//! The few things a job does to the disk, each so that no link is followed and nothing is ever overwritten.

use crate::standing::{Fingerprint, Kind, Moment, Standing};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use rustix::fs::{self, AtFlags, CWD, Mode, OFlags, RenameFlags, Timespec, Timestamps};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Why something could not be done to the disk.
#[derive(Debug, thiserror::Error)]
pub struct DiskError {
    /// What was tried.
    pub action: DiskAction,
    /// On what.
    pub path: PathBuf,
    /// Why it failed.
    pub reason: Phrase,
}

/// What was tried on a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskAction {
    /// Use it as it is.
    Use,
    /// Open the folder that it is in.
    OpenFolder,
    /// Find the folder that it is in.
    FindFolder,
    /// See what is there.
    LookAt,
    /// Read it.
    Read,
    /// Create it.
    Create,
    /// Remove it.
    Remove,
    /// Move it.
    Move,
    /// Rename it.
    Rename,
    /// List what is in it.
    List,
    /// Set when it changed.
    SetTime,
    /// Make the changes in it durable.
    Sync,
    /// Give it a name.
    Name,
    /// Write it.
    Write,
    /// Make the folder that it is in durable.
    SyncFolder,
    /// Make it durable.
    SyncFile,
    /// Set its permissions.
    SetPermissions,
}

impl DiskError {
    pub(crate) fn new(action: DiskAction, path: &Path, source: impl Into<std::io::Error>) -> Self {
        Self::refused(action, path, source.into().to_string().into())
    }

    /// For a reason of ours.
    pub(crate) fn refused(action: DiskAction, path: &Path, reason: Phrase) -> Self {
        Self { action, path: path.to_owned(), reason }
    }

    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        let (path, source) = (self.path.display(), self.reason.clone());
        match self.action {
            DiskAction::Use => say::cannot_use(path, source),
            DiskAction::OpenFolder => say::cannot_open_the_folder_of(path, source),
            DiskAction::FindFolder => say::cannot_find_the_folder_of(path, source),
            DiskAction::LookAt => say::cannot_look_at(path, source),
            DiskAction::Read => say::cannot_read(path, source),
            DiskAction::Create => say::cannot_create(path, source),
            DiskAction::Remove => say::cannot_remove(path, source),
            DiskAction::Move => say::cannot_move(path, source),
            DiskAction::Rename => say::cannot_rename(path, source),
            DiskAction::List => say::cannot_list(path, source),
            DiskAction::SetTime => say::cannot_set_the_time_of(path, source),
            DiskAction::Sync => say::cannot_sync(path, source),
            DiskAction::Name => say::cannot_name(path, source),
            DiskAction::Write => say::cannot_write(path, source),
            DiskAction::SyncFolder => say::cannot_sync_folder(path, source),
            DiskAction::SyncFile => say::cannot_sync_file(path, source),
            DiskAction::SetPermissions => say::cannot_set_permissions(path, source),
        }
    }
}

deputy_messages::said_by_phrase!(DiskError);

/// How a move ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// It is at the destination.
    Done,
    /// Something is at the destination; nothing was changed.
    Taken,
    /// Source and destination are on different devices; nothing was changed.
    Crossing,
}

/// A name in a folder that was opened without following any link.
pub(crate) struct Place {
    pub(crate) folder: OwnedFd,
    pub(crate) name: OsString,
    pub(crate) path: PathBuf,
}

impl Place {
    /// Opens the folder above; `None` when there is none.
    pub(crate) fn find(path: &Path) -> Result<Option<Self>, DiskError> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(DiskError::new(DiskAction::Use, path, Errno::INVAL));
        };
        match open_folder(parent, OFlags::PATH) {
            Ok(folder) => Ok(Some(Self { folder, name: name.to_owned(), path: path.to_owned() })),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(Errno::LOOP) => Err(DiskError::refused(DiskAction::Use, path, say::folder_is_a_link())),
            Err(error) => Err(DiskError::new(DiskAction::OpenFolder, path, error)),
        }
    }

    /// Opens the folder above, which must be there.
    pub(crate) fn at(path: &Path) -> Result<Self, DiskError> {
        Self::find(path)?.ok_or_else(|| DiskError::new(DiskAction::FindFolder, path, Errno::NOENT))
    }

    /// The same folder with another name.
    pub(crate) fn beside(&self, name: &OsStr) -> Result<Self, DiskError> {
        let folder = self.folder.try_clone().map_err(|e| DiskError::new(DiskAction::Use, &self.path, e))?;
        Ok(Self { folder, name: name.to_owned(), path: self.path.with_file_name(name) })
    }

    /// What is there.
    pub(crate) fn standing(&self) -> Result<Option<Standing>, DiskError> {
        match fs::statat(&self.folder, &*self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Standing::of(&stat))),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(error) => Err(DiskError::new(DiskAction::LookAt, &self.path, error)),
        }
    }

    /// Opens the file that is there for reading.
    pub(crate) fn open(&self) -> Result<std::fs::File, DiskError> {
        // Without NONBLOCK, a pipe that took the file's place would hold the job for ever.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = fs::openat(&self.folder, &*self.name, flags, Mode::empty());
        file.map(Into::into).map_err(|e| DiskError::new(DiskAction::Read, &self.path, e))
    }

    /// Makes a file that is not there yet, readable by its owner alone.
    pub(crate) fn create(&self) -> Result<Option<std::fs::File>, DiskError> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match fs::openat(&self.folder, &*self.name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => Ok(Some(file.into())),
            Err(Errno::EXIST) => Ok(None),
            Err(error) => Err(DiskError::new(DiskAction::Create, &self.path, error)),
        }
    }

    /// Makes a folder; false when something is there already.
    pub(crate) fn make_folder(&self) -> Result<bool, DiskError> {
        match fs::mkdirat(&self.folder, &*self.name, Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(DiskError::new(DiskAction::Create, &self.path, error)),
        }
    }

    /// Removes an empty folder; false when it is not empty.
    pub(crate) fn remove_folder(&self) -> Result<bool, DiskError> {
        match fs::unlinkat(&self.folder, &*self.name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            Err(error) => Err(DiskError::new(DiskAction::Remove, &self.path, error)),
        }
    }

    /// Removes a file; one that is not there is removed.
    pub(crate) fn remove_file(&self) -> Result<(), DiskError> {
        match fs::unlinkat(&self.folder, &*self.name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            // A read-only file system says so before it looks, also of what is not there.
            Err(Errno::ROFS) if self.standing()?.is_none() => Ok(()),
            Err(error) => Err(DiskError::new(DiskAction::Remove, &self.path, error)),
        }
    }

    /// Removes a file if it is the one that is meant, and unchanged.
    pub(crate) fn remove_if(&self, meant: &Fingerprint) -> Result<(), DiskError> {
        match self.standing()? {
            Some(found) if meant.is_same(&found.fingerprint) => self.remove_file(),
            _ => Ok(()),
        }
    }

    /// Moves what is here to `to`, in one step, unless something is there.
    pub(crate) fn move_to(&self, to: &Place) -> Result<Moved, DiskError> {
        let flags = RenameFlags::NOREPLACE;
        match fs::renameat_with(&self.folder, &*self.name, &to.folder, &*to.name, flags) {
            Ok(()) => Ok(Moved::Done),
            Err(Errno::XDEV) => Ok(Moved::Crossing),
            Err(Errno::EXIST) => self.change_case(to),
            // Some network file systems do not know how to refuse.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => self.move_unguarded(to),
            Err(error) => Err(DiskError::new(DiskAction::Move, &self.path, error)),
        }
    }

    /// Where case does not count, the new name "is taken" by the very thing that is to get it.
    fn change_case(&self, to: &Place) -> Result<Moved, DiskError> {
        if !self.is_case_of(to)? || lists(to)? {
            return Ok(Moved::Taken);
        }
        let renamed = fs::renameat(&self.folder, &*self.name, &to.folder, &*to.name);
        renamed.map(|()| Moved::Done).map_err(|e| DiskError::new(DiskAction::Rename, &self.path, e))
    }

    /// Whether both names lead to one thing in one folder and differ in case alone.
    pub(crate) fn is_case_of(&self, to: &Place) -> Result<bool, DiskError> {
        if self.path.parent() != to.path.parent() || self.name == to.name {
            return Ok(false);
        }
        let same_fold = match (self.name.to_str(), to.name.to_str()) {
            (Some(one), Some(other)) => crate::names::fold(one) == crate::names::fold(other),
            _ => false,
        };
        let inode = |standing: Option<Standing>| standing.and_then(|standing| standing.fingerprint.inode);
        Ok(same_fold && inode(self.standing()?) == inode(to.standing()?))
    }

    /// Moves where the file system cannot refuse to replace.
    fn move_unguarded(&self, to: &Place) -> Result<Moved, DiskError> {
        let fail = |error: Errno| match error {
            Errno::XDEV => Ok(Moved::Crossing),
            Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR => Ok(Moved::Taken),
            error => Err(DiskError::new(DiskAction::Move, &self.path, error)),
        };
        if self.standing()?.is_some_and(|standing| standing.fingerprint.kind == Kind::Folder) {
            if to.standing()?.is_some() {
                return self.change_case(to);
            }
            // At worst an empty folder that came this moment is replaced: a folder replaces nothing else.
            let renamed = fs::renameat(&self.folder, &*self.name, &to.folder, &*to.name);
            return renamed.map(|()| Moved::Done).or_else(fail);
        }
        // A second name for a file never replaces one.
        match fs::linkat(&self.folder, &*self.name, &to.folder, &*to.name, AtFlags::empty()) {
            Ok(()) => {
                if let Err(error) = self.remove_file() {
                    to.remove_file()?;
                    return Err(error);
                }
                Ok(Moved::Done)
            }
            Err(Errno::EXIST) => self.change_case(to),
            Err(error) => fail(error),
        }
    }
}

/// Whether the folder has exactly this name, and not only one that counts as the same.
pub(crate) fn lists(place: &Place) -> Result<bool, DiskError> {
    let folder = place.path.parent().unwrap_or(Path::new("/"));
    let entries = std::fs::read_dir(folder).map_err(|e| DiskError::new(DiskAction::List, folder, e))?;
    for entry in entries {
        if entry.map_err(|e| DiskError::new(DiskAction::List, folder, e))?.file_name() == place.name {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is at a path, no link followed on the way or at its end.
pub fn standing(path: &Path) -> Result<Option<Standing>, DiskError> {
    match Place::find(path)? {
        Some(place) => place.standing(),
        None => Ok(None),
    }
}

/// When a folder last changed; `None` when there is no such folder.
pub(crate) fn folder_time(path: &Path) -> Option<Moment> {
    let standing = standing(path).ok()??;
    (standing.fingerprint.kind == Kind::Folder).then_some(standing.fingerprint.modified)
}

/// Sets when a folder last changed, and leaves when it was last read alone.
pub(crate) fn set_folder_time(path: &Path, moment: Moment) -> Result<(), DiskError> {
    let place = Place::at(path)?;
    let times = times(Timespec { tv_sec: 0, tv_nsec: fs::UTIME_OMIT as _ }, moment);
    fs::utimensat(&place.folder, &*place.name, &times, AtFlags::SYMLINK_NOFOLLOW)
        .map_err(|e| DiskError::new(DiskAction::SetTime, path, e))
}

pub(crate) fn times(last_access: Timespec, modified: Moment) -> Timestamps {
    let last_modification = Timespec { tv_sec: modified.secs as _, tv_nsec: modified.nanos as _ };
    Timestamps { last_access, last_modification }
}

/// Makes durable which names these folders have, and their times; those that are gone are left out. Not the whole
/// device: it may have far more to write than is ours.
pub(crate) fn sync<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Result<(), DiskError> {
    for folder in folders {
        let Ok(opened) = open_folder(folder, OFlags::RDONLY) else { continue };
        fs::fsync(&opened).map_err(|e| DiskError::new(DiskAction::Sync, folder, e))?;
    }
    Ok(())
}

/// Makes a folder that only its owner can use, with its parents, unless it is there. Durable when this returns: a
/// folder whose name is lost takes all that was made durable in it.
///
/// # Errors
/// When it cannot be made, or a folder above it cannot be made durable.
pub fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let missing: Vec<&Path> = folder.ancestors().take_while(|above| !above.exists()).collect();
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    for above in missing.iter().filter_map(|made| made.parent()) {
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        std::fs::File::open(above)?.sync_all()?;
    }
    Ok(())
}

/// Makes durable everything on the device of a folder.
pub(crate) fn sync_device_of(folder: &Path) -> Result<(), DiskError> {
    let Ok(opened) = open_folder(folder, OFlags::RDONLY) else { return Ok(()) };
    #[cfg(target_os = "linux")]
    return fs::syncfs(&opened).map_err(|e| DiskError::new(DiskAction::Sync, folder, e));
    #[cfg(not(target_os = "linux"))]
    {
        fs::sync();
        Ok(())
    }
}

/// Whether a thing keeps its inode for good where this stands. FAT and what is reached over a network make the numbers
/// up, anew each time it is mounted.
pub(crate) fn keeps_inodes(file: impl std::os::fd::AsFd) -> bool {
    #[cfg(target_os = "linux")]
    {
        /// FAT, exFAT, SMB 1 and 2, FUSE; from the kernel's `magic.h`.
        const MADE_UP: [u32; 5] = [0x4d44, 0x2011_bab0, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546];
        #[allow(clippy::unnecessary_cast, reason = "the width differs from system to system")]
        let kind = fs::fstatfs(file).map(|found| found.f_type as u32);
        kind.is_ok_and(|kind| !MADE_UP.contains(&kind))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
        true
    }
}

/// Opens a folder by its absolute path, refusing links all the way.
pub(crate) fn open_folder(path: &Path, access: OFlags) -> Result<OwnedFd, Errno> {
    let flags = access | OFlags::DIRECTORY | OFlags::CLOEXEC;
    #[cfg(target_os = "linux")]
    {
        let strict = fs::ResolveFlags::NO_SYMLINKS | fs::ResolveFlags::NO_MAGICLINKS;
        match fs::openat2(CWD, path, flags, Mode::empty(), strict) {
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return opened,
        }
    }
    let mut folder = fs::openat(CWD, "/", flags, Mode::empty())?;
    for part in path.components() {
        if let std::path::Component::Normal(name) = part {
            folder = fs::openat(&folder, name, flags | OFlags::NOFOLLOW, Mode::empty())?;
        }
    }
    Ok(folder)
}
