//! `ls`, `find`, `tree` and `usage`: what there is, by names and sizes.

use super::parameters::{FindParameters, LsParameters, TreeParameters, UsageParameters, WantedKind};
use super::walk::{Entry, Passed, WalkOptions, path_of, walk};
use super::{SearchError, Totals, entry_name, finish, glob};
use crate::budget::Budget;
use crate::files::{Files, Found, kind_name};
use crate::text::{Lines, date, shown};
use crate::tool::CallContext;
use deputy_protocol::ToolResult;
use rustix::fs::{FileType, Stat};
use std::cmp::Reverse;
use std::path::Path;

const TREE_DEPTH: u32 = 3;

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
    // A glob on paths looks below, and there ignore files count, as they do for `find`.
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
    let wanted = Wanted::new(call)?;
    let mut lines = Lines::new(cx.output_chars);
    let mut totals = Totals::default();
    let options = WalkOptions { hidden: call.hidden, no_ignore: call.no_ignore, depth: None };
    let passed = walk(files, &start, options, budget, &mut |entry| {
        let Some(bytes) = wanted.fits(entry) else { return };
        totals.add(entry.kind, bytes);
        lines.push(&entry_name(path_of(&call.path, entry.below).as_os_str(), entry.kind));
    })?;
    let summary = totals.summary(&passed, budget);
    Ok(finish(lines, summary, &passed))
}

/// The conditions of `find`, checked.
struct Wanted<'a> {
    call: &'a FindParameters,
    pattern: Option<super::NameGlob>,
    newer_than: Option<i64>,
    older_than: Option<i64>,
    files_only: bool,
}

impl<'a> Wanted<'a> {
    fn new(call: &'a FindParameters) -> Result<Self, SearchError> {
        let now = jiff::Timestamp::now();
        Ok(Self {
            call,
            pattern: glob("pattern", call.pattern.as_deref())?,
            newer_than: call.newer_than.as_ref().map(|moment| moment.seconds(now)),
            older_than: call.older_than.as_ref().map(|moment| moment.seconds(now)),
            files_only: call.extension.is_some() || call.min_bytes.is_some() || call.max_bytes.is_some(),
        })
    }

    /// The size of an entry that is wanted.
    fn fits(&self, entry: &Entry<'_>) -> Option<u64> {
        let kind = match entry.kind {
            FileType::RegularFile => Some(WantedKind::File),
            FileType::Directory => Some(WantedKind::Folder),
            FileType::Symlink => Some(WantedKind::Link),
            _ => None,
        };
        if self.call.kind.is_some() && self.call.kind != kind {
            return None;
        }
        if self.files_only && kind != Some(WantedKind::File) {
            return None;
        }
        if self.pattern.as_ref().is_some_and(|pattern| !pattern.fits(entry.name, entry.below)) {
            return None;
        }
        if let Some(wanted) = &self.call.extension {
            let extension = Path::new(entry.name).extension()?.to_str()?;
            if !extension.eq_ignore_ascii_case(wanted.trim_start_matches('.')) {
                return None;
            }
        }
        let stat = entry.stat().ok()?;
        let bytes = u64::try_from(stat.st_size).unwrap_or(0);
        let changed = changed_at(&stat);
        let fits = self.call.min_bytes.is_none_or(|least| bytes >= least)
            && self.call.max_bytes.is_none_or(|most| bytes <= most)
            && self.newer_than.is_none_or(|since| changed >= since)
            && self.older_than.is_none_or(|until| changed < until);
        fits.then_some(bytes)
    }
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

pub(super) fn usage(
    call: &UsageParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    struct Share {
        name: String,
        bytes: u64,
        files: u64,
    }
    let start: Found = files.find(&call.path)?;
    let mut shares: Vec<Share> = Vec::new();
    let mut totals = Totals::default();
    let options = WalkOptions { hidden: true, no_ignore: true, depth: None };
    let passed = walk(files, &start, options, budget, &mut |entry| {
        let is_file = entry.kind == FileType::RegularFile;
        let bytes = if is_file { entry.size().unwrap_or(0) } else { 0 };
        totals.add(entry.kind, bytes);
        // A folder comes right before what is in it, so the last share is the one.
        if entry.depth == 1 {
            shares.push(Share { name: entry_name(entry.name, entry.kind), bytes: 0, files: 0 });
        }
        if let Some(share) = shares.last_mut() {
            share.bytes += bytes;
            share.files += u64::from(is_file);
        }
    })?;
    shares.sort_by(|a, b| (Reverse(a.bytes), &a.name).cmp(&(Reverse(b.bytes), &b.name)));
    let mut lines = Lines::new(cx.output_chars);
    for share in &shares {
        lines.push(&format!("{}\t{}\t{}", share.bytes, share.files, share.name));
    }
    let summary = totals.summary(&passed, budget);
    Ok(finish(lines, summary, &passed))
}

fn changed_at(stat: &Stat) -> i64 {
    stat.st_mtime
}
