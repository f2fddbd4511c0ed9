//! The text of a PDF, from the strings that its pages draw. This is sufficient to determine the topic of a document,
//! but not for reading: fonts with custom character codes yield no text.

use super::{MOST_TEXT, beginning};
use flate2::read::ZlibDecoder;
use std::fs::File;
use std::io::Read;

/// The maximum number of bytes to read from a document.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The maximum unpacked size of a stream, and of all streams, in bytes.
const MOST_STREAM: u64 = 512 * 1024;
const MOST_UNPACKED: usize = 4 * 1024 * 1024;

/// The maximum nesting depth of parentheses, so that a malformed string ends.
const MOST_DEPTH: u32 = 16;

/// Returns the text of a document's pages.
pub(super) fn text(file: &File) -> String {
    of(&beginning(file, MOST_BYTES))
}

/// Returns the text of the pages in these bytes.
pub(crate) fn of(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut unpacked = 0;
    let mut rest = bytes;
    while let Some(start) = find(rest, b"stream") {
        let (header, body) = (&rest[..start], &rest[start + b"stream".len()..]);
        let end = find(body, b"endstream").unwrap_or(body.len());
        let stream = trimmed(&body[..end]);
        let header = &header[header.len().saturating_sub(512)..];
        if contains_after_last(header, b"<<", b"FlateDecode") {
            let mut content = Vec::new();
            // On an error, use what was unpacked before it.
            let _ = ZlibDecoder::new(stream).take(MOST_STREAM).read_to_end(&mut content);
            unpacked += content.len();
            strings(&content, &mut text);
        } else if !contains_after_last(header, b"<<", b"/Filter") {
            strings(stream, &mut text);
        }
        if text.len() >= MOST_TEXT || unpacked >= MOST_UNPACKED {
            break;
        }
        rest = body.get(end + b"endstream".len()..).unwrap_or_default();
    }
    text
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

/// Returns whether a word is in the header of this object, not in that of an earlier one.
fn contains_after_last(header: &[u8], begin: &[u8], word: &[u8]) -> bool {
    // Dictionaries can be nested, so search from the beginning of the object if it is in the range.
    let start = header.windows(4).rposition(|window| window == b" obj").or_else(|| find(header, begin));
    find(&header[start.unwrap_or(0)..], word).is_some()
}

/// Returns the stream without the line break before it.
fn trimmed(stream: &[u8]) -> &[u8] {
    let stream = stream.strip_prefix(b"\r").unwrap_or(stream);
    stream.strip_prefix(b"\n").unwrap_or(stream)
}

/// Collects the strings that the operators of a page draw. Strings between `[` and `]` belong together, but large gaps
/// between them separate words.
fn strings(content: &[u8], text: &mut String) {
    if find(content, b"Tj").is_none() && find(content, b"TJ").is_none() {
        return;
    }
    let mut in_array = false;
    let mut at = 0;
    while at < content.len() && text.len() < MOST_TEXT {
        match content[at] {
            b'[' => in_array = true,
            b']' => {
                in_array = false;
                text.push(' ');
            }
            b'(' => {
                at = string(content, at + 1, text);
                if !in_array {
                    text.push(' ');
                }
                continue;
            }
            b'-' if in_array => {
                let digits = content[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                // A gap of at least a fifth of the letter height is a space.
                if digits > 3 || digits == 3 && content[at + 1] >= b'2' {
                    text.push(' ');
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Appends the string that begins here, and returns the offset of its end.
fn string(content: &[u8], mut at: usize, text: &mut String) -> usize {
    let mut depth = 1;
    while at < content.len() && text.len() < MOST_TEXT {
        match content[at] {
            b'(' if depth < MOST_DEPTH => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b'\\' => {
                at += 1;
                let digits =
                    content.iter().skip(at).take(3).take_while(|byte| (b'0'..=b'7').contains(*byte)).count();
                if digits > 0 {
                    let code =
                        content[at..at + digits].iter().fold(0_u32, |sum, d| sum * 8 + u32::from(d - b'0'));
                    text.push(char::from(u8::try_from(code & 0xff).unwrap_or(b' ')));
                    at += digits;
                    continue;
                }
                match content.get(at) {
                    Some(byte @ (b'(' | b')' | b'\\')) => text.push(char::from(*byte)),
                    _ => text.push(' '),
                }
            }
            // Decode as Latin-1, which covers most letters of Western European languages.
            byte if byte >= b' ' => text.push(char::from(byte)),
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;

    #[test]
    fn plain_and_packed_pages_give_their_text() {
        let page = b"BT /F1 11 Tf 60 780 Td (Invoice \\(copy\\) f\\374r) Tj [(to)-20(tal)-400(due)] TJ ET";
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(page).unwrap();
        let packed = packed.finish().unwrap();
        let document = |filter: &str, body: &[u8]| {
            let head = format!("%PDF-1.4\n1 0 obj\n<< /Length {} {filter}>>\nstream\n", body.len());
            [head.as_bytes(), body, b"\nendstream\nendobj\n"].concat()
        };
        for bytes in [document("", page), document("/Filter /FlateDecode ", &packed)] {
            assert_eq!(
                of(&bytes).split_whitespace().collect::<Vec<_>>(),
                ["Invoice", "(copy)", "für", "total", "due"]
            );
        }
        assert_eq!(of(&document("/Filter /DCTDecode ", page)), "");
    }

    #[test]
    fn a_stream_that_unpacks_to_endless_text_is_cut() {
        let bomb = b"(x) Tj ".repeat(2_000_000);
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&bomb).unwrap();
        let mut document = b"%PDF\n1 0 obj << /Filter /FlateDecode >>\nstream\n".to_vec();
        document.extend(packed.finish().unwrap());
        assert!(of(&document).len() <= MOST_TEXT + 8);
        let nested = [b"%PDF << >>\nstream\n".to_vec(), b"(".repeat(1_000_000), b" Tj".to_vec()].concat();
        assert!(of(&nested).len() <= MOST_TEXT + 8);
    }

    proptest! {
        #[test]
        fn whatever_the_bytes_are_it_ends(bytes in proptest::collection::vec(any::<u8>(), 0..400), cut in 0_usize..60) {
            let page = [b"1 0 obj <</Filter/FlateDecode>> stream\n".as_slice(), &bytes, b" Tj endstream (a\\"].concat();
            of(&page[cut.min(page.len())..]);
            let page = [b"stream\n(".as_slice(), &bytes, b") Tj endstream"].concat();
            of(&page);
        }
    }
}
