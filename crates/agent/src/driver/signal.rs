//! The signals from the host to a driver.

use deputy_protocol::{
    BackgroundId, EventRecord, ModelSwitched, PauseReason, Paused, Resumed, Steered, StopReason,
    StopRequested, Stopped, TaskEvent,
};
use deputy_store::StoreError;
use tokio::sync::oneshot;

/// A signal from the host to a driver.
pub(crate) enum Signal {
    Stop,
    Pause,
    Resume,
    Steer(Steered),
    /// Continues with another model.
    SwitchModel(ModelSwitched),
    /// Ends one background command.
    StopBackground(BackgroundId),
    /// The store has journalled an action of a person: an answer, or a move in the queue.
    Journalled(Box<EventRecord>),
}

impl Signal {
    /// Returns the events of a signal to a task without a driver.
    pub(crate) fn as_noted(&self) -> Vec<TaskEvent> {
        match self {
            Self::Stop => vec![
                TaskEvent::StopRequested(StopRequested {}),
                TaskEvent::Stopped(Stopped {
                    reason: StopReason::ManualStop,
                    summary: deputy_messages::agent::stopped_by_user(),
                    report: None,
                }),
            ],
            Self::Pause => {
                let message = deputy_messages::agent::paused_by_user();
                vec![TaskEvent::Paused(Paused { reason: PauseReason::ByUser, message, budget: None })]
            }
            Self::Resume => vec![TaskEvent::Resumed(Resumed {})],
            Self::SwitchModel(switched) => vec![TaskEvent::ModelSwitched(switched.clone())],
            Self::Steer(steered) => vec![TaskEvent::Steered(steered.clone())],
            // Background commands end with their host anyway.
            Self::StopBackground(_) | Self::Journalled(_) => Vec::new(),
        }
    }

    /// Returns whether the task was moved in the queue.
    pub(super) fn is_move(&self) -> bool {
        matches!(self, Self::Journalled(record) if matches!(record.event, TaskEvent::QueueMoved(_)))
    }
}

/// A signal, and the channel that reports whether it was journalled.
pub(crate) type Signalled = (Signal, oneshot::Sender<Result<(), StoreError>>);
