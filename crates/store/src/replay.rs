//! Compares the derived tables with the journal: the tables that decisions are based on are derived again and compared.
//!
//! No event records that a grant was revoked, so revoked grants are compared like others.

use crate::error::Fault;
use crate::{answers, events, grants, migrations, projection, tasks};
use deputy_messages::store as say;
use deputy_protocol::{Choice, EventRecord, TaskEvent};
use rusqlite::Connection;
use rusqlite::types::Value;

/// The compared tables, and a query for the rows of each in a fixed order.
const COMPARED: [(&str, &str); 9] = [
    ("sessions", "SELECT * FROM sessions ORDER BY id"),
    ("tasks", "SELECT * FROM tasks ORDER BY number"),
    ("tool_executions", "SELECT * FROM tool_executions ORDER BY call"),
    ("permission_requests", "SELECT * FROM permission_requests ORDER BY id"),
    ("questions", "SELECT * FROM questions ORDER BY id"),
    ("usage", "SELECT * FROM usage ORDER BY quarter_ms, task, model"),
    ("grants", "SELECT id, workspace, task, \"grant\", expires_at_ms FROM grants ORDER BY id"),
    ("memories", "SELECT * FROM memories ORDER BY id"),
    ("forgotten_memories", "SELECT * FROM forgotten_memories ORDER BY id"),
];

/// Checks that the derived tables match the journal.
pub(crate) fn verify(conn: &Connection) -> Result<(), Fault> {
    let mut copy = Connection::open_in_memory()?;
    for step in migrations::ALL {
        copy.execute_batch(step)?;
    }
    let transaction = copy.transaction()?;
    events::each(conn, |record| play(&transaction, &record))?;
    for (table, sql) in COMPARED {
        compare(conn, &transaction, table, sql)?;
    }
    Ok(())
}

fn play(copy: &Connection, record: &EventRecord) -> Result<(), Fault> {
    let mut task = match &record.event {
        TaskEvent::Created(created) => tasks::create(copy, &record.task, record.at_ms, created)?,
        _ => tasks::fold(copy, &record.task)?
            .ok_or_else(|| Fault::Corrupt(say::event_is_of_task(record.seq)))?,
    };
    if let TaskEvent::PermissionAnswered(answered) = &record.event
        && let Choice::Allow(allow) = &answered.choice
        && let Some(grant) = answers::granted(copy, &answered.request, allow, &answered.by, record.at_ms)?
    {
        grants::insert(copy, &grant)?;
    }
    projection::project(copy, record, &mut task)?;
    tasks::save(copy, &task)
}

fn compare(conn: &Connection, copy: &Connection, table: &str, sql: &str) -> Result<(), Fault> {
    let (mut here, mut there) = (conn.prepare(sql)?, copy.prepare(sql)?);
    let columns = here.column_count();
    let (mut here, mut there) = (here.query([])?, there.query([])?);
    loop {
        let (one, other) = (here.next()?, there.next()?);
        let same = match (one, other) {
            (None, None) => return Ok(()),
            (Some(one), Some(other)) => (0..columns).try_fold(true, |same, column| {
                Ok::<_, rusqlite::Error>(
                    same && one.get::<_, Value>(column)? == other.get::<_, Value>(column)?,
                )
            })?,
            _ => false,
        };
        if !same {
            return Err(Fault::Corrupt(say::table_says_something_else_than(table)));
        }
    }
}
