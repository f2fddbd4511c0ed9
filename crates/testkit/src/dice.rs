//! Reproducible random numbers, using SplitMix64 as published by Vigna.

/// A random number generator with a seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Creates a generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns `true` with the given probability.
    pub fn hits(&mut self, odds: f64) -> bool {
        // A 64-bit float has a precision of 53 bits.
        ((self.next() >> 11) as f64 / (1_u64 << 53) as f64) < odds
    }

    /// Returns a number below `end`. 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or(0)
    }

    /// Returns another generator, for something that runs independently.
    pub fn split(&mut self) -> Self {
        Self(self.next())
    }
}
