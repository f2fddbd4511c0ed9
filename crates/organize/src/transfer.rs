//! Copies a file so that the copy is proved equal before anything relies on it.

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

/// Why a file was not copied; what was there is as it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TransferError {
    /// The disk refused.
    Disk(#[from] DiskError),
    /// The copy could not be written down.
    Ledger(#[from] LedgerError),
    /// The source is not what it was.
    Changed(PathBuf),
    /// The copy reads back differently.
    Differs(PathBuf),
}

impl TransferError {
    /// What it says to people.
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

/// Writes down what a whole copy is recognized by, durable when it returns.
pub(crate) type WriteDown<'a> = dyn FnMut(Fingerprint) -> Result<(), LedgerError> + 'a;

/// Copies the file at `from` to `to` by way of `part`, a name next to `to` that is this job's own: content, time,
/// permissions, and as far as possible owner and attributes. The copy is durable, read back and written down before it
/// gets its name. Returns what it is recognized by, or `None` where something is at `to`.
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
            // What is left over is only a half copy; that it cannot be removed matters less than why.
            let _ = part.remove_file();
            other
        }
    }
}

/// Makes a whole copy under its first name.
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

/// Asks the kernel to read a file from the disk again, not from memory; where it cannot, reading shows less.
#[cfg(target_os = "linux")]
fn forget_pages(file: &File) {
    let _ = fs::fadvise(file, 0, None, fs::Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn forget_pages(_file: &File) {}

/// Makes durable which names a folder has.
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
    // A hole at the end is not written by seeking over it.
    target.set_len(length).map_err(|e| DiskError::new(DiskAction::Write, to, e))?;
    Ok(hasher.finalize())
}

/// Gives the copy what else belongs to the file.
fn dress(source: &File, from: &Path, target: &File, to: &Path) -> Result<(), DiskError> {
    let now = source.metadata().map_err(|e| DiskError::new(DiskAction::LookAt, from, e))?;
    let own = target.metadata().map_err(|e| DiskError::new(DiskAction::LookAt, to, e))?;
    if (now.uid(), now.gid()) != (own.uid(), own.gid()) {
        // Only the superuser may give files away; another owner's file is then the user's own.
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

/// Extended attributes, as far as the other file system takes them.
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
