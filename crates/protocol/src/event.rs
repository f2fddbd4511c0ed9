//! The journal: the ordered record of what happened to each task. It is the only source of truth about a task.

use crate::{
    AgentPlan, Answerer, Archived, BackgroundEnded, BackgroundStarted, Briefed, BudgetReached, CallId,
    Choice, Decision, Digest, Effect, FileChange, GrantId, GuidanceFound, Guided, MemoriesPruned,
    MemoryEdited, MemoryForgotten, MemoryImported, MemoryPromoted, MemoryRestored, Noted, Oriented,
    PauseReason, PermissionRequest, Phrase, PlanErrorCode, Question, QueueMoved, Redone, Remembered, Renamed,
    Report, RequestId, Responder, SpentInVain, StopReason, SubtasksEnded, SubtasksStarted, TaskId, TaskSpec,
    TodoChanged, ToolResult, Undone, Verdict,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An event with its position in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// The global sequence number of the event: rising, without gaps. It is also the event's position in the mirror's
    /// stream.
    pub seq: u64,
    /// The task that the event belongs to.
    pub task: TaskId,
    /// When the event was written.
    pub at_ms: i64,
    /// What happened.
    pub event: TaskEvent,
}

/// Something that happened to a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TaskEvent {
    /// The task was submitted and is queued.
    Created(Created),
    /// A person moved the queued task to another place in the queue.
    QueueMoved(QueueMoved),
    /// A person renamed the conversation that starts with the task.
    Renamed(Renamed),
    /// A person archived the task's conversation or restored it.
    Archived(Archived),
    /// An iteration of the task started.
    IterationStarted(IterationStarted),
    /// The planner answered.
    Planned(Planned),
    /// The planner did not answer. It is asked again, or the task pauses.
    PlanFailed(PlanFailed),
    /// Older steps were replaced by a summary in what the planner reads.
    Compacted(Compacted),
    /// The planner's system text, tools or earlier tasks changed.
    Briefed(Briefed),
    /// The start block was added to the conversation.
    Oriented(Oriented),
    /// The planner was given notes of earlier tasks.
    Noted(Noted),
    /// Guidance files were found that the user has not decided on.
    GuidanceFound(GuidanceFound),
    /// The planner was given the user's guidance.
    Guided(Guided),
    /// The planner wrote or updated its to-do list.
    TodoChanged(TodoChanged),
    /// A call delegated work to sub-tasks, and the task is waiting for them.
    SubtasksStarted(SubtasksStarted),
    /// The sub-tasks of a call ended.
    SubtasksEnded(SubtasksEnded),
    /// A person switched the task to another backend or model.
    ModelSwitched(ModelSwitched),
    /// A person took over the task's browser in a window. The task's browser calls wait until it is returned.
    BrowserTaken(BrowserTaken),
    /// The person returned the browser to the task, or closed its window.
    BrowserReturned(BrowserReturned),
    /// A second model reviewed a call that was allowed in advance.
    Reviewed(Reviewed),
    /// A call asked a model about texts.
    Inferred(Inferred),
    /// Policy decided on a call.
    CallDecided(CallDecided),
    /// A call is waiting for a person's permission.
    PermissionRequested(PermissionRequested),
    /// A permission request was answered by a person, a standing consent or its expiry.
    PermissionAnswered(PermissionAnswered),
    /// A call of the task was denied because a person denied an identical request.
    RefusalShared(RefusalShared),
    /// A call is about to run. The event is durable before a mutating call starts.
    ToolStarted(ToolStarted),
    /// A file is about to be changed, and its current content was saved.
    FileKept(FileKept),
    /// A command is about to run, and everything that it could change was saved.
    TreeKept(TreeKept),
    /// A call ended.
    ToolFinished(ToolFinished),
    /// A command keeps running in the background.
    BackgroundStarted(BackgroundStarted),
    /// A background command ended.
    BackgroundEnded(BackgroundEnded),
    /// The planner or a brake asked the user a question.
    QuestionAsked(QuestionAsked),
    /// The user answered a question.
    QuestionAnswered(QuestionAnswered),
    /// The task paused.
    Paused(Paused),
    /// The task resumed.
    Resumed(Resumed),
    /// The user added an instruction to the task.
    Steered(Steered),
    /// The user asked the task to stop. The running call may finish.
    StopRequested(StopRequested),
    /// The task's process died. The next process writes this event.
    Interrupted(Interrupted),
    /// The task ended.
    Stopped(Stopped),
    /// Changes of the task's calls were undone.
    Undone(Undone),
    /// Changes that an undo had reverted were made again.
    Redone(Redone),
    /// A memory was stored for later tasks, by the planner or, in the notebook, by a person.
    Remembered(Remembered),
    /// A person replaced the text of a memory that comes from this task.
    MemoryEdited(MemoryEdited),
    /// A person forgot a memory that comes from this task.
    MemoryForgotten(MemoryForgotten),
    /// A person restored a forgotten memory that comes from this task.
    MemoryRestored(MemoryRestored),
    /// A person made a memory that comes from this task available to tasks in other folders.
    MemoryPromoted(MemoryPromoted),
    /// A person forgot many memories at once. Written to the notebook.
    MemoriesPruned(MemoriesPruned),
    /// A memory from another home was imported. Written to the notebook.
    MemoryImported(MemoryImported),
}

/// The task was submitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// The task as it was submitted.
    pub spec: TaskSpec,
    /// A warning for the user before anything runs: the workspace is the home folder, or contains it. Absent
    /// otherwise.
    #[serde(default)]
    pub notice: Option<String>,
    /// The real paths of the files and folders that the goal names. The task may read them. Resolved when it was typed.
    #[serde(default)]
    pub named: Vec<String>,
}

/// An iteration of the task started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IterationStarted {
    /// The number of the iteration, from 1.
    pub iteration: u32,
}

/// The planner answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// The plan. Its calls have the ids that the core assigned.
    pub plan: AgentPlan,
    /// The tokens that the plan used.
    #[serde(default)]
    pub usage: Usage,
    /// The time from request to answer, in milliseconds.
    pub duration_ms: u64,
    /// The model that was configured at the time. Absent if the backend names none.
    #[serde(default)]
    pub model: Option<String>,
    /// The backend that answered. Absent if it was the task's own backend.
    #[serde(default)]
    pub backend: Option<String>,
    /// The cost of the plan, in millionths of the currency. Absent if the price is unknown.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// A person switched the task to another backend or model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelSwitched {
    /// The backend that plans the task from now on.
    pub backend: String,
    /// The model that plans the task from now on. Absent if it is the backend's configured model.
    #[serde(default)]
    pub model: Option<String>,
}

/// A person took over the task's browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserTaken {
    /// The address of the page that the browser showed. Absent if there was none.
    #[serde(default)]
    pub url: Option<String>,
}

/// A person returned the browser to the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserReturned {
    /// The address of the page that the browser showed at that time. Absent if there was none.
    #[serde(default)]
    pub url: Option<String>,
}

/// A second model reviewed a call that a grant, a rule or a standing consent would have allowed. The review can only
/// cause a person to be asked; it cannot allow or deny a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// The call that was reviewed.
    pub call: CallId,
    /// The backend that reviewed the call.
    pub backend: String,
    /// The model that reviewed the call. Absent if the backend names none.
    #[serde(default)]
    pub model: Option<String>,
    /// Whether a person has to be asked.
    pub asks: bool,
    /// The reason, in the model's words, or the error if the review failed.
    #[serde(default)]
    pub reason: Phrase,
    /// The tokens that the review used.
    #[serde(default)]
    pub usage: Usage,
    /// The cost of the review, in millionths of the currency. Absent if the price is unknown.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// A call asked a model about texts. The event is written when the call ends; its totals include what the call asked
/// before a crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inferred {
    /// The call.
    pub call: CallId,
    /// The backend that was asked.
    pub backend: String,
    /// The model that was asked. Absent if the backend names none.
    #[serde(default)]
    pub model: Option<String>,
    /// The number of answers that the model gave.
    pub answers: u64,
    /// The tokens that the answers used.
    #[serde(default)]
    pub usage: Usage,
    /// The cost of the answers, in millionths of the currency. Absent if the price is unknown.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// Older steps were replaced by a summary in what the planner reads. The journal keeps all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compacted {
    /// The last iteration that the summary covers.
    pub through_iteration: u32,
    /// The number of messages that the summary replaces.
    pub messages: u32,
    /// The summary that the planner reads instead of the messages.
    pub summary: String,
}

/// The number of tokens that requests to a model used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Input tokens, including those from the provider's cache.
    #[serde(default)]
    pub input_tokens: u64,
    /// Output tokens, including reasoning tokens.
    #[serde(default)]
    pub output_tokens: u64,
    /// The part of the input tokens that came from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// The part of the output tokens that the model spent on reasoning.
    #[serde(default)]
    pub reasoning_tokens: u64,
}

/// The planner did not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanFailed {
    /// The error code.
    pub code: PlanErrorCode,
    /// What went wrong and what to do next, for people.
    pub message: Phrase,
    /// How many times in a row the planner has failed, from 1.
    pub attempt: u32,
    /// The time in milliseconds until the planner is asked again. Absent if it is not asked again automatically.
    #[serde(default)]
    pub retry_in_ms: Option<u64>,
    /// The backend that is asked instead, as `backend` or `backend/model`. Absent if the same backend is asked.
    #[serde(default)]
    pub next_backend: Option<String>,
    /// The tokens that the failed request used. Absent if the provider did not count them.
    #[serde(default)]
    pub spent: Option<SpentInVain>,
    /// The time until which the provider wants no request. The task waits for it and then asks again. Absent if the
    /// provider named no time.
    #[serde(default)]
    pub wait: Option<ProviderWait>,
}

/// A wait that a model's provider asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProviderWait {
    /// When the wait ends.
    pub until_ms: i64,
    /// The backend that is asked again then, as `backend` or `backend/model`.
    pub backend: String,
}

/// Policy decided on a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallDecided {
    /// The call.
    pub call: CallId,
    /// The decision with its reasons.
    pub verdict: Verdict,
    /// The effect of running the call twice.
    pub effect: Effect,
    /// What the call does, for people.
    pub summary: Phrase,
    /// The digest that the decision is bound to.
    pub digest: Digest,
    /// The grant that allowed or denied the call. Absent if no grant did.
    #[serde(default)]
    pub grant: Option<GrantId>,
}

/// A call is waiting for a person's permission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionRequested {
    /// The permission request.
    pub request: PermissionRequest,
    /// The real paths that the call would change or that its command names. If the request is denied, the task is asked
    /// again about everything that would change them.
    #[serde(default)]
    pub touches: Vec<String>,
}

/// A permission request was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionAnswered {
    /// The id of the request.
    pub request: RequestId,
    /// The id of the call that was asked about.
    pub call: CallId,
    /// The digest that the answer is bound to.
    pub digest: Digest,
    /// Whether the call may run, and for how long the answer applies.
    pub choice: Choice,
    /// Who or what answered: a person at the host, a paired device, a standing consent, or the request's expiry.
    pub by: Answerer,
}

/// A call was denied because a person denied an identical open request. The person is not asked twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusalShared {
    /// The call that is denied.
    pub call: CallId,
    /// The digest that both calls are bound to.
    pub digest: Digest,
    /// The request that was denied.
    pub request: RequestId,
    /// The task that made the request. It may be another task.
    pub asked_by: TaskId,
    /// The reason in the person's words. Empty if the person gave none.
    pub reason: Phrase,
    /// The person or device that denied the request.
    pub by: Answerer,
}

/// A call is about to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolStarted {
    /// The call.
    pub call: CallId,
    /// The digest of what runs. It is equal to the digest that was decided on.
    pub digest: Digest,
    /// The effect of running the call twice.
    pub effect: Effect,
}

/// A file is about to be changed, and its current content was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileKept {
    /// The call that changes the file.
    pub call: CallId,
    /// The state of the file before and after the change.
    pub change: FileChange,
}

/// Everything that a command could change was saved. The changes that the command did make are in the call's result.
/// They are computed from the manifest when the call ends, or when the next process resumes the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TreeKept {
    /// The call that runs the command.
    pub call: CallId,
    /// The blob that lists the files from before the command. It is deleted once the changes are in the journal.
    pub manifest: Digest,
    /// The number of files whose content was saved.
    pub files: u64,
    /// The total size of the saved files in bytes.
    pub bytes: u64,
    /// The commits that the repositories of the folder were at when the task began. What they ignored decides for the
    /// whole task what is build output. Empty in older journals.
    #[serde(default)]
    pub heads: Vec<RepositoryHead>,
}

/// The commit that a repository was at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepositoryHead {
    /// The absolute path of the repository's working folder.
    pub folder: String,
    /// The id of the commit.
    pub commit: String,
}

/// A call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolFinished {
    /// The call.
    pub call: CallId,
    /// The result of the call.
    pub result: ToolResult,
    /// How long the call ran, in milliseconds.
    pub duration_ms: u64,
}

/// The planner or a brake asked the user a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionAsked {
    /// The question.
    pub question: Question,
}

/// The user answered a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionAnswered {
    /// The id of the question.
    pub request: RequestId,
    /// The answer.
    pub text: String,
    /// Who answered. Absent in older journals and in copies of a task.
    #[serde(default)]
    pub by: Option<Responder>,
    /// The real paths of the files and folders that the answer names. The task may read them. Resolved when it was typed.
    #[serde(default)]
    pub named: Vec<String>,
}

/// The task paused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paused {
    /// Why the task paused.
    pub reason: PauseReason,
    /// Why the task paused, for people.
    #[serde(default)]
    pub message: Phrase,
    /// The limit that was reached. Absent if the task paused for another reason.
    #[serde(default)]
    pub budget: Option<BudgetReached>,
}

/// The task resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resumed {}

/// The user added an instruction to the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Steered {
    /// The text of the instruction.
    pub text: String,
    /// The real paths of the files and folders that the text names. The task may read them. Resolved when it was typed.
    #[serde(default)]
    pub named: Vec<String>,
}

/// The user asked the task to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopRequested {}

/// The task's process died.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Interrupted {}

/// The task ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopped {
    /// How the task ended.
    pub reason: StopReason,
    /// The final answer, or what went wrong and what to do next.
    pub summary: Phrase,
    /// What the task did, according to the journal.
    #[serde(default)]
    pub report: Option<Box<Report>>,
}

impl TaskEvent {
    /// Returns whether the event only records what a person did with the task afterwards. Such events can also follow
    /// the end of the task.
    pub fn is_afterword(&self) -> bool {
        matches!(self, Self::Undone(_) | Self::Redone(_) | Self::Renamed(_) | Self::Archived(_))
            || self.is_of_memory()
    }

    /// Returns whether the event is about memories for later tasks and not about the task's own progress.
    pub fn is_of_memory(&self) -> bool {
        matches!(
            self,
            Self::MemoryEdited(_)
                | Self::MemoryForgotten(_)
                | Self::Remembered(_)
                | Self::MemoryRestored(_)
                | Self::MemoryPromoted(_)
                | Self::MemoriesPruned(_)
                | Self::MemoryImported(_)
        )
    }
}

impl CallDecided {
    /// Returns whether a person has to decide.
    pub fn asks(&self) -> bool {
        self.verdict.decision == Decision::Ask
    }
}
