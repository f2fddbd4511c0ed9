//! Placeholders: empty files and folders that prevent a command from creating a protected path.
//!
//! A mount needs a mount point. Placeholders are created as mount points and removed when their last user is done, but
//! only if they are still empty. If Deputy is killed in the meantime, an empty file or folder remains.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of commands that use each placeholder of this process. If a placeholder were removed during a command,
/// the command could create the real file.
static USERS: Mutex<BTreeMap<PathBuf, usize>> = Mutex::new(BTreeMap::new());

fn users() -> MutexGuard<'static, BTreeMap<PathBuf, usize>> {
    USERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The placeholders of a command.
#[derive(Debug, Default)]
pub(crate) struct Placeholders(Vec<PathBuf>);

impl Placeholders {
    /// Ensures that something exists at a path below a root. Returns the path itself, or its first missing part, which
    /// is now an empty file or folder. Placeholders of other commands are kept for this command as well.
    ///
    /// All of this happens under one lock, because another command that ends removes its placeholders.
    pub(crate) fn hold(&mut self, root: &Path, path: &Path) -> io::Result<PathBuf> {
        let mut users = users();
        let parts = || path.ancestors().take_while(|part| *part != root);
        let missing = parts().take_while(|part| part.symlink_metadata().is_err()).last();
        if let Some(missing) = missing {
            match missing == path {
                true => OpenOptions::new().write(true).create_new(true).open(path).map(drop)?,
                false => DirBuilder::new().create(missing)?,
            }
            users.insert(missing.into(), 0);
        }
        for part in parts() {
            if let Some(count) = users.get_mut(part) {
                *count += 1;
                self.0.push(part.into());
            }
        }
        Ok(missing.unwrap_or(path).into())
    }
}

impl Drop for Placeholders {
    fn drop(&mut self) {
        let mut users = users();
        // Deepest first: the content of a folder must be removed before the folder.
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

/// Anything that is not empty no longer belongs to us.
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
        assert_eq!(first.hold(home.path(), &path).unwrap(), path);
        assert_eq!(second.hold(home.path(), &path).unwrap(), path);
        drop(first);
        assert!(path.is_file());
        drop(second);
        assert!(!path.exists());
    }

    #[test]
    fn what_another_command_uses_of_a_path_stays() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".git");
        let (mut first, mut second) = (Placeholders::default(), Placeholders::default());
        assert_eq!(first.hold(home.path(), &folder.join("config")).unwrap(), folder);
        // The folder exists by now, so the next placeholder is inside it.
        assert_eq!(second.hold(home.path(), &folder.join("config")).unwrap(), folder.join("config"));
        drop(first);
        assert!(folder.join("config").is_file());
        drop(second);
        assert!(!folder.exists());
    }

    #[test]
    fn commands_that_come_and_go_always_find_what_they_hold() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(".idea/tasks.xml");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let mut placeholders = Placeholders::default();
                        let held = placeholders.hold(home.path(), &path).unwrap();
                        assert!(held.exists(), "{}", held.display());
                    }
                });
            }
        });
        assert!(!home.path().join(".idea").exists());
    }

    #[test]
    fn what_has_content_or_was_there_before_stays() {
        let home = tempfile::tempdir().unwrap();
        let (filled, own) = (home.path().join("filled"), home.path().join("own"));
        fs::create_dir(&own).unwrap();
        let mut placeholders = Placeholders::default();
        placeholders.hold(home.path(), &filled).unwrap();
        placeholders.hold(home.path(), &own).unwrap();
        fs::write(&filled, "x").unwrap();
        drop(placeholders);
        assert!(filled.exists() && own.exists());
    }
}
