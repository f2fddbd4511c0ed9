//! The table `memories` and its full-text index: what recall serves across tasks and sessions.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{EventRecord, SessionId, TaskId, TaskSummary};
use rusqlite::{Connection, params};

/// Whose words a memory holds. A tool's words are untrusted: data, never instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The user's.
    User,
    /// The planner's.
    Assistant,
    /// What a call gave back.
    Tool,
}

impl Role {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }

    fn from_column(text: &str) -> Self {
        match text {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            // The table admits no fourth word; the least trusted one is the safe reading.
            _ => Self::Tool,
        }
    }
}

/// One memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    pub(crate) session: SessionId,
    pub(crate) task: TaskId,
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) at_ms: i64,
}

/// Remembers a text, and indexes it; the memory's id.
pub(crate) fn remember(
    conn: &Connection,
    record: &EventRecord,
    task: &TaskSummary,
    role: Role,
    text: &str,
) -> Result<i64, Fault> {
    conn.prepare_cached(
        "INSERT INTO memories (session, task, role, text, at_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![task.session.as_str(), record.task.as_str(), role.as_str(), text, record.at_ms])?;
    let id = conn.last_insert_rowid();
    conn.prepare_cached("INSERT INTO memories_text (rowid, text) VALUES (?1, ?2)")?
        .execute(params![id, text])?;
    Ok(id)
}

/// One memory by its id.
pub(crate) fn find(conn: &Connection, id: i64) -> Result<Option<Memory>, Fault> {
    rows::first(conn, "SELECT session, task, role, text, at_ms FROM memories WHERE id = ?1", [id], |row| {
        Ok(Memory {
            session: SessionId(row.get(0)?),
            task: TaskId(row.get(1)?),
            role: Role::from_column(row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?),
            text: row.get(3)?,
            at_ms: row.get(4)?,
        })
    })
}

/// How many memories hold a word, counted up to `most`.
pub(crate) fn count(conn: &Connection, expression: &str, most: usize) -> Result<usize, Fault> {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM memories_text WHERE memories_text MATCH ?1 LIMIT ?2)";
    let count: i64 =
        conn.prepare_cached(sql)?.query_row(params![expression, most as i64], |row| row.get(0))?;
    Ok(count as usize)
}

/// The memories that fit best (bm25), best first. `expression` is in the index's own syntax, here and below.
pub(crate) fn best_with(conn: &Connection, expression: &str, limit: usize) -> Result<Vec<i64>, Fault> {
    let sql = "SELECT rowid FROM memories_text WHERE memories_text MATCH ?1 ORDER BY rank LIMIT ?2";
    rows::all(conn, sql, params![expression, limit as i64], |row| Ok(row.get(0)?))
}

/// The newest memories that fit, newest first.
pub(crate) fn newest_with(conn: &Connection, expression: &str, limit: usize) -> Result<Vec<i64>, Fault> {
    let sql = "SELECT rowid FROM memories_text WHERE memories_text MATCH ?1 ORDER BY rowid DESC LIMIT ?2";
    rows::all(conn, sql, params![expression, limit as i64], |row| Ok(row.get(0)?))
}
