//! The table `memories` and its full-text index, which serve recall across tasks and sessions. An event contains at
//! most one memory, and the number of the event identifies the memory.

use crate::embeddings;
use crate::error::Fault;
use crate::recall::Place;
use crate::{rows, upkeep};
use deputy_protocol::{
    Answerer, Choice, EventRecord, MemoryKind, MemoryOrigin, MemoryRole, SessionId, TaskEvent, TaskId,
    TaskSummary,
};
use rusqlite::{Connection, params};

/// The maximum length of a memory, in characters. Longer texts are cut; the journal has the whole text.
pub const LONGEST_MEMORY_CHARS: usize = 2_000;
/// The maximum number of memories examined for those usable in a folder, so that the time does not grow with the
/// memories of other folders.
const MOST_PASSED: usize = 2_000;

/// A memory in the form that recall uses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remembered {
    pub(crate) session: SessionId,
    pub(crate) task: TaskId,
    pub(crate) workspace: String,
    pub(crate) role: MemoryRole,
    pub(crate) origin: MemoryOrigin,
    pub(crate) promoted_at_ms: Option<i64>,
    pub(crate) text: String,
    pub(crate) at_ms: i64,
    pub(crate) kind: MemoryKind,
    pub(crate) is_replaced: bool,
}

impl Remembered {
    /// Returns whether a task in a folder may use the memory. Text from files, pages, tools and commands stays in its
    /// own folder, and so does text that a planner derived from it, because it may have been planted there for another
    /// task to read.
    pub(crate) fn may_go_to(&self, workspace: &str) -> bool {
        !self.is_replaced
            && (self.origin == MemoryOrigin::Person
                || self.promoted_at_ms.is_some()
                || self.workspace == workspace)
    }
}

/// Whether a newer preference about the same subject replaces a row. A preference by a person is only replaced by
/// another one by a person. The older one applies again when the newer one is forgotten, because this condition is the
/// only place that replaces it.
macro_rules! replaced {
    () => {
        "EXISTS (SELECT 1 FROM memories AS newer
                 WHERE newer.about = memories.about AND newer.id > memories.id
                     AND (newer.origin = 'person'
                          OR memories.origin <> 'person'
                              AND (newer.promoted_at_ms IS NOT NULL OR newer.workspace = memories.workspace)))"
    };
}
pub(crate) use replaced;

/// The SQL form of [`Remembered::may_go_to`] for a row of `memories`. The folder is the second parameter.
const MAY_GO: &str = concat!(
    "(origin = 'person' OR promoted_at_ms IS NOT NULL OR workspace = ?2) AND (about IS NULL OR NOT ",
    replaced!(),
    ")"
);

/// Returns the text of an event and its author. `None` for most events, which have no text.
pub(crate) fn said(event: &TaskEvent) -> Option<(MemoryRole, String)> {
    let (role, text) = match event {
        // The goal of a sub-task was written by the model that delegated it.
        TaskEvent::Created(created) if created.spec.parent.is_some() => {
            (MemoryRole::Assistant, created.spec.goal.clone())
        }
        TaskEvent::Created(created) => (MemoryRole::User, created.spec.goal.clone()),
        TaskEvent::Steered(steered) => (MemoryRole::User, steered.text.clone()),
        TaskEvent::QuestionAnswered(answered) => (MemoryRole::User, answered.text.clone()),
        TaskEvent::PermissionAnswered(answered) => match (&answered.choice, &answered.by) {
            (Choice::Deny(deny), Answerer::Local(_) | Answerer::Device(_)) => {
                (MemoryRole::User, deny.reason.to_string())
            }
            _ => return None,
        },
        TaskEvent::Planned(planned) => {
            let plan = &planned.plan;
            let texts = [Some(&plan.reasoning), plan.question.as_ref(), plan.summary.as_ref()];
            let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
            (MemoryRole::Assistant, texts.join("\n"))
        }
        TaskEvent::Remembered(remembered) => (
            if remembered.call.is_some() { MemoryRole::Assistant } else { MemoryRole::User },
            remembered.text.clone(),
        ),
        TaskEvent::MemoryImported(imported) => {
            (role_of(imported.memory.origin), imported.memory.text.clone())
        }
        TaskEvent::ToolFinished(finished) => (MemoryRole::Tool, finished.result.content.clone()),
        _ => return None,
    };
    // The full-text index stops at a NUL character.
    let text = text.replace('\0', " ");
    let text = shortened(text.trim());
    (!text.is_empty()).then(|| (role, text.to_owned()))
}

fn shortened(text: &str) -> &str {
    text.char_indices().nth(LONGEST_MEMORY_CHARS).map_or(text, |(end, _)| &text[..end])
}

/// Updates the memories with an event: adds, edits, forgets, restores or promotes them.
pub(crate) fn project(conn: &Connection, record: &EventRecord, task: &TaskSummary) -> Result<(), Fault> {
    match &record.event {
        TaskEvent::MemoryEdited(edited) => edit(conn, edited.memory as i64, &edited.text, record.at_ms),
        TaskEvent::MemoryForgotten(forgotten) => forget(conn, forgotten.memory as i64, record.seq as i64),
        TaskEvent::MemoryRestored(restored) => restore(conn, restored.memory as i64, &restored.text),
        TaskEvent::MemoriesPruned(pruned) => upkeep::project_pruned(conn, pruned, record.seq as i64),
        TaskEvent::MemoryPromoted(promoted) => promote(conn, promoted.memory as i64, record.at_ms),
        event => match said(event) {
            Some((role, text)) => {
                let Some(origin) = origin_of(conn, event, role)? else { return Ok(()) };
                remember(conn, record, task, (role, origin), &text)
            }
            None => Ok(()),
        },
    }
}

/// Returns the source of an event's text. The tool of a call is the one in its plan. `None` for what the memory tool
/// returned: it is stored already, with its original source.
fn origin_of(conn: &Connection, event: &TaskEvent, role: MemoryRole) -> Result<Option<MemoryOrigin>, Fault> {
    Ok(Some(match (event, role) {
        (TaskEvent::MemoryImported(imported), _) => imported.memory.origin,
        (_, MemoryRole::User) => MemoryOrigin::Person,
        (_, MemoryRole::Assistant) => MemoryOrigin::Planner,
        (TaskEvent::ToolFinished(finished), MemoryRole::Tool) => {
            let sql = "SELECT tool FROM tool_executions WHERE call = ?1";
            let tool: Option<String> =
                rows::first(conn, sql, [finished.call.as_str()], |row| Ok(row.get(0)?))?;
            match tool.as_deref() {
                Some("memory") => return Ok(None),
                Some("shell") => MemoryOrigin::Command,
                Some("code" | "search" | "organize") => MemoryOrigin::File,
                Some("browser" | "web" | "fetch") => MemoryOrigin::Page,
                _ => MemoryOrigin::Tool,
            }
        }
        (_, MemoryRole::Tool) => MemoryOrigin::Tool,
    }))
}

/// Returns how an event was stored: its kind, its subject, and whether a person allowed it everywhere.
fn kept_as(event: &TaskEvent) -> (MemoryKind, Option<String>, bool) {
    match event {
        TaskEvent::Remembered(remembered) => {
            let about = remembered.about.as_deref().map(subject).filter(|about| !about.is_empty());
            let kind = if about.is_some() { MemoryKind::Preference } else { MemoryKind::Fact };
            (kind, about, remembered.is_promoted)
        }
        TaskEvent::MemoryImported(imported) => {
            let memory = &imported.memory;
            let about = memory.about.as_deref().map(subject).filter(|about| !about.is_empty());
            (memory.kind, about, memory.is_promoted)
        }
        _ => (MemoryKind::Said, None, false),
    }
}

/// Returns the author that corresponds to a source.
fn role_of(origin: MemoryOrigin) -> MemoryRole {
    match origin {
        MemoryOrigin::Person => MemoryRole::User,
        MemoryOrigin::Planner => MemoryRole::Assistant,
        MemoryOrigin::Tool | MemoryOrigin::Command | MemoryOrigin::File | MemoryOrigin::Page => {
            MemoryRole::Tool
        }
    }
}

/// Normalizes the subject of a preference for comparison: ignores case and spacing.
fn subject(about: &str) -> String {
    about.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn remember(
    conn: &Connection,
    record: &EventRecord,
    task: &TaskSummary,
    (role, origin): (MemoryRole, MemoryOrigin),
    text: &str,
) -> Result<(), Fault> {
    let sql = "INSERT INTO memories (id, session, task, workspace, role, at_ms, text, origin, promoted_at_ms, kind, about)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let (kind, about, is_promoted) = kept_as(&record.event);
    let promoted_at_ms = is_promoted.then_some(record.at_ms);
    let (id, session) = (record.seq as i64, task.session.as_str());
    let (role, origin) = (word(role), origin_word(origin));
    // A memory imported from another home keeps its folder and time.
    let (folder, at_ms) = match &record.event {
        TaskEvent::MemoryImported(imported) => (imported.memory.workspace.as_str(), imported.memory.at_ms),
        _ => (task.workspace.as_str(), record.at_ms),
    };
    let (of, kind) = (record.task.as_str(), kind_word(kind));
    let values = params![id, session, of, folder, role, at_ms, text, origin, promoted_at_ms, kind, about];
    conn.prepare_cached(sql)?.execute(values)?;
    index(conn, id, text)
}

fn edit(conn: &Connection, id: i64, text: &str, at_ms: i64) -> Result<(), Fault> {
    let Some(old) = text_of(conn, id)? else { return Ok(()) };
    take_out(conn, id, &old)?;
    conn.prepare_cached("UPDATE memories SET text = ?2, edited_at_ms = ?3 WHERE id = ?1")?
        .execute(params![id, text, at_ms])?;
    index(conn, id, text)
}

/// Removes the memory and all others with the same text from the table and the index. The row that remains has its
/// location, but not its text.
fn forget(conn: &Connection, id: i64, by: i64) -> Result<(), Fault> {
    let Some(text) = text_of(conn, id)? else { return Ok(()) };
    for id in saying(conn, &text)? {
        take_away(conn, id, by, false)?;
    }
    Ok(())
}

/// Removes a memory from the table and the index, on behalf of an event.
pub(crate) fn take_away(conn: &Connection, id: i64, by: i64, is_pruned: bool) -> Result<(), Fault> {
    let Some(text) = text_of(conn, id)? else { return Ok(()) };
    take_out(conn, id, &text)?;
    let sql = "INSERT INTO forgotten_memories
               SELECT id, session, task, workspace, role, at_ms, edited_at_ms, ?2, origin, promoted_at_ms, kind, about, ?3
               FROM memories WHERE id = ?1";
    conn.prepare_cached(sql)?.execute(params![id, by, is_pruned])?;
    conn.prepare_cached("DELETE FROM memories WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// Restores a memory and those forgotten with it. All of them had this text.
fn restore(conn: &Connection, id: i64, text: &str) -> Result<(), Fault> {
    for id in forgotten_with(conn, id)? {
        let sql = "INSERT INTO memories
                   SELECT id, session, task, workspace, role, at_ms, edited_at_ms, ?2, origin, promoted_at_ms, kind, about
                   FROM forgotten_memories WHERE id = ?1";
        conn.prepare_cached(sql)?.execute(params![id, text])?;
        conn.prepare_cached("DELETE FROM forgotten_memories WHERE id = ?1")?.execute([id])?;
        index(conn, id, text)?;
    }
    Ok(())
}

fn promote(conn: &Connection, id: i64, at_ms: i64) -> Result<(), Fault> {
    conn.prepare_cached("UPDATE memories SET promoted_at_ms = ?2 WHERE id = ?1")?.execute([id, at_ms])?;
    Ok(())
}

/// Adds a memory to the full-text index and queues it for embedding.
fn index(conn: &Connection, id: i64, text: &str) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO memories_text (rowid, text) VALUES (?1, ?2)")?
        .execute(params![id, text])?;
    embeddings::want(conn, id)
}

/// Removes a memory from the index. The index has no copy of the text, so the caller passes it.
fn take_out(conn: &Connection, id: i64, text: &str) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO memories_text (memories_text, rowid, text) VALUES ('delete', ?1, ?2)")?
        .execute(params![id, text])?;
    embeddings::drop_of(conn, id)
}

/// Returns the text of a memory.
pub(crate) fn text_of(conn: &Connection, id: i64) -> Result<Option<String>, Fault> {
    rows::first(conn, "SELECT text FROM memories WHERE id = ?1", [id], |row| Ok(row.get(0)?))
}

/// Returns the memories with exactly this text.
pub(crate) fn saying(conn: &Connection, text: &str) -> Result<Vec<i64>, Fault> {
    let sql =
        "SELECT id FROM memories WHERE substr(text, 1, 64) = substr(?1, 1, 64) AND text = ?1 ORDER BY id";
    rows::all(conn, sql, [text], |row| Ok(row.get(0)?))
}

/// Returns the memories forgotten by the same event as this one, including itself. A pruned memory is returned alone.
pub(crate) fn forgotten_with(conn: &Connection, id: i64) -> Result<Vec<i64>, Fault> {
    let sql = "SELECT id FROM forgotten_memories
               WHERE forgotten_by = (SELECT forgotten_by FROM forgotten_memories WHERE id = ?1)
                   AND (NOT is_pruned OR id = ?1) ORDER BY id";
    rows::all(conn, sql, [id], |row| Ok(row.get(0)?))
}

/// Returns a memory by its id.
pub(crate) fn find(conn: &Connection, id: i64) -> Result<Option<Remembered>, Fault> {
    let sql = concat!(
        "SELECT session, task, role, text, at_ms, workspace, origin, promoted_at_ms, kind,
                about IS NOT NULL AND ",
        replaced!(),
        " FROM memories WHERE id = ?1"
    );
    rows::first(conn, sql, [id], |row| {
        Ok(Remembered {
            session: SessionId(row.get(0)?),
            task: TaskId(row.get(1)?),
            role: role(row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?),
            text: row.get(3)?,
            at_ms: row.get(4)?,
            workspace: row.get(5)?,
            origin: origin(row.get_ref(6)?.as_str().map_err(rusqlite::Error::from)?),
            promoted_at_ms: row.get(7)?,
            kind: kind(row.get_ref(8)?.as_str().map_err(rusqlite::Error::from)?),
            is_replaced: row.get(9)?,
        })
    })
}

/// Returns the newest memories of a session that may be used in a folder, newest first.
pub(crate) fn newest_of(conn: &Connection, place: Place<'_>, limit: usize) -> Result<Vec<i64>, Fault> {
    let sql = format!(
        "SELECT id FROM (SELECT * FROM memories WHERE session = ?1 ORDER BY id DESC LIMIT {MOST_PASSED}) AS memories
         WHERE {MAY_GO} ORDER BY id DESC LIMIT ?3"
    );
    let values = params![place.session.as_str(), place.workspace, limit as i64];
    rows::all(conn, &sql, values, |row| Ok(row.get(0)?))
}

/// Returns the newest valid preferences that a person stored, or allowed everywhere, newest first.
pub(crate) fn preferences(conn: &Connection, limit: usize) -> Result<Vec<i64>, Fault> {
    let sql = concat!(
        "SELECT id FROM memories WHERE kind <> 'said' AND about IS NOT NULL AND (origin = 'person' OR promoted_at_ms IS NOT NULL)
             AND NOT ",
        replaced!(),
        " ORDER BY id DESC LIMIT ?1"
    );
    rows::all(conn, sql, [limit as i64], |row| Ok(row.get(0)?))
}

/// Returns the id of the newest memory. 0 if there are none.
pub(crate) fn newest(conn: &Connection) -> Result<i64, Fault> {
    Ok(conn.prepare_cached("SELECT coalesce(max(id), 0) FROM memories")?.query_row([], |row| row.get(0))?)
}

/// Returns whether a memory may be used by a task in a folder.
pub(crate) fn may_go(conn: &Connection, id: i64, workspace: &str) -> Result<bool, Fault> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM memories WHERE id = ?1 AND {MAY_GO})");
    Ok(conn.prepare_cached(&sql)?.query_row(params![id, workspace], |row| row.get(0))?)
}

/// Converts an author to its column value.
fn word(role: MemoryRole) -> &'static str {
    match role {
        MemoryRole::User => "user",
        MemoryRole::Assistant => "assistant",
        MemoryRole::Tool => "tool",
    }
}

/// Converts a column value to an author.
pub(crate) fn role(column: &str) -> MemoryRole {
    match column {
        "user" => MemoryRole::User,
        "assistant" => MemoryRole::Assistant,
        // The table admits no fourth value; the least trusted author is the safe default.
        _ => MemoryRole::Tool,
    }
}

/// Converts a kind to its column value.
fn kind_word(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Said => "said",
        MemoryKind::Fact => "fact",
        MemoryKind::Preference => "preference",
    }
}

/// Converts a column value to a kind.
pub(crate) fn kind(column: &str) -> MemoryKind {
    match column {
        "fact" => MemoryKind::Fact,
        "preference" => MemoryKind::Preference,
        _ => MemoryKind::Said,
    }
}

/// Converts a source to its column value.
fn origin_word(origin: MemoryOrigin) -> &'static str {
    match origin {
        MemoryOrigin::Person => "person",
        MemoryOrigin::Planner => "planner",
        MemoryOrigin::Tool => "tool",
        MemoryOrigin::Command => "command",
        MemoryOrigin::File => "file",
        MemoryOrigin::Page => "page",
    }
}

/// Converts a column value to a source.
pub(crate) fn origin(column: &str) -> MemoryOrigin {
    match column {
        "person" => MemoryOrigin::Person,
        "planner" => MemoryOrigin::Planner,
        "command" => MemoryOrigin::Command,
        "file" => MemoryOrigin::File,
        "page" => MemoryOrigin::Page,
        _ => MemoryOrigin::Tool,
    }
}
