//! Parsing of tables: detects the delimiter, and reads cells as numbers, dates and text.

use crate::text::own_error;
use deputy_messages::tools as say;
use std::cmp::Ordering;
use std::io::Read;

/// The maximum size of a row, in bytes. A file with a longer row is rejected, because it is not a table.
pub(super) const LONGEST_ROW: usize = 1_000_000;
/// A reader that fails on rows beyond the limit. A quote that is never closed would make the rest of a file one row.
pub(super) struct LongLines<R> {
    inner: R,
    run: usize,
}

impl<R> LongLines<R> {
    pub(super) fn of(inner: R) -> Self {
        Self { inner, run: 0 }
    }
}

impl<R: Read> Read for LongLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        for byte in &buffer[..read] {
            self.run = if *byte == b'\n' { 0 } else { self.run + 1 };
            if self.run > LONGEST_ROW {
                return Err(own_error(say::line_too_long()));
            }
        }
        Ok(read)
    }
}

/// Returns the delimiter: the character that occurs equally often in most of the first lines. If several do, the most
/// frequent one.
pub(super) fn delimiter(head: &str) -> u8 {
    let lines: Vec<&str> = head.lines().take(10).collect();
    let score = |letter: u8| {
        let counts = lines.iter().map(|line| line.bytes().filter(|byte| *byte == letter).count());
        let first = lines.first().map_or(0, |line| line.bytes().filter(|byte| *byte == letter).count());
        (counts.filter(|count| *count == first && first > 0).count(), first)
    };
    [b',', b';', b'\t', b'|']
        .into_iter()
        .max_by_key(|letter| (score(*letter), *letter == b','))
        .unwrap_or(b',')
}

/// Returns whether numbers are written as `1.234,56`.
pub(super) fn has_comma(head: &str, delimiter: u8) -> bool {
    let (mut commas, mut points) = (0, 0);
    for cell in head.lines().skip(1).flat_map(|line| line.split(char::from(delimiter))) {
        let cell = plain(cell);
        let is_number =
            !cell.is_empty() && cell.chars().all(|letter| letter.is_ascii_digit() || "-+.,".contains(letter));
        if !is_number {
            continue;
        }
        let after = |mark: char| cell.rsplit_once(mark).map(|(_, rest)| rest.len());
        match (cell.rfind(','), cell.rfind('.')) {
            (Some(comma), Some(point)) => *(if comma > point { &mut commas } else { &mut points }) += 2,
            // Three digits after the comma may be a group of thousands.
            (Some(_), None) if after(',') != Some(3) => commas += 1,
            // Several points belong to a date.
            (None, Some(_)) if after('.') != Some(3) && cell.matches('.').count() == 1 => points += 1,
            _ => {}
        }
    }
    commas > points || (commas == points && delimiter == b';')
}

/// Returns a cell without quotes, whitespace and currency signs.
fn plain(cell: &str) -> String {
    let is_kept = |letter: &char| !letter.is_whitespace() && !"\"€$£%'".contains(*letter);
    cell.trim().trim_end_matches("EUR").trim_end_matches("USD").chars().filter(is_kept).collect()
}

pub(super) fn number(cell: &str, has_comma: bool) -> Option<f64> {
    let cell = plain(cell);
    let (group, point) = if has_comma { ('.', ',') } else { (',', '.') };
    let cell = cell.replace(group, "").replace(point, ".");
    cell.bytes()
        .any(|byte| byte.is_ascii_digit())
        .then(|| cell.parse().ok())
        .flatten()
        .filter(|it: &f64| it.is_finite())
}

/// Parses dates such as `2026-01-31` or `31.01.2026`, so that they compare as dates.
pub(super) fn day(cell: &str) -> Option<jiff::civil::Date> {
    let cell = cell.trim();
    deputy_organize::scan::date_in_name(cell).filter(|_| cell.len() <= 19)
}

pub(super) fn compare(one: &str, other: &str, has_comma: bool) -> Ordering {
    if let (Some(one), Some(other)) = (day(one), day(other)) {
        return one.cmp(&other);
    }
    match (number(one, has_comma), number(other, has_comma)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => deputy_organize::fold(one.trim()).cmp(&deputy_organize::fold(other.trim())),
    }
}
