//! Converts doc comments for generated files.

/// Removes the marks that only rustdoc understands from a doc comment, and joins it into one line.
pub(super) fn plain(documentation: &str) -> String {
    let joined = documentation.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.replace("[`crate::", "`").replace("[`", "`").replace("`]", "`").replace('\\', "\\\\")
}

/// Wraps text in lines of at most `width` characters.
pub(super) fn wrapped(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_plain_names() {
        assert_eq!(
            plain("[`crate::PROTOCOL_VERSION`]; see\n [`Other`]."),
            "`PROTOCOL_VERSION`; see `Other`."
        );
    }

    #[test]
    fn lines_stay_within_their_width() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
    }
}
