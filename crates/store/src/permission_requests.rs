//! The table `permission_requests`: calls that wait for a person, and the answers.
//!
//! The inbox consists of the open requests: at most [`MAX_OPEN_REQUESTS`], and no two about the same call. Events that
//! would violate this are refused as a whole, so no journal has such a state.

use crate::error::{Fault, StoreError};
use crate::{events, rows};
use deputy_messages::Phrase;
use deputy_protocol::{
    Answerer, Choice, Digest, EventRecord, PermissionAnswered, PermissionRequest, PermissionRequested,
    RequestId, TaskEvent, TaskId,
};
use rusqlite::{Connection, params};

/// The maximum number of open requests, which a person can still review. Further requests wait.
pub const MAX_OPEN_REQUESTS: u32 = 20;

/// Whether a request could be opened now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// It could.
    Free,
    /// The maximum number is open already.
    Full,
    /// A request for the same call is open, with this id.
    Equal(RequestId),
}

/// The state of a request.
pub(crate) enum Standing {
    Open,
    Answered {
        choice: Choice,
        by: Answerer,
    },
    /// Its task ended first.
    Withdrawn,
}

/// Stores a request. Asking again with the same id (after a restart) replaces an open request.
pub(crate) fn ask(
    conn: &Connection,
    record: &EventRecord,
    PermissionRequested { request, touches }: &PermissionRequested,
) -> Result<(), Fault> {
    let touches = (!touches.is_empty()).then(|| serde_json::to_string(touches)).transpose()?;
    let written = conn
        .prepare_cached(
            "INSERT INTO permission_requests (id, task, call, request, created_at_ms, expires_at_ms, status, touches)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open', ?7)
             ON CONFLICT (id) DO UPDATE SET request = excluded.request, expires_at_ms = excluded.expires_at_ms,
                 touches = excluded.touches
             WHERE status = 'open' AND task = excluded.task",
        )?
        .execute(params![
            request.id.as_str(),
            record.task.as_str(),
            request.call.as_str(),
            serde_json::to_string(request)?,
            request.created_at_ms,
            request.expires_at_ms,
            touches,
        ])?;
    if written == 0 {
        return Err(StoreError::NotOpen { request: request.id.clone() }.into());
    }
    Ok(())
}

/// Returns whether a request for a call of this digest could be opened.
pub(crate) fn place(conn: &Connection, digest: &Digest) -> Result<Place, Fault> {
    let sql =
        "SELECT id FROM permission_requests WHERE status = 'open' AND json_extract(request, '$.digest') = ?1
               ORDER BY created_at_ms, id LIMIT 1";
    if let Some(id) = rows::first(conn, sql, [digest.as_str()], |row| Ok(RequestId(row.get(0)?)))? {
        return Ok(Place::Equal(id));
    }
    Ok(if count_open(conn)? < MAX_OPEN_REQUESTS { Place::Free } else { Place::Full })
}

/// Returns an error if the inbox is too full, or contains a call twice. Must be called after these requests were
/// written.
pub(crate) fn check_inbox<'a>(
    conn: &Connection,
    written: impl IntoIterator<Item = &'a PermissionRequest>,
) -> Result<(), Fault> {
    for request in written {
        let sql = "SELECT other.id FROM permission_requests own JOIN permission_requests other
                       ON other.status = 'open' AND other.id != own.id
                       AND json_extract(other.request, '$.digest') = ?2
                   WHERE own.id = ?1 AND own.status = 'open' ORDER BY other.created_at_ms, other.id LIMIT 1";
        let key = params![request.id.as_str(), request.digest.as_str()];
        if let Some(open) = rows::first(conn, sql, key, |row| Ok(RequestId(row.get(0)?)))? {
            return Err(StoreError::AskedAlready { request: open }.into());
        }
        if count_open(conn)? > MAX_OPEN_REQUESTS {
            return Err(StoreError::InboxFull { open: MAX_OPEN_REQUESTS }.into());
        }
    }
    Ok(())
}

fn count_open(conn: &Connection) -> Result<u32, Fault> {
    let sql = "SELECT count(*) FROM permission_requests WHERE status = 'open'";
    Ok(rows::first(conn, sql, [], |row| Ok(row.get(0)?))?.unwrap_or_default())
}

/// Closes a request with its answer. Fails if it is not open, so that a request is answered only once.
pub(crate) fn answer(
    conn: &Connection,
    record: &EventRecord,
    answered: &PermissionAnswered,
) -> Result<(), Fault> {
    let closed = conn
        .prepare_cached(
            "UPDATE permission_requests SET status = 'answered', choice = ?2, answerer = ?3, closed_at_ms = ?4,
                 answered_seq = ?5
             WHERE id = ?1 AND status = 'open'",
        )?
        .execute(params![
            answered.request.as_str(),
            serde_json::to_string(&answered.choice)?,
            serde_json::to_string(&answered.by)?,
            record.at_ms,
            events::bounded(record.seq),
        ])?;
    if closed == 0 && find(conn, &answered.request)?.is_some() {
        return Err(StoreError::NotOpen { request: answered.request.clone() }.into());
    }
    Ok(())
}

/// Withdraws the open requests of a task that has ended.
pub(crate) fn withdraw(conn: &Connection, task: &TaskId, at_ms: i64) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE permission_requests SET status = 'withdrawn', closed_at_ms = ?2 WHERE task = ?1 AND status = 'open'",
    )?
    .execute(params![task.as_str(), at_ms])?;
    Ok(())
}

/// Returns a request with its state.
pub(crate) fn find(
    conn: &Connection,
    id: &RequestId,
) -> Result<Option<(PermissionRequest, Standing)>, Fault> {
    let sql = "SELECT request, status, choice, answerer FROM permission_requests WHERE id = ?1";
    rows::first(conn, sql, [id.as_str()], |row| {
        let status: String = row.get(1)?;
        let standing = match (rows::json_or_nothing(row, 2)?, rows::json_or_nothing(row, 3)?) {
            (Some(choice), Some(by)) => Standing::Answered { choice, by },
            _ if status == "open" => Standing::Open,
            _ => Standing::Withdrawn,
        };
        Ok((rows::json(row, 0)?, standing))
    })
}

/// A denial by a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The request that was denied.
    pub request: RequestId,
    /// The task that asked.
    pub asked_by: TaskId,
    /// The reason, in the person's words.
    pub reason: Phrase,
    /// The person's client.
    pub by: Answerer,
}

/// Returns the newest denial of a call of this digest by a person after `seq` in the journal.
pub(crate) fn refusal_since(conn: &Connection, digest: &Digest, seq: u64) -> Result<Option<Refusal>, Fault> {
    // The first condition must match the condition of the index exactly.
    let sql = "SELECT task, event FROM events
               WHERE type = 'permission_answered' AND seq > ?2 AND json_extract(event, '$.digest') = ?1
               ORDER BY seq DESC";
    let answers = rows::all(conn, sql, params![digest.as_str(), events::bounded(seq)], |row| {
        let asked_by = TaskId(row.get(0)?);
        let TaskEvent::PermissionAnswered(answer) = rows::json(row, 1)? else { return Ok(None) };
        Ok(match (answer.choice, answer.by) {
            // An expiry is not a refusal.
            (Choice::Deny(deny), by @ (Answerer::Local(_) | Answerer::Device(_))) => {
                Some(Refusal { request: answer.request, asked_by, reason: deny.reason, by })
            }
            _ => None,
        })
    })?;
    Ok(answers.into_iter().flatten().next())
}

/// A person's answer to a request of a call that touches paths.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredPaths {
    /// The real paths that the call would change or that its command names.
    pub touches: Vec<String>,
    /// The answer.
    pub choice: Choice,
    /// When it was given, in milliseconds since the epoch.
    pub at_ms: i64,
}

/// Returns what people answered about paths in a task, its ancestors and all of their sub-tasks, oldest first, with the
/// refusals of other tasks that these share. Empty if nothing was refused.
pub(crate) fn answered_paths(conn: &Connection, task: &TaskId) -> Result<Vec<AnsweredPaths>, Fault> {
    macro_rules! of_family {
        ($select:literal, $condition:literal) => {
            concat!(
                "WITH RECURSIVE
                     up (id, parent) AS (
                         SELECT id, parent_task FROM tasks WHERE id = ?1
                         UNION ALL SELECT t.id, t.parent_task FROM tasks t JOIN up ON t.id = up.parent),
                     family (id) AS (
                         SELECT id FROM up WHERE parent IS NULL
                         UNION ALL SELECT t.id FROM tasks t JOIN family ON t.parent_task = family.id),
                     asked (id) AS (
                         SELECT r.id FROM family JOIN permission_requests r ON r.task = family.id
                             WHERE r.touches IS NOT NULL
                         UNION SELECT json_extract(e.event, '$.request')
                             FROM family JOIN events e ON e.task = family.id WHERE e.type = 'refusal_shared') ",
                $select,
                " FROM asked JOIN permission_requests r ON r.id = asked.id WHERE r.touches IS NOT NULL ",
                $condition
            )
        };
    }
    let sql = of_family!("SELECT 1", "AND json_extract(r.choice, '$.choice') = 'deny' LIMIT 1");
    if rows::first(conn, sql, [task.as_str()], |_| Ok(()))?.is_none() {
        return Ok(Vec::new());
    }
    let sql = of_family!(
        "SELECT r.touches, r.choice, r.answerer, r.closed_at_ms",
        "AND r.status = 'answered' ORDER BY r.answered_seq"
    );
    let answers = rows::all(conn, sql, [task.as_str()], |row| {
        // An expiry is not a refusal, and a standing consent is not an answer to a refusal.
        let is_persons = matches!(rows::json(row, 2)?, Answerer::Local(_) | Answerer::Device(_));
        let choice: Choice = rows::json(row, 1)?;
        // A person who wants a call changed does not refuse what it touches.
        let is_correction = matches!(&choice, Choice::Deny(deny) if deny.change);
        let answer = AnsweredPaths { touches: rows::json(row, 0)?, choice, at_ms: row.get(3)? };
        Ok((is_persons && !is_correction).then_some(answer))
    })?;
    Ok(answers.into_iter().flatten().collect())
}

/// A past request.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The request.
    pub request: PermissionRequest,
    /// Whether a person denied it.
    pub was_refused: bool,
}

/// Returns the requests that tasks of a workspace made since a time, newest first.
pub(crate) fn asked_since(
    conn: &Connection,
    workspace: &str,
    since_ms: i64,
    limit: u32,
) -> Result<Vec<Asked>, Fault> {
    let sql =
        "SELECT r.request, r.choice, r.answerer FROM permission_requests r JOIN tasks t ON t.id = r.task
         WHERE r.created_at_ms >= ?1 AND t.workspace = ?2 ORDER BY r.created_at_ms DESC, r.id LIMIT ?3";
    rows::all(conn, sql, params![since_ms, workspace, limit], |row| {
        let choice: Option<Choice> = rows::json_or_nothing(row, 1)?;
        let by: Option<Answerer> = rows::json_or_nothing(row, 2)?;
        // An expiry is not a refusal.
        let was_refused = matches!(
            (choice, by),
            (Some(Choice::Deny(deny)), Some(Answerer::Local(_) | Answerer::Device(_))) if !deny.change
        );
        Ok(Asked { request: rows::json(row, 0)?, was_refused })
    })
}

/// Returns the unanswered requests, oldest first.
pub(crate) fn open(conn: &Connection) -> Result<Vec<PermissionRequest>, Fault> {
    let sql = "SELECT request FROM permission_requests WHERE status = 'open' ORDER BY created_at_ms, id";
    rows::all(conn, sql, [], |row| rows::json(row, 0))
}
