//! The text of files: extracted from documents, and the content itself for other files.

use crate::budget::Budget;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The number of bytes that are searched at once. A match must be within one piece.
const PIECE: usize = 1024 * 1024;
/// The number of bytes at the end of a piece that are searched again with the next piece.
const OVERLAP: usize = 8 * 1024;
/// The number of bytes to check for telling text from binary data.
const SNIFFED: usize = 8 * 1024;

/// The maximum length of the text of a document, in bytes.
const MOST_TEXT: usize = 16 * 1024 * 1024;

/// Returns the text of a document such as a PDF or a Word file. `None` for other files.
pub(crate) fn text_of(file: &File, name: &str) -> Option<String> {
    deputy_organize::document_text(file, name, MOST_TEXT)
}

/// Returns whether the text of a file contains `wanted`, which must be case-folded.
pub(crate) fn holds(file: &File, name: &Path, wanted: &str, budget: &Budget) -> bool {
    if let Some(text) = text_of(file, &name.to_string_lossy()) {
        return deputy_organize::fold(&text).contains(wanted);
    }
    let mut reader = budget.read(file, name.as_os_str());
    let mut piece: Vec<u8> = Vec::with_capacity(PIECE + OVERLAP);
    let mut is_first = true;
    loop {
        let before = piece.len();
        let read = (&mut reader).take(PIECE as u64).read_to_end(&mut piece);
        if is_first && piece[..piece.len().min(SNIFFED)].contains(&0) {
            return false;
        }
        is_first = false;
        if deputy_organize::fold(&String::from_utf8_lossy(&piece)).contains(wanted) {
            return true;
        }
        if read.is_err() || piece.len() == before {
            return false;
        }
        piece.drain(..piece.len().saturating_sub(OVERLAP));
    }
}
