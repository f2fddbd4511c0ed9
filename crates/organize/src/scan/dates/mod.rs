//! The date of a file: from its content, or else its name, or else its modification time.
//!
//! Every reader gets at most [`MOST_BYTES`] from the beginning and the end of a file, so that no document costs more
//! than that, whatever its content.

mod audio;
mod office;
mod pdf;

use super::kind::{FileKind, ending, kind_of};
use crate::standing::{Moment, Standing};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use std::fs::File;
use std::io::Cursor;
use std::os::unix::fs::FileExt;

/// The number of bytes to read from each end of a file.
const MOST_BYTES: usize = 256 * 1024;

/// The plausible years. Others come from clocks that were never set.
const YEARS: std::ops::RangeInclusive<i16> = 1971..=2100;

/// A date and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dated {
    /// The day.
    pub date: Date,
    /// Its source.
    pub source: DateSource,
}

/// The source of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DateSource {
    /// The camera (EXIF).
    Exif,
    /// The metadata of the document.
    Document,
    /// The tags of an audio or video file.
    Tag,
    /// The file's name.
    Name,
    /// The modification time.
    File,
}

/// The input for determining a file's date.
pub(super) struct Subject<'a> {
    pub(super) file: Option<&'a File>,
    pub(super) head: &'a [u8],
    pub(super) name: &'a str,
    pub(super) kind: FileKind,
    pub(super) size_bytes: u64,
    pub(super) modified: Moment,
}

impl Subject<'_> {
    /// Returns the date from the first source that has one.
    pub(super) fn dated(&self, zone: &TimeZone) -> Dated {
        if let Some(found) = self.in_content() {
            return found;
        }
        if let Some(date) = date_in_name(self.name) {
            return Dated { date, source: DateSource::Name };
        }
        Dated { date: day_of(self.modified, zone), source: DateSource::File }
    }

    fn in_content(&self) -> Option<Dated> {
        let (date, source) = match self.kind {
            FileKind::Image => (self.in_exif()?, DateSource::Exif),
            FileKind::Audio | FileKind::Video => {
                (audio::date(&self.beginning(), &self.end())?, DateSource::Tag)
            }
            FileKind::Document if self.head.starts_with(b"%PDF") => {
                (pdf::date(&self.beginning(), &self.end())?, DateSource::Document)
            }
            FileKind::Document | FileKind::Spreadsheet | FileKind::Presentation | FileKind::Book
                if self.head.starts_with(b"PK") =>
            {
                (office::date(self.file?)?, DateSource::Document)
            }
            _ => return None,
        };
        YEARS.contains(&date.year()).then_some(Dated { date, source })
    }

    fn in_exif(&self) -> Option<Date> {
        self.exif(date_of_digits)
    }

    /// Returns the date and time that the camera recorded.
    fn taken(&self) -> Option<DateTime> {
        self.exif(|line| {
            let date = date_of_digits(line)?;
            let text = std::str::from_utf8(line.get(11..19)?).ok()?;
            let mut parts = text.split(':').map(|part| part.parse::<i8>().ok());
            let time = Time::new(parts.next()??, parts.next()??, parts.next()??, 0).ok()?;
            Some(date.to_datetime(time))
        })
    }

    fn camera(&self) -> Option<String> {
        self.text_in_exif(&[exif::Tag::Model], |line| {
            let text = String::from_utf8_lossy(line).trim().to_owned();
            (!text.is_empty()).then_some(text)
        })
    }

    fn exif<T>(&self, read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let tags = [exif::Tag::DateTimeOriginal, exif::Tag::DateTimeDigitized, exif::Tag::DateTime];
        self.text_in_exif(&tags, read)
    }

    fn text_in_exif<T>(&self, tags: &[exif::Tag], read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let has_exif =
            ["jpg", "jpeg", "tif", "tiff", "heic", "heif", "avif", "png", "webp", "dng", "nef", "arw"];
        if !has_exif.contains(&ending(self.name).as_str()) {
            return None;
        }
        let exif = exif::Reader::new().read_from_container(&mut Cursor::new(self.beginning())).ok()?;
        tags.iter().find_map(|tag| {
            let field = exif.get_field(*tag, exif::In::PRIMARY)?;
            let exif::Value::Ascii(lines) = &field.value else { return None };
            read(lines.first()?)
        })
    }

    fn beginning(&self) -> Vec<u8> {
        if self.head.len() as u64 >= self.size_bytes {
            return self.head.to_owned();
        }
        self.read_at(0)
    }

    /// Returns the last bytes, if they are not part of the first.
    fn end(&self) -> Vec<u8> {
        match self.size_bytes.checked_sub(MOST_BYTES as u64) {
            Some(rest) if rest > 0 => self.read_at(rest),
            _ => Vec::new(),
        }
    }

    fn read_at(&self, offset: u64) -> Vec<u8> {
        let Some(file) = self.file else { return Vec::new() };
        let size = usize::try_from(self.size_bytes).unwrap_or(usize::MAX).min(MOST_BYTES);
        let mut bytes = vec![0; size];
        let mut filled = 0;
        while let Ok(count @ 1..) = file.read_at(&mut bytes[filled..], offset + filled as u64) {
            filled += count;
        }
        bytes.truncate(filled);
        bytes
    }
}

/// Returns a file's date from its content, its name or its modification time, in this order.
pub fn date_of(file: &File, name: &str) -> Option<Dated> {
    of_file(file, name, |subject| subject.dated(&TimeZone::system()))
}

/// Returns when the camera took a picture, to the second.
pub fn taken_at(file: &File, name: &str) -> Option<DateTime> {
    of_file(file, name, |subject| subject.taken())?
}

/// The metadata of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The width and height.
    pub pixels: Option<(usize, usize)>,
    /// When the camera took the picture.
    pub taken: Option<DateTime>,
    /// The name of the camera.
    pub camera: Option<String>,
}

/// Returns the metadata of a picture.
pub fn picture_of(file: &File, name: &str) -> Picture {
    let told = of_file(file, name, |subject| {
        let size = imagesize::blob_size(&subject.beginning()).ok();
        Picture {
            pixels: size.map(|size| (size.width, size.height)),
            taken: subject.taken(),
            camera: subject.camera(),
        }
    });
    told.unwrap_or_default()
}

fn of_file<T>(file: &File, name: &str, look: impl FnOnce(&Subject<'_>) -> T) -> Option<T> {
    let stat = rustix::fs::fstat(file).ok()?;
    let size_bytes = u64::try_from(stat.st_size).ok()?;
    let blank = Subject {
        file: Some(file),
        head: &[],
        name,
        kind: FileKind::Other,
        size_bytes,
        modified: Standing::of(&stat).fingerprint.modified,
    };
    let head = if size_bytes == 0 { Vec::new() } else { blank.read_at(0) };
    Some(look(&Subject { kind: kind_of(&head, name), head: &head, ..blank }))
}

fn day_of(moment: Moment, zone: &TimeZone) -> Date {
    let stamp = jiff::Timestamp::from_second(moment.secs).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    stamp.to_zoned(zone.clone()).date()
}

/// Parses a date in year-month-day order at the beginning of a text, with any or no separators, e.g. `2026:07:11
/// 21:04:50` or `20260711`. A missing month or day counts as 1.
fn date_of_digits(text: &[u8]) -> Option<Date> {
    let mut numbers = [0_i16, 1, 1];
    let mut rest = text;
    for (place, (number, digits)) in numbers.iter_mut().zip([4, 2, 2]).enumerate() {
        let Some(found) = rest.get(..digits).filter(|found| found.iter().all(u8::is_ascii_digit)) else {
            if place == 0 {
                return None;
            }
            break;
        };
        *number = found.iter().fold(0, |sum, digit| sum * 10 + i16::from(digit - b'0'));
        rest = &rest[digits..];
        if matches!(rest.first(), Some(b':' | b'-' | b'/' | b'.')) {
            rest = &rest[1..];
        }
    }
    let [year, month, day] = numbers;
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    YEARS.contains(&year).then_some(date)
}

/// Returns the first full date in a name, e.g. `2026-03-14`, `20260314`, `14.03.2026` or `14-03-2026`.
pub fn date_in_name(name: &str) -> Option<Date> {
    dates_in(name).next().map(|(_, date)| date)
}

/// Returns every full date in a name and its byte range.
pub(crate) fn dates_in(name: &str) -> impl Iterator<Item = (std::ops::Range<usize>, Date)> + '_ {
    let bytes = name.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            at += 1;
            let is_inside = start > 0 && bytes[start - 1].is_ascii_digit();
            if is_inside || !bytes[start].is_ascii_digit() {
                continue;
            }
            if let Some((length, date)) = date_at(&bytes[start..]) {
                at = start + length;
                return Some((start..at, date));
            }
        }
        None
    })
}

/// Parses a date at the beginning of a text. Returns its length and the date.
fn date_at(text: &[u8]) -> Option<(usize, Date)> {
    let run = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = |from: usize, to: usize| -> Option<i16> {
        let digits = text.get(from..to)?;
        digits
            .iter()
            .all(u8::is_ascii_digit)
            .then(|| digits.iter().fold(0, |sum, d| sum * 10 + i16::from(d - b'0')))
    };
    let ends = |at: usize| !text.get(at).is_some_and(u8::is_ascii_digit);
    let gap = |at: usize| text.get(at).copied().filter(|byte| matches!(byte, b'-' | b'.' | b'_' | b' '));
    let (length, year, month, day) = match run {
        8 => (8, number(0, 4)?, number(4, 6)?, number(6, 8)?),
        4 if gap(4).is_some() && gap(4) == gap(7) && ends(10) => {
            (10, number(0, 4)?, number(5, 7)?, number(8, 10)?)
        }
        2 if gap(2).is_some() && gap(2) == gap(5) && ends(10) => {
            let (first, second, year) = (number(0, 2)?, number(3, 5)?, number(6, 10)?);
            // The order is only certain if one of the numbers cannot be a month. Otherwise assume that the day comes
            // first, as in most of the world.
            if second > 12 { (10, year, first, second) } else { (10, year, second, first) }
        }
        _ => return None,
    };
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    YEARS.contains(&year).then_some((length, date))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn dates_are_found_in_names_however_people_write_them() {
        for (name, found) in [
            ("Screenshot 2026-05-02 at 10.14.33.png", Some(date(2026, 5, 2))),
            ("IMG_20260711_210450.jpg", Some(date(2026, 7, 11))),
            ("Rechnung 12.04.2026 Brellmoor.pdf", Some(date(2026, 4, 12))),
            ("invoice_05-01-2026.pdf", Some(date(2026, 1, 5))),
            ("us 04-25-2026.pdf", Some(date(2026, 4, 25))),
            ("2026-13-01.txt", None),
            ("IMG_4711.jpg", None),
            ("123456789.txt", None),
            ("00000000", None),
            ("99999999", None),
            ("2026-02-30", None),
        ] {
            assert_eq!(date_in_name(name), found, "{name}");
        }
    }

    #[test]
    fn times_of_cameras_and_tags_are_read_as_far_as_they_go() {
        assert_eq!(date_of_digits(b"2026:07:11 21:04:50"), Some(date(2026, 7, 11)));
        assert_eq!(date_of_digits(b"2026"), Some(date(2026, 1, 1)));
        assert_eq!(date_of_digits(b"2026-07"), Some(date(2026, 7, 1)));
        for nothing in [&b"0000:00:00"[..], b"", b"    :  :", b"1900:01:01"] {
            assert_eq!(date_of_digits(nothing), None);
        }
    }
}
