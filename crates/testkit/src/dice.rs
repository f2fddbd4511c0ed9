//! Chance that can be had again: SplitMix64, as Vigna gives it.

/// A source of numbers that one seed decides.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// One whose numbers follow from `seed`.
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

    /// Whether something happens that happens with these odds.
    pub fn hits(&mut self, odds: f64) -> bool {
        // 53 bits are what a number of 64 bits with a point holds.
        ((self.next() >> 11) as f64 / (1_u64 << 53) as f64) < odds
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or(0)
    }

    /// Another source, for something that continues besides this.
    pub fn split(&mut self) -> Self {
        Self(self.next())
    }
}
