//! The search for the user: memories and passages, best first, by words and by meaning.
//!
//! Unlike recall, it requires all of the words, returns every match, and does not leave out memories that stay in their
//! folder.

use crate::documents::{self, FIRST_PASSAGE};
use crate::error::Fault;
use crate::full_text;
use crate::recall::{self, Hit, QueryVector, Ranking};
use crate::remembered;
use crate::vectors::{Indexes, Near};
use crate::{embeddings, rows};
use deputy_protocol::{MemoriesAnswer, MemoriesQuery, Memory, MemoryFound, PassagePlace};
use rusqlite::{Connection, params};
use std::collections::HashMap;

/// The maximum number of texts with all the words, the newest, that are ranked.
const BY_WORDS: i64 = 200;
/// The maximum number of texts that are near in meaning, and the cosine that they need. Without a minimum, something
/// would always be nearest.
const BY_MEANING: usize = 50;
const NEAR_ENOUGH: f32 = 0.81;

/// Returns the single page of the best matches.
pub(crate) fn best(
    conn: &Connection,
    indexes: &Indexes,
    query: &MemoriesQuery,
    vector: Option<&QueryVector>,
    limit: usize,
) -> Result<MemoriesAnswer, Fault> {
    let model = embeddings::current(conn)?;
    let near = [&indexes.memories, &indexes.passages]
        .map(|index| recall::meaning(conn, index, model.as_ref(), vector))
        .into_iter()
        .collect::<Result<Vec<Vec<Near>>, Fault>>()?;
    let mut rankings = Vec::new();
    let mut similarity = HashMap::new();
    for near in near {
        let near = near.into_iter().take(BY_MEANING).filter(|near| near.cosine >= NEAR_ENOUGH);
        let near: Vec<Near> = near.collect();
        similarity.extend(near.iter().map(|near| (near.memory, near.cosine)));
        rankings.push((Ranking::Meaning, near.iter().map(|near| Hit::whole(near.memory)).collect()));
    }
    if let Some(expression) = full_text::beginning(query.search.as_deref().unwrap_or_default()) {
        for index in ["memories_text", "passages_text"] {
            let sql =
                format!("SELECT rowid FROM {index} WHERE {index} MATCH ?1 ORDER BY rowid DESC LIMIT ?2");
            let hits =
                rows::all(conn, &sql, params![expression, BY_WORDS], |row| Ok(Hit::whole(row.get(0)?)))?;
            rankings.push((Ranking::FullText, hits));
        }
    }
    let mut fused = recall::fuse(&rankings);
    // Memories and passages are ranked separately, so each has a first result. Of those, the nearer comes first.
    let nearness = |id: &i64| similarity.get(id).copied().unwrap_or_default();
    fused.sort_by(|(one, a, _), (other, b, _)| {
        b.total_cmp(a).then(nearness(other).total_cmp(&nearness(one))).then(other.cmp(one))
    });
    let most = fused.first().map_or(1.0, |(_, score, _)| *score);
    let mut memories = Vec::new();
    for (id, score, found_by) in fused {
        let memory = match id < FIRST_PASSAGE {
            true => remembered::wanted(conn, query, id)?,
            false => passage(conn, query, id)?,
        };
        if let Some(memory) = memory {
            let found = MemoryFound {
                score: score / most,
                by_words: found_by.contains(&Ranking::FullText),
                similarity: similarity.get(&id).map(|near| f64::from(*near)),
            };
            memories.push(Memory { found: Some(found), ..memory });
        }
        if memories.len() == limit {
            break;
        }
    }
    Ok(MemoriesAnswer { memories, next: None })
}

/// Returns a passage as a memory, if it is in the requested folder. A passage belongs to no task, and was not stored
/// explicitly.
fn passage(conn: &Connection, query: &MemoriesQuery, id: i64) -> Result<Option<Memory>, Fault> {
    if query.task.is_some() || query.only_kept {
        return Ok(None);
    }
    let placed = documents::find(conn, id)?;
    let is_wanted = |placed: &documents::Placed| {
        query.workspace.as_ref().is_none_or(|folder| placed.path.starts_with(folder))
    };
    Ok(placed.filter(is_wanted).map(|placed| {
        let at_ms = placed.stamp.changed_ns / 1_000_000;
        let place = PassagePlace { path: placed.path.to_string_lossy().into_owned(), line: placed.line };
        remembered::of_document(id, at_ms, placed.folder, placed.text, place)
    }))
}
