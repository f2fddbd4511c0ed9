//! Takes keys and other secrets out of what the sidecar writes, before any of it is logged or shown.

use crate::Redact;

/// What replaces a key.
const REDACTED: &str = "[redacted]";

/// Shorter keys are placeholders that local servers want (`none`, `ollama`); to take them out would only garble
/// the log.
const SHORTEST_KEY: usize = 8;

/// Knows the keys.
pub(crate) struct Redactor {
    /// Longest first, so that a key that holds another one goes as a whole.
    keys: Vec<String>,
    /// Takes out what has the shape of a secret.
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

    /// One line for people: keys and other secrets taken out, control characters blanked, at most `limit` bytes.
    pub(crate) fn line(&self, text: &str, limit: usize) -> String {
        let mut line = text.to_owned();
        for key in &self.keys {
            if line.contains(key.as_str()) {
                line = line.replace(key.as_str(), REDACTED);
            }
        }
        line = (self.shapes)(&line).into_owned();
        // A terminal would act on escape sequences, and a line feed would forge a line of the log.
        let mut line: String =
            line.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if line.len() > limit {
            line.truncate(beginning(&line, limit).len());
            line.push('…');
        }
        line
    }

    /// As [`Self::line`], for the beginning of a text that was cut off: what could be the first part of a key goes too.
    pub(crate) fn cut_line(&self, text: &str, limit: usize) -> String {
        let longest = self.keys.first().map_or(0, String::len);
        self.line(beginning(text, text.len().saturating_sub(longest)), limit)
    }
}

/// The longest beginning of at most `limit` bytes that ends between two characters.
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
