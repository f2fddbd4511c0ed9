//! What a task did by Deputy's own record: the report at its end.

use super::screen::{Screen, Tone};
use super::text::{number, place_in, printable};
use deputy_protocol::{
    BuiltFolder, ChangedFile, FileDeed, FileDifference, LastingChanges, Report, TaskDifference,
};

/// Files, calls and answers that are listed; the rest is counted.
const LISTED: usize = 12;
/// How many folders with build output are named.
const FOLDERS: usize = 3;

/// What a task did, in a few lines.
pub(super) fn report(screen: &Screen, workspace: &str, report: &Report) {
    if report.is_empty() {
        return;
    }
    screen.line("");
    screen.line(&screen.paint(Tone::Quiet, "  From Deputy's record:"));
    let files = report.changed.len() + report.more_files as usize;
    let changed: Vec<String> =
        report.changed.iter().map(|file| changed_file(screen, workspace, file)).collect();
    list(screen, &format!("Changed files: {files}"), &changed, report.more_files as usize, false);
    let lines = [moved(report.moved), built(workspace, &report.built), created(&report.branches)];
    let lines =
        lines.into_iter().flatten().chain(report.lasting.iter().flat_map(|lasts| lasting(workspace, lasts)));
    lines.for_each(|line| screen.line(&format!("    {line}")));
    let commits = report.commits.len() + report.more_commits as usize;
    let named: Vec<String> =
        report.commits.iter().map(|commit| printable(&format!("{} {}", commit.id, commit.subject))).collect();
    list(screen, &format!("New commits: {commits}"), &named, report.more_commits as usize, false);
    let calls = report.calls.len() + report.earlier_calls as usize;
    list(
        screen,
        &format!("Calls that changed something: {calls}"),
        &report.calls.iter().map(|call| printable(call)).collect::<Vec<_>>(),
        report.earlier_calls as usize,
        true,
    );
    let answers: Vec<String> = report.answers.iter().map(|answer| printable(answer)).collect();
    list(screen, "You said", &answers, 0, false);
}

/// Everything that a task changed, each file with its difference.
pub(crate) fn show_difference(screen: &Screen, workspace: &str, difference: &TaskDifference) {
    let TaskDifference { files, more_files, built: made, commits, branches, lasting: lasts } = difference;
    for FileDifference { file, diff } in files {
        screen.line(&changed_file(screen, workspace, file));
        if let Some(diff) = diff {
            super::diff::diff(screen, diff, super::asked::Extent::Whole);
        }
    }
    if *more_files > 0 {
        screen.line(&format!("and {} more files", number((*more_files).into())));
    }
    let lines = [built(workspace, made), created(branches)];
    let lines = lines.into_iter().flatten().chain(lasts.iter().flat_map(|lasts| lasting(workspace, lasts)));
    lines.for_each(|line| screen.line(&line));
    for commit in commits {
        screen.line(&printable(&format!("commit {} {}", commit.id, commit.subject)));
    }
    if *difference == TaskDifference::default() {
        screen.line("This task changed nothing, or everything was undone.");
    }
}

/// A changed file in a line: what was done to it, its path, and how many lines were added and removed.
pub(crate) fn changed_file(screen: &Screen, workspace: &str, file: &ChangedFile) -> String {
    let (sign, tone) = match file.deed {
        FileDeed::Created => ("+", Tone::Good),
        FileDeed::Changed => ("~", Tone::Warn),
        FileDeed::Removed => ("-", Tone::Bad),
        FileDeed::Moved => (">", Tone::Quiet),
    };
    let from =
        file.moved_from.as_ref().map(|from| format!("{} → ", place_in(workspace, from))).unwrap_or_default();
    let lines = file.lines.map(|lines| match (lines.added, lines.removed) {
        (0, 0) => String::new(),
        (added, 0) => screen.paint(Tone::Good, &format!("  +{added}")),
        (0, removed) => screen.paint(Tone::Bad, &format!("  -{removed}")),
        (added, removed) => {
            let added = screen.paint(Tone::Good, &format!("  +{added}"));
            format!("{added} {}", screen.paint(Tone::Bad, &format!("-{removed}")))
        }
    });
    format!(
        "{} {from}{}{}",
        screen.paint(tone, sign),
        place_in(workspace, &file.path),
        lines.unwrap_or_default()
    )
}

fn moved(moved: u32) -> Option<String> {
    match moved {
        0 => None,
        1 => Some("1 file moved".to_owned()),
        moved => Some(format!("{} files moved", number(moved.into()))),
    }
}

/// Build output and caches, in one line.
fn built(workspace: &str, built: &[BuiltFolder]) -> Option<String> {
    let named = built
        .iter()
        .take(FOLDERS)
        .map(|built| format!("{} in {}/", number(built.files.into()), place_in(workspace, &built.folder)));
    let mut named: Vec<String> = named.collect();
    if built.len() > FOLDERS {
        let more = built[FOLDERS..].iter().map(|built| u64::from(built.files)).sum();
        named.push(format!("{} in {} more folders", number(more), built.len() - FOLDERS));
    }
    (!named.is_empty()).then(|| format!("Build output and caches: {}", named.join(", ")))
}

fn created(branches: &[String]) -> Option<String> {
    let named: Vec<String> = branches.iter().map(|branch| printable(branch)).collect();
    (!named.is_empty()).then(|| format!("New branches: {}", named.join(", ")))
}

/// What may matter after the task, a line for each kind.
fn lasting(workspace: &str, lasting: &LastingChanges) -> Vec<String> {
    let named = |title: &str, names: Vec<String>| {
        (!names.is_empty()).then(|| format!("{title}: {}", names.join(", ")))
    };
    let references = lasting.references.iter().map(|name| printable(short_reference(name))).collect();
    let run_later = lasting.run_later.iter().map(|path| place_in(workspace, path)).collect();
    let links = lasting.links_out.iter();
    let links = links
        .map(|link| format!("{} → {}", place_in(workspace, &link.path), printable(&link.target)))
        .collect();
    [
        named("Branches and tags moved, removed or new", references),
        named("May run later, when you build, test or commit", run_later),
        named("Links that lead out of the folder", links),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The name of a reference as git shows it.
fn short_reference(name: &str) -> &str {
    let prefixes = ["refs/heads/", "refs/tags/", "refs/remotes/", "refs/"];
    prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

/// A list with its first items, or its newest, and how many more there are.
fn list(screen: &Screen, title: &str, items: &[String], more: usize, is_newest: bool) {
    if items.is_empty() {
        return;
    }
    screen.line(&format!("    {title}"));
    let left_out = items.len().saturating_sub(LISTED);
    let shown = if is_newest { &items[left_out..] } else { &items[..items.len() - left_out] };
    for item in shown {
        screen.line(&format!("      {item}"));
    }
    let hidden = left_out + more;
    if hidden > 0 {
        let words = if is_newest { "earlier" } else { "more" };
        screen.line(&screen.paint(Tone::Quiet, &format!("      and {hidden} {words}")));
    }
}
