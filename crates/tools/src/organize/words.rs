//! Texts of `organize`: the permission request that a person decides on, and the results for planners and people.

use super::OrganizeError;
use super::home::OrganizeHome;
use crate::text::{Lines, escaped, one_line, shown, size};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_organize::plan::Proposal;
use deputy_organize::scan::{FileKind, LeftOut, Scan, ScanPhase, ScanProgress};
use deputy_organize::suggest::{Convention, Suggestion};
use deputy_organize::{
    Act, CheckError, CheckedPlan, History, JobState, Misnamed, PlanSummary, Preview, Report, Reversal,
    StepState, Stop, preview, table, tree,
};
use deputy_protocol::{CallStatus, OrganizeAction, OrganizePlan, ToolResult};
use std::collections::BTreeMap;
use std::path::Path;

/// The maximum number of entries in the scope for which the tree is shown. For larger scopes only the operations are
/// shown.
const MOST_IN_TREE: usize = 2_000;

/// The maximum number of entries per folder in a tree.
const MOST_IN_FOLDER: usize = 30;

/// The maximum number of operations that a request lists. The rest is counted and covered by the plan's digest.
const MOST_OPERATIONS: usize = 2_000;

/// The maximum number of reported problems of a plan.
const MOST_PROBLEMS: usize = 20;

/// The maximum number of jobs in a list.
const MOST_JOBS: usize = 100;

/// Summarizes a plan in one line.
pub(super) fn plan_summary(plan: &OrganizePlan) -> Phrase {
    let mut counts = [0_u64; 5];
    for operation in &plan.operations {
        counts[match operation.action {
            OrganizeAction::Move(_) => 0,
            OrganizeAction::Rename(_) => 1,
            OrganizeAction::Copy(_) => 2,
            OrganizeAction::Trash(_) => 3,
            OrganizeAction::CreateFolder(_) => 4,
        }] += 1;
    }
    let words: [fn(u64) -> Phrase; 5] =
        [say::moves, say::renames, say::copies, say::trashes, say::new_folders];
    let told = counts.into_iter().zip(words).filter(|(count, _)| *count > 0);
    let what = deputy_messages::list(told.map(|(count, words)| words(count)));
    let folders: Vec<String> = plan.scope.iter().map(|folder| shown(folder.as_ref())).collect();
    say::plan(one_line(&folders.join(", "), 120), what)
}

/// Returns the trees before and after a plan. `None` if the folders are too large or the preview fails.
pub(super) fn trees(home: &OrganizeHome, checked: &CheckedPlan) -> Option<Preview> {
    let scope: Vec<&Path> = checked.plan.scope.iter().map(Path::new).collect();
    let is_small = entries_below(&scope, MOST_IN_TREE) < MOST_IN_TREE;
    if is_small { preview(&checked.plan, &home.bounds()).ok() } else { None }
}

/// Returns the text that a person sees before approving a plan: the tree afterwards, the operations, the tree before.
pub fn preview_text(home: &OrganizeHome, checked: &CheckedPlan) -> String {
    plan_text(checked, trees(home, checked).as_ref())
}

/// Like [`preview_text`], with the trees already computed.
pub(super) fn plan_text(checked: &CheckedPlan, trees: Option<&Preview>) -> String {
    let mut text = String::new();
    if !checked.plan.reasoning.is_empty() {
        text.push_str(&format!("{}\n", one_line(&checked.plan.reasoning, 1_000)));
    }
    let scope: Vec<&Path> = checked.plan.scope.iter().map(Path::new).collect();
    let told =
        |entries: &[_]| scope.iter().map(|root| tree(root, entries, MOST_IN_FOLDER)).collect::<String>();
    if let Some(trees) = trees {
        text.push_str(&format!("\nAfter:\n{}", told(&trees.after)));
    }
    let operations = table(checked);
    let lines = operations.lines().count();
    text.push_str("\nOperations:\n");
    for line in operations.lines().take(MOST_OPERATIONS) {
        text.push_str(&format!("{}\n", escaped(line)));
    }
    if lines > MOST_OPERATIONS {
        text.push_str(&format!("... and {} more lines\n", lines - MOST_OPERATIONS));
    }
    if let Some(trees) = trees {
        text.push_str(&format!("\nBefore:\n{}", told(&trees.before)));
    }
    text
}

/// Counts the entries below some folders, up to `most`.
fn entries_below(folders: &[&Path], most: usize) -> usize {
    let mut waiting: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    let mut seen = 0;
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen >= most {
                return seen;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
    seen
}

/// Lists what undoing a job would do, one step per line.
pub(super) fn reversal_text(reversal: &Reversal) -> String {
    let mut text = String::new();
    for step in reversal.job.steps.iter().take(MOST_OPERATIONS) {
        text.push_str(&format!("{}\n", act_text(&step.act)));
    }
    for conflict in &reversal.conflicts {
        text.push_str(&format!(
            "left as it is: {}, {}\n",
            shown(conflict.path.as_os_str()),
            conflict.reason.phrase()
        ));
    }
    text
}

fn act_text(act: &Act) -> String {
    let path = |path: &Path| shown(path.as_os_str());
    match act {
        Act::CreateFolder(folder) => format!("create {}", path(&folder.path)),
        Act::RemoveFolder(folder) => format!("remove {} if it is empty", path(&folder.path)),
        Act::Move(paths) => format!("move {} -> {}", path(&paths.from), path(&paths.to)),
        Act::Copy(paths) => format!("copy {} -> {}", path(&paths.from), path(&paths.to)),
        Act::Trash(paths) => format!("trash {}", path(&paths.from)),
        Act::Restore(paths) => format!("restore {}", path(&paths.to)),
    }
}

/// Describes the problems of a plan, as far as that helps to fix it.
pub(super) fn check_error(error: &CheckError) -> Phrase {
    let CheckError::Problems(problems) = error else { return error.phrase() };
    say::cannot_be_done_as(series(problems.len(), problems.iter().map(|problem| problem.phrase())))
}

/// Lists the names in a plan that violate the convention, each with the correct name.
pub(super) fn misnamed(convention: &Convention, found: &[Misnamed]) -> Phrase {
    let problems = series(found.len(), found.iter().map(Misnamed::phrase));
    say::names_against(convention.pattern(), problems)
}

/// Joins the first problems and the number of the others.
fn series(count: usize, problems: impl Iterator<Item = Phrase>) -> Phrase {
    let clean = |phrase: Phrase| phrase.with_texts(|text| escaped(text).into_owned());
    let more = count.saturating_sub(MOST_PROBLEMS);
    let more = (more > 0).then(|| say::and_more(more));
    deputy_messages::series(problems.take(MOST_PROBLEMS).map(clean).chain(more))
}

/// Formats the progress of a scan.
pub(super) fn scanning(progress: &ScanProgress) -> String {
    match (progress.phase, progress.total) {
        (ScanPhase::Looking, _) => format!("looked at {} files\n", progress.done),
        (ScanPhase::Comparing, Some(total)) => format!("compared {} of {total} files\n", progress.done),
        (ScanPhase::Comparing, None) => format!("compared {} files\n", progress.done),
    }
}

/// Formats the result of a scan, and the draft made from it.
pub(super) fn scanned(
    scan: &Scan,
    proposal: &Proposal,
    draft: Option<&str>,
    output_chars: usize,
) -> ToolResult {
    let mut lines = Lines::new(output_chars);
    let mut kinds: BTreeMap<FileKind, u64> = BTreeMap::new();
    for file in &scan.files {
        *kinds.entry(file.kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, number)| format!("{number} {}", kind.folder().unwrap_or("Other").to_lowercase()))
        .collect();
    lines.push(&format!("kinds: {}", kinds.join(", ")));
    if let Some(draft) = draft {
        lines.push(&format!("draft: {draft}"));
        lines.push(&format!("draft does: {}", plan_summary(&proposal.plan)));
    } else {
        lines.push("draft: none, as there is nothing to do");
    }
    for folder in scan.folders.iter().filter(|folder| folder.is_project) {
        lines.push(&format!("project: {}", shown(folder.path.as_os_str())));
    }
    for twin in &scan.twins {
        let archive = scan.path(twin.archive);
        lines.push(&format!(
            "archive and its folder: {} = {}",
            shown(archive.as_os_str()),
            shown(twin.folder.as_os_str())
        ));
    }
    let paths = |ids: &[u32]| {
        let told: Vec<String> = ids.iter().map(|id| shown(scan.path(*id).as_os_str())).collect();
        told.join(" = ")
    };
    for group in &scan.duplicates {
        lines.push(&format!("copies: {}", paths(group)));
    }
    for group in &scan.near_names {
        lines.push(&format!("similar names: {}", paths(group)));
    }
    for (path, reason) in &proposal.left_alone {
        lines.push(&format!("left alone: {}, {reason}", shown(path.as_os_str())));
    }
    if proposal.more_left_alone > 0 {
        lines.push(&format!("left alone: {} more", proposal.more_left_alone));
    }
    for operation in &proposal.plan.operations {
        let to = match &operation.action {
            OrganizeAction::Move(action) => format!(" -> {}", escaped(&action.destination)),
            OrganizeAction::Rename(action) => format!(" => {}", escaped(&action.name)),
            _ => String::new(),
        };
        let kind = match &operation.action {
            OrganizeAction::CreateFolder(_) => "create",
            OrganizeAction::Move(_) => "move",
            OrganizeAction::Rename(_) => "rename",
            OrganizeAction::Copy(_) => "copy",
            OrganizeAction::Trash(_) => "trash",
        };
        lines.push(&format!("{} {kind} {}{to}", operation.id, escaped(operation.action.path())));
    }
    lines.finish(scan_summary(scan, proposal))
}

fn scan_summary(scan: &Scan, proposal: &Proposal) -> Phrase {
    let bytes: u64 = scan.files.iter().map(|file| file.size_bytes).sum();
    let surplus: usize = scan.duplicates.iter().map(|group| group.len() - 1).sum();
    let found = say::scanned(scan.files.len(), size(bytes), surplus);
    let drafted = say::drafted(proposal.plan.operations.len());
    let too_many = (proposal.too_many > 0).then(|| say::more_than_fit(proposal.too_many));
    let figures = [found, drafted].into_iter().chain(left_out(&scan.left_out)).chain(too_many);
    deputy_messages::series(figures)
}

/// Lists what a scan left out, by number and kind. Empty if it saw everything.
pub fn left_out(left: &LeftOut) -> Vec<Phrase> {
    let of = |count: usize, words: fn(usize) -> Phrase| (count > 0).then(|| words(count));
    let told = [
        of(left.hidden, say::hidden),
        of(left.closed, deputy_messages::search::closed),
        of(left.special, say::special),
        of(left.unnameable, say::unnamable),
        of(left.unreadable, say::unreadable),
    ];
    told.into_iter().flatten().collect()
}

/// Formats the suggestions, one per line.
pub(super) fn suggestions(found: &[Suggestion]) -> ToolResult {
    let lines: Vec<String> = found.iter().map(suggestion_line).collect();
    let summary = say::suggestions(found.len());
    let content = format!("{}\n{summary}", lines.join("\n"));
    ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) }
}

fn suggestion_line(suggestion: &Suggestion) -> String {
    format!(
        "{} ({}): {} -> {}; confidence {:.2}; {} of {} files follow it already",
        suggestion.pattern,
        suggestion.description,
        escaped(&suggestion.example.before),
        escaped(&suggestion.example.after),
        suggestion.confidence,
        suggestion.matches,
        suggestion.files,
    )
}

/// Formats the state of jobs.
pub(super) fn status(
    home: &OrganizeHome,
    job: Option<&str>,
    output_chars: usize,
) -> Result<ToolResult, OrganizeError> {
    let jobs = home.jobs()?;
    let wanted = match job {
        Some(id) => vec![jobs.plan(id)?.ok_or_else(|| deputy_organize::JobsError::Unknown(id.to_owned()))?],
        None => jobs.plans(MOST_JOBS)?,
    };
    let mut lines = Lines::new(output_chars);
    wanted.iter().for_each(|found| lines.push(&job_line(found)));
    Ok(lines.finish(say::jobs(wanted.len())))
}

/// Formats an executed plan in one line: the id of its job, its state, progress and folders.
pub fn job_line(plan: &PlanSummary) -> String {
    let last = plan.turns.last();
    let turn = match last {
        None => String::new(),
        Some(turn) if turn.is_redo => format!("its redo {} ", turn.job.id),
        Some(turn) => format!("its undo {} ", turn.job.id),
    };
    let state = match plan.state() {
        JobState::Running => format!("{turn}running"),
        JobState::Interrupted => format!("{turn}interrupted"),
        JobState::Done => match last.filter(|turn| turn.is_redo) {
            Some(redo) => format!("redone by {}", redo.job.id),
            None => "done".to_owned(),
        },
        JobState::Undone(by) => format!("undone by {by}"),
        JobState::PartlyUndone(by) => format!("partly undone by {by}"),
        JobState::Damaged => "its journal is damaged".to_owned(),
    };
    let (job, shows) = (&plan.job, plan.latest());
    let folders: Vec<String> = job.scope.iter().map(|folder| shown(folder.as_os_str())).collect();
    let left_out = match shows.skipped {
        0 => String::new(),
        number => format!(", {number} left out"),
    };
    format!(
        "{}  {state}  organized {}: {} of {} steps{left_out}",
        job.id,
        folders.join(", "),
        shows.done,
        shows.steps
    )
}

/// Returns whether every operation of a submitted plan was executed.
pub fn is_in_full(result: &ToolResult) -> bool {
    result.status == CallStatus::Ok && result.left_out == 0
}

/// Formats what a job did.
pub(super) fn executed(id: &str, history: &History, report: &Report, before: usize) -> ToolResult {
    let all = history.steps.len();
    let mut text = format!("job {id}: {} of {all} steps are done", report.done);
    if before > 0 {
        text.push_str(&format!(", {before} of them before Deputy was cut off"));
    }
    let skipped = history.job.steps.iter().zip(&history.steps).filter_map(|(step, state)| match state {
        StepState::Skipped(reason) => Some((step, reason)),
        _ => None,
    });
    for (step, reason) in skipped.take(MOST_PROBLEMS) {
        let path = shown(step.act.path().as_os_str());
        text.push_str(&format!("\nleft out: {}, {path}: {}", escaped(&step.operation), escaped(reason)));
    }
    let renamed = history.job.steps.iter().zip(&history.steps).filter_map(|(step, state)| match state {
        StepState::Done(trace) if !matches!(step.act, Act::Trash(_)) => {
            let to = trace.to(&step.act);
            (step.act.destination().is_some_and(|wanted| wanted != to)).then(|| (step.act.path(), to))
        }
        _ => None,
    });
    for (from, to) in renamed.take(MOST_PROBLEMS) {
        text.push_str(&format!(
            "\nanother name was needed: {} -> {}",
            shown(from.as_os_str()),
            shown(to.as_os_str())
        ));
    }
    let status = match &report.stopped {
        None => CallStatus::Ok,
        Some(Stop::Cancelled) => {
            text.push_str(&format!("\nIt was stopped; {} steps are left.", report.remaining));
            CallStatus::Cancelled
        }
        Some(Stop::Failed { operation, reason }) => {
            text.push_str(&format!(
                "\nIt stopped at {operation}: {}. {} steps are left. The user can try again, leave that one out or take \
                 all back: `deputy jobs resume {id}`, `deputy jobs resume {id} --skip`, `deputy undo {id}`.",
                escaped(reason),
                report.remaining
            ));
            CallStatus::Failed
        }
    };
    if status == CallStatus::Ok {
        text.push_str(&format!("\n`deputy undo {id}` undoes it."));
    }
    let left_out = report.skipped.len() as u64;
    let summary = match left_out {
        0 => say::job_done(report.done, id, all),
        number => say::job_done_left_out(report.done, id, number, all),
    };
    ToolResult { summary, left_out, ..ToolResult::new(status, text) }
}
