//! The journal: what happened to a task, in order. The only truth about it.

use crate::{
    AgentPlan, Answerer, Archived, BackgroundEnded, BackgroundStarted, Briefed, BudgetReached, CallId,
    Choice, Decision, Digest, Effect, FileChange, GrantId, GuidanceFound, Guided, MemoriesPruned,
    MemoryEdited, MemoryForgotten, MemoryImported, MemoryPromoted, MemoryRestored, Noted, PauseReason,
    PermissionRequest, Phrase, PlanErrorCode, Question, QueueMoved, Redone, Remembered, Renamed, Report,
    RequestId, SpentInVain, StopReason, SubtasksEnded, SubtasksStarted, TaskId, TaskSpec, TodoChanged,
    ToolResult, Undone, Verdict,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An event with its place in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// Global, rising, without gaps: the place in the mirror's stream.
    pub seq: u64,
    /// The task it belongs to.
    pub task: TaskId,
    /// When it was written.
    pub at_ms: i64,
    /// What happened.
    pub event: TaskEvent,
}

/// What happened to a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TaskEvent {
    /// It was submitted, and is queued.
    Created(Created),
    /// A person gave it another place among the queued ones.
    QueueMoved(QueueMoved),
    /// A person gave the conversation that it begins a title.
    Renamed(Renamed),
    /// A person put its conversation away, or brought it back.
    Archived(Archived),
    /// An iteration began.
    IterationStarted(IterationStarted),
    /// The planner answered.
    Planned(Planned),
    /// The planner did not answer; it is asked again, or the task parks.
    PlanFailed(PlanFailed),
    /// Older steps are replaced by a summary in what the planner reads.
    Compacted(Compacted),
    /// What the planner is given besides the conversation has changed.
    Briefed(Briefed),
    /// The planner is given notes of earlier tasks.
    Noted(Noted),
    /// There are files of guidance that the user has not decided on.
    GuidanceFound(GuidanceFound),
    /// The planner is given the user's guidance.
    Guided(Guided),
    /// The planner put down its steps.
    TodoChanged(TodoChanged),
    /// A call has delegated work to sub-tasks, and the task waits for them.
    SubtasksStarted(SubtasksStarted),
    /// The sub-tasks of a call have ended.
    SubtasksEnded(SubtasksEnded),
    /// A person switched it to another model.
    ModelSwitched(ModelSwitched),
    /// A person took its browser over in a window; its calls of the browser wait.
    BrowserTaken(BrowserTaken),
    /// The person gave the browser back, or closed its window.
    BrowserReturned(BrowserReturned),
    /// A second model looked at a call that was allowed beforehand.
    Reviewed(Reviewed),
    /// A call asked a model about texts.
    Inferred(Inferred),
    /// Policy decided on a call.
    CallDecided(CallDecided),
    /// A call waits for a person.
    PermissionRequested(PermissionRequested),
    /// A person, a standing consent or the clock answered.
    PermissionAnswered(PermissionAnswered),
    /// A person's no to an equal request was a no to a call of this task too.
    RefusalShared(RefusalShared),
    /// A call is about to run. Durable before a mutating call starts.
    ToolStarted(ToolStarted),
    /// A file is about to be changed; what it was is kept.
    FileKept(FileKept),
    /// A command is about to run; everything that it could change is kept.
    TreeKept(TreeKept),
    /// A call ended.
    ToolFinished(ToolFinished),
    /// A command keeps running in the background.
    BackgroundStarted(BackgroundStarted),
    /// A background command is gone.
    BackgroundEnded(BackgroundEnded),
    /// The planner or a brake asks the user.
    QuestionAsked(QuestionAsked),
    /// The user answered.
    QuestionAnswered(QuestionAnswered),
    /// It waits.
    Paused(Paused),
    /// It continues.
    Resumed(Resumed),
    /// The user added to the goal.
    Steered(Steered),
    /// The user asked it to stop; the running call may finish.
    StopRequested(StopRequested),
    /// Its process died; written by the next one.
    Interrupted(Interrupted),
    /// It ended.
    Stopped(Stopped),
    /// Changes of its calls were undone.
    Undone(Undone),
    /// What an undo took back was made again.
    Redone(Redone),
    /// Something was put down for later tasks: by its planner, or by a person in the notebook.
    Remembered(Remembered),
    /// A person put other words in the place of something it said, for later tasks.
    MemoryEdited(MemoryEdited),
    /// A person had something it said forgotten.
    MemoryForgotten(MemoryForgotten),
    /// A person brought that back.
    MemoryRestored(MemoryRestored),
    /// A person let something it said be given to tasks in other folders.
    MemoryPromoted(MemoryPromoted),
    /// A person had many forgotten at once; in the notebook.
    MemoriesPruned(MemoriesPruned),
    /// A memory of another home was taken in; in the notebook.
    MemoryImported(MemoryImported),
}

/// It was submitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// The task.
    pub spec: TaskSpec,
    /// What its person should know before anything runs: that the workspace is the home, or holds it.
    #[serde(default)]
    pub notice: Option<String>,
}

/// An iteration began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IterationStarted {
    /// From 1.
    pub iteration: u32,
}

/// The planner answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// The plan, its calls with the core's ids.
    pub plan: AgentPlan,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// Milliseconds from request to answer.
    pub duration_ms: u64,
    /// The model that was configured then, where the backend names one.
    #[serde(default)]
    pub model: Option<String>,
    /// The backend that answered, where it was not the task's own.
    #[serde(default)]
    pub backend: Option<String>,
    /// What it cost, in millionths of the currency, where the price is known.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// A person switched it to another backend or model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelSwitched {
    /// The backend that plans from now on.
    pub backend: String,
    /// Its model, where it is not the one that is configured.
    #[serde(default)]
    pub model: Option<String>,
}

/// A person took the browser of a task over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserTaken {
    /// The page that it was on.
    #[serde(default)]
    pub url: Option<String>,
}

/// A person gave the browser of a task back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserReturned {
    /// The page that the person left it on.
    #[serde(default)]
    pub url: Option<String>,
}

/// A second model looked at a call that a grant, a rule or a standing consent would let run. It can only have a person asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// The call.
    pub call: CallId,
    /// The backend that was asked.
    pub backend: String,
    /// Its model, where it names one.
    #[serde(default)]
    pub model: Option<String>,
    /// Whether a person is to be asked.
    pub asks: bool,
    /// Why, in its words or as what went wrong.
    #[serde(default)]
    pub reason: Phrase,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// The same in millionths of the currency, where the price is known.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// A call asked a model about texts. Written when the call ends, with all that it asked, before a crash too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inferred {
    /// The call.
    pub call: CallId,
    /// The backend that was asked.
    pub backend: String,
    /// Its model, where it names one.
    #[serde(default)]
    pub model: Option<String>,
    /// How many answers it gave.
    pub answers: u64,
    /// What they cost.
    #[serde(default)]
    pub usage: Usage,
    /// The same in millionths of the currency, where the price is known.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// Older steps are replaced by a summary in what the planner reads. The journal keeps all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compacted {
    /// The last iteration that only the summary covers.
    pub through_iteration: u32,
    /// How many messages of the conversation that were.
    pub messages: u32,
    /// What the planner reads in their place.
    pub summary: String,
}

/// Tokens of one plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read, those from the provider's cache included.
    #[serde(default)]
    pub input_tokens: u64,
    /// Tokens written, thoughts included.
    #[serde(default)]
    pub output_tokens: u64,
    /// Of those read, tokens that came from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Of those written, tokens of thoughts.
    #[serde(default)]
    pub reasoning_tokens: u64,
}

/// The planner did not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanFailed {
    /// Why, for programs.
    pub code: PlanErrorCode,
    /// Why, for people, with the next step.
    pub message: Phrase,
    /// How often in a row, from 1.
    pub attempt: u32,
    /// Milliseconds until it is asked again; absent when it is not asked again by itself.
    #[serde(default)]
    pub retry_in_ms: Option<u64>,
    /// The backend that is asked instead, as `backend` or `backend/model`.
    #[serde(default)]
    pub next_backend: Option<String>,
    /// The tokens that it cost, if the provider counted them.
    #[serde(default)]
    pub spent: Option<SpentInVain>,
}

/// Policy decided on a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallDecided {
    /// The call.
    pub call: CallId,
    /// The decision with its reasons.
    pub verdict: Verdict,
    /// What running it twice would mean.
    pub effect: Effect,
    /// What was decided about, for people.
    pub summary: Phrase,
    /// What the decision binds to.
    pub digest: Digest,
    /// The grant that allowed or denied it, if one did.
    #[serde(default)]
    pub grant: Option<GrantId>,
}

/// A call waits for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionRequested {
    /// What is asked.
    pub request: PermissionRequest,
}

/// Answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionAnswered {
    /// Which request.
    pub request: RequestId,
    /// Which call.
    pub call: CallId,
    /// The digest the answer names.
    pub digest: Digest,
    /// Yes or no.
    pub choice: Choice,
    /// Who.
    pub by: Answerer,
}

/// A call waited to ask the very same as an open request, and that one was refused: nobody is asked twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusalShared {
    /// The call that is refused.
    pub call: CallId,
    /// What both calls bind to.
    pub digest: Digest,
    /// The request that was answered.
    pub request: RequestId,
    /// The task that asked it; it may be another one.
    pub asked_by: TaskId,
    /// Why not, in the person's words; empty where they gave none.
    pub reason: Phrase,
    /// Who said no.
    pub by: Answerer,
}

/// A call is about to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolStarted {
    /// The call.
    pub call: CallId,
    /// Digest of what runs; equal to the decided one.
    pub digest: Digest,
    /// What running it twice would mean.
    pub effect: Effect,
}

/// A file is about to be changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileKept {
    /// The call that changes it.
    pub call: CallId,
    /// What it is and what it will be.
    pub change: FileChange,
}

/// Everything that a command could change is kept. What it did change is in the call's result: worked out from the
/// manifest when it ends, or when the next process takes the task up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TreeKept {
    /// The call whose command it is.
    pub call: CallId,
    /// The blob that lists what was there before. It is dropped once the changes are in the journal.
    pub manifest: Digest,
    /// Files whose content is kept.
    pub files: u64,
    /// Their size together.
    pub bytes: u64,
}

/// A call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolFinished {
    /// The call.
    pub call: CallId,
    /// What came of it.
    pub result: ToolResult,
    /// Milliseconds it ran.
    pub duration_ms: u64,
}

/// The planner or a brake asks the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionAsked {
    /// What is asked.
    pub question: Question,
}

/// The user answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionAnswered {
    /// Which question.
    pub request: RequestId,
    /// The answer.
    pub text: String,
}

/// It waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paused {
    /// Why.
    pub reason: PauseReason,
    /// Why, in words.
    #[serde(default)]
    pub message: Phrase,
    /// The limit that was reached, where one was.
    #[serde(default)]
    pub budget: Option<BudgetReached>,
}

/// It continues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resumed {}

/// The user added to the goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Steered {
    /// What they said.
    pub text: String,
}

/// The user asked it to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopRequested {}

/// Its process died.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Interrupted {}

/// It ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopped {
    /// How.
    pub reason: StopReason,
    /// The final answer, or what went wrong and what to do next.
    pub summary: Phrase,
    /// What it did, from the journal.
    #[serde(default)]
    pub report: Option<Box<Report>>,
}

impl TaskEvent {
    /// Whether it only says what a person did with the task afterwards; such events come after its end too.
    pub fn is_afterword(&self) -> bool {
        matches!(self, Self::Undone(_) | Self::Redone(_) | Self::Renamed(_) | Self::Archived(_))
            || self.is_of_memory()
    }

    /// Whether it is about what later tasks are given, and nothing of the task itself.
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
    /// Whether a person has to decide.
    pub fn asks(&self) -> bool {
        self.verdict.decision == Decision::Ask
    }
}
