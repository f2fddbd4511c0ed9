//! The agent loop as a pure state machine: no I/O, no clock, no async.
//!
//! [`Machine::next`] returns the next action. The driver performs it, [`Machine::apply`]s the resulting event, and
//! journals it before anything else has an effect. Resuming is replaying: the same events in the same order result in
//! the same machine. Events that do not fit the state are ignored, so a truncated journal never breaks the machine.

mod action;
mod answers;
mod background;
mod brakes;
mod budget;
mod calls;
mod guidance;
mod lasting;
mod plans;
mod results;
mod transcript;

pub use action::{Action, Need, STOP, lets_continue};
pub use background::Backgrounds;
pub use brakes::Brake;
pub use budget::Left;
pub(crate) use calls::asks;
pub use calls::{CallProgress, Ruled, Stage};
pub use deputy_protocol::Waiting;
pub use guidance::{FOLLOW, GuidanceStage, IGNORE, SKILL_TOOL};

use crate::backends::WITHOUT_MODEL;
use brakes::Brakes;
use calls::Calls;
use deputy_messages::agent as say;
use deputy_protocol::{
    Answerer, Briefed, BudgetLimit, CallId, Choice, Created, DenyChoice, Messages, PauseReason, Phrase,
    Report, RequestId, Skill, StopReason, TaskEvent, TaskId, TaskSpec, TaskState, TaskStatus, TodoChanged,
    UndoneFile, UndoneRepository,
};
use deputy_tools::Group;
use lasting::Lasting;
use std::collections::BTreeMap;
use transcript::Transcript;

/// The activity of a task that is not waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Between two iterations.
    Ready,
    /// The planner will be asked, after a delay.
    Planning { delay_ms: u64 },
    /// The calls of the plan are being processed. `completing` is the summary if the plan is complete once they are
    /// done.
    Calling { completing: Option<String> },
    /// The task will end, even if it is waiting for something.
    Ending { reason: StopReason, summary: Phrase },
}

/// An open question, and its reason.
#[derive(Clone, Debug)]
struct Asked {
    id: RequestId,
    need: Option<Need>,
}

/// The state machine of one task.
#[derive(Clone, Debug)]
pub struct Machine {
    spec: TaskSpec,
    /// What the task waits for, if anything, and whether it has ended.
    status: TaskStatus,
    phase: Phase,
    calls: Calls,
    backgrounds: Backgrounds,
    transcript: Transcript,
    /// The facts for summaries of older steps.
    lasting: Lasting,
    brakes: Brakes,
    /// The real paths that the user named, which the task may read.
    named: Vec<String>,
    /// What the user said since the last plan, in order.
    said: Vec<String>,
    /// A question that must be asked before anything else happens.
    need: Option<Need>,
    asked: Option<Asked>,
    /// Whether the last call that ended was denied.
    was_denied: bool,
    plan_failures: u32,
    /// The backend that plans, and its model if it is not the configured one.
    route: (String, Option<String>),
    briefed: Option<Briefed>,
    guidance: GuidanceStage,
    skills: Vec<Skill>,
    /// The groups of functions that the planner has opened, in order.
    opened: Vec<Group>,
    /// The to-do list, with the call that wrote it.
    todo: Option<TodoChanged>,
    /// The earlier tasks in the notes, with whether the notes say that everything was undone.
    noted_tasks: BTreeMap<TaskId, bool>,
    /// The address of the last page that its browser showed.
    last_page: Option<String>,
    tokens: u64,
    /// The cost of the tokens, as far as prices are known.
    cost_micros: Option<u64>,
    /// Whether some tokens have no known price.
    is_unpriced: bool,
    active_ms: u64,
    /// The factor of the budget: 1, plus 1 each time the user resumes the task after it reached one of its limits.
    budgets: u64,
    /// The limit that it is paused for.
    paused_for: Option<BudgetLimit>,
}

impl Machine {
    /// Creates the machine of a new task.
    pub fn new(created: &Created) -> Self {
        let spec = created.spec.clone();
        let route = (spec.backend.clone(), spec.model.clone());
        Self {
            transcript: Transcript::new(&spec.goal, spec.limits.context_tokens),
            spec,
            status: TaskStatus::default(),
            phase: Phase::Ready,
            calls: Calls::default(),
            backgrounds: Backgrounds::default(),
            lasting: Lasting::default(),
            brakes: Brakes::default(),
            named: created.named.clone(),
            said: Vec::new(),
            need: None,
            asked: None,
            was_denied: false,
            plan_failures: 0,
            route,
            briefed: None,
            guidance: GuidanceStage::default(),
            skills: Vec::new(),
            opened: Vec::new(),
            todo: None,
            noted_tasks: BTreeMap::new(),
            last_page: None,
            tokens: 0,
            cost_micros: None,
            is_unpriced: false,
            active_ms: 0,
            budgets: 1,
            paused_for: None,
        }
    }

    /// Replays a journal. `None` if the journal does not begin with `Created`.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a TaskEvent>) -> Option<Self> {
        let mut events = events.into_iter();
        let Some(TaskEvent::Created(created)) = events.next() else { return None };
        let mut machine = Self::new(created);
        events.for_each(|event| machine.apply(event));
        Some(machine)
    }

    /// Returns the specification of the task.
    pub fn spec(&self) -> &TaskSpec {
        &self.spec
    }

    /// Returns the number of the iteration, from 1; 0 before the first.
    pub fn iteration(&self) -> u32 {
        self.status.iteration()
    }

    /// Returns the real paths that the user named, which the task may read.
    pub fn named(&self) -> &[String] {
        &self.named
    }

    /// Returns the number of consecutive failures of the planner.
    pub fn plan_failures(&self) -> u32 {
        self.plan_failures
    }

    /// Returns the backend that plans, and its model if it is not the configured one.
    pub fn route(&self) -> (&str, Option<&str>) {
        (&self.route.0, self.route.1.as_deref())
    }

    /// Returns the last input of the planner besides the conversation.
    pub fn briefed(&self) -> Option<&Briefed> {
        self.briefed.as_ref()
    }

    /// Returns the groups of functions that the planner has opened, in order.
    pub fn opened_groups(&self) -> &[Group] {
        &self.opened
    }

    /// Returns whether the conversation has its start block.
    pub fn is_oriented(&self) -> bool {
        self.transcript.is_oriented()
    }

    /// Returns whether the planner has notes of earlier tasks for the goal.
    pub fn is_noted(&self) -> bool {
        self.transcript.is_noted()
    }

    /// Returns whether calls changed something, as far as is known without their record.
    pub fn changed_something(&self) -> bool {
        self.lasting.counts() != (0, 0)
    }

    /// Returns the earlier tasks in the notes, with whether the notes say that everything was undone.
    pub fn noted_tasks(&self) -> &BTreeMap<TaskId, bool> {
        &self.noted_tasks
    }

    /// Returns a report of what the task did, based on its events only, without what it changed.
    pub fn report(&self) -> Report {
        Report {
            steps: self.status.iteration(),
            tokens: self.tokens,
            cost_micros: self.cost_micros,
            ..self.lasting.report()
        }
    }

    /// Returns the conversation for the next plan.
    pub fn messages(&self) -> Messages {
        // What plans without a model repeats every call whose result is missing.
        if self.route.0 == WITHOUT_MODEL { self.transcript.messages() } else { self.transcript.fitted() }
    }

    /// Returns the call that a person must be asked about, if that is the next action.
    pub fn to_ask(&self) -> Option<CallId> {
        match self.calls.next(&self.spec.limits) {
            Some(Action::AskPermission(call)) => Some(call),
            _ => None,
        }
    }

    /// Returns the question that the user must be asked next, if any. The planner's question comes after the calls beside
    /// it, so that none of them is lost.
    pub fn question(&self) -> Option<Need> {
        let waits = |need: &Need| matches!(need, Need::Planner { .. }) && !self.calls.are_finished();
        self.need
            .clone()
            .filter(|need| !waits(need))
            .or_else(|| self.brakes.pulled().cloned().map(Need::Brake))
    }

    /// Returns a call of the current plan.
    pub fn call(&self, id: &CallId) -> Option<&CallProgress> {
        self.calls.get(id)
    }

    /// Returns the calls of the current plan after a call.
    pub fn calls_behind(&self, id: &CallId) -> &[CallProgress] {
        self.calls.behind(id)
    }

    /// Returns whether the user gave an instruction since the plan, so that its requests are not needed any more.
    pub fn is_overtaken(&self) -> bool {
        self.calls.are_overtaken()
    }

    /// Returns whether a step has ended and the next one has not begun.
    pub fn is_between_steps(&self) -> bool {
        self.phase == Phase::Ready && self.calls.are_finished()
    }

    /// Returns whether the task has ended.
    pub fn has_ended(&self) -> bool {
        self.status.is_stopped()
    }

    /// Returns whether the process that applied the last event was working. If that process is gone, `Interrupted` must
    /// follow.
    pub fn was_active(&self) -> bool {
        let at_work = matches!(self.state(), TaskState::Running(_) | TaskState::AwaitingSubtasks(_));
        self.calls.are_running() || at_work
    }

    /// Returns whether the task can be resumed: it is paused by the user or by a budget, interrupted, or waits for its
    /// provider. A question or a request is only resolved by its answer.
    pub fn is_held(&self) -> bool {
        self.status.is_held()
    }

    /// Returns whether the user asked the task to stop.
    pub fn is_stopping(&self) -> bool {
        matches!(self.phase, Phase::Ending { .. })
    }

    /// Returns the state that clients show.
    pub fn state(&self) -> TaskState {
        self.status.state()
    }

    /// Returns the address of the last page that the task's browser showed.
    pub fn last_page(&self) -> Option<&str> {
        self.last_page.as_deref()
    }

    /// Returns the background commands.
    pub fn backgrounds(&self) -> &Backgrounds {
        &self.backgrounds
    }

    /// Returns the next action.
    pub fn next(&self) -> Action {
        match self.next_of_loop() {
            Action::Stop { .. } if !self.backgrounds.running().is_empty() => Action::EndBackground,
            action => action,
        }
    }

    fn next_of_loop(&self) -> Action {
        match (&self.phase, self.status.waiting()) {
            _ if self.status.is_stopped() => Action::Ended,
            (Phase::Ending { reason, summary }, _) => {
                Action::Stop { reason: *reason, summary: summary.clone() }
            }
            (_, Some(waiting)) => Action::Wait(waiting),
            (_, None) => self.work(),
        }
    }

    /// Returns the next action of a task that is not waiting.
    fn work(&self) -> Action {
        if let Some(call) = self.calls.cut_off() {
            return Action::Settle(call.clone());
        }
        if let Some(need) = self.question() {
            return Action::AskQuestion(need);
        }
        match &self.phase {
            Phase::Planning { delay_ms } => match self.compaction() {
                Some(compacted) => Action::Compact(compacted),
                None => Action::Plan { delay_ms: *delay_ms },
            },
            Phase::Calling { .. } => self.calls.next(&self.spec.limits).unwrap_or_else(|| self.begin()),
            Phase::Ready | Phase::Ending { .. } => self.begin(),
        }
    }

    /// Returns the action that begins the next iteration, unless a limit is reached.
    fn begin(&self) -> Action {
        if self.is_last_turn() {
            return Action::Stop { reason: StopReason::IterationLimit, summary: self.limit_in_words() };
        }
        match self.over_budget() {
            Some(reached) => Action::Pause(reached),
            None => Action::BeginIteration(self.status.iteration() + 1),
        }
    }

    /// Applies an event.
    #[expect(clippy::too_many_lines, reason = "an arm for each event")]
    pub fn apply(&mut self, event: &TaskEvent) {
        if self.status.is_stopped() {
            return;
        }
        if matches!(event, TaskEvent::Resumed(_)) && self.status.is_paused_for(PauseReason::Budget) {
            // The limit of a day is lifted for all tasks of the day, not for one task.
            let is_of_day = self.paused_for.take().is_some_and(BudgetLimit::is_of_day);
            self.budgets += u64::from(!is_of_day);
        }
        self.status.apply(event);
        match event {
            // These only change the status, if anything. When the task starts is not decided by the loop.
            TaskEvent::Created(_)
            | TaskEvent::QueueMoved(_)
            | TaskEvent::Renamed(_)
            | TaskEvent::Archived(_)
            | TaskEvent::BrowserTaken(_)
            | TaskEvent::BrowserReturned(_)
            | TaskEvent::Resumed(_)
            | TaskEvent::Stopped(_)
            | TaskEvent::Remembered(_)
            | TaskEvent::MemoryEdited(_)
            | TaskEvent::MemoryForgotten(_)
            | TaskEvent::MemoryRestored(_)
            | TaskEvent::MemoryPromoted(_)
            | TaskEvent::MemoriesPruned(_)
            | TaskEvent::MemoryImported(_)
            | TaskEvent::SubtasksStarted(_) => {}
            TaskEvent::Paused(paused) => self.paused_for = paused.budget.as_ref().map(|budget| budget.limit),
            TaskEvent::IterationStarted(_) => self.on_iteration(),
            TaskEvent::Briefed(briefed) => self.briefed = Some(briefed.clone()),
            TaskEvent::Oriented(oriented) => self.transcript.orient(&oriented.text),
            TaskEvent::Noted(noted) => {
                match noted.at_start {
                    true => self.transcript.note(&noted.text),
                    false => self.transcript.push_user(self.status.iteration(), &noted.text),
                }
                self.noted_tasks.extend(noted.about.iter().map(|about| (about.task.clone(), about.undone)));
            }
            TaskEvent::GuidanceFound(found) => self.on_guidance_found(&found.folders),
            TaskEvent::Guided(guided) => self.on_guided(guided),
            TaskEvent::TodoChanged(changed) => self.todo = Some(changed.clone()),
            TaskEvent::SubtasksEnded(ended) => self.on_subtasks_ended(ended),
            TaskEvent::ModelSwitched(switched) => {
                self.route = (switched.backend.clone(), switched.model.clone());
                self.plan_failures = 0;
            }
            TaskEvent::Planned(planned) => self.on_planned(planned),
            TaskEvent::Reviewed(reviewed) => {
                self.spend(reviewed.usage, reviewed.cost_micros);
                if let Some(progress) = self.calls.get_mut(&reviewed.call) {
                    progress.review = Some(reviewed.clone());
                }
            }
            TaskEvent::Inferred(inferred) => self.spend(inferred.usage, inferred.cost_micros),
            TaskEvent::PlanFailed(failed) => self.on_plan_failed(failed),
            TaskEvent::Compacted(compacted) => {
                self.transcript.replace_through(compacted.through_iteration, &compacted.summary);
            }
            TaskEvent::CallDecided(decided) => {
                let ruled = Ruled::from(decided);
                self.move_call(&decided.call, |stage| match stage {
                    Stage::Planned | Stage::Approved(_) | Stage::Decided(_) => Some(Stage::Decided(ruled)),
                    _ => None,
                });
            }
            TaskEvent::PermissionRequested(asked) => {
                let id = asked.request.id.clone();
                for call in asked.request.calls() {
                    self.move_call(call, |stage| match stage {
                        Stage::Decided(ruled) => Some(Stage::Parked(ruled.clone(), id.clone())),
                        _ => None,
                    });
                }
            }
            TaskEvent::PermissionAnswered(answered)
                if matches!(answered.by, Answerer::Expiry(_) | Answerer::Instruction(_)) =>
            {
                self.calls.expire(&answered.request);
            }
            TaskEvent::PermissionAnswered(answered) => {
                if self.calls.answer(&answered.request, &answered.choice) {
                    self.brakes.answered(&answered.choice);
                    if let Choice::Deny(deny) = &answered.choice {
                        self.hear_reason(deny);
                    }
                }
            }
            TaskEvent::RefusalShared(shared) => self.move_call(&shared.call, |stage| match stage {
                Stage::Decided(ruled) if ruled.digest == shared.digest => {
                    let (request, reason) = (&shared.request, &shared.reason);
                    let reason = match reason.is_empty() {
                        true => say::user_said_no_to_same(request),
                        false => say::user_said_no_to_same_because(reason, request),
                    };
                    Some(Stage::Refused { reason, counts: true })
                }
                _ => None,
            }),
            TaskEvent::ToolStarted(started) => self.move_call(&started.call, |stage| match stage {
                Stage::Decided(ruled) | Stage::Approved(ruled) | Stage::CutOff(ruled) => {
                    Some(Stage::Started(Ruled { effect: started.effect, ..ruled.clone() }))
                }
                _ => None,
            }),
            TaskEvent::FileKept(kept) => {
                self.lasting.changed(&kept.change.path);
                if let Some(progress) = self.calls.get_mut(&kept.call) {
                    progress.kept.push(kept.change.clone());
                }
            }
            TaskEvent::TreeKept(kept) => {
                if let Some(progress) = self.calls.get_mut(&kept.call) {
                    progress.tree = Some(kept.manifest.clone());
                }
            }
            TaskEvent::ToolFinished(finished) => {
                // Sub-tasks count their own time, which stops while they wait for a person.
                let hands_over = |progress: &CallProgress| progress.call.tool == deputy_tools::DELEGATE;
                if !self.calls.get(&finished.call).is_some_and(hands_over) {
                    self.active_ms += finished.duration_ms;
                }
                self.on_finished(&finished.call, &finished.result);
            }
            TaskEvent::BackgroundStarted(started) => self.backgrounds.start(started),
            TaskEvent::BackgroundEnded(ended) => {
                ended.changes.iter().for_each(|change| self.lasting.changed(&change.path));
                self.said.extend(self.backgrounds.end(ended));
            }
            TaskEvent::QuestionAsked(asked) => {
                let need = self.question();
                self.need = None;
                self.brakes.release();
                self.asked = Some(Asked { id: asked.question.id.clone(), need });
            }
            TaskEvent::QuestionAnswered(answered) => {
                self.named.extend(answered.named.iter().cloned());
                self.on_question_answered(answered);
            }
            TaskEvent::Steered(steered) => {
                self.calls.overtake();
                self.lasting.said(&steered.text);
                self.said.push(steered.text.clone());
                self.named.extend(steered.named.iter().cloned());
            }
            TaskEvent::Undone(undone) if undone.did_something() => {
                self.said.push(put_back("undid", &undone.files, &undone.repositories));
            }
            TaskEvent::Redone(redone) if redone.did_something() => {
                self.said.push(put_back("made again", &redone.files, &redone.repositories));
            }
            TaskEvent::Undone(_) | TaskEvent::Redone(_) => {}
            TaskEvent::StopRequested(_) => {
                self.phase =
                    Phase::Ending { reason: StopReason::ManualStop, summary: say::stopped_by_user() };
            }
            TaskEvent::Interrupted(_) => self.calls.interrupt(),
        }
    }

    /// Passes on what a person said when denying a call. It is the user's own word, so it does not stand among the results
    /// of tools.
    fn hear_reason(&mut self, deny: &DenyChoice) {
        let reason = deny.reason.trim();
        if !reason.is_empty() {
            let about = if deny.change { "what I want changed" } else { "what I just denied" };
            self.lasting.said(reason);
            self.said.push(format!("(about {about}) {reason}"));
        }
    }

    fn move_call(&mut self, id: &CallId, to: impl FnOnce(&Stage) -> Option<Stage>) {
        if let Some(progress) = self.calls.get_mut(id)
            && let Some(stage) = to(&progress.stage)
        {
            progress.stage = stage;
        }
    }

    /// Changes the phase, unless the task is ending.
    fn go_on_with(&mut self, phase: Phase) {
        if !self.is_stopping() {
            self.phase = phase;
        }
    }
}

/// Tells the planner that the user undid, or made again, what its calls had changed.
fn put_back(deed: &str, files: &[UndoneFile], repositories: &[UndoneRepository]) -> String {
    const MOST: usize = 10;
    let done = files.iter().filter(|file| file.restored).map(|file| file.change.path.as_str());
    let done: Vec<&str> = done.collect();
    let mut what: Vec<String> = done.iter().take(MOST).map(|path| (*path).to_owned()).collect();
    what.extend(
        done.len().checked_sub(MOST).filter(|more| *more > 0).map(|more| format!("{more} more files")),
    );
    let has_repository = repositories.iter().any(UndoneRepository::is_restored);
    what.extend(has_repository.then(|| "what changed inside the git repository".to_owned()));
    let what = if what.is_empty() { "some of it".to_owned() } else { what.join(", ") };
    format!("(The user {deed} changes of this task: {what}. Look again before you rely on them.)")
}
