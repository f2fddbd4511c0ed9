//! Packing: reads the files by handle below the named paths, skips secrets, and writes the archive as a new file.

use super::entries::{Format, MOST_ENTRIES};
use super::{ArchiveError, PackParameters, allowed, blocking};
use crate::budget::Budget;
use crate::code::write_new;
use crate::files::Files;
use crate::search::{Filter, WalkOptions, walk};
use crate::text::{own_error, reason, said, shown, size};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::archive as say;
use deputy_messages::tools::could_not_be_read;
use deputy_policy::path::Bounds;
use deputy_protocol::{CallStatus, ToolResult};
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::fs::FileType;
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

/// The maximum size of an archive, in bytes. It is held in memory until it is complete.
const LARGEST: usize = 512_000_000;
/// The maximum total size of the packed files, in bytes.
const MOST_BYTES: u64 = 2_000_000_000;

/// The counts of what was packed.
#[derive(Default)]
struct Packed {
    files: u64,
    folders: u64,
    bytes: u64,
    left_out: u64,
    /// The number of entries that the user's rules or the task's scope exclude.
    closed: u64,
}

pub(super) async fn pack(call: PackParameters, cx: &CallContext) -> Result<ToolResult, ArchiveError> {
    let to = call.to.clone();
    allowed(&to, cx)?;
    let (archive, packed) = blocking(cx, move |files, cx| packed(&call, files, cx)).await?;
    let size_of_archive = archive.len() as u64;
    let changes = write_new(&to, archive, cx).await?;
    let to = shown(to.as_ref());
    let did = say::packed(packed.files, packed.folders, size(size_of_archive), size(packed.bytes), to);
    let left_out = (packed.left_out > 0).then(|| say::left_out(packed.left_out));
    let closed = (packed.closed > 0).then(|| deputy_messages::search::closed(packed.closed));
    let summary = deputy_messages::series([Some(did), left_out, closed].into_iter().flatten());
    Ok(ToolResult { changes, ..said(CallStatus::Ok, summary) })
}

fn packed(call: &PackParameters, files: &Files, cx: &CallContext) -> Result<(Vec<u8>, Packed), ArchiveError> {
    let not_packed = |reason: Phrase| ArchiveError::NotPacked { path: shown(call.to.as_ref()), reason };
    if files.target(&call.to)?.stat()?.is_some() {
        return Err(ArchiveError::Taken { path: shown(call.to.as_ref()) });
    }
    let format = Format::of(&call.to).map_err(&not_packed)?;
    let budget = Budget::of(cx);
    let conditions = call.r#where.conditions()?;
    let bounds = Bounds::of(&cx.situation);
    let mut writer = Writer::new(format);
    let mut packed = Packed::default();
    let mut problem: Option<Phrase> = None;
    for given in &call.paths {
        let found = files.find(given)?;
        let top = PathBuf::from(found.real().file_name().unwrap_or_default());
        let mut add = |below: &Path, kind: FileType, real: &Path, open: &dyn Fn() -> io::Result<File>| {
            if problem.is_some() {
                return;
            }
            if bounds.is_secret(real) || !matches!(kind, FileType::RegularFile | FileType::Directory) {
                packed.left_out += 1;
                return;
            }
            let added = match kind {
                FileType::Directory => writer.folder(below),
                _ => open().and_then(|file| writer.file(below, file, &budget)),
            };
            match added {
                Ok(bytes) => {
                    packed.bytes += bytes;
                    *(if kind == FileType::Directory { &mut packed.folders } else { &mut packed.files }) += 1;
                }
                Err(error) => problem = Some(say::of_entry(shown(below.as_os_str()), reason(&error))),
            }
            if packed.files + packed.folders > MOST_ENTRIES as u64 {
                problem = Some(say::too_many(MOST_ENTRIES));
            } else if packed.bytes > MOST_BYTES || writer.len() > LARGEST {
                problem = Some(say::too_large(size(MOST_BYTES)));
            }
        };
        if found.kind() == FileType::Directory {
            let is_all = call.r#where.pattern.is_none();
            if is_all {
                let none = || Err(io::Error::other("it is a folder"));
                add(&top, FileType::Directory, found.real(), &none);
            }
            // Pack everything unless conditions exclude it: an archive without hidden files is not a copy.
            let options = WalkOptions {
                hidden: true,
                no_ignore: true,
                ..WalkOptions::of(&Filter::clone(&call.r#where))
            };
            let passed = walk(files, &found, options, &budget, &mut |entry| {
                if conditions.fits(entry, &budget) {
                    let real = found.real().join(entry.below);
                    add(&top.join(entry.below), entry.kind, &real, &|| entry.open());
                }
            })?;
            packed.left_out += passed.left_out;
            packed.closed += passed.closed;
            if passed.unreadable > 0 {
                return Err(not_packed(could_not_be_read(passed.unreadable)));
            }
        } else {
            let file = found.file()?;
            add(&top, found.kind(), found.real(), &|| file.try_clone());
        }
    }
    if let Some(reason) = problem.or_else(|| budget.note()) {
        return Err(not_packed(reason));
    }
    if budget.is_cancelled() {
        return Err(not_packed(say::stopped()));
    }
    if packed.files + packed.folders == 0 {
        return Err(not_packed(say::nothing_fits()));
    }
    let archive = writer.finish().map_err(|error| not_packed(reason(&error)))?;
    Ok((archive, packed))
}

/// An archive that is being written.
enum Writer {
    Zip(Box<zip::ZipWriter<Cursor<Vec<u8>>>>, usize),
    Tar(Box<tar::Builder<Vec<u8>>>),
    TarGz(Box<tar::Builder<GzEncoder<Vec<u8>>>>),
}

impl Writer {
    fn new(format: Format) -> Self {
        match format {
            Format::Zip => Self::Zip(Box::new(zip::ZipWriter::new(Cursor::new(Vec::new()))), 0),
            Format::Tar => Self::Tar(Box::new(tar::Builder::new(Vec::new()))),
            Format::TarGz => {
                let packed = GzEncoder::new(Vec::new(), Compression::default());
                Self::TarGz(Box::new(tar::Builder::new(packed)))
            }
        }
    }

    /// Returns an estimate of the number of bytes written so far. For ZIP it is derived from the size of the files.
    fn len(&self) -> usize {
        match self {
            Self::Zip(_, bytes) => *bytes / 4,
            Self::Tar(tar) => tar.get_ref().len(),
            Self::TarGz(tar) => tar.get_ref().get_ref().len(),
        }
    }

    fn folder(&mut self, path: &Path) -> io::Result<u64> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Directory);
        header.set_mode(0o755);
        header.set_size(0);
        match self {
            Self::Zip(zip, _) => {
                zip.add_directory(path.to_string_lossy(), SimpleFileOptions::default())
                    .map_err(io::Error::other)?;
            }
            Self::Tar(tar) => tar.append_data(&mut header, path, io::empty())?,
            Self::TarGz(tar) => tar.append_data(&mut header, path, io::empty())?,
        }
        Ok(0)
    }

    fn file(&mut self, path: &Path, file: File, budget: &Budget) -> io::Result<u64> {
        use std::os::unix::fs::MetadataExt;
        let stat = file.metadata()?;
        let (size, mode) = (stat.len(), stat.mode() & 0o777);
        // If the file grows in the meantime, only the initial size is packed. If it shrinks, packing fails.
        let mut content = budget.read(file, path.as_os_str()).take(size);
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(mode);
        header.set_mtime(u64::try_from(stat.mtime()).unwrap_or(0));
        match self {
            Self::Zip(zip, bytes) => {
                let options = SimpleFileOptions::default()
                    .unix_permissions(mode)
                    .large_file(size > u64::from(u32::MAX / 2));
                let options = options.last_modified_time(changed(stat.mtime()).unwrap_or_default());
                zip.start_file(path.to_string_lossy(), options).map_err(io::Error::other)?;
                if io::copy(&mut content, &mut **zip)? < size {
                    return Err(own_error(say::changed_while_packed()));
                }
                zip.flush()?;
                *bytes += usize::try_from(size).unwrap_or(usize::MAX);
            }
            Self::Tar(tar) => tar.append_data(&mut header, path, content)?,
            Self::TarGz(tar) => tar.append_data(&mut header, path, content)?,
        }
        Ok(size)
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Zip(zip, _) => Ok(zip.finish().map_err(io::Error::other)?.into_inner()),
            Self::Tar(tar) => tar.into_inner(),
            Self::TarGz(tar) => tar.into_inner()?.finish(),
        }
    }
}

/// Converts a time to a local time in the format of ZIP archives.
fn changed(seconds: i64) -> Option<zip::DateTime> {
    let at = jiff::Timestamp::from_second(seconds).ok()?.to_zoned(jiff::tz::TimeZone::system()).datetime();
    let part = |value: i8| u8::try_from(value).ok();
    let year = u16::try_from(at.year()).ok()?;
    zip::DateTime::from_date_and_time(
        year,
        part(at.month())?,
        part(at.day())?,
        part(at.hour())?,
        part(at.minute())?,
        part(at.second())?,
    )
    .ok()
}
