//! `compare`: lists what exists in only one of two folders, and what differs.

use super::parameters::CompareParameters;
use super::walk::{WalkOptions, path_of, walk};
use super::{SearchError, entry_name, finish, notes};
use crate::budget::Budget;
use crate::files::{Files, Found};
use crate::text::{Lines, shown};
use crate::tool::CallContext;
use deputy_messages::search as say;
use deputy_messages::series;
use deputy_protocol::ToolResult;
use rustix::fs::FileType;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The number of bytes of each file that are compared at once.
const PIECE: usize = 64 * 1024;

/// The content of a folder, by path below it.
type Tree = BTreeMap<PathBuf, (FileType, u64)>;

pub(super) fn compare(
    call: &CompareParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let starts = [files.find(&call.path)?, files.find(&call.other)?];
    let options = WalkOptions { hidden: call.hidden, no_ignore: call.no_ignore, depth: None };
    let tree = |start: &Found| -> Result<_, SearchError> {
        let mut tree = Tree::new();
        let passed = walk(files, start, options, budget, &mut |entry| {
            let bytes = entry.size().unwrap_or(0);
            tree.insert(entry.below.to_owned(), (entry.kind, bytes));
        })?;
        Ok((tree, passed))
    };
    let (here, mut passed) = tree(&starts[0])?;
    let (there, other) = tree(&starts[1])?;
    passed.left_out += other.left_out;
    passed.protected.extend(other.protected);
    passed.more_protected += other.more_protected;
    passed.unreadable += other.unreadable;
    passed.is_partial |= other.is_partial;
    passed.is_cancelled |= other.is_cancelled;
    let names = [shown(call.path.as_ref()), shown(call.other.as_ref())];
    let mut lines = Lines::new(cx.output_chars);
    let mut only = [0_u64; 2];
    for (at, (one, other)) in [(&here, &there), (&there, &here)].into_iter().enumerate() {
        let missing = one.iter().filter(|(path, _)| !other.contains_key(*path));
        for (path, (kind, _)) in missing {
            only[at] += 1;
            // For a folder that exists on only one side, list only the folder itself.
            if path.parent().is_none_or(|folder| folder == Path::new("") || other.contains_key(folder)) {
                let (name, entry) = (&names[at], entry_name(path.as_os_str(), *kind));
                lines.push(&format!("only in {name}\t{entry}"));
            }
        }
    }
    let (mut different, mut same) = (0_u64, 0_u64);
    for (path, one) in &here {
        let Some(other) = there.get(path) else { continue };
        if budget.is_over() {
            break;
        }
        let is_same = match (one, other) {
            ((FileType::RegularFile, bytes), (FileType::RegularFile, others)) if bytes == others => {
                let open = |start: &str| files.find(&path_of(start, path).to_string_lossy())?.file();
                match (open(&call.path), open(&call.other)) {
                    (Ok(one), Ok(other)) => is_same(one, other, path.as_os_str(), budget).ok(),
                    _ => None,
                }
            }
            ((FileType::RegularFile, _), _) | (_, (FileType::RegularFile, _)) => Some(false),
            ((one, _), (other, _)) => Some(one == other),
        };
        match is_same {
            // A file that was read only in part cannot be compared.
            _ if budget.is_over() => {}
            None => passed.unreadable += 1,
            Some(true) => same += u64::from(one.0 == FileType::RegularFile),
            Some(false) => {
                different += 1;
                lines.push(&format!("different\t{}", entry_name(path.as_os_str(), one.0)));
            }
        }
    }
    passed.is_cancelled |= budget.is_cancelled();
    let [here, there] = &names;
    let figures = say::compared(different, here, only[0], only[1], same, there);
    let summary = series(std::iter::once(figures).chain(notes(&passed, budget)));
    Ok(finish(lines, summary, &passed))
}

fn is_same(one: File, other: File, name: &OsStr, budget: &Budget) -> io::Result<bool> {
    let (mut one, mut other) = (budget.read(one, name), budget.read(other, name));
    let (mut left, mut right) = (vec![0; PIECE], vec![0; PIECE]);
    loop {
        let (filled, others) = (fill(&mut one, &mut left)?, fill(&mut other, &mut right)?);
        if left[..filled] != right[..others] {
            return Ok(false);
        }
        if filled == 0 {
            return Ok(true);
        }
    }
}

fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
