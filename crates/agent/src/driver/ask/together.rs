//! Calls that are asked about together: if the next call must ask, the calls after it that ask as well are part of the
//! same request.
//!
//! Each call is judged as things stand, as if it were next. One digest binds the answer to all of them, and each is
//! judged again before it runs: against its own digest, and against what asked in it. What differs is asked about alone.

use crate::driver::judge::{Judge, Judged};
use crate::driver::notes::one_line;
use crate::machine::{Machine, Stage};
use deputy_messages::agent as say;
use deputy_protocol::{
    Access, CallId, Decision, Effect, GrantRule, PartKind, PermissionRequest, Phrase, RequestedStep,
    TaskEvent, ToolCall,
};
use std::path::{Path, PathBuf};

/// The maximum number of calls in one request, and the maximum size of their commands and diffs in bytes. More would be
/// too much to review.
const MOST_CALLS: usize = 20;
const MOST_BYTES: usize = 200_000;
/// The maximum number of calls named in a summary, and of characters of a command.
const NAMED: usize = 3;
const NAMED_CHARS: usize = 40;

/// A call after the one that asks, with the request that it would make alone.
pub(super) struct Joined {
    pub(super) request: PermissionRequest,
    pub(super) judged: Judged,
}

impl Joined {
    /// Returns the real paths that it touches.
    pub(super) fn touches(&self) -> &[PathBuf] {
        self.judged.touches()
    }

    /// Returns the event for its decision, unless the journal already has it.
    pub(super) fn news(&self, machine: &Machine) -> Option<TaskEvent> {
        let call = &self.request.call;
        let journalled = machine.call(call).and_then(|progress| progress.stage.ruled());
        self.judged.news(call, journalled)
    }
}

/// Whether nothing about a request needs a card of its own.
pub(super) fn is_plain(request: &PermissionRequest) -> bool {
    let details = &request.details;
    !details.background && details.time_limit_secs.is_none() && details.plan.is_none()
}

/// Whether a request can be part of another one: it reaches as far, and the yes for the folder covers both or neither.
pub(super) fn is_like(request: &PermissionRequest, first: &PermissionRequest) -> bool {
    let fits_folder = |request: &PermissionRequest| {
        request.offered.iter().any(|offer| matches!(offer.rule, Some(GrantRule::Folder(_))))
    };
    is_plain(request)
        && request.details.cwd == first.details.cwd
        && request.details.confinement == first.details.confinement
        && fits_folder(request) == fits_folder(first)
}

/// Returns the calls after a call that can be asked about together with it, up to the first one that cannot. Calls that
/// only read and ask nobody are passed over.
pub(super) async fn behind(
    machine: &Machine,
    judge: &Judge,
    id: &CallId,
    first: &Judged,
) -> Vec<(ToolCall, Judged)> {
    let mut behind = Vec::new();
    if !can_join(first) {
        return behind;
    }
    let mut changed = changed(first);
    let mut bytes = size(first);
    for progress in machine.calls_behind(id) {
        if !matches!(progress.stage, Stage::Planned | Stage::Decided(_)) || behind.len() + 1 == MOST_CALLS {
            break;
        }
        let Ok(judged) = judge.judge_with_programs(machine, &progress.call).await else { break };
        if judged.ruling.verdict.decision == Decision::Allow && judged.effect == Effect::ReadOnly {
            continue;
        }
        bytes += size(&judged);
        if !can_join(&judged) || bytes > MOST_BYTES || judge.fails_anyway(&progress.call, &judged).is_some() {
            break;
        }
        // What is shown of a change would not be true after another change of the same file.
        let changes = self::changed(&judged);
        let are_apart = |path: &String| changed.iter().all(|other| deputy_policy::are_apart(other, path));
        if !changes.iter().all(are_apart) {
            break;
        }
        changed.extend(changes);
        behind.push((progress.call.clone(), judged));
    }
    behind
}

fn can_join(judged: &Judged) -> bool {
    deputy_policy::can_join(&judged.situation, &judged.facts, &judged.ruling.verdict)
}

/// Returns the paths that a call of a file tool changes. A command is judged by its text.
fn changed(judged: &Judged) -> Vec<String> {
    if command(judged).is_some() {
        return Vec::new();
    }
    let parts = judged.ruling.verdict.parts.iter();
    parts.filter(|part| part.kind == PartKind::Write).map(|part| part.text.clone()).collect()
}

/// Returns the length in bytes of what a person has to read.
fn size(judged: &Judged) -> usize {
    judged.facts.diff.as_ref().map_or(0, String::len) + command(judged).map_or(0, str::len)
}

fn command(judged: &Judged) -> Option<&str> {
    judged.facts.accesses.iter().find_map(|access| match access {
        Access::Shell(shell) => Some(shell.command.as_str()),
        _ => None,
    })
}

/// Merges the request of a call with those of the calls that are asked about together with it.
pub(super) fn together(one: PermissionRequest, first: &Judged, joined: Vec<Joined>) -> PermissionRequest {
    let PermissionRequest { details, .. } = one.clone();
    let all = || {
        let joined = joined.iter().map(|Joined { request, judged }| (request, judged));
        std::iter::once((&one, first)).chain(joined)
    };
    let steps: Vec<RequestedStep> = all().map(|(request, judged)| step(request, judged)).collect();
    let mut reasons: Vec<Phrase> = Vec::new();
    for reason in all().flat_map(|(request, _)| &request.reasons) {
        if !reasons.contains(reason) {
            reasons.push(reason.clone());
        }
    }
    let offered = deputy_policy::offers_for_all(all().map(|(request, _)| request.offered.clone()));
    let risk = all().map(|(request, _)| request.risk).max().unwrap_or(one.risk);
    let lost = all().filter_map(|(request, _)| request.details.not_kept.clone());
    let not_kept = lost.max_by_key(|lost| lost.files);
    let digest = deputy_policy::digest_of_steps(&steps, &first.situation.cwd, details.confinement);
    let summary = summary(&steps, &first.situation.cwd);
    let (parts, diff, command) = (Vec::new(), None, None);
    let details = deputy_protocol::RequestDetails { parts, diff, command, steps, not_kept, ..details };
    PermissionRequest { summary, details, risk, reasons, digest, offered, ..one }
}

fn step(request: &PermissionRequest, judged: &Judged) -> RequestedStep {
    let details = &request.details;
    RequestedStep {
        call: request.call.clone(),
        summary: request.summary.clone(),
        command: details.command.clone(),
        path: deputy_policy::edited(&judged.facts, &judged.ruling.verdict).map(str::to_owned),
        diff: details.diff.clone(),
        parts: details.parts.clone(),
        risk: request.risk,
        digest: request.digest.clone(),
    }
}

fn summary(steps: &[RequestedStep], cwd: &Path) -> Phrase {
    let count = steps.len();
    let are_edits = steps.iter().all(|step| step.path.is_some());
    let named: Vec<String> = steps.iter().take(NAMED).map(|step| name(step, cwd)).collect();
    let named = named.join(", ");
    match (are_edits, count.saturating_sub(NAMED)) {
        (true, 0) => say::edits(count, named),
        (true, more) => say::edits_and_more(count, more, named),
        (false, 0) => say::steps(count, named),
        (false, more) => say::steps_and_more(count, more, named),
    }
}

fn name(step: &RequestedStep, cwd: &Path) -> String {
    match (&step.path, &step.command) {
        (Some(path), _) => {
            let path = Path::new(path);
            path.strip_prefix(cwd).unwrap_or(path).to_string_lossy().into_owned()
        }
        (None, Some(command)) => {
            let shown = one_line(command, NAMED_CHARS);
            let rest = if command.chars().count() > NAMED_CHARS { "…" } else { "" };
            format!("{}{rest}", shown.trim_end())
        }
        (None, None) => step.summary.to_string(),
    }
}
