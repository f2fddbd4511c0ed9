//! The driver of one task: performs what the machine asks for, journals what came of it, and only then applies it.

mod ask;
pub(crate) mod background;
mod edits;
mod equip;
mod guard;
mod keeper;
mod line;
mod midway;
pub(crate) mod net;
mod notes;
mod plan;
mod reach;
mod rule;
mod run;
mod settle;
mod turn;

pub(crate) use line::Line;

use crate::core::Core;
use crate::machine::{Action, Machine, STOPPED, Waiting};
use crate::profile::{Profile, ProfileError};
use crate::slots::Turn;
use background::{Backgrounds, Gone};
use deputy_protocol::{
    BackgroundEnd, BackgroundId, CallId, Digest, EventRecord, IterationStarted, PauseReason, Paused,
    RequestId, Resumed, Steered, StopReason, StopRequested, Stopped, TaskEvent, TaskId, ToolCall,
};
use deputy_store::StoreError;
use rule::Judged;
use std::collections::HashMap;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// What the host tells a driver.
pub(crate) enum Signal {
    Stop,
    Pause,
    Resume,
    Steer(String),
    /// Ends one background command.
    StopBackground(BackgroundId),
    /// The store has journalled something that a person did: an answer, another place in the queue.
    Journalled(Box<EventRecord>),
}

impl Signal {
    /// The events of a signal to a task that nobody drives right now.
    pub(crate) fn as_noted(&self) -> Vec<TaskEvent> {
        match self {
            Self::Stop => vec![
                TaskEvent::StopRequested(StopRequested {}),
                TaskEvent::Stopped(Stopped { reason: StopReason::ManualStop, summary: STOPPED.to_owned() }),
            ],
            Self::Pause => {
                let message = "Paused by the user.".to_owned();
                vec![TaskEvent::Paused(Paused { reason: PauseReason::ByUser, message })]
            }
            Self::Resume => vec![TaskEvent::Resumed(Resumed {})],
            Self::Steer(text) => vec![TaskEvent::Steered(Steered { text: text.clone() })],
            // What runs in the background ends with its host anyway.
            Self::StopBackground(_) | Self::Journalled(_) => Vec::new(),
        }
    }

    /// Whether the task was given another place in the queue.
    fn is_move(&self) -> bool {
        matches!(self, Self::Journalled(record) if matches!(record.event, TaskEvent::QueueMoved(_)))
    }
}

/// A signal, and where to say that it is journalled, or why it cannot be.
pub(crate) type Signalled = (Signal, oneshot::Sender<Result<(), StoreError>>);

/// How long a driver waits before it tries to write again, at first and at most.
const FIRST_NAP: Duration = Duration::from_secs(1);
const LONGEST_NAP: Duration = Duration::from_secs(30);

/// Why a driver cannot go on. The task stays as the journal has it.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum DriverError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "the journal of task {task} does not begin with its creation; `deputy doctor` checks the database"
    )]
    NoBeginning { task: TaskId },
}

/// The driver of one task.
pub(crate) struct Driver {
    core: Arc<Core>,
    task: TaskId,
    machine: Machine,
    signals: mpsc::Receiver<Signalled>,
    /// Applied, and journalled at the next commit.
    pending: Vec<TaskEvent>,
    /// Manifests that nothing needs once what is pending is durable.
    spent: Vec<Digest>,
    /// The commit that is under way.
    committing: Option<Committing>,
    /// Calls judged since anything else was done: running one right away needs no second look.
    fresh: HashMap<CallId, Judged>,
    /// Its place in the line for a slot, and then the slot.
    slot: Option<Turn>,
    /// What earlier tasks have on this one.
    notes: notes::Notes,
    /// Secret files as last looked for, and when.
    secrets: Option<(Instant, Vec<PathBuf>)>,
    /// The same for files that only likely are.
    likely_secrets: Option<(Instant, Vec<PathBuf>)>,
    /// What runs in the background, and what of it has gone.
    backgrounds: Arc<Backgrounds>,
    gone: mpsc::UnboundedReceiver<Gone>,
    /// Gone before their start was journalled.
    unburied: Vec<Gone>,
    /// What running calls asked.
    asked: midway::Asked,
    /// What was found in the home for approved commands.
    look: equip::Look,
    /// Where the task's commands put temporary files.
    scratch: Option<tempfile::TempDir>,
}

/// A transaction that is being made durable, and the manifests that nothing needs then.
struct Committing {
    written: Pin<Box<dyn Future<Output = Result<Vec<EventRecord>, StoreError>> + Send>>,
    spent: Vec<Digest>,
}

/// Whether a driver goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    End,
}

impl Driver {
    /// Loads a task from the journal. A task whose process died at work is marked `Interrupted` first.
    pub(crate) async fn load(
        core: Arc<Core>,
        task: TaskId,
        signals: mpsc::Receiver<Signalled>,
    ) -> Result<Self, DriverError> {
        let machine =
            load_machine(&core, &task)?.ok_or_else(|| DriverError::NoBeginning { task: task.clone() })?;
        let (backgrounds, gone) =
            Backgrounds::new(core.clone(), task.clone(), machine.backgrounds().started());
        let mut driver = Self {
            core,
            task,
            machine,
            signals,
            pending: Vec::new(),
            spent: Vec::new(),
            committing: None,
            fresh: HashMap::new(),
            slot: None,
            notes: notes::Notes::default(),
            secrets: None,
            likely_secrets: None,
            backgrounds,
            gone,
            unburied: Vec::new(),
            asked: midway::Asked::default(),
            look: equip::Look::default(),
            scratch: None,
        };
        if driver.machine.was_active() {
            driver.emit(TaskEvent::Interrupted(deputy_protocol::Interrupted {}));
        }
        driver.journal_lost_backgrounds().await;
        driver.commit().await?;
        driver.close_lost_midway().await?;
        // In line before anybody else is loaded, so that those who wait are called in their order after a restart.
        if let Action::Wait(Waiting::ToStart | Waiting::ToContinue) = driver.machine.next() {
            driver.slot = Some(driver.turn()?);
        }
        Ok(driver)
    }

    /// Drives the task to its end.
    pub(crate) async fn run(mut self) {
        loop {
            match self.step().await {
                Ok(Flow::On) => {}
                Ok(Flow::End) => break,
                Err(error) => {
                    let passes = matches!(&error, DriverError::Store(store) if store.may_pass());
                    let then = if passes { "; it goes on by itself once that is mended" } else { "" };
                    let text = format!("task {} cannot go on: {error}{then}", self.task);
                    tracing::error!("{text}");
                    self.core.show(&self.task, None, &format!("\n{text}\n"));
                    if !self.recover(&error).await {
                        break;
                    }
                }
            }
        }
    }

    /// After a write that failed for want of space and the like: takes the task up from the journal, as after a crash,
    /// once the journal can be written again. `false` where waiting cannot help, or nobody is left to wait for.
    async fn recover(&mut self, error: &DriverError) -> bool {
        let mut nap = FIRST_NAP;
        let DriverError::Store(mut error) = error.clone() else { return false };
        while error.may_pass() {
            // Whatever is still on its way to the disk arrives or fails before the journal is read again below; what came
            // of it is in the journal.
            let _ = self.finish_commit().await;
            // What was applied and not written has not happened.
            self.pending.clear();
            self.spent.clear();
            self.fresh.clear();
            self.slot = None;
            tokio::select! {
                signal = self.signals.recv() => match signal {
                    // What the store has journalled is read again below.
                    Some((Signal::Journalled(_), heard)) => drop(heard.send(Ok(()))),
                    Some((_, heard)) => drop(heard.send(Err(error.clone()))),
                    None => return false,
                },
                () = tokio::time::sleep(nap) => nap = (nap * 2).min(LONGEST_NAP),
            }
            match load_machine(&self.core, &self.task) {
                Ok(Some(machine)) => self.machine = machine,
                _ => return false,
            }
            if self.machine.was_active() {
                self.emit(TaskEvent::Interrupted(deputy_protocol::Interrupted {}));
            }
            self.end_unknown_backgrounds();
            self.journal_lost_backgrounds().await;
            let closed = match self.commit().await {
                Ok(()) => self.close_lost_midway().await,
                Err(again) => Err(again.into()),
            };
            match closed {
                Ok(()) => return true,
                Err(DriverError::Store(again)) => error = again,
                Err(DriverError::NoBeginning { .. }) => return false,
            }
        }
        false
    }

    async fn step(&mut self) -> Result<Flow, DriverError> {
        self.bury_backgrounds().await?;
        let action = self.machine.next();
        tracing::trace!(task = %self.task, ?action);
        if !matches!(action, Action::Decide(_) | Action::Run(_)) {
            self.fresh.clear();
        }
        match action {
            Action::Wait(waiting) => return self.wait(waiting).await,
            Action::BeginIteration(iteration) => {
                self.emit(TaskEvent::IterationStarted(IterationStarted { iteration }));
            }
            Action::Plan { delay_ms } => {
                if self.take_slot().await? {
                    self.plan(delay_ms).await?;
                }
            }
            Action::Decide(call) => {
                self.know_programs(&call).await;
                self.decide(&call);
            }
            Action::AskPermission(call) => self.ask_permission(&call).await?,
            Action::Refuse { call, reason } => self.refuse(&call, &reason),
            Action::Run(calls) => {
                if self.take_slot().await? {
                    self.run_calls(&calls).await?;
                }
            }
            Action::Settle(call) => {
                if self.take_slot().await? {
                    self.settle(&call).await?;
                }
            }
            Action::AskQuestion(need) => self.ask_question(&need).await?,
            Action::Pause { reason, message } => {
                self.emit(TaskEvent::Paused(Paused { reason, message }));
                self.commit().await?;
            }
            Action::EndBackground => self.end_backgrounds().await?,
            Action::Stop { reason, summary } => {
                self.emit(TaskEvent::Stopped(Stopped { reason, summary }));
                self.commit().await?;
            }
            Action::Ended => return Ok(Flow::End),
        }
        Ok(Flow::On)
    }

    /// Applies an event and queues it for the journal. Only for what has no effect outside yet.
    fn emit(&mut self, event: TaskEvent) {
        self.notes.hear(&event);
        self.machine.apply(&event);
        self.pending.push(event);
    }

    /// Makes everything that was emitted durable. Comes before every effect outside the process.
    async fn commit(&mut self) -> Result<(), StoreError> {
        self.begin_commit().await?;
        self.finish_commit().await
    }

    /// Queues everything that was emitted as one transaction, and does not wait for it: before a plan is asked for or
    /// something is only read, since both may simply be done again. What comes of it is used after
    /// [`Driver::finish_commit`].
    async fn begin_commit(&mut self) -> Result<(), StoreError> {
        // One at a time: no event may stand in the journal without those before it.
        self.finish_commit().await?;
        if !self.pending.is_empty() {
            let events = std::mem::take(&mut self.pending);
            let written = Box::pin(self.core.store.append(&self.task, self.core.now_ms(), events));
            self.committing = Some(Committing { written, spent: std::mem::take(&mut self.spent) });
        }
        Ok(())
    }

    /// Waits for the commit that is under way.
    async fn finish_commit(&mut self) -> Result<(), StoreError> {
        if let Some(committing) = &mut self.committing {
            let written = (&mut committing.written).await;
            let spent = std::mem::take(&mut committing.spent);
            self.committing = None;
            written?;
            self.drop_all(spent)?;
        }
        Ok(())
    }

    /// Lets go of manifests that nothing needs now that everything is durable.
    fn drop_spent(&mut self) -> Result<(), StoreError> {
        let spent = std::mem::take(&mut self.spent);
        self.drop_all(spent)
    }

    fn drop_all(&self, manifests: Vec<Digest>) -> Result<(), StoreError> {
        manifests.iter().try_for_each(|manifest| self.core.store.drop_blob(manifest))
    }

    /// Waits for somebody to act. Others may work meanwhile.
    async fn wait(&mut self, waiting: Waiting) -> Result<Flow, DriverError> {
        match waiting {
            Waiting::ToStart => {
                let started = TaskEvent::IterationStarted(IterationStarted { iteration: 1 });
                self.wait_for_turn(started).await
            }
            Waiting::ToContinue => self.wait_for_turn(TaskEvent::Resumed(Resumed {})).await,
            Waiting::Permission(request) => self.wait_for_person(Some(&request)).await,
            Waiting::Question(_) | Waiting::Resume(_) => self.wait_for_person(None).await,
            Waiting::Inbox(_) => {
                self.slot = None;
                self.commit().await?;
                self.wait_for_place().await
            }
        }
    }

    /// Waits for what a person says, or for the time of a request to run out.
    async fn wait_for_person(&mut self, request: Option<&RequestId>) -> Result<Flow, DriverError> {
        self.slot = None;
        self.commit().await?;
        let request = request.map(|id| self.core.store.request(id)).transpose()?.flatten();
        if let Some(request) = &request
            && let Some(given) = self.consented(request)
        {
            self.answer(request, given.choice, given.by).await?;
            return Ok(Flow::On);
        }
        let expires_at_ms = request.as_ref().map(|request| request.expires_at_ms);
        tokio::select! {
            signal = self.signals.recv() => return self.hear_or_end(signal).await,
            Some(gone) = self.gone.recv() => self.bury(gone).await,
            () = until(self.core.clone(), expires_at_ms) => {
                if let Some(request) = &request {
                    self.expire(request).await?;
                }
            }
        }
        Ok(Flow::On)
    }

    /// Takes in a signal; without one the host is gone, and the journal has everything.
    async fn hear_or_end(&mut self, signal: Option<Signalled>) -> Result<Flow, DriverError> {
        let Some(signal) = signal else { return Ok(Flow::End) };
        self.hear(signal).await?;
        Ok(Flow::On)
    }

    /// Takes in a signal, journals it and says so.
    async fn hear(&mut self, (signal, heard): Signalled) -> Result<(), DriverError> {
        let is_move = signal.is_move();
        match signal {
            // What runs may finish; the machine stops after it.
            Signal::Stop if !self.machine.is_stopping() => {
                self.emit(TaskEvent::StopRequested(StopRequested {}))
            }
            Signal::Stop => {}
            Signal::Resume if !self.machine.is_held() => {}
            Signal::StopBackground(background) => {
                self.backgrounds.end(&background, BackgroundEnd::StoppedByUser);
            }
            Signal::Journalled(record) => {
                self.notes.hear(&record.event);
                self.machine.apply(&record.event);
                if let TaskEvent::PermissionAnswered(answered) = &record.event {
                    self.answered_midway(answered);
                }
            }
            noted => noted.as_noted().into_iter().for_each(|event| self.emit(event)),
        }
        let mut journalled = self.commit().await;
        if is_move && journalled.is_ok() {
            journalled = self.move_in_line();
        }
        // Whoever asked may have gone.
        let _ = heard.send(journalled.clone());
        Ok(journalled?)
    }

    /// The profile as it is now; the user may mend it while the task runs.
    fn profile(&self) -> Result<Arc<Profile>, ProfileError> {
        self.core.profiles.current(&self.machine.spec().profile)
    }

    /// The call as planned. The machine only names calls that it has.
    fn call(&self, id: &CallId) -> Option<ToolCall> {
        self.machine.call(id).map(|progress| progress.call.clone())
    }
}

/// Replays a task's journal, page by page.
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

/// Sleeps until a time of the host's clock; forever where there is none.
async fn until(core: Arc<Core>, at_ms: Option<i64>) {
    let Some(at_ms) = at_ms else { return std::future::pending().await };
    // In short naps, since the host's clock may be set while the machine sleeps.
    loop {
        let left = at_ms - core.now_ms();
        if left <= 0 {
            return;
        }
        let nap = u64::try_from(left).unwrap_or(0).min(30_000);
        tokio::time::sleep(std::time::Duration::from_millis(nap)).await;
    }
}
