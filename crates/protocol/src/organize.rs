//! Organize plans: file chores as data, which a person can read before anything happens.
//!
//! A field that is not known is refused, as it would say something of the plan that is then not heeded. The schema keeps
//! silent about it: an action's struct and its tag are described apart, and neither knows the other's fields.

use crate::{OperationId, Phrase, Risk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is to become of some folders. Operations are meant in their order: each path is where a thing stands once
/// those before it are done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct OrganizePlan {
    /// Absolute real paths of the folders that it is about; nothing comes from or goes to anywhere else.
    pub scope: Vec<String>,
    /// The thought behind it, for people.
    #[serde(default)]
    pub reasoning: Phrase,
    /// In order.
    pub operations: Vec<OrganizeOperation>,
}

/// One operation of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct OrganizeOperation {
    /// Unique in its plan.
    pub id: OperationId,
    /// What is to be done.
    pub action: OrganizeAction,
    /// Why, for people.
    #[serde(default)]
    pub reason: Phrase,
    /// How bad it would be if it were wrong; whatever a planner says, checking sets what the action's kind has.
    pub risk: Risk,
}

/// What one operation does. Paths are absolute, or relative to the scope's only folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OrganizeAction {
    /// Make a folder, and those above it.
    CreateFolder(CreateFolderAction),
    /// Move a file or a folder elsewhere.
    Move(MoveFileAction),
    /// Rename a file or a folder in its folder.
    Rename(RenameAction),
    /// Copy a file.
    Copy(CopyFileAction),
    /// Put a file or a folder into the trash.
    Trash(TrashAction),
}

/// Make a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct CreateFolderAction {
    /// Its new path.
    pub path: String,
}

/// Move a file or a folder elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct MoveFileAction {
    /// Its path.
    pub path: String,
    /// Its new path, its own name included.
    pub destination: String,
}

/// Rename a file or a folder in its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct RenameAction {
    /// Its path.
    pub path: String,
    /// The new name, without a folder.
    pub name: String,
}

/// Copy a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct CopyFileAction {
    /// Its path.
    pub path: String,
    /// The path of the copy, its own name included.
    pub destination: String,
}

/// Put a file or a folder into the trash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct TrashAction {
    /// Its path.
    pub path: String,
}

impl OrganizeAction {
    /// How bad it would be if an operation of this kind were wrong.
    pub fn risk(&self) -> Risk {
        match self {
            Self::CreateFolder(_) | Self::Copy(_) => Risk::Low,
            Self::Move(_) | Self::Rename(_) => Risk::Medium,
            Self::Trash(_) => Risk::High,
        }
    }

    /// What it is done to, or what it makes where nothing was.
    pub fn path(&self) -> &str {
        match self {
            Self::CreateFolder(action) => &action.path,
            Self::Move(action) => &action.path,
            Self::Rename(action) => &action.path,
            Self::Copy(action) => &action.path,
            Self::Trash(action) => &action.path,
        }
    }
}

impl OrganizeOperation {
    /// An operation with the risk that its kind has.
    pub fn new(id: impl Into<String>, action: OrganizeAction, reason: impl Into<Phrase>) -> Self {
        let risk = action.risk();
        Self { id: OperationId::new(id), action, reason: reason.into(), risk }
    }
}
