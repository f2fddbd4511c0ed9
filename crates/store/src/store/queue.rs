//! The part of the store's public API for the order of queued tasks.

use super::Store;
use crate::error::StoreError;
use crate::queue::{self, Moved};
use crate::writer::Batch;
use deputy_messages::store as say;
use deputy_protocol::{CommandId, QueuePlace, TaskId};

impl Store {
    /// Moves a queued task, writes the event, and records that the command was executed, so that a command that is sent
    /// again after a crash is not executed twice. A refused move changes nothing and is not recorded.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn move_in_queue(
        &self,
        command: &CommandId,
        task: &TaskId,
        to: &QueuePlace,
        now_ms: i64,
    ) -> Result<Moved, StoreError> {
        let (command, task, to) = (command.clone(), task.clone(), to.clone());
        let run = move |batch: &mut Batch<'_>| queue::move_task(batch, &command, &task, &to, now_ms);
        self.parts.writer.write(say::move_task_in_queue, run).await
    }
}
