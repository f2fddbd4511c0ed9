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
    /// The job was undone by this job, the newest if there are several. Undoing that one is a redo.
    Undone(String),
    /// A part of what the job did was undone by this job, the newest if there are several.
    PartlyUndone(String),
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
    /// The call of a task that started it.
    pub call: Option<String>,
    /// The number of done steps.
    pub done: usize,
    /// The number of skipped steps.
    pub skipped: usize,
    /// The total number of steps.
    pub steps: usize,
    /// When the job began.
    pub began: SystemTime,
}

/// A plan: the job that executed it, and the later undos and redos of that job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSummary {
    /// The job that executed the plan. Its state is that of the plan, unless a turn is unfinished.
    pub job: JobSummary,
    /// The undos and redos, oldest first.
    pub turns: Vec<Turn>,
}

/// An undo or a redo of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whether it redoes what an undo took back. Otherwise it undoes what the plan or a redo did.
    pub is_redo: bool,
    /// The job.
    pub job: JobSummary,
}

impl PlanSummary {
    /// Returns the job that ran last.
    pub fn latest(&self) -> &JobSummary {
        self.turns.last().map_or(&self.job, |turn| &turn.job)
    }

    /// Returns the state of the plan. While a turn is unfinished, it is the state of that turn.
    pub fn state(&self) -> &JobState {
        match &self.latest().state {
            unfinished @ (JobState::Running | JobState::Interrupted) => unfinished,
            _ => &self.job.state,
        }
    }
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
        let undone = match self.find(id)?.map(|found| found.state) {
            Some(JobState::Undone(by)) => {
                return Err(JobsError::AlreadyUndone { id: id.to_owned(), by });
            }
            Some(JobState::PartlyUndone(_)) => self.told()?.undone(id, MOST_UNDONE)?,
            _ => HashSet::new(),
        };
        let opened = self.resume(id)?;
        Ok(reverse(opened.history(), &self.new_id(), choice, &undone)?)
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

    /// Returns the ids of all jobs, also of those that undo others.
    pub fn ids(&self) -> Result<Vec<String>, JobsError> {
        Ok(self.told()?.told.into_iter().map(|(_, id, _)| id).collect())
    }

    /// Lists the newest plans, newest first, at most `most`.
    pub fn plans(&self, most: usize) -> Result<Vec<PlanSummary>, JobsError> {
        let all = self.told()?;
        all.summaries(|_, told| told.undoes.is_none(), most)?.into_iter().map(|job| all.plan(job)).collect()
    }

    /// Finds a plan by its job, or by an undo or a redo of it.
    pub fn plan(&self, id: &str) -> Result<Option<PlanSummary>, JobsError> {
        let all = self.told()?;
        let root = all.root(id);
        let job = all.summaries(|found, _| found == root, 1)?.pop();
        job.map(|job| all.plan(job)).transpose()
    }

    /// Lists the plans whose last turn was stopped or interrupted, newest first. Each blocks its folders until that turn
    /// is resumed or undone.
    pub fn interrupted(&self) -> Result<Vec<PlanSummary>, JobsError> {
        let all = self.told()?;
        let is_open = |_: &str, told: &Told| !told.is_finished && !told.is_damaged;
        let mut found = Vec::new();
        for job in all.summaries(is_open, usize::MAX)? {
            if job.state == JobState::Interrupted {
                found.extend(self.plan(&job.id)?);
            }
        }
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
        for (at, (_, _, of_undo)) in told.iter().enumerate() {
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
    /// The indices of a job's undos, newest first, by its id.
    undos: HashMap<String, Vec<usize>>,
}

/// How much of what a job did is undone, by the newest of the jobs that undid it.
enum Extent<'a> {
    Nothing,
    Part(&'a str),
    Everything(&'a str),
}

impl AllTold<'_> {
    fn summaries(
        &self,
        is_meant: impl Fn(&str, &Told) -> bool,
        most: usize,
    ) -> Result<Vec<JobSummary>, JobsError> {
        let meant = self.told.iter().filter(|(_, id, told)| is_meant(id, told)).take(most);
        meant.map(|found| self.summary(found)).collect()
    }

    fn summary(&self, (made, id, told): &(SystemTime, String, Told)) -> Result<JobSummary, JobsError> {
        Ok(JobSummary {
            id: id.clone(),
            began: *made,
            state: self.state(id, told)?,
            scope: told.scope.clone(),
            undoes: told.undoes.clone(),
            call: told.call.clone(),
            done: told.done,
            skipped: told.skipped,
            steps: told.steps,
        })
    }

    /// Returns a plan with its undos and redos.
    fn plan(&self, job: JobSummary) -> Result<PlanSummary, JobsError> {
        let mut turns: Vec<(usize, bool)> = Vec::new();
        let mut of: Vec<(&str, bool)> = vec![(&job.id, false)];
        while let Some((id, is_redo)) = of.pop() {
            for at in self.undos.get(id).into_iter().flatten() {
                // Journals could refer to each other in a cycle.
                if !turns.iter().any(|(known, _)| known == at) {
                    turns.push((*at, is_redo));
                    of.push((&self.told[*at].1, !is_redo));
                }
            }
        }
        turns.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        let turns = turns
            .into_iter()
            .map(|(at, is_redo)| Ok(Turn { is_redo, job: self.summary(&self.told[at])? }))
            .collect::<Result<_, JobsError>>()?;
        Ok(PlanSummary { job, turns })
    }

    /// Returns the job of the plan that a job undoes or redoes; for any other job, the job itself.
    fn root<'a>(&'a self, id: &'a str) -> &'a str {
        let undoes = |id: &str| {
            let found = self.told.iter().find(|(_, found, _)| found == id);
            found.and_then(|(_, _, told)| told.undoes.as_deref())
        };
        let chain = std::iter::successors(Some(id), |id| undoes(id));
        chain.take(MOST_UNDONE).last().unwrap_or(id)
    }

    fn state(&self, id: &str, told: &Told) -> Result<JobState, JobsError> {
        if told.is_damaged {
            return Ok(JobState::Damaged);
        }
        match self.extent(id, told, MOST_UNDONE)? {
            Extent::Everything(by) => return Ok(JobState::Undone(by.to_owned())),
            Extent::Part(by) if told.is_finished => return Ok(JobState::PartlyUndone(by.to_owned())),
            Extent::Part(_) | Extent::Nothing => {}
        }
        Ok(match told.is_finished {
            true => JobState::Done,
            false if self.jobs.is_worked_on(id) => JobState::Running,
            false => JobState::Interrupted,
        })
    }

    /// Returns the finished undos of a job, newest first.
    fn finished_undos(&self, id: &str) -> impl Iterator<Item = (&str, &Told)> {
        let undos = self.undos.get(id).into_iter().flatten().map(|at| &self.told[*at]);
        undos.filter(|(_, _, told)| told.is_finished).map(|(_, id, told)| (id.as_str(), told))
    }

    /// Returns how much of what a job did is undone. Follows undos of undos up to a depth of `most`.
    fn extent(&self, id: &str, told: &Told, most: usize) -> Result<Extent<'_>, JobsError> {
        let mut standing = Vec::new();
        for (by, undo) in self.finished_undos(id).take_while(|_| most > 0) {
            match self.extent(by, undo, most - 1)? {
                Extent::Everything(_) => {}
                Extent::Part(_) => standing.push((by, None)),
                Extent::Nothing => standing.push((by, Some(undo.moved))),
            }
        }
        match standing.as_slice() {
            [] => return Ok(Extent::Nothing),
            // An undo only reverses what its job did, so equal counts mean that it reversed everything.
            [(by, Some(moved))] if *moved == told.moved => return Ok(Extent::Everything(by)),
            _ => {}
        }
        let undone = self.undone(id, most)?;
        let newest = standing[0].0;
        if self.moved(id)?.is_subset(&undone) {
            return Ok(Extent::Everything(newest));
        }
        for (by, _) in standing {
            if !self.moved(by)?.is_subset(&self.undone(by, most - 1)?) {
                return Ok(Extent::Part(by));
            }
        }
        Ok(Extent::Nothing)
    }

    /// Returns the operations of a job that are undone: its undos did them, and were not undone themselves. Follows
    /// undos of undos up to a depth of `most`.
    fn undone(&self, id: &str, most: usize) -> Result<HashSet<String>, JobsError> {
        let mut all = HashSet::new();
        if most > 0 {
            for (undo, _) in self.finished_undos(id) {
                all.extend(&self.moved(undo)? - &self.undone(undo, most - 1)?);
            }
        }
        Ok(all)
    }

    /// Returns the operations of a job that affected anything other than folders.
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
