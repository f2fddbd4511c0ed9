//! Selects steps that can share a write-ahead entry: steps whose outcomes can be read from the disk independently.

use crate::job::{Act, Job, Step};
use crate::ledger::{Began, History, StepState};
use crate::trash;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The maximum number of steps in a batch. One durable journal entry for this many steps keeps a job almost as fast as
/// plain renames.
pub(crate) const MOST: usize = 100;

/// The paths that a batch touches so far.
#[derive(Default)]
struct Touched {
    exact: HashSet<PathBuf>,
    made: HashSet<PathBuf>,
    above: HashSet<PathBuf>,
}

impl Touched {
    /// Returns whether the outcome at this path depends on a step of the batch. Entries of a folder that the batch
    /// creates do not depend on it: the folder exists either way.
    fn meets(&self, path: &Path) -> bool {
        self.made.contains(path)
            || self.above.contains(path)
            || path.ancestors().any(|above| self.exact.contains(above))
    }

    fn add(&mut self, act: &Act, to: Option<&Path>) {
        for path in [Some(act.path()), to].into_iter().flatten() {
            for above in path.ancestors().skip(1) {
                if !self.above.insert(above.to_owned()) {
                    break;
                }
            }
        }
        match act {
            Act::CreateFolder(folder) => self.made.insert(folder.path.clone()),
            act => self.exact.insert(act.path().to_owned()),
        };
        self.exact.extend(to.map(Path::to_path_buf));
    }
}

/// Returns the next steps from `first` on that may act after a single durable entry.
pub(crate) fn gather(history: &History, first: usize) -> Vec<Began> {
    let mut touched = Touched::default();
    let mut batch = Vec::new();
    for (index, step) in history.job.steps.iter().enumerate().skip(first) {
        if history.steps.get(index) != Some(&StepState::Pending) {
            continue;
        }
        let to = destination(&history.job, index, step, 0, |path| touched.exact.contains(path));
        // All steps that trash something share a trash folder, so only the exact name matters there.
        let meets = |path: &Path| match &step.act {
            Act::Trash(_) => touched.exact.contains(path),
            _ => touched.meets(path),
        };
        if touched.meets(step.act.path()) || to.as_deref().is_some_and(meets) {
            break;
        }
        touched.add(&step.act, to.as_deref());
        let to = to.filter(|to| step.act.destination() != Some(to));
        batch.push(Began { step: index, to });
        if batch.len() == MOST {
            break;
        }
    }
    batch
}

/// Returns the destination of a step: the path in the plan, or a free name in the trash.
pub(crate) fn destination(
    job: &Job,
    index: usize,
    step: &Step,
    attempt: u32,
    is_taken: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    match &step.act {
        Act::Trash(paths) => {
            let mark = match attempt {
                0 => format!("{}-{index}", job.id),
                attempt => format!("{}-{index}-{attempt}", job.id),
            };
            let name = trash::free_name(&paths.to, &paths.from, &mark, is_taken);
            Some(trash::file_in(&paths.to, &name))
        }
        act => act.destination().map(Path::to_path_buf),
    }
}
