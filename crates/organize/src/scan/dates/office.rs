//! The date of a document that is an archive inside: Word, Excel, PowerPoint, OpenDocument, EPUB.

use super::date_of_digits;
use jiff::civil::Date;
use std::fs::File;
use std::io::Read;

/// Where each family keeps its particulars, and under which marks.
const PLACES: [(&str, [&str; 2]); 2] = [
    ("docProps/core.xml", ["<dcterms:created", "<dcterms:modified"]),
    ("meta.xml", ["<meta:creation-date", "<dc:date"]),
];

/// Particulars are short; a longer part is none.
const MOST_BYTES: u64 = 64 * 1024;

/// When the document was made, else when it was last changed.
pub(super) fn date(file: &File) -> Option<Date> {
    let mut archive = crate::archive::open(file)?;
    PLACES.iter().find_map(|(place, marks)| {
        let mut text = Vec::new();
        archive.by_name(place).ok()?.take(MOST_BYTES).read_to_end(&mut text).ok()?;
        let text = String::from_utf8_lossy(&text);
        marks.iter().find_map(|mark| {
            let (_, rest) = text.split_once(mark)?;
            let (_, value) = rest.split_once('>')?;
            date_of_digits(value.trim_start().as_bytes())
        })
    })
}
