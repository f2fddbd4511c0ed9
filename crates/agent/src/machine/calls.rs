//! The calls of one plan, each at its stage.

use super::action::Action;
use deputy_messages::agent as say;
use deputy_protocol::{
    CallDecided, CallId, CallStatus, Choice, Confinement, Decision, Digest, Effect, FileChange, Limits,
    PartKind, Phrase, RequestId, Reviewed, Risk, ToolCall, ToolResult, Verdict, Waiting,
};

/// What was decided about a call, and what its start must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruled {
    /// The decision.
    pub decision: Decision,
    /// How much harm it could do.
    pub risk: Risk,
    /// What the operating system will let it do.
    pub confinement: Confinement,
    /// What running it twice would mean.
    pub effect: Effect,
    /// What the decision binds to.
    pub digest: Digest,
    /// Why, for the planner.
    pub reason: Phrase,
    /// What it is, for people.
    pub summary: Phrase,
    /// The one command in it as it was shown, with what it looked up filled in.
    pub shown: Option<String>,
}

impl From<&CallDecided> for Ruled {
    fn from(decided: &CallDecided) -> Self {
        Self {
            decision: decided.verdict.decision,
            risk: decided.verdict.risk,
            confinement: decided.verdict.confinement,
            effect: decided.effect,
            digest: decided.digest.clone(),
            reason: deputy_messages::series(decided.verdict.reasons.iter().cloned()),
            summary: decided.summary.clone(),
            shown: only_command(&decided.verdict),
        }
    }
}

/// The text of a verdict's only command.
fn only_command(verdict: &Verdict) -> Option<String> {
    let mut commands = verdict.parts.iter().filter(|part| part.kind == PartKind::Command);
    let only = commands.next()?;
    commands.next().is_none().then(|| only.text.clone())
}

/// The state of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Not looked at yet.
    Planned,
    /// Policy has decided.
    Decided(Ruled),
    /// Waits for a person.
    Parked(Ruled, RequestId),
    /// A person said yes; decided again before it runs.
    Approved(Ruled),
    /// A person said no, or left it out of a yes.
    Refused {
        /// Why, for the planner.
        reason: Phrase,
        /// Whether it counts as a no: once for all that one answer refuses, and not for what a yes left out.
        counts: bool,
    },
    /// It runs.
    Started(Ruled),
    /// It ran when the process died.
    CutOff(Ruled),
    /// It ended.
    Finished(ToolResult),
}

impl Stage {
    /// What was decided, where something was and the call has not ended.
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

    /// What the decision binds to.
    pub fn digest(&self) -> Option<&Digest> {
        self.ruled().map(|ruled| &ruled.digest)
    }
}

/// A call at its stage.
#[derive(Clone, Debug, PartialEq)]
pub struct CallProgress {
    /// The call.
    pub call: ToolCall,
    /// Its state.
    pub stage: Stage,
    /// Files it has kept so far, for settling after a crash.
    pub kept: Vec<FileChange>,
    /// The manifest of what was there before its command ran.
    pub tree: Option<Digest>,
    /// What a second model said of it.
    pub review: Option<Reviewed>,
}

/// The calls of one plan, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    list: Vec<CallProgress>,
}

impl Calls {
    /// The calls of a new plan.
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
        Self { list }
    }

    /// One call.
    pub(super) fn get(&self, id: &CallId) -> Option<&CallProgress> {
        self.list.iter().find(|c| c.call.id == *id)
    }

    /// One call, to move it on.
    pub(super) fn get_mut(&mut self, id: &CallId) -> Option<&mut CallProgress> {
        self.list.iter_mut().find(|c| c.call.id == *id)
    }

    /// All calls in the plan's order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &CallProgress> {
        self.list.iter()
    }

    /// Whether there is nothing left to do.
    pub(super) fn are_finished(&self) -> bool {
        self.list.iter().all(|c| matches!(c.stage, Stage::Finished(_)))
    }

    /// Whether a call runs.
    pub(super) fn are_running(&self) -> bool {
        self.list.iter().any(|c| matches!(c.stage, Stage::Started(_)))
    }

    /// Whether every call did what it says.
    pub(super) fn are_ok(&self) -> bool {
        self.list.iter().all(|c| matches!(&c.stage, Stage::Finished(r) if r.status == CallStatus::Ok))
    }

    /// A call that a crash cut off.
    pub(super) fn cut_off(&self) -> Option<&CallId> {
        self.list.iter().find(|c| matches!(c.stage, Stage::CutOff(_))).map(|c| &c.call.id)
    }

    /// What is to be done with the first call that is not finished. Those that read run together, within the limits.
    pub(super) fn next(&self, limits: &Limits) -> Option<Action> {
        let first = self.list.iter().position(|c| !matches!(c.stage, Stage::Finished(_)))?;
        let id = self.list[first].call.id.clone();
        Some(match &self.list[first].stage {
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

    /// Neighboring calls that read run together; those not decided yet are decided first, which is sound because
    /// nothing in front of them changes anything.
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

    /// Those behind one of them.
    pub(super) fn behind(&self, id: &CallId) -> &[CallProgress] {
        let at = self.list.iter().position(|c| c.call.id == *id);
        at.map_or(&[], |at| &self.list[at + 1..])
    }

    /// Moves the calls on that wait for this request; says whether any did.
    pub(super) fn answer(&mut self, request: &RequestId, choice: &Choice) -> bool {
        let mut is_first = true;
        for progress in &mut self.list {
            let Stage::Parked(ruled, parked) = &progress.stage else { continue };
            if parked != request {
                continue;
            }
            progress.stage = match choice {
                Choice::Allow(allow) if allow.dropped.contains(&progress.call.id) => {
                    Stage::Refused { reason: say::edit_left_out(), counts: false }
                }
                Choice::Allow(_) => Stage::Approved(ruled.clone()),
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

    /// The process died: what ran is cut off.
    pub(super) fn interrupt(&mut self) {
        for progress in &mut self.list {
            if let Stage::Started(ruled) = &progress.stage {
                progress.stage = Stage::CutOff(ruled.clone());
            }
        }
    }
}
