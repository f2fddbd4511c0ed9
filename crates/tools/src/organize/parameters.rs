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

/// What is there, and a draft's id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScanParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    #[serde(default)]
    pub(crate) by: Option<WantedBy>,
    /// E.g. `lower-case`, `yyyy-mm-dd_Title Case`.
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

/// Three that fit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuggestParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
}

/// A plan from `changes`, and its id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    pub(crate) changes: Vec<Change>,
    #[serde(default)]
    pub(crate) reasoning: String,
}

// A change of everything that matches.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) r#do: ChangeType,
    /// What is changed; with `where` folders to look in.
    #[serde(default)]
    pub(crate) from: Vec<String>,
    /// Conditions of `search`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Option<Filter>,
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// The folder. Fields: {name} {ext} {n} {n:3} {date} {year} {month} {day} {time} {folder} {type}; {name:lower}, :upper, :title or a convention.
    #[serde(default)]
    pub(crate) to: Option<String>,
    /// E.g. `Trip {n:3}`; the ending stays without {ext}.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Becomes `new`.
    #[serde(default)]
    pub(crate) old: Option<String>,
    #[serde(default)]
    pub(crate) new: Option<String>,
    /// `old` is a regular expression.
    #[serde(default)]
    pub(crate) regex: bool,
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

/// Execute a draft or `operations`, once the user approves.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubmitParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) paths: Vec<String>,
    #[serde(default)]
    pub(crate) draft: Option<String>,
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// In order; paths as those before leave them.
    #[serde(default)]
    pub(crate) operations: Vec<PlannedOperation>,
    #[serde(default)]
    pub(crate) reasoning: String,
}

// An operation of a plan.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlannedOperation {
    #[serde(default)]
    id: Option<String>,
    // The kind of operation.
    r#type: PlannedType,
    path: String,
    /// The new path with its name; for `rename` the name alone.
    #[serde(default)]
    to: Option<String>,
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

/// What jobs did.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusParameters {
    #[serde(default)]
    pub(crate) job: Option<String>,
}

/// Take a job back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoParameters {
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
