//! The table `messages`: what was said in each session, in order. The words themselves are memories.

use crate::error::Fault;
use crate::memories::{self, Role};
use crate::rows;
use deputy_protocol::{EventRecord, SessionId, TaskSummary};
use rusqlite::{Connection, params};

/// Longer texts are cut: the whole text stands in the journal.
const LONGEST_CHARS: usize = 2_000;

/// Remembers what was said, and that it was said here. An empty text says nothing.
pub(crate) fn say(
    conn: &Connection,
    record: &EventRecord,
    task: &TaskSummary,
    role: Role,
    text: &str,
) -> Result<(), Fault> {
    let text = shortened(text.trim());
    if text.is_empty() {
        return Ok(());
    }
    let memory = memories::remember(conn, record, task, role, text)?;
    conn.prepare_cached("INSERT INTO messages (seq, session, memory) VALUES (?1, ?2, ?3)")?
        .execute(params![record.seq as i64, task.session.as_str(), memory])?;
    Ok(())
}

/// The memories that hold the last messages of a session, newest first.
pub(crate) fn newest(conn: &Connection, session: &SessionId, limit: usize) -> Result<Vec<i64>, Fault> {
    let sql = "SELECT memory FROM messages WHERE session = ?1 ORDER BY seq DESC LIMIT ?2";
    rows::all(conn, sql, params![session.as_str(), limit as i64], |row| Ok(row.get(0)?))
}

fn shortened(text: &str) -> &str {
    text.char_indices().nth(LONGEST_CHARS).map_or(text, |(end, _)| &text[..end])
}
