//! Finds the vectors that are nearest to one, in a few milliseconds among a million.
//!
//! Each vector has a code in memory, of 4 bits for each number. The codes with most numbers on the query's side are compared in whole, and
//! the best of these exactly, by the vectors in the database. The database is the truth: a search first reads the codes that came since
//! the last one, and a candidate that is gone by then is skipped. Codes that are not searched are dropped.

use crate::codes::Codes;
use crate::documents::FIRST_PASSAGE;
use crate::embeddings::{self, Model};
use crate::error::Fault;
use deputy_messages::store as say;
use rusqlite::{Connection, params};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The codes that are compared in whole at least, and one more for this many vectors. One of a hundred misses three in a hundred of the
/// nearest where vectors lie close together, one of 25 one in a hundred.
const FEWEST_ESTIMATED: usize = 4_000;
const VECTORS_PER_ESTIMATED: usize = 25;
/// The vectors that are compared exactly. By their codes the nearest ten are among the first fifty; the rest is for what fits from another
/// view, and for what a folder may not be given.
const COMPARED: usize = 200;
/// From where fits are seen: this far toward the mean of all vectors. Sentence models have all of them point one way, questions in one
/// way of their own, so that any question is near any other one. From the mean itself, what is rare counts too much in long passages.
const TOWARD_MEAN: f32 = 0.85;
/// Where more than this part of them is gone from the database, the codes are read anew.
const MOST_GONE: usize = 4;
/// What is held in memory of the vectors; one a store. Passages have an index of their own, so that a large folder does not fill
/// what is compared for memories.
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
    /// Drops what was not searched for so long.
    pub(crate) fn drop_idle(&self, idle: Duration) {
        for index in [&self.memories, &self.passages] {
            let mut held = index.held.lock().unwrap_or_else(PoisonError::into_inner);
            if held.searched.is_some_and(|at| at.elapsed() >= idle) {
                *held = Held::default();
            }
        }
    }
}

/// Finds vectors of memories within a range of numbers.
pub(crate) struct VectorIndex {
    of: Range<i64>,
    held: Mutex<Held>,
}

/// The codes of one model, in the order of their embeddings.
#[derive(Default)]
struct Held {
    model: i64,
    /// The newest embedding that was looked at.
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
    /// The embedding, by which its vector is found.
    pub(crate) embedding: i64,
    /// The cosine between its vector and that of the query.
    pub(crate) cosine: f32,
    /// The same, seen from near the mean of all: how much the two have in common that not all have.
    pub(crate) fit: f32,
}

impl VectorIndex {
    fn of(of: Range<i64>) -> Self {
        Self { of, held: Mutex::default() }
    }

    /// The memories whose vectors are nearest to a query of length 1, as many as were compared exactly, those that fit best first.
    /// Empty where the query is not of the model's dimension.
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
        // Equally well: the newer one first.
        near.sort_by(|one, other| other.fit.total_cmp(&one.fit).then(other.memory.cmp(&one.memory)));
        Ok(near)
    }
}

impl Held {
    /// The nearest of what is held and came since, and how many of the candidates are gone.
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
        // In the order in which they lie on the disk.
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

    /// Reads what came since the last time.
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
            // Also when a later one cannot be read, this one is not read again.
            self.read_to = id;
        }
        // Behind the last one there may be many that are not of the range.
        self.read_to = newest;
        Ok(())
    }
}

/// Every vector, compared exactly.
fn all(conn: &Connection, model: &Model, of: &Range<i64>, query: &[f32]) -> Result<Vec<Near>, Fault> {
    let vectors = embeddings::vectors_of(conn, model, of)?;
    let mut mean = vec![0.0; model.dimension];
    for (.., vector) in &vectors {
        mean.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number / vectors.len() as f32);
    }
    let fit = Fit::of(query, &mean);
    Ok(vectors.iter().map(|(embedding, memory, vector)| fit.near(*memory, *embedding, vector)).collect())
}

/// A query, as vectors are compared with it.
struct Fit<'a> {
    query: &'a [f32],
    /// The point that vectors are seen from: most of the way to their mean. And its squared length.
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

/// The cosine of two vectors of length 1.
pub(crate) fn dot(one: &[f32], other: &[f32]) -> f32 {
    // In lanes that do not depend on each other, so that several are multiplied at a time.
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
