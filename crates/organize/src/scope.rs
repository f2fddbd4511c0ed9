//! The folders that a plan is about; nothing comes from or goes to anywhere else.

use crate::guard::is_guarded;
use crate::problem::{CheckError, Wrong};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::path::{Component, Path, PathBuf};

/// Whether version control is kept right there. A stray manifest does not make a project of somebody's downloads.
fn holds_history(folder: &Path) -> bool {
    [".git", ".hg", ".svn", ".jj"].iter().any(|name| folder.join(name).symlink_metadata().is_ok())
}

/// Folders by their real paths.
pub(crate) struct ScopeFolders {
    folders: Vec<PathBuf>,
}

impl ScopeFolders {
    /// Checks that each is there under its real path.
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

    /// Whether it is one of the folders, or lies above one.
    pub(crate) fn holds_itself(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| folder.starts_with(path))
    }

    /// The innermost folder of the scope that a path lies in.
    pub(crate) fn folder_of(&self, path: &Path) -> Option<&Path> {
        let holding = self.folders.iter().filter(|folder| path.starts_with(folder));
        holding.max_by_key(|folder| folder.as_os_str().len()).map(PathBuf::as_path)
    }

    /// A path as a plan writes it, absolute and within the scope. It is taken as it is written: nothing is expanded,
    /// and `..` is refused rather than understood.
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
