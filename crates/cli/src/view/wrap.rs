//! Lines of prose, broken between words where the terminal ends.

use console::measure_text_width;

/// Breaks each line that is wider than the terminal between words. The rest is indented like the text of its line.
/// Text between backticks stays in one piece: a command that is copied must not contain a line break.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    let lines = text.split('\n').map(|line| wrapped_line(line, columns));
    lines.collect::<Vec<_>>().join("\n")
}

fn wrapped_line(line: &str, columns: usize) -> String {
    if measure_text_width(line) <= columns {
        return line.to_owned();
    }
    let words = words(line);
    let indent = " ".repeat(hanging(&words).min(columns / 2));
    let mut out = String::with_capacity(line.len() + 16);
    let (mut width, mut is_begun) = (0, false);
    for (place, word) in words.iter().enumerate() {
        let needed = measure_text_width(word);
        if is_begun && width + 1 + needed > columns && !word.is_empty() {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&indent);
            width = indent.len();
        } else if place > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += needed;
        is_begun |= is_text(word);
    }
    out
}

/// The pieces of a line that are never broken. Several spaces in a row give empty ones.
fn words(line: &str) -> Vec<&str> {
    let (mut words, mut from, mut is_code) = (Vec::new(), 0, false);
    for (at, letter) in line.char_indices() {
        match letter {
            // A backtick without its second is a letter like any other.
            '`' => is_code = !is_code && line[at + 1..].contains('`'),
            ' ' if !is_code => {
                words.push(&line[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    words.push(&line[from..]);
    words
}

/// How far the text of a line is from its left edge: behind its indentation and its mark, such as `✓` or `-`.
fn hanging(words: &[&str]) -> usize {
    let before = words.iter().take_while(|word| !is_text(word));
    before.map(|word| measure_text_width(word) + 1).sum()
}

/// Whether a word is more than a mark or nothing.
fn is_text(word: &str) -> bool {
    let bare = console::strip_ansi_codes(word);
    bare.chars().count() > 1 || bare.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_below_the_text_of_their_line() {
        for (text, columns, shown) in [
            ("short", 10, "short"),
            ("one two three four", 10, "one two\nthree four"),
            ("  ✓ one two three", 11, "  ✓ one two\n    three"),
            ("    - one two three", 13, "    - one two\n      three"),
            ("one two\n  three four five", 12, "one two\n  three four\n  five"),
            ("supercalifragilistic word", 10, "supercalifragilistic\nword"),
            ("  Allow? [y]es / [n]o > ", 16, "  Allow? [y]es /\n  [n]o > "),
        ] {
            assert_eq!(wrapped(text, columns), shown, "{text:?}");
        }
    }

    #[test]
    fn a_command_stays_in_one_piece_and_a_lone_backtick_binds_nothing() {
        assert_eq!(wrapped("see `deputy undo t1` now", 12), "see\n`deputy undo t1`\nnow");
        assert_eq!(wrapped("a ` b c d e", 6), "a ` b\nc d e");
    }

    #[test]
    fn colors_take_no_room_and_wide_letters_take_two() {
        assert_eq!(wrapped("\u{1b}[33m?\u{1b}[0m one two", 9), "\u{1b}[33m?\u{1b}[0m one two");
        assert_eq!(wrapped("\u{1b}[33m?\u{1b}[0m one two", 8), "\u{1b}[33m?\u{1b}[0m one\n  two");
        assert_eq!(wrapped("日本 日本", 8), "日本\n日本");
    }
}
