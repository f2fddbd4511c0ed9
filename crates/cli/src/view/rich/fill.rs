//! Styled words, broken into lines.

use super::width;
use crate::view::text::printable;

/// How words look.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub strong: bool,
    pub emphasis: bool,
    pub struck: bool,
    pub code: bool,
    pub link: bool,
    pub quiet: bool,
    pub added: bool,
    pub removed: bool,
}

/// A part of a paragraph.
pub(super) enum Piece {
    Text(Style, String),
    /// A line break that the source asks for.
    Break,
}

impl Piece {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(_, text) => text,
            Self::Break => " ",
        }
    }
}

/// Text in its style. An entity such as `&#27;` becomes its character only here, so what steers a terminal is written out
/// here as well.
pub(super) fn painted(style: Style, text: &str) -> String {
    let text = printable(text);
    let codes: Vec<&str> = [
        (style.strong, "1"),
        (style.quiet, "2"),
        (style.emphasis, "3"),
        (style.link, "4"),
        (style.struck, "9"),
        (style.removed, "31"),
        (style.added, "32"),
        (style.code, "36"),
    ]
    .into_iter()
    .filter_map(|(is_on, code)| is_on.then_some(code))
    .collect();
    if codes.is_empty() || text.is_empty() {
        text
    } else {
        format!("\u{1b}[{}m{text}\u{1b}[0m", codes.join(";"))
    }
}

/// The pieces as lines that are at most as wide as the columns, broken between words. Code is not broken.
pub(super) fn fill(pieces: &[Piece], columns: usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for word in words(pieces) {
        let Some(word) = word else {
            lines.push(std::mem::take(&mut line));
            used = 0;
            continue;
        };
        let needed = width(&word);
        if used > 0 && used + 1 + needed > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(&word);
        used += needed;
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The painted words of the pieces; none where a line ends.
fn words(pieces: &[Piece]) -> Vec<Option<String>> {
    let mut words: Vec<Option<String>> = Vec::new();
    // The word that the next piece may continue.
    let mut open = String::new();
    for piece in pieces {
        let Piece::Text(style, text) = piece else {
            words.extend((!open.is_empty()).then(|| Some(std::mem::take(&mut open))));
            words.push(None);
            continue;
        };
        if style.code {
            open.push_str(&painted(*style, text));
            continue;
        }
        for (place, part) in text.split([' ', '\n']).enumerate() {
            if place > 0 && !open.is_empty() {
                words.push(Some(std::mem::take(&mut open)));
            }
            open.push_str(&painted(*style, part));
        }
    }
    words.extend((!open.is_empty()).then_some(Some(open)));
    words
}
