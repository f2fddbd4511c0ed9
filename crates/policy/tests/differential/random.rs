//! Random choices that can be repeated with a seed.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        // Xorshift (Marsaglia, 2003), with the multiplication of its star variant.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % most
    }

    /// Returns true once in `chances` on average.
    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(crate) fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }

    /// Returns a random sequence of the texts.
    pub(crate) fn some<'a>(&mut self, most: usize, texts: &[&'a str]) -> Vec<&'a str> {
        (0..self.below(most + 1)).map(|_| self.of(texts)).collect()
    }

    /// Returns a text with a few pieces inserted, removed or doubled.
    pub(crate) fn changed(&mut self, text: &str, pieces: &[&str]) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..self.below(3) {
            let at = self.below(chars.len() + 1);
            match self.below(4) {
                0 if at < chars.len() => {
                    chars.remove(at);
                }
                1 if at < chars.len() => chars.insert(at, chars[at]),
                _ => {
                    let piece: Vec<char> = self.of(pieces).chars().collect();
                    chars.splice(at..at, piece);
                }
            }
        }
        chars.into_iter().collect()
    }
}

/// Quotes a word for the shell.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
