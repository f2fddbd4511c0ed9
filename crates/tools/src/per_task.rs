//! State that a tool keeps for each task until the task ends.

use deputy_protocol::TaskId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// A map from tasks to values. A value is created on first use.
pub(crate) struct PerTask<T>(Arc<Mutex<HashMap<TaskId, Arc<T>>>>);

impl<T> Default for PerTask<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for PerTask<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Default + Send + Sync + 'static> PerTask<T> {
    fn values(&self) -> MutexGuard<'_, HashMap<TaskId, Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value of a task, if it has one.
    pub(crate) fn known(&self, task: &TaskId) -> Option<Arc<T>> {
        self.values().get(task).cloned()
    }

    /// Returns the value of a task, creating it if needed. The value is dropped when `ended` is cancelled.
    pub(crate) fn of(&self, task: &TaskId, ended: &CancellationToken) -> Arc<T> {
        let mut values = self.values();
        if let Some(value) = values.get(task) {
            return value.clone();
        }
        let value = Arc::<T>::default();
        values.insert(task.clone(), value.clone());
        let (all, task, ended) = (self.clone(), task.clone(), ended.clone());
        tokio::spawn(async move {
            ended.cancelled().await;
            all.values().remove(&task);
        });
        value
    }
}
