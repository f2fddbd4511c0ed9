//! The scope of a plan: the folders that it is restricted to.

use crate::guard::is_guarded;
use crate::problem::{CheckError, Wrong};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::path::{Component, Path, PathBuf};

/// Returns whether a folder itself contains version control. A stray manifest does not turn a downloads folder into a
/// project.
fn holds_history(folder: &Path) -> bool {
    [".git", ".hg", ".svn", ".jj"].iter().any(|name| folder.join(name).symlink_metadata().is_ok())
}

/// The folders of a scope, by their real paths.
pub(crate) struct ScopeFolders {
    folders: Vec<PathBuf>,
}

impl ScopeFolders {
    /// Checks that each folder exists and is given by its real path.
    pub(crate) fn of(folders: &[String]) -> Result<Self, CheckError> {
        let refuse = |folder: &String, reason: Phrase| CheckError::Scope { folder: folder.clone(), reason };
        let Some(_) = folders.first() else {
            return Err(refuse(&String::new(), say::names_no_folder()));
        };
        let mut real = Vec::new();
        for folder in folders {
            let path = Path::new(folder);
            if !path.is_absolute() {
                return Err(refuse(folder, say::is_not_absolute()));
            }
            let found = path.canonicalize().map_err(|error| refuse(folder, error.to_string().into()))?;
            if found != path {
                return Err(refuse(folder, say::real_path(found.display())));
            }
            if !found.is_dir() {
                return Err(refuse(folder, say::is_not_a_folder()));
            }
            if found.iter().any(is_guarded) || holds_history(&found) {
                return Err(refuse(folder, say::is_under_version_control()));
            }
            if found.parent().is_none() {
                return Err(refuse(folder, say::is_the_root()));
            }
            real.push(found);
        }
        Ok(Self { folders: real })
    }

    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns whether the path is one of the folders or above one.
    pub(crate) fn holds_itself(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| folder.starts_with(path))
    }

    /// Returns the innermost folder of the scope that contains a path.
    pub(crate) fn folder_of(&self, path: &Path) -> Option<&Path> {
        let holding = self.folders.iter().filter(|folder| path.starts_with(folder));
        holding.max_by_key(|folder| folder.as_os_str().len()).map(PathBuf::as_path)
    }

    /// Converts a path in a plan to an absolute path within the scope. Nothing is expanded, and `..` is rejected.
    pub(crate) fn resolve(&self, text: &str) -> Result<PathBuf, Wrong> {
        let refuse = |reason| Wrong::BadPath { path: text.to_owned(), reason };
        if text.is_empty() {
            return Err(refuse(say::is_empty()));
        }
        if text.contains('\0') {
            return Err(refuse(say::holds_nul()));
        }
        let given = Path::new(text);
        let path = match (given.is_absolute(), self.folders.as_slice()) {
            (true, _) => PathBuf::new(),
            (false, [only]) => only.clone(),
            (false, _) => return Err(refuse(say::is_relative())),
        };
        let mut path = path;
        for part in given.components() {
            match part {
                Component::RootDir => path.push("/"),
                Component::Normal(name) => path.push(name),
                Component::CurDir => {}
                Component::ParentDir => return Err(refuse(say::leads_out())),
                Component::Prefix(_) => return Err(refuse(say::names_a_drive())),
            }
        }
        match self.folder_of(&path) {
            None => Err(Wrong::OutsideScope(path)),
            Some(folder) if folder == path => Err(Wrong::ScopeItself(path)),
            Some(_) => Ok(path),
        }
    }
}
