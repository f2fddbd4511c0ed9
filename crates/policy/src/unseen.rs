//! Characters that are invisible, or that change how other text is displayed.
//!
//! They are never removed silently: a text that contains such a character is asked about or refused, and is shown
//! with escapes.

use regex::Regex;
use std::sync::LazyLock;

/// Whether `c` is a control, bidirectional, zero-width, tag or otherwise ignorable character.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The maximum number of marks that a script puts on a letter: up to three in Hebrew and Arabic, fewer in Tibetan and
/// Vietnamese.
const MOST_MARKS: usize = 3;

/// Whether `c` is a combining mark, drawn on the letter before it.
fn is_mark(c: char) -> bool {
    if c < '\u{300}' {
        return false;
    }
    // A test ensures that the pattern compiles.
    static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{M}$").ok());
    MARK.as_ref().is_none_or(|mark| mark.is_match(c.encode_utf8(&mut [0; 4])))
}

/// Whether a letter has more marks than any script puts on a letter. Such marks cover the text around them.
pub(crate) fn piles_marks(text: &str) -> bool {
    let mut marks = 0;
    !text.is_ascii()
        && text.chars().any(|c| {
            marks = if is_mark(c) { marks + 1 } else { 0 };
            marks > MOST_MARKS
        })
}

/// Returns `text` with every invisible character escaped, so that the screen shows everything that it contains.
pub(crate) fn escape(text: &str) -> String {
    escaped(text, |_| false)
}

/// Returns `text` with escapes for everything that a screen would not show: invisible characters, except those that
/// `keeps` accepts, and marks beyond the number that a letter can have.
fn escaped(text: &str, keeps: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if is_unseen(c) && !keeps(c) || marks > MOST_MARKS {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Like `escape`, but keeps newlines and tabs. For texts of several lines that are shown to people.
pub fn visible(text: &str) -> String {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::{piles_marks, visible};

    #[test]
    fn what_a_screen_would_hide_is_written_out() {
        assert_eq!(visible("a\tb\nc ü 漢"), "a\tb\nc ü 漢");
        // Marks pile up over the lines around a letter. The first few are shown unchanged.
        let piled = format!("a{}b", "\u{301}".repeat(5));
        assert!(piles_marks(&piled));
        assert_eq!(visible(&piled), "a\u{301}\u{301}\u{301}\\u{301}\\u{301}b");
        for ordinary in ["ế", "e\u{302}\u{301}", "שָׁלוֹם", "किं", "ภาษาที่", "😀"]
        {
            assert!(!piles_marks(ordinary), "{ordinary}");
        }
        assert_eq!(visible("rm\u{202e}x\u{200b}\r\u{1b}[8m"), r"rm\u{202e}x\u{200b}\u{d}\u{1b}[8m");
    }
}
