//! Pruning memories, and exporting and importing them.

use crate::{MemoryKind, MemoryOrigin, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of memory, for pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PruneKind {
    /// Texts that a person wrote to a task.
    Said,
    /// Texts from the planner.
    Plans,
    /// Results of calls.
    Results,
    /// Stored facts.
    Facts,
    /// Stored preferences.
    Preferences,
}

/// A rule that selects memories to prune: all memories of some kinds that are old enough, except the newest ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PruneRule {
    /// The kinds of memories. If empty, no memories are selected.
    pub kinds: Vec<PruneKind>,
    /// Only memories from before this time. If absent, memories of any age are selected.
    #[serde(default)]
    pub before_ms: Option<i64>,
    /// The number of newest memories to keep.
    #[serde(default)]
    pub keep: u64,
}

/// Asks for the memories that pruning by a rule would forget. Nothing is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewPruneQuery {
    /// The rule.
    pub rule: PruneRule,
}

/// The memories that pruning by a rule would forget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PrunePreview {
    /// The number of memories.
    pub memories: u64,
    /// The number of memories of each kind.
    pub kinds: Vec<PruneCount>,
    /// When the oldest of the memories was written. Absent if there are none.
    #[serde(default)]
    pub oldest_ms: Option<i64>,
    /// When the newest of the memories was written. Absent if there are none.
    #[serde(default)]
    pub newest_ms: Option<i64>,
    /// The beginnings of the newest few memories.
    pub examples: Vec<String>,
}

/// The number of memories of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PruneCount {
    /// The kind.
    pub kind: PruneKind,
    /// The number of memories.
    pub memories: u64,
}

/// Forgets all memories that a rule selects. Journals keep their text, so that each memory can be restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PruneMemoriesCommand {
    /// The rule.
    pub rule: PruneRule,
}

/// A person pruned memories: the oldest memories of some kinds, up to a certain memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoriesPruned {
    /// The kinds of memories.
    pub kinds: Vec<PruneKind>,
    /// Only memories from before this time were pruned. Absent if there was no such limit.
    #[serde(default)]
    pub before_ms: Option<i64>,
    /// The number of the newest memory that was pruned.
    pub up_to: u64,
    /// The maximum number of memories that were pruned, oldest first.
    pub most: u64,
}

/// A memory in an exported file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PortableMemory {
    /// The text.
    pub text: String,
    /// When the text was written.
    pub at_ms: i64,
    /// The origin of the text, which also determines its author.
    pub origin: MemoryOrigin,
    /// The kind of memory.
    pub kind: MemoryKind,
    /// The subject of a preference. Absent for other kinds.
    #[serde(default)]
    pub about: Option<String>,
    /// The folder that the memory comes from. Empty if there is none.
    #[serde(default)]
    pub workspace: String,
    /// Whether a person allowed the memory to be given to tasks in every folder.
    #[serde(default)]
    pub is_promoted: bool,
}

/// Imports memories from another home: all of them or none. Memories that already exist are skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportMemoriesCommand {
    /// The memories, at most 1,000.
    pub memories: Vec<PortableMemory>,
    /// The part of a larger import that these memories are. Absent if the command contains the whole import.
    #[serde(default)]
    pub part: Option<ImportPart>,
}

/// A part of an import. When the last part has arrived, all parts are imported together, or none of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportPart {
    /// The id of the import, chosen by the client.
    pub id: String,
    /// The number of the part, from 0. Part 0 restarts the import.
    pub number: u32,
    /// Whether this is the last part.
    pub is_last: bool,
}

/// Memories or a conversation were imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedOutcome {
    /// The number of memories, or tasks of a conversation, that were imported.
    pub imported: u64,
    /// The number that already existed.
    pub present: u64,
    /// The newest task of an imported conversation. Absent for memories.
    #[serde(default)]
    pub task: Option<TaskId>,
}

/// A memory from another home was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryImported {
    /// The memory.
    pub memory: PortableMemory,
}
