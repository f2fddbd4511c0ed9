//! What of the past bears on a task now: several rankings of memories, fused into one.

use crate::error::Fault;
use crate::memories;
use deputy_protocol::{MemoryOrigin, MemoryRole, SessionId, TaskId};
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};

/// So many messages of the session count as recent.
const RECENT: usize = 20;
/// So many memories of any session are taken from the full-text index ...
const FULL_TEXT: usize = 10;
/// ... after this many were looked at, because the same text is often remembered many times.
const FULL_TEXT_CANDIDATES: usize = 50;
/// More words than this make a query slower and not better.
const MOST_WORDS: usize = 32;
/// A word that more memories hold than this says little about any of them, and ranking by it takes time with each.
const COMMON: usize = 1_000;
/// Words are taken, the rarest first, until so many memories would have to be ranked.
const MOST_RANKED: usize = 4_000;
/// The constant of reciprocal rank fusion, as in Cormack, Clarke and Buettcher (SIGIR 2009).
const FUSION_CONSTANT: f64 = 60.0;

/// What found a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// It is among the last messages of the session.
    Recent,
    /// It shares words with the query.
    FullText,
}

/// What was recalled, best first, each text once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// The memories.
    pub items: Vec<Recollection>,
}

/// One memory with why it was recalled.
#[derive(Clone, Debug, PartialEq)]
pub struct Recollection {
    /// The session it comes from.
    pub session: SessionId,
    /// The task it comes from.
    pub task: TaskId,
    /// The folder it comes from.
    pub workspace: String,
    /// Whose words it holds; a tool's are untrusted.
    pub role: MemoryRole,
    /// Where the words come from.
    pub origin: MemoryOrigin,
    /// Whether a person let it leave its folder.
    pub is_promoted: bool,
    /// The words.
    pub text: String,
    /// When they were said.
    pub at_ms: i64,
    /// The fused score; only comparable within one recall.
    pub score: f64,
    /// What found it.
    pub found_by: Vec<Ranking>,
}

/// For whom something is recalled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The session of the task.
    pub(crate) session: &'a SessionId,
    /// Its folder: what is not a person's stays in the folder that it comes from.
    pub(crate) workspace: &'a str,
}

/// Ranks memories for a query: ids, best first. Another way to find memories is another entry in the list.
type Rank = fn(&Connection, Place<'_>, &str) -> Result<Vec<i64>, Fault>;
const RANKINGS: [(Ranking, Rank); 2] = [(Ranking::Recent, recent), (Ranking::FullText, full_text)];

/// The last messages of the session and the best matches of all sessions, fused by reciprocal rank.
pub(crate) fn recall(
    conn: &Connection,
    place: Place<'_>,
    query: &str,
    limit: usize,
) -> Result<Recalled, Fault> {
    let mut found: HashMap<i64, (f64, Vec<Ranking>)> = HashMap::new();
    for (ranking, rank) in RANKINGS {
        for (place, id) in rank(conn, place, query)?.into_iter().enumerate() {
            let (score, found_by) = found.entry(id).or_default();
            *score += 1.0 / (FUSION_CONSTANT + 1.0 + place as f64);
            found_by.push(ranking);
        }
    }
    let mut fused: Vec<_> = found.into_iter().collect();
    // Equal scores: the newer memory first, so that the order is always the same.
    fused.sort_by(|(one, (a, _)), (other, (b, _))| b.total_cmp(a).then(other.cmp(one)));
    let mut said = HashSet::new();
    let mut items = Vec::new();
    for (id, (score, found_by)) in fused {
        if items.len() == limit {
            break;
        }
        let Some(memory) = memories::find(conn, id)? else { continue };
        // The rankings look only at such; this holds whatever ranking comes next.
        if memory.may_go_to(place.workspace) && said.insert(memory.text.clone()) {
            let memories::Remembered { session, task, workspace, role, origin, promoted_at_ms, text, at_ms } =
                memory;
            let is_promoted = promoted_at_ms.is_some();
            let item = Recollection {
                session,
                task,
                workspace,
                role,
                origin,
                is_promoted,
                text,
                at_ms,
                score,
                found_by,
            };
            items.push(item);
        }
    }
    Ok(Recalled { items })
}

fn recent(conn: &Connection, place: Place<'_>, _query: &str) -> Result<Vec<i64>, Fault> {
    memories::newest_of(conn, place, RECENT)
}

/// Memories that share words with the query. Rare words decide, by their weight (bm25); where all are common, the
/// newest memories with any of them do. So the time it takes does not grow with the number of memories.
fn full_text(conn: &Connection, place: Place<'_>, query: &str) -> Result<Vec<i64>, Fault> {
    let words = words(query);
    let mut rare = Vec::new();
    for word in &words {
        match memories::count(conn, word, COMMON + 1)? {
            0 => {}
            count if count <= COMMON => rare.push((count, word.as_str())),
            _ => {}
        }
    }
    rare.sort();
    let mut ranked = 0;
    rare.retain(|(count, _)| {
        ranked += count;
        ranked <= MOST_RANKED
    });
    let candidates = if words.is_empty() {
        Vec::new()
    } else if rare.is_empty() {
        memories::newest_with(conn, &words.join(" OR "), place.workspace, FULL_TEXT_CANDIDATES)?
    } else {
        let rare: Vec<&str> = rare.into_iter().map(|(_, word)| word).collect();
        memories::best_with(conn, &rare.join(" OR "), place.workspace, FULL_TEXT_CANDIDATES)?
    };
    let mut said = HashSet::new();
    let mut ids = Vec::new();
    for id in candidates {
        let text = memories::find(conn, id)?.map(|memory| memory.text);
        if said.insert(text) {
            ids.push(id);
        }
        if ids.len() == FULL_TEXT {
            break;
        }
    }
    Ok(ids)
}

/// The query's words as quoted strings of the full-text index, each once, so that nothing in the query is ever read
/// as syntax.
pub(crate) fn words(query: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = format!("\"{}\"", word.to_lowercase());
        if !words.contains(&word) {
            words.push(word);
        }
        if words.len() == MOST_WORDS {
            break;
        }
    }
    words
}
