//! Finds where words occur in tasks, for people who search for a conversation.

use crate::error::Fault;
use crate::{full_text, memories, rows};
use deputy_protocol::{SaidInTask, TaskId};
use rusqlite::{Connection, params};
use std::collections::HashSet;

/// The maximum number of the newest matches examined, so that no search takes long.
const LOOKED_AT: i64 = 5_000;
/// The maximum number of tasks in a result.
const MOST_TASKS: usize = 100;
/// The number of words in an excerpt.
const EXCERPT_WORDS: i64 = 16;

/// Returns the newest place in each task that contains all of the words. The last word may be a prefix.
pub(crate) fn places(conn: &Connection, words: &str) -> Result<Vec<SaidInTask>, Fault> {
    let Some(expression) = full_text::beginning(words) else { return Ok(Vec::new()) };
    let sql = "SELECT found.rowid, memories.task FROM
                   (SELECT rowid FROM memories_text WHERE memories_text MATCH ?1 ORDER BY rowid DESC LIMIT ?2) AS found
               JOIN memories ON memories.id = found.rowid ORDER BY found.rowid DESC";
    let all: Vec<(i64, String)> =
        rows::all(conn, sql, params![expression, LOOKED_AT], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut tasks = HashSet::new();
    let newest = all.into_iter().filter(|(_, task)| tasks.insert(task.clone())).take(MOST_TASKS);
    let mut places = Vec::new();
    for (id, task) in newest {
        // An excerpt requires the whole text, so it is only made for the results that are shown.
        let sql = "SELECT memories.role, memories.at_ms, snippet(memories_text, 0, '', '', '\u{2026}', ?3)
                   FROM memories_text JOIN memories ON memories.id = memories_text.rowid
                   WHERE memories_text MATCH ?1 AND memories_text.rowid = ?2";
        let place = rows::first(conn, sql, params![expression, id, EXCERPT_WORDS], |row| {
            Ok(SaidInTask {
                task: TaskId::new(task.as_str()),
                event: id as u64,
                role: memories::role(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?),
                at_ms: row.get(1)?,
                text: row.get(2)?,
            })
        })?;
        places.extend(place);
    }
    Ok(places)
}
