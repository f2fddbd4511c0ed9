//! Finds existing paths whose names differ from a given path only in ways that people or some file systems ignore, such
//! as case. The sandbox hides every such path of a secret, and creating a new one needs a person's consent.

use super::fold;
use super::protected::MAX_WALKED;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The maximum number of folders whose names are cached for [`twin`].
const MOST_FOLDERS: usize = 32;

/// How long a folder must be unchanged before its list is cached.
const SETTLED: Duration = Duration::from_secs(1);

/// Returns the existing path whose name equals that of a missing path, ignoring letter case and how letters are composed
/// (NFKC). Compares the first name on the path that is missing.
pub fn twin(path: &Path) -> Option<PathBuf> {
    let (folder, name) = path.ancestors().find_map(|path| {
        let (folder, name) = (path.parent()?, path.file_name()?);
        folder.symlink_metadata().is_ok().then_some((folder, name))
    })?;
    if folder.join(name).symlink_metadata().is_ok() {
        return None;
    }
    same_name(folder, name).map(|twin| folder.join(twin))
}

/// Finds a different name in a folder that folds to the same text. Caches the latest lists, because a plan can put
/// thousands of files into a few folders.
fn same_name(folder: &Path, name: &OsStr) -> Option<OsString> {
    static KEPT: LazyLock<Mutex<HashMap<PathBuf, Listing>>> = LazyLock::new(Mutex::default);
    let state = State::of(folder)?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(listing) = kept.get(folder).filter(|listing| listing.state == state) {
        return listing.other_name(name);
    }
    let listing = Listing::of(folder, state)?;
    let found = listing.other_name(name);
    // File systems record times coarsely: a second change right after the first can leave the time as it was.
    if listing.state.is_settled() {
        if kept.len() >= MOST_FOLDERS {
            kept.clear();
        }
        kept.insert(folder.to_owned(), listing);
    }
    found
}

/// The names in a folder.
struct Listing {
    state: State,
    /// The names by their folded form.
    names: HashMap<String, Vec<OsString>>,
}

impl Listing {
    fn of(folder: &Path, state: State) -> Option<Self> {
        let mut names: HashMap<String, Vec<OsString>> = HashMap::new();
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let name = entry.file_name();
            names.entry(fold::text(&name.to_string_lossy())).or_default().push(name);
        }
        Some(Self { state, names })
    }

    fn other_name(&self, name: &OsStr) -> Option<OsString> {
        let same = self.names.get(&fold::text(&name.to_string_lossy()))?;
        same.iter().find(|other| *other != name).cloned()
    }
}

/// The state of a folder. It differs after a name in the folder was added or removed.
#[derive(PartialEq, Eq)]
struct State {
    device: u64,
    inode: u64,
    changed: SystemTime,
}

impl State {
    fn of(folder: &Path) -> Option<Self> {
        let metadata = folder.metadata().ok()?;
        let (device, inode) = (metadata.dev(), metadata.ino());
        Some(Self { device, inode, changed: metadata.modified().ok()? })
    }

    fn is_settled(&self) -> bool {
        self.changed.elapsed().is_ok_and(|age| age > SETTLED)
    }
}

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
