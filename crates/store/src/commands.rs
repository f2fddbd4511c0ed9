//! The table `commands`: what came of each command, so that one sent twice is not done twice.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{CommandId, CommandOutcome};
use rusqlite::{Connection, params};

/// What came of a command, if it was done.
pub(crate) fn find(conn: &Connection, id: &CommandId) -> Result<Option<CommandOutcome>, Fault> {
    rows::first(conn, "SELECT outcome FROM commands WHERE id = ?1", [id.as_str()], |row| rows::json(row, 0))
}

/// Remembers what came of a command; the first outcome stays.
pub(crate) fn remember(
    conn: &Connection,
    id: &CommandId,
    outcome: &CommandOutcome,
    now_ms: i64,
) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO commands (id, outcome, at_ms) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING",
    )?
    .execute(params![id.as_str(), serde_json::to_string(outcome)?, now_ms])?;
    Ok(())
}
