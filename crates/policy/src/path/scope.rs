//! The task's scope: anything outside it is denied, regardless of anyone's consent.

use super::resolve::real_folder;
use super::{Operation, fold};
use crate::Situation;
use deputy_messages::policy as say;
use deputy_protocol::{Phrase, Scope};
use std::fmt;
use std::path::{Path, PathBuf};

/// The extended attribute in which desktops keep a file's tags, separated by commas.
pub const TAGS_ATTRIBUTE: &str = "user.xdg.tags";
/// The maximum number of bytes of tags that are read. A longer list counts as no tags.
const MAX_TAG_BYTES: usize = 4096;

/// The part of the task's scope that does not cover a path, with its allowed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutOfScope {
    /// Nothing may be changed.
    ReadOnly,
    /// The path is not in a folder, and not one of the files, that may be changed.
    Folders(String, Option<Spelling>),
    /// The path is not one of the listed files, and not in one of the listed folders.
    Files(String, Option<Spelling>),
    /// The file does not have one of the tags.
    Tags(String),
}

impl OutOfScope {
    /// The reason in plain words.
    pub fn reason(&self) -> Phrase {
        match self {
            Self::ReadOnly => say::scope_read_only(),
            Self::Folders(folders, spelling) => spelled(say::scope_folders(folders), spelling.as_ref()),
            Self::Files(files, spelling) => spelled(say::scope_files(files), spelling.as_ref()),
            Self::Tags(tags) => say::scope_tags(tags),
        }
    }
}

/// The path in the scope that equals a path outside of it except for case or composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling(PathBuf);

fn spelled(reason: Phrase, spelling: Option<&Spelling>) -> Phrase {
    match spelling {
        Some(Spelling(path)) => say::scope_spelled(path.display(), reason),
        None => reason,
    }
}

impl fmt::Display for OutOfScope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason().fmt(formatter)
    }
}

impl std::error::Error for OutOfScope {}

/// Checks whether the task's scope covers `operation` on the real path.
pub fn in_scope(situation: &Situation, operation: Operation, real: &Path) -> Result<(), OutOfScope> {
    Scoped::of(situation).covers(operation, real)
}

/// The scope of a task with its paths resolved, for checking many paths.
pub(super) struct Scoped {
    scope: Scope,
    /// The real paths of the folders and files that may be changed. Empty for no limit.
    folders: Vec<PathBuf>,
    /// The real paths of the files and folders that the task is about. Empty for no limit.
    files: Vec<PathBuf>,
}

impl Scoped {
    pub(super) fn of(situation: &Situation) -> Self {
        let scope = situation.scope.clone();
        let real = |paths: &[String]| -> Vec<PathBuf> {
            paths.iter().map(|path| real_folder(&situation.workspace.join(path))).collect()
        };
        Self { folders: real(&scope.write), files: real(&scope.only_files), scope }
    }

    /// Checks whether the scope covers `operation` on the real path.
    pub(super) fn covers(&self, operation: Operation, real: &Path) -> Result<(), OutOfScope> {
        let Self { scope, folders, files } = self;
        let spelling =
            |paths: &[PathBuf]| paths.iter().find(|path| fold::is_below(real, path)).cloned().map(Spelling);
        let is_in = |folders: &[PathBuf]| folders.iter().any(|folder| real.starts_with(folder));
        if operation.is_change() && scope.read_only {
            return Err(OutOfScope::ReadOnly);
        }
        if operation.is_change() && !folders.is_empty() && !is_in(folders) {
            return Err(OutOfScope::Folders(scope.write.join(", "), spelling(folders)));
        }
        if !files.is_empty() {
            // Folders on the way to a listed file may be listed, because the file could not be found otherwise.
            let is_listed = is_in(files)
                || operation == Operation::List && files.iter().any(|file| file.starts_with(real));
            if !is_listed {
                return Err(OutOfScope::Files(scope.only_files.join(", "), spelling(files)));
            }
        }
        if !scope.only_tags.is_empty() && operation != Operation::List {
            let tags = tags(real);
            if !tags.iter().any(|tag| scope.only_tags.contains(tag)) {
                return Err(OutOfScope::Tags(scope.only_tags.join(" or ")));
            }
        }
        Ok(())
    }
}

/// Returns the tags that a desktop assigned to a file. Empty if there are none or they cannot be read.
pub fn tags(real: &Path) -> Vec<String> {
    let mut buffer = [0_u8; MAX_TAG_BYTES];
    let Ok(size) = rustix::fs::getxattr(real, TAGS_ATTRIBUTE, &mut buffer[..]) else { return Vec::new() };
    let text = String::from_utf8_lossy(&buffer[..size]);
    text.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect()
}
