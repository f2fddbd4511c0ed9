//! Copies a file and verifies that the copy is equal before anything relies on it.

use crate::disk::{DiskAction, DiskError, Moved, Place, keeps_inodes, times};
use crate::ledger::LedgerError;
use crate::standing::{Fingerprint, Kind, Standing};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use rustix::fs::{self, Mode, OFlags, Timespec, XattrFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const CHUNK: usize = 256 * 1024;

/// Why a file was not copied. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TransferError {
    /// A disk operation failed.
    Disk(#[from] DiskError),
    /// The copy could not be recorded.
    Ledger(#[from] LedgerError),
    /// The source has changed.
    Changed(PathBuf),
    /// The copy reads back differently.
    Differs(PathBuf),
}

impl TransferError {
    /// Returns the message for people.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::Disk(error) => error.phrase(),
            Self::Ledger(error) => error.phrase(),
            Self::Changed(path) => say::source_changed(path.display()),
            Self::Differs(path) => say::copy_differs(path.display()),
        }
    }
}

deputy_messages::said_by_phrase!(TransferError);

/// Records the fingerprint of a complete copy. Durable when this returns.
pub(crate) type WriteDown<'a> = dyn FnMut(Fingerprint) -> Result<(), LedgerError> + 'a;

/// Copies the file at `from` to `to` through `part`, a temporary name next to `to` that only this job uses.
///
/// Copies the content, time and permissions, and as far as possible the owner and attributes. The copy is durable,
/// verified and recorded before it gets its final name. Returns the fingerprint of the copy, or `None` if `to` is
/// taken.
pub(crate) fn copy(
    from: &Place,
    to: &Place,
    part: &Place,
    expects: &Fingerprint,
    write_down: &mut WriteDown<'_>,
) -> Result<Option<Fingerprint>, TransferError> {
    part.remove_file()?;
    let named = make_part(from, part, expects).and_then(|copy| {
        write_down(copy)?;
        Ok((part.move_to(to)? == Moved::Done).then_some(copy))
    });
    match named {
        Ok(Some(copy)) => {
            if let Err(error) = sync_folder(to) {
                to.remove_if(&copy)?;
                return Err(error.into());
            }
            Ok(Some(copy))
        }
        other => {
            // Only an incomplete copy is left. The original error matters more than a failure to remove it.
            let _ = part.remove_file();
            other
        }
    }
}

/// Makes a complete copy under its temporary name.
fn make_part(from: &Place, part: &Place, expects: &Fingerprint) -> Result<Fingerprint, TransferError> {
    let mut source = from.open()?;
    let before = standing_of(&source, &from.path)?;
    if before.fingerprint.kind != Kind::File || !expects.is_same(&before.fingerprint) {
        return Err(TransferError::Changed(from.path.clone()));
    }
    let Some(mut target) = part.create()? else {
        return Err(DiskError::new(DiskAction::Create, &part.path, Errno::EXIST).into());
    };
    let is_sparse = before.blocks * 512 < before.fingerprint.size_bytes;
    let digest = pour(&mut source, &from.path, &mut target, &part.path, is_sparse)?;
    if standing_of(&source, &from.path)? != before {
        return Err(TransferError::Changed(from.path.clone()));
    }
    dress(&source, &from.path, &target, &part.path)?;
    target.sync_all().map_err(|e| DiskError::new(DiskAction::SyncFile, &part.path, e))?;
    forget_pages(&target);
    target.seek(SeekFrom::Start(0)).map_err(|e| DiskError::new(DiskAction::Read, &part.path, e))?;
    if digest_of(&mut target, &part.path)? != digest {
        return Err(TransferError::Differs(from.path.clone()));
    }
    let copy = standing_of(&target, &part.path)?.fingerprint;
    Ok(if keeps_inodes(&target) { copy } else { copy.copied() })
}

/// Asks the kernel to drop the file from the page cache, so that it is read from the disk again. If that fails, the
/// verification is weaker.
#[cfg(target_os = "linux")]
fn forget_pages(file: &File) {
    let _ = fs::fadvise(file, 0, None, fs::Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn forget_pages(_file: &File) {}

/// Makes the entries of a folder durable.
pub(crate) fn sync_folder(place: &Place) -> Result<(), DiskError> {
    let opened = fs::openat(&place.folder, ".", OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty());
    opened
        .and_then(|folder| fs::fsync(&folder))
        .map_err(|e| DiskError::new(DiskAction::SyncFolder, &place.path, e))
}

fn standing_of(file: &File, path: &Path) -> Result<Standing, DiskError> {
    let stat = fs::fstat(file).map_err(|e| DiskError::new(DiskAction::LookAt, path, e))?;
    Ok(Standing::of(&stat))
}

fn digest_of(file: &mut File, path: &Path) -> Result<blake3::Hash, DiskError> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).map_err(|e| DiskError::new(DiskAction::Read, path, e))?;
    Ok(hasher.finalize())
}

fn pour(
    source: &mut File,
    from: &Path,
    target: &mut File,
    to: &Path,
    sparse: bool,
) -> Result<blake3::Hash, DiskError> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; CHUNK];
    let mut length = 0;
    loop {
        let count = source.read(&mut buffer).map_err(|e| DiskError::new(DiskAction::Read, from, e))?;
        if count == 0 {
            break;
        }
        let bytes = &buffer[..count];
        hasher.update(bytes);
        length += count as u64;
        let written = if sparse && bytes.iter().all(|byte| *byte == 0) {
            target.seek(SeekFrom::Start(length)).map(|_| ())
        } else {
            target.write_all(bytes)
        };
        written.map_err(|e| DiskError::new(DiskAction::Write, to, e))?;
    }
    // Seeking over a hole at the end does not write it.
    target.set_len(length).map_err(|e| DiskError::new(DiskAction::Write, to, e))?;
    Ok(hasher.finalize())
}

/// Copies the metadata of the file.
fn dress(source: &File, from: &Path, target: &File, to: &Path) -> Result<(), DiskError> {
    let now = source.metadata().map_err(|e| DiskError::new(DiskAction::LookAt, from, e))?;
    let own = target.metadata().map_err(|e| DiskError::new(DiskAction::LookAt, to, e))?;
    if (now.uid(), now.gid()) != (own.uid(), own.gid()) {
        // Only the superuser may change the owner. Otherwise the copy belongs to the user.
        let (uid, gid) = (fs::Uid::from_raw(now.uid()), fs::Gid::from_raw(now.gid()));
        let _ = fs::fchown(target, Some(uid), Some(gid));
    }
    copy_attributes(source, target);
    #[allow(clippy::unnecessary_cast, reason = "the width differs from system to system")]
    let mode = Mode::from_raw_mode((now.mode() & 0o7777) as _);
    fs::fchmod(target, mode).map_err(|e| DiskError::new(DiskAction::SetPermissions, to, e))?;
    let modified = standing_of(source, from)?.fingerprint.modified;
    let accessed = Timespec { tv_sec: now.atime() as _, tv_nsec: now.atime_nsec() as _ };
    fs::futimens(target, &times(accessed, modified)).map_err(|e| DiskError::new(DiskAction::SetTime, to, e))
}

/// Copies extended attributes, as far as the other file system supports them.
fn copy_attributes(source: &File, target: &File) {
    let mut names = vec![0_u8; 64 * 1024];
    let Ok(length) = fs::flistxattr(source, &mut names[..]) else { return };
    let mut value = vec![0_u8; 64 * 1024];
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        if let Ok(size) = fs::fgetxattr(source, name, &mut value[..]) {
            let _ = fs::fsetxattr(target, name, &value[..size], XattrFlags::empty());
        }
    }
}
