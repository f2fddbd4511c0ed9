//! Characters that a person does not see, or that change what a person sees.
//!
//! They are never folded away: a text that holds one is asked about or refused, and shown with escapes.

/// Whether `c` is a control, bidirectional, zero-width, tag or otherwise ignorable character.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// `text` with every unseen character written as an escape, so that a screen shows what is there.
pub(crate) fn escape(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// As [`escape`], but lines stay lines and tabs stay tabs: for texts of several lines that a person reads.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_layout = matches!(c, '\n' | '\t');
        if is_unseen(c) && !is_layout { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_a_screen_would_hide_is_written_out() {
        assert_eq!(visible("a\tb\nc ü 漢"), "a\tb\nc ü 漢");
        assert_eq!(visible("rm\u{202e}x\u{200b}\r\u{1b}[8m"), r"rm\u{202e}x\u{200b}\u{d}\u{1b}[8m");
    }
}
