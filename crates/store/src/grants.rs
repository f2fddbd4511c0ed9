//! The table `grants`: remembered answers, until they expire or are revoked.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{Grant, GrantId, Lifetime, TaskId};
use rusqlite::{Connection, params};

/// Stores a grant.
pub(crate) fn insert(conn: &Connection, grant: &Grant) -> Result<(), Fault> {
    let task = match &grant.lifetime {
        Lifetime::Task(lifetime) => Some(lifetime.task.as_str()),
        _ => None,
    };
    conn.prepare_cached(
        "INSERT INTO grants (id, workspace, task, \"grant\", expires_at_ms, revoked_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        grant.id.as_str(),
        grant.workspace,
        task,
        serde_json::to_string(grant)?,
        grant.expires_at_ms,
        grant.revoked_at_ms
    ])?;
    Ok(())
}

/// Returns the grants that are valid at a time, newest first: all of them, or those of one workspace.
pub(crate) fn holding(conn: &Connection, workspace: Option<&str>, now_ms: i64) -> Result<Vec<Grant>, Fault> {
    let sql = "SELECT \"grant\", expires_at_ms FROM grants
         WHERE revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?1)
           AND (?2 IS NULL OR workspace = ?2)
         ORDER BY number DESC";
    rows::all(conn, sql, params![now_ms, workspace], |row| {
        let grant: Grant = rows::json(row, 0)?;
        Ok(Grant { expires_at_ms: row.get(1)?, ..grant })
    })
}

/// Revokes a grant. Returns whether it was not revoked before.
pub(crate) fn revoke(conn: &Connection, id: &GrantId, now_ms: i64) -> Result<bool, Fault> {
    let revoked = conn
        .prepare_cached("UPDATE grants SET revoked_at_ms = ?2 WHERE id = ?1 AND revoked_at_ms IS NULL")?
        .execute(params![id.as_str(), now_ms])?;
    Ok(revoked > 0)
}

/// Ends the grants that are valid until a task ends.
pub(crate) fn end_with(conn: &Connection, task: &TaskId, now_ms: i64) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE grants SET expires_at_ms = ?2 WHERE task = ?1 AND (expires_at_ms IS NULL OR expires_at_ms > ?2)",
    )?
    .execute(params![task.as_str(), now_ms])?;
    Ok(())
}
