//! Edits that are asked about together: each with its number, its file and its diff, and which of them an answer leaves out.

use super::asked::Extent;
use super::diff::{counts, diff};
use super::screen::{Screen, Tone};
use super::text::printable;
use deputy_protocol::{AllowChoice, CallId, Lifetime, NotKept, PermissionRequest, RequestId, RequestedEdit};
use std::path::Path;

/// Shows each edit with its diff.
pub(super) fn show(screen: &Screen, edits: &[RequestedEdit], extent: Extent) {
    for (place, edit) in edits.iter().enumerate() {
        let head = format!("  {}. {}", place + 1, printable(&edit.summary));
        let counts = counts(screen, &edit.diff);
        screen.line(format!("{}  {counts}", screen.paint(Tone::Strong, &head)).trim_end());
        diff(screen, &edit.diff, extent);
    }
}

/// Why edits cannot be left out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DropError {
    #[error("Request {request} has no edit `{name}`.")]
    Unknown { request: RequestId, name: String },
    #[error("That leaves out every edit. To refuse them all, deny the request.")]
    All,
}

/// The calls of the edits that are named by their numbers or paths, in the request's order.
pub(crate) fn dropped(request: &PermissionRequest, named: &[String]) -> Result<Vec<CallId>, DropError> {
    let details = &request.details;
    let is_named = |(place, edit): (usize, &RequestedEdit), name: &str| match name.parse::<usize>() {
        Ok(number) => number == place + 1,
        Err(_) => Path::new(&details.cwd).join(name) == Path::new(&edit.path),
    };
    let all = || details.edits.iter().enumerate();
    if let Some(name) = named.iter().find(|name| !all().any(|edit| is_named(edit, name))) {
        return Err(DropError::Unknown { request: request.id.clone(), name: printable(name) });
    }
    let dropped: Vec<CallId> = all()
        .filter(|edit| named.iter().any(|name| is_named(*edit, name)))
        .map(|(_, edit)| edit.call.clone())
        .collect();
    if !dropped.is_empty() && dropped.len() == details.edits.len() {
        return Err(DropError::All);
    }
    Ok(dropped)
}

/// What was allowed, in words.
pub(crate) fn allowed(request: &PermissionRequest, choice: &AllowChoice) -> String {
    let (edits, dropped) = (&request.details.edits, &choice.dropped);
    if dropped.is_empty() {
        return format!("Allowed{}: {}", names_only(choice), printable(&request.summary));
    }
    let left_out = edits.iter().filter(|edit| dropped.contains(&edit.call));
    let left_out: Vec<String> = left_out.map(|edit| printable(&edit.path)).collect();
    let (kept, all) = (edits.len() - left_out.len(), edits.len());
    format!("Allowed {kept} of {all} edits. Left out: {}", left_out.join(", "))
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
