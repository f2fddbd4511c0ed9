//! Running calls: decided once more where a person had to say yes, journalled before and after, signals heard meanwhile.

use super::equip::Equipment;
use super::guard::CallGuard;
use super::keeper::JournalKeeper;
use super::midway::Door;
use super::net::Net;
use super::reach::reach;
use super::rule::{Judged, finished};
use super::{Driver, DriverError, until};
use crate::machine::Stage;
use deputy_policy::{Ruling, Situation};
use deputy_protocol::{
    CallId, CallStatus, Confinement, Decision, Effect, TaskEvent, ToolResult, ToolStarted,
};
use deputy_tools::CallContext;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long a running call may go on after stop.
const STOP_GRACE: Duration = Duration::from_secs(10);
/// How long a list of secret files holds.
const SECRETS_HOLD: Duration = Duration::from_secs(10);
/// The longest that a call which only looks may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(30);

impl Driver {
    /// Runs decided calls at the same time.
    pub(super) async fn run_calls(&mut self, ids: &[CallId]) -> Result<(), DriverError> {
        let mut ready = Vec::new();
        let mut fresh = std::mem::take(&mut self.fresh);
        for id in ids {
            match self.judge_again(id, fresh.remove(id)) {
                Some(judged) => ready.push((id.clone(), judged)),
                // It has moved on to another stage; the machine says what follows.
                None => return Ok(()),
            }
        }
        self.start(ready).await
    }

    /// Decides once more, right before it runs, unless it has just been decided. `None`: it may not run as decided, and
    /// the journal says why.
    fn judge_again(&mut self, id: &CallId, fresh: Option<Judged>) -> Option<Judged> {
        let progress = self.machine.call(id)?;
        let (ruled, was_asked) = match &progress.stage {
            Stage::Approved(ruled) => (ruled.clone(), true),
            Stage::Decided(ruled) => (ruled.clone(), false),
            _ => return None,
        };
        if let Some(judged) = fresh {
            return Some(judged);
        }
        let call = progress.call.clone();
        let judged = match self.judge(&call) {
            Ok(judged) => judged,
            Err(message) => {
                self.emit(finished(id, ToolResult::new(CallStatus::Failed, message), 0));
                return None;
            }
        };
        // What was looked up for the person may be more by now; what they saw is what runs.
        let changed = was_asked && judged.digest != ruled.digest;
        let judged = changed.then(|| self.judge_as_shown(&call, &ruled)).flatten().unwrap_or(judged);
        let decision = judged.ruling.verdict.decision;
        let is_same = judged.digest == ruled.digest;
        if decision == Decision::Allow && (is_same || !was_asked)
            || was_asked && is_same && decision == Decision::Ask
        {
            return Some(judged);
        }
        self.emit(judged.event(id));
        None
    }

    /// Journals the start of each call, runs them, and journals each end.
    pub(super) async fn start(&mut self, calls: Vec<(CallId, Judged)>) -> Result<(), DriverError> {
        for (id, judged) in &calls {
            self.emit(TaskEvent::ToolStarted(ToolStarted {
                call: id.clone(),
                digest: judged.digest.clone(),
                effect: judged.effect,
            }));
        }
        let changes_things = calls.iter().any(|(_, judged)| judged.effect != Effect::ReadOnly);
        if changes_things {
            self.commit().await?;
        } else {
            self.begin_commit().await?;
        }
        let cancel = CancellationToken::new();
        let mut running = JoinSet::new();
        let mut ids = HashMap::new();
        let mut nets = HashMap::new();
        let (wishes, mut wished) = mpsc::unbounded_channel();
        self.asked.waited = Duration::ZERO;
        for (id, judged) in calls {
            let Some(call) = self.call(&id) else { continue };
            let mut equipment = self.equip(&judged).await;
            let not_lent = std::mem::take(&mut equipment.not_lent);
            // Nobody is asked about what runs without a person's consent, or outlives its call.
            let may_ask = judged.ruling.by_person && call.tool == deputy_policy::SHELL_TOOL;
            let door = may_ask.then(|| Door::new(&id, &call.tool, &judged, wishes.clone()));
            let context = self.context(&id, &judged, equipment, door, cancel.clone());
            if let Some(net) = Net::under(&self.core, &judged) {
                match net.spread(&self.task, &id).await {
                    Ok(manifest) => drop(nets.insert(id.clone(), (net, manifest))),
                    Err(error) => {
                        let text = format!("It was not run, as undo could not cover it: {error}.");
                        self.emit(finished(&id, ToolResult::new(CallStatus::Failed, text), 0));
                        continue;
                    }
                }
            }
            let registry = self.core.registry.clone();
            let handle = running.spawn(async move {
                let started = Instant::now();
                let mut result = match registry.get(&call.tool) {
                    Some(tool) => tool.run(&call.parameters, &context).await,
                    None => ToolResult::new(CallStatus::Failed, format!("There is no tool `{}`.", call.tool)),
                };
                for why in not_lent {
                    result.content += &format!("\nNot lent to it: {why}.");
                }
                (result, u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX))
            });
            ids.insert(handle.id(), id);
        }
        let mut grace_ends = None;
        while !running.is_empty() {
            let expiry = until(self.core.clone(), self.asked.expires_at_ms());
            tokio::select! {
                Some(ended) = running.join_next_with_id() => {
                    let (task, mut result, duration_ms) = match ended {
                        Ok((task, (result, duration_ms))) => (task, result, duration_ms),
                        // A fault in a tool must not take the task with it.
                        Err(error) => {
                            let text = format!("The tool failed inside: {error}");
                            (error.id(), ToolResult::new(CallStatus::Failed, text), 0)
                        }
                    };
                    if let Some(id) = ids.remove(&task) {
                        self.end_midway_of(&id).await?;
                        // Waiting for a person is no work.
                        let waited = u64::try_from(self.asked.waited.as_millis()).unwrap_or(u64::MAX);
                        let duration_ms = duration_ms.saturating_sub(waited);
                        let manifest = nets.get(&id).map(|(_, manifest)| manifest.clone());
                        if let Some(started) = self.backgrounds.started_by(&id, manifest) {
                            // What it changes is known when it ends.
                            nets.remove(&id);
                            self.emit(TaskEvent::BackgroundStarted(started));
                        }
                        if let Some((net, manifest)) = nets.remove(&id) {
                            net.gather(&manifest, &mut result).await;
                            self.drop_later(manifest);
                        }
                        self.emit(finished(&id, crate::redact::result(result), duration_ms));
                    }
                }
                Some(signal) = self.signals.recv() => {
                    self.hear(signal).await?;
                    if self.machine.is_stopping() {
                        self.end_midway("the task was stopped").await?;
                        grace_ends.get_or_insert_with(|| tokio::time::Instant::now() + STOP_GRACE);
                    }
                }
                Some(gone) = self.gone.recv() => {
                    self.bury(gone).await;
                    self.commit().await?;
                }
                Some(wish) = wished.recv(), if !self.asked.is_open() => self.ask_midway(wish).await?,
                () = expiry => self.end_midway("nobody answered in time").await?,
                () = at(grace_ends), if !cancel.is_cancelled() => cancel.cancel(),
            }
        }
        if changes_things {
            // There may be new ones.
            self.secrets = None;
            self.likely_secrets = None;
        }
        Ok(())
    }

    fn context(
        &mut self,
        id: &CallId,
        judged: &Judged,
        equipment: Equipment,
        door: Option<Door>,
        cancel: CancellationToken,
    ) -> CallContext {
        let situation = &judged.situation;
        let mut hidden = self.secrets(situation);
        let opened = [judged.ruling.reads.as_slice(), &judged.ruling.writes].concat();
        if !opened.is_empty() {
            // Secrets below what is opened to this one call stay hidden as those of the workspace do.
            let roots = situation.roots.iter().cloned().chain(opened).collect();
            hidden.extend(deputy_policy::path::secrets(&Situation { roots, ..situation.clone() }));
            hidden.sort();
            hidden.dedup();
        }
        // What a person agreed to have written or removed is open to this one call; nobody else's call sees it.
        let revealed = [judged.ruling.revealed.as_slice(), &equipment.revealed].concat();
        if shows_no_likely_secrets(&judged.ruling) {
            hidden.extend(self.likely_secrets(situation));
        }
        let spec = self.machine.spec();
        let (core, task, call) = (self.core.clone(), self.task.clone(), id.clone());
        let confinement = judged.ruling.verdict.confinement;
        // Where a command cannot be held to its scope it was denied; then nothing is open to it.
        let mut reach = reach(situation, confinement).unwrap_or_default();
        reach.readable.extend(judged.ruling.reads.iter().cloned());
        reach.writable.extend(judged.ruling.writes.iter().cloned());
        let is_command = judged.ruling.execution.is_some();
        if is_command {
            hidden.extend(reach.hidden);
            hidden.extend(equipment.hidden);
            reach.readable.extend(equipment.readable);
        }
        let hidden = crate::loans::but_for(hidden, &revealed);
        CallContext {
            call: id.clone(),
            place: self.place(),
            execution: judged.ruling.execution.clone(),
            programs: judged.ruling.programs.clone(),
            confinement,
            readable: if is_command { reach.readable } else { situation.roots.clone() },
            guard: Some(Arc::new(CallGuard::new(situation, revealed, equipment.caches.clone(), door))),
            configuring: judged.ruling.configuring.clone(),
            caches: equipment.caches,
            scratch: equipment.scratch,
            environment: equipment.environment,
            scope: spec.scope.clone(),
            hidden,
            frozen: match confinement {
                Confinement::ReadOnly | Confinement::Open => Vec::new(),
                Confinement::Workspace | Confinement::WorkspaceNet => {
                    reach.writable.iter().flat_map(|folder| deputy_policy::path::frozen(folder)).collect()
                }
            },
            writable: reach.writable,
            output_chars: spec.limits.tool_output_chars as usize,
            cwd: situation.cwd.clone(),
            limits: spec.limits.clone(),
            look_timeout: LOOK_TIMEOUT,
            network: self.backgrounds.network(),
            commands: self.backgrounds.clone(),
            cancel,
            job: core.job_sink(),
            progress: Arc::new(move |text: &str| core.show(&task, Some(&call), &crate::redact::text(text))),
            keeper: Arc::new(JournalKeeper {
                core: self.core.clone(),
                task: self.task.clone(),
                call: id.clone(),
            }),
        }
    }
}

impl Driver {
    /// Secret files that commands must not see. Looking for them walks the workspace, so what was found holds for a
    /// while, unless this task changes something; judging a path never relies on it.
    fn secrets(&mut self, situation: &Situation) -> Vec<PathBuf> {
        let fresh = self.secrets.as_ref().filter(|(found_at, _)| found_at.elapsed() < SECRETS_HOLD);
        if let Some((_, secrets)) = fresh {
            return secrets.clone();
        }
        let secrets = deputy_policy::path::secrets(situation);
        self.secrets = Some((Instant::now(), secrets.clone()));
        secrets
    }
}

impl Driver {
    /// As `secrets`, for files that only likely are.
    fn likely_secrets(&mut self, situation: &Situation) -> Vec<PathBuf> {
        let fresh = self.likely_secrets.as_ref().filter(|(found_at, _)| found_at.elapsed() < SECRETS_HOLD);
        if let Some((_, secrets)) = fresh {
            return secrets.clone();
        }
        let secrets = deputy_policy::path::likely_secrets(situation);
        self.likely_secrets = Some((Instant::now(), secrets.clone()));
        secrets
    }
}

/// Whether a command runs without a person: naming a file that likely holds secrets would have asked, so it only comes upon
/// them, as a search does. git reads what it tracks, and fails as a whole where it cannot; its forms were judged.
fn shows_no_likely_secrets(ruling: &Ruling) -> bool {
    let programs = ruling.programs.as_deref();
    !ruling.by_person
        && ruling.execution.is_some()
        && programs.is_some_and(|programs| programs.iter().all(|program| !program.ends_with("git")))
}

/// Sleeps until an instant; forever where there is none.
async fn at(instant: Option<tokio::time::Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
