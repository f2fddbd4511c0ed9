//! Formats text of a page on a line: quoted, shortened, and without characters that control or hide text.

pub(crate) fn push_word(line: &mut String, word: &str) {
    let word = word.trim();
    if word.is_empty() {
        return;
    }
    if !line.is_empty() && !line.ends_with(char::is_whitespace) {
        line.push(' ');
    }
    line.push_str(word);
}

pub(crate) fn quoted(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("\"{}\"", name.replace('"', "'")) }
}

/// Shortens the text to one line of at most `most` characters, without characters that control or hide text.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let clean = text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c });
    cut_line(&clean.filter(|c| !hides(*c)).collect::<String>(), most)
}

pub(crate) fn cut_line(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns whether a character reverses, joins or hides the text around it.
fn hides(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
