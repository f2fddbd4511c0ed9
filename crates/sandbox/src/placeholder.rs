//! Placeholders: empty files and folders that stand where something must not come to be while a command runs.
//!
//! A mount needs something to be mounted upon. What was made for that is taken away again when its last user is done,
//! and only if it is still empty. Where Deputy is killed meanwhile an empty file or folder stays behind.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many commands use each placeholder of this process: removing one under a command would let it make the real thing.
static USERS: Mutex<BTreeMap<PathBuf, usize>> = Mutex::new(BTreeMap::new());

fn users() -> MutexGuard<'static, BTreeMap<PathBuf, usize>> {
    USERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The placeholders one command uses.
#[derive(Debug, Default)]
pub(crate) struct Placeholders(Vec<PathBuf>);

impl Placeholders {
    /// Puts an empty folder or an empty file where there is nothing.
    pub(crate) fn make(&mut self, path: &Path, is_folder: bool) -> io::Result<()> {
        let mut users = users();
        let made = match is_folder {
            true => DirBuilder::new().create(path),
            false => OpenOptions::new().write(true).create_new(true).open(path).map(drop),
        };
        match made {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            // Somebody else's, who made it this moment: it is there, and it is not to be taken away.
            Err(_) if !users.contains_key(path) => return Ok(()),
            _ => {}
        }
        *users.entry(path.into()).or_default() += 1;
        self.0.push(path.into());
        Ok(())
    }

    /// Takes part in a placeholder that another command made, so that it stays for this one too.
    pub(crate) fn share(&mut self, path: &Path) {
        let mut users = users();
        if let Some(count) = users.get_mut(path) {
            *count += 1;
            self.0.push(path.into());
        }
    }
}

impl Drop for Placeholders {
    fn drop(&mut self) {
        let mut users = users();
        // Deepest first, however they were come by: what stands in a folder goes before the folder.
        self.0.sort_by_key(|path| std::cmp::Reverse(path.components().count()));
        for path in self.0.drain(..) {
            let Some(count) = users.get_mut(&path) else { continue };
            *count -= 1;
            if *count == 0 {
                users.remove(&path);
                remove_if_empty(&path);
            }
        }
    }
}

/// What is not empty is not ours any more.
fn remove_if_empty(path: &Path) {
    let Ok(meta) = path.symlink_metadata() else { return };
    let removed = match meta.is_dir() {
        true => fs::remove_dir(path),
        false if meta.is_file() && meta.len() == 0 => fs::remove_file(path),
        false => Ok(()),
    };
    if let Err(error) = removed {
        tracing::warn!(path = %path.display(), %error, "a placeholder could not be removed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_user_takes_it_away() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("hooks");
        let (mut first, mut second) = (Placeholders::default(), Placeholders::default());
        first.make(&path, true).unwrap();
        second.share(&path);
        drop(first);
        assert!(path.is_dir());
        drop(second);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_goes_after_what_was_made_in_it() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".git");
        let mut placeholders = Placeholders::default();
        placeholders.make(&folder, true).unwrap();
        placeholders.make(&folder.join("hooks"), true).unwrap();
        placeholders.make(&folder.join("config"), false).unwrap();
        drop(placeholders);
        assert!(!folder.exists());
    }

    #[test]
    fn what_has_content_or_was_there_before_stays() {
        let home = tempfile::tempdir().unwrap();
        let (filled, own) = (home.path().join("filled"), home.path().join("own"));
        fs::create_dir(&own).unwrap();
        let mut placeholders = Placeholders::default();
        placeholders.make(&filled, false).unwrap();
        placeholders.make(&own, true).unwrap();
        fs::write(&filled, "x").unwrap();
        drop(placeholders);
        assert!(filled.exists() && own.exists());
    }
}
