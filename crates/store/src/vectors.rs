//! Finds the vectors that are nearest to a query, in a few milliseconds among a million.
//!
//! Each vector has a code in memory, of 4 bits for each number. The codes whose signs match the query's best are
//! compared completely, and the best of these are compared exactly, with the vectors in the database. The database is
//! the source of truth: a search first reads the codes that were added since the last one, and a candidate that no
//! longer exists is skipped. Codes that are not used are dropped.

use crate::codes::Codes;
use crate::documents::FIRST_PASSAGE;
use crate::embeddings::{self, Model};
use crate::error::Fault;
use deputy_messages::store as say;
use rusqlite::{Connection, params};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The minimum number of codes that are compared completely, and the number of vectors for which another one is
/// compared. One in a hundred misses three in a hundred of the nearest if vectors are close together; one in 25 misses
/// one in a hundred.
const FEWEST_ESTIMATED: usize = 4_000;
const VECTORS_PER_ESTIMATED: usize = 25;
/// The number of vectors that are compared exactly. By their codes, the nearest ten are among the first fifty; the rest
/// is for those that rank better by `fit`, and to replace those that a folder may not use.
const COMPARED: usize = 200;
/// The position from which `fit` is measured: this fraction of the mean of all vectors. In sentence models all vectors
/// point in a similar direction, and so do all questions, which makes any question appear near any other. With the full
/// mean, rare features would weigh too much in long passages.
const TOWARD_MEAN: f32 = 0.85;
/// If more than one candidate in this many no longer exists in the database, the codes are read again.
const MOST_GONE: usize = 4;
/// The in-memory indexes of a store. Passages have a separate index, so that a large folder does not crowd out memories
/// in a comparison.
pub(crate) struct Indexes {
    pub(crate) memories: VectorIndex,
    pub(crate) passages: VectorIndex,
}

impl Default for Indexes {
    fn default() -> Self {
        Self {
            memories: VectorIndex::of(0..FIRST_PASSAGE),
            passages: VectorIndex::of(FIRST_PASSAGE..i64::MAX),
        }
    }
}

impl Indexes {
    /// Drops codes that were not searched for this long.
    pub(crate) fn drop_idle(&self, idle: Duration) {
        for index in [&self.memories, &self.passages] {
            let mut held = index.held.lock().unwrap_or_else(PoisonError::into_inner);
            if held.searched.is_some_and(|at| at.elapsed() >= idle) {
                *held = Held::default();
            }
        }
    }
}

/// Finds vectors of memories within a range of ids.
pub(crate) struct VectorIndex {
    of: Range<i64>,
    held: Mutex<Held>,
}

/// The codes of one model, in the order of their embeddings.
#[derive(Default)]
struct Held {
    model: i64,
    /// The newest embedding that was read.
    read_to: i64,
    /// The embedding and the memory of each code.
    ids: Vec<(i64, i64)>,
    codes: Codes,
    searched: Option<Instant>,
}

/// A memory that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    pub(crate) memory: i64,
    /// The id of the embedding, which identifies its vector.
    pub(crate) embedding: i64,
    /// The cosine between its vector and that of the query.
    pub(crate) cosine: f32,
    /// The cosine as seen from near the mean of all vectors: what the two have in common beyond what all have.
    pub(crate) fit: f32,
}

impl VectorIndex {
    fn of(of: Range<i64>) -> Self {
        Self { of, held: Mutex::default() }
    }

    /// Returns the memories whose vectors are nearest to a query of length 1, as many as were compared exactly, best
    /// fit first. Empty if the query does not have the dimension of the model.
    pub(crate) fn search(&self, conn: &Connection, model: &Model, query: &[f32]) -> Result<Vec<Near>, Fault> {
        if query.len() != model.dimension {
            return Ok(Vec::new());
        }
        let mut near = match &model.center {
            None => all(conn, model, &self.of, query)?,
            Some(center) => {
                let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
                let (near, gone) = held.search(conn, (model, center), &self.of, query)?;
                if gone * MOST_GONE > gone + near.len() {
                    *held = Held::default();
                    held.search(conn, (model, center), &self.of, query)?.0
                } else {
                    near
                }
            }
        };
        // With equal fit, the newer memory comes first.
        near.sort_by(|one, other| other.fit.total_cmp(&one.fit).then(other.memory.cmp(&one.memory)));
        Ok(near)
    }
}

impl Held {
    /// Returns the nearest memories, including new ones, and the number of candidates that no longer exist.
    fn search(
        &mut self,
        conn: &Connection,
        (model, center): (&Model, &[f32]),
        of: &Range<i64>,
        query: &[f32],
    ) -> Result<(Vec<Near>, usize), Fault> {
        if self.model != model.id {
            *self = Self { model: model.id, codes: Codes::of(model.dimension), ..Self::default() };
        }
        self.searched = Some(Instant::now());
        self.read(conn, of)?;
        let estimated = FEWEST_ESTIMATED.max(self.ids.len() / VECTORS_PER_ESTIMATED);
        let places = self.codes.nearest(query, center, estimated, COMPARED);
        let mut candidates: Vec<(i64, i64)> = places.into_iter().map(|place| self.ids[place]).collect();
        // In the order in which they are stored on disk.
        candidates.sort_unstable();
        let fit = Fit::of(query, &self.codes.mean(center));
        let (mut near, mut vector) = (Vec::new(), vec![0.0; model.dimension]);
        for (embedding, memory) in &candidates {
            if embeddings::read_vector(conn, *embedding, &mut vector)? {
                near.push(fit.near(*memory, *embedding, &vector));
            }
        }
        let gone = candidates.len() - near.len();
        Ok((near, gone))
    }

    /// Reads the codes that were added since the last call.
    fn read(&mut self, conn: &Connection, of: &Range<i64>) -> Result<(), Fault> {
        let newest = embeddings::newest(conn, self.model)?;
        if newest <= self.read_to {
            return Ok(());
        }
        let sql = "SELECT id, memory, code FROM embeddings
                   WHERE model = ?1 AND id > ?2 AND memory >= ?3 AND memory < ?4 AND code IS NOT NULL ORDER BY id";
        let mut statement = conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![self.model, self.read_to, of.start, of.end])?;
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            let code = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            if !self.codes.push(code) {
                return Err(Fault::Corrupt(say::code_of_another_length(id, code.len())));
            }
            self.ids.push((id, row.get(1)?));
            // This embedding is not read again, even if a later one cannot be read.
            self.read_to = id;
        }
        // After the last embedding of the range there may be many others, which are skipped next time.
        self.read_to = newest;
        Ok(())
    }
}

/// Compares every vector exactly.
fn all(conn: &Connection, model: &Model, of: &Range<i64>, query: &[f32]) -> Result<Vec<Near>, Fault> {
    let vectors = embeddings::vectors_of(conn, model, of)?;
    let mut mean = vec![0.0; model.dimension];
    for (.., vector) in &vectors {
        mean.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number / vectors.len() as f32);
    }
    let fit = Fit::of(query, &mean);
    Ok(vectors.iter().map(|(embedding, memory, vector)| fit.near(*memory, *embedding, vector)).collect())
}

/// A query, prepared for comparing vectors with it.
struct Fit<'a> {
    query: &'a [f32],
    /// The point from which vectors are seen, most of the way to their mean, and its squared length.
    from: Vec<f32>,
    from_squared: f32,
    /// The direction of the query from there, of length 1, and its dot product with that point.
    seen: Vec<f32>,
    seen_from: f32,
}

impl<'a> Fit<'a> {
    fn of(query: &'a [f32], mean: &[f32]) -> Self {
        let from: Vec<f32> = mean.iter().map(|number| TOWARD_MEAN * number).collect();
        let mut seen: Vec<f32> = query.iter().zip(&from).map(|(number, from)| number - from).collect();
        let length = dot(&seen, &seen).sqrt().max(f32::MIN_POSITIVE);
        seen.iter_mut().for_each(|number| *number /= length);
        Self { from_squared: dot(&from, &from), seen_from: dot(&seen, &from), query, from, seen }
    }

    fn near(&self, memory: i64, embedding: i64, vector: &[f32]) -> Near {
        let squared = 1.0 - 2.0 * dot(vector, &self.from) + self.from_squared;
        let fit = (dot(vector, &self.seen) - self.seen_from) / squared.max(1e-6).sqrt();
        Near { memory, embedding, cosine: dot(self.query, vector), fit }
    }
}

/// Returns the dot product of two vectors, which is the cosine if both have length 1.
pub(crate) fn dot(one: &[f32], other: &[f32]) -> f32 {
    // Independent lanes, so that several products are computed at a time.
    let (ones, one_rest) = one.as_chunks::<8>();
    let (others, other_rest) = other.as_chunks::<8>();
    let mut lanes = [0.0_f32; 8];
    for (one, other) in ones.iter().zip(others) {
        for (lane, (a, b)) in lanes.iter_mut().zip(one.iter().zip(other)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f32>() + one_rest.iter().zip(other_rest).map(|(a, b)| a * b).sum::<f32>()
}
