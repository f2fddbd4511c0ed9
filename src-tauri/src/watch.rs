//! Follows the host for the tray and the notifications, which work even while the window is hidden.

use crate::core::Core;
use crate::tray::{Standing, Tray};
use crate::window;
use deputy_protocol::{
    AgentState, EventMessage, Notice, Query, QueryAnswer, ServerMessage, StateQuery, TaskEvent, TaskId,
    TaskState, TaskUpdate,
};
use deputy_server::{Client, ClientError};
use std::collections::HashMap;
use std::time::Duration;
use tauri::{AppHandle, Manager};
use tokio::sync::mpsc::UnboundedSender;

/// The delay before connecting to the host again.
const PAUSE: Duration = Duration::from_secs(2);

/// Follows the host until the process ends.
pub(crate) async fn run(app: AppHandle, notices: UnboundedSender<Notice>) {
    loop {
        match app.state::<Core>().client().await {
            Ok(client) => {
                // If the host disconnects, connects again.
                let _ = follow(&app, client, &notices).await;
            }
            Err(error) => tracing::debug!("no host: {}", error.message),
        }
        show(&app, Standing::Offline);
        tokio::time::sleep(PAUSE).await;
    }
}

async fn follow(
    app: &AppHandle,
    mut client: Client,
    notices: &UnboundedSender<Notice>,
) -> Result<(), ClientError> {
    let mut told = HashMap::new();
    loop {
        match client.next().await? {
            ServerMessage::Snapshot(message) => show(app, standing(&message.snapshot.state)),
            ServerMessage::Event(message) if changes_standing(&mut told, &message) => {
                if let QueryAnswer::State(answer) = client.query(Query::State(StateQuery {})).await? {
                    show(app, standing(&answer.snapshot.state));
                }
            }
            // The page shows it if the window has the focus. Withdrawals of earlier notices are always passed on.
            ServerMessage::Notice(notice) if notice.withdrawn || !window::is_looked_at(app) => {
                let _ = notices.send(notice);
            }
            _ => {}
        }
    }
}

/// Returns whether an event changes the counts of the tray. `told` is the last known state of each task.
fn changes_standing(told: &mut HashMap<TaskId, TaskState>, message: &EventMessage) -> bool {
    let EventMessage { record, update, .. } = message;
    let is_asked_or_answered = matches!(
        record.event,
        TaskEvent::PermissionRequested(_)
            | TaskEvent::PermissionAnswered(_)
            | TaskEvent::QuestionAsked(_)
            | TaskEvent::QuestionAnswered(_)
    );
    let Some(TaskUpdate { state, .. }) = update else { return true };
    let before = match state {
        TaskState::Stopped(_) => told.remove(&record.task),
        state => told.insert(record.task.clone(), state.clone()),
    };
    is_asked_or_answered || before.as_ref() != Some(state)
}

fn standing(state: &AgentState) -> Standing {
    match state {
        AgentState::Idle(_) => Standing::Online { working: 0, waiting: 0 },
        AgentState::Active(active) => {
            let working = |state: &TaskState| matches!(state, TaskState::Queued(_) | TaskState::Running(_));
            Standing::Online {
                working: active.tasks.iter().filter(|task| working(&task.state)).count(),
                waiting: active.requests.len() + active.questions.len(),
            }
        }
    }
}

fn show(app: &AppHandle, standing: Standing) {
    if let Some(tray) = app.try_state::<Tray>()
        && let Err(error) = tray.show(standing)
    {
        tracing::debug!("the tray does not listen: {error}");
    }
}
