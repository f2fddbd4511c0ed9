//! The parameters of `organize`.

use crate::parameters::{JsonObject, actions};
use crate::search::{Filter, Order};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_organize::plan::By;
use deputy_protocol::{
    CopyFileAction, CreateFolderAction, MoveFileAction, OrganizeAction, OrganizeOperation, RenameAction,
    TrashAction,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Parameters of `scan`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScanParameters {
    /// The folders to organize. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    /// What to organize by; names only renames files. Default: everything.
    #[serde(default)]
    pub(crate) by: Option<WantedBy>,
    /// Naming pattern such as `lower-case`, `Title Case` or `yyyy-mm-dd_UPPER_CASE`.
    #[serde(default)]
    pub(crate) convention: Option<String>,
}

/// What a draft organizes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WantedBy {
    Everything,
    Kind,
    Date,
    Project,
    Content,
    Duplicates,
    Names,
}

impl From<WantedBy> for By {
    fn from(by: WantedBy) -> Self {
        match by {
            WantedBy::Everything => Self::Everything,
            WantedBy::Kind => Self::Kind,
            WantedBy::Date => Self::Date,
            WantedBy::Project => Self::Project,
            WantedBy::Content => Self::Content,
            WantedBy::Duplicates => Self::Duplicates,
            WantedBy::Names => Self::Names,
        }
    }
}

/// Parameters of `suggest_conventions`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuggestParameters {
    /// The folders to organize. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
}

/// Parameters of `draft`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftParameters {
    /// The folders to organize. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    /// The changes; each applies to everything that it selects.
    pub(crate) changes: Vec<Change>,
    /// The reason, shown to the user.
    #[serde(default)]
    pub(crate) reasoning: String,
}

// A change of everything that matches.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) r#do: ChangeType,
    /// Files and folders to change; with where, the folders to search. Default: paths.
    #[serde(default)]
    pub(crate) from: Vec<String>,
    /// Conditions, as in select_files.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Option<Filter>,
    /// Order for limit and {n}. Default: name.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// Maximum number of items to change. Default: all.
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// Target folder for move, copy and create_folder. Fields for move and copy: {name} {ext} {n} {n:3} {date} {year} {month} {day} {time} {folder} {type}; text as {name:lower}, :upper, :title or a naming pattern such as {name:Title_Case}.
    #[serde(default)]
    pub(crate) to: Option<String>,
    /// New name, with the fields of to: `Trip {n:3}`. The extension is kept unless {ext} is used.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Text in the name (not in the extension) to replace with new.
    #[serde(default)]
    pub(crate) old: Option<String>,
    /// Text that replaces old. Default: nothing.
    #[serde(default)]
    pub(crate) new: Option<String>,
    /// old is a regular expression, and new may use $1.
    #[serde(default)]
    pub(crate) regex: bool,
    /// Date for the fields: best known, taken (photo) or changed (file). Default: best.
    #[serde(default)]
    pub(crate) dates: Dates,
}

// What a change does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChangeType {
    Move,
    Copy,
    Rename,
    Trash,
    CreateFolder,
}

// The source of dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Dates {
    #[default]
    Best,
    Taken,
    Changed,
}

/// Parameters of `submit_plan`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubmitParameters {
    /// The folders to organize. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    /// Id of a draft from organize_scan or organize_draft.
    #[serde(default)]
    pub(crate) draft: Option<String>,
    /// Ids of operations in the draft to leave out, such as o3.
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// Steps in order, instead of a draft. After a move, use the new path.
    #[serde(default)]
    pub(crate) operations: Vec<PlannedOperation>,
    /// The reason, shown to the user.
    #[serde(default)]
    pub(crate) reasoning: String,
}

// An operation of a plan.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlannedOperation {
    /// Default: o1, o2 and so on.
    #[serde(default)]
    id: Option<String>,
    // The kind of operation.
    r#type: PlannedType,
    /// The file or folder; for create_folder the new folder.
    path: String,
    /// For move and copy the new path with the name; for rename only the new name.
    #[serde(default)]
    to: Option<String>,
    /// The reason, shown to the user.
    #[serde(default)]
    reason: String,
}

// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PlannedType {
    CreateFolder,
    Move,
    Rename,
    Copy,
    Trash,
}

impl PlannedOperation {
    /// Converts to an operation, or returns what is missing.
    pub(crate) fn operation(&self, number: usize) -> Result<OrganizeOperation, Phrase> {
        let id = self.id.clone().unwrap_or_else(|| format!("o{number}"));
        let path = self.path.clone();
        let to = || self.to.clone().ok_or_else(|| say::to_missing(&id));
        let action = match self.r#type {
            PlannedType::CreateFolder => OrganizeAction::CreateFolder(CreateFolderAction { path }),
            PlannedType::Move => OrganizeAction::Move(MoveFileAction { path, destination: to()? }),
            PlannedType::Rename => OrganizeAction::Rename(RenameAction { path, name: to()? }),
            PlannedType::Copy => OrganizeAction::Copy(CopyFileAction { path, destination: to()? }),
            PlannedType::Trash => OrganizeAction::Trash(TrashAction { path }),
        };
        Ok(OrganizeOperation::new(id, action, self.reason.clone()))
    }
}

/// Parameters of `status`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusParameters {
    /// Id of a job. Default: the latest jobs.
    #[serde(default)]
    pub(crate) job: Option<String>,
}

/// Parameters of `undo`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoParameters {
    /// Id of the job to undo, from organize_status.
    pub(crate) job: String,
}

actions! {
    /// A call of `organize`.
    pub(crate) enum OrganizeCall {
        "scan" => Scan(ScanParameters),
        "suggest_conventions" => Suggest(SuggestParameters),
        "draft" => Draft(DraftParameters),
        "submit_plan" => Submit(SubmitParameters),
        "status" => Status(StatusParameters),
        "undo" => Undo(UndoParameters),
    }
}

fn here() -> Vec<String> {
    vec![".".to_owned()]
}
