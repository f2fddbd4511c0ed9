//! The store's public face.

mod devices;
mod documents;
mod memories;
mod mirrored;
mod queue;

use crate::answers::{self, Answered};
use crate::blobs::Blobs;
use crate::chain;
use crate::error::StoreError;
use crate::events::MirroredEvent;
use crate::home::{self, Home, Lock, SetAside};
use crate::notices::DueNotice;
use crate::permission_requests::{Asked, Place, Refusal};
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
    PermissionRequest, Question, RequestId, SaidInTask, SessionId, Snapshot, TaskEvent, TaskId, TaskSummary,
    UsageRow,
};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{broadcast, watch};

/// A listener that falls behind by more than this has to catch up with [`Store::events_since`].
const LIVE_EVENTS: usize = 1_024;

/// The journal of a home and everything derived from it. Cheap to clone; the last clone closes it.
#[derive(Clone)]
pub struct Store {
    parts: Arc<Parts>,
}

/// In the order in which they close: the lock is given back when nothing is open any more.
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
    /// Opens the journal of a home, which is made when it is not there.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it, [`StoreError::NewerFormat`], [`StoreError::Corrupt`] (then
    /// nothing was changed; see [`Store::set_aside_and_start_fresh`]), [`StoreError::ReadOnly`], [`StoreError::DiskFull`].
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

    /// Moves a damaged journal away under a dated name, where it stays, and opens an empty one.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn set_aside_and_start_fresh(home: &Path) -> Result<(Self, SetAside), StoreError> {
        let set_aside = home::set_aside(home)?;
        Ok((Self::open(home)?, set_aside))
    }

    /// Writes events of one task, all or none. They are queued when this returns, behind everything that was queued
    /// before; durable, and in every readable table, when the future ends. A caller that does not wait for it does not
    /// take them back.
    ///
    /// # Errors
    /// [`StoreError::UnknownTask`], [`StoreError::CannotCreate`], [`StoreError::TaskEnded`], [`StoreError::NotOpen`] for
    /// an answer to what was answered, [`StoreError::DiskFull`] and the like; then none of them was written.
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

    /// The newest durable event; 0 when there is none.
    ///
    /// # Errors
    /// None at present.
    pub fn last_seq(&self) -> Result<u64, StoreError> {
        Ok(self.parts.last_seq.load(Ordering::Acquire))
    }

    /// Events of all tasks after `seq`, in order.
    ///
    /// # Errors
    /// When the database cannot be read; so for all that read.
    pub fn events_since(&self, seq: u64, limit: u32) -> Result<Vec<EventRecord>, StoreError> {
        self.parts.readers.read(say::read_journal, |conn| events::since(conn, seq, limit))
    }

    /// Events of one task after `after`, in order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn task_events(&self, task: &TaskId, after: u64, limit: u32) -> Result<Vec<EventRecord>, StoreError> {
        self.parts.readers.read(say::read_task_journal, |conn| events::of_task(conn, task, after, limit))
    }

    /// The newest events of one task after `after`, in order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn newest_task_events(
        &self,
        task: &TaskId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<EventRecord>, StoreError> {
        let newest = |conn: &rusqlite::Connection| events::newest_of_task(conn, task, after, limit);
        self.parts.readers.read(say::read_task_journal, newest)
    }

    /// Tokens of all plans since the quarter of an hour that a time is in, by quarter, task and model, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn usage_since(&self, since_ms: i64) -> Result<Vec<UsageRow>, StoreError> {
        self.parts.readers.read(say::add_up_tokens, |conn| usage::since(conn, since_ms))
    }

    /// One task.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn task(&self, id: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        self.parts.readers.read(say::read_task, |conn| tasks::find(conn, id))
    }

    /// The newest tasks, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tasks(&self, limit: u32) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::list_tasks, |conn| tasks::newest(conn, limit))
    }

    /// Where words were said: the newest place of each task, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn said(&self, words: &str) -> Result<Vec<SaidInTask>, StoreError> {
        self.parts.readers.read(say::list_tasks, |conn| said::places(conn, words))
    }

    /// The task that a session began with.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn first_of(&self, session: &SessionId) -> Result<Option<TaskId>, StoreError> {
        self.parts.readers.read(say::read_session_tasks, |conn| tasks::first_of(conn, session))
    }

    /// The newest task of a session.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn newest_of(&self, session: &SessionId) -> Result<Option<TaskId>, StoreError> {
        self.parts.readers.read(say::read_session_tasks, |conn| tasks::newest_of(conn, session))
    }

    /// The sub-tasks of a task, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn subtasks(&self, of: &TaskId) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::read_task, |conn| tasks::subtasks(conn, of))
    }

    /// The newest tasks of a session from before `task`, oldest first; at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tasks_before(
        &self,
        session: &SessionId,
        task: &TaskId,
        limit: u32,
    ) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::read_session_tasks, |conn| tasks::before(conn, session, task, limit))
    }

    /// Ids of tasks that begin with `prefix`, in their order; at most 50.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_task(&self, prefix: &str) -> Result<Vec<TaskId>, StoreError> {
        self.parts.readers.read(say::find_task, |conn| tasks::with_prefix(conn, prefix))
    }

    /// Tasks that have not ended, oldest first; the queued ones after the others, in the order in which they will start.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unfinished(&self) -> Result<Vec<TaskSummary>, StoreError> {
        self.parts.readers.read(say::list_unfinished_tasks, tasks::unfinished)
    }

    /// What every screen shows, with the event it is at: all of one moment.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        self.parts.readers.read(say::read_state, state::snapshot)
    }

    /// Permission requests without an answer, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn open_requests(&self) -> Result<Vec<PermissionRequest>, StoreError> {
        self.parts.readers.read(say::list_open_requests, permission_requests::open)
    }

    /// Questions without an answer, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn open_questions(&self) -> Result<Vec<Question>, StoreError> {
        self.parts.readers.read(say::list_open_questions, questions::open)
    }

    /// A permission request, open or not.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn request(&self, id: &RequestId) -> Result<Option<PermissionRequest>, StoreError> {
        self.parts.readers.read(say::read_request, |conn| {
            Ok(permission_requests::find(conn, id)?.map(|(request, _)| request))
        })
    }

    /// Whether a call of this digest could be asked about now. Only [`Store::append`] decides; it refuses with
    /// [`StoreError::InboxFull`] or [`StoreError::AskedAlready`].
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn place(&self, digest: &Digest) -> Result<Place, StoreError> {
        self.parts.readers.read(say::look_into_inbox, |conn| permission_requests::place(conn, digest))
    }

    /// Whether a question could be asked now. Only [`Store::append`] decides, as with requests.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn question_place(&self) -> Result<Place, StoreError> {
        self.parts.readers.read(say::look_into_inbox, questions::place)
    }

    /// The newest no of a person to a call of this digest, in the journal behind `seq`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn refusal_since(&self, digest: &Digest, seq: u64) -> Result<Option<Refusal>, StoreError> {
        self.parts
            .readers
            .read(say::read_answer, |conn| permission_requests::refusal_since(conn, digest, seq))
    }

    /// Changes whenever a request or a question may have been closed.
    pub fn requests_closed(&self) -> watch::Receiver<u64> {
        self.parts.closed.subscribe()
    }

    /// Requests that tasks of a workspace made since a time, answered or not, the newest `limit` of them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn asked_since(&self, workspace: &str, since_ms: i64, limit: u32) -> Result<Vec<Asked>, StoreError> {
        let read =
            |conn: &rusqlite::Connection| permission_requests::asked_since(conn, workspace, since_ms, limit);
        self.parts.readers.read(say::look_past_requests_up, read)
    }

    /// Answers a permission request: a compare-and-set with the event, and the grant where one is to be remembered.
    ///
    /// # Errors
    /// When the journal cannot be written; an answer that does not count is not an error but an [`Answered`].
    pub async fn answer_permission(
        &self,
        answer: PermissionAnswer,
        now_ms: i64,
    ) -> Result<Answered, StoreError> {
        // Of two answers at the same moment the no wins.
        let turn = if matches!(answer.choice, Choice::Deny(_)) { Turn::First } else { Turn::Usual };
        let run = move |batch: &mut Batch<'_>| answers::permission(batch, answer, now_ms);
        self.parts.writer.write_at(turn, say::answer_request, run).await
    }

    /// Answers a question: a compare-and-set with the event.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn answer_question(
        &self,
        id: &RequestId,
        text: &str,
        now_ms: i64,
    ) -> Result<Answered, StoreError> {
        let (id, text) = (id.clone(), text.to_owned());
        let run = move |batch: &mut Batch<'_>| answers::question(batch, id, text, now_ms);
        self.parts.writer.write(say::answer_question, run).await
    }

    /// What a person is to be notified of, or what is to be withdrawn, in the order in which it came.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn due_notices(&self) -> Result<Vec<DueNotice>, StoreError> {
        self.parts.readers.read(say::look_for_notices, notices::due)
    }

    /// Notes that these notices are about to be sent, durably; says which of them still are to be.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn begin_notices(&self, ids: Vec<String>) -> Result<Vec<String>, StoreError> {
        let run = move |batch: &mut Batch<'_>| notices::begin(batch.conn, ids);
        self.parts.writer.write(say::begin_notices, run).await
    }

    /// Notes that notices were sent, or undone.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn finish_notices(&self, told: Vec<String>, withdrawn: Vec<String>) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| notices::finish(batch.conn, &told, &withdrawn);
        self.parts.writer.write(say::finish_notices, run).await
    }

    /// Grants that hold at `now_ms`, newest first; all, or those given for one workspace.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn grants(&self, workspace: Option<&str>, now_ms: i64) -> Result<Vec<Grant>, StoreError> {
        self.parts.readers.read(say::list_grants, |conn| grants::holding(conn, workspace, now_ms))
    }

    /// Ends a grant; `false` when there is none of that id, or it was revoked before.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn revoke_grant(&self, id: &GrantId, now_ms: i64) -> Result<bool, StoreError> {
        let id = id.clone();
        let run = move |batch: &mut Batch<'_>| grants::revoke(batch.conn, &id, now_ms);
        self.parts.writer.write(say::revoke_grant, run).await
    }

    /// What came of a command that was done before.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn command_seen(&self, id: &CommandId) -> Result<Option<CommandOutcome>, StoreError> {
        self.parts.readers.read(say::look_command_up, |conn| commands::find(conn, id))
    }

    /// Remembers what came of a command; the first outcome stays.
    ///
    /// # Errors
    /// When the journal cannot be written.
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

    /// Keeps bytes as a blob; durable when it returns. The mode is that of an ordinary file.
    ///
    /// # Errors
    /// When the blob cannot be written.
    pub fn keep_blob(&self, content: &[u8]) -> Result<KeptFile, StoreError> {
        self.parts.blobs.keep(content)
    }

    /// Keeps a regular file as a blob, with its mode; durable when it returns.
    ///
    /// # Errors
    /// [`StoreError::CannotKeep`] for links, pipes, folders and files that change meanwhile.
    pub fn keep_file(&self, path: &Path) -> Result<KeptFile, StoreError> {
        self.parts.blobs.keep_file(path)
    }

    /// Keeps what an open file holds, with its mode. Durable only after [`Store::sync_blobs`].
    ///
    /// # Errors
    /// When the file cannot be read or the blob cannot be written.
    pub fn keep_open(&self, file: &File) -> Result<KeptFile, StoreError> {
        self.parts.blobs.keep_open(file)
    }

    /// Makes every blob durable that was kept so far.
    ///
    /// # Errors
    /// When the file system cannot.
    pub fn sync_blobs(&self) -> Result<(), StoreError> {
        self.parts.blobs.sync_all()
    }

    /// Whether a blob of this digest is kept.
    pub fn holds_blob(&self, digest: &Digest) -> bool {
        self.parts.blobs.holds(digest)
    }

    /// Removes a blob that no event names any more, such as the manifest of a command that has ended.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn drop_blob(&self, digest: &Digest) -> Result<(), StoreError> {
        self.parts.blobs.remove(digest)
    }

    /// Kept content, held against its digest.
    ///
    /// # Errors
    /// [`StoreError::UnknownBlob`], [`StoreError::DamagedBlob`].
    pub fn blob(&self, digest: &Digest) -> Result<Vec<u8>, StoreError> {
        self.parts.blobs.read(digest)
    }

    /// Kept content as a file to read from, for what may be large; the reader holds it against its digest.
    ///
    /// # Errors
    /// [`StoreError::UnknownBlob`].
    pub fn blob_file(&self, digest: &Digest) -> Result<File, StoreError> {
        self.parts.blobs.file(digest)
    }

    /// SQLite's full check of the database, then the journal's hash chain, then whether the tables that decisions are
    /// taken from say what the journal says; reads everything.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when something is wrong.
    pub fn check_integrity(&self) -> Result<(), StoreError> {
        self.parts.readers.read_anew(say::check_journal, |conn| {
            migrations::check_integrity(conn)?;
            chain::verify(conn)?;
            replay::verify(conn)
        })
    }
}
