//! A cache of the checks of packed files. Unpacking a file again for each command would cost more than the command.

use super::{Judge, holds_secret, source};
use crate::history::{Stamp, is_settled};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The maximum number of files that are remembered.
const MOST_KEPT: usize = 1024;

static KEPT: LazyLock<Mutex<HashMap<PathBuf, (Stamp, bool)>>> = LazyLock::new(Mutex::default);

/// Like [`holds_secret`], but checks an unchanged file only once.
pub(in crate::path) fn holds_secret_still(path: &Path, file: &File, is_secret: Judge) -> Option<bool> {
    let metadata = file.metadata().ok()?;
    let stamp = Stamp::of(&metadata);
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, is_secret)) = kept().get(path).filter(|(known, _)| *known == stamp) {
        return Some(*is_secret);
    }
    let had_all = source::has_all();
    let is_secret = holds_secret(path, file, is_secret)?;
    // Earlier files in the same decision may have used up its allowance for unpacking.
    if is_settled(&metadata) && (had_all || !source::is_spent()) {
        let mut kept = kept();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(path.to_owned(), (stamp, is_secret));
    }
    Some(is_secret)
}
