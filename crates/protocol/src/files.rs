//! Organizing seen by a screen: folders to pick, a scan under way, a draft with its trees, and the jobs that came of it.

use crate::{CallId, ErrorBody, JobId, OperationId, OrganizeOperation, OrganizePlan, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Folders that a path being typed could continue with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoldersQuery {
    /// As typed: absolute, or below the home with `~`.
    pub path: String,
}

/// Begin to look through folders and to draft a plan for them. It continues by itself; ask for it with `scan`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartScanCommand {
    /// The folders, absolute or below the home with `~`.
    pub folders: Vec<String>,
    /// What the draft goes by.
    pub by: OrganizeBy,
    /// The convention that names are to follow, as an example of itself; names stay when absent.
    #[serde(default)]
    pub convention: Option<String>,
}

/// What a draft goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrganizeBy {
    /// Everything there is.
    #[default]
    Everything,
    /// The kinds of files.
    Kind,
    /// Years and months.
    Date,
    /// Projects alone.
    Project,
    /// What documents say.
    Content,
    /// Copies alone.
    Duplicates,
    /// Names alone.
    Names,
}

/// The state of a scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanQuery {
    /// Which.
    pub scan: String,
}

/// End a scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopScanCommand {
    /// Which.
    pub scan: String,
}

/// A draft with a person's changes, tried on a model of the tree. Nothing is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftQuery {
    /// The draft, as a scan gave it.
    pub draft: String,
    /// Operations that are dropped.
    #[serde(default)]
    pub without: Vec<OperationId>,
    /// Operations in the place of those that have their ids.
    #[serde(default)]
    pub edited: Vec<OrganizeOperation>,
}

/// Keep a draft with a person's changes as a draft of its own, which a task can carry out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeepDraftCommand {
    /// The draft, as a scan gave it.
    pub draft: String,
    /// Operations that are dropped.
    #[serde(default)]
    pub without: Vec<OperationId>,
    /// Operations in the place of those that have their ids.
    #[serde(default)]
    pub edited: Vec<OrganizeOperation>,
}

/// A draft was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftKeptOutcome {
    /// What a task can carry out.
    pub draft: String,
}

/// A scan was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanStartedOutcome {
    /// Its id.
    pub scan: String,
}

/// Jobs, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobsQuery {
    /// Only the one that this call of a task started.
    #[serde(default)]
    pub call: Option<CallId>,
}

/// Folders that a path could continue with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoldersAnswer {
    /// The folder that the path names, where it names one that can be organized.
    #[serde(default)]
    pub folder: Option<String>,
    /// Absolute paths, by name; at most 50.
    pub folders: Vec<String>,
    /// The user's own folders for downloads, the desktop, documents and pictures that exist, in this order.
    #[serde(default)]
    pub usual: Vec<String>,
    /// The user's home.
    pub home: String,
}

/// A scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanAnswer {
    /// Its id.
    pub scan: String,
    /// Its state.
    pub stage: ScanStage,
}

/// The state of a scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "stage", rename_all = "snake_case")]
pub enum ScanStage {
    /// Finding files and looking into them.
    Looking(ScanLooking),
    /// Reading files to their end that may be copies.
    Comparing(ScanComparing),
    /// Done.
    Drafted(ScanDrafted),
    /// It could not be made, or was stopped.
    Failed(ScanFailed),
}

/// Finding files and looking into them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanLooking {
    /// Files behind it.
    pub files: u64,
}

/// Reading files to their end that may be copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanComparing {
    /// Files behind it.
    pub done: u64,
    /// Files altogether.
    pub total: u64,
}

/// What a scan found, and the plan drafted for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanDrafted {
    /// The draft; absent where there is nothing to do.
    #[serde(default)]
    pub draft: Option<String>,
    /// Files that were looked at.
    pub files: u64,
    /// Their size.
    pub bytes: u64,
    /// Surplus copies among them.
    pub copies: u64,
    /// Conventions that names could follow, the likeliest first.
    pub conventions: Vec<ConventionCard>,
    /// Files that are left alone although they lie loose, at most 50.
    pub left_alone: Vec<PathNote>,
    /// How many those are.
    pub left_alone_count: u64,
    /// What was not looked at: hidden or secret, links and special files, names that are no text, unreadable.
    pub left_out: ScanLeftOut,
    /// Operations that one plan has no room for.
    pub too_many: u64,
}

/// What a scan did not look at, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanLeftOut {
    /// Hidden or secret.
    pub hidden: u64,
    /// Links and special files.
    pub special: u64,
    /// Names that are no valid UTF-8.
    pub unnameable: u64,
    /// What could not be read.
    pub unreadable: u64,
}

/// It could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanFailed {
    /// Why.
    pub error: ErrorBody,
}

/// A convention that names could follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConventionCard {
    /// What to name it by: an example of itself.
    pub pattern: String,
    /// For people.
    pub description: Phrase,
    /// One of the names that are there.
    pub before: String,
    /// What it would become.
    pub after: String,
    /// How much the names that are there speak for it.
    pub confidence_percent: u8,
    /// Files whose names follow it already.
    pub matches: u64,
    /// Files that were looked at.
    pub files: u64,
}

/// Something about a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathNote {
    /// The path.
    pub path: String,
    /// What about it.
    pub reason: Phrase,
}

/// Something about an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperationNote {
    /// Its id.
    pub operation: String,
    /// What about it.
    pub text: Phrase,
}

/// A draft, tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftAnswer {
    /// The plan, each operation with the risk of its kind.
    pub plan: OrganizePlan,
    /// Where what will be done differs from what was written.
    pub notes: Vec<OperationNote>,
    /// What cannot be done; empty for a plan that can be carried out.
    pub problems: Vec<OperationNote>,
    /// The trees before and after; absent where the folders hold too much to be drawn, or the plan cannot be done.
    #[serde(default)]
    pub trees: Option<DraftTrees>,
}

/// The folders of a plan before it and after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftTrees {
    /// As they are: absolute paths, a folder's with a slash at its end, each after the folder that it is in.
    pub before: Vec<String>,
    /// As they would be.
    pub after: Vec<String>,
}

/// Jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobsAnswer {
    /// Newest first, at most 200.
    pub jobs: Vec<JobInfo>,
}

/// A job: a plan that was begun, or one that takes another back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobInfo {
    /// Its id.
    pub job: JobId,
    /// Its state.
    pub state: JobStanding,
    /// The job that took it back.
    #[serde(default)]
    pub undone_by: Option<JobId>,
    /// The job that it undoes.
    #[serde(default)]
    pub undoes: Option<JobId>,
    /// The folders that it is about.
    pub scope: Vec<String>,
    /// Steps that are done.
    pub done: u64,
    /// Steps altogether.
    pub steps: u64,
    /// When it was begun.
    pub began_at_ms: i64,
    /// What was left out, with the reason; at most 50, and only of a job that was cut off or was asked for by its call.
    pub left_out: Vec<PathNote>,
    /// How many those are.
    pub left_out_count: u64,
    /// The step at which it stopped, with the reason; only of such a job.
    #[serde(default)]
    pub stopped: Option<PathNote>,
}

/// How far a job got that the host works on, no matter who has it worked on. Not journalled; may be lost: `jobs` tells how it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobProgress {
    /// The job. Where it is no job over files, this is the id of its call.
    pub job: JobId,
    /// The job that it undoes.
    #[serde(default)]
    pub undoes: Option<JobId>,
    /// The call that started it; absent if a person did.
    #[serde(default)]
    pub call: Option<CallId>,
    /// Steps that are behind it.
    pub done: u64,
    /// Steps altogether.
    pub steps: u64,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStanding {
    /// A process works on it.
    Running,
    /// It is not done, and nobody works on it.
    Interrupted,
    /// It is done.
    Done,
    /// It was undone.
    Undone,
    /// Its journal is damaged.
    Damaged,
}
