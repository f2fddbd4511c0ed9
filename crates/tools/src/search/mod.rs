//! `search`: lists, finds and reads files in this process and by handle. It never changes anything.
//!
//! Every result consists of lines, followed by `... and N more` if some did not fit, and a summary line, which is also
//! the result's `summary`. The lines and the summary of each action are stable:
//!
//! - `ls`: `NAME<tab>KIND<tab>BYTES<tab>YYYY-MM-DD`, where bytes are `-` except for files. Summary: `64 files, 5
//!   folders, 2.1 MB`.
//! - `find`: `PATH`, for folders with a trailing `/`. With `sort`, followed by
//!   `<tab>KIND<tab>BYTES<tab>YYYY-MM-DDTHH:MM:SS`. Summary: the same for all matches, and `; 5 of 69 shown` if not all
//!   are. With `sort`, the last line ends with `; 2103552 bytes`, which the `summary` leaves out.
//! - `tree`: `NAME`, indented by two spaces for each level, for folders with a trailing `/`. Summary: the same.
//! - `usage`: `BYTES<tab>FILES<tab>NAME`, for folders with a trailing `/`, largest first; years and months in
//!   chronological order. Summary: the same.
//! - `grep`: `PATH:LINE:TEXT`, context as `PATH-LINE-TEXT`, `--` between groups. With `files_only`, `PATH`. Summary:
//!   `12 matches in 3 of 64 files`.
//! - `head`, `tail`: the file's lines. Summary: `10 lines, the first of 4.1 KB`.
//! - `wc`: `LINES<tab>WORDS<tab>BYTES<tab>PATH`. Summary: `3 files, 120 lines, 800 words, 4.1 KB`.
//! - `duplicates`: `N files of BYTES bytes, BYTES wasted`, then two spaces and a `PATH` for each. Summary: `4 groups, 9
//!   files, 2.1 MB wasted`.
//! - `info`: `PATH`, then `<tab>KEY=VALUE` for each known value: `kind`, `type`, `bytes`, `changed`, `pixels`, `taken`,
//!   `camera`, `pages`, `title`, `author`, `lines`, `words`, `tags`. Summary: as for `find`.
//! - `compare`: `only in FOLDER<tab>PATH`, `different<tab>PATH`. Summary: `2 only in A, 1 only in B, 3 different, 40
//!   the same`.
//!
//! A summary mentions files and folders only if there are some, and is `nothing found` if there is nothing. Notes can
//! follow the figures, each after `; `: links, what was hidden or ignored, what could not be read. Kinds are `file`,
//! `folder`, `link`, `pipe`, `socket`, `device`. Names that are not clean text are escaped. Sizes are apparent sizes, 1
//! KB is 1000 bytes, dates are local.

mod compare;
mod content;
mod document;
mod duplicates;
mod filter;
mod grep;
mod ignores;
mod info;
mod list;
mod order;
mod parameters;
mod usage;
mod walk;
mod when;

pub(crate) use document::text_of;
pub(crate) use filter::{Filter, WantedKind};
pub use list::{TopLevel, top_level};
pub(crate) use order::{Order, Row};
pub(crate) use parameters::LsParameters;
pub(crate) use walk::{WalkOptions, walk};

use crate::background::WaitFor;
use crate::budget::Budget;
use crate::files::{FileError, Files};
use crate::text::{cancelled, failed, reason, shown, size};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::search as say;
use deputy_messages::tools;
use deputy_protocol::{
    Access, CallStatus, Effect, Facts, ListAccess, OwnAccess, ReadAccess, Risk, ToolResult,
};
use globset::{GlobBuilder, GlobMatcher};
use parameters::{GrepParameters, SearchCall};
use rustix::fs::FileType;
use std::time::Duration;
use walk::Passed;

/// How long to wait for a search after it was stopped, so that it can return what it has found.
const GRACE: Duration = Duration::from_secs(2);

/// The tool that lists, finds and reads files.
pub(crate) struct Search;

impl TypedTool for Search {
    const NAME: &'static str = "search";
    type Parameters = SearchCall;

    fn facts(&self, call: &SearchCall, place: &Place) -> Result<Facts, InvalidCall> {
        let path = place.named(call.path());
        if path.is_empty() || path.contains('\0') {
            return Err(InvalidCall::parameter(Self::NAME, "path", tools::expected_path()));
        }
        let list = || Access::List(ListAccess { path: path.clone() });
        let read = || Access::Read(ReadAccess { path: path.clone() });
        let selecting = |filter: &Filter| -> Result<Vec<Access>, InvalidCall> {
            filter.conditions()?;
            Ok(if filter.reads() { vec![list(), read()] } else { vec![list()] })
        };
        let at = shown(call.path().as_ref());
        let is_here = matches!(call.path(), "" | "." | "./");
        let of = |here: fn() -> Phrase, there: fn(String) -> Phrase| {
            if is_here { here() } else { there(at.clone()) }
        };
        let (accesses, summary) = match call {
            SearchCall::Ls(call) => {
                glob("glob", call.glob.as_deref())?;
                (vec![list()], of(say::list_here, say::list))
            }
            SearchCall::Tree(_) => (vec![list()], of(say::tree_here, say::tree)),
            SearchCall::Usage(call) => (selecting(&call.r#where)?, of(say::usage_here, say::usage)),
            SearchCall::Find(call) => (selecting(&call.filter)?, of(say::find_here, say::find)),
            SearchCall::Grep(call) => {
                grep::matcher(call)?;
                glob("include", call.include.as_deref())?;
                call.r#where.conditions()?;
                let pattern = crate::text::one_line(&call.pattern, 80);
                if let Some(id) = &call.output_id {
                    let id = crate::text::one_line(id, 60);
                    let what = OwnAccess { what: format!("the output of {id}") };
                    let summary = say::grep_output(id, pattern);
                    return Ok(Facts { accesses: vec![Access::Own(what)], ..facts(summary) });
                }
                let summary = if is_here { say::grep_here(pattern) } else { say::grep(at, pattern) };
                (vec![list(), read()], summary)
            }
            SearchCall::Wc(call) => {
                glob("include", call.include.as_deref())?;
                call.r#where.conditions()?;
                (vec![list(), read()], of(say::count_here, say::count))
            }
            SearchCall::Duplicates(call) => {
                call.r#where.conditions()?;
                (vec![list(), read()], of(say::duplicates_here, say::duplicates))
            }
            SearchCall::Info(call) => {
                call.r#where.as_ref().map(Filter::conditions).transpose()?;
                (vec![list(), read()], of(say::info_here, say::info))
            }
            SearchCall::Compare(call) => {
                let other = place.named(&call.other);
                if other.is_empty() || other.contains('\0') {
                    return Err(InvalidCall::parameter(Self::NAME, "other", tools::expected_path()));
                }
                let there = shown(call.other.as_ref());
                let other = [
                    Access::List(ListAccess { path: other.clone() }),
                    Access::Read(ReadAccess { path: other }),
                ];
                let summary = if is_here { say::compare_here(there) } else { say::compare(there, at) };
                ([list(), read()].into_iter().chain(other).collect(), summary)
            }
            SearchCall::Head(_) | SearchCall::Tail(_) => (vec![read()], tools::read(at)),
        };
        Ok(Facts { accesses, ..facts(summary) })
    }

    async fn run(&self, call: SearchCall, cx: &CallContext) -> ToolResult {
        // Do not wait for work that cannot be interrupted, such as a read from a file system that does not respond or a
        // slow pattern on one line.
        let stop = cx.cancel.child_token();
        let own = CallContext { cancel: stop.clone(), ..cx.clone() };
        let output = match &call {
            SearchCall::Grep(GrepParameters { output_id: Some(id), .. }) => {
                match cx.commands.output(id.trim(), Some(0), usize::MAX, &WaitFor::default()).await {
                    Ok(output) => Some(output.text),
                    Err(error) => return failed(error),
                }
            }
            _ => None,
        };
        let work = move || -> Result<ToolResult, SearchError> {
            let files = Files::of(&own)?;
            let budget = &Budget::of(&own);
            match call {
                SearchCall::Ls(call) => list::ls(&call, &files, &own, budget),
                SearchCall::Find(call) => list::find(&call, &files, &own, budget),
                SearchCall::Tree(call) => list::tree(&call, &files, &own, budget),
                SearchCall::Usage(call) => usage::usage(&call, &files, &own, budget),
                SearchCall::Grep(call) => match &output {
                    Some(output) => grep::grep_output(&call, output, &own, budget),
                    None => grep::grep(&call, &files, &own, budget),
                },
                SearchCall::Head(call) => content::head(&call, &files, &own),
                SearchCall::Tail(call) => content::tail(&call, &files, &own),
                SearchCall::Wc(call) => content::wc(&call, &files, &own, budget),
                SearchCall::Info(call) => info::info(&call, &files, &own, budget),
                SearchCall::Compare(call) => compare::compare(&call, &files, &own, budget),
                SearchCall::Duplicates(call) => duplicates::duplicates(&call, &files, &own, budget),
            }
        };
        let mut working = tokio::task::spawn_blocking(work);
        let limit = Budget::time(cx);
        let too_late = async {
            tokio::select! {
                () = cx.cancel.cancelled() => {}
                () = tokio::time::sleep(limit) => {}
            }
            tokio::time::sleep(GRACE).await;
        };
        let worked = tokio::select! {
            worked = &mut working => worked,
            () = too_late => {
                stop.cancel();
                return match cx.cancel.is_cancelled() {
                    true => cancelled(),
                    false => failed(SearchError::TooLong { time: limit }),
                };
            }
        };
        match worked {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => failed(error),
            Err(error) => failed(say::broke_off(error)),
        }
    }
}

fn facts(summary: Phrase) -> Facts {
    Facts { effect: Effect::ReadOnly, accesses: Vec::new(), summary, diff: None, plan: None, risk: Risk::Low }
}

/// Checks the glob of a listing.
pub(crate) fn check_list(call: &LsParameters) -> Result<(), InvalidCall> {
    glob("glob", call.glob.as_deref()).map(drop)
}

/// Lists a folder for `code`, in the same format.
pub(crate) async fn list(call: LsParameters, cx: &CallContext) -> ToolResult {
    Search.run(SearchCall::Ls(call), cx).await
}

/// Adds the files that match a glob below `start`, as paths that calls accept. Without a glob, adds the file itself or
/// the files directly in the folder.
pub(crate) fn matching(
    files: &Files,
    start: &str,
    pattern: Option<&str>,
    most: usize,
    budget: &Budget,
    found: &mut Vec<String>,
) -> Result<(), Phrase> {
    let from = files.find(start)?;
    if pattern.is_none() && from.kind() != FileType::Directory {
        found.push(start.to_owned());
        return Ok(());
    }
    let pattern = pattern.unwrap_or("*");
    // Match the whole path, so that `*.txt` only matches the files of one folder.
    let glob = glob("files", Some(pattern))?.map(|glob| NameGlob { on_path: true, ..glob });
    let depth = (!pattern.contains("**")).then(|| pattern.split('/').count());
    walk(files, &from, WalkOptions { depth, ..WalkOptions::default() }, budget, &mut |entry| {
        let fits = glob.as_ref().is_some_and(|glob| glob.fits(entry.name, entry.below));
        let path = walk::path_of(start, entry.below);
        if let Some(path) = path.to_str()
            && fits
            && entry.kind == FileType::RegularFile
            && found.len() < most
        {
            found.push(path.to_owned());
        }
    })?;
    Ok(())
}

/// Why a search failed. The text is for the model.
#[derive(Debug, thiserror::Error)]
enum SearchError {
    File(#[from] FileError),
    Call(#[from] InvalidCall),
    TooLong { time: Duration },
    Read { path: String, source: std::io::Error },
}

impl SearchError {
    /// Returns the message for people.
    fn phrase(&self) -> Phrase {
        match self {
            Self::File(error) => error.phrase(),
            Self::Call(error) => error.phrase(),
            Self::TooLong { time } => say::took_too_long(tools::seconds(time.as_secs())),
            Self::Read { path, source } => tools::cannot_read(path, reason(source)),
        }
    }
}

deputy_messages::said_by_phrase!(SearchError);

/// The totals for the summary.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    files: u64,
    folders: u64,
    links: u64,
    special: u64,
    bytes: u64,
}

impl Totals {
    fn add(&mut self, kind: FileType, bytes: u64) {
        match kind {
            FileType::RegularFile => {
                self.files += 1;
                self.bytes += bytes;
            }
            FileType::Directory => self.folders += 1,
            FileType::Symlink => self.links += 1,
            _ => self.special += 1,
        }
    }

    fn summary(&self, passed: &Passed, budget: &Budget) -> Phrase {
        self.summary_with(std::iter::empty(), passed, budget)
    }

    /// Returns the summary, with more figures after its own.
    fn summary_with(
        &self,
        figures: impl Iterator<Item = Phrase>,
        passed: &Passed,
        budget: &Budget,
    ) -> Phrase {
        let of = |count: u64, words: fn(u64) -> Phrase| (count > 0).then(|| words(count));
        let entries = [
            of(self.files, tools::files),
            of(self.folders, tools::folders),
            (self.files > 0).then(|| size(self.bytes)),
        ];
        let entries: Vec<Phrase> = entries.into_iter().flatten().collect();
        let others = [of(self.links, tools::links), of(self.special, tools::special_files)];
        let main = match entries.is_empty() {
            true if others.iter().any(Option::is_some) => None,
            true => Some(say::nothing_found()),
            false => Some(deputy_messages::list(entries)),
        };
        let figures = main.into_iter().chain(others.into_iter().flatten()).chain(figures);
        deputy_messages::series(figures.chain(notes(passed, budget)))
    }
}

/// Returns what a walk skipped, as notes for the summary.
fn notes(passed: &Passed, budget: &Budget) -> impl Iterator<Item = Phrase> {
    let protected: Vec<String> = passed.protected.iter().map(|path| shown(path.as_os_str())).collect();
    let protected = protected.join(", ");
    let protected = match (passed.protected.is_empty(), passed.more_protected) {
        (true, _) => None,
        (false, 0) => Some(say::protected(protected)),
        (false, more) => Some(say::protected_and_more(more, protected)),
    };
    let of = |count: u64, words: fn(u64) -> Phrase| (count > 0).then(|| words(count));
    let notes = [
        protected,
        of(passed.left_out, say::hidden_or_ignored),
        of(passed.closed, say::closed),
        of(passed.unreadable, tools::could_not_be_read),
        passed.is_partial.then(say::too_large),
        budget.note(),
    ];
    notes.into_iter().flatten()
}

/// Builds the result. If the call was stopped, says so.
fn finish(lines: crate::text::Lines, summary: Phrase, passed: &Passed) -> ToolResult {
    finish_exact(lines, summary, None, passed)
}

/// Like [`finish`], but the last line also contains the exact sum of bytes. Programs use it; it is not shown to people.
fn finish_exact(
    lines: crate::text::Lines,
    summary: Phrase,
    bytes: Option<u64>,
    passed: &Passed,
) -> ToolResult {
    if passed.is_cancelled {
        return ToolResult { status: CallStatus::Cancelled, ..cancelled() };
    }
    let mut result = lines.finish(summary);
    if let Some(bytes) = bytes {
        result.content.push_str(&format!("; {}", tools::bytes(bytes)));
    }
    result
}

/// A compiled glob. It matches the path below the start if it contains a `/`, otherwise the name.
struct NameGlob {
    matcher: GlobMatcher,
    on_path: bool,
}

impl NameGlob {
    fn fits(&self, name: &std::ffi::OsStr, below: &std::path::Path) -> bool {
        let text = if self.on_path { below.as_os_str() } else { name };
        match text.to_str() {
            Some(text) => self.matcher.is_match(deputy_organize::fold(text)),
            None => self.matcher.is_match(text),
        }
    }
}

fn glob(parameter: &str, pattern: Option<&str>) -> Result<Option<NameGlob>, InvalidCall> {
    let Some(pattern) = pattern else { return Ok(None) };
    // Fold the pattern: `Ä` is one or two characters, depending on the system that wrote the name, and case is ignored.
    let glob = GlobBuilder::new(&deputy_organize::fold(pattern))
        .literal_separator(true)
        // People do not remember whether a name was written `Report.PDF`.
        .case_insensitive(true)
        .build()
        .map_err(|e| InvalidCall::parameter(Search::NAME, parameter, say::expected_glob(e)))?;
    Ok(Some(NameGlob { matcher: glob.compile_matcher(), on_path: pattern.contains('/') }))
}

/// Formats a name for a line, for folders with a trailing `/`.
fn entry_name(name: &std::ffi::OsStr, kind: FileType) -> String {
    let mut text = shown(name);
    if kind == FileType::Directory {
        text.push('/');
    }
    text
}
