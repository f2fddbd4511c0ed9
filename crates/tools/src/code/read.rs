//! Reading: a header line, then the text; what is too long is cut between lines, what is binary is described.

use super::{CodeError, ReadParameters};
use crate::files::{FileError, Files};
use crate::text::{count, shown, size};
use crate::tool::CallContext;
use deputy_protocol::{CallStatus, ToolResult};
use std::io::{BufRead, BufReader, Read};

/// Bytes looked at to tell text from binary.
const SNIFFED: usize = 8 * 1024;
/// Bytes gone through on the way to `start_line`, and to count the lines of a file.
const SCANNED: u64 = 64 * 1000 * 1000;

pub(super) fn read(call: &ReadParameters, files: &Files, cx: &CallContext) -> Result<ToolResult, CodeError> {
    let found = files.find(&call.path)?;
    let path = shown(call.path.as_ref());
    let file = found.file()?;
    let io = |e| FileError::io("read", call.path.as_str(), e);
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let start = reader.fill_buf().map_err(io)?;
    if let Some(kind) = binary_kind(&start[..start.len().min(SNIFFED)]) {
        let summary = format!("{path}: {kind}, {}", size(found.size()));
        let content = format!("{summary}; its content is not shown");
        return Ok(ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) });
    }
    let mut text = Scan { reader: reader.take(SCANNED), line: 1 };
    let first = call.start_line.unwrap_or(1).max(1);
    while text.line < first {
        if cx.cancel.is_cancelled() {
            return Ok(crate::text::cancelled());
        }
        if !text.skip_line().map_err(io)? {
            return Ok(ToolResult::new(CallStatus::Failed, beyond(&path, &text, found.size())));
        }
    }
    let room = cx.output_chars.saturating_sub(200 + path.chars().count());
    let (shown_text, whole) = text.take_lines(call.lines.unwrap_or(u64::MAX), room).map_err(io)?;
    let last = text.line - 1;
    while text.skip_line().map_err(io)? {
        if cx.cancel.is_cancelled() {
            return Ok(crate::text::cancelled());
        }
    }
    let lines = text.line - 1;
    let total = match found.size() <= SCANNED {
        true => lines.to_string(),
        false => "many".to_owned(),
    };
    let summary = match (found.size(), last < first) {
        (0, _) => format!("{path}: empty file"),
        (_, true) => format!("{path}: the line {first} is longer than a result may be"),
        (bytes, false) => format!("{path}: lines {first}-{last} of {total}, {}", size(bytes)),
    };
    let mut content = format!("{summary}\n{shown_text}");
    if !whole {
        content.push_str(&format!("\n[line {} was cut]", last));
    }
    if last < lines {
        content.push_str(&format!("\n[{} more; read on with start_line={}]", more(lines - last), last + 1));
    }
    Ok(ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) })
}

fn more(lines: u64) -> String {
    count(lines, "line")
}

fn beyond<R>(path: &str, text: &Scan<R>, bytes: u64) -> String {
    if bytes > SCANNED {
        let scanned = size(SCANNED);
        return format!(
            "{path} is {}; only its first {scanned}, {} lines, can be read by line number. Use `search` with `tail` or `grep`",
            size(bytes),
            text.line - 1
        );
    }
    format!("{path} has only {}", count(text.line - 1, "line"))
}

/// A text gone through line by line, without ever holding more of it than is shown.
struct Scan<R> {
    reader: R,
    /// Number of the line that comes next, from 1.
    line: u64,
}

impl<R: BufRead> Scan<R> {
    /// Goes past one line; false at the end.
    fn skip_line(&mut self) -> std::io::Result<bool> {
        let skipped = self.reader.skip_until(b'\n')?;
        if skipped > 0 {
            self.line += 1;
        }
        Ok(skipped > 0)
    }

    /// Takes lines while they fit; a first line that does not fit is cut. Says whether all taken lines are whole.
    fn take_lines(&mut self, most: u64, room: usize) -> std::io::Result<(String, bool)> {
        let mut text = String::new();
        let mut taken = 0;
        let mut left = room;
        while taken < most {
            let Some(line) = self.peek_line(left)? else { break };
            match line {
                Peeked::Fits(line) => {
                    left = left.saturating_sub(line.chars().count());
                    text.push_str(&line);
                    taken += 1;
                    self.line += 1;
                }
                Peeked::TooLong(start) => {
                    text.push_str(&start);
                    self.skip_line()?;
                    return Ok((text, false));
                }
            }
            if left == 0 {
                break;
            }
        }
        if text.ends_with('\n') {
            text.pop();
        }
        Ok((text, true))
    }

    /// Reads the next line if it fits into `room` characters, else as much of it as fits.
    fn peek_line(&mut self, room: usize) -> std::io::Result<Option<Peeked>> {
        let mut line = Vec::new();
        // A character is at most four bytes.
        let most = u64::try_from(room).unwrap_or(u64::MAX).saturating_mul(4).max(4);
        let read = (&mut self.reader).take(most).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        let ends = line.ends_with(b"\n") || self.reader.fill_buf()?.is_empty();
        if ends && text.chars().count() <= room {
            return Ok(Some(Peeked::Fits(text)));
        }
        Ok(Some(Peeked::TooLong(text.trim_end_matches('\n').chars().take(room).collect())))
    }
}

enum Peeked {
    Fits(String),
    TooLong(String),
}

/// What a binary file is, by its first bytes; none for text.
fn binary_kind(start: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 11] = [
        (b"\x89PNG\r\n", "PNG picture"),
        (b"\xff\xd8\xff", "JPEG picture"),
        (b"GIF8", "GIF picture"),
        (b"%PDF-", "PDF document"),
        (b"PK\x03\x04", "ZIP archive or office document"),
        (b"\x1f\x8b", "gzip archive"),
        (b"\x7fELF", "program (ELF)"),
        (b"SQLite format 3\0", "SQLite database"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
        (b"OggS", "Ogg sound or film"),
    ];
    if let Some((_, kind)) = KINDS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(kind);
    }
    start.contains(&0).then_some("binary file")
}
