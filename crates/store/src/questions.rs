//! The table `questions`: the questions of the planner or a brake to the user, and the answers.

use crate::error::{Fault, StoreError};
use crate::permission_requests::Place;
use crate::rows;
use deputy_protocol::{EventRecord, Question, QuestionAnswered, RequestId, TaskId};
use rusqlite::{Connection, params};

/// The maximum number of open questions, in addition to the permission requests. Further questions wait. Equal
/// questions are not merged, because their meaning depends on the task.
pub const MAX_OPEN_QUESTIONS: u32 = 20;

/// The state of a question.
pub(crate) enum Standing {
    Open,
    Answered(String),
    /// Its task ended first.
    Withdrawn,
}

/// Stores a question. Asking again with the same id replaces an open question.
pub(crate) fn ask(conn: &Connection, record: &EventRecord, question: &Question) -> Result<(), Fault> {
    let written = conn
        .prepare_cached(
            "INSERT INTO questions (id, task, question, created_at_ms, status) VALUES (?1, ?2, ?3, ?4, 'open')
             ON CONFLICT (id) DO UPDATE SET question = excluded.question
             WHERE status = 'open' AND task = excluded.task",
        )?
        .execute(params![
            question.id.as_str(),
            record.task.as_str(),
            serde_json::to_string(question)?,
            question.created_at_ms,
        ])?;
    if written == 0 {
        return Err(StoreError::NotOpen { request: question.id.clone() }.into());
    }
    Ok(())
}

/// Returns whether a question could be opened now.
pub(crate) fn place(conn: &Connection) -> Result<Place, Fault> {
    Ok(if count_open(conn)? < MAX_OPEN_QUESTIONS { Place::Free } else { Place::Full })
}

/// Returns an error if too many are open. Must be called after these questions were written.
pub(crate) fn check_open(conn: &Connection) -> Result<(), Fault> {
    if count_open(conn)? > MAX_OPEN_QUESTIONS {
        return Err(StoreError::InboxFull { open: MAX_OPEN_QUESTIONS }.into());
    }
    Ok(())
}

fn count_open(conn: &Connection) -> Result<u32, Fault> {
    let sql = "SELECT count(*) FROM questions WHERE status = 'open'";
    Ok(rows::first(conn, sql, [], |row| Ok(row.get(0)?))?.unwrap_or_default())
}

/// Closes a question with its answer. Fails if it is not open.
pub(crate) fn answer(conn: &Connection, at_ms: i64, answered: &QuestionAnswered) -> Result<(), Fault> {
    let closed = conn
        .prepare_cached(
            "UPDATE questions SET status = 'answered', answer = ?2, closed_at_ms = ?3
             WHERE id = ?1 AND status = 'open'",
        )?
        .execute(params![answered.request.as_str(), answered.text, at_ms])?;
    if closed == 0 && find(conn, &answered.request)?.is_some() {
        return Err(StoreError::NotOpen { request: answered.request.clone() }.into());
    }
    Ok(())
}

/// Withdraws the open questions of a task that has ended.
pub(crate) fn withdraw(conn: &Connection, task: &TaskId, at_ms: i64) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE questions SET status = 'withdrawn', closed_at_ms = ?2 WHERE task = ?1 AND status = 'open'",
    )?
    .execute(params![task.as_str(), at_ms])?;
    Ok(())
}

/// Returns a question with its state.
pub(crate) fn find(conn: &Connection, id: &RequestId) -> Result<Option<(Question, Standing)>, Fault> {
    rows::first(conn, "SELECT question, status, answer FROM questions WHERE id = ?1", [id.as_str()], |row| {
        let status: String = row.get(1)?;
        let standing = match row.get(2)? {
            Some(answer) => Standing::Answered(answer),
            None if status == "open" => Standing::Open,
            None => Standing::Withdrawn,
        };
        Ok((rows::json(row, 0)?, standing))
    })
}

/// Returns the unanswered questions, oldest first.
pub(crate) fn open(conn: &Connection) -> Result<Vec<Question>, Fault> {
    let sql = "SELECT question FROM questions WHERE status = 'open' ORDER BY created_at_ms, id";
    rows::all(conn, sql, [], |row| rows::json(row, 0))
}
