//! Takes changes back: what a call left must still stand there, then what stood there before is put back.

use crate::files::{FileError, Standing, Target, standing_at};
use crate::keeper::KeepError;
use deputy_protocol::{CallId, FileChange, FileState, KeptFile, UndoneFile};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Where kept contents come from, and where what undo itself removes is kept.
pub trait Blobs: Send + Sync {
    /// The content of a kept file.
    fn read(&self, file: &KeptFile) -> Result<Vec<u8>, KeepError>;

    /// Keeps a content.
    fn keep(&self, content: &[u8]) -> Result<KeptFile, KeepError>;
}

/// Whether to do it or only to say what would be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoMode {
    /// Only say what would be done.
    DryRun,
    /// Do it.
    Apply,
}

/// Takes changes back, newest first. All are checked before the first is touched; those that cannot be taken back are
/// said to be, the others are. Blocks while it reads and writes.
pub fn undo(changes: &[(CallId, FileChange)], blobs: &dyn Blobs, mode: UndoMode) -> Vec<UndoneFile> {
    let plans = plan(changes);
    changes
        .iter()
        .zip(plans)
        .map(|((call, change), plan)| {
            let (restored, message) = match (plan, mode) {
                (Err(conflict), _) => (false, conflict),
                (Ok(Step::Nothing), _) => (true, "already stands as before".to_owned()),
                (Ok(Step::Restore), UndoMode::DryRun) => (false, format!("would be {}", restored(change))),
                (Ok(Step::Restore), UndoMode::Apply) => match restore(change, blobs) {
                    Ok(()) => (true, restored(change).to_owned()),
                    Err(error) => (false, error.to_string()),
                },
            };
            UndoneFile { call: call.clone(), change: change.clone(), restored, message }
        })
        .collect()
}

enum Step {
    Restore,
    Nothing,
}

/// Why one change could not be taken back although the check was good.
#[derive(Debug, thiserror::Error)]
enum UndoError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Keep(#[from] KeepError),
    #[error("changed since, while undo was running; it was left alone")]
    Changed,
}

/// Works out what each change needs, as if those before it had been taken back already.
fn plan(changes: &[(CallId, FileChange)]) -> Vec<Result<Step, String>> {
    let mut stands: BTreeMap<&str, Standing> = BTreeMap::new();
    let mut steps = Vec::with_capacity(changes.len());
    for (_, change) in changes {
        let now = match stands.get(change.path.as_str()) {
            Some(standing) => standing.clone(),
            None => match standing_at(Path::new(&change.path)) {
                Ok(standing) => standing,
                Err(error) => {
                    steps.push(Err(error.to_string()));
                    continue;
                }
            },
        };
        let step = step(change, &now, &stands);
        let left = match &step {
            Ok(_) => Standing::State(change.before.clone()),
            Err(_) => now,
        };
        stands.insert(&change.path, left);
        steps.push(step);
    }
    steps
}

fn step(change: &FileChange, now: &Standing, stands: &BTreeMap<&str, Standing>) -> Result<Step, String> {
    if !now.is(&change.after) {
        if now.is(&change.before) {
            return Ok(Step::Nothing);
        }
        return Err(format!("changed since: {}", describe(now)));
    }
    if let (FileState::Folder(_), FileState::Absent(_)) = (&change.after, &change.before) {
        let others = left_in(Path::new(&change.path), stands)?;
        if let Some(first) = others.first() {
            return Err(format!(
                "changed since: the folder holds {first}, which was not made by these calls"
            ));
        }
    }
    Ok(Step::Restore)
}

/// What would still be in a folder once the planned steps are done.
fn left_in(folder: &Path, stands: &BTreeMap<&str, Standing>) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("could not list the folder: {e}"))?;
    let mut left = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| format!("could not list the folder: {e}"))?.path();
        let gone = path
            .to_str()
            .and_then(|path| stands.get(path))
            .is_some_and(|standing| matches!(standing, Standing::State(FileState::Absent(_))));
        if !gone {
            left.push(crate::text::shown(path.file_name().unwrap_or_default()));
        }
    }
    left.sort();
    Ok(left)
}

fn describe(now: &Standing) -> &'static str {
    match now {
        Standing::State(FileState::Absent(_)) => "nothing stands there now",
        Standing::State(FileState::File(_)) => "the file has another content now",
        Standing::State(FileState::Folder(_)) => "a folder stands there now",
        Standing::Other => "a link or something that is no file stands there now",
    }
}

fn restored(change: &FileChange) -> &'static str {
    match (&change.before, &change.after) {
        (FileState::Absent(_), _) => "removed again",
        (FileState::Folder(_), _) => "created again",
        (FileState::File(_), FileState::Absent(_)) => "brought back",
        (FileState::File(_), _) => "put back to what it was",
    }
}

/// Takes one change back. What stands there is checked once more, and a content is kept before it goes.
fn restore(change: &FileChange, blobs: &dyn Blobs) -> Result<(), UndoError> {
    let path = Path::new(&change.path);
    if !standing_at(path)?.is(&change.after) {
        return Err(UndoError::Changed);
    }
    let target = Target::at(path)?;
    if let FileState::File(after) = &change.after {
        let mut content = Vec::new();
        target.open()?.read_to_end(&mut content).map_err(|e| FileError::io("read", path, e))?;
        if blobs.keep(&content)?.digest != after.digest {
            return Err(UndoError::Changed);
        }
    }
    match (&change.before, &change.after) {
        (FileState::File(before), after) => {
            if matches!(after, FileState::Folder(_)) {
                target.remove_folder()?;
            }
            let content = blobs.read(before)?;
            target.prepare(&content, Some(before.mode))?.commit()?;
        }
        (FileState::Absent(_), FileState::File(_)) => target.remove_file()?,
        (FileState::Absent(_), FileState::Folder(_)) => target.remove_folder()?,
        (FileState::Folder(_), FileState::Folder(_)) | (FileState::Absent(_), FileState::Absent(_)) => {}
        (FileState::Folder(_), after) => {
            if matches!(after, FileState::File(_)) {
                target.remove_file()?;
            }
            target.make_folder()?;
        }
    }
    Ok(())
}
