//! What a planner says while it says it: whole lines stay on the screen, the last one is live.

use super::screen::Screen;
use super::text::printable;

/// One answer as far as it has come.
#[derive(Default)]
pub(super) struct Stream {
    text: String,
    /// How much of the text has been printed, to the end of a line.
    told: usize,
}

impl Stream {
    /// A new answer begins.
    pub(super) fn begin(&mut self) {
        *self = Self::default();
    }

    /// Takes in a piece. Its whole lines are printed, but for those of an answer that is data rather than words.
    pub(super) fn hear(&mut self, screen: &Screen, piece: &str) {
        self.text.push_str(piece);
        let is_data = self.text.trim_start().starts_with(['{', '[', '`']);
        if screen.is_live() && !is_data {
            while let Some(length) = self.text[self.told..].find('\n') {
                let line = &self.text[self.told..self.told + length];
                if self.told == 0 {
                    screen.line("");
                }
                // What it begins with may be empty lines.
                if !self.text[..self.told + length].trim().is_empty() {
                    screen.prose(&screen.rich(&printable(line.trim_end())));
                }
                self.told += length + 1;
            }
        }
        if let Some(line) = self.text[self.told..].lines().rfind(|line| !line.trim().is_empty()) {
            screen.say(&printable(line.trim()));
        }
    }

    /// What of the whole text is yet to be printed; all of it where it does not begin with what was.
    pub(super) fn rest<'a>(&self, whole: &'a str) -> &'a str {
        let told = self.text[..self.told].trim();
        match whole.trim().strip_prefix(told) {
            Some(rest) => rest.trim_start_matches(['\r', '\n']),
            None => whole.trim(),
        }
    }

    /// Whether something of it was printed.
    pub(super) fn has_begun(&self) -> bool {
        self.told > 0
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
