//! How a file stores its text: its encoding, its byte order mark and its line ends. An edit keeps all of them, so that the
//! file differs only where it was meant to.
//!
//! Models see and write text with plain line feeds. A file that is not UTF-8 is decoded by its byte order mark or, without
//! one, by a guess that is only used if encoding the text again gives exactly the bytes of the file.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{EncoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::{Duration, Instant};

/// The time after which lines of a file with mixed line ends are matched more coarsely.
const DIFF_TIME: Duration = Duration::from_millis(500);
const MARK: char = '\u{feff}';
const CRLF: &str = "\r\n";

/// The text of a file, and how it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    /// Without the byte order mark.
    pub(super) text: String,
    encoding: &'static Encoding,
    has_mark: bool,
}

/// A character that the encoding of a file does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoSuchCharacter(pub(super) char);

impl Stored {
    /// Decodes the content of a file. `None` if it is not text.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (marked, rest) = match Encoding::for_bom(bytes) {
            Some((encoding, length)) => (Some(encoding), &bytes[length..]),
            None => (None, bytes),
        };
        if marked.is_none_or(|encoding| encoding == UTF_8)
            && let Ok(text) = std::str::from_utf8(rest)
        {
            return Some(Self { text: text.to_owned(), encoding: UTF_8, has_mark: marked.is_some() });
        }
        let encoding = match marked {
            Some(encoding) => encoding,
            None if bytes.contains(&0) => return None,
            None => guess(bytes),
        };
        let text = encoding.decode_without_bom_handling_and_without_replacement(rest)?.into_owned();
        let stored = Self { text, encoding, has_mark: marked.is_some() };
        let is_exact = stored.encoded(&stored.text).is_ok_and(|again| again == bytes);
        (is_exact && !stored.text.contains('\0')).then_some(stored)
    }

    /// Returns the name of the encoding. `None` for UTF-8.
    pub(super) fn encoding(&self) -> Option<&'static str> {
        (self.encoding != UTF_8).then(|| self.encoding.name())
    }

    /// Encodes another text in the same way.
    pub(super) fn encoded(&self, text: &str) -> Result<Vec<u8>, NoSuchCharacter> {
        let text = if self.has_mark { text.strip_prefix(MARK).unwrap_or(text) } else { text };
        let mark = if self.has_mark { "\u{feff}" } else { "" };
        if self.encoding == UTF_8 {
            return Ok([mark, text].concat().into_bytes());
        }
        let units = || mark.encode_utf16().chain(text.encode_utf16());
        if self.encoding == UTF_16LE {
            return Ok(units().flat_map(u16::to_le_bytes).collect());
        }
        if self.encoding == UTF_16BE {
            return Ok(units().flat_map(u16::to_be_bytes).collect());
        }
        let mut encoder = self.encoding.new_encoder();
        let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
        let mut bytes = Vec::with_capacity(room.unwrap_or(text.len()));
        match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true).0 {
            EncoderResult::InputEmpty => Ok(bytes),
            EncoderResult::Unmappable(character) => Err(NoSuchCharacter(character)),
            EncoderResult::OutputFull => Err(NoSuchCharacter(char::REPLACEMENT_CHARACTER)),
        }
    }

    /// Returns the text that replaces this one as a whole: with the line ends of this one, and with a line end after the
    /// last line only if this one has it. Content that has carriage returns itself is taken as it is.
    pub(super) fn written_over(&self, content: &str) -> String {
        if self.text.is_empty() || content.is_empty() || content.contains('\r') {
            return content.to_owned();
        }
        let content = match (self.text.ends_with('\n'), content.strip_suffix('\n')) {
            (false, Some(shorter)) => shorter.to_owned(),
            (true, None) => format!("{content}\n"),
            _ => content.to_owned(),
        };
        with_ends(&self.text, &content)
    }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Gives a text that has plain line feeds the line ends of the text that it replaces. If these are mixed, lines that stay
/// keep theirs, and new lines follow the line before them.
pub(super) fn with_ends(old: &str, new: &str) -> String {
    let crlf = old.matches(CRLF).count();
    let lf = old.matches('\n').count() - crlf;
    match (crlf, lf) {
        (0, _) => new.to_owned(),
        (_, 0) => new.replace('\n', CRLF),
        _ => with_mixed_ends(old, new),
    }
}

fn with_mixed_ends(old: &str, new: &str) -> String {
    let (old, ends): (Vec<&str>, Vec<&str>) = old.split_inclusive('\n').map(parted).unzip();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let bare: Vec<&str> = new.iter().map(|line| parted(line).0).collect();
    let deadline = Some(Instant::now() + DIFF_TIME);
    let mut text = String::new();
    let mut before = ends[0];
    for step in capture_diff_slices_deadline(Algorithm::Myers, &old, &bare, deadline) {
        let from = step.old_range();
        for (at, place) in step.new_range().enumerate() {
            let is_new = matches!(step, DiffOp::Insert { .. }) || at >= from.len();
            let end = if is_new { "" } else { ends[from.start + at] };
            if !end.is_empty() {
                before = end;
            }
            text.push_str(bare[place]);
            if new[place].ends_with('\n') {
                text.push_str(before);
            }
        }
    }
    text
}

/// Parts a line from its end.
fn parted(line: &str) -> (&str, &str) {
    let bare = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    line.split_at(bare.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str) -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn text_is_read_and_stored_in_its_encoding() {
        let utf_16_be: Vec<u8> = "\u{feff}Größe\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let cases: [(&[u8], &str, Option<&str>); 7] = [
            ("Größe\n".as_bytes(), "Größe\n", None),
            ("\u{feff}Größe\n".as_bytes(), "Größe\n", None),
            (&utf_16("Größe\r\n"), "Größe\r\n", Some("UTF-16LE")),
            (&utf_16_be, "Größe\n", Some("UTF-16BE")),
            (b"Die Gr\xf6\xdfe f\xfcr Stra\xdfen\n", "Die Größe für Straßen\n", Some("windows-1252")),
            (b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0\n", "Привет, мир\n", Some("windows-1251")),
            (
                b"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\x90\xa2\x8a\x45\n",
                "こんにちは世界\n",
                Some("Shift_JIS"),
            ),
        ];
        for (bytes, text, encoding) in cases {
            let stored = Stored::read(bytes).unwrap();
            assert_eq!((stored.text.as_str(), stored.encoding()), (text, encoding));
            assert_eq!(stored.encoded(text).unwrap(), bytes, "{text}");
        }
        assert_eq!(Stored::read(b"Gr\xf6\xdfe").unwrap().encoded("10 \u{2192}"), Err(NoSuchCharacter('→')));
    }

    #[test]
    fn what_is_not_text_is_not_decoded() {
        for bytes in [
            &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
            b"\xff\xfe\0\0a\0\0\0",
            b"\xff\xfea\0b",
            b"\xff\xfe\0\xd8a\0",
            b"\xef\xbb\xbf\xff",
        ] {
            assert_eq!(Stored::read(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn a_text_written_over_another_keeps_its_line_ends() {
        // (the old text, what is written, what is stored)
        let cases = [
            ("a\nb\n", "a\nc\n", "a\nc\n"),
            ("a\r\nb\r\n", "a\nx\nb\n", "a\r\nx\r\nb\r\n"),
            ("a\r\nb", "a\nb\nc\n", "a\r\nb\r\nc"),
            ("a\nb\n", "a\nb\nc", "a\nb\nc\n"),
            ("a\r\nb\nc\r\n", "a\nb\nnew\nc\n", "a\r\nb\nnew\nc\r\n"),
            ("a\r\nb\nc\r\n", "a\nnew\nb\nc\n", "a\r\nnew\r\nb\nc\r\n"),
            ("a\r\nb\nc\n", "new\na\nB\nc\n", "new\r\na\r\nB\nc\n"),
            ("a\nb\r\nlast", "a\nb\nlast\nmore", "a\nb\r\nlast\r\nmore"),
            ("a\r\nb\n", "", ""),
            ("", "a\nb", "a\nb"),
            ("one line", "another\n", "another"),
            ("a\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"),
        ];
        for (old, content, expected) in cases {
            let stored = Stored::read(old.as_bytes()).unwrap();
            assert_eq!(stored.written_over(content), expected, "{old:?} <- {content:?}");
        }
    }
}
