//! Hard links to secrets: a second name of a file discloses the content of a hidden file.

use super::protected::MAX_WALKED;
use super::walk::{Visit, walk};
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Device and inode: identifies a file regardless of its name.
type Identity = (u64, u64);

/// Returns the files below `roots` that are additional names of files at or below the `hidden` places.
pub(super) fn of_hidden(roots: &[PathBuf], hidden: &[PathBuf]) -> Vec<PathBuf> {
    let mut linked: HashMap<Identity, Vec<PathBuf>> = HashMap::new();
    for root in roots {
        each_linked(root, |path, identity| linked.entry(identity).or_default().push(path.to_owned()));
    }
    let mut found = Vec::new();
    for place in hidden {
        // Searching the secrets, which include browser profiles, is only worthwhile while a linked file is
        // unaccounted for.
        if linked.is_empty() {
            break;
        }
        let mut take = |identity| found.extend(linked.remove(&identity).unwrap_or_default());
        match fs::symlink_metadata(place) {
            Ok(metadata) if metadata.is_dir() => each_linked(place, |_, identity| take(identity)),
            Ok(metadata) => identity_if_linked(&metadata).into_iter().for_each(take),
            Err(_) => {}
        }
    }
    found
}

/// Calls `show` with every regular file below `top` that has more than one name.
fn each_linked(top: &Path, mut show: impl FnMut(&Path, Identity)) {
    walk(top, MAX_WALKED, |path, kind, entry| {
        if kind.is_file()
            && let Some(identity) = entry.metadata().ok().as_ref().and_then(identity_if_linked)
        {
            show(path, identity);
        }
        Visit::Enter
    });
}

fn identity_if_linked(metadata: &Metadata) -> Option<Identity> {
    (metadata.is_file() && metadata.nlink() > 1).then(|| (metadata.dev(), metadata.ino()))
}
