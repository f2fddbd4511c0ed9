//! Redacts keys and other secrets from the output of the sidecar, before any of it is logged or shown.

use crate::Redact;

/// What replaces a key.
const REDACTED: &str = "[redacted]";

/// The minimum length of a key. Shorter keys are placeholders that local servers require (`none`, `ollama`); redacting
/// them would only garble the log.
const SHORTEST_KEY: usize = 8;

/// Redacts the keys and other secrets.
pub(crate) struct Redactor {
    /// Longest first, so that a key that contains another one is redacted as a whole.
    keys: Vec<String>,
    /// Redacts secrets by their shape.
    shapes: Redact,
}

impl Redactor {
    pub(crate) fn new<'a>(keys: impl IntoIterator<Item = &'a String>, shapes: Redact) -> Self {
        let mut keys: Vec<String> =
            keys.into_iter().filter(|key| key.len() >= SHORTEST_KEY).cloned().collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.len()));
        keys.dedup();
        Self { keys, shapes }
    }

    /// Returns a text as one line for display: keys and other secrets redacted, control characters replaced by blanks,
    /// at most `limit` bytes.
    pub(crate) fn line(&self, text: &str, limit: usize) -> String {
        let mut line = text.to_owned();
        for key in &self.keys {
            if line.contains(key.as_str()) {
                line = line.replace(key.as_str(), REDACTED);
            }
        }
        line = (self.shapes)(&line).into_owned();
        // A terminal would interpret escape sequences, and a line feed would forge a line of the log.
        let mut line: String =
            line.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if line.len() > limit {
            line.truncate(beginning(&line, limit).len());
            line.push('…');
        }
        line
    }

    /// Like [`Self::line`], for a text whose end was cut off: what could be the beginning of a key is removed as well.
    pub(crate) fn cut_line(&self, text: &str, limit: usize) -> String {
        let longest = self.keys.first().map_or(0, String::len);
        self.line(beginning(text, text.len().saturating_sub(longest)), limit)
    }
}

/// Returns the longest prefix of at most `limit` bytes that ends at a character boundary.
fn beginning(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        let keys = ["sk-abcdefgh".to_owned(), "sk-abcdefgh-longer".to_owned(), "ollama".to_owned()];
        Redactor::new(&keys, |text| text.replace("password=hush", "password=[gone]").into())
    }

    #[test]
    fn keys_go_and_placeholders_stay() {
        let line = redactor().line("a sk-abcdefgh b sk-abcdefgh-longer c ollama\n", 100);
        assert_eq!(line, "a [redacted] b [redacted] c ollama");
    }

    #[test]
    fn what_has_the_shape_of_a_secret_goes_too() {
        assert_eq!(redactor().line("a password=hush b", 100), "a password=[gone] b");
    }

    #[test]
    fn control_characters_are_blanked_and_long_lines_cut_at_a_character() {
        assert_eq!(redactor().line("a\x1b[31m\nb", 100), "a [31m b");
        assert_eq!(redactor().line("äää", 3), "ä…");
    }

    #[test]
    fn a_key_cut_in_half_does_not_show() {
        let line = redactor().cut_line("ten bytes sk-abcdefgh-lo", 100);
        assert!(!line.contains("sk-a"), "{line}");
    }
}
