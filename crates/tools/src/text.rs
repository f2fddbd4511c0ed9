//! Formatting of results: names and sizes for people and models, lines up to a limit, and cuts that say what they left
//! out.

use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{CallStatus, ToolResult};
use deputy_sandbox::Captured;
use regex::Regex;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;
use std::io;
use std::sync::LazyLock;

/// Formats a name as one line of text. A name in clean UTF-8 is unchanged. Otherwise bytes that are not UTF-8 become
/// `\xNN`, and characters that control or hide text become `\u{NN}`.
pub(crate) fn shown(name: &OsStr) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(&escaped(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Escapes characters that control or hide text, so that the text is one line and shows everything it contains.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            c if hides(c) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Returns whether a character is a control character or reverses, joins or hides the text around it.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Formats a size for people: `512 bytes`, `1.2 KB`, `2.1 MB`. 1 KB is 1000 bytes.
pub(crate) fn size(bytes: u64) -> Phrase {
    const UNITS: [fn(u64, u64) -> Phrase; 6] =
        [say::kilobytes, say::megabytes, say::gigabytes, say::terabytes, say::petabytes, say::exabytes];
    if bytes < 1000 {
        return say::bytes(bytes);
    }
    let mut value = bytes as f64 / 1000.0;
    let mut units = UNITS.into_iter();
    let mut unit = units.next();
    while value >= 999.95 {
        value /= 1000.0;
        unit = units.next().or(unit);
    }
    let tenths = (value * 10.0).round() as u64;
    unit.map_or_else(|| say::bytes(bytes), |unit| unit(tenths % 10, tenths / 10))
}

/// Formats a number with its noun: `1 file`, `2 files`, `2 matches`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let ending = match number {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}

/// Formats a file system time as a local date.
pub(crate) fn date(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map(|time| time.to_zoned(jiff::tz::TimeZone::system()).date().to_string())
        .unwrap_or_else(|_| "unknown".to_owned())
}

/// Formats a file system time as a local time, to the second.
pub(crate) fn moment(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map(|time| {
            time.to_zoned(jiff::tz::TimeZone::system()).datetime().strftime("%Y-%m-%dT%H:%M:%S").to_string()
        })
        .unwrap_or_else(|_| "unknown".to_owned())
}

/// A result made of lines, up to a limit of characters. Lines that do not fit are counted.
pub(crate) struct Lines {
    text: String,
    room: usize,
    is_full: bool,
    more: u64,
}

impl Lines {
    /// The number of characters reserved for the last two lines.
    const RESERVE: usize = 200;
    /// The maximum length of a line. Longer lines are cut, so that one minified file does not fill a whole result.
    const LONGEST: usize = 400;

    pub(crate) fn new(output_chars: usize) -> Self {
        Self {
            text: String::new(),
            room: output_chars.saturating_sub(Self::RESERVE),
            is_full: false,
            more: 0,
        }
    }

    /// Adds a line, or counts it if it does not fit.
    pub(crate) fn push(&mut self, line: &str) {
        self.push_for(line, 1);
    }

    /// Adds a line that counts as `entries` entries. Pass 0 for a line that belongs to another.
    pub(crate) fn push_for(&mut self, line: &str, entries: u64) {
        let length = line.chars().count();
        let cut = length.min(Self::LONGEST);
        if self.is_full || cut + 1 > self.room {
            self.is_full = true;
            self.more += entries;
            return;
        }
        self.room -= cut + 1;
        if length > Self::LONGEST {
            self.text.extend(line.chars().take(Self::LONGEST - 1).chain(['…']));
        } else {
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Returns whether no more lines fit.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Counts entries that have no line.
    pub(crate) fn left_out(&mut self, entries: u64) {
        self.more += entries;
    }

    /// Returns the index of the first line from which all lines to the end fit.
    pub(crate) fn first_that_fits(&self, lines: &[&str]) -> usize {
        let mut room = self.room;
        let fitting = lines.iter().rev().take_while(|line| {
            let taken = line.chars().count().min(Self::LONGEST) + 1;
            let fits = taken <= room;
            room = room.saturating_sub(taken);
            fits
        });
        lines.len() - fitting.count()
    }

    /// Finishes the result: the lines, `... and N more` if some did not fit, and the summary as the last line.
    pub(crate) fn finish(mut self, summary: impl Into<Phrase>) -> ToolResult {
        let summary = summary.into();
        if self.more > 0 {
            let _ = writeln!(self.text, "... and {} more", self.more);
        }
        self.text.push_str(&summary);
        ToolResult { summary, ..ToolResult::new(CallStatus::Ok, self.text) }
    }
}

/// Cuts the text to `most` characters: its head, the number of bytes left out, and its tail. Also returns the number of
/// bytes left out.
pub(crate) fn cut_middle(text: String, most: usize) -> (String, u64) {
    Gapped { text, gaps: Vec::new() }.shown(most)
}

/// The space for the line that says how much is missing, in characters.
const GAP_CHARS: usize = 60;

/// Removes what a program writes to color its output or to move the cursor of a terminal. Neither a model nor Deputy's
/// screens can use it.
pub fn without_escapes(text: &str) -> Cow<'_, str> {
    // Sequences for colors and cursors, titles and links, and character sets; a sequence that is cut off at the end.
    static ESCAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let csi = r"\x1b\[[0-?]*[ -/]*(?:[@-~]|$)";
        let osc = r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)";
        Regex::new(&format!(r"{csi}|{osc}|\x1b[()][0-9A-Za-z]|\x1b[=>78cDEHM]")).ok()
    });
    match &*ESCAPES {
        Some(escapes) if text.contains('\u{1b}') => escapes.replace_all(text, ""),
        _ => Cow::Borrowed(text),
    }
}

/// A text with parts that were only counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gapped {
    text: String,
    /// Where something is missing, and how many bytes. Sorted.
    gaps: Vec<(usize, u64)>,
}

impl Gapped {
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.gaps.is_empty()
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends an output stream without the line ends at its end.
    pub(crate) fn push_captured(&mut self, captured: &Captured) {
        let (head, omitted, tail) = captured.parts();
        self.text.push_str(&without_escapes(&head));
        if omitted > 0 {
            self.gaps.push((self.text.len(), omitted));
        }
        self.text.push_str(&without_escapes(&tail));
        let end = self.text.trim_end_matches('\n').len().max(self.gaps.last().map_or(0, |(at, _)| *at));
        self.text.truncate(end);
    }

    /// Returns at most `most` characters, with the number of bytes in place of each missing part, and the number of all
    /// bytes that are not shown. What is cut here joins the missing parts inside of it.
    pub(crate) fn shown(self, most: usize) -> (String, u64) {
        let Self { text, gaps } = self;
        let length = text.chars().count();
        let most = most.saturating_sub(GAP_CHARS * gaps.len());
        let (head_end, tail_start) = match length <= most {
            true => (text.len(), text.len()),
            false => {
                let keep = most.saturating_sub(GAP_CHARS);
                let head_chars = keep * 3 / 5;
                (byte_at(&text, head_chars), byte_at(&text, length - (keep - head_chars)))
            }
        };
        let mut missing: Vec<(usize, usize, u64)> =
            gaps.into_iter().map(|(at, bytes)| (at, at, bytes)).collect();
        if head_end < tail_start {
            let is_inside = |(at, _, _): &mut (usize, usize, u64)| (head_end..=tail_start).contains(at);
            let inside: u64 = missing.extract_if(.., is_inside).map(|(_, _, bytes)| bytes).sum();
            missing.push((head_end, tail_start, (tail_start - head_end) as u64 + inside));
            missing.sort_unstable();
        }
        let (mut shown, mut at, mut all) = (String::new(), 0, 0);
        for (from, to, bytes) in missing {
            shown.push_str(&text[at..from]);
            shown.push_str(&format!("\n[... {bytes} bytes omitted ...]\n"));
            (at, all) = (to, all + bytes);
        }
        shown.push_str(&text[at..]);
        (shown, all)
    }
}

fn byte_at(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at)
}

/// Shortens a text to one line of at most `most` characters, keeping head and tail. For summaries that people decide
/// by. `⏎` marks a line break.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let joined = lines.join(" ⏎ ").replace('\t', " ");
    let line = escaped(&joined);
    let length = line.chars().count();
    if length <= most {
        return line.into_owned();
    }
    let head: String = line.chars().take(most * 2 / 3).collect();
    let tail: String = line.chars().skip(length - most / 3).collect();
    format!("{head} … {tail}")
}

/// Creates a result that consists of a message only.
pub(crate) fn said(status: CallStatus, words: impl Into<Phrase>) -> ToolResult {
    ToolResult::said(status, words)
}

/// Creates the result of a failed call from the error message.
pub(crate) fn failed(error: impl Into<Phrase>) -> ToolResult {
    said(CallStatus::Failed, error)
}

/// Creates the result of a call that was cancelled before it finished.
pub(crate) fn cancelled() -> ToolResult {
    said(CallStatus::Cancelled, say::nothing_changed())
}

/// A message wrapped for use as an I/O error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct OwnError(Phrase);

pub(crate) fn own_error(words: Phrase) -> io::Error {
    io::Error::other(OwnError(words))
}

/// Returns the message that an I/O error carries, or the text of the error.
pub(crate) fn reason(error: &io::Error) -> Phrase {
    let own = error.get_ref().and_then(|own| own.downcast_ref::<OwnError>());
    own.map_or_else(|| error.to_string().into(), |own| own.0.clone())
}

/// Splits a text into parts of at most `room` characters, at line ends if possible.
pub(crate) fn parts_of(text: &str, room: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(room) {
        let cut = rest[..end].rfind('\n').map_or(end, |at| at + 1);
        parts.push(&rest[..cut]);
        rest = &rest[cut..];
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(rest);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn names_are_one_clean_line() {
        let cases: [(&[u8], &str); 5] = [
            ("Ärger im Büro.txt".as_bytes(), "Ärger im Büro.txt"),
            (b"caf\xe9.txt", "caf\\xe9.txt"),
            (b"two\nlines", "two\\nlines"),
            ("evil\u{202e}gpj.exe".as_bytes(), "evil\\u{202e}gpj.exe"),
            (b"back\\slash", "back\\slash"),
        ];
        for (name, expected) in cases {
            assert_eq!(shown(OsStr::from_bytes(name)), expected);
        }
    }

    #[test]
    fn colors_and_the_like_are_removed_and_nothing_else() {
        let cases = [
            ("\u{1b}[90m1\u{1b}[0m \u{1b}[1;31merror\u{1b}[m: x", "1 error: x"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "alink"),
            ("50%\r\u{1b}[2K\u{1b}[?25lfull", "50%\rfull"),
            ("\u{1b}(Bset\u{1b}[38;2;1;2", "set"),
            ("a[0m] plain ✓", "a[0m] plain ✓"),
        ];
        for (text, bare) in cases {
            assert_eq!(without_escapes(text), bare, "{text:?}");
        }
    }

    #[test]
    fn sizes_and_counts() {
        let cases =
            [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1200, "1.2 KB"), (999_960, "1.0 MB")];
        for (bytes, expected) in cases {
            assert_eq!(size(bytes), expected);
        }
        assert_eq!(
            [count(1, "file"), count(0, "file"), count(2, "match")],
            ["1 file", "0 files", "2 matches"]
        );
    }

    #[test]
    fn a_cut_keeps_head_and_tail_and_counts() {
        let text: String = (0..1000).map(|n| format!("{n}\n")).collect();
        let whole = text.len();
        let (cut, omitted) = cut_middle(text, 200);
        assert!(cut.starts_with("0\n1\n") && cut.ends_with("999\n") && cut.chars().count() <= 200, "{cut}");
        let marker = format!("\n[... {omitted} bytes omitted ...]\n");
        assert_eq!(whole, cut.len() - marker.len() + omitted as usize);
    }

    #[test]
    fn what_was_never_kept_counts_with_what_is_cut() {
        let captured = |head: &str, omitted_bytes, tail: &str| Captured {
            head: head.into(),
            tail: tail.into(),
            omitted_bytes,
        };
        let shown = |streams: &[Captured], most| {
            let mut text = Gapped::default();
            streams.iter().for_each(|stream| text.push_captured(stream));
            text.shown(most)
        };
        let lines = |n: usize| "0123456789\n".repeat(n);
        let long = captured(&lines(100), 1_000_000, &lines(100));
        let (text, omitted) = shown(std::slice::from_ref(&long), 500);
        assert!(text.chars().count() <= 500, "{text}");
        assert_eq!(text.matches("omitted").count(), 1, "one number, from the whole: {text}");
        assert!(text.contains(&format!("[... {omitted} bytes omitted ...]")), "{text}");
        let marker = format!("\n[... {omitted} bytes omitted ...]\n").len();
        assert_eq!(omitted as usize, 1_000_000 + lines(200).len() - 1 - (text.len() - marker));

        let (text, omitted) = shown(std::slice::from_ref(&long), 10_000);
        assert_eq!(omitted, 1_000_000, "nothing more is cut: {text}");
        let (text, omitted) = shown(&[captured("a", 10, "b"), captured(&lines(100), 0, "")], 400);
        assert!(text.starts_with("a\n[... 10 bytes omitted ...]\nb0123"), "{text}");
        assert_eq!(text.matches("omitted").count(), 2, "{text}");
        assert!(omitted > 10 + 600, "{omitted}");
        assert_eq!(shown(&[captured("x\n\n", 0, "")], 400), ("x".to_owned(), 0));
    }

    #[test]
    fn lines_stop_at_the_limit_and_say_so() {
        let mut lines = Lines::new(Lines::RESERVE + 10);
        for line in ["12345", "678", "9", "x"] {
            lines.push(line);
        }
        assert_eq!(lines.finish("4 things".to_owned()).content, "12345\n678\n... and 2 more\n4 things");
    }

    #[test]
    fn a_text_in_parts_is_the_text() {
        let text = "one\ntwo\nthree-is-a-long-line\nä\n";
        for room in 1..40 {
            let parts = parts_of(text, room);
            assert_eq!(parts.concat(), text, "{room}");
            assert!(parts.iter().all(|part| part.chars().count() <= room), "{room}: {parts:?}");
        }
        assert_eq!(parts_of("", 5), [""]);
    }
}
