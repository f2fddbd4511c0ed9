//! The journal of one task, and the state machine that results from it. An event is applied immediately and written
//! with the next commit, which comes before every effect outside the process.

use super::DriverError;
use crate::core::Core;
use crate::machine::Machine;
use deputy_protocol::{
    CallId, CallStatus, Digest, EventRecord, Phrase, QueueRank, TaskEvent, TaskId, ToolCall, ToolFinished,
    ToolResult,
};
use deputy_store::StoreError;
use std::pin::Pin;
use std::sync::Arc;

/// The state machine of a task, and the events that are not written yet.
pub(super) struct TaskJournal {
    core: Arc<Core>,
    task: TaskId,
    machine: Machine,
    /// Events that are applied and will be journalled by the next commit.
    pending: Vec<TaskEvent>,
    /// Manifests that are not needed once the pending events are durable.
    spent: Vec<Digest>,
    /// The commit in progress.
    committing: Option<Committing>,
}

/// A transaction in progress, and the manifests that are not needed once it is durable.
struct Committing {
    written: Pin<Box<dyn Future<Output = Result<Vec<EventRecord>, StoreError>> + Send>>,
    spent: Vec<Digest>,
}

impl TaskJournal {
    /// Loads the journal of a task that has begun.
    pub(super) fn load(core: Arc<Core>, task: TaskId) -> Result<Self, DriverError> {
        let machine =
            load_machine(&core, &task)?.ok_or_else(|| DriverError::NoBeginning { task: task.clone() })?;
        Ok(Self { core, task, machine, pending: Vec::new(), spent: Vec::new(), committing: None })
    }

    pub(super) fn task(&self) -> &TaskId {
        &self.task
    }

    pub(super) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Returns the call as planned. The machine only names calls that it has.
    pub(super) fn call(&self, id: &CallId) -> Option<ToolCall> {
        self.machine.call(id).map(|progress| progress.call.clone())
    }

    /// Returns the rank among the queued tasks. `None` once the task has begun.
    pub(super) fn rank(&self) -> Result<Option<QueueRank>, StoreError> {
        match self.machine.iteration() {
            0 => Ok(self.core.store.task(&self.task)?.and_then(|task| task.queue_rank)),
            _ => Ok(None),
        }
    }

    /// Applies an event and queues it for the journal. Only for events without an effect outside the process so far.
    pub(super) fn emit(&mut self, event: TaskEvent) {
        self.machine.apply(&event);
        self.pending.push(event);
    }

    /// Ends a call.
    pub(super) fn finish(&mut self, call: &CallId, result: ToolResult, duration_ms: u64) {
        self.emit(TaskEvent::ToolFinished(ToolFinished { call: call.clone(), result, duration_ms }));
    }

    /// Ends a call that did not run, or whose result is unknown.
    pub(super) fn fail(&mut self, call: &CallId, status: CallStatus, message: impl Into<Phrase>) {
        self.finish(call, ToolResult::said(status, message), 0);
    }

    /// Reports to the planner that a call is denied.
    pub(super) fn refuse(&mut self, call: &CallId, reason: impl Into<Phrase>) {
        self.finish(call, ToolResult::denied(reason), 0);
    }

    /// Applies an event that the store has written.
    pub(super) fn apply_written(&mut self, event: &TaskEvent) {
        self.machine.apply(event);
    }

    /// Makes all emitted events durable.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        self.begin_commit().await?;
        self.finish_commit().await
    }

    /// Queues all emitted events as one transaction, without waiting for it. Used before a plan is requested or
    /// something is only read, because both can simply be repeated. Their results are used after
    /// [`TaskJournal::finish_commit`].
    pub(super) async fn begin_commit(&mut self) -> Result<(), StoreError> {
        // Only one commit at a time: no event may be in the journal without those before it.
        self.finish_commit().await?;
        if !self.pending.is_empty() {
            let events = std::mem::take(&mut self.pending);
            let written = Box::pin(self.core.store.append(&self.task, self.core.now_ms(), events));
            self.committing = Some(Committing { written, spent: std::mem::take(&mut self.spent) });
        }
        Ok(())
    }

    /// Waits for the commit in progress.
    pub(super) async fn finish_commit(&mut self) -> Result<(), StoreError> {
        if let Some(committing) = &mut self.committing {
            let written = (&mut committing.written).await;
            let spent = std::mem::take(&mut committing.spent);
            self.committing = None;
            written?;
            self.drop_all(spent)?;
        }
        Ok(())
    }

    /// Writes events and applies them. If the inbox refuses them, nothing is applied.
    pub(super) async fn write(&mut self, events: Vec<TaskEvent>) -> Result<(), StoreError> {
        self.finish_commit().await?;
        let all = self.pending.iter().chain(&events).cloned().collect();
        self.core.store.append(&self.task, self.core.now_ms(), all).await?;
        self.pending.clear();
        events.iter().for_each(|event| self.machine.apply(event));
        // No events are left to write, but manifests may have to be dropped.
        let spent = std::mem::take(&mut self.spent);
        self.drop_all(spent)
    }

    /// Drops a manifest once everything is durable.
    pub(super) fn drop_later(&mut self, manifest: Digest) {
        self.spent.push(manifest);
    }

    fn drop_all(&self, manifests: Vec<Digest>) -> Result<(), StoreError> {
        manifests.iter().try_for_each(|manifest| self.core.store.drop_blob(manifest))
    }

    /// Cleans up after a failed write: waits for the commit in progress, and discards events that were applied but not
    /// written. [`TaskJournal::reload`] must follow.
    pub(super) async fn forget_unwritten(&mut self) {
        // The outcome is in the journal.
        let _ = self.finish_commit().await;
        self.pending.clear();
        self.spent.clear();
    }

    /// Reads the journal again.
    pub(super) fn reload(&mut self) -> Result<(), DriverError> {
        let machine = load_machine(&self.core, &self.task)?;
        self.machine = machine.ok_or_else(|| DriverError::NoBeginning { task: self.task.clone() })?;
        Ok(())
    }
}

/// Replays a task's journal page by page. `None` if it does not begin with the creation of the task.
pub(crate) fn load_machine(core: &Core, task: &TaskId) -> Result<Option<Machine>, StoreError> {
    const PAGE: u32 = 1_000;
    let mut machine: Option<Machine> = None;
    let mut after = 0;
    loop {
        let page = core.store.task_events(task, after, PAGE)?;
        for record in &page {
            match (&mut machine, &record.event) {
                (Some(machine), event) => machine.apply(event),
                (None, TaskEvent::Created(created)) => machine = Some(Machine::new(created)),
                (None, _) => return Ok(None),
            }
            after = record.seq;
        }
        if page.len() < PAGE as usize {
            return Ok(machine);
        }
    }
}

/// Calls a function for each event of a task, in order.
pub(crate) fn look_through(
    core: &Core,
    task: &TaskId,
    mut look: impl FnMut(TaskEvent),
) -> Result<(), StoreError> {
    const PAGE: u32 = 1_000;
    let mut after = 0;
    loop {
        let page = core.store.task_events(task, after, PAGE)?;
        let is_last = page.len() < PAGE as usize;
        for record in page {
            after = record.seq;
            look(record.event);
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Returns the result of a call, from the journal of its task.
pub(crate) fn result_of(core: &Core, task: &TaskId, call: &CallId) -> Result<Option<ToolResult>, StoreError> {
    let mut found = None;
    look_through(core, task, |event| {
        if let TaskEvent::ToolFinished(end) = event
            && end.call == *call
        {
            found = Some(end.result);
        }
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use crate::driver::testing::Bench;
    use deputy_protocol::{Steered, TaskEvent};
    use deputy_testkit::calls;
    use serde_json::json;

    fn steered(text: &str) -> TaskEvent {
        TaskEvent::Steered(Steered { text: text.into(), named: Vec::new() })
    }

    /// Events that were applied but not written are discarded; a commit in progress is kept.
    #[tokio::test]
    async fn what_is_not_written_is_forgotten() {
        let bench = Bench::new();
        let plan = calls([("code", json!({"action": "read", "path": "a.txt"}))]);
        let mut journal = bench.task(bench.spec("t1"), plan).await;
        journal.emit(steered("one"));
        journal.begin_commit().await.unwrap();
        journal.emit(steered("two"));
        journal.forget_unwritten().await;
        journal.reload().unwrap();
        journal.commit().await.unwrap();
        let events = bench.core.store.task_events(journal.task(), 0, 100).unwrap();
        let texts: Vec<&str> = events
            .iter()
            .filter_map(|record| match &record.event {
                TaskEvent::Steered(steered) => Some(steered.text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(texts, ["one"]);
    }
}
