//! Finds existing paths whose names differ from a given path only in ways that the policy ignores, such as case. The
//! walls hide all of them.

use super::fold;
use super::protected::MAX_WALKED;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Finds paths. Lists each folder only once.
#[derive(Default)]
pub(super) struct Alike {
    /// The entries of each folder by their folded names.
    listed: HashMap<PathBuf, HashMap<String, Vec<PathBuf>>>,
}

impl Alike {
    /// Returns `base` joined with `below` as written, and every existing path below `base` whose names are alike.
    pub(super) fn of(&mut self, base: &Path, below: &Path) -> Vec<PathBuf> {
        let mut found = vec![base.to_owned()];
        for part in below.components() {
            let Component::Normal(name) = part else { continue };
            let name = fold::name(&name.to_string_lossy());
            found = found.iter().flat_map(|folder| self.entries(folder, &name)).collect();
        }
        // A folder that cannot be listed can still be traversed.
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
