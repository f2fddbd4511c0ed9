//! What the result of a command says besides its output: the part of a pipeline that failed, what was left running, what
//! the sandbox refused, and which paths exist but were not visible. Programs seldom report that the sandbox was the
//! cause.

use crate::pipeline::FailedPart;
use crate::text::one_line;
use crate::tool::CallContext;
use deputy_policy::Execution;
use deputy_policy::path::{Bounds, temporary};
use deputy_protocol::Confinement;
use deputy_sandbox::{Attempt, Ended, Outcome, Refused};
use rustix::io::Errno;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The maximum number of things of a kind that are named.
const MOST: usize = 5;
/// The maximum number of words that are checked.
const MOST_WORDS: usize = 500;

/// Returns the lines before the output. Each ends in a line end.
pub(crate) fn before_output(outcome: &Outcome, failed: Option<FailedPart>) -> String {
    let mut lines = String::new();
    if let Some(FailedPart { part, of, exit_code }) = failed {
        let _ = writeln!(
            lines,
            "Part {part} of {of} of the last pipeline failed with exit code {exit_code}, so the output may be wrong."
        );
    }
    lines + &left_running(outcome)
}

/// Returns a note about the processes that the command left running, which were ended with it. Without it, a command
/// that exits well and leaves a server behind would look as if the server were running.
fn left_running(outcome: &Outcome) -> String {
    let left = &outcome.left_running;
    if left.count == 0 {
        return String::new();
    }
    let mut names: Vec<String> = left.names.iter().map(|name| one_line(name, 40)).collect();
    names.extend(
        left.count.checked_sub(names.len()).filter(|more| *more > 0).map(|more| format!("{more} more")),
    );
    format!(
        "What it left running in the background ended with it: {}. Start what is to keep running with \
         background_start.\n",
        names.join(", ")
    )
}

/// Returns the lines after the output. Each begins with a line end.
pub(crate) fn after_output(outcome: &Outcome, cx: &CallContext) -> String {
    let workspace = &cx.place.workspace;
    let mut lines = refused(outcome, workspace);
    let output = outcome.stdout.text();
    let (mut errors, others): (Vec<&str>, Vec<&str>) = output.lines().partition(|line| is_refusal(line));
    // A command that ends well may list any paths. Only its error messages are about those that it could not read.
    if outcome.ended != Ended::Exited(0) {
        errors.extend(others);
    }
    let errors = errors.join("\n");
    let mentioned: Vec<&str> = words(&errors).collect();
    lines.extend(protected(&mentioned, outcome, cx).iter().map(|path| {
        format!(
            "Protected: {path} is closed by Deputy's sandbox. It may hold credentials, so neither commands nor you can \
             read it."
        )
    }));
    let scope = &cx.situation.scope;
    if scope.read_only || !scope.write.is_empty() {
        let is_closed = errors.lines().any(|line| quotes(line, &[Errno::ROFS]));
        lines.extend(is_closed.then(|| {
            "Protected: this task may change only what its scope names. Commands can change what exists of that, but \
             neither remove nor replace a file; write_file creates what does not exist."
                .to_owned()
        }));
    } else {
        lines.extend(read_only(&errors, cx).iter().map(|path| {
            format!(
                "Protected: {path} is read-only for this command in Deputy's sandbox. Name the path as an argument, so \
                 that a person can allow it, or ask the user."
            )
        }));
    }
    let text = match &cx.execution {
        Some(Execution::Bash(text)) if outcome.ended != Ended::Exited(0) => text.as_str(),
        _ => "",
    };
    lines.extend(out_of_sight(mentioned.into_iter().chain(words(text)), cx).iter().map(|path| {
        format!(
            "{path} exists, but this command could not see it, because Deputy's sandbox did not open it. \
             Name it as an argument, so that a person can allow it."
        )
    }));
    lines.extend(offline(outcome, &output, cx));
    lines.into_iter().map(|line| format!("\n{line}")).collect()
}

/// Lists what the sandbox refused. If the command ended well, only what may have changed its result is named: what it
/// did not read or start, and what it did not change in the workspace. Many programs try to update their own caches and
/// work as well without.
fn refused(outcome: &Outcome, workspace: &Path) -> Vec<String> {
    let ended_well = outcome.ended == Ended::Exited(0);
    let matters = |refused: &&Refused| {
        !ended_well || refused.operation != Attempt::Write || refused.path.starts_with(workspace)
    };
    let all: Vec<&Refused> = outcome.refused.iter().filter(matters).collect();
    let more = all.len().saturating_sub(MOST);
    let named = |refused: &Refused| one_line(&shown(&refused.path, workspace), 240);
    let first = || all.iter().take(MOST);
    if all.is_empty() {
        return Vec::new();
    }
    if ended_well {
        let refusal =
            |refused: &&Refused| format!("{} {}: {}", deed(refused.operation).0, named(refused), refused.why);
        let mut deeds: Vec<String> = first().map(refusal).collect();
        deeds.extend((more > 0).then(|| format!("{more} more")));
        return vec![format!(
            "(Protected, closed by Deputy's sandbox, though the exit code is 0: {}.)",
            deeds.join("; ")
        )];
    }
    let line = |refused: &&Refused| {
        format!(
            "Protected: {} was not {}, because Deputy's sandbox closed it ({}).",
            named(refused),
            deed(refused.operation).1,
            refused.why
        )
    };
    let mut lines: Vec<String> = first().map(line).collect();
    lines.extend((more > 0).then(|| format!("Protected: {more} more.")));
    lines.push("If the step needs it, ask the user: other commands do not get it either.".to_owned());
    lines
}

fn deed(operation: Attempt) -> (&'static str, &'static str) {
    match operation {
        Attempt::Execute => ("start", "started"),
        Attempt::Read => ("read", "read"),
        Attempt::Write => ("change", "changed"),
    }
}

fn shown(path: &Path, workspace: &Path) -> String {
    path.strip_prefix(workspace).unwrap_or(path).display().to_string()
}

/// Splits a text at everything that does not belong to ordinary paths.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let between = |c: char| c.is_whitespace() || "'\"`‘’“”()[]{}<>|;,=:&".contains(c);
    text.split(between).filter(|word| !word.is_empty()).take(MOST_WORDS)
}

/// Returns the secrets that an error message mentions, except for those that the sandbox reported.
fn protected(mentioned: &[&str], outcome: &Outcome, cx: &CallContext) -> Vec<String> {
    let is_reported = |path: &&PathBuf| outcome.refused.iter().any(|refused| refused.path == **path);
    let names: HashSet<&OsStr> = mentioned.iter().filter_map(|word| Path::new(word).file_name()).collect();
    let is_mentioned = |path: &&PathBuf| path.file_name().is_some_and(|name| names.contains(name));
    let found = cx.hidden.iter().filter(is_mentioned).filter(|path| !is_reported(path)).take(MOST);
    found.map(|path| one_line(&shown(path, &cx.place.workspace), 240)).collect()
}

/// Returns the paths that an error message names where it quotes the kernel's message about a read-only file system,
/// and that exist, or could, outside of what the command may change.
fn read_only(errors: &str, cx: &CallContext) -> Vec<String> {
    if cx.confinement == Confinement::Open {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    for line in errors.lines().filter(|line| quotes(line, &[Errno::ROFS])) {
        for word in words(line).filter(|word| word.starts_with('/')) {
            let path = Path::new(word);
            let could_be = path.parent().is_some_and(Path::is_dir) && path.parent() != Some(Path::new("/"));
            let shown = one_line(word, 240);
            if could_be && !may_change(path, cx) && !found.contains(&shown) && found.len() < MOST {
                found.push(shown);
            }
        }
    }
    found
}

/// Returns whether a line quotes the system's message about a file that could not be opened.
fn is_refusal(line: &str) -> bool {
    quotes(line, &[Errno::NOENT, Errno::ACCESS, Errno::ROFS])
}

/// Returns whether a line quotes the system's message for one of these errors, as programs print it but for capitals.
fn quotes(line: &str, errors: &[Errno]) -> bool {
    let line = line.to_lowercase();
    let quotes = |error: &Errno| {
        let message = error.to_string().to_lowercase();
        // Rust adds the number.
        line.contains(message.split(" (").next().unwrap_or(&message))
    };
    errors.iter().any(quotes)
}

fn may_change(path: &Path, cx: &CallContext) -> bool {
    let opened = cx.writable.iter().chain(&cx.caches).chain([&cx.place.workspace]);
    cx.confinement >= Confinement::Workspace && opened.into_iter().any(|folder| path.starts_with(folder))
}

/// Returns a note that an approved command had no network access, if it failed with any output. The sandbox cannot know
/// whether that is the cause.
fn offline(outcome: &Outcome, output: &str, cx: &CallContext) -> Option<String> {
    let had_none = matches!(cx.confinement, Confinement::ReadOnly | Confinement::Workspace);
    let was_approved = cx.programs.is_none();
    let failed = matches!(outcome.ended, Ended::Exited(1..));
    (had_none && was_approved && failed && !output.trim().is_empty())
        .then(|| "(Deputy ran it without network access.)".to_owned())
}

/// Returns the paths among the words that exist although the command could not see them. Secrets are never among them.
fn out_of_sight<'a>(words: impl Iterator<Item = &'a str>, cx: &CallContext) -> Vec<String> {
    if cx.confinement == Confinement::Open {
        return Vec::new();
    }
    let bounds = Bounds::of(&cx.situation);
    let mut found: Vec<String> = Vec::new();
    for word in words.filter(|word| word.starts_with('/') || word.starts_with("~/")) {
        let path = match word.strip_prefix("~/") {
            Some(below) => cx.place.home.join(below),
            None => PathBuf::from(word),
        };
        let shown = one_line(word, 240);
        if is_in_sight(&path, cx) || found.contains(&shown) {
            continue;
        }
        let Ok(real) = path.canonicalize() else { continue };
        if !is_in_sight(&real, cx) && !bounds.is_secret(&real) {
            found.push(shown);
        }
        if found.len() == MOST {
            break;
        }
    }
    found
}

fn is_in_sight(path: &Path, cx: &CallContext) -> bool {
    let opened = [&cx.readable, &cx.writable, &cx.caches].into_iter().flatten().chain([&cx.place.workspace]);
    opened.into_iter().any(|folder| path.starts_with(folder))
        || deputy_sandbox::is_of_machine(path)
        || path.parent().is_none()
        || cx.place.temporary.as_ref().is_some_and(|folder| temporary(folder, path).is_some())
}
