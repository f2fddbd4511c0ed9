//! The folders that a task works in, the user's home directory and Deputy's own folder, as real paths. They are
//! resolved once per judgment.

use super::listed::Listed;
use super::resolve::real_folder;
use super::{Operation, Refused, fold};
use crate::Situation;
use deputy_messages::policy as say;
use deputy_protocol::Risk;
use std::path::{Path, PathBuf};

/// The folders that a judgment refers to.
pub(super) struct Roots {
    readable: Vec<PathBuf>,
    writable: Vec<PathBuf>,
    /// The task's folder for temporary files.
    temporary: Option<PathBuf>,
    home: PathBuf,
    /// The home directory as given and as a real path, folded.
    folded_homes: [Vec<String>; 2],
    /// Deputy's own folder as given and as a real path, folded.
    folded_own: [Vec<String>; 2],
    folded_temporary: Option<Vec<String>>,
    listed: Listed,
}

impl Roots {
    pub(super) fn of(situation: &Situation) -> Self {
        let workspace = real_folder(&situation.workspace);
        let of_scope = |folders: &[String]| -> Vec<PathBuf> {
            folders.iter().map(|folder| real_folder(&situation.workspace.join(folder))).collect()
        };
        let granted = of_scope(&situation.scope.write);
        let writable = if granted.is_empty() { vec![workspace.clone()] } else { granted };
        let mut readable = vec![workspace];
        readable.extend(situation.roots.iter().map(|root| real_folder(root)));
        readable.extend(of_scope(&situation.scope.read));
        readable.extend(writable.iter().cloned());
        let home = real_folder(&situation.home);
        let own = real_folder(&situation.deputy_home);
        Self {
            readable,
            writable,
            temporary: situation.temporary.clone(),
            folded_temporary: situation.temporary.as_deref().map(fold::path),
            folded_homes: [fold::path(&situation.home), fold::path(&home)],
            folded_own: [fold::path(&situation.deputy_home), fold::path(&own)],
            home,
            listed: Listed::of(situation),
        }
    }

    /// Returns the folders that may be read.
    pub(super) fn readable(&self) -> &[PathBuf] {
        &self.readable
    }

    /// Returns the real path of the home directory.
    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// Returns the remainder of a folded path below the home directory, if it is below it.
    pub(super) fn below_home<'a>(&'a self, parts: &'a [String]) -> impl Iterator<Item = &'a [String]> {
        self.folded_homes.iter().filter_map(move |home| parts.strip_prefix(home.as_slice()))
    }

    /// Whether a folded path is in Deputy's own folder, and not one of the task's temporary files.
    pub(super) fn is_own(&self, parts: &[String]) -> bool {
        self.folded_own.iter().any(|own| !own.is_empty() && parts.starts_with(own))
            && !self.folded_temporary.as_ref().is_some_and(|temporary| parts.starts_with(temporary))
    }

    /// Returns the user's own list of secrets.
    pub(super) fn listed(&self) -> &Listed {
        &self.listed
    }

    /// Returns the remainder of `real` below the outermost root that contains it, or the whole path if no root does.
    pub(super) fn below_root<'a>(&self, real: &'a Path) -> &'a Path {
        self.readable
            .iter()
            .chain(&self.temporary)
            .filter_map(|root| real.strip_prefix(root).ok())
            .max_by_key(|rest| rest.as_os_str().len())
            .unwrap_or(real)
    }

    /// Whether a root or the home directory is `real` or is below it. A file that the scope names is no such root.
    pub(super) fn holds_root(&self, real: &Path) -> bool {
        let is_file = |root: &PathBuf| self.writable.contains(root) && !root.is_dir();
        self.readable.iter().chain([&self.home]).any(|root| root.starts_with(real) && !is_file(root))
    }

    /// Whether `real` is the task's folder for temporary files itself.
    pub(super) fn is_temporary_root(&self, real: &Path) -> bool {
        self.temporary.as_deref() == Some(real)
    }

    pub(super) fn outside(&self, operation: Operation, real: &Path) -> Option<Refused> {
        let (roots, outside): (_, fn() -> _) = match operation {
            Operation::Read | Operation::List => (&self.readable, say::lies_outside_folders_may),
            Operation::Write | Operation::Delete | Operation::Create => {
                (&self.writable, say::outside_writable)
            }
        };
        if roots.iter().chain(&self.temporary).any(|root| real.starts_with(root)) {
            return None;
        }
        Some(Refused::ask(Risk::Medium, outside()))
    }
}
