//! `deputy jobs`: lists the jobs of `organize`, and resumes or undoes one. The list is read from the jobs' own
//! journals; only the host changes files.

use super::Context;
use crate::args::{JobsCommand, OnConflict};
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, place, printable};
use deputy_organize::{JobState, Jobs, JobsError, PlanSummary, Turn};
use deputy_protocol::{
    Command, CommandOutcome, ErrorCode, JobId, JobProgress, JobReport, ResumeJobCommand, ServerMessage,
    UndoJobCommand,
};
use deputy_tools::OrganizeHome;
use deputy_tools::organize::job_line;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

/// Lists executed plans.
pub(crate) fn list(cx: &Context, limit: usize) -> Result<End, Failure> {
    let found = jobs(cx)?.plans(limit).map_err(failure)?;
    known(cx)?;
    let screen = Screen::new();
    for plan in &found {
        if cx.json {
            view::print_json(&summary(plan));
        } else {
            screen.line(&job_line(plan));
        }
    }
    if found.is_empty() && !cx.json {
        screen.hint("No jobs yet. `deputy organize DIR` tidies a folder.");
    }
    Ok(End::Done)
}

/// Resumes a job.
pub(crate) async fn execute(cx: &Context, command: JobsCommand) -> Result<End, Failure> {
    let JobsCommand::Resume { job, skip } = command;
    let mut session = Session::open(&cx.homes, Tasks::Leave, true).await?;
    let resume = ResumeJobCommand { job: named(cx, &job)?, skip };
    let report = reported(cx, &mut session, Command::ResumeJob(resume)).await;
    session.close().await;
    let report = report?;
    tell(cx, &report);
    Ok(if report.is_whole { End::Done } else { End::Failed })
}

fn jobs(cx: &Context) -> Result<Jobs, Failure> {
    OrganizeHome::of(&cx.homes.deputy, &cx.homes.user).jobs().map_err(failure)
}

/// Returns the ids of all jobs. From then on, ids are printed in their short form.
pub(super) fn known(cx: &Context) -> Result<Vec<String>, Failure> {
    let ids = jobs(cx)?.ids().map_err(failure)?;
    view::ids::know(&ids);
    Ok(ids)
}

/// Finds the job with an id or with a unique prefix of one.
fn named(cx: &Context, typed: &str) -> Result<JobId, Failure> {
    view::ids::named(&known(cx)?, typed).map(JobId).map_err(ambiguous(typed))
}

/// Returns the error for a prefix that several ids share.
pub(super) fn ambiguous(typed: &str) -> impl FnOnce((String, String)) -> Failure {
    move |(one, other)| {
        Failure::usage(format!("`{typed}` could mean {one} or {other}."), "Give more of the ID.")
    }
}

fn failure(error: JobsError) -> Failure {
    Failure::new(ErrorCode::Job, format!("{error}."), "`deputy doctor` looks at the jobs.")
}

/// Returns the plans that were interrupted or stopped. Their folders are blocked until a person decides about them.
pub(super) fn interrupted(cx: &Context) -> Result<Vec<PlanSummary>, Failure> {
    known(cx)?;
    jobs(cx)?.interrupted().map_err(failure)
}

/// Formats interrupted plans, one per line, with the commands that can be used on them.
pub(super) fn interrupted_lines(found: &[PlanSummary]) -> Vec<String> {
    let line = |plan: &PlanSummary| {
        let id = &plan.latest().id;
        let program = view::program();
        format!("{}; {program} jobs resume {id} | {program} undo {id}", job_line(plan))
    };
    found.iter().map(line).collect()
}

/// Returns an executed plan as JSON, with the progress of its last turn.
pub(super) fn summary(plan: &PlanSummary) -> Value {
    let state = match plan.state() {
        JobState::Running => "running",
        JobState::Interrupted => "interrupted",
        JobState::Done => "done",
        JobState::PartlyUndone(_) => "partly_undone",
        JobState::Undone(_) => "undone",
        JobState::Damaged => "damaged",
    };
    let undone_by = match &plan.job.state {
        JobState::Undone(by) | JobState::PartlyUndone(by) => Some(by),
        _ => None,
    };
    let turn = |turn: &Turn| json!({"job": turn.job.id, "turn": if turn.is_redo { "redo" } else { "undo" }});
    let latest = plan.latest();
    json!({
        "job": plan.job.id,
        "state": state,
        "undone_by": undone_by,
        "turns": plan.turns.iter().map(turn).collect::<Vec<_>>(),
        "scope": plan.job.scope.iter().map(|folder| folder.to_string_lossy()).collect::<Vec<_>>(),
        "done": latest.done,
        "skipped": latest.skipped,
        "steps": latest.steps,
    })
}

/// Returns whether an id is that of a job. Ids of tasks and calls start with another letter.
pub(super) fn is_job(id: &str) -> bool {
    id.starts_with('j') && !id.contains('-')
}

/// Undoes a job.
pub(super) async fn undo(
    cx: &Context,
    id: &str,
    dry_run: bool,
    on_conflict: OnConflict,
) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, true).await?;
    let end = undo_in(cx, &mut session, named(cx, id)?, dry_run, on_conflict).await;
    session.close().await;
    end
}

/// Undoes a job over an open connection.
pub(super) async fn undo_in(
    cx: &Context,
    session: &mut Session,
    job: JobId,
    dry_run: bool,
    on_conflict: OnConflict,
) -> Result<End, Failure> {
    let undo = UndoJobCommand { job: job.clone(), dry_run, on_conflict: on_conflict.into() };
    let report = reported(cx, session, Command::UndoJob(undo)).await?;
    if dry_run {
        tell_plan(cx, &report);
        return Ok(End::Done);
    }
    if report.undoes.is_none() {
        tell_conflicts(cx, &report);
        let message = format!(
            "{} files have changed since, so job {job} was not undone; nothing was changed.",
            report.conflicts.len() as u64 + report.more_conflicts
        );
        return Err(Failure::new(
            ErrorCode::Conflict,
            message,
            "--on-conflict skip leaves them, keep-both brings them back, too.",
        ));
    }
    tell_undone(cx, &report);
    Ok(if report.is_whole { End::Done } else { End::Failed })
}

/// Prints the result of undoing a job.
pub(super) fn tell_undone(cx: &Context, report: &JobReport) {
    tell_conflicts(cx, report);
    tell(cx, report);
    // If the undo stopped, how to continue was already printed.
    if let Some(job) =
        report.undoes.as_ref().filter(|_| !report.is_whole && report.stopped.is_none() && !cx.json)
    {
        Screen::new()
            .hint(&format!("The job {job} isn't fully undone; `deputy undo {job}` tries the rest again."));
    }
}

/// Sends a command that works on a job, shows its progress, and returns the report.
async fn reported(cx: &Context, session: &mut Session, command: Command) -> Result<JobReport, Failure> {
    let (job, is_undo) = match &command {
        Command::ResumeJob(resume) => (Some(resume.job.clone()), false),
        Command::UndoJob(undo) => (Some(undo.job.clone()), true),
        _ => (None, false),
    };
    let is_meant = |progress: &JobProgress| match is_undo {
        true => progress.undoes == job,
        false => Some(&progress.job) == job.as_ref(),
    };
    match watched(cx, session, command, is_meant).await? {
        CommandOutcome::Job(outcome) => Ok(outcome.report),
        _ => Err(Failure::new(
            ErrorCode::Host,
            "The host's answer does not fit.",
            "Use the same version for both.",
        )),
    }
}

/// Sends a command that works on jobs, and shows the progress of the jobs that `is_meant` selects.
pub(super) async fn watched(
    cx: &Context,
    session: &mut Session,
    command: Command,
    is_meant: impl Fn(&JobProgress) -> bool + Send + Sync,
) -> Result<CommandOutcome, Failure> {
    let bar = if cx.json { ProgressBar::hidden() } else { ProgressBar::no_length() };
    if let Ok(style) = ProgressStyle::with_template("  {bar:24} {pos} of {len} steps are done") {
        bar.set_style(style);
    }
    let mut watch = |message| {
        let ServerMessage::Job(progress) = message else { return };
        if is_meant(&progress) {
            bar.set_length(progress.steps);
            bar.set_position(progress.done);
        }
    };
    let outcome = session.client.command_watched(command, &mut watch).await;
    bar.finish_and_clear();
    Ok(outcome?)
}

/// Prints what undoing a job would do.
pub(super) fn tell_plan(cx: &Context, report: &JobReport) {
    tell_conflicts(cx, report);
    let (job, steps) = (&report.job, report.steps);
    if cx.json {
        view::print_json(
            &json!({"job": job, "steps": steps, "conflicts": report.conflicts.len() as u64 + report.more_conflicts}),
        );
    } else {
        Screen::new().line(&format!("· {steps} steps of job {job} would be undone"));
    }
}

fn tell_conflicts(cx: &Context, report: &JobReport) {
    let screen = Screen::new();
    for conflict in &report.conflicts {
        if cx.json {
            view::print_json(&json!({
                "conflict": conflict.path, "operation": conflict.operation, "reason": conflict.reason,
            }));
        } else {
            screen.line(&format!("✗ {}: {}", place(&conflict.path), printable(&conflict.reason)));
        }
    }
    if report.more_conflicts > 0 && !cx.json {
        screen.line(&format!("✗ and {} more", report.more_conflicts));
    }
}

fn tell(cx: &Context, report: &JobReport) {
    if cx.json {
        view::print_json(report);
        return;
    }
    view::ids::know(std::iter::once(&report.job).chain(&report.undoes));
    let screen = Screen::new();
    for skipped in &report.skipped {
        screen.line(&format!(
            "✗ left out: {}, {}: {}",
            printable(skipped.operation.as_str()),
            place(&skipped.path),
            printable(&skipped.reason)
        ));
    }
    let id = &report.job;
    let what = match &report.undoes {
        Some(other) => format!("↶ Undid job {other} (job {id})"),
        None => format!("Resumed job {id}"),
    };
    let left_out = match report.skipped.len() as u64 + report.more_skipped {
        0 => String::new(),
        number => format!(", {number} were left out"),
    };
    screen.line(&format!("{what}: {} of {} steps are done{left_out}.", report.done, report.steps));
    if let Some(stopped) = &report.stopped {
        screen.line(&printable(stopped));
        screen.hint(&format!(
            "`deputy jobs resume {id}` tries again, with --skip leaves that one out; `deputy undo {id}` undoes the job."
        ));
    }
}
