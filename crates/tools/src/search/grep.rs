//! `grep`: searches files with ripgrep's library, opened by handle. For documents, it searches their text.

use super::parameters::GrepParameters;
use super::walk::{Passed, WalkOptions, path_of, walk};
use super::{Search, SearchError, finish, glob, notes};
use crate::budget::Budget;
use crate::files::Files;
use crate::text::{Lines, shown, size};
use crate::tool::{CallContext, InvalidCall, TypedTool};
use deputy_messages::search as say;
use deputy_messages::series;
use deputy_protocol::ToolResult;
use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};
use rustix::fs::FileType;
use std::fs::File;
use std::io;
use std::path::Path;

/// The maximum length of a line, in bytes. The search of a file ends at a longer line.
const LONGEST_LINE: usize = 4_000_000;
/// The maximum size of a compiled pattern, in bytes. The time per line grows with the size of the pattern and the
/// length of the line.
const LARGEST_PATTERN: usize = 2 * 1024 * 1024;
const MOST_CONTEXT: usize = 20;

/// Compiles the pattern of a call.
pub(super) fn matcher(call: &GrepParameters) -> Result<RegexMatcher, InvalidCall> {
    let mut builder = RegexMatcherBuilder::new();
    // `^` and `$` match at the ends of a line, also where several lines are searched at once.
    builder.multi_line(true).word(call.words);
    builder.case_insensitive(call.ignore_case).fixed_strings(call.literal).crlf(true);
    builder.size_limit(LARGEST_PATTERN).dfa_size_limit(4 * LARGEST_PATTERN);
    builder
        .build(&call.pattern)
        .map_err(|e| InvalidCall::parameter(Search::NAME, "pattern", say::expected_regex(e)))
}

pub(super) fn grep(
    call: &GrepParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let include = glob("include", call.include.as_deref())?;
    let mut grep = Grep::new(call, cx, budget)?;
    let mut passed = Passed::default();
    if start.kind() == FileType::Directory {
        let wanted = call.r#where.conditions()?;
        let options = WalkOptions::with(&call.r#where, call.hidden, call.no_ignore);
        passed = walk(files, &start, options, budget, &mut |entry| {
            if entry.kind != FileType::RegularFile {
                return;
            }
            if include.as_ref().is_some_and(|glob| !glob.fits(entry.name, entry.below)) {
                return;
            }
            if wanted.fits(entry, budget) {
                grep.file(entry.open(), &path_of(&call.path, entry.below));
            }
        })?;
    } else {
        grep.file(Ok(start.file()?), Path::new(&call.path));
        passed.is_cancelled = budget.is_cancelled();
    }
    Ok(grep.finish(&passed))
}

/// Searches the output of a command.
pub(super) fn grep_output(
    call: &GrepParameters,
    output: &str,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let mut grep = Grep::new(call, cx, budget)?;
    let name = crate::text::one_line(call.output_id.as_deref().unwrap_or_default(), 60);
    grep.search(&name, |searcher, matcher, sink| searcher.search_slice(matcher, output.as_bytes(), sink));
    Ok(grep.finish(&Passed::default()))
}

/// The maximum number of unreadable files that are named.
const NAMED: usize = 3;

struct Grep<'a> {
    matcher: RegexMatcher,
    searcher: Searcher,
    lines: Lines,
    files_only: bool,
    budget: &'a Budget,
    matches: u64,
    files: u64,
    files_with_matches: u64,
    binary: u64,
    /// The files that could not be read.
    unread: Vec<String>,
    /// The number of files with a line that is too long.
    too_long: u64,
}

impl<'a> Grep<'a> {
    fn new(call: &GrepParameters, cx: &CallContext, budget: &'a Budget) -> Result<Self, InvalidCall> {
        let context = call.context.unwrap_or(0).min(MOST_CONTEXT);
        let mut searcher = SearcherBuilder::new();
        searcher
            .line_number(true)
            .line_terminator(LineTerminator::crlf())
            .before_context(context)
            .after_context(context)
            .heap_limit(Some(LONGEST_LINE))
            .binary_detection(BinaryDetection::quit(0));
        Ok(Self {
            matcher: matcher(call)?,
            searcher: searcher.build(),
            lines: Lines::new(cx.output_chars),
            files_only: call.files_only,
            budget,
            matches: 0,
            files: 0,
            files_with_matches: 0,
            binary: 0,
            unread: Vec::new(),
            too_long: 0,
        })
    }

    /// Returns the result.
    fn finish(self, passed: &Passed) -> ToolResult {
        let matches = say::matches(self.files, self.matches, self.files_with_matches);
        let binary = (self.binary > 0).then(|| say::binary_passed_by(self.binary));
        let too_long =
            (self.too_long > 0).then(|| say::line_too_long(self.too_long, size(LONGEST_LINE as u64)));
        let unread = (!self.unread.is_empty()).then(|| {
            let named = self.unread.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            say::files_unread(self.unread.len(), named)
        });
        let figures = [Some(matches), unread, binary, too_long].into_iter().flatten();
        let summary = series(figures.chain(notes(passed, self.budget)));
        finish(self.lines, summary, passed)
    }

    fn file(&mut self, file: io::Result<File>, path: &Path) {
        let name = path.as_os_str();
        let path = shown(name);
        let Ok(file) = file else {
            self.unread.push(path);
            return;
        };
        let plain_name = name.to_string_lossy();
        let text = super::document::text_of(&file, &plain_name);
        let has_text = text.as_ref().is_some_and(|text| !text.trim().is_empty());
        if !has_text && deputy_organize::is_damaged(&file, &plain_name) {
            self.files += 1;
            self.unread.push(path);
            return;
        }
        let budget = self.budget;
        self.search(&path, |searcher, matcher, sink| match text {
            Some(text) => searcher.search_slice(matcher, text.as_bytes(), sink),
            None => searcher.search_reader(matcher, budget.read(file, name), sink),
        });
    }

    /// Searches one text, which the lines found are shown to be from.
    fn search(
        &mut self,
        path: &str,
        search: impl FnOnce(&mut Searcher, &RegexMatcher, &mut FileSink<'_>) -> io::Result<()>,
    ) {
        self.files += 1;
        let files_only = self.files_only;
        let mut sink = FileSink { lines: &mut self.lines, path, files_only, matches: 0, is_binary: false };
        match search(&mut self.searcher, &self.matcher, &mut sink) {
            Ok(()) => {}
            // The searcher has no error kind for its limit on lines.
            Err(error) if error.to_string().contains("allocation") => self.too_long += 1,
            Err(_) => self.unread.push(path.to_owned()),
        }
        let (matches, is_binary) = (sink.matches, sink.is_binary);
        if self.files_only && matches > 0 {
            self.lines.push(path);
        }
        self.matches += matches;
        self.files_with_matches += u64::from(matches > 0);
        self.binary += u64::from(is_binary);
    }
}

struct FileSink<'a> {
    lines: &'a mut Lines,
    path: &'a str,
    files_only: bool,
    matches: u64,
    is_binary: bool,
}

impl FileSink<'_> {
    fn push(&mut self, number: Option<u64>, separator: char, text: &[u8], entries: u64) {
        if self.files_only {
            return;
        }
        let text = String::from_utf8_lossy(text);
        let text = text.trim_end_matches(['\n', '\r']);
        let number = number.unwrap_or(0);
        self.lines.push_for(&format!("{}{separator}{number}{separator}{text}", self.path), entries);
    }
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.matches += 1;
        self.push(found.line_number(), ':', found.bytes(), 1);
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        self.push(line.line_number(), '-', line.bytes(), 0);
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        if !self.files_only {
            self.lines.push_for("--", 0);
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> io::Result<()> {
        self.is_binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}
