//! The table `notices`: what a person is to be notified of, and how far that has come.
//!
//! | standing | meaning | what comes next |
//! |---|---|---|
//! | `to_tell` | nothing was sent | `telling`; gone when it is answered first |
//! | `telling` | it may have been sent; after a crash it is sent again | `told` |
//! | `told` | it was sent, and waits | `to_withdraw` when it is answered; an end is gone at once |
//! | `to_withdraw` | it was sent and is over | gone when it was withdrawn |
//!
//! A row is written in the transaction of its event, so nothing is forgotten, whenever the process ends.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{EventRecord, NoticeKind, StopReason, TaskEvent, TaskId, TaskSummary};
use rusqlite::{Connection, params};

/// Something that a person is to be notified of, or that is to be withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueNotice {
    /// The request's, the question's or the task's id.
    pub id: String,
    /// The task.
    pub task: TaskId,
    /// What it is about.
    pub kind: NoticeKind,
    /// What it says, as the planner wrote it.
    pub text: String,
    /// When it came about.
    pub at_ms: i64,
    /// Whether it is to be withdrawn.
    pub is_over: bool,
    /// Whether a process before this one, or this one, has begun to tell it.
    pub is_begun: bool,
}

/// Notes what an event means for the person.
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
                // The parent task reports.
                _ if task.parent.is_some() => return Ok(()),
                StopReason::Completed | StopReason::Denied => "Done",
                // The user did that, and knows.
                StopReason::ManualStop => return Ok(()),
                StopReason::Error | StopReason::IterationLimit | StopReason::NeedsModel => "Ended",
            };
            let text = format!("{head}: {}", stopped.summary);
            add(conn, record, record.task.as_str(), "ended", &text)
        }
        _ => Ok(()),
    }
}

/// A request that was open before a restart may be asked again under its own id; its notice is sent once.
fn add(conn: &Connection, record: &EventRecord, id: &str, kind: &str, text: &str) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO notices (id, task, kind, text, at_ms, standing) VALUES (?1, ?2, ?3, ?4, ?5, 'to_tell')
         ON CONFLICT (id) DO NOTHING",
    )?
    .execute(params![id, record.task.as_str(), kind, text, record.at_ms])?;
    Ok(())
}

/// What waited is over, by the value of a column.
fn over(conn: &Connection, column: &str, value: &str) -> Result<(), Fault> {
    let untold = format!("DELETE FROM notices WHERE {column} = ?1 AND standing = 'to_tell'");
    conn.prepare_cached(&untold)?.execute([value])?;
    let told = format!("UPDATE notices SET standing = 'to_withdraw' WHERE {column} = ?1");
    conn.prepare_cached(&told)?.execute([value])?;
    Ok(())
}

/// What is to be sent or withdrawn, in the order in which it came.
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

/// Notes that sending begins; says which of them are still to be sent.
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

/// Notes that notices were sent, or withdrawn. One that was answered meanwhile is still to be withdrawn.
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
