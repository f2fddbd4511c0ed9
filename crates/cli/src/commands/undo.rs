//! `deputy undo` undoes the changes of a task, a call or a job; `deputy redo` makes them again.

use super::{Context, jobs};
use crate::args::OnConflict;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, number, place, printable};
use deputy_protocol::{
    CallId, Command, CommandOutcome, ErrorCode, JobId, JobProgress, RedoCommand, RepositoryOutcome,
    UndoCommand, UndoneFile, UndoneOutcome, UndoneRepository,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Undoes changes and prints the result for each file. Fails if a file could not be undone.
pub(crate) async fn execute(
    cx: &Context,
    what: &str,
    dry_run: bool,
    files_only: bool,
    on_conflict: OnConflict,
) -> Result<End, Failure> {
    if jobs::is_job(what) {
        return jobs::undo(cx, what, dry_run, on_conflict).await;
    }
    let mut session = Session::open(&cx.homes, Tasks::Leave, true).await?;
    // The id of a call starts with that of its task: TASK-ITERATION-INDEX.
    let (task, part) = match what.split_once('-') {
        Some((task, part)) => (task, Some(part)),
        None => (what, None),
    };
    let task = session.find_task(task).await?;
    let call = part.map(|part| CallId::new(format!("{task}-{part}")));
    let undo = UndoCommand { call, dry_run, files_only, ..UndoCommand::all(task) };
    let end = take_back(cx, &mut session, undo, on_conflict).await;
    session.close().await;
    end
}

/// Repeats the changes that the task's last undo reverted, and prints the result for each file. Fails if one could
/// not be repeated.
pub(crate) async fn redo(cx: &Context, task: &str, files_only: bool) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, true).await?;
    let task = session.find_task(task).await?;
    let outcome =
        undone(cx, &mut session, Command::Redo(RedoCommand { task: task.clone(), files_only }), &[]).await;
    session.close().await;
    let outcome = outcome?;
    if cx.json {
        view::print_json(&CommandOutcome::Undone(outcome.clone()));
    } else {
        let screen = Screen::new();
        if outcome.files.is_empty() && outcome.jobs.is_empty() && outcome.repositories.is_empty() {
            screen.line("Nothing to redo.");
        }
        list(&screen, &outcome, "↷", false);
        for job in &outcome.jobs {
            screen.line(&format!("↷ {} of {} changes redone", job.done, job.steps));
        }
        if is_refused(&outcome) {
            screen.line(&format!("Nothing was redone. `deputy redo {task} --files` redoes the files alone."));
        }
    }
    let is_whole = !is_refused(&outcome)
        && outcome.files.iter().all(|file| file.restored)
        && outcome.jobs.iter().all(|job| job.is_whole);
    Ok(if is_whole { End::Done } else { End::Failed })
}

async fn take_back(
    cx: &Context,
    session: &mut Session,
    undo: UndoCommand,
    on_conflict: OnConflict,
) -> Result<End, Failure> {
    let dry_run = undo.dry_run;
    let planned = undone(cx, session, Command::Undo(undo.clone().dry()), &[]).await?;
    let all: Vec<JobId> = planned.jobs.iter().map(|job| job.job.clone()).collect();
    if is_refused(&planned) {
        tell_refused(cx, &undo, planned);
        return Ok(if dry_run { End::Done } else { End::Failed });
    }
    if on_conflict == OnConflict::Skip && !dry_run {
        // A single command for everything, so that one redo brings everything back.
        let mut outcome = undone(cx, session, Command::Undo(undo.clone()), &all).await?;
        if is_refused(&outcome) {
            tell_refused(cx, &undo, outcome);
            return Ok(End::Failed);
        }
        let jobs = std::mem::take(&mut outcome.jobs);
        jobs.iter().for_each(|job| jobs::tell_undone(cx, job));
        tell(cx, &outcome, !jobs.is_empty(), dry_run);
        let is_whole = outcome.files.iter().all(|file| file.restored) && jobs.iter().all(|job| job.is_whole);
        return Ok(if is_whole { End::Done } else { End::Failed });
    }
    if on_conflict == OnConflict::Abort
        && !dry_run
        && let Some(job) = planned.jobs.iter().find(|job| !job.conflicts.is_empty())
    {
        return jobs::undo_in(cx, session, job.job.clone(), false, on_conflict).await;
    }
    let mut of_jobs = None;
    for job in &planned.jobs {
        if dry_run {
            jobs::tell_plan(cx, job);
            of_jobs = Some(End::Done);
            continue;
        }
        // A job undoes its own changes. The changes of other calls are undone after it.
        let end = jobs::undo_in(cx, session, job.job.clone(), false, on_conflict).await?;
        if of_jobs.is_none() || end != End::Done {
            of_jobs = Some(end);
        }
    }
    let outcome = match dry_run {
        true => planned,
        false => undone(cx, session, Command::Undo(undo.clone()), &all).await?,
    };
    if is_refused(&outcome) {
        tell_refused(cx, &undo, outcome);
        return Ok(End::Failed);
    }
    tell(cx, &outcome, of_jobs.is_some(), dry_run);
    let is_whole = outcome.files.iter().all(|file| file.restored);
    Ok(if is_whole || dry_run { of_jobs.unwrap_or(End::Done) } else { End::Failed })
}

/// Performs an undo or a redo, and shows the progress of undoing these jobs.
async fn undone(
    cx: &Context,
    session: &mut Session,
    command: Command,
    all: &[JobId],
) -> Result<UndoneOutcome, Failure> {
    let is_meant = |progress: &JobProgress| progress.undoes.as_ref().is_some_and(|job| all.contains(job));
    match jobs::watched(cx, session, command, is_meant).await? {
        CommandOutcome::Undone(undone) => Ok(undone),
        _ => Err(Failure::new(
            ErrorCode::Host,
            "The host's answer does not fit.",
            "Use the same version for both.",
        )),
    }
}

fn tell(cx: &Context, outcome: &UndoneOutcome, has_jobs: bool, dry_run: bool) {
    if cx.json {
        view::print_json(&CommandOutcome::Undone(outcome.clone()));
        return;
    }
    let screen = Screen::new();
    let is_seen = |repository: &UndoneRepository| !repository.message.is_empty();
    if outcome.files.is_empty() && !has_jobs && !outcome.repositories.iter().any(is_seen) {
        screen.line("Nothing to undo.");
    }
    list(&screen, outcome, "↶", dry_run);
}

/// Returns whether nothing was undone or redone because of a repository.
fn is_refused(outcome: &UndoneOutcome) -> bool {
    outcome.repositories.iter().any(UndoneRepository::is_refused)
}

/// Prints why nothing was undone, and how to undo the rest.
fn tell_refused(cx: &Context, undo: &UndoCommand, outcome: UndoneOutcome) {
    if cx.json {
        view::print_json(&CommandOutcome::Undone(outcome));
        return;
    }
    let screen = Screen::new();
    list(&screen, &UndoneOutcome { files: Vec::new(), ..outcome }, "↶", false);
    let what = undo.call.as_ref().map_or(undo.task.as_str(), CallId::as_str);
    let is = if undo.dry_run { "would be" } else { "was" };
    screen.line(&format!("Nothing {is} undone. `deputy undo {what} --files` undoes the files alone."));
}

/// Lists the repositories and the files, with paths relative to the folder that contains all files: those that were
/// restored, then those that were not, each up to a limit, and a summary last.
fn list(screen: &Screen, outcome: &UndoneOutcome, done: &str, dry_run: bool) {
    const MOST: usize = 30;
    for repository in outcome.repositories.iter().filter(|repository| !repository.message.is_empty()) {
        let mark = match repository.outcome {
            RepositoryOutcome::Restored => done,
            RepositoryOutcome::Possible => "·",
            RepositoryOutcome::Refused => "✗",
        };
        screen.line(&format!("{mark} {}: {}", place(&repository.folder), printable(&repository.message)));
    }
    let files = by_file(&outcome.files);
    let folder = common_folder(files.iter().map(|file| Path::new(&file.change.path)));
    if let Some(folder) = folder {
        screen.line(&format!("In {}:", place(&folder.to_string_lossy())));
    }
    let shown = |file: &UndoneFile| {
        let inside = folder.and_then(|folder| Path::new(&file.change.path).strip_prefix(folder).ok());
        inside.map_or_else(|| place(&file.change.path), |path| printable(&path.to_string_lossy()))
    };
    let (restored, left): (Vec<_>, Vec<_>) = files.iter().copied().partition(|file| file.restored);
    for (mark, files) in [(done, &restored), ("✗", &left)] {
        let mark = if dry_run { "·" } else { mark };
        for file in files.iter().take(MOST) {
            screen.line(&format!("{mark} {}: {}", shown(file), printable(&file.message)));
        }
        if let Some(more) = files.len().checked_sub(MOST).filter(|more| *more > 0) {
            screen.line(&format!("{mark} and {} more; `--json` lists them all", number(more as u64)));
        }
    }
    if !dry_run && restored.len() + left.len() > 1 {
        let left: Vec<String> = left.iter().map(|file| shown(file)).collect();
        let has_git = outcome.repositories.iter().any(|one| one.is_restored() && !one.message.is_empty());
        screen.line(&summary(restored.len(), has_git, &left, done));
    }
}

/// Says in a line how much was undone or redone, and what was left.
fn summary(restored: usize, has_git: bool, left: &[String], done: &str) -> String {
    const MOST: usize = 3;
    let deed = if done == "↷" { "changed again" } else { "taken back" };
    let files = |count: usize| match count {
        1 => "1 file".to_owned(),
        count => format!("{} files", number(count as u64)),
    };
    let git = if has_git { " and the git repository" } else { "" };
    let whole = format!("{}{git} {deed}", files(restored));
    if left.is_empty() {
        return format!("{whole}.");
    }
    let more = if left.len() > MOST { ", …" } else { "" };
    let named = left[..left.len().min(MOST)].join(", ");
    let as_is = if left.len() == 1 { "left as it is" } else { "left as they are" };
    format!("{whole}; {} {as_is}: {named}{more}.", number(left.len() as u64))
}

/// Returns each file once: with what was left of it, if anything was, and otherwise with its earliest change.
fn by_file(files: &[UndoneFile]) -> Vec<&UndoneFile> {
    let mut by_path: BTreeMap<&str, &UndoneFile> = BTreeMap::new();
    for file in files {
        // Undo lists the newest change of a file first, so that the last one restored its first state.
        let known = by_path.entry(&file.change.path).or_insert(file);
        if known.restored {
            *known = file;
        }
    }
    by_path.into_values().collect()
}

/// Returns the deepest folder that contains all of several files, unless that is only the root.
fn common_folder<'a>(mut files: impl Iterator<Item = &'a Path>) -> Option<&'a Path> {
    let first = files.next()?.parent()?;
    let mut others = files.peekable();
    others.peek()?;
    let common = others.fold(first, |folder, file| {
        folder.ancestors().find(|ancestor| file.starts_with(ancestor)).unwrap_or(Path::new("/"))
    });
    common.parent().is_some().then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_how_much_was_undone_and_what_was_left() {
        assert_eq!(summary(4, true, &[], "↶"), "4 files and the git repository taken back.");
        assert_eq!(summary(1, false, &["a.txt".into()], "↶"), "1 file taken back; 1 left as it is: a.txt.");
        let left: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        assert_eq!(summary(0, false, &left, "↷"), "0 files changed again; 4 left as they are: a, b, c, ….");
    }

    #[test]
    fn several_files_are_named_from_the_folder_that_contains_them_all() {
        let folder = |files: &[&'static str]| common_folder(files.iter().map(|file| Path::new(*file)));
        assert_eq!(folder(&["/a/b/c.txt", "/a/b/d/e.txt"]), Some(Path::new("/a/b")));
        assert_eq!(folder(&["/a/b/c.txt", "/a/bc/d.txt"]), Some(Path::new("/a")));
        assert_eq!(folder(&["/a/b.txt", "/c/d.txt"]), None);
        assert_eq!(folder(&["/a/b.txt"]), None, "one file is named whole");
        assert_eq!(folder(&[]), None);
    }
}
