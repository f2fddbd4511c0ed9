//! Shows the planner's text while it arrives: complete blocks stay on the screen, and the last line is live.

use super::rich::blocks;
use super::screen::Screen;
use super::text::printable;

/// One answer as far as it has come.
#[derive(Default)]
pub(super) struct Stream {
    text: String,
    /// The length of the text that is already printed, up to the end of a line.
    told: usize,
}

impl Stream {
    /// A new answer begins.
    pub(super) fn begin(&mut self) {
        *self = Self::default();
    }

    /// Adds a piece and prints the blocks that it completes. Answers that are data are not printed.
    pub(super) fn hear(&mut self, screen: &Screen, piece: &str) {
        self.text.push_str(piece);
        let is_data = self.text.trim_start().starts_with(['{', '[', '`']);
        // Only a complete line can complete a block.
        if screen.is_live() && !is_data && piece.contains('\n') {
            if screen.colour { self.tell_blocks(screen) } else { self.tell_lines(screen) }
        }
        if let Some(line) = self.text[self.told..].lines().rfind(|line| !line.trim().is_empty()) {
            screen.say(&printable(line.trim()));
        }
    }

    /// Prints whole lines unchanged.
    fn tell_lines(&mut self, screen: &Screen) {
        while let Some(length) = self.text[self.told..].find('\n') {
            let line = &self.text[self.told..self.told + length];
            if self.told == 0 {
                screen.line("");
            }
            // The text may begin with empty lines.
            if !self.text[..self.told + length].trim().is_empty() {
                screen.prose(&printable(line.trim_end()));
            }
            self.told += length + 1;
        }
    }

    /// Prints the blocks that no later text can change.
    fn tell_blocks(&mut self, screen: &Screen) {
        let fresh = &self.text[self.told..];
        let fresh = &fresh[..fresh.rfind('\n').map_or(0, |at| at + 1)];
        let shown = printable(fresh);
        let blocks = blocks(&shown, screen.columns());
        let complete = match blocks.last() {
            Some(last) if last.is_closed => blocks.len(),
            _ => blocks.len().saturating_sub(1),
        };
        let mut told = self.told;
        for (place, block) in blocks[..complete].iter().enumerate() {
            screen.block(block, block.is_apart || (place == 0 && self.told == 0), "");
            // Escaping control characters does not change the number of lines.
            let lines = shown[..block.end].matches('\n').count();
            told = self.told
                + fresh.match_indices('\n').nth(lines.saturating_sub(1)).map_or(0, |(at, _)| at + 1);
        }
        self.told = told;
    }

    /// Prints the rest of the whole text, with the empty lines of its source.
    pub(super) fn tell_rest(&self, screen: &Screen, whole: &str) {
        let rest = self.rest(whole);
        if rest.is_empty() {
            return;
        }
        let is_told = whole.trim().len() > rest.len();
        let before = &whole.trim()[..whole.trim().len() - rest.len()];
        let is_apart = before[before.trim_end().len()..].matches('\n').count() > 1;
        let is_heading = rest.starts_with('#') && screen.colour;
        if !is_told || is_apart || is_heading {
            screen.line("");
        }
        screen.words(&printable(rest), "");
    }

    /// What of the whole text is yet to be printed; all of it where it does not begin with what was.
    pub(super) fn rest<'a>(&self, whole: &'a str) -> &'a str {
        let told = self.text[..self.told].trim();
        match whole.trim().strip_prefix(told) {
            Some(rest) => rest.trim_start_matches(['\r', '\n']),
            None => whole.trim(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_is_not_told_again() {
        let told = "\nFirst line.\nSecond";
        let stream = Stream { text: told.to_owned(), told: "\nFirst line.\n".len() };
        assert_eq!(stream.rest("First line.\nSecond line."), "Second line.");
        assert_eq!(stream.rest("First line."), "");
        assert_eq!(stream.rest("Another answer."), "Another answer.");
        assert_eq!(Stream::default().rest(" All of it. "), "All of it.");
    }
}
