//! A person's control of a task: stop, pause, resume, new instructions, model changes, and its place in the queue.

use super::drivers::Drivers;
use super::{HostError, existing};
use crate::core::Core;
use crate::driver::{Signal, load_machine};
use crate::lineage::{below, has_ended};
use crate::{backends, named_paths};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{
    CommandId, DoneOutcome, ErrorBody, ErrorCode, ModelSwitched, MoveInQueueCommand, PauseCommand,
    PauseReason, Performs, ResumeCommand, SteerCommand, Steered, StopBackgroundCommand, StopCommand,
    SwitchModelCommand, TaskId, TaskState,
};
use deputy_store::Moved;
use std::path::Path;
use std::sync::Arc;

/// Passes a person's instructions to tasks.
pub(super) struct Steering {
    pub(super) core: Arc<Core>,
    pub(super) drivers: Arc<Drivers>,
}

impl Performs<StopCommand> for Steering {
    async fn perform(&self, _: &CommandId, stop: StopCommand) -> Result<DoneOutcome, ErrorBody> {
        self.tell(&stop.task, Signal::Stop).await
    }
}

impl Performs<PauseCommand> for Steering {
    async fn perform(&self, _: &CommandId, pause: PauseCommand) -> Result<DoneOutcome, ErrorBody> {
        let done = self.tell(&pause.task, Signal::Pause).await?;
        self.tell_subtasks(&pause.task, |state| !is_paused(state), || Signal::Pause).await?;
        Ok(done)
    }
}

impl Performs<ResumeCommand> for Steering {
    async fn perform(&self, _: &CommandId, resume: ResumeCommand) -> Result<DoneOutcome, ErrorBody> {
        let done = self.tell(&resume.task, Signal::Resume).await?;
        self.tell_subtasks(&resume.task, is_paused, || Signal::Resume).await?;
        Ok(done)
    }
}

impl Performs<SteerCommand> for Steering {
    async fn perform(&self, _: &CommandId, steer: SteerCommand) -> Result<DoneOutcome, ErrorBody> {
        let task = existing(&self.core, &steer.task)?;
        let folder = Path::new(&task.workspace);
        let named = named_paths::named(&steer.text, &self.core.user_home, Some(folder));
        self.tell(&steer.task, Signal::Steer(Steered { text: steer.text, named })).await
    }
}

impl Performs<SwitchModelCommand> for Steering {
    /// Missing settings of the backend are reported before the task switches to it.
    async fn perform(&self, _: &CommandId, switch: SwitchModelCommand) -> Result<DoneOutcome, ErrorBody> {
        let now = existing(&self.core, &switch.task)?;
        let backend = switch.backend.unwrap_or(now.backend);
        let mut checked = self.core.config().as_ref().clone();
        if let Some(model) = &switch.model {
            let settings = checked.backends.entry(backend.clone()).or_default();
            settings.insert("model".to_owned(), model.as_str().into());
        }
        backends::check(&self.core.home, &checked, &backend)?;
        let switched = ModelSwitched { backend, model: switch.model };
        self.tell(&switch.task, Signal::SwitchModel(switched)).await
    }
}

impl Performs<StopBackgroundCommand> for Steering {
    async fn perform(&self, _: &CommandId, stop: StopBackgroundCommand) -> Result<DoneOutcome, ErrorBody> {
        self.running_background(&stop)?;
        self.tell(&stop.task, Signal::StopBackground(stop.background)).await
    }
}

impl Performs<MoveInQueueCommand> for Steering {
    async fn perform(&self, command: &CommandId, to: MoveInQueueCommand) -> Result<DoneOutcome, ErrorBody> {
        let store = &self.core.store;
        let moved = store.move_in_queue(command, &to.task, &to.to, self.core.now_ms()).await;
        let refused = |code: ErrorCode, message: Phrase| {
            Err(ErrorBody::new(code, message, say::deputy_queue_lists_those()))
        };
        match moved.map_err(HostError::from)? {
            Moved::Done(record) => {
                self.drivers.journalled(*record).await;
                Ok(DoneOutcome {})
            }
            Moved::Already => Ok(DoneOutcome {}),
            Moved::Unknown(task) => refused(ErrorCode::UnknownTask, say::there_is_no_task(task)),
            Moved::NotQueued(task) => refused(ErrorCode::NotQueued, say::task_does_not_wait(task)),
            Moved::BeforeItself => {
                refused(ErrorCode::BeforeItself, say::task_cannot_start_before_itself(to.task))
            }
        }
    }
}

/// Returns whether its user paused it.
fn is_paused(state: &TaskState) -> bool {
    matches!(state, TaskState::Paused(paused) if paused.reason == PauseReason::ByUser)
}

impl Steering {
    async fn tell(&self, task: &TaskId, signal: Signal) -> Result<DoneOutcome, ErrorBody> {
        let summary = existing(&self.core, task)?;
        if let TaskState::Stopped(_) = summary.state {
            let message = say::task_has_ended_already(task);
            return Err(ErrorBody::new(ErrorCode::TaskEnded, message, say::deputy_show_tells_how(task)));
        }
        self.drivers.signal(task, signal).await?;
        Ok(DoneOutcome {})
    }

    /// Sends a signal to the sub-tasks of a task, at all depths, that have not ended and whose state matches. One that
    /// ends in the meantime does not need it. Stop is not sent here, because a task ends its own sub-tasks.
    async fn tell_subtasks(
        &self,
        task: &TaskId,
        is_meant: impl Fn(&TaskState) -> bool,
        signal: impl Fn() -> Signal,
    ) -> Result<(), ErrorBody> {
        for part in below(&self.core, task).map_err(HostError::from)? {
            if !has_ended(&part) && is_meant(&part.state) {
                self.drivers.signal(&part.id, signal()).await?;
            }
        }
        Ok(())
    }

    /// Returns an error if the background command is not running.
    fn running_background(&self, stop: &StopBackgroundCommand) -> Result<(), ErrorBody> {
        existing(&self.core, &stop.task)?;
        let StopBackgroundCommand { task, background } = stop;
        let machine = load_machine(&self.core, task).map_err(HostError::from)?;
        let running = machine.map(|machine| machine.backgrounds().running().to_vec()).unwrap_or_default();
        if running.iter().any(|one| one.background == *background) {
            return Ok(());
        }
        let named: Vec<&str> = running.iter().map(|one| one.background.as_str()).collect();
        let message = say::no_background_command_of_task(background, task);
        let hint = match named.as_slice() {
            [] => say::nothing_of_this_task_runs(),
            named => say::these_run(named.join(", ")),
        };
        Err(ErrorBody::new(ErrorCode::UnknownBackground, message, hint))
    }
}
