//! Identifiers as distinct types, so that the id of a task cannot be used as the id of a call.

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
            /// Wraps a text that is known to be a valid id.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Returns the text of the id, as sent in messages.
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
    /// The id of a task, e.g. `t7k3m9q2xa`.
    TaskId
);
/// The task id of the notebook. Memories that a person stores are events too, so they need a journal: that of a task
/// that has ended from the beginning and that no list of tasks shows.
const NOTEBOOK: &str = "notebook";

impl TaskId {
    /// Returns the id of the notebook, the journal of what a person stores without a task.
    pub fn notebook() -> Self {
        Self::new(NOTEBOOK)
    }

    /// Returns whether this is the id of the notebook.
    pub fn is_notebook(&self) -> bool {
        self.as_str() == NOTEBOOK
    }
}

id!(
    /// The id of a conversation: tasks that share recent messages.
    SessionId
);
id!(
    /// The id of a call of a tool: `TASK-ITERATION-INDEX`, unique over all tasks.
    CallId
);
id!(
    /// The id of a job, e.g. `j7k3m9q2xa`. A job executes a plan over files and can be undone.
    JobId
);
id!(
    /// The id of a background command within its task: `b1`, `b2`, ... in the order in which they started.
    BackgroundId
);
id!(
    /// The id of a permission request or a question that is waiting for a person.
    RequestId
);
id!(
    /// The id of a grant, which is a remembered answer.
    GrantId
);
id!(
    /// The id of a paired device.
    DeviceId
);
id!(
    /// A BLAKE3 digest: 64 lowercase hexadecimal digits.
    Digest
);
id!(
    /// The id of a command, created by the client. A command that is sent twice with the same id is performed once.
    CommandId
);
id!(
    /// A task's place in the queue. Of two tasks, the one with the lower rank, compared byte by byte, starts first. A
    /// task that was queued by the event N of the journal has the rank 2^63 + N, as 16 hexadecimal digits. A task
    /// that a person moved has a rank between those of its neighbors.
    QueueRank
);
id!(
    /// The id of an operation, unique in its organize plan.
    OperationId
);

impl QueueRank {
    /// Returns the rank of a task that the event `seq` queues: 2^63 + `seq`. The offset leaves as much room before
    /// the first rank as after it.
    pub fn of_event(seq: u64) -> Self {
        Self(format!("{:016x}", (1_u64 << 63).saturating_add(seq)))
    }
}

impl CallId {
    /// Returns the id of the call at `index` (from 1) in the plan of `iteration`.
    pub fn of(task: &TaskId, iteration: u32, index: usize) -> Self {
        Self(format!("{task}-{iteration}-{index}"))
    }

    /// Returns the task that the call belongs to. `None` if the id is not that of a call in a plan.
    pub fn task(&self) -> Option<TaskId> {
        let mut parts = self.0.rsplitn(3, '-').skip(2);
        parts.next().map(TaskId::new)
    }
}
