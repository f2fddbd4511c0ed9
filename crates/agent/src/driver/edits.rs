//! Edits that are asked about together: the next call of the plan edits a file and asks, and so do those right behind it.
//!
//! Each is judged as if it came next, which holds as long as each is of another file: one that touches what an earlier one
//! changes is judged after that has run. The answer is bound to all of them by one digest, and each call is still judged
//! again before it runs, against its own.

use super::Driver;
use super::rule::Judged;
use crate::machine::Stage;
use crate::redact;
use deputy_protocol::{CallId, Part, PermissionRequest, RequestedEdit, TaskEvent};
use std::path::Path;

/// The most edits on one card, and the most bytes of their diffs: what a person can read through.
const MOST_EDITS: usize = 20;
const MOST_DIFF_BYTES: usize = 200_000;
/// The most files named in a summary.
const NAMED: usize = 3;

/// An edit behind the one that asks.
pub(super) struct Behind {
    call: CallId,
    judged: Judged,
}

impl Judged {
    /// The file that it edits, where it can be asked about together with others.
    fn edited(&self) -> Option<&str> {
        deputy_policy::edited(&self.facts, &self.ruling.verdict)
    }

    fn diff(&self) -> &str {
        self.facts.diff.as_deref().unwrap_or_default()
    }

    /// Whether it runs where another one does, held by the same walls.
    fn runs_like(&self, other: &Self) -> bool {
        let walls = |judged: &Self| judged.ruling.verdict.confinement;
        self.situation.cwd == other.situation.cwd && walls(self) == walls(other)
    }
}

impl Driver {
    /// The edits right behind a call that can be asked about together with it, up to the first call that is none.
    pub(super) fn edits_behind(&self, id: &CallId, first: &Judged) -> Vec<Behind> {
        let mut behind: Vec<Behind> = Vec::new();
        let Some(path) = first.edited() else { return behind };
        let mut paths = vec![path.to_owned()];
        let mut diff_bytes = first.diff().len();
        for progress in self.machine.calls_behind(id).iter().take(MOST_EDITS - 1) {
            if !matches!(progress.stage, Stage::Planned | Stage::Decided(_)) {
                break;
            }
            let Ok(judged) = self.judge(&progress.call) else { break };
            let Some(path) = judged.edited() else { break };
            diff_bytes += judged.diff().len();
            let is_apart = paths.iter().all(|other| deputy_policy::are_apart(other, path));
            let fits = diff_bytes <= MOST_DIFF_BYTES && judged.runs_like(first);
            if !is_apart || !fits || self.fails_anyway(&progress.call, &judged).is_some() {
                break;
            }
            paths.push(path.to_owned());
            behind.push(Behind { call: progress.call.id.clone(), judged });
        }
        behind
    }

    /// The event that says how an edit behind the one that asks is decided, where the journal does not say that already.
    pub(super) fn news_of(&self, edit: &Behind) -> Option<TaskEvent> {
        let journalled = self.machine.call(&edit.call).and_then(|progress| progress.stage.ruled());
        edit.judged.news(&edit.call, journalled)
    }
}

/// The request of an edit, made one of all that are asked about together.
pub(super) fn together(one: PermissionRequest, first: &Judged, behind: &[Behind]) -> PermissionRequest {
    let all = || {
        let first = std::iter::once((&one.call, first));
        first.chain(behind.iter().map(|edit| (&edit.call, &edit.judged)))
    };
    let edits: Vec<RequestedEdit> = all().map(|(call, judged)| requested(call, judged)).collect();
    let parts: Vec<Part> = all().flat_map(|(_, judged)| judged.ruling.verdict.parts.clone()).collect();
    let mut reasons: Vec<String> = Vec::new();
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
        path: judged.edited().unwrap_or_default().to_owned(),
        diff: redact::difference(judged.diff()),
        risk: judged.ruling.verdict.risk,
        digest: judged.digest.clone(),
    }
}

fn summary(edits: &[RequestedEdit], cwd: &Path) -> String {
    let name = |edit: &RequestedEdit| {
        let path = Path::new(&edit.path);
        path.strip_prefix(cwd).unwrap_or(path).to_string_lossy().into_owned()
    };
    let count = edits.len();
    let named: Vec<String> = edits.iter().take(NAMED).map(name).collect();
    let named = named.join(", ");
    match count.saturating_sub(NAMED) {
        0 => format!("{count} edits: {named}"),
        more => format!("{count} edits: {named} and {more} more"),
    }
}
