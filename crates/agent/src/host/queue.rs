//! The queue: a person has a task start before others.

use super::{Host, HostError};
use deputy_protocol::{CommandId, DoneOutcome, ErrorBody, ErrorCode, MoveInQueueCommand, Performs};
use deputy_store::Moved;

impl Performs<MoveInQueueCommand> for Host {
    async fn perform(&self, command: &CommandId, to: MoveInQueueCommand) -> Result<DoneOutcome, ErrorBody> {
        let store = &self.core.store;
        let moved = store.move_in_queue(command, &to.task, &to.to, self.core.now_ms()).await;
        let refused = |code: ErrorCode, message: String| {
            Err(ErrorBody::new(code, message, "`deputy queue` lists those that wait."))
        };
        match moved.map_err(HostError::from)? {
            Moved::Done(record) => {
                self.journalled(*record).await;
                Ok(DoneOutcome {})
            }
            Moved::Already => Ok(DoneOutcome {}),
            Moved::Unknown(task) => refused(ErrorCode::UnknownTask, format!("There is no task `{task}`.")),
            Moved::NotQueued(task) => refused(
                ErrorCode::NotQueued,
                format!("Task {task} does not wait for its turn, so nothing was moved."),
            ),
            Moved::BeforeItself => {
                refused(ErrorCode::BeforeItself, format!("Task {} cannot start before itself.", to.task))
            }
        }
    }
}
