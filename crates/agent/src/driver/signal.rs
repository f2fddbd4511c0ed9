//! What the host tells a driver.

use deputy_protocol::{
    BackgroundId, EventRecord, ModelSwitched, PauseReason, Paused, Resumed, Steered, StopReason,
    StopRequested, Stopped, TaskEvent,
};
use deputy_store::StoreError;
use tokio::sync::oneshot;

/// What the host tells a driver.
pub(crate) enum Signal {
    Stop,
    Pause,
    Resume,
    Steer(String),
    /// Another model continues.
    SwitchModel(ModelSwitched),
    /// Ends one background command.
    StopBackground(BackgroundId),
    /// The store has journalled something that a person did: an answer, another place in the queue.
    Journalled(Box<EventRecord>),
}

impl Signal {
    /// The events of a signal to a task that nobody drives right now.
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
            Self::Steer(text) => vec![TaskEvent::Steered(Steered { text: text.clone() })],
            // What runs in the background ends with its host anyway.
            Self::StopBackground(_) | Self::Journalled(_) => Vec::new(),
        }
    }

    /// Whether the task was given another place in the queue.
    pub(super) fn is_move(&self) -> bool {
        matches!(self, Self::Journalled(record) if matches!(record.event, TaskEvent::QueueMoved(_)))
    }
}

/// A signal, and where to say that it is journalled, or why it cannot be.
pub(crate) type Signalled = (Signal, oneshot::Sender<Result<(), StoreError>>);
