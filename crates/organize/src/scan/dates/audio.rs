//! Dates of audio and video files: ID3, Vorbis comments, RIFF and MP4 boxes, each read within limits.

use super::date_of_digits;
use jiff::civil::Date;

/// Returns the date in the tags.
pub(super) fn date(beginning: &[u8], end: &[u8]) -> Option<Date> {
    if beginning.starts_with(b"ID3") {
        return id3(beginning);
    }
    if beginning.get(4..8) == Some(b"ftyp") {
        return movie_header(beginning).or_else(|| movie_header(end));
    }
    if beginning.starts_with(b"RIFF") {
        return behind(beginning, b"ICRD", 4).or_else(|| behind(end, b"ICRD", 4));
    }
    if beginning.starts_with(b"fLaC") || beginning.starts_with(b"OggS") {
        return behind(beginning, b"DATE=", 0).or_else(|| behind(beginning, b"date=", 0));
    }
    None
}

/// Returns the date that starts `gap` bytes after a mark.
fn behind(bytes: &[u8], mark: &[u8], gap: usize) -> Option<Date> {
    let place = bytes.windows(mark.len()).position(|window| window == mark)?;
    date_of_digits(bytes.get(place + mark.len() + gap..)?)
}

/// Returns the recording or release date of an ID3v2 tag.
fn id3(bytes: &[u8]) -> Option<Date> {
    const HEADER: usize = 10;
    let version = *bytes.get(3)?;
    if !(3..=4).contains(&version) {
        return None;
    }
    let mut at = HEADER;
    while let Some(header) = bytes.get(at..at + HEADER) {
        let name = &header[..4];
        if !name.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        // In version 4, the highest bit of each size byte is unused.
        let shift = if version == 4 { 7 } else { 8 };
        let size = header[4..8].iter().fold(0_usize, |sum, byte| (sum << shift) | usize::from(*byte));
        let content = bytes.get(at + HEADER..at.checked_add(HEADER)?.checked_add(size)?)?;
        if matches!(name, b"TDRC" | b"TYER" | b"TDRL" | b"TDOR") {
            // The first byte is the encoding. Digits in UTF-16 become ASCII when the zero bytes are removed.
            let digits: Vec<u8> =
                content.iter().skip(1).copied().filter(|byte| byte.is_ascii() && *byte != 0).collect();
            if let Some(date) = date_of_digits(&digits) {
                return Some(date);
            }
        }
        at += HEADER + size;
    }
    None
}

/// Returns the creation date from the movie header box.
fn movie_header(bytes: &[u8]) -> Option<Date> {
    /// The seconds between the epoch of the box, 1904, and 1970.
    const EPOCH: i64 = 2_082_844_800;
    let place = bytes.windows(4).position(|window| window == b"mvhd")?;
    let version = *bytes.get(place + 4)?;
    let secs = match version {
        0 => i64::from(u32::from_be_bytes(bytes.get(place + 8..place + 12)?.try_into().ok()?)),
        _ => i64::try_from(u64::from_be_bytes(bytes.get(place + 8..place + 16)?.try_into().ok()?)).ok()?,
    };
    let stamp = jiff::Timestamp::from_second(secs.checked_sub(EPOCH)?).ok()?;
    Some(stamp.to_zoned(jiff::tz::TimeZone::UTC).date())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Option<String> {
        date(bytes, b"").map(|date| date.to_string())
    }

    #[test]
    fn tags_of_each_family_are_read() {
        let id3 = b"ID3\x04\0\0\0\0\0\x20TIT2\0\0\0\x03\0\0\0abTDRC\0\0\0\x0b\0\0\x032026-04-01";
        assert_eq!(found(id3).as_deref(), Some("2026-04-01"));
        let vorbis = b"fLaC....reference libFLAC\x0f\0\0\0DATE=2025-12-24";
        assert_eq!(found(vorbis).as_deref(), Some("2025-12-24"));
        let riff = b"RIFF\0\0\0\0WAVELIST\0\0\0\0INFOICRD\x0a\0\0\x002024-02-29";
        assert_eq!(found(riff).as_deref(), Some("2024-02-29"));
        let mut film = b"\0\0\0\x14ftypisom\0\0\0\0\0\0\0\x6cmvhd\0\0\0\0".to_vec();
        film.extend_from_slice(&(2_082_844_800_u32 + 86_400 * 365).to_be_bytes());
        assert_eq!(found(&film).as_deref(), Some("1971-01-01"));
    }

    #[test]
    fn broken_tags_say_nothing() {
        for bytes in [
            &b"ID3"[..],
            b"ID3\x04\0\0\0\0\0\x20TDRC\xff\xff\xff\xff\0\0",
            b"\0\0\0\x14ftypmvhd",
            b"RIFFICRD",
        ] {
            assert_eq!(found(bytes), None);
        }
    }
}
