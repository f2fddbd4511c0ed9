//! `deputy undo`: takes back what a task, or one of its calls, changed.

use super::{Context, jobs};
use crate::args::OnConflict;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, printable};
use deputy_protocol::{
    CallId, Command, CommandOutcome, EventsQuery, Query, QueryAnswer, TaskEvent, TaskId, UndoCommand,
};
use deputy_tools::OrganizeHome;

/// Takes back, and says per file what came of it. Fails where a file could not be taken back.
pub(crate) async fn execute(
    cx: &Context,
    what: &str,
    dry_run: bool,
    on_conflict: OnConflict,
) -> Result<End, Failure> {
    if jobs::is_job(what) {
        return jobs::undo(cx, what, dry_run, on_conflict);
    }
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    // A call's id begins with its task's: TASK-ITERATION-INDEX.
    let (task, call) = match what.split_once('-') {
        Some((task, _)) => (task, Some(CallId::new(what))),
        None => (what, None),
    };
    let task = session.find_task(task).await?;
    let organised = organised(&mut session, &task, call.as_ref()).await?;
    // A job takes back what it did itself; what other calls did to files is the host's to take back.
    let of_jobs = jobs::undo_all(cx, &organised, dry_run, on_conflict)?;
    let outcome = session.client.command(Command::Undo(UndoCommand { task, call, dry_run })).await?;
    session.close().await;
    let CommandOutcome::Undone(undone) = &outcome else {
        return Err(Failure::new(
            "host",
            "The host's answer does not fit.",
            "Use the same version for both.",
        ));
    };
    if cx.json {
        view::print_json(&outcome);
    } else {
        let screen = Screen::new();
        if undone.files.is_empty() && of_jobs.is_none() {
            screen.line("It changed no file, or everything was taken back before.");
        }
        for file in &undone.files {
            let mark = match (file.restored, dry_run) {
                (_, true) => "·",
                (true, false) => "↶",
                (false, false) => "✗",
            };
            screen.line(&format!("{mark} {}: {}", printable(&file.change.path), printable(&file.message)));
        }
    }
    let is_whole = undone.files.iter().all(|file| file.restored);
    Ok(if is_whole || dry_run { of_jobs.unwrap_or(End::Done) } else { End::Failed })
}

/// The jobs that a task, or one of its calls, may have started, newest first.
async fn organised(
    session: &mut Session,
    task: &TaskId,
    only: Option<&CallId>,
) -> Result<Vec<String>, Failure> {
    const PAGE: u32 = 1_000;
    let mut jobs = Vec::new();
    let mut after = 0;
    loop {
        let query = EventsQuery { task: task.clone(), after, limit: PAGE, newest: false, brief: false };
        let QueryAnswer::Events(page) = session.client.query(Query::Events(query)).await? else { break };
        for record in &page.events {
            after = record.seq;
            let TaskEvent::Planned(planned) = &record.event else { continue };
            let calls = planned.plan.tool_calls.iter().filter(|call| call.tool == "organize");
            let meant = calls.filter(|call| only.is_none_or(|only| *only == call.id));
            jobs.extend(meant.map(|call| OrganizeHome::job_of(&call.id)));
        }
        if page.events.len() < PAGE as usize {
            break;
        }
    }
    jobs.reverse();
    Ok(jobs)
}
