//! The disk operations of a job. None of them follows a link or overwrites anything.

use crate::standing::{Fingerprint, Kind, Moment, Standing};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use rustix::fs::{self, AtFlags, CWD, Mode, OFlags, RenameFlags, Timespec, Timestamps};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Why a disk operation failed.
#[derive(Debug, thiserror::Error)]
pub struct DiskError {
    /// The operation that was tried.
    pub action: DiskAction,
    /// The path that it was tried on.
    pub path: PathBuf,
    /// The reason for the failure.
    pub reason: Phrase,
}

/// An operation on a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskAction {
    /// Use the path.
    Use,
    /// Open the parent folder.
    OpenFolder,
    /// Find the parent folder.
    FindFolder,
    /// Read the metadata.
    LookAt,
    /// Read the content.
    Read,
    /// Create it.
    Create,
    /// Remove it.
    Remove,
    /// Move it.
    Move,
    /// Rename it.
    Rename,
    /// List the folder.
    List,
    /// Set the modification time.
    SetTime,
    /// Make the changes in the folder durable.
    Sync,
    /// Give the file a name.
    Name,
    /// Write the content.
    Write,
    /// Make the parent folder durable.
    SyncFolder,
    /// Make the content durable.
    SyncFile,
    /// Set the permissions.
    SetPermissions,
}

impl DiskError {
    pub(crate) fn new(action: DiskAction, path: &Path, source: impl Into<std::io::Error>) -> Self {
        Self::refused(action, path, source.into().to_string().into())
    }

    /// Creates an error with one of our own reasons.
    pub(crate) fn refused(action: DiskAction, path: &Path, reason: Phrase) -> Self {
        Self { action, path: path.to_owned(), reason }
    }

    /// Returns the message for people.
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

/// The result of a move that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The entry is at the destination.
    Done,
    /// The destination is taken. Nothing was changed.
    Taken,
    /// Source and destination are on different devices. Nothing was changed.
    Crossing,
}

/// A name in a folder that was opened without following any link.
pub(crate) struct Place {
    pub(crate) folder: OwnedFd,
    pub(crate) name: OsString,
    pub(crate) path: PathBuf,
}

impl Place {
    /// Opens the parent folder. `None` if it does not exist.
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

    /// Opens the parent folder, which must exist.
    pub(crate) fn at(path: &Path) -> Result<Self, DiskError> {
        Self::find(path)?.ok_or_else(|| DiskError::new(DiskAction::FindFolder, path, Errno::NOENT))
    }

    /// Returns the same folder with another name.
    pub(crate) fn beside(&self, name: &OsStr) -> Result<Self, DiskError> {
        let folder = self.folder.try_clone().map_err(|e| DiskError::new(DiskAction::Use, &self.path, e))?;
        Ok(Self { folder, name: name.to_owned(), path: self.path.with_file_name(name) })
    }

    /// Returns the current state of the entry. `None` if nothing exists.
    pub(crate) fn standing(&self) -> Result<Option<Standing>, DiskError> {
        match fs::statat(&self.folder, &*self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Standing::of(&stat))),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(error) => Err(DiskError::new(DiskAction::LookAt, &self.path, error)),
        }
    }

    /// Opens the existing file for reading.
    pub(crate) fn open(&self) -> Result<std::fs::File, DiskError> {
        // Without NONBLOCK, a pipe that replaced the file would block the job forever.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = fs::openat(&self.folder, &*self.name, flags, Mode::empty());
        file.map(Into::into).map_err(|e| DiskError::new(DiskAction::Read, &self.path, e))
    }

    /// Creates a new file that only its owner can read. `None` if the name is taken.
    pub(crate) fn create(&self) -> Result<Option<std::fs::File>, DiskError> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match fs::openat(&self.folder, &*self.name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => Ok(Some(file.into())),
            Err(Errno::EXIST) => Ok(None),
            Err(error) => Err(DiskError::new(DiskAction::Create, &self.path, error)),
        }
    }

    /// Creates a folder. Returns `false` if the name is taken.
    pub(crate) fn make_folder(&self) -> Result<bool, DiskError> {
        match fs::mkdirat(&self.folder, &*self.name, Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(DiskError::new(DiskAction::Create, &self.path, error)),
        }
    }

    /// Removes an empty folder. Returns `false` if it is not empty.
    pub(crate) fn remove_folder(&self) -> Result<bool, DiskError> {
        match fs::unlinkat(&self.folder, &*self.name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            Err(error) => Err(DiskError::new(DiskAction::Remove, &self.path, error)),
        }
    }

    /// Removes a file. Succeeds if the file does not exist.
    pub(crate) fn remove_file(&self) -> Result<(), DiskError> {
        match fs::unlinkat(&self.folder, &*self.name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            // A read-only file system returns this even if the file does not exist.
            Err(Errno::ROFS) if self.standing()?.is_none() => Ok(()),
            Err(error) => Err(DiskError::new(DiskAction::Remove, &self.path, error)),
        }
    }

    /// Removes a file if it still has this fingerprint.
    pub(crate) fn remove_if(&self, meant: &Fingerprint) -> Result<(), DiskError> {
        match self.standing()? {
            Some(found) if meant.is_same(&found.fingerprint) => self.remove_file(),
            _ => Ok(()),
        }
    }

    /// Moves the entry to `to` atomically, unless `to` is taken.
    pub(crate) fn move_to(&self, to: &Place) -> Result<Moved, DiskError> {
        let flags = RenameFlags::NOREPLACE;
        match fs::renameat_with(&self.folder, &*self.name, &to.folder, &*to.name, flags) {
            Ok(()) => Ok(Moved::Done),
            Err(Errno::XDEV) => Ok(Moved::Crossing),
            Err(Errno::EXIST) => self.change_case(to),
            // Some network file systems do not support a rename that refuses to replace.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => self.move_unguarded(to),
            Err(error) => Err(DiskError::new(DiskAction::Move, &self.path, error)),
        }
    }

    /// Renames an entry that is in its own way. On a case-insensitive file system, a new name that differs only in case
    /// appears to be taken by the entry itself.
    fn change_case(&self, to: &Place) -> Result<Moved, DiskError> {
        if !self.is_case_of(to)? || lists(to)? {
            return Ok(Moved::Taken);
        }
        let renamed = fs::renameat(&self.folder, &*self.name, &to.folder, &*to.name);
        renamed.map(|()| Moved::Done).map_err(|e| DiskError::new(DiskAction::Rename, &self.path, e))
    }

    /// Returns whether both names refer to the same entry of one folder and differ only in case.
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

    /// Moves an entry on file systems that cannot refuse to replace.
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
            // A folder can replace at most an empty folder, which must have been created just now.
            let renamed = fs::renameat(&self.folder, &*self.name, &to.folder, &*to.name);
            return renamed.map(|()| Moved::Done).or_else(fail);
        }
        // Creating a hard link never replaces a file.
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

/// Returns whether the folder lists exactly this name, not just an equivalent one.
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

/// Returns the state of a path. Does not follow any link.
pub fn standing(path: &Path) -> Result<Option<Standing>, DiskError> {
    match Place::find(path)? {
        Some(place) => place.standing(),
        None => Ok(None),
    }
}

/// Returns the modification time of a folder. `None` if there is no such folder.
pub(crate) fn folder_time(path: &Path) -> Option<Moment> {
    let standing = standing(path).ok()??;
    (standing.fingerprint.kind == Kind::Folder).then_some(standing.fingerprint.modified)
}

/// Sets the modification time of a folder. The access time is unchanged.
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

/// Makes the entries and times of these folders durable. Skips folders that no longer exist. Does not sync the whole
/// device, which may have much more to write.
pub(crate) fn sync<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Result<(), DiskError> {
    for folder in folders {
        let Ok(opened) = open_folder(folder, OFlags::RDONLY) else { continue };
        fs::fsync(&opened).map_err(|e| DiskError::new(DiskAction::Sync, folder, e))?;
    }
    Ok(())
}

/// Creates a folder that only its owner can access, with its parents, if it does not exist. The names of new folders
/// are durable when this returns, because otherwise their content could be lost with them.
///
/// # Errors
///
/// Returns the I/O error if a folder cannot be created or a parent cannot be made durable.
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

/// Makes everything on the device of a folder durable.
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

/// Returns whether inode numbers are permanent on this file system. FAT and network file systems assign new numbers at
/// each mount.
pub(crate) fn keeps_inodes(file: impl std::os::fd::AsFd) -> bool {
    #[cfg(target_os = "linux")]
    {
        /// FAT, exFAT, SMB 1 and 2, FUSE, with the values of the kernel's `magic.h`.
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

/// Opens a folder by its absolute path. Fails if any component is a link.
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
