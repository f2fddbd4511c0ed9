//! A job's journal as a file: one checked line a record, only ever added to.

use crate::ledger::{Began, Ended, Finished, History, Ledger, LedgerError, Record, Started};
use rustix::fs::{FlockOperation, flock};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Hexadecimal digits of the checksum at the beginning of each line.
const CHECKSUM: usize = 16;

/// Why a journal could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It could not be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Another process works on this job.
    #[error("the job {0} is being worked on by another process; wait for it, or stop it there")]
    Busy(String),
    /// A line in its middle is not what was written.
    #[error("line {line} of the journal {path} is damaged; the job cannot be resumed or taken back by itself", path = path.display())]
    Damaged {
        /// Which journal.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
}

/// A journal that this process alone writes.
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    path: PathBuf,
}

impl JournalFile {
    /// Makes the journal of a new job, durable when it returns.
    pub fn create(path: &Path, started: Started) -> Result<(Self, History), JournalError> {
        let fail = |action| move |source| LedgerError { action, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create_new(true).open(path).map_err(fail("create"))?;
        lock(&file, path)?;
        let mut journal = Self { file, path: path.to_owned() };
        journal.write(&[Record::Started(started.clone())])?;
        journal.sync()?;
        let folder = path.parent().unwrap_or(path);
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(fail("make durable"))?;
        Ok((journal, History::new(started)))
    }

    /// Opens a journal to go on with it. A last line that was cut off in a crash is dropped.
    pub fn open(path: &Path) -> Result<(Self, History), JournalError> {
        let fail = |action| move |source| LedgerError { action, path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(fail("open"))?;
        lock(&file, path)?;
        let mut journal = Self { file, path: path.to_owned() };
        journal.file.seek(SeekFrom::Start(0)).map_err(fail("read"))?;
        let mut bytes = Vec::new();
        journal.file.read_to_end(&mut bytes).map_err(fail("read"))?;
        let (history, good) = parse(path, &bytes)?;
        if good < bytes.len() {
            journal.file.set_len(good as u64).map_err(fail("mend"))?;
        }
        Ok((journal, history))
    }

    /// Reads a journal that another process may be writing.
    pub fn read(path: &Path) -> Result<History, JournalError> {
        let fail = |source| LedgerError { action: "read", path: path.to_owned(), source };
        Ok(parse(path, &std::fs::read(path).map_err(fail)?)?.0)
    }

    fn write(&mut self, records: &[Record]) -> Result<(), LedgerError> {
        let mut lines = Vec::new();
        for record in records {
            let json = serde_json::to_vec(record).map_err(|e| LedgerError {
                action: "write",
                path: self.path.clone(),
                source: e.into(),
            })?;
            lines.extend_from_slice(checksum(&json).as_bytes());
            lines.push(b' ');
            lines.extend_from_slice(&json);
            lines.push(b'\n');
        }
        self.file.write_all(&lines).map_err(|source| LedgerError {
            action: "write",
            path: self.path.clone(),
            source,
        })
    }

    fn sync(&mut self) -> Result<(), LedgerError> {
        self.file.sync_data().map_err(|source| LedgerError {
            action: "make durable",
            path: self.path.clone(),
            source,
        })
    }
}

impl Ledger for JournalFile {
    fn begin(&mut self, steps: &[Began]) -> Result<(), LedgerError> {
        self.write(&steps.iter().cloned().map(Record::Began).collect::<Vec<_>>())?;
        self.sync()
    }

    fn end(&mut self, steps: &[Ended]) -> Result<(), LedgerError> {
        self.write(&steps.iter().cloned().map(Record::Ended).collect::<Vec<_>>())
    }

    fn finish(&mut self, finished: &Finished) -> Result<(), LedgerError> {
        self.write(&[Record::Finished(finished.clone())])?;
        self.sync()
    }
}

fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    // Whoever lists the jobs holds it for a moment to see whether it is held.
    for _ in 0..50 {
        if flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    Err(JournalError::Busy(path.file_stem().unwrap_or_default().to_string_lossy().into_owned()))
}

fn checksum(json: &[u8]) -> String {
    blake3::hash(json).to_hex()[..CHECKSUM].to_owned()
}

fn record_of(line: &[u8]) -> Option<Record> {
    let (sum, rest) = line.split_at_checked(CHECKSUM)?;
    let json = rest.strip_prefix(b" ")?;
    (checksum(json).as_bytes() == sum).then(|| serde_json::from_slice(json).ok())?
}

/// The history, and how many bytes of the journal are good.
fn parse(path: &Path, bytes: &[u8]) -> Result<(History, usize), JournalError> {
    let mut history: Option<History> = None;
    let mut good = 0;
    let mut damaged = None;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let record = line.strip_suffix(b"\n").and_then(record_of);
        match (record, damaged) {
            (None, _) => damaged = damaged.or(Some(index + 1)),
            // Good lines after a bad one: that was no crash.
            (Some(_), Some(line)) => return Err(JournalError::Damaged { path: path.to_owned(), line }),
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
    Ok((history, good))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::ledger::{DoneStep, Outcome, StepState};

    fn started() -> Started {
        let job = Job {
            id: "j1".to_owned(),
            scope: Vec::new(),
            undoes: None,
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
        Started { job, folders: Vec::new() }
    }

    #[test]
    fn a_journal_cut_anywhere_reads_as_far_as_it_is_whole_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j1.journal");
        let (mut journal, _) = JournalFile::create(&path, started()).unwrap();
        let first = std::fs::metadata(&path).unwrap().len();
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
            assert_eq!(JournalFile::read(&path).unwrap().steps[0], StepState::Open(Some("/b".into())));
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
