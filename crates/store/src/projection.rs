//! What an event means for the readable tables: the one place where a task's state is derived from its journal.

use crate::error::Fault;
use crate::{
    grants, memories, notices, permission_requests, questions, queue, sessions, tool_executions, usage,
};
use deputy_protocol::{
    EventRecord, InterruptedTask, PauseReason, PausedTask, QueuedTask, RunningTask, StoppedTask, TaskEvent,
    TaskId, TaskState, TaskSummary,
};
use rusqlite::Connection;

/// Where a task stands after an event.
///
/// | event | state afterwards |
/// |---|---|
/// | `created` | queued |
/// | `iteration_started` | running that iteration |
/// | `permission_requested`, `question_asked`, `paused` | paused for that reason |
/// | `permission_answered`, `question_answered` | goes on, if it was paused for just that |
/// | `resumed` | paused for what it still waits for, if anything; otherwise running, if it was paused or interrupted |
/// | `interrupted` | interrupted |
/// | `stopped` | stopped, for good |
/// | all others | unchanged |
///
/// To go on is to run the iteration it was in, or to be queued when no iteration has begun. `open` is what the task
/// still waits for a person's answer to: resuming it answers nothing.
pub fn next_state(state: &TaskState, event: &TaskEvent, open: Option<PauseReason>) -> TaskState {
    let iteration = match state {
        TaskState::Stopped(_) => return state.clone(),
        TaskState::Queued(_) => 0,
        TaskState::Running(running) => running.iteration,
        TaskState::Paused(paused) => paused.iteration,
        TaskState::Interrupted(interrupted) => interrupted.iteration,
    };
    let paused = |reason| TaskState::Paused(PausedTask { reason, iteration });
    let goes_on = || match iteration {
        0 => TaskState::Queued(QueuedTask {}),
        _ => TaskState::Running(RunningTask { iteration }),
    };
    let goes_on_from = |reason| if *state == paused(reason) { goes_on() } else { state.clone() };
    match event {
        TaskEvent::Created(_) => TaskState::Queued(QueuedTask {}),
        TaskEvent::IterationStarted(started) => {
            TaskState::Running(RunningTask { iteration: started.iteration })
        }
        TaskEvent::PermissionRequested(_) => paused(PauseReason::Permission),
        TaskEvent::PermissionAnswered(_) => goes_on_from(PauseReason::Permission),
        TaskEvent::QuestionAsked(_) => paused(PauseReason::Question),
        TaskEvent::QuestionAnswered(_) => goes_on_from(PauseReason::Question),
        TaskEvent::Paused(event) => paused(event.reason),
        TaskEvent::Resumed(_) => open.map_or_else(goes_on, paused),
        TaskEvent::Interrupted(_) => TaskState::Interrupted(InterruptedTask { iteration }),
        TaskEvent::Stopped(stopped) => {
            TaskState::Stopped(StoppedTask { reason: stopped.reason, summary: stopped.summary.clone() })
        }
        TaskEvent::QueueMoved(_)
        | TaskEvent::Planned(_)
        | TaskEvent::PlanFailed(_)
        | TaskEvent::CallDecided(_)
        | TaskEvent::RefusalShared(_)
        | TaskEvent::ToolStarted(_)
        | TaskEvent::FileKept(_)
        | TaskEvent::TreeKept(_)
        | TaskEvent::ToolFinished(_)
        | TaskEvent::BackgroundStarted(_)
        | TaskEvent::BackgroundEnded(_)
        | TaskEvent::Steered(_)
        | TaskEvent::StopRequested(_)
        | TaskEvent::Undone(_)
        | TaskEvent::MemoryEdited(_)
        | TaskEvent::MemoryForgotten(_)
        | TaskEvent::MemoryRestored(_)
        | TaskEvent::MemoryPromoted(_) => state.clone(),
    }
}

/// What a task still waits for a person's answer to.
fn waits_for(conn: &Connection, task: &TaskId) -> Result<Option<PauseReason>, Fault> {
    Ok(if questions::is_open(conn, task)? {
        Some(PauseReason::Question)
    } else if permission_requests::is_open(conn, task)? {
        Some(PauseReason::Permission)
    } else {
        None
    })
}

/// Brings every readable table up to an event that was just written. `task` is the task's row; the caller saves it.
pub(crate) fn project(conn: &Connection, record: &EventRecord, task: &mut TaskSummary) -> Result<(), Fault> {
    memories::project(conn, record, task)?;
    if record.event.is_of_memory() {
        // Nothing of the task itself has changed.
        return Ok(());
    }
    let open = match record.event {
        TaskEvent::Resumed(_) => waits_for(conn, &record.task)?,
        _ => None,
    };
    task.state = next_state(&task.state, &record.event, open);
    queue::project(record, task);
    task.updated_at_ms = record.at_ms;
    notices::note(conn, record)?;
    match &record.event {
        TaskEvent::Created(_) => sessions::touch(conn, &task.session, record.at_ms),
        TaskEvent::Planned(planned) => {
            let used = planned.usage;
            task.tokens = task.tokens.saturating_add(used.input_tokens).saturating_add(used.output_tokens);
            usage::planned(conn, record, planned)?;
            tool_executions::planned(conn, record, &planned.plan)
        }
        TaskEvent::CallDecided(decided) => tool_executions::decided(conn, decided),
        TaskEvent::ToolStarted(started) => tool_executions::started(conn, record.at_ms, started),
        TaskEvent::ToolFinished(finished) => tool_executions::finished(conn, record.at_ms, finished),
        TaskEvent::PermissionRequested(requested) => {
            permission_requests::ask(conn, record, &requested.request)
        }
        TaskEvent::PermissionAnswered(answered) => permission_requests::answer(conn, record.at_ms, answered),
        TaskEvent::QuestionAsked(asked) => questions::ask(conn, record, &asked.question),
        TaskEvent::QuestionAnswered(answered) => questions::answer(conn, record.at_ms, answered),
        TaskEvent::Stopped(_) => {
            permission_requests::withdraw(conn, &record.task, record.at_ms)?;
            questions::withdraw(conn, &record.task, record.at_ms)?;
            grants::end_with(conn, &record.task, record.at_ms)?;
            sessions::touch(conn, &task.session, record.at_ms)
        }
        TaskEvent::QueueMoved(_)
        | TaskEvent::IterationStarted(_)
        | TaskEvent::PlanFailed(_)
        | TaskEvent::RefusalShared(_)
        | TaskEvent::FileKept(_)
        | TaskEvent::TreeKept(_)
        | TaskEvent::BackgroundStarted(_)
        | TaskEvent::BackgroundEnded(_)
        | TaskEvent::Paused(_)
        | TaskEvent::Resumed(_)
        | TaskEvent::StopRequested(_)
        | TaskEvent::Interrupted(_)
        | TaskEvent::Undone(_)
        | TaskEvent::MemoryEdited(_)
        | TaskEvent::MemoryForgotten(_)
        | TaskEvent::MemoryRestored(_)
        | TaskEvent::MemoryPromoted(_)
        | TaskEvent::Steered(_) => Ok(()),
    }
}
