//! Pruning memories, and taking them from one home to another.

use crate::{MemoryKind, MemoryOrigin, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What memories are pruned by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PruneKind {
    /// What a person said to a task.
    Said,
    /// What the planner said.
    Plans,
    /// What calls gave back.
    Results,
    /// Facts that were put down.
    Facts,
    /// Preferences that were put down.
    Preferences,
}

/// Which memories are pruned: those of these kinds that are old enough, but for the newest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PruneRule {
    /// The kinds; none is none.
    pub kinds: Vec<PruneKind>,
    /// Only what was said before this time.
    #[serde(default)]
    pub before_ms: Option<i64>,
    /// The newest of them that stay.
    #[serde(default)]
    pub keep: u64,
}

/// What pruning by a rule would forget. Nothing is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewPruneQuery {
    /// The rule.
    pub rule: PruneRule,
}

/// What pruning would forget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PrunePreview {
    /// How many memories.
    pub memories: u64,
    /// How many of each kind there are among them.
    pub kinds: Vec<PruneCount>,
    /// When the oldest was said; absent if there is none.
    #[serde(default)]
    pub oldest_ms: Option<i64>,
    /// When the newest was said.
    #[serde(default)]
    pub newest_ms: Option<i64>,
    /// The beginnings of the newest few.
    pub examples: Vec<String>,
}

/// How many memories of a kind there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PruneCount {
    /// The kind.
    pub kind: PruneKind,
    /// How many.
    pub memories: u64,
}

/// Forget all memories that a rule names. Journals keep what was said, so that each can be restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PruneMemoriesCommand {
    /// The rule.
    pub rule: PruneRule,
}

/// A person had memories pruned: the oldest of these kinds, up to one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesPruned {
    /// The kinds.
    pub kinds: Vec<PruneKind>,
    /// Only what was said before this time.
    #[serde(default)]
    pub before_ms: Option<i64>,
    /// The newest memory that is pruned.
    pub up_to: u64,
    /// How many of them at most, the oldest first.
    pub most: u64,
}

/// A memory as it is written to a file and taken from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PortableMemory {
    /// The words.
    pub text: String,
    /// When they were said.
    pub at_ms: i64,
    /// Where they come from, which also says whose words they are.
    pub origin: MemoryOrigin,
    /// What kind it is.
    pub kind: MemoryKind,
    /// What a preference is about.
    #[serde(default)]
    pub about: Option<String>,
    /// The folder that they were said in; empty for none.
    #[serde(default)]
    pub workspace: String,
    /// Whether a person let it be given to tasks in every folder.
    #[serde(default)]
    pub is_promoted: bool,
}

/// Take in memories of another home, all or none. What is there already is passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportMemoriesCommand {
    /// The memories; 1,000 are the most.
    pub memories: Vec<PortableMemory>,
    /// Which part of a larger import this is; absent where it is all of it.
    #[serde(default)]
    pub part: Option<ImportPart>,
}

/// A part of an import. All parts are taken in together when the last has come, or none of them is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportPart {
    /// The import; the client makes this up.
    pub id: String,
    /// The number of the part, from 0. The first begins anew, whatever came before.
    pub number: u32,
    /// Whether it is the last.
    pub is_last: bool,
}

/// Memories or a conversation were taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedOutcome {
    /// How many memories, or tasks of a conversation.
    pub imported: u64,
    /// How many were there already.
    pub present: u64,
    /// The newest task of a conversation.
    #[serde(default)]
    pub task: Option<TaskId>,
}

/// A memory of another home was taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryImported {
    /// The memory.
    pub memory: PortableMemory,
}
