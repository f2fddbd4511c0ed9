//! The task's scope: what lies outside it is denied, no matter who would consent.

use super::Operation;
use super::resolve::real_folder;
use crate::Situation;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::fmt;
use std::path::{Path, PathBuf};

/// The extended attribute in which desktops keep a file's tags, separated by commas.
/// The extended attribute that desktops keep tags in, joined by commas.
pub const TAGS_ATTRIBUTE: &str = "user.xdg.tags";
/// The most bytes of tags that are read; a longer list counts as none.
const MAX_TAG_BYTES: usize = 4096;

/// What the task's scope is, where it does not cover something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutOfScope {
    /// It is not a folder to change something in.
    Folders(String),
    /// It is not one of the listed files.
    Files(String),
    /// It does not carry one of the tags.
    Tags(String),
}

impl OutOfScope {
    /// Why, in plain words.
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

/// Whether the task's scope covers `operation` on the real path.
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
        // A folder on the way to a listed file may be listed, or the file could not be found.
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

/// The tags that a desktop gave a file; none where it has none or they cannot be read.
pub fn tags(real: &Path) -> Vec<String> {
    let mut buffer = [0_u8; MAX_TAG_BYTES];
    let Ok(size) = rustix::fs::getxattr(real, TAGS_ATTRIBUTE, &mut buffer[..]) else { return Vec::new() };
    let text = String::from_utf8_lossy(&buffer[..size]);
    text.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect()
}
