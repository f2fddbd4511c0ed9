//! What may be asked of `organize`.

use crate::parameters::{JsonObject, actions};
use crate::search::{Filter, Order};
use deputy_organize::plan::By;
use deputy_protocol::{
    CopyFileAction, CreateFolderAction, MoveFileAction, OrganizeAction, OrganizeOperation, RenameAction,
    TrashAction,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Look through folders, and draft a plan by itself. Gives what is there (kinds, copies, projects, similar names) and the draft's id, which submit_plan takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScanParameters {
    /// Folders; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    /// What the draft goes by; everything when absent.
    #[serde(default)]
    pub(crate) by: Option<WantedBy>,
    /// Name files by this convention, shown by an example of itself, e.g. `lower-case`, `Title Case`, `yyyy-mm-dd_lower_case`; names stay when absent.
    #[serde(default)]
    pub(crate) convention: Option<String>,
}

/// What a draft goes by.
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

/// Suggest three naming conventions by the names that are there.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuggestParameters {
    /// Folders; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
}

/// Draft a plan from conditions instead of paths. Gives what would be done and the draft's id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftParameters {
    /// Folders; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    /// What is done to which files.
    pub(crate) changes: Vec<Change>,
    /// The thought behind the plan, for the user.
    #[serde(default)]
    pub(crate) reasoning: String,
}

// A change of everything that fits.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) r#do: ChangeType,
    /// Files and folders themselves; with `where` folders to look in.
    #[serde(default)]
    pub(crate) from: Vec<String>,
    /// Conditions of `search` `find`, e.g. `{"types": ["image"], "older_than": "90d"}`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Option<Filter>,
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// The folder for move, copy and create_folder. Fields: {name} {ext} {n} {n:3} {date} {year} {month} {day} {time} {folder} {type}, and {name:lower}, :upper, :title or a convention.
    #[serde(default)]
    pub(crate) to: Option<String>,
    /// The new name with such fields, e.g. `Trip {n:3}`; the ending stays unless {ext} is among them.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// This piece of the name becomes `new`.
    #[serde(default)]
    pub(crate) old: Option<String>,
    #[serde(default)]
    pub(crate) new: Option<String>,
    /// `old` is a regular expression.
    #[serde(default)]
    pub(crate) regex: bool,
    /// Where dates come from: the best there is, the camera alone, the last change.
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

/// Where dates come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Dates {
    #[default]
    Best,
    Taken,
    Changed,
}

/// Submit a draft by its id, or operations of your own. The user approves all of it at once; then it is executed, and can be undone.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubmitParameters {
    /// Folders; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    /// The id of a draft that scan or draft gave, instead of operations.
    #[serde(default)]
    pub(crate) draft: Option<String>,
    /// Ids of operations of the draft that are left out.
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// The operations in their order; each path is where a thing stands once those before it are done.
    #[serde(default)]
    pub(crate) operations: Vec<PlannedOperation>,
    /// The thought behind the plan, for the user.
    #[serde(default)]
    pub(crate) reasoning: String,
}

// One operation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlannedOperation {
    /// Unique in the plan; its number when absent.
    #[serde(default)]
    id: Option<String>,
    // What is done.
    r#type: PlannedType,
    /// What it is done to, or the folder that is made: absolute, or relative to the only folder.
    path: String,
    /// For `move` and `copy` the new path with its name; for `rename` the new name alone.
    #[serde(default)]
    to: Option<String>,
    /// Why, for the user.
    #[serde(default)]
    reason: String,
}

/// What one operation does.
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
    /// The operation, or what is missing in it.
    pub(crate) fn operation(&self, number: usize) -> Result<OrganizeOperation, String> {
        let id = self.id.clone().unwrap_or_else(|| format!("o{number}"));
        let path = self.path.clone();
        let to = || self.to.clone().ok_or_else(|| format!("operation {id}: `to` is missing"));
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

/// Say how jobs stand: those that were executed, with what they did, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusParameters {
    /// The id of one job; all when absent.
    #[serde(default)]
    pub(crate) job: Option<String>,
}

/// Take a job back, newest step first. Files that changed since stay where they are.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoParameters {
    /// The id of one job; all when absent.
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
