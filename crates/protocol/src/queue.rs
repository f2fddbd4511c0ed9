//! The order in which tasks that wait for their turn start, and how a person changes it.

use crate::{QueueRank, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Give a queued task another place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveInQueueCommand {
    /// Which.
    pub task: TaskId,
    /// Where to.
    pub to: QueuePlace,
}

/// A place among the tasks that wait for their turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum QueuePlace {
    /// Before all others: it starts next.
    First(FirstPlace),
    /// Right before another one.
    Before(BeforePlace),
    /// After all others.
    Last(LastPlace),
}

/// Before all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FirstPlace {}

/// Right before another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BeforePlace {
    /// The other one; it must be queued too.
    pub task: TaskId,
}

/// After all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastPlace {}

/// A person gave a queued task another place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueMoved {
    /// Its place from now on.
    pub rank: QueueRank,
}
