//! The drivers at work: one for each task that has not ended.

use super::HostError;
use crate::core::Core;
use crate::driver::{Children, Driver, Signal, Signalled};
use crate::inference::HostModels;
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{EventRecord, TaskId, TaskState};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Signals that wait for one driver; more make the sender wait.
const SIGNAL_CAPACITY: usize = 16;

type Senders = HashMap<TaskId, mpsc::Sender<Signalled>>;

/// The drivers of a host.
pub(super) struct Drivers {
    core: Arc<Core>,
    senders: Arc<Mutex<Senders>>,
    /// Whether tasks are driven here. A process that only notes something down leaves them to the next one that does.
    is_driving: AtomicBool,
    /// What works here, drivers and more, and what ends it.
    at_work: TaskTracker,
    end: CancellationToken,
}

fn locked(senders: &Mutex<Senders>) -> MutexGuard<'_, Senders> {
    senders.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drivers {
    pub(super) fn new(core: Arc<Core>) -> Arc<Self> {
        let (at_work, end) = (TaskTracker::new(), CancellationToken::new());
        let drivers =
            Arc::new(Self { core, senders: Arc::default(), is_driving: AtomicBool::default(), at_work, end });
        let children: Weak<dyn Children> = Arc::<Self>::downgrade(&drivers);
        drivers.core.hand_over_to(children);
        drivers.core.registry.asks(Arc::new(HostModels::of(&drivers.core)));
        drivers
    }

    /// What works next to the drivers, and is waited for when the host ends.
    pub(super) fn at_work(&self) -> &TaskTracker {
        &self.at_work
    }

    /// Cancelled when the host ends.
    pub(super) fn end(&self) -> &CancellationToken {
        &self.end
    }

    /// Ends every driver where it stands. Nothing is journalled by that: each task is as it was, and the next host
    /// takes it up as it would after a crash. Comes before the planner is ended, which no task may take for a failure.
    pub(super) async fn close(&self) {
        // What the first driver to end gives back would start a task that waits, only for it to be interrupted.
        let _held = self.core.slots.hold();
        self.end.cancel();
        self.at_work.close();
        self.at_work.wait().await;
        self.core.meaning.close().await;
    }

    /// Takes up every task that has not ended: what a dead process left behind resumes. Those that had begun are called
    /// first, oldest first, and then the queued ones in their order; the first of them once all are in line.
    pub(super) async fn resume_all(&self) -> Result<(), HostError> {
        self.is_driving.store(true, Ordering::Relaxed);
        let _held = self.core.slots.hold();
        for task in self.core.store.unfinished()? {
            self.drive(&task.id).await?;
        }
        let (core, end) = (self.core.clone(), self.end.clone());
        self.at_work.spawn(async move {
            end.run_until_cancelled(core.embed_in_quiet()).await;
        });
        tokio::task::spawn_blocking(deputy_sandbox::remove_abandoned_scratch);
        Ok(())
    }

    /// Starts a driver for a task, unless one is at work.
    pub(super) async fn drive(&self, task: &TaskId) -> Result<mpsc::Sender<Signalled>, HostError> {
        let (sender, receiver) = mpsc::channel(SIGNAL_CAPACITY);
        {
            let mut senders = locked(&self.senders);
            if let Some(running) = senders.get(task).filter(|sender| !sender.is_closed()) {
                return Ok(running.clone());
            }
            senders.insert(task.clone(), sender.clone());
        }
        let driver = match Driver::load(self.core.clone(), task.clone(), receiver).await {
            Ok(driver) => driver,
            Err(error) => {
                locked(&self.senders).remove(task);
                return Err(error.into());
            }
        };
        let (senders, task, end) = (self.senders.clone(), task.clone(), self.end.clone());
        self.at_work.spawn(async move {
            end.run_until_cancelled(driver.run()).await;
            let mut senders = locked(&senders);
            // A new driver may have taken the place meanwhile.
            if senders.get(&task).is_some_and(mpsc::Sender::is_closed) {
                senders.remove(&task);
            }
        });
        Ok(sender)
    }

    /// Tells a task's driver something, and waits until that is journalled. A driver that ended meanwhile needs no
    /// telling: the journal has it, and the next driver reads it there.
    pub(super) async fn signal(&self, task: &TaskId, signal: Signal) -> Result<(), HostError> {
        if !self.is_driving.load(Ordering::Relaxed) {
            self.core.store.append(task, self.core.now_ms(), signal.as_noted()).await?;
            return Ok(());
        }
        let driver = self.drive(task).await?;
        let (heard, hearing) = oneshot::channel();
        if driver.send((signal, heard)).await.is_ok()
            // Dropped unheard only by a driver that ended.
            && let Ok(journalled) = hearing.await
        {
            journalled?;
        }
        Ok(())
    }

    /// Tells the driver of something that the store has journalled. Where the driver ended, because the journal could
    /// not be written for a while, a new one reads it there.
    pub(super) async fn journalled(&self, record: EventRecord) {
        let running = locked(&self.senders).get(&record.task).filter(|sender| !sender.is_closed()).cloned();
        let Some(driver) = running else {
            if self.is_driving.load(Ordering::Relaxed)
                && let Err(error) = self.drive(&record.task).await
            {
                tracing::error!("{}", say::task_cannot_go_on(error, &record.task));
            }
            return;
        };
        let (heard, hearing) = oneshot::channel();
        if driver.send((Signal::Journalled(Box::new(record)), heard)).await.is_ok() {
            let _ = hearing.await;
        }
    }

    /// Whether a task works here and now.
    pub(super) fn is_at_work(&self, task: &TaskId) -> Result<bool, HostError> {
        let state = self.core.store.task(task)?.map(|task| task.state);
        let has_driver = locked(&self.senders).get(task).is_some_and(|driver| !driver.is_closed());
        Ok(has_driver && matches!(state, Some(TaskState::Running(_) | TaskState::AwaitingSubtasks(_))))
    }
}

#[async_trait]
impl Children for Drivers {
    async fn drive(&self, task: &TaskId) -> Result<(), Phrase> {
        Drivers::drive(self, task).await.map(drop).map_err(|error| error.to_string().into())
    }

    async fn stop(&self, task: &TaskId) -> Result<(), Phrase> {
        self.signal(task, Signal::Stop).await.map_err(|error| error.to_string().into())
    }
}
