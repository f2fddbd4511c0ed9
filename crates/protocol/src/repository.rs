//! Git repositories in undo: what calls changed in them, and what undo and redo did.

use crate::{CallId, Digest, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A git repository that a command changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedRepository {
    /// The real path of the folder in which git keeps its data.
    pub folder: String,
    /// The blob with the states before and after the command: HEAD, the index, the stash and everything that has
    /// references, file by file.
    pub states: Digest,
}

/// The result of an undo or a redo for a git repository. HEAD, the index, the stash and the references that the calls
/// moved change together or not at all, and git changes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneRepository {
    /// The real path of the folder in which git keeps its data.
    pub folder: String,
    /// The calls that changed the repository, oldest first.
    pub calls: Vec<CallId>,
    /// Whether the calls created or removed the repository, so that it goes or comes back as a whole, settings included.
    #[serde(default)]
    pub is_whole: bool,
    /// Whether the repository was changed.
    pub outcome: RepositoryOutcome,
    /// What changed, or why nothing in the repository was changed. Empty if git reads the same as before.
    pub message: Phrase,
}

/// Whether an undo or a redo changed a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepositoryOutcome {
    /// It was changed.
    Restored,
    /// It can be changed; this was only a preview.
    Possible,
    /// Nothing in it was changed, and nothing else was undone or redone either.
    Refused,
}

impl UndoneRepository {
    /// Returns whether the repository was changed.
    pub fn is_restored(&self) -> bool {
        self.outcome == RepositoryOutcome::Restored
    }

    /// Returns whether nothing could be undone because of this repository.
    pub fn is_refused(&self) -> bool {
        self.outcome == RepositoryOutcome::Refused
    }
}
