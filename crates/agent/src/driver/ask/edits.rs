//! Edits that are approved together: if the next call edits a file and must ask, the edits directly after it are part
//! of the same request.
//!
//! Each edit is judged as if it were next. This is valid because each is of a different file; an edit of a file that an
//! earlier edit changes is judged after that has run. One digest binds the answer to all edits, and each call is judged
//! again before it runs, against its own digest.

use crate::driver::judge::{Judge, Judged};
use crate::machine::{Machine, Stage};
use crate::redact;
use deputy_messages::agent as say;
use deputy_protocol::{CallId, Part, PermissionRequest, Phrase, RequestedEdit, TaskEvent};
use std::path::{Path, PathBuf};

/// The maximum number of edits in one request, and the maximum size of their diffs in bytes. More would be too much to
/// review.
const MOST_EDITS: usize = 20;
const MOST_DIFF_BYTES: usize = 200_000;
/// The maximum number of files named in a summary.
const NAMED: usize = 3;

/// An edit after the one that asks.
pub(super) struct Behind {
    call: CallId,
    judged: Judged,
}

impl Behind {
    /// Returns the real paths that it touches.
    pub(super) fn touches(&self) -> &[PathBuf] {
        self.judged.touches()
    }

    /// Returns the event for its decision, unless the journal already has it.
    pub(super) fn news(&self, machine: &Machine) -> Option<TaskEvent> {
        let journalled = machine.call(&self.call).and_then(|progress| progress.stage.ruled());
        self.judged.news(&self.call, journalled)
    }
}

/// Returns the file that a call edits, if it can be approved together with others.
fn edited(judged: &Judged) -> Option<&str> {
    deputy_policy::edited(&judged.situation, &judged.facts, &judged.ruling.verdict)
}

fn diff(judged: &Judged) -> &str {
    judged.facts.diff.as_deref().unwrap_or_default()
}

/// Returns whether two calls run in the same folder with the same confinement.
fn runs_like(one: &Judged, other: &Judged) -> bool {
    let walls = |judged: &Judged| judged.ruling.verdict.confinement;
    one.situation.cwd == other.situation.cwd && walls(one) == walls(other)
}

/// Returns the edits directly after a call that can be approved together with it, up to the first call that cannot.
pub(super) fn behind(machine: &Machine, judge: &Judge, id: &CallId, first: &Judged) -> Vec<Behind> {
    let mut behind: Vec<Behind> = Vec::new();
    let Some(path) = edited(first) else { return behind };
    let mut paths = vec![path.to_owned()];
    let mut diff_bytes = diff(first).len();
    for progress in machine.calls_behind(id).iter().take(MOST_EDITS - 1) {
        if !matches!(progress.stage, Stage::Planned | Stage::Decided(_)) {
            break;
        }
        let Ok(judged) = judge.judge(machine, &progress.call) else { break };
        let Some(path) = edited(&judged) else { break };
        diff_bytes += diff(&judged).len();
        let is_apart = paths.iter().all(|other| deputy_policy::are_apart(other, path));
        let fits = diff_bytes <= MOST_DIFF_BYTES && runs_like(&judged, first);
        if !is_apart || !fits || judge.fails_anyway(&progress.call, &judged).is_some() {
            break;
        }
        paths.push(path.to_owned());
        behind.push(Behind { call: progress.call.id.clone(), judged });
    }
    behind
}

/// Merges the request of an edit with the edits that are approved together with it.
pub(super) fn together(one: PermissionRequest, first: &Judged, behind: &[Behind]) -> PermissionRequest {
    let all = || {
        let first = std::iter::once((&one.call, first));
        first.chain(behind.iter().map(|edit| (&edit.call, &edit.judged)))
    };
    let edits: Vec<RequestedEdit> = all().map(|(call, judged)| requested(call, judged)).collect();
    let parts: Vec<Part> = all().flat_map(|(_, judged)| judged.ruling.verdict.parts.clone()).collect();
    let mut reasons: Vec<Phrase> = Vec::new();
    for reason in all().flat_map(|(_, judged)| &judged.ruling.verdict.reasons) {
        if !reasons.contains(reason) {
            reasons.push(reason.clone());
        }
    }
    let offers = |judged: &Judged| {
        deputy_policy::offers(&judged.situation, &judged.facts, &judged.ruling.verdict, &judged.digest)
    };
    let offered = deputy_policy::offers_for_all(all().map(|(_, judged)| offers(judged)));
    let risk = edits.iter().map(|edit| edit.risk).max().unwrap_or(one.risk);
    let cwd = &first.situation.cwd;
    let digest = deputy_policy::digest_of_edits(&edits, cwd, one.details.confinement);
    let summary = summary(&edits, cwd);
    let mut details = one.details;
    (details.parts, details.diff, details.edits) = (parts, None, edits);
    PermissionRequest { summary, details, risk, reasons, digest, offered, ..one }
}

fn requested(call: &CallId, judged: &Judged) -> RequestedEdit {
    RequestedEdit {
        call: call.clone(),
        summary: judged.facts.summary.clone(),
        path: edited(judged).unwrap_or_default().to_owned(),
        diff: redact::difference(diff(judged)),
        risk: judged.ruling.verdict.risk,
        digest: judged.digest.clone(),
    }
}

fn summary(edits: &[RequestedEdit], cwd: &Path) -> Phrase {
    let name = |edit: &RequestedEdit| {
        let path = Path::new(&edit.path);
        path.strip_prefix(cwd).unwrap_or(path).to_string_lossy().into_owned()
    };
    let count = edits.len();
    let named: Vec<String> = edits.iter().take(NAMED).map(name).collect();
    let named = named.join(", ");
    match count.saturating_sub(NAMED) {
        0 => say::edits(count, named),
        more => say::edits_and_more(count, more, named),
    }
}
