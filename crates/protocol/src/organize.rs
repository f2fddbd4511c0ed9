//! Organize plans: file operations as data, which a person can read before anything happens.
//!
//! Unknown fields are refused, because ignoring one would ignore a part of the plan. The schema does not state this:
//! it describes the struct and the tag of an action separately, and neither knows the fields of the other.

use crate::{OperationId, Phrase, Risk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A plan of file operations in some folders. The operations are performed in order; each path is the path after the
/// operations before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct OrganizePlan {
    /// The absolute real paths of the folders that the plan covers. Nothing is moved out of or into any other folder.
    pub scope: Vec<String>,
    /// The reasoning behind the plan, for people.
    #[serde(default)]
    pub reasoning: Phrase,
    /// The operations, in order.
    pub operations: Vec<OrganizeOperation>,
}

/// An operation of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct OrganizeOperation {
    /// The id of the operation, unique in its plan.
    pub id: OperationId,
    /// What the operation does.
    pub action: OrganizeAction,
    /// The reason for the operation, for people.
    #[serde(default)]
    pub reason: Phrase,
    /// How harmful a mistake in the operation would be. A check sets it to the risk of the action's kind and ignores
    /// the planner's value.
    pub risk: Risk,
}

/// What an operation does. Paths are absolute. If the plan's scope is a single folder, they may be relative to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OrganizeAction {
    /// Creates a folder and its missing parent folders.
    CreateFolder(CreateFolderAction),
    /// Moves a file or folder to another folder.
    Move(MoveFileAction),
    /// Renames a file or folder within its folder.
    Rename(RenameAction),
    /// Copies a file.
    Copy(CopyFileAction),
    /// Moves a file or folder to the trash.
    Trash(TrashAction),
}

/// Creates a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct CreateFolderAction {
    /// The path of the new folder.
    pub path: String,
}

/// Moves a file or folder to another folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct MoveFileAction {
    /// The current path.
    pub path: String,
    /// The new path, including the name.
    pub destination: String,
}

/// Renames a file or folder within its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct RenameAction {
    /// The current path.
    pub path: String,
    /// The new name, without a folder.
    pub name: String,
}

/// Copies a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct CopyFileAction {
    /// The path of the file.
    pub path: String,
    /// The path of the copy, including its name.
    pub destination: String,
}

/// Moves a file or folder to the trash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(!deny_unknown_fields)]
pub struct TrashAction {
    /// The path of the file or folder.
    pub path: String,
}

impl OrganizeAction {
    /// Returns how harmful a mistake in an operation of this kind would be.
    pub fn risk(&self) -> Risk {
        match self {
            Self::CreateFolder(_) | Self::Copy(_) => Risk::Low,
            Self::Move(_) | Self::Rename(_) => Risk::Medium,
            Self::Trash(_) => Risk::High,
        }
    }

    /// Returns the path that the operation is applied to, or that it creates if there is no such path.
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
    /// Creates an operation with the risk of its kind.
    pub fn new(id: impl Into<String>, action: OrganizeAction, reason: impl Into<Phrase>) -> Self {
        let risk = action.risk();
        Self { id: OperationId::new(id), action, reason: reason.into(), risk }
    }
}
