//! The table `events`: the journal itself.

use crate::error::{Fault, StoreError};
use crate::writer::Batch;
use crate::{permission_requests, projection, questions, rows, tasks};
use deputy_messages::store as say;
use deputy_protocol::{EventRecord, TaskEvent, TaskId, TaskUpdate};
use rusqlite::{Connection, Row, params};
use std::collections::HashMap;

/// An event in the form that clients get.
#[derive(Clone, Debug, PartialEq)]
pub struct MirroredEvent {
    /// The event.
    pub record: EventRecord,
    /// The state of its task after it. If the event is sent late, the state of the task at that time.
    pub update: TaskUpdate,
}

/// Appends events of one task, and updates every derived table.
pub(crate) fn append(
    batch: &mut Batch<'_>,
    task: &TaskId,
    now_ms: i64,
    events: Vec<TaskEvent>,
) -> Result<Vec<EventRecord>, Fault> {
    let mut row = tasks::fold(batch.conn, task)?;
    let mut records = Vec::with_capacity(events.len());
    for event in events {
        let json = serde_json::to_string(&event)?;
        let kind = kind(&json)?;
        let fold = match (&mut row, &event) {
            (row @ None, TaskEvent::Created(created)) => {
                row.insert(tasks::create(batch.conn, task, now_ms, created)?)
            }
            (Some(_), TaskEvent::Created(_)) => {
                return Err(
                    StoreError::CannotCreate { task: task.clone(), reason: say::exists_already() }.into()
                );
            }
            (None, _) => return Err(StoreError::UnknownTask { task: task.clone() }.into()),
            (Some(fold), event) => {
                if fold.status().is_stopped() && !event.is_afterword() {
                    return Err(StoreError::TaskEnded { task: task.clone(), event: kind.to_owned() }.into());
                }
                fold
            }
        };
        let end = batch.end.after(task.as_str(), now_ms, kind, &json);
        let seq = end.seq;
        batch
            .conn
            .prepare_cached(
                "INSERT INTO events (seq, task, at_ms, type, event, chain) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![seq as i64, task.as_str(), now_ms, kind, json, end.digest])?;
        let record = EventRecord { seq, task: task.clone(), at_ms: now_ms, event };
        projection::project(batch.conn, &record, fold)?;
        batch.end = end;
        batch.events.push(MirroredEvent { record: record.clone(), update: fold.update() });
        records.push(record);
    }
    let asked = records.iter().filter_map(|record| match &record.event {
        TaskEvent::PermissionRequested(asked) => Some(&asked.request),
        _ => None,
    });
    permission_requests::check_inbox(batch.conn, asked)?;
    if records.iter().any(|record| matches!(record.event, TaskEvent::QuestionAsked(_))) {
        questions::check_open(batch.conn)?;
    }
    if let Some(fold) = row
        && !records.is_empty()
    {
        tasks::save(batch.conn, &fold)?;
    }
    Ok(records)
}

/// Returns events of all tasks after `seq`, in order.
pub(crate) fn since(conn: &Connection, seq: u64, limit: u32) -> Result<Vec<EventRecord>, Fault> {
    let sql = "SELECT seq, task, at_ms, event FROM events WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    rows::all(conn, sql, params![bounded(seq), limit], record)
}

/// Returns events of one task after `after`, in order.
pub(crate) fn of_task(
    conn: &Connection,
    task: &TaskId,
    after: u64,
    limit: u32,
) -> Result<Vec<EventRecord>, Fault> {
    let sql = "SELECT seq, task, at_ms, event FROM events WHERE task = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
    rows::all(conn, sql, params![task.as_str(), bounded(after), limit], record)
}

/// Returns the newest events of one task after `after`, in order.
pub(crate) fn newest_of_task(
    conn: &Connection,
    task: &TaskId,
    after: u64,
    limit: u32,
) -> Result<Vec<EventRecord>, Fault> {
    let sql =
        "SELECT seq, task, at_ms, event FROM events WHERE task = ?1 AND seq > ?2 ORDER BY seq DESC LIMIT ?3";
    let mut records = rows::all(conn, sql, params![task.as_str(), bounded(after), limit], record)?;
    records.reverse();
    Ok(records)
}

/// Adds the current state of their tasks to past events.
pub(crate) fn mirrored(conn: &Connection, records: Vec<EventRecord>) -> Result<Vec<MirroredEvent>, Fault> {
    let mut updates: HashMap<TaskId, TaskUpdate> = HashMap::new();
    let mut events = Vec::with_capacity(records.len());
    for record in records {
        let update = match updates.get(&record.task) {
            Some(update) => update.clone(),
            None => {
                let unknown = || StoreError::UnknownTask { task: record.task.clone() };
                let update = tasks::find(conn, &record.task)?.ok_or_else(unknown)?.update();
                updates.entry(record.task.clone()).or_insert(update).clone()
            }
        };
        events.push(MirroredEvent { record, update });
    }
    Ok(events)
}

/// Calls a function for every event of a task, in order.
pub(crate) fn each_of_task(
    conn: &Connection,
    task: &TaskId,
    mut then: impl FnMut(EventRecord),
) -> Result<(), Fault> {
    let sql = "SELECT seq, task, at_ms, event FROM events WHERE task = ?1 ORDER BY seq";
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query([task.as_str()])?;
    while let Some(row) = rows.next()? {
        then(record(row)?);
    }
    Ok(())
}

/// Calls a function for every event, in order.
pub(crate) fn each(
    conn: &Connection,
    mut then: impl FnMut(EventRecord) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut statement = conn.prepare_cached("SELECT seq, task, at_ms, event FROM events ORDER BY seq")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        then(record(row)?)?;
    }
    Ok(())
}

fn record(row: &Row<'_>) -> Result<EventRecord, Fault> {
    let seq: i64 = row.get(0)?;
    Ok(EventRecord {
        seq: seq as u64,
        task: TaskId(row.get(1)?),
        at_ms: row.get(2)?,
        event: rows::json(row, 3)?,
    })
}

/// Converts a sequence number to SQLite's signed integer, with saturation.
pub(crate) fn bounded(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// Returns the type of an event as on the wire.
fn kind(json: &str) -> Result<&str, Fault> {
    #[derive(serde::Deserialize)]
    struct Tag<'a> {
        #[serde(rename = "type")]
        kind: &'a str,
    }
    Ok(serde_json::from_str::<Tag<'_>>(json)?.kind)
}
