//! Reads the entries of an archive one after another, in any supported format.

use super::ArchiveError;
use crate::budget::Budget;
use crate::text::{own_error, shown};
use deputy_messages::Phrase;
use deputy_messages::archive as say;
use flate2::read::MultiGzDecoder;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Component, Path, PathBuf};

/// The maximum number of entries in an archive.
pub(super) const MOST_ENTRIES: usize = 10_000;

/// Archive formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Zip,
    Tar,
    TarGz,
}

impl Format {
    /// Returns the format for a file name, by its extension.
    pub(super) fn of(name: &str) -> Result<Self, Phrase> {
        let lower = name.to_lowercase();
        match () {
            () if lower.ends_with(".zip") => Ok(Self::Zip),
            () if lower.ends_with(".tar") => Ok(Self::Tar),
            () if lower.ends_with(".tar.gz") || lower.ends_with(".tgz") => Ok(Self::TarGz),
            () => Err(say::expected_name()),
        }
    }

    /// Returns the format of a file, by its first bytes.
    fn by_content(file: &File) -> io::Result<Self> {
        use std::os::unix::fs::FileExt;
        let mut head = [0; 265];
        let read = file.read_at(&mut head, 0)?;
        Ok(match &head[..read] {
            head if head.starts_with(b"PK") => Self::Zip,
            head if head.starts_with(b"\x1f\x8b") => Self::TarGz,
            head if head.get(257..262) == Some(b"ustar") => Self::Tar,
            _ => return Err(own_error(say::of_none())),
        })
    }
}

/// Kinds of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    Special,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Folder => "folder",
            Self::Link => "link",
            Self::Special => "special",
        }
    }
}

/// An entry as the archive describes it.
pub(super) struct Entry {
    /// The path in the archive.
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The unpacked size that the archive claims, in bytes.
    pub(super) bytes: u64,
    /// The modification time, formatted as `2026-01-31T14:05:06`.
    pub(super) changed: Option<String>,
}

impl Entry {
    /// Returns the path below the target.
    ///
    /// # Errors
    ///
    /// The reason why the path is refused, e.g. because it leads outside of the target.
    pub(super) fn below(&self) -> Result<PathBuf, Phrase> {
        // Other systems separate folders with `\`. Here it would be part of a name and hide the folders of such an
        // archive.
        if self.name.contains('\\') || self.name.contains('\0') {
            return Err(say::odd_name());
        }
        let mut below = PathBuf::new();
        for part in Path::new(&self.name).components() {
            match part {
                Component::Normal(part) => below.push(part),
                Component::CurDir => {}
                _ => return Err(say::leads_out()),
            }
        }
        Ok(below)
    }
}

type Visit<'a> = dyn FnMut(&Entry, &mut dyn Read) -> Result<(), ArchiveError> + 'a;

/// Calls `visit` for each entry of an archive with its content, which may be left unread.
pub(super) fn each(
    given: &str,
    file: &File,
    budget: &Budget,
    visit: &mut Visit<'_>,
) -> Result<(), ArchiveError> {
    let unreadable = |source| ArchiveError::Unreadable { path: shown(given.as_ref()), source };
    let name = OsStr::new(given);
    let mut own = file.try_clone().map_err(unreadable)?;
    own.rewind().map_err(unreadable)?;
    match Format::by_content(file).map_err(unreadable)? {
        Format::Zip => zip_entries(given, file, budget, visit),
        Format::Tar => tar_entries(given, budget.read(BufReader::new(own), name), budget, visit),
        Format::TarGz => {
            let unpacked = MultiGzDecoder::new(BufReader::new(own));
            tar_entries(given, budget.read(unpacked, name), budget, visit)
        }
    }
}

fn zip_entries(given: &str, file: &File, budget: &Budget, visit: &mut Visit<'_>) -> Result<(), ArchiveError> {
    let unreadable = |source: io::Error| ArchiveError::Unreadable { path: shown(given.as_ref()), source };
    let mut archive =
        deputy_organize::open_archive(file).ok_or_else(|| unreadable(own_error(say::damaged())))?;
    for index in 0..archive.len() {
        if budget.is_over() {
            break;
        }
        let mut part = archive.by_index(index).map_err(|error| unreadable(io::Error::other(error)))?;
        let name = part.name().map_err(|error| unreadable(io::Error::other(error)))?.into_owned();
        let kind = match () {
            () if part.is_symlink() => Kind::Link,
            () if part.is_dir() => Kind::Folder,
            () => Kind::File,
        };
        let changed = part.last_modified().map(|at| {
            let (hour, minute, second) = (at.hour(), at.minute(), at.second());
            format!("{:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}", at.year(), at.month(), at.day())
        });
        let entry = Entry { name, kind, bytes: part.size(), changed };
        visit(&entry, &mut budget.read(&mut part, OsStr::new(given)))?;
    }
    Ok(())
}

fn tar_entries(
    given: &str,
    reader: impl Read,
    budget: &Budget,
    visit: &mut Visit<'_>,
) -> Result<(), ArchiveError> {
    let unreadable = |source| ArchiveError::Unreadable { path: shown(given.as_ref()), source };
    let mut archive = tar::Archive::new(reader);
    for (number, part) in archive.entries().map_err(unreadable)?.enumerate() {
        if budget.is_over() {
            break;
        }
        let mut part = part.map_err(unreadable)?;
        if number >= MOST_ENTRIES * 2 {
            return Err(unreadable(own_error(say::too_many_entries(MOST_ENTRIES * 2))));
        }
        let kind = match part.header().entry_type() {
            tar::EntryType::Regular | tar::EntryType::Continuous => Kind::File,
            tar::EntryType::Directory => Kind::Folder,
            tar::EntryType::Symlink | tar::EntryType::Link => Kind::Link,
            tar::EntryType::XGlobalHeader => continue,
            _ => Kind::Special,
        };
        let name = String::from_utf8(part.path_bytes().into_owned())
            .map_err(|_| unreadable(own_error(say::unnamable())))?;
        let seconds = part.header().mtime().ok().and_then(|secs| i64::try_from(secs).ok());
        let changed = seconds.map(crate::text::moment);
        let entry = Entry { name, kind, bytes: part.size(), changed };
        visit(&entry, &mut part)?;
    }
    Ok(())
}
