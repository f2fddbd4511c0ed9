//! Wraps styled words into lines.

use super::width;
use crate::view::text::printable;

/// The style of words.
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
    /// A hard line break in the source.
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

/// Returns a styled text. Entities such as `&#27;` are only decoded here, so control characters are escaped here too.
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

/// Wraps the pieces between words into lines that fit into the columns. Code is not wrapped.
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

/// Returns the styled words of the pieces. `None` marks a line break.
fn words(pieces: &[Piece]) -> Vec<Option<String>> {
    let mut words: Vec<Option<String>> = Vec::new();
    // The last word, which the next piece may continue.
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
