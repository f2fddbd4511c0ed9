//! Memories: texts from tasks that later tasks may be given, and how a person finds, edits and forgets them.

use crate::{CallId, PassagePlace, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The author of a memory. Text from tools is untrusted: it is data, never instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryRole {
    /// The user.
    User,
    /// The planner.
    Assistant,
    /// A tool, in the result of a call.
    Tool,
}

/// The origin of a memory. A memory that does not come from a person is data. It is only given to tasks in its own
/// folder until a person promotes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryOrigin {
    /// A person wrote it.
    Person,
    /// The planner wrote it, possibly based on anything that it read.
    Planner,
    /// A tool returned it.
    Tool,
    /// A command printed it.
    Command,
    /// It was read from files or their names.
    File,
    /// It was read from a web page.
    Page,
}

/// The kind of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// A text from the work on a task.
    Said,
    /// A fact that was stored to be remembered.
    Fact,
    /// A preference about one subject that was stored to be remembered. A newer preference about the same subject
    /// replaces it.
    Preference,
}

/// A text from an event of a task, or a passage of a document, that recall may give to the planner of a later task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// The number of the memory: the sequence number of the event that contains the text.
    pub memory: u64,
    /// The task that the memory comes from.
    pub task: TaskId,
    /// The first 200 characters of the task's goal.
    pub goal: String,
    /// The folder that the task worked in.
    pub workspace: String,
    /// The author of the text.
    pub role: MemoryRole,
    /// The text, at most 2,000 characters.
    pub text: String,
    /// When the text was written.
    pub at_ms: i64,
    /// When a person last edited the text. Absent if it was not edited.
    #[serde(default)]
    pub edited_at_ms: Option<i64>,
    /// The origin of the text.
    pub origin: MemoryOrigin,
    /// When a person made the memory available outside its folder. Absent if it was not.
    #[serde(default)]
    pub promoted_at_ms: Option<i64>,
    /// The kind of memory.
    pub kind: MemoryKind,
    /// The subject of a preference.
    #[serde(default)]
    pub about: Option<String>,
    /// Whether a newer preference replaced this one. If so, it is not given to later tasks.
    pub is_replaced: bool,
    /// The location of the passage. Absent unless the memory is a passage of a document. A passage cannot be edited,
    /// forgotten or promoted by its number.
    #[serde(default)]
    pub passage: Option<PassagePlace>,
    /// How well the memory matches the search. Absent unless the query asked for the best matches.
    #[serde(default)]
    pub found: Option<MemoryFound>,
}

/// How well a memory matches a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryFound {
    /// The score, relative to the best match, which has 1.
    pub score: f64,
    /// Whether the text contains all of the words.
    pub by_words: bool,
    /// The similarity in meaning, at most 1. Absent if the memory was not found by meaning.
    #[serde(default)]
    pub similarity: Option<f64>,
}

/// Asks for memories, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesQuery {
    /// Only memories that contain all of these words. The last word may be a prefix. If absent, all memories are
    /// returned.
    #[serde(default)]
    pub search: Option<String>,
    /// Only memories of this task.
    #[serde(default)]
    pub task: Option<TaskId>,
    /// Only memories of tasks in this folder.
    #[serde(default)]
    pub workspace: Option<String>,
    /// Whether to return only stored facts and preferences.
    #[serde(default)]
    pub only_kept: bool,
    /// Whether to return one page of the best matches, by words and by meaning, including passages of documents.
    /// Otherwise, all memories that contain the words are returned, newest first.
    #[serde(default)]
    pub best: bool,
    /// Only memories from before this event. Used to get the next page.
    #[serde(default)]
    pub before: Option<u64>,
    /// The maximum number of memories; at most 100.
    #[serde(default = "usual_limit")]
    pub limit: u32,
}

/// The default number of memories in a page.
fn usual_limit() -> u32 {
    50
}

/// A page of memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesAnswer {
    /// The memories, newest first. A page may contain fewer memories than requested, even none, without being the
    /// last one.
    pub memories: Vec<Memory>,
    /// The value of `before` for the next page. Absent on the last page.
    #[serde(default)]
    pub next: Option<u64>,
}

/// Asks how many memories can be found by meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryStatsQuery {}

/// The number of memories that can be found by meaning. All memories can be found by their words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryStatsAnswer {
    /// The configured embedder: `on_device`, `none`, or the name of a backend.
    pub embedder: String,
    /// Why the embedder does not work at the moment. Absent if no problem is known.
    #[serde(default)]
    pub problem: Option<String>,
    /// The model whose vectors are searched. Absent until the first memory is embedded.
    #[serde(default)]
    pub model: Option<String>,
    /// The number of memories.
    pub memories: u64,
    /// The number of memories that have a vector of the model.
    pub embedded: u64,
    /// The number of memories that are waiting for a vector.
    pub pending: u64,
    /// The number of memories whose vector has to be recomputed.
    pub outdated: u64,
    /// The number of memories that could not be embedded.
    pub failed: u64,
    /// The number of memories from tools, which can only be found by their words.
    pub words_only: u64,
    /// The number of memories that were forgotten or pruned and can be restored.
    #[serde(default)]
    pub forgotten: u64,
    /// The number of passages of documents in indexed folders.
    #[serde(default)]
    pub passages: u64,
    /// The number of passages that have a vector of the model.
    #[serde(default)]
    pub passages_embedded: u64,
    /// The number of passages that could not be embedded.
    #[serde(default)]
    pub passages_failed: u64,
}

/// Embeds all memories again, including those that could not be embedded. The existing vectors are used until then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RebuildMemoryCommand {}

/// Embeds some of the pending memories now instead of at a quiet time. The outcome is the number of memories and
/// passages that are still pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedMemoriesCommand {}

/// Stores a memory for later tasks in every folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RememberCommand {
    /// The text.
    pub text: String,
    /// The subject, which makes the memory a preference. It replaces an older preference about the same subject.
    /// Absent for a fact.
    #[serde(default)]
    pub about: Option<String>,
}

/// A memory was stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RememberedOutcome {
    /// The number of the memory.
    pub memory: u64,
}

/// A memory was stored for later tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remembered {
    /// The text.
    pub text: String,
    /// The subject of a preference. Absent for a fact.
    #[serde(default)]
    pub about: Option<String>,
    /// The planner's call that stored the memory. Absent if a person did.
    #[serde(default)]
    pub call: Option<CallId>,
    /// Whether a person allowed the memory to be given to tasks in every folder.
    #[serde(default)]
    pub is_promoted: bool,
}

/// Replaces the text of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EditMemoryCommand {
    /// The number of the memory.
    pub memory: u64,
    /// The new text.
    pub text: String,
}

/// Forgets a memory, and all others with the same text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForgetMemoryCommand {
    /// The number of the memory.
    pub memory: u64,
}

/// Restores a forgotten memory, and all memories that were forgotten with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RestoreMemoryCommand {
    /// The number of the memory.
    pub memory: u64,
}

/// Makes a memory available to tasks outside the folder that it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromoteMemoryCommand {
    /// The number of the memory.
    pub memory: u64,
}

/// Memories were forgotten, restored, promoted, pruned or embedded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesOutcome {
    /// The number of memories that were changed, including those with the same text. 0 if nothing had to be changed.
    /// After embedding, it is the number of memories and passages that are still pending.
    pub memories: u64,
}

/// A person replaced the text of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryEdited {
    /// The number of the memory.
    pub memory: u64,
    /// The new text.
    pub text: String,
}

/// A person forgot a memory, and all others that had the same text at that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryForgotten {
    /// The number of the memory.
    pub memory: u64,
}

/// A person made a memory available outside the folder that it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryPromoted {
    /// The number of the memory.
    pub memory: u64,
}

/// A person restored a forgotten memory, and all memories that were forgotten with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryRestored {
    /// The number of the memory.
    pub memory: u64,
    /// The text of the memory when it was forgotten, taken from the journal.
    pub text: String,
}
