//! Recall: finds the memories that are relevant to a task by fusing several rankings.
//!
//! Rankings are fused by reciprocal rank. A memory that shares only some words with the query is weighted by how much
//! of the query it covers, because the words that paraphrases share carry little meaning. The fused score is then
//! weighted by origin, workspace and age. Near-duplicates are returned once. Of similar memories, the newer ranks
//! first, because it may be a preference that has changed.

use crate::documents::{self, DocumentStamp, FIRST_PASSAGE};
use crate::embeddings::{self, Model};
use crate::error::Fault;
use crate::full_text::{Texts, full_text};
use crate::memories::{self, Remembered};
use crate::vectors::{self, Indexes, VectorIndex};
use deputy_protocol::{MemoryKind, MemoryOrigin, MemoryRole, SessionId, TaskId};
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The number of the session's messages that count as recent.
const RECENT: usize = 20;
/// The maximum number of preferences that are part of every recall.
const PREFERENCES: usize = 8;
/// The number of results taken from each of the other rankings.
pub(crate) const BEST: usize = 10;
/// The number of memories taken from the ranking by meaning. It is larger because one answer in ten is only among the
/// second ten results.
const NEAREST: usize = 20;
/// The maximum length of a passage, in characters.
pub const LONGEST_PASSAGE_CHARS: usize = 600;
/// The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009). The paper uses 60 for rankings
/// of a thousand. In a ranking of ten, the first result would then count hardly more than the last, and being found
/// twice or being newer would count more than rank.
const FUSION_CONSTANT: f64 = 10.0;
/// The fusion constant of the ranking by recency, which says less about relevance than a match does.
const RECENT_CONSTANT: f64 = 20.0;
/// The factors for a memory of the task's own session and of its own folder.
const SAME_SESSION: f64 = 1.2;
const SAME_WORKSPACE: f64 = 1.1;
/// The factors for text by a planner and for text that was read, relative to text by a person.
const PLANNERS: f64 = 0.8;
const READ: f64 = 0.6;
/// The time after which a memory has lost half of what it can lose by age, in milliseconds.
const HALF_LIFE_MS: f64 = 90.0 * 24.0 * 3600.0 * 1000.0;
/// The largest share of a score that can be lost by age.
const MOST_LOST_BY_AGE: f64 = 0.3;
/// The share of common words, and the cosine, from which two texts count as the same.
const SAME_WORDS: f64 = 0.9;
const SAME_MEANING: f32 = 0.985;
/// The cosine from which two texts count as similar.
const ALIKE: f32 = 0.92;

/// The ranking that found a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ranking {
    /// The memory is a preference that applies to every task.
    Preference,
    /// The memory is among the last messages of the session.
    Recent,
    /// The memory is close to the query in meaning.
    Meaning,
    /// The memory shares words with the query.
    FullText,
}

/// The input of a recall.
#[derive(Clone, Copy, Debug)]
pub struct RecallQuery<'a> {
    /// The session of the task.
    pub session: &'a SessionId,
    /// The folder of the task. Text that is not by a person stays in the folder that it comes from.
    pub workspace: &'a str,
    /// Documents below these folders can be recalled, in addition to those that are available everywhere.
    pub documents_in: &'a [String],
    /// The text to search for.
    pub text: &'a str,
    /// The text as a vector, if available.
    pub vector: Option<&'a QueryVector>,
    /// The current time.
    pub now_ms: i64,
    /// The maximum number of memories.
    pub limit: usize,
    /// The maximum total length, in characters.
    pub budget_chars: usize,
    /// The maximum length that is counted for each memory, in characters.
    pub most_chars_each: usize,
}

/// A text as a vector. Only memories with vectors of the same model can be compared with it.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryVector {
    /// The model.
    pub model: String,
    /// The vector, of any length but zero.
    pub vector: Vec<f32>,
}

/// The recalled memories, best first. Each text occurs once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// The memories.
    pub items: Vec<Recollection>,
}

/// A recalled memory and why it was recalled.
#[derive(Clone, Debug, PartialEq)]
pub struct Recollection {
    /// The number of the memory.
    pub memory: u64,
    /// The session it comes from.
    pub session: SessionId,
    /// The task it comes from.
    pub task: TaskId,
    /// The folder it comes from.
    pub workspace: String,
    /// The author of the text. Text from tools is untrusted.
    pub role: MemoryRole,
    /// The source of the text.
    pub origin: MemoryOrigin,
    /// Whether a person allowed it to leave its folder.
    pub is_promoted: bool,
    /// Whether it was explicitly stored, and as what kind.
    pub kind: MemoryKind,
    /// The text.
    pub text: String,
    /// When the text was written.
    pub at_ms: i64,
    /// The fused score. Scores are only comparable within one recall.
    pub score: f64,
    /// The rankings that found it, in the order of [`Ranking`].
    pub found_by: Vec<Ranking>,
    /// The cosine between its vector and the query's, if both have one.
    pub similarity: Option<f32>,
    /// The document that it is a passage of. `None` for a memory.
    pub document: Option<RecalledDocument>,
}

/// The location of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecalledDocument {
    /// The file.
    pub path: PathBuf,
    /// The state of the file when it was read.
    pub stamp: DocumentStamp,
    /// The line at which the passage begins.
    pub line: u32,
}

/// The session and the folder that memories are recalled for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The session of the task.
    pub(crate) session: &'a SessionId,
    /// The folder of the task. Text that is not by a person stays in the folder that it comes from.
    pub(crate) workspace: &'a str,
}

/// A memory in the result of one ranking. The first hit is the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) memory: i64,
    /// The factor of its rank's score, from 0 to 1.
    pub(crate) weight: f64,
}

impl Hit {
    pub(crate) fn whole(memory: i64) -> Self {
        Self { memory, weight: 1.0 }
    }
}

/// A memory with its fused score and the rankings that found it.
type Fused = (i64, f64, Vec<Ranking>);

/// Fuses rankings by reciprocal rank, best first. The order of the rankings does not matter.
pub(crate) fn fuse(rankings: &[(Ranking, Vec<Hit>)]) -> Vec<Fused> {
    let mut found: HashMap<i64, Vec<(Ranking, f64)>> = HashMap::new();
    for (ranking, hits) in rankings {
        let constant = if *ranking == Ranking::Recent { RECENT_CONSTANT } else { FUSION_CONSTANT };
        for (rank, hit) in hits.iter().enumerate() {
            let score = hit.weight / (constant + 1.0 + rank as f64);
            let scores = found.entry(hit.memory).or_default();
            // A memory that one ranking finds twice counts once, with its better rank.
            match scores.iter_mut().find(|(by, _)| by == ranking) {
                Some((_, best)) => *best = score.max(*best),
                None => scores.push((*ranking, score)),
            }
        }
    }
    let mut fused: Vec<Fused> = found
        .into_iter()
        .map(|(memory, mut scores)| {
            // The scores are added in a fixed order, so that the sum is identical to the last bit.
            scores.sort_by_key(|(ranking, _)| *ranking);
            (memory, scores.iter().map(|(_, score)| score).sum(), scores.iter().map(|(by, _)| *by).collect())
        })
        .collect();
    best_first(&mut fused);
    fused
}

/// Sorts by score, best first. With equal scores, the newer memory comes first, so that the order is deterministic.
fn best_first(fused: &mut [Fused]) {
    fused.sort_by(|(one, a, _), (other, b, _)| b.total_cmp(a).then(other.cmp(one)));
}

/// Returns the memories that are relevant to a query.
pub(crate) fn recall(
    conn: &Connection,
    indexes: &Indexes,
    query: &RecallQuery<'_>,
) -> Result<Recalled, Fault> {
    let place = Place { session: query.session, workspace: query.workspace };
    let model = embeddings::current(conn)?;
    let said = meaning(conn, &indexes.memories, model.as_ref(), query.vector)?;
    let written = meaning(conn, &indexes.passages, model.as_ref(), query.vector)?;
    let both = said.iter().chain(&written);
    let similarity: HashMap<i64, f32> = both.map(|near| (near.memory, near.cosine)).collect();
    let recent = memories::newest_of(conn, place, RECENT)?;
    let preferences = memories::preferences(conn, PREFERENCES)?;
    let passages =
        documents::first_reachable(conn, written.iter().map(|near| near.memory), query.documents_in, BEST)?;
    let whole = |ids: Vec<i64>| ids.into_iter().map(Hit::whole).collect::<Vec<_>>();
    // Passages are ranked separately, so that a large folder does not crowd out memories.
    let rankings = [
        (Ranking::Preference, whole(preferences)),
        (Ranking::Recent, whole(recent)),
        (Ranking::Meaning, allowed(conn, place, said.iter().map(|near| near.memory))?),
        (Ranking::Meaning, whole(passages)),
        (Ranking::FullText, full_text(conn, Texts::Memories(place), query.text)?),
        (Ranking::FullText, full_text(conn, Texts::Passages(query.documents_in), query.text)?),
    ];
    let mut found = HashMap::new();
    let mut fused = fuse(&rankings);
    for (id, score, _) in &mut fused {
        if let Some((memory, document)) = recallable(conn, *id, query)? {
            *score *= weight(&memory, query);
            found.insert(*id, (memory, document));
        }
    }
    fused.retain(|(id, ..)| found.contains_key(id));
    best_first(&mut fused);
    let mut chosen = Vec::new();
    for (memory, score, found_by) in fused {
        let Some((said, document)) = found.remove(&memory) else { continue };
        let vector = match &model {
            Some(model) => embeddings::vector_of(conn, model, memory)?,
            None => None,
        };
        let similarity = similarity.get(&memory).copied();
        chosen.push(Chosen { memory, said, document, vector, score, found_by, similarity });
    }
    let chosen = newer_first(without_same(chosen));
    let mut left = query.budget_chars;
    let mut items = Vec::new();
    for one in chosen.into_iter().take(query.limit) {
        let most = if one.document.is_some() { LONGEST_PASSAGE_CHARS } else { query.most_chars_each };
        let chars = one.said.text.chars().take(most).count();
        if chars > left {
            break;
        }
        left -= chars;
        items.push(one.into());
    }
    Ok(Recalled { items })
}

/// Returns the memory or passage if the task may see it. The rankings check this already; this check also covers
/// rankings that are added later.
fn recallable(
    conn: &Connection,
    id: i64,
    query: &RecallQuery<'_>,
) -> Result<Option<(Remembered, Option<RecalledDocument>)>, Fault> {
    if id < FIRST_PASSAGE {
        let memory = memories::find(conn, id)?.filter(|memory| memory.may_go_to(query.workspace));
        return Ok(memory.map(|memory| (memory, None)));
    }
    let placed = documents::find(conn, id)?.filter(|placed| placed.may_go_to(query.documents_in));
    Ok(placed.map(|placed| {
        let said = Remembered {
            session: SessionId::new(""),
            task: TaskId::notebook(),
            workspace: placed.folder,
            role: MemoryRole::Tool,
            origin: MemoryOrigin::File,
            promoted_at_ms: None,
            text: placed.text,
            at_ms: placed.stamp.changed_ns / 1_000_000,
            kind: MemoryKind::Said,
            is_replaced: false,
        };
        (said, Some(RecalledDocument { path: placed.path, stamp: placed.stamp, line: placed.line }))
    }))
}

/// A memory that is a candidate for the result.
#[derive(Clone)]
struct Chosen {
    memory: i64,
    said: Remembered,
    document: Option<RecalledDocument>,
    vector: Option<Vec<f32>>,
    score: f64,
    found_by: Vec<Ranking>,
    similarity: Option<f32>,
}

impl Chosen {
    fn cosine(&self, other: &Self) -> f32 {
        match (&self.vector, &other.vector) {
            (Some(one), Some(other)) => vectors::dot(one, other),
            _ => 0.0,
        }
    }

    fn is_same_as(&self, other: &Self) -> bool {
        if self.said.text == other.said.text {
            return true;
        }
        let near = self.cosine(other);
        // Words are compared only if the vectors are close: every pair is checked, and few are this close.
        if near < ALIKE {
            return false;
        }
        let (words, others) = (word_set(&self.said.text), word_set(&other.said.text));
        let shared = words.intersection(&others).count() as f64;
        let part = shared / ((words.len() + others.len()) as f64 - shared);
        part >= SAME_WORDS || near >= SAME_MEANING && part >= 0.5
    }
}

impl From<Chosen> for Recollection {
    fn from(chosen: Chosen) -> Self {
        let Remembered { session, task, workspace, role, origin, promoted_at_ms, text, at_ms, kind, .. } =
            chosen.said;
        Self {
            memory: chosen.memory as u64,
            session,
            task,
            workspace,
            role,
            origin,
            is_promoted: promoted_at_ms.is_some(),
            kind,
            text,
            at_ms,
            score: chosen.score,
            found_by: chosen.found_by,
            similarity: chosen.similarity,
            document: chosen.document,
        }
    }
}

/// Removes near-duplicates. Keeps the newest, at the rank of the best.
fn without_same(ranked: Vec<Chosen>) -> Vec<Chosen> {
    let mut kept: Vec<Chosen> = Vec::with_capacity(ranked.len());
    for one in ranked {
        match kept.iter_mut().find(|other| other.is_same_as(&one)) {
            // A summary by the model never replaces the user's own words.
            Some(other) if one.memory > other.memory && one.said.origin == other.said.origin => {
                let score = other.score;
                *other = Chosen { score, ..one };
            }
            Some(_) => {}
            None => kept.push(one),
        }
    }
    kept
}

/// Moves the newest of several similar memories to the front. The scores stay with the ranks.
fn newer_first(mut ranked: Vec<Chosen>) -> Vec<Chosen> {
    for place in 0..ranked.len() {
        let newest = (place + 1..ranked.len())
            .filter(|later| ranked[*later].said.origin == ranked[place].said.origin)
            .filter(|later| ranked[*later].cosine(&ranked[place]) >= ALIKE)
            .filter(|later| ranked[*later].memory > ranked[place].memory)
            .max_by_key(|later| ranked[*later].memory);
        if let Some(newest) = newest {
            let (score, other) = (ranked[place].score, ranked[newest].score);
            ranked.swap(place, newest);
            (ranked[place].score, ranked[newest].score) = (score, other);
        }
    }
    ranked
}

/// Returns the factor by which a memory's score is multiplied.
fn weight(memory: &Remembered, query: &RecallQuery<'_>) -> f64 {
    let session = if memory.session == *query.session { SAME_SESSION } else { 1.0 };
    let workspace = if memory.workspace == query.workspace { SAME_WORKSPACE } else { 1.0 };
    let origin = match memory.origin {
        MemoryOrigin::Person => 1.0,
        MemoryOrigin::Planner => PLANNERS,
        MemoryOrigin::Tool | MemoryOrigin::Command | MemoryOrigin::File | MemoryOrigin::Page => READ,
    };
    let age_ms = (query.now_ms - memory.at_ms).max(0) as f64;
    let age = 1.0 - MOST_LOST_BY_AGE * (1.0 - (-age_ms / HALF_LIFE_MS).exp2());
    session * workspace * origin * age
}

/// Returns the memories whose vectors are nearest to a query, with their cosines.
pub(crate) fn nearest(
    conn: &Connection,
    index: &VectorIndex,
    query: &QueryVector,
    limit: usize,
) -> Result<Vec<(u64, f32)>, Fault> {
    let model = embeddings::current(conn)?;
    let mut near = meaning(conn, index, model.as_ref(), Some(query))?;
    near.sort_by(|one, other| other.cosine.total_cmp(&one.cosine));
    Ok(near.into_iter().take(limit).map(|near| (near.memory as u64, near.cosine)).collect())
}

/// Returns the memories whose vectors match the query best. Empty if there is nothing to compare.
pub(crate) fn meaning(
    conn: &Connection,
    index: &VectorIndex,
    model: Option<&Model>,
    query: Option<&QueryVector>,
) -> Result<Vec<vectors::Near>, Fault> {
    let (Some(model), Some(asked)) = (model, query) else { return Ok(Vec::new()) };
    match embeddings::normalized(&asked.vector, model.dimension).filter(|_| asked.model == model.name) {
        Some(vector) => index.search(conn, model, &vector),
        None => Ok(Vec::new()),
    }
}

/// Returns the first few memories that may be used in a folder, each text once.
fn allowed(conn: &Connection, place: Place<'_>, near: impl Iterator<Item = i64>) -> Result<Vec<Hit>, Fault> {
    let (mut said, mut hits) = (HashSet::new(), Vec::new());
    for id in near {
        if let Some(memory) = memories::find(conn, id)?
            && memory.may_go_to(place.workspace)
            && said.insert(memory.text)
        {
            hits.push(Hit::whole(id));
        }
        if hits.len() == NEAREST {
            break;
        }
    }
    Ok(hits)
}

/// Returns the set of words of a text, for comparing it with another.
fn word_set(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranking() -> impl Strategy<Value = (Ranking, Vec<Hit>)> {
        let by = prop_oneof![
            Just(Ranking::Preference),
            Just(Ranking::Recent),
            Just(Ranking::Meaning),
            Just(Ranking::FullText)
        ];
        let hit = (0..30_i64, 0.0..=1.0).prop_map(|(memory, weight)| Hit { memory, weight });
        (by, prop::collection::vec(hit, 0..12))
    }

    proptest! {
        #[test]
        fn rankings_are_fused_the_same_in_any_order_and_each_memory_once(
            (one, other) in prop::collection::vec(ranking(), 0..7)
                .prop_flat_map(|rankings| (Just(rankings.clone()), Just(rankings).prop_shuffle()))
        ) {
            let fused = fuse(&one);
            prop_assert_eq!(&fused, &fuse(&other));
            let found: HashSet<i64> = one.iter().flat_map(|(_, hits)| hits).map(|hit| hit.memory).collect();
            prop_assert_eq!(found.len(), fused.len());
            prop_assert!(fused.iter().all(|(memory, ..)| found.contains(memory)));
            prop_assert!(fused.is_sorted_by(|(_, one, _), (_, other, _)| one >= other));
        }

        /// Being found by more rankings, or at a better rank, never lowers a score.
        #[test]
        fn being_found_once_more_never_counts_less(rankings in prop::collection::vec(ranking(), 1..7)) {
            let score = |fused: &[Fused], memory| {
                fused.iter().find(|(id, ..)| *id == memory).map_or(0.0, |(_, score, _)| *score)
            };
            let (all, fewer) = (fuse(&rankings), fuse(&rankings[1..]));
            for (memory, before, _) in &fewer {
                prop_assert!(score(&all, *memory) >= *before);
            }
        }
    }
}
