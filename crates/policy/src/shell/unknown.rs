//! Marks for what is known only when a text runs: a private character in the place of each such part of a word.

/// The first character that is used as a mark.
const FIRST: u32 = 0xF_0000;
/// How many characters each kind has: two for each part.
const OF_EACH: u32 = 0x1000;
/// The most parts of a text that are kept apart.
pub(crate) const MOST: usize = 512;

/// What is known of such a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Nothing.
    Text,
    /// Digits, or nothing where the command fails.
    Number,
    /// Digits for certain, behind a sign perhaps: what is computed of numbers.
    Computed,
    /// A date or a time in digits and plain signs, or nothing where the command fails: never an option.
    Stamp,
    /// The hash of a commit, or nothing where the command fails.
    Commit,
    /// Hashes of many commits: one of them where a loop goes through them.
    Commits,
    /// Names of files that a search finds.
    Names,
    /// A pipe that is passed as the name of a file.
    Pipe,
}

const ALL: [Unknown; 8] = [
    Unknown::Text,
    Unknown::Number,
    Unknown::Computed,
    Unknown::Stamp,
    Unknown::Commit,
    Unknown::Commits,
    Unknown::Names,
    Unknown::Pipe,
];

/// A mark read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) unknown: Unknown,
    /// Which part of the text it is.
    pub(crate) index: usize,
    /// Whether the shell splits what it is into words.
    pub(crate) is_split: bool,
}

impl Mark {
    /// Whether it may be several words, or one that begins with a dash.
    pub(crate) fn is_any(self) -> bool {
        matches!(self.unknown, Unknown::Text | Unknown::Names)
    }
}

/// The mark of a part; `None` where there are too many.
pub(crate) fn mark(unknown: Unknown, index: usize) -> Option<char> {
    let kind = u32::try_from(ALL.iter().position(|other| *other == unknown)?).ok()?;
    let index = u32::try_from(index).ok().filter(|_| index < MOST)?;
    char::from_u32(FIRST + kind * OF_EACH + index * 2)
}

/// What a character marks.
pub(crate) fn of(c: char) -> Option<Mark> {
    let at = u32::from(c).checked_sub(FIRST)?;
    let unknown = *ALL.get(usize::try_from(at / OF_EACH).ok()?)?;
    let within = at % OF_EACH;
    Some(Mark { unknown, index: usize::try_from(within / 2).ok()?, is_split: within % 2 == 1 })
}

/// The mark of the same part where the shell splits it into words.
pub(crate) fn split(c: char) -> char {
    match of(c) {
        Some(mark) if !mark.is_split => char::from_u32(u32::from(c) + 1).unwrap_or(c),
        _ => c,
    }
}

/// The marks in a word.
pub(crate) fn marks(word: &str) -> impl Iterator<Item = Mark> + '_ {
    word.chars().filter_map(of)
}

/// Whether a word holds any.
pub(crate) fn holds(word: &str) -> bool {
    marks(word).next().is_some()
}

/// Whether a word may become several, an option, or none at all.
pub(crate) fn may_be_options(word: &str) -> bool {
    let first = word.chars().next().and_then(of);
    let vanishes = |mark: Mark| {
        mark.is_split && matches!(mark.unknown, Unknown::Number | Unknown::Stamp) && word.chars().count() == 1
    };
    first.is_some_and(|mark| mark.is_any() || vanishes(mark))
        || marks(word).any(|mark| mark.is_any() && mark.is_split)
}

/// Whether a word may begin with the dash of a negative number.
pub(crate) fn may_be_negative(word: &str) -> bool {
    word.chars().next().and_then(of).is_some_and(|mark| mark.unknown == Unknown::Computed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_back() {
        for unknown in ALL {
            let c = mark(unknown, 511).unwrap();
            assert_eq!(of(c), Some(Mark { unknown, index: 511, is_split: false }));
            assert_eq!(of(split(c)), Some(Mark { unknown, index: 511, is_split: true }));
            assert_eq!(mark(unknown, MOST), None);
        }
        assert!(!holds("ls -la é 漢"));
    }
}
