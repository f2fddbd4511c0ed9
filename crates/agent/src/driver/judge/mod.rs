//! Decides whether a call may run. The judgement is made once for the decision, reused for whatever follows
//! immediately, and made again before the call runs if anything happened in between.

mod reach;
mod ruling;

pub(super) use reach::is_narrow;
pub(super) use ruling::{JudgeError, Judged};

use super::background::Backgrounds;
use super::journal::TaskJournal;
use crate::core::Core;
use crate::lineage::Lineage;
use crate::machine::{Machine, Ruled, Stage, asks};
use crate::profile::Profile;
use deputy_policy::{Refusal, Refusals, Situation, path};
use deputy_protocol::{
    Access, CallId, CallStatus, Choice, Decision, Facts, Lifetime, PartKind, Reviewed, Risk, TaskEvent,
    TaskSpec, ToolCall,
};
use deputy_store::AnsweredPaths;
use deputy_tools::Place;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Judges the calls of one task.
pub(super) struct Judge {
    core: Arc<Core>,
    place: Place,
    lineage: Lineage,
    own_servers: Option<Arc<Backgrounds>>,
    /// Calls that were judged for their decision. Valid until anything else happens.
    carried: HashMap<CallId, Judged>,
}

/// Runs work that may block, while other tasks continue.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    let flavor = tokio::runtime::Handle::try_current().map(|handle| handle.runtime_flavor());
    match flavor {
        Ok(tokio::runtime::RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

impl Judge {
    pub(super) fn new(core: Arc<Core>, spec: &TaskSpec) -> Self {
        let place = core.place_of(spec);
        let lineage = Lineage::new(core.clone(), spec);
        Self { core, place, lineage, own_servers: None, carried: HashMap::new() }
    }

    /// Sets the background commands, whose servers the task reaches without a question.
    pub(super) fn with_own_servers(self, commands: Arc<Backgrounds>) -> Self {
        Self { own_servers: Some(commands), ..self }
    }

    /// Discards the judgements: something else happened or time passed, so they may no longer be valid.
    pub(super) fn forget(&mut self) {
        self.carried.clear();
    }

    /// Judges a call that must be decided. If it cannot be judged, the call ends with the error.
    pub(super) async fn look_at(&self, journal: &mut TaskJournal, id: &CallId) -> Option<(ToolCall, Judged)> {
        let call = journal.call(id)?;
        match self.judge_with_programs(journal.machine(), &call).await {
            Ok(judged) => Some((call, judged)),
            Err(error) => {
                journal.fail(id, CallStatus::Failed, error);
                None
            }
        }
    }

    /// Decides a call, taking a review into account.
    pub(super) fn decide(
        &mut self,
        journal: &mut TaskJournal,
        (call, mut judged): (ToolCall, Judged),
        reviewed: Option<Reviewed>,
    ) {
        let id = &call.id;
        if let Some(reviewed) = reviewed {
            journal.emit(TaskEvent::Reviewed(reviewed));
            judged.heed_review(journal.machine(), id);
        }
        if let Some(message) = self.fails_anyway(&call, &judged) {
            return journal.fail(id, CallStatus::Failed, message);
        }
        journal.emit(judged.event(id));
        if judged.ruling.verdict.decision != Decision::Deny {
            self.carried.insert(id.clone(), judged);
        }
    }

    /// Returns the judgement of a call that is about to be asked about: the one made for its decision, or a new one.
    pub(super) async fn before_asking(
        &mut self,
        machine: &Machine,
        call: &ToolCall,
    ) -> Result<Judged, JudgeError> {
        match self.carried.remove(&call.id) {
            Some(judged) => Ok(judged),
            None => self.judge_with_programs(machine, call).await,
        }
    }

    /// Checks decided calls directly before they run. `None` if one of them may not run as decided; the reason is
    /// journalled, and the machine determines what follows.
    pub(super) async fn before_running(
        &mut self,
        journal: &mut TaskJournal,
        ids: &[CallId],
    ) -> Option<Vec<(CallId, Judged)>> {
        let mut carried = std::mem::take(&mut self.carried);
        let mut ready = Vec::new();
        for id in ids {
            let judged = self.confirm(journal, id, carried.remove(id)).await?;
            ready.push((id.clone(), judged));
        }
        Some(ready)
    }

    async fn confirm(
        &self,
        journal: &mut TaskJournal,
        id: &CallId,
        carried: Option<Judged>,
    ) -> Option<Judged> {
        let progress = journal.machine().call(id)?;
        let (ruled, was_asked) = match &progress.stage {
            Stage::Approved(ruled) => (ruled.clone(), true),
            Stage::Decided(ruled) => (ruled.clone(), false),
            _ => return None,
        };
        if let Some(judged) = carried {
            return Some(judged);
        }
        let call = progress.call.clone();
        let judged = match self.judge_with_programs(journal.machine(), &call).await {
            Ok(judged) => judged,
            Err(error) => {
                journal.fail(id, CallStatus::Failed, error);
                return None;
            }
        };
        // A lookup may find more now than when the person was asked. Only what the person saw may run.
        let changed = was_asked && judged.digest != ruled.digest;
        let shown = changed.then(|| self.judge_as_shown(journal.machine(), &call, &ruled)).flatten();
        let judged = shown.unwrap_or(judged);
        let decision = judged.ruling.verdict.decision;
        let is_same = judged.digest == ruled.digest && (!was_asked || asks_no_more(&judged, &ruled));
        if decision == Decision::Allow && (is_same || !was_asked)
            || was_asked && is_same && decision == Decision::Ask
        {
            return Some(judged);
        }
        journal.emit(judged.event(id));
        None
    }

    /// Judges a call, after finding out which programs its commands name.
    pub(super) async fn judge_with_programs(
        &self,
        machine: &Machine,
        call: &ToolCall,
    ) -> Result<Judged, JudgeError> {
        self.know_programs(machine.spec(), call).await;
        self.judge(machine, call)
    }

    /// Judges a call: determines its facts and applies the policy, with the current rules and files.
    pub(super) fn judge(&self, machine: &Machine, call: &ToolCall) -> Result<Judged, JudgeError> {
        if let Some(problem) = &call.problem {
            return Err(JudgeError::Arguments(problem.clone()));
        }
        let profile = self.profile(machine)?;
        if !self.place.workspace.is_dir() {
            return Err(JudgeError::NoWorkspace(self.place.workspace.clone()));
        }
        // Facts and rulings read files, and the disk may be slow.
        aside(|| {
            let (_, facts) = self.core.registry.check(call, &profile.tools, &self.place)?;
            self.rule(machine, call, facts)
        })
    }

    /// Applies the policy to the facts of a call, with the current rules and files.
    pub(super) fn rule(
        &self,
        machine: &Machine,
        call: &ToolCall,
        facts: Facts,
    ) -> Result<Judged, JudgeError> {
        self.rule_on(machine, call, facts, None)
    }

    /// Judges a command with the words that the person was shown instead of those that it looks up now, so that newer
    /// files are not included. `None` if it is no longer what was approved.
    fn judge_as_shown(&self, machine: &Machine, call: &ToolCall, agreed: &Ruled) -> Option<Judged> {
        let shown = agreed.shown.as_ref()?;
        let profile = self.profile(machine).ok()?;
        let (_, mut facts) = self.core.registry.check(call, &profile.tools, &self.place).ok()?;
        let [Access::Shell(shell)] = facts.accesses.as_mut_slice() else { return None };
        shell.command.clone_from(shown);
        let words = deputy_policy::words(shown)?;
        let judged = self.rule_on(machine, call, facts, Some(words)).ok()?;
        (judged.digest == agreed.digest).then_some(judged)
    }

    fn rule_on(
        &self,
        machine: &Machine,
        call: &ToolCall,
        facts: Facts,
        shown: Option<Vec<String>>,
    ) -> Result<Judged, JudgeError> {
        let situation = self.situation(machine)?;
        let folder = match self.core.registry.get(&call.tool) {
            Some(tool) => tool.working_dir(&call.parameters, &self.place)?,
            None => None,
        };
        let mut judged = ruling::rule(call, facts, situation, folder, shown)?;
        judged.heed_review(machine, &call.id);
        Ok(judged)
    }

    /// Returns why a call would fail even if a person approved it, so that nobody is asked in vain. Only returned if
    /// everything that the call reads is readable without asking, because the answer tells the planner something about
    /// the content.
    pub(super) fn fails_anyway(&self, call: &ToolCall, judged: &Judged) -> Option<String> {
        let verdict = &judged.ruling.verdict;
        let mut reads = verdict.parts.iter().filter(|part| part.kind == PartKind::Read);
        if verdict.decision != Decision::Ask || reads.any(|part| part.decision != Decision::Allow) {
            return None;
        }
        self.core.registry.get(&call.tool)?.would_fail(&call.parameters, &self.place).map(String::from)
    }

    /// Finds out which programs the person's `PATH` refers to, before a command is judged for the first time.
    async fn know_programs(&self, spec: &TaskSpec, call: &ToolCall) {
        if call.tool == deputy_policy::SHELL_TOOL {
            self.core.surroundings(spec).await;
        }
    }

    /// Returns the current profile, which the user may change while the task runs.
    fn profile(&self, machine: &Machine) -> Result<Arc<Profile>, JudgeError> {
        Ok(self.core.profiles.current(&machine.spec().profile)?)
    }

    /// Returns the ports on which the task's own servers listen.
    fn own_ports(&self) -> BTreeSet<u16> {
        let network = self.own_servers.as_ref().and_then(|commands| commands.network());
        network.and_then(|network| network.listening().ok()).unwrap_or_default()
    }

    /// Returns the current situation of the task for the policy.
    fn situation(&self, machine: &Machine) -> Result<Situation, JudgeError> {
        let spec = machine.spec();
        let mut grants = self.core.store.grants(Some(&spec.workspace), self.core.now_ms())?;
        self.lineage.inherit(spec, &mut grants)?;
        let situation = self.core.situation(self.place.workspace.clone(), grants);
        // A link that replaced a path of the scope could lead anywhere.
        let in_place = |path: &str| {
            path::real(&situation, Path::new("/"), path).is_none_or(|real| real == Path::new(path))
        };
        let scope = &spec.scope;
        if let Some(moved) =
            [&scope.read, &scope.write, &scope.only_files].into_iter().flatten().find(|path| !in_place(path))
        {
            return Err(JudgeError::ScopeMoved(moved.clone()));
        }
        let mut roots: Vec<PathBuf> = spec.scope.read.iter().map(PathBuf::from).collect();
        roots.extend(spec.scope.write.iter().map(PathBuf::from));
        roots.extend(machine.named().iter().map(PathBuf::from));
        let mut situation = Situation {
            roots,
            temporary: self.place.temporary.clone(),
            refused: Arc::new(refusals(&self.core.store.answered_paths(&spec.id)?, self.core.now_ms())),
            scope: spec.scope.clone(),
            task: Some(spec.id.clone()),
            session: Some(spec.session.clone()),
            has_consent: spec.standing_consent.is_some_and(|up_to| up_to >= Risk::Medium),
            own_network: machine.backgrounds().running().iter().any(|running| running.own_network),
            own_ports: self.own_ports(),
            path: self.core.known_surroundings(spec).path.clone(),
            ..situation
        };
        situation.roots.extend(deputy_policy::granted_reads(&situation));
        Ok(situation)
    }
}

/// Whether a call asks about nothing that the person was not shown, at no higher risk. What ran in the meantime can change
/// that, such as a call that the same answer approved.
fn asks_no_more(judged: &Judged, agreed: &Ruled) -> bool {
    let verdict = &judged.ruling.verdict;
    // A plan of file operations checks its own places while it runs.
    judged.facts.plan.is_some()
        || verdict.risk <= agreed.risk && asks(verdict).iter().all(|ask| agreed.asks.contains(ask))
}

/// Returns what a person refused, and allowed later, in the answers of a task's family.
fn refusals(answers: &[AnsweredPaths], now_ms: i64) -> Refusals {
    let mut refusals = Refusals::default();
    for answer in answers {
        for path in answer.touches.iter().map(PathBuf::from) {
            match &answer.choice {
                // Names are less than what was refused.
                Choice::Allow(allow) if matches!(allow.lifetime, Lifetime::Names(_)) => {}
                Choice::Allow(_) => refusals.allow(&path),
                Choice::Deny(deny) => refusals.refuse(Refusal {
                    path,
                    at_ms: answer.at_ms,
                    time: time(answer.at_ms, now_ms),
                    because: deny.reason.clone(),
                }),
            }
        }
    }
    refusals
}

/// Formats a time of today, or of another day, in the host's time zone.
fn time(at_ms: i64, now_ms: i64) -> String {
    let zoned = |ms: i64| {
        let stamp = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
        stamp.to_zoned(jiff::tz::TimeZone::system())
    };
    let (at, now) = (zoned(at_ms), zoned(now_ms));
    let format = if at.date() == now.date() { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    at.strftime(format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::testing::Bench;
    use deputy_testkit::calls;
    use serde_json::json;

    /// A judgement is reused for what follows immediately, and discarded if anything else happens in between.
    #[tokio::test]
    async fn a_judgement_is_carried_until_something_else_is_done() {
        let bench = Bench::new();
        bench.home.write("a.txt", "a\n").unwrap();
        let plan = calls([("code", json!({"action": "read", "path": "a.txt"}))]);
        let mut journal = bench.task(bench.spec("t1"), plan).await;
        let mut judge = Judge::new(bench.core.clone(), journal.machine().spec());
        let id = CallId::of(journal.task(), 1, 1);
        let looked_at = judge.look_at(&mut journal, &id).await.unwrap();
        judge.decide(&mut journal, looked_at, None);
        let moved = bench.home.root().join("moved");
        std::fs::rename(bench.home.workspace(), &moved).unwrap();
        let ready = judge.before_running(&mut journal, std::slice::from_ref(&id)).await.unwrap();
        assert_eq!(ready[0].0, id);

        std::fs::rename(&moved, bench.home.workspace()).unwrap();
        let looked_at = judge.look_at(&mut journal, &id).await.unwrap();
        judge.decide(&mut journal, looked_at, None);
        std::fs::rename(bench.home.workspace(), &moved).unwrap();
        judge.forget();
        assert!(
            judge.before_running(&mut journal, std::slice::from_ref(&id)).await.is_none(),
            "judged again, and it is gone"
        );
        let stage = &journal.machine().call(&id);
        assert!(stage.is_none(), "the call has ended, and its plan with it");
    }

    #[tokio::test]
    async fn a_call_that_cannot_be_judged_ends_with_the_reason() {
        let bench = Bench::new();
        let mut plan = calls([("code", json!({}))]);
        plan.tool_calls[0].problem = Some("it is no JSON".into());
        plan.tool_calls.push(ToolCall { problem: None, ..plan.tool_calls[0].clone() });
        let mut journal = bench.task(bench.spec("t1"), plan).await;
        let judge = Judge::new(bench.core.clone(), journal.machine().spec());
        let id = CallId::of(journal.task(), 1, 1);
        assert!(judge.look_at(&mut journal, &id).await.is_none());
        let Stage::Finished(result) = &journal.machine().call(&id).unwrap().stage else { panic!("it waits") };
        assert_eq!(result.status, CallStatus::Failed);
        assert_eq!(result.content, "The arguments of this call cannot be read: it is no JSON");
    }
}
