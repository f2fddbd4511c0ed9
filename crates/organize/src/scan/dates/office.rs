//! Dates of documents that are ZIP archives: Word, Excel, PowerPoint, OpenDocument, EPUB.

use super::date_of_digits;
use jiff::civil::Date;
use std::fs::File;
use std::io::Read;

/// The metadata part of each document family, and the tags with dates.
const PLACES: [(&str, [&str; 2]); 2] = [
    ("docProps/core.xml", ["<dcterms:created", "<dcterms:modified"]),
    ("meta.xml", ["<meta:creation-date", "<dc:date"]),
];

/// The maximum size of a metadata part, in bytes.
const MOST_BYTES: u64 = 64 * 1024;

/// Returns when the document was created, or else last modified.
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
