//! The table `commands`: the outcome of each command, so that a command that is sent twice is not executed twice.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{CommandId, CommandOutcome};
use rusqlite::{Connection, params};

/// Returns the outcome of a command, if it was executed.
pub(crate) fn find(conn: &Connection, id: &CommandId) -> Result<Option<CommandOutcome>, Fault> {
    rows::first(conn, "SELECT outcome FROM commands WHERE id = ?1", [id.as_str()], |row| rows::json(row, 0))
}

/// Records the outcome of a command. The first outcome is kept.
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
