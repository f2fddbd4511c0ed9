//! The running drivers: one for each task that has not ended.

use super::HostError;
use crate::core::Core;
use crate::driver::{Children, Driver, Signal, Signalled};
use crate::inference::HostModels;
use crate::temporary;
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

/// The number of signals queued for one driver. When the queue is full, senders wait.
const SIGNAL_CAPACITY: usize = 16;

type Senders = HashMap<TaskId, mpsc::Sender<Signalled>>;

/// The drivers of a host.
pub(super) struct Drivers {
    core: Arc<Core>,
    senders: Arc<Mutex<Senders>>,
    /// Whether tasks are driven here. A process that only records commands leaves the tasks to the next process that
    /// drives them.
    is_driving: AtomicBool,
    /// The running drivers and other background work, and the token that ends them.
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

    /// Returns the tracker of background work, which is awaited when the host ends.
    pub(super) fn at_work(&self) -> &TaskTracker {
        &self.at_work
    }

    /// Returns the token that is cancelled when the host ends.
    pub(super) fn end(&self) -> &CancellationToken {
        &self.end
    }

    /// Ends every driver immediately. Nothing is journalled: each task keeps its state, and the next host resumes it as
    /// after a crash. Must be called before the planner is shut down, so that no task records that as a failure.
    pub(super) async fn close(&self) {
        // Otherwise the slot of the first driver that ends would start a waiting task, only for it to be interrupted.
        let _held = self.core.slots.hold();
        self.end.cancel();
        self.at_work.close();
        self.at_work.wait().await;
        self.core.meaning.close().await;
    }

    /// Resumes every task that has not ended. Tasks that had begun come first, oldest first, then the queued ones in
    /// order. None of them starts before all are in line.
    pub(super) async fn resume_all(&self) -> Result<(), HostError> {
        self.is_driving.store(true, Ordering::Relaxed);
        let _held = self.core.slots.hold();
        let folders = temporary::folders(&self.core.home);
        let unfinished = self.core.store.unfinished()?;
        for task in &unfinished {
            self.drive(&task.id).await?;
        }
        let (core, end) = (self.core.clone(), self.end.clone());
        self.at_work.spawn(async move {
            end.run_until_cancelled(core.embed_in_quiet()).await;
        });
        let unfinished = unfinished.into_iter().map(|task| task.id).collect();
        let left = temporary::of_ended(folders, &unfinished);
        tokio::task::spawn_blocking(move || {
            deputy_sandbox::remove_abandoned_scratch();
            left.iter().for_each(|folder| temporary::remove(folder));
        });
        Ok(())
    }

    /// Starts a driver for a task, unless one is running.
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
            // A new driver may have replaced it.
            if senders.get(&task).is_some_and(mpsc::Sender::is_closed) {
                senders.remove(&task);
            }
        });
        Ok(sender)
    }

    /// Sends a signal to a task's driver, and waits until it is journalled. If the driver ended in the meantime, the
    /// signal is not needed: the journal has everything, and the next driver reads it there.
    pub(super) async fn signal(&self, task: &TaskId, signal: Signal) -> Result<(), HostError> {
        if !self.is_driving.load(Ordering::Relaxed) {
            self.core.store.append(task, self.core.now_ms(), signal.as_noted()).await?;
            return Ok(());
        }
        let driver = self.drive(task).await?;
        let (heard, hearing) = oneshot::channel();
        if driver.send((signal, heard)).await.is_ok()
            // The reply is only dropped if the driver ended.
            && let Ok(journalled) = hearing.await
        {
            journalled?;
        }
        Ok(())
    }

    /// Informs the driver of an event that the store has journalled. If the driver ended because the journal could not
    /// be written for a while, a new one reads the event from the journal.
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

    /// Returns whether a task is running in this process.
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
