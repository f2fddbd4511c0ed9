//! Identifiers as distinct types, so that a task's id can never stand where a call's is meant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        #[schemars(inline)]
        pub struct $name(pub String);

        impl $name {
            /// Wraps a text that is known to be such an id.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text as it is on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// One task, e.g. `t7k3m9q2xa`.
    TaskId
);
/// What a person puts down for later tasks is an event too, so it has a journal: that of a task that has ended before it begins, and that
/// no list of tasks shows.
const NOTEBOOK: &str = "notebook";

impl TaskId {
    /// The journal of what a person puts down without a task.
    pub fn notebook() -> Self {
        Self::new(NOTEBOOK)
    }

    /// Whether it is that.
    pub fn is_notebook(&self) -> bool {
        self.as_str() == NOTEBOOK
    }
}

id!(
    /// A conversation: tasks that share recent messages.
    SessionId
);
id!(
    /// One call of a tool: `TASK-ITERATION-INDEX`, unique over all tasks.
    CallId
);
id!(
    /// One job: a plan over files that is executed, and can be undone, e.g. `j7k3m9q2xa`.
    JobId
);
id!(
    /// A background command of a task: `b1`, `b2`, ... in the order of their starts.
    BackgroundId
);
id!(
    /// One thing that waits for a person: a permission request or a question.
    RequestId
);
id!(
    /// A remembered rule.
    GrantId
);
id!(
    /// A paired device.
    DeviceId
);
id!(
    /// A BLAKE3 digest, 64 lower-case hexadecimal digits.
    Digest
);
id!(
    /// A command's id, made by the client; the same id twice is the same command.
    CommandId
);
id!(
    /// A place among the tasks that wait for their turn: of two, the one that is less byte by byte starts first. A task
    /// that is queued by the event N of the journal has 2^63 + N, as 16 hexadecimal digits; one that a person moved, a
    /// text between those of its neighbors.
    QueueRank
);
id!(
    /// One operation of an organize plan; unique in its plan.
    OperationId
);

impl QueueRank {
    /// The rank of a task that the event `seq` queues: 2^63 + `seq`, so that there is as much room before the first as
    /// behind it.
    pub fn of_event(seq: u64) -> Self {
        Self(format!("{:016x}", (1_u64 << 63).saturating_add(seq)))
    }
}

impl CallId {
    /// The id of the call at `index` (from 1) in the plan of `iteration`.
    pub fn of(task: &TaskId, iteration: u32, index: usize) -> Self {
        Self(format!("{task}-{iteration}-{index}"))
    }

    /// The task that it is a call of, where it is one of a plan's.
    pub fn task(&self) -> Option<TaskId> {
        let mut parts = self.0.rsplitn(3, '-').skip(2);
        parts.next().map(TaskId::new)
    }
}
