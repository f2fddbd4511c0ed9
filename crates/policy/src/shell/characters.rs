//! Characters that make a text look like something else. They are refused before anything is parsed.

use crate::unseen::piles_marks;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;

/// Returns the problem with a text's characters in plain words, or `None` if there is none.
pub(crate) fn deceptive(text: &str) -> Option<Phrase> {
    if piles_marks(text) {
        return Some(say::contains_letters_enough_marks());
    }
    text.chars().find_map(|c| match c {
        '\n' | '\t' => None,
        c if c.is_control() => Some(say::contains_control_characters_hide()),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{061c}' => {
            Some(say::contains_direction_marks_show())
        }
        c if is_invisible(c) => Some(say::contains_invisible_characters_hide()),
        c if !c.is_ascii() && c.is_whitespace() => Some(say::contains_blanks_shell_takes()),
        c if is_operator_twin(c) => Some(say::contains_character_looks_like()),
        _ => None,
    })
}

fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffd}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' | '\u{e000}'..='\u{f8ff}')
}

fn is_operator_twin(c: char) -> bool {
    matches!(c,
        '\u{037e}' | '\u{01c0}' | '\u{02b9}'..='\u{02bc}' | '\u{0387}' | '\u{05c3}' | '\u{2024}' | '\u{2044}' | '\u{2215}'
        | '\u{2223}' | '\u{2236}' | '\u{223c}' | '\u{29f8}' | '\u{29f9}' | '\u{fe54}' | '\u{ff01}'..='\u{ff5e}'
        | '\u{1d400}'..='\u{1d7ff}')
}

/// Whether a word mixes ASCII letters with similar-looking letters of other scripts.
pub(crate) fn mixes_scripts(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_alphabetic()) && word.chars().any(has_latin_twins)
}

fn has_latin_twins(c: char) -> bool {
    matches!(c, '\u{0370}'..='\u{058f}' | '\u{13a0}'..='\u{13ff}' | '\u{a640}'..='\u{a69f}' | '\u{0250}'..='\u{02af}'
        | '\u{1d00}'..='\u{1dbf}' | '\u{2c60}'..='\u{2c9f}' | '\u{ab30}'..='\u{abbf}' | '\u{10400}'..='\u{1044f}'
        | '\u{2100}'..='\u{218f}' | '\u{2460}'..='\u{24ff}')
}

/// Returns the text with control and invisible characters escaped, so that a screen shows each of them.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let hidden = c.is_control()
            || is_invisible(c)
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{061c}')
            || (!c.is_ascii() && c.is_whitespace());
        if hidden {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_passes_and_hidden_text_does_not() {
        for text in ["grep café notes.txt", "echo 日本語", "ls\n\tpwd", "echo “quoted”"] {
            assert_eq!(deceptive(text), None, "{text:?}");
        }
        for text in [
            "ls\r-la",
            "ls\u{0b}",
            "a\u{202e}b",
            "a\u{200b}b",
            "a\u{e0041}",
            "git\u{a0}status",
            "a\u{37e}b",
            "\u{ff4c}s",
        ] {
            assert!(deceptive(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn a_foreign_letter_among_ascii_letters_is_seen() {
        assert!(mixes_scripts("READM\u{0415}.md"));
        assert!(!mixes_scripts("\u{043f}\u{0440}"));
        assert!(!mixes_scripts("café"));
    }

    #[test]
    fn escapes_show_what_is_hidden() {
        assert_eq!(escaped("a\u{1b}b\u{202e}"), "a\\u{1b}b\\u{202e}");
    }
}
