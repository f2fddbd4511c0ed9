//! Reads the first bytes of a file, from which its kind, its date and the digest of its beginning are determined.

use super::ScannedFile;
use super::dates::{DateSource, Dated, Subject};
use super::kind::{FileKind, kind_of};
use crate::disk::open_folder;
use crate::standing::{Kind, Moment, Standing};
use jiff::tz::TimeZone;
use rustix::fs::{self, AtFlags, Mode, OFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// The number of bytes to read from the beginning of a file. A file that is not longer can be compared without reading
/// it again.
pub(super) const HEAD: usize = 16 * 1024;

/// A sparse file whose blocks take less than this fraction (one in N) of its size is not read for comparison, because
/// its holes may be huge.
const SPARSE_SHARE: u64 = 4;

/// The kind of entry under a name in an open folder.
pub(super) enum Found {
    File(Box<ScannedFile>),
    Folder,
    Special,
}

/// Examines a name in an open folder. Does not follow links.
pub(super) fn look(
    folder: &OwnedFd,
    name: &OsStr,
    text: &str,
    zone: &TimeZone,
    head: &mut [u8; HEAD],
) -> Result<Found, std::io::Error> {
    let stat = fs::statat(folder.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW)?;
    let standing = Standing::of(&stat);
    let fingerprint = standing.fingerprint;
    match fingerprint.kind {
        Kind::Folder => return Ok(Found::Folder),
        Kind::Link | Kind::Special => return Ok(Found::Special),
        Kind::File => {}
    }
    let mut file = ScannedFile {
        folder: 0,
        name: text.into(),
        kind: FileKind::Other,
        dated: Dated { date: jiff::civil::Date::MIN, source: DateSource::File },
        is_busy: false,
        size_bytes: fingerprint.size_bytes,
        modified: fingerprint.modified,
        identity: (standing.device, fingerprint.inode.unwrap_or_default()),
        head: [0; 32],
        is_sparse: standing.blocks.saturating_mul(512).saturating_mul(SPARSE_SHARE) < fingerprint.size_bytes,
    };
    let opened = if file.size_bytes == 0 { None } else { Some(open(folder, name)?) };
    let filled = match &opened {
        Some(opened) => fill(opened, head)?,
        None => 0,
    };
    let head = &head[..filled];
    file.kind = kind_of(head, text);
    file.head = *blake3::hash(head).as_bytes();
    file.dated = subject(&file, opened.as_ref(), head, text).dated(zone);
    Ok(Found::File(Box::new(file)))
}

fn subject<'a>(file: &ScannedFile, opened: Option<&'a File>, head: &'a [u8], name: &'a str) -> Subject<'a> {
    let modified: Moment = file.modified;
    Subject { file: opened, head, name, kind: file.kind, size_bytes: file.size_bytes, modified }
}

/// Opens a file for reading by its absolute path. Does not follow links.
pub(crate) fn open_file(path: &Path) -> Result<File, std::io::Error> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(std::io::ErrorKind::InvalidInput.into());
    };
    open(&open_folder(folder, OFlags::RDONLY)?, name)
}

/// Opens a regular file for reading. If it was replaced by a link or a pipe, neither follows nor blocks.
fn open(folder: &OwnedFd, name: &OsStr) -> Result<File, std::io::Error> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(File::from(fs::openat(folder.as_fd(), name, flags, Mode::empty())?))
}

fn fill(mut file: &File, head: &mut [u8; HEAD]) -> Result<usize, std::io::Error> {
    let mut filled = 0;
    while filled < HEAD {
        match file.read(&mut head[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
