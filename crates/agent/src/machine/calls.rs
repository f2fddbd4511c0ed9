//! The calls of one plan, and the stage of each.

use super::action::Action;
use deputy_messages::agent as say;
use deputy_protocol::{
    CallDecided, CallId, CallStatus, Choice, Confinement, Decision, Digest, Effect, FileChange, Lifetime,
    Limits, Part, PartKind, Phrase, RequestId, Reviewed, Risk, ToolCall, ToolResult, Verdict, Waiting,
};

/// The decision about a call, and what must still match when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruled {
    /// The decision.
    pub decision: Decision,
    /// The risk of the call.
    pub risk: Risk,
    /// The confinement in which it runs.
    pub confinement: Confinement,
    /// The effect of the call, including what running it twice would mean.
    pub effect: Effect,
    /// The digest that the decision binds to.
    pub digest: Digest,
    /// The reason, for the planner.
    pub reason: Phrase,
    /// A description of the call, for people.
    pub summary: Phrase,
    /// The call's only command as it was shown, with its lookups filled in.
    pub shown: Option<String>,
    /// What asks in the call: each command, path and host that is not allowed anyway.
    pub asks: Vec<(PartKind, String)>,
    /// Whether a person allowed the call to see no more of secrets than the names of their settings.
    pub names_only: bool,
}

impl From<&CallDecided> for Ruled {
    fn from(decided: &CallDecided) -> Self {
        Self {
            decision: decided.verdict.decision,
            risk: decided.verdict.risk,
            confinement: decided.verdict.confinement,
            effect: decided.effect,
            digest: decided.digest.clone(),
            reason: reason(&decided.verdict),
            summary: decided.summary.clone(),
            shown: only_command(&decided.verdict),
            asks: asks(&decided.verdict),
            names_only: false,
        }
    }
}

/// Returns the parts of a verdict that ask.
pub(crate) fn asks(verdict: &Verdict) -> Vec<(PartKind, String)> {
    let asking = verdict.parts.iter().filter(|part| part.decision != Decision::Allow);
    asking.map(|part| (part.kind, part.text.clone())).collect()
}

/// Returns the text of a verdict's command, if it has exactly one.
fn only_command(verdict: &Verdict) -> Option<String> {
    let mut commands = verdict.parts.iter().filter(|part| part.kind == PartKind::Command);
    let only = commands.next()?;
    commands.next().is_none().then(|| only.text.clone())
}

/// The stage of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Not examined yet.
    Planned,
    /// The policy has decided.
    Decided(Ruled),
    /// Waits for a person.
    Parked(Ruled, RequestId),
    /// Approved by a person; judged again before it runs.
    Approved(Ruled),
    /// Denied by a person, or left out of an approval.
    Refused {
        /// The reason, for the planner.
        reason: Phrase,
        /// Whether it counts as a denial: once for all calls that one answer denies, and not for calls that an approval
        /// left out.
        counts: bool,
    },
    /// Running.
    Started(Ruled),
    /// Was running when the process died.
    CutOff(Ruled),
    /// Ended.
    Finished(ToolResult),
}

impl Stage {
    /// Returns the decision, if one was made and the call has not ended.
    pub fn ruled(&self) -> Option<&Ruled> {
        match self {
            Self::Decided(ruled)
            | Self::Parked(ruled, _)
            | Self::Approved(ruled)
            | Self::Started(ruled)
            | Self::CutOff(ruled) => Some(ruled),
            Self::Planned | Self::Refused { .. } | Self::Finished(_) => None,
        }
    }

    /// Returns the digest that the decision binds to.
    pub fn digest(&self) -> Option<&Digest> {
        self.ruled().map(|ruled| &ruled.digest)
    }
}

/// A call and its stage.
#[derive(Clone, Debug, PartialEq)]
pub struct CallProgress {
    /// The call.
    pub call: ToolCall,
    /// The stage of the call.
    pub stage: Stage,
    /// The files that it has saved so far, for settling it after a crash.
    pub kept: Vec<FileChange>,
    /// The manifest of the files before its command ran.
    pub tree: Option<Digest>,
    /// The review by a second model.
    pub review: Option<Reviewed>,
}

/// The calls of one plan, in the order of the plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    list: Vec<CallProgress>,
    /// Whether the user gave an instruction since the plan, so that calls that have not begun do not run.
    overtaken: bool,
}

impl Calls {
    /// Creates the calls of a new plan.
    pub(super) fn new(calls: &[ToolCall]) -> Self {
        let list = calls
            .iter()
            .map(|call| CallProgress {
                call: call.clone(),
                stage: Stage::Planned,
                kept: Vec::new(),
                tree: None,
                review: None,
            })
            .collect();
        Self { list, overtaken: false }
    }

    /// Ends the plan with what has begun, because the user gave an instruction.
    pub(super) fn overtake(&mut self) {
        self.overtaken = !self.are_finished();
    }

    /// Returns whether what has not begun does not run any more.
    pub(super) fn are_overtaken(&self) -> bool {
        self.overtaken
    }

    /// Returns a call.
    pub(super) fn get(&self, id: &CallId) -> Option<&CallProgress> {
        self.list.iter().find(|c| c.call.id == *id)
    }

    /// Returns a call, to change its stage.
    pub(super) fn get_mut(&mut self, id: &CallId) -> Option<&mut CallProgress> {
        self.list.iter_mut().find(|c| c.call.id == *id)
    }

    /// Returns all calls in the order of the plan.
    pub(super) fn iter(&self) -> impl Iterator<Item = &CallProgress> {
        self.list.iter()
    }

    /// Returns whether all calls have ended.
    pub(super) fn are_finished(&self) -> bool {
        self.list.iter().all(|c| matches!(c.stage, Stage::Finished(_)))
    }

    /// Returns whether a call is running.
    pub(super) fn are_running(&self) -> bool {
        self.list.iter().any(|c| matches!(c.stage, Stage::Started(_)))
    }

    /// Returns whether every call succeeded.
    pub(super) fn are_ok(&self) -> bool {
        self.list.iter().all(|c| matches!(&c.stage, Stage::Finished(r) if r.status == CallStatus::Ok))
    }

    /// Returns a call that a crash interrupted.
    pub(super) fn cut_off(&self) -> Option<&CallId> {
        self.list.iter().find(|c| matches!(c.stage, Stage::CutOff(_))).map(|c| &c.call.id)
    }

    /// Returns the next action for the first call that has not ended. Read-only calls run together, within the limits.
    pub(super) fn next(&self, limits: &Limits) -> Option<Action> {
        let first = self.list.iter().position(|c| !matches!(c.stage, Stage::Finished(_)))?;
        let id = self.list[first].call.id.clone();
        Some(match &self.list[first].stage {
            Stage::Planned | Stage::Decided(_) | Stage::Approved(_) if self.overtaken => Action::LeaveOut(id),
            Stage::Planned => Action::Decide(id),
            Stage::Decided(ruled) => match ruled.decision {
                Decision::Ask => Action::AskPermission(id),
                Decision::Deny => Action::Refuse { call: id, reason: ruled.reason.clone() },
                Decision::Allow if ruled.effect == Effect::ReadOnly => {
                    self.read_only_batch(first, limits.parallel_calls.max(1) as usize)
                }
                Decision::Allow => Action::Run(vec![id]),
            },
            Stage::Parked(_, request) => Action::Wait(Waiting::Permission(request.clone())),
            Stage::Approved(_) => Action::Run(vec![id]),
            Stage::Refused { reason, .. } => Action::Refuse { call: id, reason: reason.clone() },
            Stage::Started(_) | Stage::CutOff(_) => Action::Settle(id),
            Stage::Finished(_) => return None,
        })
    }

    /// Returns the action for adjacent read-only calls, which run together. Undecided calls are decided first, which is
    /// safe because no call before them changes anything.
    fn read_only_batch(&self, first: usize, together: usize) -> Action {
        let mut batch = Vec::new();
        for progress in self.list[first..].iter().take(together) {
            match &progress.stage {
                Stage::Planned => return Action::Decide(progress.call.id.clone()),
                Stage::Decided(r) if r.decision == Decision::Allow && r.effect == Effect::ReadOnly => {
                    batch.push(progress.call.id.clone());
                }
                _ => break,
            }
        }
        Action::Run(batch)
    }

    /// Returns the calls after a call.
    pub(super) fn behind(&self, id: &CallId) -> &[CallProgress] {
        let at = self.list.iter().position(|c| c.call.id == *id);
        at.map_or(&[], |at| &self.list[at + 1..])
    }

    /// Returns the calls that wait for this request to the state before it, because nobody answered it.
    pub(super) fn expire(&mut self, request: &RequestId) {
        for progress in &mut self.list {
            if let Stage::Parked(ruled, parked) = &progress.stage
                && parked == request
            {
                progress.stage = Stage::Decided(ruled.clone());
            }
        }
    }

    /// Advances the calls that wait for this request. Returns whether any did.
    pub(super) fn answer(&mut self, request: &RequestId, choice: &Choice) -> bool {
        let mut is_first = true;
        for progress in &mut self.list {
            let Stage::Parked(ruled, parked) = &progress.stage else { continue };
            if parked != request {
                continue;
            }
            progress.stage = match choice {
                Choice::Allow(allow) if allow.dropped.contains(&progress.call.id) => {
                    Stage::Refused { reason: say::call_left_out(), counts: false }
                }
                Choice::Allow(allow) => {
                    let names_only = matches!(allow.lifetime, Lifetime::Names(_));
                    Stage::Approved(Ruled { names_only, ..ruled.clone() })
                }
                Choice::Deny(deny) if deny.change => {
                    Stage::Refused { reason: say::user_wants_change(&deny.reason), counts: false }
                }
                Choice::Deny(deny) if deny.reason.is_empty() => {
                    Stage::Refused { reason: say::user_said_no(), counts: is_first }
                }
                Choice::Deny(deny) => {
                    Stage::Refused { reason: say::user_said_no_because(&deny.reason), counts: is_first }
                }
            };
            is_first = false;
        }
        !is_first
    }

    /// Marks running calls as interrupted, after the process died.
    pub(super) fn interrupt(&mut self) {
        for progress in &mut self.list {
            if let Stage::Started(ruled) = &progress.stage {
                progress.stage = Stage::CutOff(ruled.clone());
            }
        }
    }
}
/// Returns the reasons for a decision. If only a part of a call is denied, the reason names it, so that the planner can
/// leave it out.
fn reason(verdict: &Verdict) -> Phrase {
    let (denied, rest): (Vec<&Part>, Vec<&Part>) =
        verdict.parts.iter().partition(|part| part.decision == Decision::Deny);
    let is_named = |part: &&Part| !part.text.is_empty();
    if denied.is_empty() || rest.is_empty() || !denied.iter().all(is_named) {
        return deputy_messages::series(verdict.reasons.iter().cloned());
    }
    let named = denied.iter().map(|part| say::part_is_denied(&part.text, part.reason.clone()));
    say::leave_denied_parts_out(deputy_messages::series(named))
}
