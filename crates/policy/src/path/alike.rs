//! What is at a place whatever the letter case of its names: the walls hide what policy takes for the same.

use super::fold;
use super::protected::MAX_WALKED;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Looks places up; each folder is listed once.
#[derive(Default)]
pub(super) struct Alike {
    /// The entries of a folder by their folded names.
    listed: HashMap<PathBuf, HashMap<String, Vec<PathBuf>>>,
}

impl Alike {
    /// The place as written, and everything that is below `base` under names that are alike.
    pub(super) fn of(&mut self, base: &Path, below: &Path) -> Vec<PathBuf> {
        let mut found = vec![base.to_owned()];
        for part in below.components() {
            let Component::Normal(name) = part else { continue };
            let name = fold::name(&name.to_string_lossy());
            found = found.iter().flat_map(|folder| self.entries(folder, &name)).collect();
        }
        // A folder that cannot be listed may still be passed through.
        found.push(base.join(below));
        found
    }

    fn entries(&mut self, folder: &Path, name: &str) -> Vec<PathBuf> {
        if !self.listed.contains_key(folder) {
            let mut entries: HashMap<String, Vec<PathBuf>> = HashMap::new();
            for entry in fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_WALKED) {
                let name = fold::name(&entry.file_name().to_string_lossy());
                entries.entry(name).or_default().push(entry.path());
            }
            self.listed.insert(folder.to_owned(), entries);
        }
        self.listed.get(folder).and_then(|entries| entries.get(name)).cloned().unwrap_or_default()
    }
}
