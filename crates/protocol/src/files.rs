//! Organizing, as seen by a screen: folders to choose, running scans, drafts with their trees, and jobs.

use crate::{CallId, ErrorBody, JobId, OperationId, OrganizeOperation, OrganizePlan, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for folders that complete a partly typed path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoldersQuery {
    /// The path as typed: absolute, or below the home folder with `~`.
    pub path: String,
}

/// Starts to scan folders and to draft a plan for them. The scan runs in the background; the query `scan` returns its
/// progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartScanCommand {
    /// The folders, absolute or below the home folder with `~`.
    pub folders: Vec<String>,
    /// What the draft organizes files by.
    pub by: OrganizeBy,
    /// The naming convention for files, written as an example. If absent, names are not changed.
    #[serde(default)]
    pub convention: Option<String>,
}

/// What a draft organizes files by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrganizeBy {
    /// All criteria: duplicates, projects, screenshots, installers, document contents, photographs by year, and kinds.
    #[default]
    Everything,
    /// The kinds of files.
    Kind,
    /// Years and months.
    Date,
    /// Only projects.
    Project,
    /// The contents of documents.
    Content,
    /// Only duplicate files.
    Duplicates,
    /// Only the names of files.
    Names,
}

/// Asks for the state of a scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanQuery {
    /// The id of the scan.
    pub scan: String,
}

/// Stops a scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopScanCommand {
    /// The id of the scan.
    pub scan: String,
}

/// Tries a draft with a person's changes on a model of the tree. Nothing is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftQuery {
    /// The id of the draft, as returned by a scan.
    pub draft: String,
    /// The ids of operations to drop.
    #[serde(default)]
    pub without: Vec<OperationId>,
    /// Edited operations. Each replaces the operation with the same id.
    #[serde(default)]
    pub edited: Vec<OrganizeOperation>,
}

/// Saves a draft with a person's changes as a new draft, which a task can execute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeepDraftCommand {
    /// The id of the draft, as returned by a scan.
    pub draft: String,
    /// The ids of operations to drop.
    #[serde(default)]
    pub without: Vec<OperationId>,
    /// Edited operations. Each replaces the operation with the same id.
    #[serde(default)]
    pub edited: Vec<OrganizeOperation>,
}

/// A draft was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftKeptOutcome {
    /// The id of the saved draft, which a task can execute.
    pub draft: String,
}

/// A scan was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanStartedOutcome {
    /// The id of the scan.
    pub scan: String,
}

/// Asks for jobs, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobsQuery {
    /// Only the job that this call of a task started. If absent, all jobs are returned.
    #[serde(default)]
    pub call: Option<CallId>,
}

/// Folders that complete a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoldersAnswer {
    /// The folder that the path names. Absent if the path does not name a folder that can be organized.
    #[serde(default)]
    pub folder: Option<String>,
    /// The absolute paths of the folders, sorted by name; at most 50.
    pub folders: Vec<String>,
    /// The user's own folders for downloads, the desktop, documents and pictures that exist, in this order.
    #[serde(default)]
    pub usual: Vec<String>,
    /// The path of the user's home folder.
    pub home: String,
}

/// The state of a scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanAnswer {
    /// The id of the scan.
    pub scan: String,
    /// The state of the scan.
    pub stage: ScanStage,
}

/// The state of a scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "stage", rename_all = "snake_case")]
pub enum ScanStage {
    /// The scan is finding and examining files.
    Looking(ScanLooking),
    /// The scan is comparing the contents of possible duplicates.
    Comparing(ScanComparing),
    /// The scan is done.
    Drafted(ScanDrafted),
    /// The scan failed or was stopped.
    Failed(ScanFailed),
}

/// The scan is finding and examining files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanLooking {
    /// The number of files that were examined so far.
    pub files: u64,
}

/// The scan is comparing the contents of possible duplicates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanComparing {
    /// The number of files that were compared so far.
    pub done: u64,
    /// The total number of files to compare.
    pub total: u64,
}

/// The result of a scan, and the plan that was drafted for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanDrafted {
    /// The id of the draft. Absent if there is nothing to do.
    #[serde(default)]
    pub draft: Option<String>,
    /// The number of files that were scanned.
    pub files: u64,
    /// The total size of the scanned files in bytes.
    pub bytes: u64,
    /// The number of surplus copies among the scanned files.
    pub copies: u64,
    /// Naming conventions that the files could follow, most likely first.
    pub conventions: Vec<ConventionCard>,
    /// Files at the top level that the plan leaves in place, with the reason; at most 50.
    pub left_alone: Vec<PathNote>,
    /// The number of files that were left in place, up to 10,000.
    pub left_alone_count: u64,
    /// What was not scanned.
    pub left_out: ScanLeftOut,
    /// The number of operations that did not fit into the plan.
    pub too_many: u64,
}

/// The numbers of files and folders that a scan skipped, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanLeftOut {
    /// Hidden or secret files and folders.
    pub hidden: u64,
    /// Links and special files.
    pub special: u64,
    /// Names that are not valid UTF-8.
    pub unnameable: u64,
    /// Files and folders that could not be read.
    pub unreadable: u64,
}

/// The scan failed or was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanFailed {
    /// The error.
    pub error: ErrorBody,
}

/// A naming convention that files could follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConventionCard {
    /// The convention, written as an example.
    pub pattern: String,
    /// The description of the convention, for people.
    pub description: Phrase,
    /// One of the current names.
    pub before: String,
    /// The name that it would get.
    pub after: String,
    /// How well the current names support the convention, in percent.
    pub confidence_percent: u8,
    /// The number of files whose names already follow the convention.
    pub matches: u64,
    /// The number of files that were examined.
    pub files: u64,
}

/// A path with a note about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathNote {
    /// The path.
    pub path: String,
    /// The note, for people.
    pub reason: Phrase,
}

/// An operation with a note about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperationNote {
    /// The id of the operation.
    pub operation: String,
    /// The note, for people.
    pub text: Phrase,
}

/// The result of trying a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftAnswer {
    /// The plan. Each operation has the risk of its kind.
    pub plan: OrganizePlan,
    /// Differences between what was written and what will be done.
    pub notes: Vec<OperationNote>,
    /// Operations that cannot be performed. Empty if the plan can be executed.
    pub problems: Vec<OperationNote>,
    /// The trees before and after the plan. Absent if the folders contain too many files to show, or the plan cannot
    /// be executed.
    #[serde(default)]
    pub trees: Option<DraftTrees>,
}

/// The folders of a plan, before and after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftTrees {
    /// The current tree, as absolute paths. A folder's path ends with a slash and follows that of the folder that
    /// contains it.
    pub before: Vec<String>,
    /// The tree after the plan, in the format of `before`.
    pub after: Vec<String>,
}

/// A list of executed plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobsAnswer {
    /// The plans, newest first, at most 200.
    pub jobs: Vec<JobInfo>,
}

/// An executed plan: the job that executed it, with the undos and redos of that job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobInfo {
    /// The id of the job that executed the plan.
    pub job: JobId,
    /// The state of the plan.
    pub state: JobStanding,
    /// The job that undid the plan, or the newest that undid a part of it. To redo the plan, undo that job. Absent if
    /// nothing is undone.
    #[serde(default)]
    pub undone_by: Option<JobId>,
    /// The folders that the plan covers.
    pub scope: Vec<String>,
    /// The execution, the undos and the redos of the plan, oldest first; the newest 20.
    pub turns: Vec<JobTurn>,
    /// Steps that the last turn skipped, with the reason; at most 50. Only filled in if the plan is interrupted, or if
    /// the query named the plan's call.
    pub left_out: Vec<PathNote>,
    /// The number of steps that the last turn skipped.
    pub left_out_count: u64,
    /// The step at which the last turn stopped, with the reason. Only filled in if the plan is interrupted, or if the
    /// query named the plan's call; absent if no step failed.
    #[serde(default)]
    pub stopped: Option<PathNote>,
}

/// A job that executed, undid or redid a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobTurn {
    /// The id of the job.
    pub job: JobId,
    /// What the job does with the plan.
    pub turn: TurnKind,
    /// The number of steps that are done.
    pub done: u64,
    /// The total number of steps.
    pub steps: u64,
    /// When the job was started.
    pub began_at_ms: i64,
}

/// What a job does with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// It executes the plan.
    Execute,
    /// It undoes what was executed or redone.
    Undo,
    /// It redoes what was undone.
    Redo,
}

/// The progress of a job that the host is working on. It is not journaled and may be lost; the query `jobs` returns
/// the final state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobProgress {
    /// The id of the job. For work that is not a job over files, it is the id of the call.
    pub job: JobId,
    /// The job that this job undoes. Absent if it does not undo a job.
    #[serde(default)]
    pub undoes: Option<JobId>,
    /// The call that started the job. Absent if a person started it.
    #[serde(default)]
    pub call: Option<CallId>,
    /// The number of steps that are done.
    pub done: u64,
    /// The total number of steps.
    pub steps: u64,
}

/// The state of an executed plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStanding {
    /// A process is executing, undoing or redoing the plan.
    Running,
    /// The last turn is not done, and no process is working on it.
    Interrupted,
    /// The plan is done.
    Done,
    /// A part of the plan is undone.
    PartlyUndone,
    /// The plan is undone.
    Undone,
    /// The journal of the job is damaged.
    Damaged,
}
