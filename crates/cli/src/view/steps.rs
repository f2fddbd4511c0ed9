//! Calls that are asked about together: each with its number, its command or its diff, and which of them an answer leaves
//! out.

use super::asked::{Extent, command};
use super::asking::{self, Asked};
use super::diff::{self, counts, diff};
use super::screen::{Screen, Tone};
use super::text::{MOST_LINES, printable};
use deputy_protocol::{
    AllowChoice, CallId, Lifetime, NotKept, PermissionRequest, RequestDetails, RequestId, RequestedStep,
};
use std::path::Path;

/// The reasons that are listed for a command, unless all of it is shown.
const MOST_REASONS: usize = 1;

/// Shows each call, with what asks in a command.
pub(super) fn show(screen: &Screen, details: &RequestDetails, extent: Extent) {
    for (place, step) in details.steps.iter().enumerate() {
        let number = format!("  {}. ", place + 1);
        let changes = step.diff.as_deref().unwrap_or_default();
        match &step.command {
            Some(text) => {
                command(screen, &format!("{number}$ "), text, extent);
                asking::show(screen, Asked::step(step, &details.cwd), most_reasons(extent));
            }
            None => {
                let head = screen.paint(Tone::Strong, &format!("{number}{}", printable(&step.summary)));
                screen.line(format!("{head}  {}", counts(screen, changes)).trim_end());
            }
        }
        diff(screen, changes, extent);
    }
}

/// Whether `show` leaves out something of a call.
pub(super) fn is_cut(step: &RequestedStep, cwd: &str) -> bool {
    let is_long = |lines: usize| lines > MOST_LINES;
    is_long(diff::lines(step.diff.as_deref().unwrap_or_default()))
        || step.command.as_ref().is_some_and(|text| {
            is_long(text.lines().count()) || asking::is_cut(Asked::step(step, cwd), MOST_REASONS)
        })
}

fn most_reasons(extent: Extent) -> usize {
    if extent == Extent::Whole { usize::MAX } else { MOST_REASONS }
}

/// Why calls cannot be left out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DropError {
    #[error("Request {request} has no step `{name}`.")]
    Unknown { request: RequestId, name: String },
    #[error("That leaves out everything. To refuse it all, deny the request.")]
    All,
}

/// The calls that are named by their numbers or by the paths of their files, in the request's order.
pub(crate) fn dropped(request: &PermissionRequest, named: &[String]) -> Result<Vec<CallId>, DropError> {
    let details = &request.details;
    let is_named = |(place, step): (usize, &RequestedStep), name: &str| match name.parse::<usize>() {
        Ok(number) => number == place + 1,
        Err(_) => {
            step.path.as_ref().is_some_and(|path| Path::new(&details.cwd).join(name) == Path::new(path))
        }
    };
    let all = || details.steps.iter().enumerate();
    if let Some(name) = named.iter().find(|name| !all().any(|step| is_named(step, name))) {
        return Err(DropError::Unknown { request: request.id.clone(), name: printable(name) });
    }
    let dropped: Vec<CallId> = all()
        .filter(|step| named.iter().any(|name| is_named(*step, name)))
        .map(|(_, step)| step.call.clone())
        .collect();
    if !dropped.is_empty() && dropped.len() == details.steps.len() {
        return Err(DropError::All);
    }
    Ok(dropped)
}

/// What was allowed, in words.
pub(crate) fn allowed(request: &PermissionRequest, choice: &AllowChoice) -> String {
    let (steps, dropped) = (&request.details.steps, &choice.dropped);
    if dropped.is_empty() {
        return format!("Allowed{}: {}", names_only(choice), printable(&request.summary));
    }
    let (left_out, kept): (Vec<_>, Vec<_>) = steps.iter().partition(|step| dropped.contains(&step.call));
    let left_out: Vec<String> = left_out.iter().map(|step| printable(&step.summary)).collect();
    format!("Allowed {} of {}. Left out: {}", kept.len(), steps.len(), left_out.join("; "))
}

/// What is added to *allowed* if no values are shown.
pub(crate) fn names_only(choice: &AllowChoice) -> &'static str {
    if matches!(choice.lifetime, Lifetime::Names(_)) { ", names only" } else { "" }
}

/// What the command could change and undo could not bring back: in a line with one example, or with all of them.
pub(super) fn not_kept(screen: &Screen, not_kept: &NotKept, has_all: bool) {
    let count = match (not_kept.files, not_kept.and_more) {
        (files, true) => format!("at least {files}"),
        (files, false) => files.to_string(),
    };
    let head = format!("    ! Undo can't restore {count} of the files that this can change");
    let examples = not_kept.examples.iter().map(|example| printable(example));
    match not_kept.examples.first() {
        Some(first) if !has_all => {
            screen.prose(&screen.paint(Tone::Warn, &format!("{head}, such as {}", printable(first))));
        }
        _ => {
            screen.line(&screen.paint(Tone::Warn, &format!("{head}:")));
            examples.for_each(|example| screen.line(&format!("      · {example}")));
        }
    }
}
