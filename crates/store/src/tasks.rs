//! The table `tasks`: every task and its state.

use crate::error::{Fault, StoreError};
use crate::{events, rows, sessions};
use deputy_messages::store as say;
use deputy_protocol::{
    CallId, Created, ParentCall, QueueRank, SessionId, TaskEvent, TaskFold, TaskId, TaskState, TaskSummary,
};
use rusqlite::{Connection, Row, params};

/// The maximum number of ids returned for one prefix.
const MOST_FOUND: u32 = 50;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, session, goal, profile, backend, workspace, state, tokens, created_at_ms, updated_at_ms, ",
            "queue_rank, status, model, cost_micros, todo, title, archived, parent_task, parent_call ",
            "FROM tasks ",
            $rest
        )
    };
}

/// Creates the row of a new task.
pub(crate) fn create(
    conn: &Connection,
    task: &TaskId,
    now_ms: i64,
    created: &Created,
) -> Result<TaskFold, Fault> {
    if created.spec.id != *task {
        let reason = say::specification_names_another_task();
        return Err(StoreError::CannotCreate { task: task.clone(), reason }.into());
    }
    let fold = TaskFold::new(created, now_ms);
    let summary = fold.summary();
    conn.prepare_cached(
        "INSERT INTO tasks (id, session, goal, profile, backend, workspace, state, finished, tokens,
                            created_at_ms, updated_at_ms, model, parent_task, parent_call)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, ?8, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        summary.id.as_str(),
        summary.session.as_str(),
        summary.goal,
        summary.profile,
        summary.backend,
        summary.workspace,
        serde_json::to_string(&summary.state)?,
        now_ms,
        summary.model,
        summary.parent.as_ref().map(|parent| parent.task.as_str()),
        summary.parent.as_ref().map(|parent| parent.call.as_str()),
    ])?;
    sessions::touch(conn, &summary.session, now_ms)?;
    Ok(fold)
}

/// Updates the row of a task.
pub(crate) fn save(conn: &Connection, fold: &TaskFold) -> Result<(), Fault> {
    let task = fold.summary();
    let open = (!fold.status().is_stopped()).then(|| serde_json::to_string(fold.status())).transpose()?;
    conn.prepare_cached(
        "UPDATE tasks SET state = ?2, finished = ?3, tokens = ?4, updated_at_ms = ?5, queue_rank = ?6, status = ?7,
                          backend = ?8, model = ?9, cost_micros = ?10, todo = ?11, title = ?12,
                          archived = ?13
         WHERE id = ?1",
    )?
    .execute(params![
        task.id.as_str(),
        serde_json::to_string(&task.state)?,
        matches!(task.state, TaskState::Stopped(_)),
        i64::try_from(task.tokens).unwrap_or(i64::MAX),
        task.updated_at_ms,
        task.queue_rank.as_ref().map(QueueRank::as_str),
        open,
        task.backend,
        task.model,
        task.cost_micros.map(|cost| i64::try_from(cost).unwrap_or(i64::MAX)),
        task.todo.as_ref().map(serde_json::to_string).transpose()?,
        task.title,
        task.archived,
    ])?;
    Ok(())
}

/// Returns a task with everything that its next event needs.
pub(crate) fn fold(conn: &Connection, id: &TaskId) -> Result<Option<TaskFold>, Fault> {
    let stored = |row: &Row<'_>| Ok((summary(row)?, rows::json_or_nothing(row, 11)?));
    let Some((summary, status)) = rows::first(conn, select!("WHERE id = ?1"), [id.as_str()], stored)? else {
        return Ok(None);
    };
    let fold = TaskFold::stored(summary, status);
    fold.map(Some).ok_or_else(|| Fault::Corrupt(say::task_without_status(id)))
}

/// Derives the status of open tasks that an older version wrote without one.
pub(crate) fn derive_statuses(conn: &mut Connection) -> Result<(), Fault> {
    let sql = "SELECT id FROM tasks WHERE finished = 0 AND status IS NULL";
    let older = rows::all(conn, sql, [], |row| Ok(TaskId(row.get(0)?)))?;
    if older.is_empty() {
        return Ok(());
    }
    let transaction = conn.transaction()?;
    for task in older {
        let mut fold = None;
        events::each_of_task(&transaction, &task, |record| {
            if let TaskEvent::Created(created) = &record.event {
                fold.get_or_insert_with(|| TaskFold::new(created, record.at_ms));
            }
            if let Some(fold) = &mut fold {
                fold.apply(&record);
            }
        })?;
        let fold = fold.ok_or_else(|| Fault::Corrupt(say::creation_not_told(task)))?;
        save(&transaction, &fold)?;
    }
    Ok(transaction.commit()?)
}

/// Returns a task.
pub(crate) fn find(conn: &Connection, id: &TaskId) -> Result<Option<TaskSummary>, Fault> {
    rows::first(conn, select!("WHERE id = ?1"), [id.as_str()], summary)
}

/// Returns the newest tasks, newest first.
pub(crate) fn newest(conn: &Connection, limit: u32) -> Result<Vec<TaskSummary>, Fault> {
    rows::all(conn, select!("WHERE id <> 'notebook' ORDER BY number DESC LIMIT ?1"), [limit], summary)
}

/// Returns the newest task of a session.
pub(crate) fn newest_of(conn: &Connection, session: &SessionId) -> Result<Option<TaskId>, Fault> {
    let sql = "SELECT id FROM tasks WHERE session = ?1 ORDER BY number DESC LIMIT 1";
    rows::first(conn, sql, [session.as_str()], |row| Ok(TaskId(row.get(0)?)))
}

/// Returns the first task of a session.
pub(crate) fn first_of(conn: &Connection, session: &SessionId) -> Result<Option<TaskId>, Fault> {
    let sql = "SELECT id FROM tasks WHERE session = ?1 ORDER BY number LIMIT 1";
    rows::first(conn, sql, [session.as_str()], |row| Ok(TaskId(row.get(0)?)))
}

/// Returns at most `limit` of the newest tasks of a session before `task`, oldest first.
pub(crate) fn before(
    conn: &Connection,
    session: &SessionId,
    task: &TaskId,
    limit: u32,
) -> Result<Vec<TaskSummary>, Fault> {
    let sql = select!(
        "WHERE session = ?1 AND number < (SELECT number FROM tasks WHERE id = ?2) ORDER BY number DESC LIMIT ?3"
    );
    let mut found = rows::all(conn, sql, params![session.as_str(), task.as_str(), limit], summary)?;
    found.reverse();
    Ok(found)
}

/// Returns the newest tasks that have ended in a folder, newest first, without sub-tasks.
pub(crate) fn ended_in(conn: &Connection, workspace: &str, limit: u32) -> Result<Vec<TaskSummary>, Fault> {
    // The conditions must match those of the index exactly.
    let sql = select!(
        "WHERE workspace = ?1 AND parent_task IS NULL AND finished = 1 ORDER BY number DESC LIMIT ?2"
    );
    rows::all(conn, sql, params![workspace, limit], summary)
}

/// Returns the tasks that have not ended, oldest first. Queued tasks come last, in the order in which they will start.
pub(crate) fn unfinished(conn: &Connection) -> Result<Vec<TaskSummary>, Fault> {
    let sql = select!("WHERE finished = 0 ORDER BY queue_rank IS NOT NULL, queue_rank, number");
    rows::all(conn, sql, [], summary)
}

/// Returns the sub-tasks of a task, oldest first.
pub(crate) fn subtasks(conn: &Connection, of: &TaskId) -> Result<Vec<TaskSummary>, Fault> {
    rows::all(conn, select!("WHERE parent_task = ?1 ORDER BY number"), [of.as_str()], summary)
}

/// Returns the ids that begin with `prefix`.
pub(crate) fn with_prefix(conn: &Connection, prefix: &str) -> Result<Vec<TaskId>, Fault> {
    let sql = "SELECT id FROM tasks WHERE id >= ?1 AND id < ?2 AND id <> 'notebook' ORDER BY id LIMIT ?3";
    // Every id with the prefix sorts before the prefix followed by the greatest character.
    let end = format!("{prefix}{}", char::MAX);
    rows::all(conn, sql, params![prefix, end, MOST_FOUND], |row| Ok(TaskId(row.get(0)?)))
}

/// Returns the call that delegated a task.
fn parent(row: &Row<'_>) -> Result<Option<Box<ParentCall>>, Fault> {
    let (task, call): (Option<String>, Option<String>) = (row.get(17)?, row.get(18)?);
    let parent = |(task, call)| Box::new(ParentCall { task: TaskId(task), call: CallId(call) });
    Ok(task.zip(call).map(parent))
}

fn summary(row: &Row<'_>) -> Result<TaskSummary, Fault> {
    Ok(TaskSummary {
        id: TaskId(row.get(0)?),
        session: SessionId(row.get(1)?),
        goal: row.get(2)?,
        profile: row.get(3)?,
        backend: row.get(4)?,
        workspace: row.get(5)?,
        state: rows::json(row, 6)?,
        tokens: row.get::<_, i64>(7)? as u64,
        created_at_ms: row.get(8)?,
        updated_at_ms: row.get(9)?,
        queue_rank: row.get::<_, Option<String>>(10)?.map(QueueRank),
        model: row.get(12)?,
        cost_micros: row.get::<_, Option<i64>>(13)?.map(|cost| u64::try_from(cost).unwrap_or_default()),
        todo: rows::json_or_nothing(row, 14)?,
        title: row.get(15)?,
        archived: row.get(16)?,
        parent: parent(row)?,
    })
}
