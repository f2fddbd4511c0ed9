//! Runs calls: journals their start and end, saves what undo needs before each, and ends them when the task is stopped.

mod context;
mod equip;
mod gate;
mod guard;
mod keeper;
mod settle;
mod undo_snapshot;

pub(super) use settle::settle;
pub(crate) use undo_snapshot::differences;
pub(super) use undo_snapshot::{UndoSnapshot, changes_since};

use super::DriverError;
use super::ask::{Door, Wish, Wishes};
use super::background::{Background, journal_inferred};
use super::delegating::{TaskDelegates, took};
use super::folder_walls::FolderWalls;
use super::journal::TaskJournal;
use super::judge::Judged;
use super::offer::TaskGroups;
use crate::core::Core;
use crate::loans::LoanError;
use context::{Contexts, Given};
use deputy_messages::agent as say;
use deputy_protocol::{
    CallId, CallStatus, Digest, Effect, ResultPart, SubtasksStarted, TaskEvent, TaskSpec, TodoChanged,
    ToolCall, ToolResult, ToolStarted, WebPart,
};
use deputy_tools::{
    CallContext, DELEGATE, Delegates, KeepError, NoDelegates, NoGroups, OPEN_TOOLS, OpensGroups,
    PYTHON_INFERENCE,
};
use equip::{Equip, Equipment};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long a running call may take to end after a stop.
const STOP_GRACE: Duration = Duration::from_secs(10);

/// Runs the calls of one task.
pub(super) struct Runner {
    core: Arc<Core>,
    contexts: Contexts,
    equip: Equip,
    /// When this runner was created, by the clock that files have.
    began: SystemTime,
}

/// Calls that run in parallel.
pub(super) struct Running {
    calls: JoinSet<(ToolResult, u64)>,
    ids: HashMap<tokio::task::Id, CallId>,
    snapshots: HashMap<CallId, (UndoSnapshot, Digest)>,
    wishes: Wishes,
    wished: mpsc::UnboundedReceiver<Wish>,
    /// The channel on which calls report the sub-tasks that they wait for.
    delegates: mpsc::UnboundedSender<SubtasksStarted>,
    delegated: mpsc::UnboundedReceiver<SubtasksStarted>,
    cancel: CancellationToken,
    grace_ends: Option<tokio::time::Instant>,
}

/// An event of running calls.
pub(super) enum Happened {
    /// A call has ended.
    Ended(Ended),
    /// A call has delegated work, and waits for its sub-tasks.
    Delegated(SubtasksStarted),
    /// A call requests something that its confinement refuses.
    Wished(Wish),
}

/// A call that has ended.
pub(super) struct Ended {
    pub(super) call: CallId,
    result: ToolResult,
    duration_ms: u64,
}

impl Runner {
    pub(super) fn new(core: Arc<Core>) -> Self {
        let (contexts, equip) = (Contexts::new(core.clone()), Equip::new(core.clone()));
        Self { contexts, equip, core, began: SystemTime::now() }
    }

    /// Journals the start of each call, and starts them.
    pub(super) async fn start(
        &mut self,
        journal: &mut TaskJournal,
        background: &Background,
        calls: Vec<(CallId, Judged)>,
    ) -> Result<Running, DriverError> {
        for (id, judged) in &calls {
            let (call, digest, effect) = (id.clone(), judged.digest.clone(), judged.effect);
            journal.emit(TaskEvent::ToolStarted(ToolStarted { call, digest, effect }));
        }
        let changes_things = calls.iter().any(|(_, judged)| judged.effect != Effect::ReadOnly);
        if changes_things {
            journal.commit().await?;
        } else {
            journal.begin_commit().await?;
        }
        let mut running = Running::new();
        for (id, judged) in calls {
            let Some(call) = journal.call(&id) else { continue };
            let mut equipment = self.equip.gather(journal.machine().spec(), &judged).await;
            let not_lent = std::mem::take(&mut equipment.not_lent);
            // A person is only asked during calls that a person approved and that end with their command.
            let walls = match self.keep(journal.machine().spec(), &mut running, &id, &judged).await {
                Ok(not_kept) => self.folder_walls(&judged, not_kept, &equipment),
                Err(error) => {
                    journal.fail(&id, CallStatus::Failed, say::not_run_undo(error));
                    continue;
                }
            };
            let may_ask = judged.ruling.by_person && call.tool == deputy_policy::SHELL_TOOL;
            let door =
                may_ask.then(|| Door::new(&id, &call.tool, &judged, walls.clone(), running.wishes.clone()));
            let browses = call.tool == deputy_policy::BROWSER_TOOL;
            let skills = journal.machine().skills().to_vec();
            let delegates: Arc<dyn Delegates> = match call.tool == DELEGATE {
                true => Arc::new(TaskDelegates::new(
                    self.core.clone(),
                    journal.machine(),
                    running.delegates.clone(),
                )),
                false => Arc::new(NoDelegates),
            };
            let last_page = journal.machine().last_page().map(str::to_owned);
            let cancel = running.cancel.clone();
            let ruled = journal.machine().call(&id).and_then(|progress| progress.stage.ruled());
            let names_only = ruled.is_some_and(|ruled| ruled.names_only);
            let groups: Arc<dyn OpensGroups> = match call.tool == OPEN_TOOLS {
                true => Arc::new(TaskGroups::of(&self.core, journal.machine())),
                false => Arc::new(NoGroups),
            };
            let given = Given {
                equipment,
                browses,
                last_page,
                walls,
                door,
                skills,
                groups,
                delegates,
                names_only,
                cancel,
            };
            let spec = journal.machine().spec();
            let context = self.contexts.of(spec, background, &id, &judged, given);
            self.spawn(&mut running, call, context, not_lent);
        }
        if changes_things {
            self.contexts.forget_secrets();
        }
        Ok(running)
    }

    /// Saves what undo needs before a call. Returns what undo could not restore, sorted and outside each other.
    async fn keep(
        &self,
        spec: &TaskSpec,
        running: &mut Running,
        id: &CallId,
        judged: &Judged,
    ) -> Result<Vec<PathBuf>, KeepError> {
        let Some(snapshot) = UndoSnapshot::of(&self.core, judged) else { return Ok(Vec::new()) };
        let (manifest, not_kept) = snapshot.take(spec, id).await?;
        running.snapshots.insert(id.clone(), (snapshot, manifest));
        Ok(not_kept)
    }

    /// Returns the additional walls of a call that runs under the yes for its folder.
    fn folder_walls(
        &self,
        judged: &Judged,
        not_kept: Vec<PathBuf>,
        equipment: &Equipment,
    ) -> Option<Arc<FolderWalls>> {
        let caches = equipment.caches.clone();
        judged.ruling.in_folder.then(|| Arc::new(FolderWalls { not_kept, caches, began: self.began }))
    }

    fn spawn(&self, running: &mut Running, call: ToolCall, context: CallContext, not_lent: Vec<LoanError>) {
        let (registry, id) = (self.core.registry.clone(), call.id.clone());
        let handle = running.calls.spawn(async move {
            let started = Instant::now();
            let mut result = match registry.get(&call.tool) {
                Some(tool) => tool.run(&call.parameters, &context).await,
                None => ToolResult::said(CallStatus::Failed, say::no_tool(&call.tool)),
            };
            for why in not_lent {
                result.content += &format!("\nNot lent to it: {why}.");
            }
            (result, u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX))
        });
        running.ids.insert(handle.id(), id);
    }

    /// Journals the end of a call, or the start of its background command. Time spent waiting for a person does not
    /// count.
    pub(super) async fn end(
        &self,
        journal: &mut TaskJournal,
        background: &Background,
        running: &mut Running,
        ended: Ended,
        waited: Duration,
    ) {
        let Ended { call, mut result, duration_ms } = ended;
        let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
        let manifest = running.snapshots.get(&call).map(|(_, manifest)| manifest.clone());
        let started = background.started_by(&call, manifest);
        let runs_on = started.is_some();
        if let Some(started) = started {
            // The changes are determined when the background command ends.
            running.snapshots.remove(&call);
            journal.emit(TaskEvent::BackgroundStarted(started));
        }
        if let Some((snapshot, manifest)) = running.snapshots.remove(&call) {
            snapshot.tell_changes(&manifest, &mut result).await;
            journal.drop_later(manifest);
        }
        if result.status == CallStatus::Ok
            && let Some(steps) = journal.call(&call).as_ref().and_then(deputy_tools::todo_steps)
        {
            let call = call.clone();
            journal.emit(TaskEvent::TodoChanged(TodoChanged { call, steps }));
        }
        if journal.call(&call).is_some_and(|call| call.tool == DELEGATE) {
            match took(&self.core, journal.task(), &call) {
                Ok(took) => took.into_iter().for_each(|took| journal.emit(TaskEvent::SubtasksEnded(took))),
                Err(error) => tracing::warn!("what the sub-tasks of {call} took is not known: {error}"),
            }
        }
        if !runs_on && journal.call(&call).is_some_and(|call| call.tool == PYTHON_INFERENCE) {
            journal_inferred(&self.core, journal, &call);
        }
        self.tell_hosts(&mut result);
        journal.finish(&call, crate::redact::result(result), duration_ms.saturating_sub(waited_ms));
    }

    /// Adds to a result the hosts that the task has newly connected to.
    fn tell_hosts(&self, result: &mut ToolResult) {
        let new = self.contexts.reached.take_new();
        let web = result.parts.iter_mut().find_map(|part| match part {
            ResultPart::Web(web) => Some(web),
            _ => None,
        });
        match web {
            Some(web) => web.hosts = new,
            None if new.is_empty() => {}
            None => result.parts.push(ResultPart::Web(WebPart { hosts: new, ..WebPart::default() })),
        }
    }
}

impl Running {
    fn new() -> Self {
        let (wishes, wished) = mpsc::unbounded_channel();
        let (delegates, delegated) = mpsc::unbounded_channel();
        Self {
            calls: JoinSet::new(),
            ids: HashMap::new(),
            snapshots: HashMap::new(),
            wishes,
            wished,
            delegates,
            delegated,
            cancel: CancellationToken::new(),
            grace_ends: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Starts the grace period of a stop. Calls that have not ended after it are cancelled.
    pub(super) fn end_soon(&mut self) {
        self.grace_ends.get_or_insert_with(|| tokio::time::Instant::now() + STOP_GRACE);
    }

    /// Waits for the next event of the running calls. Cancel safe.
    pub(super) async fn next(&mut self, takes_wishes: bool) -> Option<Happened> {
        loop {
            tokio::select! {
                // Report that a call waits for sub-tasks before its end.
                biased;
                Some(started) = self.delegated.recv() => return Some(Happened::Delegated(started)),
                ended = self.calls.join_next_with_id() => {
                    let (task, (result, duration_ms)) = match ended? {
                        Ok(ended) => ended,
                        // A panic in a tool must not end the task.
                        Err(error) => {
                            let id = error.id();
                            (id, (ToolResult::said(CallStatus::Failed, say::tool_failed(error)), 0))
                        }
                    };
                    if let Some(call) = self.ids.remove(&task) {
                        return Some(Happened::Ended(Ended { call, result, duration_ms }));
                    }
                }
                Some(wish) = self.wished.recv(), if takes_wishes => return Some(Happened::Wished(wish)),
                () = at(self.grace_ends), if !self.cancel.is_cancelled() => self.cancel.cancel(),
            }
        }
    }
}

/// Sleeps until an instant; forever if there is none.
async fn at(instant: Option<tokio::time::Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::judge::Judge;
    use crate::driver::testing::Bench;
    use crate::machine::Stage;
    use deputy_testkit::calls;
    use serde_json::json;

    /// Judges the calls of a plan, runs them to their end, and returns their results.
    async fn results(bench: &Bench, journal: &mut TaskJournal, count: usize) -> Vec<ToolResult> {
        let mut judge = Judge::new(bench.core.clone(), journal.machine().spec());
        let ids: Vec<CallId> = (1..=count).map(|index| CallId::of(journal.task(), 1, index)).collect();
        for id in &ids {
            let looked_at = judge.look_at(journal, id).await.unwrap();
            judge.decide(journal, looked_at, None);
        }
        let ready = judge.before_running(journal, &ids).await.unwrap();
        let background = Background::new(bench.core.clone(), journal);
        let mut runner = Runner::new(bench.core.clone());
        let mut running = runner.start(journal, &background, ready).await.unwrap();
        let mut results = Vec::new();
        while let Some(happened) = running.next(true).await {
            let Happened::Ended(ended) = happened else { panic!("nothing is asked for") };
            results.push(ended.result.clone());
            runner.end(journal, &background, &mut running, ended, Duration::ZERO).await;
        }
        assert!(running.is_empty());
        results
    }

    #[tokio::test]
    async fn calls_run_at_the_same_time_and_each_end_is_journalled() {
        let bench = Bench::new();
        bench.home.write("a.txt", "first\n").unwrap();
        bench.home.write("b.txt", "second\n").unwrap();
        let read = |path| ("code", json!({"action": "read", "path": path}));
        let mut journal = bench.task(bench.spec("t1"), calls([read("a.txt"), read("b.txt")])).await;
        let results = results(&bench, &mut journal, 2).await;
        assert!(results.iter().all(|result| result.status == CallStatus::Ok), "{results:?}");
        journal.commit().await.unwrap();
        let events = bench.core.store.task_events(journal.task(), 0, 100).unwrap();
        let ended = events.iter().filter(|record| matches!(record.event, TaskEvent::ToolFinished(_)));
        assert_eq!(ended.count(), 2);
    }

    /// After a stop, a running call has some time to end on its own.
    #[tokio::test]
    async fn a_call_may_end_by_itself_after_stop() {
        let bench = Bench::new();
        bench.home.write("a.txt", "first\n").unwrap();
        let plan = calls([("code", json!({"action": "read", "path": "a.txt"}))]);
        let mut journal = bench.task(bench.spec("t1"), plan).await;
        let mut judge = Judge::new(bench.core.clone(), journal.machine().spec());
        let id = CallId::of(journal.task(), 1, 1);
        let looked_at = judge.look_at(&mut journal, &id).await.unwrap();
        judge.decide(&mut journal, looked_at, None);
        assert!(matches!(journal.machine().call(&id).unwrap().stage, Stage::Decided(_)));
        let ready = judge.before_running(&mut journal, std::slice::from_ref(&id)).await.unwrap();
        let background = Background::new(bench.core.clone(), &journal);
        let mut runner = Runner::new(bench.core.clone());
        let mut running = runner.start(&mut journal, &background, ready).await.unwrap();
        running.end_soon();
        let happened = running.next(true).await.unwrap();
        assert!(matches!(&happened, Happened::Ended(ended) if ended.result.status == CallStatus::Ok));
        assert!(!running.cancel.is_cancelled());
        assert!(running.next(true).await.is_none());
    }
}
