//! What a task does or waits for, derived from its journal. This is the only place that derives it: the agent's machine,
//! the store's tables and every screen take a task's state from here.

use crate::{
    AwaitingSubtasksTask, CallId, Choice, InterruptedTask, PauseReason, PausedTask, QueuedTask, RequestId,
    RunningTask, StoppedTask, TaskEvent, TaskState,
};
use serde::{Deserialize, Serialize};

/// Where a task is in its life. Made of events alone; serialized only into the store's table of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskStatus {
    /// It has not ended.
    Open(OpenTask),
    /// It ended; nothing changes that.
    Stopped(StoppedTask),
}

/// A task that has not ended: the iteration it is in, and everything that keeps it from working.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTask {
    /// From 1; 0 before the first.
    iteration: u32,
    /// What `Resumed` ends.
    hold: Option<Hold>,
    /// Questions and requests without an answer, oldest first.
    asked: Vec<Asked>,
    /// Requests that were denied.
    #[serde(default)]
    denied: u32,
    /// Calls whose sub-tasks it waits for.
    #[serde(default)]
    delegated: Vec<CallId>,
}

/// What `Resumed` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Hold {
    /// Its process died.
    Interrupted,
    /// It paused.
    Paused(PauseReason),
}

/// What a person has not answered yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Asked {
    Question(RequestId),
    Permission(RequestId),
}

impl Asked {
    fn id(&self) -> &RequestId {
        match self {
            Self::Question(id) | Self::Permission(id) => id,
        }
    }
}

/// What a task waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Its first turn to run: `IterationStarted`.
    ToStart,
    /// Its next turn to run, after its process died: `Resumed`.
    ToContinue,
    /// `Resumed`, from its user. It is paused for this reason.
    Resume(PauseReason),
    /// An answer to this question.
    Question(RequestId),
    /// An answer to this permission request.
    Permission(RequestId),
    /// Space in the inbox, where a person can be asked: `Resumed`. What it wants to ask is this.
    Inbox(PauseReason),
}

impl Default for TaskStatus {
    fn default() -> Self {
        Self::Open(OpenTask::default())
    }
}

impl TaskStatus {
    /// Takes in what happened:
    ///
    /// | event | afterwards |
    /// |---|---|
    /// | `iteration_started` | nothing holds it, and it is in this iteration |
    /// | `permission_requested`, `question_asked` | it waits for the answer |
    /// | `permission_answered`, `question_answered` | it does not wait for that answer |
    /// | `paused` | it is held for that reason |
    /// | `interrupted` | it is held until its next turn |
    /// | `resumed` | nothing holds it; what it waits for an answer to is still open |
    /// | `subtasks_started` | it waits for the sub-tasks of that call |
    /// | `subtasks_ended`, `tool_finished` | it does not wait for those of that call |
    /// | `stopped` | it has ended |
    /// | `undone`, once it has ended | it is undone if nothing is left to undo |
    /// | all others | the same as before |
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
                task.asked.push(Asked::Permission(asked.request.id.clone()));
            }
            TaskEvent::QuestionAsked(asked) => task.asked.push(Asked::Question(asked.question.id.clone())),
            TaskEvent::PermissionAnswered(answered) => {
                let was_open = task.close(&answered.request);
                task.denied += u32::from(was_open && matches!(answered.choice, Choice::Deny(_)));
            }
            TaskEvent::QuestionAnswered(answered) => {
                task.close(&answered.request);
            }
            TaskEvent::Paused(paused) => task.hold = Some(Hold::Paused(paused.reason)),
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
            | TaskEvent::PlanFailed(_)
            | TaskEvent::Compacted(_)
            | TaskEvent::Briefed(_)
            | TaskEvent::Noted(_)
            | TaskEvent::GuidanceFound(_)
            | TaskEvent::Guided(_)
            | TaskEvent::TodoChanged(_)
            | TaskEvent::ModelSwitched(_)
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

    /// What it waits for before anything else; `None` while it works or its sub-tasks do, and once it has ended.
    pub fn waiting(&self) -> Option<Waiting> {
        match self {
            Self::Open(task) => task.waiting(),
            Self::Stopped(_) => None,
        }
    }

    /// The same as screens show it.
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
            Some(Waiting::Question(_)) => paused(PauseReason::Question),
            Some(Waiting::Permission(_)) => paused(PauseReason::Permission),
            Some(Waiting::Resume(reason) | Waiting::Inbox(reason)) => paused(reason),
        }
    }

    /// The iteration it is in, from 1; 0 before the first, and once it has ended.
    pub fn iteration(&self) -> u32 {
        match self {
            Self::Open(task) => task.iteration,
            Self::Stopped(_) => 0,
        }
    }

    /// Whether `Resumed` would change anything: it is paused or interrupted. An answer to a question or a request comes
    /// from a person alone.
    pub fn is_held(&self) -> bool {
        matches!(self, Self::Open(OpenTask { hold: Some(_), .. }))
    }

    /// Whether it is paused for this reason.
    pub fn is_paused_for(&self, reason: PauseReason) -> bool {
        matches!(self, Self::Open(task) if task.hold == Some(Hold::Paused(reason)))
    }

    /// Whether it has ended.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Stopped(_))
    }
}

impl OpenTask {
    /// A pause comes before the request that waits in it, so that resuming is offered first.
    fn waiting(&self) -> Option<Waiting> {
        let question = |asked: &&Asked| matches!(asked, Asked::Question(_));
        let asked = self.asked.iter().find(question).or(self.asked.first());
        match (self.hold, asked) {
            (Some(Hold::Interrupted), _) => Some(Waiting::ToContinue),
            (Some(Hold::Paused(reason @ (PauseReason::ByUser | PauseReason::Budget))), _) => {
                Some(Waiting::Resume(reason))
            }
            (_, Some(Asked::Question(id))) => Some(Waiting::Question(id.clone())),
            (_, Some(Asked::Permission(id))) => Some(Waiting::Permission(id.clone())),
            (Some(Hold::Paused(reason @ (PauseReason::Question | PauseReason::Permission))), None) => {
                Some(Waiting::Inbox(reason))
            }
            (None, None) if self.iteration == 0 => Some(Waiting::ToStart),
            (None, None) => None,
        }
    }

    /// Takes out what was answered; says whether it was open.
    fn close(&mut self, request: &RequestId) -> bool {
        let open = self.asked.len();
        self.asked.retain(|asked| asked.id() != request);
        self.asked.len() < open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Answerer, CallStatus, Choice, Digest, EventRecord, ExpiryAnswerer, Interrupted, IterationStarted,
        Paused, PermissionAnswered, Question, QuestionAnswered, QuestionAsked, Redone, Resumed, StopReason,
        StopRequested, Stopped, SubtasksEnded, SubtasksStarted, TaskId, ToolFinished, ToolResult, Undone,
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

    fn allowed(id: &str) -> TaskEvent {
        TaskEvent::PermissionAnswered(PermissionAnswered {
            request: RequestId::new(id),
            call: CallId::new("c"),
            digest: Digest::new("d"),
            choice: Choice::Deny(crate::DenyChoice::default()),
            by: Answerer::Expiry(ExpiryAnswerer {}),
        })
    }

    fn asked(id: &str) -> TaskEvent {
        let (id, task) = (RequestId::new(id), TaskId::new("t"));
        let question =
            Question { id, task, text: String::new().into(), choices: Vec::new(), created_at_ms: 0 };
        TaskEvent::QuestionAsked(QuestionAsked { question })
    }

    fn answered(id: &str) -> TaskEvent {
        TaskEvent::QuestionAnswered(QuestionAnswered { request: RequestId::new(id), text: String::new() })
    }

    /// The state after each event.
    fn states(events: &[TaskEvent]) -> Vec<String> {
        let mut status = TaskStatus::default();
        let state = |status: &TaskStatus| match status.state() {
            TaskState::Queued(_) => "queued".to_owned(),
            TaskState::Running(running) => format!("running {}", running.iteration),
            TaskState::AwaitingSubtasks(waits) => format!("subtasks {}", waits.iteration),
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
            (&[iteration(2), requested("r"), allowed("r")], &["running 2", "Permission 2", "running 2"]),
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

    /// Each screen worked it out from its list of tasks, which may be cut short.
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
        // After a crash the call runs again.
        let interrupted = TaskEvent::Interrupted(Interrupted {});
        let events = [iteration(1), started("a"), interrupted, resumed(), started("a"), ended("a")];
        assert_eq!(states(&events)[1..], [waits, "interrupted 1", waits, waits, "running 1"]);
        let events = [iteration(1), started("a"), paused(PauseReason::ByUser), ended("a"), resumed()];
        assert_eq!(states(&events)[1..], [waits, "ByUser 1", "ByUser 1", "running 1"]);
    }

    /// A task that was resumed while its request was open was shown as running.
    #[test]
    fn resuming_answers_nothing() {
        let events = [iteration(1), requested("r"), resumed(), paused(PauseReason::ByUser), resumed()];
        assert_eq!(states(&events)[1..], ["Permission 1", "Permission 1", "ByUser 1", "Permission 1"]);
    }

    /// A task that was finished with one request denied was shown as stopped by that denial. An answer counts once.
    #[test]
    fn the_end_says_what_was_denied_and_undone() {
        let undone = |left| TaskEvent::Undone(Undone { files: Vec::new(), operations: 3, left: Some(left) });
        let mut status = TaskStatus::default();
        let same = allowed("r");
        [iteration(1), requested("r"), allowed("r"), same, requested("s"), completed()]
            .iter()
            .for_each(|event| status.apply(event));
        let is = |status: &TaskStatus, undone| matches!(status, TaskStatus::Stopped(task) if (task.denied, task.undone) == (1, undone));
        assert!(is(&status, false));
        status.apply(&undone(2));
        assert!(is(&status, false), "some of it stands");
        status.apply(&undone(0));
        assert!(is(&status, true));
        status.apply(&TaskEvent::Redone(Redone { files: Vec::new(), operations: 3, left: 3 }));
        assert!(is(&status, false), "its changes are there again");
    }

    /// A task was shown as running when a call that was under way had asked during the pause.
    #[test]
    fn an_answer_ends_no_pause() {
        let pause = paused(PauseReason::ByUser);
        let events = [iteration(1), pause, requested("r"), allowed("r"), resumed()];
        assert_eq!(states(&events)[1..], ["ByUser 1", "ByUser 1", "ByUser 1", "running 1"]);
    }

    #[test]
    fn every_answer_is_waited_for() {
        let events = [iteration(1), requested("r"), requested("s"), allowed("s"), asked("q"), allowed("r")];
        assert_eq!(
            states(&events)[1..],
            ["Permission 1", "Permission 1", "Permission 1", "Question 1", "Question 1"]
        );
    }
}
