//! The projection of events to the derived tables. The resulting state of the task is determined by the protocol crate.

use crate::error::Fault;
use crate::{grants, memories, notices, permission_requests, questions, sessions, tool_executions, usage};
use deputy_protocol::{EventRecord, TaskEvent, TaskFold};
use rusqlite::Connection;

/// Updates every derived table with an event that was just written. `task` is the row of the task; the caller saves it.
pub(crate) fn project(conn: &Connection, record: &EventRecord, task: &mut TaskFold) -> Result<(), Fault> {
    memories::project(conn, record, task.summary())?;
    task.apply(record);
    if record.event.is_of_memory() || record.task.is_notebook() {
        // The task itself has not changed, and the notebook has no notices.
        return Ok(());
    }
    notices::note(conn, record, task.summary())?;
    let session = &task.summary().session;
    match &record.event {
        TaskEvent::Created(_) => sessions::touch(conn, session, record.at_ms),
        TaskEvent::Planned(planned) => {
            let backend = planned.backend.as_deref().unwrap_or(&task.summary().backend);
            let by = usage::By { backend, model: planned.model.as_deref(), plans: 1 };
            usage::add(conn, record, by, planned.usage, planned.cost_micros)?;
            tool_executions::planned(conn, record, &planned.plan)
        }
        TaskEvent::Reviewed(reviewed) => {
            let by = usage::By { backend: &reviewed.backend, model: reviewed.model.as_deref(), plans: 0 };
            usage::add(conn, record, by, reviewed.usage, reviewed.cost_micros)
        }
        TaskEvent::Inferred(inferred) => {
            let by = usage::By { backend: &inferred.backend, model: inferred.model.as_deref(), plans: 0 };
            usage::add(conn, record, by, inferred.usage, inferred.cost_micros)
        }
        TaskEvent::PlanFailed(failed) => failed.spent.iter().try_for_each(|spent| {
            let by = usage::By { backend: &spent.backend, model: spent.model.as_deref(), plans: 0 };
            usage::add(conn, record, by, spent.usage, spent.cost_micros)
        }),
        TaskEvent::CallDecided(decided) => tool_executions::decided(conn, decided),
        TaskEvent::ToolStarted(started) => tool_executions::started(conn, record.at_ms, started),
        TaskEvent::ToolFinished(finished) => tool_executions::finished(conn, record.at_ms, finished),
        TaskEvent::PermissionRequested(requested) => permission_requests::ask(conn, record, requested),
        TaskEvent::PermissionAnswered(answered) => permission_requests::answer(conn, record, answered),
        TaskEvent::QuestionAsked(asked) => questions::ask(conn, record, &asked.question),
        TaskEvent::QuestionAnswered(answered) => questions::answer(conn, record.at_ms, answered),
        TaskEvent::Stopped(_) => {
            permission_requests::withdraw(conn, &record.task, record.at_ms)?;
            questions::withdraw(conn, &record.task, record.at_ms)?;
            grants::end_with(conn, &record.task, record.at_ms)?;
            sessions::touch(conn, session, record.at_ms)
        }
        TaskEvent::QueueMoved(_)
        | TaskEvent::Renamed(_)
        | TaskEvent::Archived(_)
        | TaskEvent::IterationStarted(_)
        | TaskEvent::Compacted(_)
        | TaskEvent::Briefed(_)
        | TaskEvent::Oriented(_)
        | TaskEvent::Noted(_)
        | TaskEvent::GuidanceFound(_)
        | TaskEvent::Guided(_)
        | TaskEvent::TodoChanged(_)
        | TaskEvent::SubtasksStarted(_)
        | TaskEvent::SubtasksEnded(_)
        | TaskEvent::ModelSwitched(_)
        | TaskEvent::BrowserTaken(_)
        | TaskEvent::BrowserReturned(_)
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
        | TaskEvent::Redone(_)
        | TaskEvent::Remembered(_)
        | TaskEvent::MemoryEdited(_)
        | TaskEvent::MemoryForgotten(_)
        | TaskEvent::MemoryRestored(_)
        | TaskEvent::MemoryPromoted(_)
        | TaskEvent::MemoriesPruned(_)
        | TaskEvent::MemoryImported(_)
        | TaskEvent::Steered(_) => Ok(()),
    }
}
