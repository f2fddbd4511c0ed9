//! `deputy undo`: takes back what a task, or one of its calls, changed.

use super::{Context, jobs};
use crate::args::OnConflict;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, printable};
use deputy_protocol::{CallId, Command, CommandOutcome, UndoCommand};

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
        if undone.files.is_empty() {
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
    Ok(if is_whole || dry_run { End::Done } else { End::Failed })
}
