//! `deputy queue`: lists queued tasks in the order in which they will start, and reorders them.

use super::Context;
use super::control::done;
use crate::args::QueueCommand;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, printable, when};
use deputy_protocol::{
    AgentState, BeforePlace, Command, FirstPlace, LastPlace, MoveInQueueCommand, QueuePlace, TaskState,
};

/// Runs the command.
pub(crate) async fn execute(cx: &Context, command: Option<QueueCommand>) -> Result<End, Failure> {
    let Some(command) = command else { return list(cx).await };
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let (task, to, said) = match command {
        QueueCommand::First { task } => {
            (task, QueuePlace::First(FirstPlace {}), "It starts next.".to_owned())
        }
        QueueCommand::Last { task } => {
            (task, QueuePlace::Last(LastPlace {}), "It starts after all other queued tasks.".to_owned())
        }
        QueueCommand::Move { task, before } => {
            let other = session.find_task(&before).await?;
            let said = format!("It starts before {other}.");
            (task, QueuePlace::Before(BeforePlace { task: other }), said)
        }
    };
    let task = session.find_task(&task).await?;
    done(cx, session, Command::MoveInQueue(MoveInQueueCommand { task, to }), &said).await
}

async fn list(cx: &Context) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let state = session.state().await?;
    session.close().await;
    let tasks = match state {
        AgentState::Active(active) => active.tasks,
        AgentState::Idle(_) => Vec::new(),
    };
    // The state contains the tasks in the order of the queue.
    let queued: Vec<_> =
        tasks.into_iter().filter(|task| matches!(task.state, TaskState::Queued(_))).collect();
    let screen = Screen::new();
    if queued.is_empty() && !cx.json {
        screen.line("The queue is empty.");
    }
    for (before, task) in queued.iter().enumerate() {
        if cx.json {
            view::print_json(task);
            continue;
        }
        screen.line(&format!("{}. {}  {}", before + 1, task.id, when(task.created_at_ms)));
        screen.line(&format!("    {}", printable(task.goal.lines().next().unwrap_or_default())));
    }
    Ok(End::Done)
}
