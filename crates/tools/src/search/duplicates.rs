//! `duplicates`: finds files with the same content, by size first and then by digest.
//!
//! The folder is walked twice: first to find the sizes that occur more than once, then to read only the files of those
//! sizes. Only the paths of these files are held in memory, and every file is opened by the handle of its folder. Empty
//! files waste no space and do not count. Several hard links to a file count as one file.

use super::parameters::DuplicatesParameters;
use super::walk::{WalkOptions, path_of, walk};
use super::{SearchError, finish, notes};
use crate::budget::Budget;
use crate::files::{Files, digest_of};
use crate::text::{Lines, shown, size};
use crate::tool::CallContext;
use deputy_messages::search as say;
use deputy_messages::series;
use deputy_protocol::{Digest, ToolResult};
use rustix::fs::FileType;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

pub(super) fn duplicates(
    call: &DuplicatesParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let wanted = call.r#where.conditions()?;
    let options = WalkOptions::with(&call.r#where, call.hidden, call.no_ignore);
    let mut sizes: HashMap<u64, u32> = HashMap::new();
    walk(files, &start, options, budget, &mut |entry| {
        if let (FileType::RegularFile, Ok(bytes)) = (entry.kind, entry.size())
            && wanted.fits(entry, budget)
        {
            let times = sizes.entry(bytes).or_default();
            *times = times.saturating_add(1);
        }
    })?;
    sizes.retain(|bytes, times| *bytes > 0 && *times > 1);
    let mut groups: HashMap<(u64, Digest), Vec<PathBuf>> = HashMap::new();
    let mut seen = HashSet::new();
    let mut unreadable = 0;
    let mut passed = walk(files, &start, options, budget, &mut |entry| {
        let Ok(stat) = entry.stat() else { return };
        let bytes = u64::try_from(stat.st_size).unwrap_or(0);
        if entry.kind != FileType::RegularFile || !sizes.contains_key(&bytes) {
            return;
        }
        if !wanted.fits(entry, budget) || !seen.insert((stat.st_dev, stat.st_ino)) {
            return;
        }
        let digest = entry.open().and_then(|file| digest_of(&mut budget.read(file, entry.below.as_os_str())));
        match digest {
            // A file that was read only in part has no digest.
            _ if budget.is_over() => {}
            Ok(kept) => groups
                .entry((kept.size_bytes, kept.digest))
                .or_default()
                .push(path_of(&call.path, entry.below)),
            Err(_) => unreadable += 1,
        }
    })?;
    passed.unreadable += unreadable;
    let mut groups: Vec<Group> = groups
        .into_iter()
        .filter(|(_, paths)| paths.len() > 1)
        .map(|((bytes, _), paths)| Group { bytes, wasted: bytes * (paths.len() as u64 - 1), paths })
        .collect();
    groups.sort_by(|a, b| (Reverse(a.wasted), &a.paths).cmp(&(Reverse(b.wasted), &b.paths)));
    let mut lines = Lines::new(cx.output_chars);
    for group in &groups {
        let files = group.paths.len();
        lines.push_for(&format!("{files} files of {} bytes, {} wasted", group.bytes, group.wasted), 0);
        for path in &group.paths {
            lines.push(&format!("  {}", shown(path.as_os_str())));
        }
    }
    let files: u64 = groups.iter().map(|group| group.paths.len() as u64).sum();
    let wasted: u64 = groups.iter().map(|group| group.wasted).sum();
    let figures = say::wasted(files, groups.len(), size(wasted));
    let summary = series(std::iter::once(figures).chain(notes(&passed, budget)));
    Ok(finish(lines, summary, &passed))
}

struct Group {
    bytes: u64,
    wasted: u64,
    paths: Vec<PathBuf>,
}
