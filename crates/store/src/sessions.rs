//! The table `sessions`: conversations, with the time of their last event.

use crate::error::Fault;
use deputy_protocol::SessionId;
use rusqlite::{Connection, params};

/// Creates the session if it does not exist, and updates its time.
pub(crate) fn touch(conn: &Connection, session: &SessionId, now_ms: i64) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO sessions (id, created_at_ms, updated_at_ms) VALUES (?1, ?2, ?2)
         ON CONFLICT (id) DO UPDATE SET updated_at_ms = excluded.updated_at_ms",
    )?
    .execute(params![session.as_str(), now_ms])?;
    Ok(())
}
