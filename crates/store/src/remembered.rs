//! Listing and changing memories for the user: pages, newest first, and editing, forgetting and restoring. Each change
//! is an event of the task that the memory comes from.

use crate::error::Fault;
use crate::writer::Batch;
use crate::{events, full_text, memories, rows, tasks};
use deputy_messages::store as say;
use deputy_protocol::{
    Created, Limits, MemoriesAnswer, MemoriesQuery, Memory, MemoryEdited, MemoryForgotten, MemoryKind,
    MemoryOrigin, MemoryPromoted, MemoryRestored, MemoryRole, PassagePlace, Remembered, Scope, SessionId,
    StopReason, Stopped, TaskEvent, TaskId, TaskSpec,
};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};

/// The maximum size of a page.
const LARGEST_PAGE: usize = 100;
/// The maximum number of search matches examined for one page. If few of them belong to the requested task or folder,
/// the page is short, and the next page continues from there. This bounds the time that a page takes.
const LOOKED_AT: usize = 5_000;
/// The maximum length of a list of preferences for display; the newest are kept.
const MOST_PREFERENCES: usize = 500;

/// The outcome of a change to a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The change was made.
    Done {
        /// The number of memories changed: the named memory and those with the same text.
        memories: u64,
    },
    /// Nothing changed: the memory already is in this state.
    Already,
    /// The memory was forgotten, so it cannot be edited.
    Forgotten,
    /// No event with this number contains a memory.
    Unknown,
}

const COLUMNS: &str = concat!(
    "id, task, (SELECT substr(goal, 1, 200) FROM tasks WHERE tasks.id = memories.task),
     workspace, role, at_ms, edited_at_ms, text, origin, promoted_at_ms, kind, about, about IS NOT NULL AND ",
    memories::replaced!()
);

/// Returns the requested page size, within bounds.
pub(crate) fn limit_of(query: &MemoriesQuery) -> usize {
    (query.limit as usize).clamp(1, LARGEST_PAGE)
}

/// Returns a page of memories, newest first.
pub(crate) fn page(conn: &Connection, query: &MemoriesQuery) -> Result<MemoriesAnswer, Fault> {
    let limit = limit_of(query);
    match query.search.as_deref().map(str::trim).filter(|search| !search.is_empty()) {
        Some(search) => found(conn, query, search, limit),
        None => listed(conn, query, limit),
    }
}

fn listed(conn: &Connection, query: &MemoriesQuery, limit: usize) -> Result<MemoriesAnswer, Fault> {
    let mut sql = format!("SELECT {COLUMNS} FROM memories WHERE id < ?");
    let mut values = vec![Value::from(before(query))];
    for (column, wanted) in
        [("task", query.task.as_ref().map(TaskId::as_str)), ("workspace", query.workspace.as_deref())]
    {
        if let Some(wanted) = wanted {
            sql.push_str(&format!(" AND {column} = ?"));
            values.push(Value::from(wanted.to_owned()));
        }
    }
    if query.only_kept {
        sql.push_str(" AND kind <> 'said'");
    }
    sql.push_str(" ORDER BY id DESC LIMIT ?");
    values.push(Value::from(limit as i64 + 1));
    let mut memories = rows::all(conn, &sql, params_from_iter(values), memory)?;
    let has_more = memories.len() > limit;
    memories.truncate(limit);
    let next = memories.last().filter(|_| has_more).map(|last| last.memory);
    Ok(MemoriesAnswer { memories, next })
}

fn found(
    conn: &Connection,
    query: &MemoriesQuery,
    search: &str,
    limit: usize,
) -> Result<MemoriesAnswer, Fault> {
    let nothing = MemoriesAnswer { memories: Vec::new(), next: None };
    let Some(expression) = full_text::beginning(search) else { return Ok(nothing) };
    let sql = "SELECT rowid FROM memories_text WHERE memories_text MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC LIMIT ?3";
    let mut matches = conn.prepare_cached(sql)?;
    let mut matches = matches.query(params![expression, before(query), LOOKED_AT as i64])?;
    let (mut answer, mut seen, mut last) = (nothing, 0, None);
    while let Some(row) = matches.next()? {
        if answer.memories.len() == limit {
            answer.next = last;
            return Ok(answer);
        }
        let id: i64 = row.get(0)?;
        (seen, last) = (seen + 1, Some(id as u64));
        answer.memories.extend(wanted(conn, query, id)?);
    }
    answer.next = last.filter(|_| seen == LOOKED_AT);
    Ok(answer)
}

/// Returns the memory if it belongs to the requested task and folder.
pub(crate) fn wanted(conn: &Connection, query: &MemoriesQuery, id: i64) -> Result<Option<Memory>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM memories
         WHERE id = ?1 AND (?2 IS NULL OR task = ?2) AND (?3 IS NULL OR workspace = ?3) AND (NOT ?4 OR kind <> 'said')"
    );
    let task = query.task.as_ref().map(TaskId::as_str);
    rows::first(conn, &sql, params![id, task, query.workspace, query.only_kept], memory)
}

/// Returns the preferences that apply to tasks of a profile, oldest first.
pub(crate) fn preferences_of(conn: &Connection, profile: &str) -> Result<Vec<Memory>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM memories WHERE kind <> 'said' AND about IS NOT NULL AND NOT {}
             AND (origin = 'person' OR promoted_at_ms IS NOT NULL
                  OR (SELECT profile FROM tasks WHERE tasks.id = memories.task) = ?1)
         ORDER BY id DESC LIMIT {MOST_PREFERENCES}",
        memories::replaced!()
    );
    let mut found = rows::all(conn, &sql, [profile], memory)?;
    found.reverse();
    Ok(found)
}

/// Returns what people and planners last said in tasks of a profile, newest first.
pub(crate) fn said_in(conn: &Connection, profile: &str, limit: usize) -> Result<Vec<Memory>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM (SELECT * FROM memories ORDER BY id DESC LIMIT {LOOKED_AT}) AS memories
         WHERE role <> 'tool' AND kind = 'said' AND (SELECT profile FROM tasks WHERE tasks.id = memories.task) = ?1
         ORDER BY id DESC LIMIT ?2"
    );
    rows::all(conn, &sql, params![profile, limit as i64], memory)
}

fn before(query: &MemoriesQuery) -> i64 {
    query.before.and_then(|seq| i64::try_from(seq).ok()).unwrap_or(i64::MAX)
}

fn memory(row: &Row<'_>) -> Result<Memory, Fault> {
    Ok(Memory {
        memory: row.get::<_, i64>(0)? as u64,
        task: TaskId(row.get(1)?),
        goal: row.get(2)?,
        workspace: row.get(3)?,
        role: memories::role(row.get_ref(4)?.as_str().map_err(rusqlite::Error::from)?),
        at_ms: row.get(5)?,
        edited_at_ms: row.get(6)?,
        text: row.get(7)?,
        origin: memories::origin(row.get_ref(8)?.as_str().map_err(rusqlite::Error::from)?),
        promoted_at_ms: row.get(9)?,
        kind: memories::kind(row.get_ref(10)?.as_str().map_err(rusqlite::Error::from)?),
        about: row.get(11)?,
        is_replaced: row.get(12)?,
        passage: None,
        found: None,
    })
}

/// Converts a passage of a document to a memory.
pub(crate) fn of_document(id: i64, at_ms: i64, folder: String, text: String, place: PassagePlace) -> Memory {
    Memory {
        memory: id as u64,
        task: TaskId::notebook(),
        goal: String::new(),
        workspace: folder,
        role: MemoryRole::Tool,
        text,
        at_ms,
        edited_at_ms: None,
        origin: MemoryOrigin::File,
        promoted_at_ms: None,
        kind: MemoryKind::Said,
        about: None,
        is_replaced: false,
        passage: Some(place),
        found: None,
    }
}

/// Stores a memory for the user, and returns its number.
pub(crate) fn remember(batch: &mut Batch<'_>, remembered: Remembered, now_ms: i64) -> Result<u64, Fault> {
    note(batch, vec![TaskEvent::Remembered(remembered)], now_ms)
}

/// Appends events of the user to the notebook, and returns the number of the last.
pub(crate) fn note(batch: &mut Batch<'_>, mut noted: Vec<TaskEvent>, now_ms: i64) -> Result<u64, Fault> {
    let notebook = TaskId::notebook();
    let mut events = Vec::new();
    if tasks::find(batch.conn, &notebook)?.is_none() {
        let spec = TaskSpec {
            id: notebook.clone(),
            session: SessionId::new(notebook.as_str()),
            goal: String::new(),
            profile: String::new(),
            backend: String::new(),
            model: None,
            workspace: String::new(),
            scope: Scope::default(),
            limits: Limits::default(),
            standing_consent: None,
            parent: None,
            terminal: None,
        };
        events.push(TaskEvent::Created(Created { spec, notice: None, named: Vec::new() }));
        let summary = String::new();
        events.push(TaskEvent::Stopped(Stopped {
            reason: StopReason::Completed,
            summary: summary.into(),
            report: None,
        }));
    }
    events.append(&mut noted);
    let written = events::append(batch, &notebook, now_ms, events)?;
    written.last().map(|record| record.seq).ok_or_else(|| Fault::Corrupt(say::nothing_written()))
}

/// Replaces the text of a memory.
pub(crate) fn edit(batch: &mut Batch<'_>, id: u64, text: String, now_ms: i64) -> Result<Changed, Fault> {
    let Some(task) = task_of(batch.conn, id)? else { return Ok(Changed::Unknown) };
    match memories::find(batch.conn, id as i64)? {
        None => Ok(Changed::Forgotten),
        Some(memory) if memory.text == text => Ok(Changed::Already),
        Some(_) => {
            let edited = TaskEvent::MemoryEdited(MemoryEdited { memory: id, text });
            events::append(batch, &task, now_ms, vec![edited])?;
            Ok(Changed::Done { memories: 1 })
        }
    }
}

/// Forgets a memory and all others with the same text.
pub(crate) fn forget(batch: &mut Batch<'_>, id: u64, now_ms: i64) -> Result<Changed, Fault> {
    let Some(task) = task_of(batch.conn, id)? else { return Ok(Changed::Unknown) };
    let Some(memory) = memories::find(batch.conn, id as i64)? else { return Ok(Changed::Already) };
    let memories = memories::saying(batch.conn, &memory.text)?.len() as u64;
    let forgotten = TaskEvent::MemoryForgotten(MemoryForgotten { memory: id });
    events::append(batch, &task, now_ms, vec![forgotten])?;
    Ok(Changed::Done { memories })
}

/// Restores a forgotten memory, and those forgotten with it, from the journal.
pub(crate) fn restore(batch: &mut Batch<'_>, id: u64, now_ms: i64) -> Result<Changed, Fault> {
    let Some(task) = task_of(batch.conn, id)? else { return Ok(Changed::Unknown) };
    let memories = memories::forgotten_with(batch.conn, id as i64)?.len() as u64;
    if memories == 0 {
        return Ok(Changed::Already);
    }
    let Some(text) = last_text(batch.conn, &task, id)? else { return Ok(Changed::Unknown) };
    let restored = TaskEvent::MemoryRestored(MemoryRestored { memory: id, text });
    events::append(batch, &task, now_ms, vec![restored])?;
    Ok(Changed::Done { memories })
}

/// Allows a memory to leave the folder that it comes from. Text by a person already may.
pub(crate) fn promote(batch: &mut Batch<'_>, id: u64, now_ms: i64) -> Result<Changed, Fault> {
    let Some(task) = task_of(batch.conn, id)? else { return Ok(Changed::Unknown) };
    match memories::find(batch.conn, id as i64)? {
        None => Ok(Changed::Forgotten),
        Some(memory) if memory.promoted_at_ms.is_some() || memory.origin == MemoryOrigin::Person => {
            Ok(Changed::Already)
        }
        Some(_) => {
            let promoted = TaskEvent::MemoryPromoted(MemoryPromoted { memory: id });
            events::append(batch, &task, now_ms, vec![promoted])?;
            Ok(Changed::Done { memories: 1 })
        }
    }
}

/// Returns the task that a memory comes from, whether it is forgotten or not.
fn task_of(conn: &Connection, id: u64) -> Result<Option<TaskId>, Fault> {
    let Ok(id) = i64::try_from(id) else { return Ok(None) };
    let sql =
        "SELECT task FROM memories WHERE id = ?1 UNION ALL SELECT task FROM forgotten_memories WHERE id = ?1";
    rows::first(conn, sql, [id], |row| Ok(TaskId(row.get(0)?)))
}

/// Returns the last text of a memory, from the journal.
fn last_text(conn: &Connection, task: &TaskId, id: u64) -> Result<Option<String>, Fault> {
    let sql = "SELECT json_extract(event, '$.text') FROM events
               WHERE task = ?1 AND type IN ('memory_edited', 'memory_forgotten', 'memory_restored')
                   AND type = 'memory_edited' AND json_extract(event, '$.memory') = ?2
               ORDER BY seq DESC LIMIT 1";
    let edited = rows::first(conn, sql, params![task.as_str(), id as i64], |row| Ok(row.get(0)?))?;
    if edited.is_some() {
        return Ok(edited);
    }
    let record = events::since(conn, id - 1, 1)?.pop();
    Ok(record.and_then(|record| memories::said(&record.event)).map(|(_, text)| text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrations;
    use deputy_protocol::{MemoryForgotten, TaskEvent};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    const FOLDERS: i64 = 20;

    /// Creates an in-memory database with this many memories, each in one of a few tasks and folders.
    fn filled(size: i64) -> Connection {
        let conn = Connection::open_in_memory().unwrap();
        for step in migrations::ALL {
            conn.execute_batch(step).unwrap();
        }
        let task = "INSERT INTO tasks VALUES (?1, 't' || ?1, 's', 'goal', 'p', 'b', '/w' || ?1, '{}', 1, 0, 0, 0, NULL, NULL,
                    NULL, 0, NULL, NULL, NULL, NULL, NULL)";
        for folder in 0..FOLDERS {
            conn.execute(task, [folder]).unwrap();
        }
        conn.execute_batch("BEGIN").unwrap();
        conn.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
             INSERT INTO memories (id, session, task, workspace, role, at_ms, text)
             SELECT i, 's', 't' || (i % ?2), '/w' || (i % ?2), 'tool', i, 'the common words of number' || i FROM n",
            [size, FOLDERS],
        )
        .unwrap();
        conn.execute_batch("INSERT INTO memories_text (memories_text) VALUES ('rebuild'); COMMIT").unwrap();
        conn
    }

    /// Returns how many virtual machine steps SQLite takes for an operation.
    fn steps(conn: &mut Connection, run: impl FnOnce(&Connection)) -> u64 {
        let count = Arc::new(AtomicU64::new(0));
        let counting = Arc::clone(&count);
        let step = move || {
            counting.fetch_add(1, Ordering::Relaxed);
            false
        };
        conn.progress_handler(1, Some(step)).unwrap();
        run(conn);
        conn.progress_handler(0, None::<fn() -> bool>).unwrap();
        count.load(Ordering::Relaxed)
    }

    #[test]
    fn pages_and_searches_take_no_more_steps_however_much_there_is() {
        let all = MemoriesQuery {
            search: None,
            task: None,
            workspace: None,
            only_kept: false,
            best: false,
            before: None,
            limit: 50,
        };
        let searching = |words: &str| MemoriesQuery { search: Some(words.to_owned()), ..all.clone() };
        let queries = [
            all.clone(),
            MemoriesQuery { before: Some(3_000), ..all.clone() },
            MemoriesQuery { task: Some(TaskId::new("t3")), ..all.clone() },
            MemoriesQuery { workspace: Some("/w3".to_owned()), ..all.clone() },
            MemoriesQuery { workspace: Some("/nowhere".to_owned()), ..all.clone() },
            MemoriesQuery { only_kept: true, ..all.clone() },
            searching("common words"),
            searching("number4321"),
            MemoriesQuery { workspace: Some("/w3".to_owned()), ..searching("common") },
            MemoriesQuery { workspace: Some("/nowhere".to_owned()), ..searching("common") },
        ];
        let (mut small, mut large) = (filled(6_000), filled(24_000));
        for query in &queries {
            let few = steps(&mut small, |conn| drop(page(conn, query).unwrap()));
            let many = steps(&mut large, |conn| drop(page(conn, query).unwrap()));
            // The trees grow by a level now and then.
            assert!(many <= few + few / 4 + 500, "{query:?}: {few} steps, then {many}");
        }
        let short = page(&large, &queries[9]).unwrap();
        assert!(short.memories.is_empty() && short.next == Some(24_001 - LOOKED_AT as u64), "{short:?}");
    }

    #[test]
    fn forgetting_takes_no_more_steps_however_much_there_is() {
        let forgetting = |conn: &Connection| {
            let event = TaskEvent::MemoryForgotten(MemoryForgotten { memory: 4_321 });
            let task = TaskId::new("t1");
            let record = deputy_protocol::EventRecord { seq: 100_000, task: task.clone(), at_ms: 1, event };
            let task = deputy_protocol::TaskSummary {
                id: task,
                session: deputy_protocol::SessionId::new("s"),
                goal: String::new(),
                profile: String::new(),
                backend: String::new(),
                workspace: String::new(),
                state: deputy_protocol::TaskState::Queued(deputy_protocol::QueuedTask {}),
                tokens: 0,
                model: None,
                cost_micros: None,
                todo: None,
                created_at_ms: 0,
                updated_at_ms: 0,
                queue_rank: None,
                title: None,
                archived: false,
                parent: None,
            };
            memories::project(conn, &record, &task).unwrap();
        };
        let (mut small, mut large) = (filled(6_000), filled(24_000));
        let (few, many) = (steps(&mut small, forgetting), steps(&mut large, forgetting));
        assert!(many <= few + few / 4 + 500, "{few} steps, then {many}");
        assert_eq!(memories::forgotten_with(&large, 4_321).unwrap(), [4_321]);
        assert_eq!(
            large.query_row("SELECT count(*) FROM memories", [], |row| row.get::<_, i64>(0)).unwrap(),
            23_999
        );
    }
}
