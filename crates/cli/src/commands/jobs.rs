//! `deputy jobs`: what was organised; goes on with a job that was cut off; takes one back. Each works on the jobs' own
//! journals, whose locks keep two processes from one job.

use super::Context;
use crate::args::{JobsCommand, OnConflict};
use crate::failure::{End, Failure};
use crate::view::{self, Screen, printable};
use deputy_organize::{
    ConflictChoice, Control, JobState, JobSummary, Jobs, JobsError, OpenJob, Report, RunError, Stop,
};
use deputy_tools::OrganizeHome;
use deputy_tools::organize::job_line;
use serde_json::{Value, json};

/// Lists jobs, or goes on with one.
pub(crate) fn execute(cx: &Context, command: Option<JobsCommand>) -> Result<End, Failure> {
    let jobs = jobs(cx)?;
    match command {
        None => list(cx, &jobs),
        Some(JobsCommand::Resume { job, skip }) => run(cx, jobs.resume(&job).map_err(failure)?, skip),
    }
}

fn jobs(cx: &Context) -> Result<Jobs, Failure> {
    OrganizeHome::of(&cx.homes.deputy, &cx.homes.user).jobs().map_err(failure)
}

fn failure(error: JobsError) -> Failure {
    Failure::new("job", format!("{error}."), "`deputy jobs` lists them.")
}

fn list(cx: &Context, jobs: &Jobs) -> Result<End, Failure> {
    let found = jobs.list().map_err(failure)?;
    let screen = Screen::new();
    for job in &found {
        if cx.json {
            view::print_json(&summary(job));
        } else {
            screen.line(&job_line(job));
        }
    }
    if found.is_empty() && !cx.json {
        screen.line("Nothing was organised yet; `deputy organize DIR` tidies a folder.");
    }
    Ok(End::Done)
}

/// The jobs that were cut off or stopped, whose folders are blocked until somebody decides.
pub(super) fn interrupted(cx: &Context) -> Result<Vec<JobSummary>, Failure> {
    let mut found = jobs(cx)?.list().map_err(failure)?;
    found.retain(|job| job.state == JobState::Interrupted);
    Ok(found)
}

/// Those jobs, a line each, with what can be done about them.
pub(super) fn interrupted_lines(found: &[JobSummary]) -> Vec<String> {
    let line = |job: &JobSummary| {
        let id = &job.history.job.id;
        format!("{}; deputy jobs resume {id} | deputy undo {id}", job_line(job))
    };
    found.iter().map(line).collect()
}

/// A job for programs.
pub(super) fn summary(found: &JobSummary) -> Value {
    let (state, undone_by) = match &found.state {
        JobState::Running => ("running", None),
        JobState::Interrupted => ("interrupted", None),
        JobState::Done => ("done", None),
        JobState::Undone(by) => ("undone", Some(by)),
        JobState::Damaged => ("damaged", None),
    };
    let history = &found.history;
    json!({
        "job": history.job.id,
        "state": state,
        "undone_by": undone_by,
        "undoes": history.job.undoes,
        "scope": history.job.scope.iter().map(|folder| folder.to_string_lossy()).collect::<Vec<_>>(),
        "done": history.done(),
        "steps": history.steps.len(),
    })
}

/// Whether an id is one of a job; those of tasks and calls begin with another letter.
pub(super) fn is_job(id: &str) -> bool {
    id.starts_with('j') && !id.contains('-')
}

/// Takes a job back.
pub(super) fn undo(cx: &Context, id: &str, dry_run: bool, on_conflict: OnConflict) -> Result<End, Failure> {
    let jobs = jobs(cx)?;
    let choice = match on_conflict {
        OnConflict::Skip | OnConflict::Abort => ConflictChoice::Skip,
        OnConflict::KeepBoth => ConflictChoice::KeepBoth,
    };
    let reversal = jobs.reverse(id, choice).map_err(failure)?;
    let screen = Screen::new();
    for conflict in &reversal.conflicts {
        let path = conflict.path.to_string_lossy();
        if cx.json {
            view::print_json(
                &json!({"conflict": path, "operation": conflict.operation, "reason": conflict.reason.text()}),
            );
        } else {
            screen.line(&format!("✗ {}: {}", printable(&path), conflict.reason.text()));
        }
    }
    let has_conflicts = !reversal.conflicts.is_empty();
    if dry_run {
        let steps = reversal.job.steps.len();
        if cx.json {
            view::print_json(&json!({"job": id, "steps": steps, "conflicts": reversal.conflicts.len()}));
        } else {
            screen.line(&format!("· {steps} steps of the job {id} would be taken back"));
        }
        return Ok(End::Done);
    }
    if has_conflicts && on_conflict == OnConflict::Abort {
        let message = format!(
            "{} files stand against taking back the job {id}; nothing was changed.",
            reversal.conflicts.len()
        );
        return Err(Failure::new(
            "conflict",
            message,
            "--on-conflict skip leaves them, keep-both brings them back, too.",
        ));
    }
    let end = run(cx, jobs.start(reversal.job).map_err(failure)?, false)?;
    let taken_back =
        matches!(jobs.find(id).map_err(failure)?, Some(found) if matches!(found.state, JobState::Undone(_)));
    if !taken_back && !cx.json {
        screen.line(&format!(
            "The job {id} does not count as taken back; `deputy undo {id}` tries the rest again."
        ));
    }
    Ok(if taken_back { end } else { End::Failed })
}

/// Takes back those of some jobs that there are and that were not taken back yet; nothing where there is none.
pub(super) fn undo_all(
    cx: &Context,
    ids: &[String],
    dry_run: bool,
    on_conflict: OnConflict,
) -> Result<Option<End>, Failure> {
    if ids.is_empty() {
        return Ok(None);
    }
    let known = jobs(cx)?.list().map_err(failure)?;
    let stands = |id: &&String| {
        let found = known.iter().find(|found| found.history.job.id == **id);
        found.is_some_and(|found| !matches!(found.state, JobState::Undone(_) | JobState::Damaged))
    };
    let mut end = None;
    for id in ids.iter().filter(stands) {
        let of_job = undo(cx, id, dry_run, on_conflict)?;
        if end.is_none() || of_job != End::Done {
            end = Some(of_job);
        }
    }
    Ok(end)
}

/// Runs what is left of a job, and tells what came of it.
fn run(cx: &Context, mut job: OpenJob, skip_failed: bool) -> Result<End, Failure> {
    let id = job.history().job.id.clone();
    let of = job.history().steps.len();
    let mut control = Control { is_cancelled: &|| false, progress: &mut |_, _| {}, skip_failed };
    let report = job.run(&mut control).map_err(|error: RunError| failure(error.into()))?;
    tell(cx, &id, of, job.history().job.undoes.as_deref(), &report);
    Ok(if report.stopped.is_none() { End::Done } else { End::Failed })
}

fn tell(cx: &Context, id: &str, of: usize, undoes: Option<&str>, report: &Report) {
    let stopped = report.stopped.as_ref().map(|stop| match stop {
        Stop::Cancelled => "it was stopped".to_owned(),
        Stop::Failed { operation, reason } => format!("it stopped at {operation}: {reason}"),
    });
    if cx.json {
        view::print_json(&json!({
            "job": id, "undoes": undoes, "done": report.done, "steps": of, "skipped": report.skipped, "stopped": stopped,
        }));
        return;
    }
    let screen = Screen::new();
    for (operation, reason) in &report.skipped {
        screen.line(&format!("✗ {operation}: {}", printable(reason)));
    }
    let what = match undoes {
        Some(other) => format!("↶ The job {id} takes back the job {other}"),
        None => format!("The job {id} went on"),
    };
    screen.line(&format!("{what}: {} of {of} steps are done.", report.done));
    if let Some(stopped) = stopped {
        screen.line(&printable(&stopped));
    }
}
