//! The status of a task, derived from its journal. The status is derived only here: the agent's state machine, the
//! store's tables and every screen use this module.

use crate::{
    Answerer, AwaitingProviderTask, AwaitingSubtasksTask, CallId, Choice, InterruptedTask, PauseReason,
    PausedTask, ProviderWait, QueuedTask, RequestId, RunningTask, StoppedTask, TaskEvent, TaskState,
};
use serde::{Deserialize, Serialize};

/// The status of a task. It is built from events alone, and serialized only into the store's table of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskStatus {
    /// The task has not ended.
    Open(OpenTask),
    /// The task has ended. This status is final.
    Stopped(StoppedTask),
}

/// A task that has not ended: its current iteration and everything that keeps it from working.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTask {
    /// The current iteration, from 1; 0 before the first one.
    iteration: u32,
    /// What keeps the task from working until `Resumed`.
    hold: Option<Hold>,
    /// Unanswered questions and permission requests, oldest first.
    asked: Vec<Asked>,
    /// The number of permission requests that were denied.
    #[serde(default)]
    denied: u32,
    /// The calls whose sub-tasks the task is waiting for.
    #[serde(default)]
    delegated: Vec<CallId>,
}

/// What keeps a task from working until `Resumed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Hold {
    /// The task's process died.
    Interrupted,
    /// The task paused.
    Paused(PauseReason),
    /// The model's provider wants no request until a time. A switch to another model ends this too.
    Provider(ProviderWait),
}

/// An unanswered question or permission request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Asked {
    Question(RequestId),
    Permission(RequestId),
    /// What a running call requests further. If nobody answers, the call continues without it.
    Midway(RequestId),
}

impl Asked {
    fn id(&self) -> &RequestId {
        match self {
            Self::Question(id) | Self::Permission(id) | Self::Midway(id) => id,
        }
    }
}

/// What a task is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Its first turn to run, which `IterationStarted` ends.
    ToStart,
    /// Its next turn to run after its process died, which `Resumed` ends.
    ToContinue,
    /// The time from which its model's provider accepts requests again, and its next turn to run. `Resumed` ends it.
    Provider(ProviderWait),
    /// Its user, who has to resume the task. It paused for this reason.
    Resume(PauseReason),
    /// An answer to this question.
    Question(RequestId),
    /// An answer to this permission request.
    Permission(RequestId),
    /// Space in the inbox, so that a person can be asked. `Resumed` ends it. The reason is what the task wants to
    /// ask.
    Inbox(PauseReason),
}

impl Default for TaskStatus {
    fn default() -> Self {
        Self::Open(OpenTask::default())
    }
}

impl TaskStatus {
    /// Updates the status with an event:
    ///
    /// | event | afterwards |
    /// |---|---|
    /// | `iteration_started` | the task is in this iteration and is not held |
    /// | `permission_requested`, `question_asked` | the task waits for the answer |
    /// | `permission_answered`, `question_answered` | the task no longer waits for that answer |
    /// | `permission_answered` by its expiry | the task is held until a person wants to be asked again |
    /// | `paused` | the task is held for that reason |
    /// | `plan_failed` with `wait` | the task waits for its model's provider |
    /// | `model_switched` | the task no longer waits for a provider |
    /// | `interrupted` | the task is held until its next turn |
    /// | `resumed` | the task is not held; its unanswered questions and requests stay open |
    /// | `subtasks_started` | the task waits for the sub-tasks of that call |
    /// | `subtasks_ended`, `tool_finished` | the task no longer waits for the sub-tasks of that call |
    /// | `stopped` | the task has ended |
    /// | `undone`, after the end | the task counts as undone if nothing is left to undo |
    /// | `redone`, after the end | the task no longer counts as undone if there is something left to undo |
    /// | all others | unchanged |
    #[expect(clippy::too_many_lines, reason = "an arm for each event")]
    pub fn apply(&mut self, event: &TaskEvent) {
        let task = match self {
            Self::Open(task) => task,
            Self::Stopped(task) => {
                if let TaskEvent::Undone(undone) = event {
                    task.undone |= undone.did_something() && undone.left == Some(0);
                }
                if let TaskEvent::Redone(redone) = event {
                    task.undone &= redone.left == 0;
                }
                return;
            }
        };
        match event {
            TaskEvent::IterationStarted(started) => {
                task.iteration = started.iteration;
                task.hold = None;
            }
            TaskEvent::PermissionRequested(asked) => {
                let id = asked.request.id.clone();
                let is_midway = asked.request.details.wanted.is_some();
                task.asked.push(if is_midway { Asked::Midway(id) } else { Asked::Permission(id) });
            }
            TaskEvent::QuestionAsked(asked) => task.asked.push(Asked::Question(asked.question.id.clone())),
            TaskEvent::PermissionAnswered(answered) => {
                let is_expiry = matches!(answered.by, Answerer::Expiry(_));
                let is_denied = matches!(&answered.choice, Choice::Deny(deny) if !deny.change)
                    && !matches!(answered.by, Answerer::Instruction(_));
                match task.close(&answered.request) {
                    Some(Asked::Permission(_)) if is_expiry => {
                        task.hold = Some(Hold::Paused(PauseReason::Expired));
                    }
                    Some(_) if !is_expiry => {
                        task.denied += u32::from(is_denied);
                    }
                    _ => {}
                }
            }
            TaskEvent::QuestionAnswered(answered) => {
                task.close(&answered.request);
            }
            TaskEvent::Paused(paused) => task.hold = Some(Hold::Paused(paused.reason)),
            TaskEvent::PlanFailed(failed) => {
                if let Some(wait) = &failed.wait {
                    task.hold = Some(Hold::Provider(wait.clone()));
                }
            }
            TaskEvent::ModelSwitched(_) => {
                if matches!(task.hold, Some(Hold::Provider(_))) {
                    task.hold = None;
                }
            }
            TaskEvent::Interrupted(_) => task.hold = Some(Hold::Interrupted),
            TaskEvent::Resumed(_) => task.hold = None,
            TaskEvent::SubtasksStarted(started) => {
                if !task.delegated.contains(&started.call) {
                    task.delegated.push(started.call.clone());
                }
            }
            TaskEvent::SubtasksEnded(ended) => task.delegated.retain(|call| *call != ended.call),
            TaskEvent::ToolFinished(finished) => task.delegated.retain(|call| *call != finished.call),
            TaskEvent::Stopped(stopped) => {
                let (reason, summary) = (stopped.reason, stopped.summary.clone());
                *self = Self::Stopped(StoppedTask { reason, summary, denied: task.denied, undone: false });
            }
            TaskEvent::Created(_)
            | TaskEvent::QueueMoved(_)
            | TaskEvent::Renamed(_)
            | TaskEvent::Archived(_)
            | TaskEvent::Planned(_)
            | TaskEvent::Compacted(_)
            | TaskEvent::Briefed(_)
            | TaskEvent::Oriented(_)
            | TaskEvent::Noted(_)
            | TaskEvent::GuidanceFound(_)
            | TaskEvent::Guided(_)
            | TaskEvent::TodoChanged(_)
            | TaskEvent::BrowserTaken(_)
            | TaskEvent::BrowserReturned(_)
            | TaskEvent::Reviewed(_)
            | TaskEvent::Inferred(_)
            | TaskEvent::CallDecided(_)
            | TaskEvent::RefusalShared(_)
            | TaskEvent::ToolStarted(_)
            | TaskEvent::FileKept(_)
            | TaskEvent::TreeKept(_)
            | TaskEvent::BackgroundStarted(_)
            | TaskEvent::BackgroundEnded(_)
            | TaskEvent::Steered(_)
            | TaskEvent::StopRequested(_)
            | TaskEvent::Undone(_)
            | TaskEvent::Redone(_)
            | TaskEvent::Remembered(_)
            | TaskEvent::MemoryEdited(_)
            | TaskEvent::MemoryForgotten(_)
            | TaskEvent::MemoryRestored(_)
            | TaskEvent::MemoryPromoted(_)
            | TaskEvent::MemoriesPruned(_)
            | TaskEvent::MemoryImported(_) => {}
        }
    }

    /// Returns what the task is waiting for first. `None` while it or its sub-tasks work, and after it has ended.
    pub fn waiting(&self) -> Option<Waiting> {
        match self {
            Self::Open(task) => task.waiting(),
            Self::Stopped(_) => None,
        }
    }

    /// Returns the state as shown on screens.
    pub fn state(&self) -> TaskState {
        let task = match self {
            Self::Stopped(stopped) => return TaskState::Stopped(stopped.clone()),
            Self::Open(task) => task,
        };
        let iteration = task.iteration;
        let paused = |reason| TaskState::Paused(PausedTask { reason, iteration });
        match task.waiting() {
            None if !task.delegated.is_empty() => {
                TaskState::AwaitingSubtasks(AwaitingSubtasksTask { iteration })
            }
            None => TaskState::Running(RunningTask { iteration }),
            Some(Waiting::ToStart) => TaskState::Queued(QueuedTask {}),
            Some(Waiting::ToContinue) => TaskState::Interrupted(InterruptedTask { iteration }),
            Some(Waiting::Provider(ProviderWait { until_ms, backend })) => {
                TaskState::AwaitingProvider(AwaitingProviderTask { until_ms, backend, iteration })
            }
            Some(Waiting::Question(_)) => paused(PauseReason::Question),
            Some(Waiting::Permission(_)) => paused(PauseReason::Permission),
            Some(Waiting::Resume(reason) | Waiting::Inbox(reason)) => paused(reason),
        }
    }

    /// Returns the current iteration, from 1. 0 before the first iteration and after the task has ended.
    pub fn iteration(&self) -> u32 {
        match self {
            Self::Open(task) => task.iteration,
            Self::Stopped(_) => 0,
        }
    }

    /// Returns whether the task is paused, interrupted or waits for its provider, so that `Resumed` would change
    /// something. `Resumed` does
    /// not answer a question or a request; only a person can.
    pub fn is_held(&self) -> bool {
        matches!(self, Self::Open(OpenTask { hold: Some(_), .. }))
    }

    /// Returns whether the task is paused for this reason.
    pub fn is_paused_for(&self, reason: PauseReason) -> bool {
        matches!(self, Self::Open(task) if task.hold == Some(Hold::Paused(reason)))
    }

    /// Returns whether the task has ended.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Stopped(_))
    }
}

impl OpenTask {
    /// Returns what the task is waiting for. A pause takes precedence over open requests, so that resuming is offered
    /// first.
    fn waiting(&self) -> Option<Waiting> {
        let question = |asked: &&Asked| matches!(asked, Asked::Question(_));
        let asked = self.asked.iter().find(question).or(self.asked.first());
        match (&self.hold, asked) {
            (Some(Hold::Interrupted), _) => Some(Waiting::ToContinue),
            (Some(Hold::Provider(wait)), _) => Some(Waiting::Provider(wait.clone())),
            (
                Some(Hold::Paused(
                    reason @ (PauseReason::ByUser | PauseReason::Budget | PauseReason::Expired),
                )),
                _,
            ) => Some(Waiting::Resume(*reason)),
            (_, Some(Asked::Question(id))) => Some(Waiting::Question(id.clone())),
            (_, Some(Asked::Permission(id) | Asked::Midway(id))) => Some(Waiting::Permission(id.clone())),
            (Some(Hold::Paused(reason @ (PauseReason::Question | PauseReason::Permission))), None) => {
                Some(Waiting::Inbox(*reason))
            }
            (None, None) if self.iteration == 0 => Some(Waiting::ToStart),
            (None, None) => None,
        }
    }

    /// Removes an answered question or request, and returns it. `None` if it was not open.
    fn close(&mut self, request: &RequestId) -> Option<Asked> {
        let at = self.asked.iter().position(|asked| asked.id() == request)?;
        Some(self.asked.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Answerer, CallStatus, Choice, Digest, EventRecord, ExpiryAnswerer, Interrupted, IterationStarted,
        LocalAnswerer, ModelSwitched, Paused, PermissionAnswered, PlanFailed, Question, QuestionAnswered,
        QuestionAsked, Redone, Resumed, StopReason, StopRequested, Stopped, SubtasksEnded, SubtasksStarted,
        TaskId, ToolFinished, ToolResult, Undone,
    };

    fn iteration(iteration: u32) -> TaskEvent {
        TaskEvent::IterationStarted(IterationStarted { iteration })
    }

    fn paused(reason: PauseReason) -> TaskEvent {
        TaskEvent::Paused(Paused { reason, message: String::new().into(), budget: None })
    }

    fn resumed() -> TaskEvent {
        TaskEvent::Resumed(Resumed {})
    }

    fn completed() -> TaskEvent {
        let summary = String::new().into();
        TaskEvent::Stopped(Stopped { reason: StopReason::Completed, summary, report: None })
    }

    fn requested(id: &str) -> TaskEvent {
        let sample = include_str!("../../../tests/golden/event_permission_requested_write.json");
        let sample: serde_json::Value = serde_json::from_str(sample).unwrap();
        let record: EventRecord = serde_json::from_value(sample["value"].clone()).unwrap();
        let TaskEvent::PermissionRequested(mut asked) = record.event else { panic!("another sample") };
        asked.request.id = RequestId::new(id);
        TaskEvent::PermissionRequested(asked)
    }

    fn expired(id: &str) -> TaskEvent {
        answered_by(id, Answerer::Expiry(ExpiryAnswerer {}))
    }

    fn denied(id: &str) -> TaskEvent {
        answered_by(id, Answerer::Local(LocalAnswerer { screen: "terminal".to_owned() }))
    }

    fn answered_by(id: &str, by: Answerer) -> TaskEvent {
        TaskEvent::PermissionAnswered(PermissionAnswered {
            request: RequestId::new(id),
            call: CallId::new("c"),
            digest: Digest::new("d"),
            choice: Choice::Deny(crate::DenyChoice::default()),
            by,
        })
    }

    fn asked(id: &str) -> TaskEvent {
        let (id, task) = (RequestId::new(id), TaskId::new("t"));
        let question =
            Question { id, task, text: String::new().into(), choices: Vec::new(), created_at_ms: 0 };
        TaskEvent::QuestionAsked(QuestionAsked { question })
    }

    fn answered(id: &str) -> TaskEvent {
        TaskEvent::QuestionAnswered(QuestionAnswered {
            request: RequestId::new(id),
            text: String::new(),
            by: None,
            named: Vec::new(),
        })
    }

    /// Returns the state after each event.
    fn states(events: &[TaskEvent]) -> Vec<String> {
        let mut status = TaskStatus::default();
        let state = |status: &TaskStatus| match status.state() {
            TaskState::Queued(_) => "queued".to_owned(),
            TaskState::Running(running) => format!("running {}", running.iteration),
            TaskState::AwaitingSubtasks(waits) => format!("subtasks {}", waits.iteration),
            TaskState::AwaitingProvider(waits) => format!("until {} for {}", waits.until_ms, waits.backend),
            TaskState::Paused(paused) => format!("{:?} {}", paused.reason, paused.iteration),
            TaskState::Interrupted(interrupted) => format!("interrupted {}", interrupted.iteration),
            TaskState::Stopped(stopped) => format!("{:?}", stopped.reason),
        };
        let after = |event| {
            status.apply(event);
            state(&status)
        };
        events.iter().map(after).collect()
    }

    #[test]
    fn states_follow_events() {
        use PauseReason::{Budget, ByUser, Permission};
        let interrupted = TaskEvent::Interrupted(Interrupted {});
        let cases: [(&[TaskEvent], &[&str]); 9] = [
            (&[iteration(1), iteration(2)], &["running 1", "running 2"]),
            (&[paused(ByUser), resumed()], &["ByUser 0", "queued"]),
            (&[iteration(2), requested("r"), denied("r")], &["running 2", "Permission 2", "running 2"]),
            (&[iteration(2), asked("q"), answered("q")], &["running 2", "Question 2", "running 2"]),
            (&[iteration(2), paused(Budget), resumed()], &["running 2", "Budget 2", "running 2"]),
            (&[iteration(2), paused(Permission), resumed()], &["running 2", "Permission 2", "running 2"]),
            (&[iteration(2), interrupted, resumed()], &["running 2", "interrupted 2", "running 2"]),
            (
                &[iteration(2), TaskEvent::StopRequested(StopRequested {}), completed()],
                &["running 2", "running 2", "Completed"],
            ),
            (&[completed(), resumed(), iteration(3)], &["Completed", "Completed", "Completed"]),
        ];
        for (events, expected) in cases {
            assert_eq!(states(events), expected);
        }
    }

    /// Screens used to compute this from their list of tasks, which may be truncated.
    #[test]
    fn a_task_waits_for_the_subtasks_of_each_call() {
        let call = |id: &str| CallId::new(id);
        let started = |id| TaskEvent::SubtasksStarted(SubtasksStarted { call: call(id), tasks: Vec::new() });
        let ended = |id| {
            let (files, is_unpriced) = (Vec::new(), false);
            let took = SubtasksEnded {
                call: call(id),
                files,
                tokens: 0,
                cost_micros: None,
                is_unpriced,
                active_ms: 0,
            };
            TaskEvent::SubtasksEnded(took)
        };
        let failed = |id| {
            let result = ToolResult::new(CallStatus::Failed, "");
            TaskEvent::ToolFinished(ToolFinished { call: call(id), result, duration_ms: 0 })
        };
        let events = [iteration(1), started("a"), started("b"), ended("a"), failed("a"), failed("b")];
        let waits = "subtasks 1";
        assert_eq!(states(&events)[1..], [waits, waits, waits, waits, "running 1"]);
        // After a crash, the call runs again.
        let interrupted = TaskEvent::Interrupted(Interrupted {});
        let events = [iteration(1), started("a"), interrupted, resumed(), started("a"), ended("a")];
        assert_eq!(states(&events)[1..], [waits, "interrupted 1", waits, waits, "running 1"]);
        let events = [iteration(1), started("a"), paused(PauseReason::ByUser), ended("a"), resumed()];
        assert_eq!(states(&events)[1..], [waits, "ByUser 1", "ByUser 1", "running 1"]);
    }

    #[test]
    fn a_request_that_nobody_answers_denies_nothing_and_holds_its_task() {
        let events = [iteration(1), requested("r"), expired("r"), resumed(), requested("s"), denied("s")];
        let expected = ["Permission 1", "Expired 1", "running 1", "Permission 1", "running 1"];
        assert_eq!(states(&events)[1..], expected);
        let mut status = TaskStatus::default();
        [iteration(1), requested("r"), expired("r"), completed()]
            .iter()
            .for_each(|event| status.apply(event));
        assert!(matches!(status, TaskStatus::Stopped(StoppedTask { denied: 0, .. })));
    }

    #[test]
    fn a_running_call_continues_if_nobody_answers_it() {
        let sample = include_str!("../../../tests/golden/event_permission_requested_midway.json");
        let sample: serde_json::Value = serde_json::from_str(sample).unwrap();
        let record: EventRecord = serde_json::from_value(sample["value"].clone()).unwrap();
        let TaskEvent::PermissionRequested(midway) = &record.event else { panic!("another sample") };
        let id = midway.request.id.to_string();
        let events = [iteration(1), record.event.clone(), expired(&id)];
        assert_eq!(states(&events)[1..], ["Permission 1", "running 1"]);
    }

    #[test]
    fn a_task_waits_for_its_provider_until_the_time_or_another_model() {
        let failed = |wait| {
            let (code, message) = (crate::PlanErrorCode::RateLimited, String::new().into());
            let (retry_in_ms, next_backend, spent) = (None, None, None);
            let failed = PlanFailed { code, message, attempt: 1, retry_in_ms, next_backend, spent, wait };
            TaskEvent::PlanFailed(failed)
        };
        let wait = || failed(Some(ProviderWait { until_ms: 5, backend: "a/b".to_owned() }));
        let switched = TaskEvent::ModelSwitched(ModelSwitched { backend: "c".to_owned(), model: None });
        let waits = "until 5 for a/b";
        let cases: [(&[TaskEvent], &[&str]); 4] = [
            (&[wait(), resumed(), wait()], &[waits, "running 1", waits]),
            (&[wait(), switched], &[waits, "running 1"]),
            (&[wait(), paused(PauseReason::ByUser), resumed()], &[waits, "ByUser 1", "running 1"]),
            (&[failed(None), wait(), completed()], &["running 1", waits, "Completed"]),
        ];
        for (events, expected) in cases {
            let events = [&[iteration(1)], events].concat();
            assert_eq!(states(&events)[1..], *expected);
        }
    }

    /// A task that was resumed while its request was open used to be shown as running.
    #[test]
    fn resuming_answers_nothing() {
        let events = [iteration(1), requested("r"), resumed(), paused(PauseReason::ByUser), resumed()];
        assert_eq!(states(&events)[1..], ["Permission 1", "Permission 1", "ByUser 1", "Permission 1"]);
    }

    /// A task that completed with one request denied used to be shown as stopped by that denial. An answer counts
    /// once.
    #[test]
    fn the_end_says_what_was_denied_and_undone() {
        let undone = |left| {
            TaskEvent::Undone(Undone {
                files: Vec::new(),
                repositories: Vec::new(),
                operations: 3,
                jobs: Vec::new(),
                left: Some(left),
                can_redo: None,
            })
        };
        let mut status = TaskStatus::default();
        let same = denied("r");
        [iteration(1), requested("r"), denied("r"), same, requested("s"), completed()]
            .iter()
            .for_each(|event| status.apply(event));
        let is = |status: &TaskStatus, undone| matches!(status, TaskStatus::Stopped(task) if (task.denied, task.undone) == (1, undone));
        assert!(is(&status, false));
        status.apply(&undone(2));
        assert!(is(&status, false), "some of it stands");
        status.apply(&undone(0));
        assert!(is(&status, true));
        status.apply(&TaskEvent::Redone(Redone {
            files: Vec::new(),
            repositories: Vec::new(),
            operations: 3,
            jobs: Vec::new(),
            left: 3,
            can_redo: None,
        }));
        assert!(is(&status, false), "its changes are there again");
    }

    /// A task used to be shown as running if a running call requested permission during the pause.
    #[test]
    fn an_answer_ends_no_pause() {
        let pause = paused(PauseReason::ByUser);
        let events = [iteration(1), pause, requested("r"), denied("r"), resumed()];
        assert_eq!(states(&events)[1..], ["ByUser 1", "ByUser 1", "ByUser 1", "running 1"]);
    }

    #[test]
    fn every_answer_is_waited_for() {
        let events = [iteration(1), requested("r"), requested("s"), denied("s"), asked("q"), denied("r")];
        assert_eq!(
            states(&events)[1..],
            ["Permission 1", "Permission 1", "Permission 1", "Question 1", "Question 1"]
        );
    }
}
