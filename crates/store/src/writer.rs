//! The single writer thread, which commits everything that is queued as one durable transaction.

use crate::chain::End;
use crate::error::{Doing, Fault, StoreError};
use crate::events::MirroredEvent;
use deputy_messages::store as say;
use deputy_protocol::TaskEvent;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{broadcast, oneshot, watch};

/// The maximum number of jobs in one transaction, so that the first of them does not wait indefinitely.
const LARGEST_BATCH: usize = 256;
/// A log of this many pages (4 MiB) is checkpointed at the next quiet moment.
const CHECKPOINT_WHEN_QUIET_PAGES: u64 = 1_000;
/// A log of this many pages (64 MiB) is checkpointed immediately, so that it does not grow without bound under constant
/// load.
const CHECKPOINT_AT_ONCE_PAGES: u64 = 16_000;
/// How long the queue must be empty to count as quiet.
const QUIET: Duration = Duration::from_millis(50);

/// When a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitMoment {
    /// Everything is written, but not yet durable.
    Before,
    /// Everything is durable, but no result has been sent.
    After,
}

/// Called on the writer thread around a commit. The argument is the number of the commit since the store was opened,
/// from 1.
pub type CommitHook = Arc<dyn Fn(CommitMoment, u64) + Send + Sync>;

/// Hooks with which tests observe the store or end the process.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Called before and after every commit of the journal.
    pub around_commit: Option<CommitHook>,
}

/// The state passed to a job: the open transaction and the end of the journal.
pub(crate) struct Batch<'a> {
    pub(crate) conn: &'a Connection,
    /// The end of the journal, including the events of this transaction.
    pub(crate) end: End,
    /// The events of this transaction, in order.
    pub(crate) events: Vec<MirroredEvent>,
}

/// The position of a job among those committed at the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    /// Before all others.
    First,
    /// In order of arrival.
    Usual,
}

/// A job in the queue.
trait Job: Send {
    /// Does the work. If it fails, the caller must undo what it wrote.
    fn perform(&mut self, batch: &mut Batch<'_>) -> Result<(), StoreError>;
    /// Sends the result to the waiting caller. `Err` if the whole transaction failed.
    fn settle(self: Box<Self>, committed: Result<(), StoreError>);
    /// Returns the position among the jobs committed at the same moment.
    fn turn(&self) -> Turn;
}

struct Work<F, T> {
    doing: Doing,
    home: PathBuf,
    turn: Turn,
    run: Option<F>,
    outcome: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<F, T> Job for Work<F, T>
where
    F: FnOnce(&mut Batch<'_>) -> Result<T, Fault> + Send,
    T: Send,
{
    fn perform(&mut self, batch: &mut Batch<'_>) -> Result<(), StoreError> {
        let closed = StoreError::Closed { doing: self.doing };
        let run = self.run.take().ok_or(closed)?;
        let outcome = run(batch).map_err(|fault| fault.during(self.doing, &self.home));
        let told = outcome.as_ref().map(|_| ()).map_err(StoreError::clone);
        self.outcome = Some(outcome);
        told
    }

    fn turn(&self) -> Turn {
        self.turn
    }

    fn settle(self: Box<Self>, committed: Result<(), StoreError>) {
        let outcome = match (self.outcome, committed) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(error),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(StoreError::Closed { doing: self.doing }),
        };
        // Fails if the waiting caller was cancelled. What was written is kept.
        let _ = self.reply.send(outcome);
    }
}

/// The queue to the writer thread. Dropping it lets the thread finish what is queued and close the database.
pub(crate) struct Writer {
    queue: Option<Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
    home: PathBuf,
}

impl Writer {
    /// Starts the thread, which keeps `last_seq` at the newest durable event.
    pub(crate) fn start(
        mut conn: Connection,
        home: PathBuf,
        last_seq: Arc<AtomicU64>,
        events: broadcast::Sender<MirroredEvent>,
        closed: watch::Sender<u64>,
        hooks: Hooks,
    ) -> Result<Self, StoreError> {
        let log_pages = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&log_pages);
        conn.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages: std::ffi::c_int| {
            seen.store(u64::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        }))
        .map_err(|error| Fault::from(error).during(say::start_journal_writer, &home))?;
        let (queue, jobs) = channel();
        let end = End::read(&conn).map_err(|fault| fault.during(say::start_journal_writer, &home))?;
        last_seq.store(end.seq, Ordering::Release);
        let desk =
            Desk { conn, home: home.clone(), end, last_seq, events, closed, hooks, commits: 0, log_pages };
        let thread = std::thread::Builder::new()
            .name("deputy-journal".to_owned())
            .spawn(move || desk.serve(&jobs))
            .map_err(|error| StoreError::io(say::start_journal_writer, &home, error))?;
        Ok(Self { queue: Some(queue), thread: Some(thread), home })
    }

    /// Queues a job immediately. The future completes when it is durable.
    pub(crate) fn write<T, F>(
        &self,
        doing: Doing,
        run: F,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + use<T, F>
    where
        F: FnOnce(&mut Batch<'_>) -> Result<T, Fault> + Send + 'static,
        T: Send + 'static,
    {
        self.write_at(Turn::Usual, doing, run)
    }

    /// Like [`Writer::write`], at a given position among the jobs committed at the same moment.
    pub(crate) fn write_at<T, F>(
        &self,
        turn: Turn,
        doing: Doing,
        run: F,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + use<T, F>
    where
        F: FnOnce(&mut Batch<'_>) -> Result<T, Fault> + Send + 'static,
        T: Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Work { doing, home: self.home.clone(), turn, run: Some(run), outcome: None, reply };
        if let Some(queue) = &self.queue {
            // If the writer has ended, the job is dropped, and with it the sender of the reply.
            let _ = queue.send(Box::new(job));
        }
        async move { answer.await.unwrap_or(Err(StoreError::Closed { doing })) }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // If the writer panicked, every waiting caller has already received an error.
            let _ = thread.join();
        }
    }
}

/// The state of the writer thread.
struct Desk {
    conn: Connection,
    home: PathBuf,
    end: End,
    last_seq: Arc<AtomicU64>,
    events: broadcast::Sender<MirroredEvent>,
    closed: watch::Sender<u64>,
    hooks: Hooks,
    commits: u64,
    log_pages: Arc<AtomicU64>,
}

impl Desk {
    fn serve(mut self, queue: &Receiver<Box<dyn Job>>) {
        while let Some(first) = self.wait(queue) {
            let mut jobs = vec![first];
            while jobs.len() < LARGEST_BATCH
                && let Ok(job) = queue.try_recv()
            {
                jobs.push(job);
            }
            // The sort is stable: jobs with the same turn keep their order.
            jobs.sort_by_key(|job| job.turn());
            let committed = self.commit(&mut jobs);
            for job in jobs {
                job.settle(committed.clone());
            }
            if self.log_pages.load(Ordering::Relaxed) >= CHECKPOINT_AT_ONCE_PAGES {
                self.checkpoint();
            }
        }
    }

    /// Returns the next job. Checkpoints the log if a quiet moment comes first.
    fn wait(&self, queue: &Receiver<Box<dyn Job>>) -> Option<Box<dyn Job>> {
        if self.log_pages.load(Ordering::Relaxed) < CHECKPOINT_WHEN_QUIET_PAGES {
            return queue.recv().ok();
        }
        match queue.recv_timeout(QUIET) {
            Ok(job) => return Some(job),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => self.checkpoint(),
        }
        queue.recv().ok()
    }

    fn checkpoint(&self) {
        let done = self.conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        if let Err(error) = done {
            // The log stays valid and the checkpoint is retried later; nothing is lost.
            tracing::warn!(%error, "the journal's log could not be folded into the database");
        }
        self.log_pages.store(0, Ordering::Relaxed);
    }

    /// Runs all jobs in one transaction. If one fails, only its own changes are undone.
    fn commit(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        let events = match self.transact(jobs) {
            Ok((end, events)) => {
                self.end = end;
                self.last_seq.store(end.seq, Ordering::Release);
                events
            }
            Err(error) => {
                if !self.conn.is_autocommit() {
                    // If no transaction is open, there is nothing to undo.
                    let _ = self.conn.execute_batch("ROLLBACK");
                }
                return Err(error.during(say::write_journal, &self.home));
            }
        };
        let closes = |event: &MirroredEvent| {
            matches!(
                event.record.event,
                TaskEvent::PermissionAnswered(_) | TaskEvent::QuestionAnswered(_) | TaskEvent::Stopped(_)
            )
        };
        if let Some(last) = events.iter().rfind(|event| closes(event)) {
            self.closed.send_replace(last.record.seq);
        }
        if self.events.receiver_count() > 0 {
            for event in events {
                // Fails only if no listener is left.
                let _ = self.events.send(event);
            }
        }
        Ok(())
    }

    fn transact(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(End, Vec<MirroredEvent>), Fault> {
        let run = |sql: &str| self.conn.prepare_cached(sql)?.execute([]).map(|_| ());
        run("BEGIN IMMEDIATE")?;
        let mut batch = Batch { conn: &self.conn, end: self.end, events: Vec::new() };
        for job in jobs {
            let (end, length) = (batch.end, batch.events.len());
            run("SAVEPOINT one")?;
            if let Err(error) = job.perform(&mut batch) {
                if self.conn.is_autocommit() {
                    // SQLite may end the transaction, for example when the disk is full. No job is committed then.
                    return Err(error.into());
                }
                run("ROLLBACK TO one")?;
                batch.end = end;
                batch.events.truncate(length);
            }
            run("RELEASE one")?;
        }
        let (end, events) = (batch.end, batch.events);
        self.commits += 1;
        self.hook(CommitMoment::Before);
        self.conn.prepare_cached("COMMIT")?.execute([])?;
        self.hook(CommitMoment::After);
        Ok((end, events))
    }

    fn hook(&self, moment: CommitMoment) {
        if let Some(hook) = &self.hooks.around_commit {
            hook(moment, self.commits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::home::{self, Home};
    use tempfile::TempDir;

    fn writer() -> (TempDir, home::Lock, Writer) {
        let folder = tempfile::tempdir().unwrap();
        let Home { path, conn, lock } = home::open(folder.path()).unwrap();
        let (events, _) = broadcast::channel(1);
        let writer =
            Writer::start(conn, path, Arc::default(), events, watch::channel(0).0, Hooks::default()).unwrap();
        (folder, lock, writer)
    }

    /// Writes a large row, of about a megabyte.
    fn fill(batch: &mut Batch<'_>) -> Result<(), Fault> {
        let sql =
            "INSERT INTO commands (id, outcome, at_ms) VALUES (hex(randomblob(8)), hex(zeroblob(500000)), 0)";
        batch.conn.execute(sql, [])?;
        Ok(())
    }

    fn rows(batch: &mut Batch<'_>) -> Result<i64, Fault> {
        Ok(batch.conn.query_row("SELECT count(*) FROM commands", [], |row| row.get(0))?)
    }

    fn most_pages(pages: u32) -> impl FnOnce(&mut Batch<'_>) -> Result<(), Fault> + Send + 'static {
        move |batch| Ok(batch.conn.pragma_update(None, "max_page_count", pages)?)
    }

    #[tokio::test]
    async fn a_commit_waits_for_the_disk() {
        let (_folder, _lock, writer) = writer();
        let settings = writer.write(
            || "look".into(),
            |batch| {
                let number = |name| batch.conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
                let mode: String = batch.conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
                Ok((mode, number("synchronous")?, number("temp_store")?))
            },
        );
        // 2 is FULL: the log is synced before a commit returns. 2 is MEMORY, too.
        assert_eq!(settings.await.unwrap(), ("wal".to_owned(), 2, 2));
    }

    #[tokio::test]
    async fn a_full_disk_is_said_and_writing_goes_on_once_there_is_space() {
        let (_folder, _lock, writer) = writer();
        writer.write(|| "fill".into(), fill).await.unwrap();
        writer.write(|| "limit".into(), most_pages(400)).await.unwrap();
        let full = writer.write(|| "fill".into(), fill).await;
        assert!(matches!(full, Err(StoreError::DiskFull { .. })), "{full:?}");
        assert_eq!(writer.write(|| "count".into(), rows).await.unwrap(), 1);
        writer.write(|| "limit".into(), most_pages(1_000_000)).await.unwrap();
        writer.write(|| "fill".into(), fill).await.unwrap();
        assert_eq!(writer.write(|| "count".into(), rows).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn another_programs_lock_is_said_and_writing_goes_on_afterwards() {
        let (folder, _lock, writer) = writer();
        let impatient = |batch: &mut Batch<'_>| Ok(batch.conn.busy_timeout(Duration::ZERO)?);
        writer.write(|| "do not wait".into(), impatient).await.unwrap();
        let other = Connection::open(folder.path().join("deputy.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let busy = writer.write(|| "fill".into(), fill).await;
        assert!(matches!(busy, Err(StoreError::Busy { .. })), "{busy:?}");
        other.execute_batch("ROLLBACK").unwrap();
        writer.write(|| "fill".into(), fill).await.unwrap();
        assert_eq!(writer.write(|| "count".into(), rows).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn where_sqlite_ends_the_transaction_everybody_in_it_is_told_why() {
        let (_folder, _lock, writer) = writer();
        let (started, running) = channel();
        let (open_gate, gate) = channel::<()>();
        let hold = move |_: &mut Batch<'_>| -> Result<(), Fault> {
            started.send(()).unwrap();
            gate.recv().unwrap();
            Ok(())
        };
        let end = |batch: &mut Batch<'_>| -> Result<(), Fault> {
            batch.conn.execute_batch("ROLLBACK")?;
            Err(StoreError::Closed { doing: || "end".into() }.into())
        };
        let mut held = Box::pin(writer.write(|| "hold".into(), hold));
        assert!(!poll_once(&mut held));
        running.recv().unwrap();
        // The writer is busy, so what is queued now becomes its next transaction.
        let mut one = Box::pin(writer.write(|| "one".into(), fill));
        let mut ended = Box::pin(writer.write(|| "end".into(), end));
        let mut two = Box::pin(writer.write(|| "two".into(), fill));
        assert!(!poll_once(&mut one) && !poll_once(&mut ended) && !poll_once(&mut two));
        open_gate.send(()).unwrap();
        held.await.unwrap();
        for told in [one.await, ended.await, two.await] {
            assert!(matches!(told, Err(StoreError::Closed { .. })), "{told:?}");
        }
        assert_eq!(writer.write(|| "count".into(), rows).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn the_log_is_folded_in_when_it_is_large() {
        let (folder, _lock, writer) = writer();
        for _ in 0..100 {
            writer.write(|| "fill".into(), fill).await.unwrap();
        }
        let log = folder.path().join("deputy.db-wal").metadata().unwrap().len();
        assert!(log < 90_000_000, "100 MB were written, and the log holds {log} bytes of them");
    }

    #[tokio::test]
    async fn closing_finishes_what_is_queued() {
        let (folder, _lock, writer) = writer();
        // A queued job without a waiting caller.
        drop(writer.write(|| "fill".into(), fill));
        drop(writer);
        assert!(!folder.path().join("deputy.db-wal").exists(), "a closed database is one file");
        let conn = Connection::open(folder.path().join("deputy.db")).unwrap();
        let rows: i64 = conn.query_row("SELECT count(*) FROM commands", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 1);
    }

    fn poll_once<T>(future: &mut std::pin::Pin<Box<impl Future<Output = T>>>) -> bool {
        let waker = std::task::Waker::noop();
        future.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_ready()
    }
}
