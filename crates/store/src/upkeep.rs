//! Pruning and importing memories. Both are events of the notebook, like everything that a person does outside of a
//! task.

use crate::error::Fault;
use crate::remembered;
use crate::writer::Batch;
use crate::{memories, rows};
use deputy_protocol::{
    MemoriesPruned, MemoryImported, PortableMemory, PruneCount, PruneKind, PrunePreview, PruneRule, TaskEvent,
};
use rusqlite::{Connection, params};

/// The maximum number of memories that one event prunes, so that other writes do not wait long.
pub(crate) const MOST_AT_ONCE: u64 = 500;
/// The number of memories shown before they are pruned, and the maximum length of each, in characters.
const EXAMPLES: usize = 5;
const EXAMPLE_CHARS: usize = 120;

/// The kind of a row of `memories`, as an index into [`KINDS`].
const KIND: &str = "CASE kind WHEN 'fact' THEN 3 WHEN 'preference' THEN 4
    ELSE CASE role WHEN 'user' THEN 0 WHEN 'assistant' THEN 1 ELSE 2 END END";
const KINDS: [PruneKind; 5] =
    [PruneKind::Said, PruneKind::Plans, PruneKind::Results, PruneKind::Facts, PruneKind::Preferences];

/// Returns an SQL condition for rows of `memories` of these kinds.
fn of_kinds(kinds: &[PruneKind]) -> String {
    let numbers = KINDS.iter().enumerate().filter(|(_, kind)| kinds.contains(kind));
    let numbers: Vec<String> = numbers.map(|(number, _)| number.to_string()).collect();
    format!("{KIND} IN ({})", numbers.join(", "))
}

/// Returns the newest memory that a rule selects, regardless of age. `None` if all of them are kept.
fn up_to(conn: &Connection, rule: &PruneRule) -> Result<Option<i64>, Fault> {
    let keep = i64::try_from(rule.keep).unwrap_or(i64::MAX);
    let sql =
        format!("SELECT id FROM memories WHERE {} ORDER BY id DESC LIMIT 1 OFFSET ?1", of_kinds(&rule.kinds));
    rows::first(conn, &sql, [keep], |row| Ok(row.get(0)?))
}

/// Returns what pruning by a rule would forget.
pub(crate) fn preview(conn: &Connection, rule: &PruneRule) -> Result<PrunePreview, Fault> {
    let mut preview = PrunePreview {
        memories: 0,
        kinds: Vec::new(),
        oldest_ms: None,
        newest_ms: None,
        examples: Vec::new(),
    };
    let Some(up_to) = up_to(conn, rule)? else { return Ok(preview) };
    let named = format!("{} AND id <= ?1 AND (?2 IS NULL OR at_ms < ?2)", of_kinds(&rule.kinds));
    let sql =
        format!("SELECT {KIND}, count(*), min(at_ms), max(at_ms) FROM memories WHERE {named} GROUP BY 1");
    let counts = rows::all(conn, &sql, params![up_to, rule.before_ms], |row| {
        Ok((row.get::<_, u8>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?, row.get::<_, i64>(3)?))
    })?;
    for (number, count, oldest, newest) in counts {
        let memories = count as u64;
        preview.memories += memories;
        preview.kinds.extend(KINDS.get(usize::from(number)).map(|kind| PruneCount { kind: *kind, memories }));
        preview.oldest_ms = Some(preview.oldest_ms.map_or(oldest, |other| other.min(oldest)));
        preview.newest_ms = Some(preview.newest_ms.map_or(newest, |other| other.max(newest)));
    }
    let sql = format!(
        "SELECT substr(text, 1, {EXAMPLE_CHARS}) FROM memories WHERE {named} ORDER BY id DESC LIMIT {EXAMPLES}"
    );
    preview.examples = rows::all(conn, &sql, params![up_to, rule.before_ms], |row| Ok(row.get(0)?))?;
    Ok(preview)
}

/// Prunes a batch of the memories that a rule selects, oldest first. Returns their number; 0 once nothing is left.
pub(crate) fn prune(batch: &mut Batch<'_>, rule: &PruneRule, now_ms: i64) -> Result<u64, Fault> {
    let Some(up_to) = up_to(batch.conn, rule)? else { return Ok(0) };
    let pruned = MemoriesPruned {
        kinds: rule.kinds.clone(),
        before_ms: rule.before_ms,
        up_to: up_to as u64,
        most: MOST_AT_ONCE,
    };
    let count = named(batch.conn, &pruned)?.len() as u64;
    if count > 0 {
        remembered::note(batch, vec![TaskEvent::MemoriesPruned(pruned)], now_ms)?;
    }
    Ok(count)
}

/// Returns the memories that an event prunes.
fn named(conn: &Connection, pruned: &MemoriesPruned) -> Result<Vec<i64>, Fault> {
    let sql = format!(
        "SELECT id FROM memories WHERE {} AND id <= ?1 AND (?2 IS NULL OR at_ms < ?2) ORDER BY id LIMIT ?3",
        of_kinds(&pruned.kinds)
    );
    let most = i64::try_from(pruned.most).unwrap_or(i64::MAX);
    let up_to = i64::try_from(pruned.up_to).unwrap_or(i64::MAX);
    rows::all(conn, &sql, params![up_to, pruned.before_ms, most], |row| Ok(row.get(0)?))
}

/// Applies a pruning event to the memories.
pub(crate) fn project_pruned(conn: &Connection, pruned: &MemoriesPruned, by: i64) -> Result<(), Fault> {
    for id in named(conn, pruned)? {
        memories::take_away(conn, id, by, true)?;
    }
    Ok(())
}

/// Imports memories that do not exist yet, and returns their number.
pub(crate) fn import(
    batch: &mut Batch<'_>,
    portable: Vec<PortableMemory>,
    now_ms: i64,
) -> Result<u64, Fault> {
    let mut imported = 0;
    for memory in portable {
        // Imported one at a time, so that a memory that is in the file twice is imported once.
        if !is_there(batch.conn, &memory)? {
            remembered::note(batch, vec![TaskEvent::MemoryImported(MemoryImported { memory })], now_ms)?;
            imported += 1;
        }
    }
    Ok(imported)
}

/// Returns whether an identical memory exists.
fn is_there(conn: &Connection, portable: &PortableMemory) -> Result<bool, Fault> {
    for id in memories::saying(conn, &portable.text)? {
        if let Some(memory) = memories::find(conn, id)?
            && memory.at_ms == portable.at_ms
            && memory.workspace == portable.workspace
            && memory.origin == portable.origin
            && memory.kind == portable.kind
        {
            return Ok(true);
        }
    }
    Ok(false)
}
