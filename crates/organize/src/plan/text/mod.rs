//! What documents say: their plain text, as far as it takes to tell what they are about.
//!
//! Documents come from anywhere. Each reader takes a bounded part of its file and gives a bounded text, whatever the
//! file claims about itself.

mod office;
mod pdf;

pub(crate) use pdf::of as pdf_strings;

use std::fs::File;
use std::io::Read;

/// Bytes of text that a document gives at most.
pub(super) const MOST_TEXT: usize = 64 * 1024;

/// The text of a document; empty where it has none that can be read.
pub(super) fn text_of(file: &File, ending: &str) -> String {
    match ending {
        "pdf" => pdf::text(file),
        "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "epub" => office::text(file, ending),
        "html" | "htm" => without_tags(&plain(file)),
        "txt" | "md" | "rst" | "org" | "tex" | "csv" | "tsv" | "eml" => plain(file),
        _ => String::new(),
    }
}

/// The beginning of a file as text; nothing where it is none.
fn plain(file: &File) -> String {
    let bytes = beginning(file, MOST_TEXT);
    if bytes.contains(&0) { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() }
}

/// The first bytes of a file, as many as there are.
fn beginning(file: &File, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before an error is still worth something.
    let _ = file.take(most as u64).read_to_end(&mut bytes);
    bytes
}

/// Markup without its tags, each of which ends a word.
fn without_tags(markup: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for letter in markup.chars() {
        match letter {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                text.push(' ');
            }
            letter if !is_tag => text.push(letter),
            _ => {}
        }
        if text.len() >= MOST_TEXT {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_end_words_and_what_is_no_text_gives_none() {
        assert_eq!(without_tags("<p>one</p><b>two"), " one  two");
        assert_eq!(without_tags("a < b"), "a ");
        assert!(without_tags(&"x".repeat(10 * MOST_TEXT)).len() <= MOST_TEXT);
    }
}
