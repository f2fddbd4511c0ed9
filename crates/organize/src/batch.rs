//! Which steps can be written ahead together: those whose outcomes the disk shows independently of one another.

use crate::job::{Act, Job, Step};
use crate::ledger::{Began, History, StepState};
use crate::trash;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// One journal entry that is made durable for this many steps at once keeps a job within reach of bare renames.
pub(crate) const MOST: usize = 100;

/// Paths that a batch touches so far.
#[derive(Default)]
struct Touched {
    exact: HashSet<PathBuf>,
    made: HashSet<PathBuf>,
    above: HashSet<PathBuf>,
}

impl Touched {
    /// Whether the outcome at this path depends on a step of the batch. What comes into a folder that the batch makes
    /// does not: the folder is there either way.
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

/// The next steps from `first` that may act after one durable entry.
pub(crate) fn gather(history: &History, first: usize) -> Vec<Began> {
    let mut touched = Touched::default();
    let mut batch = Vec::new();
    for (index, step) in history.job.steps.iter().enumerate().skip(first) {
        if history.steps.get(index) != Some(&StepState::Pending) {
            continue;
        }
        let to = destination(&history.job, index, step, 0, |path| touched.exact.contains(path));
        // A trash is shared by all steps that throw away; only the very name matters there.
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

/// Where a step leads: what the plan says, but in the trash a name that is free.
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
