//! Content-addressed files next to the journal: the content of files before they were changed.

use crate::error::{Doing, StoreError};
use crate::home::{private_folder, sync_folder};
use deputy_messages::store as say;
use deputy_protocol::{Digest, KeptFile};
use rustix::fs::{Mode, OFlags};
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// The size of a read. Large enough that the cost of a call does not matter; the buffer is on the heap.
const CHUNK_BYTES: usize = 256 * 1024;
/// The maximum size of a file. A sparse file of any size takes no space until it is copied.
const LARGEST_FILE: u64 = 4_000_000_000;
/// The mode of content that was never a file.
const ORDINARY_MODE: u32 = 0o644;

/// The folder `blobs/`. `ab/abcdef...` holds the content with the BLAKE3 digest `abcdef...`.
pub(crate) struct Blobs {
    folder: PathBuf,
    /// The folder for content that is being written. A rename moves it to its final name.
    unfinished: PathBuf,
    /// Content that is written but not yet durable; its file is named by its digest in the unfinished folder. A file
    /// under its final name is trusted to be complete, so content is renamed only once it is durable.
    waiting: Mutex<BTreeSet<Digest>>,
}

impl Blobs {
    /// Creates the folders, and removes files that a crash left half written.
    pub(crate) fn open(home: &Path) -> Result<Self, StoreError> {
        const DOING: Doing = say::remove_half_written_content;
        let folder = home.join("blobs");
        let unfinished = folder.join("unfinished");
        private_folder(&unfinished)?;
        let entries = fs::read_dir(&unfinished).map_err(|error| StoreError::io(DOING, &unfinished, error))?;
        for entry in entries.flatten() {
            fs::remove_file(entry.path()).map_err(|error| StoreError::io(DOING, &entry.path(), error))?;
        }
        Ok(Self { folder, unfinished, waiting: Mutex::default() })
    }

    /// Stores bytes.
    pub(crate) fn keep(&self, content: &[u8]) -> Result<KeptFile, StoreError> {
        let digest = Digest(blake3::hash(content).to_hex().to_string());
        let kept = KeptFile { size_bytes: content.len() as u64, mode: ORDINARY_MODE, digest };
        if self.is_whole(&kept)? {
            self.sync(&kept.digest)?;
            return Ok(kept);
        }
        let mut file = self.begin()?;
        file.write_all(content).map_err(|error| StoreError::io(say::keep_content, file.path(), error))?;
        self.finish(file, &kept)?;
        Ok(kept)
    }

    /// Stores a regular file of any size in little memory.
    pub(crate) fn keep_file(&self, path: &Path) -> Result<KeptFile, StoreError> {
        const DOING: Doing = say::keep_file;
        let failed = |error| StoreError::io(DOING, path, error);
        let refused = |reason| StoreError::CannotKeep { path: path.to_path_buf(), reason };
        // Links are not followed and pipes are not waited for: only the requested file itself is stored.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let source = match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(rustix::io::Errno::LOOP) => return Err(refused(say::is_symbolic_link_not_regular())),
            Err(error) => return Err(failed(error.into())),
        };
        let before = source.metadata().map_err(failed)?;
        if !before.is_file() {
            return Err(refused(say::is_not_regular_file()));
        }
        if before.len() > LARGEST_FILE {
            return Err(refused(say::is_larger_than_gb()));
        }
        let mut file = self.begin()?;
        let mut hasher = blake3::Hasher::new();
        let mut size_bytes = 0;
        // A file that grows as fast as it is read must not be read indefinitely.
        let mut source_content = (&source).take(before.len() + 1);
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let length = match source_content.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            hasher.update(&chunk[..length]);
            file.write_all(&chunk[..length]).map_err(|error| StoreError::io(DOING, file.path(), error))?;
            size_bytes += length as u64;
        }
        let after = source.metadata().map_err(failed)?;
        if stamp(&before) != stamp(&after) || size_bytes != after.len() {
            return Err(refused(say::changed_while_was_read_try()));
        }
        let digest = Digest(hasher.finalize().to_hex().to_string());
        let kept = KeptFile { digest, size_bytes, mode: before.permissions().mode() & 0o7777 };
        self.finish(file, &kept)?;
        Ok(kept)
    }

    /// Stores the content of an open file. Durable only after [`Blobs::sync_all`]: one sync for many files costs far
    /// less.
    pub(crate) fn keep_open(&self, source: &File) -> Result<KeptFile, StoreError> {
        const DOING: Doing = say::keep_file_2;
        let file = self.begin()?;
        let failed = |error| StoreError::io(DOING, file.path(), error);
        // If the file system supports it, a reflink copy costs nothing. The copy is then read, so that the content
        // cannot change during the read.
        let shares = rustix::fs::ioctl_ficlone(file.as_file(), source).is_ok();
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut hasher = blake3::Hasher::new();
        let most = source.metadata().map_err(failed)?.len() + 1;
        let mut reader = if shares { file.as_file().take(u64::MAX) } else { source.take(most) };
        loop {
            let length = match reader.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            hasher.update(&chunk[..length]);
            if !shares {
                file.as_file().write_all(&chunk[..length]).map_err(failed)?;
            }
        }
        let digest = Digest(hasher.finalize().to_hex().to_string());
        let size_bytes = hasher.count();
        let path = self.path(&digest)?;
        let mode =
            source.metadata().map_err(|error| StoreError::io(DOING, &path, error))?.permissions().mode();
        let kept = KeptFile { digest, size_bytes, mode: mode & 0o7777 };
        let digest = &kept.digest;
        let mut waiting = self.waiting();
        if !self.is_whole(&kept)? && !waiting.contains(digest) {
            let waits = self.unfinished.join(digest.as_str());
            file.persist(&waits).map_err(|error| StoreError::io(DOING, &waits, error.error))?;
            waiting.insert(digest.clone());
        }
        drop(waiting);
        Ok(kept)
    }

    /// Returns whether the content is stored in its full size, durable or not.
    pub(crate) fn holds(&self, file: &KeptFile) -> bool {
        self.is_whole(file).unwrap_or(false) || self.waiting().contains(&file.digest)
    }

    /// Returns whether the content is stored under its name, in its full size. A copy that something else emptied or cut
    /// is stored again.
    fn is_whole(&self, file: &KeptFile) -> Result<bool, StoreError> {
        let found = fs::metadata(self.path(&file.digest)?);
        Ok(found.is_ok_and(|found| found.is_file() && found.len() == file.size_bytes))
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, BTreeSet<Digest>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes everything stored so far durable: first the contents, then their names.
    pub(crate) fn sync_all(&self) -> Result<(), StoreError> {
        const DOING: Doing = say::name_kept_content;
        // The lock is held to the end: a caller that finds nothing waiting must not return before the names are
        // durable.
        let mut waiting = self.waiting();
        self.sync_device()?;
        if waiting.is_empty() {
            return Ok(());
        }
        for digest in waiting.iter() {
            let (waits, path) = (self.unfinished.join(digest.as_str()), self.path(digest)?);
            let shard = path.parent().unwrap_or(&self.folder);
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(shard)
                .map_err(|error| StoreError::io(DOING, shard, error))?;
            match fs::rename(&waits, &path) {
                // The file was renamed before an earlier failure.
                Err(error) if error.kind() == ErrorKind::NotFound && path.exists() => {}
                renamed => renamed.map_err(|error| StoreError::io(DOING, &path, error))?,
            }
        }
        self.sync_device()?;
        waiting.clear();
        Ok(())
    }

    fn sync_device(&self) -> Result<(), StoreError> {
        let failed =
            |error: std::io::Error| StoreError::io(say::make_kept_content_durable, &self.folder, error);
        let folder = File::open(&self.folder).map_err(failed)?;
        rustix::fs::syncfs(&folder).map_err(|error| failed(error.into()))
    }

    /// Removes content that is no longer referenced. Missing content is not an error.
    pub(crate) fn remove(&self, digest: &Digest) -> Result<(), StoreError> {
        let path = self.path(digest)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StoreError::io(say::remove_content, &path, error))
            }
            _ => Ok(()),
        }
    }

    /// Returns content, verified against its digest.
    pub(crate) fn read(&self, digest: &Digest) -> Result<Vec<u8>, StoreError> {
        let mut file = self.file(digest)?;
        let path = self.path(digest)?;
        let mut content = Vec::new();
        file.read_to_end(&mut content)
            .map_err(|error| StoreError::io(say::read_kept_content, &path, error))?;
        if blake3::hash(&content).to_hex().as_str() != digest.as_str() {
            return Err(StoreError::DamagedBlob { path });
        }
        Ok(content)
    }

    /// Opens content for reading. The caller must verify it against its digest.
    pub(crate) fn file(&self, digest: &Digest) -> Result<File, StoreError> {
        let path = self.path(digest)?;
        match File::open(&path) {
            Ok(file) => Ok(file),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(StoreError::UnknownBlob { digest: digest.clone() })
            }
            Err(error) => Err(StoreError::io(say::read_kept_content, &path, error)),
        }
    }

    fn begin(&self) -> Result<NamedTempFile, StoreError> {
        NamedTempFile::new_in(&self.unfinished)
            .map_err(|error| StoreError::io(say::keep_content, &self.unfinished, error))
    }

    /// Makes the content durable, then renames it, then syncs the folders that contain the name.
    fn finish(&self, file: NamedTempFile, kept: &KeptFile) -> Result<(), StoreError> {
        let path = self.path(&kept.digest)?;
        let shard = path.parent().unwrap_or(&self.folder);
        if !self.is_whole(kept)? {
            file.as_file()
                .sync_all()
                .map_err(|error| StoreError::io(say::keep_content, file.path(), error))?;
            private_folder(shard)?;
            // If another thread was faster, its file is replaced by an identical one.
            file.persist(&path).map_err(|error| StoreError::io(say::keep_content, &path, error.error))?;
        }
        self.sync(&kept.digest)
    }

    /// Makes the name of a blob durable. Also called if the file existed, because its writer may not have synced it
    /// yet.
    fn sync(&self, digest: &Digest) -> Result<(), StoreError> {
        let path = self.path(digest)?;
        sync_folder(path.parent().unwrap_or(&self.folder))?;
        sync_folder(&self.folder)
    }

    /// Returns the path of a blob. Refuses anything that is not a digest.
    fn path(&self, digest: &Digest) -> Result<PathBuf, StoreError> {
        let text = digest.as_str();
        let is_digest = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !is_digest {
            return Err(StoreError::UnknownBlob { digest: digest.clone() });
        }
        Ok(self.folder.join(&text[..2]).join(text))
    }
}

/// Returns the metadata that changes whenever a file does.
fn stamp(metadata: &Metadata) -> (u64, i64, i64, i64, i64) {
    (metadata.len(), metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec())
}
