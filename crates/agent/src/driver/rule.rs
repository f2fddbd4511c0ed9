//! May a call run? Gathers its facts and asks policy.

use super::reach::reach;
use super::{Driver, DriverError};
use crate::machine::Ruled;
use deputy_policy::path::Operation;
use deputy_policy::{Ruling, Situation};
use deputy_protocol::{
    Access, CallDecided, CallId, CallStatus, Confinement, Decision, Digest, Effect, Facts, Part, PartKind,
    TaskEvent, ToolCall, ToolFinished, ToolResult,
};
use deputy_tools::Place;
use std::path::{Path, PathBuf};

/// A call with everything that was found out about it.
pub(super) struct Judged {
    pub(super) facts: Facts,
    pub(super) ruling: Ruling,
    pub(super) effect: Effect,
    pub(super) digest: Digest,
    pub(super) situation: Situation,
}

impl Judged {
    pub(super) fn event(&self, call: &CallId) -> TaskEvent {
        TaskEvent::CallDecided(self.decided(call))
    }

    /// The event that says how the call comes to be decided so, where the journal does not say just that already.
    pub(super) fn news(&self, call: &CallId, journalled: Option<&Ruled>) -> Option<TaskEvent> {
        let decided = self.decided(call);
        (journalled != Some(&Ruled::from(&decided))).then_some(TaskEvent::CallDecided(decided))
    }

    fn decided(&self, call: &CallId) -> CallDecided {
        CallDecided {
            call: call.clone(),
            verdict: self.ruling.verdict.clone(),
            effect: self.effect,
            summary: self.facts.summary.clone(),
            digest: self.digest.clone(),
            grant: self.ruling.grant.clone(),
        }
    }
}

/// Does what may block while other tasks go on.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    let flavor = tokio::runtime::Handle::try_current().map(|handle| handle.runtime_flavor());
    match flavor {
        Ok(tokio::runtime::RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

impl Driver {
    /// Decides on a call; one that cannot be, ends here with what is wrong with it.
    pub(super) fn decide(&mut self, id: &CallId) {
        let Some(call) = self.call(id) else { return };
        let event = match self.judge(&call) {
            Ok(judged) => match self.fails_anyway(&call, &judged) {
                None => {
                    let event = judged.event(id);
                    if judged.ruling.verdict.decision == Decision::Allow {
                        self.fresh.insert(id.clone(), judged);
                    }
                    event
                }
                Some(message) => finished(id, ToolResult::new(CallStatus::Failed, message), 0),
            },
            Err(message) => finished(id, ToolResult::new(CallStatus::Failed, message), 0),
        };
        self.emit(event);
    }

    /// Before a command is decided for the first time: which programs the person's `PATH` means.
    pub(super) async fn know_programs(&mut self, id: &CallId) {
        if self.call(id).is_some_and(|call| call.tool == deputy_policy::SHELL_TOOL) {
            self.core.user_shell.ready(&self.core.user_home, &self.core.config().shell).await;
        }
    }

    /// Why a call would fail although a person said yes: nobody is asked in vain. Only said where all that the call
    /// reads is readable without asking, since it tells the planner something of what it would read.
    pub(super) fn fails_anyway(&self, call: &ToolCall, judged: &Judged) -> Option<String> {
        let verdict = &judged.ruling.verdict;
        let mut reads = verdict.parts.iter().filter(|part| part.kind == PartKind::Read);
        if verdict.decision != Decision::Ask || reads.any(|part| part.decision != Decision::Allow) {
            return None;
        }
        self.core.registry.get(&call.tool)?.would_fail(&call.parameters, &self.place())
    }

    /// Tells the planner that a call is denied.
    pub(super) fn refuse(&mut self, id: &CallId, reason: &str) {
        self.emit(finished(id, ToolResult::denied(reason), 0));
    }

    /// The facts of a call and policy's ruling on them, against today's rules and files.
    pub(super) fn judge(&self, call: &ToolCall) -> Result<Judged, String> {
        if let Some(problem) = &call.problem {
            return Err(format!("The arguments of this call cannot be read: {problem}"));
        }
        let profile = self.profile().map_err(|error| error.to_string())?;
        let place = self.place();
        if !place.workspace.is_dir() {
            return Err(format!(
                "The folder {} is gone; nothing can be done in it.",
                place.workspace.display()
            ));
        }
        // Facts and rulings look at files, and a disk may take its time.
        aside(|| {
            let checked = self.core.registry.check(call, &profile.tools, &place);
            let (_, facts) = checked.map_err(|error| format!("{error}."))?;
            self.ruled_on(call, facts)
        })
    }

    /// A command with the words that a person was shown in the place of those that it looks up: files that came since
    /// are not among them. `None` where it is no longer what was agreed to.
    pub(super) fn judge_as_shown(&self, call: &ToolCall, agreed: &Ruled) -> Option<Judged> {
        let shown = agreed.shown.as_ref()?;
        let profile = self.profile().ok()?;
        let (_, mut facts) = self.core.registry.check(call, &profile.tools, &self.place()).ok()?;
        let [Access::Shell(shell)] = facts.accesses.as_mut_slice() else { return None };
        shell.command.clone_from(shown);
        let words = deputy_policy::words(shown)?;
        let judged = self.ruled_on_words(call, facts, Some(words)).ok()?;
        (judged.digest == agreed.digest).then_some(judged)
    }

    /// Policy's ruling on facts that a call stands for, against today's rules and files.
    pub(super) fn ruled_on(&self, call: &ToolCall, facts: Facts) -> Result<Judged, String> {
        self.ruled_on_words(call, facts, None)
    }

    /// As `ruled_on`, for words that were looked up before and shown so.
    fn ruled_on_words(
        &self,
        call: &ToolCall,
        facts: Facts,
        shown: Option<Vec<String>>,
    ) -> Result<Judged, String> {
        let place = self.place();
        let mut situation = self.situation(&place.workspace).map_err(|error| error.to_string())?;
        if let Some(tool) = self.core.registry.get(&call.tool)
            && let Some(folder) =
                tool.working_dir(&call.parameters, &place).map_err(|error| format!("{error}."))?
        {
            situation.cwd = inside(&situation, folder)?;
        }
        let mut ruling = deputy_policy::decide(&situation, &facts);
        ruling.looked_up.extend(shown);
        hold_to_scope(&situation, &mut ruling);
        let confinement = ruling.verdict.confinement;
        // The change itself is part of what is approved: a file that changes meanwhile changes the digest. So is what
        // comes out of hiding for it: where another file would, it is asked again.
        let mut bound = call.parameters.clone();
        if let Some(diff) = &facts.diff {
            bound = serde_json::json!({"parameters": bound, "diff": diff});
        }
        if !ruling.revealed.is_empty() {
            bound = serde_json::json!({"parameters": bound, "revealed": ruling.revealed});
        }
        if !ruling.reads.is_empty() || !ruling.writes.is_empty() {
            bound = serde_json::json!({"parameters": bound, "reads": ruling.reads, "writes": ruling.writes});
        }
        if !ruling.looked_up.is_empty() {
            bound = serde_json::json!({"parameters": bound, "looked_up": ruling.looked_up});
        }
        if !ruling.lends.is_empty() {
            bound = serde_json::json!({"parameters": bound, "lends": ruling.lends});
        }
        let digest = match &facts.plan {
            // A plan is known by one digest wherever it is shown, and that is what a yes to it binds to: it covers the
            // plan, its folders and every step that it comes to.
            Some(plan) if ruling.revealed.is_empty() => plan.clone(),
            _ => deputy_policy::digest(&call.tool, &bound, &situation.cwd, confinement),
        };
        let effect = effect(&facts, &ruling);
        if let Some(problem) = crate::redact::would_write_mark(&call.parameters, effect) {
            return Err(problem);
        }
        Ok(Judged { facts, ruling, effect, digest, situation })
    }

    pub(super) fn place(&self) -> Place {
        Place { workspace: PathBuf::from(&self.machine.spec().workspace), home: self.core.user_home.clone() }
    }

    fn situation(&self, workspace: &Path) -> Result<Situation, DriverError> {
        let spec = self.machine.spec();
        let mut roots: Vec<PathBuf> = spec.scope.read.iter().map(PathBuf::from).collect();
        roots.extend(spec.scope.write.iter().map(PathBuf::from));
        let grants = self.core.store.grants(Some(&spec.workspace), self.core.now_ms())?;
        Ok(Situation {
            roots,
            scope: spec.scope.clone(),
            task: Some(spec.id.clone()),
            session: Some(spec.session.clone()),
            own_network: self.machine.backgrounds().running().iter().any(|running| running.own_network),
            ..self.core.situation(workspace.to_owned(), grants)
        })
    }
}

/// The folder that a call wants to run in, where that lies in what the task has open.
fn inside(situation: &Situation, folder: PathBuf) -> Result<PathBuf, String> {
    let open = std::iter::once(&situation.workspace).chain(&situation.roots);
    let is_open = open.filter_map(|open| open.canonicalize().ok()).any(|open| folder.starts_with(open));
    let is_hidden = deputy_policy::path::in_scope(situation, Operation::List, &folder).is_err();
    if !is_open || is_hidden {
        return Err(format!(
            "`working_dir` is {}, which lies outside of the folders of this task; the workspace is {}.",
            deputy_policy::visible(&folder.to_string_lossy()),
            situation.workspace.display()
        ));
    }
    Ok(folder)
}

/// A command that no walls can hold to the task's scope is denied, as whatever lies outside of it is.
fn hold_to_scope(situation: &Situation, ruling: &mut Ruling) {
    let verdict = &mut ruling.verdict;
    if ruling.execution.is_none() || verdict.decision == Decision::Deny {
        return;
    }
    if let Err(reason) = reach(situation, verdict.confinement) {
        verdict.decision = Decision::Deny;
        verdict.reasons = vec![reason.clone()];
        verdict.parts.push(Part {
            kind: PartKind::Construct,
            text: String::new(),
            decision: Decision::Deny,
            risk: verdict.risk,
            reason,
        });
    }
}

/// A command that the operating system holds to reading may run again, and beside others, whatever it is.
fn effect(facts: &Facts, ruling: &Ruling) -> Effect {
    let verdict = &ruling.verdict;
    let is_held = verdict.decision == Decision::Allow && verdict.confinement == Confinement::ReadOnly;
    let is_command = facts.accesses.iter().all(|access| matches!(access, Access::Shell(_)));
    if is_held && is_command { Effect::ReadOnly } else { facts.effect }
}

/// The end of a call.
pub(super) fn finished(call: &CallId, result: ToolResult, duration_ms: u64) -> TaskEvent {
    TaskEvent::ToolFinished(ToolFinished { call: call.clone(), result, duration_ms })
}
