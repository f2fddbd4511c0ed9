//! The journal of a job as an append-only file, with one checksummed line per record.

use crate::ledger::{
    Began, Copied, Ended, Finished, History, Ledger, LedgerAction, LedgerError, Record, Resumed, Started,
};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use rustix::fs::{FlockOperation, flock};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The number of hexadecimal digits of the checksum at the beginning of each line.
const CHECKSUM: usize = 16;

/// Why a journal could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The journal could not be read or written.
    Ledger(#[from] LedgerError),
    /// Another process works on this job.
    Busy(String),
    /// A line before the end is damaged.
    Damaged {
        /// The path of the journal.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
    },
}

impl JournalError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Ledger(error) => error.phrase(),
            Self::Busy(job) => say::job_busy(job),
            Self::Damaged { path, line } => say::journal_damaged(*line as u64, path.display()),
        }
    }
}

deputy_messages::said_by_phrase!(JournalError);

/// A journal that only this process writes.
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    path: PathBuf,
    /// The number of bytes in complete lines.
    good: u64,
    /// A line may be incomplete, or it is unknown what is durable. Nothing more is written until the journal is
    /// reopened.
    is_torn: bool,
}

impl JournalFile {
    /// Creates the journal of a new job. It is durable when this returns. Replaces a journal whose creation was
    /// interrupted.
    pub fn create(path: &Path, started: Started) -> Result<(Self, History), JournalError> {
        let fail = |action| move |source: std::io::Error| LedgerError::new(action, path, source);
        if std::fs::read(path).is_ok_and(|left| was_cut_off_at_once(&left)) {
            std::fs::remove_file(path).map_err(fail(LedgerAction::Recreate))?;
        }
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
            .map_err(fail(LedgerAction::Create))?;
        lock(&file, path)?;
        let mut journal = Self { file, path: path.to_owned(), good: 0, is_torn: false };
        let begun = journal.append(&[Record::Started(started.clone())]).and_then(|()| {
            let folder = path.parent().unwrap_or(path);
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(fail(LedgerAction::Sync))
        });
        if let Err(error) = begun {
            // A journal without a first line is not a job. The original error matters more than a failure to remove the
            // file.
            let _ = std::fs::remove_file(path);
            return Err(error.into());
        }
        Ok((journal, History::new(started)))
    }

    /// Waits until no process works on the job.
    pub fn wait_for(path: &Path) -> Result<(), JournalError> {
        let fail = |source: std::io::Error| LedgerError::new(LedgerAction::WaitFor, path, source);
        let file = File::open(path).map_err(fail)?;
        rustix::io::retry_on_intr(|| flock(&file, FlockOperation::LockExclusive))
            .and_then(|()| flock(&file, FlockOperation::Unlock))
            .map_err(|error| fail(error.into()).into())
    }

    /// Opens a journal to continue the job. Drops an incomplete last line after a crash.
    pub fn open(path: &Path) -> Result<(Self, History), JournalError> {
        let fail = |action| move |source: std::io::Error| LedgerError::new(action, path, source);
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(fail(LedgerAction::Open))?;
        lock(&file, path)?;
        let mut journal = Self { file, path: path.to_owned(), good: 0, is_torn: false };
        journal.file.seek(SeekFrom::Start(0)).map_err(fail(LedgerAction::Read))?;
        let mut bytes = Vec::new();
        journal.file.read_to_end(&mut bytes).map_err(fail(LedgerAction::Read))?;
        let read = parse(path, &bytes)?;
        if let Some(line) = read.damaged {
            return Err(JournalError::Damaged { path: path.to_owned(), line });
        }
        if read.good < bytes.len() {
            journal.file.set_len(read.good as u64).map_err(fail(LedgerAction::Repair))?;
        }
        journal.good = read.good as u64;
        Ok((journal, read.history))
    }

    /// Reads a journal that another process may be writing, up to the first damaged line. Also returns whether there is
    /// damage.
    pub fn read(path: &Path) -> Result<(History, bool), JournalError> {
        let fail = |source: std::io::Error| LedgerError::new(LedgerAction::Read, path, source);
        let read = parse(path, &std::fs::read(path).map_err(fail)?)?;
        Ok((read.history, read.damaged.is_some()))
    }

    /// Returns whether the last line says that the job is done. Does not read the rest of the journal, which can be
    /// megabytes.
    pub(crate) fn is_finished(path: &Path) -> std::io::Result<bool> {
        use std::os::unix::fs::FileExt;
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        for window in [4096, length] {
            let window = window.min(length);
            let mut bytes = vec![0; usize::try_from(window).unwrap_or_default()];
            file.read_exact_at(&mut bytes, length - window)?;
            let Some(lines) = bytes.strip_suffix(b"\n") else { return Ok(false) };
            if let Some(start) = lines.iter().rposition(|byte| *byte == b'\n') {
                return Ok(matches!(record_of(&lines[start + 1..]), Some(Record::Finished(_))));
            }
        }
        Ok(false)
    }

    fn write(&mut self, records: &[Record]) -> Result<(), LedgerError> {
        if self.is_torn {
            let (action, path) = (LedgerAction::Write, self.path.clone());
            return Err(LedgerError { action, path, reason: say::write_failed_before() });
        }
        let mut lines = Vec::new();
        for record in records {
            let json = serde_json::to_vec(record)
                .map_err(|source| self.error(LedgerAction::Write, source.into()))?;
            lines.extend_from_slice(checksum(&json).as_bytes());
            lines.push(b' ');
            lines.extend_from_slice(&json);
            lines.push(b'\n');
        }
        if let Err(source) = self.file.write_all(&lines) {
            // On a full disk, part of a line may have been written. No other line may follow it.
            self.is_torn = self.file.set_len(self.good).is_err();
            return Err(self.error(LedgerAction::Write, source));
        }
        self.good += lines.len() as u64;
        Ok(())
    }

    /// Writes lines durably.
    fn append(&mut self, records: &[Record]) -> Result<(), LedgerError> {
        self.write(records)?;
        self.file.sync_data().map_err(|source| {
            // The kernel drops what it could not write, so only reading the file shows what was written.
            self.is_torn = true;
            self.error(LedgerAction::Sync, source)
        })
    }

    fn error(&self, action: LedgerAction, source: std::io::Error) -> LedgerError {
        LedgerError::new(action, &self.path, source)
    }
}

impl Ledger for JournalFile {
    fn begin(&mut self, steps: &[Began]) -> Result<(), LedgerError> {
        self.append(&steps.iter().cloned().map(Record::Began).collect::<Vec<_>>())
    }

    fn copied(&mut self, copied: &Copied) -> Result<(), LedgerError> {
        self.append(&[Record::Copied(copied.clone())])
    }

    fn end(&mut self, steps: &[Ended]) -> Result<(), LedgerError> {
        self.write(&steps.iter().cloned().map(Record::Ended).collect::<Vec<_>>())
    }

    fn resumed(&mut self, resumed: &Resumed) -> Result<(), LedgerError> {
        self.append(&[Record::Resumed(resumed.clone())])
    }

    fn finish(&mut self, finished: &Finished) -> Result<(), LedgerError> {
        self.append(&[Record::Finished(finished.clone())])
    }
}

/// Unlocks explicitly. A child process that is starting also holds the file open until it executes its program, so
/// closing the file would not release the lock until then.
impl Drop for JournalFile {
    fn drop(&mut self) {
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let busy = || JournalError::Busy(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    flock(file, FlockOperation::NonBlockingLockExclusive).map_err(|_| busy())
}

/// Returns whether the journal consists of an incomplete first line, so that nothing was begun. A damaged journal with
/// more lines is a different case.
fn was_cut_off_at_once(bytes: &[u8]) -> bool {
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    !line.contains(&b'\n') && (line.len() == bytes.len() || record_of(line).is_none())
}

fn checksum(json: &[u8]) -> String {
    blake3::hash(json).to_hex()[..CHECKSUM].to_owned()
}

fn record_of(line: &[u8]) -> Option<Record> {
    let (sum, rest) = line.split_at_checked(CHECKSUM)?;
    let json = rest.strip_prefix(b" ")?;
    (checksum(json).as_bytes() == sum).then(|| serde_json::from_slice(json).ok())?
}

/// The content of a journal.
struct Parsed {
    history: History,
    /// The number of bytes in good lines.
    good: usize,
    /// The first damaged line, if the damage is more than a crash can cause.
    damaged: Option<usize>,
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Parsed, JournalError> {
    let mut history: Option<History> = None;
    let mut good = 0;
    let (mut bad, mut damaged) = (None, None);
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let record = line.strip_suffix(b"\n").and_then(record_of);
        match (record, bad) {
            (None, _) => bad = bad.or(Some(index + 1)),
            // The outcomes of steps are not synced, so parts of them may be missing after a power loss.
            (Some(Record::Ended(_)), Some(_)) => {}
            // All other lines were made durable together with everything before them.
            (Some(_), Some(line)) => damaged = damaged.or(Some(line)),
            (Some(record), None) => {
                good += line.len();
                match (&mut history, record) {
                    (None, Record::Started(started)) => history = Some(History::new(started)),
                    (Some(history), record) => history.apply(&record),
                    (None, _) => return Err(JournalError::Damaged { path: path.to_owned(), line: 1 }),
                }
            }
        }
    }
    let history = history.ok_or(JournalError::Damaged { path: path.to_owned(), line: 1 })?;
    Ok(Parsed { history, good, damaged })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::ledger::{DoneStep, Outcome, StepState, Trace};

    fn started() -> Started {
        let job = Job {
            id: "j1".to_owned(),
            scope: Vec::new(),
            undoes: None,
            call: None,
            if_taken: Default::default(),
            steps: vec![crate::job::Step {
                operation: "o1".to_owned(),
                act: crate::job::Act::CreateFolder(crate::job::Act::folder("/a")),
                expects: None,
                trash: None,
            }],
            folders: Vec::new(),
            restore_times: Vec::new(),
        };
        Started { job, folders: Vec::new(), boot: String::new() }
    }

    #[test]
    fn a_journal_cut_anywhere_reads_as_far_as_it_is_whole_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j1.journal");
        let (mut journal, _) = JournalFile::create(&path, started()).unwrap();
        let first = std::fs::metadata(&path).unwrap().len();
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600, "names of files are nobody else's to read");
        journal.begin(&[Began { step: 0, to: None }]).unwrap();
        journal.end(&[Ended { step: 0, outcome: Outcome::Done(DoneStep {}) }]).unwrap();
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        for length in first as usize..bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let (mut journal, history) = JournalFile::open(&path).unwrap();
            assert!(!matches!(history.steps[0], StepState::Done(_)));
            journal.begin(&[Began { step: 0, to: Some("/b".into()) }]).unwrap();
            drop(journal);
            let trace = Trace { to: Some("/b".into()), copy: None };
            assert_eq!(JournalFile::read(&path).unwrap().0.steps[0], StepState::Open(trace));
        }
    }

    #[test]
    fn a_journal_that_was_cut_off_while_it_was_made_gives_way_and_no_other_does() {
        // Regression test: a job that was killed at this point could never start again, because its own journal was in
        // the way.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j1.journal");
        drop(JournalFile::create(&path, started()).unwrap());
        let whole = std::fs::read(&path).unwrap();
        let torn = whole.iter().map(|byte| if *byte == b'\n' { b'\n' } else { 0 }).collect();
        for left in [Vec::new(), whole[..20].to_vec(), whole[..whole.len() - 1].to_vec(), torn] {
            std::fs::write(&path, left).unwrap();
            let (mut journal, _) = JournalFile::create(&path, started()).unwrap();
            journal.begin(&[Began { step: 0, to: None }]).unwrap();
        }
        let mut damaged = std::fs::read(&path).unwrap();
        damaged[30] ^= 1;
        for left in [whole, damaged] {
            std::fs::write(&path, &left).unwrap();
            assert!(JournalFile::create(&path, started()).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), left);
        }
    }

    #[test]
    fn damage_in_the_middle_is_said_and_a_second_writer_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j1.journal");
        let (mut journal, _) = JournalFile::create(&path, started()).unwrap();
        journal.begin(&[Began { step: 0, to: None }]).unwrap();
        assert!(matches!(JournalFile::open(&path), Err(JournalError::Busy(id)) if id == "j1"));
        drop(journal);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[30] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(JournalFile::open(&path), Err(JournalError::Damaged { line: 1, .. })));
    }
}
