//! Patches of several files: files are added, changed, moved and deleted, either all or none.
//!
//! The form is the one that some models were trained to write. A part of a file is found by its exact lines:
//!
//! ```text
//! *** Begin Patch
//! *** Add File: notes/new.md
//! +# New
//! *** Update File: src/main.py
//! *** Move to: src/app.py
//! @@ def main():
//!      before = 1
//! -    print("old")
//! +    print("new")
//! *** Delete File: old.txt
//! *** End Patch
//! ```

use super::change::{done, encoded, lasting, make_missing};
use super::compared::diff_of_all;
use super::patch::{self, PatchError};
use super::stored::{Stored, with_ends};
use super::{ApplyPatchParameters, CodeError, blocking, may_change, moving, read};
use crate::files::{FileError, Files, Pending, Target, digest_of};
use crate::text::{one_line, shown};
use crate::tool::{CallContext, Place};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{
    AbsentFile, Access, DeleteAccess, Digest, FileChange, FileState, ReadAccess, ToolResult, WriteAccess,
};
use std::path::{Path, PathBuf};

/// The maximum number of files that a summary names.
const NAMED: usize = 5;
/// The maximum length of a line of the patch in an error, in characters.
const LINE_CHARS: usize = 80;

/// What a patch does to one file.
#[derive(Debug, PartialEq, Eq)]
enum Edit<'a> {
    Add { path: &'a str, text: String },
    Delete { path: &'a str },
    Update { path: &'a str, to: Option<&'a str>, hunks: Vec<Hunk<'a>> },
}

/// A part of a file that changes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Hunk<'a> {
    /// Its first line in the patch, from 1.
    at: usize,
    /// A line of the file above the part.
    under: Option<&'a str>,
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    is_at_end: bool,
}

impl Edit<'_> {
    fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Delete { path } | Self::Update { path, .. } => path,
        }
    }

    /// Returns the path where something is written.
    fn target(&self) -> Option<&str> {
        match self {
            Self::Delete { .. } => None,
            Self::Update { to: Some(to), .. } => Some(to),
            Self::Add { path, .. } | Self::Update { path, .. } => Some(path),
        }
    }
}

/// Returns what a line with three stars says, and its path. The path is empty if it has none.
fn mark(line: &str) -> Option<(&str, &str)> {
    let says = line.strip_prefix("*** ")?;
    Some(says.split_once(": ").map_or((says, ""), |(says, path)| (says, path.trim())))
}

/// Reads a patch.
fn parse(text: &str) -> Result<Vec<Edit<'_>>, PatchError> {
    let mut edits = Vec::new();
    let mut lines = text.trim().lines().zip(1..).peekable();
    let unread = |line: &str, at| PatchError::Unread { at, text: one_line(line, LINE_CHARS) };
    let first = lines.next().map_or("", |(line, _)| line);
    if !matches!(mark(first), Some(("Begin Patch", ""))) {
        return Err(unread(first, 1));
    }
    loop {
        let Some((line, at)) = lines.next() else { return Err(unread("", text.lines().count())) };
        match mark(line) {
            Some(("End Patch", "")) => break,
            Some(("Add File", path)) => {
                let mut added = String::new();
                while let Some((line, _)) = lines.next_if(|(line, _)| line.starts_with('+')) {
                    added.push_str(&line[1..]);
                    added.push('\n');
                }
                edits.push(Edit::Add { path, text: added });
            }
            Some(("Delete File", path)) => edits.push(Edit::Delete { path }),
            Some(("Update File", path)) => {
                let to = lines.next_if(|(line, _)| matches!(mark(line), Some(("Move to", _))));
                let to = to.and_then(|(line, _)| mark(line)).map(|(_, to)| to);
                let is_part = |line: &str| matches!(mark(line), None | Some(("End of File", "")));
                let mut hunks: Vec<Hunk> = Vec::new();
                while let Some((line, at)) = lines.next_if(|(line, _)| is_part(line)) {
                    add_line(&mut hunks, line, at).ok_or_else(|| unread(line, at))?;
                }
                edits.push(Edit::Update { path, to, hunks });
            }
            None if line.is_empty() => {}
            _ => return Err(unread(line, at)),
        }
    }
    if edits.is_empty() {
        return Err(unread("", 1));
    }
    let mut paths: Vec<&str> =
        edits.iter().flat_map(|edit| [Some(edit.path()), edit.target()]).flatten().collect();
    paths.sort_unstable();
    let own = |edit: &Edit| usize::from(edit.target() == Some(edit.path()));
    let twice = paths.windows(2).filter(|pair| pair[0] == pair[1]).count();
    if twice > edits.iter().map(own).sum() {
        return Err(PatchError::Twice);
    }
    Ok(edits)
}

/// Adds a line of a patch to the parts of a file. `None` if the line is not understood.
fn add_line<'a>(hunks: &mut Vec<Hunk<'a>>, line: &'a str, at: usize) -> Option<()> {
    let begins = line.starts_with("@@");
    if begins || hunks.is_empty() {
        hunks.push(Hunk { at, under: under(line), ..Hunk::default() });
    }
    let hunk = hunks.last_mut().filter(|_| !begins);
    let Some(hunk) = hunk else { return Some(()) };
    match line.chars().next() {
        _ if mark(line).is_some() => hunk.is_at_end = true,
        // An empty line of the file, without the space before it.
        None => hunk.add("", ' '),
        Some(kind @ (' ' | '+' | '-')) => hunk.add(&line[1..], kind),
        Some(_) => return None,
    }
    Some(())
}

/// Returns the line of the file that a line with `@@` names. Line numbers, as in other diffs, name none.
fn under(line: &str) -> Option<&str> {
    let text = line.strip_prefix("@@")?.trim();
    let is_numbers = |text: &str| text.bytes().all(|byte| b"-+,@ 0123456789".contains(&byte));
    (!is_numbers(text)).then_some(text)
}

impl<'a> Hunk<'a> {
    fn add(&mut self, line: &'a str, kind: char) {
        if kind != '+' {
            self.old.push(line);
        }
        if kind != '-' {
            self.new.push(line);
        }
    }

    /// Finds the part in a file, from a line on. Returns the index of its first line.
    fn find(&self, path: &str, lines: &[&str], from: usize) -> Result<usize, PatchError> {
        let absent = || PatchError::HunkAbsent { path: path.to_owned(), at: self.at };
        let from = match self.under {
            None => from,
            Some(under) => {
                let found = lines[from..].iter().position(|line| line.trim() == under);
                from + found.ok_or_else(absent)?
            }
        };
        if self.old.is_empty() {
            return Ok(if self.under.is_some() && !self.is_at_end { from + 1 } else { lines.len() });
        }
        let is_here = |at: &usize| lines[*at..].starts_with(&self.old);
        if self.is_at_end {
            let at = lines.len().checked_sub(self.old.len());
            return at.filter(|at| *at >= from && is_here(at)).ok_or_else(absent);
        }
        let found: Vec<usize> = (from..lines.len()).filter(is_here).collect();
        match found.as_slice() {
            [] => Err(absent()),
            [only] => Ok(*only),
            [first, ..] if self.under.is_some() => Ok(*first),
            all => {
                let lines = patch::list(&all.iter().map(|at| at + 1).collect::<Vec<_>>());
                Err(PatchError::HunkAmbiguous { path: path.to_owned(), at: self.at, lines })
            }
        }
    }
}

/// Applies the changed parts, in their order, to a text with plain line feeds.
fn apply(path: &str, text: &str, hunks: &[Hunk]) -> Result<String, PatchError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut changed: Vec<&str> = Vec::with_capacity(lines.len());
    let mut from = 0;
    for hunk in hunks {
        let at = hunk.find(path, &lines, from)?;
        changed.extend(&lines[from..at]);
        changed.extend(&hunk.new);
        from = at + hunk.old.len();
    }
    changed.extend(&lines[from..]);
    let end = if text.ends_with('\n') || text.is_empty() { "\n" } else { "" };
    Ok(changed.join("\n") + if changed.is_empty() { "" } else { end })
}

/// A file as it is, and as the patch makes it.
struct Step {
    path: String,
    old: Option<Old>,
    new: Option<New>,
}

struct Old {
    bytes: Vec<u8>,
    digest: Digest,
    text: Option<String>,
}

struct New {
    bytes: Vec<u8>,
    text: String,
    /// The permissions of the file that is moved here.
    mode: Option<u32>,
}

/// Works out what a patch does to the files as they are now.
fn steps(patch: &str, files: &Files) -> Result<Vec<Step>, CodeError> {
    let mut steps = Vec::new();
    for edit in parse(patch)? {
        let path = edit.path().to_owned();
        match edit {
            Edit::Add { path: given, text } => {
                nothing_at(files, given)?;
                let new = New { bytes: text.clone().into_bytes(), text, mode: None };
                steps.push(Step { path, old: None, new: Some(new) });
            }
            Edit::Delete { path: given } => {
                let (target, _) = moving::removable(given, files)?;
                target.existing_file()?;
                steps.push(Step { path, old: Some(old(files, given)?.0), new: None });
            }
            Edit::Update { path: given, to, hunks } => {
                let (old, stored) = old(files, given)?;
                let stored = stored.ok_or_else(|| PatchError::NotText { path: shown(given.as_ref()) })?;
                let plain = stored.text.replace("\r\n", "\n");
                let text = with_ends(&stored.text, &apply(&shown(given.as_ref()), &plain, &hunks)?);
                let bytes = encoded(given, &stored, &text)?;
                let Some(to) = to.filter(|to| *to != given) else {
                    steps.push(Step { path, old: Some(old), new: Some(New { bytes, text, mode: None }) });
                    continue;
                };
                nothing_at(files, to)?;
                let mode = files.target_to_remove(given)?.existing_file()?.st_mode & 0o777;
                let new = New { bytes, text, mode: Some(mode) };
                steps.push(Step { path: to.to_owned(), old: None, new: Some(new) });
                steps.push(Step { path, old: Some(old), new: None });
            }
        }
    }
    Ok(steps)
}

fn nothing_at(files: &Files, given: &str) -> Result<(), CodeError> {
    match files.target(given)?.stat()? {
        None => Ok(()),
        Some(_) => Err(FileError::InTheWay { path: shown(given.as_ref()), kind: "file" }.into()),
    }
}

fn old(files: &Files, given: &str) -> Result<(Old, Option<Stored>), CodeError> {
    let bytes = read::whole(&files.find(given)?)?;
    let digest = digest_of(&mut bytes.as_slice()).map_err(|error| read::error(given, error))?.digest;
    let stored = Stored::read(&bytes);
    let text = stored.as_ref().map(|stored| stored.text.clone());
    Ok((Old { bytes, digest, text }, stored))
}

/// What a patch touches, for the permission engine and the person who decides.
pub(super) struct Preview {
    pub(super) accesses: Vec<Access>,
    pub(super) summary: Phrase,
    pub(super) diff: Option<String>,
}

/// Reads a patch and shows what it would change.
///
/// # Errors
///
/// [`PatchError`] if it cannot be read.
pub(super) fn preview(call: &ApplyPatchParameters, place: &Place) -> Result<Preview, PatchError> {
    let edits = parse(&call.patch)?;
    let mut accesses = Vec::new();
    for edit in &edits {
        let path = place.named(edit.path());
        match edit {
            Edit::Add { .. } => {}
            Edit::Delete { .. } => accesses.push(Access::Delete(DeleteAccess { path })),
            Edit::Update { to, .. } => {
                accesses.push(Access::Read(ReadAccess { path: path.clone() }));
                accesses.extend(to.map(|_| Access::Delete(DeleteAccess { path })));
            }
        }
        let target = edit.target().map(|target| place.named(target));
        accesses.extend(target.map(|path| Access::Write(WriteAccess { path })));
    }
    let summary = say::change_files(edits.len() as u64, named(edits.iter().map(Edit::path)));
    let diff = Files::preview(place).ok().and_then(|files| steps(&call.patch, &files).ok()).map(|steps| {
        diff_of_all(steps.iter().map(|step| {
            let old = step.old.as_ref().and_then(|old| old.text.as_deref());
            (step.path.as_str(), old, step.new.as_ref().map(|new| new.text.as_str()))
        }))
    });
    Ok(Preview { accesses, summary, diff })
}

fn named<'a>(paths: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = if paths.len() > NAMED { ", ..." } else { "" };
    let named: Vec<String> = paths.take(NAMED).map(|path| shown(path.as_ref())).collect();
    named.join(", ") + more
}

/// Fails if the patch would fail.
pub(super) fn check(call: &ApplyPatchParameters, files: &Files) -> Result<(), CodeError> {
    steps(&call.patch, files).map(drop)
}

/// A step that is ready: its content is written next to its place, and its old state is journaled.
enum Ready {
    Write(Pending),
    Remove(Target, rustix::fs::Stat),
}

pub(super) async fn run(call: ApplyPatchParameters, cx: &CallContext) -> Result<ToolResult, CodeError> {
    let steps = blocking(cx, move |files, _| steps(&call.patch, files)).await?;
    let paths = named(steps.iter().map(|step| step.path.as_str()).collect::<Vec<_>>().into_iter());
    let changed = say::changed_files(steps.len() as u64, paths);
    for step in &steps {
        may_change(&step.path, cx)?;
    }
    let mut changes = Vec::new();
    if let Err(error) = place(steps, &mut changes, cx).await {
        blocking(cx, move |_, _| {
            remove_made(&changes);
            Ok(())
        })
        .await?;
        return Err(error);
    }
    Ok(done(changed, lasting(changes, cx)))
}

/// Makes the missing folders, journals all changes, and puts them in place.
async fn place(steps: Vec<Step>, changes: &mut Vec<FileChange>, cx: &CallContext) -> Result<(), CodeError> {
    let mut ready = Vec::new();
    for Step { path, old, new } in steps {
        let before = old.as_ref().map(|old| old.digest.clone());
        let (given, removes) = (path.clone(), new.is_none());
        let target = blocking(cx, move |files, _| {
            Ok(if removes { files.target_to_remove(&given)? } else { files.target(&given)? })
        })
        .await?;
        let (target, made) = make_missing(target, cx).await?;
        changes.extend(made);
        let one = blocking(cx, move |_, _| {
            Ok(match new {
                Some(new) => Ready::Write(target.prepare(&new.bytes, new.mode)?),
                None => {
                    let stat = target.existing_file()?;
                    Ready::Remove(target, stat)
                }
            })
        })
        .await?;
        let (real, after) = match &one {
            Ready::Write(pending) => (pending.target().real(), pending.after()),
            Ready::Remove(target, _) => (target.real(), FileState::Absent(AbsentFile {})),
        };
        let change = cx.keeper.keep(&real, after).await?;
        let is_same = match (&change.before, &before) {
            (FileState::File(kept), Some(before)) => kept.digest == *before,
            (FileState::Absent(_), None) => true,
            _ => false,
        };
        if !is_same {
            return Err(CodeError::Changed { path: shown(path.as_ref()) });
        }
        changes.push(change);
        ready.push((one, real, old));
    }
    blocking(cx, move |_, _| all_or_none(ready)).await
}

/// Removes the folders that were made for a patch that failed. One that is not empty has something of somebody else.
fn remove_made(changes: &[FileChange]) {
    for change in changes.iter().rev().filter(|change| matches!(change.after, FileState::Folder(_))) {
        let _ = Target::at(Path::new(&change.path)).and_then(|folder| folder.remove_folder());
    }
}

/// Puts all steps in place. If one fails, takes back those before it.
fn all_or_none(ready: Vec<(Ready, PathBuf, Option<Old>)>) -> Result<(), CodeError> {
    let mut put: Vec<(PathBuf, Option<Old>, Option<u32>)> = Vec::new();
    for (one, real, old) in ready {
        let (mode, is_put) = match one {
            Ready::Write(pending) => (pending.replaced_mode(), pending.commit()),
            Ready::Remove(target, stat) => {
                let removed = target.check_unchanged(Some(&stat)).and_then(|()| target.remove_file());
                (Some(stat.st_mode & 0o777), removed)
            }
        };
        if let Err(error) = is_put {
            for (real, old, mode) in put.into_iter().rev() {
                take_back(&real, old, mode)?;
            }
            return Err(error.into());
        }
        put.push((real, old, mode));
    }
    Ok(())
}

fn take_back(real: &Path, old: Option<Old>, mode: Option<u32>) -> Result<(), FileError> {
    let target = Target::at(real)?;
    match old {
        Some(old) => target.prepare(&old.bytes, mode)?.commit(),
        None => target.remove_file(),
    }
}
