//! A temporary folder with files that have not been changed recently.

use deputy_organize::scan::{Scan, ScanError, Watch, scan};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

pub(crate) struct World {
    _holder: TempDir,
    pub(crate) root: PathBuf,
}

impl World {
    pub(crate) fn new() -> Self {
        let holder = tempfile::tempdir().unwrap();
        let root = holder.path().canonicalize().unwrap().join("inbox");
        fs::create_dir(&root).unwrap();
        Self { _holder: holder, root }
    }

    /// Creates a folder with these files, each with different content.
    pub(crate) fn with(names: &[&str]) -> Self {
        let world = Self::new();
        for name in names {
            world.file(name, name);
        }
        world
    }

    /// Creates a file dated 2024-05-06.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        self.file_of(name, content, 1_715_000_000)
    }

    pub(crate) fn file_of(&self, name: &str, content: impl AsRef<[u8]>, secs: u64) -> PathBuf {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        age(&path, secs);
        path
    }

    pub(crate) fn scan(&self) -> Scan {
        self.try_scan().unwrap()
    }

    pub(crate) fn try_scan(&self) -> Result<Scan, ScanError> {
        scan(std::slice::from_ref(&self.root), &quiet())
    }

    pub(crate) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap().to_str().unwrap().to_owned()
    }

    /// Returns the paths of files, relative to the folder.
    pub(crate) fn names(&self, scan: &Scan, ids: &[u32]) -> Vec<String> {
        ids.iter().map(|id| self.relative(&scan.path(*id))).collect()
    }
}

pub(crate) fn age(path: &Path, secs: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(secs);
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

pub(crate) fn quiet() -> Watch<'static> {
    Watch { passes_by: &|_| false, is_cancelled: &|| false, progress: &|_| {} }
}
