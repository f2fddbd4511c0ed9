//! The host of all tasks: one for each home. It owns the journal, drives every task, and answers commands and queries.
//! Each subject is a part with its own type and file; `operations` says which part does which operation.

mod answering;
mod browsing;
mod conversations;
mod copies;
mod documents;
mod drivers;
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

/// Why a host cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The journal does not answer.
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

/// The host.
#[derive(Clone)]
pub struct Host(Arc<Parts>);

/// What a host is made of.
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
    jobs_by_hand: Arc<JobsByHand>,
    job_list: JobList,
    scans: Scans,
    drafts: Drafts,
    folders: Folders,
}

impl Host {
    /// A host over an open store. It drives nothing yet.
    pub fn new(parts: HostParts) -> Self {
        crate::redact::learn_environment(std::env::vars_os());
        let shared = Arc::new(Core::new(parts));
        let all = Drivers::new(shared.clone());
        let (core, drivers) = (|| shared.clone(), || all.clone());
        let jobs_by_hand = Arc::new(JobsByHand { core: core(), drivers: drivers() });
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
            undoing: Undoing { core: core(), drivers: drivers(), jobs: jobs_by_hand.clone() },
            jobs_by_hand,
            job_list: JobList { core: core() },
            scans: Scans::new(core(), drivers()),
            drafts: Drafts { core: core() },
            folders: Folders { core: core() },
            core: core(),
            drivers: drivers(),
        }))
    }

    /// Ends every driver where it stands. Nothing is journalled by that: each task is as it was, and the next host
    /// takes it up as it would after a crash. Comes before the planner is ended, which no task should read as a failure.
    pub async fn close(&self) {
        self.0.drivers.close().await;
        self.0.core.keep_all_profile_files().await;
    }

    /// Takes up every task that has not ended: what a dead process left behind continues. Those that had begun are called
    /// first, oldest first, and then the queued ones in their order; the first of them once all are in line.
    pub async fn resume_all(&self) -> Result<(), HostError> {
        self.0.drivers.resume_all().await
    }

    /// Does a command of the host's, or says what came of it when it was sent before.
    pub async fn command(&self, id: &CommandId, command: HostCommand) -> Result<CommandOutcome, ErrorBody> {
        let effect = command.info().effect;
        // In a box: what some commands do is large, and would lie on the stack of each thread that passes it on.
        self.once(id, effect, Box::pin(async move { command.performed_by(id, self).await })).await
    }

    /// Does what a command asks for, or says what came of it when it was sent before.
    ///
    /// The same command may come twice at the same time, from a client that connects again: the second waits for the first.
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

    /// The state that every screen shows.
    pub fn snapshot(&self) -> Result<Snapshot, HostError> {
        Ok(self.0.core.store.snapshot()?)
    }

    /// Events from now on, in the journal's order.
    pub fn events(&self) -> broadcast::Receiver<MirroredEvent> {
        self.0.core.store.subscribe()
    }

    /// Progress from now on.
    pub fn progress(&self) -> broadcast::Receiver<Progress> {
        self.0.core.progress.subscribe()
    }

    /// How far jobs over files get, from now on.
    pub fn job_progress(&self) -> broadcast::Receiver<JobProgress> {
        self.0.core.jobs.subscribe()
    }

    /// The time, as every part of the host takes it.
    pub fn now_ms(&self) -> i64 {
        self.0.core.now_ms()
    }

    /// The journal.
    pub fn store(&self) -> &Store {
        &self.0.core.store
    }

    /// Whether a task works or waits for its turn. Those that wait for a person, or for their sub-tasks, do not count, unless
    /// one of their calls runs meanwhile, which would end with the host.
    pub fn is_busy(&self) -> Result<bool, HostError> {
        let store = &self.0.core.store;
        let unfinished = store.unfinished()?;
        let busy = |task: &TaskSummary| {
            matches!(task.state, TaskState::Queued(_) | TaskState::Running(_) | TaskState::Interrupted(_))
        };
        let runs = |request: &PermissionRequest| request.details.wanted.is_some();
        Ok(unfinished.iter().any(busy) || store.open_requests()?.iter().any(runs))
    }
}

/// A task that there is.
fn existing(core: &Core, task: &TaskId) -> Result<TaskSummary, ErrorBody> {
    let found = core.store.task(task).map_err(HostError::from)?;
    found.ok_or_else(|| {
        let message = say::there_is_no_task(task);
        ErrorBody::new(ErrorCode::UnknownTask, message, say::deputy_tasks_lists_them())
    })
}

/// Shows every event of a task, oldest first.
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
