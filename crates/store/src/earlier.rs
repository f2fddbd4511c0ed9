//! What was said in a task that has ended, for later tasks in its folder. Texts come from the memories, so they
//! reflect what a person edited, and leave out what was forgotten.

use crate::error::Fault;
use crate::{rows, tasks};
use deputy_protocol::{Report, Stopped, TaskEvent, TaskId, TaskSummary};
use rusqlite::{Connection, params};

/// The maximum number of texts of a task.
const MOST_SAID: u32 = 50;

/// A task that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct EndedTask {
    /// The task.
    pub task: TaskSummary,
    /// What the person wanted. `None` if it was forgotten.
    pub goal: Option<String>,
    /// What the person said afterwards, oldest first.
    pub said: Vec<String>,
    /// What the planner said last. `None` if it was forgotten, or if the planner said nothing.
    pub closing: Option<String>,
    /// What the task did by Deputy's own record.
    pub report: Option<Report>,
}

/// Returns the newest tasks that have ended in a folder, newest first, without sub-tasks.
pub(crate) fn in_folder(conn: &Connection, workspace: &str, limit: u32) -> Result<Vec<EndedTask>, Fault> {
    tasks::ended_in(conn, workspace, limit)?.into_iter().map(|task| ended(conn, task)).collect()
}

/// Returns a task that has ended. `None` if it does not exist, or has not ended.
pub(crate) fn one(conn: &Connection, id: &TaskId) -> Result<Option<EndedTask>, Fault> {
    let found =
        tasks::find(conn, id)?.filter(|task| matches!(task.state, deputy_protocol::TaskState::Stopped(_)));
    found.map(|task| ended(conn, task)).transpose()
}

fn ended(conn: &Connection, task: TaskSummary) -> Result<EndedTask, Fault> {
    // A memory has the number of the event that said it.
    let sql = "SELECT id, text FROM memories WHERE task = ?1 AND origin = 'person' AND kind = 'said'
               ORDER BY id LIMIT ?2";
    let said: Vec<(i64, String)> =
        rows::all(conn, sql, params![task.id.as_str(), MOST_SAID], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let sql = "SELECT min(seq) FROM events WHERE task = ?1";
    let first: Option<i64> = rows::first(conn, sql, [task.id.as_str()], |row| Ok(row.get(0)?))?;
    let (goal, said): (Vec<_>, Vec<_>) = said.into_iter().partition(|(id, _)| Some(*id) == first);
    let sql = "SELECT text FROM memories WHERE id =
               (SELECT max(seq) FROM events WHERE task = ?1 AND type = 'planned')";
    let closing = rows::first(conn, sql, [task.id.as_str()], |row| Ok(row.get(0)?))?;
    let sql = "SELECT event FROM events WHERE task = ?1 AND type = 'stopped' ORDER BY seq DESC LIMIT 1";
    let stopped = rows::first(conn, sql, [task.id.as_str()], |row| rows::json(row, 0))?;
    let report = match stopped {
        Some(TaskEvent::Stopped(Stopped { report, .. })) => report.map(|report| *report),
        _ => None,
    };
    Ok(EndedTask {
        goal: goal.into_iter().next().map(|(_, text)| text),
        said: said.into_iter().map(|(_, text)| text).collect(),
        closing,
        report,
        task,
    })
}
