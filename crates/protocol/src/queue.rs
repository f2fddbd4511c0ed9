//! The queue of tasks that are waiting for their turn, and how a person reorders it.

use crate::{QueueRank, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Moves a queued task to another place in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveInQueueCommand {
    /// The id of the task.
    pub task: TaskId,
    /// The new place in the queue.
    pub to: QueuePlace,
}

/// A place in the queue of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum QueuePlace {
    /// Before all other tasks, so that the task starts next.
    First(FirstPlace),
    /// Directly before another task.
    Before(BeforePlace),
    /// After all other tasks.
    Last(LastPlace),
}

/// The first place in the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FirstPlace {}

/// The place directly before another task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BeforePlace {
    /// The other task, which must be queued too.
    pub task: TaskId,
}

/// The last place in the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastPlace {}

/// A person moved a queued task to another place in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueMoved {
    /// The new place of the task.
    pub rank: QueueRank,
}
