//! Sub-tasks: parts of a task that are delegated to other tasks. A sub-task is an ordinary task, limited to the
//! permissions and the remaining limits of the task that delegated it. Its id is derived from the call, so that a call
//! that runs again after a crash finds it.

use super::journal::{TaskJournal, load_machine, look_through};
use crate::backends;
use crate::core::Core;
use crate::ids;
use crate::lineage::{above, below, has_ended};
use crate::machine::{Left, Machine};
use crate::profile::Profile;
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{
    CallId, Created, Limits, ParentCall, Scope, SessionId, StopReason, StopRequested, Stopped, SubtasksEnded,
    SubtasksStarted, TaskEvent, TaskId, TaskSpec, TaskSummary,
};
use deputy_store::{MirroredEvent, StoreError};
use deputy_tools::{CallContext, Delegates, EndedPart, Part};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::mpsc::UnboundedSender;

/// The maximum depth of sub-tasks: a task started by a person may have sub-tasks, these may have sub-tasks too, and
/// those may not.
const DEEPEST: usize = 2;
/// The maximum number of sub-tasks of a task started by a person, at all depths, over its lifetime.
const MOST_SUBTASKS: usize = 32;

/// Starts and stops tasks.
#[async_trait]
pub(crate) trait Children: Send + Sync {
    /// Runs a task that is in the journal.
    async fn drive(&self, task: &TaskId) -> Result<(), Phrase>;

    /// Requests a task to stop, and returns once the request is journalled.
    async fn stop(&self, task: &TaskId) -> Result<(), Phrase>;
}

/// Delegates parts of one task.
pub(super) struct TaskDelegates {
    core: Arc<Core>,
    spec: TaskSpec,
    /// The backend that plans now, and its model.
    route: (String, Option<String>),
    left: Left,
    /// The paths that the user named, which its sub-tasks may read, too.
    named: Vec<String>,
    /// The channel on which the driver learns which sub-tasks a call waits for.
    started: UnboundedSender<SubtasksStarted>,
}

impl TaskDelegates {
    pub(super) fn new(core: Arc<Core>, machine: &Machine, started: UnboundedSender<SubtasksStarted>) -> Self {
        let (backend, model) = machine.route();
        let route = (backend.to_owned(), model.map(str::to_owned));
        let named = machine.named().to_vec();
        Self { core, spec: machine.spec().clone(), route, left: machine.left(), named, started }
    }

    /// Creates a task for each part, with an id derived from the call and the number of the part.
    fn specs(&self, call: &CallId, parts: &[Part]) -> Result<Vec<TaskSpec>, Phrase> {
        let specs = parts.iter().enumerate().map(|(at, part)| {
            let id = TaskId(ids::derived('t', &format!("part {at} of {call}")));
            let spec = self.spec(id, call, part, parts.len() as u64);
            spec.map_err(|problem| say::part_not_handed_over(at as u64 + 1, problem))
        });
        specs.collect()
    }

    fn spec(&self, id: TaskId, call: &CallId, part: &Part, parts: u64) -> Result<TaskSpec, Phrase> {
        let name = part.profile.clone().unwrap_or_else(|| self.spec.profile.clone());
        let profile = self.profile(&name)?;
        // A profile with a backend is designed for that backend. For any other profile, the current backend plans.
        let (backend, model) = match &profile.backend {
            Some(backend) => (backend.clone(), profile.model.clone()),
            None => (self.route.0.clone(), profile.model.clone().or_else(|| self.route.1.clone())),
        };
        let mut checked = self.core.config().as_ref().clone();
        if let Some(model) = &model {
            let settings = checked.backends.entry(backend.clone()).or_default();
            settings.insert("model".to_owned(), model.as_str().into());
        }
        backends::check(&self.core.home, &checked, &backend).map_err(|error| error.message)?;
        let own = &self.spec.limits;
        let mut limits = within(profile.limits.over(own.clone()), own);
        limits.max_iterations = least(limits.max_iterations, part.max_steps.unwrap_or(0));
        limits.max_tokens = least(limits.max_tokens, part.max_tokens.unwrap_or(0));
        Ok(TaskSpec {
            session: SessionId(ids::derived('s', id.as_str())),
            id,
            goal: part.goal.clone(),
            profile: name,
            backend,
            model,
            workspace: self.spec.workspace.clone(),
            scope: self.scope(part)?,
            limits: self.shared(limits, parts)?,
            standing_consent: self.spec.standing_consent,
            parent: Some(ParentCall { task: self.spec.id.clone(), call: call.clone() }),
            terminal: self.spec.terminal.clone(),
        })
    }

    /// Returns the limits of a part. Each part gets an equal share of the remaining time and money, because the usage
    /// of parts counts toward the task.
    fn shared(&self, limits: Limits, parts: u64) -> Result<Limits, Phrase> {
        let share = |left: Option<u64>, nothing_left: fn() -> Phrase| match left {
            None => Ok(0),
            Some(left) if left < parts => Err(nothing_left()),
            Some(left) => Ok(left / parts),
        };
        Ok(Limits {
            max_tokens: least(limits.max_tokens, share(self.left.tokens, say::no_tokens_left)?),
            max_cost_cents: least(limits.max_cost_cents, share(self.left.cost_cents, say::no_money_left)?),
            max_wall_secs: least(limits.max_wall_secs, share(self.left.wall_secs, say::no_time_left)?),
            ..limits
        })
    }

    /// Returns a profile that has no more tools than the task's own, or that the task's profile names.
    fn profile(&self, name: &str) -> Result<Arc<Profile>, Phrase> {
        let own = self.core.profiles.current(&self.spec.profile).map_err(|error| error.to_string())?;
        let profile = self.core.profiles.current(name).map_err(|error| error.to_string())?;
        let more: Vec<&str> =
            profile.tools.iter().filter(|tool| !own.has_tool(tool)).map(String::as_str).collect();
        if more.is_empty() || own.delegates.iter().any(|named| named == name) {
            return Ok(profile);
        }
        Err(say::profile_has_more_tools(&self.spec.profile, name, more.join(", ")))
    }

    /// Returns the scope of a part, which is not wider than that of this task.
    fn scope(&self, part: &Part) -> Result<Scope, Phrase> {
        let own = &self.spec.scope;
        let workspace = std::slice::from_ref(&self.spec.workspace);
        let writable = match (own.read_only, own.write.as_slice()) {
            (true, _) => &[],
            (false, []) => workspace,
            (false, write) => write,
        };
        let readable = match own.only_files.as_slice() {
            [] => [workspace, &own.read, &own.write, &self.named].concat(),
            files => files.to_vec(),
        };
        let mut scope = own.clone();
        if let Some(paths) = &part.may_change {
            // It may still read what this task may change.
            scope.read.extend(own.write.iter().cloned());
            scope.write = self.within(paths, writable, say::may_not_change)?;
            scope.read_only = scope.write.is_empty();
        }
        if let Some(paths) = &part.may_read {
            scope.only_files = self.within(paths, &readable, say::may_not_read)?;
            match &part.may_change {
                Some(paths) => scope.only_files.extend(self.within(paths, &readable, say::may_not_read)?),
                // What it may read outside of the workspace does not become what it may change.
                None => scope.write = writable.to_vec(),
            }
        }
        Ok(scope)
    }

    /// Returns the real paths, which need not exist. Fails for one that is not in any of these files and folders.
    fn within(
        &self,
        paths: &[PathBuf],
        all: &[String],
        refused: impl Fn(String) -> Phrase,
    ) -> Result<Vec<String>, Phrase> {
        let situation = self.core.situation(PathBuf::from(&self.spec.workspace), Vec::new());
        let within = |path: &PathBuf| {
            let given = path.to_str().ok_or_else(|| say::path_not_utf_8(path.display()))?;
            let real = deputy_policy::path::real(&situation, Path::new("/"), given)
                .ok_or_else(|| say::path_leads_nowhere(given))?;
            if !all.iter().any(|one| real.starts_with(one)) {
                return Err(refused(given.to_owned()));
            }
            real.into_os_string().into_string().map_err(|name| say::path_not_utf_8(name.display()))
        };
        paths.iter().map(within).collect()
    }

    /// Checks that the task may start this many more sub-tasks.
    fn room_for(&self, parts: usize) -> Result<(), Phrase> {
        let above = above(&self.core, self.spec.parent.as_ref())?;
        if above.len() >= DEEPEST {
            return Err(say::too_deep(DEEPEST as u64));
        }
        let root = above.last().map_or(&self.spec.id, |root| &root.id);
        let there = below(&self.core, root)?.len();
        if there + parts > MOST_SUBTASKS {
            return Err(say::too_many_subtasks(MOST_SUBTASKS as u64, there as u64));
        }
        Ok(())
    }

    /// Creates the tasks that are not in the journal yet.
    async fn create(&self, specs: Vec<TaskSpec>) -> Result<(), Phrase> {
        let mut missing = Vec::new();
        for spec in specs {
            if self.core.store.task(&spec.id)?.is_none() {
                missing.push(spec);
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        self.room_for(missing.len())?;
        for spec in missing {
            let id = spec.id.clone();
            let created = vec![TaskEvent::Created(Created { spec, notice: None, named: self.named.clone() })];
            self.core.store.append(&id, self.core.now_ms(), created).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Delegates for TaskDelegates {
    async fn delegate(&self, cx: &CallContext, parts: &[Part]) -> Result<Vec<EndedPart>, Phrase> {
        let children = self.core.children().ok_or_else(say::deputy_is_ending)?;
        let known = self.core.store.subtasks(&self.spec.id)?;
        let known = known.iter().filter(|part| part.parent.as_ref().is_some_and(|by| by.call == cx.call));
        // If a call runs again, all tasks are in the journal, except those that were not created before a crash.
        if known.count() < parts.len() {
            self.create(self.specs(&cx.call, parts)?).await?;
        }
        let mut events = self.core.store.subscribe();
        let of_call = || {
            let all = self.core.store.subtasks(&self.spec.id)?;
            let is_of = |part: &TaskSummary| part.parent.as_ref().is_some_and(|by| by.call == cx.call);
            Ok::<Vec<TaskSummary>, Phrase>(all.into_iter().filter(is_of).collect())
        };
        let tasks = of_call()?.into_iter().map(|part| part.id).collect();
        // Fails if the driver is about to end; the call continues anyway.
        let _ = self.started.send(SubtasksStarted { call: cx.call.clone(), tasks });
        for part in of_call()?.iter().filter(|part| !has_ended(part)) {
            children.drive(&part.id).await?;
        }
        let mut told = 0;
        loop {
            let all = of_call()?;
            let ended = all.iter().filter(|part| has_ended(part)).count();
            if ended > told {
                (cx.progress)(&format!("{ended} of {} sub-tasks have ended\n", all.len()));
                told = ended;
            }
            if ended == all.len() {
                return all.iter().map(|part| self.ended(part)).collect();
            }
            tokio::select! {
                () = next_end(&mut events) => {}
                () = cx.cancel.cancelled() => return Err(say::stopped_before_subtasks()),
            }
        }
    }
}

impl TaskDelegates {
    /// Returns how a part ended.
    fn ended(&self, part: &TaskSummary) -> Result<EndedPart, Phrase> {
        let mut end: Option<Stopped> = None;
        look_through(&self.core, &part.id, |event| {
            if let TaskEvent::Stopped(stopped) = event {
                end = Some(stopped);
            }
        })?;
        let stopped = end.ok_or_else(|| say::subtask_has_not_ended(&part.id))?;
        let report = stopped.report.map(|report| *report).unwrap_or_default();
        let how = match stopped.reason {
            StopReason::Completed => "is done",
            StopReason::ManualStop => "was stopped by the user",
            StopReason::Error => "failed",
            StopReason::IterationLimit => "reached its limit of steps",
            StopReason::Denied => "ended after the user said no",
            StopReason::NeedsModel => "had no model that could do it",
        };
        let steps = report.steps;
        Ok(EndedPart {
            task: part.id.clone(),
            outcome: format!("{how} after {steps} {}", if steps == 1 { "step" } else { "steps" }),
            is_done: stopped.reason == StopReason::Completed,
            summary: stopped.summary.to_string(),
            files: report.changed.into_iter().map(|file| file.path).collect(),
            more_files: report.more_files as usize,
        })
    }
}

/// Returns the stricter of two limits. 0 means no limit.
fn least<T: Ord + Default>(one: T, other: T) -> T {
    let none = T::default();
    match (one == none, other == none) {
        (true, _) => other,
        (_, true) => one,
        _ => one.min(other),
    }
}

/// Restricts the limits of a task to those of another.
fn within(limits: Limits, own: &Limits) -> Limits {
    macro_rules! within {
        ($($field:ident)+) => { Limits { $($field: least(limits.$field, own.$field)),+ } };
    }
    within!(
        max_iterations max_wall_secs max_tokens max_cost_cents day_tokens day_cost_cents inference_tokens tool_output_chars
        context_tokens request_expiry_secs brake_after parallel_calls command_secs command_default_secs
        command_cpu_secs command_memory_mib command_processes command_file_mib command_output_mib
        background_commands background_secs
    )
}

/// Waits until any task has ended, or until events were missed.
async fn next_end(events: &mut Receiver<MirroredEvent>) {
    loop {
        match events.recv().await {
            Ok(mirrored) if matches!(mirrored.record.event, TaskEvent::Stopped(_)) => return,
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Returns the usage and the changes of the sub-tasks of a call. `None` if the call delegated nothing.
pub(super) fn took(core: &Core, task: &TaskId, call: &CallId) -> Result<Option<SubtasksEnded>, StoreError> {
    let mut parts = core.store.subtasks(task)?;
    parts.retain(|part| part.parent.as_ref().is_some_and(|by| by.call == *call));
    if parts.is_empty() {
        return Ok(None);
    }
    let mut took = SubtasksEnded {
        call: call.clone(),
        files: Vec::new(),
        tokens: 0,
        cost_micros: None,
        is_unpriced: false,
        active_ms: 0,
    };
    for part in parts {
        if let Some(machine) = load_machine(core, &part.id)? {
            machine.add_to(&mut took);
        }
    }
    Ok(Some(took))
}

/// Requests all sub-tasks of a task to stop. Does not wait for them.
pub(super) async fn stop_all(core: &Core, task: &TaskId) -> Result<(), StoreError> {
    let Some(children) = core.children() else { return Ok(()) };
    for part in core.store.subtasks(task)?.iter().filter(|part| !has_ended(part)) {
        if let Err(error) = children.stop(&part.id).await {
            tracing::warn!("the sub-task {} cannot be stopped: {error}", part.id);
        }
    }
    Ok(())
}

/// Stops a sub-task whose parent task has ended, in case a crash came between the two.
pub(super) async fn end_with_parent(core: &Core, journal: &mut TaskJournal) -> Result<(), StoreError> {
    let machine = journal.machine();
    let Some(parent) = &machine.spec().parent else { return Ok(()) };
    let is_over = core.store.task(&parent.task)?.is_some_and(|parent| has_ended(&parent));
    if is_over && !machine.is_stopping() && !machine.has_ended() {
        journal.emit(TaskEvent::StopRequested(StopRequested {}));
        journal.commit().await?;
    }
    Ok(())
}

/// Requests all sub-tasks of a task to stop, and waits until they have ended.
pub(super) async fn end_all(core: &Core, task: &TaskId) -> Result<(), StoreError> {
    let mut events = core.store.subscribe();
    stop_all(core, task).await?;
    while core.store.subtasks(task)?.iter().any(|part| !has_ended(part)) {
        next_end(&mut events).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_of_a_part_is_wider_and_none_is_the_widest() {
        let own = Limits { max_tokens: 100, max_iterations: 10, max_cost_cents: 0, ..Limits::default() };
        let asked = Limits { max_tokens: 0, max_iterations: 50, max_cost_cents: 7, ..Limits::default() };
        let limits = within(asked, &own);
        assert_eq!((limits.max_tokens, limits.max_iterations, limits.max_cost_cents), (100, 10, 7));
        let all = Limits { max_iterations: 3, ..Limits::default() };
        assert_eq!(within(all.clone(), &Limits::default()), all);
    }
}
