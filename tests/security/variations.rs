//! Harmless commands in endless variation: other files and numbers, other quotes, joined and piped.

use crate::corpus::harmless;
use std::collections::HashSet;

/// Random numbers that a printed seed brings back (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    /// From `SEED`, else from the clock; says which.
    pub(crate) fn new(what: &str) -> Self {
        println!("{what}");
        Self(deputy_testkit::seed())
    }

    pub(crate) fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn one_of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

const FILES: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "Cargo.toml",
    "package.json",
    "src/main.rs",
    "src/lib.rs",
    "docs/setup.md",
    "docs/faq.md",
    "data/people.csv",
    "logs/app.log",
    "a.txt",
    "b.txt",
    "notes.txt",
    ".env.example",
    "run.sh",
];
const FOLDERS: &[&str] = &["src", "docs", "tests", "data", "logs", ".", "empty"];
const FILTERS: &[&str] = &[
    " | head -n 3",
    " | tail -n 2",
    " | wc -l",
    " | sort",
    " | sort -r",
    " | uniq -c",
    " | nl",
    " | cat -n",
    " | tr a b",
    " | cut -c1-20",
    " | grep -c a",
    " | sha256sum",
    " | rev",
    " 2>/dev/null",
    " 2>&1",
];
const JOINTS: &[&str] = &[" && ", " || ", "; ", "\n"];

/// Makes variations of the harmless commands of the cases, each a new one.
pub(crate) struct Variations {
    random: Random,
    harmless: Vec<String>,
    seen: HashSet<String>,
}

impl Variations {
    pub(crate) fn new(random: Random) -> Self {
        Self { random, harmless: harmless(), seen: HashSet::new() }
    }

    fn one(&mut self) -> String {
        let index = self.random.below(self.harmless.len());
        let command = self.harmless[index].clone();
        let words: Vec<String> = command.split(' ').map(|word| self.word(word)).collect();
        words.join(" ")
    }

    fn word(&mut self, word: &str) -> String {
        let random = &mut self.random;
        if FILES.contains(&word) && random.below(4) > 0 {
            let other = random.one_of(FILES);
            return match random.below(5) {
                0 => format!("'{other}'"),
                1 => format!("\"{other}\""),
                2 => format!("./{other}"),
                3 => format!("{}\\{}", &other[..1], &other[1..]),
                _ => other.to_owned(),
            };
        }
        if FOLDERS.contains(&word) && random.below(4) > 0 {
            return random.one_of(FOLDERS).to_owned();
        }
        if !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) {
            return random.below(60).to_string();
        }
        word.to_owned()
    }
}

impl Iterator for Variations {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let mut text = self.one();
            for _ in 0..self.random.below(3) {
                text.push_str(self.random.one_of(FILTERS));
            }
            if self.random.below(4) == 0 {
                text.push_str(self.random.one_of(JOINTS));
                text.push_str(&self.one());
            }
            if self.seen.insert(text.clone()) {
                return Some(text);
            }
        }
    }
}
