//! The public API of the store.

mod devices;
mod documents;
mod memories;
mod mirrored;
mod queue;

use crate::answers::{self, Answered};
use crate::blobs::Blobs;
use crate::chain;
use crate::earlier::{self, EndedTask};
use crate::error::StoreError;
use crate::events::MirroredEvent;
use crate::home::{self, Home, Lock, SetAside};
use crate::lost::{self, LostCopy};
use crate::notices::DueNotice;
use crate::permission_requests::{AnsweredPaths, Asked, Place, Refusal};
use crate::readers::Readers;
use crate::vectors::Indexes;
use crate::writer::{Batch, Hooks, Turn, Writer};
use crate::{
    commands, events, grants, migrations, notices, permission_requests, questions, replay, said, state,
    tasks, usage,
};
use deputy_messages::store as say;
use deputy_protocol::{
    Choice, CommandId, CommandOutcome, Digest, EventRecord, Grant, GrantId, KeptFile, PermissionAnswer,
    PermissionRequest, Question, QuestionAnswered, RequestId, SaidInTask, SessionId, Snapshot, TaskEvent,
    TaskId, TaskSummary, UsageRow,
};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{broadcast, watch};

/// The capacity of the live event channel. A listener that falls further behind must catch up with
/// [`Store::events_since`].
const LIVE_EVENTS: usize = 1_024;

/// The journal of a home directory and everything derived from it. Cheap to clone; dropping the last clone closes it.
#[derive(Clone)]
pub struct Store {
    parts: Arc<Parts>,
}

/// The fields are in the order in which they are dropped: the lock is released after everything else is closed.
struct Parts {
    readers: Readers,
    writer: Writer,
    blobs: Blobs,
    vectors: Indexes,
    last_seq: Arc<AtomicU64>,
    events: broadcast::Sender<MirroredEvent>,
    /// The newest event that may have closed a request or a question.
    closed: watch::Sender<u64>,
    _lock: Lock,
}

impl Store {
    /// Opens the journal of a home directory, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process has it open, [`StoreError::NewerFormat`], [`StoreError::Corrupt`]
    /// (nothing has been changed; see [`Store::set_aside_and_start_fresh`]), [`StoreError::ReadOnly`],
    /// [`StoreError::DiskFull`].
    pub fn open(home: &Path) -> Result<Self, StoreError> {
        Self::open_with(home, Hooks::default())
    }

    /// As [`Store::open`], with hooks for tests.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_with(home: &Path, hooks: Hooks) -> Result<Self, StoreError> {
        let Home { path, conn, lock } = home::open(home)?;
        let blobs = Blobs::open(&path)?;
        let last_seq = Arc::new(AtomicU64::new(0));
        let (events, _) = broadcast::channel(LIVE_EVENTS);
        let closed = watch::Sender::new(0);
        let (last, to) = (Arc::clone(&last_seq), events.clone());
        let writer = Writer::start(conn, path.clone(), last, to, closed.clone(), hooks)?;
        let readers = Readers::new(path);
        Ok(Self {
            parts: Arc::new(Parts {
                readers,
                writer,
                blobs,
                vectors: Indexes::default(),
                last_seq,
                events,
                closed,
                _lock: lock,
            }),
        })
    }

    /// Moves a damaged journal to a dated name, where it is kept, and opens an empty journal.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn set_aside_and_start_fresh(home: &Path) -> Result<(Self, SetAside), StoreError> {
        let set_aside = home::set_aside(home)?;
        Ok((Self::open(home)?, set_aside))
    }

    /// Appends events of one task: all of them or none. They are queued when this function returns, after everything
    /// that was queued before. They are durable, and in every derived table, when the future completes. Dropping the
    /// future does not cancel the write.
    ///
    /// # Errors
    /// [`StoreError::UnknownTask`], [`StoreError::CannotCreate`], [`StoreError::TaskEnded`], [`StoreError::NotOpen`]
    /// for an answer to something that has been answered, [`StoreError::DiskFull`] and similar. On an error, no event
    /// is written.
    pub fn append(
        &self,
        task: &TaskId,
        now_ms: i64,
        events: Vec<TaskEvent>,
    ) -> impl Future<Output = Result<Vec<EventRecord>, StoreError>> + Send + use<> {
        let task = task.clone();
        let append = move |batch: &mut Batch<'_>| events::append(batch, &task, now_ms, events);
        self.parts.writer.write(say::write_to_journal, append)
    }

    /// Returns the number of the newest durable event. 0 if the journal is empty.
    ///
    /// # Errors
    /// None at present.
    pub fn last_seq(&self) -> Result<u64, StoreError> {
        Ok(self.parts.last_seq.load(Ordering::Acquire))
    }

    /// Returns events of all tasks after `seq`, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn events_since(&self, seq: u64, limit: u32) -> Result<Vec<EventRecord>, StoreError> {
        self.parts.readers.read(say::read_journal, |conn| events::since(conn, seq, limit))
    }

    /// Returns events of one task after `after`, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn task_events(&self, task: &TaskId, after: u64, limit: u32) -> Result<Vec<EventRecord>, StoreError> {
        self.parts.readers.read(say::read_task_journal, |conn| events::of_task(conn, task, after, limit))
    }

    /// Returns the newest events of one task after `after`, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn newest_task_events(
        &self,
        task: &TaskId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<EventRecord>, StoreError> {
        let newest = |conn: &rusqlite::Connection| events::newest_of_task(conn, task, after, limit);
        self.parts.readers.read(say::read_task_journal, newest)
    }

    /// Returns the tokens of all plans by quarter of an hour, task and model, oldest first, starting with the quarter
    /// that contains `since_ms`.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn usage_since(&self, since_ms: i64) -> Result<Vec<UsageRow>, StoreError> {
        self.parts.readers.read(say::add_up_tokens, |conn| usage::since(conn, since_ms))
    }

    /// Returns a task.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn task(&self, id: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        self.parts.readers.read(say::read_task, |conn| tasks::find(conn, id))
    }

    /// Returns the newest tasks, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn tasks(&self, limit: u32) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::list_tasks, |conn| tasks::newest(conn, limit))
    }

    /// Returns where words occur: the newest place of each task, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn said(&self, words: &str) -> Result<Vec<SaidInTask>, StoreError> {
        self.parts.readers.read(say::list_tasks, |conn| said::places(conn, words))
    }

    /// Returns the first task of a session.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn first_of(&self, session: &SessionId) -> Result<Option<TaskId>, StoreError> {
        self.parts.readers.read(say::read_session_tasks, |conn| tasks::first_of(conn, session))
    }

    /// Returns the newest task of a session.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn newest_of(&self, session: &SessionId) -> Result<Option<TaskId>, StoreError> {
        self.parts.readers.read(say::read_session_tasks, |conn| tasks::newest_of(conn, session))
    }

    /// Returns the sub-tasks of a task, oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn subtasks(&self, of: &TaskId) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::read_task, |conn| tasks::subtasks(conn, of))
    }

    /// Returns at most `limit` of the newest tasks of a session before `task`, oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn tasks_before(
        &self,
        session: &SessionId,
        task: &TaskId,
        limit: u32,
    ) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::read_session_tasks, |conn| tasks::before(conn, session, task, limit))
    }

    /// Returns the newest tasks that have ended in a folder, newest first, without sub-tasks.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn ended_in(&self, workspace: &str, limit: u32) -> Result<Vec<EndedTask>, StoreError> {
        self.parts.readers.read(say::list_tasks, |conn| earlier::in_folder(conn, workspace, limit))
    }

    /// Returns a task that has ended, with what was said in it. `None` if it does not exist, or has not ended.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn ended(&self, task: &TaskId) -> Result<Option<EndedTask>, StoreError> {
        self.parts.readers.read(say::list_tasks, |conn| earlier::one(conn, task))
    }

    /// Returns the sorted ids of tasks that begin with `prefix`; at most 50.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_task(&self, prefix: &str) -> Result<Vec<TaskId>, StoreError> {
        self.parts.readers.read(say::find_task, |conn| tasks::with_prefix(conn, prefix))
    }

    /// Returns the tasks that have not ended, oldest first. Queued tasks come last, in the order in which they will
    /// start.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn unfinished(&self) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::list_unfinished_tasks, tasks::unfinished)
    }

    /// Returns the state that every client shows, and the number of its last event. The snapshot is consistent.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        self.parts.readers.read(say::read_state, state::snapshot)
    }

    /// Returns the unanswered permission requests, oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn open_requests(&self) -> Result<Vec<PermissionRequest>, StoreError> {
        self.parts.readers.read(say::list_open_requests, permission_requests::open)
    }

    /// Returns the unanswered questions, oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn open_questions(&self) -> Result<Vec<Question>, StoreError> {
        self.parts.readers.read(say::list_open_questions, questions::open)
    }

    /// Returns a permission request, whether it is open or not.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn request(&self, id: &RequestId) -> Result<Option<PermissionRequest>, StoreError> {
        self.parts.readers.read(say::read_request, |conn| {
            Ok(permission_requests::find(conn, id)?.map(|(request, _)| request))
        })
    }

    /// Returns whether a request for a call of this digest could be opened now. The result is advisory:
    /// [`Store::append`] decides, and refuses with [`StoreError::InboxFull`] or [`StoreError::AskedAlready`].
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn place(&self, digest: &Digest) -> Result<Place, StoreError> {
        self.parts.readers.read(say::look_into_inbox, |conn| permission_requests::place(conn, digest))
    }

    /// Returns whether a question could be opened now. The result is advisory, as with requests.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn question_place(&self) -> Result<Place, StoreError> {
        self.parts.readers.read(say::look_into_inbox, questions::place)
    }

    /// Returns the newest denial of a call of this digest by a person after `seq` in the journal.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn refusal_since(&self, digest: &Digest, seq: u64) -> Result<Option<Refusal>, StoreError> {
        self.parts
            .readers
            .read(say::read_answer, |conn| permission_requests::refusal_since(conn, digest, seq))
    }

    /// Returns what people answered about paths in a task, its ancestors and all of their sub-tasks, oldest first, with
    /// the refusals of other tasks that these share. Empty if nothing was refused.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn answered_paths(&self, task: &TaskId) -> Result<Vec<AnsweredPaths>, StoreError> {
        self.parts.readers.read(say::read_answer, |conn| permission_requests::answered_paths(conn, task))
    }

    /// Returns a receiver that changes whenever a request or a question may have been closed.
    pub fn requests_closed(&self) -> watch::Receiver<u64> {
        self.parts.closed.subscribe()
    }

    /// Returns the newest `limit` requests that tasks of a workspace made since a time, answered or not.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn asked_since(&self, workspace: &str, since_ms: i64, limit: u32) -> Result<Vec<Asked>, StoreError> {
        let read =
            |conn: &rusqlite::Connection| permission_requests::asked_since(conn, workspace, since_ms, limit);
        self.parts.readers.read(say::look_past_requests_up, read)
    }

    /// Answers a permission request: a compare-and-set that writes the event, and a grant if the answer is to be
    /// remembered.
    ///
    /// # Errors
    /// If the journal cannot be written. An answer that is not accepted is not an error; see [`Answered`].
    pub async fn answer_permission(
        &self,
        answer: PermissionAnswer,
        now_ms: i64,
    ) -> Result<Answered, StoreError> {
        // If two answers arrive at the same moment, the denial wins.
        let turn = if matches!(answer.choice, Choice::Deny(_)) { Turn::First } else { Turn::Usual };
        let run = move |batch: &mut Batch<'_>| answers::permission(batch, answer, now_ms);
        self.parts.writer.write_at(turn, say::answer_request, run).await
    }

    /// Answers a question with a compare-and-set that writes the event.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn answer_question(
        &self,
        answered: QuestionAnswered,
        now_ms: i64,
    ) -> Result<Answered, StoreError> {
        let run = move |batch: &mut Batch<'_>| answers::question(batch, answered, now_ms);
        self.parts.writer.write(say::answer_question, run).await
    }

    /// Returns the notices to send or to withdraw, in order of arrival.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn due_notices(&self) -> Result<Vec<DueNotice>, StoreError> {
        self.parts.readers.read(say::look_for_notices, notices::due)
    }

    /// Durably records that these notices are about to be sent. Returns those that are still due.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn begin_notices(&self, ids: Vec<String>) -> Result<Vec<String>, StoreError> {
        let run = move |batch: &mut Batch<'_>| notices::begin(batch.conn, ids);
        self.parts.writer.write(say::begin_notices, run).await
    }

    /// Records that notices were sent or withdrawn.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn finish_notices(&self, told: Vec<String>, withdrawn: Vec<String>) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| notices::finish(batch.conn, &told, &withdrawn);
        self.parts.writer.write(say::finish_notices, run).await
    }

    /// Returns the grants that are valid at `now_ms`, newest first: all of them, or those of one workspace.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn grants(&self, workspace: Option<&str>, now_ms: i64) -> Result<Vec<Grant>, StoreError> {
        self.parts.readers.read(say::list_grants, |conn| grants::holding(conn, workspace, now_ms))
    }

    /// Revokes a grant. Returns `false` if it does not exist or has been revoked.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn revoke_grant(&self, id: &GrantId, now_ms: i64) -> Result<bool, StoreError> {
        let id = id.clone();
        let run = move |batch: &mut Batch<'_>| grants::revoke(batch.conn, &id, now_ms);
        self.parts.writer.write(say::revoke_grant, run).await
    }

    /// Returns the outcome of a command that was executed before.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn command_seen(&self, id: &CommandId) -> Result<Option<CommandOutcome>, StoreError> {
        self.parts.readers.read(say::look_command_up, |conn| commands::find(conn, id))
    }

    /// Records the outcome of a command. The first outcome is kept.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn remember_command(
        &self,
        id: &CommandId,
        outcome: &CommandOutcome,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let (id, outcome) = (id.clone(), outcome.clone());
        let run = move |batch: &mut Batch<'_>| commands::remember(batch.conn, &id, &outcome, now_ms);
        self.parts.writer.write(say::remember_command, run).await
    }

    /// Stores bytes as a blob, with the mode of an ordinary file. Durable on return.
    ///
    /// # Errors
    /// If the blob cannot be written.
    pub fn keep_blob(&self, content: &[u8]) -> Result<KeptFile, StoreError> {
        self.parts.blobs.keep(content)
    }

    /// Stores a regular file as a blob, with its mode. Durable on return.
    ///
    /// # Errors
    /// [`StoreError::CannotKeep`] for links, pipes, folders and files that change in the meantime.
    pub fn keep_file(&self, path: &Path) -> Result<KeptFile, StoreError> {
        self.parts.blobs.keep_file(path)
    }

    /// Stores the content of an open file, with its mode. Durable only after [`Store::sync_blobs`].
    ///
    /// # Errors
    /// If the file cannot be read or the blob cannot be written.
    pub fn keep_open(&self, file: &File) -> Result<KeptFile, StoreError> {
        self.parts.blobs.keep_open(file)
    }

    /// Makes all blobs stored so far durable.
    ///
    /// # Errors
    /// If the file system fails.
    pub fn sync_blobs(&self) -> Result<(), StoreError> {
        self.parts.blobs.sync_all()
    }

    /// Returns whether the content of a file is stored in its full size.
    pub fn holds_blob(&self, file: &KeptFile) -> bool {
        self.parts.blobs.holds(file)
    }

    /// Returns the copies that undo would need and that are missing, empty or cut. Blocks while it reads all events.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn lost_copies(&self) -> Result<Vec<LostCopy>, StoreError> {
        let blobs = &self.parts.blobs;
        self.parts.readers.read_anew(say::check_journal, |conn| lost::copies(conn, blobs))
    }

    /// Removes a blob that no event refers to any more, such as the manifest of a command that has ended.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn drop_blob(&self, digest: &Digest) -> Result<(), StoreError> {
        self.parts.blobs.remove(digest)
    }

    /// Returns the content of a blob, verified against its digest.
    ///
    /// # Errors
    /// [`StoreError::UnknownBlob`], [`StoreError::DamagedBlob`].
    pub fn blob(&self, digest: &Digest) -> Result<Vec<u8>, StoreError> {
        self.parts.blobs.read(digest)
    }

    /// Opens a blob for reading, for content that may be large. The caller must verify it against its digest.
    ///
    /// # Errors
    /// [`StoreError::UnknownBlob`].
    pub fn blob_file(&self, digest: &Digest) -> Result<File, StoreError> {
        self.parts.blobs.file(digest)
    }

    /// Runs SQLite's full check of the database, verifies the hash chain of the journal, and compares the tables that
    /// decisions are based on with the journal. Reads everything.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if a check fails.
    pub fn check_integrity(&self) -> Result<(), StoreError> {
        self.parts.readers.read_anew(say::check_journal, |conn| {
            migrations::check_integrity(conn)?;
            chain::verify(conn)?;
            replay::verify(conn)
        })
    }
}
