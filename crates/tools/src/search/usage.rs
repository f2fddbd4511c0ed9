//! `usage`: how much space the entries or the types of files in a folder take.

use super::parameters::{UsageBy, UsageParameters};
use super::walk::{Entry, WalkOptions, walk};
use super::{SearchError, Totals, entry_name, finish};
use crate::budget::Budget;
use crate::files::Files;
use crate::text::{Lines, date, shown};
use crate::tool::CallContext;
use deputy_organize::scan::{FileKind, kind_by_name};
use deputy_protocol::ToolResult;
use rustix::fs::FileType;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

#[derive(Default)]
struct Share {
    bytes: u64,
    files: u64,
}

pub(super) fn usage(
    call: &UsageParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let wanted = call.r#where.conditions()?;
    let mut shares: HashMap<String, Share> = HashMap::new();
    let mut entry_of_folder = String::new();
    let mut totals = Totals::default();
    let options = WalkOptions { hidden: true, no_ignore: true, ..WalkOptions::of(&call.r#where) };
    let passed = walk(files, &start, options, budget, &mut |entry| {
        // The walk visits a folder right before its content.
        if entry.depth == 1 {
            entry_of_folder = entry_name(entry.name, entry.kind);
        }
        if !wanted.fits(entry, budget) {
            return;
        }
        let is_file = entry.kind == FileType::RegularFile;
        let bytes = if is_file { entry.size().unwrap_or(0) } else { 0 };
        totals.add(entry.kind, bytes);
        if !is_file && call.by != UsageBy::Folder {
            return;
        }
        let names = match call.by {
            UsageBy::Folder => vec![entry_of_folder.clone()],
            by => names_of(entry, by),
        };
        for name in names {
            let share = shares.entry(name).or_default();
            share.bytes += bytes;
            share.files += u64::from(is_file);
        }
    })?;
    let mut shares: Vec<(String, Share)> = shares.into_iter().collect();
    match call.by {
        UsageBy::Year | UsageBy::Month => shares.sort_by(|(one, _), (other, _)| one.cmp(other)),
        _ => shares.sort_by(|(one, a), (other, b)| (Reverse(a.bytes), one).cmp(&(Reverse(b.bytes), other))),
    }
    let mut lines = Lines::new(cx.output_chars);
    for (name, share) in &shares {
        lines.push(&format!("{}\t{}\t{name}", share.bytes, share.files));
    }
    let summary = totals.summary(&passed, budget);
    Ok(finish(lines, summary, &passed))
}

/// Returns the groups under which a file is counted.
fn names_of(entry: &Entry<'_>, by: UsageBy) -> Vec<String> {
    let name = entry.name.to_string_lossy();
    let changed = || entry.stat().map_or_else(|_| "unknown".to_owned(), |stat| date(stat.st_mtime));
    let one = match by {
        UsageBy::Type => type_name(kind_by_name(&name)),
        UsageBy::Extension => match Path::new(entry.name).extension() {
            Some(extension) => shown(extension).to_lowercase(),
            None => "(none)".to_owned(),
        },
        // The date has the form `2026-01-31`.
        UsageBy::Year => changed().split('-').next().unwrap_or_default().to_owned(),
        UsageBy::Month => changed().rsplit_once('-').map_or_else(changed, |(month, _)| month.to_owned()),
        UsageBy::Tag => return entry.tags().iter().map(|tag| shown(tag.as_ref())).collect(),
        UsageBy::Folder => return Vec::new(),
    };
    vec![one]
}

/// Returns the name of a type in results.
pub(super) fn type_name(kind: FileKind) -> String {
    let name = serde_json::to_value(kind).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or("other").to_owned()
}
