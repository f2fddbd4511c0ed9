//! Formats an argv in its canonical quoted form, as it is shown to people.

use super::characters::escaped;

/// Formats the words so that bash parses the same words again. Hidden characters are escaped.
pub(crate) fn quoted(argv: &[String]) -> String {
    argv.iter().map(|word| quoted_word(word)).collect::<Vec<_>>().join(" ")
}

fn quoted_word(word: &str) -> String {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c) || (!c.is_ascii() && c.is_alphanumeric())
    };
    if !word.is_empty() && word.chars().all(plain) {
        return escaped(word);
    }
    format!("'{}'", escaped(&word.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_where_needed() {
        let argv = ["grep", "a b", "it's", "", "café", "x\u{1b}y"].map(str::to_owned);
        assert_eq!(quoted(&argv), "grep 'a b' 'it'\\''s' '' café 'x\\u{1b}y'");
    }
}
