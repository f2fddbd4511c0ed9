//! Memories: what tasks said, as later tasks may be given it; and how a person finds, edits and forgets it.

use crate::{CallId, PassagePlace, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose words a memory holds. A tool's are untrusted: data, never instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryRole {
    /// The user's.
    User,
    /// The planner's.
    Assistant,
    /// What a call gave back.
    Tool,
}

/// Where a memory comes from. What is not a person's is data: it is given to tasks in its own folder alone, until a person
/// promotes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryOrigin {
    /// A person said it.
    Person,
    /// The planner said it, of whatever it had read.
    Planner,
    /// A tool said it.
    Tool,
    /// A command printed it.
    Command,
    /// It was read from files or their names.
    File,
    /// It was read from a page.
    Page,
}

/// What kind of memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// It was said while a task worked.
    Said,
    /// It was put down to be remembered.
    Fact,
    /// It was put down to be remembered about one subject. A newer one about the same takes its place.
    Preference,
}

/// What one event of a task said, or a passage of a document, as recall may hand it to the planner of a later task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// The place in the stream of the event that said it.
    pub memory: u64,
    /// The task that it comes from.
    pub task: TaskId,
    /// What that task was to do; its first 200 characters.
    pub goal: String,
    /// The folder that task worked in.
    pub workspace: String,
    /// Whose words they are.
    pub role: MemoryRole,
    /// The words; at most 2,000 characters.
    pub text: String,
    /// When they were said.
    pub at_ms: i64,
    /// When a person edited them last.
    #[serde(default)]
    pub edited_at_ms: Option<i64>,
    /// Where it comes from.
    pub origin: MemoryOrigin,
    /// When a person let it leave its folder; absent where nobody has.
    #[serde(default)]
    pub promoted_at_ms: Option<i64>,
    /// What kind it is.
    pub kind: MemoryKind,
    /// What a preference is about.
    #[serde(default)]
    pub about: Option<String>,
    /// Whether a newer preference took its place: later tasks are not given it.
    pub is_replaced: bool,
    /// Where it stands, if it is a passage of a document. It is not edited, forgotten or promoted by its number.
    #[serde(default)]
    pub passage: Option<PassagePlace>,
    /// How well it fits, where the best were asked for.
    #[serde(default)]
    pub found: Option<MemoryFound>,
}

/// How well a memory fits what was looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryFound {
    /// The score, of which the best of all has 1.
    pub score: f64,
    /// Whether it holds all the words.
    pub by_words: bool,
    /// How near it is by its meaning, up to 1; absent where it was not found by that.
    #[serde(default)]
    pub similarity: Option<f64>,
}

/// Memories, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesQuery {
    /// Only those with all of these words; the last may be the beginning of one. Absent: all.
    #[serde(default)]
    pub search: Option<String>,
    /// Only those of this task.
    #[serde(default)]
    pub task: Option<TaskId>,
    /// Only those of tasks in this folder.
    #[serde(default)]
    pub workspace: Option<String>,
    /// Only facts and preferences that were put down to be remembered.
    #[serde(default)]
    pub only_kept: bool,
    /// The best first, by words and by meaning, passages of documents among them: one page, with how well each fits. Otherwise all that
    /// hold the words, newest first.
    #[serde(default)]
    pub best: bool,
    /// Only what was said before this event.
    #[serde(default)]
    pub before: Option<u64>,
    /// How many at most; 100 is the most.
    #[serde(default = "usual_limit")]
    pub limit: u32,
}

/// Memories of one page where nothing is said.
fn usual_limit() -> u32 {
    50
}

/// A page of memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesAnswer {
    /// Newest first. A page may hold fewer than asked for, even none, and still not be the last.
    pub memories: Vec<Memory>,
    /// What the next page has as its `before`; absent at the end.
    #[serde(default)]
    pub next: Option<u64>,
}

/// How much of the memories can be found by meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryStatsQuery {}

/// How much of the memories can be found by meaning. All of them can be found by their words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryStatsAnswer {
    /// What is set up to embed them: `on_device`, `none`, or the name of a backend.
    pub embedder: String,
    /// Why it does not embed now; absent where nothing is known to be wrong.
    #[serde(default)]
    pub problem: Option<String>,
    /// The model whose vectors are searched; absent before the first.
    #[serde(default)]
    pub model: Option<String>,
    /// Memories.
    pub memories: u64,
    /// Those that have a vector of the model.
    pub embedded: u64,
    /// Those that wait for one.
    pub pending: u64,
    /// Those whose vector is to be made again.
    pub outdated: u64,
    /// Those that could not be embedded.
    pub failed: u64,
    /// What tools said, which is found by its words alone.
    pub words_only: u64,
    /// What was forgotten or pruned, and can be restored.
    #[serde(default)]
    pub forgotten: u64,
    /// Passages of documents in indexed folders.
    #[serde(default)]
    pub passages: u64,
    /// Those that have a vector of the model.
    #[serde(default)]
    pub passages_embedded: u64,
    /// Those that could not be embedded.
    #[serde(default)]
    pub passages_failed: u64,
}

/// Embed every memory anew, and try again what could not be embedded. The vectors there are serve until then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RebuildMemoryCommand {}

/// Embed some of what waits now, instead of in a quiet moment. The outcome says how many memories and passages still wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedMemoriesCommand {}

/// Remember something for later tasks in every folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RememberCommand {
    /// The words.
    pub text: String,
    /// What it is about, where it is a preference: it takes the place of an older one about the same.
    #[serde(default)]
    pub about: Option<String>,
}

/// Something is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RememberedOutcome {
    /// The number of the memory.
    pub memory: u64,
}

/// Something was put down for later tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remembered {
    /// The words.
    pub text: String,
    /// What it is about, where it is a preference.
    #[serde(default)]
    pub about: Option<String>,
    /// The planner's call that put it down; absent where a person did.
    #[serde(default)]
    pub call: Option<CallId>,
    /// Whether a person let it be given to tasks in every folder.
    #[serde(default)]
    pub is_promoted: bool,
}

/// Put other words in a memory's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EditMemoryCommand {
    /// Which.
    pub memory: u64,
    /// The words.
    pub text: String,
}

/// Forget a memory, and whatever says the very same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForgetMemoryCommand {
    /// Which.
    pub memory: u64,
}

/// Bring back a memory that was forgotten, and whatever was forgotten with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RestoreMemoryCommand {
    /// Which.
    pub memory: u64,
}

/// Let a memory leave the folder that it comes from: tasks in other folders may be given it too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromoteMemoryCommand {
    /// Which.
    pub memory: u64,
}

/// Memories were forgotten, or came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesOutcome {
    /// How many: the one that was named, and those that say the very same. 0 where that had been done before.
    pub memories: u64,
}

/// A person put other words in a memory's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryEdited {
    /// Which.
    pub memory: u64,
    /// The words.
    pub text: String,
}

/// A person had a memory forgotten, and whatever said the very same then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryForgotten {
    /// Which.
    pub memory: u64,
}

/// A person let a memory leave the folder that it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryPromoted {
    /// Which.
    pub memory: u64,
}

/// A person brought a forgotten memory back, and whatever was forgotten with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryRestored {
    /// Which.
    pub memory: u64,
    /// The words that it had when it was forgotten, taken from the journal.
    pub text: String,
}
