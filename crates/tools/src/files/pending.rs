//! Atomic writes. The new content is written durably to a temporary file next to the target, and a rename puts it in
//! place. Readers see the old file or the new one, never a mixture.

use super::{FileError, Target, digest_of, leftover_name};
use deputy_messages::tools as say;
use deputy_protocol::{FileState, FileTime, KeptFile};
use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, Stat, Timespec, Timestamps, UTIME_OMIT, fchmod, fchown, fstat, fsync,
    openat, renameat, renameat_with, unlinkat, utimensat,
};
use rustix::io::Errno;
use rustix::process::{Gid, Uid};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

/// New content that waits for its rename. If dropped, the temporary file is removed.
pub(crate) struct Pending {
    target: Target,
    temporary: Option<String>,
    after: KeptFile,
    replaced: Option<Stat>,
}

impl Target {
    /// Writes the content to a temporary file next to the target. Preserves the permissions of a file that is replaced,
    /// unless `mode` is given.
    pub(crate) fn prepare(self, content: &[u8], mode: Option<u32>) -> Result<Pending, FileError> {
        let replaced = self.replaced()?;
        let mut after =
            digest_of(&mut &content[..]).map_err(|e| FileError::io(say::cannot_read, self.given(), e))?;
        let temporary = leftover_name(&self.name, &after.digest);
        // Remove the leftover of an earlier attempt, which has the same name. It was never visible under the target's
        // name.
        let _ = unlinkat(&self.folder, &temporary, AtFlags::empty());
        let mut pending = Pending { target: self, temporary: None, after: after.clone(), replaced };
        let folder = &pending.target.folder;
        let io = |e: std::io::Error| FileError::io(say::cannot_write, pending.target.given(), e);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle =
            openat(folder, &temporary, flags, Mode::from_raw_mode(0o666)).map_err(|e| io(e.into()))?;
        pending.temporary = Some(temporary);
        let io = |e: std::io::Error| FileError::io(say::cannot_write, pending.target.given(), e);
        let mut file = File::from(handle);
        file.write_all(content).map_err(io)?;
        let made = fstat(&file).map_err(|e| io(e.into()))?;
        if let Some(old) = replaced.filter(|old| (old.st_uid, old.st_gid) != (made.st_uid, made.st_gid)) {
            fchown(&file, Some(Uid::from_raw(old.st_uid)), Some(Gid::from_raw(old.st_gid)))
                .map_err(|e| FileError::io(say::cannot_keep_owner, pending.target.given(), e))?;
        }
        let mode = mode.or(replaced.map(|old| old.st_mode)).unwrap_or(made.st_mode) & 0o777;
        fchmod(&file, Mode::from_raw_mode(mode)).map_err(|e| io(e.into()))?;
        fsync(&file).map_err(|e| io(e.into()))?;
        after.mode = mode;
        pending.after = after;
        Ok(pending)
    }
}

impl Pending {
    /// Returns the state after the commit.
    pub(crate) fn after(&self) -> FileState {
        FileState::File(self.after.clone())
    }

    /// Returns whether an existing file is replaced.
    pub(crate) fn is_replacing(&self) -> bool {
        self.replaced.is_some()
    }

    /// Returns the permissions of the existing file that is replaced.
    pub(crate) fn replaced_mode(&self) -> Option<u32> {
        self.replaced.map(|old| old.st_mode & 0o777)
    }

    /// Sets when the new file was last modified. If that fails, it is modified now: the content is what matters.
    pub(crate) fn set_modified(&self, time: Option<FileTime>) {
        let (Some(time), Some(temporary)) = (time, &self.temporary) else { return };
        let modified = Timespec { tv_sec: time.secs, tv_nsec: time.nanos.into() };
        let omitted = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let times = Timestamps { last_access: omitted, last_modification: modified };
        let _ = utimensat(&self.target.folder, temporary.as_str(), &times, AtFlags::SYMLINK_NOFOLLOW);
    }

    /// Returns the target.
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// Puts the content in place durably.
    ///
    /// Fails if the existing file has changed since `prepare`: the earlier content was stored for undo, and anything
    /// newer would be lost.
    pub(crate) fn commit(mut self) -> Result<(), FileError> {
        let Some(temporary) = self.temporary.take() else { return Ok(()) };
        let folder = &self.target.folder;
        let renamed = self.target.check_unchanged(self.replaced.as_ref()).and_then(|()| {
            let renamed = match self.replaced {
                Some(_) => renameat(folder, &temporary, folder, &self.target.name),
                None => rename_new(folder, temporary.as_ref(), folder, &self.target.name),
            };
            renamed.map_err(|e| FileError::io(say::cannot_replace, self.target.given(), e))
        });
        if let Err(error) = renamed {
            let _ = unlinkat(folder, &temporary, AtFlags::empty());
            return Err(error);
        }
        self.target.sync_folder().map_err(|e| FileError::io(say::cannot_make_durable, self.target.given(), e))
    }
}

/// Renames without replacing an existing file, if the file system supports that.
pub(super) fn rename_new(
    from_folder: &OwnedFd,
    from: &OsStr,
    to_folder: &OwnedFd,
    to: &OsStr,
) -> Result<(), Errno> {
    match renameat_with(from_folder, from, to_folder, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => renameat(from_folder, from, to_folder, to),
        renamed => renamed,
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = unlinkat(&self.target.folder, temporary, AtFlags::empty());
        }
    }
}
