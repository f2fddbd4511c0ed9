//! The changes of a task that may matter after it: files that other programs may run, and links that lead out of its
//! folder. A command under the yes for its folder is not looked at before it runs, so its traces are named afterwards.

use super::gathered::Net;
use crate::core::Core;
use deputy_policy::path::without_dots;
use deputy_protocol::{FileState, LastingChanges, OutwardLink, TaskId};
use std::path::{Path, PathBuf};

/// The maximum number of changes of a kind.
const MOST: usize = 20;

/// Finds the lasting changes among the changes of a task. `None` if there are none.
pub(super) fn of(
    core: &Core,
    task: &TaskId,
    changes: &[Net],
    references: Vec<String>,
) -> Option<LastingChanges> {
    let folder = core.store.task(task).ok().flatten().map(|task| PathBuf::from(task.workspace));
    let folder = folder.map(|folder| folder.canonicalize().unwrap_or(folder)).unwrap_or_default();
    let run_later = changes.iter().filter(|change| may_run(change)).map(|change| change.path.clone());
    let links_out = changes.iter().filter_map(|change| outward(&folder, change));
    let found = LastingChanges {
        references: references.into_iter().take(MOST).collect(),
        run_later: run_later.take(MOST).collect(),
        links_out: links_out.take(MOST).collect(),
    };
    (found != LastingChanges::default()).then_some(found)
}

/// Whether other programs may run what a change left: it is executable, or has the name of a file that they look for.
fn may_run(change: &Net) -> bool {
    const EXECUTABLE: u32 = 0o111;
    match &change.after {
        FileState::File(file) if file.mode & EXECUTABLE != 0 => true,
        FileState::File(_) | FileState::Link(_) | FileState::Unkept(_) => {
            deputy_policy::path::runs_later(Path::new(&change.path))
        }
        FileState::Absent(_) if change.from.is_some() => {
            deputy_policy::path::runs_later(Path::new(&change.path))
        }
        FileState::Absent(_) | FileState::Folder(_) | FileState::Special(_) => false,
    }
}

/// Returns the link that a change left if it leads out of the folder, by name or by the links on its way.
fn outward(folder: &Path, change: &Net) -> Option<OutwardLink> {
    let FileState::Link(link) = &change.after else { return None };
    let path = Path::new(&change.path);
    let target = path.parent()?.join(&link.target);
    let end = target.canonicalize().unwrap_or_else(|_| without_dots(&target));
    let link = OutwardLink { path: change.path.clone(), target: link.target.clone() };
    (!end.starts_with(folder)).then_some(link)
}
