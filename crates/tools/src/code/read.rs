//! Reading: a header line, then the text. Long text is cut between lines, and binary files are only described.

use super::stored::Stored;
use super::{CodeError, ReadParameters};
use crate::files::{FileError, Files, Found};
use crate::picture::{self, LARGEST_PICTURE};
use crate::text::{count, failed, shown, size};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{CallStatus, PictureType, ResultPart, ToolResult};
use std::io::{BufRead, BufReader, Cursor, Read};

/// The number of bytes to check for telling text from binary data.
const SNIFFED: usize = 8 * 1024;
/// The maximum number of bytes to scan for finding `start_line` and for counting the lines of a file.
const SCANNED: u64 = 64 * 1000 * 1000;
/// The maximum size of a file that is read as a whole, to decode or change it.
pub(super) const WHOLE: u64 = 16_000_000;

pub(super) fn read(call: &ReadParameters, files: &Files, cx: &CallContext) -> Result<ToolResult, CodeError> {
    let found = files.find(&call.path)?;
    let path = shown(call.path.as_ref());
    let file = found.file()?;
    let io = |e| error(&call.path, e);
    let text = deputy_organize::document_text(&file, &call.path, SCANNED as usize);
    let has_text = text.as_ref().is_some_and(|text| !text.trim().is_empty());
    if !has_text && found.size() > 0 && deputy_organize::is_damaged(&file, &call.path) {
        return Err(CodeError::Damaged { path });
    }
    let is_document = text.is_some();
    let stored = match is_document || found.size() > WHOLE {
        true => None,
        false => Stored::read(&whole(&found)?),
    };
    let encoding = stored.as_ref().and_then(Stored::encoding);
    let bytes = text.as_ref().map_or(found.size(), |text| text.len() as u64);
    let is_text = is_document || encoding.is_some();
    let mut reader: Box<dyn BufRead> = match text.or(stored.map(|stored| stored.text)) {
        Some(text) => Box::new(Cursor::new(text.into_bytes())),
        None => Box::new(BufReader::with_capacity(64 * 1024, file)),
    };
    let start = reader.fill_buf().map_err(io)?;
    if let Some(kind) = binary_kind(&start[..start.len().min(SNIFFED)]).filter(|_| !is_text) {
        if let Some(result) = picture(&path, &found, cx)? {
            return Ok(result);
        }
        let summary = say::read_binary(kind, path, size(found.size()));
        let content = say::content_not_shown(&summary);
        return Ok(ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) });
    }
    let mut text = Scan { reader: reader.take(SCANNED), line: 1 };
    let first = call.start_line.unwrap_or(1).max(1);
    while text.line < first {
        if cx.cancel.is_cancelled() {
            return Ok(crate::text::cancelled());
        }
        if !text.skip_line().map_err(io)? {
            return Ok(failed(beyond(&path, &text, bytes)));
        }
    }
    let room = cx.output_chars.saturating_sub(200 + path.chars().count());
    let taken = text.take_lines(call.lines.unwrap_or(u64::MAX), room, call.numbered).map_err(io)?;
    while text.skip_line().map_err(io)? {
        if cx.cancel.is_cancelled() {
            return Ok(crate::text::cancelled());
        }
    }
    let (last, lines) = (taken.last, text.line - 1);
    let mut summary = match lines {
        0 => say::empty_file(path),
        // Without its size, which would give away the length of a single value.
        _ if found.is_masked() => say::read_names_only(first, last, path, lines),
        _ if bytes <= SCANNED => say::lines_read(first, last, path, size(found.size()), lines),
        _ => say::lines_read_of_many(first, last, path, size(found.size())),
    };
    if is_document {
        summary = say::read_its_text(summary);
    }
    if let Some(encoding) = encoding {
        summary = say::stored_as(encoding, summary);
    }
    if taken.is_lossy {
        summary = say::read_lossy(summary);
    }
    let mut content = format!("{summary}\n{}", taken.text);
    if taken.is_cut {
        let how = if call.numbered { "; in a shell, `cut -c` shows the rest" } else { "" };
        content.push_str(&format!("\n[line {last} was cut{how}]"));
    }
    if last < lines {
        let more = count(lines - last, "more line");
        content.push_str(&format!("\n[{more}; read on with offset={}]", last + 1));
    }
    Ok(ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) })
}

/// Reads a whole file. Fails if it is too large.
pub(super) fn whole(found: &Found) -> Result<Vec<u8>, FileError> {
    if found.size() > WHOLE {
        let (size, most) = (size(found.size()), size(WHOLE));
        return Err(FileError::TooLarge { path: shown(found.given().as_ref()), size, most });
    }
    let mut bytes = Vec::new();
    found.file()?.take(WHOLE).read_to_end(&mut bytes).map_err(|e| error(found.given(), e))?;
    Ok(bytes)
}

pub(super) fn error(given: &str, error: std::io::Error) -> FileError {
    FileError::io(say::cannot_read, given, error)
}

/// Returns a picture for screens and for models that accept pictures. `None` if it is not in a known format or too
/// large.
fn picture(path: &str, found: &Found, cx: &CallContext) -> Result<Option<ToolResult>, CodeError> {
    if found.size() > LARGEST_PICTURE {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read = found.file()?.take(LARGEST_PICTURE).read_to_end(&mut bytes);
    read.map_err(|error| FileError::io(say::cannot_read, found.given(), error))?;
    let told = |kind: PictureType, (width, height)| {
        let kind = kind.name();
        say::picture(height, kind, path, width)
    };
    let Some(part) = picture::keep(cx.keeper.as_ref(), &bytes, told)? else { return Ok(None) };
    let (kind, bytes) = (part.media_type.name(), size(part.size_bytes));
    let summary = say::read_picture(part.height, kind, path, bytes, part.width);
    let content = summary.to_string();
    let parts = vec![ResultPart::Picture(part)];
    Ok(Some(ToolResult { summary, parts, ..ToolResult::new(CallStatus::Ok, content) }))
}

fn beyond<R>(path: &str, text: &Scan<R>, bytes: u64) -> Phrase {
    let lines = text.line - 1;
    if bytes > SCANNED {
        return say::beyond_scanned(lines, path, size(SCANNED), size(bytes));
    }
    say::has_only_lines(lines, path)
}

/// A reader of text lines that holds only the text to be shown.
struct Scan<R> {
    reader: R,
    /// The number of the next line, from 1.
    line: u64,
}

impl<R: BufRead> Scan<R> {
    /// Skips a line. Returns `false` at the end.
    fn skip_line(&mut self) -> std::io::Result<bool> {
        let skipped = self.reader.skip_until(b'\n')?;
        if skipped > 0 {
            self.line += 1;
        }
        Ok(skipped > 0)
    }

    /// Reads whole lines while they fit. Cuts the first line if it alone is too long.
    fn take_lines(&mut self, most: u64, room: usize, numbered: bool) -> std::io::Result<Taken> {
        let mut taken = Taken { text: String::new(), last: self.line - 1, is_cut: false, is_lossy: false };
        let (first, mut left) = (self.line, room);
        while self.line - first < most {
            let number = if numbered { format!("{}\t", self.line) } else { String::new() };
            let Some(line) = self.next_line(left.saturating_sub(number.len()))? else { break };
            if line.fits || self.line == first {
                left = left.saturating_sub(number.len() + line.text.chars().count());
                taken.is_lossy |= line.text.contains(char::REPLACEMENT_CHARACTER);
                taken.text.push_str(&number);
                taken.text.push_str(&line.text);
                taken.last = self.line;
                taken.is_cut = !line.fits;
            }
            if !line.is_at_end {
                self.reader.skip_until(b'\n')?;
            }
            self.line += 1;
            if !line.fits || left == 0 {
                break;
            }
        }
        if taken.text.ends_with('\n') {
            taken.text.pop();
        }
        Ok(taken)
    }

    /// Reads the next line, or as much of it as fits into `room` characters.
    fn next_line(&mut self, room: usize) -> std::io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        // A character has at most four bytes.
        let most = u64::try_from(room).unwrap_or(u64::MAX).saturating_mul(4).max(4);
        if (&mut self.reader).take(most).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let is_at_end = bytes.ends_with(b"\n") || self.reader.fill_buf()?.is_empty();
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        let fits = is_at_end && text.chars().count() <= room;
        if !fits {
            text = text.trim_end_matches('\n').chars().take(room).collect();
        }
        Ok(Some(Line { text, fits, is_at_end }))
    }
}

/// A line that was read.
struct Line {
    text: String,
    /// Whether `text` is the whole line.
    fits: bool,
    /// Whether the reader is past the end of the line.
    is_at_end: bool,
}

/// The lines that were read.
struct Taken {
    text: String,
    /// The number of the last line.
    last: u64,
    is_cut: bool,
    /// Whether invalid UTF-8 was replaced.
    is_lossy: bool,
}

/// Returns the kind of a binary file by its first bytes, as an id that its message uses. `None` for text.
fn binary_kind(start: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 12] = [
        (b"\x89PNG\r\n", "png"),
        (b"\xff\xd8\xff", "jpeg"),
        (b"GIF8", "gif"),
        (b"RIFF", "riff"),
        (b"%PDF-", "pdf"),
        (b"PK\x03\x04", "zip"),
        (b"\x1f\x8b", "gzip"),
        (b"\x7fELF", "program"),
        (b"SQLite format 3\0", "sqlite"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
        (b"OggS", "ogg"),
    ];
    if let Some((_, kind)) = KINDS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(kind);
    }
    start.contains(&0).then_some("other")
}
