//! The jobs of a home: starts at most one per folder at a time, and resumes, lists and undoes jobs.

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

/// The maximum depth of undos of undos, in case journals refer to each other in a cycle.
const MOST_UNDONE: usize = 64;

/// Why a job could not be started, opened or undone.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// The folder of the jobs cannot be used.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// There is no job with this id.
    Unknown(String),
    /// Another unfinished job works on the same folder.
    Overlap {
        /// The other job.
        other: String,
        /// The folder that both jobs use.
        folder: PathBuf,
    },
    /// The job was already undone.
    AlreadyUndone {
        /// The job.
        id: String,
        /// The job that undid it.
        by: String,
    },
    /// The journal cannot be used.
    Journal(#[from] JournalError),
    /// Interrupted steps could not be settled.
    Run(#[from] RunError),
    /// The disk could not be read.
    Disk(#[from] DiskError),
}

impl JobsError {
    /// Returns the message for people.
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
    /// A process is working on the job.
    Running,
    /// The job is unfinished and no process works on it: it failed, was stopped, or its process died.
    Interrupted,
    /// The job is done.
    Done,
    /// The job was undone by this job.
    Undone(String),
    /// The journal is damaged, so the job can neither be resumed nor undone automatically.
    Damaged,
}

/// A job in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSummary {
    /// The id.
    pub id: String,
    /// The state.
    pub state: JobState,
    /// The folders that the job works in.
    pub scope: Vec<PathBuf>,
    /// The job that it undoes.
    pub undoes: Option<String>,
    /// The number of done steps.
    pub done: usize,
    /// The number of skipped steps.
    pub skipped: usize,
    /// The total number of steps.
    pub steps: usize,
    /// When the job began.
    pub began: SystemTime,
}

/// The jobs of a home. Each has a journal.
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
    /// Returns the progress of the job.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Runs the remaining steps.
    pub fn run(&mut self, control: &mut Control<'_>) -> Result<Report, RunError> {
        run(&mut self.history, &mut self.ledger, control)
    }
}

impl Jobs {
    /// Opens the jobs in a folder, which is created if needed.
    pub fn open(folder: &Path) -> Result<Self, JobsError> {
        disk::make_private_folder(folder)
            .map_err(|source| JobsError::Folder { folder: folder.to_owned(), source })?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Returns an id that no job has yet.
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

    /// Starts a job. Its journal is durable when this returns, and no step has been executed.
    ///
    /// Fails if another unfinished job works on one of the same folders. If `job` undoes an unfinished job, that job is
    /// ended first.
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

    /// Opens a job to continue it. Settles the steps that a crash interrupted.
    pub fn resume(&self, id: &str) -> Result<OpenJob, JobsError> {
        let path = self.journal_of(id)?;
        let open = || {
            let _lock = self.lock()?;
            JournalFile::open(&path).map_err(JobsError::from)
        };
        let (mut ledger, mut history) = match open() {
            // The job is done once its last line is written. Its writer is about to release the lock.
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

    /// Returns the path of the journal of an existing job.
    fn journal_of(&self, id: &str) -> Result<PathBuf, JobsError> {
        let path = self.path(id);
        let is_name = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_name && path.exists() { Ok(path) } else { Err(JobsError::Unknown(id.to_owned())) }
    }

    /// Ends a job early by skipping its remaining steps.
    pub fn give_up(&self, id: &str) -> Result<Report, JobsError> {
        let _lock = self.lock()?;
        self.end(id)
    }

    /// Ends a job early. The lock must be held.
    fn end(&self, id: &str) -> Result<Report, JobsError> {
        let (mut ledger, mut history) = JournalFile::open(&self.journal_of(id)?)?;
        Ok(give_up(&mut history, &mut ledger)?)
    }

    /// Returns what undoing a job would do. Changes nothing, except for the journal of a job that a crash interrupted.
    pub fn reverse(&self, id: &str, choice: ConflictChoice) -> Result<Reversal, JobsError> {
        if let Some(JobState::Undone(by)) = self.find(id)?.map(|found| found.state) {
            return Err(JobsError::AlreadyUndone { id: id.to_owned(), by });
        }
        let opened = self.resume(id)?;
        Ok(reverse(opened.history(), &self.new_id(), choice)?)
    }

    /// Finds a job by id.
    pub fn find(&self, id: &str) -> Result<Option<JobSummary>, JobsError> {
        Ok(self.told()?.summaries(|found, _| found == id, 1)?.pop())
    }

    /// Reads the whole journal of a job. `None` if there is no such job.
    pub fn history(&self, id: &str) -> Result<Option<History>, JobsError> {
        match self.journal_of(id) {
            Ok(path) => Ok(read(&path)?),
            Err(_) => Ok(None),
        }
    }

    /// Lists the newest jobs, newest first, at most `most`.
    pub fn list(&self, most: usize) -> Result<Vec<JobSummary>, JobsError> {
        self.told()?.summaries(|_, _| true, most)
    }

    /// Lists the jobs that were stopped or interrupted, newest first. Each blocks its folders until it is resumed or
    /// undone.
    pub fn interrupted(&self) -> Result<Vec<JobSummary>, JobsError> {
        let is_open = |_: &str, told: &Told| !told.is_finished && !told.is_damaged;
        let mut found = self.told()?.summaries(is_open, usize::MAX)?;
        found.retain(|job| job.state == JobState::Interrupted);
        Ok(found)
    }

    /// Reads the journals that have changed, and returns the summaries of all, newest first.
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

    /// Takes the lock for starting or opening a job, so that two jobs cannot start on a folder at once.
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

    /// Returns whether a process works on a job. Such a process holds a lock on the journal. This check takes the same
    /// lock briefly. The lock on the jobs prevents others from mistaking the check for a working process.
    fn is_worked_on(&self, id: &str) -> bool {
        let _lock = self.try_lock();
        let Ok(journal) = File::open(self.path(id)) else { return false };
        let is_free = flock(&journal, FlockOperation::NonBlockingLockShared).is_ok();
        drop(Lock(journal));
        !is_free
    }
}

/// A locked file. It is unlocked explicitly, because a child process that is starting also holds the file open.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

/// The summaries of all journals of a home, newest first.
struct AllTold<'a> {
    jobs: &'a Jobs,
    told: Vec<(SystemTime, String, Told)>,
    /// The indices of a job's finished undos, by its id.
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

    /// Returns the job that undid this one, or the newest if several undid it together. Everything that the job did
    /// must have been undone by undos that have not been undone themselves. Follows undos of undos up to a depth of
    /// `most`.
    fn undone_by(&self, id: &str, told: &Told, most: usize) -> Result<Option<String>, JobsError> {
        let mut standing = Vec::new();
        for (_, undo, of_undo) in self.undos.get(id).into_iter().flatten().map(|at| &self.told[*at]) {
            if most > 0 && self.undone_by(undo, of_undo, most - 1)?.is_none() {
                standing.push((undo, of_undo));
            }
        }
        let Some((newest, _)) = standing.first() else { return Ok(None) };
        // An undo only reverses what its job did, so equal counts mean that it reversed everything.
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

/// Reads a journal. `None` if the process died while creating it, so that nothing was done.
fn read(path: &Path) -> Result<Option<History>, JobsError> {
    match JournalFile::read(path) {
        Ok((history, _)) => Ok(Some(history)),
        Err(JournalError::Damaged { line: 1, .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns a folder that is in both scopes.
fn shared(one: &[PathBuf], other: &[PathBuf]) -> Option<PathBuf> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| one.starts_with(other) || other.starts_with(one))
        .map(|(one, _)| one.clone())
        .next()
}
