//! `ls`, `find` and `tree`: list files with names and sizes.

use super::order::{Row, Shown};
use super::parameters::{FindParameters, LsParameters, TreeParameters};
use super::walk::{Passed, WalkOptions, path_of, walk};
use super::{SearchError, Totals, entry_name, finish, finish_exact, glob};
use crate::budget::Budget;
use crate::files::{Files, Found, kind_name};
use crate::text::{Lines, date, shown};
use crate::tool::{CallContext, Place};
use deputy_policy::Situation;
use deputy_protocol::ToolResult;
use rustix::fs::{FileType, Stat};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const TREE_DEPTH: u32 = 3;
/// The time for listing the top level of a workspace.
const TOP_LEVEL_TIME: Duration = Duration::from_millis(300);

pub(super) fn ls(
    call: &LsParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let mut lines = Lines::new(cx.output_chars);
    let mut totals = Totals::default();
    let mut add = |name: &std::ffi::OsStr, kind: FileType, stat: Option<Stat>| {
        let is_file = kind == FileType::RegularFile;
        let bytes = stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0));
        totals.add(kind, bytes);
        let shown_bytes = if is_file && stat.is_some() { bytes.to_string() } else { "-".to_owned() };
        let changed = stat.map_or_else(|| "unknown".to_owned(), |stat| date(changed_at(&stat)));
        lines.push(&format!("{}\t{}\t{shown_bytes}\t{changed}", shown(name), kind_name(kind)));
    };
    if start.kind() != FileType::Directory {
        let name = Path::new(start.given()).file_name().unwrap_or_default();
        add(name, start.kind(), Some(*start.stat()));
        let summary = totals.summary(&Passed::default(), budget);
        return Ok(lines.finish(summary));
    }
    let wanted = glob("glob", call.glob.as_deref())?;
    // A glob on paths searches subfolders, and there ignore files apply as for `find`.
    let is_deep = wanted.as_ref().is_some_and(|glob| glob.on_path);
    let options =
        WalkOptions { hidden: call.hidden, no_ignore: !is_deep, depth: if is_deep { None } else { Some(1) } };
    let passed = walk(files, &start, options, budget, &mut |entry| match &wanted {
        Some(glob) if !glob.fits(entry.name, entry.below) => {}
        Some(glob) if glob.on_path => add(entry.below.as_os_str(), entry.kind, entry.stat().ok()),
        _ => add(entry.name, entry.kind, entry.stat().ok()),
    })?;
    let summary = totals.summary(&passed, budget);
    Ok(finish(lines, summary, &passed))
}

pub(super) fn find(
    call: &FindParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let (totals, shown, passed) = select(call, &start, files, cx, budget)?;
    let mut lines = Lines::new(cx.output_chars);
    let (rows, window) = shown.rows();
    for row in &rows {
        match call.sort {
            Some(_) => lines.push(&row.line()),
            None => lines.push(&entry_name(row.path.as_os_str(), row.kind)),
        }
    }
    window.count_rest(rows.len(), &mut lines);
    let summary = totals.summary_with(window.note().into_iter(), &passed, budget);
    Ok(finish_exact(lines, summary, call.sort.map(|_| totals.bytes), &passed))
}

/// Collects the entries that match the conditions of a call. Keeps only the rows to be shown.
fn select(
    call: &FindParameters,
    start: &Found,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<(Totals, Shown, Passed), SearchError> {
    let wanted = call.filter.conditions()?;
    let mut totals = Totals::default();
    let mut shown = Shown::new(call.sort, call.offset, call.limit, cx.output_chars);
    let options = WalkOptions::of(&call.filter);
    let passed = walk(files, start, options, budget, &mut |entry| {
        if wanted.fits(entry, budget) {
            let row = Row::of(path_of(&call.path, entry.below), entry.kind, entry.stat().ok().as_ref());
            totals.add(entry.kind, row.bytes);
            shown.push(row);
        }
    })?;
    Ok((totals, shown, passed))
}

pub(super) fn tree(
    call: &TreeParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let mut lines = Lines::new(cx.output_chars);
    let mut totals = Totals::default();
    let depth = call.depth.unwrap_or(TREE_DEPTH).max(1) as usize;
    let options = WalkOptions { hidden: call.hidden, no_ignore: call.no_ignore, depth: Some(depth) };
    let passed = walk(files, &start, options, budget, &mut |entry| {
        totals.add(entry.kind, entry.size().unwrap_or(0));
        lines.push(&format!("{}{}", "  ".repeat(entry.depth - 1), entry_name(entry.name, entry.kind)));
    })?;
    let summary = totals.summary(&passed, budget);
    Ok(finish(lines, summary, &passed))
}

/// The direct entries of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopLevel {
    /// The first of them by name, folders with a slash at the end, with control characters escaped.
    pub names: Vec<String>,
    /// The number of others.
    pub more: usize,
}

/// Returns the direct entries of a workspace that a task may see, at most `most` by name. Empty if they cannot be read.
pub fn top_level(place: &Place, situation: &Situation, most: usize) -> TopLevel {
    let budget = Budget::new(CancellationToken::new(), TOP_LEVEL_TIME, 0);
    let options = WalkOptions { hidden: true, no_ignore: true, depth: Some(1) };
    let mut names = Vec::new();
    let read = Files::for_names(place, situation).and_then(|files| {
        let start = files.find(".")?;
        walk(&files, &start, options, &budget, &mut |entry| {
            if entry.name != ".git" {
                names.push(entry_name(entry.name, entry.kind));
            }
        })
    });
    if read.is_err() {
        return TopLevel::default();
    }
    names.sort_unstable();
    let more = names.len().saturating_sub(most);
    names.truncate(most);
    TopLevel { names, more }
}

fn changed_at(stat: &Stat) -> i64 {
    stat.st_mtime
}
