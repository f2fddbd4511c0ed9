//! Progress reports of a job for screens, whether a task or a person runs it.

use crate::tool::JobSink;
use deputy_organize::History;
use deputy_protocol::{JobId, JobProgress};

/// The maximum number of progress messages of one job, however many steps it has.
const MOST_TOLD: usize = 100;

/// Returns a function that reports the progress of a job, occasionally after a step.
pub(super) fn of(history: &History, sink: &JobSink) -> impl FnMut(usize, usize) + use<> {
    let job = JobId::new(&history.job.id);
    let undoes = history.job.undoes.as_ref().map(JobId::new);
    let sink = sink.clone();
    let tell = move |done: usize, of: usize| {
        let (job, undoes) = (job.clone(), undoes.clone());
        sink(JobProgress { job, undoes, call: None, done: done as u64, steps: of as u64 });
    };
    // Report at once, so that every screen knows that the job continues.
    let begun = history.done();
    let all = history.steps.len();
    tell(begun, all);
    let mut last = part(begun, all);
    move |done, of| {
        let now = part(done, of);
        if now > last || done == of {
            last = now;
            tell(done, of);
        }
    }
}

fn part(done: usize, of: usize) -> usize {
    done * MOST_TOLD / of.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_organize::{Act, FolderAct, Job, Started, Step};
    use std::sync::{Arc, Mutex};

    fn told(steps: usize) -> Vec<(u64, u64)> {
        let step = |_| Step {
            operation: "o1".to_owned(),
            act: Act::CreateFolder(FolderAct { path: "/a".into() }),
            expects: None,
            trash: None,
        };
        let job = Job {
            id: "j1".to_owned(),
            scope: Vec::new(),
            undoes: None,
            call: None,
            if_taken: Default::default(),
            steps: (0..steps).map(step).collect(),
            folders: Vec::new(),
            restore_times: Vec::new(),
        };
        let heard = Arc::new(Mutex::new(Vec::new()));
        let own = heard.clone();
        let sink: JobSink = Arc::new(move |said| own.lock().unwrap().push((said.done, said.steps)));
        let mut tell = of(&History::new(Started { job, folders: Vec::new(), boot: String::new() }), &sink);
        (1..=steps).for_each(|done| tell(done, steps));
        let heard = heard.lock().unwrap();
        heard.clone()
    }

    #[test]
    fn a_job_is_told_from_its_beginning_to_its_end_and_seldom_in_between() {
        assert_eq!(told(3), [(0, 3), (1, 3), (2, 3), (3, 3)]);
        let many = told(20_000);
        assert_eq!(
            (many.len(), many.first(), many.last()),
            (101, Some(&(0, 20_000)), Some(&(20_000, 20_000)))
        );
    }
}
