//! Folders whose documents later tasks may be given, by passages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Make the documents of a folder recallable, or look through one that is again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexFolderCommand {
    /// The folder.
    pub folder: String,
    /// Whether tasks in every folder may be given its passages; otherwise those alone that may read its files without asking.
    #[serde(default)]
    pub is_everywhere: bool,
}

/// A folder was looked through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedOutcome {
    /// The folder as it is now.
    pub folder: IndexedFolder,
    /// Documents that were read because they are new or have changed.
    pub read: u64,
    /// Documents that were deleted.
    pub gone: u64,
    /// Whether there is more than is looked at.
    pub is_partial: bool,
}

/// Forget the passages of a folder's documents. The files stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DropFolderCommand {
    /// The folder.
    pub folder: String,
}

/// The folders whose documents can be recalled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedFoldersQuery {}

/// Folders, by their paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedFoldersAnswer {
    /// The folders.
    pub folders: Vec<IndexedFolder>,
}

/// A folder whose documents can be recalled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedFolder {
    /// Its path, without links.
    pub folder: String,
    /// Whether tasks in every folder may be given its passages.
    pub is_everywhere: bool,
    /// When it was last looked through; absent where that was never finished.
    #[serde(default)]
    pub looked_at_ms: Option<i64>,
    /// Documents with passages.
    pub documents: u64,
    /// Passages.
    pub passages: u64,
    /// Passages that can be found by their meaning.
    pub embedded: u64,
    /// Documents that gave no text.
    pub unreadable: u64,
}

/// The location of a passage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PassagePlace {
    /// The file.
    pub path: String,
    /// The line of its text that the passage begins at, from 1.
    pub line: u32,
}
