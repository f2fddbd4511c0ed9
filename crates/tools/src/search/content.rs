//! `head`, `tail` and `wc`: the ends and counts of a file, without loading the whole file.

use super::parameters::{HeadParameters, TailParameters, WcParameters};
use super::walk::{Passed, WalkOptions, path_of, walk};
use super::{SearchError, finish, glob, notes};
use crate::budget::Budget;
use crate::files::{Files, Found};
use crate::text::{Lines, shown, size};
use crate::tool::CallContext;
use deputy_messages::search as say;
use deputy_messages::{Phrase, list, series, tools};
use deputy_protocol::{CallStatus, ToolResult};
use rustix::fs::FileType;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

const USUAL_LINES: usize = 10;
/// The maximum number of bytes to read from either end of a file. More would never fit into a result.
const MOST_BYTES: u64 = 1_000_000;

pub(super) fn head(
    call: &HeadParameters,
    files: &Files,
    cx: &CallContext,
) -> Result<ToolResult, SearchError> {
    let found = files.find(&call.path)?;
    let mut bytes = Vec::new();
    let file = found.file()?;
    if let Some(text) = super::document::text_of(&file, found.given()) {
        let lines: Vec<&str> = text.lines().take(call.lines.unwrap_or(USUAL_LINES)).collect();
        return Ok(show(&lines, say::first_lines, &found, cx));
    }
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|e| unread(&call.path, e))?;
    if let Some(binary) = binary(&found, &bytes) {
        return Ok(binary);
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().take(call.lines.unwrap_or(USUAL_LINES)).collect();
    Ok(show(&lines, say::first_lines, &found, cx))
}

pub(super) fn tail(
    call: &TailParameters,
    files: &Files,
    cx: &CallContext,
) -> Result<ToolResult, SearchError> {
    let found = files.find(&call.path)?;
    let mut file = found.file()?;
    if let Some(text) = super::document::text_of(&file, found.given()) {
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.len().saturating_sub(call.lines.unwrap_or(USUAL_LINES));
        let first = first.max(Lines::new(cx.output_chars).first_that_fits(&lines));
        return Ok(show(&lines[first..], say::last_lines, &found, cx));
    }
    let from = found.size().saturating_sub(MOST_BYTES);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))
        .and_then(|_| file.take(MOST_BYTES).read_to_end(&mut bytes))
        .map_err(|e| unread(&call.path, e))?;
    if let Some(binary) = binary(&found, &bytes) {
        return Ok(binary);
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<&str> = text.lines().collect();
    if from > 0 && lines.len() > 1 {
        // The first line is incomplete.
        lines.remove(0);
    }
    let first = lines.len().saturating_sub(call.lines.unwrap_or(USUAL_LINES));
    // If not all lines fit, keep the last ones.
    let first = first.max(Lines::new(cx.output_chars).first_that_fits(&lines));
    Ok(show(&lines[first..], say::last_lines, &found, cx))
}

fn show(text: &[&str], which: fn(u64, Phrase) -> Phrase, found: &Found, cx: &CallContext) -> ToolResult {
    let mut lines = Lines::new(cx.output_chars);
    for line in text {
        lines.push(line);
    }
    lines.finish(which(text.len() as u64, size(found.size())))
}

fn binary(found: &Found, bytes: &[u8]) -> Option<ToolResult> {
    bytes.contains(&0).then(|| {
        let summary = say::is_binary(shown(found.given().as_ref()), size(found.size()));
        let content = deputy_messages::tools::content_not_shown(&summary);
        ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) }
    })
}

pub(super) fn wc(
    call: &WcParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let include = glob("include", call.include.as_deref())?;
    let mut lines = Lines::new(cx.output_chars);
    let mut total = Counts::default();
    let (mut counted, mut unreadable) = (0_u64, 0);
    let mut add = |file: io::Result<File>, path: &Path| {
        let Ok(counts) = file.and_then(|file| counts(budget.read(file, path.as_os_str()))) else {
            unreadable += 1;
            return;
        };
        counted += 1;
        total.lines += counts.lines;
        total.words += counts.words;
        total.bytes += counts.bytes;
        let path = shown(path.as_os_str());
        lines.push(&format!("{}\t{}\t{}\t{path}", counts.lines, counts.words, counts.bytes));
    };
    let mut passed = Passed::default();
    if start.kind() == FileType::Directory {
        let conditions = call.r#where.conditions()?;
        let options = WalkOptions::with(&call.r#where, call.hidden, call.no_ignore);
        passed = walk(files, &start, options, budget, &mut |entry| {
            let wanted = include.as_ref().is_none_or(|glob| glob.fits(entry.name, entry.below));
            if wanted && entry.kind == FileType::RegularFile && conditions.fits(entry, budget) {
                add(entry.open(), &path_of(&call.path, entry.below));
            }
        })?;
    } else {
        add(Ok(start.file()?), Path::new(&call.path));
        passed.is_cancelled = budget.is_cancelled();
    }
    passed.unreadable += unreadable;
    let figures =
        [tools::files(counted), tools::lines(total.lines), tools::words(total.words), size(total.bytes)];
    let summary = series(std::iter::once(list(figures)).chain(notes(&passed, budget)));
    Ok(finish(lines, summary, &passed))
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) lines: u64,
    pub(super) words: u64,
    pub(super) bytes: u64,
}

/// Counts like `wc`: a line ends with a line feed. A last line without a line feed also counts.
pub(super) fn counts(mut file: impl Read) -> io::Result<Counts> {
    let mut counts = Counts::default();
    let mut buffer = vec![0; 256 * 1024];
    let (mut in_word, mut last) = (false, b'\n');
    loop {
        let read = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => &buffer[..read],
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        counts.bytes += read.len() as u64;
        for &byte in read {
            counts.lines += u64::from(byte == b'\n');
            let is_blank = byte.is_ascii_whitespace();
            counts.words += u64::from(!is_blank && !in_word);
            in_word = !is_blank;
            last = byte;
        }
    }
    counts.lines += u64::from(last != b'\n');
    Ok(counts)
}

fn unread(path: &str, source: io::Error) -> SearchError {
    SearchError::Read { path: shown(path.as_ref()), source }
}
