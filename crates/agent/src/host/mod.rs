//! The host of all tasks. Each home has one. It owns the journal, drives every task, and handles commands and queries.
//! Each subject has its own type and file; `operations` assigns the operations to them.

mod answering;
mod browsing;
mod conversations;
mod copies;
mod documents;
mod drivers;
mod ending;
mod grants;
mod imports;
mod inspection;
mod journal;
mod memories;
mod once;
mod opening;
mod operations;
mod organize;
mod place;
mod prompts;
mod rules;
mod settings;
mod start;
mod steering;
mod undo;
mod web_search;

use crate::config::ConfigError;
use crate::core::{Core, HostParts};
use crate::driver::DriverError;
use answering::Answering;
use browsing::Browsing;
use conversations::Conversations;
use copies::Copies;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{
    CommandId, CommandOutcome, ErrorBody, ErrorCode, EventRecord, HostCommand, HostQuery, JobProgress,
    OperationEffect, PermissionRequest, Progress, QueryAnswer, Snapshot, TaskId, TaskState, TaskSummary,
};
use deputy_store::{MirroredEvent, Store, StoreError};
use documents::DocumentFolders;
use drivers::Drivers;
use grants::Grants;
use imports::Imports;
use inspection::Inspection;
use journal::Journal;
use memories::Memories;
pub(crate) use memories::{LONGEST_SUBJECT_CHARS, measured};
use once::Once;
use opening::Opening;
use organize::{Drafts, Folders, JobList, JobsByHand, Scans};
use prompts::Prompts;
use rules::OwnRules;
use settings::SettingsFile;
use start::Starting;
use std::sync::Arc;
use steering::Steering;
use tokio::sync::broadcast;
use undo::Undoing;

/// An error of the host.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The journal cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configuration is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A task cannot be loaded.
    #[error("{0}")]
    Task(Phrase),
}

impl From<DriverError> for HostError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Store(error) => Self::Store(error),
            error @ DriverError::NoBeginning { .. } => Self::Task(error.to_string().into()),
        }
    }
}

impl From<HostError> for ErrorBody {
    fn from(error: HostError) -> Self {
        let (code, hint) = match &error {
            HostError::Store(_) => (ErrorCode::Store, say::nothing_was_lost()),
            HostError::Config(_) => (ErrorCode::Config, say::fix_configuration()),
            HostError::Task(_) => (ErrorCode::Task, say::see_tasks()),
        };
        let message = match error {
            HostError::Store(error) => error.phrase(),
            HostError::Task(message) => message,
            HostError::Config(error) => error.to_string().into(),
        };
        Self::new(code, message, hint)
    }
}

/// The host of all tasks of a home. Cheap to clone.
#[derive(Clone)]
pub struct Host(Arc<Parts>);

/// The parts of a host.
struct Parts {
    core: Arc<Core>,
    drivers: Arc<Drivers>,
    once: Once,
    starting: Starting,
    steering: Steering,
    answering: Answering,
    conversations: Conversations,
    copies: Copies,
    opening: Opening,
    browsing: Browsing,
    grants: Grants,
    inspection: Inspection,
    prompts: Prompts,
    journal: Journal,
    memories: Memories,
    imports: Imports,
    documents: DocumentFolders,
    rules: OwnRules,
    settings: SettingsFile,
    undoing: Undoing,
    job_list: JobList,
    scans: Scans,
    drafts: Drafts,
    folders: Folders,
}

impl Host {
    /// Creates a host for an open store. It does not drive any task yet.
    pub fn new(parts: HostParts) -> Self {
        crate::redact::learn_environment(std::env::vars_os());
        let shared = Arc::new(Core::new(parts));
        let all = Drivers::new(shared.clone());
        let (core, drivers) = (|| shared.clone(), || all.clone());
        Self(Arc::new(Parts {
            once: Once::new(core()),
            starting: Starting { core: core(), drivers: drivers() },
            steering: Steering { core: core(), drivers: drivers() },
            answering: Answering { core: core(), drivers: drivers() },
            conversations: Conversations { core: core() },
            copies: Copies::new(core(), drivers()),
            opening: Opening { core: core() },
            browsing: Browsing::new(core()),
            grants: Grants { core: core() },
            inspection: Inspection { core: core() },
            prompts: Prompts { core: core() },
            journal: Journal { core: core() },
            memories: Memories { core: core() },
            imports: Imports::new(core()),
            documents: DocumentFolders { core: core() },
            rules: OwnRules { core: core() },
            settings: SettingsFile { core: core() },
            undoing: Undoing {
                core: core(),
                drivers: drivers(),
                jobs: JobsByHand { core: core(), drivers: drivers() },
            },
            job_list: JobList { core: core() },
            scans: Scans::new(core(), drivers()),
            drafts: Drafts { core: core() },
            folders: Folders { core: core() },
            core: core(),
            drivers: drivers(),
        }))
    }

    /// Ends every driver immediately. Nothing is journalled: each task keeps its state, and the next host resumes it as
    /// after a crash. Must be called before the planner is shut down, so that no task records that as a failure.
    pub async fn close(&self) {
        self.0.drivers.close().await;
        self.0.core.keep_all_profile_files().await;
    }

    /// Resumes every task that has not ended. Tasks that had begun come first, oldest first, then the queued ones in
    /// order. None of them starts before all are in line.
    pub async fn resume_all(&self) -> Result<(), HostError> {
        self.0.drivers.resume_all().await
    }

    /// Executes a command, or returns its outcome if it was sent before.
    pub async fn command(&self, id: &CommandId, command: HostCommand) -> Result<CommandOutcome, ErrorBody> {
        let effect = command.info().effect;
        // Boxed, because the futures of some commands are large and would be on the stack of every thread that polls
        // them.
        self.once(id, effect, Box::pin(async move { command.performed_by(id, self).await })).await
    }

    /// Executes a command, or returns its outcome if it was sent before.
    ///
    /// The same command may arrive twice at the same time, from a client that reconnects: the second call waits for the
    /// first.
    pub async fn once(
        &self,
        id: &CommandId,
        effect: OperationEffect,
        doing: impl Future<Output = Result<CommandOutcome, ErrorBody>>,
    ) -> Result<CommandOutcome, ErrorBody> {
        self.0.once.once(id, effect, doing).await
    }

    /// Answers a query.
    pub async fn query(&self, query: HostQuery) -> Result<QueryAnswer, ErrorBody> {
        Box::pin(query.answered_by(self)).await
    }

    /// Returns the state that every client shows.
    pub fn snapshot(&self) -> Result<Snapshot, HostError> {
        Ok(self.0.core.store.snapshot()?)
    }

    /// Subscribes to new events, in the order of the journal.
    pub fn events(&self) -> broadcast::Receiver<MirroredEvent> {
        self.0.core.store.subscribe()
    }

    /// Subscribes to progress messages.
    pub fn progress(&self) -> broadcast::Receiver<Progress> {
        self.0.core.progress.subscribe()
    }

    /// Subscribes to the progress of jobs over files.
    pub fn job_progress(&self) -> broadcast::Receiver<JobProgress> {
        self.0.core.jobs.subscribe()
    }

    /// Returns the current time of the host's clock.
    pub fn now_ms(&self) -> i64 {
        self.0.core.now_ms()
    }

    /// Returns the journal.
    pub fn store(&self) -> &Store {
        &self.0.core.store
    }

    /// Returns whether a task is running, queued or waiting for its provider. Tasks that wait for a person or for their sub-tasks do not count,
    /// unless one of their calls is running, because it would end with the host.
    pub fn is_busy(&self) -> Result<bool, HostError> {
        let store = &self.0.core.store;
        let unfinished = store.unfinished()?;
        let busy = |task: &TaskSummary| {
            matches!(
                task.state,
                TaskState::Queued(_)
                    | TaskState::Running(_)
                    | TaskState::AwaitingProvider(_)
                    | TaskState::Interrupted(_)
            )
        };
        let runs = |request: &PermissionRequest| request.details.wanted.is_some();
        Ok(unfinished.iter().any(busy) || store.open_requests()?.iter().any(runs))
    }
}

/// Returns a task, or an error if it does not exist.
fn existing(core: &Core, task: &TaskId) -> Result<TaskSummary, ErrorBody> {
    let found = core.store.task(task).map_err(HostError::from)?;
    found.ok_or_else(|| {
        let message = say::there_is_no_task(task);
        ErrorBody::new(ErrorCode::UnknownTask, message, say::deputy_tasks_lists_them())
    })
}

/// Calls a function for every event of a task, oldest first.
fn each_event(core: &Core, task: &TaskId, mut show: impl FnMut(&EventRecord)) -> Result<(), HostError> {
    const PAGE: u32 = 1_000;
    let mut after = 0;
    loop {
        let page = core.store.task_events(task, after, PAGE)?;
        for record in &page {
            after = record.seq;
            show(record);
        }
        if page.len() < PAGE as usize {
            return Ok(());
        }
    }
}
