//! Vector codes: a vector in an eighth of its size, from which the cosine with another vector is estimated.
//!
//! A code has four bits for each number of the vector, measured from the center of all vectors in steps of the vector's
//! own size, and two exact numbers: how far the vector points toward the center, and the factor of the steps. The
//! highest of the four bits alone tells on which side of the center a number is; a coarse search compares only those
//! bits. The correction follows RaBitQ (Gao and Long, SIGMOD 2024).

/// The optimal uniform step for 16 levels of normally distributed numbers (Max, 1960), in standard deviations.
const STEP: f32 = 0.3352;
/// The levels are centered on zero, and at least half a step away from it.
const MIDDLE: f32 = 7.5;
/// The size of the two numbers after the steps, in bytes.
const NUMBERS: usize = 8;

/// Returns the length of a code of a dimension, in bytes.
pub(crate) const fn length(dimension: usize) -> usize {
    dimension.div_ceil(2) + NUMBERS
}

/// Encodes a vector of length 1.
pub(crate) fn encode(vector: &[f32], center: &[f32]) -> Vec<u8> {
    let from_center: Vec<f32> = vector.iter().zip(center).map(|(number, middle)| number - middle).collect();
    let squared: f32 = from_center.iter().map(|number| number * number).sum();
    let step = STEP * (squared / vector.len() as f32).sqrt();
    let level = |number: &f32| (number / step + MIDDLE + 0.5).floor().clamp(0.0, 15.0);
    let levels: Vec<f32> = from_center.iter().map(level).collect();
    let along: f32 = from_center.iter().zip(&levels).map(|(number, level)| number * (level - MIDDLE)).sum();
    // A vector at the center has no steps.
    let factor = if along > 0.0 { squared / along } else { 0.0 };
    let toward: f32 = from_center.iter().zip(center).map(|(number, middle)| number * middle).sum();
    // The second half of the numbers is in the upper bits of the first half's bytes, so that both halves are read in
    // order.
    let (lower, upper) = levels.split_at(vector.len().div_ceil(2));
    let upper = upper.iter().chain(std::iter::repeat(&0.0));
    let bytes = lower.iter().zip(upper).map(|(low, high)| *low as u8 | (*high as u8) << 4);
    bytes.chain(toward.to_le_bytes()).chain(factor.to_le_bytes()).collect()
}

/// The codes of many vectors of one dimension, in memory.
#[derive(Default)]
pub(crate) struct Codes {
    dimension: usize,
    /// The sign of each number relative to the center, in words of 64 bits.
    signs: Vec<u64>,
    steps: Vec<u8>,
    /// How far each vector points toward the center, and the factor of its steps.
    numbers: Vec<(f32, f32)>,
    /// The sum of all offsets from the center.
    sum: Vec<f64>,
}

impl Codes {
    pub(crate) fn of(dimension: usize) -> Self {
        Self { dimension, sum: vec![0.0; dimension], ..Self::default() }
    }

    /// Adds a vector. Returns `false` if its dimension differs.
    pub(crate) fn push(&mut self, code: &[u8]) -> bool {
        let Some((steps, numbers)) = code.split_last_chunk::<NUMBERS>() else { return false };
        if code.len() != length(self.dimension) {
            return false;
        }
        let [a, b, c, d, e, f, g, h] = *numbers;
        let factor = f32::from_le_bytes([e, f, g, h]);
        let levels = steps.iter().map(|byte| byte & 15).chain(steps.iter().map(|byte| byte >> 4));
        for (sum, level) in self.sum.iter_mut().zip(levels) {
            *sum += f64::from(factor * (f32::from(level) - MIDDLE));
        }
        self.signs.extend(signs(steps, self.dimension));
        self.steps.extend_from_slice(steps);
        self.numbers.push((f32::from_le_bytes([a, b, c, d]), factor));
        true
    }

    /// Returns the mean of all vectors, estimated from their codes.
    pub(crate) fn mean(&self, center: &[f32]) -> Vec<f32> {
        let count = self.numbers.len().max(1) as f64;
        center.iter().zip(&self.sum).map(|(middle, sum)| middle + (sum / count) as f32).collect()
    }

    /// Returns the indexes of the `most` codes that are estimated to be nearest to a vector of length 1, unordered.
    /// Only the `coarse` codes whose signs match best are compared.
    pub(crate) fn nearest(&self, query: &[f32], center: &[f32], coarse: usize, most: usize) -> Vec<usize> {
        let from_center: Vec<f32> =
            query.iter().zip(center).map(|(number, middle)| number - middle).collect();
        let estimate = Estimate::of(&from_center);
        let length = self.dimension.div_ceil(2);
        let near = self.on_the_same_side(&from_center, coarse).into_iter().map(|place| {
            let (toward, factor) = self.numbers[place];
            (toward + factor * estimate.along(&self.steps[place * length..][..length]), place)
        });
        let mut near: Vec<(f32, usize)> = near.collect();
        if near.len() > most {
            near.select_nth_unstable_by(most, |(one, _), (other, _)| other.total_cmp(one));
            near.truncate(most);
        }
        near.into_iter().map(|(_, place)| place).collect()
    }

    /// Indexes of the `wanted` codes whose signs differ least from the query's, and of any that tie with the last.
    fn on_the_same_side(&self, from_center: &[f32], wanted: usize) -> Vec<usize> {
        let levels: Vec<u8> = from_center.iter().map(|number| if *number >= 0.0 { 8 } else { 0 }).collect();
        let (lower, upper) = levels.split_at(self.dimension.div_ceil(2));
        let upper = upper.iter().chain(std::iter::repeat(&0));
        let steps: Vec<u8> = lower.iter().zip(upper).map(|(low, high)| low | high << 4).collect();
        let query: Vec<u64> = signs(&steps, self.dimension).collect();
        let distances = self.distances(&query);
        // A distance is a count of bits, so the wanted-th smallest is found by counting instead of sorting.
        let mut with = vec![0_usize; query.len() * 64 + 1];
        for distance in &distances {
            with[usize::from(*distance)] += 1;
        }
        let mut total = 0;
        let most = with.iter().position(|count| {
            total += count;
            total >= wanted
        });
        let most = most.unwrap_or(query.len() * 64) as u16;
        let near = distances.iter().enumerate().filter(|(_, distance)| **distance <= most);
        near.map(|(place, _)| place).collect()
    }

    /// Returns the number of differing signs of each code.
    fn distances(&self, query: &[u64]) -> Vec<u16> {
        // With a size known at compile time, four codes are compared at a time.
        match <&[u64; 6]>::try_from(query) {
            Ok(query) => {
                let (codes, _) = self.signs.as_chunks::<6>();
                codes.iter().map(|code| differing(code, query)).collect()
            }
            Err(_) => {
                self.signs.chunks_exact(query.len().max(1)).map(|code| differing(code, query)).collect()
            }
        }
    }
}

fn differing(code: &[u64], query: &[u64]) -> u16 {
    code.iter().zip(query).map(|(one, other)| (one ^ other).count_ones() as u16).sum()
}

/// Returns the highest bit of each level.
fn signs(steps: &[u8], dimension: usize) -> impl Iterator<Item = u64> {
    let bit = |at: usize| match steps.get(at) {
        Some(byte) => byte >> 3 & 1,
        None => steps[at - steps.len()] >> 7,
    };
    (0..dimension).step_by(64).map(move |from| {
        let to = dimension.min(from + 64);
        (from..to).rev().fold(0, |word, at| word << 1 | u64::from(bit(at)))
    })
}

/// A query as integers, which are multiplied eight at a time.
struct Estimate {
    lower: Vec<i16>,
    upper: Vec<i16>,
    sum: i32,
    scale: f32,
}

impl Estimate {
    /// The largest absolute value. With it, the sum of 60,000 products does not overflow.
    const LARGEST: f32 = 2_000.0;

    fn of(from_center: &[f32]) -> Self {
        let largest = from_center.iter().fold(f32::MIN_POSITIVE, |most, number| most.max(number.abs()));
        let scale = largest / Self::LARGEST;
        let mut lower: Vec<i16> = from_center.iter().map(|number| (number / scale).round() as i16).collect();
        let sum = lower.iter().copied().map(i32::from).sum();
        let mut upper = lower.split_off(from_center.len().div_ceil(2));
        upper.resize(lower.len(), 0);
        Self { lower, upper, sum, scale }
    }

    /// Returns the dot product with the steps of a code.
    fn along(&self, steps: &[u8]) -> f32 {
        let halves = self.lower.iter().zip(&self.upper).zip(steps);
        let sum: i32 = halves
            .map(|((low, high), byte)| {
                i32::from(*low) * i32::from(i16::from(byte & 15))
                    + i32::from(*high) * i32::from(i16::from(byte >> 4))
            })
            .sum();
        self.scale * (sum as f32 - MIDDLE * self.sum as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::dot;

    fn vector(seed: u64, dimension: usize) -> Vec<f32> {
        let mut state = seed * 7_919 + 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let numbers: Vec<f32> = (0..dimension).map(|_| 0.6 + next()).collect();
        let length = dot(&numbers, &numbers).sqrt();
        numbers.into_iter().map(|number| number / length).collect()
    }

    #[test]
    fn a_cosine_is_estimated_to_a_hundredth() {
        for dimension in [1, 2, 63, 64, 65, 384, 777] {
            let center: Vec<f32> = vector(999, dimension).iter().map(|number| number * 0.5).collect();
            let query = vector(1_000, dimension);
            let from_center: Vec<f32> = query.iter().zip(&center).map(|(a, b)| a - b).collect();
            let estimate = Estimate::of(&from_center);
            for seed in 0..50 {
                let vector = vector(seed, dimension);
                let mut codes = Codes::of(dimension);
                assert!(codes.push(&encode(&vector, &center)));
                let (toward, factor) = codes.numbers[0];
                let estimated = dot(&query, &center) + toward + factor * estimate.along(&codes.steps);
                let error = estimated - dot(&query, &vector);
                let bound = if dimension < 60 { 0.2 } else { 0.02 };
                assert!(error.abs() < bound, "{dimension}, {seed}: {error}");
            }
        }
    }

    #[test]
    fn the_mean_is_that_of_the_vectors() {
        let center = vec![0.1; 75];
        let mut codes = Codes::of(75);
        let mut mean = vec![0.0; 75];
        for seed in 0..200 {
            let vector = vector(seed, 75);
            assert!(codes.push(&encode(&vector, &center)));
            mean.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number / 200.0);
        }
        let near = codes.mean(&center).iter().zip(&mean).all(|(one, other)| (one - other).abs() < 0.003);
        assert!(near, "{:?}, {mean:?}", codes.mean(&center));
    }

    #[test]
    fn the_vector_itself_is_found_first_and_the_center_spoils_nothing() {
        let center = vec![0.05; 70];
        let mut codes = Codes::of(70);
        for seed in 0..100 {
            assert!(codes.push(&encode(&vector(seed, 70), &center)));
        }
        assert!(codes.push(&encode(&center, &center)));
        for seed in 0..100 {
            assert_eq!(codes.nearest(&vector(seed, 70), &center, 20, 1), [seed as usize]);
        }
        assert_eq!(codes.nearest(&vector(1, 70), &center, 1_000, 1_000).len(), 101);
        assert!(!codes.push(&encode(&vector(1, 72), &vec![0.0; 72])), "another dimension");
        assert!(!codes.push(&[]));
    }
}
