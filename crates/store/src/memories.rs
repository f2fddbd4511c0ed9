//! The table `memories` and its full-text index: what recall serves across tasks and sessions. One event says one
//! memory at most, and the memory is named by that event.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{EventRecord, MemoryRole, SessionId, TaskEvent, TaskId, TaskSummary};
use rusqlite::{Connection, params};

/// Longer texts are cut: the whole text stands in the journal.
pub const LONGEST_MEMORY_CHARS: usize = 2_000;

/// One memory, as recall takes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remembered {
    pub(crate) session: SessionId,
    pub(crate) task: TaskId,
    pub(crate) role: MemoryRole,
    pub(crate) text: String,
    pub(crate) at_ms: i64,
}

/// What an event says, and who does; most events say nothing.
pub(crate) fn said(event: &TaskEvent) -> Option<(MemoryRole, String)> {
    let (role, text) = match event {
        TaskEvent::Created(created) => (MemoryRole::User, created.spec.goal.clone()),
        TaskEvent::Steered(steered) => (MemoryRole::User, steered.text.clone()),
        TaskEvent::QuestionAnswered(answered) => (MemoryRole::User, answered.text.clone()),
        TaskEvent::Planned(planned) => {
            let plan = &planned.plan;
            let texts = [Some(&plan.reasoning), plan.question.as_ref(), plan.summary.as_ref()];
            let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
            (MemoryRole::Assistant, texts.join("\n"))
        }
        TaskEvent::ToolFinished(finished) => (MemoryRole::Tool, finished.result.content.clone()),
        _ => return None,
    };
    let text = shortened(text.trim());
    (!text.is_empty()).then(|| (role, text.to_owned()))
}

fn shortened(text: &str) -> &str {
    text.char_indices().nth(LONGEST_MEMORY_CHARS).map_or(text, |(end, _)| &text[..end])
}

/// Brings the memories up to an event: what it says is remembered, what it has forgotten is gone.
pub(crate) fn project(conn: &Connection, record: &EventRecord, task: &TaskSummary) -> Result<(), Fault> {
    match &record.event {
        TaskEvent::MemoryEdited(edited) => edit(conn, edited.memory as i64, &edited.text, record.at_ms),
        TaskEvent::MemoryForgotten(forgotten) => forget(conn, forgotten.memory as i64, record.seq as i64),
        TaskEvent::MemoryRestored(restored) => restore(conn, restored.memory as i64, &restored.text),
        event => match said(event) {
            Some((role, text)) => remember(conn, record, task, role, &text),
            None => Ok(()),
        },
    }
}

fn remember(
    conn: &Connection,
    record: &EventRecord,
    task: &TaskSummary,
    role: MemoryRole,
    text: &str,
) -> Result<(), Fault> {
    let sql = "INSERT INTO memories (id, session, task, workspace, role, at_ms, text)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let (id, session) = (record.seq as i64, task.session.as_str());
    let values = params![id, session, record.task.as_str(), task.workspace, word(role), record.at_ms, text];
    conn.prepare_cached(sql)?.execute(values)?;
    index(conn, id, text)
}

fn edit(conn: &Connection, id: i64, text: &str, at_ms: i64) -> Result<(), Fault> {
    let Some(old) = text_of(conn, id)? else { return Ok(()) };
    take_out(conn, id, &old)?;
    conn.prepare_cached("UPDATE memories SET text = ?2, edited_at_ms = ?3 WHERE id = ?1")?
        .execute(params![id, text, at_ms])?;
    index(conn, id, text)
}

/// Takes the memory and whatever says the very same out of the table and the index. What stays knows where it was
/// said, but not what.
fn forget(conn: &Connection, id: i64, by: i64) -> Result<(), Fault> {
    let Some(text) = text_of(conn, id)? else { return Ok(()) };
    for id in saying(conn, &text)? {
        take_out(conn, id, &text)?;
        let sql = "INSERT INTO forgotten_memories
                   SELECT id, session, task, workspace, role, at_ms, edited_at_ms, ?2 FROM memories WHERE id = ?1";
        conn.prepare_cached(sql)?.execute([id, by])?;
        conn.prepare_cached("DELETE FROM memories WHERE id = ?1")?.execute([id])?;
    }
    Ok(())
}

/// Brings a memory back, and what was forgotten with it: all of them said this.
fn restore(conn: &Connection, id: i64, text: &str) -> Result<(), Fault> {
    for id in forgotten_with(conn, id)? {
        let sql = "INSERT INTO memories
                   SELECT id, session, task, workspace, role, at_ms, edited_at_ms, ?2
                   FROM forgotten_memories WHERE id = ?1";
        conn.prepare_cached(sql)?.execute(params![id, text])?;
        conn.prepare_cached("DELETE FROM forgotten_memories WHERE id = ?1")?.execute([id])?;
        index(conn, id, text)?;
    }
    Ok(())
}

fn index(conn: &Connection, id: i64, text: &str) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO memories_text (rowid, text) VALUES (?1, ?2)")?
        .execute(params![id, text])?;
    Ok(())
}

/// The index has no copy of the text, so it is told what to take out.
fn take_out(conn: &Connection, id: i64, text: &str) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO memories_text (memories_text, rowid, text) VALUES ('delete', ?1, ?2)")?
        .execute(params![id, text])?;
    Ok(())
}

fn text_of(conn: &Connection, id: i64) -> Result<Option<String>, Fault> {
    rows::first(conn, "SELECT text FROM memories WHERE id = ?1", [id], |row| Ok(row.get(0)?))
}

/// The memories that say exactly this.
pub(crate) fn saying(conn: &Connection, text: &str) -> Result<Vec<i64>, Fault> {
    let sql =
        "SELECT id FROM memories WHERE substr(text, 1, 64) = substr(?1, 1, 64) AND text = ?1 ORDER BY id";
    rows::all(conn, sql, [text], |row| Ok(row.get(0)?))
}

/// The memories that were forgotten by the same event as this one, itself among them.
pub(crate) fn forgotten_with(conn: &Connection, id: i64) -> Result<Vec<i64>, Fault> {
    let sql = "SELECT id FROM forgotten_memories
               WHERE forgotten_by = (SELECT forgotten_by FROM forgotten_memories WHERE id = ?1) ORDER BY id";
    rows::all(conn, sql, [id], |row| Ok(row.get(0)?))
}

/// One memory by its id.
pub(crate) fn find(conn: &Connection, id: i64) -> Result<Option<Remembered>, Fault> {
    rows::first(conn, "SELECT session, task, role, text, at_ms FROM memories WHERE id = ?1", [id], |row| {
        Ok(Remembered {
            session: SessionId(row.get(0)?),
            task: TaskId(row.get(1)?),
            role: role(row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?),
            text: row.get(3)?,
            at_ms: row.get(4)?,
        })
    })
}

/// What was said last in a session, newest first.
pub(crate) fn newest_of(conn: &Connection, session: &SessionId, limit: usize) -> Result<Vec<i64>, Fault> {
    let sql = "SELECT id FROM memories WHERE session = ?1 ORDER BY id DESC LIMIT ?2";
    rows::all(conn, sql, params![session.as_str(), limit as i64], |row| Ok(row.get(0)?))
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

/// Whose words, as a column.
fn word(role: MemoryRole) -> &'static str {
    match role {
        MemoryRole::User => "user",
        MemoryRole::Assistant => "assistant",
        MemoryRole::Tool => "tool",
    }
}

/// Whose words, from a column.
pub(crate) fn role(column: &str) -> MemoryRole {
    match column {
        "user" => MemoryRole::User,
        "assistant" => MemoryRole::Assistant,
        // The table admits no fourth word; the least trusted one is the safe reading.
        _ => MemoryRole::Tool,
    }
}
