//! What a task does or waits for, derived from its journal. This is the only place that derives it: the agent's machine,
//! the store's tables and every screen take a task's state from here.

use crate::{
    Choice, Created, EventRecord, InterruptedTask, PauseReason, PausedTask, QueueRank, QueuedTask, RequestId,
    RunningTask, StoppedTask, TaskEvent, TaskState, TaskSummary, TaskUpdate, TodoProgress,
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
    /// | `stopped` | it has ended |
    /// | `undone`, once it has ended | it is undone if nothing is left to undo |
    /// | all others | the same as before |
    pub fn apply(&mut self, event: &TaskEvent) {
        let task = match self {
            Self::Open(task) => task,
            Self::Stopped(task) => {
                if let TaskEvent::Undone(undone) = event {
                    let restored = undone.operations > 0 || undone.files.iter().any(|file| file.restored);
                    task.undone |= restored && undone.left == Some(0);
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
            | TaskEvent::SubtasksEnded(_)
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
            | TaskEvent::ToolFinished(_)
            | TaskEvent::BackgroundStarted(_)
            | TaskEvent::BackgroundEnded(_)
            | TaskEvent::Steered(_)
            | TaskEvent::StopRequested(_)
            | TaskEvent::Undone(_)
            | TaskEvent::Remembered(_)
            | TaskEvent::MemoryEdited(_)
            | TaskEvent::MemoryForgotten(_)
            | TaskEvent::MemoryRestored(_)
            | TaskEvent::MemoryPromoted(_)
            | TaskEvent::MemoriesPruned(_)
            | TaskEvent::MemoryImported(_) => {}
        }
    }

    /// What it waits for before anything else; `None` while it works, and once it has ended.
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

/// A task as lists show it, kept up to date with its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFold {
    summary: TaskSummary,
    status: TaskStatus,
}

impl TaskFold {
    /// A task that was just handed over. Its `Created` is to be applied as every other event.
    pub fn new(Created { spec, .. }: &Created, at_ms: i64) -> Self {
        let summary = TaskSummary {
            id: spec.id.clone(),
            session: spec.session.clone(),
            goal: spec.goal.clone(),
            profile: spec.profile.clone(),
            backend: spec.backend.clone(),
            workspace: spec.workspace.clone(),
            state: TaskStatus::default().state(),
            tokens: 0,
            model: spec.model.clone(),
            cost_micros: None,
            todo: None,
            created_at_ms: at_ms,
            updated_at_ms: at_ms,
            queue_rank: None,
            title: None,
            archived: false,
            parent: spec.parent.clone().map(Box::new),
        };
        Self { summary, status: TaskStatus::default() }
    }

    /// A task as it was stored. One that has ended needs no stored status.
    pub fn stored(summary: TaskSummary, status: Option<TaskStatus>) -> Option<Self> {
        let status = match (status, &summary.state) {
            (Some(status), _) => status,
            (None, TaskState::Stopped(stopped)) => TaskStatus::Stopped(stopped.clone()),
            (None, _) => return None,
        };
        Some(Self { summary, status })
    }

    /// Takes in an event of this task.
    pub fn apply(&mut self, record: &EventRecord) {
        if record.event.is_of_memory() {
            return;
        }
        let task = &mut self.summary;
        match &record.event {
            // What its conversation is called, and where it is kept, is not news of the task.
            TaskEvent::Renamed(renamed) => return task.title.clone_from(&renamed.title),
            TaskEvent::Archived(archived) => {
                task.archived = archived.archived;
                return;
            }
            _ => {}
        }
        self.status.apply(&record.event);
        task.state = self.status.state();
        task.updated_at_ms = record.at_ms;
        match &record.event {
            TaskEvent::Planned(planned) => task.spend(planned.usage, planned.cost_micros),
            TaskEvent::Reviewed(reviewed) => task.spend(reviewed.usage, reviewed.cost_micros),
            TaskEvent::Inferred(inferred) => task.spend(inferred.usage, inferred.cost_micros),
            TaskEvent::TodoChanged(changed) => task.todo = TodoProgress::of(&changed.steps),
            TaskEvent::ModelSwitched(switched) => {
                task.backend = switched.backend.clone();
                task.model = switched.model.clone();
            }
            _ => {}
        }
        task.queue_rank = match (&task.state, &record.event) {
            (TaskState::Queued(_), TaskEvent::QueueMoved(moved)) => Some(moved.rank.clone()),
            (TaskState::Queued(_), _) => {
                task.queue_rank.take().or_else(|| Some(QueueRank::of_event(record.seq)))
            }
            _ => None,
        };
    }

    /// The task as lists show it.
    pub fn summary(&self) -> &TaskSummary {
        &self.summary
    }

    /// What it does or waits for.
    pub fn status(&self) -> &TaskStatus {
        &self.status
    }

    /// What screens are told after an event.
    pub fn update(&self) -> TaskUpdate {
        self.summary.update()
    }
}

impl TaskSummary {
    /// What of it changes with events.
    pub fn update(&self) -> TaskUpdate {
        TaskUpdate {
            state: self.state.clone(),
            tokens: self.tokens,
            backend: self.backend.clone(),
            model: self.model.clone(),
            cost_micros: self.cost_micros,
            todo: self.todo.clone(),
            updated_at_ms: self.updated_at_ms,
            queue_rank: self.queue_rank.clone(),
            title: self.title.clone(),
            archived: self.archived,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Answerer, CallId, Choice, Digest, ExpiryAnswerer, Interrupted, IterationStarted, Paused,
        PermissionAnswered, Question, QuestionAnswered, QuestionAsked, Resumed, StopReason, StopRequested,
        Stopped, TaskId, Undone,
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
