//! The text of files: of documents the text in them, of others what they hold as text.

use crate::budget::Budget;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes that are looked at at once. A text that is looked for has to be within.
const PIECE: usize = 1024 * 1024;
/// Bytes of the end of a piece that are looked at again with the next one.
const OVERLAP: usize = 8 * 1024;
/// Bytes looked at to tell text from binary.
const SNIFFED: usize = 8 * 1024;

/// Bytes of text that a document gives at most.
const MOST_TEXT: usize = 16 * 1024 * 1024;

/// The text of a document such as a PDF or a Word file; nothing for other files.
pub(crate) fn text_of(file: &File, name: &str) -> Option<String> {
    deputy_organize::document_text(file, name, MOST_TEXT)
}

/// Whether the text of a file holds a folded text, whatever its case.
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
