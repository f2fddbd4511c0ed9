//! What a tree of files is: contents, kinds, modes, owners, times and links, so that no change goes unseen.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Every entry of a tree with what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image(BTreeMap<PathBuf, String>);

impl Image {
    /// Takes the image of everything below `root`, but for what lies below the folders `without`. Of these the folder
    /// itself counts as being there.
    pub(crate) fn of(root: &Path, without: &[PathBuf]) -> Self {
        let mut entries = BTreeMap::new();
        take(root, without, &mut entries);
        Self(entries)
    }

    /// What differs in a later image, a line an entry.
    pub(crate) fn changes_to(&self, later: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        for (path, entry) in &self.0 {
            match later.0.get(path) {
                Some(now) if now == entry => {}
                Some(now) => changes.push(format!("{}: {entry} -> {now}", path.display())),
                None => changes.push(format!("{} is gone", path.display())),
            }
        }
        for path in later.0.keys().filter(|path| !self.0.contains_key(*path)) {
            changes.push(format!("{} is new", path.display()));
        }
        changes
    }
}

fn take(path: &Path, without: &[PathBuf], entries: &mut BTreeMap<PathBuf, String>) {
    let Ok(metadata) = fs::symlink_metadata(path) else { return };
    if without.iter().any(|folder| folder == path) {
        entries.insert(path.to_owned(), "left out".to_owned());
        return;
    }
    let kind = metadata.file_type();
    let content = if kind.is_symlink() {
        format!("-> {}", fs::read_link(path).unwrap().display())
    } else if kind.is_file() {
        fs::read(path).map_or("unreadable".to_owned(), |bytes| blake3::hash(&bytes).to_hex()[..16].to_owned())
    } else {
        String::new()
    };
    let about = format!(
        "mode {:o} owner {}:{} links {} changed {}.{:09} inode {} {content}",
        metadata.mode(),
        metadata.uid(),
        metadata.gid(),
        metadata.nlink(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ino(),
    );
    entries.insert(path.to_owned(), about);
    if kind.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            take(&entry.path(), without, entries);
        }
    }
}
