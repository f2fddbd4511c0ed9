//! Indexed folders, whose documents are recalled for later tasks in passages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Indexes the documents of a folder for recall, or indexes them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexFolderCommand {
    /// The path of the folder.
    pub folder: String,
    /// Whether tasks in every folder may be given the passages. Otherwise only tasks that may read the files without
    /// asking.
    #[serde(default)]
    pub is_everywhere: bool,
}

/// The result of indexing a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedOutcome {
    /// The current state of the folder.
    pub folder: IndexedFolder,
    /// The number of documents that were read because they are new or changed.
    pub read: u64,
    /// The number of documents that were deleted.
    pub gone: u64,
    /// Whether the folder contains more documents than are indexed.
    pub is_partial: bool,
}

/// Forgets the passages of a folder's documents. The files are not changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DropFolderCommand {
    /// The path of the folder.
    pub folder: String,
}

/// Asks for the folders whose documents can be recalled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedFoldersQuery {}

/// A list of indexed folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedFoldersAnswer {
    /// The folders, sorted by path.
    pub folders: Vec<IndexedFolder>,
}

/// A folder whose documents can be recalled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedFolder {
    /// The path of the folder, with links resolved.
    pub folder: String,
    /// Whether tasks in every folder may be given the passages.
    pub is_everywhere: bool,
    /// When the folder was last indexed. Absent if indexing never finished.
    #[serde(default)]
    pub looked_at_ms: Option<i64>,
    /// The number of documents with passages.
    pub documents: u64,
    /// The number of passages.
    pub passages: u64,
    /// The number of passages that can be found by meaning.
    pub embedded: u64,
    /// The number of documents from which no text could be extracted.
    pub unreadable: u64,
}

/// The location of a passage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PassagePlace {
    /// The path of the file.
    pub path: String,
    /// The line of the file's text at which the passage starts, from 1.
    pub line: u32,
}
