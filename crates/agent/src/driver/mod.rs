//! The driver of one task: a loop that performs the actions of the state machine. Events are applied immediately and
//! written before anything has an effect outside the process.
//!
//! Each part of the work has its own type: [`Judge`] decides whether a call may run, [`Asker`] asks a person,
//! [`Runner`] runs calls, [`Background`] tracks commands that outlive their call, [`Planning`] asks the planner, and
//! [`TaskJournal`] holds the task. This module sequences them, and handles signals that arrive in the meantime.

mod ask;
mod background;
mod briefing;
mod delegating;
mod earlier;
mod folder_walls;
mod guiding;
mod journal;
mod judge;
mod notes;
mod offer;
mod pictures;
mod plan;
mod remembering;
mod review;
mod run;
mod signal;
mod slot;
mod start_block;
mod syntax;
#[cfg(test)]
mod testing;

pub(crate) use ask::Line;
pub(crate) use background::kept_output;
pub(crate) use delegating::Children;
pub(crate) use journal::{load_machine, look_through, result_of};
pub(crate) use run::differences;
pub(crate) use signal::{Signal, Signalled};

use crate::core::Core;
use crate::machine::{Action, Waiting};
use crate::record;
use crate::{spending, temporary};
use ask::{Asker, Open};
use background::{Background, Gone};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{
    BudgetLimit, BudgetReached, CallId, CallStatus, Confinement, Interrupted, IterationStarted, PauseReason,
    Paused, ProviderWait, RequestId, Resumed, StopReason, StopRequested, Stopped, TaskEvent, TaskId,
};
use deputy_store::StoreError;
use journal::TaskJournal;
use judge::{Judge, Judged};
use plan::Planning;
use run::{Happened, Runner};
use slot::Slot;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// The first and the longest pause before a failed write is retried.
const FIRST_NAP: Duration = Duration::from_secs(1);
const LONGEST_NAP: Duration = Duration::from_secs(30);

/// The reason why a driver cannot continue. The task stays in the state that the journal has.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum DriverError {
    Store(#[from] StoreError),
    NoBeginning { task: TaskId },
}

impl DriverError {
    /// Returns the message for this error.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::Store(error) => error.phrase(),
            Self::NoBeginning { task } => say::no_beginning(task),
        }
    }
}

deputy_messages::said_by_phrase!(DriverError);

/// The driver of one task.
pub(crate) struct Driver {
    core: Arc<Core>,
    journal: TaskJournal,
    signals: mpsc::Receiver<Signalled>,
    slot: Slot,
    judge: Judge,
    asker: Asker,
    planning: Planning,
    runner: Runner,
    background: Background,
}

/// Whether the driver continues.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    End,
}

/// An event that a driver handles while it waits for something else.
enum News {
    Signal(Signalled),
    Gone(Gone),
}

/// Waits for the next event. `None` once the host has shut down. Cancel safe.
async fn news(signals: &mut mpsc::Receiver<Signalled>, background: &mut Background) -> Option<News> {
    tokio::select! {
        signal = signals.recv() => signal.map(News::Signal),
        Some(gone) = background.next_gone() => Some(News::Gone(gone)),
    }
}

impl Driver {
    /// Loads a task from the journal. A task whose process died while it worked is marked `Interrupted` first.
    pub(crate) async fn load(
        core: Arc<Core>,
        task: TaskId,
        signals: mpsc::Receiver<Signalled>,
    ) -> Result<Self, DriverError> {
        let journal = TaskJournal::load(core.clone(), task)?;
        let spec = journal.machine().spec();
        // A task whose scope names files may write nothing else.
        if deputy_sandbox::walls().can_confine(Confinement::ReadOnly) && !judge::is_narrow(&spec.scope) {
            temporary::prepare(&core.home, &spec.id);
        }
        let background = Background::new(core.clone(), &journal);
        let mut driver = Self {
            judge: Judge::new(core.clone(), journal.machine().spec()).with_own_servers(background.shared()),
            asker: Asker::new(core.clone()),
            planning: Planning::new(core.clone()),
            runner: Runner::new(core.clone()),
            background,
            slot: Slot::new(core.clone()),
            core,
            journal,
            signals,
        };
        driver.close_what_was_cut_off().await?;
        delegating::end_with_parent(&driver.core, &mut driver.journal).await?;
        // The task joins the line before any other task is loaded, so that waiting tasks keep their order after a
        // restart.
        if let Action::Wait(Waiting::ToStart | Waiting::ToContinue) = driver.journal.machine().next() {
            driver.slot.line_up(&driver.journal)?;
        }
        Ok(driver)
    }

    /// Journals the end of everything that ended with the previous process, or that the driver could not write.
    async fn close_what_was_cut_off(&mut self) -> Result<(), DriverError> {
        if self.journal.machine().was_active() {
            self.journal.emit(TaskEvent::Interrupted(Interrupted {}));
        }
        self.background.end_unknown(&self.journal);
        self.background.journal_lost(&mut self.journal).await;
        self.journal.commit().await?;
        self.asker.close_lost_midway(&mut self.journal).await
    }

    /// Runs the task to its end.
    pub(crate) async fn run(mut self) {
        loop {
            match self.step().await {
                Ok(Flow::On) => {}
                Ok(Flow::End) => break,
                Err(error) => {
                    let task = self.journal.task();
                    let passes = matches!(&error, DriverError::Store(store) if store.may_pass());
                    let then = if passes { "; it continues by itself once that is fixed" } else { "" };
                    let text = format!("task {task} cannot continue: {error}{then}");
                    tracing::error!("{text}");
                    self.core.show(task, None, &format!("\n{text}\n"));
                    if !self.recover(error).await {
                        break;
                    }
                }
            }
        }
    }

    /// Recovers from a failed write, for example because the disk is full: reloads the task from the journal, as after
    /// a crash, once the journal can be written again. Returns `false` if waiting cannot help, or if the host has shut
    /// down.
    async fn recover(&mut self, error: DriverError) -> bool {
        let mut nap = FIRST_NAP;
        let DriverError::Store(mut error) = error else { return false };
        while error.may_pass() {
            self.journal.forget_unwritten().await;
            self.judge.forget();
            self.slot.give_back();
            tokio::select! {
                signal = self.signals.recv() => match signal {
                    // The store has journalled it; it is read again below.
                    Some((Signal::Journalled(_), heard)) => drop(heard.send(Ok(()))),
                    Some((_, heard)) => drop(heard.send(Err(error.clone()))),
                    None => return false,
                },
                () = tokio::time::sleep(nap) => nap = (nap * 2).min(LONGEST_NAP),
            }
            if self.journal.reload().is_err() {
                return false;
            }
            match self.close_what_was_cut_off().await {
                Ok(()) => return true,
                Err(DriverError::Store(again)) => error = again,
                Err(DriverError::NoBeginning { .. }) => return false,
            }
        }
        false
    }

    /// Performs the next action of the state machine.
    async fn step(&mut self) -> Result<Flow, DriverError> {
        self.background.bury_all(&mut self.journal).await?;
        let action = self.journal.machine().next();
        tracing::trace!(task = %self.journal.task(), ?action);
        if !matches!(action, Action::Decide(_) | Action::AskPermission(_) | Action::Run(_)) {
            self.judge.forget();
        }
        match action {
            Action::Wait(waiting) => return self.wait(waiting).await,
            Action::BeginIteration(iteration) => {
                self.journal.emit(TaskEvent::IterationStarted(IterationStarted { iteration }));
            }
            Action::Compact(compacted) => self.journal.emit(TaskEvent::Compacted(compacted)),
            Action::Plan { delay_ms } => {
                if self.take_slot().await? {
                    self.plan(delay_ms).await?;
                }
            }
            Action::Decide(call) => self.decide(&call).await?,
            Action::AskPermission(call) => {
                self.asker.ask_permission(&mut self.journal, &mut self.judge, &call).await?;
            }
            Action::Refuse { call, reason } => self.journal.refuse(&call, reason),
            Action::LeaveOut(call) => {
                self.journal.fail(&call, CallStatus::Cancelled, say::not_run_instruction());
            }
            Action::Run(calls) => {
                if self.take_slot().await?
                    && let Some(ready) = self.judge.before_running(&mut self.journal, &calls).await
                {
                    self.run_calls(ready).await?;
                }
            }
            Action::Settle(call) => {
                if self.take_slot().await?
                    && let Some(again) = run::settle(&self.core, &mut self.journal, &self.judge, &call).await
                {
                    self.run_calls(vec![(call, again)]).await?;
                }
            }
            Action::AskQuestion(need) => self.asker.ask_question(&mut self.journal, &need).await?,
            Action::Pause(reached) => self.pause_for(reached).await?,
            Action::EndBackground => self.background.end_all(&mut self.journal).await?,
            Action::Stop { reason, summary } => {
                delegating::end_all(&self.core, self.journal.task()).await?;
                if let Some(folder) = temporary::folder(&self.core.home, self.journal.task()) {
                    // If it panics, the next start removes the folder.
                    let _ = tokio::task::spawn_blocking(move || temporary::remove(&folder)).await;
                }
                self.core.build_output.forget(self.journal.task());
                if reason == StopReason::Completed {
                    let closed = self.journal.machine().closed_todo();
                    closed.into_iter().for_each(|todo| self.journal.emit(TaskEvent::TodoChanged(todo)));
                }
                let report = Some(Box::new(record::report(&self.core, self.journal.machine()).await));
                self.journal.emit(TaskEvent::Stopped(Stopped { reason, summary, report }));
                self.journal.commit().await?;
            }
            Action::Ended => return Ok(Flow::End),
        }
        Ok(Flow::On)
    }

    /// Pauses the task because a limit of time or money is reached.
    async fn pause_for(&mut self, reached: BudgetReached) -> Result<(), DriverError> {
        let message = spending::in_words(&reached, &self.core.config().currency);
        let paused = Paused { reason: PauseReason::Budget, message, budget: Some(reached) };
        self.journal.emit(TaskEvent::Paused(paused));
        Ok(self.journal.commit().await?)
    }

    /// Asks the planner. A stop cancels the request.
    async fn plan(&mut self, delay_ms: u64) -> Result<(), DriverError> {
        if let Some((limit, spent)) = self.core.over_day()? {
            let reached = self.journal.machine().reached(limit, spent.tokens, spent.cost_micros);
            return self.pause_for(reached).await;
        }
        if !self.planning.guide(&mut self.journal).await {
            return Ok(());
        }
        let (route, request) = match self.planning.request(&mut self.journal).await {
            Ok(request) => request,
            Err(error) => {
                self.planning.failed(&mut self.journal, error, None);
                return Ok(());
            }
        };
        self.journal.begin_commit().await?;
        let mut asked = self.planning.ask(self.journal.machine().spec(), route, request, delay_ms);
        let answer = loop {
            tokio::select! {
                answer = &mut asked.answer => break answer,
                Some(news) = news(&mut self.signals, &mut self.background) => {
                    self.hear(news).await?;
                    if self.journal.machine().is_stopping() {
                        asked.cancel.cancel();
                    }
                }
            }
        };
        self.journal.finish_commit().await?;
        self.planning.take(&mut self.journal, asked, answer);
        Ok(())
    }

    /// Decides on a call. Events that arrive during its review are handled right away; a stop cancels the review.
    async fn decide(&mut self, id: &CallId) -> Result<(), DriverError> {
        let Some((call, judged)) = self.judge.look_at(&mut self.journal, id).await else { return Ok(()) };
        if let Some(complaint) = syntax::complaint(&judged).await {
            self.journal.fail(id, CallStatus::Failed, complaint);
            return Ok(());
        }
        let machine = self.journal.machine();
        let Some(route) = review::wanted(&self.core, machine, &call, &judged) else {
            self.judge.decide(&mut self.journal, (call, judged), None);
            return Ok(());
        };
        let mut review = Box::pin(review::review(self.core.clone(), machine, &call, &judged, route));
        let reviewed = loop {
            tokio::select! {
                reviewed = &mut review => break reviewed,
                Some(news) = news(&mut self.signals, &mut self.background) => {
                    self.hear(news).await?;
                    if self.journal.machine().is_stopping() {
                        return Ok(());
                    }
                }
            }
        };
        self.judge.decide(&mut self.journal, (call, judged), Some(reviewed));
        Ok(())
    }

    /// Runs calls in parallel, until the last of them has ended.
    async fn run_calls(&mut self, calls: Vec<(CallId, Judged)>) -> Result<(), DriverError> {
        let machine = self.journal.machine();
        let names_only =
            |id| machine.call(id).and_then(|call| call.stage.ruled()).is_some_and(|ruled| ruled.names_only);
        let opened = calls.iter().filter(|(id, _)| !names_only(id));
        self.asker.begin_calls(opened.flat_map(|(_, judged)| &judged.ruling.revealed));
        let mut running = self.runner.start(&mut self.journal, &self.background, calls).await?;
        let mut has_told = false;
        while !running.is_empty() {
            tokio::select! {
                Some(happened) = running.next(!self.asker.is_asking_midway()) => match happened {
                    Happened::Ended(ended) => {
                        let waited = self.asker.call_ended(&mut self.journal, &ended.call).await?;
                        let (journal, background) = (&mut self.journal, &self.background);
                        self.runner.end(journal, background, &mut running, ended, waited).await;
                    }
                    Happened::Delegated(started) => {
                        self.journal.emit(TaskEvent::SubtasksStarted(started));
                        self.journal.begin_commit().await?;
                        // Release the slot while the sub-tasks work.
                        self.slot.give_back();
                    }
                    Happened::Wished(wish) => {
                        self.asker.ask_midway(&mut self.journal, wish).await?;
                        if self.asker.is_asking_midway() {
                            // Release the slot so that other tasks can work.
                            self.slot.give_back();
                        }
                    }
                },
                Some(news) = news(&mut self.signals, &mut self.background) => {
                    self.hear(news).await?;
                    if self.journal.machine().is_stopping() {
                        self.asker.end_midway(&mut self.journal, say::task_was_stopped()).await?;
                        running.end_soon();
                        if !std::mem::replace(&mut has_told, true) {
                            delegating::stop_all(&self.core, self.journal.task()).await?;
                        }
                    }
                }
                () = self.core.until(self.asker.midway_expires_at_ms()) => {
                    self.asker.end_midway(&mut self.journal, say::nobody_answered()).await?;
                }
            }
        }
        Ok(())
    }

    /// Waits for a slot, or for a person to act. Other tasks may work in the meantime.
    async fn wait(&mut self, waiting: Waiting) -> Result<Flow, DriverError> {
        match waiting {
            Waiting::ToStart => {
                self.wait_for_slot(TaskEvent::IterationStarted(IterationStarted { iteration: 1 })).await
            }
            Waiting::ToContinue => self.wait_for_slot(TaskEvent::Resumed(Resumed {})).await,
            Waiting::Provider(wait) => self.wait_for_provider(&wait).await,
            Waiting::Permission(request) => self.wait_for_person(Some(&request)).await,
            Waiting::Question(_) | Waiting::Resume(_) => self.wait_for_person(None).await,
            Waiting::Inbox(_) => self.wait_for_inbox().await,
        }
    }

    /// Waits for a slot, and journals the given event.
    async fn wait_for_slot(&mut self, then: TaskEvent) -> Result<Flow, DriverError> {
        if self.take_slot().await? {
            self.journal.emit(then);
        }
        Ok(Flow::On)
    }

    /// Waits until the model's provider accepts requests again, and then for a slot.
    async fn wait_for_provider(&mut self, wait: &ProviderWait) -> Result<Flow, DriverError> {
        if wait.until_ms <= self.core.now_ms() {
            return self.wait_for_slot(TaskEvent::Resumed(Resumed {})).await;
        }
        self.slot.give_back();
        self.journal.commit().await?;
        tokio::select! {
            news = news(&mut self.signals, &mut self.background) => self.hear_or_end(news).await,
            () = self.core.until(Some(wait.until_ms)) => Ok(Flow::On),
        }
    }

    /// Takes a slot. Returns `false` if a signal arrives first, because the machine may then need a different action.
    /// The position in the line is kept.
    async fn take_slot(&mut self) -> Result<bool, DriverError> {
        if self.slot.is_held() {
            return Ok(true);
        }
        self.journal.commit().await?;
        // Files may change during the wait.
        self.judge.forget();
        let turn = self.slot.line_up(&self.journal)?;
        tokio::select! {
            biased;
            Some(signal) = self.signals.recv() => {
                self.hear(News::Signal(signal)).await?;
                Ok(false)
            }
            () = turn.come() => Ok(true),
        }
    }

    /// Waits for a person to act, or for a request to expire.
    async fn wait_for_person(&mut self, request: Option<&RequestId>) -> Result<Flow, DriverError> {
        self.slot.give_back();
        self.journal.commit().await?;
        let request = match request {
            None => None,
            Some(id) => match self.asker.open_request(&mut self.journal, id).await? {
                Open::Answered => return Ok(Flow::On),
                Open::Unknown => None,
                Open::Waits(request) => Some(request),
            },
        };
        tokio::select! {
            news = news(&mut self.signals, &mut self.background) => return self.hear_or_end(news).await,
            () = self.core.until(request.as_ref().map(|request| request.expires_at_ms)) => {
                if let Some(request) = &request {
                    self.asker.expire(&mut self.journal, request).await?;
                }
            }
        }
        Ok(Flow::On)
    }

    /// Waits until there is room in the inbox, and asks.
    async fn wait_for_inbox(&mut self) -> Result<Flow, DriverError> {
        self.slot.give_back();
        self.journal.commit().await?;
        let Some(mut waiter) = self.asker.waiter(self.journal.machine())? else {
            // There is nothing to ask any more.
            self.journal.emit(TaskEvent::Resumed(Resumed {}));
            return Ok(Flow::On);
        };
        loop {
            let turn = tokio::select! {
                signal = self.signals.recv() => return self.hear_or_end(signal.map(News::Signal)).await,
                turn = self.asker.turn(&mut waiter) => turn?,
            };
            if self.asker.take_turn(&mut self.journal, &mut self.judge, &waiter, turn).await? {
                return Ok(Flow::On);
            }
        }
    }

    /// Handles an event. `None` means that the host has shut down; everything is in the journal.
    async fn hear_or_end(&mut self, news: Option<News>) -> Result<Flow, DriverError> {
        let Some(news) = news else { return Ok(Flow::End) };
        self.hear(news).await?;
        Ok(Flow::On)
    }

    /// Handles an event, journals it and replies to the sender.
    async fn hear(&mut self, news: News) -> Result<(), DriverError> {
        let (signal, heard) = match news {
            News::Signal(signalled) => signalled,
            News::Gone(gone) => {
                self.background.bury(&mut self.journal, gone).await;
                return Ok(self.journal.commit().await?);
            }
        };
        let is_move = signal.is_move();
        match signal {
            // Running calls may finish; the machine stops afterwards.
            Signal::Stop if !self.journal.machine().is_stopping() => {
                self.journal.emit(TaskEvent::StopRequested(StopRequested {}));
            }
            Signal::Stop => {}
            Signal::Resume if !self.journal.machine().is_held() => {}
            Signal::StopBackground(background) => self.background.stop(&background),
            Signal::Journalled(record) => {
                self.planning.hear(&record.event);
                self.journal.apply_written(&record.event);
                if let TaskEvent::PermissionAnswered(answered) = &record.event {
                    self.asker.answered_midway(answered);
                }
            }
            noted => noted.as_noted().into_iter().for_each(|event| {
                let lifts_day = self.journal.machine().paused_for().is_some_and(BudgetLimit::is_of_day);
                if lifts_day && matches!(event, TaskEvent::Resumed(_)) {
                    self.core.day_lifted.lift(self.core.now_ms());
                }
                self.planning.hear(&event);
                self.journal.emit(event);
            }),
        }
        let mut journalled = self.journal.commit().await;
        if is_move && journalled.is_ok() {
            journalled = self.slot.move_by_rank(&self.journal);
        }
        // The sender may have given up.
        let _ = heard.send(journalled.clone());
        Ok(journalled?)
    }
}
