//! Conversations that begin as copies of others: forked at a step, or imported from a file.

use super::drivers::Drivers;
use super::{HostError, each_event, existing, place};
use crate::copying::{Extent, Source, continuing, copied};
use crate::core::Core;
use crate::driver::{Signal, load_machine};
use crate::{ids, named_paths};
use deputy_messages::agent as say;
use deputy_protocol::{
    CommandId, ErrorBody, ErrorCode, EventRecord, ForkCommand, ImportConversationCommand, ImportedOutcome,
    Limits, Performs, Scope, SessionId, StartedOutcome, Steered, TaskEvent, TaskId, TaskSpec,
};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of earlier tasks that are copied with a forked task.
const MOST_BEFORE: u32 = 100;
/// The maximum number of events of an import, which are kept in memory until its last part.
const MOST_EVENTS: usize = 200_000;

/// Makes copies.
pub(super) struct Copies {
    core: Arc<Core>,
    drivers: Arc<Drivers>,
    /// The incomplete import: its id, the number of its next part, and its events so far.
    begun: Mutex<Option<(String, u32, Vec<EventRecord>)>>,
}

impl Copies {
    pub(super) fn new(core: Arc<Core>, drivers: Arc<Drivers>) -> Self {
        Self { core, drivers, begun: Mutex::default() }
    }

    /// Returns the events of a task, starting with its creation.
    fn story(&self, task: &TaskId) -> Result<(TaskSpec, Vec<TaskEvent>), ErrorBody> {
        let mut story = Vec::new();
        each_event(&self.core, task, |record| story.push(record.event.clone()))?;
        match story.first() {
            Some(TaskEvent::Created(created)) => Ok((created.spec.clone(), story)),
            _ => Err(no_beginning()),
        }
    }

    async fn write(&self, task: &TaskId, events: Vec<TaskEvent>) -> Result<(), ErrorBody> {
        self.core.store.append(task, self.core.now_ms(), events).await.map_err(HostError::from)?;
        Ok(())
    }

    /// Copies the earlier tasks of a conversation.
    async fn copy_before(&self, of: &TaskSpec, to: &TaskId, session: &SessionId) -> Result<(), ErrorBody> {
        let before =
            self.core.store.tasks_before(&of.session, &of.id, MOST_BEFORE).map_err(HostError::from)?;
        let mut ended = Vec::new();
        for task in before {
            let (spec, story) = self.story(&task.id)?;
            let id = TaskId(ids::derived('t', &format!("{to} {}", task.id)));
            let spec = TaskSpec {
                id: id.clone(),
                session: session.clone(),
                standing_consent: None,
                parent: None,
                ..spec
            };
            let is_there = self.core.store.task(&id).map_err(HostError::from)?.is_some();
            if let Some(copy) = copied(&story, spec, Extent::Whole, Source::Here).filter(|_| !is_there) {
                self.write(&id, copy).await?;
                ended.push(id);
            }
        }
        self.forget_notices(ended).await
    }

    /// Suppresses notices about the end of copied tasks.
    async fn forget_notices(&self, tasks: Vec<TaskId>) -> Result<(), ErrorBody> {
        let seen = tasks.iter().map(ToString::to_string).collect();
        self.core.store.finish_notices(seen, Vec::new()).await.map_err(HostError::from)?;
        Ok(())
    }
}

impl Performs<ForkCommand> for Copies {
    async fn perform(&self, command: &CommandId, fork: ForkCommand) -> Result<StartedOutcome, ErrorBody> {
        let id = TaskId(ids::derived('t', command.as_str()));
        if self.core.store.task(&id).map_err(HostError::from)?.is_none() {
            let text = fork.text.trim();
            if text.is_empty() {
                return Err(ErrorBody::new(
                    ErrorCode::EmptyGoal,
                    say::task_is_empty(),
                    say::say_what_to_do(),
                ));
            }
            existing(&self.core, &fork.task)?;
            let (spec, story) = self.story(&fork.task)?;
            let session = SessionId(ids::derived('s', command.as_str()));
            let (backend, model) = match load_machine(&self.core, &fork.task).map_err(HostError::from)? {
                Some(machine) => {
                    let (backend, model) = machine.route();
                    (backend.to_owned(), model.map(str::to_owned))
                }
                None => (spec.backend.clone(), spec.model.clone()),
            };
            let last = story.iter().rev().find_map(|event| match event {
                TaskEvent::IterationStarted(started) => Some(started.iteration),
                _ => None,
            });
            let last = last.unwrap_or(0);
            // Without a named step, the newest step that has ended is used.
            let steps = match fork.step {
                Some(step) => step..=step,
                None => last.saturating_sub(1)..=last,
            };
            let mut steps = steps.rev().filter(|step| *step > 0);
            let copy = |step: u32| {
                let mut limits = spec.limits.clone();
                if limits.max_iterations > 0 {
                    limits.max_iterations = limits.max_iterations.saturating_add(step);
                }
                let (id, session) = (id.clone(), session.clone());
                let (backend, model) = (backend.clone(), model.clone());
                let spec = TaskSpec {
                    id,
                    session,
                    backend,
                    model,
                    limits,
                    standing_consent: None,
                    parent: None,
                    ..spec.clone()
                };
                Some((step, copied(&story, spec, Extent::Through(step), Source::Here)?))
            };
            let Some((step, mut events)) = steps.find_map(copy) else {
                let step = fork.step.unwrap_or(last);
                let message = say::step_has_not_ended(u64::from(step), &fork.task);
                return Err(ErrorBody::new(
                    ErrorCode::BadText,
                    message,
                    say::deputy_show_tells_how(&fork.task),
                ));
            };
            let named = named_paths::named(text, &self.core.user_home, Some(Path::new(&spec.workspace)));
            let said = Steered { text: crate::redact::text(text).into_owned(), named };
            events.extend(continuing(&fork.task, step, said));
            self.copy_before(&spec, &id, &session).await?;
            self.write(&id, events).await?;
        }
        self.drivers.drive(&id).await?;
        self.drivers.signal(&id, Signal::Resume).await?;
        Ok(StartedOutcome { task: existing(&self.core, &id)? })
    }
}

impl Performs<ImportConversationCommand> for Copies {
    /// Creates the tasks as they were exported. All of them have ended: nothing of them runs, is granted or can be
    /// undone.
    async fn perform(
        &self,
        command: &CommandId,
        import: ImportConversationCommand,
    ) -> Result<ImportedOutcome, ErrorBody> {
        let workspace = place::workspace(&import.workspace, &self.core.home)?;
        let Some(events) = self.gather(import)? else {
            return Ok(ImportedOutcome { imported: 0, present: 0, task: None });
        };
        let config = self.core.config();
        let session = SessionId(ids::derived('s', command.as_str()));
        let mut copies = Vec::new();
        for (number, (of, story)) in by_task(events).into_iter().enumerate() {
            let Some(TaskEvent::Created(created)) = story.first() else { return Err(no_beginning()) };
            let old = created.spec.clone();
            let is_here = self.core.profiles.current(&old.profile).is_ok();
            let id = TaskId(ids::derived('t', &format!("{command} {number} {of}")));
            let spec = TaskSpec {
                id: id.clone(),
                session: session.clone(),
                goal: crate::redact::text(&old.goal).into_owned(),
                profile: if is_here { old.profile } else { config.profile.clone() },
                backend: old.backend,
                model: old.model,
                workspace: workspace.clone(),
                scope: Scope::default(),
                limits: Limits::default(),
                standing_consent: None,
                parent: None,
                terminal: None,
            };
            let copy = copied(&story, spec, Extent::Whole, Source::File).ok_or_else(no_beginning)?;
            copies.push((id, copy));
        }
        let task = copies.last().map(|(id, _)| id.clone());
        let (mut imported, mut ended) = (0, Vec::new());
        for (id, copy) in copies {
            if self.core.store.task(&id).map_err(HostError::from)?.is_none() {
                self.write(&id, copy).await?;
                imported += 1;
                ended.push(id);
            }
        }
        self.forget_notices(ended).await?;
        Ok(ImportedOutcome { imported, present: 0, task })
    }
}

impl Copies {
    /// Adds a part of an import to those before it. Returns the whole import after its last part.
    fn gather(&self, import: ImportConversationCommand) -> Result<Option<Vec<EventRecord>>, ErrorBody> {
        let refused = |message| Err(ErrorBody::new(ErrorCode::BadText, message, say::nothing_was_imported()));
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let part = import.part;
        let mut events = match begun.take() {
            _ if part.number == 0 => Vec::new(),
            Some((id, next, events)) if id == part.id && next == part.number => events,
            _ => return refused(say::part_without_those_before(u64::from(part.number))),
        };
        events.extend(import.events);
        if events.len() > MOST_EVENTS {
            return refused(say::conversation_is_too_long(MOST_EVENTS));
        }
        if part.is_last {
            return Ok(Some(events));
        }
        *begun = Some((part.id, part.number + 1, events));
        Ok(None)
    }
}

/// Groups events by task, in the order in which the tasks begin.
fn by_task(events: Vec<EventRecord>) -> Vec<(TaskId, Vec<TaskEvent>)> {
    let mut tasks: Vec<(TaskId, Vec<TaskEvent>)> = Vec::new();
    for record in events {
        match tasks.iter_mut().find(|(task, _)| *task == record.task) {
            Some((_, story)) => story.push(record.event),
            None => tasks.push((record.task, vec![record.event])),
        }
    }
    tasks
}

fn no_beginning() -> ErrorBody {
    ErrorBody::new(ErrorCode::BadText, say::story_has_no_beginning(), say::nothing_was_imported())
}
