//! The state that every client shows: the tasks that have not ended, and what waits for a person, as one consistent
//! snapshot.

use crate::chain::End;
use crate::error::Fault;
use crate::{permission_requests, questions, tasks};
use deputy_protocol::{ActiveAgent, AgentState, IdleAgent, Snapshot};
use rusqlite::Connection;

/// Returns the state and the number of its last event. The connection must be inside a read transaction.
pub(crate) fn snapshot(conn: &Connection) -> Result<Snapshot, Fault> {
    let End { seq, .. } = End::read(conn)?;
    let active = ActiveAgent {
        tasks: tasks::unfinished(conn)?,
        requests: permission_requests::open(conn)?,
        questions: questions::open(conn)?,
    };
    let state = match active.tasks.is_empty() {
        true => AgentState::Idle(IdleAgent {}),
        false => AgentState::Active(active),
    };
    Ok(Snapshot { seq, state })
}
