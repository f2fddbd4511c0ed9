//! The date of a PDF, from its uncompressed metadata or XMP packet.

use super::date_of_digits;
use jiff::civil::Date;

/// Returns when the document was created, or else last modified.
pub(super) fn date(beginning: &[u8], end: &[u8]) -> Option<Date> {
    let marks: [&[u8]; 4] = [b"/CreationDate", b"xmp:CreateDate", b"/ModDate", b"xmp:ModifyDate"];
    marks.iter().find_map(|mark| after(end, mark).or_else(|| after(beginning, mark)))
}

/// Returns the date after the last occurrence of a mark. Later occurrences replace earlier ones.
fn after(bytes: &[u8], mark: &[u8]) -> Option<Date> {
    /// The maximum number of brackets, `D:`, quotes and spaces between a mark and its date.
    const MOST_BETWEEN: usize = 12;
    let mut end = bytes.len();
    while let Some(place) = bytes[..end].windows(mark.len()).rposition(|window| window == mark) {
        let rest = &bytes[place + mark.len()..];
        let start = rest.iter().take(MOST_BETWEEN).position(u8::is_ascii_digit);
        if let Some(date) = start.and_then(|start| date_of_digits(&rest[start..])) {
            return Some(date);
        }
        end = place;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_making_comes_before_that_of_changing() {
        let found = |text: &str| date(text.as_bytes(), b"").map(|date| date.to_string());
        assert_eq!(
            found("/ModDate (D:20260401) /CreationDate (D:20260314120000Z)").as_deref(),
            Some("2026-03-14")
        );
        assert_eq!(
            found("<xmp:ModifyDate>2026-04-01T10:00:00</xmp:ModifyDate>").as_deref(),
            Some("2026-04-01")
        );
        assert_eq!(found("/CreationDate"), None);
        assert_eq!(found("/CreationDate (unknown, perhaps 2026)"), None);
    }
}
