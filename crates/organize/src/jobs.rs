//! The jobs of a home: started one a folder at a time, resumed, listed, taken back.

use crate::boot::boot;
use crate::disk::DiskError;
use crate::execute::{Control, Report, RunError, give_up, run, times_of};
use crate::job::{Act, Job};
use crate::journal::{JournalError, JournalFile};
use crate::ledger::{History, Started, StepState};
use crate::recover::settle_open;
use crate::undo::{ConflictChoice, Reversal, reverse};
use rustix::fs::{FlockOperation, flock};
use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const ENDING: &str = "journal";

/// Undos of undos that are followed, so that journals that name each other end nothing.
const MOST_UNDONE: usize = 64;

/// Why a job could not be started, opened or taken back.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// The folder of the jobs cannot be used.
    #[error("could not use the folder of the jobs, {folder}: {source}", folder = folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no such job.
    #[error("there is no job {0}; `deputy jobs` lists them")]
    Unknown(String),
    /// Another job works on the same folder and is not done.
    #[error("the job {other} works on {folder} and is not done; resume it or take it back first", folder = folder.display())]
    Overlap {
        /// The other job.
        other: String,
        /// The folder they share.
        folder: PathBuf,
    },
    /// It was taken back already.
    #[error("the job {id} was taken back by the job {by} already; take that one back to have it again")]
    AlreadyUndone {
        /// The job.
        id: String,
        /// The one that took it back.
        by: String,
    },
    /// Its journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What was cut off could not be settled.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The disk could not be looked at.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Where a job stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobState {
    /// A process works on it.
    Running,
    /// It is not done, and nobody works on it: it failed, was stopped, or its process died.
    Interrupted,
    /// It is done.
    Done,
    /// It was taken back, by this job.
    Undone(String),
    /// Its journal is damaged: it can neither be resumed nor taken back by itself.
    Damaged,
}

/// A job as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSummary {
    /// Its history.
    pub history: History,
    /// Where it stands.
    pub state: JobState,
    /// When it was begun.
    pub began: std::time::SystemTime,
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
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|source| JobsError::Folder { folder: folder.to_owned(), source })?;
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
    /// of another that is not done is refused. A job that is taken back is over: nothing more of it is done.
    pub fn start(&self, job: Job) -> Result<OpenJob, JobsError> {
        let _lock = self.lock()?;
        if let Some(undone) = &job.undoes {
            self.end(undone)?;
        }
        for path in self.journals()? {
            if JournalFile::is_finished(&path).map_err(|source| self.error(source))? {
                continue;
            }
            let Some((other, _)) = read(&path)? else { continue };
            if let Some(folder) = shared(&job.scope, &other.job.scope) {
                return Err(JobsError::Overlap { other: other.job.id, folder });
            }
        }
        let folders = times_of(&job.folders);
        let path = self.path(&job.id);
        let (ledger, history) = JournalFile::create(&path, Started { job, folders, boot: boot() })?;
        Ok(OpenJob { history, ledger })
    }

    /// Opens a job to go on with it, and settles what a crash cut off.
    pub fn resume(&self, id: &str) -> Result<OpenJob, JobsError> {
        let path = self.path(id);
        let is_name = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_name || !path.exists() {
            return Err(JobsError::Unknown(id.to_owned()));
        }
        let (mut ledger, mut history) = JournalFile::open(&path)?;
        settle_open(&mut history, &mut ledger)?;
        Ok(OpenJob { history, ledger })
    }

    /// Leaves out what is left of a job, which is done then as far as it got.
    pub fn give_up(&self, id: &str) -> Result<Report, JobsError> {
        let _lock = self.lock()?;
        self.end(id)
    }

    fn end(&self, id: &str) -> Result<Report, JobsError> {
        let OpenJob { mut history, mut ledger } = self.resume(id)?;
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
        Ok(self.list()?.into_iter().find(|found| found.history.job.id == id))
    }

    /// All jobs, newest first.
    pub fn list(&self) -> Result<Vec<JobSummary>, JobsError> {
        let mut found = Vec::new();
        for path in self.journals()? {
            let made = std::fs::metadata(&path).and_then(|found| found.created().or(found.modified()));
            let made = made.map_err(|source| self.error(source))?;
            if let Some((history, is_damaged)) = read(&path)? {
                found.push((made, path, history, is_damaged));
            }
        }
        found.sort_by(|(one, ..), (other, ..)| other.cmp(one));
        let histories: Vec<&History> = found.iter().map(|(_, _, history, _)| history).collect();
        let mut states = Vec::new();
        for (_, path, history, is_damaged) in &found {
            states.push(match undone_by(history, &histories, MOST_UNDONE) {
                _ if *is_damaged => JobState::Damaged,
                Some(by) => JobState::Undone(by),
                _ if history.is_finished() => JobState::Done,
                _ if is_locked(path) => JobState::Running,
                _ => JobState::Interrupted,
            });
        }
        let begun = found.into_iter().map(|(began, _, history, _)| (began, history));
        Ok(begun.zip(states).map(|((began, history), state)| JobSummary { history, state, began }).collect())
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

    /// Held while a job is started, so that two cannot start on one folder at once.
    fn lock(&self) -> Result<File, JobsError> {
        let mut options = File::options();
        let path = self.folder.join("lock");
        let opened = options.create(true).truncate(false).write(true).mode(0o600).open(path);
        let file = opened.map_err(|source| self.error(source))?;
        flock(&file, FlockOperation::LockExclusive).map_err(|error| self.error(error.into()))?;
        Ok(file)
    }
}

/// A job's history and whether its journal is damaged; `None` where its process died while it made the journal, so
/// that nothing was done.
fn read(path: &Path) -> Result<Option<(History, bool)>, JobsError> {
    match JournalFile::read(path) {
        Ok(read) => Ok(Some(read)),
        Err(JournalError::Damaged { line: 1, .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The job that took this one back, or the newest of several that did so together: what of it happened must have been
/// taken back, all of it, by undos that were not taken back themselves. Undos of undos are looked at `most` deep.
fn undone_by(history: &History, all: &[&History], most: usize) -> Option<String> {
    let is_undo = |other: &&&History| {
        other.is_finished() && other.job.undoes.as_deref() == Some(history.job.id.as_str())
    };
    let stands = |other: &&&History| most > 0 && undone_by(other, all, most - 1).is_none();
    let undos: Vec<&&History> = all.iter().filter(is_undo).filter(stands).collect();
    let taken_back: HashSet<&str> = undos.iter().flat_map(|undo| moved(undo)).collect();
    let newest = undos.first()?;
    moved(history).all(|operation| taken_back.contains(operation)).then(|| newest.job.id.clone())
}

/// The operations of a job that happened to more than folders. Those stay where something is in them, and stand against
/// nothing.
fn moved(history: &History) -> impl Iterator<Item = &str> {
    let steps = history.job.steps.iter().zip(&history.steps);
    steps
        .filter(|(step, state)| {
            let is_folder = matches!(step.act, Act::CreateFolder(_) | Act::RemoveFolder(_));
            !is_folder && matches!(state, StepState::Done(_))
        })
        .map(|(step, _)| step.operation.as_str())
}

fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockShared).is_err())
}

/// A folder that lies in both scopes.
fn shared(one: &[PathBuf], other: &[PathBuf]) -> Option<PathBuf> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| one.starts_with(other) || other.starts_with(one))
        .map(|(one, _)| one.clone())
        .next()
}
