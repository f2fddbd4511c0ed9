//! Marks for the parts of a word whose values are known only at run time. Each part is represented by a private-use
//! character.

/// The first character that is used as a mark.
const FIRST: u32 = 0xF_0000;
/// The number of characters for each kind: two for each part.
const OF_EACH: u32 = 0x1000;
/// The maximum number of parts of a text that can be distinguished.
pub(crate) const MOST: usize = 512;

/// The properties of an unknown part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Any text.
    Text,
    /// Digits, or empty if the command fails.
    Number,
    /// Always digits, possibly with a sign: the result of arithmetic.
    Computed,
    /// A date or a time in digits and plain punctuation, or empty if the command fails. It is never an option.
    Stamp,
    /// The hash of a commit, or empty if the command fails.
    Commit,
    /// Hashes of several commits; a single hash in a loop over them.
    Commits,
    /// File names that a search finds.
    Names,
    /// A pipe that is passed as a file name.
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

/// A decoded mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) unknown: Unknown,
    /// The index of the part of the text.
    pub(crate) index: usize,
    /// Whether the shell splits the value into words.
    pub(crate) is_split: bool,
}

impl Mark {
    /// Whether the value may be several words, or start with a dash.
    pub(crate) fn is_any(self) -> bool {
        matches!(self.unknown, Unknown::Text | Unknown::Names)
    }
}

/// Returns the mark of a part. `None` if there are too many parts.
pub(crate) fn mark(unknown: Unknown, index: usize) -> Option<char> {
    let kind = u32::try_from(ALL.iter().position(|other| *other == unknown)?).ok()?;
    let index = u32::try_from(index).ok().filter(|_| index < MOST)?;
    char::from_u32(FIRST + kind * OF_EACH + index * 2)
}

/// Decodes a mark. `None` if the character is not a mark.
pub(crate) fn of(c: char) -> Option<Mark> {
    let at = u32::from(c).checked_sub(FIRST)?;
    let unknown = *ALL.get(usize::try_from(at / OF_EACH).ok()?)?;
    let within = at % OF_EACH;
    Some(Mark { unknown, index: usize::try_from(within / 2).ok()?, is_split: within % 2 == 1 })
}

/// Returns the mark of the same part for a position in which the shell splits it into words.
pub(crate) fn split(c: char) -> char {
    match of(c) {
        Some(mark) if !mark.is_split => char::from_u32(u32::from(c) + 1).unwrap_or(c),
        _ => c,
    }
}

/// Returns the marks in a word.
pub(crate) fn marks(word: &str) -> impl Iterator<Item = Mark> + '_ {
    word.chars().filter_map(of)
}

/// Whether a word contains a mark.
pub(crate) fn holds(word: &str) -> bool {
    marks(word).next().is_some()
}

/// Whether a word may become several words, an option, or nothing.
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
