//! The jobs of a home: started one a folder at a time, resumed, listed, undone.

use crate::boot::boot;
use crate::disk::{self, DiskError};
use crate::execute::{Control, Report, RunError, give_up, run, times_of};
use crate::index::{Index, Told, moved};
use crate::job::Job;
use crate::journal::{JournalError, JournalFile};
use crate::ledger::{History, Started};
use crate::recover::settle_open;
use crate::undo::{ConflictChoice, Reversal, reverse};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use rustix::fs::{FlockOperation, flock};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const ENDING: &str = "journal";

/// Undos of undos that are followed, so that journals that name each other end nothing.
const MOST_UNDONE: usize = 64;

/// Why a job could not be started, opened or undone.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// The folder of the jobs cannot be used.
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no such job.
    Unknown(String),
    /// Another job works on the same folder and is not done.
    Overlap {
        /// The other job.
        other: String,
        /// The folder they share.
        folder: PathBuf,
    },
    /// It was undone already.
    AlreadyUndone {
        /// The job.
        id: String,
        /// The one that took it back.
        by: String,
    },
    /// Its journal cannot be used.
    Journal(#[from] JournalError),
    /// What was cut off could not be settled.
    Run(#[from] RunError),
    /// The disk could not be looked at.
    Disk(#[from] DiskError),
}

impl JobsError {
    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Folder { folder, source } => say::jobs_folder(folder.display(), source),
            Self::Unknown(job) => say::unknown_job(job),
            Self::Overlap { other, folder } => say::overlap(folder.display(), other),
            Self::AlreadyUndone { id, by } => say::undone_already(by, id),
            Self::Journal(error) => error.phrase(),
            Self::Run(error) => error.phrase(),
            Self::Disk(error) => error.phrase(),
        }
    }
}

deputy_messages::said_by_phrase!(JobsError);

/// The state of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobState {
    /// A process works on it.
    Running,
    /// It is not done, and nobody works on it: it failed, was stopped, or its process died.
    Interrupted,
    /// It is done.
    Done,
    /// It was undone, by this job.
    Undone(String),
    /// Its journal is damaged: it can neither be resumed nor undone by itself.
    Damaged,
}

/// A job as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSummary {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: JobState,
    /// Folders that it works in.
    pub scope: Vec<PathBuf>,
    /// The job that it undoes.
    pub undoes: Option<String>,
    /// Steps that happened.
    pub done: usize,
    /// Steps that were left out.
    pub skipped: usize,
    /// Steps that there are.
    pub steps: usize,
    /// When it was begun.
    pub began: SystemTime,
}

/// The jobs of a home, one journal each.
#[derive(Clone, Debug)]
pub struct Jobs {
    folder: PathBuf,
}

/// A job that this process works on.
#[derive(Debug)]
pub struct OpenJob {
    history: History,
    ledger: JournalFile,
}

impl OpenJob {
    /// How far it got.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Runs what is left of it.
    pub fn run(&mut self, control: &mut Control<'_>) -> Result<Report, RunError> {
        run(&mut self.history, &mut self.ledger, control)
    }
}

impl Jobs {
    /// The jobs kept in a folder, which is made if need be.
    pub fn open(folder: &Path) -> Result<Self, JobsError> {
        disk::make_private_folder(folder)
            .map_err(|source| JobsError::Folder { folder: folder.to_owned(), source })?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// A name that no job has yet.
    pub fn new_id(&self) -> String {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        (0_u32..)
            .map(|attempt| {
                let seed = format!("{}-{}-{attempt}", std::process::id(), now.as_nanos());
                format!("j{}", &blake3::hash(seed.as_bytes()).to_hex()[..10])
            })
            .find(|id| !self.path(id).exists())
            .unwrap_or_default()
    }

    /// Starts a job; its journal is durable when it returns, and nothing of it is done yet. One that works on a folder
    /// of another that is not done is refused. A job that is undone is over: nothing more of it is done.
    pub fn start(&self, job: Job) -> Result<OpenJob, JobsError> {
        let _lock = self.lock()?;
        if let Some(undone) = &job.undoes {
            self.end(undone)?;
        }
        for path in self.journals()? {
            if JournalFile::is_finished(&path).map_err(|source| self.error(source))? {
                continue;
            }
            let Some(other) = read(&path)? else { continue };
            if let Some(folder) = shared(&job.scope, &other.job.scope) {
                return Err(JobsError::Overlap { other: other.job.id, folder });
            }
        }
        let folders = times_of(&job.folders);
        let path = self.path(&job.id);
        let (ledger, history) = JournalFile::create(&path, Started { job, folders, boot: boot() })?;
        Ok(OpenJob { history, ledger })
    }

    /// Opens a job to continue with it, and settles what a crash cut off.
    pub fn resume(&self, id: &str) -> Result<OpenJob, JobsError> {
        let path = self.journal_of(id)?;
        let open = || {
            let _lock = self.lock()?;
            JournalFile::open(&path).map_err(JobsError::from)
        };
        let (mut ledger, mut history) = match open() {
            // It counts as done from its last line on, and its writer is about to let go of it.
            Err(JobsError::Journal(JournalError::Busy(_)))
                if JournalFile::is_finished(&path).map_err(|source| self.error(source))? =>
            {
                JournalFile::wait_for(&path)?;
                open()?
            }
            opened => opened?,
        };
        settle_open(&mut history, &mut ledger)?;
        Ok(OpenJob { history, ledger })
    }

    /// The journal of a job that there is.
    fn journal_of(&self, id: &str) -> Result<PathBuf, JobsError> {
        let path = self.path(id);
        let is_name = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_name && path.exists() { Ok(path) } else { Err(JobsError::Unknown(id.to_owned())) }
    }

    /// Leaves out what is left of a job, which is done then as far as it got.
    pub fn give_up(&self, id: &str) -> Result<Report, JobsError> {
        let _lock = self.lock()?;
        self.end(id)
    }

    /// Ends a job, with the lock held.
    fn end(&self, id: &str) -> Result<Report, JobsError> {
        let (mut ledger, mut history) = JournalFile::open(&self.journal_of(id)?)?;
        Ok(give_up(&mut history, &mut ledger)?)
    }

    /// What taking a job back would do. Changes nothing but the journal of a job that a crash cut off.
    pub fn reverse(&self, id: &str, choice: ConflictChoice) -> Result<Reversal, JobsError> {
        if let Some(JobState::Undone(by)) = self.find(id)?.map(|found| found.state) {
            return Err(JobsError::AlreadyUndone { id: id.to_owned(), by });
        }
        let opened = self.resume(id)?;
        Ok(reverse(opened.history(), &self.new_id(), choice)?)
    }

    /// One job.
    pub fn find(&self, id: &str) -> Result<Option<JobSummary>, JobsError> {
        Ok(self.told()?.summaries(|found, _| found == id, 1)?.pop())
    }

    /// Everything that the journal of a job says; nothing where there is no such job.
    pub fn history(&self, id: &str) -> Result<Option<History>, JobsError> {
        match self.journal_of(id) {
            Ok(path) => Ok(read(&path)?),
            Err(_) => Ok(None),
        }
    }

    /// The newest jobs, newest first, this many at most.
    pub fn list(&self, most: usize) -> Result<Vec<JobSummary>, JobsError> {
        self.told()?.summaries(|_, _| true, most)
    }

    /// The jobs that were stopped or cut off, newest first: each blocks its folders until it continues or is undone.
    pub fn interrupted(&self) -> Result<Vec<JobSummary>, JobsError> {
        let is_open = |_: &str, told: &Told| !told.is_finished && !told.is_damaged;
        let mut found = self.told()?.summaries(is_open, usize::MAX)?;
        found.retain(|job| job.state == JobState::Interrupted);
        Ok(found)
    }

    /// What the journals say, newest first. Only those that changed since are read.
    fn told(&self) -> Result<AllTold<'_>, JobsError> {
        let mut index = Index::load(&self.folder);
        let mut found = Vec::new();
        for path in self.journals()? {
            let now = match std::fs::metadata(&path) {
                Ok(now) => now,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(source) => return Err(self.error(source)),
            };
            let made = now.created().or(now.modified()).map_err(|source| self.error(source))?;
            let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let told = index.look(&id, &path, &now)?;
            found.push((made, id, told));
        }
        found.sort_by(|one, other| (other.0, &other.1).cmp(&(one.0, &one.1)));
        let known: HashSet<&str> = found.iter().map(|(_, id, _)| id.as_str()).collect();
        index.keep(&self.folder, |id| known.contains(id));
        let told: Vec<_> = found.into_iter().filter_map(|(made, id, told)| Some((made, id, told?))).collect();
        let mut undos: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, (_, _, of_undo)) in told.iter().enumerate().filter(|(_, (_, _, told))| told.is_finished) {
            of_undo.undoes.iter().for_each(|undone| undos.entry(undone.clone()).or_default().push(at));
        }
        Ok(AllTold { jobs: self, told, undos })
    }

    fn journals(&self) -> Result<Vec<PathBuf>, JobsError> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(|source| self.error(source))? {
            let path = entry.map_err(|source| self.error(source))?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                found.push(path);
            }
        }
        Ok(found)
    }

    fn error(&self, source: std::io::Error) -> JobsError {
        JobsError::Folder { folder: self.folder.clone(), source }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.{ENDING}"))
    }

    /// Held while a job is started or opened, so that two cannot start on one folder at once.
    fn lock(&self) -> Result<Lock, JobsError> {
        self.try_lock().map_err(|source| self.error(source))
    }

    fn try_lock(&self) -> std::io::Result<Lock> {
        let mut options = File::options();
        let path = self.folder.join("lock");
        let file = options.create(true).truncate(false).write(true).mode(0o600).open(path)?;
        flock(&file, FlockOperation::LockExclusive)?;
        Ok(Lock(file))
    }

    /// Whether a process works on a job, which holds a lock on its journal then. Looking takes that lock for a moment:
    /// the other one keeps those out meanwhile who would take the look for a process at work.
    fn is_worked_on(&self, id: &str) -> bool {
        let _lock = self.try_lock();
        let Ok(journal) = File::open(self.path(id)) else { return false };
        let is_free = flock(&journal, FlockOperation::NonBlockingLockShared).is_ok();
        drop(Lock(journal));
        !is_free
    }
}

/// A file that is locked. A child that is being started holds it open, too, so closing it would not do.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

/// What the journals of a home say, newest first.
struct AllTold<'a> {
    jobs: &'a Jobs,
    told: Vec<(SystemTime, String, Told)>,
    /// The places of a job's undos that are done, by its id.
    undos: HashMap<String, Vec<usize>>,
}

impl AllTold<'_> {
    fn summaries(
        &self,
        is_meant: impl Fn(&str, &Told) -> bool,
        most: usize,
    ) -> Result<Vec<JobSummary>, JobsError> {
        let meant = self.told.iter().filter(|(_, id, told)| is_meant(id, told)).take(most);
        meant
            .map(|(made, id, told)| {
                Ok(JobSummary {
                    id: id.clone(),
                    began: *made,
                    state: self.state(id, told)?,
                    scope: told.scope.clone(),
                    undoes: told.undoes.clone(),
                    done: told.done,
                    skipped: told.skipped,
                    steps: told.steps,
                })
            })
            .collect()
    }

    fn state(&self, id: &str, told: &Told) -> Result<JobState, JobsError> {
        if told.is_damaged {
            return Ok(JobState::Damaged);
        }
        if let Some(by) = self.undone_by(id, told, MOST_UNDONE)? {
            return Ok(JobState::Undone(by));
        }
        Ok(match told.is_finished {
            true => JobState::Done,
            false if self.jobs.is_worked_on(id) => JobState::Running,
            false => JobState::Interrupted,
        })
    }

    /// The job that took this one back, or the newest of several that did so together: what of it happened must have been
    /// undone, all of it, by undos that were not undone themselves. Undos of undos are looked at `most` deep.
    fn undone_by(&self, id: &str, told: &Told, most: usize) -> Result<Option<String>, JobsError> {
        let mut standing = Vec::new();
        for (_, undo, of_undo) in self.undos.get(id).into_iter().flatten().map(|at| &self.told[*at]) {
            if most > 0 && self.undone_by(undo, of_undo, most - 1)?.is_none() {
                standing.push((undo, of_undo));
            }
        }
        let Some((newest, _)) = standing.first() else { return Ok(None) };
        // An undo does nothing but what its job did, so as much is the same.
        let is_whole = match standing.as_slice() {
            [(_, only)] => only.moved == told.moved,
            several => {
                let mut left: HashSet<String> = self.moved(id)?;
                for (undo, _) in several {
                    self.moved(undo)?.iter().for_each(|operation| {
                        left.remove(operation);
                    });
                }
                left.is_empty()
            }
        };
        Ok(is_whole.then(|| (*newest).clone()))
    }

    fn moved(&self, id: &str) -> Result<HashSet<String>, JobsError> {
        let history = self.jobs.history(id)?;
        Ok(history.iter().flat_map(|history| moved(history).map(str::to_owned)).collect())
    }
}

/// What a journal says; nothing where its process died while it made it, so that nothing was done.
fn read(path: &Path) -> Result<Option<History>, JobsError> {
    match JournalFile::read(path) {
        Ok((history, _)) => Ok(Some(history)),
        Err(JournalError::Damaged { line: 1, .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A folder that lies in both scopes.
fn shared(one: &[PathBuf], other: &[PathBuf]) -> Option<PathBuf> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| one.starts_with(other) || other.starts_with(one))
        .map(|(one, _)| one.clone())
        .next()
}
