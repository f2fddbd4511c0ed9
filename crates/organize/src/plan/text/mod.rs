//! Extracts as much plain text from documents as is needed to determine their topics.
//!
//! Documents are untrusted. Each reader reads a limited part of its file and returns a limited text, whatever the file
//! claims about itself.

mod office;
mod pdf;

pub(crate) use pdf::of as pdf_strings;

use std::fs::File;
use std::io::Read;

/// The maximum length of the text of a document, in bytes.
pub(super) const MOST_TEXT: usize = 64 * 1024;

/// Returns the text of a document. Empty if it has no readable text.
pub(super) fn text_of(file: &File, ending: &str) -> String {
    match ending {
        "pdf" => pdf::text(file),
        "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "epub" => office::text(file, ending),
        "html" | "htm" => without_tags(&plain(file)),
        "txt" | "md" | "rst" | "org" | "tex" | "csv" | "tsv" | "eml" => plain(file),
        _ => String::new(),
    }
}

/// Returns the beginning of a text file. Empty if the file is binary.
fn plain(file: &File) -> String {
    let bytes = beginning(file, MOST_TEXT);
    if bytes.contains(&0) { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() }
}

/// Returns up to `most` bytes from the beginning of a file.
fn beginning(file: &File, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // On an error, use what was read before it.
    let _ = file.take(most as u64).read_to_end(&mut bytes);
    bytes
}

/// Returns markup without its tags. Each tag ends a word.
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
