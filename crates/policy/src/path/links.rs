//! Hard links of secrets: a second name of a file shows what the first one hides.

use super::protected::MAX_WALKED;
use super::walk::{Visit, walk};
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Device and inode: the file itself, whatever it is called.
type Identity = (u64, u64);

/// The files below `roots` that are second names of files at or below the `hidden` places.
pub(super) fn of_hidden(roots: &[PathBuf], hidden: &[PathBuf]) -> Vec<PathBuf> {
    let mut linked: HashMap<Identity, Vec<PathBuf>> = HashMap::new();
    for root in roots {
        each_linked(root, |path, identity| linked.entry(identity).or_default().push(path.to_owned()));
    }
    let mut found = Vec::new();
    for place in hidden {
        // Looking through the secrets, browser profiles among them, is only worth it while a name is unaccounted for.
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

/// Shows every regular file below `top` that has more than one name.
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
