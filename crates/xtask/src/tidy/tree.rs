//! The text files of the repository in memory, so that every invariant can be tested on an artificial tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders with build output, downloads or caches.
const NOT_OURS: [&str; 10] = [
    ".git",
    ".venv",
    ".build",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "dist",
    "node_modules",
    "target",
    "test-results",
];

/// Why a tree cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}; check its permissions", path.display())]
pub(crate) struct TreeError {
    path: PathBuf,
    source: std::io::Error,
}

/// Every text file by its path from the root, with `/` as the separator.
pub(super) struct Tree(BTreeMap<String, String>);

impl Tree {
    /// Reads all text files below `root`.
    pub(super) fn read(root: &Path) -> Result<Self, TreeError> {
        let mut files = BTreeMap::new();
        let mut folders = vec![root.to_path_buf()];
        while let Some(folder) = folders.pop() {
            let failed = |source| TreeError { path: folder.clone(), source };
            for entry in std::fs::read_dir(&folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                let name = path.file_name().unwrap_or_default();
                if path.is_symlink() || NOT_OURS.iter().any(|skipped| name == *skipped) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let content =
                    std::fs::read(&path).map_err(|source| TreeError { path: path.clone(), source })?;
                if let (Ok(text), Ok(inside)) = (String::from_utf8(content), path.strip_prefix(root)) {
                    files.insert(inside.to_string_lossy().into_owned(), text);
                }
            }
        }
        Ok(Self(files))
    }

    /// Returns the path and text of every file.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the path and text of each of our source files. The sample inbox is data.
    pub(super) fn sources<'a>(&'a self, endings: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files().filter(move |(path, _)| {
            let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
            endings.contains(&ending) && !path.starts_with("samples/inbox/")
        })
    }

    /// Returns the text of a file.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }
}

/// Returns the name of the crate that contains a path below crates/.
pub(super) fn crate_of(path: &str) -> Option<&str> {
    path.strip_prefix("crates/")?.split('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_text_and_leaves_out_what_was_built() {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in [("a/b.rs", "//! B."), ("target/c.rs", "//! C."), ("a/node_modules/d.ts", "")]
        {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        std::fs::write(folder.path().join("picture.png"), b"\x89PNG\xff").unwrap();
        let tree = Tree::read(folder.path()).unwrap();
        assert_eq!(tree.files().collect::<Vec<_>>(), [("a/b.rs", "//! B.")]);
    }
}
