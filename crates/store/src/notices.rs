//! The table `notices`: the notifications for a person, and their state.
//!
//! | standing | meaning | next |
//! |---|---|---|
//! | `to_tell` | nothing was sent | `telling`; deleted if it is answered first |
//! | `telling` | it may have been sent; after a crash it is sent again | `told` |
//! | `told` | it was sent, and waits | `to_withdraw` when it is answered; the end of a task is deleted at once |
//! | `to_withdraw` | it was sent and is over | deleted once it was withdrawn |
//!
//! A row is written in the transaction of its event, so no notice is lost if the process ends.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{EventRecord, NoticeKind, StopReason, TaskEvent, TaskId, TaskSummary};
use rusqlite::{Connection, params};

/// A notice to send or to withdraw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueNotice {
    /// The id of the request, the question or the task.
    pub id: String,
    /// The task.
    pub task: TaskId,
    /// The kind of the notice.
    pub kind: NoticeKind,
    /// The text, as the planner wrote it.
    pub text: String,
    /// When the notice was created.
    pub at_ms: i64,
    /// Whether it must be withdrawn.
    pub is_over: bool,
    /// Whether this process, or an earlier one, has begun to send it.
    pub is_begun: bool,
}

/// Creates or closes notices for an event.
pub(crate) fn note(conn: &Connection, record: &EventRecord, task: &TaskSummary) -> Result<(), Fault> {
    match &record.event {
        TaskEvent::PermissionRequested(asked) => {
            add(conn, record, asked.request.id.as_str(), "request", &asked.request.summary)
        }
        TaskEvent::QuestionAsked(asked) => {
            add(conn, record, asked.question.id.as_str(), "question", &asked.question.text)
        }
        TaskEvent::PermissionAnswered(answered) => over(conn, "id", answered.request.as_str()),
        TaskEvent::QuestionAnswered(answered) => over(conn, "id", answered.request.as_str()),
        TaskEvent::Stopped(stopped) => {
            over(conn, "task", record.task.as_str())?;
            let head = match stopped.reason {
                // The parent task reports the end.
                _ if task.parent.is_some() => return Ok(()),
                StopReason::Completed | StopReason::Denied => "Done",
                // The user stopped the task, and knows about it.
                StopReason::ManualStop => return Ok(()),
                StopReason::Error | StopReason::IterationLimit | StopReason::NeedsModel => "Ended",
            };
            let text = format!("{head}: {}", stopped.summary);
            add(conn, record, record.task.as_str(), "ended", &text)
        }
        _ => Ok(()),
    }
}

/// Adds a notice. A request that was open before a restart may be asked again with the same id; its notice is sent only
/// once.
fn add(conn: &Connection, record: &EventRecord, id: &str, kind: &str, text: &str) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO notices (id, task, kind, text, at_ms, standing) VALUES (?1, ?2, ?3, ?4, ?5, 'to_tell')
         ON CONFLICT (id) DO NOTHING",
    )?
    .execute(params![id, record.task.as_str(), kind, text, record.at_ms])?;
    Ok(())
}

/// Closes the notices with a value in a column.
fn over(conn: &Connection, column: &str, value: &str) -> Result<(), Fault> {
    let untold = format!("DELETE FROM notices WHERE {column} = ?1 AND standing = 'to_tell'");
    conn.prepare_cached(&untold)?.execute([value])?;
    let told = format!("UPDATE notices SET standing = 'to_withdraw' WHERE {column} = ?1");
    conn.prepare_cached(&told)?.execute([value])?;
    Ok(())
}

/// Returns the notices to send or to withdraw, in order of arrival.
pub(crate) fn due(conn: &Connection) -> Result<Vec<DueNotice>, Fault> {
    let sql =
        "SELECT id, task, kind, text, at_ms, standing FROM notices WHERE standing != 'told' ORDER BY number";
    rows::all(conn, sql, [], |row| {
        let kind: String = row.get(2)?;
        let standing: String = row.get(5)?;
        Ok(DueNotice {
            id: row.get(0)?,
            task: TaskId(row.get(1)?),
            kind: match kind.as_str() {
                "request" => NoticeKind::Request,
                "question" => NoticeKind::Question,
                _ => NoticeKind::Ended,
            },
            text: row.get(3)?,
            at_ms: row.get(4)?,
            is_over: standing == "to_withdraw",
            is_begun: standing == "telling",
        })
    })
}

/// Records that sending begins. Returns the notices that must still be sent.
pub(crate) fn begin(conn: &Connection, ids: Vec<String>) -> Result<Vec<String>, Fault> {
    let mut begun = Vec::with_capacity(ids.len());
    for id in ids {
        let changed = conn
            .prepare_cached(
                "UPDATE notices SET standing = 'telling' WHERE id = ?1 AND standing IN ('to_tell', 'telling')",
            )?
            .execute([&id])?;
        if changed > 0 {
            begun.push(id);
        }
    }
    Ok(begun)
}

/// Records that notices were sent or withdrawn. A notice that was answered in the meantime must still be withdrawn.
pub(crate) fn finish(conn: &Connection, told: &[String], withdrawn: &[String]) -> Result<(), Fault> {
    for id in told {
        let ended = "DELETE FROM notices WHERE id = ?1 AND kind = 'ended'";
        conn.prepare_cached(ended)?.execute([id])?;
        let waits =
            "UPDATE notices SET standing = 'told' WHERE id = ?1 AND standing IN ('to_tell', 'telling')";
        conn.prepare_cached(waits)?.execute([id])?;
    }
    for id in withdrawn {
        let over = "DELETE FROM notices WHERE id = ?1 AND standing = 'to_withdraw'";
        conn.prepare_cached(over)?.execute([id])?;
    }
    Ok(())
}
