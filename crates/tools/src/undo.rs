//! Undo: verifies that the result of a call is still on disk, then restores the previous state.

use crate::files::{FileError, Standing, Target, standing_at};
use crate::keeper::KeepError;
use crate::tree::{changed_after, moved_in};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{AbsentFile, CallId, Digest, FileChange, FileState, KeptFile, KeptFolder, UndoneFile};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The storage of file contents: the source for undo, and the place for what undo itself removes.
pub trait Blobs: Send + Sync {
    /// Returns the content of a stored file.
    fn read(&self, file: &KeptFile) -> Result<Vec<u8>, KeepError>;

    /// Returns whether the content of a stored file is there in full size.
    fn holds(&self, file: &KeptFile) -> bool;

    /// Stores content.
    fn keep(&self, content: &[u8]) -> Result<KeptFile, KeepError>;
}

/// Whether to undo or only to report what would be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoMode {
    /// Only reports what would be done.
    DryRun,
    /// Undoes the changes.
    Apply,
}

/// Undoes changes, given newest first. Checks all changes before it touches the first file. Changes that cannot be
/// undone are reported; the others are undone. Those without an earlier state are left out. Blocks while it reads and
/// writes.
pub fn undo(changes: &[(CallId, FileChange)], blobs: &dyn Blobs, mode: UndoMode) -> Vec<UndoneFile> {
    let (changes, output) = undoable(changes);
    let changes = &changes[..];
    if mode == UndoMode::Apply {
        open_folders(changes);
    }
    let mut done = Done::default();
    let mut files: Vec<UndoneFile> = changes
        .iter()
        .zip(plan(changes, blobs, &output))
        .map(|((call, change), plan)| {
            let (restored, message) = match (plan, mode) {
                (Err(conflict), _) => (false, conflict),
                (Ok(Step::Nothing), _) => (true, say::undo_already()),
                (Ok(Step::Restore), UndoMode::DryRun) => (false, restored(change, mode)),
                (Ok(Step::Restore), UndoMode::Apply) => match restore(change, blobs, &output, &done) {
                    Ok(()) => {
                        done.record(change);
                        (true, restored(change, mode))
                    }
                    Err(error) => (false, rescued(change, &error, &done.removed, blobs)),
                },
            };
            UndoneFile { call: call.clone(), change: change.clone(), restored, message }
        })
        .collect();
    if mode == UndoMode::Apply {
        set_folder_modes(&mut files);
    }
    files
}

/// Returns whether all of these changes can be undone now. Blocks while it reads.
pub fn can_undo_all(changes: &[(CallId, FileChange)], blobs: &dyn Blobs) -> bool {
    let (changes, output) = undoable(changes);
    plan(&changes, blobs, &output).iter().all(Result::is_ok)
}

/// Returns whether a change has an earlier state that undo could restore. What a call changes in a folder with build
/// output has none.
pub fn has_earlier_state(change: &FileChange) -> bool {
    !is_output(&change.before)
}

fn is_output(state: &FileState) -> bool {
    matches!(state, FileState::Folder(KeptFolder { output: Some(_), .. }))
}

/// The folders with build output, each with the time of the last call that changed it, in milliseconds since 1970. What
/// changed later was not changed by the calls. The time is 0 for a folder that must not be removed.
type Output = BTreeMap<String, u64>;

/// Returns the changes that have an earlier state, given newest first, and the folders with build output.
fn undoable(changes: &[(CallId, FileChange)]) -> (Vec<(CallId, FileChange)>, Output) {
    let mut output = Output::new();
    for (_, change) in changes {
        let at_ms = match &change.after {
            FileState::Folder(KeptFolder { output: Some(state), .. }) => state.at_ms,
            // The folder may also hold something else, which must not be removed with it.
            FileState::Unkept(_) => 0,
            _ => continue,
        };
        let known = output.entry(change.path.clone()).or_insert(at_ms);
        *known = if at_ms == 0 || *known == 0 { 0 } else { at_ms.max(*known) };
    }
    let undoable = changes.iter().filter(|(_, change)| has_earlier_state(change)).cloned().collect();
    (undoable, output)
}

/// Returns the current state of an absolute path. `None` if it is not a state that a change can describe. Blocks while it
/// reads.
pub fn state_of(path: &Path) -> Option<FileState> {
    match standing_at(path) {
        Ok(Standing::State(state)) => Some(state),
        _ => None,
    }
}

/// Repeats changes that an undo reverted, given newest first. Returns the results, oldest first. Does not touch files
/// that have changed since. Blocks while it reads and writes.
pub fn redo(undone: &[UndoneFile], blobs: &dyn Blobs) -> Vec<UndoneFile> {
    // Skip changes that never happened or that a person already reverted.
    let taken_back = undone.iter().rev().filter(|file| file.restored && file.message != say::undo_already());
    let (output, others): (Vec<&UndoneFile>, Vec<&UndoneFile>) =
        taken_back.partition(|file| is_output(&file.change.after));
    let changes: Vec<(CallId, FileChange)> =
        others.iter().map(|file| (file.call.clone(), turned(&file.change))).collect();
    let made = undo(&changes, blobs, UndoMode::Apply);
    // Build output is not kept: it is made by building again.
    let output = output.into_iter().map(|file| UndoneFile { message: say::redo_output(), ..file.clone() });
    let made = made.into_iter().zip(others).map(|(file, undone)| in_redos_words(file, undone));
    made.chain(output).collect()
}

/// Returns the result of a repeated change, without undo's words for going back to an earlier state.
fn in_redos_words(file: UndoneFile, undone: &UndoneFile) -> UndoneFile {
    let message = match file.message {
        message if message == say::undo_put_back() => say::redo_changed(),
        message if message == say::undo_brought_back() => say::redo_created(),
        message => message,
    };
    UndoneFile { change: undone.change.clone(), message, ..file }
}

/// Returns the change in the other direction. When its file was modified is not known.
fn turned(change: &FileChange) -> FileChange {
    FileChange {
        path: change.path.clone(),
        before: change.after.clone(),
        after: change.before.clone(),
        before_modified: None,
    }
}

/// The mode that the owner needs to work in a folder.
const OPEN_FOLDER: u32 = 0o700;

/// Temporarily opens folders that a call left inaccessible.
fn open_folders(changes: &[(CallId, FileChange)]) {
    let mut closed: Vec<(&Path, u32)> = changes
        .iter()
        .filter_map(|(_, change)| Some((Path::new(&change.path), folder_mode(&change.after)?)))
        .filter(|(_, mode)| mode & OPEN_FOLDER != OPEN_FOLDER)
        .collect();
    closed.sort();
    for (path, mode) in closed {
        // If it fails, the steps inside report it.
        let _ = Target::at(path).and_then(|target| target.set_folder_mode(mode | OPEN_FOLDER));
    }
}

/// Sets the modes of folders after everything else, innermost first, because a folder without write permission could
/// not be filled. If a folder changed several times, the oldest change decides its final mode.
fn set_folder_modes(files: &mut [UndoneFile]) {
    let oldest: BTreeMap<String, usize> =
        files.iter().enumerate().map(|(at, file)| (file.change.path.clone(), at)).collect();
    // What was removed with everything in it.
    let gone: Vec<PathBuf> = files
        .iter()
        .filter(|file| file.restored && is_output(&file.change.after))
        .map(|file| PathBuf::from(&file.change.path))
        .collect();
    for (path, at) in oldest.into_iter().rev() {
        let Some(file) = files.get_mut(at) else { continue };
        if gone.iter().any(|gone| Path::new(&path).starts_with(gone)) {
            continue;
        }
        let (before, after) = (folder_mode(&file.change.before), folder_mode(&file.change.after));
        let wanted = match file.restored {
            true => before,
            // The folder was opened for nothing; close it again.
            false => after.filter(|mode| mode & OPEN_FOLDER != OPEN_FOLDER),
        };
        let Some(mode) = wanted else { continue };
        let set = Target::at(Path::new(&path)).and_then(|target| target.set_folder_mode(mode));
        if let Err(error) = set
            && file.restored
        {
            (file.restored, file.message) = (false, error.phrase());
        }
    }
}

fn folder_mode(state: &FileState) -> Option<u32> {
    match state {
        FileState::Folder(folder) => folder.mode,
        _ => None,
    }
}

/// What undo did in this run.
#[derive(Default)]
struct Done {
    /// Contents that it removed from the disk.
    removed: BTreeSet<Digest>,
    /// Paths that it changed, and their folders.
    touched: BTreeSet<PathBuf>,
}

impl Done {
    fn record(&mut self, change: &FileChange) {
        self.removed.extend(content(&change.after).cloned());
        let path = Path::new(&change.path);
        self.touched.extend(path.ancestors().take(2).map(Path::to_owned));
    }
}

enum Step {
    Restore,
    Nothing,
}

/// Why a change could not be undone even though the check succeeded.
#[derive(Debug, thiserror::Error)]
enum UndoError {
    File(#[from] FileError),
    Keep(#[from] KeepError),
    Changed,
}

impl UndoError {
    /// Returns the message for people.
    fn phrase(&self) -> Phrase {
        match self {
            Self::File(error) => error.phrase(),
            Self::Keep(error) => error.phrase(),
            Self::Changed => say::undo_changed_meanwhile(),
        }
    }
}

deputy_messages::said_by_phrase!(UndoError);

/// Plans the step for each change, assuming that those before it have been undone.
///
/// A moved file cannot return if its old path is occupied. In that case the file stays at its new path: undo never
/// removes the only copy of something from the disk.
fn plan(changes: &[(CallId, FileChange)], blobs: &dyn Blobs, output: &Output) -> Vec<Result<Step, Phrase>> {
    let mut held: BTreeMap<Digest, String> = BTreeMap::new();
    let lost = lost(changes, blobs);
    loop {
        let steps = plan_but(changes, &held, &lost, output);
        let stuck = changes.iter().zip(&steps).filter(|(_, step)| step.is_err());
        let before = held.len();
        for ((_, change), _) in stuck {
            // An empty file holds no data to lose.
            if let (FileState::File(file), FileState::Absent(_)) = (&change.before, &change.after)
                && file.size_bytes > 0
            {
                held.entry(file.digest.clone()).or_insert_with(|| change.path.clone());
            }
        }
        // Each round adds to the held contents, and there are at most as many as changes, so the loop ends.
        if held.len() == before {
            return steps;
        }
    }
}

/// Returns the contents that are needed and whose copies are missing, empty or cut. What undo removes elsewhere is stored
/// again first, so it is not among them.
fn lost(changes: &[(CallId, FileChange)], blobs: &dyn Blobs) -> BTreeSet<Digest> {
    let on_disk: BTreeSet<&Digest> =
        changes.iter().filter_map(|(_, change)| content(&change.after)).collect();
    let needed = changes.iter().filter_map(|(_, change)| match &change.before {
        FileState::File(file) => Some(file),
        _ => None,
    });
    needed
        .filter(|file| !on_disk.contains(&file.digest) && !blobs.holds(file))
        .map(|file| file.digest.clone())
        .collect()
}

fn content(state: &FileState) -> Option<&Digest> {
    match state {
        FileState::File(file) => Some(&file.digest),
        _ => None,
    }
}

/// Like [`plan`], with contents that must stay where they are, and contents whose copies are lost.
fn plan_but(
    changes: &[(CallId, FileChange)],
    held: &BTreeMap<Digest, String>,
    lost: &BTreeSet<Digest>,
    output: &Output,
) -> Vec<Result<Step, Phrase>> {
    let mut stands: BTreeMap<&str, Standing> = BTreeMap::new();
    let mut steps = Vec::with_capacity(changes.len());
    for (_, change) in changes {
        if matches!(change.before, FileState::Unkept(_) | FileState::Special(_)) {
            steps.push(Err(say::undo_not_kept()));
            continue;
        }
        let now = match stands.get(change.path.as_str()) {
            Some(standing) => standing.clone(),
            None if is_below_new_folder(&change.path, &stands) => {
                Standing::State(FileState::Absent(AbsentFile {}))
            }
            None => match standing_at(Path::new(&change.path)) {
                Ok(standing) => standing,
                Err(error) => {
                    steps.push(Err(error.phrase()));
                    continue;
                }
            },
        };
        // What an earlier step puts back is not on the disk yet, so nothing of it can be lost there.
        let is_on_disk = !stands.contains_key(change.path.as_str());
        let held = if is_on_disk { held } else { &BTreeMap::new() };
        let step = match step(change, &now, &stands, held, output) {
            Ok(Step::Restore) if content(&change.before).is_some_and(|digest| lost.contains(digest)) => {
                Err(say::undo_copy_lost())
            }
            step => step,
        };
        let left = match &step {
            Ok(_) => Standing::State(change.before.clone()),
            Err(_) => now,
        };
        stands.insert(&change.path, left);
        steps.push(step);
    }
    steps
}

/// Returns whether an earlier step creates a folder on this path in place of something else. What is there now, e.g.
/// through a link, is then not what will be there.
fn is_below_new_folder(path: &str, stands: &BTreeMap<&str, Standing>) -> bool {
    Path::new(path).ancestors().skip(1).any(|folder| {
        let planned = folder.to_str().and_then(|folder| stands.get(folder));
        matches!(planned, Some(Standing::State(FileState::Folder(_)))) && !is_real_folder(folder)
    })
}

fn is_real_folder(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|stat| stat.is_dir())
}

fn step(
    change: &FileChange,
    now: &Standing,
    stands: &BTreeMap<&str, Standing>,
    held: &BTreeMap<Digest, String>,
    output: &Output,
) -> Result<Step, Phrase> {
    if !now.is(&change.after) {
        if now.is(&change.before) {
            return Ok(Step::Nothing);
        }
        return Err(say::undo_changed(describe(now)));
    }
    if let Some(home) = content(&change.after).and_then(|digest| held.get(digest))
        && content(&change.before) != content(&change.after)
    {
        let home = crate::text::shown(home.as_ref());
        return Err(say::undo_home_taken(home));
    }
    if is_output(&change.after) {
        if let Some(first) = changed_since(change, output, &BTreeSet::new()) {
            return Err(say::undo_output_changed(crate::text::shown(first.as_os_str())));
        }
    } else if matches!(change.after, FileState::Folder(_)) && !matches!(change.before, FileState::Folder(_)) {
        let others = left_in(Path::new(&change.path), stands)?;
        if let Some(first) = others.first() {
            return Err(say::undo_folder_holds(first));
        }
    }
    Ok(Step::Restore)
}

/// Returns what changed in a folder with build output after the last call, or was moved there, relative to the folder,
/// except for changes of `but`.
fn changed_since(change: &FileChange, output: &Output, but: &BTreeSet<PathBuf>) -> Option<PathBuf> {
    let folder = Path::new(&change.path);
    let until = output.get(&change.path).copied().unwrap_or(0);
    let first = changed_after(folder, until, but).or_else(|| moved_in(folder))?;
    Some(first.strip_prefix(folder).map(Path::to_owned).unwrap_or(first))
}

/// Returns the names that remain in a folder after the planned steps before this one.
fn left_in(folder: &Path, stands: &BTreeMap<&str, Standing>) -> Result<Vec<String>, Phrase> {
    let failed = |e: std::io::Error| say::undo_cannot_list(e);
    let is_absent = |standing: &Standing| matches!(standing, Standing::State(FileState::Absent(_)));
    let mut left: Vec<String> = stands
        .iter()
        .filter(|(path, standing)| Path::new(path).parent() == Some(folder) && !is_absent(standing))
        .map(|(path, _)| crate::text::shown(Path::new(path).file_name().unwrap_or_default()))
        .collect();
    // A folder that a step creates contains only what other steps put into it.
    if is_real_folder(folder) {
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.to_str().is_none_or(|path| !stands.contains_key(path)) {
                left.push(crate::text::shown(path.file_name().unwrap_or_default()));
            }
        }
    }
    left.sort();
    Ok(left)
}

fn describe(now: &Standing) -> Phrase {
    match now {
        Standing::State(FileState::Special(special)) => match special.what.as_str() {
            "pipe" => say::undo_pipe_there(),
            "socket" => say::undo_socket_there(),
            _ => say::undo_device_there(),
        },
        Standing::State(FileState::Absent(_)) => say::undo_nothing_there(),
        Standing::State(FileState::File(_)) => say::undo_other_content(),
        Standing::State(FileState::Folder(_)) => say::undo_folder_there(),
        Standing::State(FileState::Link(_)) => say::undo_link_there(),
        Standing::State(FileState::Unkept(_)) | Standing::Other => say::undo_no_file_there(),
    }
}

fn restored(change: &FileChange, mode: UndoMode) -> Phrase {
    type Words = fn() -> Phrase;
    let (would, did): (Words, Words) = match (&change.before, &change.after) {
        (FileState::Absent(_), _) => (say::undo_would_remove, say::undo_removed),
        (FileState::Folder(_), FileState::Folder(_)) => {
            (say::undo_would_set_permissions, say::undo_permissions_set)
        }
        (FileState::Folder(_), _) => (say::undo_would_create, say::undo_created),
        (_, FileState::Absent(_)) => (say::undo_would_bring_back, say::undo_brought_back),
        _ => (say::undo_would_put_back, say::undo_put_back),
    };
    match mode {
        UndoMode::DryRun => would(),
        UndoMode::Apply => did(),
    }
}

/// Returns why a file was not restored. If this run already removed its content from the disk, because the path was
/// free a moment ago, writes the file under a free name next to it.
fn rescued(change: &FileChange, error: &UndoError, removed: &BTreeSet<Digest>, blobs: &dyn Blobs) -> Phrase {
    let FileState::File(before) = &change.before else { return error.phrase() };
    if !removed.contains(&before.digest) {
        return error.phrase();
    }
    match put_beside(Path::new(&change.path), before, blobs) {
        Ok(name) => say::undo_next_to_it(error, crate::text::shown(&name)),
        Err(second) => say::undo_not_next_to_it(error, second),
    }
}

/// The number of names to try for a file whose own name is taken.
const MOST_NAMES: u32 = 1_000;

fn put_beside(path: &Path, before: &KeptFile, blobs: &dyn Blobs) -> Result<OsString, UndoError> {
    let own = path.file_name().unwrap_or_default();
    for number in 1..MOST_NAMES {
        let mut name = own.to_owned();
        name.push(format!(".before-{number}"));
        let target = Target::at(&path.with_file_name(&name))?;
        if target.stat()?.is_none() {
            target.prepare(&blobs.read(before)?, Some(before.mode))?.commit()?;
            return Ok(name);
        }
    }
    Err(UndoError::Changed)
}

/// Undoes one change. Checks the current file once more, and stores its content before removing it.
fn restore(change: &FileChange, blobs: &dyn Blobs, output: &Output, done: &Done) -> Result<(), UndoError> {
    let path = Path::new(&change.path);
    if !standing_at(path)?.is(&change.after) {
        return Err(UndoError::Changed);
    }
    if is_output(&change.after) && changed_since(change, output, &done.touched).is_some() {
        return Err(UndoError::Changed);
    }
    let target = Target::at(path)?;
    if let FileState::File(after) = &change.after {
        let mut content = Vec::new();
        target.open()?.read_to_end(&mut content).map_err(|e| FileError::io(say::cannot_read, path, e))?;
        if blobs.keep(&content)?.digest != after.digest {
            return Err(UndoError::Changed);
        }
    }
    let is_replaced = matches!((&change.before, &change.after), (FileState::File(_), FileState::File(_)));
    let is_folder_still =
        matches!((&change.before, &change.after), (FileState::Folder(_), FileState::Folder(_)));
    if is_folder_still {
        return Ok(());
    }
    // Read the old content before removing anything.
    let content = match &change.before {
        FileState::File(before) => Some(blobs.read(before)?),
        _ => None,
    };
    match &change.after {
        // The rename below replaces the new file with the old one.
        FileState::File(_) if is_replaced => {}
        FileState::File(_) | FileState::Link(_) | FileState::Special(_) => target.remove_file()?,
        state @ FileState::Folder(_) if is_output(state) => target.remove_folder_and_content()?,
        FileState::Folder(_) => target.remove_folder()?,
        FileState::Absent(_) | FileState::Unkept(_) => {}
    }
    match &change.before {
        // The last two kinds are never undone.
        FileState::Absent(_) | FileState::Special(_) | FileState::Unkept(_) => {}
        FileState::File(before) => {
            let content = content.unwrap_or_default();
            let pending = target.prepare(&content, Some(before.mode))?;
            if !is_replaced {
                // Not for a file that had another content: build tools take an older file for unchanged.
                pending.set_modified(change.before_modified);
            }
            pending.commit()?;
        }
        FileState::Folder(_) => target.make_folder()?,
        FileState::Link(link) => target.make_link(&link.target)?,
    }
    Ok(())
}
