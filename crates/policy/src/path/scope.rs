//! The task's scope: anything outside it is denied, regardless of anyone's consent.

use super::Operation;
use super::resolve::real_folder;
use crate::Situation;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::fmt;
use std::path::{Path, PathBuf};

/// The extended attribute in which desktops keep a file's tags, separated by commas.
pub const TAGS_ATTRIBUTE: &str = "user.xdg.tags";
/// The maximum number of bytes of tags that are read. A longer list counts as no tags.
const MAX_TAG_BYTES: usize = 4096;

/// The part of the task's scope that does not cover a path, with its allowed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutOfScope {
    /// The path is not in a folder that may be changed.
    Folders(String),
    /// The path is not one of the listed files.
    Files(String),
    /// The file does not have one of the tags.
    Tags(String),
}

impl OutOfScope {
    /// The reason in plain words.
    pub fn reason(&self) -> Phrase {
        match self {
            Self::Folders(folders) => say::scope_folders(folders),
            Self::Files(files) => say::scope_files(files),
            Self::Tags(tags) => say::scope_tags(tags),
        }
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
    let scope = &situation.scope;
    let folders = |folders: &[String]| -> Vec<PathBuf> {
        folders.iter().map(|folder| real_folder(&situation.workspace.join(folder))).collect()
    };
    if operation.is_change()
        && !scope.write.is_empty()
        && !folders(&scope.write).iter().any(|folder| real.starts_with(folder))
    {
        return Err(OutOfScope::Folders(scope.write.join(", ")));
    }
    if !scope.only_files.is_empty() {
        let files = folders(&scope.only_files);
        // Folders on the way to a listed file may be listed, because the file could not be found otherwise.
        let is_listed = files.iter().any(|file| file == real)
            || operation == Operation::List && files.iter().any(|file| file.starts_with(real));
        if !is_listed {
            return Err(OutOfScope::Files(scope.only_files.join(", ")));
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

/// Returns the tags that a desktop assigned to a file. Empty if there are none or they cannot be read.
pub fn tags(real: &Path) -> Vec<String> {
    let mut buffer = [0_u8; MAX_TAG_BYTES];
    let Ok(size) = rustix::fs::getxattr(real, TAGS_ATTRIBUTE, &mut buffer[..]) else { return Vec::new() };
    let text = String::from_utf8_lossy(&buffer[..size]);
    text.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect()
}
