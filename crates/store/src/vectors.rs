//! Finds the vectors that are nearest to one, in a few milliseconds among a million.
//!
//! Each vector has a code in memory, a bit for each number: 48 bytes for 384 numbers. The codes that differ in the fewest
//! bits from the query's are weighed by the numbers of the query, and the best of these are compared exactly, by the vectors in
//! the database. The database is the truth: a search first reads the codes that came since the last one, and a candidate that is
//! gone by then is passed over.

use crate::documents::FIRST_PASSAGE;
use crate::embeddings::{self, Model};
use crate::error::Fault;
use deputy_messages::store as say;
use rusqlite::{Connection, params};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The codes that are weighed at least, and one more for this many vectors.
const FEWEST_WEIGHED: usize = 2_000;
const VECTORS_PER_WEIGHED: usize = 100;
/// The vectors that are compared exactly at least and at most, and one more for this many: the more there are, the closer together they
/// lie, and the less a bit for each number tells them apart.
const FEWEST_COMPARED: usize = 300;
const MOST_COMPARED: usize = 1_000;
const VECTORS_PER_COMPARED: usize = 200;
/// Codes that are gone from the database are kept until they are this part of all.
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

/// Finds vectors of memories within a range of numbers.
pub(crate) struct VectorIndex {
    of: Range<i64>,
    codes: Mutex<Codes>,
}

/// The codes of one model, in the order of their embeddings.
#[derive(Default)]
struct Codes {
    model: i64,
    /// Words of 64 bits in a code.
    words: usize,
    /// The newest embedding that was read.
    read_to: i64,
    /// The embedding and the memory of each code.
    ids: Vec<(i64, i64)>,
    codes: Vec<u64>,
}

/// A memory that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    pub(crate) memory: i64,
    /// The embedding, by which its vector is found.
    pub(crate) embedding: i64,
    /// The cosine between its vector and that of the query.
    pub(crate) cosine: f32,
}

impl VectorIndex {
    fn of(of: Range<i64>) -> Self {
        Self { of, codes: Mutex::default() }
    }

    /// The memories whose vectors are nearest to a query of length 1, nearest first: as many as were compared exactly. Empty where
    /// the query is not of the model's dimension.
    pub(crate) fn search(&self, conn: &Connection, model: &Model, query: &[f32]) -> Result<Vec<Near>, Fault> {
        if query.len() != model.dimension {
            return Ok(Vec::new());
        }
        let mut near = match &model.center {
            None => all(conn, model, &self.of, query)?,
            Some(center) => {
                let mut candidates = self.candidates(conn, model, query, center)?;
                // In the order in which they lie on the disk.
                candidates.sort_unstable();
                let (mut found, mut vector) = (Vec::new(), vec![0.0; model.dimension]);
                for (embedding, memory) in candidates {
                    if embeddings::read_vector(conn, embedding, &mut vector)? {
                        found.push(Near { memory, embedding, cosine: dot(query, &vector) });
                    }
                }
                found
            }
        };
        // Equally near: the newer one first.
        near.sort_by(|one, other| other.cosine.total_cmp(&one.cosine).then(other.memory.cmp(&one.memory)));
        Ok(near)
    }

    /// The embeddings to compare exactly, and their memories.
    fn candidates(
        &self,
        conn: &Connection,
        model: &Model,
        query: &[f32],
        center: &[f32],
    ) -> Result<Vec<(i64, i64)>, Fault> {
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        codes.refresh(conn, model, &self.of)?;
        let nearest = codes.nearest(&words(&embeddings::code(query, center)));
        Ok(codes.heaviest(nearest, &weights(query, center)))
    }
}

impl Codes {
    /// Reads what came since the last time; all of it where the model is another, or too much is gone.
    fn refresh(&mut self, conn: &Connection, model: &Model, of: &Range<i64>) -> Result<(), Fault> {
        let sql =
            "SELECT count(*) FROM embeddings WHERE model = ?1 AND id <= ?2 AND memory >= ?3 AND memory < ?4";
        let is_new = self.model != model.id;
        if is_new {
            *self = Self { model: model.id, words: model.dimension.div_ceil(64), ..Self::default() };
        }
        let before = self.read_to;
        self.read(conn, of)?;
        // Counting reads an index from end to end, so it is done only when something has changed.
        if !is_new && self.read_to != before {
            let values = [self.model, self.read_to, of.start, of.end];
            let there: i64 = conn.prepare_cached(sql)?.query_row(values, |row| row.get(0))?;
            let gone = self.ids.len().saturating_sub(there as usize);
            if gone * MOST_GONE > self.ids.len() {
                (self.read_to, self.ids, self.codes) = (0, Vec::new(), Vec::new());
                self.read(conn, of)?;
            }
        }
        Ok(())
    }

    fn read(&mut self, conn: &Connection, of: &Range<i64>) -> Result<(), Fault> {
        let sql = "SELECT id, memory, code FROM embeddings
                   WHERE model = ?1 AND id > ?2 AND memory >= ?3 AND memory < ?4 AND code IS NOT NULL ORDER BY id";
        let mut statement = conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![self.model, self.read_to, of.start, of.end])?;
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            let code = words(row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?);
            if code.len() != self.words {
                return Err(Fault::Corrupt(say::code_of_another_length(id, code.len())));
            }
            self.ids.push((id, row.get(1)?));
            self.codes.extend(code);
            self.read_to = id;
        }
        Ok(())
    }

    /// The places of the codes that differ in the fewest bits.
    fn nearest(&self, query: &[u64]) -> Vec<usize> {
        let wanted = FEWEST_WEIGHED.max(self.ids.len() / VECTORS_PER_WEIGHED);
        let distances = self.distances(query);
        // A distance is a count of bits, so the wanted-th smallest is found by counting instead of sorting.
        let mut with = vec![0_usize; self.words * 64 + 1];
        for distance in &distances {
            with[usize::from(*distance)] += 1;
        }
        let mut total = 0;
        let most = with.iter().position(|count| {
            total += count;
            total >= wanted
        });
        let most = most.unwrap_or(self.words * 64) as u16;
        distances
            .iter()
            .enumerate()
            .filter(|(_, distance)| **distance <= most)
            .map(|(place, _)| place)
            .collect()
    }

    /// Of these places the codes that weigh most, with their embeddings and memories.
    fn heaviest(&self, places: Vec<usize>, weights: &[[f32; 256]]) -> Vec<(i64, i64)> {
        let weigh = |place: usize| {
            let code = &self.codes[place * self.words..][..self.words];
            let bytes = code.iter().flat_map(|word| word.to_le_bytes());
            bytes.zip(weights).map(|(byte, weights)| weights[usize::from(byte)]).sum::<f32>()
        };
        let mut weighed: Vec<(f32, usize)> = places.into_iter().map(|place| (weigh(place), place)).collect();
        let compared = (self.ids.len() / VECTORS_PER_COMPARED).clamp(FEWEST_COMPARED, MOST_COMPARED);
        if weighed.len() > compared {
            weighed.select_nth_unstable_by(compared, |(one, _), (other, _)| other.total_cmp(one));
            weighed.truncate(compared);
        }
        weighed.into_iter().map(|(_, place)| self.ids[place]).collect()
    }

    /// In how many bits each code differs from the query's.
    fn distances(&self, query: &[u64]) -> Vec<u16> {
        // Of a size that the compiler knows, four codes are compared at a time.
        match <&[u64; 6]>::try_from(query) {
            Ok(query) => {
                let (codes, _) = self.codes.as_chunks::<6>();
                codes.iter().map(|code| differing(code, query)).collect()
            }
            Err(_) => self.codes.chunks_exact(self.words.max(1)).map(|code| differing(code, query)).collect(),
        }
    }
}

/// What each value of each byte of a code weighs: the query's numbers above the center where the bit is set, and against it where it
/// is not. It tells more than counting bits does, since bits of large numbers matter more.
fn weights(query: &[f32], center: &[f32]) -> Vec<[f32; 256]> {
    let above: Vec<f32> = query.iter().zip(center).map(|(number, middle)| number - middle).collect();
    let of_byte = |numbers: &[f32]| {
        std::array::from_fn(|byte| {
            let signed = numbers.iter().enumerate();
            signed.map(|(bit, number)| if byte >> bit & 1 == 1 { *number } else { -number }).sum()
        })
    };
    above.chunks(8).map(of_byte).collect()
}

fn differing(code: &[u64], query: &[u64]) -> u16 {
    code.iter().zip(query).map(|(one, other)| (one ^ other).count_ones() as u16).sum()
}

/// Every vector, compared exactly.
fn all(conn: &Connection, model: &Model, of: &Range<i64>, query: &[f32]) -> Result<Vec<Near>, Fault> {
    let near = |(embedding, memory, vector): (i64, i64, Vec<f32>)| Near {
        memory,
        embedding,
        cosine: dot(query, &vector),
    };
    Ok(embeddings::vectors_of(conn, model, of)?.into_iter().map(near).collect())
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

fn words(code: &[u8]) -> Vec<u64> {
    let (words, _) = code.as_chunks();
    words.iter().copied().map(u64::from_le_bytes).collect()
}
