//! The table `messages`: the conversation of a session as people read it.

use crate::error::Fault;
use crate::memories::{self, Role};
use deputy_protocol::{EventRecord, TaskSummary};
use rusqlite::{Connection, params};

/// Longer texts are cut: the whole text stands in the journal.
const LONGEST_CHARS: usize = 2_000;

/// Writes what was said, here and into memory. An empty text says nothing.
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
    conn.prepare_cached(
        "INSERT INTO messages (seq, session, task, role, text, at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        record.seq as i64,
        task.session.as_str(),
        record.task.as_str(),
        role.as_str(),
        text,
        record.at_ms
    ])?;
    memories::remember(conn, record, task, role, text)
}

fn shortened(text: &str) -> &str {
    text.char_indices().nth(LONGEST_CHARS).map_or(text, |(end, _)| &text[..end])
}
