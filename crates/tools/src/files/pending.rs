//! A write that has not happened yet: the new content stands durable in a temporary file next to the target, and one
//! rename makes it real. Anyone who looks sees the old file or the new one, never a mixture.

use super::{FileError, Target, digest_of, leftover_name};
use deputy_messages::tools as say;
use deputy_protocol::{FileState, KeptFile};
use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, Stat, fchmod, fchown, fstat, fsync, openat, renameat, renameat_with,
    unlinkat,
};
use rustix::io::Errno;
use rustix::process::{Gid, Uid};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

/// A new content that waits for its rename. Dropped, it leaves nothing behind.
pub(crate) struct Pending {
    target: Target,
    temporary: Option<String>,
    after: KeptFile,
    replaced: Option<Stat>,
}

impl Target {
    /// Puts the content next to the target. The permissions of a file that is replaced are kept, unless `mode` says
    /// what they are to be.
    pub(crate) fn prepare(self, content: &[u8], mode: Option<u32>) -> Result<Pending, FileError> {
        let replaced = self.replaced()?;
        let mut after =
            digest_of(&mut &content[..]).map_err(|e| FileError::io(say::cannot_read, self.given(), e))?;
        let temporary = leftover_name(&self.name, &after.digest);
        // What an earlier try left over has the same name; it was never visible under the target's.
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
    /// What will be there.
    pub(crate) fn after(&self) -> FileState {
        FileState::File(self.after.clone())
    }

    /// Whether there is a file now.
    pub(crate) fn is_replacing(&self) -> bool {
        self.replaced.is_some()
    }

    /// Where.
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// Makes it real and durable. What is there must still be what was there when this was prepared: it was
    /// kept since, and anything newer would be lost.
    pub(crate) fn commit(mut self) -> Result<(), FileError> {
        let Some(temporary) = self.temporary.take() else { return Ok(()) };
        let folder = &self.target.folder;
        let renamed = self.check().and_then(|()| {
            let renamed = match self.replaced {
                Some(_) => renameat(folder, &temporary, folder, &self.target.name),
                None => rename_new(folder, &temporary, &self.target.name),
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

/// Never replaces anything, where the file system can promise that.
fn rename_new(folder: &OwnedFd, from: &str, to: &OsStr) -> Result<(), Errno> {
    match renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => renameat(folder, from, folder, to),
        renamed => renamed,
    }
}

impl Pending {
    /// Whether what is there is still what was there.
    fn check(&self) -> Result<(), FileError> {
        let identity =
            |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_ctime, stat.st_ctime_nsec, stat.st_size);
        let now = self.target.stat()?;
        if now.as_ref().map(identity) != self.replaced.as_ref().map(identity) {
            return Err(FileError::Changed { path: self.target.given() });
        }
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = unlinkat(&self.target.folder, temporary, AtFlags::empty());
        }
    }
}
