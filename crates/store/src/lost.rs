//! Copies of files that undo would need and that something removed, emptied or cut.

use crate::blobs::Blobs;
use crate::error::Fault;
use crate::events;
use deputy_protocol::{FileChange, FileState, TaskEvent, TaskId};
use rusqlite::Connection;
use std::collections::HashSet;

/// A file that undo could not restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostCopy {
    /// The task that changed it.
    pub task: TaskId,
    /// The path of the file.
    pub path: String,
}

/// Returns the lost copies, one for each file of a task. Only the sizes are compared: what is read later is verified
/// against its digest.
pub(crate) fn copies(conn: &Connection, blobs: &Blobs) -> Result<Vec<LostCopy>, Fault> {
    let mut lost = Vec::new();
    let mut known = HashSet::new();
    events::each(conn, |record| {
        for change in changes(&record.event) {
            if let FileState::File(file) = &change.before
                && !blobs.holds(file)
                && known.insert((record.task.clone(), change.path.clone()))
            {
                lost.push(LostCopy { task: record.task.clone(), path: change.path.clone() });
            }
        }
        Ok(())
    })?;
    Ok(lost)
}

/// Returns the changes of files that an event describes.
fn changes(event: &TaskEvent) -> &[FileChange] {
    match event {
        TaskEvent::FileKept(kept) => std::slice::from_ref(&kept.change),
        TaskEvent::ToolFinished(finished) => &finished.result.changes,
        TaskEvent::BackgroundEnded(ended) => &ended.changes,
        _ => &[],
    }
}
